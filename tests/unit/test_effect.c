/* Effect sizes against counting every pair, and known values. */
#include "compare_support.h"

static void against_pairs(const double *b, size_t nb, const double *f, size_t nf)
{
    compare_effect_size e = stall_effect_size(b, nb, f, nf);
    double greater = 0, less = 0, d = 0;

    for (size_t i = 0; i < nb; i++)
        for (size_t k = 0; k < nf; k++) {
            greater += f[k] > b[i];
            less += f[k] < b[i];
        }
    for (size_t i = 0; i < nb + nf; i++) {
        double v = i < nb ? b[i] : f[i - nb], below[2] = {0, 0};

        for (size_t k = 0; k < nb; k++)
            below[0] += b[k] <= v;
        for (size_t k = 0; k < nf; k++)
            below[1] += f[k] <= v;
        d = fmax(d, fabs(below[0] / (double)nb - below[1] / (double)nf));
    }
    assert_true(fabs(e.cliffs_delta - (greater - less) / (double)(nb * nf)) < 1e-12);
    assert_true(e.u == greater + ((double)(nb * nf) - greater - less) / 2);
    assert_true(fabs(e.ks_d - d) < 1e-12);
}

static void test_pairs(void **state)
{
    double b[40], f[33];
    uint64_t z = 7;

    (void)state;
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < 40; i++)
            b[i] = floor(stall_random_unit(&z) * 12); /* many ties */
        for (size_t i = 0; i < 33; i++)
            f[i] = floor(stall_random_unit(&z) * 15);
        stall_sort(b, 40);
        stall_sort(f, 33);
        against_pairs(b, 40, f, 33);
    }
}

static void test_known(void **state)
{
    const double low[5] = {1, 2, 3, 4, 5}, high[5] = {6, 7, 8, 9, 10}, same[4] = {2, 2, 2, 2};
    compare_effect_size e = stall_effect_size(low, 5, high, 5);

    (void)state;
    assert_true(e.cliffs_delta == 1 && e.u == 25 && e.ks_d == 1);
    /* z = (12.5 - 0.5)/sqrt(25/12*11) = 2.50672, two-sided 0.0121858 */
    assert_true(fabs(e.p - 0.012185780355344818) < 1e-9);
    e = stall_effect_size(high, 5, low, 5);
    assert_true(e.cliffs_delta == -1 && e.u == 0 && fabs(e.p - 0.012185780355344818) < 1e-9);
    e = stall_effect_size(same, 4, same, 3);
    assert_true(e.cliffs_delta == 0 && e.u == 6 && e.p == 1 && e.ks_d == 0);
    e = stall_effect_size(same, 1, same, 1);
    assert_true(e.u == 0.5 && e.p == 1);
    e = stall_effect_size(low, 1, high, 1);
    assert_true(e.cliffs_delta == 1 && e.p <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_known)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
