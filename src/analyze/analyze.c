/* The analysis of one series: calls its parts in their order. Enters: a series and facts. Leaves: a
 * stall_analysis. No I/O, no state outside. */
#include <math.h>

#include "analyze/analyze.h"

void stall_analyze_options_init(stall_analyze_options *o)
{
    *o = (stall_analyze_options){.stall_ms = NAN,
                                 .num_workers = STALL_UNKNOWN,
                                 .cpus = STALL_UNKNOWN,
                                 .steps_per_epoch = STALL_UNKNOWN,
                                 .warmup = 1,
                                 .rank = STALL_RANK_MAX};
}

void stall_analysis_init(stall_analysis *a)
{
    *a = (stall_analysis){.auto_stall_rate_steady = NAN,
                          .wall_share = NAN,
                          .wall_share_steady = NAN,
                          .wall_share_no_stalls = NAN,
                          .work_ms = NAN,
                          .pool_vr = NAN,
                          .input_problem = -1,
                          .shape = STALL_SHAPE_INCONCLUSIVE,
                          .distribution = "n/a",
                          .structure = "n/a"};
    a->dist = (stall_dist){.mean = NAN,
                           .sd = NAN,
                           .min = NAN,
                           .p50 = NAN,
                           .p90 = NAN,
                           .p95 = NAN,
                           .p99 = NAN,
                           .max = NAN,
                           .mad = NAN,
                           .cv = NAN,
                           .top10_share = NAN};
    a->steady.mean = a->steady.p50 = a->steady.p95 = NAN;
    a->traceml.share = NAN;
    a->stalls.rate = a->stalls.wait_share = NAN;
    a->exposed.mean = a->exposed.p50 = a->exposed.p95 = a->exposed.share = NAN;
    a->supply.cores_needed = STALL_UNKNOWN;
}

void stall_analysis_close(stall_analysis *a)
{
    if (a == NULL) {
        return;
    }
    stall_mem_free(a->points);
    stall_mem_free(a->dist.hist);
    stall_mem_free(a->stalls.steps);
    stall_mem_free(a->strip);
    stall_mem_free(a->cadence.gap_list);
    stall_mem_free(a->cadence.gap_hist);
    stall_mem_free(a->cadence.recurrence);
    stall_mem_free(a->per_rank);
    stall_mem_free(a->extras.counters);
    stall_mem_free(a->extras.by_worker);
    stall_analysis_init(a);
}

/* Floor of the threshold: 10 % of the work of a step, at least 0.1 ms; 10 ms when it is not known.
 */
static stall_status find_threshold(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    double floor_ms = isnan(a->work_ms) ? STALL_FLOOR_MS : fmax(STALL_TINY_MS, 0.1 * a->work_ms);

    a->threshold.floor_ms = floor_ms;
    a->threshold.given = !isnan(a->facts.stall_ms);
    stall_status status = stall_threshold_find(w->steady, w->steady_len, floor_ms,
                                               &a->threshold.auto_ms, &a->threshold.peeled, reterr);
    a->threshold.ms = a->threshold.given ? a->facts.stall_ms : a->threshold.auto_ms;
    return status;
}

/* Marks stalls (strictly above the threshold) and lists them. Rows that stand for several steps
 * show no stall of a step. */
static stall_status mark_stalls(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    stall_sum sum = {0, 0};
    size_t n = 0;

    for (size_t i = 0; i < a->points_len; i++) {
        stall_point *p = &a->points[i];
        p->stall = !isnan(p->wait_ms) && p->wait_ms > a->threshold.ms && !w->s->aggregated;
        a->stalls.count += p->stall;
        a->stalls.startup += p->stall && !p->steady;
        if (p->stall) {
            stall_sum_add(&sum, p->wait_ms);
        }
    }
    a->stalls.steps = stall_mem_alloc(a->stalls.count, sizeof *a->stalls.steps);
    if (a->stalls.steps == NULL) {
        return stall_error_memory(reterr);
    }
    for (size_t i = 0; i < a->points_len; i++) {
        if (a->points[i].stall) {
            a->stalls.steps[n++] = a->points[i].step;
        }
    }
    if (a->dist.n > 0) {
        a->stalls.rate = (double)a->stalls.count / (double)a->dist.n;
        a->stalls.wait_share = a->dist.sum > 0 ? stall_sum_value(&sum) / a->dist.sum : NAN;
    }
    return STALL_OK;
}

