/* Enters: event slices of one document, in file order. Leaves: its markers, waits and evaluation
 * ranges in small arrays, and per thread what is known of all other events - when the last work
 * starts, which work ended first in the step that is open - so that memory is O(markers + waits).
 * Must not know: which marker holds which wait; what is input and what is not. */
#include <string.h>

#include "read/read.h"

/* Longer times and spans are nonsense, and within these bounds no sum of two overflows. */
#define TIME_MAX (INT64_MAX / 2)
#define SPAN_MAX INT64_C(1000000000000000000)

/* ---- what an event is by its category ---- */

typedef enum row { ROW_HOST, ROW_BUSY, ROW_DEVICE } row;

static bool is(const stall_chrome_text *t, const char *word)
{
    size_t len = strlen(word);
    return t->len == len && memcmp(t->data, word, len) == 0;
}

/* Host events are everything but what stands on a device row and the profiler's own spans. */
static row row_of(const stall_chrome_event *e)
{
    const stall_chrome_text *c = &e->cat;

    if (c->len == 0) /* the writer without categories tells by the pid */
        return is(&e->pid, "CUDA functions") ? ROW_DEVICE : ROW_HOST;
    switch (c->data[0]) {
    case 'k':
        return is(c, "kernel") ? ROW_BUSY : ROW_HOST;
    case 'K':
        return is(c, "Kernel") ? ROW_BUSY : ROW_HOST;
    case 'M':
        return is(c, "Memcpy") || is(c, "Memset") ? ROW_BUSY : ROW_HOST;
    case 'g':
        if (is(c, "gpu_memcpy") || is(c, "gpu_memset"))
            return ROW_BUSY;
        return c->len > 4 && memcmp(c->data, "gpu_", 4) == 0 ? ROW_DEVICE : ROW_HOST;
    case 'c':
        return is(c, "cuda_sync") ? ROW_DEVICE : ROW_HOST;
    case 'T':
        return is(c, "Trace") ? ROW_DEVICE : ROW_HOST;
    default:
        return ROW_HOST;
    }
}

/* ---- keeping ---- */

static void note_max(int64_t *max, int64_t v)
{
    if (*max == STALL_UNKNOWN || v > *max)
        *max = v;
}

static stall_status loader_of(stall_chrome_doc *d, const char *name, size_t len,
                              uint16_t *ret_loader, stall_error *reterr)
{
    size_t i;

    for (i = 0; i < d->loaders_len; i++)
        if (strlen(d->loaders[i]) == len && memcmp(d->loaders[i], name, len) == 0)
            break;
    if (i == STALL_CHROME_LOADERS_MAX) {
        i--; /* the rest counts as one class */
    } else if (i == d->loaders_len) {
        d->loaders[i] = stall_mem_text(name, len);
        if (!d->loaders[i])
            return stall_error_memory(reterr);
        d->loaders_len++;
    }
    *ret_loader = (uint16_t)(i + 1);
    return STALL_OK;
}

static stall_status keep_marker(stall_chrome_doc *d, size_t thread, const stall_chrome_name *name,
                                const stall_chrome_marker *m, stall_error *reterr)
{
    stall_chrome_thread *t = &d->threads[thread];

    if (!stall_mem_grow((void **)&d->markers, &d->markers_cap, d->markers_len + 1,
                        sizeof *d->markers))
        return stall_error_memory(reterr);
    d->markers[d->markers_len] = *m;
    d->markers_len++;
    if (name->kind == STALL_CHROME_MARKER)
        d->exact_marker = true;
    if (!m->bad_ts && (name->kind == STALL_CHROME_MARKER || !d->exact_marker)) {
        t->look_from = m->start;
        t->cand_start = STALL_UNKNOWN;
    }
    return STALL_OK;
}

static stall_status keep_wait(stall_chrome_doc *d, size_t thread, stall_chrome_wait *w,
                              stall_error *reterr)
{
    stall_chrome_thread *t = &d->threads[thread];
    int64_t end = w->end == STALL_UNKNOWN ? w->start : w->end;

    if (!stall_mem_grow((void **)&d->waits, &d->waits_cap, d->waits_len + 1, sizeof *d->waits))
        return stall_error_memory(reterr);
    w->work_before = STALL_UNKNOWN;
    if (!w->bad_ts) {
        if (t->cand_start != STALL_UNKNOWN && t->cand_start < w->start && t->cand_end < end)
            w->work_before = t->cand_start;
        if (t->pending != STALL_UNKNOWN && t->pending < w->start)
            t->followed = true;
        t->pending = STALL_UNKNOWN;
        note_max(&t->wait_end, end);
        w->inexact = w->start < d->gpu.filled_hi && end > d->gpu.filled_lo;
        t->last_wait = (uint32_t)d->waits_len + 1;
    }
    d->waits[d->waits_len++] = *w;
    return STALL_OK;
}

