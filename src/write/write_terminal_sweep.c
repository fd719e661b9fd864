/* A sweep on a terminal: the table, the strips under each other, what they tell.
 *
 * Enters: the report model. Leaves: one line a run in the table and one in the strips, in the order
 * given, then findings. Columns give way from the least needed one. It computes nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define NAME_COLUMNS 24 /* of a run's name beside its strip */
#define STRIP_ROWS 1
#define READING_LINES 4
#define CONTROL_LINES 6
#define CONTROLS 4 /* that are printed; the report has all */

/* Columns in the order in which they give way. */
static const stall_sweep_cell spare[] = {
    STALL_CELL_STEPS,  STALL_CELL_REVISION, STALL_CELL_PASS,     STALL_CELL_FIT,
    STALL_CELL_P,      STALL_CELL_OVERTOOK, STALL_CELL_PREFETCH, STALL_CELL_ORDER,
    STALL_CELL_MEDIAN, STALL_CELL_PERIOD,
};

/* Returns whether the share of fitting gaps is shown. */
static bool put_rows(stall_terminal *t, const stall_report *r)
{
    char heads[STALL_SWEEP_CELLS][STALL_CELL_MAX], text[STALL_CELL_MAX], cell[STALL_CELL_MAX + 16];
    stall_table tab = {.columns = STALL_SWEEP_CELLS};

    for (size_t c = 0; c < STALL_SWEEP_CELLS; c++) {
        tab.head[c] = stall_sweep_head(heads[c], (stall_sweep_cell)c, r);
        tab.hidden[c] = c != STALL_CELL_RUN && stall_sweep_blank((stall_sweep_cell)c, r);
    }
    for (size_t i = 0; i < r->runs_len && tab.rows < STALL_TABLE_ROWS; i++, tab.rows++)
        for (size_t c = 0; c < STALL_SWEEP_CELLS; c++) {
            stall_sweep_text(text, (stall_sweep_cell)c, r, i);
            snprintf(cell, sizeof(cell), "%s%s", text,
                     c == STALL_CELL_RUN && stall_run_partial(&r->runs[i]) ? " PARTIAL" : "");
            stall_table_set(&tab, c, cell);
        }
    tab.tight = stall_table_width(t, &tab) > t->width;
    for (size_t k = 0; k < sizeof(spare) / sizeof(spare[0]); k++)
        if (stall_table_width(t, &tab) > t->width)
            tab.hidden[spare[k]] = true;
    stall_table_put(t, &tab);
    if (r->runs_len > tab.rows)
        stall_out_printf(&t->out, "... and %zu more runs in the report\n", r->runs_len - tab.rows);
    return !tab.hidden[STALL_CELL_FIT];
}

/* Strips of one width begin at one column, so that cadences stand under each other. */
static void put_strips(stall_terminal *t, const stall_report *r)
{
    size_t width = 0, room;

    for (size_t i = 0; i < r->runs_len && i < STALL_TABLE_ROWS; i++) {
        size_t n = stall_terminal_width(r->runs[i].label, t->utf8);

        width = n > width ? n : width;
    }
    width = width > NAME_COLUMNS ? NAME_COLUMNS : width;
    room = t->width - width - 2;
    for (size_t i = 0; i < r->runs_len && i < STALL_TABLE_ROWS; i++) {
        const char *strip = r->runs[i].analysis.strip, *words;
        size_t used = stall_out_terminal(&t->out, r->runs[i].label, width, t->utf8), len;

        stall_out_repeat(&t->out, ' ', width - used + 2);
        len = strip == NULL ? 0 : strlen(strip);
        words = stall_shape_term(r->sweep.rows[i].shape)->words;
        if (len + 2 + strlen(words) <= room)
            stall_out_printf(&t->out, "%s  %s\n", len > 0 ? strip : "", words);
        else if (len <= room)
            stall_out_printf(&t->out, "%s\n", strip);
        else
            stall_out_printf(&t->out, "%.*s...\n", (int)(room - 3), strip);
    }
}

static void put_controls(stall_terminal *t, const stall_sweep *s)
{
    for (size_t i = 0; i < s->controls_len && i < CONTROLS; i++)
        stall_terminal_wrap(t, "* ", s->controls[i].text, CONTROL_LINES);
    if (s->controls_len > CONTROLS)
        stall_out_printf(&t->out, "  ... and %zu more pairs in the report\n",
                         s->controls_len - CONTROLS);
}

/* What the runs were made for stands first. */
static void put_reading(stall_terminal *t, const stall_report *r)
{
    const stall_sweep *s = &r->sweep;

    if (s->counts < 2)
        put_controls(t, s);
    for (size_t i = 0; i < s->reading_len; i++)
        stall_terminal_wrap(t, "* ", s->reading[i].text, READING_LINES);
    if (s->counts >= 2)
        put_controls(t, s);
}

void stall_terminal_sweep(stall_terminal *t, const stall_report *r)
{
    char legend[STALL_FIGURE_MAX + 160], time[STALL_FIGURE_MAX];

    snprintf(
        legend, sizeof(legend),
        "W: num_workers; gap: median of the steps between stalls; %sfollows: the gap is W, - is "
        "no evidence",
        put_rows(t, r) ? "fits W: gaps that are multiples of W; " : "");
    stall_terminal_wrap(t, "", legend, 2);
    stall_out_char(&t->out, '\n');
    snprintf(legend, sizeof(legend), "S stall (wait over %s), . step, ? unknown, | new segment",
             stall_time_text(time, r->sweep.threshold_ms));
    stall_terminal_wrap(t, "", legend, 2);
    put_strips(t, r);
    stall_out_char(&t->out, '\n');
    put_reading(t, r);
}
