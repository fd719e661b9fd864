/* From series to the report model that every writer prints.
 *
 * Enters: series with their facts and options. Leaves: runs with their analyses, the comparison,
 * and every sentence, figure, advice and caveat. Writers decide nothing. It must not know
 * documents, files or the command line. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"

#define PASS_MAX 9999 /* a pass of the metadata beyond is none */

void stall_report_init(stall_report *r)
{
    memset(r, 0, sizeof(*r));
    r->gate_met = 1;
}

void stall_report_close(stall_report *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->runs_len; i++) {
        /* one analysis may stand for both; the strip of a complete one is never NULL */
        if (r->runs[i].own.strip == NULL || r->runs[i].own.strip != r->runs[i].analysis.strip)
            stall_analysis_close(&r->runs[i].own);
        stall_analysis_close(&r->runs[i].analysis);
    }
    stall_mem_free(r->runs);
    stall_mem_free(r->compare.side[0].passes);
    stall_mem_free(r->compare.side[1].passes);
    stall_mem_free(r->sweep.rows);
    stall_mem_free(r->sweep.rungs);
    stall_mem_free(r->sweep.controls);
    stall_mem_free(r->sweep.reading);
    stall_mem_free(r->metrics);
    stall_mem_free(r->advice);
    stall_mem_free(r->caveats);
    if (r->arena != NULL)
        stall_arena_close(r->arena);
    stall_mem_free(r->arena);
    stall_report_init(r);
}

/* ---- texts ---- */

/* Moves a text into the report. NULL when memory ran out; the text is closed in any case. */
static const char *keep(stall_report *r, stall_text *t)
{
    const char *ret =
        t->failed ? NULL : stall_arena_printf(r->arena, "%s", t->data != NULL ? t->data : "");

    stall_text_close(t);
    return ret;
}

/* The name of a run before it is made unique: that of its side where one was given. */
static const char *first_label(const stall_run *run, const char *const given[2])
{
    const stall_series *s = run->series;

    if (run->side >= 0 && given[run->side] != NULL)
        return given[run->side];
    return s->label != NULL && s->label[0] != '\0' ? s->label
           : s->path != NULL && s->path[0] != '\0' ? s->path
                                                   : "run";
}

/* Where labels collide, paths that differ say more than numbers. */
static const char *second_label(const stall_report *r, size_t self, const char *const given[2])
{
    const stall_run *run = &r->runs[self];
    const char *label = first_label(run, given), *path = run->series->path;
    bool collides = false;

    if (path == NULL || path[0] == '\0' || (run->side >= 0 && given[run->side] != NULL))
        return label;
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_run *other = &r->runs[i];

        if (i == self)
            continue;
        collides = collides || strcmp(first_label(other, given), label) == 0;
        if (other->series->path != NULL && strcmp(other->series->path, path) == 0)
            return label;
    }
    return collides ? path : label;
}

static bool label_taken(const stall_report *r, size_t before, const char *label)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(r->runs[i].label, label) == 0)
            return true;
    return false;
}

/* Names every run, each differently: by its label, else by its path, else with a number. */
static bool name_runs(stall_report *r, const char *const given[2])
{
    for (size_t i = 0; i < r->runs_len; i++) {
        const char *base = second_label(r, i, given);
        char *label = stall_arena_printf(r->arena, "%s", base);

        for (unsigned n = 2; label != NULL && label_taken(r, i, label); n++)
            label = stall_arena_printf(r->arena, "%s (%u)", base, n);
        if (label == NULL)
            return false;
        r->runs[i].label = label;
    }
    return true;
}

/* Names the sides: as given, else after their runs. */
static bool name_sides(stall_report *r, const char *const given[2])
{
    for (int s = 0; s < 2; s++) {
        const stall_run *first = NULL;
        size_t n = 0;

        for (size_t i = 0; i < r->runs_len; i++)
            if (r->runs[i].side == s && n++ == 0)
                first = &r->runs[i];
        if (given[s] != NULL)
            r->side_label[s] = stall_arena_printf(r->arena, "%s", given[s]);
        else if (n > 1)
            r->side_label[s] = stall_arena_printf(r->arena, "%s and %zu more", first->label, n - 1);
        else
            r->side_label[s] = first->label;
        if (r->side_label[s] == NULL)
            return false;
    }
    return true;
}

