/* The strips of report.md and its one Mermaid chart.
 *
 * Enters: the judged series of the runs. Leaves: a code block a run, and a line chart of at most
 * STALL_MARKDOWN_POINTS points a run. A longer series is shown by the largest wait of every few
 * steps, so that no stall disappears. It must not know the rest of the page. */
#include <math.h>
#include <string.h>

#include "write/write.h"

#define STRIP_WIDTH 96
#define STRIP_ROWS 6
#define TITLE_NAME_MAX 24 /* bytes of a name in the title, which the chart does not wrap */
/* The first line and the second; the colours that Mermaid has by itself hardly show on white. */
#define COLOURS                                                                                   \
    "%%{init: {\"themeVariables\": {\"xyChart\": {\"plotColorPalette\": \"" STALL_PLOT_VERMILLION \
    ", " STALL_PLOT_BLUE "\"}}}}%%\n"

void stall_markdown_strips(const stall_report *r, stall_out *o)
{
    char buf[STALL_FIGURE_MAX];
    int64_t period = stall_report_period(r);

    if (r->command == STALL_COMMAND_SWEEP) {
        stall_markdown_sweep_strips(r, o);
        return;
    }
    stall_out_put(o, "`S` stall, `.` step without one, `?` unknown, `|` new segment; a cadence "
                     "stands as columns.\n");
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++) {
        const stall_analysis *a = &r->runs[i].analysis;
        int64_t own = a->cadence.period > 1 ? a->cadence.period : period;
        size_t left;

        stall_out_char(o, '\n');
        stall_markdown_run_name(o, &r->runs[i]);
        stall_out_printf(o, ": %zu stall%s over %s\n\n", (size_t)a->stalls.count,
                         a->stalls.count == 1 ? "" : "s", stall_time_text(buf, a->threshold.ms));
        left = stall_out_strip(o, a->strip == NULL ? "" : a->strip, own, STRIP_WIDTH, STRIP_ROWS,
                               "    ");
        if (left > 0)
            stall_out_printf(o, "\n... %zu more, in `series.csv`\n", left);
    }
    if (r->runs_len > STALL_MARKDOWN_RUNS)
        stall_out_printf(o, "\n... and %zu more runs, in `series.csv`\n",
                         r->runs_len - STALL_MARKDOWN_RUNS);
}

/* ---- chart ---- */

static size_t known_waits(const stall_analysis *a)
{
    size_t n = 0;

    for (size_t i = 0; i < a->points_len; i++)
        n += !isnan(a->points[i].wait_ms);
    return n;
}

/* The largest of every `every` known waits of the first `n`; at most STALL_MARKDOWN_POINTS. */
static size_t envelope(const stall_analysis *a, size_t n, size_t every,
                       double ret[STALL_MARKDOWN_POINTS])
{
    size_t len = 0, seen = 0;

    for (size_t i = 0; i < a->points_len && seen < n; i++) {
        double v = a->points[i].wait_ms;

        if (isnan(v))
            continue;
        if (seen++ % every == 0)
            ret[len++] = v;
        else if (v > ret[len - 1])
            ret[len - 1] = v;
    }
    return len;
}

/* Mermaid knows no exponents. */
static void put_number(stall_out *o, double v)
{
    stall_out_fixed(o, v, v < 1 ? 3 : v < 1000 ? 2 : 0);
}

static void put_lines(stall_out *o, double points[2][STALL_MARKDOWN_POINTS], size_t lines,
                      size_t len)
{
    for (size_t k = 0; k < lines; k++) {
        stall_out_put(o, "    line [");
        for (size_t i = 0; i < len; i++) {
            stall_out_put(o, i > 0 ? ", " : "");
            put_number(o, points[k][i]);
        }
        stall_out_put(o, "]\n");
    }
}

void stall_markdown_chart(const stall_report *r, stall_out *o)
{
    const stall_run *shown[2] = {NULL, NULL};
    double points[2][STALL_MARKDOWN_POINTS], top = 0;
    size_t lines = 0, n = SIZE_MAX, len = 0, every;

    if (r->sweep.rungs_len > 1) {
        stall_markdown_sweep_chart(r, o);
        return;
    }
    for (size_t i = 0; i < r->runs_len && lines < 2; i++) {
        size_t known = known_waits(&r->runs[i].analysis);

        if (known < 2 || (lines == 1 && r->runs[i].side == shown[0]->side && r->runs[i].side >= 0))
            continue; /* the first pass of each side */
        shown[lines++] = &r->runs[i];
        n = known < n ? known : n;
    }
    if (lines == 0)
        return;
    every = (n + STALL_MARKDOWN_POINTS - 1) / STALL_MARKDOWN_POINTS;
    for (size_t k = 0; k < lines; k++) {
        len = envelope(&shown[k]->analysis, n, every, points[k]);
        for (size_t i = 0; i < len; i++)
            top = points[k][i] > top ? points[k][i] : top;
    }
    if (top <= 0 || len < 2)
        return;
    stall_out_put(o, "```mermaid\n" COLOURS "xychart-beta\n    title \"");
    for (size_t k = 0; k < lines; k++) {
        stall_out_put(o, k == 0 ? "" : ", ");
        stall_out_mermaid(o, shown[k]->label, TITLE_NAME_MAX);
        stall_out_printf(o, " (%s%s)", k == 0 ? "orange" : "blue",
                         stall_run_partial(shown[k]) ? ", PARTIAL" : "");
    }
    stall_out_put(o, "\"\n    x-axis \"measured step");
    if (every > 1)
        stall_out_printf(o, ", the largest wait of every %zu", every);
    stall_out_printf(o, "\" 1 --> %zu\n    y-axis \"wait (ms)\" 0 --> ", n);
    put_number(o, top);
    stall_out_char(o, '\n');
    put_lines(o, points, lines, len);
    stall_out_put(o, "```\n");
}
