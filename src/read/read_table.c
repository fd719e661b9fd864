/* CSV and TSV logs: the series CSV of this program, logs of DataLoader probes, and any table that
 * has a column of input waits.
 *
 * Enters: bytes. Leaves: a series. libcsv takes a line apart; what the cells mean stands in
 * table_columns.c and table_rows.c. It must not know units or names, but for those of its own
 * files.
 *
 * A series CSV is a table with facts before it, one a line, none of them with a comma, tab or
 * semicolon, so that no spreadsheet cuts it into cells:
 *
 *     # stalldiff-series: 1             first line; another number is refused
 *     # label: TEXT                     name for people; as a JSON string when it is not plain
 *     # format: NAME                    the reader of the original input
 *     # partial: true|false             something may be missing
 *     # rows: N                         so many rows follow; fewer: the file was cut
 *     # sampled: true                   rows are one real step in N
 *     # aggregated: true                rows are means or medians of N steps
 *     # medians: true                   they are medians: no share of the step time
 *     # gpu: true                       GPU work was seen: exposed_ms has a meaning
 *     # meta.KEY: VALUE                 a fact: a number, true, false or null as it is; text as a
 *                                       JSON string; any other JSON value as  json "VALUE"
 *     # warning: CODE COUNT PLACE TEXT  PLACE is offset:N, line:N or -; TEXT is a JSON string
 *
 * In JSON strings the bytes , ; " and \ are \u escapes. KEY is a JSON string when it is not made of
 * letters, digits, '_', '.' and '-'. Facts that were added by hand may leave out `meta.`.
 * Then come the names of the columns and the rows: rank,epoch,step,wait_ms,step_ms,exposed_ms,
 * fetches; other_wait_ms, worker_id, worker_pids, batch_rank and counters where there are any. A
 * counter whose name would mean something else is named counter:NAME. An empty cell is unknown;
 * text that would begin a formula has an apostrophe before it. */
#include <string.h>

#include <csv.h>

#include "read/table.h"

typedef struct csv_reader {
    stall_lines lines;
    stall_table table;
    stall_series *out;
    uint64_t promised; /* rows that a series CSV says it has; 0: it does not say */
    struct csv_parser parser;
    bool parser_open;
    unsigned char delimiter;
    /* of the row that was taken apart last */
    stall_text bytes;
    size_t *ends;
    size_t cells_len, ends_cap;
    stall_cell *cells;
    size_t cells_cap;
    unsigned rows;
    bool failed;
    /* a row whose quotes go on over several lines */
    stall_text pending;
    uint64_t pending_line;
    unsigned pending_lines;
    bool pending_whole;
    /* of the table */
    bool started; /* a line that is not blank was seen */
    bool has_header;
    size_t named; /* columns up to the last one that has a name */
} csv_reader;

/* ---- libcsv ---- */

static void *resize(void *ptr, size_t size)
{
    return stall_mem_resize(ptr, size, 1);
}

static void on_cell(void *text, size_t len, void *ctx)
{
    csv_reader *r = ctx;
    void *ends = r->ends;

    if (r->rows > 0 || r->failed)
        return;
    stall_text_add(&r->bytes, text, len);
    if (r->bytes.failed || !stall_mem_grow(&ends, &r->ends_cap, r->cells_len + 1, sizeof(size_t))) {
        r->failed = true;
        return;
    }
    r->ends = ends;
    r->ends[r->cells_len++] = r->bytes.len;
}

static void on_row(int c, void *ctx)
{
    (void)c;
    ((csv_reader *)ctx)->rows++;
}

static bool open_parser(csv_reader *r)
{
    if (r->parser_open)
        csv_free(&r->parser);
    r->parser_open = csv_init(&r->parser, 0) == 0;
    if (!r->parser_open)
        return false;
    csv_set_delim(&r->parser, r->delimiter);
    csv_set_realloc_func(&r->parser, resize);
    csv_set_free_func(&r->parser, stall_mem_free);
    return true;
}

