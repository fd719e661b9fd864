/* How two samples differ, for description: Cliff's delta, Mann-Whitney, Kolmogorov-Smirnov.
 *
 * Enters: two sorted samples. Leaves: effect sizes and one p-value. The p-value assumes independent
 * steps, which a cadence breaks, so no verdict rests on it. It must not know passes or runs. */
#include <math.h>

#include "compare/compare.h"

typedef struct tally {
    double greater, less; /* pairs with fixed > broken, fixed < broken; whole numbers below 2^53 */
    double ties;          /* sum of t^3 - t over groups of t equal values */
    double d;             /* largest distance of the two distribution functions */
} tally;

/* Walks both samples value by value. */
static tally merge(const double *b, size_t nb, const double *f, size_t nf)
{
    tally t = {0, 0, 0, 0};
    size_t i = 0, k = 0, eb, ef;
    double v, size, gap;

    while (i < nb || k < nf) {
        v = i == nb ? f[k] : k == nf || b[i] <= f[k] ? b[i] : f[k];
        for (eb = i; eb < nb && b[eb] == v; eb++)
            ;
        for (ef = k; ef < nf && f[ef] == v; ef++)
            ;
        /* every fixed value of this group lies above the broken ones passed, and so on */
        t.greater += (double)(ef - k) * (double)i;
        t.less += (double)(ef - k) * (double)(nb - eb);
        size = (double)(eb - i) + (double)(ef - k);
        t.ties += size * size * size - size;
        i = eb;
        k = ef;
        gap = fabs((double)i / (double)nb - (double)k / (double)nf);
        if (gap > t.d)
            t.d = gap;
    }
    return t;
}

compare_effect_size stall_effect_size(const double *broken, size_t nb, const double *fixed,
                                      size_t nf)
{
    compare_effect_size ret;
    tally t = merge(broken, nb, fixed, nf);
    double pairs = (double)nb * (double)nf, n = (double)nb + (double)nf, variance, z;

    ret.cliffs_delta = (t.greater - t.less) / pairs;
    ret.ks_d = t.d;
    /* U of fixed: pairs it wins, ties count half (Mann & Whitney 1947). Normal approximation with
     * continuity: z = (|U - mu| - 1/2) / sd, sd^2 = n1 n2 / 12 (n + 1 - sum(t^3 - t)/(n (n - 1))).
     */
    ret.u = t.greater + (pairs - t.greater - t.less) / 2;
    variance = pairs / 12 * (n + 1 - t.ties / (n * (n - 1)));
    if (fmin(broken[0], fixed[0]) == fmax(broken[nb - 1], fixed[nf - 1]) || !(variance > 0)) {
        ret.u = pairs / 2; /* all values are equal */
        ret.p = 1;
        return ret;
    }
    z = (fabs(ret.u - pairs / 2) - 0.5) / sqrt(variance);
    ret.p = erfc(z / sqrt(2));
    if (ret.p > 1)
        ret.p = 1;
    return ret;
}
