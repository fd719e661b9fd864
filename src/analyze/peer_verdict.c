/* What TraceML itself would say of the input: its INPUT-BOUND rule, from the same rows.
 *
 * Enters: a series with the traced step time of its rows. Leaves: the input share and its level.
 * The rule (TraceML 0.3.5 to 0.5.0): of the newest steps that all ranks have, a rank's share is
 * mean(input wait) / mean(input wait + traced step), start-up and stalls included; the share of the
 * run is the median over the ranks. Times are the host's; TraceML takes the GPU's where every row has
 * them. It must not know our own shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

#define PEER_WINDOW 10000u /* steps that TraceML looks at */
#define PEER_WARNING 0.10
#define PEER_CRITICAL 0.20
#define PEER_WARNING_STEPS 2u
#define PEER_CRITICAL_STEPS 20u

typedef struct timed {
    int64_t step;
    int32_t rank;
    size_t at; /* row of the series */
} timed;

/* Sums of one rank. */
typedef struct rank_sum {
    stall_sum wait, outer;
} rank_sum;

static int by_step(const void *a, const void *b)
{
    const timed *x = a, *y = b;

    if (x->step != y->step) {
        return x->step < y->step ? -1 : 1;
    }
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}

static int by_number(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The traced step times, or NULL. */
static const double *traced_times(const stall_series *s)
{
    for (size_t i = 0; i < s->counters_len; i++) {
        if (strcmp(s->counters[i].name, "traced_step_ms") == 0) {
            return s->counters[i].values;
        }
    }
    return NULL;
}

/* Rows with both times, sorted by step and rank; of a step that stands twice the last one. */
static size_t collect(const stall_series *s, const double *traced, timed *v)
{
    size_t n = 0, len = 0;

    for (size_t i = 0; i < s->len; i++) {
        const stall_row *r = &s->rows[i];
        if (r->step != STALL_UNKNOWN && r->wait_ns != STALL_UNKNOWN && traced[i] >= 0 &&
            isfinite(traced[i])) {
            v[n++] = (timed){r->step, r->rank, i};
        }
    }
    qsort(v, n, sizeof *v, by_step);
    for (size_t i = 0; i < n; i++) {
        if (len > 0 && v[len - 1].step == v[i].step && v[len - 1].rank == v[i].rank) {
            len--;
        }
        v[len++] = v[i];
    }
    return len;
}

static size_t count_ranks(const timed *v, size_t n, int32_t *scratch)
{
    size_t ranks = 0;

    for (size_t i = 0; i < n; i++) {
        scratch[i] = v[i].rank;
    }
    qsort(scratch, n, sizeof *scratch, by_number);
    for (size_t i = 0; i < n; i++) {
        ranks += i == 0 || scratch[i] != scratch[i - 1];
    }
    return ranks;
}

/* Adds up the newest steps that all ranks have. Returns how many. */
static uint64_t add_up(const stall_series *s, const double *traced, const timed *v, size_t n,
                       rank_sum *sums, size_t ranks)
{
    uint64_t steps = 0;

    for (size_t end = n, from; end > 0 && steps < PEER_WINDOW; end = from) {
        from = end - 1;
        while (from > 0 && v[from - 1].step == v[end - 1].step) {
            from--;
        }
        if (end - from != ranks) {
            continue;
        }
        for (size_t k = 0; k < ranks; k++) {
            double wait = (double)s->rows[v[from + k].at].wait_ns / 1e6;
            stall_sum_add(&sums[k].wait, wait);
            stall_sum_add(&sums[k].outer, wait + traced[v[from + k].at]);
        }
        steps++;
    }
    return steps;
}

static stall_peer_level level_of(double share, uint64_t steps)
{
    if (share < PEER_WARNING || steps < PEER_WARNING_STEPS) {
        return STALL_PEER_NONE;
    }
    return share >= PEER_CRITICAL && steps >= PEER_CRITICAL_STEPS ? STALL_PEER_CRITICAL
                                                                  : STALL_PEER_WARNING;
}

/* Median over the ranks of mean wait over mean step; the count of steps cancels out. */
static stall_status judge(const rank_sum *sums, size_t ranks, uint64_t steps, stall_analysis *a,
                          stall_error *reterr)
{
    double *shares = stall_mem_alloc(ranks, sizeof *shares);
    size_t known = 0;

    if (shares == NULL) {
        return stall_error_memory(reterr);
    }
    for (size_t k = 0; k < ranks; k++) {
        double outer = stall_sum_value(&sums[k].outer);
        if (outer > 0) {
            shares[known++] = stall_sum_value(&sums[k].wait) / outer;
        }
    }
    if (known > 0 && steps > 0) {
        stall_sort(shares, known);
        a->traceml.known = true;
        a->traceml.steps = steps;
        a->traceml.ranks = known;
        a->traceml.share = stall_quantile(shares, known, 0.5);
        a->traceml.level = level_of(a->traceml.share, steps);
    }
    stall_mem_free(shares);
    return STALL_OK;
}

stall_status stall_peer_figure(stall_work *w, stall_error *reterr)
{
    const double *traced = traced_times(w->s);
    stall_status status = STALL_OK;
    rank_sum *sums = NULL;

    if (traced == NULL) {
        return STALL_OK;
    }
    timed *v = stall_mem_alloc(w->s->len, sizeof *v);
    int32_t *scratch = stall_mem_alloc(w->s->len, sizeof *scratch);
    if (v == NULL || scratch == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    size_t n = collect(w->s, traced, v);
    size_t ranks = count_ranks(v, n, scratch);
    sums = stall_mem_zero(ranks, sizeof *sums);
    if (sums == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    uint64_t steps = add_up(w->s, traced, v, n, sums, ranks);
    status = judge(sums, ranks, steps, w->a, reterr);
out:
    stall_mem_free(v);
    stall_mem_free(scratch);
    stall_mem_free(sums);
    return status;
}
