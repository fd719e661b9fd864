/* Gaps between stalls, and whether they have a cadence. Enters: points with their stalls marked.
 * Leaves: a stall_cadence. Works on one series at a time, so that each rank can be asked too. */
#include <math.h>

#include "analyze/analyze.h"

#define RECURRENCE_LAGS 64

static void marks_close(stall_marks *m)
{
    stall_mem_free(m->t);
    stall_mem_free(m->segment);
    stall_mem_free(m->gaps);
    stall_mem_free(m->hist);
}

/* Fills gaps and their histogram from the marks; with `solid` only gaps without a hole count. */
static bool marks_gaps(stall_marks *m, const uint64_t *measured_before)
{
    double *sorted = stall_mem_alloc(m->len, sizeof *sorted);
    size_t cap = 0;

    m->gaps = stall_mem_alloc(m->len, sizeof *m->gaps);
    if (sorted == NULL || m->gaps == NULL) {
        stall_mem_free(sorted);
        return false;
    }
    for (size_t i = 1; i < m->len; i++) {
        int64_t gap = m->t[i] - m->t[i - 1];
        bool solid =
            measured_before == NULL || measured_before[i] - measured_before[i - 1] == (uint64_t)gap;
        if (m->segment[i] == m->segment[i - 1] && solid) {
            sorted[m->gaps_len] = (double)gap;
            m->gaps[m->gaps_len++] = gap;
        }
    }
    stall_sort(sorted, m->gaps_len);
    for (size_t i = 0; i < m->gaps_len; i++) {
        if (m->hist_len == 0 || m->hist[m->hist_len - 1].key != (int64_t)sorted[i]) {
            if (!stall_mem_grow((void **)&m->hist, &cap, m->hist_len + 1, sizeof *m->hist)) {
                stall_mem_free(sorted);
                return false;
            }
            m->hist[m->hist_len++] = (stall_bin){(int64_t)sorted[i], 0};
        }
        m->hist[m->hist_len - 1].count++;
    }
    stall_mem_free(sorted);
    return true;
}

/* Collects the stalls (or the measured steps that did not stall) that take part: with one segment
 * all, with several those behind the warm-up. `counted` gives how many measured positions lie
 * before each mark. */
static bool marks_collect(const stall_point *p, size_t len, int64_t left_out, bool fast,
                          stall_marks *m, uint64_t *ret_measured, uint64_t **ret_before)
{
    uint64_t measured = 0;

    *m = (stall_marks){0};
    m->t = stall_mem_alloc(len, sizeof *m->t);
    m->segment = stall_mem_alloc(len, sizeof *m->segment);
    *ret_before = stall_mem_alloc(len, sizeof **ret_before);
    if (m->t == NULL || m->segment == NULL || *ret_before == NULL) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        bool last = i + 1 == len || p[i + 1].segment != p[i].segment;
        if (last && p[i].t >= left_out) {
            int64_t span = p[i].t - left_out + 1;
            m->positions += (uint64_t)span;
            m->longest = span > m->longest ? span : m->longest;
        }
        if (p[i].t < left_out || isnan(p[i].wait_ms)) {
            continue;
        }
        if (p[i].stall != fast) {
            m->t[m->len] = p[i].t;
            m->segment[m->len] = p[i].segment;
            (*ret_before)[m->len++] = measured;
        }
        measured++;
    }
    *ret_measured = measured;
    return true;
}

/* rec(g): of the stalls s whose s+g lies in the segment, how many have a stall there. Two indices
 * walk the marks once a lag. `ends` is the last position of each mark's segment. */
