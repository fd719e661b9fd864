/* Pairs that differ in one setting: which run goes with which, and what the pair tells. */
#include "sweep_support.h"

static void test_outcomes(void **state)
{
    static const struct {
        size_t period; /* of the unordered run */
        double slow;
        int swaps; /* -1: no ranks were logged */
        stall_control_outcome outcome;
        const char *text;
    } cases[] = {
        {4, 900, 5, STALL_CONTROL_NOT_MAIN_CAUSE, "so delivery in order is not its main cause"},
        {4, 900, 0, STALL_CONTROL_DID_NOT_ACT, "so this control controlled nothing"},
        {4, 900, -1, STALL_CONTROL_UNDECIDED, "no batch ranks were logged"},
        {0, 900, 5, STALL_CONTROL_IMPLICATED, "The period of 4 is gone (12 -> 0 stalls)"},
        {3, 900, 5, STALL_CONTROL_IMPLICATED, "The period of 4 is gone (it is 3 now)"},
        {1, 900, 5, STALL_CONTROL_IMPLICATED, "nearly every step stalls"},
        {20, 900, 5, STALL_CONTROL_UNDECIDED, "3 stalls of the second neither keep the period"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        made m = {0};
        const stall_sweep *s;

        sweep_add(&m, 4, 4, 900);
        sweep_add(&m, 4, cases[i].period, cases[i].slow);
        sweep_meta(&m, 1, "in_order", "false");
        if (cases[i].swaps >= 0)
            sweep_ranks(&m, 1, (size_t)cases[i].swaps);
        s = sweep_make(&m);
        assert_int_equal(s->controls_len, 1);
        assert_true(s->controls[0].base == 0 && s->controls[0].other == 1);
        assert_int_equal(s->controls[0].outcome, cases[i].outcome);
        assert_has(s->controls[0].text, cases[i].text);
        assert_has(s->controls[0].text, "Mean wait 22");
        assert_has(m.report.headline, "ORDER CONTROL: ");
        assert_int_equal(sweep_advises(&m, "order_control"),
                         cases[i].outcome == STALL_CONTROL_DID_NOT_ACT);
        made_close(&m);
    }
}

/* A base without cadence has none to lose. */
static void test_no_cadence(void **state)
{
    made m = {0};
    const stall_sweep *s;

    (void)state;
    sweep_add(&m, 4, 1, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_meta(&m, 1, "in_order", "false");
    sweep_ranks(&m, 1, 3);
    s = sweep_make(&m);
    assert_int_equal(s->controls[0].outcome, STALL_CONTROL_UNDECIDED);
    assert_has(s->controls[0].text, "no cadence that could be lost");
    made_close(&m);
    sweep_add(&m, 4, 20, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_meta(&m, 1, "in_order", "false");
    sweep_ranks(&m, 1, 3);
    s = sweep_make(&m);
    assert_int_equal(s->controls[0].outcome, STALL_CONTROL_UNDECIDED);
    assert_has(s->controls[0].text, "the first of the two has 3 stalls");
    made_close(&m);
}

static void test_pairs(void **state)
{
    static const char *const passes[] = {"1", "1", "2", "2", "1"};
    made m = {0};
    const stall_sweep *s;

    (void)state;
    for (int i = 0; i < 5; i++) {
        size_t at = sweep_add(&m, i == 4 ? 2 : 4, i == 4 ? 2 : 4, 900);

        sweep_meta(&m, at, "pass", passes[i]);
        sweep_meta(&m, at, "in_order", i == 1 || i == 2 ? "false" : "true");
        sweep_ranks(&m, at, i == 1 || i == 2 ? 4 : 0);
    }
    s = sweep_make(&m);
    assert_int_equal(s->controls_len, 2);
    assert_true(s->controls[0].base == 0 && s->controls[0].other == 1 && s->controls[0].same_pass);
    assert_true(s->controls[1].base == 3 && s->controls[1].other == 2);
    assert_has(s->controls[1].text, "Ordered against unordered, 4 workers, pass 2: ");
    made_close(&m);
    /* of another worker count or revision: no pair */
    sweep_add(&m, 4, 4, 900);
    sweep_add(&m, 2, 4, 900);
    sweep_add(&m, 4, 4, 900);
    sweep_meta(&m, 0, "revision", "\"old\"");
    sweep_meta(&m, 1, "in_order", "false");
    sweep_meta(&m, 2, "in_order", "false");
    assert_int_equal(sweep_make(&m)->controls_len, 0);
    made_close(&m);
}

static void test_prefetch(void **state)
{
    static const char *const factors[] = {"4", "1", "2"};
    made m = {0};
    const stall_sweep *s;

    (void)state;
    for (int i = 0; i < 3; i++) {
        sweep_add(&m, 4, i == 2 ? 3 : 4, i == 1 ? 1800 : 900);
        sweep_meta(&m, (size_t)i, "prefetch_factor", factors[i]);
    }
    s = sweep_make(&m);
    assert_int_equal(s->controls_len, 2);
    assert_true(s->controls[0].kind == STALL_CONTROL_PREFETCH);
    assert_true(s->controls[0].base == 2 && s->controls[0].other == 0); /* 2 against 4 */
    assert_true(s->controls[1].base == 1 && s->controls[1].other == 2); /* 1 against 2 */
    assert_int_equal(s->controls[1].outcome, STALL_CONTROL_IMPLICATED);
    assert_has(s->controls[1].text,
               "prefetch_factor 1 against 2, 4 workers: The period of 4 is gone");
    assert_has(s->controls[1].text, "lets workers bank a lead");
    assert_has(m.report.headline, "takes part in the cadence: the period is gone (2 pairs)");
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_no_cadence),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_prefetch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
