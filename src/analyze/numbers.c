/* Small numeric tools of the analysis: sums, sorting, medians, ranks. Enters and leaves: arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

/* Type 7 of Hyndman & Fan (1996): h = (n-1)p, linear between the neighbours; numpy's default. */
double stall_quantile(const double *sorted, size_t n, double p)
{
    if (n == 0) {
        return NAN;
    }
    double h = (double)(n - 1) * p;
    size_t i = (size_t)h;
    if (i >= n - 1) {
        return sorted[n - 1];
    }
    return sorted[i] == sorted[i + 1] ? sorted[i]
                                      : sorted[i] + (h - (double)i) * (sorted[i + 1] - sorted[i]);
}

double stall_median_of(const double *v, size_t n, double *scratch)
{
    if (n == 0) {
        return NAN;
    }
    memcpy(scratch, v, n * sizeof *v);
    stall_sort(scratch, n);
    return stall_quantile(scratch, n, 0.5);
}

typedef struct ranked {
    double v;
    size_t i;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return x->v != y->v ? (x->v > y->v) - (x->v < y->v) : (x->i > y->i) - (x->i < y->i);
}

stall_status stall_midranks(const double *v, size_t n, double *ranks, stall_error *reterr)
{
    ranked *r = stall_mem_alloc(n, sizeof *r);

    if (r == NULL) {
        return stall_error_memory(reterr);
    }
    for (size_t i = 0; i < n; i++) {
        r[i] = (ranked){v[i], i};
    }
    qsort(r, n, sizeof *r, compare_ranked);
    for (size_t i = 0; i < n;) {
        size_t j = i;
        while (j < n && r[j].v == r[i].v) {
            j++;
        }
        for (size_t k = i; k < j; k++) { /* ranks i+1 .. j share their mean */
            ranks[r[k].i] = ((double)i + 1 + (double)j) / 2;
        }
        i = j;
    }
    stall_mem_free(r);
    return STALL_OK;
}

double stall_cliffs_delta(const double *a, size_t na, const double *b, size_t nb)
{
    double above = 0, below = 0;

    for (size_t i = 0, lt = 0, le = 0; i < na; i++) {
        while (lt < nb && b[lt] < a[i]) {
            lt++;
        }
        while (le < nb && b[le] <= a[i]) {
            le++;
        }
        above += (double)lt;
        below += (double)(nb - le);
    }
    return (above - below) / ((double)na * (double)nb);
}
