/* What the tests of log readers share: reading a text in chunks of any size. */
#ifndef TABLE_SUPPORT_H
#define TABLE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "stalldiff/read.h"

typedef struct memory {
    const char *text;
    size_t len, at, chunk;
    bool cut;
    unsigned char *copy; /* the chunk given last, so that reading past its end is seen */
} memory;

static inline stall_status memory_next(void *ctx, const unsigned char **ret, size_t *ret_len,
                                       stall_error *reterr)
{
    memory *m = ctx;
    size_t n = m->len - m->at < m->chunk ? m->len - m->at : m->chunk;

    (void)reterr;
    free(m->copy);
    m->copy = malloc(n > 0 ? n : 1);
    assert_non_null(m->copy);
    memcpy(m->copy, m->text + m->at, n);
    m->at += n;
    *ret = m->copy;
    *ret_len = n;
    return STALL_OK;
}

static inline stall_status memory_finish(void *ctx, stall_warnings *w, bool *ret_cut,
                                         stall_error *reterr)
{
    memory *m = ctx;

    *ret_cut = m->cut;
    return m->cut ? stall_warn_add(w, STALL_WARN_compressed_cut, 1, 0, reterr, "cut") : STALL_OK;
}

static inline stall_status read_bytes(const char *text, size_t len, size_t chunk, bool cut,
                                      const stall_read_options *options, stall_series *out,
                                      stall_error *reterr)
{
    memory m = {text, len, 0, chunk, cut, NULL};
    stall_source source = {&m, memory_next, memory_finish, "test"};
    stall_status status;

    stall_series_init(out);
    memset(reterr, 0, sizeof(*reterr));
    status = stall_read(&source, options, out, reterr);
    free(m.copy);
    return status;
}

static inline stall_status read_text(const char *text, const stall_read_options *options,
                                     stall_series *out, stall_error *reterr)
{
    return read_bytes(text, strlen(text), 65536, false, options, out, reterr);
}

/* Reads a text that is in order. */
static inline void read_good(const char *text, const stall_read_options *options, stall_series *out)
{
    stall_error error;
    stall_status status = read_text(text, options, out, &error);

    if (status != STALL_OK)
        print_error("%s\n", error.text);
    assert_int_equal(status, STALL_OK);
}

static inline uint64_t warned(const stall_series *s, stall_warn_code code)
{
    const stall_warning *w = stall_warn_find(&s->warnings, code);

    return w != NULL ? w->count : 0;
}

static inline const stall_counter *counter(const stall_series *s, const char *name)
{
    for (size_t i = 0; i < s->counters_len; i++)
        if (strcmp(s->counters[i].name, name) == 0)
            return &s->counters[i];
    return NULL;
}

#define MS INT64_C(1000000)

#endif
