/* The figures of one run and the strips, as every document for people shows them.
 *
 * Enters: the analysis of a run. Leaves: metric rows that need no analysis to print, and strips cut
 * to size. It must not know documents. */
#include <math.h>
#include <string.h>

#include "write/write.h"

static double known(int64_t v)
{
    return v == STALL_UNKNOWN ? NAN : (double)v;
}

/* A figure of single steps: averages have none. */
static double single(const stall_analysis *a, double v)
{
    return a->input.averaged ? NAN : v;
}

void stall_run_figures(const stall_analysis *a, stall_metric ret[STALL_RUN_FIGURES])
{
    const struct {
        const char *id, *label, *unit;
        double value;
    } table[STALL_RUN_FIGURES] = {
        {"steps", "steps measured", "count", (double)a->dist.n},
        {"wait_mean", "mean wait", "ms", a->dist.mean},
        {"wait_p50", "median wait", "ms", a->dist.p50},
        {"wait_p95", "p95 wait", "ms", a->dist.p95},
        {"wait_p99", "p99 wait", "ms", a->dist.p99},
        {"wait_max", "largest wait", "ms", a->dist.max},
        {"wait_sum", "waited in all", "ms", a->dist.sum},
        {"wait_share", "share of the step time", "share", a->wall_share},
        {"wait_share_steady", "share without start-up", "share", a->wall_share_steady},
        {"stalls", "stalls", "count", single(a, (double)a->stalls.count)},
        {"stall_rate", "steps that stall", "share", single(a, a->stalls.rate)},
        {"stall_wait_share", "wait that is in stalls", "share", single(a, a->stalls.wait_share)},
        {"stall_threshold", "stall threshold", "ms", a->threshold.ms},
        {"cadence", "cadence", "steps", known(a->cadence.period_steps)},
        {"work_median", "median work of a step", "ms", a->work_ms},
        {"exposed_mean", "mean wait not under GPU work", "ms",
         a->exposed.known ? a->exposed.mean : NAN},
    };

    for (size_t i = 0; i < STALL_RUN_FIGURES; i++)
        ret[i] = (stall_metric){.id = table[i].id,
                                .label = table[i].label,
                                .unit = table[i].unit,
                                .broken = table[i].value,
                                .fixed = NAN,
                                .diff_low = NAN,
                                .diff_high = NAN,
                                .change = NAN,
                                .refused = strcmp(table[i].id, "cadence") == 0 &&
                                           (a->input.averaged || a->input.sampled)};
}

const char *stall_side_name(int side)
{
    return side == 0 ? "broken" : side == 1 ? "fixed" : NULL;
}

const char *stall_gate_name(stall_gate gate)
{
    switch (gate) {
    case STALL_GATE_NO_REGRESSION:
        return "no-regression";
    case STALL_GATE_IMPROVED:
        return "improved";
    case STALL_GATE_FIXED:
        return "fixed";
    case STALL_GATE_NONE:
        break;
    }
    return NULL;
}

const char *stall_control_name(stall_control_kind kind)
{
    return kind == STALL_CONTROL_IN_ORDER ? "in_order" : "prefetch_factor";
}

bool stall_run_partial(const stall_run *run)
{
    return run->series->warnings.partial;
}

bool stall_side_partial(const stall_report *r, int side)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if ((side < 0 || r->runs[i].side == side) && stall_run_partial(&r->runs[i]))
            return true;
    return false;
}

const char *stall_side_label(const stall_report *r, int side)
{
    const char *label = r->side_label[side];

    return label != NULL && strcmp(label, stall_side_name(side)) != 0 ? label : NULL;
}

size_t stall_strip_fold(int64_t period, size_t width)
{
    if (width == 0)
        width = 1;
    if (period <= 1 || (uint64_t)period > width)
        return width;
    return width / (size_t)period * (size_t)period;
}

int64_t stall_report_period(const stall_report *r)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.cadence.period > 1)
            return r->runs[i].analysis.cadence.period;
    return STALL_UNKNOWN;
}

/* Lines that a strip takes when each segment begins a line, counted up to just over `limit`. */
static size_t strip_rows(const char *strip, size_t fold, size_t limit)
{
    size_t rows = 0, n;

    while (*strip != '\0' && rows <= limit) {
        n = strcspn(strip, "|");
        rows += n == 0 ? 1 : (n + fold - 1) / fold;
        strip += n + (strip[n] == '|');
    }
    return rows;
}

size_t stall_out_strip(stall_out *o, const char *strip, int64_t period, size_t width, size_t rows,
                       const char *indent)
{
    size_t fold = stall_strip_fold(period, width), n;
    bool align = period > 1 || strip_rows(strip, fold, rows) <= rows;

    for (size_t row = 0; row < rows && *strip != '\0'; row++) {
        n = align ? strcspn(strip, "|") : strlen(strip);
        if (n > fold)
            n = fold;
        stall_out_put(o, indent);
        stall_out_write(o, strip, n);
        stall_out_char(o, '\n');
        strip += n;
        if (align && *strip == '|')
            strip++;
    }
    return strlen(strip);
}
