/* The step series: what readers produce and statistics consume. Nothing else crosses that border.
 *
 * A series is a list of rows in the order of the input, one row a delivery of the loader to the
 * training loop. Rows of several ranks stand in one series. Times are integer nanoseconds. */
#ifndef STALLDIFF_SERIES_H
#define STALLDIFF_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An int64_t that was not measured or not given. It is never 0: 0 is a measurement. */
#define STALL_UNKNOWN INT64_MIN

typedef struct stall_row {
    int64_t step;          /* step label >= 0; STALL_UNKNOWN: not a whole number (row is dropped) */
    int64_t epoch;         /* epoch or segment label; STALL_UNKNOWN: not given */
    int64_t wait_ns;       /* input wait, >= 0, or STALL_UNKNOWN */
    int64_t step_ns;       /* whole step, wait included, or STALL_UNKNOWN */
    int64_t exposed_ns;    /* wait not covered by GPU work, or STALL_UNKNOWN */
    int64_t other_wait_ns; /* waits of loaders that are not the training input, or STALL_UNKNOWN */
    int32_t rank;          /* >= 0 */
    int32_t fetches;       /* fetches in this step, or -1 when not known */
} stall_row;

/* A numeric column beside the times; NaN where a row has none. */
typedef struct stall_counter {
    char *name;
    double *values; /* one a row */
} stall_counter;

/* One fact about the run. `value` is text; `raw` says that it is a JSON value (number, true, ...)
 * and not a string. Keys are unique within a series; the last one set wins. */
typedef struct stall_meta {
    char *key;
    char *value;
    bool raw;
} stall_meta;

typedef struct stall_series {
    stall_row *rows;
    size_t len, cap;

    stall_counter *counters; /* every numeric column that has no meaning of its own */
    size_t counters_len;
    double *batch_rank;     /* sampler rank of the batch, one a row (NaN: missing), or NULL */
    uint32_t *worker_id;    /* index into strings, one a row (0: missing), or NULL */
    uint32_t *worker_pids;  /* index into strings, ids joined by ';', or NULL */
    char **strings;         /* interned texts; strings[0] is "" */
    size_t strings_len;

    char *label;        /* name for people; never NULL once read */
    char *path;         /* as it may be printed: at most the last two components if absolute */
    const char *format; /* name of the reader, static */
    bool sampled;       /* rows are one real step in N: gaps are refused */
    bool aggregated;    /* rows are means or medians of N steps: stalls and gaps are refused */
    bool medians;    /* the rows are medians: no share of the step time can be given */
    bool ranked;        /* the input tells the ranks of its rows */
    bool has_gpu;       /* GPU work was seen: exposed_ns has a meaning */
    stall_meta *meta;
    size_t meta_len;
    stall_warnings warnings;
} stall_series;

/* An empty series that owns nothing; stall_series_close may be called on it. */
void stall_series_init(stall_series *s);
/* Frees what the series owns. NULL is allowed. */
void stall_series_close(stall_series *s);
/* Appends a row; its counters are missing until set. STALL_ENOMEM, STALL_ELIMIT. */
stall_status stall_series_push(stall_series *s, const stall_row *row, stall_error *reterr);
/* Index of the counter column `name` (len bytes), made on first use. STALL_ENOMEM, STALL_ELIMIT. */
stall_status stall_series_counter(stall_series *s, const char *name, size_t len, size_t *ret_index,
                                  stall_error *reterr);
/* Sets counter `index` of the last row. */
void stall_series_set_counter(stall_series *s, size_t index, double value);
/* Sets the sampler rank of the last row. STALL_ENOMEM. */
stall_status stall_series_set_batch_rank(stall_series *s, double value, stall_error *reterr);
/* Sets the worker id, or the PID set, of the last row. STALL_ENOMEM. */
stall_status stall_series_set_worker_id(stall_series *s, const char *text, size_t len,
                                        stall_error *reterr);
stall_status stall_series_set_worker_pids(stall_series *s, const char *text, size_t len,
                                          stall_error *reterr);
/* Appends the rows of `part` with their columns, and the facts that `s` does not have; what holds
 * for the rows of one (sampled, aggregated, has_gpu, ranked) holds for all. Label, path, format and
 * warnings stay. STALL_ENOMEM, STALL_ELIMIT. */
stall_status stall_series_append(stall_series *s, const stall_series *part, stall_error *reterr);
/* Sets a fact; replaces an earlier one of that key. key_len and value_len bytes are copied and
 * made printable. STALL_ENOMEM; more than STALL_META_MAX facts are ignored. */
stall_status stall_series_set_meta(stall_series *s, const char *key, size_t key_len,
                                   const char *value, size_t value_len, bool raw,
                                   stall_error *reterr);
/* The value of a fact, or NULL. Owned by the series. */
const char *stall_series_meta(const stall_series *s, const char *key);
/* A fact that is a whole number >= 0, or STALL_UNKNOWN. */
int64_t stall_series_meta_int(const stall_series *s, const char *key);

#ifdef __cplusplus
}
#endif
#endif
