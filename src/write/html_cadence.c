/* The figures "gaps between stalls" and "share of stalls that recur" of report.html.
 *
 * Enters: gap histogram and recurrence of each run. Leaves: a bar a gap, or a lag, with num_workers
 * and the period marked. It must not know how a cadence is tested. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "write/write.h"

#define LINEAR_MAX 64 /* longest gap on a linear axis */
#define MULTIPLES 16  /* of num_workers that are marked */
#define FEW_PAIRS 6   /* below, a lag is drawn as uncertain */
#define BARS_MOST 500 /* in a panel */
#define WORDS_MAX 256

static void put_marks(stall_panel *c, const stall_run *run, int64_t limit, bool multiples)
{
    int64_t w = stall_run_workers(run), period = stall_run_period(run);

    for (int64_t k = 1; w >= 1 && k <= (multiples && w >= 2 ? MULTIPLES : 1); k++) {
        if (k > limit / w)
            break;
        stall_svg_line(c, 'x', (double)(k * w), k == 1 ? "workers" : "workers more");
    }
    if (period >= 1 && period <= limit) {
        stall_out_put(c->o, "<path class=\"period\" d=\"");
        stall_svg_to(c, "M", (double)period, c->high[1]);
        stall_out_put(c->o, "m0 2l6-10h-12z\"/>\n");
    }
}

/* ", period 4 steps, num_workers 4" */
static void put_title(stall_plot *p, size_t i)
{
    const stall_run *run = p->panels.runs[i];
    int64_t steps = run->analysis.cadence.period_steps, w = stall_run_workers(run);
    char more[96] = "";
    size_t used = 0;

    if (stall_run_period(run) >= 1 && steps >= 1)
        used = (size_t)snprintf(more, sizeof(more), ", period %" PRId64 " step%s", steps,
                                steps == 1 ? "" : "s");
    if (w >= 1 && stall_plot_workers(p) != w)
        snprintf(more + used, sizeof(more) - used, ", num_workers %" PRId64, w);
    stall_html_panel_title(p, i, more);
}

static void put_mark_keys(stall_plot *p, bool multiples)
{
    int64_t w = stall_plot_workers(p);
    bool workers = false, period = false;
    char words[WORDS_MAX], value[32] = "";

    for (size_t i = 0; i < p->panels.len; i++) {
        workers |= stall_run_workers(p->panels.runs[i]) >= 1;
        period |= stall_run_period(p->panels.runs[i]) >= 1;
    }
    if (w >= 1)
        snprintf(value, sizeof(value), " = %" PRId64, w);
    snprintf(words, sizeof(words), "num_workers%s%s", value,
             multiples && (w == STALL_UNKNOWN || w >= 2) ? ", multiples" : "");
    if (workers)
        stall_html_key(p, STALL_KEY_LINE, "workers", words);
    if (period)
        stall_html_key(p, STALL_KEY_FALL, "period", "period found");
}

/* ---- gaps ---- */

typedef struct extent {
    int64_t gap;    /* the longest that is drawn or marked */
    uint64_t count; /* the most frequent */
    bool sampled;
} extent;

static void find_extent(const stall_plot *p, extent *e)
{
    *e = (extent){.gap = 7, .count = 1};
    for (size_t i = 0; i < p->panels.len; i++) {
        const stall_run *run = p->panels.runs[i];
        const stall_cadence *c = &run->analysis.cadence;

        for (size_t k = 0; k < c->gap_hist_len; k++) {
            e->gap = c->gap_hist[k].key > e->gap ? c->gap_hist[k].key : e->gap;
            e->count = c->gap_hist[k].count > e->count ? c->gap_hist[k].count : e->count;
        }
        if (c->gap_hist_len > 0 && stall_run_workers(run) > e->gap)
            e->gap = stall_run_workers(run);
        e->gap = c->period > e->gap ? c->period : e->gap;
        e->sampled |= run->analysis.input.stride > 1;
    }
}

/* Of too many gaps, the most frequent of each group of neighbours. */
static void put_gap_bars(stall_panel *c, const stall_cadence *d)
{
    size_t group = (d->gap_hist_len + BARS_MOST - 1) / BARS_MOST;

    stall_out_printf(c->o, "<path class=\"%s\" d=\"", c->log[0] ? "bar thin" : "bar");
    for (size_t k = 0; k < d->gap_hist_len; k += group) {
        const stall_bin *best = &d->gap_hist[k];

        for (size_t j = k; j < k + group && j < d->gap_hist_len; j++)
            if (d->gap_hist[j].count > best->count)
                best = &d->gap_hist[j];
        stall_svg_to(c, "M", (double)best->key, 0);
        stall_svg_to(c, "L", (double)best->key, (double)best->count);
    }
    stall_out_put(c->o, "\"/>\n");
}

