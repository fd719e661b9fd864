/* Two sides, side by side: figures, effects with intervals, verdict.
 *
 * Enters: runs analysed at one threshold. Leaves: the comparison. The primary figure is the mean
 * wait, for it is what the wall clock pays; a median may be equal on both sides while the mean
 * falls a hundredfold. It must not know texts, gates or documents. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define NOISE_ABS_MS 1.0      /* without step times */
#define NOISE_ABS_MIN_MS 0.1  /* with them: at least this ... */
#define NOISE_WORK_SHARE 0.01 /* ... and 1 % of the work of a step */

static const stall_effect no_effect = {false, NAN, NAN, NAN, NAN, NAN, NAN};

/* ---- figures of passes and sides ---- */

static void fill_pass(const compare_pass *p, double *scratch, stall_pass *ret)
{
    memcpy(scratch, p->wait, p->n * sizeof(*scratch));
    stall_sort(scratch, p->n);
    *ret = (stall_pass){.n = p->n,
                        .stalls = p->at->stalls.count,
                        .mean = p->mean,
                        .p50 = stall_quantile(scratch, p->n, 0.5),
                        .p95 = stall_quantile(scratch, p->n, 0.95),
                        .wall_share = p->at->wall_share_steady,
                        .period = p->at->cadence.period,
                        .change = p->at->change.kind != STALL_CHANGE_NONE,
                        .shape = p->own->shape,
                        .shape_at_common = p->at->shape};
}

static stall_status fill_side(const compare_side *s, stall_side *ret, stall_error *reterr)
{
    double *scratch = s->len > 1 ? stall_mem_alloc(s->n, sizeof(*scratch)) : s->sorted;

    ret->passes = stall_mem_zero(s->len, sizeof(*ret->passes));
    if (scratch == NULL || ret->passes == NULL) {
        if (scratch != s->sorted)
            stall_mem_free(scratch);
        return stall_error_memory(reterr);
    }
    ret->passes_len = s->len;
    for (size_t p = 0; p < s->len; p++)
        fill_pass(&s->passes[p], scratch, &ret->passes[p]);
    if (scratch != s->sorted)
        stall_mem_free(scratch);
    ret->n = s->n;
    ret->mean = s->mean;
    ret->p50 = stall_quantile(s->sorted, s->n, 0.5);
    ret->p95 = stall_quantile(s->sorted, s->n, 0.95);
    ret->max = s->max;
    ret->stalls = s->stalls;
    ret->stall_rate = s->n > 0 ? (double)s->stalls / (double)s->n : NAN;
    ret->cadence = STALL_UNKNOWN;
    ret->block = STALL_UNKNOWN;
    return STALL_OK;
}

/* ---- effects ---- */

static stall_effect effect(double broken, double fixed)
{
    stall_effect ret = no_effect;

    if (isnan(broken) || isnan(fixed))
        return ret;
    ret.known = true;
    ret.diff = fixed - broken;
    ret.ratio = broken == 0 ? NAN : fixed / broken;
    return ret;
}

static double finite_or_nan(double v)
{
    return isfinite(v) ? v : NAN;
}

static void set_limits(stall_effect *e, const compare_limits *l)
{
    e->diff_low = finite_or_nan(l->diff_low);
    e->diff_high = finite_or_nan(l->diff_high);
    e->ratio_low = finite_or_nan(l->ratio_low);
    e->ratio_high = finite_or_nan(l->ratio_high);
}

/* Are step times known in every pass (for nine of ten waits)? */
static bool durations_known(const compare_side *s)
{
    for (size_t p = 0; p < s->len; p++)
        if (isnan(s->passes[p].at->work_ms))
            return false;
    return s->steps > 0;
}

static void note_found(const compare_side side[2], compare_found *ret)
{
    for (int s = 0; s < 2; s++) {
        bool known = durations_known(&side[s]);

        ret->step_mean[s] = known ? side[s].step_mean : NAN;
        ret->share[s] = known ? side[s].share : NAN;
    }
    ret->stride = stall_common_stride(side);
}

/* The smallest change of the mean that counts: 1 ms, or 1 % of a step's work where it is known. */
static stall_status noise_abs(const compare_side side[2], double *ret, stall_error *reterr)
{
    size_t n = side[0].len + side[1].len, k = 0;
    double *work = stall_mem_alloc(n, sizeof(*work)), median;

    if (work == NULL)
        return stall_error_memory(reterr);
    for (int s = 0; s < 2; s++)
        for (size_t p = 0; p < side[s].len; p++)
            work[k++] = side[s].passes[p].at->work_ms;
    median = stall_median_known(work, n);
    stall_mem_free(work);
    *ret = isnan(median) ? NOISE_ABS_MS : fmax(NOISE_ABS_MIN_MS, NOISE_WORK_SHARE * median);
    return STALL_OK;
}