static bool describe_runs(stall_report *r)
{
    for (size_t i = 0; i < r->runs_len; i++) {
        stall_run *run = &r->runs[i];
        stall_text t;

        stall_text_init(&t);
        stall_words_shape(&t, run);
        run->shape_text = keep(r, &t);
        if (run->shape_text == NULL)
            return false;
        if (run->analysis.traceml.known) {
            stall_text_init(&t);
            stall_words_peer(&t, &run->analysis);
            run->peer_text = keep(r, &t);
            if (run->peer_text == NULL)
                return false;
        }
        if (!run->analysis.supply.known)
            continue;
        stall_text_init(&t);
        stall_words_supply(&t, run);
        run->supply_text = keep(r, &t);
        if (run->supply_text == NULL)
            return false;
    }
    return true;
}

/* ---- the report around the runs ---- */

static bool open_report(stall_report *r, stall_command command, size_t len)
{
    stall_report_init(r);
    r->command = command;
    r->arena = stall_mem_alloc(1, sizeof(stall_arena));
    if (r->arena == NULL)
        return false;
    stall_arena_init(r->arena);
    r->runs = stall_mem_zero(len, sizeof(*r->runs));
    return r->runs != NULL;
}

static stall_run *add_run(stall_report *r, const stall_report_input *in, int pass)
{
    stall_run *run = &r->runs[r->runs_len++];

    stall_analysis_init(&run->analysis);
    stall_analysis_init(&run->own);
    run->series = in->series;
    run->side = in->side;
    run->pass = pass;
    r->partial = r->partial || in->series->warnings.partial;
    return run;
}

static stall_status analyze(const stall_series *s, const stall_analyze_options *options,
                            double stall_ms, stall_analysis *ret, stall_error *reterr)
{
    stall_analyze_options o = *options;
    stall_status status;

    o.stall_ms = stall_ms;
    status = stall_analyze(s, &o, ret, reterr);
    if (status != STALL_OK && s->path != NULL)
        stall_error_source(reterr, s->path);
    return status;
}

/* Both analyses of a run. Where the threshold is the automatic one anyway, one serves as both. */
static stall_status analyze_at(stall_run *run, const stall_report_input *in, double threshold,
                               stall_error *reterr)
{
    stall_status status;

    if (isnan(in->options.stall_ms) && run->own.threshold.ms == threshold) {
        run->analysis = run->own;
        return STALL_OK;
    }
    status = analyze(in->series, &in->options, threshold, &run->analysis, reterr);
    if (status == STALL_OK && isnan(in->options.stall_ms)) {
        /* the threshold is automatic, though another run's */
        run->analysis.threshold.given = false;
        run->analysis.facts.stall_ms = NAN;
    }
    return status;
}

/* Turns a list into the report's, or frees it. */
static bool take_list(compare_list *l, stall_advice **ret, size_t *ret_len)
{
    *ret = l->items;
    *ret_len = l->len;
    return !l->failed;
}

/* Advice and, for a sweep, its findings and what its controls tell. */
static bool write_findings(stall_report *r, const compare_need *need)
{
    compare_list advice = {.arena = r->arena}, reading = {.arena = r->arena};
    bool done = true;

    if (r->command != STALL_COMMAND_SWEEP) {
        stall_report_advise(r, need, &advice);
        return take_list(&advice, &r->advice, &r->advice_len);
    }
    for (size_t i = 0; i < r->sweep.controls_len && done; i++) {
        stall_text t;

        stall_text_init(&t);
        stall_words_control(&t, r, &r->sweep.controls[i]);
        r->sweep.controls[i].text = keep(r, &t);
        done = r->sweep.controls[i].text != NULL;
    }
    stall_sweep_read(r, &reading);
    stall_sweep_advise(r, &advice);
    done = take_list(&reading, &r->sweep.reading, &r->sweep.reading_len) && done;
    return take_list(&advice, &r->advice, &r->advice_len) && done;
}

