/* The shape of the waiting: src/analyze/shape.c, and the analysis as a whole. */
#include "analyze_support.h"

#define U STALL_UNKNOWN

typedef struct expected {
    const char *strip;
    int64_t workers;
    stall_shape shape;
    stall_confidence confidence;
    const char *distribution, *structure;
} expected;

static void check(const subject *s, const expected *want)
{
    if (s->a.shape != want->shape)
        fail_msg("%s: shape %s", want->strip, stall_shape_term(s->a.shape)->code);
    assert_int_equal(s->a.confidence, want->confidence);
    assert_string_equal(s->a.distribution, want->distribution);
    assert_string_equal(s->a.structure, want->structure);
}

static void shapes_of_strips(void **state)
{
    static const expected want[] = {
        {"S...S..", 4, STALL_SHAPE_INCONCLUSIVE, STALL_CONFIDENCE_LOW, "n/a", "n/a"},
        {"........................", 4, STALL_SHAPE_NO_INPUT_PROBLEM, STALL_CONFIDENCE_HIGH, "none",
         "n/a"},
        {"S.......................", 4, STALL_SHAPE_STARTUP_ONLY, STALL_CONFIDENCE_HIGH, "none",
         "n/a"},
        {"SSSSSSSSSSSSSSSSSSSSSSSS", 4, STALL_SHAPE_UNIFORM_SLOW, STALL_CONFIDENCE_HIGH, "uniform",
         "n/a"},
        {"S...S...S...S...S...S...S...S...", 4, STALL_SHAPE_HEAVY_PERIODIC, STALL_CONFIDENCE_HIGH,
         "heavy", "periodic"},
        {"S...S...S...S...", 4, STALL_SHAPE_HEAVY_PERIODIC, STALL_CONFIDENCE_LOW, "heavy",
         "periodic"},
        {"....S..........S........", 4, STALL_SHAPE_INCONCLUSIVE, STALL_CONFIDENCE_LOW, "heavy",
         "undetermined"},
    };
    subject s;

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        subject_of(&s, want[i].strip, STRIP_WORK, want[i].workers);
        check(&s, &want[i]);
        subject_close(&s);
    }
}

static void too_few_steps_decide_nothing(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "SSSSSSS", STRIP_WORK, 4);
    assert_int_equal(s.a.input_problem, -1);
    assert_nan(s.a.wall_share_no_stalls);
    assert_true(has_note(&s, too_few_steps));
    subject_close(&s);
    subject_of(&s, "SSSSSSSS", STRIP_WORK, 4); /* eight, and seven steady ones */
    assert_int_equal(s.a.shape, STALL_SHAPE_UNIFORM_SLOW);
    subject_close(&s);
}

/* Every 40th step: no worker cadence, unless there are so many workers. */
static void long_cycles_are_no_worker_cadence(void **state)
{
    char strip[401];
    subject s;

    (void)state;
    for (size_t i = 0; i < 400; i++)
        strip[i] = i % 40 == 7 ? 'S' : '.';
    strip[400] = '\0';
    subject_of(&s, strip, STRIP_WORK, 4);
    assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_LONG_CYCLE);
    assert_string_equal(s.a.structure, "long_cycle");
    assert_false(has_note(&s, cadence_is_not_num_workers)); /* 40 is a multiple of 4 */
    subject_close(&s);
    subject_of(&s, strip, STRIP_WORK, 40);
    assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_PERIODIC);
    subject_close(&s);
}

static void notes_about_the_workers(void **state)
{
    static const struct {
        int64_t workers;
        bool other, unknown;
    } want[] = {{4, false, false}, {2, false, false}, {3, true, false}, {8, true, false},
                {0, true, false},  {1, true, false},  {U, false, true}};
    subject s;

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        subject_of(&s, "S...S...S...S...S...S...S...S...", STRIP_WORK, want[i].workers);
        assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_PERIODIC);
        assert_int_equal(has_note(&s, cadence_is_not_num_workers), want[i].other);
        assert_int_equal(has_note(&s, num_workers_unknown), want[i].unknown);
        subject_close(&s);
    }
}

