/* recurrence.gp: how often a stall is followed by another one g steps later, against g.
 *
 * Enters: the recurrence of each run, rec(g) = hits/pairs. Leaves: one bar a lag, with num_workers,
 * its multiples and the period marked. It must not know how a cadence is tested. */
#include <inttypes.h>
#include <math.h>

#include "write/write.h"

#define FEW_PAIRS 6 /* below, a lag is drawn as uncertain */

/* Longest lag that is drawn. */
static int64_t longest(const stall_plot *p)
{
    int64_t lag = 8;

    for (size_t i = 0; i < p->panels.len; i++) {
        const stall_cadence *c = &p->panels.runs[i]->analysis.cadence;

        for (size_t k = 0; k < c->recurrence_len; k++)
            if (c->recurrence[k].pairs > 0 && c->recurrence[k].lag > lag)
                lag = c->recurrence[k].lag;
    }
    return lag < STALL_PLOT_POINTS ? lag : STALL_PLOT_POINTS;
}

/* Rows "lag rec pairs". Returns how many. */
static size_t put_block(stall_plot *p, size_t i, int64_t limit)
{
    const stall_cadence *c = &p->panels.runs[i]->analysis.cadence;
    size_t rows = 0;

    for (size_t k = 0; k < c->recurrence_len; k++) {
        const stall_recurrence *g = &c->recurrence[k];

        if (g->pairs == 0 || g->lag > limit)
            continue;
        if (rows++ == 0)
            stall_out_printf(p->o, "\n$run%zu << EOD\n", i + 1);
        stall_out_printf(p->o, "%" PRId64 " ", g->lag);
        stall_out_double(p->o, (double)g->hits / (double)g->pairs);
        stall_out_printf(p->o, " %" PRIu64 "\n", g->pairs);
    }
    stall_out_put(p->o, rows > 0 ? "EOD\n" : "");
    return rows;
}

static void draw(stall_plot *p, size_t i)
{
    stall_out_printf(p->o,
                     "$run%zu using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \\\n     "
                     "$run%zu using 1:($3<%d?$2:NaN) with points pt 6 ps 0.6 lc rgb "
                     "'" STALL_PLOT_GREY "' notitle, \\\n     "
                     "$run%zu using 1:($3<%d?NaN:$2) with points pt 7 ps 0.6 lc rgb "
                     "'" STALL_PLOT_BLUE "' notitle, \\\n     ",
                     i + 1, i + 1, FEW_PAIRS, i + 1, FEW_PAIRS);
}

static void put_panel(stall_plot *p, size_t i, int64_t limit, size_t rows)
{
    const stall_run *run = p->panels.runs[i];
    const stall_cadence *c = &run->analysis.cadence;
    bool labels = !stall_plot_has_left(p, i);

    stall_plot_panel(p, i, run->analysis.input.stride > 1 ? "lag (logged steps)" : "lag (steps)",
                     labels ? "stalls that recur" : "");
    stall_plot_cadence_title(p, i);
    stall_out_printf(p->o, "set yrange [0:1.1]\nset ytics (%s)\n",
                     labels ? "'0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1"
                            : "'' 0, '' 0.25, '' 0.5, '' 0.75, '' 1");
    stall_plot_range(p, 'x', 0, (double)limit + 1);
    stall_plot_whole_ticks(p, 'x', 0, (double)limit + 1, true);
    if (rows > 0)
        stall_plot_cadence_marks(p, run, limit, true);
    if (rows == 0)
        stall_plot_empty(p, c->stalls == 0   ? "no stalls"
                            : c->stalls == 1 ? "one stall only"
                                             : "no pairs of stalls");
    else if (c->stalls >= 2 && c->positions >= 2) {
        /* (m-1)/(N-1): the share that random places would give at every lag */
        double base = (double)(c->stalls - 1) / (double)(c->positions - 1);

        stall_out_put(p->o, "set arrow from graph 0, first ");
        stall_out_double(p->o, base);
        stall_out_put(p->o, " to graph 1, first ");
        stall_out_double(p->o, base);
        stall_out_put(p->o, " nohead front dt 3 lw 1.5 lc rgb 'black'\n");
    }
    stall_out_put(p->o, "plot ");
    if (rows > 0)
        draw(p, i);
    stall_out_put(p->o, "NaN notitle\n");
}

static void put_key(stall_plot *p)
{
    stall_plot_key(p, "horizontal");
    stall_out_put(p->o, "keyentry with points pt 7 ps 0.6 lc rgb '" STALL_PLOT_BLUE
                        "' title 'recurrence', \\\n     ");
    stall_out_printf(p->o,
                     "keyentry with points pt 6 ps 0.6 lc rgb '" STALL_PLOT_GREY
                     "' title 'fewer than %d pairs', \\\n     "
                     "keyentry with lines dt 3 lw 1.5 lc rgb 'black' title 'random places', "
                     "\\\n     ",
                     FEW_PAIRS);
    stall_plot_cadence_key(p, true);
    stall_out_put(p->o, "NaN notitle\n");
}

void stall_plot_recurrence(stall_plot *p)
{
    size_t rows[STALL_PLOT_PANELS];
    int64_t limit = longest(p);

    stall_plot_open(p, "Share of stalls that recur after a lag", p->panels.rows > 1 ? 150 : 240,
                    STALL_PLOT_KEY);
    for (size_t i = 0; i < p->panels.len; i++)
        rows[i] = put_block(p, i, limit);
    for (size_t i = 0; i < p->panels.len; i++)
        put_panel(p, i, limit, rows[i]);
    put_key(p);
}
