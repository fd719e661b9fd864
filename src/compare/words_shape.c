/* What the waiting of one run looks like, in sentences.
 *
 * Enters: the analysis of a run. Leaves: plain text: what was seen, what it suggests, and what
 * would tell. It never names a cause as proven, and it must not know the other runs of a report. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define FEW_STALLS 3    /* up to so many stalls are named one by one */
#define RANDOM_STALLS 8 /* from so many on, a clean cadence would have been seen */
#define CONTRAST 0.5    /* rank-biserial from which a counter differs between slow and fast */

bool stall_run_unordered(const stall_run *run)
{
    const char *v = stall_series_meta(run->series, "in_order");

    return v != NULL && (strcmp(v, "false") == 0 || strcmp(v, "False") == 0);
}

/* ---- parts ---- */

/* "8 of 32 steps stall". */
static void put_stall_count(stall_text *t, const stall_analysis *a)
{
    stall_text_printf(t, "%" PRIu64 " of ", a->stalls.count);
    stall_words_count(t, a->dist.n, "step");
    stall_text_printf(t, " stall%s", a->stalls.count == 1 ? "s" : "");
}

static void put_stall_size(stall_text *t, const stall_analysis *a)
{
    char ms[WORDS_FIGURE_MAX], share[WORDS_FIGURE_MAX];
    double mean = a->dist.sum * a->stalls.wait_share / (double)a->stalls.count;

    if (a->stalls.count == 0 || isnan(mean))
        return;
    stall_words_ms(ms, mean);
    stall_words_share(share, a->stalls.wait_share);
    if (a->stalls.count == 1)
        stall_text_printf(t, " It waits %s, which is %s of all waiting.", ms, share);
    else
        stall_text_printf(t, " A stall waits %s on average; stalls hold %s of all waiting.", ms,
                          share);
}

/* The start of a sentence about steady steps: which steps it leaves out. */
static const char *steady_only(const stall_analysis *a, const char *all)
{
    if (a->steady.n == a->dist.n)
        return all;
    return a->dist.n - a->steady.n == 1 ? "Without the first step, w"
                                        : "Without the first steps, w";
}

static void put_share(stall_text *t, const stall_analysis *a)
{
    char buf[WORDS_FIGURE_MAX];

    if (isnan(a->wall_share_steady))
        return;
    stall_text_printf(t, " %saiting is %s of the step time", steady_only(a, "W"),
                      stall_words_share(buf, a->wall_share_steady));
    if (!isnan(a->wall_share_no_stalls) && !a->input.averaged)
        stall_text_printf(t, ", without the stalls %s",
                          stall_words_share(buf, a->wall_share_no_stalls));
    stall_text_put(t, ".");
}

static void put_change(stall_text *t, const stall_analysis *a)
{
    const stall_change *c = &a->change;
    char before[WORDS_FIGURE_MAX], after[WORDS_FIGURE_MAX], p[WORDS_FIGURE_MAX];

    if (c->kind == STALL_CHANGE_NONE)
        return;
    stall_text_printf(t,
                      "The waits before and after step %" PRId64 " are two regimes (p %s): mean "
                      "%s before, %s after",
                      c->step, stall_words_p(p, c->p), stall_words_ms(before, c->mean_before),
                      stall_words_ms(after, c->mean_after));
    stall_text_printf(t, "; %s of the steps stall before, %s after.",
                      stall_words_share(before, c->rate_before),
                      stall_words_share(after, c->rate_after));
}

/* Counters of the loader's workers that differ between stalled and other steps. */
static void put_counters(stall_text *t, const stall_analysis *a)
{
    char slow[WORDS_FIGURE_MAX], fast[WORDS_FIGURE_MAX];

    if (a->extras.pids_known && a->extras.pid_set_changes > 0) {
        stall_text_put(t, " The set of worker PIDs changes ");
        stall_words_count(t, a->extras.pid_set_changes, "time");
        stall_text_put(t, ": workers are started anew within the run.");
    }
    for (size_t i = 0; i < a->extras.counters_len; i++) {
        const stall_counter_contrast *c = &a->extras.counters[i];

        if (strstr(c->name, "cpu") == NULL || !(c->rank_biserial >= CONTRAST))
            continue;
        stall_text_printf(t,
                          " %s is higher in stalled steps (median %s against %s), which points to "
                          "the producer but names no line of code.",
                          c->name, stall_words_plain(slow, c->median_slow),
                          stall_words_plain(fast, c->median_fast));
        return;
    }
}

