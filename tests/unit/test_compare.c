/* The comparison as a whole: verdicts, symmetry, cadence, what is missing. */
#include "compare_support.h"

static bool why(const stall_report *r, stall_why w)
{
    return (r->compare.why & 1u << w) != 0;
}

static void test_fixed(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    for (uint64_t p = 0; p < 2; p++) {
        made_add(&m, 0, 64, 4, 900, 30, 1 + p);
        made_add(&m, 1, 64, 0, 0, 30, 11 + p);
    }
    r = made_compare(&m, STALL_GATE_FIXED);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_FIXED);
    assert_int_equal(r->compare.confidence, STALL_CONFIDENCE_HIGH);
    assert_true(r->compare.why == 0 && r->gate_met == 1 && stall_report_exit(r) == 0);
    assert_string_equal(r->compare.cadence_change, "removed");
    assert_true(r->compare.side[0].cadence == 4 && r->compare.side[0].block == 4);
    assert_true(r->compare.side[0].n == 126 && r->compare.side[0].stalls == 30);
    assert_true(r->compare.stalls_removed == 30);
    assert_true(r->compare.step.known && r->compare.step.diff < 0);
    /* runs stand by side, passes in the order given */
    assert_true(r->runs_len == 4 && r->runs[0].series == &m.series[0]);
    assert_true(r->runs[1].series == &m.series[2] && r->runs[1].pass == 2);
    assert_true(r->runs[2].side == 1 && r->runs[2].pass == 1);
    made_close(&m);
}

static void test_identical(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 0, 50, 4, 900, 30, 2);
    made_add(&m, 1, 50, 4, 900, 30, 2);
    made_add(&m, 1, 64, 4, 900, 30, 1); /* the same passes in another order */
    r = made_compare(&m, STALL_GATE_NO_REGRESSION);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_UNCHANGED);
    assert_true(why(r, STALL_WHY_identical) && stall_report_exit(r) == 0);
    assert_true(r->compare.mean.diff == 0 && r->compare.cliffs_delta == 0);
    assert_string_equal(r->compare.cadence_change, "persists");
    made_close(&m);
}

static void swap_sides(made *m)
{
    for (size_t i = 0; i < m->len; i++)
        m->inputs[i].side = !m->inputs[i].side;
}

static void mirrored(const stall_effect *a, const stall_effect *b)
{
    assert_true(a->known == b->known && a->diff == -b->diff);
    assert_true(a->diff_low == -b->diff_high && a->diff_high == -b->diff_low);
}

static void test_mirror(void **state)
{
    static const struct {
        size_t n[2], period[2];
        double slow[2], work[2];
    } cases[] = {
        {{64, 60}, {4, 0}, {900, 0}, {30, 30}},    {{64, 64}, {4, 4}, {900, 500}, {30, 30}},
        {{90, 40}, {7, 11}, {200, 190}, {30, 30}}, {{64, 64}, {4, 4}, {400, 120}, {20, 92}},
        {{40, 12}, {9, 0}, {900, 0}, {30, 30}},    {{64, 64}, {4, 0}, {900, 0}, {NAN, NAN}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        made m = {0};
        stall_comparison a, b;

        for (int s = 0; s < 2; s++)
            made_add(&m, s, cases[i].n[s], cases[i].period[s], cases[i].slow[s], cases[i].work[s],
                     (uint64_t)(17 * s) + 3);
        a = made_compare(&m, STALL_GATE_NONE)->compare;
        stall_report_close(&m.report);
        swap_sides(&m);
        b = made_compare(&m, STALL_GATE_NONE)->compare;
        mirrored(&a.mean, &b.mean);
        mirrored(&a.p50, &b.p50);
        mirrored(&a.p95, &b.p95);
        if (a.step.known)
            mirrored(&a.step, &b.step);
        assert_true(a.cliffs_delta == -b.cliffs_delta && a.threshold_ms == b.threshold_ms);
        assert_true(a.stalls_removed == -b.stalls_removed && a.confidence == b.confidence);
        if (a.verdict == STALL_VERDICT_FIXED || a.verdict == STALL_VERDICT_IMPROVED)
            assert_int_equal(b.verdict, STALL_VERDICT_REGRESSED);
        else
            assert_int_equal(a.verdict, b.verdict);
        made_close(&m);
    }
}

static void test_too_short(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    made_add(&m, 0, 7, 4, 900, 30, 1); /* under 8: the first step counts, which makes 7 */
    made_add(&m, 1, 64, 0, 0, 30, 2);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_true(r->compare.side[0].n == 7 && r->compare.side[0].block != STALL_UNKNOWN);
    assert_false(why(r, STALL_WHY_too_few_steps));
    made_close(&m);
    made_add(&m, 0, 6, 4, 900, 30, 1);
    made_add(&m, 1, 64, 0, 0, 30, 2);
    r = made_compare(&m, STALL_GATE_IMPROVED);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_INCONCLUSIVE);
    assert_true(why(r, STALL_WHY_too_few_steps) && stall_report_exit(r) == 3);
    assert_true(r->compare.mean.known && isnan(r->compare.mean.diff_low));
    assert_true(r->compare.side[0].block == STALL_UNKNOWN);
    assert_string_equal(r->more_needed, "At least 2 more steps of run with a known wait; 32 or more let a cadence be "
                        "seen.");
    made_close(&m);
    made_add(&m, 0, 0, 0, 0, 30, 1); /* a side without a single sample */
    made_add(&m, 1, 64, 0, 0, 30, 2);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_true(!r->compare.mean.known && !r->compare.step.known && !r->compare.described);
    assert_true(isnan(r->compare.side[0].mean) && isnan(r->compare.side[0].stall_rate));
    assert_true(why(r, STALL_WHY_too_few_steps));
    made_close(&m);
}

