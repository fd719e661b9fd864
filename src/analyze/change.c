/* One change point: does the run consist of two regimes?
 *
 * Enters: the steady waits in time order, their ranks, the threshold. Leaves: `change`. Both tests
 * assume independent steps, which bursts are not; their p is tempered by the correlation of
 * neighbours left within the two sides. It must not know cadence or shape. */
#include "analyze/analyze.h"

#define CHANGE_MIN_STEPS 24
#define CHANGE_EDGE 8      /* steps on each side */
#define CHANGE_ALPHA 1e-3
#define CHANGE_RATIO 3     /* between the sides */
#define CHANGE_MIN_KIND 5  /* stalls, and steps that are none */
#define CORRELATION_MAX 0.95

typedef struct series { /* the steady waits in time order */
    const stall_analysis *a;
    size_t *place;    /* in a->points */
    int64_t *tested;  /* doubled mid-ranks, or 1 for a stall and 0 for none */
    double *side;     /* room for the waits of one side, ascending */
    const stall_keyed *ranked;
    size_t ranked_len, n;
} series;

typedef struct split {
    size_t t; /* steps before the change */
    double k; /* the statistic */
} split;

/* Doubled mid-ranks of the steady waits, by their order in time. */
static void rank_waits(series *s, const size_t *order_of)
{
    size_t i = 0, rank = 0; /* rank: steady waits before the group of equals */

    while (i < s->ranked_len) {
        size_t to = i, count = 0;

        for (; to < s->ranked_len && s->ranked[to].key == s->ranked[i].key; to++)
            count += s->a->points[s->ranked[to].index].steady;
        for (; i < to; i++)
            if (s->a->points[s->ranked[i].index].steady)
                s->tested[order_of[s->ranked[i].index]] = (int64_t)(2 * rank + count + 1);
        rank += count;
    }
}

/* First t in [8, n-8] that reaches the largest |scale sum_{i<=t} v_i - t total|. */
static split find_split(const int64_t *v, size_t n, int64_t scale, int64_t total)
{
    split best = {0, -1};
    int64_t sum = 0;

    for (size_t t = 1; t + CHANGE_EDGE <= n; t++) {
        double k;

        sum += v[t - 1];
        k = fabs((double)(scale * sum - (int64_t)t * total));
        if (t >= CHANGE_EDGE && k > best.k)
            best = (split){t, k};
    }
    return best;
}

/* p = min(1, 2 exp(-6 K^2 / (scale f))), f = (1+r)/(1-r), r the lag-1 correlation within the sides. */
static double split_p(const int64_t *v, size_t n, const split *s, double scale)
{
    double mean[2] = {0, 0}, before = 0, r = 0;
    stall_sum products = {0, 0}, squares = {0, 0};

    for (size_t i = 0; i < n; i++)
        mean[i >= s->t] += (double)v[i];
    mean[0] /= (double)s->t;
    mean[1] /= (double)(n - s->t);
    for (size_t i = 0; i < n; i++) {
        double d = (double)v[i] - mean[i >= s->t];

        stall_sum_add(&squares, d * d);
        if (i > 0 && i != s->t)
            stall_sum_add(&products, before * d);
        before = d;
    }
    if (stall_sum_value(&squares) > 0)
        r = stall_sum_value(&products) / stall_sum_value(&squares);
    r = fmin(CORRELATION_MAX, fmax(0, r));
    return fmin(1, 2 * exp(-6 * s->k * s->k / (scale * ((1 + r) / (1 - r)))));
}

/* Median, mean and stall rate of one side. */
static void describe_side(series *s, size_t t, bool after, const size_t *order_of, double *ret)
{
    const stall_analysis *a = s->a;
    size_t len = 0, stalls = 0;

    for (size_t i = 0; i < s->ranked_len; i++) {
        const stall_point *p = &a->points[s->ranked[i].index];

        if (!p->steady || (order_of[s->ranked[i].index] >= t) != after)
            continue;
        s->side[len++] = p->wait_ms;
        stalls += p->wait_ms > a->threshold.ms;
    }
    ret[0] = stall_quantile(s->side, len, 0.5);
    ret[1] = stall_mean(s->side, len);
    ret[2] = (double)stalls / (double)len;
}

