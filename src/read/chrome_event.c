/* Enters: the text of one event object. Leaves: its seven fields as written. Must not know: what
 * a name or a category means.
 *
 * Only keys at depth 1 count: `args` may hold keys of the same names. The usual writers put args
 * last, so that the walk ends before it. */
#include <string.h>

#include "read/read.h"

/* Between values the scanner has let nothing through but blanks. */
static bool is_space(unsigned char c)
{
    return c <= ' ';
}

/* The closing quote of the string whose first byte is at `i`, or `len`. `escapes`: the event holds
 * a backslash somewhere. */
static size_t string_end(const unsigned char *p, size_t len, size_t i, bool escapes)
{
    size_t from = i;

    for (;;) {
        const unsigned char *q = i < len ? memchr(p + i, '"', len - i) : NULL;
        size_t at, slashes = 0;
        if (!q)
            return len;
        at = (size_t)(q - p);
        if (!escapes)
            return at;
        while (at - slashes > from && p[at - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return at;
        i = at + 1;
    }
}

/* Behind the array or object that begins at `i`, or `len`. */
static size_t nested_end(const unsigned char *p, size_t len, size_t i, bool escapes)
{
    size_t depth = 0;

    for (; i < len; i++) {
        unsigned char c = p[i];
        if (c == '"') {
            i = string_end(p, len, i + 1, escapes);
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return len;
}

/* The value that begins at `i`; returns where it ends. */
static inline size_t value(const unsigned char *p, size_t len, size_t i, bool escapes,
                           stall_chrome_text *ret)
{
    size_t end, from = i;

    ret->there = true;
    ret->escaped = false;
    if (p[i] == '"') {
        from = i + 1;
        end = string_end(p, len, from, escapes);
        ret->escaped = escapes && memchr(p + from, '\\', end - from) != NULL;
        ret->data = (const char *)p + from;
        ret->len = end - from;
        ret->whole = end < len;
        return end < len ? end + 1 : len;
    }
    if (p[i] == '{' || p[i] == '[') {
        end = nested_end(p, len, i, escapes);
        ret->data = "";
        ret->len = 0;
        ret->whole = end < len;
        return end;
    }
    for (end = i; end < len && p[end] != ',' && p[end] != '}' && !is_space(p[end]); end++)
        ;
    ret->data = (const char *)p + i;
    ret->len = end - i;
    ret->whole = end < len;
    return end;
}

/* Fields seen so far. */
enum { PH = 1, CAT = 2, NAME = 4, PID = 8, TID = 16, TS = 32, DUR = 64, EVERY = 127 };

/* The field that the key names, or NULL; adds its bit. */
static inline stall_chrome_text *field(stall_chrome_event *e, const char *key, size_t len,
                                       unsigned *seen)
{
    if (len == 2 && key[0] == 'p' && key[1] == 'h')
        return *seen |= PH, &e->ph;
    if (len == 2 && key[0] == 't' && key[1] == 's')
        return *seen |= TS, &e->ts;
    if (len == 4 && memcmp(key, "name", 4) == 0)
        return *seen |= NAME, &e->name;
    if (len != 3)
        return NULL;
    if (key[1] == 'i' && key[2] == 'd' && key[0] == 'p')
        return *seen |= PID, &e->pid;
    if (key[1] == 'i' && key[2] == 'd' && key[0] == 't')
        return *seen |= TID, &e->tid;
    if (memcmp(key, "cat", 3) == 0)
        return *seen |= CAT, &e->cat;
    if (memcmp(key, "dur", 3) == 0)
        return *seen |= DUR, &e->dur;
    return NULL;
}

static bool is_span(const stall_chrome_text *ph)
{
    return ph->len == 1 && (ph->data[0] == 'X' || ph->data[0] == 'B' || ph->data[0] == 'E');
}

/* The key whose quote is at `i`, usually short and plain; returns where it ends. */
static inline size_t key_at(const unsigned char *p, size_t len, size_t i, bool escapes,
                            stall_chrome_text *ret)
{
    size_t end = i + 1, stop = len < i + 6 ? len : i + 6;

    while (end < stop && p[end] != '"' && p[end] != '\\')
        end++;
    if (end == stop || p[end] != '"')
        return value(p, len, i, escapes, ret);
    ret->data = (const char *)p + i + 1;
    ret->len = end - (i + 1);
    ret->escaped = false;
    ret->whole = true;
    return end + 1;
}

void stall_chrome_event_parse(const unsigned char *p, size_t len, bool all, stall_chrome_event *ret)
{
    bool escapes = memchr(p, '\\', len) != NULL;
    unsigned seen = 0;
    size_t i = 1;
    char plain[64];

    memset(ret, 0, sizeof *ret);
    while (i < len) {
        stall_chrome_text key, dummy, *f;
        const char *name;
        size_t n;

        while (i < len && (is_space(p[i]) || p[i] == ','))
            i++;
        if (i >= len || p[i] != '"')
            break;
        i = key_at(p, len, i, escapes, &key);
        name = key.data;
        n = key.len;
        if (key.escaped) {
            n = stall_json_unescape((const unsigned char *)key.data, key.len, plain, sizeof plain);
            name = plain;
        }
        while (i < len && (is_space(p[i]) || p[i] == ':'))
            i++;
        if (i >= len || !key.whole)
            break;
        if (p[i] == ',' || p[i] == '}')
            continue; /* an empty value is null */
        f = field(ret, name, n, &seen);
        i = value(p, len, i, escapes, f ? f : &dummy);
        if (!all && (seen == EVERY || ((seen & PH) && !is_span(&ret->ph))))
            break;
    }
}

bool stall_chrome_time(const stall_chrome_text *t, int64_t *ret_ns)
{
    const char *s = t->data;
    size_t n = t->len, i, point;
    int64_t v = 0;

    if (!t->there || n == 0)
        return false;
    /* the common forms: digits, or digits with three decimals */
    for (i = 0; i < n && i < 16 && s[i] >= '0' && s[i] <= '9'; i++)
        v = v * 10 + (s[i] - '0');
    point = i;
    if (v > INT64_MAX / 1000 - 1)
        return stall_decimal_parse(s, n, 3, ret_ns);
    if (i && i == n) {
        *ret_ns = v * 1000;
        return true;
    }
    if (i && n == point + 4 && s[i] == '.') {
        for (i++; i < n && s[i] >= '0' && s[i] <= '9'; i++)
            v = v * 10 + (s[i] - '0');
        if (i == n) {
            *ret_ns = v;
            return true;
        }
    }
    return stall_decimal_parse(s, n, 3, ret_ns);
}
