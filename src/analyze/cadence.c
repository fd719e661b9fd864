/* Order of the stalls in time: gaps, recurrence, runs, and the cadence that may be claimed.
 *
 * Enters: points with positions and marked stalls. Leaves: a stall_cadence. It must not know times or
 * what a cadence means for the verdict. */
#include <string.h>

#include "analyze/analyze.h"

#define HOLES_SHARE 0.25 /* of all positions: beyond it a cadence may come from the holes */
#define LONGEST_PARTS 3  /* a pattern must fit so often into the longest segment */

typedef struct site { /* a position that takes part */
    int64_t t;
    uint32_t segment;
    uint64_t measured; /* measured positions before it, in all segments */
} site;

typedef struct ground { /* what all tests stand on */
    site *stalls, *fast;
    size_t stalls_len, fast_len;
    uint64_t positions, longest, measured;
    int64_t left_out;
} ground;

void stall_cadence_init(stall_cadence *c)
{
    memset(c, 0, sizeof(*c));
    c->period = c->period_steps = c->phase = STALL_UNKNOWN;
    c->gap_min = c->gap_max = STALL_UNKNOWN;
    c->p_adj = c->coverage = c->coverage_w = c->p_w = c->phase_share = NAN;
    c->gap_median = c->gap_mean = c->gap_cv = c->runs_p = NAN;
}

void stall_cadence_close(stall_cadence *c)
{
    stall_mem_free(c->gap_list);
    stall_mem_free(c->gap_hist);
    stall_mem_free(c->recurrence);
    stall_cadence_init(c);
}

/* ---- positions ---- */

static bool take_positions(ground *g, const stall_point *p, size_t n)
{
    size_t stalls = 0;

    for (size_t i = 0; i < n; i++)
        stalls += p[i].stall && p[i].t >= g->left_out;
    g->stalls = stall_mem_alloc(stalls, sizeof(*g->stalls));
    if (g->stalls == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n || p[i + 1].segment != p[i].segment;
        bool part = p[i].t >= g->left_out;

        if (part && p[i].stall)
            g->stalls[g->stalls_len++] = (site){p[i].t, p[i].segment, g->measured};
        g->measured += part && stall_known(p[i].wait_ms);
        if (last && part) {
            uint64_t span = (uint64_t)(p[i].t - g->left_out) + 1;

            g->positions = stall_add_saturated(g->positions, span);
            if (span > g->longest)
                g->longest = span;
        }
    }
    return true;
}

/* The measured steps that did not stall. */
static bool take_fast(ground *g, const stall_point *p, size_t n)
{
    g->fast = stall_mem_alloc((size_t)g->measured - g->stalls_len, sizeof(*g->fast));
    if (g->fast == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!p[i].stall && stall_known(p[i].wait_ms) && p[i].t >= g->left_out)
            g->fast[g->fast_len++] = (site){p[i].t, p[i].segment, 0};
    return true;
}

/* ---- gaps ---- */

/* Gaps within segments, in time order. With holes a gap counts only if all of it was measured. */
static size_t list_gaps(const site *s, size_t n, bool measured_only, int64_t *ret)
{
    size_t len = 0;

    for (size_t i = 1; i < n; i++) {
        int64_t gap = s[i].t - s[i - 1].t;

        if (s[i].segment != s[i - 1].segment)
            continue;
        if (measured_only && s[i].measured - s[i - 1].measured != (uint64_t)gap)
            continue;
        ret[len++] = gap;
    }
    return len;
}

/* Sorts the gaps and counts equal ones. `sorted` holds n; *ret_hist is allocated. */
static bool count_gaps(const int64_t *gaps, size_t n, int64_t *sorted, stall_bin **ret_hist,
                       size_t *ret_len)
{
    stall_keyed *keyed = stall_mem_alloc(n, 2 * sizeof(*keyed));
    size_t distinct = 0;

    if (keyed == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        keyed[i] = (stall_keyed){(uint64_t)gaps[i], i};
    stall_sort_keyed(keyed, n, keyed + n);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (int64_t)keyed[i].key;
        distinct += i == 0 || sorted[i] != sorted[i - 1];
    }
    stall_mem_free(keyed);
    *ret_hist = stall_mem_alloc(distinct, sizeof(**ret_hist));
    if (*ret_hist == NULL)
        return false;
    *ret_len = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1])
            (*ret_hist)[(*ret_len)++] = (stall_bin){sorted[i], 0};
        (*ret_hist)[*ret_len - 1].count++;
    }
    return true;
}

static void describe_gaps(stall_cadence *c, const int64_t *sorted, size_t n, int64_t workers)
{
    stall_sum sum = {0, 0}, squares = {0, 0};
    uint64_t of_workers = 0;
    double low, high;

    c->gaps = n;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        stall_sum_add(&sum, (double)sorted[i]);
        of_workers += workers > 0 && sorted[i] % workers == 0;
    }
    low = (double)sorted[(n - 1) / 2];
    high = (double)sorted[n / 2];
    c->gap_median = low + 0.5 * (high - low);
    c->gap_mean = stall_sum_value(&sum) / (double)n;
    c->gap_min = sorted[0];
    c->gap_max = sorted[n - 1];
    if (workers > 0)
        c->coverage_w = (double)of_workers / (double)n;
    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        double d = (double)sorted[i] - c->gap_mean;

        stall_sum_add(&squares, d * d);
    }
    c->gap_cv = sqrt(stall_sum_value(&squares) / (double)(n - 1)) / c->gap_mean;
}

