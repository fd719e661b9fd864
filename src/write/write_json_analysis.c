/* `analysis` and `compare` of report.json.
 *
 * Enters: analyses and the comparison of the model. Leaves: members of a JSON tree; what is not
 * defined is null, what makes no sense without something else is absent. It computes nothing and
 * must not know where the tree is printed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "write/write.h"

/* ---- lists ---- */

static void add_ints(stall_tree *t, cJSON *object, const char *key, const int64_t *v, size_t len)
{
    stall_text text;

    stall_text_init(&text);
    stall_text_put(&text, "[");
    for (size_t i = 0; i < len; i++)
        stall_text_printf(&text, "%s%" PRId64, i > 0 ? "," : "", v[i]);
    stall_text_put(&text, "]");
    stall_tree_raw(t, object, key, &text);
}

static void add_bins(stall_tree *t, cJSON *object, const char *key, const stall_bin *v, size_t len)
{
    stall_text text;

    stall_text_init(&text);
    stall_text_put(&text, "[");
    for (size_t i = 0; i < len; i++) {
        stall_text_put(&text, i > 0 ? ",[" : "[");
        if (v[i].key == STALL_UNKNOWN)
            stall_text_put(&text, "null");
        else
            stall_text_printf(&text, "%" PRId64, v[i].key);
        stall_text_printf(&text, ",%" PRIu64 "]", v[i].count);
    }
    stall_text_put(&text, "]");
    stall_tree_raw(t, object, key, &text);
}

/* [low, high], null where a limit is not finite; without a known low nor high: null. */
static void add_limits(stall_tree *t, cJSON *object, const char *key, bool known, double low,
                       double high)
{
    char buf[STALL_DOUBLE_MAX];
    stall_text text;

    if (!known) {
        stall_tree_null(t, object, key);
        return;
    }
    stall_text_init(&text);
    stall_text_printf(&text, "[%s,", isfinite(low) ? stall_double_text(buf, low) : "null");
    stall_text_printf(&text, "%s]", isfinite(high) ? stall_double_text(buf, high) : "null");
    stall_tree_raw(t, object, key, &text);
}

/* ---- analysis ---- */

static void add_facts(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    cJSON *o = stall_tree_object(t, object, "facts");

    stall_tree_int(t, o, "num_workers", a->facts.num_workers);
    stall_tree_int(t, o, "logical_cpus", a->facts.cpus);
    stall_tree_int(t, o, "steps_per_epoch", a->facts.steps_per_epoch);
    stall_tree_int(t, o, "warmup", a->facts.warmup);
    if (a->facts.rank == STALL_RANK_MAX)
        stall_tree_text(t, o, "rank", "max");
    else
        stall_tree_int(t, o, "rank", a->facts.rank);

    o = stall_tree_object(t, object, "input");
    stall_tree_uint(t, o, "rows", a->input.rows);
    stall_tree_uint(t, o, "invalid_step", a->input.invalid_step);
    stall_tree_uint(t, o, "invalid_wait", a->input.invalid_wait);
    stall_tree_uint(t, o, "merged", a->input.merged);
    stall_tree_uint(t, o, "missing_steps", a->input.missing_steps);
    stall_tree_uint(t, o, "segments", a->input.segments);
    stall_tree_int(t, o, "stride", a->input.stride);
    stall_tree_uint(t, object, "ranks", a->ranks);
}

static void add_distribution(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    const stall_dist *d = &a->dist;
    cJSON *o = stall_tree_object(t, object, "dist");

    stall_tree_uint(t, o, "n", d->n);
    stall_tree_double(t, o, "sum", d->sum);
    stall_tree_double(t, o, "mean", d->mean);
    stall_tree_double(t, o, "sd", d->sd);
    stall_tree_double(t, o, "min", d->min);
    stall_tree_double(t, o, "p50", d->p50);
    stall_tree_double(t, o, "p90", d->p90);
    stall_tree_double(t, o, "p95", d->p95);
    stall_tree_double(t, o, "p99", d->p99);
    stall_tree_double(t, o, "max", d->max);
    stall_tree_double(t, o, "mad", d->mad);
    stall_tree_double(t, o, "cv", d->cv);
    stall_tree_double(t, o, "top10_share", d->top10_share);
    add_bins(t, o, "hist", d->hist, d->hist_len);

    o = stall_tree_object(t, object, "steady");
    stall_tree_uint(t, o, "n", a->steady.n);
    stall_tree_double(t, o, "mean", a->steady.mean);
    stall_tree_double(t, o, "p50", a->steady.p50);
    stall_tree_double(t, o, "p95", a->steady.p95);
}

