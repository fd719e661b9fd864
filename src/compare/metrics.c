/* The rows of the headline table.
 *
 * Enters: a comparison. Leaves: figures of the pooled sides as data: id, label, unit, values,
 * change. It must not know layout. */
#include <math.h>

#include "compare/compare.h"

/* A cadence in steps; a stall on every step is none. */
static double whole(int64_t v, int64_t stride)
{
    return v == STALL_UNKNOWN || v <= 1 || stride == STALL_UNKNOWN ? NAN
                                                                   : (double)v * (double)stride;
}

size_t stall_report_measure(const stall_report *r, const compare_found *found,
                            stall_metric ret[COMPARE_METRICS])
{
    const stall_comparison *c = &r->compare;
    const stall_side *b = &c->side[0], *f = &c->side[1];
    const struct {
        const char *id, *label, *unit;
        double broken, fixed;
        const stall_effect *effect;
    } rows[COMPARE_METRICS] = {
        {"wait_mean", "mean wait", "ms", b->mean, f->mean, &c->mean},
        {"wait_p50", "median wait", "ms", b->p50, f->p50, &c->p50},
        {"wait_p95", "p95 wait", "ms", b->p95, f->p95, &c->p95},
        {"wait_max", "largest wait", "ms", b->max, f->max, NULL},
        {"step_mean", "mean step time", "ms", found->step_mean[0], found->step_mean[1], &c->step},
        {"wait_share", "share of the step time", "share", found->share[0], found->share[1], NULL},
        {"stalls", "stalls", "count", (double)b->stalls, (double)f->stalls, NULL},
        {"stall_rate", "steps that stall", "share", b->stall_rate, f->stall_rate, NULL},
        {"cadence", "cadence", "steps", whole(b->cadence, found->stride),
         whole(f->cadence, found->stride), NULL},
        {"steps", "steps compared", "count", (double)b->n, (double)f->n, NULL},
        {"passes", "passes", "count", (double)b->passes_len, (double)f->passes_len, NULL},
    };

    for (size_t i = 0; i < COMPARE_METRICS; i++) {
        const stall_effect *e = rows[i].effect;
        bool size = i >= COMPARE_METRICS - 2; /* of the recording: no effect of the change */

        ret[i] = (stall_metric){.id = rows[i].id,
                                .label = rows[i].label,
                                .unit = rows[i].unit,
                                .broken = rows[i].broken,
                                .fixed = rows[i].fixed,
                                .diff_low = e != NULL && e->known ? e->diff_low : NAN,
                                .diff_high = e != NULL && e->known ? e->diff_high : NAN,
                                .change = size ? NAN : rows[i].fixed - rows[i].broken};
    }
    return COMPARE_METRICS;
}
