/* sweep.gp: the gap between stalls, and the mean wait, against num_workers.
 *
 * Enters: the sweep of the model. Leaves: two panels. In the left one runs on the line of identity
 * follow the worker count; runs that are no evidence are hollow. In the right one a pool at its
 * limit falls in proportion to the workers (dotted) until the CPUs end. Runs of one worker count
 * stand a little beside each other. It must not know how a sweep is judged. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define SERIES_MAX 8  /* sets of runs with a colour of their own; the last takes what is left */
#define BESIDE 0.0275 /* of the width of a panel between runs of one worker count */
#define SPREAD 0.6    /* of the least distance between worker counts that they take at most */
#define KEY_ROW 18.0
#define CURVE 40 /* pieces of a curve */

static const char *const colours[SERIES_MAX] = {
    STALL_PLOT_VERMILLION, STALL_PLOT_BLUE, STALL_PLOT_GREEN, "#E69F00",
    STALL_PLOT_PURPLE,     "#56B4E9",       "black",          STALL_PLOT_GREY,
};

/* Runs that differ in nothing but the worker count share a colour. */
typedef struct sets {
    size_t of[STALL_SWEEP_MAX]; /* set of each run */
    size_t first[SERIES_MAX];   /* its first run */
    size_t len;
    bool revisions, passes, prefetch; /* what they differ in */
} sets;

/* None in a report that is no sweep. */
static size_t rows_of(const stall_report *r)
{
    return r->sweep.rows == NULL ? 0 : r->runs_len;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_set(const stall_report *r, size_t a, size_t b)
{
    const stall_sweep_row *x = &r->sweep.rows[a], *y = &r->sweep.rows[b];

    return same_text(x->revision, y->revision) && r->runs[a].pass == r->runs[b].pass &&
           (x->in_order == 0) == (y->in_order == 0) &&
           (x->prefetch == y->prefetch || x->prefetch == STALL_UNKNOWN ||
            y->prefetch == STALL_UNKNOWN);
}

static void find_sets(const stall_report *r, sets *s)
{
    memset(s, 0, sizeof(*s));
    for (size_t i = 0; i < rows_of(r); i++) {
        size_t k = 0;

        while (k < s->len && !same_set(r, s->first[k], i))
            k++;
        if (k == s->len && k < SERIES_MAX)
            s->first[s->len++] = i;
        s->of[i] = k < SERIES_MAX ? k : SERIES_MAX - 1;
        s->revisions |= !same_text(r->sweep.rows[i].revision, r->sweep.rows[0].revision);
        s->passes |= r->runs[i].pass != r->runs[0].pass;
        s->prefetch |= r->sweep.rows[i].prefetch != STALL_UNKNOWN &&
                       r->sweep.rows[s->first[0]].prefetch != STALL_UNKNOWN &&
                       r->sweep.rows[i].prefetch != r->sweep.rows[s->first[0]].prefetch;
    }
}

/* "broken, pass 1, unordered, prefetch 1": what a set of runs differs in. */
static void put_set_name(stall_plot *p, const sets *s, size_t k)
{
    const stall_sweep_row *row = &p->report->sweep.rows[s->first[k]];
    int pass = p->report->runs[s->first[k]].pass;
    char name[STALL_PLOT_TEXT_MAX] = "", part[64];
    size_t used = 0;

    if (row->revision != NULL && s->revisions) {
        stall_text_printable(part, 40, row->revision, strlen(row->revision));
        used += (size_t)snprintf(name, sizeof(name), "%s", part);
    }
    if (row->in_order == 0)
        used +=
            (size_t)snprintf(name + used, sizeof(name) - used, "%sunordered", used > 0 ? ", " : "");
    if (s->prefetch && row->prefetch != STALL_UNKNOWN)
        used += (size_t)snprintf(name + used, sizeof(name) - used, "%sprefetch %" PRId64,
                                 used > 0 ? ", " : "", row->prefetch);
    if (s->passes && pass > 0)
        used += (size_t)snprintf(name + used, sizeof(name) - used, "%spass %d",
                                 used > 0 ? ", " : "", pass);
    if (used == 0)
        snprintf(name, sizeof(name), "runs");
    stall_out_gnuplot(p->o, name);
}

/* ---- data ---- */

static int64_t most_workers(const stall_report *r)
{
    int64_t most = 1;

    for (size_t i = 0; i < rows_of(r); i++)
        most = r->sweep.rows[i].workers > most ? r->sweep.rows[i].workers : most;
    return most;
}

/* The least distance between two worker counts; the span where there is one count. */
static double least_distance(const stall_report *r, double span)
{
    double least = span;

    for (size_t i = 0; i < rows_of(r); i++)
        for (size_t k = 0; k < i; k++) {
            double d = fabs((double)r->sweep.rows[i].workers - (double)r->sweep.rows[k].workers);

            least = d > 0 && d < least ? d : least;
        }
    return least;
}

/* Beside the runs of that worker count which came before, and nearer to it than to any other. */
static double place(const stall_report *r, size_t at, double span)
{
    double step = span * BESIDE, most = least_distance(r, span) * SPREAD;
    size_t before = 0, all = 0;

    for (size_t i = 0; i < rows_of(r); i++)
        if (r->sweep.rows[i].workers == r->sweep.rows[at].workers) {
            before += i < at;
            all++;
        }
    if (step * (double)(all - 1) > most)
        step = most / (double)(all - 1);
    return (double)r->sweep.rows[at].workers + step * ((double)before - 0.5 * (double)(all - 1));
}

/* Rows "workers gap period mean evidence" of a set. */
static void put_block(stall_plot *p, const sets *s, size_t k, double span, double unit)
{
    const stall_report *r = p->report;

    stall_out_printf(p->o, "\n$set%zu << EOD\n", k + 1);
    for (size_t i = 0; i < rows_of(r); i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];
        const double values[] = {row->gap_median,
                                 row->period != STALL_UNKNOWN &&
                                         (double)row->period != row->gap_median
                                     ? (double)row->period
                                     : NAN,
                                 row->mean / unit};

        if (s->of[i] != k)
            continue;
        stall_out_double(p->o, place(r, i, span));
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
            stall_out_char(p->o, ' ');
            if (isnan(values[v]))
                stall_out_char(p->o, '?');
            else
                stall_out_double(p->o, values[v]);
        }
        stall_out_printf(p->o, " %d\n", row->follows >= 0);
    }
    stall_out_put(p->o, "EOD\n");
}