/* Sentences, advice and caveats, once the figures stand. */
static stall_status write_texts(stall_report *r, const compare_found *found, stall_error *reterr)
{
    compare_list caveats = {.arena = r->arena};
    bool done = describe_runs(r);
    stall_text headline, step, need, sides;

    stall_text_init(&headline);
    stall_text_init(&step);
    stall_text_init(&need);
    stall_text_init(&sides);
    if (r->command == STALL_COMMAND_COMPARE) {
        stall_words_headline_compare(&headline, r);
        stall_words_step(&step, r);
        stall_words_need(&need, r, &found->need);
        stall_words_sides(&sides, r);
    } else if (r->command == STALL_COMMAND_SWEEP) {
        stall_words_headline_sweep(&headline, r);
        stall_words_need_sweep(&need, r);
    } else {
        stall_words_headline_show(&headline, r);
    }
    done = done && !step.failed && !need.failed && !sides.failed;
    r->headline = keep(r, &headline);
    r->step_text = step.len > 0 ? keep(r, &step) : NULL;
    r->more_needed = need.len > 0 ? keep(r, &need) : NULL;
    r->sides_text = sides.len > 0 ? keep(r, &sides) : NULL;
    done = done && r->headline != NULL && (step.len == 0 || r->step_text != NULL) &&
           (need.len == 0 || r->more_needed != NULL) && (sides.len == 0 || r->sides_text != NULL);
    done = write_findings(r, found != NULL ? &found->need : NULL) && done;
    stall_report_caution(r, &caveats);
    done = take_list(&caveats, &r->caveats, &r->caveats_len) && done;
    return done ? STALL_OK : stall_error_memory(reterr);
}

/* ---- show ---- */

stall_status stall_report_show(const stall_report_input *inputs, size_t len,
                               const stall_report_options *options, stall_report *ret,
                               stall_error *reterr)
{
    static const char *const no_labels[2] = {NULL, NULL};
    stall_status status = STALL_OK;

    (void)options; /* labels and gates are those of a comparison */
    if (len == 0)
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "no run to show");
    if (!open_report(ret, STALL_COMMAND_SHOW, len))
        goto memory;
    for (size_t i = 0; i < len && status == STALL_OK; i++) {
        stall_run *run = add_run(ret, &inputs[i], 0);
        double given = inputs[i].options.stall_ms;

        run->side = -1;
        status = analyze(inputs[i].series, &inputs[i].options, NAN, &run->own, reterr);
        if (status == STALL_OK)
            status =
                analyze_at(run, &inputs[i], isnan(given) ? run->own.threshold.ms : given, reterr);
    }
    if (status == STALL_OK && !name_runs(ret, no_labels))
        goto memory;
    if (status == STALL_OK)
        status = write_texts(ret, NULL, reterr);
    if (status != STALL_OK)
        stall_report_close(ret);
    return status;
memory:
    stall_report_close(ret);
    return stall_error_memory(reterr);
}

/* ---- compare ---- */

/* The one threshold of a comparison: as given, else the automatic one of the run with the largest
 * steady mean (of equals the first, broken before fixed). */
static double common_threshold(const stall_report *r, double given)
{
    const stall_analysis *largest = NULL;

    if (!isnan(given))
        return given;
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_analysis *a = &r->runs[i].own;

        if (a->steady.n > 0 && (largest == NULL || a->steady.mean > largest->steady.mean))
            largest = a;
    }
    return largest != NULL ? largest->threshold.ms : r->runs[0].own.threshold.floor_ms;
}

/* Runs in the order broken, fixed. `ret_from` gets the input of each. */
static stall_status add_sides(stall_report *r, const stall_report_input *inputs, size_t len,
                              const stall_report_input **ret_from, stall_error *reterr)
{
    stall_status status = STALL_OK;

    for (int side = 0; side < 2; side++)
        for (size_t i = 0, pass = 0; i < len && status == STALL_OK; i++) {
            if (inputs[i].side != side)
                continue;
            ret_from[r->runs_len] = &inputs[i];
            status = analyze(inputs[i].series, &inputs[i].options, NAN,
                             &add_run(r, &inputs[i], (int)++pass)->own, reterr);
        }
    return status;
}

static stall_status compare_sides(stall_report *r, const stall_report_input *const *from,
                                  compare_found *found, stall_error *reterr)
{
    double given = NAN, threshold;
    stall_status status = STALL_OK;

    for (size_t i = 0; i < r->runs_len && isnan(given); i++)
        given = from[i]->options.stall_ms;
    threshold = common_threshold(r, given);
    for (size_t i = 0; i < r->runs_len && status == STALL_OK; i++)
        status = analyze_at(&r->runs[i], from[i], threshold, reterr);
    if (status == STALL_OK)
        status = stall_compare_runs(r->runs, r->runs_len, threshold, &r->compare, found, reterr);
    if (status != STALL_OK)
        return status;
    r->metrics = stall_mem_alloc(COMPARE_METRICS, sizeof(*r->metrics));
    if (r->metrics == NULL)
        return stall_error_memory(reterr);
    r->metrics_len = stall_report_measure(r, found, r->metrics);
    return STALL_OK;
}