static bool recurrence(const stall_point *p, size_t len, const stall_marks *m, stall_cadence *c)
{
    int64_t lags = m->longest - 1 < RECURRENCE_LAGS ? m->longest - 1 : RECURRENCE_LAGS;
    int64_t *ends = stall_mem_alloc(m->len, sizeof *ends);

    if (ends == NULL) {
        return false;
    }
    for (size_t i = 0, k = 0; k < m->len; k++) {
        while (p[i].segment != m->segment[k]) {
            i++;
        }
        size_t j = i;
        if (k > 0 && m->segment[k] == m->segment[k - 1]) {
            ends[k] = ends[k - 1];
            continue;
        }
        while (j + 1 < len && p[j + 1].segment == m->segment[k]) {
            j++;
        }
        ends[k] = p[j].t;
    }
    c->recurrence = stall_mem_zero(lags > 0 ? (size_t)lags : 0, sizeof *c->recurrence);
    for (int64_t g = 1; c->recurrence != NULL && g <= lags; g++) {
        stall_recurrence *r = &c->recurrence[c->recurrence_len++];
        r->lag = g;
        for (size_t i = 0, j = 0; i < m->len; i++) {
            if (m->t[i] + g > ends[i]) {
                continue;
            }
            r->pairs++;
            while (j < m->len && (m->segment[j] < m->segment[i] ||
                                  (m->segment[j] == m->segment[i] && m->t[j] < m->t[i] + g))) {
                j++;
            }
            r->hits += j < m->len && m->segment[j] == m->segment[i] && m->t[j] == m->t[i] + g;
        }
    }
    stall_mem_free(ends);
    return c->recurrence != NULL;
}

/* Most frequent t mod g, the smallest of ties, and its share. */
static bool phase(const stall_marks *m, stall_cadence *c)
{
    uint64_t *counts = stall_mem_zero((size_t)c->period, sizeof *counts);
    int64_t best = 0;

    if (counts == NULL) {
        return false;
    }
    for (size_t i = 0; i < m->len; i++) {
        counts[m->t[i] % c->period]++;
    }
    for (int64_t r = 1; r < c->period; r++) {
        best = counts[r] > counts[best] ? r : best;
    }
    c->phase = best;
    c->phase_share = (double)counts[best] / (double)m->len;
    stall_mem_free(counts);
    return true;
}

static stall_worker_match match(int64_t period, int64_t workers)
{
    return workers < 2             ? STALL_MATCH_NONE
           : period == workers     ? STALL_MATCH_EQUAL
           : period % workers == 0 ? STALL_MATCH_MULTIPLE
           : workers % period == 0 ? STALL_MATCH_DIVISOR
                                   : STALL_MATCH_NO;
}

/* Figures of the gaps that need no test. */
static bool describe(stall_marks *m, int64_t workers, stall_cadence *c)
{
    double *v = stall_mem_alloc(m->gaps_len, sizeof *v);
    stall_sum sum = {0, 0}, squares = {0, 0};
    uint64_t multiples = 0;

    if (v == NULL) {
        return false;
    }
    c->gap_list = m->gaps;
    c->gap_hist = m->hist;
    c->gap_list_len = m->gaps_len;
    c->gap_hist_len = m->hist_len;
    for (size_t i = 0; i < m->gaps_len; i++) {
        v[i] = (double)m->gaps[i];
        stall_sum_add(&sum, v[i]);
        multiples += workers >= 1 && m->gaps[i] % workers == 0;
    }
    if (m->gaps_len > 0) {
        double n = (double)m->gaps_len;
        stall_sort(v, m->gaps_len);
        c->gap_median = stall_quantile(v, m->gaps_len, 0.5);
        c->gap_mean = stall_sum_value(&sum) / n;
        c->gap_min = m->hist[0].key;
        c->gap_max = m->hist[m->hist_len - 1].key;
        for (size_t i = 0; i < m->gaps_len; i++) {
            stall_sum_add(&squares, (v[i] - c->gap_mean) * (v[i] - c->gap_mean));
        }
        if (m->gaps_len > 1) {
            c->gap_cv = sqrt(stall_sum_value(&squares) / (n - 1)) / c->gap_mean;
        }
        c->coverage_w = workers >= 1 ? (double)multiples / n : NAN;
    }
    stall_mem_free(v);
    return true;
}

static void count_runs(const stall_marks *m, stall_cadence *c)
{
    for (size_t i = 0; i < m->len; i++) {
        c->runs += i == 0 || m->segment[i] != m->segment[i - 1] || m->t[i] != m->t[i - 1] + 1;
    }
    if (m->len > 0 && m->len < m->positions) {
        c->runs_p = exp(stall_log_runs_tail(m->positions, m->len, c->runs));
    }
}

/* The tests in their order; the first family that claims wins. *ret_inverse: the claim is about the
 * steps that did not stall. */
