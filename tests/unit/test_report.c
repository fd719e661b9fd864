/* The report model: names, sentences, gates, memory. */
#include "hand_report.h"

static void test_show(void **state)
{
    made m = {0};
    const stall_report *r = &m.report;
    stall_error error;

    (void)state;
    made_add(&m, -1, 64, 4, 900, 30, 1);
    m.inputs[0].options.cpus = 2;
    assert_int_equal(stall_report_show(m.inputs, 1, NULL, &m.report, &error), STALL_OK);
    assert_true(r->command == STALL_COMMAND_SHOW && r->runs_len == 1 && r->runs[0].pass == 0);
    assert_has(r->headline, "heavy-tailed, periodic (high confidence): mean input wait ");
    assert_has(r->headline, "% of the step time; cadence 4 steps");
    assert_has(r->runs[0].supply_text, "A batch costs about ");
    assert_true(r->metrics_len == 0 && r->step_text == NULL && r->more_needed == NULL);
    assert_int_equal(stall_report_exit(r), 0);
    /* one analysis serves as both where the threshold is automatic */
    assert_true(r->runs[0].own.points == r->runs[0].analysis.points);
    stall_report_close(&m.report);
    m.inputs[0].options.stall_ms = 5000;
    assert_int_equal(stall_report_show(m.inputs, 1, NULL, &m.report, &error), STALL_OK);
    assert_true(r->runs[0].own.points != r->runs[0].analysis.points);
    assert_true(r->runs[0].analysis.threshold.given && !r->runs[0].own.threshold.given);
    assert_has(r->runs[0].shape_text, "No wait is above the threshold given, 5.00 s");
    stall_report_close(&m.report);
    made_add(&m, -1, 64, 0, 0, 30, 2);
    made_add(&m, -1, 64, 0, 0, 30, 3);
    assert_int_equal(stall_report_show(m.inputs, 3, NULL, &m.report, &error), STALL_OK);
    assert_has(r->headline, "3 runs: 2 no input problem; 1 ");
    stall_report_close(&m.report);
    assert_int_equal(stall_report_show(m.inputs, 0, NULL, &m.report, &error), STALL_EUSAGE);
    made_close(&m);
}

static void test_names(void **state)
{
    made m = {0};
    stall_report_options o = {{"a", "b"}, STALL_GATE_NONE, false};
    const stall_report *r = &m.report;
    stall_error error;

    (void)state;
    for (int i = 0; i < 4; i++)
        made_add(&m, i % 2, 40, 4, i % 2 == 0 ? 900 : 0, 30, (uint64_t)i);
    m.series[0].path = stall_mem_text("old/run.csv", 11);
    m.series[1].path = stall_mem_text("new/run.csv", 11);
    made_compare(&m, STALL_GATE_NONE);
    assert_string_equal(r->runs[0].label, "old/run.csv"); /* labels collide, paths do not */
    assert_string_equal(r->runs[1].label, "run");
    assert_string_equal(r->runs[2].label, "new/run.csv");
    assert_string_equal(r->runs[3].label, "run (2)");
    assert_string_equal(r->side_label[0], "old/run.csv and 1 more");
    stall_report_close(&m.report);
    assert_int_equal(stall_report_compare(m.inputs, m.len, &o, &m.report, &error), STALL_OK);
    assert_string_equal(r->side_label[1], "b");
    assert_string_equal(r->runs[0].label, "a");
    assert_string_equal(r->runs[1].label, "a (2)");
    made_close(&m);
}

