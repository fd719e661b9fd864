/* Figures of each rank of a run of several. Enters: the points of all ranks, rank by rank, and the
 * finished judged series. Leaves: per_rank. Threshold and stride are those of the judged series. */
#include <math.h>

#include "analyze/analyze.h"

static stall_status figure(stall_work *w, stall_point *p, size_t n, double *scratch,
                           stall_rank_figures *ret, stall_error *reterr)
{
    const stall_analysis *a = w->a;
    stall_cadence c;
    size_t known = 0;

    *ret = (stall_rank_figures){.rank = p[0].rank, .mean = NAN, .p95 = NAN};
    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i].wait_ms)) {
            scratch[known++] = p[i].wait_ms;
            p[i].stall = p[i].wait_ms > a->threshold.ms;
            ret->stalls += p[i].stall;
        }
    }
    ret->n = known;
    if (known > 0) {
        stall_sort(scratch, known);
        ret->mean = stall_sum_of(scratch, known) / (double)known;
        ret->p95 = stall_quantile(scratch, known, 0.95);
    }
    stall_status status =
        stall_cadence_figure(p, n, known < STALL_MIN_N ? 0 : a->facts.warmup,
                             a->workers_used ? a->facts.num_workers : STALL_UNKNOWN,
                             a->input.stride, w->s->sampled || w->s->aggregated, &c, reterr);
    ret->period = c.period;
    stall_mem_free(c.gap_list);
    stall_mem_free(c.gap_hist);
    stall_mem_free(c.recurrence);
    return status;
}

stall_status stall_ranks_figure(stall_work *w, const stall_point *all, size_t len,
                                stall_error *reterr)
{
    stall_analysis *a = w->a;
    stall_status status = STALL_OK;
    double *scratch = NULL;
    stall_point *points = NULL;

    if (a->ranks < 2) {
        return STALL_OK;
    }
    a->per_rank = stall_mem_zero(a->ranks, sizeof *a->per_rank);
    scratch = stall_mem_alloc(len, sizeof *scratch);
    points = stall_mem_alloc(len, sizeof *points);
    if (a->per_rank == NULL || scratch == NULL || points == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    for (size_t i = 0, j; i < len && status == STALL_OK; i = j) {
        for (j = i; j < len && all[j].rank == all[i].rank; j++) {
            points[j] = all[j];
        }
        status = figure(w, points + i, j - i, scratch, &a->per_rank[a->per_rank_len++], reterr);
    }
    for (size_t i = 0; i < a->points_len; i++) {
        for (size_t r = 0; !isnan(a->points[i].wait_ms) && r < a->per_rank_len; r++) {
            if (a->per_rank[r].rank == a->points[i].rank) {
                a->per_rank[r].slowest++;
                break;
            }
        }
    }
out:
    stall_mem_free(scratch);
    stall_mem_free(points);
    return status;
}
