/* The change point: src/analyze/change.c. */
#include "analyze_support.h"

/* n steps; ms(i) by the caller. */
static void run(subject *s, const double *ms, size_t n, double stall_ms)
{
    subject_open(s);
    s->options.stall_ms = stall_ms;
    for (size_t i = 0; i < n; i++)
        subject_row(s, 0, STALL_UNKNOWN, (int64_t)(100 + i), (int64_t)llround(ms[i] * 1e6),
                    STALL_UNKNOWN);
    subject_analyze(s);
}

/* 40 steps of about 5 ms, then 40 of about 500; the first step is left out as warm-up. */
static void a_level_change_is_found(void **state)
{
    double ms[80];
    uint64_t seed = 1;
    subject s;

    (void)state;
    for (size_t i = 0; i < 80; i++)
        ms[i] = (i < 40 ? 5 : 500) * (1 + random_unit(&seed));
    run(&s, ms, 80, NAN);
    assert_int_equal(s.a.change.kind, STALL_CHANGE_LEVEL);
    assert_int_equal(s.a.change.index, 39);
    assert_int_equal(s.a.change.step, 140);
    assert_true(s.a.change.p <= 1e-3);
    assert_true(s.a.change.median_before < 10 && s.a.change.median_after >= 500);
    assert_true(s.a.change.mean_before < 10 && s.a.change.mean_after >= 500);
    assert_near(s.a.change.rate_before, 0, 0);
    assert_near(s.a.change.rate_after, 1, 0);
    subject_close(&s);
}

/* A cold cache that warms up: stalls become rare while the median stays. */
static void stalls_that_thin_out_are_found(void **state)
{
    double ms[200];
    uint64_t seed = 2;
    subject s;

    (void)state;
    for (size_t i = 0; i < 200; i++)
        ms[i] = random_unit(&seed) < (i < 80 ? 0.4 : 0.01) ? 900 : 1 + random_unit(&seed);
    run(&s, ms, 200, NAN);
    assert_int_equal(s.a.change.kind, STALL_CHANGE_STALLS);
    assert_in_range(s.a.change.index, 60, 100);
    assert_true(s.a.change.rate_before >= 3 * s.a.change.rate_after);
    assert_int_equal(s.a.shape, STALL_SHAPE_REGIME_CHANGE);
    subject_close(&s);
}

static void too_few_steps_say_nothing(void **state)
{
    double ms[25];
    subject s;

    (void)state;
    for (size_t n = 24; n <= 25; n++) { /* 23 and 24 steady steps */
        for (size_t i = 0; i < n; i++)
            ms[i] = i < 13 ? 1 : 900;
        run(&s, ms, n, NAN);
        if (n == 24)
            assert_int_equal(s.a.change.kind, STALL_CHANGE_NONE);
        subject_close(&s);
    }
}

/* A change below the floor harms nobody; one by less than three times is no other regime. */
static void small_changes_are_not_claimed(void **state)
{
    double ms[80];
    subject s;

    (void)state;
    for (size_t i = 0; i < 80; i++)
        ms[i] = i < 40 ? 0.5 : 5;
    run(&s, ms, 80, NAN);
    assert_int_equal(s.a.change.kind, STALL_CHANGE_NONE);
    subject_close(&s);
    for (size_t i = 0; i < 80; i++)
        ms[i] = i < 40 ? 400 : 1100;
    run(&s, ms, 80, 2000);
    assert_int_equal(s.a.change.kind, STALL_CHANGE_NONE);
    subject_close(&s);
}

/* Of equal maxima the first; the edges of eight steps are never a change. */
static void edges_are_left_alone(void **state)
{
    double ms[61];
    subject s;

    (void)state;
    for (size_t i = 0; i < 61; i++)
        ms[i] = i < 1 + 4 ? 900 : 1;
    run(&s, ms, 61, 100);
    if (s.a.change.kind != STALL_CHANGE_NONE)
        assert_in_range(s.a.change.index, 8, 52);
    subject_close(&s);
}

/* Stalls at random and at a steady rate: of 1,000 runs at most a few. */
static void steady_randomness_is_no_change(void **state)
{
    double ms[400];
    uint64_t seed = 99;
    int claims = 0;
    subject s;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        size_t n = 30 + (size_t)(random_next(&seed) % 371);
        double p = 0.05 + 0.5 * random_unit(&seed);

        for (size_t i = 0; i < n; i++)
            ms[i] = random_unit(&seed) < p ? 900 : 1 + random_unit(&seed);
        run(&s, ms, n, 100);
        claims += s.a.change.kind != STALL_CHANGE_NONE;
        subject_close(&s);
    }
    assert_in_range(claims, 0, 5);
}

/* The statistic written out for two plain groups: no ties within, none correlated by order. */
static void p_is_what_the_formula_says(void **state)
{
    double ms[65], r[64], mean[2] = {0, 0}, products = 0, squares = 0, k, f, n = 64, u = 0;
    subject s;

    (void)state;
    ms[0] = 1;
    for (size_t i = 0; i < 64; i++) { /* within a side the ranks zigzag */
        size_t j = i % 32, zigzag = j % 2 == 0 ? j / 2 : 31 - j / 2;

        r[i] = (double)(i / 32 * 32 + zigzag + 1);
        ms[i + 1] = (i < 32 ? 10 : 2000) + r[i];
        mean[i / 32] += r[i] / 32;
    }
    for (size_t i = 0; i < 32; i++)
        u += 2 * r[i];
    k = fabs(u - 32 * (n + 1));
    for (size_t i = 0; i < 64; i++) {
        squares += (r[i] - mean[i / 32]) * (r[i] - mean[i / 32]);
        if (i != 31 && i != 63)
            products += (r[i] - mean[i / 32]) * (r[i + 1] - mean[(i + 1) / 32]);
    }
    f = fmin(0.95, fmax(0, products / squares));
    f = (1 + f) / (1 - f);
    run(&s, ms, 65, NAN);
    assert_int_equal(s.a.change.kind, STALL_CHANGE_LEVEL);
    assert_int_equal(s.a.change.index, 32);
    assert_near(s.a.change.p, 2 * exp(-6 * k * k / ((n * n * n + n * n) * f)), 1e-9);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_change_is_found),
        cmocka_unit_test(stalls_that_thin_out_are_found),
        cmocka_unit_test(too_few_steps_say_nothing),
        cmocka_unit_test(small_changes_are_not_claimed),
        cmocka_unit_test(edges_are_left_alone),
        cmocka_unit_test(steady_randomness_is_no_change),
        cmocka_unit_test(p_is_what_the_formula_says),
    };

    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
