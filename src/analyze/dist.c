/* The distribution of all usable waits, shares of the step time, exposed waits. Enters: points.
 * Leaves: figures. Start-up is included except where "steady" is said. */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"

#define BINS_PER_DECADE 5
#define BIN_FLOOR_MS 0.01 /* below it (zero included) is the underflow bin */
#define KNOWN_SHARE 0.9   /* of the waits must have a step time for step times to be known */

static double bin_low(int64_t b)
{
    return pow(10, (double)b / BINS_PER_DECADE);
}

/* Bin b holds 10^(b/5) <= x < 10^((b+1)/5). */
static int64_t bin_of(double x)
{
    if (x < BIN_FLOOR_MS) {
        return STALL_UNKNOWN;
    }
    int64_t b = (int64_t)floor(BINS_PER_DECADE * log10(x));
    while (x < bin_low(b)) {
        b--;
    }
    while (x >= bin_low(b + 1)) {
        b++;
    }
    return b;
}

static bool fill_hist(stall_dist *d, const double *sorted, size_t n)
{
    size_t cap = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t b = bin_of(sorted[i]);
        if (d->hist_len == 0 || d->hist[d->hist_len - 1].key != b) {
            if (!stall_mem_grow((void **)&d->hist, &cap, d->hist_len + 1, sizeof *d->hist)) {
                return false;
            }
            d->hist[d->hist_len++] = (stall_bin){b, 0};
        }
        d->hist[d->hist_len - 1].count++;
    }
    return true;
}

/* sd with n-1; MAD unscaled; top10_share: the ceil(n/10) largest over the sum. */
static void fill_moments(stall_dist *d, const double *x, size_t n, double *scratch)
{
    stall_sum squares = {0, 0};

    d->sum = stall_sum_of(x, n);
    d->mean = d->sum / (double)n;
    d->min = x[0];
    d->max = x[n - 1];
    d->p50 = stall_quantile(x, n, 0.50);
    d->p90 = stall_quantile(x, n, 0.90);
    d->p95 = stall_quantile(x, n, 0.95);
    d->p99 = stall_quantile(x, n, 0.99);
    for (size_t i = 0; i < n; i++) {
        stall_sum_add(&squares, (x[i] - d->mean) * (x[i] - d->mean));
        scratch[i] = fabs(x[i] - d->p50);
    }
    stall_sort(scratch, n);
    d->mad = stall_quantile(scratch, n, 0.5);
    if (n > 1) {
        d->sd = d->min == d->max ? 0 : sqrt(stall_sum_value(&squares) / (double)(n - 1));
        d->cv = d->mean > 0 ? d->sd / d->mean : NAN;
    }
    if (d->sum > 0) {
        size_t top = (n + 9) / 10;
        d->top10_share = stall_sum_of(x + n - top, top) / d->sum;
    }
}

/* Marks the steady points and gathers their waits. */
static bool gather(stall_work *w, size_t known)
{
    stall_analysis *a = w->a;

    w->warmup = known < STALL_MIN_N ? 0 : a->facts.warmup;
    w->sorted = stall_mem_alloc(known, sizeof *w->sorted);
    w->steady = stall_mem_alloc(known, sizeof *w->steady);
    w->steady_at = stall_mem_alloc(known, sizeof *w->steady_at);
    if (w->sorted == NULL || w->steady == NULL || w->steady_at == NULL) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < a->points_len; i++) {
        stall_point *p = &a->points[i];
        p->steady = p->t >= w->warmup;
        if (isnan(p->wait_ms)) {
            continue;
        }
        w->sorted[n++] = p->wait_ms;
        if (p->steady) {
            w->steady_at[w->steady_len] = i;
            w->steady[w->steady_len++] = p->wait_ms;
        }
    }
    stall_sort(w->sorted, n);
    return true;
}

