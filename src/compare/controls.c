/* Pairs of runs that differ in one setting: delivery in order or not, prefetch factor.
 *
 * Enters: the rows of a sweep and the analyses behind them. Leaves: pairs of one worker count and
 * one revision, within a pass where there is one, and what became of the cadence. That a cadence is
 * gone is judged as between two sides: no stalls in a run long enough to show two, or many stalls
 * whose gaps do not fit. It must not know documents. */
#include <math.h>
#include <stdlib.h>

#include "compare/compare.h"

/* Is `a` a nearer partner of run `at` than `b`: of the same pass, else next to it? */
static bool nearer(const stall_report *r, size_t at, size_t a, size_t b)
{
    bool same_a = r->runs[a].pass == r->runs[at].pass, same_b = r->runs[b].pass == r->runs[at].pass;
    size_t from_a = a < at ? at - a : a - at, from_b = b < at ? at - b : b - at;

    return same_a != same_b ? same_a : from_a < from_b;
}

/* The ordered run that fits an unordered one, or runs_len. */
static size_t find_ordered(const stall_report *r, const stall_sweep *s, size_t at)
{
    size_t best = r->runs_len;

    for (size_t i = 0; i < r->runs_len; i++)
        if (s->rows[i].in_order != 0 && stall_sweep_alike(s, at, i, true, true, false) &&
            (best == r->runs_len || nearer(r, at, i, best)))
            best = i;
    return best;
}

/* The run with the next smaller prefetch factor, or runs_len. */
static size_t find_shallower(const stall_report *r, const stall_sweep *s, size_t at)
{
    size_t best = r->runs_len;

    for (size_t i = 0; i < r->runs_len && s->rows[at].prefetch != STALL_UNKNOWN; i++) {
        int64_t factor = s->rows[i].prefetch;

        if (factor == STALL_UNKNOWN || factor >= s->rows[at].prefetch ||
            !stall_sweep_alike(s, at, i, true, false, true))
            continue;
        if (best == r->runs_len || factor > s->rows[best].prefetch ||
            (factor == s->rows[best].prefetch && nearer(r, at, i, best)))
            best = i;
    }
    return best;
}

static bool multiples_rare(const stall_cadence *c, int64_t g)
{
    size_t fit = 0;

    for (size_t i = 0; i < c->gap_list_len; i++)
        fit += c->gap_list[i] % g == 0;
    return c->gap_list_len >= SWEEP_MIN_GAPS && 2 * fit < c->gap_list_len;
}

static stall_control_outcome judge(const stall_analysis *base, const stall_analysis *other,
                                   stall_control_kind kind)
{
    const stall_order *order = &other->extras.order;
    const stall_cadence *c = &other->cadence;
    int64_t g = base->cadence.period;

    if (kind == STALL_CONTROL_IN_ORDER && order->known && order->overtaking == 0)
        return STALL_CONTROL_DID_NOT_ACT;
    if ((kind == STALL_CONTROL_IN_ORDER && !order->known) || g == STALL_UNKNOWN || g < 2 ||
        base->cadence.stalls < COMPARE_MIN_STALLS || base->input.stride > 1 ||
        other->input.stride > 1 || c->holes)
        return STALL_CONTROL_UNDECIDED;
    if (c->period == g)
        return STALL_CONTROL_NOT_MAIN_CAUSE;
    if (c->period != STALL_UNKNOWN || (c->stalls == 0 && (int64_t)other->dist.n >= 2 * g) ||
        (c->stalls >= COMPARE_MANY_STALLS && multiples_rare(c, g)))
        return STALL_CONTROL_IMPLICATED;
    return STALL_CONTROL_UNDECIDED;
}

static stall_control pair(const stall_report *r, const stall_sweep *s, size_t base, size_t other,
                          stall_control_kind kind)
{
    const stall_sweep_row *b = &s->rows[base], *o = &s->rows[other];

    return (stall_control){
        .kind = kind,
        .base = base,
        .other = other,
        .same_pass = r->runs[base].pass == r->runs[other].pass,
        .mean_diff = o->mean - b->mean,
        .p50_diff = o->p50 - b->p50,
        .p95_diff = o->p95 - b->p95,
        .outcome = judge(&r->runs[base].analysis, &r->runs[other].analysis, kind),
    };
}

stall_status stall_sweep_pair(const stall_report *r, stall_sweep *ret, stall_error *reterr)
{
    ret->controls = stall_mem_alloc(2 * r->runs_len, sizeof(*ret->controls));
    if (ret->controls == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < r->runs_len; i++) {
        size_t ordered = ret->rows[i].in_order == 0 ? find_ordered(r, ret, i) : r->runs_len;

        if (ordered < r->runs_len)
            ret->controls[ret->controls_len++] = pair(r, ret, ordered, i, STALL_CONTROL_IN_ORDER);
    }
    for (size_t i = 0; i < r->runs_len; i++) {
        size_t shallower = find_shallower(r, ret, i);

        if (shallower < r->runs_len)
            ret->controls[ret->controls_len++] = pair(r, ret, shallower, i, STALL_CONTROL_PREFETCH);
    }
    return STALL_OK;
}
