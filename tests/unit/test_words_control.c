/* What the workers' own figures say: counters, PIDs, stalls by worker. */
#include "sweep_support.h"

static void add_counter(made *m, size_t i, const char *name, double slow, double fast)
{
    stall_series *s = &m->series[i];
    stall_error error;
    size_t at;

    assert_int_equal(stall_series_counter(s, name, strlen(name), &at, &error), STALL_OK);
    for (size_t k = 0; k < s->len; k++)
        s->counters[at].values[k] = k % 4 == 0 ? slow : fast;
}

static void test_counters(void **state)
{
    made m = {0};
    const char *text;

    (void)state;
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 4, 4, 900);
    assert_null(sweep_finding(sweep_make(&m), "workers"));
    add_counter(&m, 0, "worker_cpu_ms", 700, 10);
    add_counter(&m, 1, "worker_cpu_ms", 10, 10);
    add_counter(&m, 0, "read_bytes", 0, 0);
    add_counter(&m, 1, "majflt", 5, 0);
    text = sweep_finding(sweep_make(&m), "workers");
    assert_has(text, "worker_cpu_ms is clearly higher in stalled steps in 1 of 2 runs (run: median "
                     "700 against 10, rank-biserial 1.00)");
    assert_has(text, "names no line of code");
    assert_has(text, " read_bytes has a median of 0 there");
    assert_lacks(text, "majflt");
    made_close(&m);
}

static void test_processes(void **state)
{
    made m = {0};
    stall_series *s;
    stall_error error;
    const char *text;

    (void)state;
    sweep_add(&m, 4, 4, 900);
    s = &m.series[0];
    s->len = 0; /* push them anew, with their workers */
    for (size_t k = 0; k < 48; k++) {
        stall_row row = s->rows[k];

        assert_int_equal(stall_series_push(s, &row, &error), STALL_OK);
        stall_series_set_worker_id(s, k % 4 == 0 ? "0" : "1", 1, &error);
        stall_series_set_worker_pids(s, "1;2", 3, &error);
    }
    text = sweep_finding(sweep_make(&m), "workers");
    assert_has(text, "The set of worker PIDs never changes in 1 run: no worker was started anew.");
    assert_has(text, "Stalls of run by worker: 0 has 12. With delivery in order");
    assert_has(text, "does not accuse a worker");
    stall_series_set_worker_pids(s, "1;3", 3, &error);
    text = sweep_finding(sweep_make(&m), "workers");
    assert_has(text, "The set of worker PIDs changes 1 time in 1 run: workers were started anew.");
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_processes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
