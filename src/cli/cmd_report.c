/* compare, show and sweep: loads the runs, builds the report, writes it where it was asked for. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

/* A fact of the command line, else of the input. */
static void take_fact(int64_t *fact, const stall_series *s, const char *key)
{
    if (*fact == STALL_UNKNOWN) {
        *fact = stall_series_meta_int(s, key);
    }
}

static stall_analyze_options run_facts(const cli_options *o, const cli_run *run,
                                       const stall_series *s)
{
    stall_analyze_options a = o->analyze;

    if (run->workers != STALL_UNKNOWN) {
        a.num_workers = run->workers;
    }
    take_fact(&a.num_workers, s, "num_workers");
    take_fact(&a.cpus, s, "logical_cpus");
    take_fact(&a.steps_per_epoch, s, "steps_per_epoch");
    if (a.cpus == 0) {
        a.cpus = STALL_UNKNOWN;
    }
    if (a.steps_per_epoch == 0) {
        a.steps_per_epoch = STALL_UNKNOWN;
    }
    if (a.warmup == STALL_UNKNOWN) {
        a.warmup = 1;
    }
    return a;
}

static stall_terminal_options terminal_options(const cli_options *o, const char *dir)
{
    struct winsize w = {0};
    bool tty = isatty(STDOUT_FILENO);
    const char *no_color = getenv("NO_COLOR");
    stall_terminal_options t = {.report_dir = dir, .width = 100};

    t.color = o->color == CLI_COLOR_ALWAYS ||
              (o->color == CLI_COLOR_AUTO && tty && !(no_color != NULL && *no_color != '\0'));
    if (tty && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40) {
        t.width = w.ws_col;
    }
    setlocale(LC_CTYPE, "");
    t.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return t;
}

static stall_status print_document(const cli_options *o, const stall_report *r, stall_error *reterr)
{
    cli_stream stream = {stdout, "standard output"};
    stall_sink sink;
    stall_status status = STALL_OK;

    cli_sink_open(&sink, &stream);
    if (o->document == CLI_DOC_MARKDOWN) {
        status = stall_write_markdown(r, &sink, reterr);
    } else if (o->document == CLI_DOC_JSON) {
        status = stall_write_json(r, &sink, reterr);
    } else {
        status = stall_write_summary_csv(r, &sink, reterr);
    }
    return status == STALL_OK ? cli_sink_flush(&stream, reterr) : status;
}

static stall_status print_folder(const cli_options *o, const stall_report *r, stall_error *reterr)
{
    const char *dir = o->output ? o->output : "stalldiff-report";
    char buf[4096];
    stall_folder_options folder = {
        .plot = o->plot, .force = o->force, .html = o->html, .stopped = cli_stopped};
    bool plots = false;
    cli_stream stream = {stdout, "standard output"};
    stall_sink sink;
    stall_status status;

    if (o->plot != STALL_PLOT_NONE) {
        folder.gnuplot = cli_find_program("gnuplot", buf, sizeof buf);
    }
    cli_hold_signals();
    status = stall_write_folder(r, dir, &folder, &plots, reterr);
    cli_release_signals();
    if (status != STALL_OK) {
        return status;
    }
    if (!plots && o->plot != STALL_PLOT_NONE && !o->quiet) {
        fprintf(stderr, "stalldiff: %s/plots: not drawn: gnuplot %s; the scripts are there\n", dir,
                folder.gnuplot ? "failed" : "was not found in PATH");
    }
    if (o->quiet) {
        return STALL_OK;
    }
    stall_terminal_options terminal = terminal_options(o, dir);
    cli_sink_open(&sink, &stream);
    status = stall_write_terminal(r, &terminal, &sink, reterr);
    return status == STALL_OK ? cli_sink_flush(&stream, reterr) : status;
}

/* Refuses to write a report over one of its own inputs. */
static stall_status keep_inputs(const cli_options *o, stall_error *reterr)
{
    static const char *const names[] = {"report.md",  "report.json", "summary.csv",
                                        "series.csv", "gaps.csv",    "histogram.csv",
                                        "report.html"};
    const char *dir = o->output ? o->output : "stalldiff-report";
    char path[4096];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, names[i]) >= sizeof path) {
            continue;
        }
        stall_status status = cli_refuse_input(o, path, reterr);
        if (status != STALL_OK) {
            return status;
        }
    }
    return STALL_OK;
}

static stall_status load_all(const cli_options *o, stall_series *series, stall_report_input *inputs,
                             stall_error *reterr)
{
    stall_status status =
        cli_load_all(o, series, o->quiet || o->document == CLI_DOC_NONE, reterr);

    for (size_t i = 0; status == STALL_OK && i < o->runs_len; i++) {
        inputs[i] = (stall_report_input){.series = &series[i],
                                         .options = run_facts(o, &o->runs[i], &series[i]),
                                         .side = o->runs[i].side};
    }
    return status;
}

/* Builds the report that the command asks for. */
static stall_status build(const cli_options *o, const stall_report_input *inputs, stall_report *ret,
                          stall_error *reterr)
{
    stall_report_options options = {
        .labels = {o->labels[0], o->labels[1]}, .gate = o->gate, .allow_partial = o->allow_partial};

    return (o->command == CLI_COMPARE ? stall_report_compare
            : o->command == CLI_SWEEP
                ? stall_report_sweep
                : stall_report_show)(inputs, o->runs_len, &options, ret, reterr);
}

int cli_run_report(const cli_options *o)
{
    stall_error error = {0};
    stall_report report;
    stall_status status = STALL_ENOMEM;
    int ret;
    stall_series *series = stall_mem_zero(o->runs_len, sizeof *series);
    stall_report_input *inputs = stall_mem_zero(o->runs_len, sizeof *inputs);

    stall_report_init(&report);
    for (size_t i = 0; series != NULL && i < o->runs_len; i++) {
        stall_series_init(&series[i]);
    }
    if (series == NULL || inputs == NULL) {
        stall_error_memory(&error);
        goto out;
    }
    status = o->document == CLI_DOC_NONE ? keep_inputs(o, &error) : STALL_OK;
    if (status == STALL_OK) {
        status = load_all(o, series, inputs, &error);
    }
    if (status == STALL_OK) {
        status = build(o, inputs, &report, &error);
    }
    if (status == STALL_OK) {
        status = (o->document == CLI_DOC_NONE ? print_folder : print_document)(o, &report, &error);
    }
out:
    ret = status == STALL_OK ? stall_report_exit(&report) : cli_print_error(stderr, &error);
    stall_report_close(&report);
    for (size_t i = 0; series != NULL && i < o->runs_len; i++) {
        stall_series_close(&series[i]);
    }
    stall_mem_free(series);
    stall_mem_free(inputs);
    return ret;
}
