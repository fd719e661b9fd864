/* report.md: a report that can be pasted into a pull request as it is.
 *
 * Enters: the report model. Leaves: Markdown of at most STALL_MARKDOWN_MAX bytes: verdict, amount,
 * certainty and next step in the first ten lines, then the figures, then folded details. A part
 * that no longer fits is replaced by a line that names the file which has it. It computes nothing.
 */
#include <math.h>
#include <string.h>

#include "write/write.h"

#define HEAD_ADVICE_MAX 400 /* bytes of the advice in the first lines */
#define LEFT_OUT_MAX 256    /* bytes of the line in place of a part, and of what closes it */

void stall_markdown_run_name(stall_out *o, const stall_run *run)
{
    stall_out_markdown(o, run->label, STALL_MARKDOWN_NAME_MAX);
    if (stall_run_partial(run))
        stall_out_put(o, " **PARTIAL**");
}

/* ---- the first lines ---- */

static void put_partial(const stall_report *r, stall_out *o)
{
    size_t shown = 0, left = 0;

    if (!r->partial)
        return;
    stall_out_put(o, "> **PARTIAL input:** something is missing from ");
    for (size_t i = 0; i < r->runs_len; i++) {
        if (!stall_run_partial(&r->runs[i]))
            continue;
        if (shown == STALL_MARKDOWN_COLUMNS) {
            left++;
            continue;
        }
        stall_out_put(o, shown++ > 0 ? ", " : "");
        stall_out_markdown(o, r->runs[i].label, STALL_MARKDOWN_NAME_MAX);
    }
    if (left > 0)
        stall_out_printf(o, " and %zu more", left);
    stall_out_put(o, "; the figures cover the rest.\n\n");
}

static void put_certainty(const stall_report *r, stall_out *o)
{
    bool compare = r->command == STALL_COMMAND_COMPARE;
    const char *confidence = NULL;

    if (compare)
        confidence = stall_confidence_name(r->compare.confidence);
    else if (r->runs_len > 0)
        confidence = stall_confidence_name(r->runs[0].analysis.confidence);
    stall_out_put(o, "- **How sure:** ");
    stall_out_put(o, confidence ? confidence : "no confidence is claimed");
    for (unsigned w = 0; compare && w < STALL_WHY_COUNT; w++)
        if (r->compare.why & 1u << w) {
            stall_out_put(o, "; ");
            stall_out_markdown(o, stall_why_term((stall_why)w)->words, STALL_OUT_TEXT_MAX);
        }
    if (r->more_needed != NULL) {
        stall_out_put(o, ". ");
        stall_out_markdown(o, r->more_needed, HEAD_ADVICE_MAX);
    }
    if (stall_gate_name(r->gate) != NULL)
        stall_out_printf(o, ". Gate %s: %s", stall_gate_name(r->gate),
                         r->gate_met == 1   ? "met"
                         : r->gate_met == 0 ? "not met"
                                            : "not decidable");
    stall_out_char(o, '\n');
}

/* "mean wait 4.71 s -> 53.0 ms (-4.66 s, 95 % [-5.50 s, -3.90 s])" */
static void put_amount_of(stall_out *o, const stall_metric *m)
{
    char buf[2 * STALL_FIGURE_MAX];

    stall_out_markdown(o, m->label, STALL_OUT_TEXT_MAX);
    stall_out_printf(o, " %s", stall_metric_text(buf, m->unit, m->broken));
    stall_out_printf(o, " → %s", stall_metric_text(buf, m->unit, m->fixed));
    if (isnan(m->change))
        return;
    stall_out_printf(o, " (%s", stall_change_text(buf, m->unit, m->change));
    if (!isnan(m->diff_low) && !isnan(m->diff_high))
        stall_out_printf(o, ", 95 %% %s",
                         stall_interval_text(buf, m->unit, m->diff_low, m->diff_high));
    stall_out_char(o, ')');
}

