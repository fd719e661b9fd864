/* The sentences of a run: numbers, open readings, and what must not be said. */
#include "hand_report.h"

static void test_periodic(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;
    const char *t;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    t = hand_shape(&h);
    assert_has(t,
               "8 of 32 steps stall, every 4th step: 7 of 7 gaps between stalls are multiples of "
               "num_workers 4 (p = 2e-05).");
    assert_has(t, "points to the producer side");
    assert_has(t, "A stall waits 990 ms on average; stalls hold 99.0 % of all waiting.");
    assert_has(t, "aiting is 87.0 % of the step time, without the stalls 1.2 %.");
    a->cadence.p_adj = 0;
    assert_has(hand_shape(&h), "(p < 1e-300)");
    a->cadence.period = a->cadence.period_steps = 8;
    a->cadence.worker_match = STALL_MATCH_MULTIPLE;
    t = hand_shape(&h);
    assert_has(t, "Both readings are open: 8 = 2 x num_workers 4, or an epoch of 8 steps.");
    assert_lacks(t, "producer");
    a->facts.steps_per_epoch = 100;
    assert_has(hand_shape(&h), "That is 2 x num_workers 4");
    a->facts.num_workers = STALL_UNKNOWN;
    a->cadence.worker_match = STALL_MATCH_NONE;
    assert_has(hand_shape(&h), "num_workers is not known: 8 may be");
    a->facts.num_workers = 1;
    assert_has(hand_shape(&h), "With num_workers 1 a pool of workers cannot");
    a->facts.num_workers = 16;
    a->cadence.worker_match = STALL_MATCH_DIVISOR;
    assert_has(hand_shape(&h), "a divisor of num_workers 16");
    a->input.stride = 10;
    a->cadence.period_steps = 80;
    t = hand_shape(&h);
    assert_has(t, "every 80th step");
    assert_has(t, "one step in 10 was logged");
    hand_close(&h);
}

static void test_kinds(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->cadence.period = a->cadence.period_steps = 2;
    for (int i = 0; i < 7; i++)
        h.gaps[i] = 2;
    a->facts.num_workers = 2;
    assert_has(hand_shape(&h), "Stalls at random that only avoid each other pass this test");
    assert_has(hand_shape(&h), "every 2nd step: 7 of 7");
    a->cadence.kind = STALL_CADENCE_PATTERN;
    assert_has(hand_shape(&h), "in a pattern that repeats every 2 steps");
    a->cadence.kind = STALL_CADENCE_INVERSE;
    assert_has(hand_shape(&h), "all but every 2nd step");
    a->cadence.kind = STALL_CADENCE_JITTERED;
    assert_has(hand_shape(&h), "about every 2nd step");
    a->extras.order = (stall_order){.known = true, .deliveries = 32, .overtaking = 9};
    assert_has(hand_shape(&h), "9 of 32 deliveries overtook an earlier batch");
    a->shape = STALL_SHAPE_HEAVY_LONG_CYCLE;
    a->cadence.period = a->cadence.period_steps = 50;
    assert_has(hand_shape(&h), "A cycle of 50 steps is too long to be called a cadence of workers");
    hand_close(&h);
}

static void test_cheap(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;
    const char *t;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->shape = STALL_SHAPE_NO_INPUT_PROBLEM;
    a->wall_share = a->wall_share_steady = 0.004;
    a->notes = 1u << STALL_NOTE_stalls_but_cheap;
    t = hand_shape(&h);
    assert_has(t, "aiting for input is 0.4 % of the step time (mean 220 ms a step)");
    assert_has(t, "every 4th step");
    assert_has(t, "But they are cheap: all of them together wait 7.92 s, 0.4 % of the step time.");
    a->notes = 1u << STALL_NOTE_share_near_limit;
    assert_has(hand_shape(&h), "all waits together, the first step's too, are 8.00 s, "
                               "the most that could be saved");
    a->wall_share = a->wall_share_steady = NAN;
    a->notes = 1u << STALL_NOTE_step_time_unknown;
    assert_has(hand_shape(&h), "step times are not known, so neither is its share");
    hand_close(&h);
}

static void test_uniform(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;
    const char *t;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->shape = STALL_SHAPE_UNIFORM_SLOW;
    a->auto_stall_rate_steady = 1;
    a->cadence.kind = STALL_CADENCE_EVERY_STEP;
    a->cadence.period = a->cadence.period_steps = 1;
    t = hand_shape(&h);
    assert_has(t, "Every step waits: median 1.00 ms, p95 990 ms");
    assert_has(t, "There is no cadence to explain");
    assert_lacks(t, "every 1");
    a->notes = 1u << STALL_NOTE_uniform_with_spikes;
    assert_has(hand_shape(&h), "over 10 medians long, up to 1.10 s");
    a->threshold.given = true;
    a->threshold.ms = 5000;
    a->stalls.count = 0;
    assert_has(hand_shape(&h), "No wait is above the threshold given, 5.00 s; the automatic one is "
                               "100 ms.");
    hand_close(&h);
}

