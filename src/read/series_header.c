/* The `# key: value` lines of a series CSV.
 *
 * Enters: one such line. Leaves: the label, the format, flags, facts and warnings of the series. It
 * must not know rows. read_table.c describes the whole form. */
#include <string.h>

#include "json/json.h"
#include "read/table.h"
#include "series/series.h"

#define VERSION "1"

/* "# key: value" into its parts. False: no such line. The key may be a JSON string. */
static bool split(const char *text, size_t len, stall_cell *ret_key, stall_cell *ret_value)
{
    stall_cell line;
    bool inside = false;
    size_t i = 0;

    if (len == 0 || text[0] != '#')
        return false;
    line = stall_cell_trim(text + 1, len - 1);
    for (; i < line.len && (inside || line.text[i] != ':'); i++) {
        if (inside && line.text[i] == '\\')
            i++;
        else if (line.text[i] == '"')
            inside = !inside;
    }
    if (i >= line.len)
        return false;
    *ret_key = stall_cell_trim(line.text, i);
    *ret_value = stall_cell_trim(line.text + i + 1, line.len - i - 1);
    return ret_key->len > 0;
}

bool stall_series_magic(const char *text, size_t len)
{
    stall_cell key, value;

    return split(text, len, &key, &value) && stall_cell_is(key, "stalldiff-series");
}

bool stall_series_promise(const char *text, size_t len, uint64_t *ret_rows)
{
    stall_cell key, value;
    int64_t n;

    if (!split(text, len, &key, &value) || !stall_cell_is(key, "rows") ||
        !stall_decimal_parse(value.text, value.len, 0, &n) || n < 0)
        return false;
    *ret_rows = (uint64_t)n;
    return true;
}

static bool is_string(stall_cell c)
{
    return c.len >= 2 && c.text[0] == '"' && c.text[c.len - 1] == '"';
}

/* A JSON string unescaped into buf, or the text as it is. */
static stall_cell plain(stall_cell c, char *buf, size_t size)
{
    size_t n;

    if (!is_string(c))
        return c;
    n = stall_json_unescape((const unsigned char *)c.text, c.len, buf, size);
    return (stall_cell){buf, n < size ? n : size - 1};
}

/* A fact: a JSON value; or json "..." for one whose commas are hidden in a string; or bare text, as
 * people write it. */
static stall_status take_fact(stall_series *s, stall_cell key, stall_cell value,
                              stall_error *reterr)
{
    char name[STALL_META_KEY_MAX], text[STALL_META_VALUE_MAX];
    stall_cell inner;
    bool raw = false;

    key = plain(key, name, sizeof(name));
    if (value.len > 5 && memcmp(value.text, "json ", 5) == 0) {
        inner = stall_cell_trim(value.text + 5, value.len - 5);
        raw = is_string(inner);
        if (raw)
            value = plain(inner, text, sizeof(text));
    } else if (is_string(value)) {
        value = plain(value, text, sizeof(text));
    } else {
        raw = stall_json_valid(value.text, value.len);
    }
    return stall_series_set_meta(s, key.text, key.len, value.text, value.len, raw, reterr);
}

static stall_cell next_word(stall_cell *rest)
{
    stall_cell word = *rest;

    word.len = 0;
    while (word.len < rest->len && rest->text[word.len] != ' ')
        word.len++;
    *rest = stall_cell_trim(rest->text + word.len, rest->len - word.len);
    return word;
}

/* "offset:N" or "line:N". */
static bool read_place(stall_cell c, const char *word, uint64_t *ret)
{
    size_t n = strlen(word);
    int64_t v;

    if (c.len <= n || memcmp(c.text, word, n) != 0 ||
        !stall_decimal_parse(c.text + n, c.len - n, 0, &v) || v < 0)
        return false;
    *ret = (uint64_t)v;
    return true;
}

/* CODE COUNT PLACE TEXT. A code of a later version is left out. */
static stall_status take_warning(stall_series *s, stall_cell rest, stall_error *reterr)
{
    stall_cell code = next_word(&rest), count = next_word(&rest), place = next_word(&rest);
    uint64_t at = STALL_OFFSET_NONE;
    char text[sizeof(s->warnings.items[0].text)];
    int64_t n;
    int i = 0;

    while (i < STALL_WARN_COUNT && !stall_cell_is(code, stall_warn_name((stall_warn_code)i)))
        i++;
    if (i == STALL_WARN_COUNT || !stall_decimal_parse(count.text, count.len, 0, &n) || n < 1)
        return STALL_OK;
    rest = plain(rest, text, sizeof(text));
    if (read_place(place, "line:", &at))
        return stall_warn_add_line(&s->warnings, (stall_warn_code)i, (uint64_t)n, at, reterr,
                                   "%.*s", (int)rest.len, rest.text);
    (void)read_place(place, "offset:", &at);
    return stall_warn_add(&s->warnings, (stall_warn_code)i, (uint64_t)n, at, reterr, "%.*s",
                          (int)rest.len, rest.text);
}

static stall_status take_label(stall_series *s, stall_cell value, stall_error *reterr)
{
    char text[STALL_META_VALUE_MAX], shown[STALL_META_VALUE_MAX];
    size_t len;

    value = plain(value, text, sizeof(text));
    len = stall_text_printable(shown, sizeof(shown), value.text, value.len);
    stall_mem_free(s->label);
    s->label = len > 0 ? stall_mem_text(shown, len) : NULL;
    return len > 0 && s->label == NULL ? stall_error_memory(reterr) : STALL_OK;
}

/* The format that the series came from, if this program reads it. */
static void take_format(stall_series *s, stall_cell value)
{
    for (size_t i = 0; stall_readers[i] != NULL; i++)
        if (stall_cell_is(value, stall_readers[i]->name))
            s->format = stall_readers[i]->name;
}

static stall_status take_version(stall_cell value, uint64_t line, stall_error *reterr)
{
    if (stall_cell_is(value, VERSION))
        return STALL_OK;
    stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                    "a series CSV of version %.*s; this program reads version " VERSION,
                    (int)(value.len < 32 ? value.len : 32), value.text);
    stall_error_hint(reterr, "use the stalldiff that wrote it, or a later one");
    if (reterr != NULL)
        reterr->line = line;
    return STALL_EFORMAT;
}

stall_status stall_series_header(stall_series *s, const char *text, size_t len, uint64_t line,
                                 stall_error *reterr)
{
    stall_cell key, value;

    if (!split(text, len, &key, &value))
        return STALL_OK;
    if (stall_cell_is(key, "stalldiff-series"))
        return take_version(value, line, reterr);
    if (stall_cell_is(key, "label"))
        return take_label(s, value, reterr);
    if (stall_cell_is(key, "warning"))
        return take_warning(s, value, reterr);
    if (stall_cell_is(key, "format")) {
        take_format(s, value);
    } else if (stall_cell_is(key, "partial")) {
        s->warnings.partial = s->warnings.partial || stall_cell_is(value, "true");
    } else if (stall_cell_is(key, "sampled")) {
        s->sampled = stall_cell_is(value, "true");
    } else if (stall_cell_is(key, "aggregated")) {
        s->aggregated = stall_cell_is(value, "true");
    } else if (stall_cell_is(key, "medians")) {
        s->medians = stall_cell_is(value, "true");
    } else if (stall_cell_is(key, "gpu")) {
        s->has_gpu = stall_cell_is(value, "true");
    } else {
        if (key.len > 5 && memcmp(key.text, "meta.", 5) == 0) {
            key.text += 5;
            key.len -= 5;
        }
        return take_fact(s, key, value, reterr);
    }
    return STALL_OK;
}
