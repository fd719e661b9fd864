/* One record of a TraceML step file, in msgpack or in JSON.
 *
 * Enters: the bytes of one record. Leaves: a row with its events, or the one event that the record
 * tells of. msgpack-c gives the values; before it sees a record, a walk over its bytes makes sure
 * that no container claims more than the record can hold, so that memory stays a small multiple of
 * the record. It must not know files or how rows become steps. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <msgpack.h>

#include "json/json.h"
#include "read/table.h"
#include "read/traceml.h"

#define MILLI 6 /* decimal exponent of milliseconds, in nanoseconds */

/* ---- the grammar of msgpack ---- */

/* Codes 0xc0 to 0xdf: bytes of the length that follows, fixed bytes, values per unit of length. */
static const struct {
    unsigned char length, fixed, values;
} codes[32] = {
    {0, 0, 0}, {9, 0, 0}, {0, 0, 0}, {0, 0, 0},             /* nil, never used, false, true */
    {1, 0, 0}, {2, 0, 0}, {4, 0, 0},                        /* bin */
    {1, 1, 0}, {2, 1, 0}, {4, 1, 0},                        /* ext: a type byte */
    {0, 4, 0}, {0, 8, 0},                                   /* float */
    {0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {0, 8, 0},             /* unsigned */
    {0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {0, 8, 0},             /* signed */
    {0, 2, 0}, {0, 3, 0}, {0, 5, 0}, {0, 9, 0}, {0, 17, 0}, /* fixext */
    {1, 0, 0}, {2, 0, 0}, {4, 0, 0},                        /* str */
    {2, 0, 1}, {4, 0, 1},                                   /* array */
    {2, 0, 2}, {4, 0, 2},                                   /* map */
};

/* Length of the value at p without the values inside it; *ret_values is how many those are. 0: it
 * is no value, or not all there. */
static size_t value_length(const unsigned char *p, size_t len, size_t *ret_values)
{
    size_t n = 0, head, code;

    *ret_values = 0;
    if (*p < 0x80 || *p >= 0xe0)
        return 1;
    if (*p < 0xa0) {
        *ret_values = (size_t)(*p & 15) * (*p < 0x90 ? 2 : 1);
        return 1;
    }
    if (*p < 0xc0)
        return 1 + (size_t)(*p & 31);
    code = *p - 0xc0u;
    head = 1 + (size_t)codes[code].length;
    if (head > 5 || head > len)
        return 0;
    for (size_t i = 1; i < head; i++)
        n = n << 8 | p[i];
    if (codes[code].values == 0)
        return head + codes[code].fixed + n;
    if (n > len) /* each value takes a byte at least */
        return 0;
    *ret_values = n * codes[code].values;
    return head;
}

/* Is this one msgpack value and nothing else, with no container larger than the bytes allow? */
static bool is_sound(const unsigned char *p, size_t len)
{
    size_t at = 0, pending = 1, inside, n;

    while (pending > 0) {
        if (pending > len - at)
            return false;
        n = value_length(p + at, len - at, &inside);
        if (n == 0 || n > len - at)
            return false;
        at += n;
        pending += inside - 1;
    }
    return at == len;
}

/* ---- values ---- */

static bool is_text(const msgpack_object *o, const char *text)
{
    return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(text) &&
           memcmp(o->via.str.ptr, text, o->via.str.size) == 0;
}

/* The last value under a key of a map, or NULL. */
static const msgpack_object *member(const msgpack_object *map, const char *key)
{
    const msgpack_object *ret = NULL;

    for (uint32_t i = 0; map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size; i++)
        if (is_text(&map->via.map.ptr[i].key, key))
            ret = &map->via.map.ptr[i].val;
    return ret;
}

/* A number times 10^exponent: its shortest decimal text, rounded half to even, so that a row is the
 * same in every form of the log. STALL_UNKNOWN: missing, nil, not finite, no number. */
static int64_t number(const msgpack_object *o, int exponent)
{
    char text[STALL_DOUBLE_MAX];
    int64_t ret;

    if (o == NULL)
        return STALL_UNKNOWN;
    if (o->type == MSGPACK_OBJECT_FLOAT32 || o->type == MSGPACK_OBJECT_FLOAT64)
        stall_double_text(text, o->via.f64);
    else if (o->type == MSGPACK_OBJECT_POSITIVE_INTEGER)
        snprintf(text, sizeof(text), "%" PRIu64, o->via.u64);
    else if (o->type == MSGPACK_OBJECT_NEGATIVE_INTEGER)
        snprintf(text, sizeof(text), "%" PRId64, o->via.i64);
    else
        return STALL_UNKNOWN;
    return stall_decimal_parse(text, strlen(text), exponent, &ret) ? ret : STALL_UNKNOWN;
}

/* A whole number: one that three more decimals do not change. */
static int64_t whole(int64_t plain, int64_t thousandfold)
{
    if (plain == STALL_UNKNOWN || thousandfold == STALL_UNKNOWN || thousandfold % 1000 != 0)
        return STALL_UNKNOWN;
    return plain;
}

static int64_t whole_number(const msgpack_object *o)
{
    return whole(number(o, 0), number(o, 3));
}

/* Seconds, as stored; not finite when there are none. */
static double seconds_of(const msgpack_object *o)
{
    if (o != NULL && (o->type == MSGPACK_OBJECT_FLOAT32 || o->type == MSGPACK_OBJECT_FLOAT64))
        return o->via.f64;
    return o != NULL && o->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? (double)o->via.u64 : NAN;
}

static bool is_true(const msgpack_object *o)
{
    return o != NULL && o->type == MSGPACK_OBJECT_BOOLEAN && o->via.boolean;
}

/* ---- events ---- */

static stall_traceml_device device_of(const msgpack_object *stats)
{
    return (stall_traceml_device){.cpu_ns = number(member(stats, "cpu_ms"), MILLI),
                                  .duration_ns = number(member(stats, "duration_ms"), MILLI),
                                  .calls = whole_number(member(stats, "n_calls")),
                                  .is_gpu = is_true(member(stats, "is_gpu"))};
}

static void take_event(const msgpack_object *name, const msgpack_object *devices,
                       stall_traceml_row *row)
{
    static const stall_traceml_device unknown = {STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN,
                                                 false};
    stall_traceml_device list[STALL_TRACEML_DEVICES_MAX];
    bool plain = false; /* no event but a fact */
    size_t len = 0;

    if (name->type != MSGPACK_OBJECT_STR)
        return;
    for (uint32_t i = 0; devices->type == MSGPACK_OBJECT_MAP && i < devices->via.map.size; i++) {
        plain |= devices->via.map.ptr[i].val.type != MSGPACK_OBJECT_MAP;
        if (len == STALL_TRACEML_DEVICES_MAX) {
            list[len - 1] = unknown; /* a sum without the rest would be wrong */
            break;
        }
        list[len++] = device_of(&devices->via.map.ptr[i].val);
    }
    if (plain && is_text(name, "window"))
        row->window = true;
    else
        stall_traceml_row_event(row, name->via.str.ptr, name->via.str.size, list, len);
}

/* ---- a record ---- */

/* Adds a key to the list of them, while there is room. */
static void note_key(stall_traceml_record *r, const char *key, size_t len)
{
    size_t used = strlen(r->keys), size = sizeof(r->keys) - used;

    if (used > 0 && size > 2 + 8) {
        memcpy(r->keys + used, ", ", 3);
        used += 2;
        size -= 2;
    }
    if (size > 8)
        stall_text_printable(r->keys + used, size, key, len < 32 ? len : 32);
}

static stall_traceml_kind take_map(const msgpack_object *map, stall_traceml_record *ret)
{
    const msgpack_object *events = member(map, "events");

    ret->row.step = whole_number(member(map, "step"));
    ret->row.seq = whole_number(member(map, "seq"));
    stall_traceml_row_stamp(&ret->row, seconds_of(member(map, "timestamp")));
    ret->row.window =
        member(map, "window") != NULL && member(map, "window")->type != MSGPACK_OBJECT_NIL;
    for (uint32_t i = 0; i < map->via.map.size; i++)
        if (map->via.map.ptr[i].key.type == MSGPACK_OBJECT_STR)
            note_key(ret, map->via.map.ptr[i].key.via.str.ptr,
                     map->via.map.ptr[i].key.via.str.size);
    if (events != NULL && events->type == MSGPACK_OBJECT_MAP) {
        for (uint32_t i = 0; i < events->via.map.size; i++)
            take_event(&events->via.map.ptr[i].key, &events->via.map.ptr[i].val, &ret->row);
        return STALL_RECORD_STEP;
    }
    if (member(map, "duration_ms") == NULL || member(map, "step") == NULL)
        return STALL_RECORD_OTHER;
    ret->duration_ns = number(member(map, "duration_ms"), MILLI);
    ret->is_gpu = is_true(member(map, "is_gpu"));
    return STALL_RECORD_EVENT;
}

static stall_traceml_kind read_msgpack(const unsigned char *data, size_t len,
                                       stall_traceml_record *ret)
{
    stall_traceml_kind kind = STALL_RECORD_BROKEN;
    msgpack_unpacked unpacked;
    size_t at = 0;

    if (!is_sound(data, len))
        return STALL_RECORD_BROKEN;
    msgpack_unpacked_init(&unpacked);
    /* Its stack is fixed: deeper nesting than any row has is an error, not recursion. */
    if (msgpack_unpack_next(&unpacked, (const char *)data, len, &at) == MSGPACK_UNPACK_SUCCESS &&
        unpacked.data.type == MSGPACK_OBJECT_MAP)
        kind = take_map(&unpacked.data, ret);
    msgpack_unpacked_destroy(&unpacked);
    return kind;
}

static int64_t json_number(stall_cell text, int exponent)
{
    int64_t ret;

    return stall_decimal_parse(text.text, text.len, exponent, &ret) ? ret : STALL_UNKNOWN;
}

static int64_t json_whole(stall_cell text)
{
    return whole(json_number(text, 0), json_number(text, 3));
}

static stall_traceml_kind take_object(stall_cell object, stall_traceml_record *ret)
{
    stall_cell events = {"", 0}, duration = {"", 0}, value;
    bool has_step = false;
    double seconds;
    stall_member m;
    size_t pos = 0;

    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m)) {
        const stall_cell key = {(const char *)m.key.data, m.key.len};

        value = (stall_cell){(const char *)m.value.data, m.value.len};
        note_key(ret, key.text, key.len);
        if (stall_cell_is(key, "seq")) {
            ret->row.seq = json_whole(value);
        } else if (stall_cell_is(key, "step")) {
            ret->row.step = json_whole(value);
            has_step = true;
        } else if (stall_cell_is(key, "timestamp")) {
            if (stall_decimal_double(value.text, value.len, &seconds))
                stall_traceml_row_stamp(&ret->row, seconds);
        } else if (stall_cell_is(key, "window"))
            ret->row.window = !stall_cell_is(value, "null");
        else if (stall_cell_is(key, "events"))
            events = value;
        else if (stall_cell_is(key, "duration_ms"))
            duration = value;
        else if (stall_cell_is(key, "is_gpu"))
            ret->is_gpu = stall_cell_is(value, "true");
    }
    if (events.len > 0 && events.text[0] == '{') {
        stall_traceml_row_object(&ret->row, events.text, events.len);
        return STALL_RECORD_STEP;
    }
    if (duration.len == 0 || !has_step)
        return STALL_RECORD_OTHER;
    ret->duration_ns = json_number(duration, MILLI);
    return STALL_RECORD_EVENT;
}