static void put_order(stall_text *t, const stall_analysis *a)
{
    const stall_order *o = &a->extras.order;

    if (o->known && o->overtaking > 0 && a->cadence.period > 1)
        stall_text_printf(t,
                          " %" PRIu64 " of %" PRIu64 " deliveries overtook an earlier batch and "
                          "the cadence is still there, so delivery in order is not the main "
                          "cause of it.",
                          o->overtaking, o->deliveries);
}

/* ---- shapes ---- */

static void say_no_problem(stall_text *t, const stall_analysis *a)
{
    char mean[WORDS_FIGURE_MAX], share[WORDS_FIGURE_MAX], sum[WORDS_FIGURE_MAX];

    stall_words_ms(mean, a->steady.mean);
    if (isnan(a->wall_share_steady)) {
        stall_text_printf(t, "The mean input wait is %s a step", mean);
        stall_text_put(t, "; step times are not known, so neither is its share.");
    } else {
        stall_text_printf(t,
                          "%saiting for input is %s of the step time (mean %s a step): removing "
                          "that would save no more.",
                          steady_only(a, "W"), stall_words_share(share, a->wall_share_steady),
                          mean);
    }
    if (stall_has_note(a, STALL_NOTE_share_near_limit))
        stall_text_printf(t,
                          " That is close to the 10 %% from which it counts as a problem; all "
                          "waits together%s are %s, the most that could be saved.",
                          a->steady.n == a->dist.n ? "" : ", the first step's too,",
                          stall_words_ms(sum, a->dist.sum));
    if (stall_has_note(a, STALL_NOTE_stalls_but_cheap)) {
        stall_text_put(t, " There are stalls, ");
        put_stall_count(t, a);
        stall_words_cadence(t, a);
        stall_text_printf(t, " But they are cheap: all of them together wait %s%s%s%s.",
                          stall_words_ms(sum, a->dist.sum * a->stalls.wait_share),
                          isnan(a->wall_share) ? "" : ", ",
                          isnan(a->wall_share)
                              ? ""
                              : stall_words_share(share, a->wall_share * a->stalls.wait_share),
                          isnan(a->wall_share) ? "" : " of the step time");
    }
}

static void say_startup(stall_text *t, const stall_analysis *a)
{
    double sum = 0;
    uint64_t starts = 0;
    char ms[WORDS_FIGURE_MAX], share[WORDS_FIGURE_MAX];

    for (size_t i = 0; i < a->points_len; i++)
        if (a->points[i].t < a->facts.warmup && a->points[i].wait_ms > a->threshold.auto_ms) {
            sum += a->points[i].wait_ms;
            starts++;
        }
    stall_text_put(t, "The waiting is in the start: ");
    stall_words_count(t, starts, "first step");
    stall_text_printf(t, " of ");
    stall_words_count(t, a->input.segments, "segment");
    stall_text_printf(t, " wait%s %s in all, %s of all waiting.", starts == 1 ? "s" : "",
                      stall_words_ms(ms, sum), stall_words_share(share, sum / a->dist.sum));
    if (stall_has_note(a, STALL_NOTE_steady_also_slow))
        stall_text_printf(
            t, " The other steps are slow too: %s on average%s%s%s.",
            stall_words_ms(ms, a->steady.mean), isnan(a->wall_share_steady) ? "" : ", ",
            isnan(a->wall_share_steady) ? "" : stall_words_share(share, a->wall_share_steady),
            isnan(a->wall_share_steady) ? "" : " of the step time");
    else
        stall_text_printf(t, " The other steps wait %s on average.",
                          stall_words_ms(ms, a->steady.mean));
}

static void say_uniform(stall_text *t, const stall_analysis *a)
{
    char p50[WORDS_FIGURE_MAX], p95[WORDS_FIGURE_MAX], share[WORDS_FIGURE_MAX];

    stall_text_printf(t, "%s waits: median %s, p95 %s%s",
                      a->auto_stall_rate_steady == 1 ? "Every step" : "Nearly every step",
                      stall_words_ms(p50, a->steady.p50), stall_words_ms(p95, a->steady.p95),
                      a->steady.n == a->dist.n ? "" : " without the first");
    if (!isnan(a->wall_share_steady))
        stall_text_printf(t, "; waiting is %s of the step time",
                          stall_words_share(share, a->wall_share_steady));
    stall_text_put(t, ". There is no cadence to explain: the wait is spread over the steps.");
    if (stall_has_note(a, STALL_NOTE_uniform_with_spikes))
        stall_text_printf(t,
                          " Some waits are over 10 medians long, up to %s; when they come was not "
                          "examined (--stall-ms picks them out).",
                          stall_words_ms(p50, a->dist.max));
}

