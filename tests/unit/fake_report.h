/* A report model made by hand, for the tests of writers: no analysis runs, so a writer that
 * computes something shows. Also sinks that keep, and sinks that fail. */
#ifndef FAKE_REPORT_H
#define FAKE_REPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "stalldiff/stalldiff.h"

/* Everything that some target could obey. */
#define FAKE_HOSTILE                                                                         \
    "=1+1|`x`\n\033[31mred\xE2\x80\xAE <b>&amp; @team #12 ]]> ``` 'q' \"q\" %%{init}%% $x$ " \
    "https://e.org \xff;\\"
#define FAKE_RUNS 40

typedef struct fake_report {
    stall_report report;
    stall_series series[FAKE_RUNS];
    stall_run runs[FAKE_RUNS];
    stall_pass passes[2][FAKE_RUNS];
    stall_metric metrics[4];
    stall_advice advice[2], caveats[2];
    stall_bin hist[3], gap_hist[1];
    stall_recurrence recurrence[2];
    stall_counter_contrast contrasts[1];
    stall_worker_stalls workers[2];
    stall_rank_figures ranks[2];
    stall_counter counter;
    stall_meta meta[4];
    char path[64], counter_name[256], worker[256];
} fake_report;

static inline double fake_wait(size_t i, bool broken)
{
    return broken && i % 4 == 0 ? 19562.25 : 0.375;
}

static inline void fake_series(fake_report *f, stall_series *s, size_t steps, bool broken)
{
    s->rows = calloc(steps + 1, sizeof(*s->rows));
    s->len = steps;
    for (size_t i = 0; i < steps; i++)
        s->rows[i] = (stall_row){.step = (int64_t)i,
                                 .epoch = STALL_UNKNOWN,
                                 .wait_ns = (int64_t)(fake_wait(i, broken) * 1e6),
                                 .step_ns = (int64_t)(fake_wait(i, broken) * 1e6) + 100000001,
                                 .exposed_ns = STALL_UNKNOWN,
                                 .other_wait_ns = STALL_UNKNOWN,
                                 .fetches = 1};
    if (steps > 2)
        s->rows[2].wait_ns = s->rows[2].step_ns = STALL_UNKNOWN;
    snprintf(f->counter_name, sizeof(f->counter_name), "cpu_ms");
    f->counter = (stall_counter){f->counter_name, calloc(steps + 1, sizeof(double))};
    for (size_t i = 0; i < steps; i++)
        f->counter.values[i] = i == 1 ? NAN : 0.1 * (double)i;
    s->counters = malloc(sizeof(f->counter));
    s->counters[0] = f->counter;
    s->counters_len = 1;
    snprintf(f->path, sizeof(f->path), "runs/a log.json");
    s->path = f->path;
    s->format = "csv";
    f->meta[0] = (stall_meta){(char *)"num_workers", (char *)"4", true};
    f->meta[1] = (stall_meta){(char *)"note", (char *)FAKE_HOSTILE, false};
    f->meta[2] = (stall_meta){(char *)"list", (char *)"[1, {\"a\": null}]", true};
    f->meta[3] = (stall_meta){(char *)"odd", (char *)"01", true};
    s->meta = f->meta;
    s->meta_len = 4;
}

static inline void fake_dist(fake_report *f, stall_dist *d, size_t steps, bool broken)
{
    *d = (stall_dist){.n = steps - 1,
                      .sum = 313000.125,
                      .mean = broken ? 4708.1234567890123 : 0.375,
                      .sd = NAN,
                      .min = 0.375,
                      .p50 = 0.375,
                      .p90 = 0.1 + 0.2,
                      .p95 = broken ? 19562.25 : 0.375,
                      .p99 = 19562.25,
                      .max = 19562.25,
                      .mad = 0,
                      .cv = 1.75,
                      .top10_share = 0.5,
                      .hist = f->hist,
                      .hist_len = 3};
}

