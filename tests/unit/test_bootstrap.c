/* The block bootstrap against a plain one that draws, copies and sorts. */
#include "compare_support.h"

static void test_generator(void **state)
{
    uint64_t z = COMPARE_SEED;

    (void)state;
    assert_true(stall_random_next(&z) >> 11 == UINT64_C(3481596620868648));
    assert_true(stall_random_next(&z) >> 11 == UINT64_C(2032350472457111));
    assert_true(stall_random_next(&z) >> 11 == UINT64_C(6998665779396847));
}

static void test_limit(void **state)
{
    const double v[5] = {1, 2, 4, INFINITY, INFINITY};

    (void)state;
    assert_true(stall_limit(v, 5, 0, false) == 1);
    assert_true(stall_limit(v, 5, 0.25, false) == 2);
    assert_true(stall_limit(v, 5, 0.375, false) == 3);
    assert_true(stall_limit(v, 5, 0.5, true) == 4);
    assert_true(stall_limit(v, 5, 0.625, true) == 3);
    assert_true(isinf(stall_limit(v, 5, 0.6, false)));
    assert_true(isinf(stall_limit(v, 5, 0.4, true)));
    assert_true(isinf(stall_limit(v, 5, 0.1, true))); /* between two infinities: that value */
    assert_true(isinf(stall_limit(v, 5, 0, true)));
    assert_true(stall_limit(v, 1, 0.025, true) == 1);
}

/* ---- a side made by hand ---- */

typedef struct hand {
    compare_side side;
    compare_pass passes[3];
    double wait[3][300], step[3][300], sorted[900];
} hand;

static void hand_fill(hand *h, size_t len, const size_t *n, double scale, uint64_t seed)
{
    double sum = 0, steps = 0;

    memset(h, 0, sizeof(*h));
    h->side = (compare_side){.passes = h->passes, .len = len, .sorted = h->sorted};
    h->side.shortest = SIZE_MAX;
    for (size_t p = 0; p < len; p++) {
        for (size_t i = 0; i < n[p]; i++) {
            h->wait[p][i] = i % 5 == 0 ? scale * stall_random_unit(&seed) : 0.25;
            h->step[p][i] = i % 11 == 3 ? NAN : h->wait[p][i] + 10;
            sum += h->wait[p][i];
            if (!isnan(h->step[p][i])) {
                steps += h->step[p][i];
                h->side.steps++;
            }
            h->sorted[h->side.n++] = h->wait[p][i];
        }
        h->passes[p] = (compare_pass){.wait = h->wait[p], .step = h->step[p], .n = n[p]};
        if (n[p] < h->side.shortest)
            h->side.shortest = n[p];
    }
    stall_sort(h->sorted, h->side.n);
    h->side.mean = sum / (double)h->side.n;
    h->side.step_mean = steps / (double)h->side.steps;
}

typedef struct plain {
    double mean[COMPARE_REPLICATES], p50[COMPARE_REPLICATES], p95[COMPARE_REPLICATES],
        step[COMPARE_REPLICATES];
} plain;

static void plain_draw(const compare_side *s, size_t block, uint64_t *state, plain *ret, size_t r)
{
    static double drawn[900];
    double sum = 0, steps = 0;
    size_t n = 0, known = 0;

    for (size_t p = 0; p < s->len; p++) {
        const compare_pass *q = &s->passes[p];

        for (size_t left = q->n; left > 0;) {
            size_t start = (size_t)floor(stall_random_unit(state) * (double)q->n);

            for (size_t i = 0; i < block && left > 0; i++, left--) {
                size_t at = (start + i) % q->n;

                sum += drawn[n++] = q->wait[at];
                if (!isnan(q->step[at])) {
                    steps += q->step[at];
                    known++;
                }
            }
        }
    }
    stall_sort(drawn, n);
    ret->mean[r] = sum / (double)n;
    ret->step[r] = steps / (double)known;
    ret->p50[r] = stall_quantile(drawn, n, 0.5);
    ret->p95[r] = stall_quantile(drawn, n, 0.95);
}

