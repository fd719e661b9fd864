/* Rows: what the cells of one row of a log mean.
 *
 * Enters: the text of the cells, one a column. Leaves: a row of the series with its counters and
 * ids. A value that is not measured (empty, nan, negative, no number) is unknown, never 0. It must
 * not know how the cells were written down. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "read/table.h"
#include "series/series.h"

#define NUMBER_MAX 128           /* bytes of a number with a bare point */
#define EXACT 9007199254740992.0 /* whole numbers below are exact in a double */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ".5" and "5." become "0.5" and "5": decimal forms that the exact parser does not take. */
static stall_cell mend_point(stall_cell c, char buf[NUMBER_MAX + 1])
{
    const char *point = c.len > 0 ? memchr(c.text, '.', c.len) : NULL;
    size_t at, n = 0;
    bool before, after;

    if (point == NULL || c.len > NUMBER_MAX - 1)
        return c;
    at = (size_t)(point - c.text);
    before = at > 0 && is_digit(point[-1]);
    after = at + 1 < c.len && is_digit(point[1]);
    if (before == after)
        return c;
    for (size_t i = 0; i < c.len; i++) {
        if (i == at && !before)
            buf[n++] = '0';
        if (i != at || after)
            buf[n++] = c.text[i];
    }
    return (stall_cell){buf, n};
}

bool stall_cell_double(stall_cell c, double *ret)
{
    char buf[NUMBER_MAX + 1];

    c = mend_point(c, buf);
    return stall_decimal_double(c.text, c.len, ret) && isfinite(*ret);
}

/* The whole part of a number. */
static bool whole_part(stall_cell c, int64_t *ret)
{
    char buf[NUMBER_MAX + 1];
    double v;

    c = mend_point(c, buf);
    if (!stall_decimal_double(c.text, c.len, &v) || !stall_decimal_parse(c.text, c.len, 0, ret))
        return false;
    if (fabs(v) < EXACT)
        *ret = (int64_t)trunc(v);
    return true;
}

/* A step number: whole and not negative, else STALL_UNKNOWN. */
static int64_t step_number(stall_cell c)
{
    int64_t v;
    double exact;

    if (!whole_part(c, &v) || v < 0 || !stall_cell_double(c, &exact) || exact != (double)v)
        return STALL_UNKNOWN;
    return v;
}

/* Words for "not measured". */
static bool says_missing(stall_cell c)
{
    static const char *const words[] = {"nan", "null", "none", "na", "n/a", "-", "?"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i]) == c.len && strncasecmp(words[i], c.text, c.len) == 0)
            return true;
    return false;
}

typedef struct row_reader {
    stall_table *t;
    const stall_cell *cells;
    size_t len;
    uint64_t line;
    stall_error *reterr;
} row_reader;

/* The cell of a role; empty when there is none. */
static stall_cell cell_of(const row_reader *r, stall_role role)
{
    size_t at = r->t->of_role[role];

    return at < r->len ? r->cells[at] : (stall_cell){"", 0};
}

/* A time in nanoseconds, STALL_UNKNOWN when it is not measured. Text that is no number is said. */
static stall_status read_time(const row_reader *r, stall_role role, int64_t *ret)
{
    stall_cell c = cell_of(r, role), number;
    char buf[NUMBER_MAX + 1], shown[40];
    const stall_column *column;
    double v;

    *ret = STALL_UNKNOWN;
    if (c.len == 0)
        return STALL_OK;
    column = &r->t->columns[r->t->of_role[role]];
    number = mend_point(c, buf);
    if (stall_decimal_double(number.text, number.len, &v) && v < 0)
        return STALL_OK;
    if (stall_decimal_parse(number.text, number.len, column->exponent, ret))
        return STALL_OK;
    *ret = STALL_UNKNOWN;
    if (says_missing(c))
        return STALL_OK;
    stall_text_printable(shown, sizeof(shown), c.text, c.len);
    return stall_warn_add_line(&r->t->out->warnings, STALL_WARN_bad_number, 1, r->line, r->reterr,
                               "%.40s is no number: %s", column->name, shown);
}

