/* The report on a terminal: about 40 lines of plain text.
 *
 * Enters: the report model. Leaves: the verdict first, then the table, the strips with the shapes,
 * what to do next, and what to keep in mind. Long lists are cut; the report folder has them whole.
 * It computes nothing and must not know whether the stream is a terminal: options say it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define TERM_WIDTH 100
#define TERM_WIDTH_MIN 40
#define TERM_WIDTH_MAX 100 /* longer lines are hard to read; strips may be wider */
#define TERM_STRIP_MAX 200
#define TERM_FIGURES 11   /* rows of the table, without its head */
#define TERM_SHOWN 4      /* runs side by side in it */
#define TERM_RUNS 2       /* runs shown with strip and shape text */
#define TERM_LINES 3      /* runs shown with one line after those */
#define TERM_STRIP_ROWS 2 /* of one strip */
#define TERM_ADVICE 2
#define TERM_WARNINGS 3

/* "broken: LABEL   fixed: LABEL" in one line where both fit. */
static void put_sides(stall_terminal *t, const stall_report *r)
{
    char names[2][STALL_OUT_TEXT_MAX + 32] = {"", ""};
    size_t width = 3;
    bool both;

    for (int side = 0; side < 2; side++) {
        const char *label = stall_side_label(r, side);
        bool partial = stall_side_partial(r, side);

        if (label == NULL && !partial)
            continue;
        snprintf(names[side], sizeof(names[side]), "%s%s%s%.150s", partial ? "PARTIAL " : "",
                 stall_side_name(side), label ? ": " : "", label ? label : "");
        width += stall_terminal_width(names[side], t->utf8);
    }
    both = names[0][0] != '\0' && names[1][0] != '\0';
    for (int side = 0; side < 2; side++) {
        if (names[side][0] == '\0')
            continue;
        stall_out_terminal(&t->out, names[side], t->width, t->utf8);
        stall_out_put(&t->out, both && side == 0 && width <= t->width ? "   " : "\n");
    }
}

static void compare_table(stall_terminal *t, const stall_report *r)
{
    char buf[2 * STALL_FIGURE_MAX];
    stall_table tab = {.columns = 5, .head = {"", "broken", "fixed", "change", "95 % interval"}};

    put_sides(t, r);
    for (size_t i = 0; i < r->metrics_len && tab.rows < TERM_FIGURES; i++, tab.rows++) {
        const stall_metric *m = &r->metrics[i];

        stall_table_set(&tab, 0, m->label);
        stall_table_set(&tab, 1, stall_figure_text(buf, m, m->broken, r->compare.side[0].n));
        stall_table_set(&tab, 2, stall_figure_text(buf, m, m->fixed, r->compare.side[1].n));
        stall_table_set(&tab, 3, stall_change_text(buf, m->unit, m->change));
        stall_table_set(&tab, 4, stall_interval_text(buf, m->unit, m->diff_low, m->diff_high));
    }
    tab.hidden[3] = stall_table_width(t, &tab) > t->width; /* the reader can take the difference */
    stall_table_put(t, &tab);
}

/* Figures that wait for the report. */
static bool on_terminal(const char *id)
{
    static const char *const others[] = {"wait_sum", "wait_p99", "wait_share_steady", "stall_rate"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(id, others[i]) == 0)
            return false;
    return true;
}

static void show_table(stall_terminal *t, const stall_report *r)
{
    char buf[STALL_FIGURE_MAX], heads[TERM_SHOWN + 1][STALL_OUT_TEXT_MAX + 16];
    stall_metric figures[STALL_RUN_FIGURES];
    stall_table tab = {.head = {""}, .columns = 1, .rows = 0};

    for (size_t i = 0; i < r->runs_len && tab.columns <= TERM_SHOWN; i++, tab.columns++) {
        snprintf(heads[tab.columns], sizeof(heads[0]), "%s%.150s",
                 stall_run_partial(&r->runs[i]) ? "PARTIAL " : "", r->runs[i].label);
        tab.head[tab.columns] = heads[tab.columns];
        stall_run_figures(&r->runs[i].analysis, figures);
        tab.rows = 0;
        for (size_t f = 0; f < STALL_RUN_FIGURES && tab.rows < TERM_FIGURES; f++) {
            if (!on_terminal(figures[f].id))
                continue;
            stall_table_set(&tab, 0, figures[f].label);
            stall_table_set(
                &tab, tab.columns,
                stall_figure_text(buf, &figures[f], figures[f].broken, r->runs[i].analysis.dist.n));
            tab.rows++;
        }
    }
    if (stall_table_width(t, &tab) > t->width) /* the names stand above the table */
        for (size_t c = 1; c < tab.columns; c++) {
            stall_out_printf(&t->out, "run %zu: ", c);
            stall_out_terminal(&t->out, heads[c], t->width - 7, t->utf8);
            stall_out_char(&t->out, '\n');
            snprintf(heads[c], sizeof(heads[c]), "run %zu", c);
        }
    stall_table_put(t, &tab);
}

