/* The next cheap experiment.
 *
 * Enters: shapes, cadence and verdict. Leaves: sentences, the most useful first, each code once. An
 * experiment is named with how to read its outcome; a cause is never taken as known. It must not
 * know documents. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "compare/compare.h"

#define RECORD_MIN 32     /* steps worth recording whatever the worker count */
#define RECORD_ROUNDS 8   /* rounds of the workers worth recording */
#define CANDIDATE_WORTH 4 /* times the steps of the run; more is no cheap experiment */

const stall_term stall_advice_terms[] = {
    {"look_elsewhere", "look elsewhere than at the input",
     "The loop does not wait for input enough to matter. Look at the computing itself, at "
     "synchronisation (.item(), print, metrics), and at copies to the device."},
    {"persistent_workers", "keep the workers between epochs",
     "The waiting is in the start of an epoch, where workers are started anew. Set "
     "persistent_workers=True and leave the first step out when judging. If only the first epoch "
     "pays afterwards, the start of the workers was it."},
    {"time_the_dataset", "time the dataset alone",
     "Time dataset[i] for some i and the collate function outside the loader, then run with 0 and "
     "a few workers. No gain from workers points to a limit of CPU or a lock; a gain says how many "
     "are needed."},
    {"sweep_workers", "sweep num_workers",
     "Run with num_workers 0, 1, 2 and 4, then the same backwards, so that a warming cache cannot "
     "pass for an effect. A cadence that follows the worker count points to the producer side; one "
     "that stays points to the data or to the loop."},
    {"order_control", "let later batches overtake",
     "Run once with in_order=False and log the sampler rank of each batch, and with "
     "prefetch_factor "
     "1 and 2. A cadence that survives real overtaking is not caused by delivery in order. This is "
     "a "
     "control, no setting to train with."},
    {"log_workers", "record the worker count",
     "Run again with num_workers logged, or give --num-workers: whether a cadence is the worker "
     "count or a multiple of it decides which experiment comes next."},
    {"compare_intervals", "compare the cadence with intervals of the loop",
     "The cadence is not tied to the workers. Compare it with the intervals of logging, saving, "
     "evaluation and gradient accumulation; change one of them and see whether it follows."},
    {"compare_epoch", "compare the cycle with the epoch",
     "Compare the cycle with the steps of an epoch, the checkpoint interval and the length of a "
     "shard. With --steps-per-epoch the starts of epochs are judged on their own."},
    {"check_neighbours", "look at what comes in bursts",
     "Stalls that come in bursts fit something that lasts for a while: a shard, remote storage, "
     "another job on the host. Log counters (read bytes, faults, CPU time) and compare slow with "
     "fast intervals."},
    {"log_sample_ids", "log the samples of slow batches",
     "Log the ids of the samples of slow batches, and whether worker PIDs change. Time those "
     "samples "
     "alone: the same ids slow again means that it depends on the data."},
    {"record_longer", "record longer",
     "Record 8 rounds of the workers or more (32 steps at least), with step times and num_workers. "
     "That many let a cadence be told from chance."},
    {"second_pass", "record a second pass of each side",
     "Record each side twice in alternating order (broken, fixed, fixed, broken). Only that shows "
     "how much runs differ from each other without any change."},
    {"stop_here", "nothing left to do here",
     "The waiting is gone. What is left of the step time is not input."},
    {NULL, NULL, NULL},
};

/* ---- lists ---- */

bool stall_list_has(const compare_list *l, const char *code)
{
    for (size_t i = 0; i < l->len; i++)
        if (strcmp(l->items[i].code, code) == 0)
            return true;
    return false;
}

