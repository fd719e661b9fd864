/* wait.gp: the wait of every step, on one logarithmic axis for all panels.
 *
 * Enters: the judged series of each run. Leaves: points, or columns from the lowest to the highest
 * wait where there are too many of them; stalls in a colour and form of their own. It must not know
 * why a step is a stall. */
#include <inttypes.h>
#include <math.h>

#include "write/write.h"

#define HEIGHT 250.0     /* of a panel that has its row alone */
#define HEIGHT_LOW 170.0 /* of one of several rows */
#define IMPULSES 100     /* steps up to which a stall has a stem */

/* Rows "x wait kind": 0 measured, 1 stall, 2 not known. */
static void put_points(stall_plot *p, const stall_track *t)
{
    for (size_t k = 0; k < t->a->points_len; k++) {
        const stall_point *s = &t->a->points[k];

        stall_out_double(p->o, stall_track_place(t, k));
        stall_out_char(p->o, ' ');
        if (isnan(s->wait_ms))
            stall_out_put(p->o, "? 2\n");
        else {
            stall_out_double(p->o, stall_plot_wait_place(p, s->wait_ms));
            stall_out_put(p->o, s->stall ? " 1\n" : " 0\n");
        }
    }
}

static void put_span(stall_plot *p, double low, double high)
{
    if (high < low) {
        stall_out_put(p->o, " ? ?");
        return;
    }
    stall_out_char(p->o, ' ');
    stall_out_double(p->o, stall_plot_wait_place(p, low));
    stall_out_char(p->o, ' ');
    stall_out_double(p->o, stall_plot_wait_place(p, high));
}

/* Rows "from to low high stall_low stall_high". */
static void put_columns(stall_plot *p, const stall_track *t)
{
    size_t n = t->a->points_len;

    for (size_t k = 0; k < n; k += t->a_column) {
        size_t end = n - k < t->a_column ? n : k + t->a_column;
        double low[2], high[2];

        stall_track_span(t, k, end, low, high);
        stall_out_double(p->o, stall_track_place(t, k) - 0.5);
        stall_out_char(p->o, ' ');
        stall_out_double(p->o, stall_track_place(t, end) - 0.5);
        put_span(p, low[0], high[0]);
        put_span(p, low[1], high[1]);
        stall_out_char(p->o, '\n');
    }
}

static void put_borders(stall_plot *p, const stall_track *t)
{
    const stall_analysis *a = t->a;

    if (a->input.segments < 2 || a->input.segments > STALL_PLOT_BORDERS)
        return;
    for (size_t k = 1; k < a->points_len; k++) {
        if (a->points[k].segment == a->points[k - 1].segment)
            continue;
        stall_out_put(p->o, "set arrow from first ");
        stall_out_double(p->o, stall_track_place(t, k) - 0.5);
        stall_out_put(p->o, ", graph 0 to first ");
        stall_out_double(p->o, stall_track_place(t, k) - 0.5);
        stall_out_put(p->o, ", graph 1 nohead back dt 3 lw 1 lc rgb '" STALL_PLOT_GREY "'\n");
    }
}

static void put_threshold(stall_plot *p, double ms)
{
    if (!(ms > 0))
        return;
    stall_out_put(p->o, "set arrow from graph 0, first ");
    stall_out_double(p->o, stall_plot_wait_place(p, ms));
    stall_out_put(p->o, " to graph 1, first ");
    stall_out_double(p->o, stall_plot_wait_place(p, ms));
    stall_out_put(p->o, " nohead back dt 2 lw 1.5 lc rgb 'black'\n");
}

/* The key speaks for all panels, so its entries do not hang on the data of the first. */
static void put_key(stall_plot *p, const stall_track *tracks)
{
    bool points = false, columns = false, unknown = false, borders = false, same = true;
    size_t width = 0;
    double common = stall_plot_threshold(p);
    char figure[STALL_FIGURE_MAX];

    for (size_t i = 0; i < p->panels.len; i++) {
        if (tracks[i].columns) {
            same &= !columns || tracks[i].a_column == width;
            width = tracks[i].a_column;
            columns = true;
        }
        points |= !tracks[i].columns;
        unknown |= !tracks[i].columns && tracks[i].unknown > 0;
        borders |=
            tracks[i].a->input.segments >= 2 && tracks[i].a->input.segments <= STALL_PLOT_BORDERS;
    }
    stall_plot_key(p, "horizontal");
    if (points)
        stall_out_put(p->o, "keyentry with points pt 6 ps 0.7 lc rgb '" STALL_PLOT_BLUE
                            "' title 'wait', \\\n     "
                            "keyentry with points pt 9 ps 1 lc rgb '" STALL_PLOT_VERMILLION
                            "' title 'stall', \\\n     ");
    if (columns) {
        stall_out_put(p->o, "keyentry with boxes lc rgb '" STALL_PLOT_BLUE
                            "' title 'waits, lowest to highest");
        if (same)
            stall_out_printf(p->o, " of %zu steps", width);
        stall_out_put(p->o, "', \\\n     keyentry with boxes lc rgb '" STALL_PLOT_VERMILLION
                            "' title 'stalls of these', \\\n     ");
    }
    if (unknown)
        stall_out_put(p->o, "keyentry with points pt 2 ps 0.6 lc rgb '" STALL_PLOT_GREY
                            "' title 'not known', \\\n     ");
    if (borders)
        stall_out_put(p->o, "keyentry with lines dt 3 lc rgb '" STALL_PLOT_GREY
                            "' title 'new segment', \\\n     ");
    stall_out_put(p->o, "keyentry with lines dt 2 lw 1.5 lc rgb 'black' title 'stall threshold");
    if (!isnan(common))
        stall_out_printf(p->o, " %s", stall_time_text(figure, common));
    stall_out_put(p->o, "', \\\n     NaN notitle\n");
}

