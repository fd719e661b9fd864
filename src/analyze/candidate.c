/* The period that was nearly claimed. Enters: a finished analysis. Leaves: the evidence for the lag of
 * the strongest recurrence, and how much longer a run like this one would have to be. */
#include <math.h>

#include "analyze/analyze.h"

#define CANDIDATE_PAIRS 6      /* fewer stalls that could recur prove nothing */
#define CANDIDATE_LONGER 10000 /* times the pairs seen: beyond, no number of steps is named */

/* Adjusted p of the pattern test: 10 g(g-1) P, 12 with the worker count told. */
static double adjusted(const stall_analysis *a, int64_t g, uint64_t pairs, uint64_t hits,
                       double chance)
{
    double factor = a->workers_used && a->facts.num_workers >= 2 ? 12 : 10;

    return fmin(1, exp(stall_log_binomial_tail(pairs, chance, hits) +
                       log(factor * (double)g * (double)(g - 1))));
}

/* Positions like these that must be added until the test would claim the lag; 0: none would. The
 * step doubles and then halves, since p falls with the number of pairs but for rounding of hits. */
static uint64_t positions_needed(const stall_analysis *a, const stall_candidate *c)
{
    double share = (double)c->hits / (double)c->pairs, shorter = 0;
    const stall_cadence *k = &a->cadence;

    for (size_t i = 0; i < k->recurrence_len && k->recurrence[i].lag < c->lag; i++) {
        const stall_recurrence *r = &k->recurrence[i];
        shorter = fmax(shorter, r->pairs > 0 ? (double)r->hits / (double)r->pairs : 0);
    }
    if (share < 0.75 || share - shorter < 0.25) {
        return 0;
    }
    for (uint64_t n = c->pairs; n <= c->pairs * CANDIDATE_LONGER; n += 1 + n / 64) {
        if (adjusted(a, c->lag, n, (uint64_t)floor((double)n * share), c->chance) <= STALL_ALPHA) {
            double more = (double)(n - c->pairs) * (double)k->positions / (double)k->stalls;
            return more >= 1 ? (uint64_t)ceil(more) : 1;
        }
    }
    return 0;
}

bool stall_cadence_candidate(const stall_analysis *a, stall_candidate *ret)
{
    const stall_cadence *k = &a->cadence;
    double best = 0;

    *ret = (stall_candidate){.lag = STALL_UNKNOWN};
    if (k->period != STALL_UNKNOWN || k->holes || k->stalls < STALL_MIN_STALL ||
        k->stalls >= k->positions) {
        return false;
    }
    ret->chance = (double)(k->stalls - 1) / (double)(k->positions - 1);
    for (size_t i = 0; i < k->recurrence_len; i++) {
        const stall_recurrence *r = &k->recurrence[i];
        double log_p = r->lag < 2 || r->pairs < CANDIDATE_PAIRS
                           ? 0
                           : stall_log_binomial_tail(r->pairs, ret->chance, r->hits) +
                                 log((double)r->lag * (double)(r->lag - 1));
        bool above = r->pairs > 0 && (double)r->hits > ret->chance * (double)r->pairs;
        if (r->lag >= 2 && r->pairs >= CANDIDATE_PAIRS && above &&
            (ret->lag == STALL_UNKNOWN || log_p < best)) {
            best = log_p;
            ret->lag = r->lag;
            ret->pairs = r->pairs;
            ret->hits = r->hits;
        }
    }
    if (ret->lag == STALL_UNKNOWN) {
        return false;
    }
    ret->p_adj = adjusted(a, ret->lag, ret->pairs, ret->hits, ret->chance);
    ret->more_steps = positions_needed(a, ret);
    return true;
}
