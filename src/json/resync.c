/* Finding the structure again after the grammar broke inside a string that was not escaped.
 *
 * Enters: the bytes from the break on. Leaves: the damaged part, then the bytes looked at, replayed
 * through the scanner. Behind the break quotes mean nothing, so these are searched as plain text:
 *   in an event    } , { "ph" :       or the first key of this event or of the first one
 *                  } ] and the end of the document, or a member of the top level behind it
 *   between events the same, also without the }
 *   in the header  , newline "key" :  indented like the keys before it
 * with blanks between. A string that spells such a sequence cannot be told from the real one.
 *
 * A candidate is kept in a small buffer; one that does not fit is none. So the result does not
 * depend on how the input is cut into chunks. */
#include <string.h>

#include "json/json_scan.h"

typedef enum match {
    MATCH_NO,
    MATCH_MORE, /* as far as it goes */
    MATCH_YES,
} match;

/* The text of a candidate behind its first byte. */
typedef struct cursor {
    const unsigned char *p, *end;
    bool over; /* nothing follows */
} cursor;

/* Keys that writers put behind the events; any other is known by standing on a line of its own. */
static const char *const tail_keys[] = {
    "traceName",
    "displayTimeUnit",
    "baseTimeNanoseconds",
    "schemaVersion",
    "deviceProperties",
    "distributedInfo",
    "trace_id",
    "host_name",
    "metadata",
    "otherData",
    "stackFrames",
    "systemTraceEvents",
    "traceEvents",
    "INFO",
    "WARNING",
    "ERROR",
    "record_shapes",
    "with_stack",
    "profile_memory",
    "with_flops",
    "with_modules",
    "cupti_version",
    "cuda_runtime_version",
    "cuda_driver_version",
};

/* Keys of events: a line that begins with one is no member of the header. */
static const char *const event_keys[] = {"ph",  "name", "cat", "pid", "tid", "ts",
                                         "dur", "args", "id",  "s",   "bp"};

static bool listed(const json_name *name, const char *const *list, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (strlen(list[i]) == name->len && memcmp(list[i], name->text, name->len) == 0)
            return true;
    return false;
}

#define LISTED(name, list) listed(name, list, sizeof(list) / sizeof((list)[0]))

