/* Tables of report.md: figures, passes, distribution, ranks.
 *
 * Enters: the report model. Leaves: GitHub tables of at most STALL_MARKDOWN_ROWS rows and
 * STALL_MARKDOWN_COLUMNS runs; a cut table names the file that has all. It computes nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "write/write.h"

#define BIN_ROWS 48 /* of the histogram: from 0.01 ms to beyond a day */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The line under the head of a table: `texts` columns, then figures. */
static void put_rule(stall_out *o, size_t texts, size_t columns)
{
    stall_out_put(o, "\n|");
    for (size_t i = 0; i < columns; i++)
        stall_out_put(o, i < texts ? "---|" : "---:|");
    stall_out_char(o, '\n');
}

static void put_cell(stall_out *o, const char *text)
{
    stall_out_printf(o, " %s |", text);
}

static void put_count(stall_out *o, uint64_t n)
{
    stall_out_printf(o, " %" PRIu64 " |", n);
}

static void put_period(stall_out *o, int64_t period)
{
    char buf[STALL_FIGURE_MAX];

    const stall_metric cadence = {.id = "cadence", .unit = "steps"};

    put_cell(o,
             stall_figure_text(buf, &cadence, period == STALL_UNKNOWN ? NAN : (double)period, 0));
}

/* A p95 or p99, marked where it is interpolated towards the maximum; *edge then becomes true. */
static void put_quantile(stall_out *o, double ms, uint64_t n, int percent, bool *edge)
{
    char buf[STALL_FIGURE_MAX];

    *edge |= !isnan(ms) && stall_quantile_is_edge(n, percent);
    put_cell(o, stall_quantile_text(buf, ms, n, percent));
}

static void put_figure(stall_out *o, const stall_metric *m, double v, uint64_t n, bool *edge)
{
    char buf[STALL_FIGURE_MAX];

    put_cell(o, stall_figure_text(buf, m, v, n));
    *edge |= strchr(buf, '*') != NULL;
}

static void put_edge(stall_out *o, bool edge)
{
    stall_out_put(o, edge ? "\n\\* " STALL_EDGE_WORDS "\n" : "");
}

static void put_more(stall_out *o, size_t all, size_t shown, const char *what, const char *file)
{
    if (all > shown)
        stall_out_printf(o, "\n... and %zu more %s, in `%s`\n", all - shown, what, file);
}

/* ---- figures ---- */

static void compare_figures(const stall_report *r, stall_out *o)
{
    size_t rows = least(r->metrics_len, STALL_MARKDOWN_ROWS);
    char buf[2 * STALL_FIGURE_MAX];
    bool edge = false;

    stall_out_put(o, "| |");
    for (int side = 0; side < 2; side++) {
        const char *label = stall_side_label(r, side);

        stall_out_printf(o, " %s%s", stall_side_name(side), label ? ": " : "");
        stall_out_markdown(o, label, STALL_MARKDOWN_NAME_MAX);
        stall_out_put(o, stall_side_partial(r, side) ? " **PARTIAL** |" : " |");
    }
    stall_out_put(o, " change | 95 % interval |");
    put_rule(o, 1, 5);
    for (size_t i = 0; i < rows; i++) {
        const stall_metric *m = &r->metrics[i];

        stall_out_put(o, "| ");
        stall_out_markdown(o, m->label, STALL_MARKDOWN_NAME_MAX);
        stall_out_put(o, " |");
        put_figure(o, m, m->broken, r->compare.side[0].n, &edge);
        put_figure(o, m, m->fixed, r->compare.side[1].n, &edge);
        put_cell(o, stall_change_text(buf, m->unit, m->change));
        put_cell(o, stall_interval_text(buf, m->unit, m->diff_low, m->diff_high));
        stall_out_char(o, '\n');
    }
    put_edge(o, edge);
    put_more(o, r->metrics_len, rows, "figures", "summary.csv");
}

/* A column a run. */
static void show_few(const stall_report *r, stall_out *o)
{
    stall_metric figures[STALL_MARKDOWN_COLUMNS][STALL_RUN_FIGURES];
    bool edge = false;

    stall_out_put(o, "| |");
    for (size_t i = 0; i < r->runs_len; i++) {
        stall_run_figures(&r->runs[i].analysis, figures[i]);
        stall_out_char(o, ' ');
        stall_markdown_run_name(o, &r->runs[i]);
        stall_out_put(o, " |");
    }
    put_rule(o, 1, r->runs_len + 1);
    for (size_t k = 0; k < STALL_RUN_FIGURES; k++) {
        stall_out_printf(o, "| %s |", figures[0][k].label);
        for (size_t i = 0; i < r->runs_len; i++)
            put_figure(o, &figures[i][k], figures[i][k].broken, r->runs[i].analysis.dist.n, &edge);
        stall_out_char(o, '\n');
    }
    put_edge(o, edge);
}

