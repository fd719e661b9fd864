/* From rows to the judged series: src/analyze/clean.c, and the figures of each rank. */
#include "analyze_support.h"

#define U STALL_UNKNOWN

static void rows_are_sorted_when_no_step_stands_twice(void **state)
{
    static const int64_t steps[] = {3, 0, 2, 1};
    subject s;

    (void)state;
    subject_open(&s);
    for (size_t i = 0; i < 4; i++)
        subject_row(&s, 0, U, steps[i], (steps[i] + 1) * MS, U);
    subject_analyze(&s);
    assert_int_equal(s.a.input.segments, 1);
    assert_int_equal(s.a.points_len, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.a.points[i].step, i);
        assert_int_equal(s.a.points[i].t, i);
        assert_near(s.a.points[i].wait_ms, i + 1, 0);
    }
    assert_int_equal(s.a.points[0].row, 1);
    subject_close(&s);
}

/* A step that stands twice, apart: the order of the file stays, a falling step cuts. */
static void falling_steps_begin_segments(void **state)
{
    static const int64_t steps[] = {0, 1, 2, 0, 1, 2};
    subject s;

    (void)state;
    subject_open(&s);
    for (size_t i = 0; i < 6; i++)
        subject_row(&s, 0, U, steps[i], MS, U);
    subject_analyze(&s);
    assert_int_equal(s.a.input.segments, 2);
    assert_string_equal(s.a.strip, "...|...");
    subject_close(&s);
}

static void epochs_begin_segments(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    for (int i = 0; i < 9; i++)
        subject_row(&s, 0, i / 3, i, MS, U);
    subject_analyze(&s);
    assert_int_equal(s.a.input.segments, 3);
    assert_int_equal(s.a.points[5].epoch, 1);
    assert_int_equal(s.a.points[5].t, 2);
    subject_close(&s);
    subject_open(&s);
    s.options.steps_per_epoch = 4;
    for (int i = 0; i < 10; i++)
        subject_row(&s, 0, U, i, MS, U);
    subject_analyze(&s);
    assert_string_equal(s.a.strip, "....|....|..");
    assert_int_equal(s.a.input.missing_steps, 0);
    subject_close(&s);
}

static void fetches_of_one_step_add_up(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    subject_row(&s, 0, U, 0, 2 * MS, 30 * MS);
    subject_row(&s, 0, U, 0, 3 * MS, 30 * MS);
    subject_row(&s, 0, U, 1, 4 * MS, 30 * MS);
    subject_row(&s, 0, U, 1, U, 30 * MS); /* unknown if any fetch is */
    subject_row(&s, 0, U, 2, 5 * MS, 30 * MS);
    subject_row(&s, 0, U, 2, 6 * MS, U); /* and the duration alike */
    subject_analyze(&s);
    assert_int_equal(s.a.input.rows, 6);
    assert_int_equal(s.a.input.merged, 3);
    assert_int_equal(s.a.input.invalid_wait, 1);
    assert_int_equal(s.a.points_len, 3);
    assert_near(s.a.points[0].wait_ms, 5, 0);
    assert_near(s.a.points[0].step_ms, 65, 0);
    assert_nan(s.a.points[1].wait_ms);
    assert_near(s.a.points[2].wait_ms, 11, 0);
    assert_nan(s.a.points[2].step_ms);
    assert_string_equal(s.a.strip, ".?S"); /* 11 ms are above the floor */
    subject_close(&s);
}

static void unusable_rows_are_counted(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    subject_row(&s, 0, U, 0, MS, U);
    subject_row(&s, 0, U, U, MS, U);
    subject_row(&s, 0, U, 1, U, U);
    subject_row(&s, 0, U, 2, MS, U);
    s.series.rows[3].step_ns = MS / 2; /* shorter than its wait: no duration */
    subject_analyze(&s);
    assert_int_equal(s.a.input.rows, 4);
    assert_int_equal(s.a.input.invalid_step, 1);
    assert_int_equal(s.a.input.invalid_wait, 1);
    assert_int_equal(s.a.points_len, 3);
    assert_near(s.a.points[2].wait_ms, 1, 0);
    assert_nan(s.a.points[2].step_ms);
    subject_close(&s);
}

/* gcd of the differences within segments; a hole keeps its places. */
static void stride_and_holes(void **state)
{
    static const int64_t steps[] = {10, 20, 50, 60};
    subject s;

    (void)state;
    subject_open(&s);
    for (size_t i = 0; i < 4; i++)
        subject_row(&s, 0, U, steps[i], MS, U);
    subject_analyze(&s);
    assert_int_equal(s.a.input.stride, 10);
    assert_int_equal(s.a.input.missing_steps, 2);
    assert_int_equal(s.a.points[3].t, 5);
    assert_string_equal(s.a.strip, "..??..");
    subject_close(&s);
}

