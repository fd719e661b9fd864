/* Enters: the markers and the waits of one rank. Leaves: steps with the waits that belong to them.
 * Must not know: threads other than the loop's, keys of the file, statistics.
 *
 * In this order: steps are the markers, cut where one overlaps the next; fetches inside an
 * evaluation range are set apart; so are the loaders that serve fewer than half of the steps; what
 * is left is merged to disjoint intervals, and each belongs whole to the step in which it starts,
 * or to the next one. Without markers the merged intervals themselves are the steps. */
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

/* Steps on several threads of one rank may overlap: how far back one is looked for. */
#define LOOK_BACK 8

/* ---- steps from markers ---- */

static stall_status from_markers(stall_chrome_rank *r, const stall_chrome_marker *m, size_t n,
                                 stall_error *reterr)
{
    uint64_t overlaps = 0, first = STALL_OFFSET_NONE;
    size_t i;

    r->steps = stall_mem_zero(n, sizeof *r->steps);
    if (!r->steps)
        return stall_error_memory(reterr);
    r->len = n;
    for (i = 0; i < r->doc->threads_len; i++)
        r->doc->threads[i].next_marker = INT64_MAX;
    for (i = n; i-- > 0;) {
        int64_t *next = &r->doc->threads[m[i].thread].next_marker;
        stall_chrome_step *s = &r->steps[i];
        s->start = s->from = m[i].start;
        s->end = m[i].end;
        s->label = m[i].number;
        s->offset = m[i].offset;
        s->thread = m[i].thread;
        if (m[i].end == STALL_UNKNOWN) {
            s->end = *next;
            s->wait_unknown = s->span_unknown = true;
        } else if (*next != INT64_MAX && m[i].end > *next &&
                   m[i].end - *next > STALL_CHROME_SLACK_NS) {
            s->end = *next;
            overlaps++;
            first = m[i].offset;
        }
        if (m[i].after_lost)
            s->wait_unknown = s->span_unknown = true;
        *next = m[i].start;
    }
    if (!overlaps)
        return STALL_OK;
    return stall_warn_add(r->warnings, STALL_WARN_markers_overlap, overlaps, first, reterr,
                          "a step marker overlaps the next one; it ends where the next starts");
}