static void put_amount(const stall_report *r, stall_out *o)
{
    size_t shown = 0;
    char buf[STALL_FIGURE_MAX];

    stall_out_put(o, "- **By how much:** ");
    if (r->command == STALL_COMMAND_COMPARE) {
        for (size_t i = 0; i < r->metrics_len && shown < 2; i++)
            if (strcmp(r->metrics[i].id, "wait_mean") == 0 ||
                strcmp(r->metrics[i].id, "step_mean") == 0) {
                stall_out_put(o, shown++ > 0 ? "; " : "");
                put_amount_of(o, &r->metrics[i]);
            }
        if (r->step_text != NULL) {
            stall_out_put(o, shown > 0 ? ". " : "");
            stall_out_markdown(o, r->step_text, HEAD_ADVICE_MAX);
        }
    } else if (r->runs_len > 0) {
        const stall_analysis *a = &r->runs[0].analysis;

        stall_out_printf(o, "mean wait %s", stall_time_text(buf, a->dist.mean));
        if (isnan(a->wall_share))
            stall_out_put(o, "; step times are not known");
        else
            stall_out_printf(o, ", %s of the step time", stall_share_text(buf, a->wall_share));
        if (r->runs_len > 1) {
            stall_out_put(o, " in ");
            stall_out_markdown(o, r->runs[0].label, STALL_MARKDOWN_NAME_MAX);
        }
    }
    stall_out_char(o, '\n');
}

/* What differs besides the revision: a reader must know before believing the change. */
static void put_sides(const stall_report *r, stall_out *o)
{
    if (r->sides_text == NULL)
        return;
    stall_out_put(o, "- **Beside the revision:** ");
    stall_out_markdown(o, r->sides_text, STALL_OUT_SENTENCE_MAX);
    stall_out_char(o, '\n');
}

static void put_title(const stall_report *r, stall_out *o)
{
    stall_out_put(o, "## stalldiff: ");
    if (r->command == STALL_COMMAND_COMPARE) {
        stall_out_put(o, stall_verdict_term(r->compare.verdict)->words);
    } else if (r->command == STALL_COMMAND_SWEEP) {
        stall_out_put(o, r->sweep.counts < 2 && r->sweep.controls_len > 0
                             ? "control"
                             : stall_sweep_term(r->sweep.verdict)->words);
    } else if (r->runs_len == 1) {
        stall_out_put(o, stall_shape_term(r->runs[0].analysis.shape)->words);
    } else {
        stall_out_printf(o, "%zu runs", r->runs_len);
    }
    stall_out_put(o, r->partial ? " (PARTIAL)\n\n" : "\n\n");
    if (r->headline != NULL) {
        stall_out_put(o, "**");
        stall_out_markdown(o, r->headline, STALL_OUT_SENTENCE_MAX);
        stall_out_put(o, "**\n\n");
    }
}

void stall_markdown_head(const stall_report *r, stall_out *o)
{
    put_title(r, o);
    put_partial(r, o);
    if (r->command == STALL_COMMAND_SWEEP) {
        stall_markdown_sweep_head(r, o);
    } else {
        put_amount(r, o);
        put_sides(r, o);
        put_certainty(r, o);
    }
    if (r->advice_len > 0) {
        stall_out_put(o, "- **Do next:** ");
        stall_out_markdown(o, r->advice[0].text, HEAD_ADVICE_MAX);
        stall_out_char(o, '\n');
    }
    stall_out_char(o, '\n');
}

/* ---- open parts ---- */

static void put_shapes(const stall_report *r, stall_out *o)
{
    const char *confidence;

    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++) {
        const stall_run *run = &r->runs[i];

        stall_out_put(o, "- ");
        stall_markdown_run_name(o, run);
        confidence = stall_confidence_name(run->analysis.confidence);
        stall_out_printf(o, ": **%s**", stall_shape_term(run->analysis.shape)->words);
        if (confidence != NULL)
            stall_out_printf(o, " (confidence %s)", confidence);
        stall_out_put(o, ". ");
        stall_out_markdown(o, run->shape_text, STALL_OUT_SENTENCE_MAX);
        stall_out_char(o, '\n');
    }
    if (r->runs_len > STALL_MARKDOWN_RUNS)
        stall_out_printf(o, "- ... and %zu more runs, in `report.json`\n",
                         r->runs_len - STALL_MARKDOWN_RUNS);
}

