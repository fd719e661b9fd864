/* The four families of cadence tests over gaps between stalls. Enters: marks and gaps. Leaves: a
 * claim or none. Null model: random placement, gap law geometric with p = m/N. The weights
 * 1/(g(g-1)) sum to 1 over g >= 2, so no longest period has to be chosen; the factors in front
 * share one error budget between the families. */
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"

static double log_alpha(void)
{
    return log(STALL_ALPHA);
}
static double log_weight(double factor, int64_t g)
{
    return log(factor) + log((double)g) + log((double)(g - 1));
}

static int64_t largest_gap(const stall_marks *m)
{
    return m->hist_len > 0 ? m->hist[m->hist_len - 1].key : 0;
}

/* Smaller p, then larger coverage, then smaller g (candidates come in order of g). */
static bool better(const stall_claim *a, const stall_claim *b)
{
    return b->kind == STALL_CADENCE_NONE || a->log_p < b->log_p ||
           (a->log_p == b->log_p && a->coverage > b->coverage);
}

/* log P of at least as many gaps divisible by g as there are: each is with chance
 * q = p(1-p)^(g-1) / (1-(1-p)^g). */
double stall_lattice_log_p(const stall_marks *m, int64_t g, uint64_t *ret_hits)
{
    double p = (double)m->len / (double)m->positions, log_miss = log1p(-p);
    uint64_t hits = 0;

    for (size_t i = 0; i < m->hist_len; i++) {
        hits += m->hist[i].key % g == 0 ? m->hist[i].count : 0;
    }
    *ret_hits = hits;
    double q = p * exp((double)(g - 1) * log_miss) / -expm1((double)g * log_miss);
    return stall_log_binomial_tail(m->gaps_len, q, hits);
}

static uint64_t count_of(const stall_marks *m, int64_t g)
{
    for (size_t i = 0; i < m->hist_len && m->hist[i].key <= g; i++) {
        if (m->hist[i].key == g) {
            return m->hist[i].count;
        }
    }
    return 0;
}

/* EXACT: 75 % of the gaps are multiples of g and 25 % equal g. The budget is shared half and half
 * between g = W and the rest when the worker count W is told. INVERSE is the same over fast steps.
 */
bool stall_test_lattice(const stall_marks *m, int64_t workers, bool inverse, stall_claim *ret)
{
    int64_t last = largest_gap(m) < STALL_GAP_MAX ? largest_gap(m) : STALL_GAP_MAX;
    double n = (double)m->gaps_len;
    bool told = workers >= 2;

    *ret = (stall_claim){.kind = STALL_CADENCE_NONE, .period = STALL_UNKNOWN};
    if (m->len < STALL_MIN_STALL || m->gaps_len < STALL_MIN_GAPS) {
        return false;
    }
    for (int64_t g = 2; g <= last; g++) {
        uint64_t hits, equal = count_of(m, g);
        if ((double)equal < 0.25 * n) {
            continue;
        }
        double log_p = stall_lattice_log_p(m, g, &hits);
        if ((double)hits < 0.75 * n) {
            continue;
        }
        log_p += told && g == workers
                     ? log(inverse ? 6 : 2)
                     : log_weight(inverse ? (told ? 30 : 10) : (told ? 3 : 1.25), g);
        stall_claim claim = {inverse ? STALL_CADENCE_INVERSE : STALL_CADENCE_EXACT, g, log_p,
                             (double)hits / n};
        if (log_p > log_alpha()) {
            continue;
        }
        if (told && g == workers) {
            *ret = claim;
            return true;
        }
        if (better(&claim, ret)) {
            *ret = claim;
        }
    }
    return ret->kind != STALL_CADENCE_NONE;
}

/* PATTERN: a stall is followed by another g later (SS..SS..), and by none at a shorter lag. */
bool stall_test_pattern(const stall_marks *m, const stall_recurrence *rec, size_t rec_len,
                        int64_t workers, stall_claim *ret)
{
    int64_t last = m->longest / 3 < 64 ? m->longest / 3 : 64;
    double p0 = (double)(m->len - 1) / (double)(m->positions - 1), shorter = 0;

    *ret = (stall_claim){.kind = STALL_CADENCE_NONE, .period = STALL_UNKNOWN};
    for (size_t i = 0; i < rec_len && rec[i].lag <= last; i++) {
        int64_t g = rec[i].lag;
        double r = rec[i].pairs > 0 ? (double)rec[i].hits / (double)rec[i].pairs : 0;
        if (g >= 2 && rec[i].pairs >= 6 && r >= 0.75 && r - shorter >= 0.25) {
            stall_claim claim = {STALL_CADENCE_PATTERN, g,
                                 stall_log_binomial_tail(rec[i].pairs, p0, rec[i].hits) +
                                     log_weight(workers >= 2 ? 12 : 10, g),
                                 r};
            if (claim.log_p <= log_alpha() && better(&claim, ret)) {
                *ret = claim;
            }
        }
        shorter = fmax(shorter, r);
    }
    return ret->kind != STALL_CADENCE_NONE;
}

/* Chance of a geometric gap within tau of g or of 2g. */
static double jitter_chance(double p, int64_t g, int64_t tau)
{
    double q = 0;

    for (int64_t d = g - tau; d <= 2 * g + tau; d++) {
        if (d >= 1 && (llabs(d - g) <= tau || llabs(d - 2 * g) <= tau)) {
            q += p * exp((double)(d - 1) * log1p(-p));
        }
    }
    return fmin(1, q);
}

/* JITTERED: gaps scatter around g (or 2g, one stall missed) by at most max(1, g/8). */
bool stall_test_jittered(const stall_marks *m, int64_t workers, stall_claim *ret)
{
    int64_t last = largest_gap(m) + 1 < STALL_GAP_MAX ? largest_gap(m) + 1 : STALL_GAP_MAX;
    double n = (double)m->gaps_len, p = (double)m->len / (double)m->positions, least = INFINITY;

    *ret = (stall_claim){.kind = STALL_CADENCE_NONE, .period = STALL_UNKNOWN};
    for (int64_t g = 4; g <= last; g++) { /* at g = 3 the bands would mean any gap from 2 to 7 */
        int64_t tau = g / 8 > 1 ? g / 8 : 1;
        uint64_t hits = 0, near = 0;
        double off = 0;
        for (size_t i = 0; i < m->hist_len; i++) {
            int64_t one = llabs(m->hist[i].key - g), two = llabs(m->hist[i].key - 2 * g);
            near += one <= tau ? m->hist[i].count : 0;
            hits += one <= tau || two <= tau ? m->hist[i].count : 0;
            off += (double)m->hist[i].count * (double)(one < two ? one : two);
        }
        if ((double)hits < 0.8 * n || (double)near < 0.5 * n || off > least) {
            continue;
        }
        double log_p = stall_log_binomial_tail(m->gaps_len, jitter_chance(p, g, tau), hits) +
                       log_weight(workers >= 2 ? 12 : 10, g);
        if (log_p <= log_alpha() && (off < least || log_p < ret->log_p)) {
            *ret = (stall_claim){STALL_CADENCE_JITTERED, g, log_p, (double)hits / n};
            least = off;
        }
    }
    return ret->kind != STALL_CADENCE_NONE;
}