/* ---- panels ---- */

static void put_workers_axis(stall_plot *p, double most)
{
    stall_plot_range(p, 'x', -0.08 * most - 0.1, most * 1.08 + 0.1);
    stall_plot_whole_ticks(p, 'x', 0, most, true);
}

static void put_gaps(stall_plot *p, const sets *s, double most)
{
    const stall_report *r = p->report;
    double top = most;
    bool any = false;

    for (size_t i = 0; i < rows_of(r); i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        any |= !isnan(row->gap_median);
        top = row->gap_median > top ? row->gap_median : top;
        top = row->period != STALL_UNKNOWN && (double)row->period > top ? (double)row->period : top;
    }
    stall_plot_panel(p, 0, "num_workers", "");
    stall_out_put(p->o, "set title 'median gap between stalls (steps)' offset 0,-0.3\n");
    put_workers_axis(p, most);
    stall_plot_range(p, 'y', 0, top * 1.12);
    stall_plot_whole_ticks(p, 'y', 0, top * 1.12, true);
    stall_out_put(p->o, "set arrow from 0,0 to ");
    stall_out_double(p->o, most);
    stall_out_char(p->o, ',');
    stall_out_double(p->o, most);
    stall_out_put(p->o, " nohead back dt 2 lw 1.5 lc rgb '" STALL_PLOT_GREY "'\n");
    if (!any)
        stall_plot_empty(p, "no run has gaps between stalls");
    stall_out_put(p->o, "plot ");
    for (size_t k = 0; any && k < s->len; k++)
        stall_out_printf(p->o,
                         "$set%zu using 1:($5==1?$2:NaN) with points pt 7 ps 1 lc rgb '%s' "
                         "notitle, \\\n     "
                         "$set%zu using 1:($5==0?$2:NaN) with points pt 6 ps 1 lw 1.5 lc rgb '%s' "
                         "notitle, \\\n     "
                         "$set%zu using 1:3 with points pt 8 ps 1.1 lw 1.5 lc rgb '%s' notitle, "
                         "\\\n     ",
                         k + 1, colours[k], k + 1, colours[k], k + 1, colours[k]);
    stall_out_put(p->o, "NaN notitle\n");
}

/* The first rung with workers, from which a pool without limits would fall in proportion. */
static const stall_sweep_rung *first_pool(const stall_sweep *s)
{
    for (size_t i = 0; i < s->rungs_len; i++)
        if (s->rungs[i].workers >= 1)
            return i + 1 < s->rungs_len ? &s->rungs[i] : NULL;
    return NULL;
}

/* What a pool without limits would reach. */
static void put_proportion(stall_plot *p, const stall_sweep_rung *from, double most, double unit)
{
    if (from == NULL)
        return;
    stall_out_put(p->o, "\n$proportion << EOD\n");
    for (int i = 0; i <= CURVE; i++) {
        double w = (double)from->workers + (most - (double)from->workers) * i / CURVE;

        stall_out_fixed(p->o, w, 4);
        stall_out_char(p->o, ' ');
        stall_out_double(p->o, from->mean / unit * (double)from->workers / w);
        stall_out_char(p->o, '\n');
    }
    stall_out_put(p->o, "EOD\n");
}

