/* summary.csv, series.csv, gaps.csv and histogram.csv: tidy tables for spreadsheets and scripts.
 *
 * Enters: the report model. Leaves: RFC 4180 tables with LF line ends; numbers read back exactly,
 * empty is unknown, no text begins a formula. It computes nothing but the borders of bins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define CSV_COUNTERS_MAX 512  /* counter columns of series.csv over all runs; more are left out */
#define CSV_UNDERFLOW_MS 0.01 /* upper border of the underflow bin */
#define CSV_BINS_PER_DECADE 5

#define RUN_NAME_MAX 1024 /* bytes of a name in a table */

/* Name of a run in every table; a damaged one says so beside it. */
static void put_name(stall_out *o, const stall_run *run)
{
    char name[RUN_NAME_MAX];

    snprintf(name, sizeof(name), "%.*s%s", RUN_NAME_MAX - 16, run->label,
             stall_run_partial(run) ? " PARTIAL" : "");
    stall_out_csv_text(o, name);
}

/* "label,side,pass" of a run. */
static void put_run_cells(stall_out *o, const stall_run *run)
{
    put_name(o, run);
    stall_out_char(o, ',');
    stall_out_put(o, stall_side_name(run->side));
    stall_out_char(o, ',');
    if (run->pass > 0)
        stall_out_int(o, run->pass);
}

/* ---- summary.csv ---- */

static void put_value(stall_out *o, const char *id, const char *unit, double value, double low,
                      double high)
{
    stall_out_char(o, ',');
    stall_out_csv_text(o, id);
    stall_out_char(o, ',');
    stall_out_csv_text(o, unit);
    stall_out_char(o, ',');
    stall_out_double(o, value);
    stall_out_char(o, ',');
    stall_out_double(o, low);
    stall_out_char(o, ',');
    stall_out_double(o, high);
    stall_out_char(o, '\n');
}

/* What the table of a sweep has beside the figures of a run. */
static void put_settings(stall_out *o, const stall_report *r, size_t i)
{
    const stall_sweep_row *row = &r->sweep.rows[i];
    const stall_order *order = &r->runs[i].analysis.extras.order;
    const struct {
        const char *id, *unit;
        double value;
    } table[] = {
        {"workers", "count", (double)row->workers},
        {"prefetch_factor", "count", row->prefetch == STALL_UNKNOWN ? NAN : (double)row->prefetch},
        {"in_order", "count", row->in_order < 0 ? NAN : row->in_order},
        {"overtaking", "count", order->known ? (double)order->overtaking : NAN},
        {"gap_median", "steps", row->gap_median},
        {"coverage_w", "share", row->coverage_w},
        {"follows", "count", row->follows < 0 ? NAN : row->follows},
    };

    for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
        put_run_cells(o, &r->runs[i]);
        put_value(o, table[k].id, table[k].unit, table[k].value, NAN, NAN);
    }
}

stall_status stall_write_summary_csv(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    stall_metric figures[STALL_RUN_FIGURES];
    stall_out o;

    stall_out_open(&o, sink, reterr);
    stall_out_put(&o, "run,side,pass,metric,unit,value,ci_low,ci_high\n");
    for (size_t i = 0; i < r->runs_len && o.status == STALL_OK; i++) {
        const stall_run *run = &r->runs[i];

        put_run_cells(&o, run);
        put_value(&o, "partial", "count", stall_run_partial(run) ? 1 : 0, NAN, NAN);
        stall_run_figures(&run->analysis, figures);
        for (size_t k = 0; k < STALL_RUN_FIGURES; k++) {
            put_run_cells(&o, run);
            put_value(&o, figures[k].id, figures[k].unit, figures[k].broken, NAN, NAN);
        }
        if (r->command == STALL_COMMAND_SWEEP)
            put_settings(&o, r, i);
    }
    if (r->command == STALL_COMMAND_SWEEP) {
        stall_out_put(&o, ",,");
        put_value(&o, "slope", "steps", r->sweep.slope, NAN, NAN);
    }
    /* the sides, pooled, and the change between them: no run, no pass */
    for (size_t k = 0; r->command == STALL_COMMAND_COMPARE && k < r->metrics_len; k++) {
        const stall_metric *m = &r->metrics[k];

        stall_out_put(&o, ",broken,");
        put_value(&o, m->id, m->unit, m->broken, NAN, NAN);
        stall_out_put(&o, ",fixed,");
        put_value(&o, m->id, m->unit, m->fixed, NAN, NAN);
        stall_out_put(&o, ",change,");
        put_value(&o, m->id, m->unit, m->change, m->diff_low, m->diff_high);
    }
    return stall_out_close(&o);
}

/* ---- series.csv ---- */

typedef struct columns {
    const char *names[CSV_COUNTERS_MAX];
    size_t len;
} columns;

static size_t find_column(const columns *c, const char *name)
{
    size_t i = 0;

    while (i < c->len && strcmp(c->names[i], name) != 0)
        i++;
    return i;
}

static void collect_columns(const stall_report *r, columns *ret)
{
    ret->len = 0;
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_series *s = r->runs[i].series;

        for (size_t k = 0; k < s->counters_len; k++)
            if (ret->len < CSV_COUNTERS_MAX && find_column(ret, s->counters[k].name) == ret->len)
                ret->names[ret->len++] = s->counters[k].name;
    }
}

/* One byte a row: '1' or '0' where a stall is decided, else '\0'. A judged step is decided by its
 * analysis, which may have added several fetches; the other ranks by the same threshold. */
