/* Distribution of the waits: src/analyze/dist.c and the quantile. */
#include "analyze_support.h"

/* Values that numpy.quantile gives with its default method. */
static void quantiles_are_those_of_numpy(void **state)
{
    static const double five[] = {15, 20, 35, 40, 50}, four[] = {1, 2, 3, 4}, one[] = {7};

    (void)state;
    assert_near(stall_quantile(five, 5, 0.4), 29, 1e-15);
    assert_near(stall_quantile(five, 5, 0.05), 16, 1e-15);
    assert_near(stall_quantile(five, 5, 0.5), 35, 0);
    assert_near(stall_quantile(four, 4, 0.25), 1.75, 1e-15);
    assert_near(stall_quantile(four, 4, 0.5), 2.5, 1e-15);
    assert_near(stall_quantile(four, 4, 0.95), 3.85, 1e-15);
    assert_near(stall_quantile(four, 4, 0), 1, 0);
    assert_near(stall_quantile(four, 4, 1), 4, 0);
    assert_near(stall_quantile(one, 1, 0.99), 7, 0);
    assert_nan(stall_quantile(one, 0, 0.5));
}

static void fill(subject *s, const double *ms, size_t n)
{
    subject_open(s);
    for (size_t i = 0; i < n; i++)
        subject_row(s, 0, STALL_UNKNOWN, (int64_t)i, (int64_t)llround(ms[i] * 1e6), STALL_UNKNOWN);
    subject_analyze(s);
}

static void moments(void **state)
{
    static const double ms[] = {2, 4, 4, 4, 5, 5, 7, 9, 12, 28};
    subject s;

    (void)state;
    fill(&s, ms, 10);
    assert_int_equal(s.a.dist.n, 10);
    assert_near(s.a.dist.sum, 80, 1e-15);
    assert_near(s.a.dist.mean, 8, 1e-15);
    /* squares of the distances from 8: 36 16 16 16 9 9 1 1 16 400 */
    assert_near(s.a.dist.sd, sqrt(520.0 / 9), 1e-14);
    assert_near(s.a.dist.cv, sqrt(520.0 / 9) / 8, 1e-14);
    assert_near(s.a.dist.p50, 5, 0);
    /* |x - 5|: 0 0 1 1 1 2 3 4 7 23 */
    assert_near(s.a.dist.mad, 1.5, 1e-15);
    assert_near(s.a.dist.top10_share, 28.0 / 80, 1e-15);
    assert_near(s.a.dist.min, 2, 0);
    assert_near(s.a.dist.max, 28, 0);
    subject_close(&s);
}

/* Eleven waits: the largest tenth is two of them. */
static void largest_tenth_is_rounded_up(void **state)
{
    static const double ms[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 6};
    subject s;

    (void)state;
    fill(&s, ms, 11);
    assert_near(s.a.dist.top10_share, 11.0 / 20, 1e-15);
    subject_close(&s);
}

static void bins_are_closed_below(void **state)
{
    static const double ms[] = {0, 0.009999, 0.01, 0.1, 0.999999, 1, 1.5, 1.6, 9.999999, 10, 1000};
    static const stall_bin want[] = {
        {STALL_UNKNOWN, 2}, {-10, 1}, {-5, 1}, {-1, 1}, {0, 2}, {1, 1}, {4, 1}, {5, 1}, {15, 1}};
    subject s;

    (void)state;
    fill(&s, ms, 11);
    assert_int_equal(s.a.dist.hist_len, sizeof(want) / sizeof(*want));
    for (size_t i = 0; i < s.a.dist.hist_len; i++) {
        assert_int_equal(s.a.dist.hist[i].key, want[i].key);
        assert_int_equal(s.a.dist.hist[i].count, want[i].count);
    }
    subject_close(&s);
}

static void what_is_not_defined_is_nan(void **state)
{
    static const double zeros[9] = {0}, one[] = {5300};
    subject s;

    (void)state;
    fill(&s, zeros, 9);
    assert_near(s.a.dist.sd, 0, 0);
    assert_nan(s.a.dist.cv);
    assert_nan(s.a.dist.top10_share);
    assert_nan(s.a.stalls.wait_share);
    subject_close(&s);
    fill(&s, one, 1);
    assert_nan(s.a.dist.sd);
    assert_nan(s.a.dist.cv);
    assert_near(s.a.dist.p99, 5300, 0);
    assert_near(s.a.dist.top10_share, 1, 0);
    subject_close(&s);
    fill(&s, NULL, 0);
    assert_int_equal(s.a.dist.n, 0);
    assert_near(s.a.dist.sum, 0, 0);
    assert_nan(s.a.dist.mean);
    assert_nan(s.a.dist.max);
    assert_int_equal(s.a.dist.hist_len, 0);
    subject_close(&s);
}

/* Equal values with a mean that is no double of their own must still have no spread. */
static void equal_waits_have_no_spread(void **state)
{
    double ms[30];
    subject s;

    (void)state;
    for (size_t i = 0; i < 30; i++)
        ms[i] = 0.1;
    fill(&s, ms, 30);
    assert_near(s.a.dist.sd, 0, 0);
    assert_near(s.a.dist.cv, 0, 0);
    subject_close(&s);
}

/* Shares of the wall clock, with and without the start and the stalls. */
static void shares_of_the_wall_clock(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "S...S...S...S...", STRIP_WORK, STALL_UNKNOWN);
    assert_near(s.a.work_ms, 30, 1e-12);
    assert_near(s.a.wall_share, (4 * 800.0 + 12) / (4 * 830 + 12 * 31), 1e-12);
    assert_near(s.a.wall_share_steady, (3 * 800.0 + 12) / (3 * 830 + 12 * 31), 1e-12);
    assert_near(s.a.wall_share_no_stalls, 12.0 / (3 * 830 + 12 * 31), 1e-12);
    assert_near(s.a.stalls.rate, 0.25, 0);
    assert_int_equal(s.a.stalls.startup, 1);
    subject_close(&s);
}

/* Nine of ten waits with a step time are enough, eight are not. */
static void step_times_count_when_most_are_there(void **state)
{
    subject s;

    (void)state;
    for (int missing = 1; missing <= 2; missing++) {
        subject_open(&s);
        for (int i = 0; i < 10; i++)
            subject_row(&s, 0, STALL_UNKNOWN, i, 50 * MS,
                        i >= 10 - missing ? STALL_UNKNOWN : STRIP_WORK);
        subject_analyze(&s);
        assert_int_equal(isnan(s.a.work_ms), missing == 2);
        assert_int_equal(isnan(s.a.wall_share_steady), missing == 2);
        assert_int_equal(has_note(&s, step_time_unknown), missing == 2);
        subject_close(&s);
    }
}

static void sums_keep_what_rounding_drops(void **state)
{
    stall_sum sum = {0, 0};

    (void)state;
    stall_sum_add(&sum, 1);
    stall_sum_add(&sum, 1e100);
    stall_sum_add(&sum, 1);
    stall_sum_add(&sum, -1e100);
    assert_near(stall_sum_value(&sum), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_numpy),
        cmocka_unit_test(moments),
        cmocka_unit_test(largest_tenth_is_rounded_up),
        cmocka_unit_test(bins_are_closed_below),
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(equal_waits_have_no_spread),
        cmocka_unit_test(shares_of_the_wall_clock),
        cmocka_unit_test(step_times_count_when_most_are_there),
        cmocka_unit_test(sums_keep_what_rounding_drops),
    };

    return cmocka_run_group_tests_name("dist", tests, NULL, NULL);
}
