/* ecdf.gp: the share of steps that wait no longer than x, all runs in one panel.
 *
 * Enters: the judged series of each run. Leaves: one step curve a run. It must not know stalls. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "write/write.h"

#define KEY_NAME_MAX 32 /* bytes of a name that leaves room for a second column */

static const struct {
    const char *colour;
    int dash;
} styles[STALL_PLOT_PANELS] = {
    {STALL_PLOT_VERMILLION, 1},
    {STALL_PLOT_BLUE, 1},
    {STALL_PLOT_GREEN, 1},
    {"black", 1},
    {"#E69F00", 4},
    {STALL_PLOT_PURPLE, 4},
    {"#56B4E9", 4},
    {STALL_PLOT_GREY, 4},
};
/* Passes of a side share its colour and differ in the dash. */
static const char *const side_colours[2] = {STALL_PLOT_VERMILLION, STALL_PLOT_BLUE};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Writes "wait count(<= wait)/n" at distinct waits, at most about STALL_PLOT_POINTS of them: then
 * those at equal steps of the count, so that no step of the curve is off by more than one of them.
 * `waits` are sorted. */
static void put_curve(stall_plot *p, const double *waits, size_t n)
{
    double slack = (double)n / STALL_PLOT_POINTS, done = 0;

    stall_out_double(p->o, p->axis.low);
    stall_out_put(p->o, " 0\n");
    for (size_t i = 0; i < n; i++) {
        double place = stall_plot_wait_place(p, waits[i]);
        bool last = i + 1 == n;

        if (!last && stall_plot_wait_place(p, waits[i + 1]) == place)
            continue;
        if (!last && n > STALL_PLOT_POINTS && (double)(i + 1) - done < slack)
            continue;
        stall_out_double(p->o, place);
        stall_out_char(p->o, ' ');
        stall_out_double(p->o, (double)(i + 1) / (double)n);
        stall_out_char(p->o, '\n');
        done = (double)(i + 1);
    }
    stall_out_double(p->o, p->axis.high);
    stall_out_put(p->o, " 1\n");
}

static size_t known_waits(const stall_analysis *a)
{
    size_t n = 0;

    for (size_t i = 0; i < a->points_len; i++)
        n += !isnan(a->points[i].wait_ms);
    return n;
}

/* The data block of one run. */
static void put_block(stall_plot *p, size_t i)
{
    const stall_analysis *a = &p->panels.runs[i]->analysis;
    double *waits = stall_mem_alloc(a->points_len, sizeof(*waits));
    size_t n = 0;

    if (waits == NULL) {
        if (p->o->status == STALL_OK)
            stall_out_fail(p->o, stall_error_memory(p->o->reterr));
        return;
    }
    for (size_t k = 0; k < a->points_len; k++)
        if (!isnan(a->points[k].wait_ms))
            waits[n++] = a->points[k].wait_ms;
    qsort(waits, n, sizeof(*waits), compare_doubles);
    stall_out_printf(p->o, "\n$run%zu << EOD\n", i + 1);
    put_curve(p, waits, n);
    stall_out_put(p->o, "EOD\n");
    stall_mem_free(waits);
}

static void put_style(stall_plot *p, size_t i)
{
    const stall_run *run = p->panels.runs[i];
    const char *colour = styles[i].colour;
    int dash = styles[i].dash;

    if (run->side >= 0) {
        colour = side_colours[run->side];
        dash = (int)p->panels.row[i] + 1;
    }
    stall_out_printf(p->o, "lw 2 dt %d lc rgb '%s' ", dash, colour);
}

static const char *remark(size_t waits)
{
    return waits > 0 ? "" : " (nothing measured)";
}

/* Rows of the key: two columns of short names, one of long ones; the threshold has an entry too. */
static size_t key_rows(const stall_plot *p, const size_t n[STALL_PLOT_PANELS])
{
    char name[STALL_PLOT_TEXT_MAX];
    bool one = false;

    for (size_t i = 0; i < p->panels.len; i++)
        one |= stall_plot_name_text(p, i, remark(n[i]), name) > KEY_NAME_MAX;
    return one ? p->panels.len + 1 : (p->panels.len + 2) / 2;
}

/* The sides one after the other. */
static void put_key(stall_plot *p, const size_t n[STALL_PLOT_PANELS])
{
    bool sides = p->report->command == STALL_COMMAND_COMPARE;
    double common = stall_plot_threshold(p);
    char figure[STALL_FIGURE_MAX], order[64];

    snprintf(order, sizeof(order), "vertical maxrows %zu", key_rows(p, n));
    stall_plot_key(p, order);
    for (size_t side = 0; side < (sides ? 2 : 1); side++)
        for (size_t i = 0; i < p->panels.len; i++) {
            if (sides && p->panels.column[i] != side)
                continue;
            stall_out_put(p->o, "keyentry with lines ");
            put_style(p, i);
            stall_out_put(p->o, "title ");
            stall_plot_run_name(p, i, remark(n[i]));
            stall_out_put(p->o, ", \\\n     ");
        }
    if (!isnan(common))
        stall_out_printf(p->o,
                         "keyentry with lines dt 2 lw 1.5 lc rgb 'black' title 'stall threshold "
                         "%s', \\\n     ",
                         stall_time_text(figure, common));
    stall_out_put(p->o, "NaN notitle\n");
}

void stall_plot_ecdf(stall_plot *p)
{
    size_t shown = 0, n[STALL_PLOT_PANELS];
    double common = stall_plot_threshold(p);

    for (size_t i = 0; i < p->panels.len; i++)
        shown += (n[i] = known_waits(&p->panels.runs[i]->analysis)) > 0;
    p->panels.rows = 1; /* one panel for all */
    stall_plot_open(p, "Share of the steps that wait at most this long", 300,
                    26 + 18 * (double)key_rows(p, n));
    for (size_t i = 0; i < p->panels.len; i++)
        if (n[i] > 0)
            put_block(p, i);
    stall_plot_panel(p, 0, "input wait", "share of the steps");
    stall_plot_wait_axis(p, 'x', true);
    stall_out_put(p->o, "set yrange [0:1.02]\nset ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, "
                        "'75 %%' 0.75, '90 %%' 0.9, '100 %%' 1)\n");
    if (!isnan(common) && shown > 0) {
        stall_out_put(p->o, "set arrow from first ");
        stall_out_double(p->o, stall_plot_wait_place(p, common));
        stall_out_put(p->o, ", graph 0 to first ");
        stall_out_double(p->o, stall_plot_wait_place(p, common));
        stall_out_put(p->o, ", graph 1 nohead back dt 2 lw 1.5 lc rgb 'black'\n");
    }
    if (shown == 0)
        stall_plot_empty(p, "no wait was measured");
    stall_out_put(p->o, "plot ");
    for (size_t i = 0; i < p->panels.len; i++) {
        if (n[i] == 0)
            continue;
        stall_out_printf(p->o, "$run%zu using 1:2 with steps ", i + 1);
        put_style(p, i);
        stall_out_put(p->o, "notitle, \\\n     ");
    }
    stall_out_put(p->o, "NaN notitle\n");
    put_key(p, n);
}
