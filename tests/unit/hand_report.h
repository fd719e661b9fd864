/* Reports built around analyses that were made by hand, for the tests of sentences and lists. */
#ifndef HAND_REPORT_H
#define HAND_REPORT_H

#include "compare_support.h"

typedef struct hand_report {
    stall_series series[2];
    stall_run runs[2];
    stall_pass passes[2];
    int64_t gaps[8], steps[8];
    stall_arena arena;
    stall_report report;
    compare_list list;
} hand_report;

/* 8 of 32 steps stall, every 4th, with 4 workers and 87 % of the step time. */
static inline void hand_periodic(hand_report *h, stall_analysis *a)
{
    stall_cadence *c = &a->cadence;

    stall_analyze_options_init(&a->facts);
    a->facts.num_workers = 4;
    a->workers_used = true;
    a->input.segments = a->input.stride = 1;
    a->dist.n = 32;
    a->dist.sum = 8000;
    a->dist.mean = 250;
    a->dist.max = 1100;
    a->steady.n = 31;
    a->steady.mean = 220;
    a->steady.p50 = 1;
    a->steady.p95 = 990;
    a->threshold.ms = a->threshold.auto_ms = 100;
    a->stalls.count = 8;
    a->stalls.rate = 0.25;
    a->stalls.wait_share = 0.99;
    a->stalls.steps = h->steps;
    a->wall_share = a->wall_share_steady = 0.87;
    a->wall_share_no_stalls = 0.012;
    a->shape = STALL_SHAPE_HEAVY_PERIODIC;
    a->confidence = STALL_CONFIDENCE_HIGH;
    a->input_problem = 1;
    for (int i = 0; i < 7; i++)
        h->gaps[i] = 4;
    *c = (stall_cadence){.kind = STALL_CADENCE_EXACT,
                         .period = 4,
                         .period_steps = 4,
                         .p_adj = 2e-5,
                         .coverage = 1,
                         .coverage_w = 1,
                         .worker_match = STALL_MATCH_EQUAL,
                         .positions = 32,
                         .stalls = 8,
                         .gaps = 7,
                         .gap_list = h->gaps,
                         .gap_list_len = 7,
                         .gap_median = 4,
                         .gap_min = 4,
                         .gap_max = 4,
                         .runs = 8,
                         .runs_p = 1};
}

static inline void hand_open(hand_report *h, stall_command command)
{
    memset(h, 0, sizeof(*h));
    stall_arena_init(&h->arena);
    h->list.arena = &h->arena;
    h->report.command = command;
    h->report.runs = h->runs;
    h->report.runs_len = command == STALL_COMMAND_COMPARE ? 2 : 1;
    h->report.side_label[0] = "old";
    h->report.side_label[1] = "new";
    for (int i = 0; i < 2; i++) {
        stall_series_init(&h->series[i]);
        h->runs[i].series = &h->series[i];
        h->runs[i].label = i == 0 ? "old" : "new";
        h->runs[i].side = command == STALL_COMMAND_COMPARE ? i : -1;
        hand_periodic(h, &h->runs[i].analysis);
        h->report.compare.side[i].passes = &h->passes[i];
        h->report.compare.side[i].passes_len = 1;
    }
}

static inline void hand_close(hand_report *h)
{
    stall_mem_free(h->list.items);
    stall_arena_close(&h->arena);
    stall_series_close(&h->series[0]);
    stall_series_close(&h->series[1]);
}

/* The codes of the list with a blank between, into a buffer that the next call reuses. */
static inline const char *hand_codes(const hand_report *h)
{
    static char buf[1024];

    buf[0] = '\0';
    for (size_t i = 0; i < h->list.len; i++) {
        snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), "%s%s", i > 0 ? " " : "",
                 h->list.items[i].code);
        assert_true(strlen(h->list.items[i].text) > 20);
    }
    return buf;
}

static inline const char *hand_advice(hand_report *h)
{
    compare_need need = {12, 1, false};

    h->list.len = 0;
    stall_report_advise(&h->report, &need, &h->list);
    assert_false(h->list.failed);
    return hand_codes(h);
}

static inline const char *hand_caveats(hand_report *h)
{
    h->list.len = 0;
    stall_report_caution(&h->report, &h->list);
    assert_false(h->list.failed);
    return hand_codes(h);
}

/* The text that a function of words makes of run 0. */
static inline const char *hand_shape(hand_report *h)
{
    stall_text t;
    const char *ret;

    stall_text_init(&t);
    stall_words_shape(&t, &h->runs[0]);
    ret = stall_arena_printf(&h->arena, "%s", t.data);
    stall_text_close(&t);
    assert_non_null(ret);
    return ret;
}

#define assert_has(text, part) assert_non_null(strstr(text, part))
#define assert_lacks(text, part) assert_null(strstr(text, part))

#endif
