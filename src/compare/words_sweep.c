/* What a sweep of the worker count found, in its first lines.
 *
 * Enters: the report with its sweep. Leaves: the names of rows, the verdict line, and what would
 * settle an open verdict. It must not compute statistics. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define GAP_NONE (-1.0)

/* ---- names ---- */

void stall_words_pool(stall_text *t, int64_t workers)
{
    stall_text_printf(t, "%" PRId64 " worker%s", workers, workers == 1 ? "" : "s");
}

/* Which facts the rows differ in; only those are worth naming. */
static void find_differences(const stall_report *r, bool *revision, bool *pass, bool *prefetch)
{
    const stall_sweep *s = &r->sweep;

    *revision = *pass = *prefetch = false;
    for (size_t i = 1; i < r->runs_len; i++) {
        const stall_sweep_row *a = &s->rows[0], *b = &s->rows[i];

        *revision |= (a->revision == NULL) != (b->revision == NULL) ||
                     (a->revision != NULL && strcmp(a->revision, b->revision) != 0);
        *pass |= r->runs[i].pass != r->runs[0].pass;
        for (size_t k = 0; k < i; k++)
            *prefetch |= s->rows[k].prefetch != STALL_UNKNOWN && b->prefetch != STALL_UNKNOWN &&
                         s->rows[k].prefetch != b->prefetch;
    }
}

/* Does another run have all the same settings? */
static bool ambiguous(const stall_report *r, size_t at)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (i != at && r->runs[i].pass == r->runs[at].pass &&
            stall_sweep_alike(&r->sweep, at, i, true, true, true))
            return true;
    return false;
}

void stall_words_row(stall_text *t, const stall_report *r, size_t i)
{
    const stall_sweep_row *row = &r->sweep.rows[i];
    bool revision, pass, prefetch;
    const char *between = " (";

    if (ambiguous(r, i)) { /* its name says more */
        stall_text_printf(t, "%s (", r->runs[i].label);
        stall_words_pool(t, row->workers);
        stall_text_put(t, ")");
        return;
    }
    find_differences(r, &revision, &pass, &prefetch);
    stall_words_pool(t, row->workers);
    if (revision && row->revision != NULL) {
        stall_text_printf(t, "%s%s", between, row->revision);
        between = ", ";
    }
    if (row->in_order == 0) {
        stall_text_printf(t, "%sunordered", between);
        between = ", ";
    }
    if (prefetch && row->prefetch != STALL_UNKNOWN) {
        stall_text_printf(t, "%sprefetch %" PRId64, between, row->prefetch);
        between = ", ";
    }
    if (pass && r->runs[i].pass > 0) {
        stall_text_printf(t, "%spass %d", between, r->runs[i].pass);
        between = ", ";
    }
    stall_text_put(t, strcmp(between, ", ") == 0 ? ")" : "");
}

/* ---- gaps by worker count ---- */

static bool counts(const stall_sweep_row *row)
{
    return row->workers >= 1 && row->follows >= 0;
}

/* Rows whose gaps the headline names: unordered ones are a control, and stand beside. */
static bool named(const stall_sweep_row *row)
{
    return counts(row) && row->in_order != 0;
}

static double gap_of(const stall_sweep_row *row)
{
    return row->period != STALL_UNKNOWN ? (double)row->period : row->gap_median;
}

/* The next worker count above `last` among rows that count, or STALL_UNKNOWN. */
static int64_t next_count(const stall_report *r, int64_t last)
{
    int64_t ret = STALL_UNKNOWN;

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (named(row) && row->workers > last && (ret == STALL_UNKNOWN || row->workers < ret))
            ret = row->workers;
    }
    return ret;
}

/* The gap that all rows of a worker count share (of any, for STALL_UNKNOWN), or GAP_NONE. */
static double common_gap(const stall_report *r, int64_t workers)
{
    double ret = GAP_NONE;

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (!named(row) || (workers != STALL_UNKNOWN && row->workers != workers))
            continue;
        if (ret != GAP_NONE && ret != gap_of(row))
            return GAP_NONE;
        ret = gap_of(row);
    }
    return ret;
}

