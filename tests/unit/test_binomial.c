/* The tails against direct summation of the laws, and their edges. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analyze.h"

static long double choose(int n, int k)
{
    long double c = 1;

    for (int i = 1; i <= k; i++) {
        c = c * (n - k + i) / i;
    }
    return k < 0 || k > n ? 0 : c;
}

static void close_to(double got, long double want)
{
    assert_true(fabsl((long double)got - want) <= 1e-9L * want);
}

static void binomial_is_the_sum_of_its_terms(void **state)
{
    static const double chances[] = {0.001, 0.1, 0.25, 0.5, 0.9};

    (void)state;
    for (int n = 1; n <= 40; n++) {
        for (size_t c = 0; c < sizeof chances / sizeof *chances; c++) {
            long double q = chances[c], tail = 0;
            for (int k = n; k >= 1; k--) {
                tail += choose(n, k) * powl(q, k) * powl(1 - q, n - k);
                close_to(exp(stall_log_binomial_tail((uint64_t)n, chances[c], (uint64_t)k)), tail);
            }
        }
    }
}

static void binomial_edges(void **state)
{
    (void)state;
    assert_true(stall_log_binomial_tail(10, 0.3, 0) == 0);
    assert_true(stall_log_binomial_tail(10, 1, 10) == 0);
    assert_true(isinf(stall_log_binomial_tail(10, 0, 1)));
    assert_true(isinf(stall_log_binomial_tail(10, 0.3, 11)));
    /* far below what a double holds: q^n */
    close_to(-stall_log_binomial_tail(100000, 0.01, 100000), -100000 * logl(0.01L));
}

static void runs_are_the_sum_of_their_terms(void **state)
{
    (void)state;
    for (int n = 2; n <= 24; n++) {
        for (int m = 1; m < n; m++) {
            long double sum = 0;
            for (int r = 1; r <= m && r <= n - m + 1; r++) {
                sum += choose(m - 1, r - 1) * choose(n - m + 1, r) / choose(n, m);
                close_to(exp(stall_log_runs_tail((uint64_t)n, (uint64_t)m, (uint64_t)r)), sum);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_is_the_sum_of_its_terms),
        cmocka_unit_test(binomial_edges),
        cmocka_unit_test(runs_are_the_sum_of_their_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
