/* Sweeps made from a few numbers, for the tests of what a sweep says. */
#ifndef SWEEP_SUPPORT_H
#define SWEEP_SUPPORT_H

#include "hand_report.h"

static inline void sweep_meta(made *m, size_t i, const char *key, const char *value)
{
    stall_error error;

    assert_int_equal(
        stall_series_set_meta(&m->series[i], key, strlen(key), value, strlen(value), true, &error),
        STALL_OK);
}

/* A run of 48 steps with `workers`: every `period`-th step waits `slow` ms (period 1: all of them;
 * 0: none), with 30 ms of work. Returns its index. */
static inline size_t sweep_add(made *m, int64_t workers, size_t period, double slow)
{
    made_add(m, -1, 48, period, slow, 30, 7 + m->len);
    m->inputs[m->len - 1].options.num_workers = workers;
    return m->len - 1;
}

/* Sampler ranks of a run: pairs of neighbours swapped in the first `swaps` rounds of four. */
static inline void sweep_ranks(made *m, size_t i, size_t swaps)
{
    stall_series *s = &m->series[i];

    s->batch_rank = stall_mem_zero(s->len, sizeof(double));
    assert_non_null(s->batch_rank);
    for (size_t k = 0; k < s->len; k++)
        s->batch_rank[k] = (double)(k / 4 < swaps && k % 4 < 2 ? (k ^ 1) : k);
}

static inline const stall_sweep *sweep_make(made *m)
{
    stall_error error;

    stall_report_close(&m->report);
    assert_int_equal(stall_report_sweep(m->inputs, m->len, NULL, &m->report, &error), STALL_OK);
    return &m->report.sweep;
}

/* The finding of a code, or NULL. */
static inline const char *sweep_finding(const stall_sweep *s, const char *code)
{
    for (size_t i = 0; i < s->reading_len; i++)
        if (strcmp(s->reading[i].code, code) == 0)
            return s->reading[i].text;
    return NULL;
}

static inline bool sweep_advises(const made *m, const char *code)
{
    for (size_t i = 0; i < m->report.advice_len; i++)
        if (strcmp(m->report.advice[i].code, code) == 0)
            return true;
    return false;
}

#endif