void stall_list_add(compare_list *l, const char *code, const char *fmt, ...)
{
    va_list args, again;
    char *text;
    int len;

    if (l->failed || stall_list_has(l, code))
        return;
    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    text = len < 0 ? NULL : stall_arena_alloc(l->arena, (size_t)len + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    va_end(args);
    if (text == NULL ||
        !stall_mem_grow((void **)&l->items, &l->cap, l->len + 1, sizeof(*l->items))) {
        l->failed = true;
        return;
    }
    l->items[l->len++] = (stall_advice){code, text};
}

/* ---- by shape ---- */

static int64_t steps_to_record(const stall_analysis *a)
{
    int64_t w = a->facts.num_workers;

    return w != STALL_UNKNOWN && w < INT64_MAX / RECORD_ROUNDS && w * RECORD_ROUNDS > RECORD_MIN
               ? w * RECORD_ROUNDS
               : RECORD_MIN;
}

/* "0, 1, 2 and 4", or around a larger or odd count. */
static void sweep_counts(stall_text *t, const stall_analysis *a)
{
    int64_t w = a->facts.num_workers, cpus = a->facts.cpus;

    if (w == 2 || w == 4 || w > INT64_MAX / 2) {
        stall_text_put(t, "0, 1, 2 and 4");
        return;
    }
    stall_text_printf(t, "%" PRId64 ", %" PRId64, w / 2, w);
    if (cpus == STALL_UNKNOWN || 2 * w <= cpus)
        stall_text_printf(t, " and %" PRId64, 2 * w);
    else if (w < cpus)
        stall_text_printf(t, " and %" PRId64 " (the CPUs here)", cpus);
    else
        stall_text_printf(t, " and %" PRId64 " (beyond the %" PRId64 " CPU%s here)", 2 * w, cpus,
                          cpus == 1 ? "" : "s");
}

static void advise_sweep(const stall_analysis *a, compare_list *l)
{
    stall_text counts;

    stall_text_init(&counts);
    sweep_counts(&counts, a);
    l->failed = l->failed || counts.failed;
    stall_list_add(l, "sweep_workers",
                   "Sweep num_workers over %s, and back%s. If the cadence follows the worker "
                   "count, look at the producer side; if it stays %" PRId64
                   ", at the data or the loop.",
                   counts.data != NULL ? counts.data : "",
                   stall_cadence_epoch_open(a) ? ", once with persistent_workers=True" : "",
                   a->cadence.period_steps);
    stall_text_close(&counts);
}

static void advise_periodic(const stall_run *run, compare_list *l)
{
    const stall_analysis *a = &run->analysis;
    int64_t g = a->cadence.period_steps, w = a->facts.num_workers;

    if (a->input.stride > 1) {
        stall_list_add(l, "record_longer",
                       "Log every step instead of one in %" PRId64
                       ": only then can the period of %" PRId64
                       " steps be set against num_workers.",
                       a->input.stride, g);
    } else if (w == STALL_UNKNOWN) {
        stall_list_add(
            l, "log_workers",
            "Run again with the worker count logged, or give --num-workers%s: whether %" PRId64
            " is num_workers decides what to try next.",
            stall_cadence_epoch_open(a) ? " (and --steps-per-epoch)" : "", g);
    } else if (stall_cadence_follows(a)) {
        advise_sweep(a, l);
        if (stall_cadence_epoch_open(a))
            stall_list_add(l, "compare_epoch",
                           "Check whether an epoch has %" PRId64 " steps (--steps-per-epoch): the "
                           "start of workers at each epoch gives the same cadence.",
                           g);
        if (!(a->extras.order.known && a->extras.order.overtaking > 0))
            stall_list_add(
                l, "order_control",
                "After the sweep: one run with in_order=False and batch ranks logged, and "
                "prefetch_factor 1 against 2. A cadence that survives real overtaking is "
                "not caused by delivery in order.");
    } else {
        stall_list_add(l, "compare_intervals",
                       "Compare %" PRId64 " with the intervals of logging, saving and gradient "
                       "accumulation; change one of them and see whether the cadence follows.",
                       g);
        if (stall_cadence_epoch_open(a))
            stall_list_add(l, "compare_epoch",
                           "Check whether an epoch has %" PRId64 " steps (--steps-per-epoch).", g);
    }
}

/* What a longer log should hold that this one does not. */
static const char *still_unknown(const stall_analysis *a)
{
    bool step = isnan(a->wall_share_steady), workers = a->facts.num_workers == STALL_UNKNOWN;

    return step && workers ? ", with step times and num_workers"
           : step          ? ", with step times"
           : workers       ? ", with num_workers"
                           : "";
}

static void advise_few_stalls(const stall_analysis *a, compare_list *l)
{
    uint64_t more = stall_words_more_steps(a);

    if (a->stalls.count < STALL_MIN_STALL)
        stall_list_add(l, "log_sample_ids",
                       "Look at the samples of the slow batch%s (retries, broken or huge samples) "
                       "and run again: a stall at the same samples depends on the data, one at "
                       "another step on the host.",
                       a->stalls.count == 1 ? "" : "es");
    if (more > 0)
        stall_list_add(l, "record_longer", "Record about %" PRIu64 " more step%s%s.", more,
                       more == 1 ? "" : "s", still_unknown(a));
    else
        stall_list_add(l, "record_longer", "Record longer%s, until more stalls are seen.",
                       still_unknown(a));
    stall_list_add(l, "log_sample_ids",
                   "Log the sample ids of the slow batches and run again: stalls at the same "
                   "samples depend on the data, at other steps on the host.");
}

static void advise_longer(const stall_run *run, compare_list *l)
{
    const stall_analysis *a = &run->analysis;
    int64_t steps = steps_to_record(a);

    if (a->input.averaged || a->input.sampled)
        stall_list_add(l, "record_longer",
                       "Log every step by itself (a logging interval of 1)%s, for %" PRId64
                       " steps or more: only then can stalls and their gaps be seen.",
                       still_unknown(a), steps);
    else if (stall_has_note(a, STALL_NOTE_stall_threshold_too_low))
        stall_list_add(
            l, "record_longer",
            "Leave --stall-ms out, or set it above the bulk of the waits, and look again; "
            "if that does not settle it, record %" PRId64 " steps or more.",
            steps);
    else if (stall_has_note(a, STALL_NOTE_too_few_steps) || a->stalls.count == 0)
        stall_list_add(l, "record_longer",
                       "Record %" PRId64 " steps or more%s, so that a cadence can be told from "
                       "chance.",
                       (uint64_t)steps <= a->dist.n ? (int64_t)(2 * a->dist.n) : steps,
                       still_unknown(a));
    else
        advise_few_stalls(a, l);
}

/* A period that was nearly claimed is cheaper to settle than to explain away. */
static void advise_candidate(const stall_analysis *a, compare_list *l)
{
    stall_candidate c;

    if (a->input.stride == 1 && stall_cadence_candidate(a, &c) && c.more_steps > 0 &&
        c.more_steps <= CANDIDATE_WORTH * a->dist.n)
        stall_list_add(l, "record_longer",
                       "Record about %" PRIu64 " more step%s: that would settle whether the stalls "
                       "have a period of %" PRId64 ".",
                       c.more_steps, c.more_steps == 1 ? "" : "s", c.lag);
}

static void advise_shape(const stall_run *run, compare_list *l)
{
    const stall_analysis *a = &run->analysis;

    switch (a->shape) {
    case STALL_SHAPE_NO_INPUT_PROBLEM:
        stall_list_add(
            l, "look_elsewhere",
            "Look elsewhere: computing, synchronisation, copies to the device. Input does "
            "not hold this loop.");
        break;
    case STALL_SHAPE_STARTUP_ONLY:
        stall_list_add(
            l, "persistent_workers",
            "Set persistent_workers=True and leave the first step out. If only the first "
            "epoch pays then, the start of the workers was it.");
        if (stall_has_note(a, STALL_NOTE_steady_also_slow))
            stall_list_add(l, "time_the_dataset",
                           "Then time dataset[i] and collate alone: the other steps wait as well.");
        break;
    case STALL_SHAPE_UNIFORM_SLOW:
        stall_list_add(l, "time_the_dataset",
                       "Time dataset[i] and collate alone, then try %s. No gain from workers "
                       "suggests a limit of CPU or a lock.",
                       a->facts.num_workers == 0   ? "a few workers: num_workers is 0 now"
                       : a->facts.num_workers == 1 ? "more workers: num_workers is 1 now"
                                                   : "num_workers 0 against a few");
        break;
    case STALL_SHAPE_HEAVY_PERIODIC:
        advise_periodic(run, l);
        break;
    case STALL_SHAPE_HEAVY_LONG_CYCLE:
        stall_list_add(l, "compare_epoch",
                       "Compare %" PRId64 " steps with the steps of an epoch, the checkpoint "
                       "interval and the length of a shard; change one and see whether it follows.",
                       a->cadence.period_steps);
        break;
    case STALL_SHAPE_HEAVY_CLUSTERED:
        stall_list_add(
            l, "check_neighbours",
            "Compare counters (read bytes, faults, CPU time) of slow and fast intervals, "
            "and look for shards, remote storage and other jobs on the host that fit the "
            "bursts.");
        break;
    case STALL_SHAPE_HEAVY_RANDOM:
        advise_candidate(a, l);
        stall_list_add(
            l, "log_sample_ids",
            "Log the sample ids of slow batches, time those samples alone, and watch for "
            "changes of worker PIDs. The same ids slow again: it depends on the data.");
        break;
    case STALL_SHAPE_REGIME_CHANGE:
        stall_list_add(l, "check_neighbours",
                       "Find out what changed at step %" PRId64
                       ": a cache that was warm from there "
                       "on, another job, remote storage. Run again at once: a cold start will not "
                       "come back with warm caches.",
                       a->change.step);
        stall_list_add(l, "record_longer", "Record longer within one regime.");
        break;
    case STALL_SHAPE_INCONCLUSIVE:
        advise_longer(run, l);
        break;
    }
}

/* ---- by verdict ---- */

/* The worst run of a side has the word: runs that need something before healthy ones. */
static void advise_side(const stall_report *r, int side, bool healthy, compare_list *l)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].side == side &&
            (r->runs[i].analysis.shape == STALL_SHAPE_NO_INPUT_PROBLEM) == healthy)
            advise_shape(&r->runs[i], l);
}