/* Is this the row of another metric? Wait and step time are empty and a cell is filled that is no
 * step, epoch, rank or time stamp and tells nothing of a fetch. */
static bool other_metric(const row_reader *r)
{
    static const stall_role fetch[] = {
        STALL_ROLE_WAIT,    STALL_ROLE_STEP_TIME, STALL_ROLE_EXPOSED,     STALL_ROLE_OTHER_WAIT,
        STALL_ROLE_FETCHES, STALL_ROLE_WORKER_ID, STALL_ROLE_WORKER_PIDS, STALL_ROLE_BATCH_RANK};

    for (size_t i = 0; i < sizeof(fetch) / sizeof(fetch[0]); i++)
        if (cell_of(r, fetch[i]).len > 0)
            return false;
    for (size_t i = 0; i < r->len; i++)
        if (r->cells[i].len > 0 && r->t->columns[i].role == STALL_ROLE_COUNTER)
            return true;
    return false;
}

/* Number of the next row of a rank in a log without step numbers. */
static stall_status next_number(stall_table *t, int32_t rank, int64_t *ret, stall_error *reterr)
{
    void *list = t->unnumbered;
    size_t i = 0;

    while (i < t->unnumbered_len && t->unnumbered[i].rank != rank)
        i++;
    if (i == t->unnumbered_len) {
        if (i >= STALL_UNNUMBERED_RANKS_MAX)
            return stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE, "more than %u ranks",
                                   STALL_UNNUMBERED_RANKS_MAX);
        if (!stall_mem_grow(&list, &t->unnumbered_cap, i + 1, sizeof(*t->unnumbered)))
            return stall_error_memory(reterr);
        t->unnumbered = list;
        t->unnumbered[i] = (struct stall_rank_steps){rank, 0};
        t->unnumbered_len++;
    }
    *ret = t->unnumbered[i].next++;
    return STALL_OK;
}

void stall_table_lost(stall_table *t)
{
    if (t->unnumbered_len == 1) /* of several ranks it is not known whose row it was */
        t->unnumbered[0].next++;
}

static stall_status read_labels(const row_reader *r, stall_row *row)
{
    stall_cell fetches = cell_of(r, STALL_ROLE_FETCHES), step = cell_of(r, STALL_ROLE_STEP);
    char shown[40];
    int64_t v;

    row->rank = 0;
    if (whole_part(cell_of(r, STALL_ROLE_RANK), &v) && v >= 0 && v <= INT32_MAX) {
        row->rank = (int32_t)v;
        r->t->out->ranked = true;
    }
    row->epoch = whole_part(cell_of(r, STALL_ROLE_EPOCH), &v) ? v : STALL_UNKNOWN;
    row->fetches = -1;
    v = step_number(fetches);
    if (v != STALL_UNKNOWN && v <= INT32_MAX)
        row->fetches = (int32_t)v;
    if (r->t->of_role[STALL_ROLE_STEP] == SIZE_MAX)
        return next_number(r->t, row->rank, &row->step, r->reterr);
    row->step = step_number(step);
    if (row->step != STALL_UNKNOWN || r->t->own)
        return STALL_OK;
    stall_text_printable(shown, sizeof(shown), step.text, step.len);
    return stall_warn_add_line(&r->t->out->warnings, STALL_WARN_rows_skipped, 1, r->line, r->reterr,
                               "step is no whole number: %s", step.len > 0 ? shown : "empty");
}

/* A step that falls to one that was there already, and not to the first: the run was resumed and
 * some steps stand twice. Only where all rows are of one rank. */
