/* JSON lines: a log with one JSON object a line, one step an object.
 *
 * Enters: bytes. Leaves: a series. cJSON checks a line; numbers are taken as they are written, so
 * that times stay exact. A first row {"type": "meta", ...} holds facts about the run; rows of
 * another type than "step" without step and wait, such as a summary, are passed over. It must not
 * know what the other keys mean: table_columns.c and table_rows.c do. */
#include <string.h>

#include "json/json.h"
#include "read/table.h"

typedef struct jsonl_reader {
    stall_lines lines;
    stall_table table;
    stall_series *out;
    stall_text fixed; /* the line, with NaN and the like in quotes */
    char *text;       /* unescaped strings of the line: never longer than the line */
    size_t text_len, text_cap;
    stall_cell *cells;
    size_t cells_cap;
    uint64_t objects;
} jsonl_reader;

/* A JSON string, or the elements of an array joined by ';', as the text of a cell. */
static stall_cell unescape(jsonl_reader *r, const char *text, size_t len)
{
    char *to = r->text + r->text_len;
    size_t room = r->text_cap - r->text_len;
    size_t n = stall_json_unescape((const unsigned char *)text, len, to, room);

    if (n >= room)
        n = room > 0 ? room - 1 : 0;
    r->text_len += n;
    return stall_cell_trim(to, n);
}

/* [19447, 19448] as 19447;19448. */
static stall_cell join(jsonl_reader *r, stall_cell array)
{
    char *to = r->text + r->text_len;
    size_t n = 0;

    for (size_t i = 1; i + 1 < array.len && r->text_len + n + 1 < r->text_cap; i++)
        if (strchr(" \t\"", array.text[i]) == NULL)
            to[n++] = array.text[i] == ',' ? ';' : array.text[i];
    r->text_len += n;
    return (stall_cell){to, n};
}

/* The value of a member as a cell, as it would stand in a CSV. */
static stall_cell cell_of(jsonl_reader *r, const stall_member *m)
{
    stall_cell value = {(const char *)m->value.data, m->value.len};

    if (stall_cell_is(value, "null"))
        return (stall_cell){"", 0};
    if (value.len > 0 && value.text[0] == '"')
        return unescape(r, value.text, value.len);
    return value.len > 1 && value.text[0] == '[' ? join(r, value) : value;
}

/* Room for all cells and texts of a row of `len` bytes. */
static bool make_room(jsonl_reader *r, size_t len, size_t columns)
{
    void *text = r->text, *cells = r->cells;
    size_t had = r->cells_cap;
    bool done = stall_mem_grow(&text, &r->text_cap, len + 8, 1) &&
                stall_mem_grow(&cells, &r->cells_cap, columns + 1, sizeof(stall_cell));

    r->text = text;
    r->cells = cells;
    for (size_t i = had; done && i < r->cells_cap; i++)
        r->cells[i] = (stall_cell){"", 0};
    return done;
}

/* Puts a cell under its key. */
static stall_status put_cell(jsonl_reader *r, stall_cell key, stall_cell value, stall_error *reterr)
{
    size_t at;
    stall_status status = stall_table_find(&r->table, key, &at, reterr);

    if (status != STALL_OK || at == SIZE_MAX)
        return status;
    if (!make_room(r, 0, at + 1))
        return stall_error_memory(reterr);
    r->cells[at] = value;
    return STALL_OK;
}

static bool holds(const jsonl_reader *r, stall_role role)
{
    size_t at = r->table.of_role[role];

    return at < r->cells_cap && r->cells[at].len > 0;
}

static stall_status take_step(jsonl_reader *r, stall_cell object, uint64_t line,
                              stall_error *reterr)
{
    char name[STALL_COLUMN_NAME_MAX];
    stall_cell key, value;
    stall_status status = STALL_OK;
    bool other = false; /* the row says that it is not one of a step */
    stall_member m;
    size_t pos = 0, len;

    for (size_t i = 0; i < r->cells_cap; i++)
        r->cells[i] = (stall_cell){"", 0};
    r->table.next = 0;
    while (status == STALL_OK &&
           stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m)) {
        len = stall_json_unescape(m.key.data, m.key.len, name, sizeof(name));
        key = stall_cell_trim(name, len < sizeof(name) ? len : sizeof(name) - 1);
        value = cell_of(r, &m);
        if (stall_cell_is(key, "type"))
            other = value.len > 0 && !stall_cell_is(value, "step");
        else
            status = put_cell(r, key, value, reterr);
    }
    if (status != STALL_OK || (other && !holds(r, STALL_ROLE_WAIT) && !holds(r, STALL_ROLE_STEP)))
        return status;
    return stall_table_row(&r->table, r->cells, r->table.len, line, false, reterr);
}

