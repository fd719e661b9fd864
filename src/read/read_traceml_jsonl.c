/* The export of TraceML's step rows as JSON lines, one row a line:
 * {"id": 7, "seq": 2, "step": 3, "rank": 0, "ts": 1.5, "events": {...}}, and its older form without
 * id and seq, or with "timestamp".
 *
 * Enters: bytes. Leaves: a series, or rows added to a run. It must not know what events mean:
 * traceml_events.c and traceml_run.c do. */
#include <string.h>

#include "json/json.h"
#include "read/table.h"
#include "read/traceml.h"

typedef struct export_reader {
    stall_lines lines;
    stall_traceml_run *run;
    stall_warnings *warnings;
    stall_text fixed; /* the line, with NaN and the like in quotes */
    int64_t rank;     /* of rows that name none */
    size_t from;      /* index of our first row in the run */
    bool ordered;     /* a row tells when it arrived */
    bool sorted;      /* rows are sorted by rank and step so far */
    uint64_t objects;
} export_reader;

static int64_t number(stall_cell value, int exponent)
{
    int64_t v;

    return stall_decimal_parse(value.text, value.len, exponent, &v) && v >= 0 ? v : STALL_UNKNOWN;
}

static bool is_object(stall_cell c)
{
    return c.len > 0 && c.text[0] == '{';
}

/* Takes a member of a row. `ret_events` stays empty for a row of another kind. */
static void take_member(stall_traceml_row *row, stall_cell key, stall_cell value,
                        stall_cell *ret_events)
{
    if (stall_cell_is(key, "id"))
        row->id = number(value, 0);
    else if (stall_cell_is(key, "seq"))
        row->seq = number(value, 0);
    else if (stall_cell_is(key, "step"))
        row->step = number(value, 0);
    else if (stall_cell_is(key, "rank") || stall_cell_is(key, "global_rank"))
        row->rank = number(value, 0);
    else if (stall_cell_is(key, "ts") || stall_cell_is(key, "timestamp") ||
             stall_cell_is(key, "sample_ts_s"))
        row->stamp_ns = number(value, 9);
    else if (stall_cell_is(key, "window"))
        row->window = !stall_cell_is(value, "null");
    else if (stall_cell_is(key, "events") && is_object(value))
        *ret_events = value;
}

static stall_status take_row(export_reader *r, stall_cell object, uint64_t line,
                             stall_error *reterr)
{
    stall_cell events = {"", 0};
    stall_traceml_row row;
    stall_member m;
    size_t pos = 0;

    stall_traceml_row_init(&row);
    row.rank = STALL_UNKNOWN;
    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m))
        take_member(&row, (stall_cell){(const char *)m.key.data, m.key.len},
                    (stall_cell){(const char *)m.value.data, m.value.len}, &events);
    stall_traceml_row_object(&row, events.text, events.len);
    if (row.phases == 0)
        return stall_warn_add_line(r->warnings, STALL_WARN_rows_skipped, 1, line, reterr,
                                   "a row without events");
    if (row.rank == STALL_UNKNOWN)
        row.rank = r->rank;
    r->ordered |= row.id != STALL_UNKNOWN || row.seq != STALL_UNKNOWN;
    if (r->run->len > r->from) {
        const stall_traceml_row *last = &r->run->rows[r->run->len - 1];

        r->sorted &= row.rank > last->rank || (row.rank == last->rank && row.step >= last->step);
    }
    return stall_traceml_run_push(r->run, &row, reterr);
}

static stall_status take_line(export_reader *r, const stall_line *line, stall_error *reterr)
{
    stall_cell object;

    if (stall_cell_trim(line->text, line->len).len == 0)
        return STALL_OK;
    if (!stall_json_row(line->text, line->len, &r->fixed, &object))
        return r->fixed.failed ? stall_error_memory(reterr)
                               : stall_lines_broken(&r->lines, line, reterr);
    r->objects++;
    return take_row(r, object, line->number, reterr);
}

stall_status stall_traceml_export_rows(stall_source *src, int64_t rank, stall_traceml_run *run,
                                       stall_warnings *warnings, stall_error *reterr)
{
    export_reader r = {.run = run,
                       .warnings = warnings,
                       .rank = rank >= 0 ? rank : 0,
                       .from = run->len,
                       .sorted = true};
    stall_status status;
    stall_line line;

    stall_lines_open(&r.lines, src, warnings);
    do {
        status = stall_lines_next(&r.lines, &line, reterr);
        if (status == STALL_OK && line.text != NULL)
            status = take_line(&r, &line, reterr);
    } while (status == STALL_OK && line.text != NULL);
    if (status == STALL_OK && r.objects == 0)
        status = stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                                 "no line holds a JSON object");
    /* Sorted rows hide where a launch began; others can only stand as they came. */
    run->no_arrival |= !r.ordered && r.sorted;
    stall_text_close(&r.fixed);
    stall_lines_close(&r.lines);
    return status;
}

/* The last rank_<n> in a path; 0 when there is none. */
static int64_t rank_of(const char *path)
{
    const char *p = path != NULL ? strstr(path, "rank_") : NULL;
    int64_t rank = 0, v;

    for (; p != NULL; p = strstr(p, "rank_")) {
        size_t len;

        p += strlen("rank_");
        len = strspn(p, "0123456789");
        if (len > 0 && stall_decimal_parse(p, len, 0, &v))
            rank = v;
    }
    return rank;
}

static stall_status read_export(stall_source *src, const stall_read_options *options,
                                stall_series *out, stall_error *reterr)
{
    stall_traceml_run run = {0};
    stall_status status;

    out->format = stall_reader_traceml_export.name;
    out->warnings.strict = options->strict;
    status = stall_traceml_export_rows(src, rank_of(src->name), &run, &out->warnings, reterr);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, out, reterr);
    stall_traceml_run_close(&run);
    return status;
}

/* Does this line, or as much as there is of it, have events at its top level? */
static bool has_events(stall_cell line)
{
    stall_member m;
    size_t pos = 0;

    while (stall_json_member_next((const unsigned char *)line.text, line.len, &pos, &m))
        if (m.key.len == 6 && memcmp(m.key.data, "events", 6) == 0 && m.value.len > 0 &&
            m.value.data[0] == '{')
            return true;
    return false;
}

/* Lines with events of TraceML; the first ones may be damaged. */
static int probe(const unsigned char *head, size_t len, bool whole_input)
{
    static const char name[] = "\"_traceml_internal:";
    const char *text = (const char *)head;
    size_t at = 0, end;

    (void)whole_input;
    if (memmem(text, len, name, sizeof(name) - 1) == NULL)
        return 0;
    if (len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        at = 3;
    for (; at < len; at = end + 1) {
        for (end = at; end < len && text[end] != '\n' && text[end] != '\r'; end++)
            ;
        if (has_events(stall_cell_trim(text + at, end - at)))
            return 95;
    }
    return 0;
}

const stall_reader stall_reader_traceml_export = {
    "traceml-export",
    "TraceML step rows as JSON lines: step, rank, ts, events",
    probe,
    read_export,
    STALL_INPUT_ROWS,
    false};