static void fill_wall(stall_work *w, double *scratch)
{
    stall_analysis *a = w->a;
    stall_sum wait = {0, 0}, step = {0, 0}, steady_wait = {0, 0}, steady_step = {0, 0};
    size_t both = 0;

    for (size_t i = 0; i < a->points_len; i++) {
        const stall_point *p = &a->points[i];
        if (isnan(p->wait_ms) || isnan(p->step_ms)) {
            continue;
        }
        scratch[both++] = p->step_ms - p->wait_ms;
        stall_sum_add(&wait, p->wait_ms);
        stall_sum_add(&step, p->step_ms);
        if (p->steady) {
            stall_sum_add(&steady_wait, p->wait_ms);
            stall_sum_add(&steady_step, p->step_ms);
        }
    }
    if (both == 0 || (double)both < KNOWN_SHARE * (double)a->dist.n) {
        return;
    }
    stall_sort(scratch, both);
    a->work_ms = stall_quantile(scratch, both, 0.5);
    if (stall_sum_value(&step) > 0) {
        a->wall_share = stall_sum_value(&wait) / stall_sum_value(&step);
    }
    if (stall_sum_value(&steady_step) > 0) {
        a->wall_share_steady = stall_sum_value(&steady_wait) / stall_sum_value(&steady_step);
    }
}

stall_status stall_dist_figure(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    stall_status status = STALL_OK;
    size_t known = 0;
    double *scratch = stall_mem_alloc(a->points_len, sizeof *scratch);

    for (size_t i = 0; i < a->points_len; i++) {
        known += !isnan(a->points[i].wait_ms);
    }
    a->dist.n = known;
    if (scratch == NULL || !gather(w, known) || !fill_hist(&a->dist, w->sorted, known)) {
        status = stall_error_memory(reterr);
        goto out;
    }
    if (known > 0) {
        fill_moments(&a->dist, w->sorted, known, scratch);
    }
    fill_wall(w, scratch);
    a->steady.n = w->steady_len;
    if (w->steady_len > 0) {
        memcpy(scratch, w->steady, w->steady_len * sizeof *scratch);
        stall_sort(scratch, w->steady_len);
        a->steady.mean = stall_sum_of(scratch, w->steady_len) / (double)w->steady_len;
        a->steady.p50 = stall_quantile(scratch, w->steady_len, 0.5);
        a->steady.p95 = stall_quantile(scratch, w->steady_len, 0.95);
    }
    stall_exposed_figure(w, scratch);
out:
    stall_mem_free(scratch);
    return status;
}

/* What stays of the share when the stalls are taken away: the steady waits not above the automatic
 * threshold over the steady step time. */
void stall_shares_figure(stall_work *w)
{
    stall_analysis *a = w->a;
    stall_sum wait = {0, 0}, step = {0, 0};

    if (isnan(a->wall_share_steady)) {
        return;
    }
    for (size_t i = 0; i < w->steady_len; i++) {
        const stall_point *p = &a->points[w->steady_at[i]];
        if (!isnan(p->step_ms)) {
            stall_sum_add(&wait, p->wait_ms > a->threshold.auto_ms ? 0 : p->wait_ms);
            stall_sum_add(&step, p->step_ms);
        }
    }
    a->wall_share_no_stalls = stall_sum_value(&wait) / stall_sum_value(&step);
}

/* The wait that GPU work did not cover, over the judged steps that have it. */
void stall_exposed_figure(stall_work *w, double *scratch)
{
    stall_analysis *a = w->a;
    stall_sum exposed = {0, 0}, step = {0, 0};
    size_t n = 0;

    for (size_t i = 0; w->s->has_gpu && i < a->points_len; i++) {
        const stall_point *p = &a->points[i];
        int64_t ns = w->s->rows[p->row].exposed_ns;
        if (isnan(p->wait_ms) || ns == STALL_UNKNOWN) {
            continue;
        }
        scratch[n++] = (double)ns / 1e6;
        if (!isnan(p->step_ms)) {
            stall_sum_add(&exposed, (double)ns / 1e6);
            stall_sum_add(&step, p->step_ms);
        }
    }
    if (n == 0) {
        return;
    }
    stall_sort(scratch, n);
    a->exposed.known = true;
    a->exposed.n = n;
    a->exposed.mean = stall_sum_of(scratch, n) / (double)n;
    a->exposed.p50 = stall_quantile(scratch, n, 0.5);
    a->exposed.p95 = stall_quantile(scratch, n, 0.95);
    a->exposed.share = !isnan(a->wall_share) && stall_sum_value(&step) > 0
                           ? stall_sum_value(&exposed) / stall_sum_value(&step)
                           : NAN;
}
