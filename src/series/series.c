/* Step series: rows, columns and facts of one run, grown as a reader finds them.
 *
 * Enters: rows in the order of the input, numbers and texts that belong to the last row, facts.
 * Leaves: a stall_series that owns all of it. It must not know formats or statistics. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "series/series.h"
#include "stalldiff/series.h"

static char empty[] = ""; /* strings[0] of every series; never written */

void stall_series_init(stall_series *s)
{
    memset(s, 0, sizeof(*s));
}

void stall_series_close(stall_series *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->counters_len; i++) {
        stall_mem_free(s->counters[i].name);
        stall_mem_free(s->counters[i].values);
    }
    for (size_t i = 1; i < s->strings_len; i++) /* strings[0] is shared */
        stall_mem_free(s->strings[i]);
    for (size_t i = 0; i < s->meta_len; i++) {
        stall_mem_free(s->meta[i].key);
        stall_mem_free(s->meta[i].value);
    }
    stall_mem_free(s->rows);
    stall_mem_free(s->counters);
    stall_mem_free(s->batch_rank);
    stall_mem_free(s->worker_id);
    stall_mem_free(s->worker_pids);
    stall_mem_free(s->strings);
    stall_mem_free(s->meta);
    stall_mem_free(s->label);
    stall_mem_free(s->path);
    memset(s, 0, sizeof(*s));
}

/* Gives one column, if it is there, room for cap rows. */
static bool resize_column(void **column, size_t cap, size_t size)
{
    void *grown;

    if (*column == NULL)
        return true;
    grown = stall_mem_resize(*column, cap, size);
    if (grown == NULL)
        return false;
    *column = grown;
    return true;
}

/* Gives every column room for cap rows. On failure some columns are merely larger than the rows. */
static bool resize_columns(stall_series *s, size_t cap)
{
    void *column;
    bool done = true;

    for (size_t i = 0; i < s->counters_len && done; i++) {
        column = s->counters[i].values;
        done = resize_column(&column, cap, sizeof(double));
        s->counters[i].values = column;
    }
    if (done) {
        column = s->batch_rank;
        done = resize_column(&column, cap, sizeof(double));
        s->batch_rank = column;
    }
    if (done) {
        column = s->worker_id;
        done = resize_column(&column, cap, sizeof(uint32_t));
        s->worker_id = column;
    }
    if (done) {
        column = s->worker_pids;
        done = resize_column(&column, cap, sizeof(uint32_t));
        s->worker_pids = column;
    }
    return done;
}

/* Room for one more row in all arrays. The rows come last, so that s->cap holds for every column.
 */
static bool grow_rows(stall_series *s)
{
    size_t cap = s->cap;
    void *rows = s->rows;

    if (s->len < s->cap)
        return true;
    cap = cap < 64 ? 64 : cap * 2;
    if (!resize_columns(s, cap) || !stall_mem_grow(&rows, &s->cap, cap, sizeof(stall_row)))
        return false;
    s->rows = rows;
    return true;
}

stall_status stall_series_push(stall_series *s, const stall_row *row, stall_error *reterr)
{
    size_t i = s->len;

    if (s->len >= STALL_ROWS_MAX) {
        stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE, "more than %zu steps in one run",
                        STALL_ROWS_MAX);
        stall_error_hint(reterr, "split the run and compare its parts");
        return STALL_ELIMIT;
    }
    if (!grow_rows(s))
        return stall_error_memory(reterr);
    s->rows[i] = *row;
    for (size_t c = 0; c < s->counters_len; c++)
        s->counters[c].values[i] = NAN;
    if (s->batch_rank != NULL)
        s->batch_rank[i] = NAN;
    if (s->worker_id != NULL)
        s->worker_id[i] = 0;
    if (s->worker_pids != NULL)
        s->worker_pids[i] = 0;
    s->len++;
    return STALL_OK;
}

/* A column of doubles, all missing, with room for as many rows as the series has. */
static double *new_doubles(const stall_series *s)
{
    double *values = stall_mem_alloc(s->cap, sizeof(*values));

    for (size_t i = 0; values != NULL && i < s->len; i++)
        values[i] = NAN;
    return values;
}

static bool find_counter(const stall_series *s, const char *name, size_t len, size_t *ret_index)
{
    for (size_t i = 0; i < s->counters_len; i++) {
        if (strlen(s->counters[i].name) == len && memcmp(s->counters[i].name, name, len) == 0) {
            *ret_index = i;
            return true;
        }
    }
    return false;
}

/* Adds a column, all missing. */
static stall_status add_counter(stall_series *s, const char *name, size_t len, stall_error *reterr)
{
    stall_counter column = {stall_mem_text(name, len), new_doubles(s)};
    stall_counter *grown = NULL;

    if (column.name != NULL && column.values != NULL)
        grown = stall_mem_resize(s->counters, s->counters_len + 1, sizeof(*grown));
    if (grown == NULL) {
        stall_mem_free(column.name);
        stall_mem_free(column.values);
        return stall_error_memory(reterr);
    }
    s->counters = grown;
    s->counters[s->counters_len++] = column;
    return STALL_OK;
}

stall_status stall_series_counter(stall_series *s, const char *name, size_t len, size_t *ret_index,
                                  stall_error *reterr)
{
    char printable[STALL_COUNTER_NAME_MAX];
    stall_status status;

    if (find_counter(s, name, len, ret_index))
        return STALL_OK;
    len = stall_text_printable(printable, sizeof(printable), name, len);
    if (find_counter(s, printable, len, ret_index))
        return STALL_OK;
    if (s->counters_len >= STALL_COUNTERS_MAX) {
        stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                        "more than %d numeric columns beside the times", STALL_COUNTERS_MAX);
        stall_error_hint(reterr, "remove the columns that are not needed from the log");
        return STALL_ELIMIT;
    }
    status = add_counter(s, printable, len, reterr);
    if (status == STALL_OK)
        *ret_index = s->counters_len - 1;
    return status;
}