static void add_stalls(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    cJSON *o = stall_tree_object(t, object, "threshold");

    stall_tree_double(t, o, "ms", a->threshold.ms);
    stall_tree_text(t, o, "source", a->threshold.given ? "given" : "auto");
    stall_tree_double(t, o, "auto_ms", a->threshold.auto_ms);
    stall_tree_double(t, o, "floor_ms", a->threshold.floor_ms);
    stall_tree_uint(t, o, "peeled", a->threshold.peeled);
    stall_tree_double(t, object, "auto_stall_rate_steady", a->auto_stall_rate_steady);

    o = stall_tree_object(t, object, "stalls");
    stall_tree_uint(t, o, "count", a->stalls.count);
    stall_tree_uint(t, o, "startup", a->stalls.startup);
    stall_tree_double(t, o, "rate", a->stalls.rate);
    stall_tree_double(t, o, "wait_share", a->stalls.wait_share);
    add_ints(t, o, "steps", a->stalls.steps, (size_t)a->stalls.count);
    stall_tree_text(t, object, "strip", a->strip == NULL ? "" : a->strip);

    stall_tree_double(t, object, "wall_share", a->wall_share);
    stall_tree_double(t, object, "wall_share_steady", a->wall_share_steady);
    stall_tree_double(t, object, "wall_share_no_stalls", a->wall_share_no_stalls);
    stall_tree_double(t, object, "work_ms", a->work_ms);
}

static void add_recurrence(stall_tree *t, cJSON *object, const stall_cadence *c)
{
    stall_text text;

    stall_text_init(&text);
    stall_text_put(&text, "[");
    for (size_t i = 0; i < c->recurrence_len; i++)
        stall_text_printf(&text, "%s[%" PRId64 ",%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "",
                          c->recurrence[i].lag, c->recurrence[i].pairs, c->recurrence[i].hits);
    stall_text_put(&text, "]");
    stall_tree_raw(t, object, "recurrence", &text);
}

static void add_cadence(stall_tree *t, cJSON *object, const stall_cadence *c)
{
    cJSON *o = stall_tree_object(t, object, "cadence");

    stall_tree_text(t, o, "kind", stall_cadence_kind_name(c->kind));
    stall_tree_int(t, o, "period", c->period);
    if (c->period_steps != STALL_UNKNOWN)
        stall_tree_int(t, o, "period_steps", c->period_steps);
    stall_tree_double(t, o, "p_adj", c->p_adj);
    stall_tree_double(t, o, "coverage", c->coverage);
    stall_tree_double(t, o, "coverage_w", c->coverage_w);
    stall_tree_double(t, o, "p_w", c->p_w);
    stall_tree_int(t, o, "phase", c->phase);
    if (!isnan(c->phase_share))
        stall_tree_double(t, o, "phase_share", c->phase_share);
    stall_tree_text(t, o, "worker_match", stall_worker_match_name(c->worker_match));
    stall_tree_bool(t, o, "holes", c->holes);
    stall_tree_uint(t, o, "positions", c->positions);
    stall_tree_uint(t, o, "stalls", c->stalls);
    stall_tree_uint(t, o, "gaps", c->gaps);
    add_ints(t, o, "gap_list", c->gap_list, c->gap_list_len);
    add_bins(t, o, "gap_hist", c->gap_hist, c->gap_hist_len);
    stall_tree_double(t, o, "gap_median", c->gap_median);
    stall_tree_double(t, o, "gap_mean", c->gap_mean);
    stall_tree_double(t, o, "gap_cv", c->gap_cv);
    stall_tree_int(t, o, "gap_min", c->gap_min);
    stall_tree_int(t, o, "gap_max", c->gap_max);
    stall_tree_uint(t, o, "runs", c->runs);
    stall_tree_double(t, o, "runs_p", c->runs_p);
    add_recurrence(t, o, c);
}

