/* What a sweep tells beyond its verdict: the mean wait, where supply ends, and rows that are no
 * evidence.
 *
 * Enters: the report with its sweep. Leaves: findings, each once: what was seen and what it
 * suggests. A cause is never taken as known. It must not know documents. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define NAMED 4        /* rows that are named one by one; the rest is counted */
#define RISE 1.15      /* times the lowest mean from which it is said to rise again */
#define COST_GROWS 1.5 /* times the smallest cost of a batch from which workers do not add up */
#define HARDLY_MS 10.0 /* a mean wait below is no problem where step times are unknown */

/* Adds the text as a finding; closes it. */
static void add(compare_list *l, const char *code, stall_text *t)
{
    if (t->failed)
        l->failed = true;
    else if (t->len > 0)
        stall_list_add(l, code, "%s", t->data + (t->data[0] == ' '));
    stall_text_close(t);
}

/* ---- the cadence ---- */

/* Does a row speak for a period that ignores the pool? An unordered one is a control. */
static bool stays(const stall_sweep_row *row)
{
    return row->follows == 0 && row->workers >= 1 && row->in_order != 0;
}

/* The smallest period of the rows that do not follow when all others of them are multiples of it,
 * or STALL_UNKNOWN. */
static int64_t fixed_gap(const stall_report *r, bool *ret_same)
{
    int64_t least = STALL_UNKNOWN;

    *ret_same = true;
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (!stays(row))
            continue;
        if (row->period == STALL_UNKNOWN || row->period < 2)
            return STALL_UNKNOWN;
        if (least == STALL_UNKNOWN || row->period < least)
            least = row->period;
    }
    for (size_t i = 0; i < r->runs_len && least != STALL_UNKNOWN; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (!stays(row))
            continue;
        *ret_same &= row->period == least;
        if (row->period % least != 0)
            return STALL_UNKNOWN;
    }
    return least;
}

static void put_misfits(stall_text *t, const stall_report *r)
{
    size_t n = 0;
    bool control = false;
    char gap[WORDS_FIGURE_MAX];

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (row->follows != 0 || row->workers < 1)
            continue;
        control |= row->in_order == 0;
        if (n++ >= NAMED)
            continue;
        stall_text_put(t, n == 1 ? " It does not fit " : "; ");
        stall_words_row(t, r, i);
        stall_words_plain(gap,
                          row->period != STALL_UNKNOWN ? (double)row->period : row->gap_median);
        stall_text_printf(t, " (%s %s)", row->period != STALL_UNKNOWN ? "period" : "median gap",
                          gap);
    }
    if (n > NAMED)
        stall_text_printf(t, " and %zu more", n - NAMED);
    stall_text_put(t, n > 0 ? "." : "");
    if (control)
        stall_text_put(t, " An unordered run is a control: there another gap is no contradiction.");
}

static void read_cadence(const stall_report *r, compare_list *l)
{
    const stall_sweep *s = &r->sweep;
    bool same;
    int64_t k = fixed_gap(r, &same);
    char slope[64];
    stall_text t;

    if (s->verdict == STALL_SWEEP_INSUFFICIENT)
        return;
    stall_text_init(&t);
    if (s->verdict == STALL_SWEEP_FOLLOWS) {
        stall_text_printf(&t,
                          "The gap goes with num_workers (slope %s steps a worker): that suggests "
                          "the round of the worker pool, so the side that produces batches. It "
                          "does not say what makes a batch slow.",
                          stall_fixed_text(slope, s->slope, 2));
        if (s->evidence < 2)
            stall_text_put(&t, " One worker count above 1 carries this; with 1 any gap fits.");
    } else {
        stall_text_printf(&t, "The slope of the gap on num_workers is %s.",
                          stall_fixed_text(slope, s->slope, 2));
        if (s->verdict == STALL_SWEEP_PARTLY || k == STALL_UNKNOWN)
            put_misfits(&t, r);
        if (k != STALL_UNKNOWN)
            stall_text_printf(&t,
                              " %s %" PRId64 " whatever the worker count: that suggests a "
                              "position in the data or the sampler (a costly batch every %" PRId64
                              ") or an interval of the loop, not the pool. Shuffling the samples "
                              "would tell the data from the loop.",
                              same ? "A period stays" : "Periods stay multiples of", k, k);
    }
    add(l, "cadence", &t);
}

