/* Names of columns: which ones are known, and the unit that a name carries.
 *
 * Enters: the name of a column or key. Leaves: what stands in it and in which unit. It must not
 * know the table in which the column stands. Names match as they are written, upper and lower case.
 */
#include <string.h>

#include "read/table.h"

stall_cell stall_cell_trim(const char *text, size_t len)
{
    while (len > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        len--;
    }
    while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    return (stall_cell){text, len};
}

bool stall_cell_is(stall_cell c, const char *text)
{
    return strlen(text) == c.len && memcmp(c.text, text, c.len) == 0;
}

int stall_unit_exponent(stall_cell unit)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = {{"s", 9},   {"ms", 6},   {"us", 3},     {"ns", 0},
                 {"sec", 9}, {"secs", 9}, {"seconds", 9}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (stall_cell_is(unit, units[i].name))
            return units[i].exponent;
    return STALL_UNIT_NONE;
}

int stall_name_unit(stall_cell name, stall_cell *ret_base)
{
    size_t at = name.len;
    int exponent;

    *ret_base = name;
    while (at > 0 && name.text[at - 1] != '_')
        at--;
    if (at < 2)
        return STALL_UNIT_NONE;
    exponent = stall_unit_exponent((stall_cell){name.text + at, name.len - at});
    ret_base->len = at - 1;
    if (exponent == STALL_UNIT_NONE ||
        (at >= 5 && memcmp(name.text + at - 5, "_per_", 5) == 0)) { /* a rate */
        *ret_base = name;
        return STALL_UNIT_NONE;
    }
    return exponent;
}

stall_cell stall_name_tail(stall_cell name)
{
    for (size_t i = name.len; i > 0; i--) {
        if (name.text[i - 1] == '/' || (i >= 3 && memcmp(name.text + i - 3, " - ", 3) == 0))
            return (stall_cell){name.text + i, name.len - i};
    }
    return name;
}

/* Times: the name carries a unit. Of several the first in the list is taken. */
static const struct {
    const char *base;
    stall_role role;
} times[] = {
    {"wait", STALL_ROLE_WAIT},
    {"input_wait", STALL_ROLE_WAIT},
    {"step", STALL_ROLE_STEP_TIME},
    {"step_time", STALL_ROLE_STEP_TIME},
};

static const struct {
    const char *name;
    stall_role role;
    bool whole; /* not behind a prefix */
} names[] = {
    {"step", STALL_ROLE_STEP, false},
    {"global_step", STALL_ROLE_STEP, false},
    {"_step", STALL_ROLE_STEP, false},
    {"Step", STALL_ROLE_STEP, false},
    {"epoch", STALL_ROLE_EPOCH, false},
    {"rank", STALL_ROLE_RANK, false},
    {"exposed_ms", STALL_ROLE_EXPOSED, true},
    {"other_wait_ms", STALL_ROLE_OTHER_WAIT, true},
    {"fetches", STALL_ROLE_FETCHES, true},
    {"worker_id", STALL_ROLE_WORKER_ID, false},
    {"worker_pids", STALL_ROLE_WORKER_PIDS, false},
    {"batch_rank", STALL_ROLE_BATCH_RANK, false},
    /* One worker's process id is no set of ids, and no quantity either. */
    {"worker_pid", STALL_ROLE_NONE, true},
    {"stall", STALL_ROLE_NONE, true},
    {"run", STALL_ROLE_NONE, true},
    {"side", STALL_ROLE_NONE, true},
    {"pass", STALL_ROLE_NONE, true},
    {"", STALL_ROLE_NONE, true},
    {"t_ms", STALL_ROLE_STAMP, true},
    {"ts", STALL_ROLE_STAMP, true},
    {"timestamp", STALL_ROLE_STAMP, true},
    {"_timestamp", STALL_ROLE_STAMP, true},
    {"_runtime", STALL_ROLE_STAMP, true},
    {"time", STALL_ROLE_STAMP, true},
    {"Time", STALL_ROLE_STAMP, true},
    {"Wall time", STALL_ROLE_STAMP, true},
    {"wall_time", STALL_ROLE_STAMP, true},
    {"date", STALL_ROLE_STAMP, true},
    {"datetime", STALL_ROLE_STAMP, true},
};

/* The known name that is just this text. Its place in the lists is its order. */
static stall_role known(stall_cell name, bool tail, int *ret_exponent, unsigned *ret_order)
{
    stall_cell base;
    int exponent = stall_name_unit(name, &base);

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (stall_cell_is(name, names[i].name) && !(tail && names[i].whole)) {
            *ret_order = i;
            *ret_exponent = 6; /* exposed_ms, other_wait_ms */
            return names[i].role;
        }
    }
    for (unsigned i = 0; exponent != STALL_UNIT_NONE && i < sizeof(times) / sizeof(times[0]); i++) {
        if (stall_cell_is(base, times[i].base)) {
            *ret_order = i;
            *ret_exponent = exponent;
            return times[i].role;
        }
    }
    return STALL_ROLE_COUNTER;
}

stall_role stall_name_role(stall_cell name, bool exact, int *ret_exponent, unsigned *ret_order)
{
    stall_cell tail = stall_name_tail(name);
    stall_role role;

    *ret_exponent = STALL_UNIT_NONE;
    *ret_order = 0;
    role = known(name, false, ret_exponent, ret_order);
    if (role != STALL_ROLE_COUNTER || exact || tail.len == name.len)
        return role;
    role = known(tail, true, ret_exponent, ret_order);
    *ret_order += 100; /* a whole name goes before one with a prefix */
    return role;
}
