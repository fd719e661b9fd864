/* Enters: the text of one event object. Leaves: its seven fields as written. Must not know: what
 * a name or a category means.
 *
 * Only keys at depth 1 count: `args` may hold keys of the same names. The usual writers put args
 * last, so that the walk ends before it. */
#include <string.h>

#include "read/read.h"

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The closing quote of the string whose first byte is at `i`, or `len`. */
static size_t string_end(const unsigned char *p, size_t len, size_t i, bool *ret_escaped)
{
    size_t from = i;

    for (;;) {
        const unsigned char *q = i < len ? memchr(p + i, '"', len - i) : NULL;
        size_t at, slashes = 0;
        if (!q)
            return len;
        at = (size_t)(q - p);
        while (at - slashes > from && p[at - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2 == 0) {
            *ret_escaped = memchr(p + from, '\\', at - from) != NULL;
            return at;
        }
        i = at + 1;
    }
}

/* Behind the array or object that begins at `i`, or `len`. */
static size_t nested_end(const unsigned char *p, size_t len, size_t i)
{
    size_t depth = 0;
    bool escaped;

    for (; i < len; i++) {
        unsigned char c = p[i];
        if (c == '"') {
            i = string_end(p, len, i + 1, &escaped);
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return len;
}

/* The value that begins at `i`; returns where it ends. */
static size_t value(const unsigned char *p, size_t len, size_t i, stall_chrome_text *ret)
{
    size_t end;
    bool escaped = false;

    ret->there = true;
    ret->escaped = false;
    if (p[i] == '"') {
        end = string_end(p, len, i + 1, &escaped);
        ret->data = (const char *)p + i + 1;
        ret->len = end - (i + 1);
        ret->escaped = escaped;
        ret->whole = end < len;
        return end < len ? end + 1 : len;
    }
    if (p[i] == '{' || p[i] == '[') {
        end = nested_end(p, len, i);
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

/* The field that the key names, or NULL. */
static stall_chrome_text *field(stall_chrome_event *e, const char *key, size_t len)
{
    switch (len) {
    case 2:
        if (key[0] == 'p' && key[1] == 'h')
            return &e->ph;
        return key[0] == 't' && key[1] == 's' ? &e->ts : NULL;
    case 3:
        if (memcmp(key, "cat", 3) == 0)
            return &e->cat;
        if (memcmp(key, "pid", 3) == 0)
            return &e->pid;
        if (memcmp(key, "tid", 3) == 0)
            return &e->tid;
        return memcmp(key, "dur", 3) == 0 ? &e->dur : NULL;
    case 4:
        return memcmp(key, "name", 4) == 0 ? &e->name : NULL;
    default:
        return NULL;
    }
}

/* Nothing more is needed: a phase without a span, or all seven fields. */
static bool enough(const stall_chrome_event *e)
{
    if (e->ph.there && !(e->ph.len == 1 && strchr("XBE", e->ph.data[0])))
        return true;
    return e->dur.there && e->ts.there && e->tid.there && e->pid.there && e->name.there &&
           e->ph.there && e->cat.there;
}

bool stall_chrome_event_parse(const unsigned char *p, size_t len, bool all,
                              stall_chrome_event *ret)
{
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
        i = value(p, len, i, &key);
        name = key.data;
        n = key.len;
        if (key.escaped) {
            if (!all)
                return false;
            n = stall_json_unescape((const unsigned char *)key.data, key.len, plain, sizeof plain);
            name = plain;
        }
        while (i < len && (is_space(p[i]) || p[i] == ':'))
            i++;
        if (i >= len || !key.whole)
            break;
        if (p[i] == ',' || p[i] == '}')
            continue; /* an empty value is null */
        f = field(ret, name, n);
        i = value(p, len, i, f ? f : &dummy);
        if (f && !all && enough(ret))
            break;
    }
    return true;
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
