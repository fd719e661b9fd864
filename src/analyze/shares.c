/* What the waits take of the wall clock, and which of them are stalls.
 *
 * Enters: the judged points, their threshold. Leaves: the work time, marked stalls, shares. It must
 * not know what the shares will be judged to mean. */
#include "analyze/analyze.h"

static bool timed(const stall_point *p)
{
    return stall_known(p->wait_ms) && stall_known(p->step_ms);
}

/* Durations count as known for a run when 90 % of its usable waits have one. */
static bool durations_known(const stall_analysis *a, size_t *ret_timed)
{
    size_t n = 0;

    for (size_t i = 0; i < a->points_len; i++)
        n += timed(&a->points[i]);
    *ret_timed = n;
    return n > 0 && (double)n >= 0.9 * (double)a->dist.n;
}

/* R = median(step - wait) over the steps having both. */
stall_status stall_work_time(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    size_t n, k = 0;
    double *work;

    if (!durations_known(a, &n))
        return STALL_OK;
    work = stall_mem_alloc(n, sizeof(*work));
    if (work == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < a->points_len; i++)
        if (timed(&a->points[i]))
            work[k++] = a->points[i].step_ms - a->points[i].wait_ms;
    if (!stall_sort_doubles(work, n)) {
        stall_mem_free(work);
        return stall_error_memory(reterr);
    }
    a->work_ms = stall_quantile(work, n, 0.5);
    stall_mem_free(work);
    return STALL_OK;
}

/* A stall is a wait above the threshold. In a log of means there is no such thing. */
stall_status stall_mark(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    stall_sum sum = {0, 0};
    size_t k = 0;

    if (w->series->aggregated)
        return STALL_OK;
    for (size_t i = 0; i < a->points_len; i++) {
        stall_point *p = &a->points[i];

        p->stall = p->wait_ms > a->threshold.ms;
        if (!p->stall)
            continue;
        a->stalls.count++;
        a->stalls.startup += p->t < w->left_out;
        stall_sum_add(&sum, p->wait_ms);
    }
    if (a->dist.n > 0)
        a->stalls.rate = (double)a->stalls.count / (double)a->dist.n;
    if (a->dist.sum > 0)
        a->stalls.wait_share = stall_sum_value(&sum) / a->dist.sum;
    a->stalls.steps = stall_mem_alloc((size_t)a->stalls.count, sizeof(*a->stalls.steps));
    if (a->stalls.steps == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < a->points_len; i++)
        if (a->points[i].stall)
            a->stalls.steps[k++] = a->points[i].step;
    return STALL_OK;
}

/* Sum of waits over sum of step times. */
void stall_shares(stall_work *w)
{
    stall_analysis *a = w->a;
    stall_sum wait = {0, 0}, step = {0, 0}, steady_wait = {0, 0}, steady_step = {0, 0};
    stall_sum calm_wait = {0, 0};
    bool judged = a->dist.n >= STALL_MIN_STEPS && w->steady_len >= STALL_MIN_STEADY;

    if (!stall_known(a->work_ms))
        return;
    for (size_t i = 0; i < a->points_len; i++) {
        const stall_point *p = &a->points[i];

        if (!timed(p))
            continue;
        stall_sum_add(&wait, p->wait_ms);
        stall_sum_add(&step, p->step_ms);
        if (!p->steady)
            continue;
        stall_sum_add(&steady_wait, p->wait_ms);
        stall_sum_add(&steady_step, p->step_ms);
        if (p->wait_ms <= a->threshold.auto_ms)
            stall_sum_add(&calm_wait, p->wait_ms);
    }
    if (stall_sum_value(&step) > 0)
        a->wall_share = stall_sum_value(&wait) / stall_sum_value(&step);
    if (stall_sum_value(&steady_step) > 0) {
        a->wall_share_steady = stall_sum_value(&steady_wait) / stall_sum_value(&steady_step);
        if (judged)
            a->wall_share_no_stalls = stall_sum_value(&calm_wait) / stall_sum_value(&steady_step);
    }
}
