/* Intervals of a comparison: circular block bootstrap (Politis & Romano 1992).
 *
 * Enters: the samples of both sides and the block length of each. Leaves: percentile limits of the
 * difference and the ratio of mean, median, p95 and mean step time. Blocks keep the cadence of the
 * waits within them; every pass is drawn on its own, so no block crosses two passes. The generator
 * is stated and seeded, so the same samples give the same limits everywhere. It must not know what
 * the limits are used for. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define DRAW_BATCH 128

uint64_t stall_random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- sums of blocks ---- */

/* A pass ready for drawing. The sums of every block that can be drawn are made once, from running
 * sums: a replicate then costs n/b additions. */
typedef struct draw_pass {
    const double *wait, *step;    /* step NULL: step times are not asked for */
    size_t n, block, draws, last; /* draws: ceil(n/b) starts; the last block is cut to `last` */
    struct block_sum {
        double wait, step;
    } * sums;             /* of the block that begins at each sample */
    uint32_t *steps;      /* step times in that block; NULL: every one has `block` of them */
    const uint32_t *rank; /* of each sample in its sorted side, or NULL */
} draw_pass;

/* A sum kept in two doubles, so that the difference of two of them is exact enough even for a quiet
 * block after a long hang (two-sum, Knuth 1969). */
typedef struct long_sum {
    double high, low;
} long_sum;

static long_sum long_add(long_sum s, double v)
{
    double high = s.high + v, part = high - s.high;

    s.low += (s.high - (high - part)) + (v - part);
    s.high = high;
    return s;
}

static double long_diff(long_sum a, long_sum b)
{
    return (a.high - b.high) + (a.low - b.low);
}

typedef struct running {
    long_sum wait, step;
    uint32_t steps;
} running;

static bool sum_blocks(draw_pass *p)
{
    running *r = stall_mem_alloc(p->n + 1, sizeof(*r)), *end;
    bool wraps, done = false;

    p->sums = stall_mem_alloc(p->n, sizeof(*p->sums));
    if (r == NULL || p->sums == NULL)
        goto out;
    memset(r, 0, sizeof(*r));
    for (size_t i = 0; i < p->n; i++) {
        r[i + 1] = r[i];
        r[i + 1].wait = long_add(r[i].wait, p->wait[i]);
        if (p->step != NULL && !isnan(p->step[i])) {
            r[i + 1].step = long_add(r[i].step, p->step[i]);
            r[i + 1].steps++;
        }
    }
    end = &r[p->n];
    if (p->step != NULL && end->steps < p->n) {
        p->steps = stall_mem_alloc(p->n, sizeof(*p->steps));
        if (p->steps == NULL)
            goto out;
    }
    for (size_t i = 0; i < p->n; i++) {
        wraps = p->block > p->n - i;
        const running *to = wraps ? end : &r[i + p->block];
        const running *more = &r[wraps ? p->block - (p->n - i) : 0];

        p->sums[i].wait = long_diff(to->wait, r[i].wait) + (more->wait.high + more->wait.low);
        p->sums[i].step = long_diff(to->step, r[i].step) + (more->step.high + more->step.low);
        if (p->steps != NULL)
            p->steps[i] = to->steps - r[i].steps + more->steps;
    }
    done = true;
out:
    stall_mem_free(r);
    return done;
}

/* ---- a side ---- */

typedef struct draw_side {
    draw_pass *passes;
    size_t len;
    size_t n;
    const double *sorted;            /* all samples */
    double step_mean;                /* as observed: used when no drawn step has a time */
    uint32_t *rank;                  /* of all samples, pass by pass, or NULL */
    uint32_t *count;                 /* how often each sorted sample was drawn */
    double *mean, *step, *p50, *p95; /* replicates, or NULL */
} draw_side;

/* Places of the samples in their sorted side; equal samples share any order, their value is one. */
static void rank_samples(const compare_side *s, uint32_t *rank)
{
    size_t k = 0, low, high, mid;

    for (size_t p = 0; p < s->len; p++)
        for (size_t i = 0; i < s->passes[p].n; i++, k++) {
            for (low = 0, high = s->n; low < high;) { /* first place of the value */
                mid = low + (high - low) / 2;
                if (s->sorted[mid] < s->passes[p].wait[i])
                    low = mid + 1;
                else
                    high = mid;
            }
            rank[k] = (uint32_t)low;
        }
}

static void side_close(draw_side *d)
{
    for (size_t p = 0; d->passes != NULL && p < d->len; p++) {
        stall_mem_free(d->passes[p].sums);
        stall_mem_free(d->passes[p].steps);
    }
    stall_mem_free(d->passes);
    stall_mem_free(d->rank);
    stall_mem_free(d->count);
    stall_mem_free(d->mean);
    stall_mem_free(d->step);
    stall_mem_free(d->p50);
    stall_mem_free(d->p95);
}