/* Takes a row apart. *ret_open: its quotes are not closed. STALL_ENOMEM. */
static stall_status parse(csv_reader *r, const char *text, size_t len, bool *ret_open,
                          stall_error *reterr)
{
    void *cells = r->cells;
    size_t from = 0;

    r->bytes.len = r->cells_len = r->rows = 0;
    *ret_open = false;
    if (csv_parse(&r->parser, text, len, on_cell, on_row, r) != len || r->failed)
        return stall_error_memory(reterr);
    /* Strict only here: a quote within a cell is no error, one that is still open at the end is. */
    csv_set_opts(&r->parser, CSV_STRICT | CSV_STRICT_FINI);
    if (csv_fini(&r->parser, on_cell, on_row, r) != 0) {
        *ret_open = csv_error(&r->parser) == CSV_EPARSE;
        if (!*ret_open || !open_parser(r))
            return stall_error_memory(reterr);
        return STALL_OK;
    }
    csv_set_opts(&r->parser, 0);
    if (r->failed || !stall_mem_grow(&cells, &r->cells_cap, r->cells_len + 1, sizeof(stall_cell)))
        return stall_error_memory(reterr);
    r->cells = cells;
    for (size_t i = 0; i < r->cells_len; i++) {
        const char *data = r->bytes.data != NULL ? r->bytes.data : "";

        r->cells[i] = stall_cell_trim(data + from, r->ends[i] - from);
        from = r->ends[i];
    }
    return STALL_OK;
}

/* ---- the table ---- */

/* A tab, a comma or a semicolon, the first of them that the names hold outside quotes. */
static unsigned char find_delimiter(const char *text, size_t len)
{
    static const char kinds[] = "\t,;";
    size_t count[3] = {0, 0, 0};
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        const char *at = text[i] != '\0' ? strchr(kinds, text[i]) : NULL;

        if (text[i] == '"')
            inside = !inside;
        else if (at != NULL && !inside)
            count[at - kinds]++;
    }
    if (count[1] > 0 && count[1] >= count[0])
        return ',';
    if (count[0] > 0)
        return '\t';
    return count[2] > 0 ? ';' : ',';
}

static bool has_cell(const csv_reader *r, const char *name)
{
    for (size_t i = 0; i < r->cells_len; i++)
        if (stall_cell_is(r->cells[i], name))
            return true;
    return false;
}

static stall_status take_header(csv_reader *r, uint64_t line, stall_error *reterr)
{
    stall_status status = STALL_OK;

    r->has_header = true;
    if (has_cell(r, "run") && has_cell(r, "side") && has_cell(r, "wait_ms")) {
        stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                        "this is the series.csv of a report, which holds several runs");
        stall_error_hint(reterr, "give the inputs of the report again, or one run's series as "
                                 "`stalldiff series RUN` writes it");
        if (reterr != NULL)
            reterr->line = line;
        return STALL_EFORMAT;
    }
    for (size_t i = 0; i < r->cells_len && status == STALL_OK; i++) {
        status = stall_table_add(&r->table, r->cells[i], reterr);
        if (r->cells[i].len > 0)
            r->named = i + 1;
    }
    return status == STALL_OK ? stall_table_check(&r->table, reterr) : status;
}

/* The header once more, as when a log was appended to. */
static bool is_header(const csv_reader *r)
{
    if (r->cells_len != r->table.len)
        return false;
    for (size_t i = 0; i < r->cells_len; i++)
        if (r->cells[i].len != r->table.columns[i].len ||
            memcmp(r->cells[i].text, r->table.columns[i].name, r->cells[i].len) != 0)
            return false;
    return true;
}

/* Do the cells fit the columns? Empty ones past the last named column may be there or not. */
static bool fits(const csv_reader *r)
{
    if (r->cells_len < r->named)
        return false;
    for (size_t i = r->table.len; i < r->cells_len; i++)
        if (r->cells[i].len > 0)
            return false;
    return true;
}

static stall_status lost(csv_reader *r, stall_warn_code code, uint64_t line, const char *what,
                         stall_error *reterr)
{
    stall_table_lost(&r->table);
    return stall_warn_add_line(&r->out->warnings, code, 1, line, reterr, "%s", what);
}

static stall_status take_row(csv_reader *r, uint64_t line, bool whole, stall_error *reterr)
{
    if (!r->has_header)
        return take_header(r, line, reterr);
    if (!whole && r->lines.cut) /* cut somewhere in this row; the transport has said so */
        return STALL_OK;
    if (!whole && r->cells_len < r->named)
        return lost(r, STALL_WARN_truncated, line, "the last row is cut short", reterr);
    if (!fits(r)) {
        stall_table_lost(&r->table);
        return stall_warn_add_line(&r->out->warnings, STALL_WARN_rows_skipped, 1, line, reterr,
                                   "a row of %zu cells where the table has %zu columns",
                                   r->cells_len, r->table.len);
    }
    if (is_header(r))
        return stall_warn_add_line(&r->out->warnings, STALL_WARN_several_launches, 1, line, reterr,
                                   "the names of the columns stand here again");
    return stall_table_row(&r->table, r->cells, r->cells_len, line, false, reterr);
}