/* ---- recurrence ---- */

/* Stalls as bits, in an order that keeps every distance up to 64: a longer one, and the border
 * between segments, becomes 65. */
static uint64_t *bits_of(const ground *g, size_t *ret_words)
{
    uint64_t *bits, at = 0, size = 1;

    for (int pass = 0;; pass++) {
        for (size_t i = 0; i < g->stalls_len; i++) {
            const site *s = &g->stalls[i];
            int64_t far = STALL_LAG_MAX + 1, d = far;

            if (i > 0 && s->segment == s[-1].segment && s->t - s[-1].t < far)
                d = s->t - s[-1].t;
            at = i == 0 ? 0 : at + (uint64_t)d;
            if (pass == 1)
                bits[at / 64] |= (uint64_t)1 << at % 64;
        }
        if (pass == 1)
            return bits;
        size = at / 64 + 3; /* two words of zeros behind the last */
        *ret_words = (size_t)size - 2;
        bits = stall_mem_zero((size_t)size, sizeof(*bits));
        if (bits == NULL)
            return NULL;
    }
}

/* #{s: s+lag also a stall} */
static uint64_t count_hits(const uint64_t *bits, size_t words, unsigned lag)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < words; i++) {
        uint64_t shifted = lag == 64 ? bits[i + 1] : bits[i] >> lag | bits[i + 1] << (64 - lag);

        hits += (uint64_t)__builtin_popcountll(bits[i] & shifted);
    }
    return hits;
}

/* ends[d]: stalls whose segment ends d positions after them. */
static void count_ends(const ground *g, const stall_point *p, size_t n, uint64_t *ends)
{
    size_t next = n;
    int64_t last = 0;

    for (size_t i = g->stalls_len; i > 0; i--) {
        const site *s = &g->stalls[i - 1];

        if (i == g->stalls_len || s->segment != g->stalls[i].segment) {
            while (p[next - 1].segment != s->segment)
                next--;
            last = p[next - 1].t;
        }
        if (last - s->t < STALL_LAG_MAX)
            ends[last - s->t]++;
    }
}

/* rec(lag) = #{s: s+lag also a stall} / #{s: s+lag in the segment} */
static bool fill_recurrence(stall_cadence *c, const ground *g, const stall_point *p, size_t n)
{
    uint64_t ends[STALL_LAG_MAX] = {0}, outside = 0, *bits;
    size_t words, lags = STALL_LAG_MAX;

    if (g->longest < 2)
        return true;
    if (g->longest - 1 < lags)
        lags = (size_t)g->longest - 1;
    bits = bits_of(g, &words);
    c->recurrence = stall_mem_alloc(lags, sizeof(*c->recurrence));
    if (bits == NULL || c->recurrence == NULL) {
        stall_mem_free(bits);
        return false;
    }
    count_ends(g, p, n, ends);
    for (size_t lag = 1; lag <= lags; lag++) {
        outside += ends[lag - 1];
        c->recurrence[lag - 1] = (stall_recurrence){
            (int64_t)lag, g->stalls_len - outside, count_hits(bits, words, (unsigned)lag)};
    }
    c->recurrence_len = lags;
    stall_mem_free(bits);
    return true;
}

/* ---- claims ---- */