static void test_open(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;
    const char *t;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->shape = STALL_SHAPE_INCONCLUSIVE;
    a->notes = 1u << STALL_NOTE_too_few_stalls;
    a->stalls.count = a->cadence.stalls = 1;
    h.steps[0] = 32;
    t = hand_shape(&h);
    assert_has(t, "1 of 32 steps stalls (step 32). It waits 7.92 s, which is 99.0 % of all");
    assert_has(t, "about 224 more steps would show 8");
    assert_lacks(t, "every");
    a->notes = 1u << STALL_NOTE_stall_threshold_too_low;
    assert_has(hand_shape(&h), "the threshold is too low. The automatic one is 100 ms.");
    a->notes = 1u << STALL_NOTE_too_few_steps;
    a->dist.n = 1;
    assert_has(hand_shape(&h), "Only 1 step with a known wait, 250 ms on average");
    a->dist.n = 0;
    assert_has(hand_shape(&h), "No step has a known wait.");
    hand_close(&h);
}

static void test_others(void **state)
{
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;
    stall_rank_figures ranks[2] = {{.rank = 0, .slowest = 2}, {.rank = 3, .slowest = 30}};
    stall_counter_contrast cpu = {"worker_cpu_ms", 8, 24, 900, 12.5, 0.97};
    stall_point points[2] = {{.t = 0, .wait_ms = 4200}, {.t = 1, .wait_ms = 3}};
    const char *t;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->shape = STALL_SHAPE_HEAVY_RANDOM;
    a->cadence.kind = STALL_CADENCE_NONE;
    a->cadence.gap_min = 1;
    a->cadence.gap_max = 9;
    a->extras.counters = &cpu;
    a->extras.counters_len = 1;
    a->extras.pids_known = true;
    a->extras.pid_set_changes = 2;
    a->notes = 1u << STALL_NOTE_bulk_also_slow | 1u << STALL_NOTE_holes;
    a->per_rank = ranks;
    a->per_rank_len = 2;
    t = hand_shape(&h);
    assert_has(t, "No cadence was found at this evidence (gaps of 1 to 9 steps, median 4).");
    assert_lacks(t, "random");
    assert_has(t, "worker_cpu_ms is higher in stalled steps (median 900 against 12.5)");
    assert_has(t, "The set of worker PIDs changes 2 times");
    assert_has(t, "Even without the stalls the waits would hold the loop");
    assert_has(t, "Many steps are missing or unknown");
    assert_has(t, "Rank 3 waited longest in 30 of 32 steps");
    a->shape = STALL_SHAPE_HEAVY_CLUSTERED;
    a->cadence.runs = 2;
    a->cadence.runs_p = 1e-6;
    assert_has(hand_shape(&h), "in 2 bursts of adjacent steps (p = 1e-06)");
    a->change = (stall_change){STALL_CHANGE_STALLS, 63, 62, 2e-7, 1, 1, 304, 17.8, 0.42, 0.02};
    a->shape = STALL_SHAPE_REGIME_CHANGE;
    assert_has(hand_shape(&h), "before and after step 63 are two regimes (p = 2e-07): mean 304 ms "
                               "before, 17.8 ms after; 42.0 % of the steps stall before, 2.0 % "
                               "after.");
    a->shape = STALL_SHAPE_STARTUP_ONLY;
    a->notes = 0;
    a->points = points;
    a->points_len = 2;
    assert_has(hand_shape(&h), "1 first step of 1 segment waits 4.20 s in all, 52.5 % of all");
    hand_close(&h);
}

static void test_supply(void **state)
{
    double cpu[] = {880, 0, NAN};
    char name[] = "worker_cpu_ms";
    stall_counter counter = {name, cpu};
    stall_series series = {.counters = &counter, .len = 3};
    stall_run run = {.series = &series};
    stall_analysis *a = &run.analysis;
    stall_text t;

    (void)state;
    a->supply = (stall_supply){true, 471, 21.6, 21.8, 471, 22};
    a->facts.num_workers = 4;
    a->facts.cpus = STALL_UNKNOWN;
    stall_text_init(&t);
    stall_words_supply(&t, &run);
    assert_string_equal(t.data,
                        "A batch costs about 0.47 CPU-seconds; the loop would take one every "
                        "21.6 ms: 22 cores, or batches 21.8 x cheaper, if producing them is bound "
                        "by CPU and the host is otherwise idle.");
    stall_text_close(&t);
    series.counters_len = 1;
    a->facts.cpus = 2;
    stall_words_supply(&t, &run);
    assert_has(t.data, "22 cores (this host has 2 CPUs), or");
    assert_has(t.data, "count agrees: 0.44 CPU-seconds a batch (worker_cpu_ms)");
    stall_text_close(&t);
    cpu[0] = 200;
    a->facts.num_workers = 0;
    stall_words_supply(&t, &run);
    assert_has(t.data, "With num_workers 0 the loop makes every batch itself");
    assert_has(t.data, "22 workers (this host");
    assert_has(t.data, "only 0.10 CPU-seconds a batch");
    stall_text_close(&t);
    a->supply.batch_cost_ms = NAN;
    a->supply.cores_needed = STALL_UNKNOWN;
    stall_words_supply(&t, &run);
    assert_has(t.data, "batches must come 21.8 x faster for the wait to vanish");
    stall_text_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_cheap),    cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_open),     cmocka_unit_test(test_others),
        cmocka_unit_test(test_supply),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