static void add_change(stall_tree *t, cJSON *object, const stall_change *c)
{
    cJSON *o;

    if (c->kind == STALL_CHANGE_NONE) {
        stall_tree_null(t, object, "change");
        return;
    }
    o = stall_tree_object(t, object, "change");
    stall_tree_text(t, o, "kind", stall_change_kind_name(c->kind));
    stall_tree_int(t, o, "step", c->step);
    stall_tree_int(t, o, "index", c->index);
    stall_tree_double(t, o, "p", c->p);
    stall_tree_double(t, o, "median_before", c->median_before);
    stall_tree_double(t, o, "median_after", c->median_after);
    stall_tree_double(t, o, "mean_before", c->mean_before);
    stall_tree_double(t, o, "mean_after", c->mean_after);
    stall_tree_double(t, o, "rate_before", c->rate_before);
    stall_tree_double(t, o, "rate_after", c->rate_after);
}

static void add_shape(stall_tree *t, cJSON *object, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    cJSON *o;

    stall_tree_text(t, object, "shape", stall_shape_term(a->shape)->code);
    stall_tree_text(t, object, "confidence", stall_confidence_name(a->confidence));
    o = stall_tree_array(t, object, "notes");
    for (unsigned n = 0; o != NULL && n < STALL_NOTE_COUNT; n++)
        if (a->notes & 1u << n)
            stall_tree_text(t, o, NULL, stall_note_term((stall_note)n)->code);
    if (a->input_problem < 0)
        stall_tree_null(t, object, "input_problem");
    else
        stall_tree_bool(t, object, "input_problem", a->input_problem != 0);
    stall_tree_text(t, object, "distribution", a->distribution);
    stall_tree_text(t, object, "structure", a->structure);
    o = stall_tree_object(t, object, "text");
    stall_tree_text(t, o, "shape", run->shape_text);
    stall_tree_text(t, o, "supply", run->supply_text);
    stall_tree_text(t, o, "traceml", run->peer_text);
}

static void add_supply(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    cJSON *o;

    stall_tree_double(t, object, "pool_vr", a->pool_vr);
    if (!a->supply.known) {
        stall_tree_null(t, object, "supply");
    } else {
        o = stall_tree_object(t, object, "supply");
        stall_tree_double(t, o, "interval_ms", a->supply.interval_ms);
        stall_tree_double(t, o, "work_ms", a->supply.work_ms);
        stall_tree_double(t, o, "speedup_needed", a->supply.speedup_needed);
        stall_tree_double(t, o, "batch_cost_ms", a->supply.batch_cost_ms);
        stall_tree_int(t, o, "cores_needed", a->supply.cores_needed);
    }
    if (!a->exposed.known) {
        stall_tree_null(t, object, "exposed");
    } else {
        o = stall_tree_object(t, object, "exposed");
        stall_tree_uint(t, o, "n", a->exposed.n);
        stall_tree_double(t, o, "mean", a->exposed.mean);
        stall_tree_double(t, o, "p50", a->exposed.p50);
        stall_tree_double(t, o, "p95", a->exposed.p95);
        stall_tree_double(t, o, "share", a->exposed.share);
    }
}

static void add_traceml(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    static const char *const levels[] = {"none", "warning", "critical"};
    cJSON *o;

    if (!a->traceml.known) {
        stall_tree_null(t, object, "traceml");
        return;
    }
    o = stall_tree_object(t, object, "traceml");
    stall_tree_bool(t, o, "input_bound", a->traceml.level != STALL_PEER_NONE);
    stall_tree_text(t, o, "level", levels[a->traceml.level]);
    stall_tree_double(t, o, "share", a->traceml.share);
    stall_tree_uint(t, o, "steps", a->traceml.steps);
    stall_tree_uint(t, o, "ranks", a->traceml.ranks);
}