/* A row a run. */
static void show_many(const stall_report *r, stall_out *o)
{
    size_t rows = least(r->runs_len, STALL_MARKDOWN_ROWS);
    char buf[STALL_FIGURE_MAX];
    bool edge = false;

    stall_out_put(o, "| run | shape | steps | mean wait | median | p95 | share of step | stalls "
                     "| cadence |");
    put_rule(o, 2, 9);
    for (size_t i = 0; i < rows; i++) {
        const stall_analysis *a = &r->runs[i].analysis;

        stall_out_put(o, "| ");
        stall_markdown_run_name(o, &r->runs[i]);
        stall_out_put(o, " |");
        put_cell(o, stall_shape_term(a->shape)->words);
        put_count(o, a->dist.n);
        put_cell(o, stall_time_text(buf, a->dist.mean));
        put_cell(o, stall_time_text(buf, a->dist.p50));
        put_quantile(o, a->dist.p95, a->dist.n, 95, &edge);
        put_cell(o, stall_share_text(buf, a->wall_share));
        put_count(o, a->stalls.count);
        put_period(o, a->cadence.period_steps);
        stall_out_char(o, '\n');
    }
    put_edge(o, edge);
    put_more(o, r->runs_len, rows, "runs", "summary.csv");
}

void stall_markdown_figures(const stall_report *r, stall_out *o)
{
    if (r->command == STALL_COMMAND_COMPARE)
        compare_figures(r, o);
    else if (r->command == STALL_COMMAND_SWEEP)
        stall_markdown_sweep_table(r, o);
    else if (r->runs_len > STALL_MARKDOWN_COLUMNS)
        show_many(r, o);
    else if (r->runs_len > 0)
        show_few(r, o);
}

/* ---- passes ---- */

static const stall_run *find_pass(const stall_report *r, int side, size_t pass)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].side == side && r->runs[i].pass == (int)pass + 1)
            return &r->runs[i];
    return NULL;
}

void stall_markdown_passes(const stall_report *r, stall_out *o)
{
    size_t all = r->compare.side[0].passes_len + r->compare.side[1].passes_len, rows = 0;
    char buf[STALL_FIGURE_MAX];
    bool edge = false;

    if (r->command != STALL_COMMAND_COMPARE || all == 0)
        return;
    stall_out_put(
        o, "| pass | side | shape | samples | mean wait | median | p95 | share of step | stalls "
           "| cadence |");
    put_rule(o, 3, 10);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < r->compare.side[side].passes_len && rows < STALL_MARKDOWN_ROWS;
             i++, rows++) {
            const stall_pass *p = &r->compare.side[side].passes[i];
            const stall_run *run = find_pass(r, side, i);

            stall_out_put(o, "| ");
            if (run != NULL)
                stall_markdown_run_name(o, run);
            stall_out_printf(o, " | %s %zu | %s%s |", stall_side_name(side), i + 1,
                             stall_shape_term(p->shape)->words,
                             p->change ? ", changes within the run" : "");
            put_count(o, p->n);
            put_cell(o, stall_time_text(buf, p->mean));
            put_cell(o, stall_time_text(buf, p->p50));
            put_quantile(o, p->p95, p->n, 95, &edge);
            put_cell(o, stall_share_text(buf, p->wall_share));
            put_count(o, p->stalls);
            put_period(o, p->period);
            stall_out_char(o, '\n');
        }
    put_edge(o, edge);
    put_more(o, all, rows, "passes", "report.json");
}

/* ---- distribution ---- */

