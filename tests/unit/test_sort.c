/* Sorting: both ways, and without memory. */
#include "compare_support.h"

#define MANY 5000

static void fill(double *v, size_t n, uint64_t seed)
{
    static const double odd[] = {0, 1e-310, 5e300, INFINITY, -INFINITY, -1, 1, 1};

    for (size_t i = 0; i < n; i++)
        v[i] = i % 7 == 0 ? odd[i / 7 % 8] : (stall_random_unit(&seed) - 0.3) * 1e4;
}

static void check(const double *v, size_t n, double sum)
{
    double got = 0;

    for (size_t i = 0; i < n; i++) {
        got += isinf(v[i]) || v[i] > 1e299 ? 0 : v[i];
        assert_true(i == 0 || v[i - 1] <= v[i]);
    }
    assert_true(fabs(got - sum) < 1e-6);
}

static void test_sizes(void **state)
{
    static double v[MANY];
    static const size_t sizes[] = {0, 1, 2, 500, 511, 512, 513, MANY};

    (void)state;
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (uint64_t fail = 0; fail < 4; fail++) {
            double sum = 0;

            fill(v, sizes[k], k);
            for (size_t i = 0; i < sizes[k]; i++)
                sum += isinf(v[i]) || v[i] > 1e299 ? 0 : v[i];
            stall_mem_fail_at(fail);
            stall_sort(v, sizes[k]);
            stall_mem_fail_at(0);
            check(v, sizes[k], sum);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
