/* The parts of report.md that are a sweep's own: first lines, table, findings, strips, chart.
 *
 * Enters: the report model. Leaves: Markdown; a table is cut at STALL_MARKDOWN_ROWS and names the
 * file that has all. It computes nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "write/write.h"

#define STRIP_WIDTH 96
#define CONTROLS 8 /* pairs with a paragraph */

static size_t shown_rows(const stall_report *r)
{
    return r->runs_len < STALL_MARKDOWN_ROWS ? r->runs_len : STALL_MARKDOWN_ROWS;
}

static void put_left(const stall_report *r, stall_out *o, const char *file)
{
    if (r->runs_len > STALL_MARKDOWN_ROWS)
        stall_out_printf(o, "\n... and %zu more runs, in `%s`\n", r->runs_len - STALL_MARKDOWN_ROWS,
                         file);
}

/* ---- first lines ---- */

void stall_markdown_sweep_head(const stall_report *r, stall_out *o)
{
    const stall_sweep *s = &r->sweep;
    char time[STALL_FIGURE_MAX], slope[64];

    stall_out_printf(o, "- **What was swept:** %zu run%s, %zu worker count%s, one threshold of %s",
                     r->runs_len, r->runs_len == 1 ? "" : "s", s->counts, s->counts == 1 ? "" : "s",
                     stall_time_text(time, s->threshold_ms));
    if (!isnan(s->slope))
        stall_out_printf(o, "; slope of the gap on num_workers %s",
                         stall_fixed_text(slope, s->slope, 2));
    if (s->controls_len > 0)
        stall_out_printf(o, "; %zu control pair%s", s->controls_len,
                         s->controls_len == 1 ? "" : "s");
    stall_out_char(o, '\n');
    if (r->more_needed != NULL) {
        stall_out_put(o, "- **To settle it:** ");
        stall_out_markdown(o, r->more_needed, STALL_OUT_SENTENCE_MAX);
        stall_out_char(o, '\n');
    }
}

/* ---- table ---- */

void stall_markdown_sweep_table(const stall_report *r, stall_out *o)
{
    char text[STALL_CELL_MAX];
    bool edge = false;

    stall_out_char(o, '|');
    for (int c = 0; c < STALL_SWEEP_CELLS; c++)
        if (c == STALL_CELL_RUN || !stall_sweep_blank((stall_sweep_cell)c, r))
            stall_out_printf(o, " %s |", stall_sweep_head(text, (stall_sweep_cell)c, r));
    stall_out_put(o, "\n|");
    for (int c = 0; c < STALL_SWEEP_CELLS; c++)
        if (c == STALL_CELL_RUN || !stall_sweep_blank((stall_sweep_cell)c, r))
            stall_out_put(o, c <= STALL_CELL_REVISION ? "---|" : "---:|");
    stall_out_char(o, '\n');
    for (size_t i = 0; i < shown_rows(r); i++) {
        stall_out_put(o, "| ");
        stall_markdown_run_name(o, &r->runs[i]);
        for (int c = STALL_CELL_REVISION; c < STALL_SWEEP_CELLS; c++) {
            if (stall_sweep_blank((stall_sweep_cell)c, r))
                continue;
            stall_out_put(o, " | ");
            stall_sweep_text(text, (stall_sweep_cell)c, r, i);
            edge |= c == STALL_CELL_P95 && strchr(text, '*') != NULL;
            if (c == STALL_CELL_REVISION)
                stall_out_markdown(o, text, STALL_MARKDOWN_NAME_MAX);
            else
                stall_out_put(o, text);
        }
        stall_out_put(o, " |\n");
    }
    stall_out_put(o, "\n`W`: num_workers. `gap`: median of the steps between stalls. `p`: of the "
                     "period, corrected for all that were tried. `fits W`: share of the gaps that "
                     "are multiples of W. `follows`: the gap is W; `-`: this run is no "
                     "evidence.\n");
    if (edge)
        stall_out_put(o, "\n\\* " STALL_EDGE_WORDS "\n");
    put_left(r, o, "summary.csv");
}