static bool both_sides(const stall_report_input *inputs, size_t len)
{
    size_t count[2] = {0, 0};

    for (size_t i = 0; i < len; i++)
        if (inputs[i].side == 0 || inputs[i].side == 1)
            count[inputs[i].side]++;
    return count[0] > 0 && count[1] > 0;
}

stall_status stall_report_compare(const stall_report_input *inputs, size_t len,
                                  const stall_report_options *options, stall_report *ret,
                                  stall_error *reterr)
{
    static const stall_report_options none = {{NULL, NULL}, STALL_GATE_NONE, false};
    const stall_report_options *o = options != NULL ? options : &none;
    const stall_report_input **from = NULL;
    compare_found found;
    stall_status status;

    memset(&found, 0, sizeof(found));
    if (!both_sides(inputs, len))
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "a comparison needs at least one broken and one fixed run");
    from = stall_mem_alloc(len, sizeof(*from));
    if (!open_report(ret, STALL_COMMAND_COMPARE, len) || from == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    status = add_sides(ret, inputs, len, from, reterr);
    if (status == STALL_OK)
        status = compare_sides(ret, from, &found, reterr);
    if (status != STALL_OK)
        goto out;
    if (!name_runs(ret, o->labels) || !name_sides(ret, o->labels)) {
        status = stall_error_memory(reterr);
        goto out;
    }
    ret->gate = o->gate;
    ret->gate_met = stall_gate_judge(o->gate, ret->compare.verdict, ret->compare.confidence,
                                     ret->compare.why, ret->partial && !o->allow_partial);
    status = write_texts(ret, &found, reterr);
out:
    stall_mem_free(from);
    if (status != STALL_OK)
        stall_report_close(ret);
    return status;
}

/* ---- sweep ---- */

/* Every run with its own threshold; worker counts and passes as they are known. */
static stall_status add_settings(stall_report *r, const stall_report_input *inputs, size_t len,
                                 stall_error *reterr)
{
    stall_status status = STALL_OK;

    for (size_t i = 0; i < len && status == STALL_OK; i++) {
        int64_t pass = stall_series_meta_int(inputs[i].series, "pass");
        stall_run *run = add_run(r, &inputs[i], pass > 0 && pass <= PASS_MAX ? (int)pass : 0);

        run->side = -1;
        if (inputs[i].options.num_workers == STALL_UNKNOWN) {
            stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                            "a sweep needs the worker count of every run");
            stall_error_hint(reterr, "write W=RUN, such as 4=run.csv, or give num_workers in "
                                     "RUN.meta.json");
            if (inputs[i].series->path != NULL)
                stall_error_source(reterr, inputs[i].series->path);
            return STALL_EUSAGE;
        }
        status = analyze(inputs[i].series, &inputs[i].options, NAN, &run->own, reterr);
    }
    return status;
}

stall_status stall_report_sweep(const stall_report_input *inputs, size_t len,
                                const stall_report_options *options, stall_report *ret,
                                stall_error *reterr)
{
    static const char *const no_labels[2] = {NULL, NULL};
    stall_status status;
    double threshold;

    (void)options; /* labels and gates are those of a comparison */
    if (len == 0 || len > STALL_SWEEP_MAX)
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "a sweep takes 1 to %d runs", STALL_SWEEP_MAX);
    if (!open_report(ret, STALL_COMMAND_SWEEP, len)) {
        status = stall_error_memory(reterr);
        goto out;
    }
    status = add_settings(ret, inputs, len, reterr);
    if (status != STALL_OK)
        goto out;
    threshold = common_threshold(ret, inputs[0].options.stall_ms);
    for (size_t i = 0; i < len && status == STALL_OK; i++)
        status = analyze_at(&ret->runs[i], &inputs[i], threshold, reterr);
    if (status == STALL_OK && !name_runs(ret, no_labels))
        status = stall_error_memory(reterr);
    if (status == STALL_OK)
        status = stall_sweep_judge(ret, threshold, &ret->sweep, reterr);
    if (status == STALL_OK)
        status = stall_sweep_climb(ret, &ret->sweep, reterr);
    if (status == STALL_OK)
        status = stall_sweep_pair(ret, &ret->sweep, reterr);
    if (status == STALL_OK)
        status = write_texts(ret, NULL, reterr);
out:
    if (status != STALL_OK)
        stall_report_close(ret);
    return status;
}
