/* What is advised for each shape and verdict. */
#include "hand_report.h"

static void test_shapes(void **state)
{
    static const struct {
        stall_shape shape;
        const char *codes;
    } rows[] = {
        {STALL_SHAPE_NO_INPUT_PROBLEM, "look_elsewhere"},
        {STALL_SHAPE_STARTUP_ONLY, "persistent_workers"},
        {STALL_SHAPE_UNIFORM_SLOW, "time_the_dataset"},
        {STALL_SHAPE_HEAVY_PERIODIC, "sweep_workers order_control"},
        {STALL_SHAPE_HEAVY_LONG_CYCLE, "compare_epoch"},
        {STALL_SHAPE_HEAVY_CLUSTERED, "check_neighbours"},
        {STALL_SHAPE_HEAVY_RANDOM, "log_sample_ids"},
        {STALL_SHAPE_REGIME_CHANGE, "check_neighbours record_longer"},
        {STALL_SHAPE_INCONCLUSIVE, "record_longer log_sample_ids"},
    };
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        h.runs[0].analysis.shape = rows[i].shape;
        assert_string_equal(hand_advice(&h), rows[i].codes);
    }
    hand_close(&h);
}

static void test_periodic(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->cadence.period = a->cadence.period_steps = 8;
    a->cadence.worker_match = STALL_MATCH_MULTIPLE; /* 2 x 4, or an epoch of 8 */
    assert_string_equal(hand_advice(&h), "sweep_workers compare_epoch order_control");
    assert_has(h.list.items[0].text, "persistent_workers=True");
    a->facts.steps_per_epoch = 1000;
    assert_string_equal(hand_advice(&h), "sweep_workers order_control");
    a->extras.order = (stall_order){.known = true, .deliveries = 32, .overtaking = 5};
    assert_string_equal(hand_advice(&h), "sweep_workers"); /* the control was run */
    a->cadence.worker_match = STALL_MATCH_NO;
    assert_string_equal(hand_advice(&h), "compare_intervals");
    a->facts.num_workers = STALL_UNKNOWN;
    a->cadence.worker_match = STALL_MATCH_NONE;
    assert_string_equal(hand_advice(&h), "log_workers");
    a->facts.num_workers = 1;
    assert_string_equal(hand_advice(&h), "compare_intervals");
    a->input.stride = 10;
    assert_string_equal(hand_advice(&h), "record_longer");
    assert_has(h.list.items[0].text, "Log every step instead of one in 10");
    hand_close(&h);
}

static void test_sweep(void **state)
{
    static const struct {
        int64_t workers, cpus;
        const char *counts;
    } rows[] = {
        {2, 8, "over 0, 1, 2 and 4, and back."},
        {4, STALL_UNKNOWN, "over 0, 1, 2 and 4, and back."},
        {3, STALL_UNKNOWN, "over 1, 3 and 6, and back."},
        {16, 64, "over 8, 16 and 32, and back."},
        {16, 24, "over 8, 16 and 24 (the CPUs here), and back."},
        {8, 1, "over 4, 8 and 16 (beyond the 1 CPU here), and back."},
        {INT64_MAX, 8, "over 0, 1, 2 and 4, and back."}, /* hostile metadata */
    };
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        h.runs[0].analysis.facts.num_workers = rows[i].workers;
        h.runs[0].analysis.facts.cpus = rows[i].cpus;
        hand_advice(&h);
        assert_has(h.list.items[0].text, rows[i].counts);
    }
    hand_close(&h);
}

static void test_record(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->shape = STALL_SHAPE_INCONCLUSIVE;
    a->facts.num_workers = 16;
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Record longer");
    a->stalls.count = a->cadence.stalls = 5;
    a->cadence.positions = 32;
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Record about 20 more steps.");
    a->stalls.count = a->cadence.stalls = 1;
    assert_string_equal(hand_advice(&h), "log_sample_ids record_longer");
    assert_has(h.list.items[0].text, "samples of the slow batch (");
    a->notes = 1u << STALL_NOTE_too_few_steps;
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Record 128 steps or more, so");
    a->facts.num_workers = INT64_MAX; /* hostile metadata */
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Record 64 steps or more");
    a->facts.num_workers = STALL_UNKNOWN;
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Record 64 steps or more, with num_workers");
    a->notes = 1u << STALL_NOTE_stall_threshold_too_low;
    hand_advice(&h);
    assert_has(h.list.items[0].text, "Leave --stall-ms out");
    hand_close(&h);
}

static void test_verdicts(void **state)
{
    hand_report h;
    stall_comparison *c = &h.report.compare;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    h.runs[1].analysis.shape = STALL_SHAPE_NO_INPUT_PROBLEM;
    c->verdict = STALL_VERDICT_FIXED;
    assert_string_equal(hand_advice(&h), "stop_here");
    c->why = 1u << STALL_WHY_single_pass;
    assert_string_equal(hand_advice(&h), "second_pass stop_here");
    h.runs[1].analysis.shape = STALL_SHAPE_UNIFORM_SLOW;
    c->verdict = STALL_VERDICT_IMPROVED;
    assert_string_equal(hand_advice(&h), "time_the_dataset second_pass");
    c->verdict = STALL_VERDICT_UNCHANGED;
    c->why = 1u << STALL_WHY_identical;
    assert_string_equal(hand_advice(&h), "second_pass time_the_dataset");
    c->verdict = STALL_VERDICT_INCONCLUSIVE;
    c->why = 1u << STALL_WHY_passes_overlap;
    assert_string_equal(hand_advice(&h), "second_pass sweep_workers order_control");
    c->why = 1u << STALL_WHY_too_few_stalls;
    assert_string_equal(hand_advice(&h), "record_longer sweep_workers order_control");
    assert_has(h.list.items[0].text, "at least 12 more steps of the side called new");
    hand_close(&h);
}

static void test_terms(void **state)
{
    size_t n = 0;

    (void)state;
    for (const stall_term *t = stall_advice_terms; t->code != NULL; t++, n++)
        assert_true(strlen(t->words) > 5 && strlen(t->help) > 20);
    assert_int_equal(n, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_record), cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_terms),  cmocka_unit_test(test_sweep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
