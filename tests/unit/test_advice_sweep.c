/* What to try after a sweep, and what a period that ignores the pool suggests. */
#include "sweep_support.h"

static const char *advice(made *m)
{
    static char buf[512];

    sweep_make(m);
    buf[0] = '\0';
    for (size_t i = 0; i < m->report.advice_len; i++)
        snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), "%s%s", i > 0 ? " " : "",
                 m->report.advice[i].code);
    made_close(m);
    return buf;
}

static void test_advice(void **state)
{
    made m = {0};

    (void)state;
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 4, 900);
    assert_string_equal(advice(&m), "order_control time_the_dataset second_pass");
    sweep_add(&m, 2, 7, 900);
    sweep_add(&m, 4, 7, 900);
    sweep_add(&m, 4, 7, 900);
    assert_string_equal(advice(&m), "compare_intervals log_sample_ids");
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 7, 900);
    assert_string_equal(advice(&m), "second_pass");
    sweep_add(&m, 4, 4, 900);
    assert_string_equal(advice(&m), "sweep_workers");
    sweep_add(&m, 4, 0, 0);
    assert_string_equal(advice(&m), "look_elsewhere");
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_meta(&m, 1, "in_order", "false");
    sweep_ranks(&m, 1, 3);
    assert_string_equal(advice(&m), "time_the_dataset second_pass");
}

static void test_position(void **state)
{
    made m = {0};
    const char *text;

    (void)state;
    sweep_add(&m, 2, 7, 900);
    sweep_add(&m, 4, 7, 900);
    text = sweep_finding(sweep_make(&m), "cadence");
    assert_has(text,
               "A period stays 7 whatever the worker count: that suggests a position in the data");
    made_close(&m);
    sweep_add(&m, 2, 5, 900);
    sweep_add(&m, 4, 10, 900);
    m.inputs[1].options.stall_ms = NAN;
    text = sweep_finding(sweep_make(&m), "cadence");
    assert_has(text, "Periods stay multiples of 5 whatever the worker count");
    made_close(&m);
    sweep_add(&m, 2, 5, 900);
    sweep_add(&m, 4, 7, 900);
    text = sweep_finding(sweep_make(&m), "cadence");
    assert_has(text, "It does not fit 2 workers (period 5); 4 workers (period 7).");
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_position),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