/* ---- lines ---- */

static stall_status take_line(csv_reader *r, const stall_line *line, stall_error *reterr);

/* The first line of the pending ones has a quote too many: it is lost, the others are taken again.
 * Each call has one line less to take, so this ends. */
static stall_status give_up(csv_reader *r, stall_error *reterr)
{
    stall_text text = r->pending;
    stall_line line = {.number = r->pending_line};
    bool last_whole = r->pending_whole;
    size_t at, len;
    stall_status status;

    stall_text_init(&r->pending);
    r->pending_lines = 0;
    len = text.len;
    at = (size_t)((char *)memchr(text.data, '\n', len) - text.data) + 1;
    status =
        lost(r, STALL_WARN_events_lost, line.number, "a quote is not closed in this row", reterr);
    while (status == STALL_OK && at <= len) {
        const char *end = memchr(text.data + at, '\n', len - at);

        line.text = text.data + at;
        line.len = end != NULL ? (size_t)(end - line.text) : len - at;
        line.number++;
        line.whole = end != NULL || last_whole;
        at += line.len + 1;
        status = take_line(r, &line, reterr);
    }
    stall_text_close(&text);
    return status;
}

/* A line that begins or goes on with a row of several lines. */
static stall_status take_pending(csv_reader *r, const stall_line *line, bool *ret_open,
                                 stall_error *reterr)
{
    stall_status status;

    if (r->pending_lines > 0)
        stall_text_put(&r->pending, "\n");
    else
        r->pending_line = line->number;
    stall_text_add(&r->pending, line->text, line->len);
    r->pending_lines++;
    r->pending_whole = line->whole;
    if (r->pending.failed)
        return stall_error_memory(reterr);
    if (r->pending_lines == 1)
        return STALL_OK;
    status = parse(r, r->pending.data, r->pending.len, ret_open, reterr);
    if (status != STALL_OK)
        return status;
    if (*ret_open && r->pending_lines < STALL_ROW_LINES_MAX && r->pending.len < STALL_LINE_MAX)
        return STALL_OK;
    if (*ret_open || r->rows != 1 || (r->has_header && !fits(r))) {
        *ret_open = true;
        return give_up(r, reterr);
    }
    r->pending.len = r->pending_lines = 0;
    return STALL_OK;
}

static bool is_blank(const stall_line *line)
{
    return stall_cell_trim(line->text, line->len).len == 0;
}

static stall_status take_comment(csv_reader *r, const stall_line *line, stall_error *reterr)
{
    if (!r->started && stall_series_magic(line->text, line->len))
        r->table.own = true;
    r->started = true;
    if (!r->table.own || r->has_header || stall_series_promise(line->text, line->len, &r->promised))
        return STALL_OK;
    return stall_series_header(r->out, line->text, line->len, line->number, reterr);
}

static stall_status take_line(csv_reader *r, const stall_line *line, stall_error *reterr)
{
    uint64_t number = line->number;
    bool open = false;
    stall_status status = STALL_OK;

    if (r->pending_lines > 0) {
        number = r->pending_line;
        status = take_pending(r, line, &open, reterr);
        return status != STALL_OK || open ? status : take_row(r, number, line->whole, reterr);
    }
    if (is_blank(line))
        return STALL_OK;
    if (line->text[0] == '#')
        return take_comment(r, line, reterr);
    r->started = true;
    if (memchr(line->text, '\0', line->len) != NULL)
        return lost(r, STALL_WARN_events_lost, number, "zero bytes stand here", reterr);
    if (!r->parser_open) {
        r->delimiter = find_delimiter(line->text, line->len);
        if (!open_parser(r))
            return stall_error_memory(reterr);
    }
    status = parse(r, line->text, line->len, &open, reterr);
    if (status == STALL_OK && open)
        return take_pending(r, line, &open, reterr);
    return status == STALL_OK ? take_row(r, number, line->whole, reterr) : status;
}

/* A row whose quotes are open at the end of the file. */
static stall_status finish_pending(csv_reader *r, stall_error *reterr)
{
    stall_status status = STALL_OK;

    while (status == STALL_OK && r->pending_lines > 1)
        status = give_up(r, reterr);
    if (status != STALL_OK || r->pending_lines == 0)
        return status;
    if (r->pending_whole)
        return lost(r, STALL_WARN_events_lost, r->pending_line, "a quote is not closed in this row",
                    reterr);
    if (r->lines.cut)
        return STALL_OK;
    return lost(r, STALL_WARN_truncated, r->pending_line, "the last row is cut short", reterr);
}

