/* Names of rows, verdict lines, and what would settle a sweep. */
#include "sweep_support.h"

static const char *row(made *m, size_t i)
{
    static char buf[256];
    stall_text t;

    stall_text_init(&t);
    stall_words_row(&t, &m->report, i);
    snprintf(buf, sizeof(buf), "%s", t.data);
    stall_text_close(&t);
    return buf;
}

static void test_rows(void **state)
{
    made m = {0};

    (void)state;
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_make(&m);
    assert_string_equal(row(&m, 0), "1 worker");
    assert_string_equal(row(&m, 1), "4 workers");
    sweep_add(&m, 4, 4, 900); /* the same settings: the names tell them apart */
    sweep_make(&m);
    assert_string_equal(row(&m, 1), "run (2) (4 workers)");
    sweep_meta(&m, 1, "revision", "\"old\"");
    sweep_meta(&m, 1, "prefetch_factor", "1");
    sweep_meta(&m, 2, "prefetch_factor", "2");
    sweep_meta(&m, 2, "in_order", "False");
    sweep_meta(&m, 2, "pass", "2");
    sweep_make(&m);
    assert_string_equal(row(&m, 1), "4 workers (\"old\", prefetch 1)");
    assert_string_equal(row(&m, 2), "4 workers (unordered, prefetch 2, pass 2)");
    made_close(&m);
}

static void test_headlines(void **state)
{
    made m = {0};

    (void)state;
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 3, 900);
    sweep_meta(&m, 2, "in_order", "false");
    sweep_ranks(&m, 2, 6);
    sweep_make(&m);
    assert_has(m.report.headline, "PARTLY: the gap between stalls is 1 step with 1 worker, 4 steps "
                                  "with 4 workers; it is the worker count in 2 of 2 ordered runs "
                                  "and 0 of 1 unordered");
    assert_has(m.report.more_needed, "such as 3 or 8");
    assert_true(sweep_advises(&m, "time_the_dataset")); /* the ordered runs do follow */
    m.series[0].warnings.partial = true;
    sweep_make(&m);
    assert_has(m.report.headline, "PARTLY (PARTIAL input): ");
    made_close(&m);
    sweep_add(&m, 2, 1, 900);
    sweep_add(&m, 4, 0, 0);
    sweep_make(&m);
    assert_has(m.report.headline, "INSUFFICIENT: no run with 2 workers or more shows gaps");
    assert_has(m.report.more_needed, "Runs with 2 and 4 workers");
    made_close(&m);
    sweep_add(&m, 2, 2, 900);
    sweep_add(&m, 4, 0, 0);
    sweep_make(&m);
    assert_has(m.report.headline, "INSUFFICIENT: only the runs with 2 workers show gaps");
    made_close(&m);
}

static void test_contradiction(void **state)
{
    made m = {0};

    (void)state;
    sweep_add(&m, 4, 4, 900);
    sweep_meta(&m, 0, "num_workers", "8");
    assert_has(sweep_finding(sweep_make(&m), "workers_differ"),
               "run: 4 was given, its metadata say 8.");
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_headlines),
        cmocka_unit_test(test_contradiction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
