/* The samples that a comparison stands on.
 *
 * Enters: analysed runs. Leaves: the waits of each pass in time order, pooled figures of each side,
 * and small helpers on arrays. A pass gives its known waits but the warm-up of its first segment:
 * later epochs pay their start every time, so those count. It must not know verdicts. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define SHORT_RUN 8 /* with fewer known waits nothing is left out */

size_t stall_block_length(size_t n)
{
    double root = cbrt((double)n);

    return root < 1 ? 1 : (size_t)llrint(root); /* the root of a whole number is never at a half */
}

double stall_median_known(double *v, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i]))
            v[k++] = v[i];
    stall_sort(v, k);
    return stall_quantile(v, k, 0.5);
}

/* ---- collecting ---- */

void stall_side_init(compare_side *s)
{
    memset(s, 0, sizeof(*s));
}

void stall_side_close(compare_side *s)
{
    for (size_t p = 0; s->passes != NULL && p < s->len; p++) {
        stall_mem_free(s->passes[p].wait);
        stall_mem_free(s->passes[p].step);
    }
    stall_mem_free(s->passes);
    stall_mem_free(s->sorted);
    stall_side_init(s);
}

static bool collect_pass(const stall_run *run, compare_pass *ret)
{
    const stall_analysis *a = &run->analysis;
    bool all = a->dist.n < SHORT_RUN;

    ret->at = a;
    ret->own = &run->own;
    ret->mean = NAN;
    ret->wait = stall_mem_alloc(a->points_len, sizeof(*ret->wait));
    ret->step = stall_mem_alloc(a->points_len, sizeof(*ret->step));
    if (ret->wait == NULL || ret->step == NULL)
        return false;
    for (size_t i = 0; i < a->points_len; i++) {
        const stall_point *p = &a->points[i];

        if (isnan(p->wait_ms) || (!all && p->segment == 0 && p->t < a->facts.warmup))
            continue;
        ret->wait[ret->n] = p->wait_ms;
        ret->step[ret->n++] = p->step_ms;
        ret->stalls += p->stall;
    }
    if (ret->n > 0)
        ret->mean = stall_sum_of(ret->wait, ret->n) / (double)ret->n;
    return true;
}

/* Means over all passes: of the waits, of the step times, and their share where both are known. */
static bool pool_means(compare_side *s)
{
    double *v = stall_mem_alloc(s->n, sizeof(*v)), wait;
    size_t k = 0;

    if (v == NULL)
        return false;
    for (size_t p = 0; p < s->len; p++)
        for (size_t i = 0; i < s->passes[p].n; i++)
            v[k++] = s->passes[p].wait[i];
    s->mean = k > 0 ? stall_sum_of(v, k) / (double)k : NAN;
    k = 0;
    for (size_t p = 0; p < s->len; p++)
        for (size_t i = 0; i < s->passes[p].n; i++)
            if (!isnan(s->passes[p].step[i]))
                v[k++] = s->passes[p].wait[i];
    wait = stall_sum_of(v, k);
    k = 0;
    for (size_t p = 0; p < s->len; p++)
        for (size_t i = 0; i < s->passes[p].n; i++)
            if (!isnan(s->passes[p].step[i]))
                v[k++] = s->passes[p].step[i];
    s->steps = k;
    s->step_mean = k > 0 ? stall_sum_of(v, k) / (double)k : NAN;
    s->share = k > 0 && s->step_mean > 0 ? wait / (s->step_mean * (double)k) : NAN;
    stall_mem_free(v);
    return true;
}

stall_status stall_side_collect(const stall_run *runs, size_t len, int side, compare_side *ret,
                                stall_error *reterr)
{
    size_t k = 0;

    ret->passes = stall_mem_zero(len, sizeof(*ret->passes));
    if (ret->passes == NULL)
        return stall_error_memory(reterr);
    ret->shortest = SIZE_MAX;
    for (size_t i = 0; i < len; i++) {
        if (runs[i].side != side)
            continue;
        ret->len++;
        if (!collect_pass(&runs[i], &ret->passes[ret->len - 1]))
            return stall_error_memory(reterr);
        ret->n += ret->passes[ret->len - 1].n;
        ret->stalls += ret->passes[ret->len - 1].stalls;
        if (ret->passes[ret->len - 1].n < ret->shortest)
            ret->shortest = ret->passes[ret->len - 1].n;
    }
    ret->sorted = stall_mem_alloc(ret->n, sizeof(*ret->sorted));
    if (ret->sorted == NULL || !pool_means(ret))
        return stall_error_memory(reterr);
    for (size_t p = 0; p < ret->len; p++) {
        memcpy(ret->sorted + k, ret->passes[p].wait, ret->passes[p].n * sizeof(*ret->sorted));
        k += ret->passes[p].n;
    }
    stall_sort(ret->sorted, ret->n);
    ret->max = ret->n > 0 ? ret->sorted[ret->n - 1] : NAN;
    return STALL_OK;
}