/* A new pool in every epoch: its first step costs more than all others. */
static void epochs_that_start_slowly(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    for (int i = 0; i < 60; i++)
        subject_row(&s, 0, i / 10, i, i % 10 == 0 ? 5000 * MS : 20 * MS, STRIP_WORK);
    subject_analyze(&s);
    assert_int_equal(s.a.shape, STALL_SHAPE_STARTUP_ONLY);
    assert_int_equal(s.a.confidence, STALL_CONFIDENCE_HIGH);
    assert_string_equal(s.a.structure, "segment_starts");
    assert_true(has_note(&s, steady_also_slow));
    subject_close(&s);
}

static void clusters_and_random_stalls(void **state)
{
    char strip[401];
    uint64_t seed = 8;
    subject s;

    (void)state;
    for (size_t i = 0; i < 400; i++) /* bursts of six at uneven distances, as often early as late */
        strip[i] = (i % 100 >= 20 && i % 100 < 26) || (i % 100 >= 57 && i % 100 < 63) ? 'S' : '.';
    strip[400] = '\0';
    subject_of(&s, strip, STRIP_WORK, 4);
    assert_true(s.a.cadence.runs_p <= 1e-4);
    assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_CLUSTERED);
    assert_int_equal(s.a.confidence, STALL_CONFIDENCE_HIGH);
    subject_close(&s);
    random_strip(strip, 400, 0.12, &seed);
    subject_of(&s, strip, STRIP_WORK, 4);
    assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_RANDOM);
    assert_int_equal(s.a.confidence, STALL_CONFIDENCE_HIGH);
    subject_close(&s);
}

static void low_thresholds_are_said(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    s.options.stall_ms = 0.5;
    subject_strip(&s, "S...S...S...S...S...S...", STRIP_WORK);
    subject_analyze(&s);
    assert_int_equal(s.a.cadence.kind, STALL_CADENCE_EVERY_STEP);
    assert_int_equal(s.a.shape, STALL_SHAPE_INCONCLUSIVE);
    assert_true(has_note(&s, stall_threshold_too_low));
    subject_close(&s);
}

/* The share without the stalls: 8 ms of 38 are a problem of their own. */
static void a_slow_bulk_is_said(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    for (int i = 0; i < 64; i++)
        subject_row(&s, 0, U, i, i % 4 == 0 ? 100 * MS : 12 * MS, STRIP_WORK);
    s.options.stall_ms = 50;
    subject_analyze(&s);
    assert_true(s.a.wall_share_no_stalls > 0.1);
    assert_int_equal(s.a.shape, STALL_SHAPE_HEAVY_PERIODIC);
    assert_true(has_note(&s, bulk_also_slow));
    subject_close(&s);
}

static void shares_near_the_limit(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    for (int i = 0; i < 40; i++)
        subject_row(&s, 0, U, i, 7 * MS, 93 * MS);
    subject_analyze(&s);
    assert_near(s.a.wall_share_steady, 0.07, 1e-12);
    assert_int_equal(s.a.input_problem, 0);
    assert_int_equal(s.a.shape, STALL_SHAPE_NO_INPUT_PROBLEM);
    assert_int_equal(s.a.confidence, STALL_CONFIDENCE_MEDIUM);
    assert_true(has_note(&s, share_near_limit));
    subject_close(&s);
}

/* Interval 230 ms, work 30 ms: 7.67 times faster; two CPUs give 460 ms of CPU time a batch. */
static void what_the_pool_delivers(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    s.options.num_workers = 4;
    s.options.cpus = 2;
    for (int i = 0; i < 40; i++)
        subject_row(&s, 0, U, i, 200 * MS, 30 * MS);
    subject_analyze(&s);
    assert_true(s.a.supply.known);
    assert_near(s.a.supply.interval_ms, 230, 1e-12);
    assert_near(s.a.supply.work_ms, 30, 1e-12);
    assert_near(s.a.supply.speedup_needed, 230.0 / 30, 1e-12);
    assert_near(s.a.supply.batch_cost_ms, 460, 1e-12);
    assert_int_equal(s.a.supply.cores_needed, 16);
    assert_nan(s.a.pool_vr); /* equal waits have no variance */
    subject_close(&s);
    subject_of(&s, "S...S...S...S...S...S...S...S...", STRIP_WORK, 4);
    assert_near(s.a.pool_vr + 1, 1, 1e-12); /* every window of four costs the same */
    assert_nan(s.a.supply.batch_cost_ms);
    assert_int_equal(s.a.supply.cores_needed, U);
    subject_close(&s);
}