static void put_steps(stall_text *t, double gap)
{
    char buf[WORDS_FIGURE_MAX];

    stall_text_printf(t, "%s step%s", stall_words_plain(buf, gap), gap == 1 ? "" : "s");
}

/* "7 steps with 1, 2 and 4 workers" or "1 step with 1 worker, 2 steps with 2 workers". */
static void put_gaps(stall_text *t, const stall_report *r)
{
    double all = common_gap(r, STALL_UNKNOWN);
    int64_t w = next_count(r, 0), next;

    if (all != GAP_NONE) {
        put_steps(t, all);
        stall_text_put(t, " with ");
        for (; (next = next_count(r, w)) != STALL_UNKNOWN; w = next)
            stall_text_printf(t, "%" PRId64 "%s", w,
                              next_count(r, next) == STALL_UNKNOWN ? " and " : ", ");
        stall_words_pool(t, w);
        return;
    }
    for (const char *between = ""; w != STALL_UNKNOWN; w = next_count(r, w), between = ", ") {
        double gap = common_gap(r, w);

        stall_text_put(t, between);
        if (gap == GAP_NONE)
            stall_text_put(t, "not the same in every run");
        else
            put_steps(t, gap);
        stall_text_put(t, " with ");
        stall_words_pool(t, w);
    }
}

/* ---- headline ---- */

/* Why a sweep of workers cannot be read, without a full stop. */
static void put_lacking(stall_text *t, const stall_report *r)
{
    const stall_sweep *s = &r->sweep;
    int64_t w = next_count(r, 1);

    if (s->counts < 2) {
        stall_text_put(t, "every run has ");
        stall_words_pool(t, s->rows[0].workers);
        stall_text_put(t, ", which cannot show whether the gap between stalls follows the count");
    } else if (w == STALL_UNKNOWN) {
        bool pools = false;

        for (size_t i = 0; i < r->runs_len; i++)
            pools |= s->rows[i].workers >= 2;
        stall_text_put(t, pools ? "no run with 2 workers or more shows gaps between stalls that "
                                  "are evidence"
                                : "no run has 2 workers or more, and with 0 or 1 any gap fits");
    } else {
        stall_text_put(t, "only the runs with ");
        stall_words_pool(t, w);
        stall_text_put(t, " show gaps between stalls that are evidence");
    }
}

/* How many pairs of a kind there are, and whether all of them came out alike. */
static size_t count_controls(const stall_sweep *s, stall_control_kind kind,
                             const stall_control **ret_first, bool *ret_alike)
{
    size_t n = 0;

    *ret_alike = true;
    for (size_t i = 0; i < s->controls_len; i++) {
        if (s->controls[i].kind != kind)
            continue;
        if (n++ == 0)
            *ret_first = &s->controls[i];
        *ret_alike &= s->controls[i].outcome == (*ret_first)->outcome;
    }
    return n;
}

/* What all pairs of a kind say of the cadence; its period where they share it. */
static void put_period(stall_text *t, const stall_report *r, const stall_control *c)
{
    bool order = c->kind == STALL_CONTROL_IN_ORDER, gone = c->outcome == STALL_CONTROL_IMPLICATED;
    int64_t period = r->runs[c->base].analysis.cadence.period_steps;
    bool shared = true;

    for (size_t i = 0; i < r->sweep.controls_len; i++)
        shared &= r->sweep.controls[i].kind != c->kind ||
                  r->runs[r->sweep.controls[i].base].analysis.cadence.period_steps == period;
    stall_text_printf(t, "%s %s the cadence: the period ",
                      order ? "delivery in order" : "the prefetch factor",
                      gone ? "takes part in" : "is not the main cause of");
    if (shared)
        stall_text_printf(t, "of %" PRId64 " steps ", period);
    stall_text_put(t, gone && order ? "is gone without it"
                      : gone        ? "is gone"
                      : order       ? "survives real overtaking"
                                    : "stays");
}