static void warm_up_is_left_out_of_long_runs(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, ".......", U, U); /* 7 waits: nothing is left out */
    assert_int_equal(s.a.steady.n, 7);
    assert_int_equal(s.a.stalls.startup, 0);
    subject_close(&s);
    subject_of(&s, "........", U, U);
    assert_int_equal(s.a.steady.n, 7);
    subject_close(&s);
    subject_open(&s);
    s.options.warmup = 3;
    subject_strip(&s, "......|......", U);
    subject_analyze(&s);
    assert_int_equal(s.a.steady.n, 6);
    subject_close(&s);
}

/* ---- ranks ---- */

static void the_slowest_rank_is_judged(void **state)
{
    static const int64_t waits[3][4] = {
        {1 * MS, 9 * MS, U, U}, {5 * MS, 9 * MS, 2 * MS, U}, {3 * MS, 1 * MS, 4 * MS, U}};
    static const int32_t judged[] = {1, 0, 2};
    subject s;

    (void)state;
    subject_open(&s);
    for (int step = 0; step < 4; step++)
        for (int32_t rank = 2; rank >= 0; rank--)
            if (!(rank == 0 && step == 2)) /* a rank without that step is ignored */
                subject_row(&s, rank, U, step, waits[rank][step], U);
    subject_analyze(&s);
    assert_int_equal(s.a.ranks, 3);
    assert_int_equal(s.a.points_len, 4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s.a.points[i].rank, judged[i]);
    assert_near(s.a.points[0].wait_ms, 5, 0);
    assert_near(s.a.points[2].wait_ms, 4, 0);
    assert_nan(s.a.points[3].wait_ms);
    assert_int_equal(s.a.per_rank_len, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s.a.per_rank[i].rank, i);
        assert_int_equal(s.a.per_rank[i].slowest, 1);
    }
    assert_int_equal(s.a.per_rank[0].n, 2);
    assert_near(s.a.per_rank[1].mean, 16.0 / 3, 1e-14);
    subject_close(&s);
}

/* Ranks meet at segment and step; each has a cadence of its own, counted from its own first step.
 */
static void each_rank_is_reported(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    s.options.num_workers = 4;
    for (int i = 0; i < 64; i++)
        subject_row(&s, 0, U, i, i % 4 == 1 ? STRIP_STALL : STRIP_FAST, STRIP_WORK);
    for (int i = 2; i < 64; i++)
        subject_row(&s, 1, U, i, 2 * MS, STRIP_WORK);
    subject_analyze(&s);
    assert_int_equal(s.a.points_len, 64);
    assert_int_equal(s.a.per_rank[0].period, 4);
    assert_int_equal(s.a.per_rank[0].stalls, 16);
    assert_int_equal(s.a.per_rank[1].period, U);
    assert_int_equal(s.a.per_rank[1].stalls, 0);
    assert_int_equal(s.a.per_rank[1].n, 62);
    assert_int_equal(s.a.per_rank[0].slowest + s.a.per_rank[1].slowest, 64);
    subject_close(&s);
}

static void one_rank_can_be_asked_for(void **state)
{
    stall_error error;
    subject s;

    (void)state;
    subject_open(&s);
    for (int i = 0; i < 10; i++) {
        subject_row(&s, 0, U, i, 9 * MS, U);
        subject_row(&s, 3, U, i, 2 * MS, U);
    }
    s.options.rank = 3;
    subject_analyze(&s);
    assert_int_equal(s.a.points_len, 10);
    assert_near(s.a.dist.max, 2, 0);
    stall_analysis_close(&s.a);
    s.options.rank = 1;
    assert_int_equal(stall_analyze(&s.series, &s.options, &s.a, &error), STALL_EUSAGE);
    assert_int_equal(error.status, STALL_EUSAGE);
    subject_close(&s);
}

static void an_empty_series_is_inconclusive(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    subject_analyze(&s);
    assert_int_equal(s.a.shape, STALL_SHAPE_INCONCLUSIVE);
    assert_int_equal(s.a.points_len, 0);
    assert_int_equal(s.a.input.stride, 1);
    assert_non_null(s.a.strip);
    assert_string_equal(s.a.strip, "");
    assert_true(has_note(&s, too_few_steps));
    assert_false(has_note(&s, step_time_unknown));
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_when_no_step_stands_twice),
        cmocka_unit_test(falling_steps_begin_segments),
        cmocka_unit_test(epochs_begin_segments),
        cmocka_unit_test(fetches_of_one_step_add_up),
        cmocka_unit_test(unusable_rows_are_counted),
        cmocka_unit_test(stride_and_holes),
        cmocka_unit_test(warm_up_is_left_out_of_long_runs),
        cmocka_unit_test(the_slowest_rank_is_judged),
        cmocka_unit_test(each_rank_is_reported),
        cmocka_unit_test(one_rank_can_be_asked_for),
        cmocka_unit_test(an_empty_series_is_inconclusive),
    };

    return cmocka_run_group_tests_name("clean", tests, NULL, NULL);
}