/* ---- properties ---- */

/* All times a thousand times longer: the same but for the units. */
static void analysis_scales(void **state)
{
    char strip[121];
    uint64_t seed = 4;
    subject s, scaled;

    (void)state;
    for (int round = 0; round < 60; round++) {
        random_strip(strip, 40 + random_next(&seed) % 80, 0.1 + 0.5 * random_unit(&seed), &seed);
        if (round % 3 == 0)
            for (size_t i = 0; strip[i] != '\0'; i++)
                strip[i] = i % 4 == 0 ? 'S' : '.';
        subject_of(&s, strip, STRIP_WORK, 4);
        subject_open(&scaled);
        scaled.options.num_workers = 4;
        subject_strip(&scaled, strip, STRIP_WORK);
        for (size_t i = 0; i < scaled.series.len; i++) {
            scaled.series.rows[i].wait_ns *= 1000;
            scaled.series.rows[i].step_ns *= 1000;
        }
        subject_analyze(&scaled);
        assert_int_equal(scaled.a.shape, s.a.shape);
        assert_int_equal(scaled.a.confidence, s.a.confidence);
        assert_int_equal(scaled.a.notes, s.a.notes);
        assert_string_equal(scaled.a.strip, s.a.strip);
        assert_int_equal(scaled.a.cadence.kind, s.a.cadence.kind);
        assert_int_equal(scaled.a.cadence.period, s.a.cadence.period);
        assert_near(scaled.a.threshold.ms, 1000 * s.a.threshold.ms, 1e-12);
        assert_near(scaled.a.dist.mean, 1000 * s.a.dist.mean, 1e-12);
        assert_near(scaled.a.wall_share, s.a.wall_share, 1e-12);
        subject_close(&s);
        subject_close(&scaled);
    }
}

/* A series with everything a log may hold. */
static void fill_rich(subject *s)
{
    static const char *const pids[] = {"11;12", "12;11", "11;13"};
    stall_row row = {0, 0, 0, 0, 0, U, 0, 1};
    size_t counter;

    subject_open(s);
    s->options.num_workers = 4;
    s->options.cpus = 2;
    s->series.has_gpu = true;
    for (int i = 0; i < 96; i++) {
        char worker = (char)('0' + i % 4);

        row.epoch = i / 48;
        row.rank = i % 2;
        row.step = i / 2;
        row.wait_ns = i / 2 % 4 == 1 ? STRIP_STALL + i : STRIP_FAST + i;
        row.step_ns = row.wait_ns + STRIP_WORK;
        row.exposed_ns = row.wait_ns / 2;
        assert_int_equal(stall_series_push(&s->series, &row, NULL), STALL_OK);
        assert_int_equal(stall_series_counter(&s->series, "reads", 5, &counter, NULL), STALL_OK);
        stall_series_set_counter(&s->series, counter, i % 7);
        assert_int_equal(stall_series_set_batch_rank(&s->series, i ^ 1, NULL), STALL_OK);
        assert_int_equal(stall_series_set_worker_id(&s->series, &worker, 1, NULL), STALL_OK);
        assert_int_equal(
            stall_series_set_worker_pids(&s->series, pids[i / 40], strlen(pids[i / 40]), NULL),
            STALL_OK);
    }
}

/* Every allocation may fail: the status says so and nothing leaks. */
static void memory_may_run_out_anywhere(void **state)
{
    static const int64_t ranks[] = {STALL_RANK_MAX, 1}; /* one rank alone has an order of batches */

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        stall_status status = STALL_ENOMEM;

        for (uint64_t n = 1; status != STALL_OK; n++) {
            subject s;

            fill_rich(&s);
            s.options.rank = ranks[k];
            stall_mem_fail_at(n);
            status = stall_analyze(&s.series, &s.options, &s.a, NULL);
            stall_mem_fail_at(0);
            assert_true(status == STALL_OK || status == STALL_ENOMEM);
            subject_close(&s);
            assert_in_range(n, 1, 1000);
        }
    }
}