/* ---- rows that are no evidence ---- */

/* Why, as what follows the name of a row; NULL for one that is evidence. */
static const char *no_evidence(const stall_report *r, size_t i)
{
    const stall_sweep_row *row = &r->sweep.rows[i];

    if (row->follows >= 0)
        return NULL;
    if (r->runs[i].analysis.input.stride > 1)
        return "not every step was logged, so its gap is no evidence";
    if (row->n == 0)
        return "no step has a known wait";
    if (row->stalls == 0)
        return "no stalls, so no gap";
    if (row->workers >= 2 && row->shape == STALL_SHAPE_UNIFORM_SLOW)
        return "uniformly slow, so its gap is no evidence";
    return "too few gaps between stalls to be evidence";
}

/* Rows of one reason stand together. */
static void read_no_evidence(const stall_report *r, compare_list *l)
{
    stall_text t;

    stall_text_init(&t);
    for (size_t i = 0; i < r->runs_len; i++) {
        const char *why = no_evidence(r, i);
        bool done = why == NULL;
        size_t n = 0;

        for (size_t k = 0; k < i && !done; k++)
            done = no_evidence(r, k) == why;
        for (size_t k = i; k < r->runs_len && !done; k++) {
            if (no_evidence(r, k) != why || n++ >= NAMED)
                continue;
            stall_text_put(&t, n == 1 ? " " : "; ");
            stall_words_row(&t, r, k);
        }
        if (n > NAMED)
            stall_text_printf(&t, " and %zu more", n - NAMED);
        if (n > 0)
            stall_text_printf(&t, ": %s.", why);
    }
    add(l, "no_evidence", &t);
}

/* Runs whose own threshold shows stalls that the common one hides. */
static void read_threshold(const stall_report *r, compare_list *l)
{
    char own[WORDS_FIGURE_MAX], common[WORDS_FIGURE_MAX];
    size_t n = 0;
    stall_text t;

    stall_text_init(&t);
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_analysis *a = &r->runs[i].own;

        if (r->sweep.rows[i].stalls >= COMPARE_MIN_STALLS || a->input_problem != 1 ||
            a->stalls.count <= r->sweep.rows[i].stalls || n++ >= NAMED)
            continue;
        stall_text_put(&t, n == 1 ? "" : " ");
        stall_words_row(&t, r, i);
        stall_text_printf(
            &t, ": %" PRIu64 " stalls over its own threshold of %s, %" PRIu64 " over the common %s",
            a->stalls.count, stall_words_ms(own, a->threshold.ms), r->sweep.rows[i].stalls,
            stall_words_ms(common, r->sweep.threshold_ms));
        if (a->cadence.period > 1)
            stall_text_printf(&t, "; on its own it has a period of %" PRId64,
                              a->cadence.period_steps);
        stall_text_put(&t, ".");
    }
    if (n > 0)
        stall_text_put(&t, " One threshold serves all runs; --stall-ms sets a lower one.");
    add(l, "threshold", &t);
}

/* ---- the mean wait ---- */

/* "0.45 to 0.54" of something that prints as one where both are alike. */
static void put_span(stall_text *t, const char *low, const char *high)
{
    if (strcmp(low, high) == 0)
        stall_text_put(t, low);
    else
        stall_text_printf(t, "%s to %s", low, high);
}

static void put_rungs(stall_text *t, const stall_sweep *s)
{
    char low[WORDS_FIGURE_MAX], high[WORDS_FIGURE_MAX];

    stall_text_put(t, "Mean wait: ");
    for (size_t i = 0; i < s->rungs_len; i++) {
        stall_text_put(t, i > 0 ? ", " : "");
        put_span(t, stall_words_ms(low, s->rungs[i].low), stall_words_ms(high, s->rungs[i].high));
        stall_text_put(t, " with ");
        if (i == 0)
            stall_words_pool(t, s->rungs[i].workers);
        else
            stall_text_printf(t, "%" PRId64, s->rungs[i].workers);
    }
    stall_text_put(t, ".");
}

