/* The shape of the waiting: the first rule that applies. Enters: finished figures, cadence and
 * change point. Leaves: shape, confidence, notes, structure. */
#include <math.h>

#include "analyze/analyze.h"

/* What the rules look at. */
typedef struct facts {
    bool durations, holes, costly_start, slow_bulk;
    size_t n, steady;
    double start_waits, start_stall_waits, above_waits, steady_above_rate, max_steady;
    size_t start_stalls;
} facts;

static void note(stall_analysis *a, stall_note n)
{
    a->notes |= 1u << n;
}

static facts gather(stall_work *w)
{
    stall_analysis *a = w->a;
    double t = a->threshold.auto_ms;
    facts f = {.durations = !isnan(a->wall_share_steady),
               .holes = a->cadence.holes,
               .n = a->dist.n,
               .steady = w->steady_len};
    stall_sum start = {0, 0}, above = {0, 0}, bulk = {0, 0};
    size_t bulk_n = 0, steady_above = 0;

    for (size_t i = 0; i < a->points_len; i++) {
        const stall_point *p = &a->points[i];
        if (isnan(p->wait_ms)) {
            continue;
        }
        if (p->wait_ms > t) {
            stall_sum_add(&above, p->wait_ms);
            if (p->steady) {
                steady_above++;
            } else {
                stall_sum_add(&start, p->wait_ms);
                f.start_stalls++;
            }
        } else if (p->steady) {
            stall_sum_add(&bulk, p->wait_ms);
            bulk_n++;
        }
        if (p->steady) {
            f.max_steady = fmax(f.max_steady, p->wait_ms);
        }
    }
    f.start_stall_waits = stall_sum_value(&start);
    f.above_waits = stall_sum_value(&above);
    f.costly_start = f.start_stalls > 0 && (isnan(a->wall_share) || a->wall_share >= STALL_SHARE);
    f.slow_bulk = f.durations
                      ? a->wall_share_no_stalls >= STALL_SHARE
                      : bulk_n > 0 && stall_sum_value(&bulk) / (double)bulk_n >= STALL_FLOOR_MS;
    f.steady_above_rate = f.steady > 0 ? (double)steady_above / (double)f.steady : NAN;
    a->auto_stall_rate_steady = f.steady_above_rate;
    return f;
}

static void set(stall_analysis *a, stall_shape shape, stall_confidence confidence,
                const char *distribution, const char *structure)
{
    a->shape = shape;
    a->confidence = confidence;
    a->distribution = distribution;
    a->structure = structure;
}

/* Rules 2 and 2b: no problem, or only where the loader starts. */
static bool harmless(stall_work *w, const facts *f)
{
    stall_analysis *a = w->a;

    if (a->input_problem == 0) {
        bool startup = f->costly_start && f->start_stall_waits >= f->above_waits / 2;
        bool sure = f->durations || a->steady.mean < 1;
        stall_confidence c = f->n >= 20 && f->durations ? STALL_CONFIDENCE_HIGH
                             : f->n >= 20 && sure       ? STALL_CONFIDENCE_MEDIUM
                                                        : STALL_CONFIDENCE_LOW;
        if (f->max_steady > a->threshold.ms) {
            note(a, STALL_NOTE_stalls_but_cheap);
        }
        if (f->durations && a->wall_share_steady >= STALL_SHARE / 2) {
            note(a, STALL_NOTE_share_near_limit);
            c = c == STALL_CONFIDENCE_HIGH ? STALL_CONFIDENCE_MEDIUM : c;
        }
        set(a, startup ? STALL_SHAPE_STARTUP_ONLY : STALL_SHAPE_NO_INPUT_PROBLEM, c, "none", "n/a");
        return true;
    }
    if (a->input.segments >= 3 && f->costly_start && f->start_stall_waits >= a->dist.sum / 2) {
        note(a, STALL_NOTE_steady_also_slow);
        set(a, STALL_SHAPE_STARTUP_ONLY,
            a->input.segments >= 5 && f->durations ? STALL_CONFIDENCE_HIGH
                                                   : STALL_CONFIDENCE_MEDIUM,
            "heavy", "segment_starts");
        return true;
    }
    return false;
}

/* Rule 4: the cadence, and what it says of the workers. */
static void periodic(stall_analysis *a)
{
    const stall_cadence *c = &a->cadence;
    int64_t w = a->facts.num_workers;
    bool is_long = c->period > STALL_LONG && !(a->workers_used && c->period == w);
    stall_confidence confidence = STALL_CONFIDENCE_LOW;

    if (c->p_adj <= 1e-4 && c->coverage >= 0.9 && c->stalls >= 8) {
        confidence = STALL_CONFIDENCE_HIGH;
    } else if (c->p_adj <= 1e-3 || c->stalls >= 6) {
        confidence = STALL_CONFIDENCE_MEDIUM;
    }
    set(a, is_long ? STALL_SHAPE_HEAVY_LONG_CYCLE : STALL_SHAPE_HEAVY_PERIODIC, confidence, "heavy",
        is_long ? "long_cycle" : "periodic");
    if (w == STALL_UNKNOWN) {
        note(a, STALL_NOTE_num_workers_unknown);
    } else if (a->workers_used && c->worker_match != STALL_MATCH_EQUAL &&
               c->worker_match != STALL_MATCH_MULTIPLE) {
        note(a, STALL_NOTE_cadence_is_not_num_workers);
    }
}

