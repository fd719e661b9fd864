/* Quantiles as numpy gives them, compensated sums, mid-ranks, Cliff's delta against all pairs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analyze.h"

static void quantiles_are_type_7(void **state)
{
    static const double v[] = {1, 2, 4, 8, 16, 32, 64};
    double forum[16] = {[15] = 842}; /* one slow fetch of 16 gives p95 = 0.25 of it */

    (void)state;
    assert_true(stall_quantile(v, 7, 0) == 1);
    assert_true(stall_quantile(v, 7, 1) == 64);
    assert_true(stall_quantile(v, 7, 0.5) == 8);
    assert_true(fabs(stall_quantile(v, 7, 0.9) - 44.8) < 1e-12);
    assert_true(fabs(stall_quantile(forum, 16, 0.95) - 842 * 0.25) < 1e-9);
    assert_true(stall_quantile(v, 1, 0.99) == 1);
    assert_true(isnan(stall_quantile(v, 0, 0.5)));
}

static void sums_keep_what_rounding_drops(void **state)
{
    static const double v[] = {1, 1e100, 1, -1e100};

    (void)state;
    assert_true(stall_sum_of(v, 4) == 2);
    assert_true(stall_sum_of(v, 0) == 0);
}

static void ties_share_their_mean_rank(void **state)
{
    static const double v[] = {5, 1, 5, 3, 5}, want[] = {4, 1, 4, 2, 4};
    double ranks[5];
    stall_error error;

    (void)state;
    assert_int_equal(stall_midranks(v, 5, ranks, &error), STALL_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(ranks[i] == want[i]);
    }
}

static void cliffs_delta_counts_pairs(void **state)
{
    static const double a[] = {1, 2, 2, 7}, b[] = {0, 2, 3};
    double pairs = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            pairs += (a[i] > b[j]) - (a[i] < b[j]);
        }
    }
    assert_true(stall_cliffs_delta(a, 4, b, 3) == pairs / 12);
    assert_true(stall_cliffs_delta(b, 3, a, 4) == -pairs / 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_type_7),
        cmocka_unit_test(sums_keep_what_rounding_drops),
        cmocka_unit_test(ties_share_their_mean_rank),
        cmocka_unit_test(cliffs_delta_counts_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