static bool claim(const stall_marks *m, const stall_marks *fast, int64_t workers, stall_cadence *c,
                  bool *ret_inverse)
{
    stall_claim found;
    double p = (double)m->len / (double)m->positions;

    *ret_inverse = false;
    if (m->len < STALL_MIN_STALL || m->gaps_len < STALL_MIN_GAPS) {
        return false;
    }
    if (workers >= 2) {
        uint64_t hits;
        c->p_w = exp(stall_lattice_log_p(m, workers, &hits));
    }
    bool claimed = stall_test_lattice(m, workers, false, &found) ||
                   stall_test_pattern(m, c->recurrence, c->recurrence_len, workers, &found) ||
                   (p > 0.5 && (*ret_inverse = stall_test_lattice(fast, workers, true, &found))) ||
                   stall_test_jittered(m, workers, &found);
    if (claimed) {
        c->kind = found.kind;
        c->period = found.period;
        c->p_adj = fmin(1, exp(found.log_p));
        c->coverage = found.coverage;
        c->worker_match = match(found.period, workers);
    }
    return claimed;
}

static void cadence_init(stall_cadence *c)
{
    *c = (stall_cadence){.period = STALL_UNKNOWN,
                         .period_steps = STALL_UNKNOWN,
                         .p_adj = NAN,
                         .coverage = NAN,
                         .coverage_w = NAN,
                         .p_w = NAN,
                         .phase = STALL_UNKNOWN,
                         .phase_share = NAN,
                         .gap_median = NAN,
                         .gap_mean = NAN,
                         .gap_cv = NAN,
                         .gap_min = STALL_UNKNOWN,
                         .gap_max = STALL_UNKNOWN,
                         .runs_p = NAN};
}

/* Decides what may be claimed. False: memory. */
static bool decide(const stall_marks *m, const stall_marks *fast, int64_t workers, int64_t stride,
                   bool refuse, stall_cadence *c)
{
    bool inverse;

    if (c->holes || refuse) {
        return true;
    }
    if (m->len >= STALL_MIN_STALL && (double)m->len >= STALL_UNIFORM * (double)m->positions) {
        c->kind = STALL_CADENCE_EVERY_STEP;
        c->period = 1;
    } else if (claim(m, fast, workers, c, &inverse) && !phase(inverse ? fast : m, c)) {
        return false;
    }
    if (c->period != STALL_UNKNOWN) {
        c->period_steps = c->period * stride;
    }
    return true;
}

stall_status stall_cadence_figure(const stall_point *points, size_t len, int64_t warmup,
                                  int64_t workers, int64_t stride, bool refuse, stall_cadence *ret,
                                  stall_error *reterr)
{
    stall_status status = STALL_OK;
    stall_marks m = {0}, fast = {0};
    uint64_t measured = 0, *before = NULL, *fast_before = NULL;
    bool several = len > 0 && points[len - 1].segment != points[0].segment;

    cadence_init(ret);
    if (!marks_collect(points, len, several ? warmup : 0, false, &m, &measured, &before) ||
        !marks_collect(points, len, several ? warmup : 0, true, &fast, &measured, &fast_before)) {
        goto memory;
    }
    if (refuse) { /* what stands between two rows is not known: there are no gaps */
        m.len = fast.len = 0;
    }
    ret->positions = m.positions;
    ret->stalls = m.len;
    ret->holes = (double)(m.positions - measured) > STALL_HOLES * (double)m.positions;
    if (!marks_gaps(&m, ret->holes ? before : NULL) || !marks_gaps(&fast, NULL) ||
        !describe(&m, workers, ret)) {
        goto memory;
    }
    ret->gaps = m.gaps_len;
    count_runs(&m, ret);
    bool ok = recurrence(points, len, &m, ret) && decide(&m, &fast, workers, stride, refuse, ret);
    m.gaps = NULL; /* handed over by describe */
    m.hist = NULL;
    if (ok) {
        goto out;
    }
memory:
    status = stall_error_memory(reterr);
out:
    marks_close(&m);
    marks_close(&fast);
    stall_mem_free(before);
    stall_mem_free(fast_before);
    return status;
}