stall_traceml_kind stall_traceml_record_read(const unsigned char *data, size_t len,
                                             stall_traceml_record *ret)
{
    stall_traceml_kind kind = STALL_RECORD_BROKEN;
    stall_cell object;
    stall_text fixed;

    memset(ret, 0, sizeof(*ret));
    stall_traceml_row_init(&ret->row);
    ret->row.rank = 0;
    ret->duration_ns = STALL_UNKNOWN;
    if (len == 0 || data[0] != '{')
        return len == 0 ? kind : read_msgpack(data, len, ret);
    stall_text_init(&fixed);
    if (stall_json_row((const char *)data, len, &fixed, &object))
        kind = take_object(object, ret);
    stall_text_close(&fixed);
    return kind;
}

stall_traceml_kind stall_traceml_probe(const unsigned char *head, size_t len)
{
    stall_traceml_kind kind = STALL_RECORD_BROKEN;
    stall_traceml_record record;
    size_t at = 0, n = stall_frames_whole(head, len);

    if (n > 0)
        kind = stall_traceml_record_read(head + STALL_FRAMES_PREFIX, n, &record);
    if (kind != STALL_RECORD_BROKEN)
        return kind;
    for (at = 1; at < len && !stall_frames_begins(head + at, len - at);)
        at++;
    n = at < len ? stall_frames_whole(head + at, len - at) : 0;
    return n == 0 ? STALL_RECORD_BROKEN
                  : stall_traceml_record_read(head + at + STALL_FRAMES_PREFIX, n, &record);
}
