/* The block permutation against a plain one that sorts every replicate. */
#include <stdlib.h>

#include "compare_support.h"

typedef struct block {
    double u, sum;
    size_t n, at;
} block;

static int by_u(const void *a, const void *b)
{
    const block *x = a, *y = b;

    return x->u != y->u ? (x->u < y->u ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

static double plain(const compare_side *worse, const compare_side *better, size_t len)
{
    static block all[512], drawn[512];
    const compare_side *sides[2] = {worse, better};
    size_t blocks = 0, first = 0, hits = 0;
    uint64_t state = COMPARE_SEED + 1;

    for (int s = 0; s < 2; s++) {
        for (size_t p = 0; p < sides[s]->len; p++)
            for (size_t i = 0; i < sides[s]->passes[p].n; i++) {
                if (i % len == 0) {
                    all[blocks] = (block){0, 0, 0, blocks};
                    blocks++;
                }
                all[blocks - 1].sum += sides[s]->passes[p].wait[i];
                all[blocks - 1].n++;
            }
        if (s == 0)
            first = blocks;
    }
    for (size_t r = 0; r < COMPARE_REPLICATES; r++) {
        double sum[2] = {0, 0}, n[2] = {0, 0};

        for (size_t i = 0; i < blocks; i++) {
            drawn[i] = all[i];
            drawn[i].at = i;
            drawn[i].u = stall_random_unit(&state);
        }
        qsort(drawn, blocks, sizeof(*drawn), by_u);
        for (size_t i = 0; i < blocks; i++) {
            sum[i >= first] += drawn[i].sum;
            n[i >= first] += (double)drawn[i].n;
        }
        hits +=
            fabs(sum[0] / n[0] - sum[1] / n[1]) >= fabs(worse->mean - better->mean) * (1 - 1e-12);
    }
    return (1 + (double)hits) / (COMPARE_REPLICATES + 1);
}

static void test_against_plain(void **state)
{
    made m = {0};
    compare_side side[2];
    const stall_report *r;
    stall_error error;
    double p;

    (void)state;
    made_add(&m, 0, 50, 9, 60, 30, 1);
    made_add(&m, 0, 71, 11, 40, 30, 2);
    made_add(&m, 1, 64, 13, 30, 30, 3);
    r = made_compare(&m, STALL_GATE_NONE);
    for (int s = 0; s < 2; s++) {
        stall_side_init(&side[s]);
        assert_int_equal(stall_side_collect(r->runs, r->runs_len, s, &side[s], &error), STALL_OK);
    }
    assert_true(side[0].n == 119 && side[1].n == 63 && side[0].shortest == 49);
    assert_int_equal(stall_permute(&side[0], &side[1], &p, &error), STALL_OK);
    assert_true(p == plain(&side[0], &side[1], 4)); /* the cube root of 49 is 3.66 */
    assert_true(p > 0.0005 && p < 0.9);
    stall_side_close(&side[0]);
    stall_side_close(&side[1]);
    made_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_plain)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
