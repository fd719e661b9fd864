/* The end of the input, wherever it finds the scanner.
 *
 * Enters: the state after the last byte. Leaves: the last callbacks; the warning `truncated`, or an
 * error when nothing usable came before. It must not know where the bytes came from; that the
 * transport lost some is told by the caller. */
#include "json/json_scan.h"

static stall_status finish_head_resync(stall_json *j, bool transport_cut, stall_error *reterr)
{
    stall_status s = STALL_OK;

    if (j->events_seen)
        s = stall_warn_add(j->warnings, STALL_WARN_bad_header, 1, j->broken_at, reterr,
                           "the value of a member behind the events is broken");
    if (s == STALL_OK && j->events_seen)
        s = json_give_member(j, j->total, STALL_SLICE_DAMAGED, reterr);
    return s == STALL_OK ? json_give_end(j, transport_cut, j->total, reterr) : s;
}

static stall_status finish_scalar(stall_json *j, stall_error *reterr)
{
    if (j->spot == JSON_SCALAR_IN && j->num >= JSON_NUM_ZERO)
        return json_give_end(j, false, j->total, reterr);
    stall_error_set(reterr, STALL_EFORMAT, j->total, "not JSON: the input ends inside a value");
    stall_error_hint(reterr, "a Chrome trace begins with '{' or '['");
    return STALL_EFORMAT;
}

/* The input ends inside an object or array. */
static stall_status finish_cut(stall_json *j, bool transport_cut, bool whole, stall_error *reterr)
{
    stall_status s = STALL_OK;

    if (whole && j->kind == STALL_JSON_ARRAY && j->index > 0 && !transport_cut)
        return json_give_end(j, false, j->total, reterr);
    if (j->head_broken && !j->events_seen)
        return json_head_error(j, reterr);
    if (j->delivered == 0) {
        s = stall_error_set(reterr, STALL_EFORMAT, j->total, "cut before the first event");
        stall_error_hint(reterr,
                         "the profiled job was probably killed, or its disk was full, while "
                         "it wrote the trace: record it again");
        return s;
    }
    if (!transport_cut)
        s = stall_warn_add(j->warnings, STALL_WARN_truncated, 1, j->total, reterr,
                           "the input ends inside the document; all whole events were read");
    return s == STALL_OK ? json_give_end(j, true, j->total, reterr) : s;
}

/* The input ends while the structure is looked for behind damage in an event. *ret_whole: what
 * came before the end is whole nevertheless. */
static stall_status finish_event_resync(stall_json *j, bool *ret_whole, stall_error *reterr)
{
    stall_status s = json_resync_end(j, reterr);

    if (s != STALL_OK || (j->level != JSON_RESYNC_EVENT && j->level != JSON_RESYNC_LOOSE))
        return s;
    *ret_whole = false;
    return json_give_event(j, j->total, STALL_SLICE_DAMAGED, reterr);
}

static stall_status no_document(const stall_json *j, stall_error *reterr)
{
    stall_error_set(reterr, STALL_EFORMAT, j->total, "%s",
                    j->total == 0 ? "the input is empty" : "the input holds no document");
    stall_error_hint(reterr, "a Chrome trace begins with '{' or '['");
    return STALL_EFORMAT;
}

stall_status stall_json_finish(stall_json *j, bool transport_cut, stall_error *reterr)
{
    bool whole = true;
    stall_status s = STALL_OK;

    j->chunk = NULL;
    j->base = j->total;
    if (j->level == JSON_AT_START || j->level == JSON_AT_BOM)
        return no_document(j, reterr);
    if (j->level == JSON_RESYNC_HEAD)
        return finish_head_resync(j, transport_cut, reterr);
    if (j->level == JSON_IN_SCALAR)
        return finish_scalar(j, reterr);
    if (j->level == JSON_RESYNC_EVENT || j->level == JSON_RESYNC_LOOSE)
        s = finish_event_resync(j, &whole, reterr);
    else if (j->level == JSON_HEAD_AFTER && j->slicing)
        s = json_give_member(j, j->value_end, 0, reterr);
    if (s != STALL_OK || j->level == JSON_AT_END || j->level == JSON_TRAILING)
        return s;
    if (j->level != JSON_EVENT_AFTER && j->level != JSON_EVENT_NEXT)
        whole = false;
    return finish_cut(j, transport_cut, whole, reterr);
}