static inline void fake_analysis(fake_report *f, stall_analysis *a, size_t steps, bool broken)
{
    stall_cadence *c = &a->cadence;

    memset(a, 0, sizeof(*a));
    a->facts = (stall_analyze_options){NAN, 4, 2, STALL_UNKNOWN, 1, STALL_RANK_MAX};
    a->input.rows = steps;
    a->input.segments = 1;
    a->input.stride = 1;
    fake_dist(f, &a->dist, steps, broken);
    a->threshold.ms = a->threshold.auto_ms = 3387.5;
    a->threshold.floor_ms = 10;
    a->points = calloc(steps + 1, sizeof(*a->points));
    a->strip = calloc(steps + 1, 1);
    a->stalls.steps = calloc(steps + 1, sizeof(int64_t));
    c->gap_list = calloc(steps + 1, sizeof(int64_t));
    for (size_t i = 0; i < steps; i++) {
        bool stall = broken && i % 4 == 0;

        a->points[i] = (stall_point){.step = (int64_t)i,
                                     .t = (int64_t)i,
                                     .wait_ms = i == 2 ? NAN : fake_wait(i, broken),
                                     .step_ms = NAN,
                                     .row = i,
                                     .stall = stall};
        a->strip[i] = stall ? 'S' : i == 2 ? '?' : '.';
        if (stall) {
            if (a->stalls.count > 0)
                c->gap_list[c->gap_list_len++] = 4;
            a->stalls.steps[a->stalls.count++] = (int64_t)i;
        }
    }
    a->points_len = steps;
    a->stalls.rate = broken ? 0.25 : 0;
    a->wall_share = broken ? 0.873 : NAN;
    a->wall_share_steady = a->wall_share_no_stalls = a->work_ms = NAN;
    a->pool_vr = broken ? 0.01 : NAN;
    a->shape = broken ? STALL_SHAPE_HEAVY_PERIODIC : STALL_SHAPE_NO_INPUT_PROBLEM;
    a->confidence = STALL_CONFIDENCE_HIGH;
    a->notes = broken ? 1u << STALL_NOTE_step_time_unknown : 0;
    a->input_problem = broken;
    a->distribution = "heavy";
    a->structure = "periodic";
    *c = (stall_cadence){.kind = broken ? STALL_CADENCE_EXACT : STALL_CADENCE_NONE,
                         .period = broken ? 4 : STALL_UNKNOWN,
                         .period_steps = broken ? 4 : STALL_UNKNOWN,
                         .p_adj = broken ? 4.1620759785e-06 : NAN,
                         .coverage = broken ? 1 : NAN,
                         .coverage_w = NAN,
                         .p_w = NAN,
                         .phase = broken ? 0 : STALL_UNKNOWN,
                         .phase_share = broken ? 1 : NAN,
                         .worker_match = broken ? STALL_MATCH_EQUAL : STALL_MATCH_NONE,
                         .gap_list = c->gap_list,
                         .gap_list_len = c->gap_list_len,
                         .gap_hist = f->gap_hist,
                         .gap_hist_len = broken,
                         .gap_median = broken ? 4 : NAN,
                         .gap_mean = NAN,
                         .gap_cv = NAN,
                         .gap_min = broken ? 4 : STALL_UNKNOWN,
                         .gap_max = broken ? 4 : STALL_UNKNOWN,
                         .positions = steps,
                         .stalls = a->stalls.count,
                         .gaps = c->gap_list_len,
                         .runs_p = 1,
                         .recurrence = f->recurrence,
                         .recurrence_len = 2};
    a->ranks = 1;
}

