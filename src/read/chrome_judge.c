/* Enters: the steps of one rank with their waits. Leaves: the same, without the fetch that found
 * the loader exhausted, and with the waits marked unknown that were cut off or never ended; and
 * what is to be said about the steps. Must not know: names, keys, statistics. */
#include "read/read.h"

static const stall_chrome_thread *last_thread(const stall_chrome_rank *r)
{
    return &r->doc->threads[r->waits[r->last_wait].thread];
}

/* The last fetch is the one that raised StopIteration: no work of its thread starts after it
 * though work followed an earlier one, it is the only fetch of its step, and all work of its step
 * lies inside it or encloses it. Only whole files tell. */
static bool is_end_of_data(const stall_chrome_rank *r)
{
    const stall_chrome_thread *t;
    const stall_chrome_wait *w;
    const stall_chrome_step *s;

    if (r->doc->cut || r->doc->more_follows || r->last_step == SIZE_MAX)
        return false;
    t = last_thread(r);
    w = &r->waits[r->last_wait];
    s = &r->steps[r->last_step];
    if (w->end == STALL_UNKNOWN || s->fetches != 1 || w->crossed)
        return false;
    if (t->max_work_start != STALL_UNKNOWN && t->max_work_start >= r->last.end)
        return false;
    if (w->work_before != STALL_UNKNOWN && w->work_before >= s->from)
        return false;
    return t->followed || r->doc->followed_before;
}

static stall_status leave_out_end_of_data(stall_chrome_rank *r, stall_error *reterr)
{
    char ms[STALL_DOUBLE_MAX];

    r->steps[r->last_step].left_out = true;
    return stall_warn_add(r->warnings, STALL_WARN_end_of_data, 1, r->waits[r->last_wait].offset,
                          reterr, "the last fetch found no more data and is left out (%s ms)",
                          stall_ms_text(ms, r->last.end - r->last.start));
}

/* The last host event ends here: of the file, or of the process where there are several ranks. */
static int64_t host_end(const stall_chrome_rank *r)
{
    int64_t end = STALL_UNKNOWN;
    size_t i;

    if (r->alone)
        return r->doc->host_end;
    for (i = 0; i < r->doc->threads_len; i++) {
        const stall_chrome_thread *t = &r->doc->threads[i];
        if (t->process == r->process && t->host_end != STALL_UNKNOWN &&
            (end == STALL_UNKNOWN || t->host_end > end))
            end = t->host_end;
    }
    return end;
}

/* A last wait that was still open when the profiler stopped: stretched to the end of its marker
 * and of the recording, or written with length 0. */
static bool is_open(const stall_chrome_rank *r)
{
    const stall_chrome_wait *w;
    const stall_chrome_thread *t;

    if (r->last_step == SIZE_MAX)
        return false;
    w = &r->waits[r->last_wait];
    t = last_thread(r);
    if (w->end == STALL_UNKNOWN)
        return false;
    if (r->last.end == r->last.start)
        return t->max_start <= r->last.start;
    return r->marks && r->last.end == r->steps[r->last_step].end && r->last.end == host_end(r);
}

/* What stands in the file of waits that have no usable time. */
static stall_status damaged_waits(stall_chrome_rank *r, stall_error *reterr)
{
    uint64_t n = 0, offset = STALL_OFFSET_NONE;
    size_t i;

    for (i = 0; i < r->waits_len; i++)
        if (r->waits[i].end == STALL_UNKNOWN && !r->waits[i].evaluation && n++ == 0)
            offset = r->waits[i].offset;
    if (n) {
        stall_status status =
            stall_warn_add(r->warnings, STALL_WARN_unfinished_event, n, offset, reterr,
                           "a fetch has no usable duration; the wait of its step is unknown");
        if (status)
            return status;
    }
    for (i = n = 0; i < r->len; i++)
        if (r->marks && r->steps[i].span_unknown && n++ == 0)
            offset = r->steps[i].offset;
    if (!n)
        return STALL_OK;
    return stall_warn_add(r->warnings, STALL_WARN_unfinished_event, n, offset, reterr,
                          "a step has no usable begin or end; its wait is unknown");
}

/* A file that was cut: the last step may have lost its wait. */
static void doubt_last_step(stall_chrome_rank *r)
{
    size_t last = r->len, before;

    while (last > 0 && r->steps[last - 1].left_out)
        last--;
    if (!r->doc->cut || !r->marks || last == 0)
        return;
    last--;
    if (r->doc->max_ts != STALL_UNKNOWN && r->doc->max_ts >= r->steps[last].end)
        return;
    for (before = last; before > 0 && r->steps[before - 1].left_out; before--)
        ;
    if (r->steps[last].fetches == 0 ||
        (before > 0 && r->steps[last].fetches < r->steps[before - 1].fetches))
        r->steps[last].wait_unknown = true;
}

static stall_status say(const stall_chrome_rank *r, stall_error *reterr)
{
    uint64_t several = 0, none = 0, first_several = STALL_OFFSET_NONE,
             first_none = STALL_OFFSET_NONE;
    size_t i;
    stall_status status = STALL_OK;

    for (i = 0; i < r->len; i++) {
        const stall_chrome_step *s = &r->steps[i];
        if (s->left_out)
            continue;
        if (s->fetches > 1 && several++ == 0)
            first_several = s->offset;
        if (s->fetches == 0 && !s->wait_unknown && none++ == 0)
            first_none = s->offset;
    }
    if (several)
        status = stall_warn_add(r->warnings, STALL_WARN_several_fetches, several, first_several,
                                reterr, "steps hold more than one fetch; their waits are added up");
    if (none && !status)
        status = stall_warn_add(r->warnings, STALL_WARN_steps_without_wait, none, first_none,
                                reterr, "steps hold no fetch at all; their wait counts as 0");
    return status;
}

stall_status stall_chrome_judge(stall_chrome_rank *r, stall_error *reterr)
{
    stall_status status = STALL_OK;

    if (r->last_wait != SIZE_MAX) {
        if (is_end_of_data(r)) {
            status = leave_out_end_of_data(r, reterr);
        } else if (is_open(r)) {
            r->steps[r->last_step].wait_unknown = true;
            status = stall_warn_add(r->warnings, STALL_WARN_unfinished_event, 1,
                                    r->waits[r->last_wait].offset, reterr,
                                    "the last fetch had not ended; its wait is unknown");
        }
    }
    if (!status)
        status = damaged_waits(r, reterr);
    doubt_last_step(r);
    if (!status)
        status = say(r, reterr);
    return status;
}