static bool side_open(draw_side *d, const compare_side *s, size_t block, bool steps, bool quantiles)
{
    size_t k = 0;

    memset(d, 0, sizeof(*d));
    d->n = s->n;
    d->sorted = s->sorted;
    d->step_mean = s->step_mean;
    d->passes = stall_mem_zero(s->len, sizeof(*d->passes));
    d->mean = stall_mem_alloc(COMPARE_REPLICATES, sizeof(*d->mean));
    d->step = steps ? stall_mem_alloc(COMPARE_REPLICATES, sizeof(*d->step)) : NULL;
    if (d->passes == NULL || d->mean == NULL || (steps && d->step == NULL))
        return false;
    d->len = s->len;
    if (quantiles) {
        d->rank = stall_mem_alloc(s->n, sizeof(*d->rank));
        d->count = stall_mem_zero(s->n, sizeof(*d->count));
        d->p50 = stall_mem_alloc(COMPARE_REPLICATES, sizeof(*d->p50));
        d->p95 = stall_mem_alloc(COMPARE_REPLICATES, sizeof(*d->p95));
        if (d->rank == NULL || d->count == NULL || d->p50 == NULL || d->p95 == NULL)
            return false;
        rank_samples(s, d->rank);
    }
    for (size_t p = 0; p < s->len; p++) {
        const compare_pass *from = &s->passes[p];
        size_t third = from->n / 3 > 0 ? from->n / 3 : 1, b = block < third ? block : third;

        d->passes[p] = (draw_pass){.wait = from->wait,
                                   .step = steps ? from->step : NULL,
                                   .n = from->n,
                                   .block = b,
                                   .draws = (from->n + b - 1) / b,
                                   .rank = quantiles ? d->rank + k : NULL};
        d->passes[p].last = from->n - (d->passes[p].draws - 1) * b;
        k += from->n;
        if (!sum_blocks(&d->passes[p]))
            return false;
    }
    return true;
}

/* The v-th smallest and the next of the drawn samples, from the counts: `*at` and `*below` hold the
 * sorted place reached and the draws below it. */
static double drawn(const draw_side *d, size_t v, size_t *at, size_t *below)
{
    while (*below + d->count[*at] <= v) {
        *below += d->count[*at];
        (*at)++;
    }
    return d->sorted[*at];
}

/* Type 7 quantile of the drawn samples. */
static double drawn_quantile(const draw_side *d, double p, size_t *at, size_t *below)
{
    double h = (double)(d->n - 1) * p, part = h - floor(h);
    size_t v = (size_t)h;
    double low = drawn(d, v, at, below), high;
    size_t next_at = *at, next_below = *below;

    if (part == 0)
        return low;
    high = drawn(d, v + 1, &next_at, &next_below);
    return low + part * (high - low);
}

typedef struct drawn_sum {
    double wait, step;
    uint64_t steps;
} drawn_sum;

/* Adds `len` samples from `start` on, the last block of a pass, one by one. */
static void add_cut(const draw_pass *q, size_t start, drawn_sum *sum)
{
    for (size_t i = 0, at = start; i < q->last; i++, at = at + 1 == q->n ? 0 : at + 1) {
        sum->wait += q->wait[at];
        if (q->step != NULL && !isnan(q->step[at])) {
            sum->step += q->step[at];
            sum->steps++;
        }
    }
}

static void count_drawn(draw_side *d, const draw_pass *q, size_t start, size_t len)
{
    for (size_t i = 0, at = start; i < len; i++, at = at + 1 == q->n ? 0 : at + 1)
        d->count[q->rank[at]]++;
}

/* One pass of a replicate. The starts of a batch are drawn before their sums are looked up: the
 * look-ups are far apart in memory and so do not wait for each other. */
static void draw_blocks(draw_side *d, const draw_pass *q, uint64_t *state, drawn_sum *sum)
{
    size_t start[DRAW_BATCH];

    for (size_t k = 0; k < q->draws;) {
        size_t batch = q->draws - k < DRAW_BATCH ? q->draws - k : DRAW_BATCH, whole;

        for (size_t i = 0; i < batch; i++)
            start[i] = (size_t)(stall_random_unit(state) * (double)q->n);
        k += batch;
        whole = batch - (k == q->draws && q->last < q->block);
        for (size_t i = 0; i < whole; i++) {
            sum->wait += q->sums[start[i]].wait;
            sum->step += q->sums[start[i]].step;
        }
        for (size_t i = 0; i < whole; i++)
            sum->steps += q->steps != NULL ? q->steps[start[i]] : q->block;
        if (whole < batch)
            add_cut(q, start[whole], sum);
        for (size_t i = 0; d->count != NULL && i < batch; i++)
            count_drawn(d, q, start[i], i < whole ? q->block : q->last);
    }
}

