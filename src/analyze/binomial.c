/* Tails of two discrete laws by their logarithm, so that long series do not underflow. */
#include <math.h>

#include "analyze/analyze.h"

#define NEGLIGIBLE 1e-18 /* a term below this share of the sum ends it */

/* log n!; lgamma itself would write a global. */
static double log_factorial(double n)
{
    int sign;

    return lgamma_r(n + 1, &sign);
}

static double log_choose(double n, double k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

static double log_binomial_term(double n, double q, double k)
{
    return log_choose(n, k) + (k > 0 ? k * log(q) : 0) + (n > k ? (n - k) * log1p(-q) : 0);
}

/* Sums terms from k0 away from the mode, each from the last by its ratio; log of the sum. */
static double log_sum_up(double n, double q, double k0)
{
    double sum = 1, term = 1, odds = q / (1 - q);

    for (double k = k0; k < n; k++) {
        term *= (n - k) / (k + 1) * odds;
        sum += term;
        if (term < sum * NEGLIGIBLE) {
            break;
        }
    }
    return log_binomial_term(n, q, k0) + log(sum);
}

static double log_sum_down(double n, double q, double k0)
{
    double sum = 1, term = 1, odds = (1 - q) / q;

    for (double k = k0; k > 0; k--) {
        term *= k / (n - k + 1) * odds;
        sum += term;
        if (term < sum * NEGLIGIBLE) {
            break;
        }
    }
    return log_binomial_term(n, q, k0) + log(sum);
}

double stall_log_binomial_tail(uint64_t n, double q, uint64_t k)
{
    double size = (double)n, from = (double)k;

    if (k == 0 || q >= 1) {
        return 0;
    }
    if (k > n || q <= 0) {
        return -INFINITY;
    }
    if (from > size * q) {
        return fmin(0, log_sum_up(size, q, from));
    }
    return log1p(-fmin(1, exp(log_sum_down(size, q, from - 1))));
}

/* Number of runs of m stalls among n places (Wald & Wolfowitz 1940, by stalls only):
 * P(R = i) = C(m-1, i-1) C(n-m+1, i) / C(n, m). */
double stall_log_runs_tail(uint64_t n, uint64_t m, uint64_t r)
{
    double stalls = (double)m, free_places = (double)(n - m + 1);
    double most = fmin(stalls, free_places), from = fmin((double)r, most);
    double mode = floor(stalls * free_places / (double)n);

    if ((double)r >= most) {
        return 0;
    }
    double start = fmax(1, fmin(from, mode)), sum = 1, term = 1;
    for (double i = start; i > 1; i--) { /* downwards */
        term *= (i - 1) * i / ((stalls - i + 1) * (free_places - i + 1));
        sum += term;
        if (term < sum * NEGLIGIBLE) {
            break;
        }
    }
    term = 1;
    for (double i = start; i < from; i++) { /* upwards, when r lies beyond the mode */
        term *= (stalls - i) * (free_places - i) / (i * (i + 1));
        sum += term;
        if (term < sum * NEGLIGIBLE) {
            break;
        }
    }
    return fmin(0, log_choose(stalls - 1, start - 1) + log_choose(free_places, start) -
                       log_choose((double)n, stalls) + log(sum));
}
