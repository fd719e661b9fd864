/* The figure "share of the steps that wait at most this long" of report.html.
 *
 * Enters: the judged series of each run. Leaves: one panel with a curve a run; passes of a side
 * share its colour and differ in the dash. It must not know stalls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "write/write.h"

#define CLASS_MAX 32

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* "curve c1 d2": colour of the side or run, and dash of the pass. */
static void name_class(const stall_plot *p, size_t i, char ret[CLASS_MAX])
{
    bool sides = p->panels.runs[i]->side >= 0;

    snprintf(ret, CLASS_MAX, "curve c%zu d%zu", sides ? p->panels.column[i] : i,
             sides ? p->panels.row[i] : i / 4);
}

/* Steps of the curve at distinct waits; of many those that are at least 1/n-th apart. */
static void put_curve(stall_panel *c, const double *waits, size_t n)
{
    double slack = (double)n / STALL_SVG_POINTS, done = 0;

    stall_svg_to(c, "M", c->low[0], 0);
    for (size_t i = 0; i < n; i++) {
        double place = stall_plot_wait_place(c->p, waits[i]);

        if (i + 1 < n &&
            (stall_plot_wait_place(c->p, waits[i + 1]) == place || (double)(i + 1) - done < slack))
            continue;
        stall_out_char(c->o, 'H');
        stall_out_fixed(c->o, stall_svg_x(c, place), 1);
        stall_out_char(c->o, 'V');
        stall_out_fixed(c->o, stall_svg_y(c, (double)(i + 1) / (double)n), 1);
        done = (double)(i + 1);
    }
    stall_out_char(c->o, 'H');
    stall_out_fixed(c->o, stall_svg_x(c, c->high[0]), 1);
}

/* True: the run has waits, and its curve is drawn. */
static bool put_run(stall_panel *c, size_t i)
{
    const stall_analysis *a = &c->p->panels.runs[i]->analysis;
    double *waits = stall_mem_alloc(a->points_len, sizeof(*waits));
    char class_name[CLASS_MAX];
    size_t n = 0;

    if (waits == NULL) {
        if (c->o->status == STALL_OK)
            stall_out_fail(c->o, stall_error_memory(c->o->reterr));
        return false;
    }
    for (size_t k = 0; k < a->points_len; k++)
        if (!isnan(a->points[k].wait_ms))
            waits[n++] = a->points[k].wait_ms;
    if (n > 0) {
        qsort(waits, n, sizeof(*waits), compare_doubles);
        name_class(c->p, i, class_name);
        stall_out_printf(c->o, "<path class=\"%s\" d=\"", class_name);
        put_curve(c, waits, n);
        stall_out_put(c->o, "\"/>\n");
    }
    stall_mem_free(waits);
    return n > 0;
}

static void put_key(stall_plot *p, const bool *shown)
{
    double common = stall_plot_threshold(p);
    char name[STALL_PLOT_TEXT_MAX], class_name[CLASS_MAX], time[STALL_FIGURE_MAX];

    stall_html_key_open(p);
    for (size_t i = 0; i < p->panels.len; i++) {
        stall_plot_name_text(p, i, shown[i] ? "" : " (nothing measured)", name);
        name_class(p, i, class_name);
        stall_html_key(p, STALL_KEY_LINE, class_name, name);
    }
    if (isnan(common))
        return;
    snprintf(name, sizeof(name), "stall threshold %s", stall_time_text(time, common));
    stall_html_key(p, STALL_KEY_LINE, "threshold", name);
}

void stall_html_ecdf(stall_plot *p)
{
    double common = stall_plot_threshold(p);
    bool shown[STALL_PLOT_PANELS] = {false}, any = false;
    stall_panel c = {.o = p->o,
                     .p = p,
                     .low = {p->axis.low, 0},
                     .high = {p->axis.high, 1.02},
                     .log = {true, false}};

    stall_html_figure_open(p, "Share of the steps that wait at most this long", true);
    stall_out_put(p->o, "<div>\n");
    stall_svg_open(&c, "Share of the steps that wait at most so long, a curve a run; the quantiles "
                       "are in the table of the distribution.");
    stall_svg_share_ticks(&c);
    stall_svg_wait_ticks(&c, 'x');
    for (size_t i = 0; i < p->panels.len; i++)
        any |= shown[i] = put_run(&c, i);
    if (!any)
        stall_svg_empty(&c, "no wait was measured");
    else if (!isnan(common))
        stall_svg_line(&c, 'x', stall_plot_wait_place(p, common), "threshold");
    stall_svg_close(&c, "input wait", "share of the steps");
    stall_out_put(p->o, "</div>\n");
    put_key(p, shown);
    stall_html_figure_close(p);
}
