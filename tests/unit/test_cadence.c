/* Gaps, tails and cadence: src/analyze/cadence.c, cadence_tests.c, binomial.c. */
#include "analyze_support.h"

/* ---- tails ---- */

/* log P(Bin(n, q) >= k), from exact fractions. */
static void binomial_tails_are_exact(void **state)
{
    static const struct {
        uint64_t n, k;
        double q, log_p;
    } want[] = {
        {15, 15, 0.25, -20.794415416798358},        {40, 30, 0.125, -43.113685270881234},
        {200, 150, 0.5, -28.499352877121179},       {200, 90, 0.5, -0.07115591500224247},
        {1000, 700, 0.25, -449.28539658165033},     {50, 37, 0.75, -0.45092806697459509},
        {300, 1, 1.0 / 64, -0.0089147056200167413},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
        assert_near(stall_log_binomial_tail(want[i].n, want[i].q, want[i].k), want[i].log_p, 1e-11);
    assert_near(stall_log_binomial_tail(11, 0.5, 0), 0, 0);
    assert_true(stall_log_binomial_tail(11, 0.5, 12) == -INFINITY);
    assert_true(stall_log_binomial_tail(11, 0, 1) == -INFINITY);
    assert_near(stall_log_binomial_tail(11, 1, 11), 0, 0);
    /* far below the smallest double, and still a number */
    assert_near(stall_log_binomial_tail(1000000, 0.25, 1000000), 1e6 * log(0.25), 1e-12);
}

/* Every placement of m stalls on 12 places, counted. */
static void runs_tails_are_exact(void **state)
{
    (void)state;
    for (unsigned m = 1; m < 12; m++) {
        double of_runs[13] = {0}, all = 0, sum = 0;

        for (unsigned bits = 0; bits < 1u << 12; bits++) {
            if (__builtin_popcount(bits) != (int)m)
                continue;
            of_runs[__builtin_popcount(bits & ~(bits << 1))]++;
            all++;
        }
        for (unsigned r = 1; r <= m; r++) {
            sum += of_runs[r];
            if (sum > 0)
                assert_near(exp(stall_log_runs_tail(12, m, r)), sum / all, 1e-12);
        }
    }
}

/* ---- claims ---- */

typedef struct expected {
    const char *strip;
    int64_t workers;
    stall_cadence_kind kind;
    int64_t period, phase;
} expected;

static void cadences_are_found(void **state)
{
    static const expected want[] = {
        {"S...S...S...S...", 4, STALL_CADENCE_EXACT, 4, 0},
        {".S...S...S...S...S..", STALL_UNKNOWN, STALL_CADENCE_EXACT, 4, 1},
        {"S.S.S.S.S.S.S.S.", 2, STALL_CADENCE_EXACT, 2, 0},
        /* one stall missed, one start-up stall off the lattice */
        {"S..S...S...S.......S...S...S...S...", 4, STALL_CADENCE_EXACT, 4, 3},
        {"SS..SS..SS..SS..SS..SS..SS..SS..", 4, STALL_CADENCE_PATTERN, 4, 0},
        {"SSS.SSS.SSS.SSS.SSS.SSS.SSS.SSS.", 4, STALL_CADENCE_INVERSE, 4, 3},
        {"SSSSSSSSSSSSSSSSSSSS", 4, STALL_CADENCE_EVERY_STEP, 1, STALL_UNKNOWN},
        {"S.......S......S.........S.......S........S......S.......S........S.........S......."
         "S.......S......S........",
         STALL_UNKNOWN, STALL_CADENCE_JITTERED, 8, -1},
        {"S.....S..S.SS.......S....S..........S.", 4, STALL_CADENCE_NONE, STALL_UNKNOWN, -1},
        {"................", 4, STALL_CADENCE_NONE, STALL_UNKNOWN, STALL_UNKNOWN},
    };
    subject s;

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        subject_open(&s);
        s.options.num_workers = want[i].workers;
        s.options.stall_ms = 100;
        subject_strip(&s, want[i].strip, STRIP_WORK);
        subject_analyze(&s);
        if (s.a.cadence.kind != want[i].kind)
            fail_msg("%s: kind %s", want[i].strip, stall_cadence_kind_name(s.a.cadence.kind));
        assert_int_equal(s.a.cadence.period, want[i].period);
        if (want[i].phase != -1)
            assert_int_equal(s.a.cadence.phase, want[i].phase);
        subject_close(&s);
    }
}

/* Three stalls, however regular, and four without a known number of workers are no evidence. */
static void few_stalls_claim_nothing(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "S...S...S...", STRIP_WORK, 4);
    assert_int_equal(s.a.cadence.kind, STALL_CADENCE_NONE);
    assert_nan(s.a.cadence.p_w);
    subject_close(&s);
    subject_of(&s, "S...S...S...S...", STRIP_WORK, STALL_UNKNOWN);
    assert_int_equal(s.a.cadence.kind, STALL_CADENCE_NONE);
    assert_int_equal(s.a.cadence.gaps, 3);
    subject_close(&s);
}

