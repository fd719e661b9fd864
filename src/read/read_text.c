/* Any text log with one step a line, its figures written as `key: value` or `key=value`:
 *     2026-06-01 12:00:00 INFO step=200 wait_ms=12.5 step_ms: 240 loss=0.31
 *
 * Enters: lines. Leaves: a series; which key is which is told by its name or by options, as for the
 * columns of a table. Lines without a wait and without a step time are none of a step. It must not
 * know any framework. */
#include <string.h>

#include "read/logs.h"

#define KEY_MAX 256u /* bytes of a key that is looked at */

typedef struct text_reader {
    stall_lines lines;
    stall_table table;
    stall_series *out;
    stall_text plain; /* a line without colours */
    stall_cell *cells;
    size_t cells_cap;
} text_reader;

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.' || c == '-';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next pair from *at on. A key begins with a letter or '_' where a word begins; its value is
 * what stands behind ':' or '=' up to a blank, a comma or a bracket. */
static bool next_pair(stall_cell line, size_t *at, stall_cell *ret_key, stall_cell *ret_value)
{
    size_t i = *at, from, end;

    while (i < line.len) {
        while (i < line.len && !is_name(line.text[i]))
            i++;
        for (from = i; i < line.len && is_name(line.text[i]);)
            i++;
        end = i;
        while (i < line.len && is_blank(line.text[i]))
            i++;
        if (end == from || end - from > KEY_MAX || i >= line.len ||
            (line.text[i] != ':' && line.text[i] != '=') ||
            (line.text[from] >= '0' && line.text[from] <= '9')) {
            i = end > from ? end : i;
            continue;
        }
        *ret_key = (stall_cell){line.text + from, end - from};
        i++;
        while (i < line.len && is_blank(line.text[i]))
            i++;
        for (from = i;
             i < line.len && !is_blank(line.text[i]) && memchr(",;)]}", line.text[i], 5) == NULL;)
            i++;
        *ret_value = (stall_cell){line.text + from, i - from};
        *at = i;
        if (i > from)
            return true;
    }
    *at = i;
    return false;
}

/* Only numbers, and words for a missing one, are values of ours. */
static bool is_value(stall_cell c)
{
    double v;

    return stall_cell_double(c, &v) || stall_cell_is(c, "nan") || stall_cell_is(c, "NaN") ||
           stall_cell_is(c, "None") || stall_cell_is(c, "null");
}

static stall_status put_cell(text_reader *r, stall_cell key, stall_cell value, stall_error *reterr)
{
    void *cells = r->cells;
    size_t at, had = r->cells_cap;
    stall_status status = stall_table_find(&r->table, key, &at, reterr);

    if (status != STALL_OK || at == SIZE_MAX)
        return status;
    if (!stall_mem_grow(&cells, &r->cells_cap, at + 1, sizeof(stall_cell)))
        return stall_error_memory(reterr);
    r->cells = cells;
    for (size_t i = had; i < r->cells_cap; i++)
        r->cells[i] = (stall_cell){"", 0};
    if (r->cells[at].len == 0) /* of a key that stands twice the first counts */
        r->cells[at] = value;
    return STALL_OK;
}

static bool holds(const text_reader *r, stall_role role)
{
    size_t at = r->table.of_role[role];

    return at < r->cells_cap && r->cells[at].len > 0;
}

static stall_status take_line(text_reader *r, const stall_line *line, stall_error *reterr)
{
    stall_cell text = stall_cell_trim(line->text, line->len), key, value;
    stall_status status = STALL_OK;
    size_t at = 0;

    if (memchr(text.text, '\033', text.len) != NULL) {
        r->plain.len = 0;
        stall_text_add(&r->plain, text.text, text.len);
        if (r->plain.failed)
            return stall_error_memory(reterr);
        text = (stall_cell){r->plain.data, stall_log_plain(r->plain.data, r->plain.len)};
    }
    for (size_t i = 0; i < r->cells_cap; i++)
        r->cells[i] = (stall_cell){"", 0};
    r->table.next = 0;
    while (status == STALL_OK && next_pair(text, &at, &key, &value))
        if (is_value(value))
            status = put_cell(r, key, value, reterr);
    if (status != STALL_OK || (!holds(r, STALL_ROLE_WAIT) && !holds(r, STALL_ROLE_STEP_TIME)))
        return status;
    return stall_table_row(&r->table, r->cells,
                           r->table.len < r->cells_cap ? r->table.len : r->cells_cap, line->number,
                           true, reterr);
}

static stall_status read_text(stall_source *src, const stall_read_options *options,
                              stall_series *out, stall_error *reterr)
{
    text_reader *r = stall_mem_zero(1, sizeof(*r));
    stall_line line;
    stall_status status;

    if (r == NULL)
        return stall_error_memory(reterr);
    out->warnings.strict = options->strict;
    r->out = out;
    stall_text_init(&r->plain);
    stall_lines_open(&r->lines, src, &out->warnings);
    stall_table_open(&r->table, options, out);
    do {
        status = stall_lines_next(&r->lines, &line, reterr);
        if (status == STALL_OK && line.text != NULL)
            status = take_line(r, &line, reterr);
    } while (status == STALL_OK && line.text != NULL);
    if (status == STALL_OK)
        status = stall_table_check(&r->table, reterr);
    if (status == STALL_OK && out->len == 0)
        status = stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                                 "no line holds an input wait");
    stall_mem_free(r->cells);
    stall_text_close(&r->plain);
    stall_table_close(&r->table);
    stall_lines_close(&r->lines);
    stall_mem_free(r);
    return status;
}

/* Sure of a line with a wait by its own name; any number behind a key may do with options. */
static int probe(const unsigned char *head, size_t len, bool whole)
{
    int ret = 0;

    for (size_t at = 0, end; at < len && ret < 40; at = end + 1) {
        stall_cell line, key, value;
        size_t pos = 0;

        for (end = at; end < len && head[end] != '\n' && head[end] != '\r';)
            end++;
        if (end == len && !whole)
            break;
        line = stall_cell_trim((const char *)head + at, end - at);
        if (line.len > 0 && (line.text[0] == '{' || line.text[0] == '[' || line.text[0] == '#' ||
                             memchr(line.text, '\0', line.len) != NULL))
            return 0;
        while (next_pair(line, &pos, &key, &value)) {
            unsigned order;
            int exponent;

            if (!is_value(value))
                continue;
            ret = ret > 3 ? ret : 3;
            if (stall_name_role(key, false, &exponent, &order) == STALL_ROLE_WAIT)
                ret = 40;
        }
    }
    return ret;
}

const stall_reader stall_reader_text = {
    "text",
    "text lines with key: value or key=value: wait_ms or --wait-col",
    probe,
    read_text,
    STALL_INPUT_TEXT,
    false};