static void extras_are_contrasted(void **state)
{
    subject s;

    (void)state;
    fill_rich(&s);
    subject_analyze(&s);
    assert_int_equal(s.a.ranks, 2);
    assert_int_equal(s.a.extras.counters_len, 1);
    assert_string_equal(s.a.extras.counters[0].name, "reads");
    assert_int_equal(s.a.extras.counters[0].n_slow + s.a.extras.counters[0].n_fast, 48);
    assert_true(s.a.extras.pids_known);
    assert_int_equal(s.a.extras.pid_set_changes, 1); /* "11;12" and "12;11" are one set */
    assert_true(s.a.extras.workers_known);
    assert_false(s.a.extras.order.known); /* two ranks */
    assert_true(s.a.exposed.known);
    subject_close(&s);
}

/* Orders of batches whose counts are known. */
static void overtaking_is_counted(void **state)
{
    static const struct {
        double order[4];
        uint64_t overtaking, overtaken, inversions, displacement;
    } want[] = {{{0, 1, 2, 3}, 0, 0, 0, 0},
                {{3, 0, 1, 2}, 1, 3, 3, 3},
                {{1, 2, 3, 0}, 3, 1, 3, 3},
                {{1, 0, 3, 2}, 2, 2, 2, 1},
                {{2, 2, 2, 2}, 0, 0, 0, 0}};
    subject s;

    (void)state;
    for (size_t k = 0; k < sizeof(want) / sizeof(*want); k++) {
        subject_open(&s);
        for (int i = 0; i < 4; i++) {
            subject_row(&s, 0, U, i, MS, U);
            assert_int_equal(stall_series_set_batch_rank(&s.series, want[k].order[i], NULL),
                             STALL_OK);
        }
        subject_analyze(&s);
        assert_true(s.a.extras.order.known);
        assert_int_equal(s.a.extras.order.deliveries, 4);
        assert_int_equal(s.a.extras.order.overtaking, want[k].overtaking);
        assert_int_equal(s.a.extras.order.overtaken, want[k].overtaken);
        assert_int_equal(s.a.extras.order.inversions, want[k].inversions);
        assert_int_equal(s.a.extras.order.max_displacement, want[k].displacement);
        subject_close(&s);
    }
}

static void every_word_has_a_text(void **state)
{
    (void)state;
    for (int i = 0; i <= STALL_SHAPE_INCONCLUSIVE; i++) {
        const stall_term *t = stall_shape_term((stall_shape)i);

        assert_true(strlen(t->code) > 0 && strlen(t->words) > 0 && strlen(t->help) > 40);
    }
    for (int i = 0; i < STALL_NOTE_COUNT; i++) {
        const stall_term *t = stall_note_term((stall_note)i);

        assert_true(strlen(t->code) > 0 && strlen(t->words) > 0 && strlen(t->help) > 40);
    }
    assert_string_equal(stall_shape_term(STALL_SHAPE_HEAVY_RANDOM)->words,
                        "heavy-tailed, no cadence found");
    assert_null(stall_confidence_name(STALL_CONFIDENCE_NONE));
    assert_null(stall_worker_match_name(STALL_MATCH_NONE));
    assert_null(stall_change_kind_name(STALL_CHANGE_NONE));
    assert_string_equal(stall_cadence_kind_name(STALL_CADENCE_NONE), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_strips),
        cmocka_unit_test(too_few_steps_decide_nothing),
        cmocka_unit_test(long_cycles_are_no_worker_cadence),
        cmocka_unit_test(notes_about_the_workers),
        cmocka_unit_test(epochs_that_start_slowly),
        cmocka_unit_test(clusters_and_random_stalls),
        cmocka_unit_test(low_thresholds_are_said),
        cmocka_unit_test(a_slow_bulk_is_said),
        cmocka_unit_test(shares_near_the_limit),
        cmocka_unit_test(what_the_pool_delivers),
        cmocka_unit_test(analysis_scales),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(extras_are_contrasted),
        cmocka_unit_test(overtaking_is_counted),
        cmocka_unit_test(every_word_has_a_text),
    };

    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