/* Work of a thread: any host event that is neither a marker nor a wait. */
static void note_work(stall_chrome_doc *d, stall_chrome_thread *t, int64_t start, int64_t end)
{
    note_max(&t->max_work_start, start);
    if (start >= t->look_from && (t->cand_start == STALL_UNKNOWN || end < t->cand_end)) {
        t->cand_start = start;
        t->cand_end = end;
    }
    if (t->wait_end != STALL_UNKNOWN && start >= t->wait_end &&
        (t->pending == STALL_UNKNOWN || start < t->pending))
        t->pending = start;
    if (t->last_wait) {
        stall_chrome_wait *w = &d->waits[t->last_wait - 1];
        if (w->end != STALL_UNKNOWN && start >= w->start && start < w->end && end > w->end &&
            start != w->start)
            w->crossed = true;
    }
}

/* A host span, complete or with its time damaged: end STALL_UNKNOWN, bad_ts. */
typedef struct span {
    int64_t start, end;
    uint64_t offset;
    size_t thread;
    uint16_t loader;
    bool bad_ts;
} span;

static stall_status host_span(stall_chrome_doc *d, const stall_chrome_name *name, const span *s,
                              stall_error *reterr)
{
    stall_chrome_thread *t = &d->threads[s->thread];
    bool whole = !s->bad_ts && s->end != STALL_UNKNOWN;
    stall_status status = STALL_OK;

    if (!s->bad_ts) {
        note_max(&t->max_start, s->start);
        note_max(&d->max_ts, s->start);
    }
    if (whole) {
        note_max(&t->host_end, s->end);
        note_max(&d->host_end, s->end);
    }
    if (name->kind == STALL_CHROME_WAIT) {
        stall_chrome_wait w = {.start = s->start,
                               .end = s->end,
                               .offset = s->offset,
                               .thread = (uint32_t)s->thread,
                               .process = t->process,
                               .loader = s->loader,
                               .tier = (uint8_t)name->tier,
                               .bad_ts = s->bad_ts};
        return keep_wait(d, s->thread, &w, reterr);
    }
    if (name->kind == STALL_CHROME_MARKER || name->kind == STALL_CHROME_SPACED) {
        stall_chrome_marker m = {.start = s->start,
                                 .end = s->end,
                                 .number = name->number,
                                 .offset = s->offset,
                                 .thread = (uint32_t)s->thread,
                                 .process = t->process,
                                 .spaced = name->kind == STALL_CHROME_SPACED,
                                 .bad_ts = s->bad_ts};
        status = keep_marker(d, s->thread, name, &m, reterr);
    }
    if (name->kind == STALL_CHROME_EVALUATION && whole) {
        if (!stall_mem_grow((void **)&d->ranges, &d->ranges_cap, d->ranges_len + 1,
                            sizeof *d->ranges))
            return stall_error_memory(reterr);
        d->ranges[d->ranges_len++] = (stall_chrome_range){s->start, s->end, (uint32_t)s->thread};
    }
    if (whole && name->kind != STALL_CHROME_MARKER)
        note_work(d, t, s->start, s->end);
    return status;
}

/* B and E: one stack a thread, last in, first out. */
static stall_status begin(stall_chrome_doc *d, const stall_chrome_name *name, const span *s,
                          stall_error *reterr)
{
    stall_chrome_thread *t = &d->threads[s->thread];

    if (t->stack_len == STALL_CHROME_STACK_MAX) {
        t->stack_lost++;
        return STALL_OK;
    }
    if (!stall_mem_grow((void **)&t->stack, &t->stack_cap, t->stack_len + 1, sizeof *t->stack))
        return stall_error_memory(reterr);
    t->stack[t->stack_len++] =
        (stall_chrome_open){*name, s->start, s->offset, s->loader, s->bad_ts};
    return STALL_OK;
}

static stall_status end_span(stall_chrome_doc *d, size_t thread, int64_t end, stall_error *reterr)
{
    stall_chrome_thread *t = &d->threads[thread];
    stall_chrome_open o;
    span s;

    if (t->stack_lost) {
        t->stack_lost--;
        return STALL_OK;
    }
    if (t->stack_len == 0)
        return STALL_OK;
    o = t->stack[--t->stack_len];
    if (end != STALL_UNKNOWN && (end < o.start || end - o.start > SPAN_MAX))
        end = STALL_UNKNOWN;
    s = (span){o.start, end, o.offset, thread, o.loader, o.bad_ts};
    return host_span(d, &o.name, &s, reterr);
}