/* Index of the step to which a wait that starts at `t` belongs, or SIZE_MAX: after the last. */
static size_t step_of(const stall_chrome_rank *r, int64_t t)
{
    size_t lo = 0, hi = r->len, i;

    while (lo < hi) { /* the number of steps that start at t or before */
        size_t mid = lo + (hi - lo) / 2;
        if (r->steps[mid].start <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (i = lo; i > 0 && lo - i < LOOK_BACK; i--)
        if (t < r->steps[i - 1].end)
            return i - 1;
    return lo < r->len ? lo : SIZE_MAX;
}

/* ---- evaluation ---- */

static int by_thread_and_start(const void *a, const void *b)
{
    const stall_chrome_range *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorted ranges get as their end the latest end so far on their thread: some range holds a wait
 * exactly if the last one that starts before it does. Doing it twice changes nothing. */
static void prepare_ranges(stall_chrome_doc *d)
{
    size_t i;

    if (d->ranges_len == 0)
        return;
    qsort(d->ranges, d->ranges_len, sizeof *d->ranges, by_thread_and_start);
    for (i = 1; i < d->ranges_len; i++)
        if (d->ranges[i].thread == d->ranges[i - 1].thread &&
            d->ranges[i].end < d->ranges[i - 1].end)
            d->ranges[i].end = d->ranges[i - 1].end;
}

static bool in_range(const stall_chrome_doc *d, const stall_chrome_wait *w)
{
    int64_t end = w->end == STALL_UNKNOWN ? w->start : w->end;
    size_t lo = 0, hi = d->ranges_len;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const stall_chrome_range *x = &d->ranges[mid];
        if (x->thread < w->thread || (x->thread == w->thread && x->start <= w->start))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 && d->ranges[lo - 1].thread == w->thread && d->ranges[lo - 1].end >= end;
}

/* Sets evaluation fetches apart, and the steps that hold nothing else. */
static stall_status set_evaluation_apart(stall_chrome_rank *r, stall_error *reterr)
{
    uint64_t left_out = 0, offset = STALL_OFFSET_NONE;
    int64_t label = STALL_UNKNOWN;
    size_t i;

    prepare_ranges(r->doc);
    for (i = 0; i < r->waits_len; i++) {
        stall_chrome_wait *w = &r->waits[i];
        size_t s = r->marks ? step_of(r, w->start) : SIZE_MAX;
        w->evaluation = in_range(r->doc, w);
        if (s == SIZE_MAX)
            continue;
        if (w->evaluation)
            r->steps[s].evaluation++;
        else
            r->steps[s].training = true;
    }
    for (i = 0; i < r->len; i++) {
        stall_chrome_step *s = &r->steps[i];
        if (s->evaluation && !s->training) {
            s->left_out = true;
            if (left_out++ == 0)
                offset = s->offset;
        }
    }
    if (!left_out)
        return STALL_OK;
    for (i = 0; i < r->len; i++) { /* the labels mix two counters: number on by order */
        if (r->steps[i].left_out)
            continue;
        label = label == STALL_UNKNOWN ? r->steps[i].label : label + 1;
        r->steps[i].label = label;
    }
    return stall_warn_add(r->warnings, STALL_WARN_evaluation_steps, left_out, offset, reterr,
                          "steps that only evaluate are left out; the others are numbered on");
}

/* ---- several loaders ---- */

typedef struct class_use {
    size_t last_step;
    uint64_t served;
    bool seen;
} class_use;

/* A class of iterator that serves fewer than half of the steps, and fewer than the class that
 * serves most, is not the training input. */
static stall_status set_loaders_apart(stall_chrome_rank *r, stall_error *reterr)
{
    class_use use[STALL_CHROME_LOADERS_MAX + 1];
    uint64_t steps = 0, best = 0, others = 0, offset = STALL_OFFSET_NONE;
    size_t i, n = r->doc->loaders_len;

    if (!r->marks || n < 2)
        return STALL_OK;
    for (i = 0; i <= n; i++)
        use[i] = (class_use){SIZE_MAX, 0, false};
    for (i = 0; i < r->len; i++)
        steps += !r->steps[i].left_out;
    for (i = 0; i < r->waits_len; i++) {
        const stall_chrome_wait *w = &r->waits[i];
        size_t s = step_of(r, w->start);
        class_use *u = &use[w->loader];
        if (w->evaluation || s == SIZE_MAX || !w->loader)
            continue;
        u->seen = true;
        if (u->last_step != s) {
            u->last_step = s;
            u->served++;
        }
        if (u->served > best)
            best = u->served;
    }
    for (i = 0; i < r->waits_len; i++) {
        stall_chrome_wait *w = &r->waits[i];
        const class_use *u = &use[w->loader];
        if (w->evaluation || !w->loader || 2 * u->served >= steps || u->served >= best)
            continue;
        w->other = true;
        r->has_others = true;
        if (others++ == 0)
            offset = w->offset;
    }
    if (!others)
        return STALL_OK;
    return stall_warn_add(r->warnings, STALL_WARN_other_loader, others, offset, reterr,
                          "fetches of another loader, which serves few steps, are shown apart");
}

/* ---- merging ---- */

typedef struct interval {
    stall_chrome_span span;
    size_t first;     /* its outermost wait */
    uint32_t fetches; /* waits that no other one encloses */
    bool open;        /* there is one */
    bool unknown, inexact;
} interval;

/* Without markers an interval is a step: it begins here, and ends the one before it. */
static size_t pseudo_step(stall_chrome_rank *r, const interval *v, uint64_t offset)
{
    stall_chrome_step *s = &r->steps[r->len];

    memset(s, 0, sizeof *s);
    s->start = s->from = v->span.start;
    s->end = INT64_MAX;
    s->label = (int64_t)r->len;
    s->offset = offset;
    s->thread = r->waits[v->first].thread;
    s->span_unknown = true;
    if (r->len) {
        s[-1].end = s->start;
        s[-1].span_unknown = false;
    }
    return r->len++;
}

/* Gives an interval to its step. */
static void deliver(stall_chrome_rank *r, interval *v, uint64_t *after, uint64_t *ret_offset)
{
    const stall_chrome_wait *w = &r->waits[v->first];
    int64_t length = v->span.end - v->span.start;
    stall_chrome_step *s;
    size_t i;

    if (!v->open)
        return;
    v->open = false;
    i = r->marks ? step_of(r, v->span.start) : pseudo_step(r, v, w->offset);
    if (!w->other) {
        r->last = v->span;
        r->last_wait = v->first;
        r->last_step = i;
    }
    if (i == SIZE_MAX) {
        if (!w->other && (*after)++ == 0)
            *ret_offset = w->offset;
        return;
    }
    s = &r->steps[i];
    if (w->other) {
        s->other += length;
        return;
    }
    if (v->span.start < s->from)
        s->from = v->span.start;
    s->wait += length;
    s->fetches += v->fetches;
    s->wait_unknown |= v->unknown;
    s->exposed_unknown |= v->inexact;
    s->exposed +=
        length - stall_chrome_gpu_covered(&r->doc->gpu, v->span.start, v->span.end, r->middle);
}

/* Merges the waits of the training input, or of the other loaders, where they really overlap. */
static stall_status merge(stall_chrome_rank *r, bool other, stall_error *reterr)
{
    interval v = {0};
    uint64_t after = 0, offset = STALL_OFFSET_NONE;
    size_t i;

    for (i = 0; i < r->waits_len; i++) {
        const stall_chrome_wait *w = &r->waits[i];
        int64_t end = w->end == STALL_UNKNOWN ? w->start : w->end;
        if (w->evaluation || w->other != other)
            continue;
        if (v.open && w->start >= v.span.end &&
            !(w->start == v.span.end && end == w->start && w->end != STALL_UNKNOWN))
            deliver(r, &v, &after, &offset);
        if (!v.open) {
            v = (interval){.span = {w->start, end}, .first = i, .fetches = 1, .open = true};
        } else if (end > v.span.end) { /* overlaps, not enclosed */
            v.span.end = end;
            v.fetches++;
        }
        v.unknown |= w->end == STALL_UNKNOWN;
        v.inexact |= w->inexact;
    }
    deliver(r, &v, &after, &offset);
    if (!after)
        return STALL_OK;
    return stall_warn_add(r->warnings, STALL_WARN_waits_after_last_step, after, offset, reterr,
                          "waits after the last step marker belong to no step");
}

/* Steps in which no wait was seen: they did not block, unless one may have been lost. */
static void judge_empty(stall_chrome_rank *r)
{
    size_t i;

    for (i = 0; i < r->len; i++) {
        stall_chrome_step *s = &r->steps[i];
        if (s->fetches == 0 && (r->doc->lost || r->doc->threads[s->thread].bad_wait))
            s->wait_unknown = true;
    }
}

stall_status stall_chrome_attribute(stall_chrome_rank *r, const stall_chrome_marker *markers,
                                    size_t markers_len, stall_error *reterr)
{
    stall_status status;

    r->last_wait = r->last_step = SIZE_MAX;
    if (r->marks) {
        status = from_markers(r, markers, markers_len, reterr);
        if (status)
            return status;
    } else {
        r->steps = stall_mem_alloc(r->waits_len + 1, sizeof *r->steps);
        if (!r->steps)
            return stall_error_memory(reterr);
    }
    status = set_evaluation_apart(r, reterr);
    if (!status)
        status = set_loaders_apart(r, reterr);
    if (!status)
        status = merge(r, false, reterr);
    if (!status && r->has_others)
        status = merge(r, true, reterr);
    judge_empty(r);
    return status;
}