void stall_series_set_counter(stall_series *s, size_t index, double value)
{
    assert(index < s->counters_len && s->len > 0);
    s->counters[index].values[s->len - 1] = value;
}

stall_status stall_series_set_batch_rank(stall_series *s, double value, stall_error *reterr)
{
    assert(s->len > 0);
    if (s->batch_rank == NULL) {
        s->batch_rank = new_doubles(s);
        if (s->batch_rank == NULL)
            return stall_error_memory(reterr);
    }
    s->batch_rank[s->len - 1] = value;
    return STALL_OK;
}

/* Room for one more text, and strings[0]. The array is grown where its length is a power of two, so
 * it needs no capacity of its own. */
static bool grow_strings(stall_series *s)
{
    char **grown;

    if ((s->strings_len & (s->strings_len - 1)) != 0)
        return true;
    grown = stall_mem_resize(s->strings, s->strings_len * 2 + 2, sizeof(*grown));
    if (grown == NULL)
        return false;
    s->strings = grown;
    if (s->strings_len == 0)
        s->strings[s->strings_len++] = empty;
    return true;
}

/* Index of a text in s->strings, added when it is not among the last ones. */
static bool intern(stall_series *s, const char *text, size_t len, uint32_t *ret)
{
    size_t low = s->strings_len > STALL_INTERN_SEARCH ? s->strings_len - STALL_INTERN_SEARCH : 0;
    char printable[STALL_WORKER_TEXT_MAX];
    char *copy;

    len = stall_text_printable(printable, sizeof(printable), text, len);
    *ret = 0;
    if (len == 0)
        return true;
    for (size_t i = s->strings_len; i > low; i--) {
        if (strcmp(s->strings[i - 1], printable) == 0) {
            *ret = (uint32_t)(i - 1);
            return true;
        }
    }
    if (!grow_strings(s))
        return false;
    copy = stall_mem_text(printable, len);
    if (copy == NULL)
        return false;
    *ret = (uint32_t)s->strings_len;
    s->strings[s->strings_len++] = copy;
    return true;
}

/* Sets the last row of a column of texts, made on first use. */
static stall_status set_text(stall_series *s, uint32_t **column, const char *text, size_t len,
                             stall_error *reterr)
{
    uint32_t index;

    assert(s->len > 0);
    if (*column == NULL)
        *column = stall_mem_zero(s->cap, sizeof(**column));
    if (*column == NULL || !intern(s, text, len, &index))
        return stall_error_memory(reterr);
    (*column)[s->len - 1] = index;
    return STALL_OK;
}

stall_status stall_series_set_worker_id(stall_series *s, const char *text, size_t len,
                                        stall_error *reterr)
{
    return set_text(s, &s->worker_id, text, len, reterr);
}

stall_status stall_series_set_worker_pids(stall_series *s, const char *text, size_t len,
                                          stall_error *reterr)
{
    return set_text(s, &s->worker_pids, text, len, reterr);
}

static stall_meta *find_meta(const stall_series *s, const char *key)
{
    for (size_t i = 0; i < s->meta_len; i++)
        if (strcmp(s->meta[i].key, key) == 0)
            return &s->meta[i];
    return NULL;
}

/* Adds an entry; `value` becomes its own. */
static bool add_meta(stall_series *s, const char *key, char *value, bool raw)
{
    stall_meta *grown = stall_mem_resize(s->meta, s->meta_len + 1, sizeof(*grown));
    char *copy;

    if (grown == NULL)
        return false;
    s->meta = grown;
    copy = stall_mem_text(key, strlen(key));
    if (copy == NULL)
        return false;
    s->meta[s->meta_len++] = (stall_meta){copy, value, raw};
    return true;
}

stall_status stall_series_set_meta(stall_series *s, const char *key, size_t key_len,
                                   const char *value, size_t value_len, bool raw,
                                   stall_error *reterr)
{
    char name[STALL_META_KEY_MAX], text[STALL_META_VALUE_MAX];
    stall_meta *item;
    size_t len;
    char *copy;

    stall_text_printable(name, sizeof(name), key, key_len);
    len = stall_text_printable(text, sizeof(text), value, value_len);
    /* What had to be changed is no JSON value any more, but still a text. */
    if (len == 0 || len != value_len || memcmp(text, value, len) != 0)
        raw = false;
    item = find_meta(s, name);
    if (item == NULL && s->meta_len >= STALL_META_MAX)
        return STALL_OK;
    copy = stall_mem_text(text, len);
    if (copy == NULL)
        return stall_error_memory(reterr);
    if (item != NULL) {
        stall_mem_free(item->value);
        item->value = copy;
        item->raw = raw;
    } else if (!add_meta(s, name, copy, raw)) {
        stall_mem_free(copy);
        return stall_error_memory(reterr);
    }
    return STALL_OK;
}

const char *stall_series_meta(const stall_series *s, const char *key)
{
    const stall_meta *item = find_meta(s, key);

    return item != NULL ? item->value : NULL;
}

int64_t stall_series_meta_int(const stall_series *s, const char *key)
{
    const char *text = stall_series_meta(s, key);
    double exact;
    int64_t v;

    /* 4 and 4.0 are whole, 4.5 is not. */
    if (text == NULL || !stall_decimal_parse(text, strlen(text), 0, &v) || v < 0 ||
        !stall_decimal_double(text, strlen(text), &exact) || exact != (double)v)
        return STALL_UNKNOWN;
    return v;
}
