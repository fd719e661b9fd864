/* Fields of a line of a training log.
 *
 * Enters: the text of a line. Leaves: numbers and names in it, exact. It must not know any
 * framework. */
#include <string.h>

#include "json/json.h"
#include "read/logs.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Part of a name: what stands before a field must not be. */
static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '/' || c == '.' || c == '-';
}

size_t stall_log_plain(char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\033') {
            text[n++] = text[i];
            continue;
        }
        if (i + 1 < len && text[i + 1] == '[') { /* ESC [ parameters, one letter */
            for (i += 2;
                 i < len && (unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0x40;)
                i++;
        } else if (i + 1 < len && text[i + 1] == ']') { /* ESC ] ... BEL, or ESC \ */
            for (i += 2; i < len && text[i] != '\a' && text[i] != '\033';)
                i++;
            if (i + 1 < len && text[i] == '\033')
                i++;
        } else {
            i++;
        }
    }
    return n;
}

stall_cell stall_log_after(stall_cell line, const char *text)
{
    size_t n = strlen(text);
    const char *at = line.len >= n ? memmem(line.text, line.len, text, n) : NULL;

    if (at == NULL)
        return (stall_cell){NULL, 0};
    return (stall_cell){at + n, line.len - (size_t)(at + n - line.text)};
}

bool stall_log_field(stall_cell line, const char *name, char sep, stall_cell *ret)
{
    size_t n = strlen(name), at = 0, from;

    while (at + n < line.len) {
        const char *found = memmem(line.text + at, line.len - at, name, n);

        if (found == NULL)
            return false;
        at = (size_t)(found - line.text) + n;
        if (found > line.text && is_word(found[-1]))
            continue;
        from = at;
        while (from < line.len && is_blank(line.text[from]))
            from++;
        if (sep == ' ' ? from == at : from == line.len || line.text[from] != sep)
            continue;
        from += sep != ' ';
        while (from < line.len && is_blank(line.text[from]))
            from++;
        for (at = from; at < line.len && !is_blank(line.text[at]) && line.text[at] != ',';)
            at++;
        *ret = (stall_cell){line.text + from, at - from};
        return at > from;
    }
    return false;
}

/* Digits at the front, blanks around them. */
static bool take_digits(stall_cell *line, int64_t *ret)
{
    size_t i = 0, from;

    while (i < line->len && is_blank(line->text[i]))
        i++;
    for (from = i; i < line->len && is_digit(line->text[i]);)
        i++;
    if (i == from || !stall_decimal_parse(line->text + from, i - from, 0, ret))
        return false;
    while (i < line->len && is_blank(line->text[i]))
        i++;
    *line = (stall_cell){line->text + i, line->len - i};
    return true;
}

bool stall_log_counter(stall_cell *line, int64_t *ret, int64_t *ret_of)
{
    stall_cell rest = stall_cell_trim(line->text, line->len);

    *ret_of = STALL_UNKNOWN;
    if (rest.len == 0 || rest.text[0] != '[')
        return false;
    rest = (stall_cell){rest.text + 1, rest.len - 1};
    if (!take_digits(&rest, ret) || rest.len == 0)
        return false;
    if (rest.text[0] == '/') {
        rest = (stall_cell){rest.text + 1, rest.len - 1};
        if (!take_digits(&rest, ret_of) || rest.len == 0)
            return false;
    }
    if (rest.text[0] == ']')
        rest = (stall_cell){rest.text + 1, rest.len - 1};
    *line = rest;
    return true;
}

int64_t stall_log_seconds(stall_cell c)
{
    int64_t ret;

    if (c.len > 1 && c.text[c.len - 1] == 's')
        c.len--;
    return stall_decimal_parse(c.text, c.len, 9, &ret) && ret >= 0 ? ret : STALL_UNKNOWN;
}

int64_t stall_log_whole(stall_cell c)
{
    int64_t ret;

    for (size_t i = 0; i < c.len; i++)
        if (!is_digit(c.text[i]))
            return STALL_UNKNOWN;
    return stall_decimal_parse(c.text, c.len, 0, &ret) ? ret : STALL_UNKNOWN;
}

stall_cell stall_log_member(stall_cell object, const char *key)
{
    stall_cell ret = {"", 0};
    stall_member m;
    size_t pos = 0, n = strlen(key);

    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m))
        if (m.key.len == n && memcmp(m.key.data, key, n) == 0)
            ret = (stall_cell){(const char *)m.value.data, m.value.len};
    if (stall_cell_is(ret, "null"))
        return (stall_cell){"", 0};
    if (ret.len >= 2 && ret.text[0] == '"')
        ret = (stall_cell){ret.text + 1, ret.len - 2};
    return ret;
}

int64_t stall_log_number(int64_t epoch, int64_t of, int64_t step)
{
    int64_t ret;

    if (epoch < 0 || of < 0 || step < 0 || __builtin_mul_overflow(epoch, of, &ret) ||
        __builtin_add_overflow(ret, step, &ret))
        return STALL_UNKNOWN;
    return ret;
}

int64_t stall_log_sum(int64_t a, int64_t b)
{
    int64_t ret;

    if (a == STALL_UNKNOWN || b == STALL_UNKNOWN || __builtin_add_overflow(a, b, &ret))
        return STALL_UNKNOWN;
    return ret;
}