static stall_status note_restart(stall_table *t, uint64_t line, stall_error *reterr)
{
    const stall_row *rows = t->out->rows, *row, *last;
    size_t at = t->out->len - 1, i = at;

    if (at == 0 || t->several_ranks || t->own)
        return STALL_OK;
    row = &rows[at];
    last = &rows[at - 1];
    if (row->rank != last->rank) {
        t->several_ranks = true;
        return STALL_OK;
    }
    if (row->epoch == last->epoch && (row->step >= last->step || row->step == STALL_UNKNOWN))
        return STALL_OK;
    while (i > t->run_start && rows[i - 1].step != row->step)
        i--;
    if (row->epoch != last->epoch || i <= t->run_start + 1) { /* i - 1 is where it was, if at all */
        t->run_start = at;
        return STALL_OK;
    }
    t->run_start = at;
    return stall_warn_add_line(&t->out->warnings, STALL_WARN_several_launches, 1, line, reterr,
                               "step goes back from %" PRId64 " to %" PRId64
                               ", as when a run is resumed; steps that stand twice are all kept",
                               last->step, row->step);
}

/* Text of a worker. A series CSV puts an apostrophe before what looks like a formula. */
static stall_cell plain_text(const row_reader *r, stall_role role)
{
    stall_cell c = cell_of(r, role);

    if (r->t->own && c.len > 0 && c.text[0] == '\'') {
        c.text++;
        c.len--;
    }
    return c;
}

static stall_status set_ids(const row_reader *r)
{
    stall_series *s = r->t->out;
    stall_cell id = plain_text(r, STALL_ROLE_WORKER_ID);
    stall_cell pids = plain_text(r, STALL_ROLE_WORKER_PIDS);
    stall_status status = STALL_OK;
    double v;

    if (id.len > 0)
        status = stall_series_set_worker_id(s, id.text, id.len, r->reterr);
    if (status == STALL_OK && pids.len > 0)
        status = stall_series_set_worker_pids(s, pids.text, pids.len, r->reterr);
    if (status == STALL_OK && stall_cell_double(cell_of(r, STALL_ROLE_BATCH_RANK), &v))
        status = stall_series_set_batch_rank(s, v, r->reterr);
    return status;
}

/* Every other number is a counter, from its first one on; columns beyond the limit of a series are
 * left out, since they decide nothing. */
static stall_status set_counters(const row_reader *r)
{
    stall_status status = STALL_OK;
    double v;

    for (size_t i = 0; i < r->len && status == STALL_OK; i++) {
        stall_column *c = &r->t->columns[i];

        if ((c->role != STALL_ROLE_COUNTER && c->role != STALL_ROLE_STAMP) ||
            !stall_cell_double(r->cells[i], &v))
            continue;
        if (c->counter == SIZE_MAX && r->t->out->counters_len >= STALL_COUNTERS_MAX)
            continue;
        if (c->counter == SIZE_MAX)
            status = stall_series_counter(r->t->out, c->name, c->len, &c->counter, r->reterr);
        if (status == STALL_OK)
            stall_series_set_counter(r->t->out, c->counter, v);
    }
    return status;
}

stall_status stall_table_row(stall_table *t, const stall_cell *cells, size_t cells_len,
                             uint64_t line, bool step, stall_error *reterr)
{
    row_reader r = {t, cells, cells_len < t->len ? cells_len : t->len, line, reterr};
    stall_row row = {0};
    stall_status status;

    if (!t->own && !step && other_metric(&r))
        return stall_warn_add_line(&t->out->warnings, STALL_WARN_rows_skipped, 1, line, reterr,
                                   "a row without wait and step time, but with other values");
    t->rows++;
    status = read_time(&r, STALL_ROLE_WAIT, &row.wait_ns);
    if (status == STALL_OK)
        status = read_time(&r, STALL_ROLE_STEP_TIME, &row.step_ns);
    if (status == STALL_OK)
        status = read_time(&r, STALL_ROLE_EXPOSED, &row.exposed_ns);
    if (status == STALL_OK)
        status = read_time(&r, STALL_ROLE_OTHER_WAIT, &row.other_wait_ns);
    if (status == STALL_OK)
        status = read_labels(&r, &row);
    if (status == STALL_OK)
        status = stall_series_push(t->out, &row, reterr);
    if (status == STALL_OK)
        status = set_ids(&r);
    if (status == STALL_OK)
        status = set_counters(&r);
    if (status == STALL_OK)
        status = note_restart(t, line, reterr);
    return status;
}