static stall_status read_lines(csv_reader *r, stall_error *reterr)
{
    stall_line line;
    stall_status status;

    do {
        status = stall_lines_next(&r->lines, &line, reterr);
        if (status == STALL_OK && line.text != NULL)
            status = take_line(r, &line, reterr);
    } while (status == STALL_OK && line.text != NULL);
    return status == STALL_OK ? finish_pending(r, reterr) : status;
}

static stall_status read_table(stall_source *src, const stall_read_options *options,
                               stall_series *out, stall_error *reterr)
{
    csv_reader *r = stall_mem_zero(1, sizeof(*r));
    stall_status status;

    if (r == NULL)
        return stall_error_memory(reterr);
    out->format = stall_reader_table.name;
    out->warnings.strict = options->strict;
    r->out = out;
    stall_lines_open(&r->lines, src, &out->warnings);
    stall_table_open(&r->table, options, out);
    status = read_lines(r, reterr);
    stall_table_exported(&r->table);
    if (status == STALL_OK && !r->has_header)
        status = stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                                 "no row with the names of the columns");
    else if (status == STALL_OK && out->len == 0)
        status = stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                                 "no usable row below the names of the columns");
    else if (status == STALL_OK && out->len < r->promised)
        status = stall_warn_add_line(&out->warnings, STALL_WARN_truncated, 1, r->lines.number,
                                     reterr, "the series ends after %zu of %llu rows", out->len,
                                     (unsigned long long)r->promised);
    if (r->parser_open)
        csv_free(&r->parser);
    stall_text_close(&r->bytes);
    stall_text_close(&r->pending);
    stall_mem_free(r->ends);
    stall_mem_free(r->cells);
    stall_table_close(&r->table);
    stall_lines_close(&r->lines);
    stall_mem_free(r);
    return status;
}

/* ---- probe ---- */

/* Length of the line at text, without its end. */
static size_t line_length(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] != '\n' && text[n] != '\r')
        n++;
    return n;
}

static size_t count_of(const char *text, size_t len, char c)
{
    size_t n = 0;
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            inside = !inside;
        else if (text[i] == c && !inside)
            n++;
    }
    return n;
}

static bool is_printable(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\t')
            return false;
    return true;
}

/* Is one of the names in this line a wait? */
static bool names_wait(const char *text, size_t len, char delimiter)
{
    size_t from = 0;
    unsigned order;
    int exponent;
    stall_cell name;

    for (size_t i = 0; i <= len; i++) {
        if (i < len && text[i] != delimiter)
            continue;
        name = stall_cell_trim(text + from, i - from);
        if (name.len >= 2 && name.text[0] == '"' && name.text[name.len - 1] == '"')
            name = stall_cell_trim(name.text + 1, name.len - 2);
        if (stall_name_role(name, false, &exponent, &order) == STALL_ROLE_WAIT)
            return true;
        from = i + 1;
    }
    return false;
}

static int probe(const unsigned char *head, size_t len, bool whole)
{
    const char *text = (const char *)head;
    size_t n, next, at = len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    char delimiter;

    for (;; at += n + (at + n < len)) { /* to the first line that is no comment and not blank */
        if (at >= len)
            return 0;
        n = line_length(text + at, len - at);
        if (stall_series_magic(text + at, n))
            return 100;
        if (text[at] != '#' && stall_cell_trim(text + at, n).len > 0)
            break;
    }
    if (text[at] == '{' || text[at] == '[' || !is_printable(text + at, n) ||
        (at + n == len && !whole))
        return 0;
    delimiter = (char)find_delimiter(text + at, n);
    if (names_wait(text + at, n, delimiter))
        return 90;
    for (next = at + n; next < len && (text[next] == '\n' || text[next] == '\r'); next++)
        ;
    if (count_of(text + at, n, delimiter) == 0 || next == len)
        return 0;
    return count_of(text + at, n, delimiter) ==
                   count_of(text + next, line_length(text + next, len - next), delimiter)
               ? 30
               : 0;
}

const stall_reader stall_reader_table = {
    "csv",
    "CSV or TSV, one step a row: wait_ms or --wait-col; also stalldiff's series CSV",
    probe,
    read_table,
    STALL_INPUT_TABLE,
    false};
