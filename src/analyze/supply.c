/* What the loader delivers: the variance ratio of pool rounds, and what a batch costs. Enters: a
 * finished distribution and shape. Leaves: pool_vr and supply. */
#include <math.h>

#include "analyze/analyze.h"

static double variance(const double *v, size_t n)
{
    double mean = stall_sum_of(v, n) / (double)n;
    stall_sum squares = {0, 0};

    for (size_t i = 0; i < n; i++) {
        stall_sum_add(&squares, (v[i] - mean) * (v[i] - mean));
    }
    return stall_sum_value(&squares) / (double)(n - 1);
}

/* pool_vr = Var(sums of W consecutive waits) / (W Var(wait)), n-1 variances, without the first W
 * positions of every segment, windows within one segment of measured positions. Near 0: every
 * window of W steps costs the same, as in a pool of W workers at its limit; about 1: independent
 * waits. */
static bool pool_ratio(stall_work *w)
{
    stall_analysis *a = w->a;
    int64_t workers = a->facts.num_workers;
    size_t n = 0, windows = 0, run = 0;

    if (workers < 2 || a->input.stride != 1 || (uint64_t)workers > a->dist.n) {
        return true;
    }
    double *x = stall_mem_alloc(a->points_len, sizeof *x);
    double *sums = stall_mem_alloc(a->points_len, sizeof *sums);
    bool equal = true, ok = x != NULL && sums != NULL;
    for (size_t i = 0; ok && i < a->points_len; i++) {
        const stall_point *p = &a->points[i];
        bool follows = i > 0 && p->segment == p[-1].segment && p->t == p[-1].t + 1;
        if (p->t < workers || isnan(p->wait_ms)) {
            run = 0;
            continue;
        }
        run = follows && run > 0 ? run + 1 : 1;
        x[n++] = p->wait_ms;
        equal &= x[n - 1] == x[0];
        if (run >= (size_t)workers) {
            sums[windows++] = stall_sum_of(x + n - (size_t)workers, (size_t)workers);
        }
    }
    if (ok && n >= 4 * (size_t)workers && windows >= 2 && !equal) {
        a->pool_vr = variance(sums, windows) / ((double)workers * variance(x, n));
    }
    stall_mem_free(x);
    stall_mem_free(sums);
    return ok;
}

/* A batch costs W = 0: the wait; W = 1: the interval; W >= 2: the interval times the workers that
 * can run at once. Assumes CPU-bound production on an otherwise idle host. */
static void supply(stall_work *w)
{
    stall_analysis *a = w->a;
    stall_supply *s = &a->supply;
    int64_t workers = a->facts.num_workers, cpus = a->facts.cpus;
    stall_sum step = {0, 0}, wait = {0, 0}, work = {0, 0};
    double n = 0;

    if (a->input_problem != 1 || isnan(a->wall_share_steady) || workers == STALL_UNKNOWN) {
        return;
    }
    for (size_t i = 0; i < w->steady_len; i++) {
        const stall_point *p = &a->points[w->steady_at[i]];
        if (!isnan(p->step_ms)) {
            stall_sum_add(&step, p->step_ms);
            stall_sum_add(&wait, p->wait_ms);
            stall_sum_add(&work, p->step_ms - p->wait_ms);
            n++;
        }
    }
    s->interval_ms = stall_sum_value(&step) / n;
    s->work_ms = stall_sum_value(&work) / n;
    if (!(s->work_ms > 0)) {
        return;
    }
    s->known = true;
    s->speedup_needed = s->interval_ms / s->work_ms;
    s->batch_cost_ms = workers == 0   ? stall_sum_value(&wait) / n
                       : workers == 1 ? s->interval_ms
                       : cpus != STALL_UNKNOWN
                           ? s->interval_ms * (double)(workers < cpus ? workers : cpus)
                           : NAN;
    s->cores_needed = isnan(s->batch_cost_ms)
                          ? STALL_UNKNOWN
                          : (int64_t)ceil(s->batch_cost_ms / s->work_ms * (1 - 1e-9));
}

stall_status stall_supply_figure(stall_work *w, stall_error *reterr)
{
    supply(w);
    return pool_ratio(w) ? STALL_OK : stall_error_memory(reterr);
}