/* ---- runs ---- */

/* "run-a PARTIAL (broken, pass 1): heavy-tailed, periodic, confidence high; mean 4.71 s" */
static void put_run_line(stall_terminal *t, const stall_report *r, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    const char *confidence = stall_confidence_name(a->confidence);
    char buf[STALL_FIGURE_MAX];
    stall_text line;
    stall_out o;

    stall_text_init(&line);
    stall_out_open_text(&o, &line, t->out.reterr);
    stall_out_terminal(&o, run->label, t->width / 2, t->utf8);
    if (stall_run_partial(run))
        stall_out_put(&o, " PARTIAL");
    if (run->side >= 0 && r->runs_len > 2)
        stall_out_printf(&o, " (%s, pass %d)", stall_side_name(run->side), run->pass);
    stall_out_printf(&o, ": %s", stall_shape_term(a->shape)->words);
    if (confidence != NULL)
        stall_out_printf(&o, ", confidence %s", confidence);
    stall_out_printf(&o, "; mean %s", stall_time_text(buf, a->dist.mean));
    if (stall_out_close(&o) != STALL_OK)
        stall_out_fail(&t->out, o.status);
    stall_terminal_color(t, stall_run_partial(run) ? "1;33" : "1");
    stall_terminal_wrap(t, "", line.data, 2);
    stall_terminal_color(t, "0");
    stall_text_close(&line);
}

static void put_run(stall_terminal *t, const stall_report *r, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    int64_t period = a->cadence.period > 1 ? a->cadence.period : stall_report_period(r);
    const char *strip = a->strip == NULL ? "" : a->strip;
    size_t left;

    put_run_line(t, r, run);
    left = stall_out_strip(&t->out, strip, period, t->strip_width - 2, TERM_STRIP_ROWS, "  ");
    if (left > 0)
        stall_out_printf(&t->out, "  ... %zu more in series.csv\n", left);
    stall_terminal_wrap(t, "  ", run->shape_text, 6);
    if (run->peer_text != NULL)
        stall_terminal_wrap(t, "  ", run->peer_text, 1);
}

static void put_runs(stall_terminal *t, const stall_report *r)
{
    bool full[TERM_RUNS] = {false}; /* by side */
    size_t shown = 0, lines = 0, left = 0;
    char buf[STALL_FIGURE_MAX], legend[STALL_FIGURE_MAX + 64];

    snprintf(legend, sizeof(legend), "S stall, . step, ? unknown, | new segment");
    if (r->command == STALL_COMMAND_COMPARE)
        snprintf(legend, sizeof(legend), "S stall (wait over %s), . step, ? unknown, | new segment",
                 stall_time_text(buf, r->compare.threshold_ms));
    stall_terminal_wrap(t, "", legend, 2);
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_run *run = &r->runs[i];
        size_t slot = run->side >= 0 ? (size_t)run->side : shown;

        if (slot < TERM_RUNS && !full[slot]) {
            full[slot] = true;
            shown++;
            put_run(t, r, run);
        } else if (lines < TERM_LINES) {
            lines++;
            put_run_line(t, r, run);
        } else {
            left++;
        }
    }
    if (left > 0)
        stall_out_printf(&t->out, "... and %zu more runs\n", left);
}

/* ---- the rest ---- */

static const char *verdict_color(const stall_report *r)
{
    if (r->command != STALL_COMMAND_COMPARE)
        return "1";
    switch (r->compare.verdict) {
    case STALL_VERDICT_FIXED:
    case STALL_VERDICT_IMPROVED:
        return "1;32";
    case STALL_VERDICT_REGRESSED:
        return "1;31";
    case STALL_VERDICT_INCONCLUSIVE:
        return "1;33";
    case STALL_VERDICT_UNCHANGED:
        break;
    }
    return "1";
}

static void put_head(stall_terminal *t, const stall_report *r)
{
    bool said = r->headline != NULL && strstr(r->headline, "PARTIAL") != NULL;

    stall_terminal_color(t, verdict_color(r));
    stall_terminal_wrap(t, r->partial && !said ? "PARTIAL input: " : "", r->headline, 3);
    stall_terminal_color(t, "0");
    if (r->command == STALL_COMMAND_COMPARE) {
        const char *confidence = stall_confidence_name(r->compare.confidence);
        stall_text why;

        stall_text_init(&why);
        stall_text_printf(&why, "confidence: %s", confidence ? confidence : "none");
        for (unsigned w = 0; w < STALL_WHY_COUNT; w++)
            if (r->compare.why & 1u << w)
                stall_text_printf(&why, "; %s", stall_why_term((stall_why)w)->words);
        if (stall_gate_name(r->gate) != NULL)
            stall_text_printf(&why, "; gate %s: %s", stall_gate_name(r->gate),
                              r->gate_met == 1   ? "met"
                              : r->gate_met == 0 ? "not met"
                                                 : "not decidable");
        if (why.failed && t->out.status == STALL_OK)
            stall_out_fail(&t->out, stall_error_memory(t->out.reterr));
        else
            stall_terminal_wrap(t, "", why.data, 3);
        stall_text_close(&why);
    }
    stall_out_char(&t->out, '\n');
}