static char *stall_flags(const stall_run *run)
{
    const stall_series *s = run->series;
    const stall_analysis *a = &run->analysis;
    char *ret = stall_mem_zero(s->len, 1);

    if (ret == NULL || s->aggregated)
        return ret;
    for (size_t i = 0; i < s->len; i++)
        if (s->rows[i].wait_ns >= 0 && s->rows[i].step >= 0)
            ret[i] = (double)s->rows[i].wait_ns / 1e6 > a->threshold.ms ? '1' : '0';
    for (size_t i = 0; i < a->points_len; i++)
        if (a->points[i].row < s->len)
            ret[a->points[i].row] = isnan(a->points[i].wait_ms) ? '\0'
                                    : a->points[i].stall        ? '1'
                                                                : '0';
    return ret;
}

static void put_ms(stall_out *o, int64_t ns)
{
    char buf[STALL_DOUBLE_MAX];

    stall_out_char(o, ',');
    stall_out_put(o, stall_ms_text(buf, ns));
}

static void put_series_row(stall_out *o, const stall_run *run, size_t i, char stall,
                           const size_t *map, size_t map_len)
{
    const stall_row *row = &run->series->rows[i];

    put_run_cells(o, run);
    stall_out_char(o, ',');
    stall_out_int(o, row->rank);
    stall_out_char(o, ',');
    stall_out_int(o, row->epoch);
    stall_out_char(o, ',');
    stall_out_int(o, row->step);
    put_ms(o, row->wait_ns);
    put_ms(o, row->step_ns);
    put_ms(o, row->exposed_ns);
    stall_out_char(o, ',');
    if (row->fetches >= 0)
        stall_out_int(o, row->fetches);
    stall_out_char(o, ',');
    if (stall != '\0')
        stall_out_char(o, stall);
    for (size_t k = 0; k < map_len; k++) {
        stall_out_char(o, ',');
        if (map[k] < run->series->counters_len)
            stall_out_double(o, run->series->counters[map[k]].values[i]);
    }
    stall_out_char(o, '\n');
}

static void put_series_run(stall_out *o, const stall_run *run, const columns *c)
{
    const stall_series *s = run->series;
    size_t map[CSV_COUNTERS_MAX];
    char *flags = stall_flags(run);

    if (flags == NULL) {
        if (o->status == STALL_OK)
            stall_out_fail(o, stall_error_memory(o->reterr));
        return;
    }
    for (size_t k = 0; k < c->len; k++)
        map[k] = SIZE_MAX;
    for (size_t k = 0; k < s->counters_len; k++) {
        size_t at = find_column(c, s->counters[k].name);

        if (at < c->len)
            map[at] = k;
    }
    for (size_t i = 0; i < s->len && o->status == STALL_OK; i++)
        put_series_row(o, run, i, flags[i], map, c->len);
    stall_mem_free(flags);
}

stall_status stall_write_series_csv(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    columns c;
    stall_out o;

    collect_columns(r, &c);
    stall_out_open(&o, sink, reterr);
    stall_out_put(&o, "run,side,pass,rank,epoch,step,wait_ms,step_ms,exposed_ms,fetches,stall");
    for (size_t k = 0; k < c.len; k++) {
        stall_out_char(&o, ',');
        stall_out_csv_text(&o, c.names[k]);
    }
    stall_out_char(&o, '\n');
    for (size_t i = 0; i < r->runs_len && o.status == STALL_OK; i++)
        put_series_run(&o, &r->runs[i], &c);
    return stall_out_close(&o);
}

/* ---- gaps.csv, histogram.csv ---- */

stall_status stall_write_gaps_csv(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    stall_out o;

    stall_out_open(&o, sink, reterr);
    stall_out_put(&o, "run,gap,count\n");
    for (size_t i = 0; i < r->runs_len && o.status == STALL_OK; i++) {
        const stall_cadence *c = &r->runs[i].analysis.cadence;

        for (size_t k = 0; k < c->gap_hist_len; k++) {
            put_name(&o, &r->runs[i]);
            stall_out_char(&o, ',');
            stall_out_int(&o, c->gap_hist[k].key);
            stall_out_char(&o, ',');
            stall_out_uint(&o, c->gap_hist[k].count);
            stall_out_char(&o, '\n');
        }
    }
    return stall_out_close(&o);
}

void stall_bin_limits(int64_t bin, double *ret_low, double *ret_high)
{
    if (bin == STALL_UNKNOWN) {
        *ret_low = 0;
        *ret_high = CSV_UNDERFLOW_MS;
        return;
    }
    *ret_low = pow(10, (double)bin / CSV_BINS_PER_DECADE);
    *ret_high = pow(10, (double)(bin + 1) / CSV_BINS_PER_DECADE);
}

stall_status stall_write_histogram_csv(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    double low, high;
    stall_out o;

    stall_out_open(&o, sink, reterr);
    stall_out_put(&o, "run,bin_low_ms,bin_high_ms,count\n");
    for (size_t i = 0; i < r->runs_len && o.status == STALL_OK; i++) {
        const stall_dist *d = &r->runs[i].analysis.dist;

        for (size_t k = 0; k < d->hist_len; k++) {
            stall_bin_limits(d->hist[k].key, &low, &high);
            put_name(&o, &r->runs[i]);
            stall_out_char(&o, ',');
            stall_out_double(&o, low);
            stall_out_char(&o, ',');
            stall_out_double(&o, high);
            stall_out_char(&o, ',');
            stall_out_uint(&o, d->hist[k].count);
            stall_out_char(&o, '\n');
        }
    }
    return stall_out_close(&o);
}