static void advise_second(const stall_report *r, compare_list *l)
{
    if (stall_has_why(&r->compare, STALL_WHY_single_pass))
        stall_list_add(l, "second_pass",
                       "Record a second pass of each side in alternating order: one pass does not "
                       "show how much runs differ on their own.");
}

static void advise_open(const stall_report *r, const compare_need *need, compare_list *l)
{
    const stall_comparison *c = &r->compare;

    if (stall_has_why(c, STALL_WHY_passes_overlap))
        stall_list_add(
            l, "second_pass",
            "Record more passes of both sides in alternating order, on a quiet host: the "
            "passes of the two sides overlap.");
    else if (stall_has_why(c, STALL_WHY_regime_change))
        stall_list_add(l, "record_longer",
                       "Record both sides again in the same state, caches warm, and longer.");
    else if (need->steps > 0)
        stall_list_add(l, "record_longer", "Record at least %" PRIu64 " more step%s%s%s.",
                       need->steps, need->steps == 1 ? "" : "s",
                       need->side < 0 ? " on each side" : " of the side called ",
                       need->side < 0 ? "" : r->side_label[need->side]);
    else if (stall_has_why(c, STALL_WHY_interval_too_wide))
        stall_list_add(l, "second_pass",
                       "Record a second pass of each side in alternating order: the means are too "
                       "much alike for longer runs to settle it.");
    else
        stall_list_add(l, "record_longer",
                       "Record both sides longer, until the slower one shows 4 stalls or more.");
    advise_side(r, 0, false, l);
}