static inline void fake_parts(fake_report *f)
{
    f->hist[0] = (stall_bin){STALL_UNKNOWN, 2};
    f->hist[1] = (stall_bin){-3, 40};
    f->hist[2] = (stall_bin){21, 16};
    f->gap_hist[0] = (stall_bin){4, 15};
    f->recurrence[0] = (stall_recurrence){1, 15, 0};
    f->recurrence[1] = (stall_recurrence){4, 15, 15};
    snprintf(f->worker, sizeof(f->worker), "%s", FAKE_HOSTILE);
    f->contrasts[0] = (stall_counter_contrast){f->worker, 16, 47, 990, 12.5, 0.97};
    f->workers[0] = (stall_worker_stalls){"0", 12};
    f->workers[1] = (stall_worker_stalls){f->worker, 4};
    f->ranks[0] = (stall_rank_figures){0, 64, 16, 4737.2, 19862.2, 4, 60};
    f->ranks[1] = (stall_rank_figures){1, 64, 0, 2.4, 4.7, STALL_UNKNOWN, 4};
    f->metrics[0] = (stall_metric){"wait_mean", "mean wait", "ms",     4708.125,
                                   0.375,       -5500.5,     -3900.25, -4707.75};
    f->metrics[1] = (stall_metric){"step_mean", "step time", "ms", 4900, 100.5, NAN, NAN, -4799.5};
    f->metrics[2] = (stall_metric){"stalls", "stalls", "count", 16, 0, NAN, NAN, -16};
    f->metrics[3] = (stall_metric){"cadence", "cadence", "steps", 4, NAN, NAN, NAN, NAN};
    f->advice[0] = (stall_advice){"sweep_workers", "Run with 0, 1, 2 and 4 workers | twice."};
    f->advice[1] = (stall_advice){"second_pass", "Record a second pass of each side."};
    f->caveats[0] = (stall_advice){"one_pass", "One pass a side shows no spread between runs."};
    f->caveats[1] = (stall_advice){"seconds_not_portable", "Absolute seconds do not carry over."};
}

static inline void fake_run(fake_report *f, size_t i, const char *label, int side, int pass,
                            size_t steps)
{
    stall_run *run = &f->runs[i];
    bool broken = side != 1;

    fake_series(f, &f->series[i], steps, broken);
    fake_analysis(f, &run->analysis, steps, broken);
    run->series = &f->series[i];
    run->side = side;
    run->pass = pass;
    run->label = label;
    run->shape_text = broken ? "16 of 63 steps stall, every 4 steps, which is num_workers."
                             : "No wait is above the threshold.";
    run->supply_text = broken ? "Batches must arrive 9 times faster." : NULL;
    if (i == 0) {
        run->analysis.extras = (stall_extras){.counters = f->contrasts,
                                              .counters_len = 1,
                                              .pids_known = true,
                                              .workers_known = true,
                                              .by_worker = f->workers,
                                              .by_worker_len = 2,
                                              .order = {true, 64, 3, 3, 4, 1}};
        run->analysis.ranks = 2;
        run->analysis.per_rank = f->ranks;
        run->analysis.per_rank_len = 2;
        run->analysis.supply = (stall_supply){true, 51.5, 5.7, 9, 103, 19};
    }
}

/* A show of `runs` runs of `steps` steps, all called `label`. */
static inline fake_report *fake_show(const char *label, size_t runs, size_t steps)
{
    fake_report *f = calloc(1, sizeof(*f));

    fake_parts(f);
    for (size_t i = 0; i < runs; i++)
        fake_run(f, i, label, -1, 0, steps);
    f->report = (stall_report){.command = STALL_COMMAND_SHOW,
                               .runs = f->runs,
                               .runs_len = runs,
                               .headline = "heavy-tailed, periodic: every 4th step waits 19.6 s",
                               .advice = f->advice,
                               .advice_len = 2,
                               .caveats = f->caveats,
                               .caveats_len = 2};
    return f;
}

/* A comparison with one pass a side. */
static inline fake_report *fake_compare(const char *broken, const char *fixed, size_t steps)
{
    fake_report *f = fake_show(broken, 0, 0);
    stall_report *r = &f->report;
    stall_effect none = {false, NAN, NAN, NAN, NAN, NAN, NAN};

    fake_run(f, 0, broken, 0, 1, steps);
    fake_run(f, 1, fixed, 1, 1, steps);
    r->command = STALL_COMMAND_COMPARE;
    r->runs_len = 2;
    r->headline = "fixed: the mean wait fell from 4.71 s to 0.375 ms";
    r->side_label[0] = broken;
    r->side_label[1] = fixed;
    r->metrics = f->metrics;
    r->metrics_len = 4;
    for (int side = 0; side < 2; side++) {
        f->passes[side][0] = (stall_pass){.n = 62,
                                          .stalls = side == 0 ? 15 : 0,
                                          .mean = 4708.125,
                                          .p50 = 0.375,
                                          .p95 = 19562.25,
                                          .wall_share = NAN,
                                          .period = side == 0 ? 4 : STALL_UNKNOWN,
                                          .shape = f->runs[side].analysis.shape,
                                          .shape_at_common = f->runs[side].analysis.shape};
        r->compare.side[side] = (stall_side){.n = 62,
                                             .stalls = side == 0 ? 15 : 0,
                                             .mean = 4708.125,
                                             .p50 = 0.375,
                                             .p95 = 19562.25,
                                             .max = 19562.25,
                                             .stall_rate = 0.25,
                                             .passes = f->passes[side],
                                             .passes_len = 1,
                                             .cadence = side == 0 ? 4 : STALL_UNKNOWN,
                                             .block = 4};
    }
    r->compare.threshold_ms = 3387.5;
    r->compare.mean = (stall_effect){true, -4707.75, 0.001, -5500.5, -3900.25, NAN, NAN};
    r->compare.p50 = (stall_effect){true, 0, 1, NAN, NAN, NAN, NAN};
    r->compare.p95 = r->compare.step = none;
    r->compare.permutation_p = NAN;
    r->compare.cadence_change = "removed";
    r->compare.stalls_removed = 15;
    r->compare.verdict = STALL_VERDICT_FIXED;
    r->compare.confidence = STALL_CONFIDENCE_MEDIUM;
    r->compare.why = 1u << STALL_WHY_single_pass;
    return f;
}