static void draw_columns(stall_plot *p, const stall_track *t)
{
    static const char *const colours[] = {STALL_PLOT_BLUE, STALL_PLOT_VERMILLION};

    for (int k = 0; k < 2; k++) /* a little taller, so that a single value shows */
        if ((k == 0 ? t->waits : t->stalls) > 0)
            stall_out_printf(p->o,
                             "$run%zu using 1:%d:1:2:($%d*0.97):($%d*1.03) with boxxyerror lc rgb "
                             "'%s' notitle, \\\n     ",
                             t->i + 1, 3 + 2 * k, 3 + 2 * k, 4 + 2 * k, colours[k]);
}

static void draw_points(stall_plot *p, const stall_track *t)
{
    size_t n = t->a->points_len;
    const char *size = n <= 80 ? "0.7" : n <= 400 ? "0.5" : "0.3";
    const char *larger = n <= 80 ? "1" : n <= 400 ? "0.7" : "0.5";

    if (t->stalls > 0 && n <= IMPULSES)
        stall_out_printf(p->o,
                         "$run%zu using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' "
                         "notitle, \\\n     ",
                         t->i + 1);
    if (t->waits > 0)
        stall_out_printf(p->o,
                         "$run%zu using 1:($3==0?$2:NaN) with points pt 6 ps %s lc rgb "
                         "'" STALL_PLOT_BLUE "' notitle, \\\n     ",
                         t->i + 1, size);
    if (t->stalls > 0)
        stall_out_printf(p->o,
                         "$run%zu using 1:($3==1?$2:NaN) with points pt 9 ps %s lc rgb "
                         "'" STALL_PLOT_VERMILLION "' notitle, \\\n     ",
                         t->i + 1, larger);
    if (t->unknown > 0) {
        double mark = p->axis.low * pow(p->axis.high / p->axis.low, 0.02);

        stall_out_printf(p->o, "$run%zu using 1:(strcol(3) eq '2'?", t->i + 1);
        stall_out_double(p->o, mark);
        stall_out_put(p->o, ":NaN) with points pt 2 ps 0.6 lc rgb '" STALL_PLOT_GREY
                            "' notitle, \\\n     ");
    }
}

static void put_panel(stall_plot *p, const stall_track *t)
{
    size_t n = t->a->points_len;
    double first = stall_track_place(t, 0), last = n > 0 ? stall_track_place(t, n - 1) : 1;
    double pad = 0.5 + (last - first) * 0.015;
    bool labels = !stall_plot_has_left(p, t->i);

    stall_plot_panel(p, t->i, t->by_step ? "step" : "logged step, in the order of time",
                     labels ? "input wait" : "");
    stall_out_put(p->o, "set title ");
    stall_plot_run_name(p, t->i, "");
    stall_out_put(p->o, " offset 0,-0.3\n");
    stall_plot_wait_axis(p, 'y', labels);
    stall_plot_range(p, 'x', first - pad, last + pad);
    stall_plot_whole_ticks(p, 'x', first, last, true);
    put_borders(p, t);
    if (t->waits + t->stalls > 0)
        put_threshold(p, t->a->threshold.ms);
    else
        stall_plot_empty(p, "no wait was measured");
    stall_out_put(p->o, "plot ");
    if (t->columns)
        draw_columns(p, t);
    else
        draw_points(p, t);
    stall_out_put(p->o, "NaN notitle\n");
}

void stall_plot_wait(stall_plot *p)
{
    stall_track tracks[STALL_PLOT_PANELS];

    stall_plot_open(p, "Input wait per step", p->panels.rows > 1 ? HEIGHT_LOW : HEIGHT,
                    STALL_PLOT_KEY);
    for (size_t i = 0; i < p->panels.len; i++) {
        stall_track_open(&tracks[i], p->panels.runs[i], i, STALL_PLOT_POINTS);
        if (tracks[i].a->points_len == 0)
            continue;
        stall_out_printf(p->o, "\n$run%zu << EOD\n", i + 1);
        if (tracks[i].columns)
            put_columns(p, &tracks[i]);
        else
            put_points(p, &tracks[i]);
        stall_out_put(p->o, "EOD\n");
    }
    for (size_t i = 0; i < p->panels.len; i++)
        put_panel(p, &tracks[i]);
    put_key(p, tracks);
}
