/* Does the gap between stalls follow the worker count?
 *
 * Enters: analysed runs of a report, each with its worker count. Leaves: a row a run at the one
 * threshold, the slope of the gap on the worker count, and the verdict. Passes in both directions
 * are rows and are not averaged. It must not know sentences or documents. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define FIT_SHARE 0.75 /* of the gaps that must be multiples of the worker count */

/* ---- rows ---- */

static int64_t pool_of(int64_t workers)
{
    return workers > 1 ? workers : 1; /* without workers the loop itself makes every batch */
}

/* Share of the gaps that are multiples of max(1, W); NaN without gaps. */
static double coverage(const stall_cadence *c, int64_t workers)
{
    size_t fit = 0;

    for (size_t i = 0; i < c->gap_list_len; i++)
        fit += c->gap_list[i] % pool_of(workers) == 0;
    return c->gap_list_len > 0 ? (double)fit / (double)c->gap_list_len : NAN;
}

/* 1 or 0; -1 for a run that is no evidence: too few gaps, sampled steps, or a pool that stalls on
 * every step, which shows no cadence. */
static int follows(const stall_run *run, const stall_sweep_row *row)
{
    const stall_cadence *c = &run->analysis.cadence;

    if (c->gap_list_len < SWEEP_MIN_GAPS || run->analysis.input.stride > 1 ||
        (row->workers >= 2 && row->shape == STALL_SHAPE_UNIFORM_SLOW))
        return -1;
    if (c->period != STALL_UNKNOWN)
        return c->period == pool_of(row->workers);
    return row->gap_median == (double)pool_of(row->workers) && row->coverage_w >= FIT_SHARE;
}

static int order_of(const stall_run *run)
{
    const char *v = stall_series_meta(run->series, "in_order");

    if (v == NULL)
        return -1;
    if (stall_run_unordered(run))
        return 0;
    return strcmp(v, "true") == 0 || strcmp(v, "True") == 0 ? 1 : -1;
}

static stall_sweep_row row_of(const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    stall_sweep_row row = {
        .workers = a->facts.num_workers,
        .workers_logged = stall_series_meta_int(run->series, "num_workers"),
        .prefetch = stall_series_meta_int(run->series, "prefetch_factor"),
        .in_order = order_of(run),
        .revision = stall_series_meta(run->series, "revision"),
        .n = a->dist.n,
        .stalls = a->stalls.count,
        .mean = a->dist.mean,
        .p50 = a->dist.p50,
        .p95 = a->dist.p95,
        .gap_median = a->cadence.gap_median,
        .period = a->cadence.period,
        .p_adj = a->cadence.p_adj,
        .shape = run->own.shape,
    };

    row.coverage_w = coverage(&a->cadence, row.workers);
    row.follows = follows(run, &row);
    return row;
}

bool stall_sweep_alike(const stall_sweep *s, size_t a, size_t b, bool workers, bool prefetch,
                       bool order)
{
    const stall_sweep_row *x = &s->rows[a], *y = &s->rows[b];
    bool same_revision =
        x->revision == y->revision ||
        (x->revision != NULL && y->revision != NULL && strcmp(x->revision, y->revision) == 0);

    return same_revision && (!workers || x->workers == y->workers) &&
           (!prefetch || x->prefetch == y->prefetch || x->prefetch == STALL_UNKNOWN ||
            y->prefetch == STALL_UNKNOWN) &&
           (!order || (x->in_order == 0) == (y->in_order == 0));
}

int64_t stall_sweep_cpus(const stall_report *r)
{
    int64_t ret = STALL_UNKNOWN;

    for (size_t i = 0; i < r->runs_len; i++) {
        int64_t cpus = r->runs[i].analysis.facts.cpus;

        if (cpus == STALL_UNKNOWN)
            continue;
        if (ret != STALL_UNKNOWN && ret != cpus)
            return STALL_UNKNOWN;
        ret = cpus;
    }
    return ret;
}

/* ---- slope and verdict ---- */

/* Does a row take part in both? With 0 workers the loop makes its batches itself. */
static bool counts(const stall_sweep_row *row)
{
    return row->workers >= 1 && row->follows >= 0;
}

/* Least squares over the rows that count; NaN under two worker counts. */
static double slope_of(const stall_sweep_row *rows, size_t len)
{
    double mean_w = 0, mean_g = 0, top = 0, bottom = 0;
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        if (counts(&rows[i])) {
            mean_w += (double)rows[i].workers;
            mean_g += rows[i].period != STALL_UNKNOWN ? (double)rows[i].period : rows[i].gap_median;
            n++;
        }
    if (n == 0)
        return NAN;
    mean_w /= (double)n;
    mean_g /= (double)n;
    for (size_t i = 0; i < len; i++)
        if (counts(&rows[i])) {
            double w = (double)rows[i].workers - mean_w;
            double g =
                rows[i].period != STALL_UNKNOWN ? (double)rows[i].period : rows[i].gap_median;

            top += w * (g - mean_g);
            bottom += w * w;
        }
    return bottom > 0 ? top / bottom : NAN;
}

/* Different worker counts of at least `least`, among all rows or those that count. */
static size_t different(const stall_sweep_row *rows, size_t len, int64_t least, bool counting)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        bool first = rows[i].workers >= least && (!counting || counts(&rows[i]));

        for (size_t k = 0; k < i && first; k++)
            first = rows[k].workers != rows[i].workers || (counting && !counts(&rows[k]));
        n += first;
    }
    return n;
}

static stall_sweep_verdict judge(const stall_sweep_row *rows, size_t len, size_t evidence)
{
    size_t all = 0, yes = 0, yes_pool = 0;

    if (different(rows, len, 1, true) < 2 || evidence == 0)
        return STALL_SWEEP_INSUFFICIENT;
    for (size_t i = 0; i < len; i++)
        if (counts(&rows[i])) {
            all++;
            yes += rows[i].follows == 1;
            yes_pool += rows[i].follows == 1 && rows[i].workers >= 2;
        }
    return yes == all      ? STALL_SWEEP_FOLLOWS
           : yes_pool == 0 ? STALL_SWEEP_DOES_NOT_FOLLOW
                           : STALL_SWEEP_PARTLY;
}

stall_status stall_sweep_judge(const stall_report *r, double threshold, stall_sweep *ret,
                               stall_error *reterr)
{
    size_t len = r->runs_len;

    ret->threshold_ms = threshold;
    ret->stops_at = STALL_UNKNOWN;
    ret->rows = stall_mem_alloc(len, sizeof(*ret->rows));
    if (ret->rows == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < len; i++)
        ret->rows[i] = row_of(&r->runs[i]);
    ret->slope = slope_of(ret->rows, len);
    ret->counts = different(ret->rows, len, 0, false);
    ret->evidence = different(ret->rows, len, 2, true);
    ret->verdict = judge(ret->rows, len, ret->evidence);
    return STALL_OK;
}