static void check(const double *broken, const double *fixed, const compare_limits *got)
{
    static double v[COMPARE_REPLICATES];

    for (int what = 0; what < 2; what++) {
        for (size_t r = 0; r < COMPARE_REPLICATES; r++)
            v[r] = what == 0 ? fixed[r] - broken[r] : fixed[r] / broken[r];
        stall_sort(v, COMPARE_REPLICATES);
        double low = stall_limit(v, COMPARE_REPLICATES, 0.025, false);
        double high = stall_limit(v, COMPARE_REPLICATES, 0.025, true);

        assert_true(fabs((what == 0 ? got->diff_low : got->ratio_low) - low) <= 1e-9 * fabs(low));
        assert_true(fabs((what == 0 ? got->diff_high : got->ratio_high) - high) <=
                    1e-9 * fabs(high));
    }
}

static void test_against_plain(void **state)
{
    static const size_t nb[3] = {47, 200, 9}, nf[2] = {300, 7};
    static hand broken, fixed;
    static plain pb, pf;
    const size_t block[2] = {3, 2};
    compare_side side[2];
    compare_intervals got;
    uint64_t z = COMPARE_SEED;
    stall_error error;

    (void)state;
    hand_fill(&broken, 3, nb, 100, 1);
    hand_fill(&fixed, 2, nf, 900, 2); /* the larger mean: drawn first */
    side[0] = broken.side;
    side[1] = fixed.side;
    assert_int_equal(stall_bootstrap(side, block, true, &got, &error), STALL_OK);
    for (size_t r = 0; r < COMPARE_REPLICATES; r++) {
        plain_draw(&fixed.side, block[1], &z, &pf, r);
        plain_draw(&broken.side, block[0], &z, &pb, r);
    }
    assert_true(got.has_quantiles && got.has_step);
    check(pb.mean, pf.mean, &got.mean);
    check(pb.p50, pf.p50, &got.p50);
    check(pb.p95, pf.p95, &got.p95);
    check(pb.step, pf.step, &got.step);
    assert_true(got.mean99.diff_low <= got.mean.diff_low);
    assert_true(got.mean99.ratio_high >= got.mean.ratio_high);
}

/* A quiet block after a long hang keeps its digits, and a side of zeros its zero. */
static void test_exact_sums(void **state)
{
    static const size_t n[1] = {60};
    static hand hang, zero;
    const size_t block[2] = {4, 4};
    compare_side side[2];
    compare_intervals got;
    stall_error error;

    (void)state;
    hand_fill(&hang, 1, n, 1, 3);
    hand_fill(&zero, 1, n, 0, 4);
    for (size_t i = 0; i < 60; i++) {
        hang.wait[0][i] = i == 0 ? 1e15 : 0.0625;
        zero.wait[0][i] = 0;
    }
    memcpy(hang.sorted, hang.wait[0], sizeof(hang.wait[0]));
    stall_sort(hang.sorted, 60);
    memset(zero.sorted, 0, sizeof(zero.sorted));
    hang.side.mean = 1;
    zero.side.mean = 0;
    side[0] = hang.side;
    side[1] = zero.side;
    assert_int_equal(stall_bootstrap(side, block, false, &got, &error), STALL_OK);
    assert_true(got.mean.diff_high == -0.0625); /* replicates that missed the hang */
    assert_true(got.mean.ratio_low == 0 && got.mean.ratio_high == 0);
    side[0] = zero.side;
    side[1] = hang.side;
    assert_int_equal(stall_bootstrap(side, block, false, &got, &error), STALL_OK);
    assert_true(got.mean.diff_low == 0.0625);
    assert_true(isinf(got.mean.ratio_low) && isinf(got.mean.ratio_high));
    side[1] = zero.side;
    assert_int_equal(stall_bootstrap(side, block, false, &got, &error), STALL_OK);
    assert_true(got.mean.ratio_low == 1 && got.mean.ratio_high == 1); /* 0/0: no change */
}

static void test_memory(void **state)
{
    static const size_t n[2] = {20, 30};
    static hand h;
    const size_t block[2] = {2, 2};
    compare_side side[2];
    compare_intervals got;
    stall_error error;
    stall_status status = STALL_ENOMEM;
    uint64_t at;

    (void)state;
    hand_fill(&h, 2, n, 10, 5);
    side[0] = side[1] = h.side;
    for (at = 1; status != STALL_OK; at++) {
        stall_mem_fail_at(at);
        status = stall_bootstrap(side, block, true, &got, &error);
        assert_true(status == STALL_OK || error.status == STALL_ENOMEM);
    }
    stall_mem_fail_at(0);
    assert_true(at > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator),     cmocka_unit_test(test_limit),
        cmocka_unit_test(test_against_plain), cmocka_unit_test(test_exact_sums),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
