/* One change point in the steady waits: of their level (Pettitt 1979), else of the rate of stalls.
 * Both tests assume independent steps, which bursts are not, so K^2 is divided by
 * f = (1+r)/(1-r), r the lag-1 autocorrelation within the two sides. */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"

#define CHANGE_MIN_N 24
#define CHANGE_EDGE 8
#define CHANGE_P 1e-3
#define CHANGE_RATIO 3
#define CHANGE_STALLS 5

/* Largest |U_t| with U_t = factor * sum_{i<=t} v_i - t * slope, and the first t that reaches it. */
static double largest(const double *v, size_t n, double factor, double slope, size_t *ret_t)
{
    double sum = 0, best = -1;

    for (size_t t = 1; t <= n - CHANGE_EDGE; t++) {
        sum += v[t - 1];
        double u = fabs(factor * sum - (double)t * slope);
        if (t >= CHANGE_EDGE && u > best) {
            best = u;
            *ret_t = t;
        }
    }
    return best;
}

/* p = min(1, 2 exp(-6 K^2 / (scale f))). */
static double p_value(double *v, size_t n, size_t t, double k, double scale)
{
    double before = stall_sum_of(v, t) / (double)t;
    double after = stall_sum_of(v + t, n - t) / (double)(n - t);
    stall_sum products = {0, 0}, squares = {0, 0};

    for (size_t i = 0; i < n; i++) {
        v[i] -= i < t ? before : after;
        stall_sum_add(&squares, v[i] * v[i]);
    }
    for (size_t i = 0; i + 1 < n; i++) {
        if (i + 1 != t) {
            stall_sum_add(&products, v[i] * v[i + 1]);
        }
    }
    double all = stall_sum_value(&squares), r = all > 0 ? stall_sum_value(&products) / all : 0;
    r = fmin(0.95, fmax(0, r));
    return fmin(1, 2 * exp(-6 * k * k / (scale * ((1 + r) / (1 - r)))));
}

/* Figures of both sides of a change at t. */
static void sides(const stall_work *w, size_t t, double *scratch, stall_change *c)
{
    const double *x = w->steady;
    size_t n = w->steady_len, before = 0, after = 0;

    for (size_t i = 0; i < n; i++) {
        *(i < t ? &before : &after) += x[i] > w->a->threshold.ms;
    }
    c->median_before = stall_median_of(x, t, scratch);
    c->median_after = stall_median_of(x + t, n - t, scratch);
    c->mean_before = stall_sum_of(x, t) / (double)t;
    c->mean_after = stall_sum_of(x + t, n - t) / (double)(n - t);
    c->rate_before = (double)before / (double)t;
    c->rate_after = (double)after / (double)(n - t);
    c->index = (int64_t)t;
    c->step = w->a->points[w->steady_at[t]].step;
}

static bool level_claimed(const stall_change *c, double floor_ms)
{
    double low = fmin(c->median_before, c->median_after);
    double high = fmax(c->median_before, c->median_after);

    return c->p <= CHANGE_P && high >= CHANGE_RATIO * fmax(low, STALL_TINY_MS) && high > floor_ms;
}

static bool rate_claimed(const stall_change *c, size_t n)
{
    bool rising = c->rate_after > c->rate_before;
    double low = rising ? c->rate_before : c->rate_after;
    double high = rising ? c->rate_after : c->rate_before;
    double side = (double)(rising ? (size_t)c->index : n - (size_t)c->index);

    return c->p <= CHANGE_P && high >= CHANGE_RATIO * (low > 0 ? low : 1 / side);
}

stall_status stall_change_figure(stall_work *w, stall_error *reterr)
{
    size_t n = w->steady_len, t = 0, m = 0;
    double cubes = (double)n * (double)n * (double)n + (double)n * (double)n;
    stall_change c = {.kind = STALL_CHANGE_NONE};
    stall_status status = STALL_OK;

    if (n < CHANGE_MIN_N) {
        return STALL_OK;
    }
    double *v = stall_mem_alloc(n, sizeof *v), *scratch = stall_mem_alloc(n, sizeof *scratch);
    if (v == NULL || scratch == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    status = stall_midranks(w->steady, n, v, reterr);
    if (status != STALL_OK) {
        goto out;
    }
    double k = largest(v, n, 2, (double)n + 1, &t);
    c.p = p_value(v, n, t, k, cubes);
    sides(w, t, scratch, &c);
    if (level_claimed(&c, w->a->threshold.floor_ms)) {
        c.kind = STALL_CHANGE_LEVEL;
        goto out;
    }
    for (size_t i = 0; i < n; i++) {
        v[i] = w->steady[i] > w->a->threshold.ms;
        m += v[i] > 0;
    }
    if (m < CHANGE_STALLS || n - m < CHANGE_STALLS) {
        goto out;
    }
    k = largest(v, n, (double)n, (double)m, &t);
    c.p =
        p_value(v, n, t, k, cubes * 3 * (double)m * (double)(n - m) / ((double)n * (double)n - 1));
    sides(w, t, scratch, &c);
    if (rate_claimed(&c, n)) {
        c.kind = STALL_CHANGE_STALLS;
    }
out:
    w->a->change = c.kind == STALL_CHANGE_NONE ? (stall_change){.kind = STALL_CHANGE_NONE} : c;
    stall_mem_free(v);
    stall_mem_free(scratch);
    return status;
}