/* One replicate of a side. */
static void draw(draw_side *d, size_t replicate, uint64_t *state)
{
    drawn_sum sum = {0, 0, 0};

    if (d->count != NULL)
        memset(d->count, 0, d->n * sizeof(*d->count));
    for (size_t p = 0; p < d->len; p++)
        draw_blocks(d, &d->passes[p], state, &sum);
    d->mean[replicate] = sum.wait / (double)d->n;
    if (d->step != NULL)
        d->step[replicate] = sum.steps > 0 ? sum.step / (double)sum.steps : d->step_mean;
    if (d->count != NULL) {
        size_t at = 0, below = 0;

        d->p50[replicate] = drawn_quantile(d, 0.5, &at, &below);
        d->p95[replicate] = drawn_quantile(d, 0.95, &at, &below);
    }
}

/* ---- limits ---- */

double stall_limit(const double *sorted, size_t n, double tail, bool upper)
{
    double h = (double)(n - 1) * tail, part = h - floor(h), near, far;
    size_t k = (size_t)h;

    /* counted from its own end, so that negated replicates give exactly the negated limits */
    near = sorted[upper ? n - 1 - k : k];
    if (part == 0 || k + 1 >= n)
        return near;
    far = sorted[upper ? n - 2 - k : k + 1];
    return near == far || isinf(near) ? near : near + part * (far - near);
}

/* Limits of fixed - broken and fixed/broken over the replicates; `tail` on each side. */
static void limits(const double *diff, const double *ratio, double tail, compare_limits *ret)
{
    ret->diff_low = stall_limit(diff, COMPARE_REPLICATES, tail, false);
    ret->diff_high = stall_limit(diff, COMPARE_REPLICATES, tail, true);
    ret->ratio_low = stall_limit(ratio, COMPARE_REPLICATES, tail, false);
    ret->ratio_high = stall_limit(ratio, COMPARE_REPLICATES, tail, true);
}

static void pair_up(const double *broken, const double *fixed, double *diff, double *ratio)
{
    for (size_t r = 0; r < COMPARE_REPLICATES; r++) {
        diff[r] = fixed[r] - broken[r];
        ratio[r] = broken[r] != 0 ? fixed[r] / broken[r] : fixed[r] == 0 ? 1 : INFINITY;
    }
    stall_sort(diff, COMPARE_REPLICATES);
    stall_sort(ratio, COMPARE_REPLICATES);
}

stall_status stall_bootstrap(const compare_side side[2], const size_t block[2], bool steps,
                             compare_intervals *ret, stall_error *reterr)
{
    draw_side d[2] = {{0}, {0}};
    bool quantiles = side[0].n <= COMPARE_QUANT_MAX && side[1].n <= COMPARE_QUANT_MAX;
    int first = side[1].mean > side[0].mean; /* swapped sides then draw the same numbers */
    double *diff = stall_mem_alloc(COMPARE_REPLICATES, sizeof(*diff));
    double *ratio = stall_mem_alloc(COMPARE_REPLICATES, sizeof(*ratio));
    uint64_t state = COMPARE_SEED;
    bool done = diff != NULL && ratio != NULL;

    for (int s = 0; s < 2 && done; s++)
        done = side_open(&d[s], &side[s], block[s], steps, quantiles);
    if (!done)
        goto out;
    for (size_t r = 0; r < COMPARE_REPLICATES; r++) {
        draw(&d[first], r, &state);
        draw(&d[!first], r, &state);
    }
    ret->has_quantiles = quantiles;
    ret->has_step = steps;
    pair_up(d[0].mean, d[1].mean, diff, ratio);
    limits(diff, ratio, 0.025, &ret->mean);
    limits(diff, ratio, 0.005, &ret->mean99);
    if (steps) {
        pair_up(d[0].step, d[1].step, diff, ratio);
        limits(diff, ratio, 0.025, &ret->step);
    }
    if (quantiles) {
        pair_up(d[0].p50, d[1].p50, diff, ratio);
        limits(diff, ratio, 0.025, &ret->p50);
        pair_up(d[0].p95, d[1].p95, diff, ratio);
        limits(diff, ratio, 0.025, &ret->p95);
    }
out:
    side_close(&d[0]);
    side_close(&d[1]);
    stall_mem_free(diff);
    stall_mem_free(ratio);
    return done ? STALL_OK : stall_error_memory(reterr);
}
