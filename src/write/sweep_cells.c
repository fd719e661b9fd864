/* A row of a sweep as texts.
 *
 * Enters: the sweep of the model. Leaves: one text a cell, the same in every table for people; what
 * is not known is a dash. Texts of inputs are printable and cut, not yet escaped for a target. It
 * computes nothing and must not know documents. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define NAME_MAX_CELL 48 /* bytes of a name */

const char *stall_sweep_head(char buf[STALL_CELL_MAX], stall_sweep_cell cell, const stall_report *r)
{
    static const char *const heads[STALL_SWEEP_CELLS] = {
        "run",    "revision", "pass", "W",   "prefetch", "order", "overtook", "steps",   "mean",
        "median", "p95",      "> ",   "gap", "period",   "p",     "fits W",   "follows",
    };
    char time[STALL_FIGURE_MAX];

    snprintf(buf, STALL_CELL_MAX, "%s%s", heads[cell],
             cell == STALL_CELL_STALLS ? stall_time_text(time, r->sweep.threshold_ms) : "");
    return buf;
}

static const char *dash(char buf[STALL_CELL_MAX])
{
    return strcpy(buf, "-");
}

static const char *whole(char buf[STALL_CELL_MAX], int64_t v)
{
    if (v == STALL_UNKNOWN)
        return dash(buf);
    snprintf(buf, STALL_CELL_MAX, "%" PRId64, v);
    return buf;
}

static const char *name(char buf[STALL_CELL_MAX], const char *text)
{
    if (text == NULL || *text == '\0')
        return dash(buf);
    stall_text_printable(buf, NAME_MAX_CELL, text, strlen(text));
    return buf;
}

static const char *truth(char buf[STALL_CELL_MAX], int v)
{
    return strcpy(buf, v < 0 ? "-" : v > 0 ? "yes" : "no");
}

static const char *figure(char buf[STALL_CELL_MAX], const char *text)
{
    snprintf(buf, STALL_CELL_MAX, "%s", strcmp(text, STALL_NOT_MEASURED) == 0 ? "-" : text);
    return buf;
}

/* One digit is enough for how sure a period is. */
static const char *chance(char buf[STALL_CELL_MAX], double p)
{
    char text[64];

    if (isnan(p))
        return dash(buf);
    if (p >= 0.001)
        snprintf(buf, STALL_CELL_MAX, "%s", stall_fixed_text(text, p, 3));
    else
        snprintf(buf, STALL_CELL_MAX, "%.0e", p); /* no decimal point, so no locale */
    return buf;
}

const char *stall_sweep_text(char buf[STALL_CELL_MAX], stall_sweep_cell cell, const stall_report *r,
                             size_t i)
{
    const stall_sweep_row *row = &r->sweep.rows[i];
    const stall_order *order = &r->runs[i].analysis.extras.order;
    char text[STALL_FIGURE_MAX];

    switch (cell) {
    case STALL_CELL_RUN:
        return name(buf, r->runs[i].label);
    case STALL_CELL_REVISION:
        return name(buf, row->revision);
    case STALL_CELL_PASS:
        return whole(buf, r->runs[i].pass > 0 ? r->runs[i].pass : STALL_UNKNOWN);
    case STALL_CELL_WORKERS:
        return whole(buf, row->workers);
    case STALL_CELL_PREFETCH:
        return whole(buf, row->prefetch);
    case STALL_CELL_ORDER:
        return truth(buf, row->in_order);
    case STALL_CELL_OVERTOOK:
        return whole(buf, order->known ? (int64_t)order->overtaking : STALL_UNKNOWN);
    case STALL_CELL_STEPS:
        return whole(buf, (int64_t)row->n);
    case STALL_CELL_MEAN:
        return figure(buf, stall_time_text(text, row->mean));
    case STALL_CELL_MEDIAN:
        return figure(buf, stall_time_text(text, row->p50));
    case STALL_CELL_P95:
        return figure(buf, stall_quantile_text(text, row->p95, row->n, 95));
    case STALL_CELL_STALLS:
        return whole(buf, (int64_t)row->stalls);
    case STALL_CELL_GAP:
        return figure(buf, stall_plain_text(text, row->gap_median));
    case STALL_CELL_PERIOD:
        return whole(buf, row->period);
    case STALL_CELL_P:
        return chance(buf, row->p_adj);
    case STALL_CELL_FIT:
        return figure(buf, stall_share_text(text, row->coverage_w));
    case STALL_CELL_FOLLOWS:
        return truth(buf, row->follows);
    case STALL_SWEEP_CELLS:
        break;
    }
    return dash(buf);
}

/* Columns of settings say something only where they differ. */
bool stall_sweep_blank(stall_sweep_cell cell, const stall_report *r)
{
    bool setting = cell == STALL_CELL_PREFETCH || cell == STALL_CELL_ORDER;
    char first[STALL_CELL_MAX], text[STALL_CELL_MAX];
    bool unordered = false, same = true;

    for (size_t i = 0; i < r->runs_len; i++)
        unordered |= r->sweep.rows[i].in_order == 0;
    if (cell == STALL_CELL_OVERTOOK)
        return !unordered;
    stall_sweep_text(first, cell, r, 0);
    for (size_t i = 1; i < r->runs_len; i++) {
        stall_sweep_text(text, cell, r, i);
        if (setting && strcmp(text, "-") == 0) /* without workers there is no such setting */
            continue;
        if (setting && strcmp(first, "-") == 0)
            strcpy(first, text);
        same = same && strcmp(first, text) == 0;
    }
    return same && (setting || strcmp(first, "-") == 0) && cell != STALL_CELL_GAP &&
           cell != STALL_CELL_PERIOD && cell != STALL_CELL_FOLLOWS;
}
