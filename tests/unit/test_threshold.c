/* The automatic stall threshold: src/analyze/threshold.c. */
#include "analyze_support.h"

#define FLOOR 10.0

static double find(const double *v, size_t n, double floor_ms, uint64_t *ret_peeled)
{
    uint64_t peeled = 77;
    double t = NAN;

    assert_int_equal(stall_threshold_find(v, n, floor_ms, &t, &peeled, NULL), STALL_OK);
    if (ret_peeled != NULL)
        *ret_peeled = peeled;
    return t;
}

/* 12 waits of 1 and 4 of 800: mean 200.75, half of the cost in waits of 800. The window is
 * [50.1875, 400], nothing lies inside, so T is its geometric middle. */
static void falls_into_the_valley(void **state)
{
    double v[16], t;

    (void)state;
    for (size_t i = 0; i < 16; i++)
        v[i] = i % 4 == 0 ? 800 : 1;
    t = find(v, 16, FLOOR, NULL);
    assert_near(t, sqrt(50.1875 * 400), 1e-14);
}

static void takes_the_widest_gap_inside(void **state)
{
    /* mean 130, cost median 600: window [32.5, 300], inside it 40 and 50; the widest is 50..300 */
    static const double v[] = {40, 50, 1, 1, 1, 1, 1, 5, 600, 600};
    double mean = (40 + 50 + 10 + 1200) / 10.0;

    (void)state;
    assert_near(mean, 130, 0);
    assert_near(find(v, 10, FLOOR, NULL), sqrt(50.0 * 300), 1e-14);
}

static void never_below_the_floor(void **state)
{
    static const double small[] = {1, 1, 2, 3, 1, 2, 1, 9}, zeros[8] = {0};

    (void)state;
    assert_near(find(small, 8, FLOOR, NULL), FLOOR, 0);
    assert_near(find(zeros, 8, FLOOR, NULL), FLOOR, 0);
    assert_near(find(NULL, 0, FLOOR, NULL), FLOOR, 0);
    assert_true(find(small, 8, 0.1, NULL) < FLOOR);
}

/* All waits the same: every step is above the threshold. */
static void every_step_slow(void **state)
{
    double v[32], t;

    (void)state;
    for (size_t i = 0; i < 32; i++)
        v[i] = 500;
    t = find(v, 32, FLOOR, NULL);
    assert_near(t, sqrt(125.0 * 250), 1e-14);
    assert_true(t < 500);
}

/* One hang of ten minutes among stalls of 300 ms. */
static void one_giant_does_not_hide_the_stalls(void **state)
{
    double v[64], t;
    uint64_t peeled;

    (void)state;
    for (size_t i = 0; i < 64; i++)
        v[i] = i == 20 ? 600000 : i % 4 == 0 ? 300 : 1;
    t = find(v, 64, FLOOR, &peeled);
    assert_int_equal(peeled, 1);
    assert_true(t > 1 && t < 300);
}

/* A giant over nothing else is the stall itself. */
static void a_lone_giant_stays(void **state)
{
    double v[64], t;
    uint64_t peeled;

    (void)state;
    for (size_t i = 0; i < 64; i++)
        v[i] = i == 20 ? 600000 : 1;
    t = find(v, 64, FLOOR, &peeled);
    assert_int_equal(peeled, 0);
    assert_true(t > 1000);
}

/* Fewer than twenty waits are never peeled. */
static void short_runs_are_not_peeled(void **state)
{
    double v[19];
    uint64_t peeled;

    (void)state;
    for (size_t i = 0; i < 19; i++)
        v[i] = i == 7 ? 600000 : i % 3 == 0 ? 300 : 1;
    find(v, 19, FLOOR, &peeled);
    assert_int_equal(peeled, 0);
}

/* Above the floor the threshold scales with the waits, whatever their order. */
static void scales_and_ignores_order(void **state)
{
    double v[200], scaled[200], t;
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < 200; i++)
            v[i] = exp(4 + 2 * random_unit(&seed)) * (random_unit(&seed) < 0.2 ? 40 : 1);
        t = find(v, 200, 1e-6, NULL);
        for (size_t i = 0; i < 200; i++)
            scaled[i] = v[199 - i] * 1024; /* exact */
        assert_near(find(scaled, 200, 1e-6, NULL), t * 1024, 1e-12);
    }
}

/* A given threshold is used as it is; what would have been found stands beside it. */
static void a_given_threshold_wins(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    subject_strip(&s, "S...S...S...S...", STALL_UNKNOWN);
    s.options.stall_ms = 800; /* a stall is strictly above it */
    subject_analyze(&s);
    assert_true(s.a.threshold.given);
    assert_near(s.a.threshold.ms, 800, 0);
    assert_true(s.a.threshold.auto_ms < 800);
    assert_int_equal(s.a.stalls.count, 0);
    subject_close(&s);
}

static void floor_follows_the_work(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "S...S...S...S...", 20 * MS, STALL_UNKNOWN);
    assert_near(s.a.threshold.floor_ms, 2, 1e-12);
    subject_close(&s);
    subject_of(&s, "S...S...S...S...", MS / 10, STALL_UNKNOWN);
    assert_near(s.a.threshold.floor_ms, 0.1, 0);
    subject_close(&s);
    subject_of(&s, "S...S...S...S...", STALL_UNKNOWN, STALL_UNKNOWN);
    assert_near(s.a.threshold.floor_ms, 10, 0);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_into_the_valley),
        cmocka_unit_test(takes_the_widest_gap_inside),
        cmocka_unit_test(never_below_the_floor),
        cmocka_unit_test(every_step_slow),
        cmocka_unit_test(one_giant_does_not_hide_the_stalls),
        cmocka_unit_test(a_lone_giant_stays),
        cmocka_unit_test(short_runs_are_not_peeled),
        cmocka_unit_test(scales_and_ignores_order),
        cmocka_unit_test(a_given_threshold_wins),
        cmocka_unit_test(floor_follows_the_work),
    };

    return cmocka_run_group_tests_name("threshold", tests, NULL, NULL);
}