static void put_warnings(stall_terminal *t, const stall_report *r)
{
    size_t shown = 0, left = 0;
    char line[768];

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_warnings *w = &r->runs[i].series->warnings;

        for (size_t k = 0; k < w->len; k++) {
            if (shown == TERM_WARNINGS) {
                left++;
                continue;
            }
            shown++;
            snprintf(line, sizeof(line), "%s (%" PRIu64 "): %.40s: %s",
                     stall_warn_name(w->items[k].code), w->items[k].count, r->runs[i].label,
                     w->items[k].text);
            stall_terminal_wrap(t, "warning: ", line, 2);
        }
    }
    if (left > 0)
        stall_out_printf(&t->out, "... %zu more warnings in the report\n", left);
}

/* Which run it is about stands first, when there are several. */
static void put_supply(stall_terminal *t, const stall_report *r)
{
    const stall_run *run = NULL;
    stall_text line;
    stall_out o;

    /* of two sides, what the newer revision still needs */
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].supply_text != NULL && (run == NULL || r->runs[i].side > run->side))
            run = &r->runs[i];
    if (run == NULL)
        return;
    stall_text_init(&line);
    stall_out_open_text(&o, &line, t->out.reterr);
    if (r->runs_len > 1) {
        stall_out_terminal(&o, run->label, t->width - 10, t->utf8);
        stall_out_put(&o, ": ");
    }
    stall_out_put(&o, run->supply_text);
    if (stall_out_close(&o) != STALL_OK)
        stall_out_fail(&t->out, o.status);
    else
        stall_terminal_wrap(t, "supply: ", line.data, 4);
    stall_text_close(&line);
}

static void put_rest(stall_terminal *t, const stall_report *r)
{
    stall_text codes;

    if (r->command != STALL_COMMAND_SWEEP) /* which reads it off all its runs */
        put_supply(t, r);
    stall_terminal_wrap(t, "beside the revision: ", r->sides_text, 4);
    stall_terminal_wrap(t, "step time: ", r->step_text, 3);
    stall_terminal_wrap(t, "to settle it: ", r->more_needed, 3);
    for (size_t i = 0; i < r->advice_len && i < TERM_ADVICE; i++)
        stall_terminal_wrap(t, i == 0 ? "next: " : "      ", r->advice[i].text, 4);
    put_warnings(t, r);
    stall_text_init(&codes);
    stall_text_put(&codes, "(stalldiff help CODE): ");
    for (size_t i = 0; i < r->caveats_len; i++)
        stall_text_printf(&codes, "%s%s", i > 0 ? ", " : "", r->caveats[i].code);
    if (codes.failed && t->out.status == STALL_OK)
        stall_out_fail(&t->out, stall_error_memory(t->out.reterr));
    else if (r->caveats_len > 0)
        stall_terminal_wrap(t, "caveats ", codes.data, 3);
    stall_text_close(&codes);
}

stall_status stall_write_terminal(const stall_report *r, const stall_terminal_options *options,
                                  stall_sink *sink, stall_error *reterr)
{
    int width = options->width > 0 ? options->width : TERM_WIDTH;
    stall_terminal t = {.color = options->color, .utf8 = options->utf8};

    t.strip_width = (size_t)(width < TERM_WIDTH_MIN   ? TERM_WIDTH_MIN
                             : width > TERM_STRIP_MAX ? TERM_STRIP_MAX
                                                      : width);
    t.width = (size_t)(width < TERM_WIDTH_MIN   ? TERM_WIDTH_MIN
                       : width > TERM_WIDTH_MAX ? TERM_WIDTH_MAX
                                                : width);
    stall_out_open(&t.out, sink, reterr);
    put_head(&t, r);
    if (r->command == STALL_COMMAND_SWEEP) {
        stall_terminal_sweep(&t, r);
    } else {
        if (r->command == STALL_COMMAND_COMPARE)
            compare_table(&t, r);
        else
            show_table(&t, r);
        stall_out_char(&t.out, '\n');
        put_runs(&t, r);
    }
    stall_out_char(&t.out, '\n');
    put_rest(&t, r);
    if (options->report_dir != NULL) {
        stall_out_put(&t.out, "report in ");
        stall_out_terminal(&t.out, options->report_dir, t.width - 10, t.utf8);
        stall_out_char(&t.out, '\n');
    }
    return stall_out_close(&t.out);
}
