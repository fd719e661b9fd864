/* The program: options to calls of the stages to an exit status. */
#ifndef STALL_CLI_H
#define STALL_CLI_H

#include <stdio.h>

#include "base/base.h"
#include "batch/batch.h"
#include "stalldiff/stalldiff.h"

/* Exit status of the program, as documented. */
enum {
    CLI_EXIT_OK = 0,
    CLI_EXIT_GATE_NOT_MET = 1,
    CLI_EXIT_INPUT = 2,     /* usage, or input that cannot be used */
    CLI_EXIT_UNDECIDED = 3, /* gate asked and not decidable */
    CLI_EXIT_OUTPUT = 4,    /* output could not be written */
};

/* Inputs on one command line. */
#define CLI_RUNS_MAX 10000
/* Threads. */
#define CLI_JOBS_MAX 256

typedef enum cli_command {
    CLI_COMPARE = 1,
    CLI_SHOW = 2,
    CLI_SERIES = 4,
    CLI_FORMATS = 8,
    CLI_HELP = 16,
    CLI_SWEEP = 32,
} cli_command;

typedef enum cli_document {
    CLI_DOC_NONE, /* the folder and the terminal */
    CLI_DOC_MARKDOWN,
    CLI_DOC_JSON,
    CLI_DOC_CSV,
} cli_document;

typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

typedef struct cli_run {
    const char *path; /* borrowed from argv */
    int side;         /* 0 broken, 1 fixed, -1 none */
    int64_t workers;  /* of W=RUN, or STALL_UNKNOWN */
} cli_run;

/* Everything the command line said. Texts are borrowed from argv, but labels. */
typedef struct cli_options {
    cli_command command;
    cli_run *runs;
    size_t runs_len, runs_cap;
    stall_read_options read;
    stall_analyze_options analyze;
    stall_gate gate;
    bool allow_partial;
    char *labels[2];    /* owned, or NULL */
    const char *output; /* -o, or NULL */
    bool force;
    bool html;
    cli_document document;
    stall_plot_format plot;
    cli_color color;
    bool quiet;
    int jobs; /* threads, at least 1 */
    bool want_help, want_version;
} cli_options;

/* One row of the table of options; help and parsing both come from it. */
typedef struct cli_option {
    const char *name;  /* long name */
    char letter;       /* short name, or 0 */
    unsigned commands; /* cli_command bits that take it */
    const char *arg;   /* name of the argument in the help, or NULL */
    const char *help;
    stall_status (*set)(cli_options *o, const char *arg, stall_error *reterr);
    const char *values; /* words that the argument may be, or NULL */
} cli_option;

extern const cli_option cli_option_table[]; /* ended by a NULL name */

/* Name of command i and its bit; NULL past the last. */
const char *cli_command_name(size_t i, unsigned *ret_bit);

/* Parses argv. STALL_EUSAGE with a filled error; STALL_ENOMEM. cli_options_close frees. */
stall_status cli_options_parse(int argc, char **argv, cli_options *ret, stall_error *reterr);
void cli_options_close(cli_options *o);

/* CPUs that this process may use. */
int cli_cpus(void);
/* Reads all runs to series, of which there are runs_len, on o->jobs threads. Prints their warnings,
 * or only what makes them PARTIAL, in the order of the command line. An error is that of the first
 * run on it that cannot be used, with the warnings of those before. */
stall_status cli_load_all(const cli_options *o, stall_series *series, bool only_partial,
                          stall_error *reterr);

/* The progress bar, on stderr when that is a terminal. total: bytes, 0 when not known. */
void cli_progress_begin(bool on, uint64_t total);
void cli_progress_end(void);
/* Moves the bar; a count of stall_run_options. */
void cli_progress_count(void *ctx, uint64_t bytes);
/* Prints warnings of a run to stderr: all, or only what makes it PARTIAL. */
void cli_print_warnings(FILE *err, const stall_series *s, bool only_partial);
/* Prints one line for an error and returns the exit status. */
int cli_print_error(FILE *err, const stall_error *e);

/* STALL_EUSAGE when `path` is the same regular file as an input: it would be overwritten. */
stall_status cli_refuse_input(const cli_options *o, const char *path, stall_error *reterr);

/* A sink over a stdio stream. `name` is used in errors. */
typedef struct cli_stream {
    FILE *file;
    const char *name;
} cli_stream;
void cli_sink_open(stall_sink *ret, cli_stream *stream);
/* Flushes; STALL_EWRITE when anything did not reach its place. */
stall_status cli_sink_flush(cli_stream *stream, stall_error *reterr);
/* Absolute path of an executable file of that name in PATH into buf, or NULL. */
const char *cli_find_program(const char *name, char *buf, size_t size);

/* Between the two calls SIGINT, SIGTERM and SIGHUP only make cli_stopped true; the second one lets the
 * signal that came do what it would have done. */
void cli_hold_signals(void);
bool cli_stopped(void);
void cli_release_signals(void);

/* The commands; each returns the exit status. */
int cli_run_report(const cli_options *o); /* compare, show and sweep */
int cli_run_series(const cli_options *o);
int cli_run_formats(void);
int cli_run_help(const cli_options *o);
void cli_print_usage(FILE *out);
/* Prints the completion script of a shell; false when it is none of bash, zsh, fish. */
bool cli_print_completion(const char *shell);

#endif
