/* One JSON object: is it one, and its members as facts about the run.
 *
 * Enters: the text of a line or of a small file. Leaves: the object as a slice that is known to be
 * grammatical, or facts. Numbers stay text, since times must be exact. It must not know what the
 * members mean. */
#include <string.h>

#include <cjson/cJSON.h>

#include "json/json.h"
#include "read/table.h"
#include "series/series.h"

/* Length of a bare NaN, Infinity or -Infinity, as Python writes them, at s; else 0. */
static size_t bare_word(const char *s, size_t len)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i]) <= len && memcmp(words[i], s, strlen(words[i])) == 0)
            return strlen(words[i]);
    return 0;
}

/* Copies the text with such words in quotes. Returns how many there were. */
static size_t quote_words(const char *text, size_t len, stall_text *fixed)
{
    bool inside = false;
    size_t found = 0, from = 0, n;

    for (size_t i = 0; i < len; i++) {
        if (inside && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            inside = !inside;
        if (inside || i >= len || (text[i] != 'N' && text[i] != 'I' && text[i] != '-'))
            continue;
        n = bare_word(text + i, len - i);
        if (n == 0)
            continue;
        stall_text_add(fixed, text + from, i - from);
        stall_text_put(fixed, "\"");
        stall_text_add(fixed, text + i, n);
        stall_text_put(fixed, "\"");
        from = i + n;
        i = from - 1;
        found++;
    }
    if (found > 0)
        stall_text_add(fixed, text + from, len - from);
    return found;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool stall_json_valid(const char *text, size_t len)
{
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, false);
    bool ret = tree != NULL && end == text + len;

    cJSON_Delete(tree);
    return ret;
}

static bool is_object(const char *text, size_t len)
{
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, false);
    bool ret = cJSON_IsObject(tree) && end == text + len;

    cJSON_Delete(tree);
    return ret;
}

bool stall_json_row(const char *text, size_t len, stall_text *fixed, stall_cell *ret)
{
    while (len > 0 && is_blank(*text)) {
        text++;
        len--;
    }
    while (len > 0 && is_blank(text[len - 1]))
        len--;
    *ret = (stall_cell){text, len};
    if (len < 2 || text[0] != '{' || text[len - 1] != '}')
        return false;
    if (is_object(text, len))
        return true;
    fixed->len = 0;
    if (quote_words(text, len, fixed) == 0 || fixed->failed)
        return false;
    *ret = (stall_cell){fixed->data, fixed->len};
    return is_object(fixed->data, fixed->len);
}

/* Copies a JSON value without the blanks outside its strings, at most `size` bytes. */
static size_t compact(char *dst, size_t size, const char *value, size_t len)
{
    bool inside = false;
    size_t n = 0;

    for (size_t i = 0; i < len && n < size; i++) {
        if (!inside && is_blank(value[i]))
            continue;
        dst[n++] = value[i];
        if (inside && value[i] == '\\' && i + 1 < len && n < size)
            dst[n++] = value[++i];
        else if (value[i] == '"')
            inside = !inside;
    }
    return n;
}

stall_status stall_json_fact(stall_series *s, stall_cell key, const char *value, size_t len,
                             stall_error *reterr)
{
    /* One more than fits, so that a cut value is seen to be no JSON value any more. */
    char text[STALL_META_VALUE_MAX + 1];
    bool raw = len == 0 || value[0] != '"';
    size_t n;

    if (raw) {
        n = compact(text, sizeof(text), value, len);
    } else {
        n = stall_json_unescape((const unsigned char *)value, len, text, sizeof(text));
        if (n > sizeof(text) - 1)
            n = sizeof(text) - 1;
    }
    return stall_series_set_meta(s, key.text, key.len, text, n, raw, reterr);
}

stall_status stall_json_facts(stall_series *s, stall_cell object, bool keep, stall_error *reterr)
{
    char key[STALL_META_KEY_MAX], shown[STALL_META_KEY_MAX];
    stall_status status = STALL_OK;
    stall_member m;
    size_t pos = 0, len;

    while (status == STALL_OK &&
           stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m)) {
        len = stall_json_unescape(m.key.data, m.key.len, key, sizeof(key));
        if (len > sizeof(key) - 1)
            len = sizeof(key) - 1;
        if (len == 4 && memcmp(key, "type", 4) == 0)
            continue;
        stall_text_printable(shown, sizeof(shown), key, len);
        if (keep && stall_series_meta(s, shown) != NULL)
            continue;
        status = stall_json_fact(s, (stall_cell){key, len}, (const char *)m.value.data, m.value.len,
                                 reterr);
    }
    return status;
}