/* Most frequent t mod g (the smallest of ties) and its share. */
static bool find_phase(stall_cadence *c, const site *s, size_t n, int64_t g)
{
    uint64_t *count = stall_mem_zero((size_t)g, sizeof(*count));
    int64_t best = 0;

    if (count == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        count[s[i].t % g]++;
    for (int64_t i = 1; i < g; i++)
        if (count[i] > count[best])
            best = i;
    c->phase = best;
    c->phase_share = (double)count[best] / (double)n;
    stall_mem_free(count);
    return true;
}

static stall_worker_match match_workers(int64_t g, int64_t workers)
{
    if (workers < 2)
        return STALL_MATCH_NONE;
    if (g == workers)
        return STALL_MATCH_EQUAL;
    if (g % workers == 0)
        return STALL_MATCH_MULTIPLE;
    return workers % g == 0 ? STALL_MATCH_DIVISOR : STALL_MATCH_NO;
}

/* The steps that did not stall, on a lattice of their own. */
static bool find_inverse(stall_claim *ret, ground *g, const stall_point *p, size_t n,
                         int64_t workers)
{
    int64_t *gaps;
    stall_bin *hist = NULL;
    size_t len, hist_len;
    double rate;
    bool made;

    if (!take_fast(g, p, n))
        return false;
    if (g->fast_len < STALL_MIN_STALLS)
        return true;
    gaps = stall_mem_alloc(g->fast_len, sizeof(*gaps));
    if (gaps == NULL)
        return false;
    len = list_gaps(g->fast, g->fast_len, false, gaps);
    made = count_gaps(gaps, len, gaps, &hist, &hist_len);
    rate = (double)g->fast_len / (double)g->positions;
    if (made && len >= STALL_MIN_GAPS)
        *ret = stall_test_inverse(&(stall_gaps){gaps, len, hist, hist_len}, rate, workers);
    stall_mem_free(hist);
    stall_mem_free(gaps);
    return made;
}

/* Exact, else pattern, else inverse, else jittered. */
static bool find_claim(stall_cadence *c, ground *g, const stall_gaps *gaps, const stall_point *p,
                       size_t n, int64_t workers)
{
    double rate = (double)c->stalls / (double)c->positions;
    double recur = (double)(c->stalls - 1) / (double)(c->positions - 1);
    stall_claim claim = stall_test_exact(gaps, rate, workers);
    bool fast;

    if (workers >= 2)
        c->p_w = exp(stall_lattice_log_p(gaps, workers, rate));
    if (claim.kind == STALL_CADENCE_NONE)
        claim = stall_test_pattern(c->recurrence, c->recurrence_len, g->longest / LONGEST_PARTS,
                                   recur, workers);
    if (claim.kind == STALL_CADENCE_NONE && rate > 0.5 && !find_inverse(&claim, g, p, n, workers))
        return false;
    if (claim.kind == STALL_CADENCE_NONE)
        claim = stall_test_jittered(gaps, rate, workers);
    if (claim.kind == STALL_CADENCE_NONE)
        return true;
    c->kind = claim.kind;
    c->period = claim.period;
    c->p_adj = fmin(1, exp(claim.log_p));
    c->coverage = claim.coverage;
    c->worker_match = match_workers(claim.period, workers);
    fast = claim.kind == STALL_CADENCE_INVERSE;
    return find_phase(c, fast ? g->fast : g->stalls, fast ? g->fast_len : g->stalls_len,
                      claim.period);
}

static bool find_period(stall_cadence *c, ground *g, const int64_t *sorted, const stall_point *p,
                        size_t n, int64_t workers)
{
    stall_gaps gaps = {sorted, (size_t)c->gaps, c->gap_hist, c->gap_hist_len};

    if (c->holes || c->stalls < STALL_MIN_STALLS)
        return true;
    if ((double)c->stalls / (double)c->positions >= STALL_UNIFORM_SHARE) {
        c->kind = STALL_CADENCE_EVERY_STEP;
        c->period = 1;
        return true;
    }
    return c->gaps < STALL_MIN_GAPS || find_claim(c, g, &gaps, p, n, workers);
}

/* Groups of adjacent stalls, and the chance of so few. */
static void count_runs(stall_cadence *c, const ground *g)
{
    const site *s = g->stalls;

    for (size_t i = 0; i < g->stalls_len; i++)
        c->runs += i == 0 || s[i].segment != s[i - 1].segment || s[i].t != s[i - 1].t + 1;
    if (c->stalls > 0 && c->stalls < c->positions)
        c->runs_p = stall_runs_probability(c->positions, c->stalls, c->runs);
}

bool stall_cadence_long(const stall_cadence *c, int64_t workers)
{
    return c->period != STALL_UNKNOWN && c->period > STALL_LONG_CYCLE && c->period != workers;
}

static bool describe(stall_cadence *c, ground *g, const stall_point *p, size_t n, int64_t workers)
{
    int64_t *sorted;
    bool made;

    c->gap_list = stall_mem_alloc(g->stalls_len, sizeof(*c->gap_list));
    sorted = stall_mem_alloc(g->stalls_len, sizeof(*sorted));
    made = c->gap_list != NULL && sorted != NULL;
    if (made) {
        c->gap_list_len = list_gaps(g->stalls, g->stalls_len, c->holes, c->gap_list);
        made = count_gaps(c->gap_list, c->gap_list_len, sorted, &c->gap_hist, &c->gap_hist_len);
    }
    if (made) {
        describe_gaps(c, sorted, c->gap_list_len, workers);
        made = fill_recurrence(c, g, p, n) && find_period(c, g, sorted, p, n, workers);
    }
    stall_mem_free(sorted);
    return made;
}

bool stall_cadence_find(const stall_point *p, size_t n, const stall_cadence_facts *facts,
                        stall_cadence *c)
{
    ground g = {0};
    bool one = n == 0 || p[0].segment == p[n - 1].segment, made;

    g.left_out = one ? 0 : facts->left_out;
    made = take_positions(&g, p, n);
    c->positions = g.positions;
    c->stalls = g.stalls_len;
    c->holes = (double)(g.positions - g.measured) > HOLES_SHARE * (double)g.positions;
    if (made && !facts->refused) {
        count_runs(c, &g);
        made = describe(c, &g, p, n, facts->workers);
        if (c->period != STALL_UNKNOWN &&
            __builtin_mul_overflow(c->period, facts->stride, &c->period_steps))
            c->period_steps = STALL_UNKNOWN;
    }
    stall_mem_free(g.stalls);
    stall_mem_free(g.fast);
    return made;
}