/* Gives run i a warning; a `truncated` one makes it PARTIAL. */
static inline void fake_warn(fake_report *f, size_t i, stall_warn_code code, const char *text)
{
    stall_warnings *w = &f->series[i].warnings;
    stall_warning *k = &w->items[w->len++];

    *k = (stall_warning){.code = code, .count = 3, .offset = 1234, .line = STALL_OFFSET_NONE};
    stall_text_printable(k->text, sizeof(k->text), text, strlen(text));
    if (code == STALL_WARN_truncated)
        w->partial = f->report.partial = true;
}

static inline void fake_close(fake_report *f)
{
    for (size_t i = 0; i < FAKE_RUNS; i++) {
        free(f->series[i].rows);
        if (f->series[i].counters != NULL)
            free(f->series[i].counters[0].values);
        free(f->series[i].counters);
        free(f->runs[i].analysis.points);
        free(f->runs[i].analysis.strip);
        free(f->runs[i].analysis.stalls.steps);
        free(f->runs[i].analysis.cadence.gap_list);
    }
    free(f);
}

/* ---- sinks ---- */

typedef stall_status fake_writer(const stall_report *r, stall_sink *sink, stall_error *reterr);

typedef struct fake_bytes {
    char *data; /* NUL-terminated */
    size_t len;
    size_t limit; /* bytes that are taken before the sink fails */
} fake_bytes;

static inline stall_status fake_take(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    fake_bytes *b = ctx;

    if (len > b->limit - b->len)
        return stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "no space left");
    if (b->limit == SIZE_MAX) {
        b->data = realloc(b->data, b->len + len + 1);
        memcpy(b->data + b->len, data, len);
        b->data[b->len + len] = '\0';
    }
    b->len += len;
    return STALL_OK;
}

/* The whole document; the caller frees ret.data. */
static inline fake_bytes fake_write(fake_writer *write, const stall_report *r)
{
    fake_bytes b = {NULL, 0, SIZE_MAX};
    stall_sink sink = {&b, fake_take};
    stall_error error = {0};

    assert_int_equal(write(r, &sink, &error), STALL_OK);
    assert_non_null(b.data);
    return b;
}

/* Fails the sink after every number of bytes, and every allocation in turn. */
static inline void fake_fail(fake_writer *write, const stall_report *r)
{
    fake_bytes whole = fake_write(write, r);
    stall_error error = {0};
    stall_status status;

    for (size_t limit = 0; limit <= whole.len; limit++) {
        fake_bytes b = {NULL, 0, limit};
        stall_sink sink = {&b, fake_take};

        status = write(r, &sink, &error);
        assert_int_equal(status, limit == whole.len ? STALL_OK : STALL_EWRITE);
    }
    for (uint64_t n = 1;; n++) {
        fake_bytes b = {NULL, 0, SIZE_MAX - 1};
        stall_sink sink = {&b, fake_take};

        stall_mem_fail_at(n);
        status = write(r, &sink, &error);
        stall_mem_fail_at(0);
        if (status == STALL_OK)
            break;
        assert_int_equal(status, STALL_ENOMEM);
    }
    free(whole.data);
}

#endif