/* Length of a block of the bootstrap: the cube root of the shortest pass, up to a multiple of the
 * longest cadence, so that a block holds whole cycles; never over a third of the pass. */
static size_t block_length(const compare_side *s)
{
    size_t root = stall_block_length(s->shortest), third = s->shortest / 3, period = 1, block;

    for (size_t p = 0; p < s->len; p++)
        if (s->passes[p].at->cadence.period > (int64_t)period)
            period = (size_t)s->passes[p].at->cadence.period;
    block = (root + period - 1) / period * period;
    if (block > third)
        block = third;
    return block > 0 ? block : 1;
}

static void describe(const compare_side side[2], stall_comparison *ret)
{
    compare_effect_size d;

    ret->described = side[0].n > 0 && side[1].n > 0;
    if (!ret->described)
        return;
    d = stall_effect_size(side[0].sorted, side[0].n, side[1].sorted, side[1].n);
    ret->cliffs_delta = d.cliffs_delta;
    ret->mann_whitney_u = d.u;
    ret->mann_whitney_p = d.p;
    ret->ks_d = d.ks_d;
}

/* Effects with their intervals; intervals only where every pass is long enough. */
static stall_status fill_effects(const compare_side side[2], stall_comparison *ret,
                                 compare_intervals *ret_intervals, stall_error *reterr)
{
    bool steps = durations_known(&side[0]) && durations_known(&side[1]);
    size_t block[2];
    stall_status status;

    ret->p50 = effect(ret->side[0].p50, ret->side[1].p50);
    ret->p95 = effect(ret->side[0].p95, ret->side[1].p95);
    ret->mean = effect(side[0].mean, side[1].mean);
    ret->step = steps && ret->mean.known ? effect(side[0].step_mean, side[1].step_mean) : no_effect;
    if (side[0].shortest < COMPARE_MIN_SAMPLES || side[1].shortest < COMPARE_MIN_SAMPLES)
        return STALL_OK;
    for (int s = 0; s < 2; s++) {
        block[s] = block_length(&side[s]);
        ret->side[s].block = (int64_t)block[s];
    }
    status = stall_bootstrap(side, block, steps, ret_intervals, reterr);
    if (status != STALL_OK)
        return status;
    set_limits(&ret->mean, &ret_intervals->mean);
    if (ret_intervals->has_quantiles) {
        set_limits(&ret->p50, &ret_intervals->p50);
        set_limits(&ret->p95, &ret_intervals->p95);
    }
    if (ret_intervals->has_step)
        set_limits(&ret->step, &ret_intervals->step);
    return STALL_OK;
}

stall_status stall_compare_runs(const stall_run *runs, size_t len, double threshold,
                                stall_comparison *ret, compare_found *ret_found,
                                stall_error *reterr)
{
    compare_side side[2];
    compare_intervals intervals;
    compare_case k = {.side = side, .intervals = &intervals, .c = ret};
    stall_status status = STALL_OK;

    memset(&intervals, 0, sizeof(intervals));
    memset(ret, 0, sizeof(*ret));
    ret->permutation_p = NAN;
    ret->cadence_change = "none";
    ret->threshold_ms = threshold;
    stall_side_init(&side[0]);
    stall_side_init(&side[1]);
    for (int s = 0; s < 2 && status == STALL_OK; s++) {
        status = stall_side_collect(runs, len, s, &side[s], reterr);
        if (status == STALL_OK)
            status = fill_side(&side[s], &ret->side[s], reterr);
    }
    if (status == STALL_OK)
        status = noise_abs(side, &k.noise_abs, reterr);
    if (status == STALL_OK)
        status = fill_effects(side, ret, &intervals, reterr);
    if (status != STALL_OK)
        goto out;
    describe(side, ret);
    ret->stalls_removed = (int64_t)(side[0].stalls - side[1].stalls);
    stall_cadence_compare(side, ret);
    note_found(side, ret_found);
    status = stall_verdict_reach(&k, ret, &ret_found->need, reterr);
out:
    stall_side_close(&side[0]);
    stall_side_close(&side[1]);
    return status;
}
