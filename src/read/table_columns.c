/* Columns: which column of a table, or key of a log, holds what.
 *
 * Enters: names in the order in which they turn up, and the names that options choose. Leaves: at
 * most one column for each role; every other one may be a counter. It must not know rows. */
#include <string.h>

#include "read/table.h"

#define LIST_MAX 380 /* bytes of a list of columns in a message */

/* NAME[:UNIT]: the part after the last colon is a unit only if it is one. */
static stall_column_choice choose(const char *option, const char *text, bool time)
{
    stall_column_choice c = {.option = option, .exponent = STALL_UNIT_NONE};
    const char *colon;

    if (text == NULL)
        return c;
    c.full = stall_cell_trim(text, strlen(text));
    colon = time ? strrchr(text, ':') : NULL;
    if (colon == NULL || colon[1] == '\0')
        return c;
    if (strlen(colon + 1) <= 2)
        c.exponent = stall_unit_exponent((stall_cell){colon + 1, strlen(colon + 1)});
    if (c.exponent != STALL_UNIT_NONE)
        c.base = stall_cell_trim(text, (size_t)(colon - text));
    return c;
}

void stall_table_open(stall_table *t, const stall_read_options *options, stall_series *out)
{
    memset(t, 0, sizeof(*t));
    t->out = out;
    t->wait = choose("--wait-col", options->wait_col, true);
    t->step = choose("--step-col", options->step_col, false);
    t->step_time = choose("--dur-col", options->dur_col, true);
    for (size_t i = 0; i < STALL_ROLE_COUNT; i++)
        t->of_role[i] = SIZE_MAX;
}

void stall_table_close(stall_table *t)
{
    for (size_t i = 0; i < t->len; i++)
        stall_mem_free(t->columns[i].name);
    stall_mem_free(t->columns);
    stall_mem_free(t->unnumbered);
    memset(t, 0, sizeof(*t));
}

static bool same(stall_cell a, stall_cell b)
{
    return a.len > 0 && a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* Does an option choose this name? *ret_given is the unit that the option gives. */
static bool chosen(const stall_column_choice *c, stall_cell name, int *ret_given,
                   unsigned *ret_order)
{
    stall_cell tail = stall_name_tail(name);

    *ret_given = STALL_UNIT_NONE;
    *ret_order = same(c->full, name) || same(c->base, name) ? 0 : 1;
    if (same(c->full, name) || same(c->full, tail))
        return true;
    *ret_given = c->exponent;
    return same(c->base, name) || same(c->base, tail);
}

static stall_status no_unit(const stall_column_choice *c, stall_cell name, stall_error *reterr)
{
    stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                    "%s %.*s: the name does not say in which unit the time is", c->option,
                    (int)name.len, name.text);
    stall_error_hint(reterr, "add it: %s %.*s:ms (s, ms, us or ns)", c->option, (int)name.len,
                     name.text);
    return STALL_EUSAGE;
}

/* Role, unit and order of a new column. */
static stall_status judge(const stall_table *t, stall_column *c, stall_error *reterr)
{
    const struct {
        const stall_column_choice *choice;
        stall_role role;
    } choices[] = {{&t->wait, STALL_ROLE_WAIT},
                   {&t->step_time, STALL_ROLE_STEP_TIME},
                   {&t->step, STALL_ROLE_STEP}};
    stall_cell name = {c->name, c->len}, base;
    int given;

    c->role = stall_name_role(name, t->own, &c->exponent, &c->order);
    for (size_t i = 0; i < 3; i++) {
        if (choices[i].choice->full.len == 0)
            continue;
        if (chosen(choices[i].choice, name, &given, &c->order)) {
            c->role = choices[i].role;
            c->exponent = given != STALL_UNIT_NONE ? given : stall_name_unit(name, &base);
            if (c->exponent == STALL_UNIT_NONE && c->role != STALL_ROLE_STEP)
                return no_unit(choices[i].choice, name, reterr);
            return STALL_OK;
        }
        if (c->role == choices[i].role) /* another column was chosen */
            c->role = STALL_ROLE_COUNTER;
    }
    return STALL_OK;
}

/* Gives the last column its role, unless a better one has it. */
static void take_role(stall_table *t)
{
    stall_column *c = &t->columns[t->len - 1], *holder;

    if (c->role < STALL_ROLE_STEP)
        return;
    if (t->of_role[c->role] != SIZE_MAX) {
        holder = &t->columns[t->of_role[c->role]];
        if (holder->order <= c->order) {
            c->role = STALL_ROLE_COUNTER;
            return;
        }
        holder->role = STALL_ROLE_COUNTER;
    }
    t->of_role[c->role] = t->len - 1;
}

static size_t find(const stall_table *t, stall_cell name)
{
    for (size_t i = 0, at = t->next; i < t->len; i++, at++) {
        if (at >= t->len)
            at = 0;
        if (t->columns[at].len == name.len && memcmp(t->columns[at].name, name.text, name.len) == 0)
            return at;
    }
    return SIZE_MAX;
}