static void put_quantiles(const stall_report *r, stall_out *o)
{
    size_t rows = least(r->runs_len, STALL_MARKDOWN_ROWS);
    char buf[STALL_FIGURE_MAX];
    bool edge = false;

    stall_out_put(o, "| run | n | sum | mean | sd | min | p50 | p90 | p95 | p99 | max | MAD | CV "
                     "| in the top 10 % |");
    put_rule(o, 1, 14);
    for (size_t i = 0; i < rows; i++) {
        const stall_dist *d = &r->runs[i].analysis.dist;
        const double times[] = {d->sum, d->mean, d->sd, d->min, d->p50, d->p90};

        stall_out_put(o, "| ");
        stall_markdown_run_name(o, &r->runs[i]);
        stall_out_put(o, " |");
        put_count(o, d->n);
        for (size_t k = 0; k < sizeof(times) / sizeof(times[0]); k++)
            put_cell(o, stall_time_text(buf, times[k]));
        put_quantile(o, d->p95, d->n, 95, &edge);
        put_quantile(o, d->p99, d->n, 99, &edge);
        put_cell(o, stall_time_text(buf, d->max));
        put_cell(o, stall_time_text(buf, d->mad));
        put_cell(o, stall_plain_text(buf, d->cv));
        put_cell(o, stall_share_text(buf, d->top10_share));
        stall_out_char(o, '\n');
    }
    put_edge(o, edge);
    put_more(o, r->runs_len, rows, "runs", "summary.csv");
}

/* The smallest bin above `last` in the first `runs` runs; false when there is none. The underflow
 * bin has the smallest key. */
static bool next_bin(const stall_report *r, size_t runs, bool first, int64_t last, int64_t *ret)
{
    bool found = false;

    for (size_t i = 0; i < runs; i++) {
        const stall_dist *d = &r->runs[i].analysis.dist;

        for (size_t k = 0; k < d->hist_len; k++)
            if ((first || d->hist[k].key > last) && (!found || d->hist[k].key < *ret)) {
                *ret = d->hist[k].key;
                found = true;
            }
    }
    return found;
}

static uint64_t bin_count(const stall_dist *d, int64_t bin)
{
    for (size_t k = 0; k < d->hist_len; k++)
        if (d->hist[k].key == bin)
            return d->hist[k].count;
    return 0;
}

static void put_histogram(const stall_report *r, stall_out *o)
{
    size_t runs = least(r->runs_len, STALL_MARKDOWN_COLUMNS), rows = 0;
    char a[STALL_FIGURE_MAX], b[STALL_FIGURE_MAX];
    int64_t bin = 0;
    double low, high;

    stall_out_put(o, "\n| wait |");
    for (size_t i = 0; i < runs; i++) {
        stall_out_char(o, ' ');
        stall_markdown_run_name(o, &r->runs[i]);
        stall_out_put(o, " |");
    }
    put_rule(o, 1, runs + 1);
    for (; rows < BIN_ROWS && next_bin(r, runs, rows == 0, bin, &bin); rows++) {
        stall_bin_limits(bin, &low, &high);
        stall_out_printf(o, "| %s to %s |", stall_time_text(a, low), stall_time_text(b, high));
        for (size_t i = 0; i < runs; i++)
            put_count(o, bin_count(&r->runs[i].analysis.dist, bin));
        stall_out_char(o, '\n');
    }
    if (rows == BIN_ROWS || r->runs_len > runs)
        stall_out_put(o, "\nThe whole of it is in `histogram.csv`.\n");
}

void stall_markdown_distribution(const stall_report *r, stall_out *o)
{
    if (r->runs_len == 0)
        return;
    put_quantiles(r, o);
    put_histogram(r, o);
}

/* ---- ranks ---- */

void stall_markdown_ranks(const stall_report *r, stall_out *o)
{
    size_t rows = 0, all = 0;
    char buf[STALL_FIGURE_MAX];
    bool edge = false;

    for (size_t i = 0; i < r->runs_len; i++)
        all += r->runs[i].analysis.per_rank_len;
    if (all == 0)
        return;
    stall_out_put(o,
                  "| run | rank | steps | mean wait | p95 | stalls | cadence | was the slowest |");
    put_rule(o, 1, 8);
    for (size_t i = 0; i < r->runs_len; i++)
        for (size_t k = 0; k < r->runs[i].analysis.per_rank_len && rows < STALL_MARKDOWN_ROWS;
             k++, rows++) {
            const stall_rank_figures *f = &r->runs[i].analysis.per_rank[k];

            stall_out_put(o, "| ");
            stall_markdown_run_name(o, &r->runs[i]);
            stall_out_printf(o, " | %" PRId32 " |", f->rank);
            put_count(o, f->n);
            put_cell(o, stall_time_text(buf, f->mean));
            put_quantile(o, f->p95, f->n, 95, &edge);
            put_count(o, f->stalls);
            put_period(o, f->period);
            put_count(o, f->slowest);
            stall_out_char(o, '\n');
        }
    put_edge(o, edge);
    put_more(o, all, rows, "ranks", "report.json");
}
