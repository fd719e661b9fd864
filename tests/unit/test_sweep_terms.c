/* Every verdict of a sweep and every outcome of a control has words and a help text. */
#include "sweep_support.h"

static void test_terms(void **state)
{
    (void)state;
    for (int v = 0; v <= STALL_SWEEP_PARTLY; v++)
        assert_true(strlen(stall_sweep_term((stall_sweep_verdict)v)->help) > 60);
    for (int o = 0; o <= STALL_CONTROL_UNDECIDED; o++)
        assert_true(strlen(stall_control_term((stall_control_outcome)o)->help) > 60);
    assert_string_equal(stall_sweep_term(STALL_SWEEP_DOES_NOT_FOLLOW)->code, "does_not_follow");
    assert_string_equal(stall_control_term(STALL_CONTROL_DID_NOT_ACT)->code, "did_not_act");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
