/* TraceML's own rule: src/analyze/peer_verdict.c. */
#include "analyze_support.h"

#define MS INT64_C(1000000)

typedef struct given {
    int64_t step, wait; /* ms; wait -1: unknown */
    int32_t rank;
    double traced; /* NaN: unknown */
} given;

static void analyse(const given *v, size_t n, stall_analysis *a)
{
    stall_series s;
    stall_error e;
    size_t column;
    stall_analyze_options o;

    stall_series_init(&s);
    stall_analyze_options_init(&o);
    assert_int_equal(stall_series_counter(&s, "traced_step_ms", 14, &column, &e), STALL_OK);
    for (size_t i = 0; i < n; i++) {
        stall_row row = {.step = v[i].step,
                         .epoch = STALL_UNKNOWN,
                         .wait_ns = v[i].wait < 0 ? STALL_UNKNOWN : v[i].wait * MS,
                         .step_ns = STALL_UNKNOWN,
                         .exposed_ns = STALL_UNKNOWN,
                         .other_wait_ns = STALL_UNKNOWN,
                         .rank = v[i].rank,
                         .fetches = -1};
        assert_int_equal(stall_series_push(&s, &row, &e), STALL_OK);
        if (!isnan(v[i].traced))
            stall_series_set_counter(&s, column, v[i].traced);
    }
    stall_analysis_init(a);
    assert_int_equal(stall_analyze(&s, &o, a, &e), STALL_OK);
    stall_series_close(&s);
}

static void levels(void **state)
{
    static const struct {
        size_t steps;
        int64_t wait;
        stall_peer_level want;
    } cases[] = {{30, 9, STALL_PEER_NONE},     {30, 10, STALL_PEER_WARNING},
                 {30, 19, STALL_PEER_WARNING}, {30, 20, STALL_PEER_CRITICAL},
                 {19, 90, STALL_PEER_WARNING}, {20, 90, STALL_PEER_CRITICAL},
                 {1, 90, STALL_PEER_NONE}};
    stall_analysis a;

    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        given v[30];
        for (size_t i = 0; i < cases[c].steps; i++)
            v[i] = (given){(int64_t)i, cases[c].wait, 0, 100 - (double)cases[c].wait};
        analyse(v, cases[c].steps, &a);
        assert_true(a.traceml.known);
        assert_int_equal(a.traceml.steps, cases[c].steps);
        assert_true(fabs(a.traceml.share - (double)cases[c].wait / 100) < 1e-12);
        assert_int_equal(a.traceml.level, cases[c].want);
        stall_analysis_close(&a);
    }
}

/* Only steps that all ranks have count; of a step that stands twice the last row. */
static void ranks(void **state)
{
    static const given v[] = {{1, 50, 0, 50}, {2, 10, 0, 90}, {3, 10, 0, NAN}, {4, 10, 0, 90},
                              {2, 30, 0, 70}, {2, 10, 1, 90}, {3, 99, 1, 1},   {4, 10, 1, 90},
                              {5, 99, 1, 1},  {2, 90, 2, 10}, {4, 70, 2, 30},  {5, -1, 2, 30}};
    stall_analysis a;

    (void)state;
    analyse(v, sizeof(v) / sizeof(v[0]), &a);
    assert_int_equal(a.traceml.steps, 2); /* 2 and 4 */
    assert_int_equal(a.traceml.ranks, 3);
    assert_true(fabs(a.traceml.share - 0.2) < 1e-12); /* 20, 10 and 80 % */
    assert_int_equal(a.traceml.level, STALL_PEER_WARNING);
    stall_analysis_close(&a);
}

static void unknown(void **state)
{
    static const given v[] = {{1, -1, 0, 5}, {2, 5, 0, NAN}};
    static const given zero[] = {{1, 0, 0, 0}, {2, 0, 0, 0}};
    stall_analysis a;

    (void)state;
    analyse(v, 2, &a);
    assert_false(a.traceml.known);
    stall_analysis_close(&a);
    analyse(zero, 2, &a);
    assert_false(a.traceml.known);
    stall_analysis_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),
        cmocka_unit_test(ranks),
        cmocka_unit_test(unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