static void describe_split(series *s, const split *at, double p, const size_t *order_of,
                           stall_change *ret)
{
    double before[3], after[3];

    describe_side(s, at->t, false, order_of, before);
    describe_side(s, at->t, true, order_of, after);
    *ret = (stall_change){.kind = STALL_CHANGE_NONE,
                          .step = s->a->points[s->place[at->t]].step,
                          .index = (int64_t)at->t,
                          .p = p,
                          .median_before = before[0],
                          .median_after = after[0],
                          .mean_before = before[1],
                          .mean_after = after[1],
                          .rate_before = before[2],
                          .rate_after = after[2]};
}

/* Pettitt (1979): U_t = 2 sum_{i<=t} r_i - t (n+1) over mid-ranks r. */
static bool find_level(series *s, const size_t *order_of, stall_change *ret)
{
    double n = (double)s->n, p, low, high;
    split at;

    rank_waits(s, order_of);
    at = find_split(s->tested, s->n, 1, (int64_t)s->n + 1);
    p = split_p(s->tested, s->n, &at, n * n * n + n * n);
    if (!(p <= CHANGE_ALPHA))
        return false;
    describe_split(s, &at, p, order_of, ret);
    low = fmax(STALL_TINY_MS, fmin(ret->median_before, ret->median_after));
    high = fmax(ret->median_before, ret->median_after);
    if (!(high >= CHANGE_RATIO * low) || !(high > s->a->threshold.floor_ms))
        return false;
    ret->kind = STALL_CHANGE_LEVEL;
    return true;
}

/* The same of y = 1 for a stall, with the variance of y. A heavy tail that thins out does not move
 * the medians; this finds it. */
static void find_stalls(series *s, const size_t *order_of, stall_change *ret)
{
    double n = (double)s->n, p, low, m = 0, least;
    split at;

    for (size_t i = 0; i < s->n; i++) {
        s->tested[i] = s->a->points[s->place[i]].wait_ms > s->a->threshold.ms;
        m += (double)s->tested[i];
    }
    if (m < CHANGE_MIN_KIND || n - m < CHANGE_MIN_KIND)
        return;
    at = find_split(s->tested, s->n, (int64_t)s->n, (int64_t)m);
    p = split_p(s->tested, s->n, &at, (n * n * n + n * n) * 3 * m * (n - m) / (n * n - 1));
    if (!(p <= CHANGE_ALPHA))
        return;
    describe_split(s, &at, p, order_of, ret);
    low = fmin(ret->rate_before, ret->rate_after);
    least = 1 / (ret->rate_before < ret->rate_after ? (double)at.t : n - (double)at.t);
    if (fmax(ret->rate_before, ret->rate_after) >= CHANGE_RATIO * (low > 0 ? low : least))
        ret->kind = STALL_CHANGE_STALLS;
}

stall_status stall_change_find(stall_work *w, stall_error *reterr)
{
    stall_analysis *a = w->a;
    series s = {.a = a, .ranked = w->ranked, .ranked_len = w->sorted_len};
    stall_change found = {.kind = STALL_CHANGE_NONE};
    stall_status status = STALL_ENOMEM;
    size_t *order_of = NULL;

    if (w->steady_len < CHANGE_MIN_STEPS)
        return STALL_OK;
    s.place = stall_mem_alloc(w->steady_len, sizeof(*s.place));
    s.tested = stall_mem_alloc(w->steady_len, sizeof(*s.tested));
    s.side = stall_mem_alloc(w->steady_len, sizeof(*s.side));
    order_of = stall_mem_alloc(a->points_len, sizeof(*order_of));
    if (s.place == NULL || s.tested == NULL || s.side == NULL || order_of == NULL)
        goto out;
    for (size_t i = 0; i < a->points_len; i++) {
        order_of[i] = s.n;
        if (a->points[i].steady)
            s.place[s.n++] = i;
    }
    if (!find_level(&s, order_of, &found) && !w->series->aggregated)
        find_stalls(&s, order_of, &found);
    if (found.kind != STALL_CHANGE_NONE)
        a->change = found;
    status = STALL_OK;
out:
    stall_mem_free(s.place);
    stall_mem_free(s.tested);
    stall_mem_free(s.side);
    stall_mem_free(order_of);
    return status == STALL_OK ? status : stall_error_memory(reterr);
}