static int64_t cpus_of(const stall_report *r)
{
    int64_t cpus = rows_of(r) > 0 ? r->runs[0].analysis.facts.cpus : STALL_UNKNOWN;

    for (size_t i = 1; i < rows_of(r); i++)
        if (r->runs[i].analysis.facts.cpus != cpus)
            return STALL_UNKNOWN;
    return cpus;
}

static void put_means(stall_plot *p, const sets *s, double most, double unit)
{
    const stall_report *r = p->report;
    const stall_sweep_rung *from = first_pool(&r->sweep);
    int64_t cpus = cpus_of(r);
    double top = 0;

    for (size_t i = 0; i < rows_of(r); i++)
        top = r->sweep.rows[i].mean > top ? r->sweep.rows[i].mean : top;
    stall_plot_panel(p, 1, "num_workers", "");
    stall_out_printf(p->o, "set title 'mean wait (%s)' offset 0,-0.3\n", unit > 1 ? "s" : "ms");
    put_workers_axis(p, most);
    stall_plot_range(p, 'y', 0, top > 0 ? top / unit * 1.12 : 1);
    stall_out_put(p->o, "set ytics autofreq\nset format y '%g'\n");
    if (cpus >= 1 && (double)cpus <= most)
        stall_out_printf(p->o,
                         "set arrow from %" PRId64 ", graph 0 to %" PRId64
                         ", graph 1 nohead back dt 4 lw 1.5 lc rgb 'black'\n",
                         cpus, cpus);
    stall_out_put(p->o, "plot ");
    if (from != NULL)
        stall_out_put(p->o, "$proportion using 1:2 with lines dt 3 lw 1.5 lc rgb "
                            "'" STALL_PLOT_GREY "' notitle, \\\n     ");
    for (size_t k = 0; k < s->len; k++)
        stall_out_printf(p->o,
                         "$set%zu using 1:4 with points pt 7 ps 1 lc rgb '%s' notitle, \\\n     ",
                         k + 1, colours[k]);
    stall_out_put(p->o, "NaN notitle\n");
}

static void put_key(stall_plot *p, const sets *s)
{
    const stall_report *r = p->report;
    int64_t cpus = cpus_of(r);
    bool hollow = false, periods = false;

    for (size_t i = 0; i < rows_of(r); i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        hollow |= row->follows < 0 && !isnan(row->gap_median);
        periods |= row->period != STALL_UNKNOWN && (double)row->period != row->gap_median;
    }
    stall_plot_key(p, "horizontal maxcols 4");
    for (size_t k = 0; k < s->len; k++) {
        stall_out_printf(p->o, "keyentry with points pt 7 ps 1 lc rgb '%s' title ", colours[k]);
        put_set_name(p, s, k);
        stall_out_put(p->o, ", \\\n     ");
    }
    if (hollow)
        stall_out_put(p->o, "keyentry with points pt 6 ps 1 lw 1.5 lc rgb 'black' title 'no "
                            "evidence', \\\n     ");
    if (periods)
        stall_out_put(p->o, "keyentry with points pt 8 ps 1.1 lw 1.5 lc rgb 'black' title 'period, "
                            "not the gap', \\\n     ");
    stall_out_put(p->o, "keyentry with lines dt 2 lw 1.5 lc rgb '" STALL_PLOT_GREY
                        "' title 'gap = num_workers', \\\n     ");
    if (first_pool(&r->sweep) != NULL)
        stall_out_put(p->o, "keyentry with lines dt 3 lw 1.5 lc rgb '" STALL_PLOT_GREY
                            "' title 'if workers added up', \\\n     ");
    if (cpus >= 1 && (double)cpus <= (double)most_workers(r))
        stall_out_put(p->o, "keyentry with lines dt 4 lw 1.5 lc rgb 'black' title 'logical CPUs', "
                            "\\\n     ");
    stall_out_put(p->o, "NaN notitle\n");
}

void stall_plot_sweep(stall_plot *p)
{
    const stall_report *r = p->report;
    sets s;
    double most, unit = 1;

    find_sets(r, &s);
    most = (double)most_workers(r);
    for (size_t i = 0; i < rows_of(r); i++)
        unit = r->sweep.rows[i].mean >= 1000 ? 1000 : unit;
    p->panels = (stall_panels){.len = 2, .rows = 1, .columns = 2, .column = {0, 1}};
    stall_plot_open(p, "Gap and mean wait against num_workers", 270,
                    10 + KEY_ROW * (double)((s.len + 8) / 4));
    for (size_t k = 0; k < s.len; k++)
        put_block(p, &s, k, most, unit);
    put_proportion(p, first_pool(&r->sweep), most, unit);
    put_gaps(p, &s, most);
    put_means(p, &s, most, unit);
    put_key(p, &s);
}
