/* Reading a run: bytes in, step series out. */
#ifndef STALLDIFF_READ_H
#define STALLDIFF_READ_H

#include "series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where bytes come from. The caller owns it; a reader only calls it. */
typedef struct stall_source {
    void *ctx;
    /* The next chunk of plain (decompressed) bytes. *ret_len = 0 means the end. The bytes stay
     * valid until the next call. Errors: STALL_EREAD, STALL_EFORMAT (nothing usable), STALL_ENOMEM.
     */
    stall_status (*next)(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                         stall_error *reterr);
    /* Adds to `warnings` what the transport found: a cut or damaged compressed stream, trailing
     * bytes. Called once, after the end. May be NULL. *ret_cut is set when bytes may be missing. */
    stall_status (*finish)(void *ctx, stall_warnings *warnings, bool *ret_cut, stall_error *reterr);
    const char *name; /* the file as the user named it, for errors */
    const char
        *path; /* of a regular file that holds these very bytes; NULL: a pipe, or compressed */
} stall_source;

/* How a folder's files are opened. The caller owns it. */
typedef struct stall_opener {
    void *ctx;
    /* Opens a file of a folder; *ret stays valid until close. Errors as stall_input_open. */
    stall_status (*open)(void *ctx, const char *path, stall_source **ret, stall_error *reterr);
    void (*close)(void *ctx, stall_source *source);
} stall_opener;

/* What to read and how. Zero-initialised is the default of everything. */
typedef struct stall_read_options {
    const char *format;    /* forces a reader by name, or NULL */
    const char *wait_name; /* POSIX extended regex of the user range that is the wait, or NULL */
    const char *wait_col;  /* NAME[:UNIT] of the wait in tabular logs, or NULL */
    const char *step_col;  /* NAME of the step column, or NULL */
    const char *dur_col;   /* NAME[:UNIT] of the step time, or NULL */
    const char *tmp_dir;   /* folder for a private copy of a database, or NULL: /tmp */
    bool strict;           /* damage is an error */
    bool no_gpu;           /* do not look at GPU events: exposed waits stay unknown */
} stall_read_options;

/* What an input looks like at first sight. */
typedef enum stall_input_kind {
    STALL_INPUT_JSON,  /* one JSON document */
    STALL_INPUT_ROWS,  /* a JSON object a line */
    STALL_INPUT_TABLE, /* text with columns */
    STALL_INPUT_TEXT,
    STALL_INPUT_BINARY,
} stall_input_kind;

/* One format. Immutable. */
typedef struct stall_reader {
    const char *name;    /* as `stalldiff formats` prints it */
    const char *summary; /* one line */
    /* How sure this reader is that the input begins as its format does: 0 not at all .. 100.
     * `head` holds the first bytes, at most STALL_HEAD_MAX; `whole` says that this is all. */
    int (*probe)(const unsigned char *head, size_t len, bool whole);
    /* Reads all of `src` into the empty series `out` (rows, counters, metadata, warnings; not label
     * or path). Errors: STALL_EFORMAT, STALL_ENODATA (no usable waits), STALL_ELIMIT, STALL_ENOMEM,
     * STALL_EUSAGE (bad regex or column), and those of the source. */
    stall_status (*read)(stall_source *src, const stall_read_options *options, stall_series *out,
                         stall_error *reterr);
    stall_input_kind kind; /* of its inputs */
    bool own_columns;      /* it knows its columns: passed over when an option names them */
} stall_reader;

/* Bytes that a probe may look at. */
#define STALL_HEAD_MAX 65536

/* The table of readers, ended by NULL. */
extern const stall_reader *const stall_readers[];

/* Reads one run from `src`: finds the reader by content (or by options->format) and calls it.
 * Requires an initialised, empty series; on error it stays valid and must still be closed.
 * Errors: those of stall_reader.read; STALL_EFORMAT for an unknown format, saying what it looks
 * like; STALL_EUSAGE for an unknown options->format. */
stall_status stall_read(stall_source *src, const stall_read_options *options, stall_series *out,
                        stall_error *reterr);

/* Reads a run from a folder: the rank files of one run, profiler cycles, or a TraceML run folder.
 * Requires an initialised, empty series. Errors: those of stall_read; STALL_EREAD when the folder
 * cannot be listed; STALL_ENODATA when nothing in it is a run, saying what was found. */
stall_status stall_read_folder(const char *path, const stall_opener *opener,
                               const stall_read_options *options, stall_series *out,
                               stall_error *reterr);

/* Adds the facts of a metadata sidecar (a JSON object of `len` bytes at `text`) to a series; facts
 * that the series already has stay. STALL_EFORMAT when it is not a JSON object; STALL_ENOMEM. */
stall_status stall_read_sidecar(const char *text, size_t len, const char *name, stall_series *s,
                                stall_error *reterr);

#ifdef __cplusplus
}
#endif
#endif