/* p = 4/16, three gaps of 4: q = p (1-p)^3 / (1 - (1-p)^4), P = q^3, doubled for g = W. */
static void adjusted_p_is_what_the_formula_says(void **state)
{
    double q = 0.25 * pow(0.75, 3) / (1 - pow(0.75, 4));
    subject s;

    (void)state;
    subject_of(&s, "S...S...S...S...", STRIP_WORK, 4);
    assert_near(s.a.cadence.p_w, q * q * q, 1e-12);
    assert_near(s.a.cadence.p_adj, 2 * q * q * q, 1e-12);
    assert_near(s.a.cadence.coverage, 1, 0);
    assert_near(s.a.cadence.coverage_w, 1, 0);
    assert_int_equal(s.a.cadence.worker_match, STALL_MATCH_EQUAL);
    subject_close(&s);
    subject_of(&s, "S...S...S...S...S...S...S...S...", STRIP_WORK, 2);
    q = 0.25 * pow(0.75, 3) / (1 - pow(0.75, 4));
    assert_near(s.a.cadence.p_adj, 3 * 4 * 3 * pow(q, 7), 1e-12);
    assert_int_equal(s.a.cadence.worker_match, STALL_MATCH_MULTIPLE);
    subject_close(&s);
}

static void gaps_are_described(void **state)
{
    static const int64_t list[] = {4, 2, 2, 8};
    subject s;

    (void)state;
    subject_of(&s, "S...S.S.S.......S...", STRIP_WORK, 4);
    assert_int_equal(s.a.cadence.gap_list_len, 4);
    assert_memory_equal(s.a.cadence.gap_list, list, sizeof(list));
    assert_int_equal(s.a.cadence.gap_hist_len, 3);
    assert_int_equal(s.a.cadence.gap_hist[0].key, 2);
    assert_int_equal(s.a.cadence.gap_hist[0].count, 2);
    assert_near(s.a.cadence.gap_median, 3, 0);
    assert_near(s.a.cadence.gap_mean, 4, 0);
    assert_near(s.a.cadence.gap_cv, sqrt(8) / 4, 1e-14);
    assert_near(s.a.cadence.coverage_w, 0.5, 0);
    assert_int_equal(s.a.cadence.gap_min, 2);
    assert_int_equal(s.a.cadence.gap_max, 8);
    assert_int_equal(s.a.cadence.runs, 5);
    subject_close(&s);
}

/* Gaps do not cross the border of an epoch, and its first step takes no part. */
static void epochs_are_kept_apart(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "S..S.S..|S.S....S|S..S.S..", STRIP_WORK, STALL_UNKNOWN);
    assert_int_equal(s.a.cadence.stalls, 6);
    assert_int_equal(s.a.cadence.gaps, 3);
    assert_int_equal(s.a.cadence.gap_list[0], 2);
    assert_int_equal(s.a.cadence.gap_list[1], 5);
    assert_int_equal(s.a.cadence.gap_list[2], 2);
    assert_int_equal(s.a.cadence.positions, 21);
    subject_close(&s);
}

/* rec(g) against counting pair by pair. */
static void recurrence_is_counted(void **state)
{
    char strip[151];
    uint64_t seed = 11;
    subject s;

    (void)state;
    random_strip(strip, 150, 0.4, &seed);
    subject_open(&s);
    s.options.stall_ms = 100;
    subject_strip(&s, strip, STRIP_WORK);
    subject_analyze(&s);
    assert_int_equal(s.a.cadence.recurrence_len, 64);
    for (size_t g = 1; g <= 64; g++) {
        uint64_t pairs = 0, hits = 0;

        for (size_t i = 0; i + g < 150; i++) {
            pairs += strip[i] == 'S';
            hits += strip[i] == 'S' && strip[i + g] == 'S';
        }
        assert_int_equal(s.a.cadence.recurrence[g - 1].lag, g);
        assert_int_equal(s.a.cadence.recurrence[g - 1].pairs, pairs);
        assert_int_equal(s.a.cadence.recurrence[g - 1].hits, hits);
    }
    subject_close(&s);
}

/* ---- what must not be claimed ---- */

/* Stalls that fall at random: the error budget is 2 %, and the tests are on the safe side of it. */
static void random_stalls_have_no_cadence(void **state)
{
    static const int64_t workers[] = {STALL_UNKNOWN, 2, 4, 8};
    char strip[301];
    uint64_t seed = 20261201;
    int claims = 0;
    subject s;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        random_strip(strip, 24 + random_next(&seed) % 277, 0.05 + 0.6 * random_unit(&seed), &seed);
        subject_open(&s);
        s.options.stall_ms = 100;
        s.options.num_workers = workers[i % 4];
        subject_strip(&s, strip, STRIP_WORK);
        subject_analyze(&s);
        claims += s.a.cadence.kind != STALL_CADENCE_NONE;
        subject_close(&s);
    }
    assert_in_range(claims, 0, 20);
}

