/* One row of a TraceML step log: its events as fetch time, traced step time and fetches.
 *
 * Enters: events by name with the stats of their devices, or the JSON object that holds them.
 * Leaves: the times of the row. The time that the loop was blocked is the host's: GPU times never
 * count. It must not know where the row lay, nor what came before it. */
#include <math.h>
#include <string.h>

#include "json/json.h"
#include "read/table.h"
#include "read/traceml.h"

#define KEY_MAX 64 /* bytes of a key that are looked at: longer than any that matters */

/* Times and fetches of one event over its devices. */
typedef struct event_sum {
    int64_t ns, calls;
    size_t devices;
    bool ns_unknown, calls_unknown;
} event_sum;

/* Host time of one device. The clock of the host is not monotonic: a negative time is no time, and
 * the other value of the same measurement is none then either. */
static int64_t device_time(const stall_traceml_device *d)
{
    int64_t v = d->cpu_ns == STALL_UNKNOWN && !d->is_gpu ? d->duration_ns : d->cpu_ns;

    return v >= 0 ? v : STALL_UNKNOWN;
}

static void add_device(event_sum *sum, const stall_traceml_device *d)
{
    int64_t v = device_time(d);

    sum->devices++;
    if (v == STALL_UNKNOWN || __builtin_add_overflow(sum->ns, v, &sum->ns))
        sum->ns_unknown = true;
    if (d->calls < 0 || __builtin_add_overflow(sum->calls, d->calls, &sum->calls))
        sum->calls_unknown = true;
}

/* Puts an event into the row: those that matter by their times, every one by its number. */
static void add_event(stall_traceml_row *row, stall_cell name, const event_sum *sum)
{
    bool none = sum->devices == 0;
    int64_t ns = none || sum->ns_unknown ? STALL_UNKNOWN : sum->ns;

    if (row->phases < UINT32_MAX)
        row->phases++;
    if (stall_cell_is(name, STALL_TRACEML_WAIT)) {
        row->fetched = true;
        row->wait_ns = ns;
        row->calls = none || sum->calls_unknown ? STALL_UNKNOWN : sum->calls;
    } else if (stall_cell_is(name, STALL_TRACEML_STEP)) {
        row->traced_ns = ns;
    }
}

void stall_traceml_row_init(stall_traceml_row *row)
{
    *row = (stall_traceml_row){.id = STALL_UNKNOWN,
                               .step = STALL_UNKNOWN,
                               .seq = STALL_UNKNOWN,
                               .stamp_ns = STALL_UNKNOWN,
                               .wait_ns = STALL_UNKNOWN,
                               .traced_ns = STALL_UNKNOWN,
                               .calls = STALL_UNKNOWN};
}

void stall_traceml_row_stamp(stall_traceml_row *row, double seconds)
{
    double whole = floor(seconds);
    int64_t ps;

    row->stamp_ns = STALL_UNKNOWN;
    row->stamp_ps = 0;
    if (!(seconds >= 0 && seconds < 9e9)) /* nanoseconds of that many fit */
        return;
    ps = llrint((seconds - whole) * 1e12);
    row->stamp_ns = (int64_t)whole * INT64_C(1000000000) + ps / 1000;
    row->stamp_ps = (int32_t)(ps % 1000);
}

void stall_traceml_row_event(stall_traceml_row *row, const char *name, size_t name_len,
                             const stall_traceml_device *devices, size_t devices_len)
{
    event_sum sum = {0};

    for (size_t i = 0; i < devices_len; i++)
        add_device(&sum, &devices[i]);
    add_event(row, (stall_cell){name, name_len}, &sum);
}

/* ---- the same from JSON ---- */

/* The next member of an object, its key without escapes in `key`. A key longer than that is cut,
 * and is then none of ours. */
static bool next_member(stall_cell object, size_t *pos, char key[KEY_MAX], stall_cell *ret_key,
                        stall_cell *ret_value)
{
    stall_member m;
    size_t len;

    if (!stall_json_member_next((const unsigned char *)object.text, object.len, pos, &m))
        return false;
    len = stall_json_unescape(m.key.data, m.key.len, key, KEY_MAX);
    *ret_key = (stall_cell){key, len < KEY_MAX ? len : KEY_MAX - 1};
    *ret_value = (stall_cell){(const char *)m.value.data, m.value.len};
    return true;
}

static int64_t number(stall_cell value, int exponent)
{
    int64_t v;

    return stall_decimal_parse(value.text, value.len, exponent, &v) ? v : STALL_UNKNOWN;
}

static stall_traceml_device device_of(stall_cell object)
{
    stall_traceml_device d = {STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN, false};
    char buf[KEY_MAX];
    stall_cell key, value;
    size_t pos = 0;

    while (next_member(object, &pos, buf, &key, &value)) {
        if (stall_cell_is(key, "cpu_ms"))
            d.cpu_ns = number(value, 6);
        else if (stall_cell_is(key, "duration_ms"))
            d.duration_ns = number(value, 6);
        else if (stall_cell_is(key, "n_calls"))
            d.calls = number(value, 0);
        else if (stall_cell_is(key, "is_gpu"))
            d.is_gpu = stall_cell_is(value, "true");
    }
    return d;
}

void stall_traceml_row_object(stall_traceml_row *row, const char *text, size_t len)
{
    stall_cell events = {text, len}, key, value, device, stats;
    char name[KEY_MAX], device_name[KEY_MAX];
    size_t pos = 0;

    while (next_member(events, &pos, name, &key, &value)) {
        event_sum sum = {0};
        size_t at = 0;
        bool plain = false; /* no event but a fact */

        while (next_member(value, &at, device_name, &device, &stats)) {
            stall_traceml_device d = device_of(stats);
            plain |= stats.text[0] != '{';
            add_device(&sum, &d);
        }
        if (plain && stall_cell_is(key, "window"))
            row->window = true;
        else
            add_event(row, key, &sum);
    }
}

bool stall_traceml_row_json(stall_traceml_row *row, const char *text, size_t len)
{
    stall_text fixed;
    stall_cell object;
    bool done;

    stall_text_init(&fixed);
    done = stall_json_row(text, len, &fixed, &object);
    if (done)
        stall_traceml_row_object(row, object.text, object.len);
    stall_text_close(&fixed);
    return done;
}