static void put_control(stall_text *t, const stall_report *r, const stall_control *c, size_t n,
                        bool alike)
{
    bool order = c->kind == STALL_CONTROL_IN_ORDER;
    const stall_sweep_row *base = &r->sweep.rows[c->base], *other = &r->sweep.rows[c->other];
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX], change[WORDS_FIGURE_MAX];

    stall_text_put(t, order ? "ORDER CONTROL" : "PREFETCH CONTROL");
    stall_text_put(t, r->partial ? " (PARTIAL input): " : ": ");
    if (!alike)
        stall_text_printf(t, "%zu pairs that do not agree", n);
    else if (c->outcome == STALL_CONTROL_DID_NOT_ACT)
        stall_text_put(t, "nothing overtook, so it controlled nothing");
    else if (c->outcome == STALL_CONTROL_UNDECIDED)
        stall_text_put(t, "undecided");
    else
        put_period(t, r, c);
    if (n > 1 && alike) {
        stall_text_printf(t, " (%zu pairs)", n);
        return;
    }
    if (!alike)
        return;
    stall_text_printf(t, "; mean wait %s -> %s (%s)", stall_words_ms(a, base->mean),
                      stall_words_ms(b, other->mean),
                      stall_words_change(change, other->mean / base->mean));
}

void stall_words_headline_sweep(stall_text *t, const stall_report *r)
{
    static const char *const shouts[] = {"INSUFFICIENT", "FOLLOWS", "DOES NOT FOLLOW", "PARTLY"};
    const stall_sweep *s = &r->sweep;
    const stall_control *first = NULL;
    bool alike;
    size_t n, fit[2] = {0, 0}, all[2] = {0, 0}; /* ordered, unordered */

    if (s->counts < 2) { /* a control, and no sweep of workers */
        n = count_controls(s, STALL_CONTROL_IN_ORDER, &first, &alike);
        if (n == 0)
            n = count_controls(s, STALL_CONTROL_PREFETCH, &first, &alike);
        if (n > 0) {
            put_control(t, r, first, n, alike);
            return;
        }
    }
    stall_text_printf(t, "%s%s: ", shouts[s->verdict], r->partial ? " (PARTIAL input)" : "");
    if (s->verdict == STALL_SWEEP_INSUFFICIENT) {
        put_lacking(t, r);
        return;
    }
    stall_text_put(t, "the gap between stalls is ");
    put_gaps(t, r);
    if (s->verdict != STALL_SWEEP_PARTLY)
        return;
    for (size_t i = 0; i < r->runs_len; i++) {
        bool unordered = s->rows[i].in_order == 0;

        all[unordered] += counts(&s->rows[i]);
        fit[unordered] += counts(&s->rows[i]) && s->rows[i].follows == 1;
    }
    stall_text_printf(t, "; it is the worker count in %zu of %zu %sruns", fit[0], all[0],
                      all[1] > 0 ? "ordered " : "");
    if (all[1] > 0)
        stall_text_printf(t, " and %zu of %zu unordered", fit[1], all[1]);
}

/* ---- what would settle it ---- */

void stall_words_need_sweep(stall_text *t, const stall_report *r)
{
    const stall_sweep *s = &r->sweep;
    int64_t w = next_count(r, 1);

    if (s->counts < 2 && s->controls_len > 0)
        return; /* no sweep was meant */
    if (s->verdict == STALL_SWEEP_INSUFFICIENT)
        stall_text_printf(
            t,
            "Runs with %s workers, beside those here, of 32 steps or more each, every "
            "step logged, in both directions.",
            w == STALL_UNKNOWN ? "2 and 4"
            : w == 2           ? "4 and 8"
                               : "2 and 8");
    else if (s->evidence < 2 && w != STALL_UNKNOWN)
        stall_text_printf(t,
                          "Another worker count above 1, such as %d or %" PRId64
                          ", whose stalls stand out: of the runs here only those with %" PRId64
                          " workers are evidence, since with 1 any gap fits.",
                          w == 3 ? 4 : 3, w < INT64_MAX / 2 ? 2 * w : w, w);
}
