/* Enters: what was collected of one document. Leaves: rows of the series, rank by rank, in time
 * order. Must not know: keys of the file; how a single wait finds its step.
 *
 * The loop threads are those of the markers, a process with markers is a rank. Its waits are the
 * events of the best tier that has any on a loop thread; tiers are never mixed. */
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

/* ---- times that cannot be ---- */

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool far_from(int64_t t, int64_t middle)
{
    /* both are far from the ends of int64_t unless the trace is nonsense; differences in double */
    return (double)t - (double)middle > (double)STALL_CHROME_DAY_NS ||
           (double)middle - (double)t > (double)STALL_CHROME_DAY_NS;
}

/* Start of the median step, or without markers of the median wait. */
static stall_status find_middle(const stall_chrome_doc *d, int64_t *ret, stall_error *reterr)
{
    size_t n = 0, i, cap = d->markers_len > d->waits_len ? d->markers_len : d->waits_len;
    int64_t *starts = stall_mem_alloc(cap + 1, sizeof *starts);

    if (!starts)
        return stall_error_memory(reterr);
    for (i = 0; i < d->markers_len; i++)
        if (!d->markers[i].bad_ts && d->markers[i].spaced != d->exact_marker)
            starts[n++] = d->markers[i].start;
    if (n == 0)
        for (i = 0; i < d->waits_len; i++)
            if (!d->waits[i].bad_ts)
                starts[n++] = d->waits[i].start;
    qsort(starts, n, sizeof *starts, by_value);
    *ret = n ? starts[n / 2] : 0;
    stall_mem_free(starts);
    return STALL_OK;
}

/* Drops markers that are none and those without a usable begin; the one after such a marker on its
 * thread is not to be trusted. */
static stall_status drop_markers(stall_chrome_doc *d, int64_t middle, stall_warnings *warnings,
                                 stall_error *reterr)
{
    uint64_t lost = 0, offset = STALL_OFFSET_NONE;
    size_t i, n = 0;

    for (i = 0; i < d->markers_len; i++) {
        stall_chrome_marker m = d->markers[i];
        stall_chrome_thread *t = &d->threads[m.thread];
        if (m.spaced == d->exact_marker)
            continue;
        t->loop = true;
        if (m.bad_ts || far_from(m.start, middle)) {
            t->lost_next = true;
            if (lost++ == 0)
                offset = m.offset;
            continue;
        }
        m.after_lost = t->lost_next;
        t->lost_next = false;
        d->markers[n++] = m;
    }
    d->markers_len = n;
    if (!lost)
        return STALL_OK;
    return stall_warn_add(warnings, STALL_WARN_events_lost, lost, offset, reterr,
                          "a step marker has no usable time; its step is lost");
}