static void test_guards(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    made_add(&m, 0, 120, 4, 200, 30, 1);
    made_add(&m, 0, 120, 4, 800, 30, 2);
    made_add(&m, 1, 120, 4, 250, 30, 3); /* worse than a broken pass */
    made_add(&m, 1, 120, 0, 0, 30, 4);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_INCONCLUSIVE);
    assert_true(why(r, STALL_WHY_passes_overlap));
    made_close(&m);
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 1, 9, 0, 0, 30, 2); /* 8 samples: two periods of 4, so it counts */
    r = made_compare(&m, STALL_GATE_NONE);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_FIXED);
    assert_true(why(r, STALL_WHY_single_pass) && r->compare.confidence == STALL_CONFIDENCE_MEDIUM);
    made_close(&m);
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 1, 8, 0, 0, 30, 2); /* 7 samples: one too few */
    r = made_compare(&m, STALL_GATE_NONE);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_INCONCLUSIVE);
    assert_true(why(r, STALL_WHY_too_few_stalls) && isnan(r->compare.permutation_p));
    assert_string_equal(r->compare.cadence_change, "unknown");
    assert_non_null(strstr(r->more_needed, "At least 1 more step of run (2)"));
    made_close(&m);
    made_add(&m, 0, 64, 4, 1.2, 30, 1);
    made_add(&m, 1, 64, 0, 0, 30, 2);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_int_equal(r->compare.verdict, STALL_VERDICT_UNCHANGED);
    assert_true(why(r, STALL_WHY_both_healthy));
    made_close(&m);
}

/* One threshold for all, whose source stays automatic. */
static void test_threshold(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 1, 64, 4, 50, 30, 2);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_true(r->compare.threshold_ms == r->runs[0].own.threshold.ms);
    assert_true(r->runs[1].analysis.threshold.ms == r->compare.threshold_ms);
    assert_false(r->runs[1].analysis.threshold.given);
    assert_true(isnan(r->runs[1].analysis.facts.stall_ms));
    assert_true(r->runs[1].own.threshold.ms < r->compare.threshold_ms);
    assert_int_equal(r->compare.side[1].passes[0].shape, STALL_SHAPE_HEAVY_PERIODIC);
    assert_true(r->compare.side[1].passes[0].stalls == 0);
    stall_report_close(&m.report);
    m.inputs[0].options.stall_ms = m.inputs[1].options.stall_ms = 20;
    r = made_compare(&m, STALL_GATE_NONE);
    assert_true(r->compare.threshold_ms == 20 && r->runs[1].analysis.threshold.given);
    assert_false(r->runs[1].own.threshold.given);
    made_close(&m);
}

static void test_usage(void **state)
{
    made m = {0};
    stall_error error;

    (void)state;
    made_add(&m, 0, 20, 4, 900, 30, 1);
    stall_report_init(&m.report);
    assert_int_equal(stall_report_compare(m.inputs, 1, NULL, &m.report, &error), STALL_EUSAGE);
    assert_int_equal(stall_report_compare(m.inputs, 0, NULL, &m.report, &error), STALL_EUSAGE);
    made_add(&m, 1, 20, 4, 900, 30, 1);
    m.inputs[1].options.rank = 9;
    assert_int_equal(stall_report_compare(m.inputs, 2, NULL, &m.report, &error), STALL_EUSAGE);
    assert_null(m.report.runs);
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),  cmocka_unit_test(test_identical),
        cmocka_unit_test(test_mirror), cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_guards), cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