static void advise_compare(const stall_report *r, const compare_need *need, compare_list *l)
{
    switch (r->compare.verdict) {
    case STALL_VERDICT_FIXED:
        advise_second(r, l);
        stall_list_add(l, "stop_here",
                       "Nothing is left to do here: in these runs the fixed side does not wait for "
                       "input. What is left of the step time is elsewhere.");
        break;
    case STALL_VERDICT_IMPROVED:
    case STALL_VERDICT_REGRESSED:
        advise_side(r, 1, false, l);
        advise_second(r, l);
        advise_side(r, 1, true, l);
        break;
    case STALL_VERDICT_UNCHANGED:
        if (stall_has_why(&r->compare, STALL_WHY_identical))
            stall_list_add(l, "second_pass",
                           "Both sides hold the very same waits: check that the right files were "
                           "given, and record the fixed side if it is the same recording twice.");
        advise_side(r, 1, false, l);
        advise_side(r, 1, true, l);
        break;
    case STALL_VERDICT_INCONCLUSIVE:
        advise_open(r, need, l);
        break;
    }
}

void stall_report_advise(const stall_report *r, const compare_need *need, compare_list *l)
{
    if (r->command == STALL_COMMAND_COMPARE) {
        advise_compare(r, need, l);
        return;
    }
    advise_side(r, -1, false, l);
    advise_side(r, -1, true, l);
}
