/* What the readers of framework logs share: log_reader.c runs through the lines of a log and turns
 * what a form makes of them into rows, log_text.c finds fields in a line. Each form has a file
 * read_X.c of its own that knows how one framework writes a step, and nothing else. */
#ifndef STALL_LOGS_H
#define STALL_LOGS_H

#include "read/table.h"

/* What a line is to a form. */
typedef enum stall_log_kind {
    STALL_LOG_OTHER, /* nothing of ours */
    STALL_LOG_SKIP,  /* a row without training input, such as one of validation: counted */
    STALL_LOG_ROW,   /* a row of a training step */
} stall_log_kind;

/* A row as the framework wrote it. */
typedef struct stall_log_row {
    int64_t epoch;   /* STALL_UNKNOWN: the steps count on through all epochs */
    int64_t step;    /* >= 0 */
    int64_t wait_ns; /* STALL_UNKNOWN: not measured */
    int64_t step_ns; /* the wait included; STALL_UNKNOWN: not measured */
    bool average;    /* a form of single steps: the times of this row are averages */
} stall_log_row;

/* One form of a log. Immutable. */
typedef struct stall_log_form {
    bool json; /* a line is a JSON object; else text, of which colours are dropped */
    /* Rows are averages ...: */
    bool average;      /* ... always, over a window that may be longer than their distance */
    bool interval;     /* ... over the steps since the row before */
    bool median;       /* the averages are medians: they give no share of the step time */
    const char *means; /* what a row is then: "means of 10 iterations (window_size)" */
    /* Reads a line, or a JSON object. `state` is zero at the start of a log. */
    stall_log_kind (*take)(stall_cell line, int64_t state[4], stall_log_row *ret);
} stall_log_form;

/* ---- log_reader.c ---- */

/* Reads a log of this form. Errors as stall_reader.read. */
stall_status stall_log_read(const stall_log_form *form, stall_source *src,
                            const stall_read_options *options, stall_series *out,
                            stall_error *reterr);
/* How sure: 88 when one of the first lines is a row or, for text, to be skipped; else 0. */
int stall_log_probe(const stall_log_form *form, const unsigned char *head, size_t len, bool whole);

/* The reader of a form, which the file calls `form`. */
#define STALL_LOG_READER(id, name, summary, looks)                                 \
    static int probe(const unsigned char *head, size_t len, bool whole)            \
    {                                                                              \
        return stall_log_probe(&form, head, len, whole);                           \
    }                                                                              \
    static stall_status read(stall_source *src, const stall_read_options *options, \
                             stall_series *out, stall_error *reterr)               \
    {                                                                              \
        return stall_log_read(&form, src, options, out, reterr);                   \
    }                                                                              \
    const stall_reader stall_reader_##id = {name, summary, probe, read, looks, true};

/* ---- log_text.c ---- */

/* Drops ANSI escape sequences, in place. Returns the new length. */
size_t stall_log_plain(char *text, size_t len);
/* What follows the first `text` in the line; len 0 and text NULL: it is not there. */
stall_cell stall_log_after(stall_cell line, const char *text);
/* The value behind `name`, which stands alone, and `sep` (':', '=' or ' '), up to a blank or comma.
 * False: none. */
bool stall_log_field(stall_cell line, const char *name, char sep, stall_cell *ret);
/* Takes "[ 50/7330" or "[50]", brackets and blanks, off the front. *ret_of is STALL_UNKNOWN without
 * a slash. False: it is no such counter. */
bool stall_log_counter(stall_cell *line, int64_t *ret, int64_t *ret_of);
/* Seconds as written, "0.243" or "0.243s", to nanoseconds; STALL_UNKNOWN for what is no time. */
int64_t stall_log_seconds(stall_cell c);
/* A whole number >= 0, or STALL_UNKNOWN. */
int64_t stall_log_whole(stall_cell c);
/* The value of a member of a JSON object, unquoted; len 0: none, or null. The last one wins. */
stall_cell stall_log_member(stall_cell object, const char *key);
/* epoch x of + step, counted from 0 both; STALL_UNKNOWN when it does not fit. */
int64_t stall_log_number(int64_t epoch, int64_t of, int64_t step);
/* Sum of two times; STALL_UNKNOWN when one is. */
int64_t stall_log_sum(int64_t a, int64_t b);

#endif
