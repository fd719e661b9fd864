/* Gates: every cell of the table. */
#include "compare_support.h"

#define NOT_IMPROVED (1u << STALL_WHY_step_time_not_improved)
#define NOT_WORSE (1u << STALL_WHY_step_time_not_worse)

static int exit_of(stall_gate gate, int met)
{
    stall_report r;

    stall_report_init(&r);
    r.command = STALL_COMMAND_COMPARE;
    r.gate = gate;
    r.gate_met = met;
    return stall_report_exit(&r);
}

static void test_table(void **state)
{
    static const struct {
        stall_verdict verdict;
        stall_confidence confidence;
        uint32_t why;
        int exit[3]; /* no-regression, improved, fixed */
    } rows[] = {
        {STALL_VERDICT_FIXED, STALL_CONFIDENCE_HIGH, 0, {0, 0, 0}},
        {STALL_VERDICT_FIXED, STALL_CONFIDENCE_MEDIUM, 0, {0, 0, 0}},
        {STALL_VERDICT_FIXED, STALL_CONFIDENCE_LOW, 0, {0, 3, 3}},
        {STALL_VERDICT_IMPROVED, STALL_CONFIDENCE_HIGH, 0, {0, 0, 1}},
        {STALL_VERDICT_IMPROVED, STALL_CONFIDENCE_LOW, 0, {0, 3, 1}},
        {STALL_VERDICT_IMPROVED, STALL_CONFIDENCE_HIGH, NOT_IMPROVED, {0, 3, 1}},
        {STALL_VERDICT_UNCHANGED, STALL_CONFIDENCE_NONE, 0, {0, 1, 1}},
        {STALL_VERDICT_REGRESSED, STALL_CONFIDENCE_MEDIUM, 0, {1, 1, 1}},
        {STALL_VERDICT_REGRESSED, STALL_CONFIDENCE_LOW, 0, {3, 1, 1}},
        {STALL_VERDICT_REGRESSED, STALL_CONFIDENCE_HIGH, NOT_WORSE, {3, 1, 1}},
        {STALL_VERDICT_INCONCLUSIVE, STALL_CONFIDENCE_NONE, 0, {3, 3, 3}},
    };
    static const stall_gate gates[] = {STALL_GATE_NO_REGRESSION, STALL_GATE_IMPROVED,
                                       STALL_GATE_FIXED};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t g = 0; g < 3; g++) {
            int met =
                stall_gate_judge(gates[g], rows[i].verdict, rows[i].confidence, rows[i].why, false);

            assert_int_equal(exit_of(gates[g], met), rows[i].exit[g]);
            met =
                stall_gate_judge(gates[g], rows[i].verdict, rows[i].confidence, rows[i].why, true);
            assert_int_equal(exit_of(gates[g], met), 3); /* PARTIAL */
            met = stall_gate_judge(STALL_GATE_NONE, rows[i].verdict, rows[i].confidence,
                                   rows[i].why, true);
            assert_int_equal(exit_of(STALL_GATE_NONE, met), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