static void put_sentences(stall_out *o, const stall_advice *list, size_t len)
{
    for (size_t i = 0; i < len && i < STALL_MARKDOWN_ROWS; i++) {
        stall_out_put(o, "- ");
        stall_out_markdown(o, list[i].text, STALL_OUT_SENTENCE_MAX);
        stall_out_put(o, " (");
        stall_out_code_span(o, list[i].code, STALL_OUT_TEXT_MAX, false);
        stall_out_put(o, ")\n");
    }
}

static void put_advice(const stall_report *r, stall_out *o)
{
    put_sentences(o, r->advice, r->advice_len);
}

static void put_caveats(const stall_report *r, stall_out *o)
{
    put_sentences(o, r->caveats, r->caveats_len);
}

/* ---- assembly ---- */

const stall_markdown_section stall_markdown_sections[] = {
    {"Figures", false, "summary.csv", stall_markdown_figures},
    {"What it tells", false, "report.json", stall_markdown_reading},
    {"Steps", false, "series.csv", stall_markdown_strips},
    {"Waits", false, "series.csv", stall_markdown_chart},
    {"Shape and cadence", false, "report.json", put_shapes},
    {"Next experiment", false, "report.json", put_advice},
    {"Caveats", false, "report.json", put_caveats},
    {"Distribution", true, "histogram.csv", stall_markdown_distribution},
    {"Gaps between stalls", true, "gaps.csv", stall_markdown_gaps},
    {"Passes", true, "report.json", stall_markdown_passes},
    {"Ranks", true, "report.json", stall_markdown_ranks},
    {"Counters, workers, order", true, "report.json", stall_markdown_counters},
    {"Pool and supply", true, "report.json", stall_markdown_pool},
    {"Notes and warnings", true, "report.json", stall_markdown_notes},
    {"How to reproduce", true, "report.json", stall_markdown_reproduce},
    {NULL, false, NULL, NULL},
};

/* Prints one part with its title, or says where it is. `room`: bytes that it may take. Returns the
 * bytes used. */
static size_t put_part(const stall_report *r, const stall_markdown_section *p, stall_out *o,
                       size_t room)
{
    stall_text body, all;
    stall_out inner;
    size_t used = 0;

    stall_text_init(&body);
    stall_text_init(&all);
    stall_out_open_text(&inner, &body, o->reterr);
    p->put(r, &inner);
    if (stall_out_close(&inner) != STALL_OK) {
        stall_out_fail(o, inner.status);
        goto out;
    }
    if (body.len == 0)
        goto out;
    stall_text_printf(&all, p->folded ? "<details><summary>%s</summary>\n\n" : "### %s\n\n",
                      p->title);
    if (body.len + LEFT_OUT_MAX > room)
        stall_text_printf(&all, "Too long for this page: see `%s`.\n", p->elsewhere);
    else
        stall_text_add(&all, body.data, body.len);
    stall_text_put(&all, p->folded ? "\n</details>\n\n" : "\n");
    if (all.failed) {
        if (o->status == STALL_OK)
            stall_out_fail(o, stall_error_memory(o->reterr));
        goto out;
    }
    stall_out_write(o, all.data, all.len);
    used = all.len;
out:
    stall_text_close(&all);
    stall_text_close(&body);
    return used;
}

stall_status stall_write_markdown(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    const size_t count = sizeof(stall_markdown_sections) / sizeof(stall_markdown_sections[0]) - 1;
    stall_out o, head;
    stall_text text;
    size_t used, later;

    stall_text_init(&text);
    stall_out_open(&o, sink, reterr);
    stall_out_open_text(&head, &text, reterr);
    stall_markdown_head(r, &head);
    if (stall_out_close(&head) != STALL_OK)
        stall_out_fail(&o, head.status);
    used = text.len;
    stall_out_write(&o, text.data, text.len);
    stall_text_close(&text);
    for (size_t i = 0; i < count && o.status == STALL_OK; i++) {
        later = (count - 1 - i) * LEFT_OUT_MAX; /* every later part may at least say where it is */
        used += put_part(r, &stall_markdown_sections[i], &o, STALL_MARKDOWN_MAX - later - used);
    }
    return stall_out_close(&o);
}