static void test_texts(void **state)
{
    made m = {0};
    const stall_report *r;

    (void)state;
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 1, 64, 0, 0, 30, 2);
    r = made_compare(&m, STALL_GATE_NONE);
    assert_has(r->headline, "FIXED (medium confidence): mean input wait 21");
    assert_has(r->headline, " ms -> 1.00 ms per step (-99.5");
    assert_has(r->headline, ", 95 % CI -99.");
    assert_has(r->step_text, "Mean step time 24");
    assert_has(r->step_text, "while the wait fell by 21");
    assert_null(r->more_needed);
    assert_int_equal(r->metrics_len, COMPARE_METRICS);
    assert_string_equal(r->metrics[0].id, "wait_mean");
    assert_true(r->metrics[0].change == r->compare.mean.diff);
    assert_true(r->metrics[0].diff_low == r->compare.mean.diff_low);
    for (size_t i = 0; i < r->metrics_len; i++)
        if (strcmp(r->metrics[i].id, "cadence") == 0)
            assert_true(r->metrics[i].broken == 4 && isnan(r->metrics[i].fixed));
    stall_report_close(&m.report);
    for (size_t i = 0; i < 64; i++)
        m.series[1].rows[i].step_ns = STALL_UNKNOWN;
    r = made_compare(&m, STALL_GATE_NONE);
    assert_has(r->step_text, "Step times are not known on both sides");
    made_close(&m);
}

static void test_partial(void **state)
{
    made m = {0};
    stall_report_options o = {{NULL, NULL}, STALL_GATE_FIXED, true};
    const stall_report *r;
    stall_error error;

    (void)state;
    made_add(&m, 0, 64, 4, 900, 30, 1);
    made_add(&m, 1, 64, 0, 0, 30, 2);
    m.series[1].warnings.partial = true;
    r = made_compare(&m, STALL_GATE_FIXED);
    assert_has(r->headline, "FIXED (medium confidence, PARTIAL input): ");
    assert_true(r->partial && stall_report_exit(r) == 3);
    stall_report_close(&m.report);
    assert_int_equal(stall_report_compare(m.inputs, m.len, &o, &m.report, &error), STALL_OK);
    assert_true(stall_report_exit(r) == 0);
    made_close(&m);
}

/* Untrusted names come in as they are, whatever their bytes and length. */
static void test_hostile(void **state)
{
    made m = {0};
    char name[5000];
    const stall_report *r;

    (void)state;
    memset(name, '%', sizeof(name));
    name[0] = '\n';
    made_add(&m, 0, 6, 4, 900, 30, 1);
    made_add(&m, 1, 64, 0, 0, 30, 2);
    stall_mem_free(m.series[0].label);
    m.series[0].label = stall_mem_text(name, sizeof(name));
    r = made_compare(&m, STALL_GATE_NONE);
    assert_true(strlen(r->runs[0].label) == sizeof(name));
    assert_has(r->more_needed, m.series[0].label);
    made_close(&m);
}

static void test_memory(void **state)
{
    made m = {0};
    stall_error error;
    stall_status status = STALL_ENOMEM;
    uint64_t at;

    (void)state;
    made_add(&m, 0, 12, 4, 900, 30, 1);
    made_add(&m, 1, 60, 13, 500, 30, 2);
    for (at = 1; status != STALL_OK; at++) {
        stall_mem_fail_at(at);
        status = stall_report_compare(m.inputs, m.len, NULL, &m.report, &error);
        assert_true(status == STALL_OK || (error.status == STALL_ENOMEM && m.report.runs == NULL));
    }
    stall_mem_fail_at(0);
    assert_true(at > 100);
    made_close(&m);
    made_add(&m, -1, 60, 4, 900, 30, 1);
    m.inputs[0].options.stall_ms = 300;
    status = STALL_ENOMEM;
    for (at = 1; status != STALL_OK; at++) {
        stall_mem_fail_at(at);
        status = stall_report_show(m.inputs, m.len, NULL, &m.report, &error);
        assert_true(status == STALL_OK || error.status == STALL_ENOMEM);
    }
    stall_mem_fail_at(0);
    made_close(&m);
}

static void test_terms(void **state)
{
    (void)state;
    assert_string_equal(stall_verdict_term(STALL_VERDICT_INCONCLUSIVE)->code, "inconclusive");
    for (unsigned w = 0; w < STALL_WHY_COUNT; w++)
        assert_true(strlen(stall_why_term((stall_why)w)->help) > 20);
#define X(name) assert_string_equal(stall_why_term(STALL_WHY_##name)->code, #name);
    STALL_WHY_CODES(X)
#undef X
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_show),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_texts),   cmocka_unit_test(test_partial),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_terms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
