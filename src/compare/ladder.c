/* What more workers do to the mean wait.
 *
 * Enters: the rows of a sweep. Leaves: one rung a worker count, over the largest set of runs that
 * are alike in all else that was logged, and the rung beyond which the mean hardly falls. A pool at
 * its limit delivers min(W, CPUs) batches at a time, so the mean falls in proportion to W and then
 * no more; where it stops is what this finds. It must not know sentences. */
#include <math.h>

#include "compare/compare.h"

/* Rows alike to row `at`, whatever their worker counts: how many counts, and how many runs. */
static size_t counts_alike(const stall_report *r, const stall_sweep *s, size_t at)
{
    size_t counts = 0;

    for (size_t i = 0; i < r->runs_len; i++) {
        bool first = s->rows[i].n > 0 && stall_sweep_alike(s, at, i, false, true, true);

        for (size_t k = 0; k < i && first; k++)
            first = s->rows[k].workers != s->rows[i].workers || s->rows[k].n == 0 ||
                    !stall_sweep_alike(s, at, k, false, true, true);
        counts += first;
    }
    return counts;
}

static void add_run(stall_sweep *s, const stall_sweep_row *row)
{
    stall_sweep_rung *g;
    size_t at = 0;

    while (at < s->rungs_len && s->rungs[at].workers < row->workers)
        at++;
    g = &s->rungs[at];
    if (at == s->rungs_len || g->workers != row->workers) {
        for (size_t i = s->rungs_len++; i > at; i--)
            s->rungs[i] = s->rungs[i - 1];
        *g = (stall_sweep_rung){.workers = row->workers, .low = INFINITY, .high = -INFINITY};
    }
    g->mean = (g->mean * (double)g->runs + row->mean) / (double)(g->runs + 1);
    g->runs++;
    g->low = row->mean < g->low ? row->mean : g->low;
    g->high = row->mean > g->high ? row->mean : g->high;
}

/* The last rung that saved a good part of what workers in proportion would have saved. Going from
 * no workers to one only overlaps production with the loop's own work, so it is not judged. */
static int64_t find_stop(const stall_sweep *s)
{
    size_t first = s->rungs_len > 0 && s->rungs[0].workers == 0 ? 1 : 0, last = first;

    if (first + 1 >= s->rungs_len)
        return STALL_UNKNOWN;
    for (size_t i = first + 1; i < s->rungs_len; i++) {
        const stall_sweep_rung *a = &s->rungs[last], *b = &s->rungs[i];
        double most = a->mean * (1 - (double)a->workers / (double)b->workers);

        if (a->mean - b->mean >= SWEEP_GAIN * most && a->mean > b->mean)
            last = i;
    }
    return s->rungs[last].workers;
}

stall_status stall_sweep_climb(const stall_report *r, stall_sweep *ret, stall_error *reterr)
{
    size_t best = 0, most = 0, counts;

    /* runs without workers have no prefetch factor and fit every other one: they come last */
    for (int least = 1; least >= 0 && most < 2; least--)
        for (size_t i = 0; i < r->runs_len; i++) {
            if (ret->rows[i].n == 0 || ret->rows[i].workers < least)
                continue;
            counts = counts_alike(r, ret, i);
            if (counts > most) {
                most = counts;
                best = i;
            }
        }
    if (most < 2)
        return STALL_OK;
    ret->rungs = stall_mem_alloc(most, sizeof(*ret->rungs));
    if (ret->rungs == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < r->runs_len; i++)
        if (ret->rows[i].n > 0 && stall_sweep_alike(ret, best, i, false, true, true)) {
            ret->rows[i].ladder = true;
            add_run(ret, &ret->rows[i]);
        }
    ret->stops_at = find_stop(ret);
    return STALL_OK;
}
