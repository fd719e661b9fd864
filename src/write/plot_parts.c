/* What the pictures share inside a panel: names of runs, and the marks of a cadence.
 *
 * Enters: a run of the picture. Leaves: gnuplot commands. It must not know pages or data. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define LABEL_LEAST 20 /* bytes that a label always has */
#define MULTIPLES 16   /* of num_workers that are marked */

size_t stall_plot_name_text(const stall_plot *p, size_t i, const char *more,
                            char ret[STALL_PLOT_TEXT_MAX])
{
    const stall_run *run = p->panels.runs[i];
    const char *side = stall_side_name(run->side), *text = run->label != NULL ? run->label : "";
    char label[STALL_PLOT_NAME_MAX], pass[32] = "";
    size_t rest, room = LABEL_LEAST;
    bool same = side != NULL && strcmp(side, text) == 0;

    if (run->side >= 0 && p->report->compare.side[run->side].passes_len > 1)
        snprintf(pass, sizeof(pass), " (pass %d)", run->pass);
    rest = (side != NULL ? strlen(side) + 2 : 0) + strlen(pass) + strlen(more) +
           (stall_run_partial(run) ? strlen(" PARTIAL") : 0);
    if (rest + room < sizeof(label))
        room = sizeof(label) - rest;
    stall_text_printable(label, room, text, strlen(text));
    snprintf(ret, STALL_PLOT_TEXT_MAX, "%s%s%s%s%s%s", side != NULL ? side : "",
             side != NULL && !same ? ": " : "", same ? "" : label, pass,
             stall_run_partial(run) ? " PARTIAL" : "", more);
    return strlen(ret);
}

void stall_plot_run_name(stall_plot *p, size_t i, const char *more)
{
    char name[STALL_PLOT_TEXT_MAX];

    stall_plot_name_text(p, i, more, name);
    stall_out_gnuplot(p->o, name);
}

double stall_plot_threshold(const stall_plot *p)
{
    double t = p->panels.len > 0 ? p->panels.runs[0]->analysis.threshold.ms : NAN;

    for (size_t i = 1; i < p->panels.len; i++)
        if (p->panels.runs[i]->analysis.threshold.ms != t)
            return NAN;
    return t > 0 ? t : NAN;
}

/* num_workers where it can be compared with a gap: not when steps were sampled. */
int64_t stall_run_workers(const stall_run *run)
{
    const stall_analysis *a = &run->analysis;

    return a->input.stride <= 1 && a->facts.num_workers >= 1 ? a->facts.num_workers : STALL_UNKNOWN;
}

int64_t stall_plot_workers(const stall_plot *p)
{
    int64_t w = p->panels.len > 0 ? stall_run_workers(p->panels.runs[0]) : STALL_UNKNOWN;

    for (size_t i = 1; i < p->panels.len; i++)
        if (stall_run_workers(p->panels.runs[i]) != w)
            return STALL_UNKNOWN;
    return w;
}

/* The period that is drawn: stalls at every step are no cadence. */
int64_t stall_run_period(const stall_run *run)
{
    const stall_cadence *c = &run->analysis.cadence;

    return c->kind == STALL_CADENCE_EVERY_STEP ? STALL_UNKNOWN : c->period;
}

void stall_plot_empty(stall_plot *p, const char *words)
{
    stall_out_put(p->o, "set label ");
    stall_out_gnuplot(p->o, words);
    stall_out_put(p->o, " at graph 0.5,0.5 center tc rgb '#555555'\n");
}

void stall_plot_cadence_marks(stall_plot *p, const stall_run *run, int64_t limit, bool multiples)
{
    int64_t w = stall_run_workers(run), period = stall_run_period(run);

    for (int64_t k = 1; w >= 1 && k <= (multiples && w >= 2 ? MULTIPLES : 1); k++) {
        if (k > limit / w)
            break;
        stall_out_printf(p->o,
                         "set arrow from first %" PRId64 ", graph 0 to first %" PRId64
                         ", graph 1 nohead %s dt 2 lw %s lc rgb '" STALL_PLOT_GREEN "'\n",
                         k * w, k * w, multiples ? "back" : "front", k == 1 ? "2" : "1");
    }
    if (period >= 1 && period <= limit)
        stall_out_printf(p->o,
                         "set label '' at first %" PRId64
                         ", graph 1.0 point pt 11 ps 1.3 lc rgb '" STALL_PLOT_VERMILLION "'\n",
                         period);
}

void stall_plot_cadence_key(stall_plot *p, bool multiples)
{
    int64_t w = stall_plot_workers(p);
    bool workers = false, period = false;

    for (size_t i = 0; i < p->panels.len; i++) {
        workers |= stall_run_workers(p->panels.runs[i]) >= 1;
        period |= stall_run_period(p->panels.runs[i]) >= 1;
    }
    if (workers) {
        stall_out_put(p->o, "keyentry with lines dt 2 lw 2 lc rgb '" STALL_PLOT_GREEN
                            "' title 'num_workers");
        if (w >= 1)
            stall_out_printf(p->o, " = %" PRId64, w);
        stall_out_put(p->o, multiples && (w == STALL_UNKNOWN || w >= 2) ? ", multiples', \\\n     "
                                                                        : "', \\\n     ");
    }
    if (period)
        stall_out_put(p->o, "keyentry with points pt 11 ps 1.3 lc rgb '" STALL_PLOT_VERMILLION
                            "' title 'period found', \\\n     ");
}

void stall_plot_cadence_title(stall_plot *p, size_t i)
{
    const stall_run *run = p->panels.runs[i];
    int64_t period = run->analysis.cadence.period_steps, w = stall_run_workers(run);
    char more[96] = "";
    size_t used = 0;

    if (stall_run_period(run) >= 1 && period >= 1)
        used = (size_t)snprintf(more, sizeof(more), ", period %" PRId64 " step%s", period,
                                period == 1 ? "" : "s");
    if (w >= 1 && stall_plot_workers(p) != w)
        snprintf(more + used, sizeof(more) - used, ", num_workers %" PRId64, w);
    stall_out_put(p->o, "set title ");
    stall_plot_run_name(p, i, more);
    stall_out_put(p->o, " offset 0,-0.3\n");
}