/* Where the host's CPUs stand beside the worker count at which the mean stops falling. */
static void put_stop(stall_text *t, const stall_sweep *s, int64_t cpus, int64_t next)
{
    int64_t stop = s->stops_at;

    if (cpus == STALL_UNKNOWN)
        stall_text_put(t, "; whether that is the number of CPUs is not known (--cpus)");
    else if (cpus >= stop && cpus < next)
        stall_text_printf(t,
                          ", where the %" PRId64 " logical CPU%s end%s: that suggests that "
                          "producing batches takes CPU time, which more workers only share",
                          cpus, cpus == 1 ? "" : "s", cpus == 1 ? "s" : "");
    else if (cpus >= next)
        stall_text_printf(t,
                          ", although there are %" PRId64 " logical CPUs: that suggests a lock, "
                          "storage or memory which the workers share",
                          cpus);
    else
        stall_text_printf(t,
                          ", beyond the %" PRId64 " logical CPUs: that suggests producers that "
                          "partly wait rather than compute",
                          cpus);
}

static void read_mean(const stall_report *r, compare_list *l)
{
    const stall_sweep *s = &r->sweep;
    const stall_sweep_rung *top;
    int64_t cpus = stall_sweep_cpus(r), next = STALL_UNKNOWN;
    double best = NAN;
    stall_text t;

    if (s->rungs_len < 2)
        return;
    stall_text_init(&t);
    put_rungs(&t, s);
    top = &s->rungs[s->rungs_len - 1];
    for (size_t i = s->rungs_len; i-- > 0 && s->stops_at != STALL_UNKNOWN;) {
        if (s->rungs[i].workers > s->stops_at)
            next = s->rungs[i].workers;
        else if (s->rungs[i].workers == s->stops_at)
            best = s->rungs[i].high;
    }
    if (s->rungs[0].mean < HARDLY_MS && top->mean < HARDLY_MS) {
        stall_text_put(&t, " That is too little to read anything from.");
    } else if (s->stops_at == top->workers) {
        stall_text_printf(&t, " It still falls at %" PRId64 ", the most that were tried",
                          top->workers);
        if (cpus != STALL_UNKNOWN && cpus < top->workers)
            put_stop(&t, s, cpus, top->workers);
        stall_text_put(&t, ".");
    } else if (s->stops_at == STALL_UNKNOWN) {
        stall_text_put(&t, " One worker can only overlap production with the loop's own work.");
    } else {
        bool never = s->stops_at == s->rungs[s->rungs[0].workers == 0].workers;

        stall_text_printf(&t,
                          never ? " It does not fall beyond %" PRId64
                                : " It falls up to %" PRId64 " and hardly beyond",
                          s->stops_at);
        put_stop(&t, s, cpus, next);
        stall_text_put(&t, top->low > RISE * best ? ". With more it even rises." : ".");
    }
    add(l, "mean_wait", &t);
}

/* ---- supply ---- */

typedef struct costs { /* of a batch, over the runs of the ladder */
    size_t n;
    double low, high, work; /* ms; work of a step: the largest */
    int64_t low_at, high_at;
} costs;

static costs collect(const stall_report *r)
{
    costs c = {.low = INFINITY, .high = 0, .work = 0};

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_supply *p = &r->runs[i].own.supply;

        if (!r->sweep.rows[i].ladder || !p->known || isnan(p->batch_cost_ms))
            continue;
        c.n++;
        if (p->batch_cost_ms < c.low) {
            c.low = p->batch_cost_ms;
            c.low_at = r->sweep.rows[i].workers;
        }
        if (p->batch_cost_ms > c.high) {
            c.high = p->batch_cost_ms;
            c.high_at = r->sweep.rows[i].workers;
        }
        c.work = p->work_ms > c.work ? p->work_ms : c.work;
    }
    return c;
}