/* A series CSV marks the names of counters that would mean something else. */
static bool strip_mark(const stall_table *t, stall_cell *name)
{
    if (!t->own || name->len < 8 || memcmp(name->text, "counter:", 8) != 0)
        return false;
    name->text += 8;
    name->len -= 8;
    return true;
}

/* A name that stands twice in a header: which of the two is meant is not known. */
static stall_status say_twice(stall_table *t, stall_cell name, stall_error *reterr)
{
    char shown[64];

    if (name.len == 0) /* columns without a name are of no use anyway */
        return STALL_OK;
    stall_text_printable(shown, sizeof(shown), name.text, name.len);
    return stall_warn_add(&t->out->warnings, STALL_WARN_duplicate_keys, 1, STALL_OFFSET_NONE,
                          reterr, "two columns are called %s; the first one is used", shown);
}

stall_status stall_table_add(stall_table *t, stall_cell name, stall_error *reterr)
{
    void *columns = t->columns;
    bool marked = strip_mark(t, &name);
    stall_column c = {.role = STALL_ROLE_COUNTER, .counter = SIZE_MAX};
    stall_status status = STALL_OK;

    if (t->len >= STALL_COLUMNS_MAX) {
        stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE, "more than %u columns",
                        STALL_COLUMNS_MAX);
        stall_error_hint(reterr, "remove the columns that are not needed from the log");
        return STALL_ELIMIT;
    }
    if (name.len > STALL_COLUMN_NAME_MAX)
        name.len = STALL_COLUMN_NAME_MAX;
    if (!stall_mem_grow(&columns, &t->cap, t->len + 1, sizeof(c)))
        return stall_error_memory(reterr);
    t->columns = columns;
    c.name = stall_mem_text(name.text, name.len);
    c.len = name.len;
    if (c.name == NULL)
        return stall_error_memory(reterr);
    if (!marked && find(t, name) != SIZE_MAX) {
        c.role = STALL_ROLE_NONE;
        status = say_twice(t, name, reterr);
    } else if (!marked)
        status = judge(t, &c, reterr);
    t->columns[t->len++] = c;
    if (status == STALL_OK)
        take_role(t);
    return status;
}

stall_status stall_table_find(stall_table *t, stall_cell name, size_t *ret, stall_error *reterr)
{
    stall_status status = STALL_OK;

    if (name.len > STALL_COLUMN_NAME_MAX)
        name.len = STALL_COLUMN_NAME_MAX;
    *ret = find(t, name);
    if (*ret == SIZE_MAX && t->len < STALL_COLUMNS_MAX) {
        status = stall_table_add(t, name, reterr);
        *ret = t->len - 1;
    }
    t->next = *ret + 1; /* keys come in the same order in every row; SIZE_MAX wraps to 0 */
    return status;
}

/* "step, time, loss", cut when it is long. */
static void list_names(const stall_table *t, char buf[LIST_MAX + 8])
{
    char name[64];
    size_t at = 0, n;

    buf[0] = '\0';
    for (size_t i = 0; i < t->len; i++) {
        n = stall_text_printable(name, sizeof(name), t->columns[i].name, t->columns[i].len);
        if (n == 0)
            continue;
        if (at + n + 2 > LIST_MAX) {
            memcpy(buf + at, ", ...", 6);
            return;
        }
        if (at > 0) {
            memcpy(buf + at, ", ", 2);
            at += 2;
        }
        memcpy(buf + at, name, n + 1);
        at += n;
    }
}

stall_status stall_table_check(const stall_table *t, stall_error *reterr)
{
    const struct {
        const stall_column_choice *choice;
        stall_role role;
    } choices[] = {{&t->wait, STALL_ROLE_WAIT},
                   {&t->step_time, STALL_ROLE_STEP_TIME},
                   {&t->step, STALL_ROLE_STEP}};
    char list[LIST_MAX + 8];

    list_names(t, list);
    for (size_t i = 0; i < 3; i++) {
        const stall_column_choice *c = choices[i].choice;

        if (c->full.len == 0 || t->of_role[choices[i].role] != SIZE_MAX)
            continue;
        stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "%s %.*s: no such column",
                        c->option, (int)(c->full.len < 200 ? c->full.len : 200), c->full.text);
        stall_error_hint(reterr, "columns found: %s", list);
        return STALL_EUSAGE;
    }
    if (t->of_role[STALL_ROLE_WAIT] != SIZE_MAX)
        return STALL_OK;
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "no column of input waits (wait_ms or input_wait_ms); columns found: %s",
                    list[0] != '\0' ? list : "none");
    stall_error_hint(reterr, "if one of them is the time the loop waited for input, name it: "
                             "--wait-col NAME:UNIT (s, ms, us or ns)");
    return STALL_ENODATA;
}
