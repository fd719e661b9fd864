/* The automatic stall threshold. Enters: steady waits and a floor. Leaves: T and how many giants
 * were peeled off. Scale-free above the floor: on two clear groups of waits T falls between them.
 */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"

#define PEEL_MIN_N 20 /* fewer waits are never peeled */
#define PEEL_VALUES 2 /* giants that one round may drop */
#define PEEL_REST 3   /* stalls that must remain below them */
#define PEEL_TOTAL 6  /* giants dropped in all, about */

static double rounded12(double v)
{
    return round(v * 1e12) / 1e12;
}

/* Widest logarithmic gap between L, the waits strictly inside, and U; its geometric middle.
 * L = max(floor, mean/4); U = max(floor, M/2), where half of the waiting time was spent in waits of
 * at least M. */
static double widest_gap(const double *sorted, size_t n, double floor_ms)
{
    double sum = stall_sum_of(sorted, n), walked = 0, m = n > 0 ? sorted[0] : 0;

    if (n == 0) {
        return floor_ms;
    }
    for (size_t i = n; i-- > 0;) {
        walked += sorted[i];
        m = sorted[i];
        if (walked >= sum / 2 * (1 - 1e-12)) {
            break;
        }
    }
    double low = fmax(floor_ms, sum / (double)n / 4), high = fmax(floor_ms, m / 2);
    if (high <= low) {
        return low;
    }
    double last = low, best = -1, t = low;
    for (size_t i = 0; i <= n; i++) {
        double v = i < n ? sorted[i] : high;
        if (i < n && (v <= low || v >= high)) {
            continue;
        }
        double gap = rounded12(log(v) - log(last));
        if (gap > best) {
            best = gap;
            t = sqrt(last) * sqrt(v);
        }
        last = v;
    }
    return t;
}

static size_t count_above(const double *sorted, size_t n, double t)
{
    size_t k = 0;

    while (k < n && sorted[n - 1 - k] > t) {
        k++;
    }
    return k;
}

stall_status stall_threshold_find(const double *waits, size_t n, double floor_ms, double *ret_ms,
                                  uint64_t *ret_peeled, stall_error *reterr)
{
    double *v = stall_mem_alloc(n, sizeof *v);

    if (v == NULL) {
        return stall_error_memory(reterr);
    }
    if (n > 0) {
        memcpy(v, waits, n * sizeof *v);
    }
    stall_sort(v, n);
    double t = widest_gap(v, n, floor_ms);
    uint64_t peeled = 0;
    while (n >= PEEL_MIN_N && t > floor_ms && peeled <= PEEL_TOTAL) {
        size_t giants = count_above(v, n, t);
        if (giants < 1 || giants > PEEL_VALUES || v[n - giants - 1] <= floor_ms) {
            break;
        }
        double t2 = widest_gap(v, n - giants, floor_ms);
        if (count_above(v, n - giants, t2) < PEEL_REST) {
            break;
        }
        n -= giants;
        peeled += giants;
        t = t2;
    }
    *ret_ms = t;
    *ret_peeled = peeled;
    stall_mem_free(v);
    return STALL_OK;
}
