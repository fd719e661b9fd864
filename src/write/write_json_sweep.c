/* `sweep` of report.json.
 *
 * Enters: the sweep of the model. Leaves: members of a JSON tree; what is not defined is null. It
 * computes nothing and must not know where the tree is printed. */
#include <cjson/cJSON.h>

#include "write/write.h"

static void add_truth(stall_tree *t, cJSON *o, const char *key, int v)
{
    if (v < 0)
        stall_tree_null(t, o, key);
    else
        stall_tree_bool(t, o, key, v != 0);
}

static void add_row(stall_tree *t, cJSON *list, const stall_report *r, size_t i)
{
    const stall_sweep_row *row = &r->sweep.rows[i];
    const stall_order *order = &r->runs[i].analysis.extras.order;
    cJSON *o = stall_tree_element(t, list);

    stall_tree_text(t, o, "run", r->runs[i].label);
    stall_tree_text(t, o, "revision", row->revision);
    stall_tree_int(t, o, "pass", r->runs[i].pass > 0 ? r->runs[i].pass : STALL_UNKNOWN);
    stall_tree_int(t, o, "workers", row->workers);
    stall_tree_int(t, o, "prefetch_factor", row->prefetch);
    add_truth(t, o, "in_order", row->in_order);
    stall_tree_uint(t, o, "n", row->n);
    stall_tree_double(t, o, "mean", row->mean);
    stall_tree_double(t, o, "p50", row->p50);
    stall_tree_double(t, o, "p95", row->p95);
    stall_tree_uint(t, o, "stalls", row->stalls);
    stall_tree_double(t, o, "gap_median", row->gap_median);
    stall_tree_int(t, o, "period", row->period);
    stall_tree_double(t, o, "p_adj", row->p_adj);
    stall_tree_double(t, o, "coverage_w", row->coverage_w);
    stall_tree_int(t, o, "overtaking", order->known ? (int64_t)order->overtaking : STALL_UNKNOWN);
    stall_tree_text(t, o, "shape", stall_shape_term(row->shape)->code);
    add_truth(t, o, "follows", row->follows);
    stall_tree_bool(t, o, "partial", stall_run_partial(&r->runs[i]));
}

static void add_rungs(stall_tree *t, cJSON *object, const stall_sweep *s)
{
    cJSON *list = stall_tree_array(t, object, "mean_by_workers"), *o;

    for (size_t i = 0; i < s->rungs_len; i++) {
        o = stall_tree_element(t, list);
        stall_tree_int(t, o, "workers", s->rungs[i].workers);
        stall_tree_uint(t, o, "runs", s->rungs[i].runs);
        stall_tree_double(t, o, "mean", s->rungs[i].mean);
        stall_tree_double(t, o, "low", s->rungs[i].low);
        stall_tree_double(t, o, "high", s->rungs[i].high);
    }
    stall_tree_int(t, object, "stops_at", s->stops_at);
}

static void add_controls(stall_tree *t, cJSON *object, const stall_report *r)
{
    cJSON *list = stall_tree_array(t, object, "controls"), *o;

    for (size_t i = 0; i < r->sweep.controls_len; i++) {
        const stall_control *c = &r->sweep.controls[i];

        o = stall_tree_element(t, list);
        stall_tree_text(t, o, "setting", stall_control_name(c->kind));
        stall_tree_text(t, o, "base", r->runs[c->base].label);
        stall_tree_text(t, o, "other", r->runs[c->other].label);
        stall_tree_bool(t, o, "same_pass", c->same_pass);
        stall_tree_double(t, o, "mean_diff", c->mean_diff);
        stall_tree_double(t, o, "p50_diff", c->p50_diff);
        stall_tree_double(t, o, "p95_diff", c->p95_diff);
        stall_tree_text(t, o, "outcome", stall_control_term(c->outcome)->code);
        stall_tree_text(t, o, "text", c->text);
    }
}

void stall_tree_sweep(stall_tree *t, cJSON *parent, const stall_report *r)
{
    const stall_sweep *s = &r->sweep;
    cJSON *o = stall_tree_object(t, parent, "sweep"), *list, *e;

    stall_tree_text(t, o, "verdict", stall_sweep_term(s->verdict)->code);
    stall_tree_double(t, o, "threshold_ms", s->threshold_ms);
    stall_tree_double(t, o, "slope", s->slope);
    list = stall_tree_array(t, o, "rows");
    for (size_t i = 0; i < r->runs_len; i++)
        add_row(t, list, r, i);
    add_rungs(t, o, s);
    add_controls(t, o, r);
    list = stall_tree_array(t, o, "reading");
    for (size_t i = 0; i < s->reading_len; i++) {
        e = stall_tree_element(t, list);
        stall_tree_text(t, e, "code", s->reading[i].code);
        stall_tree_text(t, e, "text", s->reading[i].text);
    }
    e = stall_tree_object(t, o, "text");
    stall_tree_text(t, e, "headline", r->headline);
    stall_tree_text(t, e, "more_needed", r->more_needed);
}