/* GPU work: an interval ends at the latest where the next of its stream starts. */
static stall_status gpu_span(stall_chrome_doc *d, size_t thread, int64_t start, int64_t end,
                             stall_error *reterr)
{
    stall_chrome_span *last, ready;

    d->gpu.seen = true;
    if (thread == SIZE_MAX)
        return stall_chrome_gpu_add(&d->gpu, start, end, d->waits, d->waits_len, reterr);
    last = &d->threads[thread].gpu;
    ready = *last;
    if (ready.start == STALL_UNKNOWN) {
        *last = (stall_chrome_span){start, end};
        return STALL_OK;
    }
    if (start >= ready.start) {
        if (ready.end > start)
            ready.end = start;
        *last = (stall_chrome_span){start, end};
    } else {
        ready = (stall_chrome_span){start, end < ready.start ? end : ready.start};
    }
    return stall_chrome_gpu_add(&d->gpu, ready.start, ready.end, d->waits, d->waits_len, reterr);
}

stall_status stall_chrome_collect_end(stall_chrome_collect *c, stall_error *reterr)
{
    stall_chrome_doc *d = c->doc;
    stall_status status = STALL_OK;
    size_t i;

    for (i = 0; i < d->threads_len && !status; i++) {
        stall_chrome_thread *t = &d->threads[i];
        t->stack_lost = 0;
        while (t->stack_len && !status)
            status = end_span(d, i, STALL_UNKNOWN, reterr);
        if (!status && t->gpu.start != STALL_UNKNOWN)
            status = stall_chrome_gpu_add(&d->gpu, t->gpu.start, t->gpu.end, d->waits, d->waits_len,
                                          reterr);
    }
    if (!status)
        status = stall_chrome_gpu_settle(&d->gpu, d->waits, d->waits_len, reterr);
    return status;
}

/* ---- one event ---- */

/* The name with its escapes resolved; only so much of it as may matter. */
static void plain_name(stall_chrome_collect *c, const stall_chrome_text *t, const char **ret,
                       size_t *ret_len)
{
    size_t n = t->len < sizeof c->name ? t->len : sizeof c->name - 1;

    if (!t->escaped && !c->wait_name) {
        *ret = t->there ? t->data : "";
        *ret_len = t->len;
        return;
    }
    if (t->escaped) {
        n = stall_json_unescape((const unsigned char *)t->data, t->len, c->name, sizeof c->name);
        if (n >= sizeof c->name)
            n = sizeof c->name - 1;
    } else if (n) {
        memcpy(c->name, t->data, n);
    }
    c->name[n] = '\0';
    *ret = c->name;
    *ret_len = n;
}

static stall_chrome_name classify(stall_chrome_collect *c, const char *name, size_t len)
{
    stall_chrome_name n = stall_chrome_classify(name, len);

    if (c->wait_name && n.kind != STALL_CHROME_MARKER && n.kind != STALL_CHROME_SPACED &&
        regexec(c->wait_name, name, 0, NULL, 0) == 0) {
        n.kind = STALL_CHROME_WAIT;
        n.tier = STALL_CHROME_TIER_USER;
        n.data_loader = false;
    }
    return n;
}

static bool begin_of(const stall_chrome_event *e, int64_t *ret)
{
    return stall_chrome_time(&e->ts, ret) && *ret <= TIME_MAX && *ret >= -TIME_MAX;
}

static bool length_of(const stall_chrome_event *e, int64_t *ret)
{
    return stall_chrome_time(&e->dur, ret) && *ret >= 0 && *ret <= SPAN_MAX;
}

/* A host event: X, B or E. */
static stall_status host_event(stall_chrome_collect *c, const stall_chrome_event *e, size_t thread,
                               uint64_t offset, stall_error *reterr)
{
    stall_chrome_doc *d = c->doc;
    char ph = e->ph.data[0];
    span s = {.offset = offset, .thread = thread, .end = STALL_UNKNOWN};
    stall_chrome_name name;
    const char *text;
    size_t len;
    int64_t dur;

    s.bad_ts = !begin_of(e, &s.start);
    if (s.bad_ts)
        s.start = 0;
    if (ph == 'E')
        return end_span(d, thread, s.bad_ts ? STALL_UNKNOWN : s.start, reterr);
    plain_name(c, &e->name, &text, &len);
    name = classify(c, text, len);
    if (name.data_loader) {
        stall_status status = loader_of(d, text, len, &s.loader, reterr);
        if (status)
            return status;
    }
    if (ph == 'B')
        return begin(d, &name, &s, reterr);
    if (!s.bad_ts && length_of(e, &dur))
        s.end = s.start + dur;
    return host_span(d, &name, &s, reterr);
}