static void add_ranks(stall_tree *t, cJSON *object, const stall_analysis *a)
{
    cJSON *ranks, *o;
    char key[32];

    if (a->per_rank_len == 0)
        return;
    ranks = stall_tree_object(t, object, "per_rank");
    for (size_t i = 0; i < a->per_rank_len; i++) {
        const stall_rank_figures *f = &a->per_rank[i];

        snprintf(key, sizeof(key), "%" PRId32, f->rank);
        o = stall_tree_object(t, ranks, key);
        stall_tree_uint(t, o, "n", f->n);
        stall_tree_double(t, o, "mean", f->mean);
        stall_tree_double(t, o, "p95", f->p95);
        stall_tree_uint(t, o, "stalls", f->stalls);
        stall_tree_int(t, o, "period", f->period);
        stall_tree_uint(t, o, "slowest", f->slowest);
    }
}

/* A key that came from the input. */
static cJSON *add_named(stall_tree *t, cJSON *parent, const char *name, bool object, uint64_t count)
{
    cJSON *ret = NULL;
    stall_text key;

    stall_text_init(&key);
    stall_json_text(&key, name);
    if (key.failed)
        t->failed = true;
    else if (object)
        ret = stall_tree_object(t, parent, key.data);
    else
        stall_tree_uint(t, parent, key.data, count);
    stall_text_close(&key);
    return ret;
}

static void add_extras(stall_tree *t, cJSON *object, const stall_extras *e)
{
    cJSON *extras = stall_tree_object(t, object, "extras"), *o, *c;

    if (e->counters_len > 0) {
        o = stall_tree_object(t, extras, "counters");
        for (size_t i = 0; i < e->counters_len; i++) {
            const stall_counter_contrast *k = &e->counters[i];

            c = add_named(t, o, k->name, true, 0);
            stall_tree_uint(t, c, "n_slow", k->n_slow);
            stall_tree_uint(t, c, "n_fast", k->n_fast);
            stall_tree_double(t, c, "median_slow", k->median_slow);
            stall_tree_double(t, c, "median_fast", k->median_fast);
            stall_tree_double(t, c, "rank_biserial", k->rank_biserial);
        }
    }
    if (e->pids_known)
        stall_tree_uint(t, extras, "pid_set_changes", e->pid_set_changes);
    if (e->workers_known) {
        o = stall_tree_object(t, extras, "stalls_by_worker");
        for (size_t i = 0; i < e->by_worker_len; i++)
            add_named(t, o, e->by_worker[i].worker, false, e->by_worker[i].count);
    }
    if (e->order.known) {
        o = stall_tree_object(t, extras, "order");
        stall_tree_uint(t, o, "deliveries", e->order.deliveries);
        stall_tree_uint(t, o, "overtaking", e->order.overtaking);
        stall_tree_uint(t, o, "overtaken", e->order.overtaken);
        stall_tree_uint(t, o, "inversions", e->order.inversions);
        stall_tree_uint(t, o, "max_displacement", e->order.max_displacement);
    }
}

void stall_tree_analysis(stall_tree *t, cJSON *parent, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    cJSON *o = stall_tree_object(t, parent, "analysis");

    add_facts(t, o, a);
    add_distribution(t, o, a);
    add_stalls(t, o, a);
    add_cadence(t, o, &a->cadence);
    add_change(t, o, &a->change);
    add_shape(t, o, run);
    add_supply(t, o, a);
    add_traceml(t, o, a);
    add_ranks(t, o, a);
    add_extras(t, o, &a->extras);
}

/* ---- compare ---- */

static void add_side(stall_tree *t, cJSON *object, const char *key, const stall_side *s)
{
    cJSON *o = stall_tree_object(t, object, key), *passes, *p;

    stall_tree_uint(t, o, "n", s->n);
    stall_tree_double(t, o, "mean", s->mean);
    stall_tree_double(t, o, "p50", s->p50);
    stall_tree_double(t, o, "p95", s->p95);
    stall_tree_double(t, o, "max", s->max);
    stall_tree_uint(t, o, "stalls", s->stalls);
    stall_tree_double(t, o, "stall_rate", s->stall_rate);
    passes = stall_tree_array(t, o, "passes");
    for (size_t i = 0; i < s->passes_len; i++) {
        const stall_pass *f = &s->passes[i];

        p = stall_tree_element(t, passes);
        stall_tree_uint(t, p, "n", f->n);
        stall_tree_double(t, p, "mean", f->mean);
        stall_tree_double(t, p, "p50", f->p50);
        stall_tree_double(t, p, "p95", f->p95);
        stall_tree_uint(t, p, "stalls", f->stalls);
        stall_tree_int(t, p, "period", f->period);
        stall_tree_text(t, p, "shape", stall_shape_term(f->shape)->code);
        stall_tree_text(t, p, "shape_at_common", stall_shape_term(f->shape_at_common)->code);
        stall_tree_bool(t, p, "change", f->change);
        stall_tree_double(t, p, "wall_share", f->wall_share);
    }
}