/* Rules 4 to 7: a heavy tail, by its order in time. */
static void heavy(stall_work *w, const facts *f)
{
    stall_analysis *a = w->a;
    const stall_cadence *c = &a->cadence;
    size_t steady_stalls = 0;
    bool refused = w->s->sampled || w->s->aggregated; /* rows whose order in time proves nothing */

    for (size_t i = 0; i < w->steady_len; i++) {
        steady_stalls += !refused && w->steady[i] > a->threshold.ms;
    }
    if (c->kind != STALL_CADENCE_NONE) {
        periodic(a);
    } else if (a->change.kind != STALL_CHANGE_NONE && !w->s->aggregated) {
        set(a, STALL_SHAPE_REGIME_CHANGE,
            a->change.p <= 1e-6 ? STALL_CONFIDENCE_HIGH : STALL_CONFIDENCE_MEDIUM, "heavy",
            "regime_change");
    } else if (c->stalls >= 5 && c->runs_p <= STALL_ALPHA_RUNS && !f->holes) {
        set(a, STALL_SHAPE_HEAVY_CLUSTERED,
            c->runs_p <= 1e-4 && c->stalls >= 12 ? STALL_CONFIDENCE_HIGH : STALL_CONFIDENCE_MEDIUM,
            "heavy", "clustered");
    } else if (steady_stalls >= STALL_MIN_RANDOM) {
        set(a, STALL_SHAPE_HEAVY_RANDOM,
            f->holes          ? STALL_CONFIDENCE_LOW
            : c->stalls >= 20 ? STALL_CONFIDENCE_HIGH
            : c->stalls >= 12 ? STALL_CONFIDENCE_MEDIUM
                              : STALL_CONFIDENCE_LOW,
            "heavy", "random");
    } else {
        note(a, STALL_NOTE_too_few_stalls);
        set(a, STALL_SHAPE_INCONCLUSIVE, STALL_CONFIDENCE_LOW, "heavy", "undetermined");
    }
    if (f->slow_bulk) {
        note(a, STALL_NOTE_bulk_also_slow);
    }
}

static void choose(stall_work *w, const facts *f)
{
    stall_analysis *a = w->a;

    if (f->n < STALL_MIN_N || f->steady < STALL_MIN_N - 1) {
        note(a, STALL_NOTE_too_few_steps);
        a->input_problem = -1;
        set(a, STALL_SHAPE_INCONCLUSIVE, STALL_CONFIDENCE_LOW, "n/a", "n/a");
        return;
    }
    a->input_problem =
        f->durations ? a->wall_share_steady >= STALL_SHARE : a->steady.mean >= STALL_FLOOR_MS;
    if (harmless(w, f)) {
        return;
    }
    if (f->steady_above_rate >= STALL_UNIFORM) {
        set(a, STALL_SHAPE_UNIFORM_SLOW,
            f->n >= 20 ? (f->durations ? STALL_CONFIDENCE_HIGH : STALL_CONFIDENCE_MEDIUM)
                       : STALL_CONFIDENCE_LOW,
            "uniform", "n/a");
        if (f->max_steady > 10 * a->steady.p50) {
            note(a, STALL_NOTE_uniform_with_spikes);
        }
    } else if (a->cadence.kind == STALL_CADENCE_EVERY_STEP) {
        note(a, STALL_NOTE_stall_threshold_too_low);
        set(a, STALL_SHAPE_INCONCLUSIVE, STALL_CONFIDENCE_LOW, "heavy", "undetermined");
    } else {
        heavy(w, f);
    }
}

void stall_shape_find(stall_work *w)
{
    stall_analysis *a = w->a;
    facts f = gather(w);

    choose(w, &f);
    if (a->input_problem < 0) {
        a->wall_share_no_stalls = NAN;
    }
    if (f.holes) {
        note(a, STALL_NOTE_holes);
    }
    if (a->change.kind != STALL_CHANGE_NONE && a->shape != STALL_SHAPE_REGIME_CHANGE) {
        note(a, STALL_NOTE_regime_change);
    }
    if (isnan(a->wall_share_steady) && f.n > 0) {
        note(a, STALL_NOTE_step_time_unknown);
    }
    if (a->input.stride > 1) {
        note(a, STALL_NOTE_steps_sampled);
    }
}
