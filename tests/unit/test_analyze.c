/* Properties of a whole analysis: scaling, order of ranks, holes, chance, failing memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analyze.h"

static uint64_t seed;

static uint64_t word(void)
{
    uint64_t z = (seed += 0x9E3779B97F4A7C15u);

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void push(stall_series *s, int64_t step, int64_t wait_us, int64_t step_us)
{
    stall_row r = {.step = step,
                   .epoch = STALL_UNKNOWN,
                   .wait_ns = wait_us == STALL_UNKNOWN ? STALL_UNKNOWN : wait_us * 1000,
                   .step_ns = step_us == STALL_UNKNOWN ? STALL_UNKNOWN : step_us * 1000,
                   .exposed_ns = STALL_UNKNOWN,
                   .other_wait_ns = STALL_UNKNOWN,
                   .fetches = -1};
    stall_error error;

    assert_int_equal(stall_series_push(s, &r, &error), STALL_OK);
}

static stall_status run(const stall_series *s, int64_t workers, stall_analysis *a)
{
    stall_analyze_options o;
    stall_error error;

    stall_analyze_options_init(&o);
    o.num_workers = workers;
    stall_analysis_init(a);
    return stall_analyze(s, &o, a, &error);
}

/* Every `period`-th of n steps stalls; `scale` stretches all times. */
static void fill(stall_series *s, int64_t n, int64_t period, int64_t scale)
{
    stall_series_init(s);
    for (int64_t i = 0; i < n; i++) {
        int64_t wait = (i % period == 0 ? 900000 + (i * 7919) % 1000 : 1000 + (i * 104729) % 500) * scale;
        push(s, i, wait, wait + 20000 * scale);
    }
}

static void scaling_changes_times_and_no_label(void **state)
{
    stall_series one, ten;
    stall_analysis a, b;

    (void)state;
    fill(&one, 64, 4, 1);
    fill(&ten, 64, 4, 10);
    assert_int_equal(run(&one, 4, &a), STALL_OK);
    assert_int_equal(run(&ten, 4, &b), STALL_OK);
    assert_int_equal(a.shape, STALL_SHAPE_HEAVY_PERIODIC);
    assert_int_equal(a.cadence.period, 4);
    assert_int_equal(a.cadence.worker_match, STALL_MATCH_EQUAL);
    assert_int_equal(b.shape, a.shape);
    assert_int_equal(b.confidence, a.confidence);
    assert_int_equal(b.notes, a.notes);
    assert_string_equal(a.strip, b.strip);
    assert_true(fabs(b.dist.mean / a.dist.mean - 10) < 1e-9);
    assert_true(fabs(b.threshold.ms / a.threshold.ms - 10) < 1e-9);
    assert_true(fabs(b.wall_share - a.wall_share) < 1e-12);
    stall_analysis_close(&a);
    stall_analysis_close(&b);
    stall_series_close(&one);
    stall_series_close(&ten);
}

/* Placements by chance, with every k-th step logged not at all or as unknown, show no cadence. */
static void chance_is_rarely_called_a_cadence(void **state)
{
    int claims = 0, holed = 0;

    (void)state;
    seed = 1;
    for (int trial = 0; trial < 10000; trial++) {
        stall_series s;
        stall_analysis a;
        uint64_t n = 32 + word() % 64, rate = 8 + word() % 25; /* of 64 */
        stall_series_init(&s);
        for (uint64_t i = 0; i < n; i++) {
            bool gone = trial % 5 == 0 && i % 5 == 4;
            int64_t wait = word() % 64 < rate ? 900000 : 1000;
            if (!gone || trial % 2 == 0) {
                push(&s, (int64_t)i, gone ? STALL_UNKNOWN : wait, wait + 20000);
            }
        }
        assert_int_equal(run(&s, trial % 3 == 0 ? 4 : STALL_UNKNOWN, &a), STALL_OK);
        bool claimed = a.cadence.period != STALL_UNKNOWN && a.cadence.kind != STALL_CADENCE_EVERY_STEP;
        claims += claimed;
        holed += claimed && trial % 5 == 0;
        stall_analysis_close(&a);
        stall_series_close(&s);
    }
    assert_true(claims <= 100);
    assert_true(holed <= 20);
}

static void windows_prove_no_cadence(void **state)
{
    stall_series s;
    stall_analysis a;

    (void)state;
    stall_series_init(&s);
    for (int64_t i = 0; i < 96; i++) { /* 3 steps of 6 recorded, the first one slow */
        if (i % 6 < 3) {
            push(&s, i, i % 6 == 0 ? 500000 : 1000, STALL_UNKNOWN);
        }
    }
    assert_int_equal(run(&s, STALL_UNKNOWN, &a), STALL_OK);
    assert_true(a.cadence.holes);
    assert_int_equal(a.cadence.kind, STALL_CADENCE_NONE);
    assert_true(a.notes & 1u << STALL_NOTE_holes);
    stall_analysis_close(&a);
    stall_series_close(&s);
}

static void nothing_is_inconclusive(void **state)
{
    stall_series s;
    stall_analysis a;

    (void)state;
    stall_series_init(&s);
    assert_int_equal(run(&s, STALL_UNKNOWN, &a), STALL_OK);
    assert_int_equal(a.shape, STALL_SHAPE_INCONCLUSIVE);
    assert_int_equal(a.dist.n, 0);
    assert_true(isnan(a.dist.mean));
    assert_string_equal(a.strip, "");
    stall_analysis_close(&a);
    stall_series_close(&s);
}

static void every_allocation_may_fail(void **state)
{
    stall_series s;
    stall_analysis a;

    (void)state;
    fill(&s, 64, 4, 1);
    for (uint64_t n = 1;; n++) {
        stall_mem_fail_at(n);
        stall_status status = run(&s, 4, &a);
        stall_mem_fail_at(0);
        stall_analysis_close(&a);
        if (status == STALL_OK) {
            assert_true(n > 10);
            break;
        }
        assert_int_equal(status, STALL_ENOMEM);
    }
    stall_series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_changes_times_and_no_label),
        cmocka_unit_test(chance_is_rarely_called_a_cadence),
        cmocka_unit_test(windows_prove_no_cadence),
        cmocka_unit_test(nothing_is_inconclusive),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