static void say_periodic(stall_text *t, const stall_analysis *a)
{
    put_stall_count(t, a);
    stall_words_cadence(t, a);
    if (a->shape == STALL_SHAPE_HEAVY_LONG_CYCLE)
        stall_text_printf(t,
                          " A cycle of %" PRId64 " steps is too long to be called a cadence of "
                          "workers: set it against the steps of an epoch, checkpoints, "
                          "evaluation and the length of a shard.",
                          a->cadence.period_steps);
    else
        stall_words_workers(t, a);
    put_stall_size(t, a);
    put_order(t, a);
    put_counters(t, a);
    put_share(t, a);
}

static void say_irregular(stall_text *t, const stall_analysis *a)
{
    char p[WORDS_FIGURE_MAX];

    put_stall_count(t, a);
    if (a->shape == STALL_SHAPE_HEAVY_CLUSTERED) {
        stall_text_put(t, " in ");
        stall_words_count(t, a->cadence.runs, "burst");
        stall_text_printf(t, " of adjacent steps (p %s); no cadence was found at this evidence.",
                          stall_words_p(p, a->cadence.runs_p));
    } else {
        stall_text_put(t, ". No cadence was found at this evidence");
        if (!isnan(a->cadence.gap_median))
            stall_text_printf(
                t, " (gaps of %" PRId64 " to %" PRId64 " steps, median %s)",
                a->cadence.gap_min * a->input.stride, a->cadence.gap_max * a->input.stride,
                stall_words_plain(p, a->cadence.gap_median * (double)a->input.stride));
        stall_text_put(t, ".");
        stall_words_candidate(t, a);
    }
    put_stall_size(t, a);
    put_counters(t, a);
    put_share(t, a);
}

uint64_t stall_words_more_steps(const stall_analysis *a)
{
    uint64_t m = a->cadence.stalls, n = a->cadence.positions;

    return m > 0 && m < RANDOM_STALLS ? ((RANDOM_STALLS - m) * n + m - 1) / m : 0;
}

/* Too few stalls: which they are, and how long a log would have enough. */
static void say_few_stalls(stall_text *t, const stall_analysis *a)
{
    uint64_t more = stall_words_more_steps(a);

    if (a->input.averaged) {
        stall_text_put(t, "Whether single steps stall, and when, cannot be seen in averages.");
        put_share(t, a);
        return;
    }
    put_stall_count(t, a);
    if (a->stalls.count > 0 && a->stalls.count <= FEW_STALLS) {
        stall_text_printf(t, " (step%s", a->stalls.count == 1 ? "" : "s");
        for (uint64_t i = 0; i < a->stalls.count; i++)
            stall_text_printf(t, "%s %" PRId64, i > 0 ? "," : "", a->stalls.steps[i]);
        stall_text_put(t, ")");
    }
    stall_text_put(t, ".");
    put_stall_size(t, a);
    stall_text_put(t, " So few stalls show neither a cadence nor that there is none.");
    if (more > 0) {
        stall_text_put(t, " At this rate about ");
        stall_words_count(t, more, "more step");
        stall_text_printf(t, " would show %d, enough to name a shape.", RANDOM_STALLS);
    }
    put_counters(t, a);
    put_share(t, a);
}

static void say_inconclusive(stall_text *t, const stall_analysis *a)
{
    char ms[WORDS_FIGURE_MAX], given[WORDS_FIGURE_MAX];

    if (stall_has_note(a, STALL_NOTE_too_few_steps)) {
        if (a->dist.n == 0) {
            stall_text_put(t, "No step has a known wait.");
            return;
        }
        stall_text_put(t, "Only ");
        stall_words_count(t, a->dist.n, "step");
        stall_text_printf(t,
                          " with a known wait, %s on average: that is too little to name a "
                          "shape.",
                          stall_words_ms(ms, a->dist.mean));
    } else if (stall_has_note(a, STALL_NOTE_stall_threshold_too_low)) {
        stall_text_printf(t,
                          "At a stall threshold of %s nearly every step counts as a stall, "
                          "although some wait far longer than others: the threshold is too low. "
                          "The automatic one is %s.",
                          stall_words_ms(given, a->threshold.ms),
                          stall_words_ms(ms, a->threshold.auto_ms));
    } else {
        say_few_stalls(t, a);
    }
}