static void add_effect(stall_tree *t, cJSON *object, const char *key, const stall_effect *e)
{
    cJSON *o;
    bool limits = !isnan(e->diff_low) || !isnan(e->diff_high);

    if (!e->known) {
        stall_tree_null(t, object, key);
        return;
    }
    o = stall_tree_object(t, object, key);
    stall_tree_double(t, o, "diff", e->diff);
    add_limits(t, o, "diff_ci", limits, e->diff_low, e->diff_high);
    stall_tree_double(t, o, "ratio", e->ratio);
    add_limits(t, o, "ratio_ci", limits, e->ratio_low, e->ratio_high);
}

static void add_gate(stall_tree *t, cJSON *object, const stall_report *r)
{
    cJSON *o;

    if (stall_gate_name(r->gate) == NULL)
        return;
    o = stall_tree_object(t, object, "gate");
    stall_tree_text(t, o, "asked", stall_gate_name(r->gate));
    if (r->gate_met < 0)
        stall_tree_null(t, o, "met");
    else
        stall_tree_bool(t, o, "met", r->gate_met != 0);
}

static void add_verdict(stall_tree *t, cJSON *object, const stall_report *r)
{
    const stall_comparison *c = &r->compare;
    cJSON *o;

    stall_tree_text(t, object, "verdict", stall_verdict_term(c->verdict)->code);
    stall_tree_text(t, object, "confidence", stall_confidence_name(c->confidence));
    o = stall_tree_array(t, object, "why");
    for (unsigned w = 0; o != NULL && w < STALL_WHY_COUNT; w++)
        if (c->why & 1u << w)
            stall_tree_text(t, o, NULL, stall_why_term((stall_why)w)->code);
    add_gate(t, object, r);
    o = stall_tree_object(t, object, "text");
    stall_tree_text(t, o, "headline", r->headline);
    stall_tree_text(t, o, "more_needed", r->more_needed);
    stall_tree_text(t, o, "step_time", r->step_text);
}

void stall_tree_compare(stall_tree *t, cJSON *parent, const stall_report *r)
{
    const stall_comparison *c = &r->compare;
    cJSON *o = stall_tree_object(t, parent, "compare"), *e;

    add_verdict(t, o, r);
    stall_tree_double(t, o, "threshold_ms", c->threshold_ms);
    add_side(t, o, "broken", &c->side[0]);
    add_side(t, o, "fixed", &c->side[1]);
    e = stall_tree_object(t, o, "effect");
    add_effect(t, e, "mean", &c->mean);
    add_effect(t, e, "p50", &c->p50);
    add_effect(t, e, "p95", &c->p95);
    add_effect(t, e, "step", &c->step);
    if (c->side[0].block != STALL_UNKNOWN && c->side[1].block != STALL_UNKNOWN) {
        e = stall_tree_object(t, o, "block");
        stall_tree_int(t, e, "broken", c->side[0].block);
        stall_tree_int(t, e, "fixed", c->side[1].block);
    }
    if (c->described) {
        stall_tree_double(t, o, "cliffs_delta", c->cliffs_delta);
        e = stall_tree_object(t, o, "mann_whitney");
        stall_tree_double(t, e, "U", c->mann_whitney_u);
        stall_tree_double(t, e, "p", c->mann_whitney_p);
        stall_tree_double(t, o, "ks_d", c->ks_d);
    }
    if (!isnan(c->permutation_p))
        stall_tree_double(t, o, "block_permutation_p", c->permutation_p);
    stall_tree_int(t, o, "cadence_broken", c->side[0].cadence);
    stall_tree_int(t, o, "cadence_fixed", c->side[1].cadence);
    stall_tree_text(t, o, "cadence_change", c->cadence_change);
    stall_tree_int(t, o, "stalls_removed", c->stalls_removed);
}