static void read_supply(const stall_report *r, compare_list *l)
{
    costs c = collect(r);
    int64_t cpus = stall_sweep_cpus(r);
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX];
    stall_text t;

    if (c.n == 0 || !(c.work > 0))
        return;
    stall_text_init(&t);
    stall_text_put(&t, "A batch costs about ");
    stall_fixed_text(a, c.low / 1000, c.low < 100 ? 3 : 2);
    stall_fixed_text(b, c.high / 1000, c.low < 100 ? 3 : 2);
    put_span(&t, a, b);
    stall_text_put(&t, " CPU-seconds");
    if (cpus == STALL_UNKNOWN) {
        stall_text_put(&t, "; with --cpus the ceiling that CPUs set could be named");
    } else {
        double best = c.low / (double)cpus;

        stall_text_printf(&t, ", so %" PRId64 " CPU%s deliver%s one every ", cpus,
                          cpus == 1 ? "" : "s", cpus == 1 ? "s" : "");
        put_span(&t, stall_words_ms(a, best), stall_words_ms(b, c.high / (double)cpus));
        stall_text_printf(&t, " at best, however many workers; the loop would take one every %s",
                          stall_words_ms(a, c.work));
        if (best > c.work)
            stall_text_printf(&t, ". That takes %.0f cores, or batches %s x cheaper",
                              ceil(c.low / c.work * (1 - 1e-9)),
                              stall_words_plain(b, best / c.work));
        else
            stall_text_put(&t, ", so CPUs are not what is missing");
    }
    stall_text_put(&t, " (assuming CPU-bound production on an otherwise idle host).");
    if (c.high >= COST_GROWS * c.low && c.high_at > c.low_at)
        stall_text_printf(&t,
                          " The cost grows from %" PRId64 " to %" PRId64
                          " workers, so workers do not add up: shared cores, a lock or memory "
                          "would look like this.",
                          c.low_at, c.high_at);
    add(l, "supply", &t);
}

/* ---- other revisions ---- */

/* What another revision does with the same worker count. */
static void read_revisions(const stall_report *r, compare_list *l)
{
    const stall_sweep *s = &r->sweep;
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX];
    size_t n = 0;
    stall_text t;

    stall_text_init(&t);
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &s->rows[i];
        size_t k = 0;

        while (k < r->runs_len && (!s->rows[k].ladder || s->rows[k].workers != row->workers))
            k++;
        if (row->ladder || row->in_order == 0 || row->revision == NULL || row->n == 0 ||
            k == r->runs_len || stall_sweep_alike(s, i, k, true, false, false) || n++ >= NAMED)
            continue;
        stall_text_put(&t, n == 1 ? "" : " ");
        stall_words_row(&t, r, i);
        stall_text_printf(&t, ": mean wait %s against %s of ", stall_words_ms(a, row->mean),
                          stall_words_ms(b, s->rows[k].mean));
        stall_words_row(&t, r, k);
        stall_text_printf(&t, ", %" PRIu64 " stall%s against %" PRIu64 ".", row->stalls,
                          row->stalls == 1 ? "" : "s", s->rows[k].stalls);
    }
    if (n > 0)
        stall_text_put(&t, " A comparison (stalldiff BROKEN FIXED) judges how sure that is.");
    add(l, "other_revision", &t);
}

static void read_contradictions(const stall_report *r, compare_list *l)
{
    stall_text t;

    stall_text_init(&t);
    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_sweep_row *row = &r->sweep.rows[i];

        if (row->workers_logged != STALL_UNKNOWN && row->workers_logged != row->workers)
            stall_text_printf(&t, "%s%s: %" PRId64 " was given, its metadata say %" PRId64 ".",
                              t.len > 0 ? " " : "", r->runs[i].label, row->workers,
                              row->workers_logged);
    }
    add(l, "workers_differ", &t);
}

void stall_sweep_read(const stall_report *r, compare_list *l)
{
    read_contradictions(r, l);
    read_cadence(r, l);
    read_no_evidence(r, l);
    read_threshold(r, l);
    read_mean(r, l);
    read_supply(r, l);
    read_revisions(r, l);
    stall_sweep_contrast(r, l);
}
