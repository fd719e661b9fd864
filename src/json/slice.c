/* Cutting the input into parts and handing them out.
 *
 * Enters: where a part begins and ends. Leaves: the callbacks of json.h. A part that lies wholly in
 * one chunk is a pointer into it; one that crosses a border is gathered in a growing buffer, up to
 * its cap. It must not know the grammar. */
#include <string.h>

#include "json/json_scan.h"

#define SLICE_FIRST_CAP 4096u

void json_slice_begin(stall_json *j, uint64_t offset, size_t cap)
{
    j->slicing = true;
    j->slice_at = offset;
    j->slice_cap = cap;
    j->carry_len = 0;
}

bool json_slice_keep(stall_json *j, const unsigned char *end)
{
    uint64_t from = j->slice_at + j->carry_len, to = json_offset(j, end);
    size_t len = j->slice_cap - j->carry_len;
    void *carry = j->carry;

    if (!j->slicing || from >= to)
        return true;
    if (to - from < len)
        len = (size_t)(to - from);
    if (len == 0)
        return true;
    if (!stall_mem_grow(&carry, &j->carry_cap,
                        j->carry_len + len < SLICE_FIRST_CAP ? SLICE_FIRST_CAP : j->carry_len + len,
                        1))
        return false;
    j->carry = carry;
    memcpy(j->carry + j->carry_len, j->chunk + (from - j->base), len);
    j->carry_len += len;
    return true;
}

bool json_slice_end(stall_json *j, uint64_t end, stall_slice *ret, int *ret_flags)
{
    uint64_t total = end - j->slice_at;
    size_t len = total > j->slice_cap ? j->slice_cap : (size_t)total;

    if (total > j->slice_cap)
        *ret_flags |= STALL_SLICE_CAPPED;
    if (j->carry_len == 0) {
        ret->data = j->chunk + (j->slice_at - j->base);
    } else {
        if (j->carry_len < len && !json_slice_keep(j, j->chunk + (end - j->base)))
            return false;
        ret->data = j->carry;
    }
    ret->len = len;
    ret->offset = j->slice_at;
    j->slicing = false;
    return true;
}

/* Numbers and words end at a delimiter: the blanks in front of it are no part of them. */
static void trim(stall_slice *s)
{
    while (s->len > 0 && json_blank(s->data[s->len - 1]))
        s->len--;
}

stall_status json_give_member(stall_json *j, uint64_t end, int flags, stall_error *reterr)
{
    stall_slice key = {j->key, j->key_len, j->key_at}, value;

    if (!json_slice_end(j, end, &value, &flags))
        return stall_error_memory(reterr);
    if (key.len > STALL_JSON_KEY_MAX) {
        key.len = STALL_JSON_KEY_MAX;
        flags |= STALL_SLICE_CAPPED;
    }
    trim(&value);
    if (j->handler->member == NULL)
        return STALL_OK;
    return j->handler->member(j->handler->ctx, &key, &value, flags, reterr);
}

stall_status json_give_event(stall_json *j, uint64_t end, int flags, stall_error *reterr)
{
    const stall_json_handler *h = j->handler;
    uint64_t index = j->index++;
    size_t sound;
    stall_slice part;

    if (!json_slice_end(j, end, &part, &flags))
        return stall_error_memory(reterr);
    j->delivered++;
    if (j->first.len == 0)
        json_first_key(part.data, part.len, &j->first);
    if (part.len == 0 || part.data[0] != '{') {
        trim(&part);
        return h->element != NULL ? h->element(h->ctx, &part, index, reterr) : STALL_OK;
    }
    sound = part.len;
    if ((flags & STALL_SLICE_DAMAGED) != 0 && j->broken_at - j->slice_at < sound)
        sound = (size_t)(j->broken_at - j->slice_at);
    return h->event != NULL ? h->event(h->ctx, &part, flags, sound, reterr) : STALL_OK;
}

stall_status json_give_document(stall_json *j, stall_json_kind kind, uint64_t offset,
                                stall_error *reterr)
{
    j->kind = kind;
    j->depth = 0;
    j->hashes_len = 0;
    j->key_len = 0;
    j->index = 0;
    j->column = j->indent = -1;
    j->events_seen = false;
    j->head_broken = false;
    return j->handler->document != NULL
               ? j->handler->document(j->handler->ctx, kind, offset, reterr)
               : STALL_OK;
}

stall_status json_give_events(stall_json *j, uint64_t offset, stall_error *reterr)
{
    j->events_seen = true;
    return j->handler->events != NULL
               ? j->handler->events(j->handler->ctx, j->kind == STALL_JSON_ARRAY, offset, reterr)
               : STALL_OK;
}

stall_status json_give_end(stall_json *j, bool cut, uint64_t offset, stall_error *reterr)
{
    j->level = JSON_AT_END;
    if (j->head_broken && !j->events_seen)
        return json_head_error(j, reterr);
    return j->handler->end != NULL ? j->handler->end(j->handler->ctx, cut, offset, reterr)
                                   : STALL_OK;
}