static int by_process_and_start(const void *a, const void *b)
{
    const stall_chrome_marker *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* By process, loop threads first, tier, usable ones first, start, longer ones first. */
static int by_use(const void *a, const void *b)
{
    const stall_chrome_wait *x = a, *y = b;
    int64_t xe = x->end == STALL_UNKNOWN ? x->start : x->end;
    int64_t ye = y->end == STALL_UNKNOWN ? y->start : y->end;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->loop != y->loop)
        return x->loop ? -1 : 1;
    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    if (x->bad_ts != y->bad_ts)
        return x->bad_ts ? 1 : -1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (xe != ye)
        return xe > ye ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Without markers: the loop thread of a process is the one with most waits of its best tier. */
static void choose_loop_threads(stall_chrome_doc *d)
{
    uint32_t p;
    size_t i;

    for (p = 0; p < d->processes; p++) {
        int tier = STALL_CHROME_TIERS;
        size_t best = SIZE_MAX;
        for (i = 0; i < d->waits_len; i++)
            if (d->waits[i].process == p && d->waits[i].tier < tier)
                tier = d->waits[i].tier;
        if (tier == STALL_CHROME_TIERS)
            continue;
        for (i = 0; i < d->waits_len; i++)
            if (d->waits[i].process == p && d->waits[i].tier == tier)
                d->threads[d->waits[i].thread].waits++;
        for (i = 0; i < d->threads_len; i++)
            if (d->threads[i].process == p && d->threads[i].waits &&
                (best == SIZE_MAX || d->threads[i].waits > d->threads[best].waits))
                best = i;
        d->threads[best].loop = true;
    }
}

/* ---- one document ---- */

typedef struct judging {
    stall_chrome_doc *doc;
    stall_series *out;
    stall_chrome_place place; /* before this document */
    stall_chrome_place after; /* of the rank that got furthest */
    int64_t middle;
    uint64_t markers, on_loop, off_loop, off_loop_offset, known, bad_waits, bad_offset;
    size_t ranks;
    int best_tier;
} judging;

static stall_status prepare(judging *j, stall_error *reterr)
{
    stall_chrome_doc *d = j->doc;
    stall_status status = find_middle(d, &j->middle, reterr);
    size_t i;

    if (!status)
        status = drop_markers(d, j->middle, &j->out->warnings, reterr);
    if (status)
        return status;
    for (i = 0; i < d->waits_len; i++)
        d->waits[i].bad_ts |= far_from(d->waits[i].start, j->middle);
    if (d->markers_len == 0) {
        for (i = 0; i < d->threads_len; i++)
            d->threads[i].loop = false;
        choose_loop_threads(d);
    }
    for (i = 0; i < d->waits_len; i++)
        d->waits[i].loop = d->threads[d->waits[i].thread].loop;
    if (d->markers_len)
        qsort(d->markers, d->markers_len, sizeof *d->markers, by_process_and_start);
    if (d->waits_len)
        qsort(d->waits, d->waits_len, sizeof *d->waits, by_use);
    return STALL_OK;
}

/* The waits of a process that count: one tier, on its loop threads. Those without a usable ts
 * stand last; they only make the steps of their thread doubtful. */
static void find_waits(judging *j, stall_chrome_rank *r)
{
    stall_chrome_doc *d = j->doc;
    size_t i = 0, n = 0;
    int tier;

    while (i < d->waits_len && d->waits[i].process < r->process)
        i++;
    r->waits = d->waits_len > 0 ? d->waits + i : NULL;
    if (i == d->waits_len || d->waits[i].process != r->process || !d->waits[i].loop)
        return;
    tier = d->waits[i].tier;
    if (d->user_only && tier != STALL_CHROME_TIER_USER)
        return;
    for (; i < d->waits_len && d->waits[i].process == r->process && d->waits[i].loop &&
           d->waits[i].tier == tier;
         i++) {
        j->on_loop++;
        if (!d->waits[i].bad_ts) {
            n++;
            continue;
        }
        d->threads[d->waits[i].thread].bad_wait = true;
        if (j->bad_waits++ == 0)
            j->bad_offset = d->waits[i].offset;
    }
    r->waits_len = n;
    if (tier < j->best_tier)
        j->best_tier = tier;
}

static int32_t rank_number(const judging *j, const stall_chrome_rank *r)
{
    const stall_chrome_doc *d = j->doc;
    int64_t n = 0;
    size_t i;

    if (r->alone) {
        n = d->rank != STALL_UNKNOWN ? d->rank : d->name_rank;
        return n >= 0 && n <= INT32_MAX ? (int32_t)n : 0;
    }
    for (i = 0; i < d->threads_len; i++)
        if (d->threads[i].process == r->process)
            break;
    if (i < d->threads_len &&
        stall_decimal_parse(d->threads[i].pid, d->threads[i].pid_len, 0, &n) && n >= 0 &&
        n <= INT32_MAX)
        return (int32_t)n;
    return (int32_t)r->process;
}

static stall_status push_rows(judging *j, const stall_chrome_rank *r, stall_error *reterr)
{
    const stall_chrome_gpu *g = &j->doc->gpu;
    int32_t rank = rank_number(j, r);
    int64_t epoch = j->place.epoch, label = r->alone ? j->place.label : STALL_UNKNOWN;
    uint64_t missing = 0, hole = STALL_OFFSET_NONE;
    stall_status status = STALL_OK;
    size_t i;

    for (i = 0; i < r->len && !status; i++) {
        const stall_chrome_step *s = &r->steps[i];
        bool exposed = g->seen && !g->gave_up && !s->wait_unknown && !s->exposed_unknown;
        stall_row row = {.step = s->label, .rank = rank};
        if (s->left_out)
            continue;
        if (label != STALL_UNKNOWN && s->label <= label)
            epoch++; /* the numbering starts again: a new segment */
        else if (label >= 0 && s->label - 1 > label) {
            if (missing == 0)
                hole = s->offset;
            missing += (uint64_t)(s->label - 1 - label);
        }
        label = s->label;
        row.epoch = epoch;
        row.wait_ns = s->wait_unknown ? STALL_UNKNOWN : s->wait;
        row.step_ns = s->span_unknown || s->end < s->from ? STALL_UNKNOWN : s->end - s->from;
        row.exposed_ns = exposed ? s->exposed : STALL_UNKNOWN;
        row.other_wait_ns = r->has_others ? s->other : STALL_UNKNOWN;
        row.fetches = s->fetches > INT32_MAX ? INT32_MAX : (int32_t)s->fetches;
        status = stall_series_push(j->out, &row, reterr);
        j->known += !s->wait_unknown;
    }
    if (epoch >= j->after.epoch)
        j->after = (stall_chrome_place){epoch, r->alone ? label : STALL_UNKNOWN};
    if (missing && !status)
        status = stall_warn_add(r->warnings, STALL_WARN_missing_steps, missing, hole, reterr,
                                "steps between the first and the last one were not recorded");
    return status;
}

static stall_status judge_rank(judging *j, uint32_t process, const stall_chrome_marker *markers,
                               size_t markers_len, stall_error *reterr)
{
    stall_chrome_rank r = {.doc = j->doc,
                           .warnings = &j->out->warnings,
                           .process = process,
                           .marks = j->doc->markers_len > 0,
                           .alone = j->ranks == 1,
                           .middle = j->middle};
    stall_status status;

    find_waits(j, &r);
    if (r.waits_len == 0) { /* not measured here, which is not 0 */
        if (j->ranks > 1)
            return stall_warn_add(r.warnings, STALL_WARN_missing_ranks, 1, STALL_OFFSET_NONE,
                                  reterr, "a process has step markers but no waits");
        return STALL_OK;
    }
    status = stall_chrome_attribute(&r, markers, markers_len, reterr);
    if (!status)
        status = stall_chrome_judge(&r, reterr);
    if (!status)
        status = push_rows(j, &r, reterr);
    stall_mem_free(r.steps);
    return status;
}

/* Calls judge_rank for every process that is a rank; with `count` only counts them. */
static stall_status each_rank(judging *j, bool count, stall_error *reterr)
{
    stall_chrome_doc *d = j->doc;
    stall_status status = STALL_OK;
    size_t i, k;

    if (d->markers_len) {
        for (i = 0; i < d->markers_len && !status; i = k) {
            for (k = i; k < d->markers_len && d->markers[k].process == d->markers[i].process;)
                k++;
            if (count)
                j->ranks++;
            else
                status = judge_rank(j, d->markers[i].process, d->markers + i, k - i, reterr);
        }
        return status;
    }
    for (i = 0; i < d->waits_len && !status; i = k) {
        for (k = i; k < d->waits_len && d->waits[k].process == d->waits[i].process;)
            k++;
        if (count)
            j->ranks++;
        else
            status = judge_rank(j, d->waits[i].process, NULL, 0, reterr);
    }
    return status;
}

/* ---- what is said ---- */

static void append_found(const stall_chrome_doc *d, stall_text *t)
{
    size_t i;

    for (i = 0; i < d->cats_len; i++) {
        char name[64];
        stall_text_printable(name, sizeof name, d->cats[i].name, d->cats[i].len);
        stall_text_printf(t, "%s%llu %s", i ? ", " : "; found ",
                          (unsigned long long)d->cats[i].count,
                          d->cats[i].len ? name : "without category");
        if (t->len > 300)
            break;
    }
}

/* Why there is nothing to report, and what to do about it. */
static void explain(const judging *j, stall_error *ret_why)
{
    const stall_chrome_doc *d = j->doc;
    unsigned long long off = (unsigned long long)j->off_loop;
    stall_text t;
    const char *hint = "record with torch.profiler.profile(activities=[ProfilerActivity.CPU, ...], "
                       "schedule=...), and make the DataLoader iterator while it runs; name a "
                       "range of your own with --wait-name";

    stall_text_init(&t);
    if (d->events == 0)
        stall_text_put(&t, "no step markers and no input-wait events: the trace holds no events");
    else if (j->on_loop)
        stall_text_put(&t, "no step has a usable input wait");
    else if (off)
        stall_text_printf(&t,
                          "the input wait was not measured: all %llu input-wait events are on "
                          "other threads than the step markers",
                          off);
    else if (d->user_only)
        stall_text_put(&t, "no range on the thread of the training loop matches --wait-name");
    else if (j->markers)
        stall_text_printf(&t,
                          "the input wait was not measured: %llu step markers but no input-wait "
                          "events",
                          (unsigned long long)j->markers);
    else
        stall_text_put(&t, "no step markers and no input-wait events");
    append_found(d, &t);
    stall_error_set(ret_why, STALL_ENODATA, STALL_OFFSET_NONE, "%s", t.data ? t.data : "no data");
    if (off && !j->on_loop)
        hint = "a loader that is driven from a thread of its own leaves no wait in the training "
               "loop's; time next() in the loop, or put record_function around it and name that "
               "with --wait-name";
    stall_error_hint(ret_why, "%s", hint);
    stall_text_close(&t);
}

static stall_status say(judging *j, stall_error *reterr)
{
    static const char frames[] =
        "the DataLoader's Python frames were used (a few microseconds longer than the fetch)";
    static const char *const words[STALL_CHROME_TIERS] = {
        "", "", "Lightning's ranges around the fetch were used", frames,
        "user ranges named like a fetch were used; that they are one is a guess"};
    stall_warnings *w = &j->out->warnings;
    stall_status status = STALL_OK;

    if (j->off_loop)
        status = stall_warn_add(w, STALL_WARN_off_thread_waits, j->off_loop, j->off_loop_offset,
                                reterr, "input-wait events on other threads are not counted");
    if (!status && j->bad_waits)
        status = stall_warn_add(w, STALL_WARN_unfinished_event, j->bad_waits, j->bad_offset, reterr,
                                "a fetch has no usable time; steps without one are unknown");
    if (!status && j->best_tier > 1 && j->best_tier < STALL_CHROME_TIERS)
        status = stall_warn_add(w, STALL_WARN_wait_tier, 1, STALL_OFFSET_NONE, reterr, "%s",
                                words[j->best_tier]);
    if (!status && j->doc->markers_len == 0)
        status = stall_warn_add(w, STALL_WARN_no_step_marks, 1, STALL_OFFSET_NONE, reterr,
                                "no step markers; every fetch counts as one step");
    return status;
}

/* Waits on other threads: of the tier that was used, or of any when none was. */
static void count_off_loop(judging *j)
{
    const stall_chrome_doc *d = j->doc;
    size_t i;

    j->off_loop_offset = STALL_OFFSET_NONE;
    for (i = 0; i < d->waits_len; i++) {
        const stall_chrome_wait *w = &d->waits[i];
        if (w->loop || (j->best_tier < STALL_CHROME_TIERS && w->tier != j->best_tier) ||
            (d->user_only && w->tier != STALL_CHROME_TIER_USER))
            continue;
        j->off_loop++;
        if (w->offset < j->off_loop_offset)
            j->off_loop_offset = w->offset;
    }
}

stall_status stall_chrome_steps(stall_chrome_doc *d, stall_series *out, stall_chrome_place *place,
                                stall_error *ret_why, stall_error *reterr)
{
    judging j = {.doc = d,
                 .out = out,
                 .place = *place,
                 .after = *place,
                 .best_tier = STALL_CHROME_TIERS};
    size_t before = out->len;
    stall_status status;

    j.markers = d->markers_len;
    status = prepare(&j, reterr);
    if (!status)
        status = each_rank(&j, true, reterr);
    if (!status)
        status = each_rank(&j, false, reterr);
    if (status)
        return status;
    count_off_loop(&j);
    if (j.known == 0) {
        out->len = before;
        explain(&j, ret_why);
        return STALL_OK;
    }
    *place = j.after;
    if (d->gpu.seen)
        out->has_gpu = true;
    return say(&j, reterr);
}