static void put_gaps(stall_plot *p, size_t i, const extent *e)
{
    const stall_run *run = p->panels.runs[i];
    const stall_cadence *d = &run->analysis.cadence;
    bool log = e->gap > LINEAR_MAX;
    stall_panel c = {
        .o = p->o,
        .p = p,
        .low = {log ? 0.8 : 0, 0},
        .high = {log ? (double)e->gap * 1.4 : (double)e->gap + 1, (double)e->count * 1.12},
        .log = {log, false}};
    char words[WORDS_MAX];

    put_title(p, i);
    snprintf(words, sizeof(words),
             "How often each gap between stalls occurs: %" PRIu64 " gaps, %zu different.", d->gaps,
             d->gap_hist_len);
    stall_svg_open(&c, words);
    stall_svg_whole_ticks(&c, 'y');
    stall_svg_whole_ticks(&c, 'x');
    if (d->gap_hist_len > 0) {
        put_gap_bars(&c, d);
        put_marks(&c, run, e->gap, false);
    } else {
        snprintf(words, sizeof(words), "no gaps: %" PRIu64 " stall%s", d->stalls,
                 d->stalls == 1 ? "" : "s");
        stall_svg_empty(&c, words);
    }
    stall_svg_close(&c,
                    e->sampled ? "gap between stalls (logged steps)" : "gap between stalls (steps)",
                    "how often");
    stall_out_put(p->o, "</div>\n");
}

void stall_html_gaps(stall_plot *p)
{
    extent e;

    find_extent(p, &e);
    stall_html_figure_open(p, "Gaps between stalls", false);
    for (size_t i = 0; i < p->panels.len; i++)
        put_gaps(p, i, &e);
    stall_html_key_open(p);
    stall_html_key(p, STALL_KEY_BAR, "bar", "gaps");
    put_mark_keys(p, false);
    stall_html_figure_close(p);
}

/* ---- recurrence ---- */

static bool is_drawn(const stall_recurrence *g, int64_t limit)
{
    return g->pairs > 0 && g->lag <= limit;
}

/* Lags with many pairs, or with few; a stem each, then its dot. */
static void put_lags(stall_panel *c, const stall_cadence *d, int64_t limit, bool few, bool dots)
{
    stall_out_printf(c->o, "<path class=\"%s%s\" d=\"", dots ? "dot" : "rise", few ? " few" : "");
    for (size_t k = 0; k < d->recurrence_len; k++) {
        const stall_recurrence *g = &d->recurrence[k];
        double share = g->pairs > 0 ? (double)g->hits / (double)g->pairs : 0;

        if (!is_drawn(g, limit) || (g->pairs < FEW_PAIRS) != few)
            continue;
        if (dots) {
            stall_svg_to(c, "M", (double)g->lag, share);
            stall_out_put(c->o, "h0");
        } else if (g->hits > 0) {
            stall_svg_to(c, "M", (double)g->lag, 0);
            stall_svg_to(c, "L", (double)g->lag, share);
        }
    }
    stall_out_put(c->o, "\"/>\n");
}

static void put_recurrence(stall_plot *p, size_t i, int64_t limit)
{
    const stall_run *run = p->panels.runs[i];
    const stall_cadence *d = &run->analysis.cadence;
    stall_panel c = {
        .o = p->o, .p = p, .low = {0, 0}, .high = {(double)limit + 1, 1.1}, .log = {false, false}};
    size_t drawn = 0;

    for (size_t k = 0; k < d->recurrence_len; k++)
        drawn += is_drawn(&d->recurrence[k], limit);
    put_title(p, i);
    stall_svg_open(&c, "Share of the stalls that another stall follows, against the distance in "
                       "steps; a cadence stands out at its multiples.");
    stall_svg_share_ticks(&c);
    stall_svg_whole_ticks(&c, 'x');
    if (drawn > 0) {
        put_marks(&c, run, limit, true);
        if (d->stalls >= 2 && d->positions >= 2) /* what random places would give at every lag */
            stall_svg_line(&c, 'y', (double)(d->stalls - 1) / (double)(d->positions - 1), "random");
        for (int dots = 0; dots < 2; dots++)
            for (int few = 0; few < 2; few++)
                put_lags(&c, d, limit, few, dots);
    } else {
        stall_svg_empty(&c, d->stalls == 0   ? "no stalls"
                            : d->stalls == 1 ? "one stall only"
                                             : "no pairs of stalls");
    }
    stall_svg_close(&c, run->analysis.input.stride > 1 ? "lag (logged steps)" : "lag (steps)",
                    "stalls that recur");
    stall_out_put(p->o, "</div>\n");
}

void stall_html_recurrence(stall_plot *p)
{
    int64_t limit = 8;
    char words[WORDS_MAX];

    for (size_t i = 0; i < p->panels.len; i++) {
        const stall_cadence *d = &p->panels.runs[i]->analysis.cadence;

        for (size_t k = 0; k < d->recurrence_len; k++)
            if (d->recurrence[k].lag > limit && is_drawn(&d->recurrence[k], BARS_MOST))
                limit = d->recurrence[k].lag;
    }
    stall_html_figure_open(p, "Share of stalls that recur after a lag", false);
    for (size_t i = 0; i < p->panels.len; i++)
        put_recurrence(p, i, limit);
    stall_html_key_open(p);
    stall_html_key(p, STALL_KEY_DOT, "dot", "recurrence");
    snprintf(words, sizeof(words), "fewer than %d pairs", FEW_PAIRS);
    stall_html_key(p, STALL_KEY_DOT, "dot few", words);
    stall_html_key(p, STALL_KEY_LINE, "random", "random places");
    put_mark_keys(p, true);
    stall_html_figure_close(p);
}