static bool same_name(const json_name *a, const json_name *b)
{
    return a->len > 0 && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* Passes blanks. False: nothing but blanks is left. The column in the last line begun, or -1. */
static bool pass_blanks(cursor *c, int32_t *ret_column)
{
    int32_t column = -1;

    for (; c->p < c->end && json_blank(*c->p); c->p++)
        if (*c->p == '\n')
            column = 0;
        else if (column >= 0)
            column++;
    if (ret_column != NULL)
        *ret_column = column;
    return c->p < c->end;
}

/* One byte behind blanks. */
static match match_byte(cursor *c, unsigned char byte)
{
    if (!pass_blanks(c, NULL))
        return MATCH_MORE;
    return *c->p++ == byte ? MATCH_YES : MATCH_NO;
}

/* A short plain key and its colon. */
static match match_key(cursor *c, json_name *ret)
{
    match m = match_byte(c, '"');

    ret->len = 0;
    if (m != MATCH_YES)
        return m;
    for (; c->p < c->end && *c->p != '"'; c->p++) {
        if (*c->p < 0x20 || *c->p == '\\' || ret->len == sizeof(ret->text))
            return MATCH_NO;
        ret->text[ret->len++] = *c->p;
    }
    if (c->p == c->end)
        return MATCH_MORE;
    c->p++;
    return match_byte(c, ':');
}

void json_first_key(const unsigned char *text, size_t len, json_name *ret)
{
    cursor c = {text, text + len, true};

    ret->len = 0;
    if (match_byte(&c, '{') != MATCH_YES || match_key(&c, ret) != MATCH_YES)
        ret->len = 0;
}

/* { "key" : with the key of an event. */
static match match_object(const stall_json *j, cursor *c)
{
    static const json_name ph = {"ph", 2};
    json_name name;
    match m = match_byte(c, '{');

    if (m == MATCH_YES)
        m = match_key(c, &name);
    if (m == MATCH_YES && !same_name(&name, &ph) && !same_name(&name, &j->own) &&
        !same_name(&name, &j->first))
        m = MATCH_NO;
    return m;
}

/* , "key" : with the key of a member of the header. */
static match match_member(cursor *c)
{
    int32_t column;
    json_name name;
    match m;

    if (!pass_blanks(c, &column))
        return MATCH_MORE;
    m = match_key(c, &name);
    if (m == MATCH_YES && !LISTED(&name, tail_keys) && (column < 0 || LISTED(&name, event_keys)))
        m = MATCH_NO;
    return m;
}

/* What stands behind the ] of the events. */
static match match_tail(const stall_json *j, cursor *c)
{
    if (!pass_blanks(c, NULL))
        return c->over ? MATCH_YES : MATCH_MORE;
    if (j->kind == STALL_JSON_OBJECT && *c->p == ',') {
        c->p++;
        return match_member(c);
    }
    if (j->kind == STALL_JSON_OBJECT) {
        if (*c->p++ != '}')
            return MATCH_NO;
        if (!pass_blanks(c, NULL))
            return c->over ? MATCH_YES : MATCH_MORE;
    }
    return *c->p == '{' || *c->p == '[' ? MATCH_YES : MATCH_NO;
}

/* From a } or, between events, also from the byte that would follow it. */
static match match_event(const stall_json *j, bool over)
{
    cursor c = {j->look, j->look + j->look_len, over};
    match m;

    if (*c.p == '}') {
        c.p++;
        if (!pass_blanks(&c, NULL))
            return over ? MATCH_YES : MATCH_MORE;
    } else if (j->level != JSON_RESYNC_LOOSE) {
        return MATCH_NO;
    } else if (*c.p == '{') {
        m = match_object(j, &c);
        return m == MATCH_MORE && over ? MATCH_NO : m;
    }
    if (*c.p == ']') {
        c.p++;
        m = match_tail(j, &c);
    } else {
        m = match_byte(&c, ',');
        if (m == MATCH_YES)
            m = match_object(j, &c);
    }
    return m == MATCH_MORE && over ? MATCH_NO : m;
}

static match match_head(const stall_json *j)
{
    cursor c = {j->look, j->look + j->look_len, false};
    int32_t column;
    json_name name;
    match m = match_byte(&c, ',');

    if (m != MATCH_YES)
        return m;
    if (!pass_blanks(&c, &column))
        return MATCH_MORE;
    if (column < 0 || (j->indent >= 0 && column != j->indent))
        return MATCH_NO;
    m = match_key(&c, &name);
    return m == MATCH_YES && LISTED(&name, event_keys) ? MATCH_NO : m;
}

static bool starts(const stall_json *j, unsigned char c)
{
    if (j->level == JSON_RESYNC_HEAD)
        return c == ',';
    return c == '}' || (j->level == JSON_RESYNC_LOOSE && (c == ',' || c == '{' || c == ']'));
}

/* Drops the first `n` bytes of the candidate and all up to the next possible start. */
static void drop(stall_json *j, size_t n)
{
    while (n < j->look_len && !starts(j, j->look[n]))
        n++;
    j->look_len -= n;
    memmove(j->look, j->look + n, j->look_len);
}

/* Takes the candidate as far as it may still become a match. */
static match judge(stall_json *j, bool over)
{
    match m = MATCH_NO;

    while (j->look_len > 0) {
        m = j->level == JSON_RESYNC_HEAD ? match_head(j) : match_event(j, over);
        if (m == MATCH_YES || (m == MATCH_MORE && j->look_len < JSON_LOOK_MAX))
            return m;
        drop(j, 1);
    }
    return MATCH_NO;
}

stall_status json_head_error(const stall_json *j, stall_error *reterr)
{
    stall_status s;

    s = stall_error_set(reterr, STALL_EFORMAT, j->head_broken_at,
                        "the value of \"%.*s\" is broken, and the trace events could not be found "
                        "behind it",
                        (int)j->head_key.len, (const char *)j->head_key.text);
    stall_error_hint(reterr, "a quote inside a text was probably written without a backslash: "
                             "remove or escape it");
    return s;
}

static void remember_key(stall_json *j)
{
    j->head_broken = true;
    j->head_broken_at = j->broken_at;
    j->head_key.len = j->key_len < JSON_NAME_MAX ? j->key_len : JSON_NAME_MAX;
    memcpy(j->head_key.text, j->key, j->head_key.len);
}

/* A text that ends in a backslash, or lost its closing quote, runs on to the next quote: the one
 * that opens the first key behind it. The break comes right after that quote, and the candidate
 * began before: takes up what stands between the end of the text and the quote. */
static void look_back(stall_json *j, const unsigned char *text, size_t len)
{
    size_t n = len;

    if (n == 0 || text[n - 1] != '"')
        return;
    for (n--; n > 0 && len - n < JSON_LOOK_MAX / 2; n--)
        if (!json_blank(text[n - 1]) && memchr(",{}]", text[n - 1], 4) == NULL)
            break;
    j->look_len = len - n;
    memcpy(j->look, text + n, j->look_len);
    drop(j, 0);
    if (judge(j, false) == MATCH_YES)
        j->look_len = 0;
}

stall_status json_break(stall_json *j, const unsigned char *p, json_level resync,
                        stall_error *reterr)
{
    const unsigned char *start;
    bool no_key = j->level == JSON_HEAD_NEXT;
    size_t len;

    j->broken_at = json_offset(j, p);
    j->level = resync;
    j->look_len = 0;
    j->own.len = 0;
    j->depth = resync == JSON_RESYNC_HEAD || j->kind == STALL_JSON_ARRAY ? 1 : 2;
    if (resync == JSON_RESYNC_HEAD && !j->events_seen && !j->head_broken)
        remember_key(j);
    if (no_key)
        j->key_len = 0;
    if (!j->slicing) { /* nothing of it so far: the damage is the value */
        json_slice_begin(j, j->broken_at, STALL_JSON_VALUE_MAX);
        return STALL_OK;
    }
    if (j->broken_at - j->slice_at > j->slice_cap)
        return STALL_OK;
    if (j->carry_len > 0 && !json_slice_keep(j, p))
        return stall_error_memory(reterr);
    start = j->carry_len > 0 ? j->carry : j->chunk + (j->slice_at - j->base);
    len = (size_t)(j->broken_at - j->slice_at);
    if (resync == JSON_RESYNC_EVENT)
        json_first_key(start, len < JSON_LOOK_MAX ? len : JSON_LOOK_MAX, &j->own);
    look_back(j, start, len);
    return STALL_OK;
}

/* The candidate is one: hands out the damaged part and scans the candidate itself. */
static stall_status catch_up(stall_json *j, stall_error *reterr)
{
    uint64_t at = j->look_at, base = j->base;
    const unsigned char *chunk = j->chunk;
    bool head = j->level == JSON_RESYNC_HEAD;
    unsigned char look[JSON_LOOK_MAX];
    size_t len = j->look_len, skip;
    stall_status s;

    skip = !head && j->look[0] == '}';
    if (head) {
        s = stall_warn_add(j->warnings, STALL_WARN_bad_header, 1, j->broken_at, reterr,
                           "the value of a header member is broken; it was passed over");
        if (s == STALL_OK)
            s = json_give_member(j, at, STALL_SLICE_DAMAGED, reterr);
    } else {
        s = json_give_event(j, at + skip, STALL_SLICE_DAMAGED, reterr);
    }
    if (s != STALL_OK)
        return s;
    j->level = head ? JSON_HEAD_AFTER : JSON_EVENT_AFTER;
    j->look_len = 0;
    memcpy(look, j->look, len);
    s = json_run(j, look + skip, len - skip, at + skip, reterr);
    j->chunk = chunk;
    j->base = base;
    return s;
}

stall_status json_resync(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr)
{
    for (const unsigned char *p = *pos; p < end; p++) {
        if (j->look_len == 0) {
            while (p < end && !starts(j, *p))
                p++;
            if (p == end)
                break;
        }
        j->look[j->look_len++] = *p;
        /* A blank decides nothing, so it is not judged: linear time. */
        if (json_blank(*p) && j->look_len < JSON_LOOK_MAX)
            continue;
        if (judge(j, false) == MATCH_YES) {
            j->look_at = json_offset(j, p) + 1 - j->look_len;
            *pos = p + 1;
            return catch_up(j, reterr);
        }
    }
    *pos = end;
    return STALL_OK;
}

stall_status json_resync_end(stall_json *j, stall_error *reterr)
{
    if (j->level != JSON_RESYNC_HEAD && judge(j, true) == MATCH_YES) {
        j->look_at = j->base - j->look_len;
        return catch_up(j, reterr);
    }
    return STALL_OK;
}
