/* The figure "input wait per step" of report.html.
 *
 * Enters: the judged series of each run. Leaves: a panel a run on one logarithmic axis, steps as
 * points or as columns from the lowest to the highest wait, stalls in a colour and form of their
 * own. It must not know why a step is a stall. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "write/write.h"

#define STEMS 100 /* steps up to which a stall has a stem */
#define ALT_MAX 512

/* A dot is a line of no length with round ends; a stall is a triangle. */
static void put_points(stall_panel *c, const stall_track *t, bool stall)
{
    bool stems = t->a->points_len <= STEMS;

    if ((stall ? t->stalls : t->waits) == 0)
        return;
    for (int pass = stall && stems ? 0 : 1; pass < 2; pass++) {
        stall_out_printf(c->o, "<path class=\"%s%s\" d=\"",
                         pass == 0 ? "stem"
                         : stall   ? "stall"
                                   : "wait",
                         !stems && pass == 1 && !stall ? " small" : "");
        for (size_t k = 0; k < t->a->points_len; k++) {
            const stall_point *s = &t->a->points[k];

            if (isnan(s->wait_ms) || s->stall != stall)
                continue;
            stall_svg_to(c, "M", stall_track_place(t, k), stall_plot_wait_place(c->p, s->wait_ms));
            if (pass == 0)
                stall_svg_to(c, "L", stall_track_place(t, k), c->low[1]);
            else
                stall_out_put(c->o, stall ? "m0-5l4.5 8h-9z" : "h0");
        }
        stall_out_put(c->o, "\"/>\n");
    }
}

static void put_columns(stall_panel *c, const stall_track *t, bool stall)
{
    size_t n = t->a->points_len;
    double low[2], high[2];

    if ((stall ? t->stalls : t->waits) == 0)
        return;
    stall_out_printf(c->o, "<path class=\"%s\" d=\"", stall ? "columns stalls" : "columns");
    for (size_t k = 0; k < n; k += t->a_column) {
        size_t end = n - k < t->a_column ? n : k + t->a_column;
        double x = (stall_track_place(t, k) + stall_track_place(t, end - 1)) / 2;

        stall_track_span(t, k, end, low, high);
        if (high[stall] < low[stall])
            continue;
        stall_svg_to(c, "M", x, stall_plot_wait_place(c->p, low[stall]));
        stall_svg_to(c, "L", x, stall_plot_wait_place(c->p, high[stall]) * 1.03);
    }
    stall_out_put(c->o, "\"/>\n");
}

static void put_unknown(stall_panel *c, const stall_track *t)
{
    if (t->unknown == 0 || t->columns)
        return;
    stall_out_put(c->o, "<path class=\"unknown\" d=\"");
    for (size_t k = 0; k < t->a->points_len; k++)
        if (isnan(t->a->points[k].wait_ms)) {
            stall_svg_to(c, "M", stall_track_place(t, k), c->low[1]);
            stall_out_put(c->o, "m-3-9l6 6m0-6l-6 6");
        }
    stall_out_put(c->o, "\"/>\n");
}

static void put_borders(stall_panel *c, const stall_track *t)
{
    const stall_analysis *a = t->a;

    if (a->input.segments < 2 || a->input.segments > STALL_PLOT_BORDERS)
        return;
    for (size_t k = 1; k < a->points_len; k++)
        if (a->points[k].segment != a->points[k - 1].segment)
            stall_svg_line(c, 'x', stall_track_place(t, k) - 0.5, "border");
}

static void put_panel(stall_plot *p, const stall_track *t)
{
    const stall_analysis *a = t->a;
    size_t n = a->points_len;
    double first = stall_track_place(t, 0), last = n > 0 ? stall_track_place(t, n - 1) : 1;
    double pad = 0.5 + (last - first) * 0.015;
    stall_panel c = {.o = p->o,
                     .p = p,
                     .low = {first - pad, p->axis.low},
                     .high = {last + pad, p->axis.high},
                     .log = {false, true}};
    char alt[ALT_MAX], time[STALL_FIGURE_MAX];

    stall_html_panel_title(p, t->i, "");
    snprintf(alt, sizeof(alt),
             "Input wait of each of %zu steps: %" PRIu64 " stalls over %s, %zu steps not known.", n,
             a->stalls.count, stall_time_text(time, a->threshold.ms), t->unknown);
    stall_svg_open(&c, alt);
    stall_svg_wait_ticks(&c, 'y');
    stall_svg_whole_ticks(&c, 'x');
    put_borders(&c, t);
    if (t->waits + t->stalls == 0)
        stall_svg_empty(&c, "no wait was measured");
    else if (a->threshold.ms > 0)
        stall_svg_line(&c, 'y', stall_plot_wait_place(p, a->threshold.ms), "threshold");
    for (int stall = 0; stall < 2; stall++)
        (t->columns ? put_columns : put_points)(&c, t, stall);
    put_unknown(&c, t);
    stall_svg_close(&c, t->by_step ? "step" : "logged step, in the order of time", "input wait");
    stall_out_put(p->o, "</div>\n");
}

static void put_key(stall_plot *p, const stall_track *tracks)
{
    bool points = false, columns = false, unknown = false, borders = false;
    double common = stall_plot_threshold(p);
    char words[ALT_MAX], time[STALL_FIGURE_MAX];

    for (size_t i = 0; i < p->panels.len; i++) {
        columns |= tracks[i].columns;
        points |= !tracks[i].columns;
        unknown |= !tracks[i].columns && tracks[i].unknown > 0;
        borders |=
            tracks[i].a->input.segments >= 2 && tracks[i].a->input.segments <= STALL_PLOT_BORDERS;
    }
    stall_html_key_open(p);
    if (points) {
        stall_html_key(p, STALL_KEY_DOT, "wait", "wait");
        stall_html_key(p, STALL_KEY_RISE, "stall", "stall");
    }
    if (columns) {
        stall_html_key(p, STALL_KEY_BAR, "columns", "waits of a few steps, lowest to highest");
        stall_html_key(p, STALL_KEY_BAR, "columns stalls", "stalls of these");
    }
    if (unknown)
        stall_html_key(p, "M9 3l6 6m0-6l-6 6", "unknown", "not known");
    if (borders)
        stall_html_key(p, STALL_KEY_LINE, "border", "new segment");
    snprintf(words, sizeof(words), "stall threshold%s%s", isnan(common) ? "" : " ",
             isnan(common) ? "" : stall_time_text(time, common));
    stall_html_key(p, STALL_KEY_LINE, "threshold", words);
}

void stall_html_wait(stall_plot *p)
{
    stall_track tracks[STALL_PLOT_PANELS];

    stall_html_figure_open(p, "Input wait per step", false);
    for (size_t i = 0; i < p->panels.len; i++) {
        stall_track_open(&tracks[i], p->panels.runs[i], i, STALL_SVG_POINTS);
        put_panel(p, &tracks[i]);
    }
    put_key(p, tracks);
    stall_html_figure_close(p);
}
