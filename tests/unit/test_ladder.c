/* The mean wait by worker count: which runs make a rung, and where it stops falling. */
#include "sweep_support.h"

/* Runs in which every step waits `means[i]` with 1, 2, 4 .. workers. */
static const stall_sweep *climb(made *m, const double *means, size_t n, int64_t cpus)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = sweep_add(m, INT64_C(1) << i, 1, means[i]);

        m->inputs[at].options.cpus = cpus;
    }
    return sweep_make(m);
}

static void test_stops(void **state)
{
    static const struct {
        double means[4];
        int64_t cpus, stops_at;
        const char *text;
    } cases[] = {
        {{800, 400, 390, 395},
         2,
         2,
         "It falls up to 2 and hardly beyond, where the 2 logical CPUs end"},
        {{800, 400, 390, 395}, 16, 2, "although there are 16 logical CPUs: that suggests a lock"},
        {{800, 400, 390, 395}, STALL_UNKNOWN, 2, "is not known (--cpus)"},
        {{800, 400, 200, 100}, 16, 8, "It still falls at 8, the most that were tried."},
        {{800, 400, 200, 100},
         2,
         8,
         "beyond the 2 logical CPUs: that suggests producers that partly wait"},
        {{800, 790, 810, 800}, 1, 1, "It does not fall beyond 1, where the 1 logical CPU ends"},
        {{400, 200, 600, 700}, 2, 2, "With more it even rises."},
        {{4, 3, 2, 2}, 2, 4, "too little to read anything from"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        made m = {0};
        const stall_sweep *s = climb(&m, cases[i].means, 4, cases[i].cpus);

        assert_int_equal(s->rungs_len, 4);
        assert_int_equal(s->stops_at, cases[i].stops_at);
        assert_has(sweep_finding(s, "mean_wait"), cases[i].text);
        made_close(&m);
    }
}

static void test_rungs(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 0, 1, 900);
    sweep_add(&m, 1, 1, 900);
    sweep_add(&m, 0, 1, 700);
    sweep_add(&m, 4, 0, 0);   /* another revision */
    sweep_add(&m, 2, 2, 900); /* unordered */
    for (size_t i = 0; i < 6; i++)
        sweep_meta(&m, i, "revision", i == 4 ? "\"new\"" : "\"old\"");
    sweep_meta(&m, 5, "in_order", "false");
    s = sweep_make(&m);
    assert_int_equal(s->rungs_len, 3);
    assert_true(s->rungs[0].workers == 0 && s->rungs[0].runs == 2);
    assert_true(s->rungs[0].low < 720 && s->rungs[0].high > 880);
    assert_true(s->rungs[2].workers == 4 && s->rungs[2].runs == 1);
    assert_false(s->rows[4].ladder || s->rows[5].ladder);
    assert_has(sweep_finding(s, "other_revision"), ", 0 stalls against 12.");
    assert_has(sweep_finding(s, "supply"), "A batch costs about ");
    made_close(&m);
    sweep_add(&m, 4, 4, 900); /* one count has no ladder */
    sweep_add(&m, 4, 4, 900);
    s = sweep_make(&m);
    assert_true(s->rungs_len == 0 && s->stops_at == STALL_UNKNOWN);
    assert_null(sweep_finding(s, "mean_wait"));
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_rungs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