/* Windows of three of every six steps, stalls placed in them at random or always first: the holes
 * alone make gaps that are multiples of six. */
static void holes_do_not_make_a_cadence(void **state)
{
    char strip[241];
    uint64_t seed = 3;
    subject s;

    (void)state;
    for (int round = 0; round < 40; round++) {
        random_strip(strip, 240, 0.4, &seed);
        for (size_t i = 0; i < 240; i++) {
            if (i % 6 >= 3)
                strip[i] = round % 2 == 0 ? ' ' : '?';
            else if (round >= 20)
                strip[i] = i % 6 == 0 ? 'S' : '.';
        }
        subject_open(&s);
        s.options.stall_ms = 100;
        s.options.num_workers = 6;
        subject_strip(&s, strip, STRIP_WORK);
        subject_analyze(&s);
        assert_true(s.a.cadence.holes);
        assert_true(has_note(&s, holes));
        assert_int_equal(s.a.cadence.kind, STALL_CADENCE_NONE);
        for (size_t i = 0; i < s.a.cadence.gap_list_len; i++)
            assert_in_range(s.a.cadence.gap_list[i], 1, 3);
        subject_close(&s);
    }
}

/* Steps missing here and there neither bend the gaps nor hide the cadence. */
static void a_few_missing_steps_keep_the_cadence(void **state)
{
    subject s;

    (void)state;
    subject_of(&s, "S...S.. S..?S...S. .S...S?..S...S...S.  S...", STRIP_WORK, 4);
    assert_false(s.a.cadence.holes);
    assert_int_equal(s.a.input.missing_steps, 4);
    assert_int_equal(s.a.cadence.kind, STALL_CADENCE_EXACT);
    assert_int_equal(s.a.cadence.period, 4);
    assert_string_equal(s.a.strip, "S...S..?S..?S...S.?.S...S?..S...S...S.??S...");
    subject_close(&s);
}

/* A log of every tenth step: positions, not labels, and no claim about the workers. */
static void a_sampled_log_has_a_stride(void **state)
{
    subject s;

    (void)state;
    subject_open(&s);
    s.options.num_workers = 4;
    for (int i = 0; i < 80; i++)
        subject_row(&s, 0, STALL_UNKNOWN, 10 * i, i % 3 == 0 ? STRIP_STALL : STRIP_FAST,
                    STRIP_WORK);
    subject_analyze(&s);
    assert_int_equal(s.a.input.stride, 10);
    assert_false(s.a.workers_used);
    assert_int_equal(s.a.cadence.period, 3);
    assert_int_equal(s.a.cadence.period_steps, 30);
    assert_int_equal(s.a.cadence.worker_match, STALL_MATCH_NONE);
    assert_nan(s.a.cadence.coverage_w);
    assert_nan(s.a.pool_vr);
    assert_true(has_note(&s, steps_sampled));
    assert_false(has_note(&s, num_workers_unknown));
    subject_close(&s);
}

/* Where rows are samples or means by themselves, no cadence is claimed, and means do not stall. */
static void samples_and_means_claim_nothing(void **state)
{
    subject s;

    (void)state;
    for (int means = 0; means <= 1; means++) {
        subject_open(&s);
        s.series.sampled = !means;
        s.series.aggregated = means;
        subject_strip(&s, "S...S...S...S...S...S...S...S...", STRIP_WORK);
        subject_analyze(&s);
        assert_int_equal(s.a.cadence.kind, STALL_CADENCE_NONE);
        assert_int_equal(s.a.cadence.period, STALL_UNKNOWN);
        assert_int_equal(s.a.stalls.count, means ? 0 : 8);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_tails_are_exact),
        cmocka_unit_test(runs_tails_are_exact),
        cmocka_unit_test(cadences_are_found),
        cmocka_unit_test(few_stalls_claim_nothing),
        cmocka_unit_test(adjusted_p_is_what_the_formula_says),
        cmocka_unit_test(gaps_are_described),
        cmocka_unit_test(epochs_are_kept_apart),
        cmocka_unit_test(recurrence_is_counted),
        cmocka_unit_test(random_stalls_have_no_cadence),
        cmocka_unit_test(holes_do_not_make_a_cadence),
        cmocka_unit_test(a_few_missing_steps_keep_the_cadence),
        cmocka_unit_test(a_sampled_log_has_a_stride),
        cmocka_unit_test(samples_and_means_claim_nothing),
    };

    return cmocka_run_group_tests_name("cadence", tests, NULL, NULL);
}