/* {"type": "meta", ...} */
static bool is_meta(stall_cell object)
{
    stall_member m;
    size_t pos = 0;

    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m))
        if (m.key.len == 4 && memcmp(m.key.data, "type", 4) == 0)
            return m.value.len == 6 && memcmp(m.value.data, "\"meta\"", 6) == 0;
    return false;
}

static stall_status take_meta(jsonl_reader *r, stall_cell object, uint64_t line,
                              stall_error *reterr)
{
    if (r->out->len == 0)
        return stall_json_facts(r->out, object, false, reterr);
    return stall_warn_add_line(&r->out->warnings, STALL_WARN_several_launches, 1, line, reterr,
                               "a second row of facts about a run; those of the first are used");
}

static stall_status take_line(jsonl_reader *r, const stall_line *line, stall_error *reterr)
{
    stall_cell object;

    if (stall_cell_trim(line->text, line->len).len == 0)
        return STALL_OK;
    if (!stall_json_row(line->text, line->len, &r->fixed, &object)) {
        if (r->fixed.failed)
            return stall_error_memory(reterr);
        if (line->whole || !r->lines.cut)
            stall_table_lost(&r->table);
        return stall_lines_broken(&r->lines, line, reterr);
    }
    r->objects++;
    if (is_meta(object))
        return take_meta(r, object, line->number, reterr);
    r->text_len = 0;
    if (!make_room(r, object.len, r->table.len))
        return stall_error_memory(reterr);
    return take_step(r, object, line->number, reterr);
}

static stall_status check(const jsonl_reader *r, stall_error *reterr)
{
    stall_status status;

    if (r->objects == 0)
        return stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                               "no line holds a JSON object");
    status = stall_table_check(&r->table, reterr);
    if (status == STALL_OK && r->out->len == 0)
        return stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE, "no usable row");
    return status;
}

static stall_status read_jsonl(stall_source *src, const stall_read_options *options,
                               stall_series *out, stall_error *reterr)
{
    jsonl_reader *r = stall_mem_zero(1, sizeof(*r));
    stall_line line;
    stall_status status;

    if (r == NULL)
        return stall_error_memory(reterr);
    out->format = stall_reader_jsonl.name;
    out->warnings.strict = options->strict;
    r->out = out;
    stall_lines_open(&r->lines, src, &out->warnings);
    stall_table_open(&r->table, options, out);
    do {
        status = stall_lines_next(&r->lines, &line, reterr);
        if (status == STALL_OK && line.text != NULL)
            status = take_line(r, &line, reterr);
    } while (status == STALL_OK && line.text != NULL);
    if (status == STALL_OK)
        status = check(r, reterr);
    stall_mem_free(r->text);
    stall_mem_free(r->cells);
    stall_text_close(&r->fixed);
    stall_table_close(&r->table);
    stall_lines_close(&r->lines);
    stall_mem_free(r);
    return status;
}

/* An object a line: the first line ends with '}', and the next one, if any, begins with '{'. */
static int probe(const unsigned char *head, size_t len, bool whole)
{
    static const char *const sure[] = {"wait_ms\"", "input_wait_", "\"wait_"};
    const char *text = (const char *)head;
    size_t at = len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, end, next;

    while (at < len && memchr(" \t\r\n", text[at], 4) != NULL)
        at++;
    for (end = at; end < len && text[end] != '\n' && text[end] != '\r'; end++)
        ;
    if (at == len || text[at] != '{' || (end == len && !whole))
        return 0;
    for (next = end; next < len && memchr(" \t\r\n", text[next], 4) != NULL; next++)
        ;
    while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    if (text[end - 1] != '}' || (next < len && text[next] != '{'))
        return 0;
    for (size_t i = 0; i < sizeof(sure) / sizeof(sure[0]); i++)
        if (memmem(text + at, len - at, sure[i], strlen(sure[i])) != NULL)
            return 90;
    return next < len ? 30 : 4;
}

const stall_reader stall_reader_jsonl = {"jsonl",
                                         "JSON lines, one step a line: wait_ms or --wait-col",
                                         probe,
                                         read_jsonl,
                                         STALL_INPUT_ROWS,
                                         false};
