/* What the controls of a sweep tell, and what the workers' own figures say.
 *
 * Enters: pairs of runs, contrasts of counters, stalls by worker. Leaves: sentences. A setting is
 * called implicated at most, and a worker is not accused by the batches it carries. It must not
 * know documents. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define SAME_MEAN 0.2 /* a mean that moves by less of itself hardly moves */
#define CONTRAST 0.5  /* rank-biserial from which a counter differs between slow and fast */
#define WORKERS 8     /* workers whose stalls are counted one by one */

/* ---- controls ---- */

static void put_shift(stall_text *t, const char *what, double from, double to)
{
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX];

    stall_text_printf(t, "%s %s -> %s", what, stall_words_ms(a, from), stall_words_ms(b, to));
}

/* The shifts of mean, median and tail, and what they suggest together. */
static void put_shifts(stall_text *t, const stall_report *r, const stall_control *c)
{
    const stall_sweep_row *b = &r->sweep.rows[c->base], *o = &r->sweep.rows[c->other];
    double ratio = o->mean / b->mean;
    char change[WORDS_FIGURE_MAX];
    bool steady = fabs(ratio - 1) < SAME_MEAN;

    put_shift(t, " Mean wait", b->mean, o->mean);
    stall_text_printf(t, " (%s)", stall_words_change(change, ratio));
    put_shift(t, ", median", b->p50, o->p50);
    put_shift(t, ", p95", b->p95, o->p95);
    if (c->outcome == STALL_CONTROL_DID_NOT_ACT)
        stall_text_put(t, ": how much runs differ without any effect of the control.");
    else if (c->kind == STALL_CONTROL_IN_ORDER && steady && c->p50_diff > 0 && c->p95_diff < 0)
        stall_text_put(t, ": the tail is shorter and the median longer, so overtaking spreads the "
                          "waits over more steps and hardly shortens them.");
    else if (c->kind == STALL_CONTROL_IN_ORDER && steady)
        stall_text_put(t, ": the waiting as a whole hardly moves.");
    else if (c->kind == STALL_CONTROL_IN_ORDER && ratio < 1)
        stall_text_put(t, ": batches that were done waited for others; a few slow samples or one "
                          "slow worker would look like this.");
    else if (c->kind == STALL_CONTROL_PREFETCH && steady)
        stall_text_put(t, ": a deeper queue does not make the workers faster.");
    else if (c->kind == STALL_CONTROL_PREFETCH && ratio < 1)
        stall_text_put(t, ": a deeper queue lets workers bank a lead, which evens out batches of "
                          "unequal cost; it cannot raise what they deliver in all.");
    else
        stall_text_put(t, ": more waiting, which neither setting explains by itself; runs may "
                          "differ by that much.");
    if (!c->same_pass)
        stall_text_put(t, " The two are of different passes.");
}

/* Why a pair decides nothing. */
static void put_undecided(stall_text *t, const stall_report *r, const stall_control *c)
{
    const stall_analysis *b = &r->runs[c->base].analysis, *o = &r->runs[c->other].analysis;
    int64_t g = b->cadence.period;

    if (c->kind == STALL_CONTROL_IN_ORDER && !o->extras.order.known)
        stall_text_put(t, "Undecided: no batch ranks were logged, so whether anything overtook is "
                          "not known.");
    else if (b->input.stride > 1 || o->input.stride > 1)
        stall_text_put(t, "Undecided: not every step was logged.");
    else if (b->cadence.stalls < COMPARE_MIN_STALLS)
        stall_text_printf(t, "Undecided: the first of the two has %" PRIu64 " stall%s.",
                          b->cadence.stalls, b->cadence.stalls == 1 ? "" : "s");
    else if (g == STALL_UNKNOWN || g < 2)
        stall_text_put(t, "Undecided: the first of the two has no cadence that could be lost.");
    else
        stall_text_printf(t,
                          "Undecided: %" PRIu64 " stall%s of the second neither keep%s the period "
                          "of %" PRId64 " nor show%s that it is gone.",
                          o->cadence.stalls, o->cadence.stalls == 1 ? "" : "s",
                          o->cadence.stalls == 1 ? "s" : "", g, o->cadence.stalls == 1 ? "s" : "");
}

