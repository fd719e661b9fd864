/* Rows that hold the phases of a step as an object of events, each with one entry a device:
 * {"step": 3, "timestamp": 1.5, "events": {"...:dataloader_next": {"cpu": {"cpu_ms": 2.0}}}}.
 *
 * Enters: such a row. Leaves: its wait, step time and fetches as decimal text, as if they were
 * cells of their own. The time that the loop was blocked is the host's: GPU times never count. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json/json.h"
#include "read/table.h"

static const char wait_event[] = "_traceml_internal:dataloader_next";
static const char step_event[] = "_traceml_internal:step_time";

/* The value of a member; len 0 when there is none or it is null. The last one wins. */
static stall_cell member(stall_cell object, const char *key)
{
    stall_cell ret = {"", 0};
    stall_member m;
    size_t pos = 0;

    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m))
        if (m.key.len == strlen(key) && memcmp(m.key.data, key, m.key.len) == 0)
            ret = (stall_cell){(const char *)m.value.data, m.value.len};
    return stall_cell_is(ret, "null") ? (stall_cell){"", 0} : ret;
}

bool stall_jsonl_events(stall_cell events)
{
    return events.text != NULL && events.len > 0 && events.text[0] == '{' &&
           (memmem(events.text, events.len, wait_event, sizeof(wait_event) - 1) != NULL ||
            memmem(events.text, events.len, step_event, sizeof(step_event) - 1) != NULL);
}

/* Milliseconds of one device, or STALL_UNKNOWN. */
static int64_t device_time(stall_cell device)
{
    stall_cell cpu = member(device, "cpu_ms"), all = member(device, "duration_ms");
    int64_t v;

    if (cpu.len == 0 && !stall_cell_is(member(device, "is_gpu"), "true"))
        cpu = all;
    return stall_decimal_parse(cpu.text, cpu.len, 6, &v) && v >= 0 ? v : STALL_UNKNOWN;
}

/* Sum over the devices of an event; unknown when there is none or one of them is unknown. */
static int64_t event_time(stall_cell event, int64_t *ret_calls)
{
    int64_t sum = STALL_UNKNOWN, v;
    stall_member m;
    size_t pos = 0;

    *ret_calls = STALL_UNKNOWN;
    while (stall_json_member_next((const unsigned char *)event.text, event.len, &pos, &m)) {
        stall_cell device = {(const char *)m.value.data, m.value.len};
        stall_cell calls = member(device, "n_calls");

        v = device_time(device);
        if (v == STALL_UNKNOWN || (sum != STALL_UNKNOWN && v > INT64_MAX - sum))
            return STALL_UNKNOWN;
        sum = sum == STALL_UNKNOWN ? v : sum + v;
        if (stall_decimal_parse(calls.text, calls.len, 0, &v) && v > *ret_calls)
            *ret_calls = v;
    }
    return sum;
}

/* Step time: between the time stamps of two rows that follow each other, when it holds the wait;
 * else wait and traced step time, unless several fetches would count twice. */
static int64_t step_time(const stall_event_row *last, const stall_event_row *row, int64_t wait,
                         int64_t traced, int64_t calls)
{
    int64_t between;

    if (last->there && row->rank == last->rank && row->step != STALL_UNKNOWN &&
        last->step != STALL_UNKNOWN && row->step - 1 == last->step &&
        row->stamp_ns != STALL_UNKNOWN && last->stamp_ns != STALL_UNKNOWN) {
        between = row->stamp_ns - last->stamp_ns;
        if (between >= 0 && (wait == STALL_UNKNOWN || between >= wait))
            return between;
    }
    if (wait == STALL_UNKNOWN || traced == STALL_UNKNOWN || calls > 1 || traced > INT64_MAX - wait)
        return STALL_UNKNOWN;
    return wait + traced;
}

void stall_jsonl_event_cells(stall_cell object, stall_cell events, stall_event_row *last,
                             stall_event_cells *ret)
{
    stall_cell stamp = member(object, "timestamp"), step = member(object, "step");
    stall_cell rank = member(object, "rank");
    stall_event_row row = {.there = true};
    int64_t calls, ignored, wait, traced;

    if (stamp.len == 0)
        stamp = member(object, "ts");
    if (!stall_decimal_parse(stamp.text, stamp.len, 9, &row.stamp_ns) || row.stamp_ns < 0)
        row.stamp_ns = STALL_UNKNOWN;
    if (!stall_decimal_parse(step.text, step.len, 0, &row.step) || row.step < 0)
        row.step = STALL_UNKNOWN;
    (void)stall_decimal_parse(rank.text, rank.len, 0, &row.rank);
    wait = event_time(member(events, wait_event), &calls);
    traced = event_time(member(events, step_event), &ignored);
    stall_ms_text(ret->wait, wait);
    stall_ms_text(ret->traced, traced);
    stall_ms_text(ret->step_time, step_time(last, &row, wait, traced, calls));
    ret->fetches[0] = '\0';
    if (calls >= 0)
        snprintf(ret->fetches, sizeof(ret->fetches), "%" PRId64, calls);
    *last = row;
}