/* Missing steps that the strip spells out: of one hole, and of the run. What is longer is cut. */
#define STRIP_HOLE_MAX 1000
#define STRIP_MISSING_MAX 1000000

/* S stall, . measured, ? unknown or missing, | between segments. Of a sampled log only the steps
 * that are in it; averages have no stalls to show. */
static stall_status draw_strip(stall_analysis *a, stall_error *reterr)
{
    stall_text t;
    int64_t spelt = 0;

    stall_text_init(&t);
    stall_text_put(&t, "");
    for (size_t i = 0; i < a->points_len && !a->input.averaged; i++) {
        const stall_point *p = &a->points[i];
        bool start = i == 0 || p->segment != p[-1].segment;
        if (start && i > 0) {
            stall_text_add(&t, "|", 1);
        }
        int64_t missing = start || a->input.sampled ? 0 : p->t - p[-1].t - 1;
        missing = missing < STRIP_HOLE_MAX ? missing : STRIP_HOLE_MAX;
        for (; missing > 0 && spelt < STRIP_MISSING_MAX; missing--, spelt++) {
            stall_text_add(&t, "?", 1);
        }
        stall_text_add(&t, isnan(p->wait_ms) ? "?" : p->stall ? "S" : ".", 1);
    }
    if (t.failed) {
        stall_text_close(&t);
        return stall_error_memory(reterr);
    }
    a->strip = t.data;
    return STALL_OK;
}

static stall_status figures(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    stall_status status = stall_dist_figure(w, reterr);

    a->input.sampled = w->s->sampled;
    a->input.averaged = w->s->aggregated;
    if (status == STALL_OK) {
        status = find_threshold(w, reterr);
    }
    if (status == STALL_OK) {
        stall_shares_figure(w);
        status = mark_stalls(w, reterr);
    }
    if (status == STALL_OK) {
        status = stall_cadence_figure(a->points, a->points_len, w->warmup,
                                      a->workers_used ? a->facts.num_workers : STALL_UNKNOWN,
                                      a->input.stride, w->s->sampled || w->s->aggregated,
                                      &a->cadence, reterr);
    }
    if (status == STALL_OK) {
        status = stall_change_figure(w, reterr);
    }
    if (status == STALL_OK) {
        stall_shape_find(w);
        status = stall_supply_figure(w, reterr);
    }
    if (status == STALL_OK) {
        status = stall_extras_figure(w, reterr);
    }
    if (status == STALL_OK) {
        status = stall_peer_figure(w, reterr);
    }
    return status == STALL_OK ? draw_strip(a, reterr) : status;
}

stall_status stall_analyze(const stall_series *s, const stall_analyze_options *options,
                           stall_analysis *ret, stall_error *reterr)
{
    stall_work w = {.s = s, .a = ret};
    stall_point *all = NULL;
    size_t all_len = 0;

    ret->facts = *options;
    stall_status status = stall_clean(s, options, ret, &all, &all_len, reterr);
    ret->workers_used = options->num_workers != STALL_UNKNOWN && ret->input.stride == 1;
    if (status == STALL_OK) {
        status = figures(&w, reterr);
    }
    if (status == STALL_OK) {
        status = stall_ranks_figure(&w, all, all_len, reterr);
    }
    stall_mem_free(all);
    stall_mem_free(w.sorted);
    stall_mem_free(w.steady);
    stall_mem_free(w.steady_at);
    return status;
}