static void put_order(stall_text *t, const stall_report *r, const stall_control *c)
{
    const stall_analysis *b = &r->runs[c->base].analysis, *o = &r->runs[c->other].analysis;
    const stall_order *order = &o->extras.order;

    if (order->known && order->overtaking > 0)
        stall_text_printf(t,
                          "%" PRIu64 " of %" PRIu64
                          " deliveries overtook an earlier batch (by %" PRIu64 " places at most). ",
                          order->overtaking, order->deliveries, order->max_displacement);
    switch (c->outcome) {
    case STALL_CONTROL_DID_NOT_ACT:
        stall_text_printf(t,
                          "Nothing overtook in %" PRIu64 " deliveries, so this control controlled "
                          "nothing.",
                          order->deliveries);
        break;
    case STALL_CONTROL_NOT_MAIN_CAUSE:
        stall_text_printf(t,
                          "The period is %" PRId64 " in both, so delivery in order is not its main "
                          "cause.",
                          b->cadence.period_steps);
        break;
    case STALL_CONTROL_IMPLICATED:
        stall_text_printf(t, "The period of %" PRId64 " is gone", b->cadence.period_steps);
        if (o->cadence.kind == STALL_CADENCE_EVERY_STEP)
            stall_text_put(t, " (nearly every step stalls)");
        else if (o->cadence.period != STALL_UNKNOWN)
            stall_text_printf(t, " (it is %" PRId64 " now)", o->cadence.period_steps);
        stall_text_printf(t,
                          " (%" PRIu64 " -> %" PRIu64 " stalls), so delivery in order takes part "
                          "in when the waits fall.",
                          b->stalls.count, o->stalls.count);
        break;
    case STALL_CONTROL_UNDECIDED:
        put_undecided(t, r, c);
        break;
    }
}

static void put_prefetch(stall_text *t, const stall_report *r, const stall_control *c)
{
    const stall_analysis *b = &r->runs[c->base].analysis, *o = &r->runs[c->other].analysis;

    if (c->outcome == STALL_CONTROL_NOT_MAIN_CAUSE) {
        stall_text_printf(t,
                          "The period is %" PRId64 " with both factors, so the depth of the queue "
                          "does not set it.",
                          b->cadence.period_steps);
    } else if (c->outcome == STALL_CONTROL_IMPLICATED) {
        stall_text_printf(t, "The period of %" PRId64 " is gone", b->cadence.period_steps);
        if (o->cadence.period > 1)
            stall_text_printf(t, " (it is %" PRId64 " now)", o->cadence.period_steps);
        stall_text_put(t, ", so the depth of the queue takes part in when the waits fall.");
    } else {
        put_undecided(t, r, c);
    }
}

void stall_words_control(stall_text *t, const stall_report *r, const stall_control *c)
{
    const stall_sweep_row *b = &r->sweep.rows[c->base], *o = &r->sweep.rows[c->other];

    if (c->kind == STALL_CONTROL_IN_ORDER) {
        stall_text_put(t, "Ordered against unordered, ");
        stall_words_pool(t, b->workers);
    } else {
        stall_text_printf(t, "prefetch_factor %" PRId64 " against %" PRId64 ", ", b->prefetch,
                          o->prefetch);
        stall_words_pool(t, b->workers);
    }
    if (c->same_pass && r->runs[c->base].pass > 0)
        stall_text_printf(t, ", pass %d", r->runs[c->base].pass);
    stall_text_put(t, ": ");
    if (c->kind == STALL_CONTROL_IN_ORDER)
        put_order(t, r, c);
    else
        put_prefetch(t, r, c);
    put_shifts(t, r, c);
}

/* ---- counters, worker processes, stalls by worker ---- */

/* The first counter of CPU time of run i that can be compared, or NULL. Where every step is slow
 * the stalls are not set apart from the others. */
static const stall_counter_contrast *cpu_counter(const stall_report *r, size_t at)
{
    const stall_extras *e = &r->runs[at].analysis.extras;

    if (r->sweep.rows[at].shape == STALL_SHAPE_UNIFORM_SLOW)
        return NULL;
    for (size_t i = 0; i < e->counters_len; i++)
        if (strstr(e->counters[i].name, "cpu") != NULL && !isnan(e->counters[i].rank_biserial))
            return &e->counters[i];
    return NULL;
}