/* ---- what is said of every shape ---- */

/* Which rank held the others up. */
static void put_ranks(stall_text *t, const stall_analysis *a)
{
    const stall_rank_figures *slowest = NULL;
    uint64_t steps = 0;

    for (size_t i = 0; i < a->per_rank_len; i++) {
        steps += a->per_rank[i].slowest;
        if (slowest == NULL || a->per_rank[i].slowest > slowest->slowest)
            slowest = &a->per_rank[i];
    }
    if (slowest != NULL && a->per_rank_len > 1 && slowest->slowest > 0)
        stall_text_printf(t,
                          " Rank %" PRId32 " waited longest in %" PRIu64 " of %" PRIu64
                          " steps; the slowest rank holds all.",
                          slowest->rank, slowest->slowest, steps);
}

/* Figures of rows that stand for several steps. */
static void put_averages(stall_text *t, const stall_run *run)
{
    const char *what = run->series->medians ? "medians" : "means";

    if (run->analysis.input.stride > 1)
        stall_text_printf(t, " All figures are of %s over steps, one row in %" PRId64 " steps",
                          what, run->analysis.input.stride);
    else
        stall_text_printf(t, " All figures are of %s over several steps", what);
    stall_text_put(t, ": single stalls and their gaps cannot be seen here");
    stall_text_put(t, run->series->medians
                          ? ", a stall every 4th step not at all; nor is there a share of the step "
                            "time."
                          : ".");
}

static void put_notes(stall_text *t, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    char ms[WORDS_FIGURE_MAX], given[WORDS_FIGURE_MAX];

    if (stall_has_note(a, STALL_NOTE_bulk_also_slow))
        stall_text_put(t,
                       " Even without the stalls the waits would hold the loop: both need work.");
    /* among two sides, one without stalls is no surprise unless it has some of its own */
    if (a->threshold.given && a->stalls.count == 0 && a->dist.n > 0 &&
        (run->side < 0 || a->auto_stall_rate_steady > 0))
        stall_text_printf(t, " No wait is above the threshold given, %s; the automatic one is %s.",
                          stall_words_ms(given, a->threshold.ms),
                          stall_words_ms(ms, a->threshold.auto_ms));
    if (run->series->aggregated)
        put_averages(t, run);
    else if (run->series->sampled)
        stall_text_put(t, " Only some steps were logged, so nothing is claimed about gaps.");
    else if (stall_has_note(a, STALL_NOTE_holes))
        stall_text_put(t, " Many steps are missing or unknown, so no cadence is claimed.");
    if (stall_has_note(a, STALL_NOTE_regime_change) && a->shape != STALL_SHAPE_REGIME_CHANGE) {
        stall_text_put(t, " ");
        put_change(t, a);
    }
    if (a->shape != STALL_SHAPE_NO_INPUT_PROBLEM)
        put_ranks(t, a);
}

void stall_words_shape(stall_text *t, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;

    switch (a->shape) {
    case STALL_SHAPE_NO_INPUT_PROBLEM:
        say_no_problem(t, a);
        break;
    case STALL_SHAPE_STARTUP_ONLY:
        say_startup(t, a);
        break;
    case STALL_SHAPE_UNIFORM_SLOW:
        say_uniform(t, a);
        break;
    case STALL_SHAPE_HEAVY_PERIODIC:
    case STALL_SHAPE_HEAVY_LONG_CYCLE:
        say_periodic(t, a);
        break;
    case STALL_SHAPE_HEAVY_CLUSTERED:
    case STALL_SHAPE_HEAVY_RANDOM:
        say_irregular(t, a);
        break;
    case STALL_SHAPE_REGIME_CHANGE:
        put_change(t, a);
        put_share(t, a);
        break;
    case STALL_SHAPE_INCONCLUSIVE:
        say_inconclusive(t, a);
        break;
    }
    put_notes(t, run);
}

void stall_words_peer(stall_text *t, const stall_analysis *a)
{
    char share[WORDS_FIGURE_MAX];

    stall_words_share(share, a->traceml.share);
    if (a->traceml.level == STALL_PEER_NONE)
        stall_text_printf(t, "TraceML would not say INPUT-BOUND: share %s", share);
    else
        stall_text_printf(t, "TraceML would say, among its findings: INPUT-BOUND (%s), share %s",
                          a->traceml.level == STALL_PEER_CRITICAL ? "critical" : "warning", share);
}