/* ---- findings ---- */

static void put_item(stall_out *o, const char *text, const char *code)
{
    stall_out_put(o, "- ");
    stall_out_markdown(o, text, STALL_OUT_SENTENCE_MAX);
    stall_out_printf(o, " (`%s`)\n", code);
}

static void put_controls(const stall_sweep *s, stall_out *o)
{
    for (size_t i = 0; i < s->controls_len && i < CONTROLS; i++)
        put_item(o, s->controls[i].text, stall_control_term(s->controls[i].outcome)->code);
    if (s->controls_len > CONTROLS)
        stall_out_printf(o, "- ... and %zu more pairs, in `report.json`\n",
                         s->controls_len - CONTROLS);
}

void stall_markdown_reading(const stall_report *r, stall_out *o)
{
    const stall_sweep *s = &r->sweep;

    if (r->command != STALL_COMMAND_SWEEP)
        return;
    if (s->counts < 2)
        put_controls(s, o);
    for (size_t i = 0; i < s->reading_len; i++)
        put_item(o, s->reading[i].text, s->reading[i].code);
    if (s->counts >= 2)
        put_controls(s, o);
}

/* ---- strips ---- */

/* All in one block, each at one column, so that cadences stand under each other. */
void stall_markdown_sweep_strips(const stall_report *r, stall_out *o)
{
    char time[STALL_FIGURE_MAX], name[STALL_MARKDOWN_NAME_MAX];
    size_t width = 0;

    stall_out_printf(o,
                     "`S` stall (wait over %s), `.` step without one, `?` unknown, `|` new "
                     "segment.\n\n",
                     stall_time_text(time, r->sweep.threshold_ms));
    for (size_t i = 0; i < shown_rows(r); i++) {
        size_t n;

        stall_text_printable(name, 32, r->runs[i].label, strlen(r->runs[i].label));
        n = stall_terminal_width(name, true);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < shown_rows(r); i++) {
        const char *strip = r->runs[i].analysis.strip;
        size_t len = strip == NULL ? 0 : strlen(strip);

        stall_text_printable(name, 32, r->runs[i].label, strlen(r->runs[i].label));
        stall_out_put(o, "    ");
        stall_out_put(o, name); /* indented code: nothing in it is markup */
        stall_out_repeat(o, ' ', width - stall_terminal_width(name, true) + 2);
        stall_out_write(o, strip, len < STRIP_WIDTH ? len : STRIP_WIDTH);
        stall_out_put(o, len > STRIP_WIDTH ? "...\n" : "\n");
    }
    put_left(r, o, "series.csv");
}

/* ---- chart ---- */

/* The mean wait of each worker count. */
void stall_markdown_sweep_chart(const stall_report *r, stall_out *o)
{
    const stall_sweep *s = &r->sweep;
    double top = 0;

    for (size_t i = 0; i < s->rungs_len; i++)
        top = s->rungs[i].mean > top ? s->rungs[i].mean : top;
    stall_out_put(o, "```mermaid\nxychart-beta\n    title \"mean wait by num_workers\"\n    x-axis "
                     "\"num_workers\" [");
    for (size_t i = 0; i < s->rungs_len && i < STALL_MARKDOWN_POINTS; i++)
        stall_out_printf(o, "%s%" PRId64, i > 0 ? ", " : "", s->rungs[i].workers);
    stall_out_put(o, "]\n    y-axis \"mean wait (ms)\" 0 --> ");
    stall_out_fixed(o, top, top < 1 ? 3 : top < 1000 ? 2 : 0);
    stall_out_put(o, "\n    bar [");
    for (size_t i = 0; i < s->rungs_len && i < STALL_MARKDOWN_POINTS; i++) {
        stall_out_put(o, i > 0 ? ", " : "");
        stall_out_fixed(o, s->rungs[i].mean, top < 1 ? 3 : top < 1000 ? 2 : 0);
    }
    stall_out_put(o, "]\n```\n");
}
