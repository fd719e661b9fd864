/* gaps.gp: how often each gap between stalls occurs, with num_workers and the period.
 *
 * Enters: the gap histogram of each run. Leaves: bars; on a logarithmic axis where gaps are long,
 * so that 4 and 4000 can both be seen. It must not know what a gap means. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "write/write.h"

#define LINEAR_MAX 64 /* longest gap on a linear axis */
/* Light inside, so that the line of num_workers shows in front of it. */
#define BAR "fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '" STALL_PLOT_BLUE "'"

typedef struct extent {
    int64_t gap;    /* the longest that is drawn or marked */
    uint64_t count; /* the most frequent gap; sides of a comparison share the scale */
    bool log, sampled;
} extent;

static uint64_t most_frequent(const stall_cadence *c)
{
    uint64_t most = 1;

    for (size_t k = 0; k < c->gap_hist_len; k++)
        most = c->gap_hist[k].count > most ? c->gap_hist[k].count : most;
    return most;
}

static void find_extent(const stall_plot *p, extent *e)
{
    *e = (extent){.gap = 7, .count = 1};
    for (size_t i = 0; i < p->panels.len; i++) {
        const stall_analysis *a = &p->panels.runs[i]->analysis;
        const stall_cadence *c = &a->cadence;

        for (size_t k = 0; k < c->gap_hist_len; k++)
            e->gap = c->gap_hist[k].key > e->gap ? c->gap_hist[k].key : e->gap;
        e->count = most_frequent(c) > e->count ? most_frequent(c) : e->count;
        e->gap = c->period > e->gap ? c->period : e->gap;
        if (c->gap_hist_len > 0 && a->facts.num_workers > e->gap)
            e->gap = a->facts.num_workers;
        e->sampled |= a->input.stride > 1;
    }
    e->log = e->gap > LINEAR_MAX;
}

/* Rows "gap count". Of too many gaps, the most frequent of each group of neighbours. */
static void put_block(stall_plot *p, size_t i, const stall_cadence *c)
{
    size_t group = (c->gap_hist_len + STALL_PLOT_POINTS - 1) / STALL_PLOT_POINTS;

    stall_out_printf(p->o, "\n$run%zu << EOD\n", i + 1);
    for (size_t k = 0; k < c->gap_hist_len; k += group) {
        const stall_bin *best = &c->gap_hist[k];

        for (size_t j = k; j < k + group && j < c->gap_hist_len; j++)
            if (c->gap_hist[j].count > best->count)
                best = &c->gap_hist[j];
        stall_out_printf(p->o, "%" PRId64 " %" PRIu64 "\n", best->key, best->count);
    }
    stall_out_put(p->o, "EOD\n");
}

static void put_panel(stall_plot *p, size_t i, const extent *e)
{
    const stall_run *run = p->panels.runs[i];
    const stall_cadence *c = &run->analysis.cadence;
    bool shared = p->report->command == STALL_COMMAND_COMPARE, left = stall_plot_has_left(p, i);
    double top = (double)(shared ? e->count : most_frequent(c)) * 1.12;
    char words[64];

    stall_plot_panel(
        p, i, e->sampled ? "gap between stalls (logged steps)" : "gap between stalls (steps)",
        left ? "" : "how often");
    stall_plot_cadence_title(p, i);
    stall_plot_range(p, 'y', 0, top);
    stall_plot_whole_ticks(p, 'y', 0, top, !shared || !left);
    if (e->log) {
        stall_out_put(p->o, "set logscale x\nset xtics 10\nset format x '%.0f'\n");
        stall_plot_range(p, 'x', 0.8, (double)e->gap * 1.4);
    } else {
        stall_plot_range(p, 'x', 0, (double)e->gap + 1);
        stall_plot_whole_ticks(p, 'x', 0, (double)e->gap + 1, true);
    }
    if (c->gap_hist_len > 0) {
        stall_plot_cadence_marks(p, run, e->gap, false);
    } else {
        snprintf(words, sizeof(words), "no gaps: %" PRIu64 " stall%s", c->stalls,
                 c->stalls == 1 ? "" : "s");
        stall_plot_empty(p, words);
    }
    stall_out_put(p->o, "plot ");
    if (c->gap_hist_len > 0)
        stall_out_printf(p->o,
                         e->log ? "$run%zu using 1:2 with impulses lw 2 lc rgb '" STALL_PLOT_BLUE
                                  "' notitle, \\\n     "
                                : "$run%zu using 1:2:(0.7) with boxes " BAR " notitle, \\\n     ",
                         i + 1);
    stall_out_put(p->o, "NaN notitle\n");
}

static void put_key(stall_plot *p)
{
    stall_plot_key(p, "horizontal");
    stall_out_put(p->o, "keyentry with boxes " BAR " title 'gaps', \\\n     ");
    stall_plot_cadence_key(p, false);
    stall_out_put(p->o, "NaN notitle\n");
}

void stall_plot_gaps(stall_plot *p)
{
    extent e;

    find_extent(p, &e);
    stall_plot_open(p, "Gaps between stalls", p->panels.rows > 1 ? 150 : 240, STALL_PLOT_KEY);
    for (size_t i = 0; i < p->panels.len; i++)
        if (p->panels.runs[i]->analysis.cadence.gap_hist_len > 0)
            put_block(p, i, &p->panels.runs[i]->analysis.cadence);
    for (size_t i = 0; i < p->panels.len; i++)
        put_panel(p, i, &e);
    put_key(p);
}
