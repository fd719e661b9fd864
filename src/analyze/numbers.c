/* Small numeric tools of the analysis: sums, sorting, medians, ranks. Enters and leaves: arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

void stall_sum_add(stall_sum *s, double v)
{
    double t = s->sum + v;

    s->rest += fabs(s->sum) >= fabs(v) ? (s->sum - t) + v : (v - t) + s->sum;
    s->sum = t;
}

double stall_sum_value(const stall_sum *s)
{
    return s->sum + s->rest;
}

double stall_sum_of(const double *v, size_t n)
{
    stall_sum s = {0, 0};

    for (size_t i = 0; i < n; i++) {
        stall_sum_add(&s, v[i]);
    }
    return stall_sum_value(&s);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

#define RADIX_MIN 4096 /* shorter arrays are sorted by comparison */
#define RADIX_BITS 11
#define RADIX_PASSES 6 /* of 11 bits: 64 */

/* The bits of a double in an order that is that of the numbers, and back. */
static uint64_t ordered_bits(double v)
{
    uint64_t b;

    memcpy(&b, &v, sizeof b);
    return b >> 63 ? ~b : b | UINT64_C(1) << 63;
}

static double from_ordered(uint64_t b)
{
    double v;

    b = b >> 63 ? b & ~(UINT64_C(1) << 63) : ~b;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* Least significant digit radix sort; a pass whose digits are all alike is skipped. */
static void radix_sort(uint64_t *from, uint64_t *to, size_t n, double *out)
{
    for (int pass = 0; pass < RADIX_PASSES; pass++) {
        size_t counts[1 << RADIX_BITS] = {0}, at = 0;
        int shift = pass * RADIX_BITS;
        uint64_t mask = (1 << RADIX_BITS) - 1;
        for (size_t i = 0; i < n; i++) {
            counts[from[i] >> shift & mask]++;
        }
        if (counts[from[0] >> shift & mask] == n) {
            continue;
        }
        for (size_t d = 0; d <= mask; d++) {
            size_t count = counts[d];
            counts[d] = at;
            at += count;
        }
        for (size_t i = 0; i < n; i++) {
            to[counts[from[i] >> shift & mask]++] = from[i];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = from_ordered(from[i]);
    }
}

void stall_sort_ascending(double *v, size_t n)
{
    uint64_t *room = n >= RADIX_MIN ? stall_mem_alloc(n, 2 * sizeof *room) : NULL;

    if (room != NULL) {
        for (size_t i = 0; i < n; i++) {
            room[i] = ordered_bits(v[i]);
        }
        radix_sort(room, room + n, n, v);
    } else if (n > 1) {
        qsort(v, n, sizeof *v, compare_doubles);
    }
    stall_mem_free(room);
}

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
    stall_sort_ascending(scratch, n);
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
