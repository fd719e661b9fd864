/* The streaming scanner: documents, header members, the array of events.
 *
 * Enters: chunks of any size. Leaves: callbacks in the order of the input, warnings, errors with
 * offsets; the same ones however the input is cut. It must not know what keys and events mean, the
 * name traceEvents apart. */
#include <string.h>

#include "json/json_scan.h"
#include "json/json_skip.h"

stall_status stall_json_open(const stall_json_handler *handler, stall_warnings *warnings,
                             stall_json **ret, stall_error *reterr)
{
    stall_json *j = stall_mem_zero(1, sizeof(*j));

    if (j == NULL)
        return stall_error_memory(reterr);
    j->handler = handler;
    j->warnings = warnings;
    *ret = j;
    return STALL_OK;
}

void stall_json_close(stall_json *j)
{
    if (j == NULL)
        return;
    stall_mem_free(j->carry);
    stall_mem_free(j);
}

/* ---- before, between and behind documents ---- */

static stall_status not_json(uint64_t offset, unsigned char c, stall_error *reterr)
{
    stall_status s;

    if (c > 0x20 && c < 0x7f)
        s = stall_error_set(reterr, STALL_EFORMAT, offset, "not JSON: it begins with '%c'", c);
    else
        s = stall_error_set(reterr, STALL_EFORMAT, offset, "not JSON: it begins with byte 0x%02x",
                            c);
    if (c == 0xff || c == 0xfe || c == 0)
        stall_error_hint(reterr,
                         "this looks like UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
    else
        stall_error_hint(reterr, "a Chrome trace begins with '{' or '['");
    return s;
}

static stall_status open_document(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    const unsigned char *p = *pos;
    uint64_t offset = json_offset(j, p);
    stall_status s;

    if (*p == '{' || *p == '[') {
        s = json_give_document(j, (stall_json_kind)*p, offset, reterr);
        if (s == STALL_OK && *p == '[')
            s = json_give_events(j, offset, reterr);
        j->stack[j->depth++] = *p;
        j->level = *p == '{' ? JSON_HEAD_FIRST : JSON_EVENT_FIRST;
        ++*pos;
        return s;
    }
    if (memchr("\"-0123456789tfn", *p, 15) == NULL)
        return not_json(offset, *p, reterr);
    j->level = JSON_IN_SCALAR;
    s = json_give_document(j, STALL_JSON_SCALAR, offset, reterr);
    json_value_begin(j);
    if (*p != '"')
        j->spot = JSON_SCALAR_IN;
    return s;
}

static stall_status at_start(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    if (**pos == 0xef && json_offset(j, *pos) == 0) {
        j->level = JSON_AT_BOM;
        j->left = 1;
        ++*pos;
        return STALL_OK;
    }
    if (json_blank(**pos)) {
        ++*pos;
        return STALL_OK;
    }
    return open_document(j, pos, reterr);
}

static stall_status at_bom(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    if (**pos != (j->left == 1 ? 0xbb : 0xbf))
        return not_json(0, 0xef, reterr);
    ++*pos;
    if (++j->left < 3)
        return STALL_OK;
    j->level = JSON_AT_START;
    return stall_warn_add(j->warnings, STALL_WARN_bom, 1, 0, reterr,
                          "the file begins with a UTF-8 byte order mark");
}

static stall_status in_scalar(stall_json *j, const unsigned char **pos, const unsigned char *end,
                              stall_error *reterr)
{
    switch (json_value(j, pos, end, reterr)) {
    case JSON_FAILED:
        return j->status;
    case JSON_BROKEN:
        stall_error_set(reterr, STALL_EFORMAT, json_offset(j, *pos), "not JSON: no such value");
        stall_error_hint(reterr, "a Chrome trace begins with '{' or '['");
        return STALL_EFORMAT;
    case JSON_DONE:
        return json_give_end(j, false, json_offset(j, *pos), reterr);
    default:
        return STALL_OK;
    }
}

static stall_status at_end(stall_json *j, const unsigned char **pos, const unsigned char *end,
                           stall_error *reterr)
{
    stall_status s;

    *pos = json_skip_blanks(*pos, end);
    if (*pos == end)
        return STALL_OK;
    if (**pos == '{' || **pos == '[') {
        s = stall_warn_add(j->warnings, STALL_WARN_second_document, 1, json_offset(j, *pos), reterr,
                           "another JSON document follows the first");
        return s == STALL_OK ? open_document(j, pos, reterr) : s;
    }
    j->level = JSON_TRAILING;
    return stall_warn_add(j->warnings, STALL_WARN_bad_header, 1, json_offset(j, *pos), reterr,
                          "trailing bytes behind the document");
}

/* ---- members of the top-level object ---- */

static stall_status stray_comma(stall_json *j, const unsigned char *p, stall_error *reterr)
{
    return stall_warn_add(j->warnings, STALL_WARN_stray_comma, 1, json_offset(j, p), reterr,
                          *p == '{' ? "no comma between two events"
                                    : "a comma that separates nothing");
}

static stall_status close_document(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    j->depth = 0;
    ++*pos;
    return json_give_end(j, false, json_offset(j, *pos), reterr);
}

/* Where a key, or the end of the object, may stand. */
static stall_status head_key_begin(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    const unsigned char *p = *pos;
    stall_status s = STALL_OK;

    if (*p == '"') {
        if (j->column >= 0)
            j->indent = j->column;
        j->level = JSON_HEAD_KEY;
        j->sub = JSON_SUB_PLAIN;
        j->key_len = 0;
        j->key_at = json_offset(j, p) + 1;
        ++*pos;
        return STALL_OK;
    }
    if (*p == ',' || (*p == '}' && j->level == JSON_HEAD_NEXT))
        s = stray_comma(j, p, reterr);
    if (s != STALL_OK || *p == ',') {
        ++*pos;
        return s;
    }
    if (*p == '}')
        return close_document(j, pos, reterr);
    if (j->level == JSON_HEAD_NEXT)
        return json_break(j, p, JSON_RESYNC_HEAD, reterr);
    s = stall_error_set(reterr, STALL_EFORMAT, json_offset(j, p),
                        "not JSON: a key in double quotes should follow '{'");
    if (*p == 0)
        stall_error_hint(reterr,
                         "this looks like UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
    else
        stall_error_hint(reterr, "a Chrome trace begins like {\"schemaVersion\": 1, ...");
    return s;
}

/* Notes a key of the top level; warns when it was there before. */
static stall_status head_key_known(stall_json *j, stall_error *reterr)
{
    size_t len = j->key_len < STALL_JSON_KEY_MAX ? j->key_len : STALL_JSON_KEY_MAX;
    uint64_t hash = UINT64_C(14695981039346656037) ^ j->key_len; /* FNV-1a, 64 bits */

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ j->key[i]) * UINT64_C(1099511628211);
    for (size_t i = 0; i < j->hashes_len; i++)
        if (j->hashes[i] == hash)
            return stall_warn_add(j->warnings, STALL_WARN_duplicate_keys, 1, j->key_at - 1, reterr,
                                  "\"%.*s\" stands twice in the top-level object",
                                  (int)(len < JSON_NAME_MAX ? len : JSON_NAME_MAX),
                                  (const char *)j->key);
    if (j->hashes_len < JSON_HASH_MAX)
        j->hashes[j->hashes_len++] = hash;
    return STALL_OK;
}

static stall_status head_key(stall_json *j, const unsigned char **pos, const unsigned char *end,
                             stall_error *reterr)
{
    const unsigned char *from = *pos;
    json_outcome outcome = json_string(j, pos, end, reterr);
    size_t len = (size_t)(*pos - from), room = 0;

    if (outcome == JSON_FAILED)
        return j->status;
    if (j->key_len < STALL_JSON_KEY_MAX)
        room = STALL_JSON_KEY_MAX - j->key_len;
    memcpy(j->key + (STALL_JSON_KEY_MAX - room), from, len < room ? len : room);
    j->key_len += len;
    if (outcome == JSON_MORE)
        return STALL_OK;
    ++*pos;
    j->level = JSON_HEAD_COLON;
    return head_key_known(j, reterr);
}

/* The first byte of a member's value. */
static stall_status head_value_begin(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    static const char events[] = "traceEvents";
    const unsigned char *p = *pos;
    stall_status s;

    if (*p == '[' && j->key_len == sizeof(events) - 1 && memcmp(j->key, events, j->key_len) == 0) {
        j->stack[j->depth++] = '[';
        j->level = JSON_EVENT_FIRST;
        j->key_len = 0;
        ++*pos;
        return json_give_events(j, json_offset(j, p), reterr);
    }
    if (*p == ']' || *p == ':')
        return json_break(j, p, JSON_RESYNC_HEAD, reterr);
    json_slice_begin(j, json_offset(j, p), STALL_JSON_VALUE_MAX);
    if (*p == ',' || *p == '}') {
        j->level = JSON_HEAD_AFTER;
        s = stall_warn_add(j->warnings, STALL_WARN_bad_number, 1, json_offset(j, p), reterr,
                           "no value behind a colon");
        return s == STALL_OK ? json_give_member(j, json_offset(j, p), 0, reterr) : s;
    }
    j->level = JSON_HEAD_INSIDE;
    json_value_begin(j);
    return STALL_OK;
}

static stall_status head_value(stall_json *j, const unsigned char **pos, const unsigned char *end,
                               stall_error *reterr)
{
    switch (json_value(j, pos, end, reterr)) {
    case JSON_FAILED:
        return j->status;
    case JSON_BROKEN:
        return json_break(j, *pos, JSON_RESYNC_HEAD, reterr);
    case JSON_DONE: /* handed out when the delimiter shows that it is whole */
        j->level = JSON_HEAD_AFTER;
        j->value_end = json_offset(j, *pos);
        return STALL_OK;
    default:
        return STALL_OK;
    }
}

/* Behind a member, or between a key and its value: *pos is no blank. */
static stall_status head_between(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    unsigned char c = **pos;
    stall_status s = STALL_OK;

    if (j->level == JSON_HEAD_COLON && c == ':') {
        j->level = JSON_HEAD_VALUE;
        ++*pos;
        return STALL_OK;
    }
    if (j->level == JSON_HEAD_COLON || (c != ',' && c != '}'))
        return json_break(j, *pos, JSON_RESYNC_HEAD, reterr);
    if (j->slicing)
        s = json_give_member(j, j->value_end, 0, reterr);
    if (s != STALL_OK)
        return s;
    if (c == '}')
        return close_document(j, pos, reterr);
    j->level = JSON_HEAD_NEXT;
    j->column = -1;
    ++*pos;
    return STALL_OK;
}

/* ---- the array of events ---- */

/* Where an event, or the end of the array, may stand: *pos is no blank. */
static stall_status event_begin(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    const unsigned char *p = *pos;
    bool after = j->level == JSON_EVENT_AFTER;
    stall_status s = STALL_OK;

    if (after && *p == ',') {
        j->level = JSON_EVENT_NEXT;
        ++*pos;
        return STALL_OK;
    }
    if (*p == ']') {
        if (j->level == JSON_EVENT_NEXT && j->kind == STALL_JSON_OBJECT)
            s = stray_comma(j, p, reterr);
        if (s == STALL_OK && j->kind == STALL_JSON_ARRAY)
            return close_document(j, pos, reterr);
        j->depth--;
        j->level = JSON_HEAD_AFTER;
        ++*pos;
        return s;
    }
    if (*p == '}' || *p == ':' || (after && *p != '{'))
        return json_break(j, p, JSON_RESYNC_LOOSE, reterr);
    if (after || *p == ',')
        s = stray_comma(j, p, reterr);
    if (*p == ',') {
        ++*pos;
        return s;
    }
    j->object = *p == '{';
    json_slice_begin(j, json_offset(j, p), j->object ? STALL_JSON_EVENT_MAX : STALL_JSON_VALUE_MAX);
    j->level = JSON_EVENT_INSIDE;
    json_value_begin(j);
    return s;
}

static stall_status event_inside(stall_json *j, const unsigned char **pos, const unsigned char *end,
                                 stall_error *reterr)
{
    switch (json_value(j, pos, end, reterr)) {
    case JSON_FAILED:
        return j->status;
    case JSON_BROKEN:
        return json_break(j, *pos, j->object ? JSON_RESYNC_EVENT : JSON_RESYNC_LOOSE, reterr);
    case JSON_DONE:
        j->level = JSON_EVENT_AFTER;
        return json_give_event(j, json_offset(j, *pos), 0, reterr);
    default:
        return STALL_OK;
    }
}

/* ---- chunks ---- */

/* Follows the column in a line of the blanks in front of a key; -1 until a line begins. */
static void follow_column(stall_json *j, const unsigned char *p, const unsigned char *end)
{
    for (; p < end; p++)
        if (*p == '\n')
            j->column = 0;
        else if (j->column >= 0 && j->column < INT32_MAX)
            j->column++;
}

/* Scans on from *pos < end in the part of the document it is in. */
static stall_status step(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr)
{
    const unsigned char *from;

    switch (j->level) {
    case JSON_EVENT_INSIDE:
        return event_inside(j, pos, end, reterr);
    case JSON_HEAD_INSIDE:
        return head_value(j, pos, end, reterr);
    case JSON_HEAD_KEY:
        return head_key(j, pos, end, reterr);
    case JSON_RESYNC_HEAD:
    case JSON_RESYNC_EVENT:
    case JSON_RESYNC_LOOSE:
        return json_resync(j, pos, end, reterr);
    case JSON_AT_START:
        return at_start(j, pos, reterr);
    case JSON_AT_BOM:
        return at_bom(j, pos, reterr);
    case JSON_IN_SCALAR:
        return in_scalar(j, pos, end, reterr);
    case JSON_AT_END:
        return at_end(j, pos, end, reterr);
    case JSON_TRAILING:
        *pos = end;
        return STALL_OK;
    default:
        break;
    }
    from = *pos;
    *pos = json_skip_blanks(from, end);
    if (j->level == JSON_HEAD_FIRST || j->level == JSON_HEAD_NEXT)
        follow_column(j, from, *pos);
    if (*pos == end)
        return STALL_OK;
    switch (j->level) {
    case JSON_EVENT_FIRST:
    case JSON_EVENT_NEXT:
    case JSON_EVENT_AFTER:
        return event_begin(j, pos, reterr);
    case JSON_HEAD_FIRST:
    case JSON_HEAD_NEXT:
        return head_key_begin(j, pos, reterr);
    case JSON_HEAD_VALUE:
        return head_value_begin(j, pos, reterr);
    default:
        return head_between(j, pos, reterr);
    }
}

stall_status json_run(stall_json *j, const unsigned char *data, size_t len, uint64_t offset,
                      stall_error *reterr)
{
    const unsigned char *p = data, *end = data + len;
    stall_status s = STALL_OK;

    j->chunk = data;
    j->base = offset;
    while (s == STALL_OK && p < end)
        s = step(j, &p, end, reterr);
    if (s == STALL_OK && !json_slice_keep(j, end))
        s = stall_error_memory(reterr);
    return s;
}

stall_status stall_json_feed(stall_json *j, const unsigned char *data, size_t len,
                             stall_error *reterr)
{
    uint64_t offset = j->total;

    if (len == 0)
        return STALL_OK;
    j->total += len;
    return json_run(j, data, len, offset, reterr);
}