static void put_cpu(stall_text *t, const stall_report *r)
{
    const stall_counter_contrast *shown = NULL;
    size_t higher = 0, all = 0, at = 0;
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX], rank[64];

    for (size_t i = 0; i < r->runs_len; i++) {
        const stall_counter_contrast *c = cpu_counter(r, i);

        if (c == NULL)
            continue;
        all++;
        higher += c->rank_biserial >= CONTRAST;
        if (shown == NULL || c->rank_biserial > shown->rank_biserial) {
            shown = c;
            at = i;
        }
    }
    if (shown == NULL)
        return;
    stall_text_printf(t, "%s is clearly higher in stalled steps in %zu of %zu run%s", shown->name,
                      higher, all, all == 1 ? "" : "s");
    stall_text_printf(t, " (%s: median %s against %s, rank-biserial %s)", r->runs[at].label,
                      stall_words_plain(a, shown->median_slow),
                      stall_words_plain(b, shown->median_fast),
                      stall_fixed_text(rank, shown->rank_biserial, 2));
    stall_text_put(t, higher > 0 ? ": that suggests work of the workers, and names no line of code."
                                 : ".");
}

/* Names the counters of reads and faults whose median is 0 in stalled steps of every run. */
static void put_quiet(stall_text *t, const stall_report *r)
{
    static const char *const names[] = {"read_bytes", "majflt", "major_faults"};
    size_t quiet = 0;
    const char *list[3];

    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        size_t all = 0, zero = 0;

        for (size_t i = 0; i < r->runs_len; i++) {
            const stall_extras *e = &r->runs[i].analysis.extras;

            for (size_t n = 0; n < e->counters_len; n++)
                if (strcmp(e->counters[n].name, names[k]) == 0 && e->counters[n].n_slow > 0) {
                    all++;
                    zero += e->counters[n].median_slow == 0;
                }
        }
        if (all > 0 && zero == all)
            list[quiet++] = names[k];
    }
    for (size_t k = 0; k < quiet; k++)
        stall_text_printf(t, "%s%s", k == 0 ? " " : k + 1 == quiet ? " and " : ", ", list[k]);
    if (quiet > 0)
        stall_text_printf(t,
                          " ha%s a median of 0 there: no reads from disk were seen, which does not "
                          "exclude the page cache or memory.",
                          quiet == 1 ? "s" : "ve");
}

static void put_pids(stall_text *t, const stall_report *r)
{
    size_t runs = 0;
    uint64_t changes = 0;

    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.extras.pids_known && r->sweep.rows[i].workers > 0) {
            runs++;
            changes += r->runs[i].analysis.extras.pid_set_changes;
        }
    if (runs == 0)
        return;
    if (changes == 0)
        stall_text_printf(t,
                          " The set of worker PIDs never changes in %zu run%s: no worker was "
                          "started anew.",
                          runs, runs == 1 ? "" : "s");
    else
        stall_text_printf(t,
                          " The set of worker PIDs changes %" PRIu64 " time%s in %zu run%s: "
                          "workers were started anew.",
                          changes, changes == 1 ? "" : "s", runs, runs == 1 ? "" : "s");
}

/* Of the ordered run with most stalls: there a worker is most easily blamed. */
static void put_blame(stall_text *t, const stall_report *r)
{
    const stall_run *run = NULL;

    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.extras.by_worker_len > 0 && r->sweep.rows[i].workers >= 2 &&
            r->sweep.rows[i].in_order != 0 && r->sweep.rows[i].shape != STALL_SHAPE_UNIFORM_SLOW &&
            (run == NULL || r->runs[i].analysis.stalls.count > run->analysis.stalls.count))
            run = &r->runs[i];
    if (run == NULL)
        return;
    stall_text_printf(t, " Stalls of %s by worker:", run->label);
    for (size_t k = 0; k < run->analysis.extras.by_worker_len && k < WORKERS; k++)
        stall_text_printf(t, "%s %s has %" PRIu64, k > 0 ? "," : "",
                          run->analysis.extras.by_worker[k].worker,
                          run->analysis.extras.by_worker[k].count);
    stall_text_printf(t,
                      "%s. With delivery in order a batch waits for those before it, so this "
                      "does not accuse a worker.",
                      run->analysis.extras.by_worker_len > WORKERS ? ", ..." : "");
}

void stall_sweep_contrast(const stall_report *r, compare_list *l)
{
    stall_text t;

    stall_text_init(&t);
    put_cpu(&t, r);
    put_quiet(&t, r);
    put_pids(&t, r);
    put_blame(&t, r);
    if (t.failed)
        l->failed = true;
    else if (t.len > 0)
        stall_list_add(l, "workers", "%s", t.data + (t.data[0] == ' '));
    stall_text_close(&t);
}
