/* What became of the cadence between the sides.
 *
 * Enters: the passes of both sides. Leaves: the cadence of each side and one word: persists,
 * changed, removed, appeared, unknown or none. A side has a cadence only if all its passes agree on
 * it. It must not know the verdict. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define CHANGED_P 1e-3 /* both cadences at least this certain before "changed" is said */

int64_t stall_common_period(const compare_side *s)
{
    int64_t period = s->passes[0].at->cadence.period;

    for (size_t p = 1; p < s->len; p++)
        if (s->passes[p].at->cadence.period != period)
            return STALL_UNKNOWN;
    return period;
}

int64_t stall_common_stride(const compare_side side[2])
{
    int64_t stride = side[0].passes[0].at->input.stride;

    for (int s = 0; s < 2; s++)
        for (size_t p = 0; p < side[s].len; p++)
            if (side[s].passes[p].at->input.stride != stride)
                return STALL_UNKNOWN;
    return stride;
}

/* The least certain of the cadences of a side; stalls on every step need no test. */
static double largest_p(const compare_side *s)
{
    double ret = 0;

    for (size_t p = 0; p < s->len; p++)
        if (s->passes[p].at->cadence.p_adj > ret)
            ret = s->passes[p].at->cadence.p_adj;
    return ret;
}

/* Is period g visibly absent? Either no stall in two full periods, or enough stalls of which most
 * gaps do not fit. */
static bool absent(const compare_side *s, int64_t g)
{
    uint64_t gaps = 0, fit = 0;

    if (s->stalls == 0)
        return (double)s->n >= 2 * (double)g;
    for (size_t p = 0; p < s->len; p++) {
        const stall_cadence *c = &s->passes[p].at->cadence;

        gaps += c->gap_list_len;
        for (size_t i = 0; i < c->gap_list_len; i++)
            fit += c->gap_list[i] % g == 0;
    }
    return s->stalls >= COMPARE_MANY_STALLS && gaps >= 3 && 2 * fit < gaps;
}

void stall_cadence_compare(const compare_side side[2], stall_comparison *ret)
{
    bool one_stride = stall_common_stride(side) != STALL_UNKNOWN;
    int64_t g[2];

    for (int s = 0; s < 2; s++) {
        g[s] = one_stride ? stall_common_period(&side[s]) : STALL_UNKNOWN;
        ret->side[s].cadence = g[s];
    }
    if (g[0] != STALL_UNKNOWN && g[1] != STALL_UNKNOWN)
        ret->cadence_change = g[0] == g[1] ? "persists"
                              : largest_p(&side[0]) <= CHANGED_P && largest_p(&side[1]) <= CHANGED_P
                                  ? "changed"
                                  : "unknown";
    else if (g[0] != STALL_UNKNOWN)
        ret->cadence_change = absent(&side[1], g[0]) ? "removed" : "unknown";
    else if (g[1] != STALL_UNKNOWN)
        ret->cadence_change = absent(&side[0], g[1]) ? "appeared" : "unknown";
    else
        ret->cadence_change = "none";
}
