/* Rows, slope and verdict of a sweep, and what is refused. */
#include "sweep_support.h"

static void test_follows(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, 0, 1, 900);
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 0, 0);
    s = sweep_make(&m);
    assert_int_equal(s->verdict, STALL_SWEEP_FOLLOWS);
    assert_true(s->slope == 1 && s->counts == 4 && s->evidence == 2);
    assert_true(s->rows[0].follows == 1 && s->rows[3].period == 4 && s->rows[3].stalls == 12);
    assert_true(s->rows[4].follows == -1 && s->rows[4].stalls == 0);
    assert_true(isnan(s->rows[4].coverage_w) && s->rows[2].coverage_w == 1);
    assert_true(m.report.runs[0].side == -1 && stall_report_exit(&m.report) == 0);
    assert_has(m.report.headline, "FOLLOWS: the gap between stalls is 1 step with 1 worker");
    assert_has(m.report.headline, "4 steps with 4 workers");
    assert_null(m.report.more_needed);
    made_close(&m);
}

/* A period of 7 whatever the workers; and one that follows in some runs only. */
static void test_other_verdicts(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    for (int64_t w = 1; w <= 4; w *= 2)
        sweep_add(&m, w, 7, 900);
    s = sweep_make(&m);
    assert_int_equal(s->verdict, STALL_SWEEP_DOES_NOT_FOLLOW);
    assert_true(fabs(s->slope) < 1e-12);
    assert_has(m.report.headline,
               "DOES NOT FOLLOW: the gap between stalls is 7 steps with 1, 2 and 4 workers");
    made_close(&m);
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 7, 900);
    s = sweep_make(&m);
    assert_int_equal(s->verdict, STALL_SWEEP_PARTLY);
    assert_has(m.report.headline, "; it is the worker count in 1 of 2 runs");
    made_close(&m);
}

static void test_insufficient(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 4, 900);
    s = sweep_make(&m);
    assert_true(s->verdict == STALL_SWEEP_INSUFFICIENT && isnan(s->slope));
    assert_has(m.report.headline, "INSUFFICIENT: every run has 4 workers");
    assert_has(m.report.more_needed, "Runs with 2 and 8 workers");
    made_close(&m);
    sweep_add(&m, 0, 1, 900);
    sweep_add(&m, 1, 1, 900);
    assert_true(sweep_make(&m)->verdict == STALL_SWEEP_INSUFFICIENT);
    assert_has(m.report.headline, "no run has 2 workers or more");
    made_close(&m);
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 2, 1, 900); /* a pool that is slow on every step */
    s = sweep_make(&m);
    assert_true(s->verdict == STALL_SWEEP_INSUFFICIENT && s->rows[1].follows == -1);
    assert_has(sweep_finding(s, "no_evidence"),
               "2 workers: uniformly slow, so its gap is no evidence.");
    made_close(&m);
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 4, 900);
    for (size_t i = 0; i < m.len; i++)
        for (size_t k = 0; k < m.series[i].len; k++)
            m.series[i].rows[k].step *= 10; /* every 10th step was logged */
    s = sweep_make(&m);
    assert_true(s->verdict == STALL_SWEEP_INSUFFICIENT && s->rows[0].follows == -1);
    assert_has(sweep_finding(s, "no_evidence"), "not every step was logged");
    made_close(&m);
}

static void test_threshold(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, 2, 2, 300);
    sweep_add(&m, 4, 4, 19000);
    s = sweep_make(&m);
    assert_true(s->threshold_ms == m.report.runs[1].own.threshold.ms);
    assert_false(m.report.runs[0].analysis.threshold.given);
    assert_true(s->rows[0].stalls == 0 && s->rows[0].shape == STALL_SHAPE_HEAVY_PERIODIC);
    assert_has(sweep_finding(s, "threshold"), "2 workers: 24 stalls over its own threshold");
    assert_has(sweep_finding(s, "threshold"), "on its own it has a period of 2");
    for (size_t i = 0; i < m.len; i++)
        m.inputs[i].options.stall_ms = 100;
    s = sweep_make(&m);
    assert_true(s->threshold_ms == 100 && s->rows[0].stalls == 24);
    assert_int_equal(s->verdict, STALL_SWEEP_FOLLOWS);
    made_close(&m);
}

static void test_refused(void **state)
{
    made m = {0};
    stall_error error;
    stall_report_input *many = stall_mem_zero(STALL_SWEEP_MAX + 1, sizeof(*many));

    (void)state;
    assert_int_equal(stall_report_sweep(NULL, 0, NULL, &m.report, &error), STALL_EUSAGE);
    sweep_add(&m, STALL_UNKNOWN, 4, 900);
    m.series[0].path = stall_mem_text("a/run.csv", 9);
    assert_int_equal(stall_report_sweep(m.inputs, 1, NULL, &m.report, &error), STALL_EUSAGE);
    assert_string_equal(error.source, "a/run.csv");
    assert_has(error.hint, "W=RUN");
    m.inputs[0].options.num_workers = 4;
    for (size_t i = 0; i <= STALL_SWEEP_MAX; i++)
        many[i] = m.inputs[0];
    assert_int_equal(stall_report_sweep(many, STALL_SWEEP_MAX + 1, NULL, &m.report, &error),
                     STALL_EUSAGE);
    m.inputs[0].options.rank = 9;
    assert_int_equal(stall_report_sweep(m.inputs, 1, NULL, &m.report, &error), STALL_EUSAGE);
    stall_mem_free(many);
    made_close(&m);
}

/* Empty runs, and worker counts at the end of their range, harm nothing. */
static void test_hostile(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, INT64_MAX, 4, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 0, 1, 900);
    made_add(&m, -1, 0, 0, 0, 30, 1);
    made_add(&m, -1, 1, 0, 0, 30, 1);
    s = sweep_make(&m);
    assert_int_equal(s->verdict, STALL_SWEEP_PARTLY);
    assert_true(s->rows[3].n == 0 && s->rows[3].follows == -1 && isnan(s->rows[3].mean));
    made_close(&m);
}

static void test_memory(void **state)
{
    made m = {0};
    stall_error error;
    stall_status status = STALL_ENOMEM;
    uint64_t at;

    (void)state;
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 4, 700);
    sweep_meta(&m, 2, "in_order", "false");
    for (at = 1; status != STALL_OK; at++) {
        stall_mem_fail_at(at);
        status = stall_report_sweep(m.inputs, m.len, NULL, &m.report, &error);
        assert_true(status == STALL_OK || (error.status == STALL_ENOMEM && m.report.runs == NULL));
    }
    stall_mem_fail_at(0);
    assert_true(at > 100);
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows),      cmocka_unit_test(test_other_verdicts),
        cmocka_unit_test(test_insufficient), cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