static stall_status take(stall_chrome_collect *c, const stall_chrome_event *e, uint64_t offset,
                         stall_error *reterr)
{
    stall_chrome_doc *d = c->doc;
    row r = row_of(e);
    stall_status status;
    size_t thread = SIZE_MAX;
    int64_t start, dur;

    if (r == ROW_HOST || (r == ROW_BUSY && !c->no_gpu)) {
        status = stall_chrome_doc_thread(d, e, &thread, reterr);
        if (status)
            return status;
    }
    if (r == ROW_HOST) {
        stall_chrome_name name;
        const char *text;
        size_t len;
        if (thread != SIZE_MAX)
            return host_event(c, e, thread, offset, reterr);
        plain_name(c, &e->name, &text, &len);
        name = classify(c, text, len);
        if (name.kind == STALL_CHROME_OTHER)
            return STALL_OK;
        return stall_error_set(reterr, STALL_ELIMIT, offset, "the trace has more than %u threads",
                               STALL_CHROME_THREADS_MAX);
    }
    if (!begin_of(e, &start))
        return STALL_OK;
    if (r == ROW_BUSY && !c->no_gpu && e->ph.data[0] == 'X' && length_of(e, &dur)) {
        status = gpu_span(d, thread, start, start + dur, reterr);
        if (status)
            return status;
    }
    if (r == ROW_BUSY)
        note_max(&d->max_ts, start);
    return STALL_OK;
}

stall_status stall_chrome_collect_lost(stall_chrome_collect *c, uint64_t offset, const char *what,
                                       stall_error *reterr)
{
    if (c->doc->lost++ == 0)
        c->doc->lost_offset = offset;
    return stall_warn_add(c->warnings, STALL_WARN_events_lost, 1, offset, reterr, "%s", what);
}

/* What is left of an event whose text is broken: it is kept when all that matters came before. */
static stall_status damaged(stall_chrome_collect *c, const stall_slice *event,
                            stall_chrome_event *e, bool *ret_keep, stall_error *reterr)
{
    static const char second[] = "\"schemaVersion\"";
    bool instant = e->ph.whole && e->ph.len == 1 && e->ph.data[0] != 'X';

    *ret_keep = e->ph.whole && e->name.whole && e->pid.whole && e->tid.whole && e->ts.whole &&
                (e->dur.whole || instant);
    if (memmem(event->data, event->len, second, sizeof second - 1))
        return stall_error_set(reterr, STALL_EFORMAT, event->offset,
                               "a second trace begins inside an event: two writers, one file?");
    if (*ret_keep)
        return STALL_OK;
    if (e->name.there && !e->name.escaped && row_of(e) == ROW_HOST &&
        stall_chrome_vital(e->name.data, e->name.len))
        return stall_error_set(reterr, STALL_EFORMAT, event->offset,
                               "a step marker or DataLoader event is broken beyond repair");
    return stall_chrome_collect_lost(c, event->offset, "an event is broken beyond repair", reterr);
}

stall_status stall_chrome_collect_event(stall_chrome_collect *c, const stall_slice *event,
                                        int flags, size_t sound, stall_error *reterr)
{
    stall_chrome_event e;
    bool broken = flags & (STALL_SLICE_CAPPED | STALL_SLICE_DAMAGED), keep = true;
    size_t len = flags & STALL_SLICE_DAMAGED ? sound : event->len;
    stall_status status;

    c->doc->events++;
    /* of doubled keys the last wins: where it could matter, the whole event is read */
    stall_chrome_event_parse(event->data, len, broken || memchr(event->data, '#', len), &e);
    if (broken) {
        status = damaged(c, event, &e, &keep, reterr);
        if (status || !keep)
            return status;
    }
    c->doc->phases += e.ph.there;
    if (e.ph.len != 1 || (e.ph.data[0] != 'X' && e.ph.data[0] != 'B' && e.ph.data[0] != 'E'))
        return STALL_OK;
    stall_chrome_doc_count(c->doc, &e.cat);
    return take(c, &e, event->offset, reterr);
}
