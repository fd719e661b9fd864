/* Reading a slice that the scanner found grammatical: its members, and the text of a string.
 *
 * Enters: the bytes of an object, a string as written. Leaves: key and value slices, UTF-8 text.
 * The grammar has been checked before; here the text only is taken apart, so nothing fails loudly.
 * It must not know what the keys mean. */
#include <string.h>

#include "json/json.h"
#include "json/json_skip.h"

/* Behind the closing quote of the string whose text starts at p, or NULL. */
static const unsigned char *string_end(const unsigned char *p, const unsigned char *end)
{
    for (;;) {
        while (p < end && *p != '"' && *p != '\\')
            p = json_plain_byte(*p) ? json_skip_plain(p, end) : p + 1;
        if (p == end)
            return NULL;
        if (*p == '"')
            return p + 1;
        if (end - p < 2)
            return NULL;
        p += 2;
    }
}

/* The delimiter behind the value that starts at p; `end` when the slice stops inside it. */
static const unsigned char *value_end(const unsigned char *p, const unsigned char *end)
{
    size_t depth = 0;

    while (p < end) {
        switch (*p) {
        case '"':
            p = string_end(p + 1, end);
            if (p == NULL)
                return end;
            continue;
        case '{':
        case '[':
            depth++;
            break;
        case '}':
        case ']':
            if (depth == 0)
                return p;
            depth--;
            break;
        case ',':
            if (depth == 0)
                return p;
            break;
        default:
            break;
        }
        p++;
    }
    return end;
}

bool stall_json_member_next(const unsigned char *object, size_t len, size_t *pos, stall_member *ret)
{
    const unsigned char *p = object + *pos, *end = object + len, *q;

    memset(ret, 0, sizeof(*ret));
    if (*pos == 0) {
        p = json_skip_blanks(p, end);
        if (p == end || *p++ != '{')
            return false;
    }
    do /* commas too many were let pass by the scanner */
        p = json_skip_blanks(p, end);
    while (p < end && *p == ',' && ++p);
    if (p == end || *p != '"' || (q = string_end(p + 1, end)) == NULL)
        return false;
    ret->key.data = p + 1;
    ret->key.len = (size_t)(q - p) - 2;
    ret->key.offset = (uint64_t)(ret->key.data - object);
    p = json_skip_blanks(q, end);
    if (p == end || *p != ':')
        return false;
    p = json_skip_blanks(p + 1, end);
    q = value_end(p, end);
    *pos = (size_t)(q - object);
    ret->value.data = p;
    ret->value.offset = (uint64_t)(p - object);
    ret->value.len = (size_t)(q - p);
    while (ret->value.len > 0 && strchr(" \n\r\t", p[ret->value.len - 1]) != NULL &&
           p[ret->value.len - 1] != '\0')
        ret->value.len--;
    return q < end && *q != ']';
}

/* ---- strings ---- */

/* Where unescaped text goes: counts all, keeps what fits. */
typedef struct sink {
    char *dst;
    size_t size, len;
} sink;

static void put(sink *s, const void *bytes, size_t len)
{
    size_t room = s->len < s->size ? s->size - s->len : 0;

    if (room > 0)
        memcpy(s->dst + s->len, bytes, len < room ? len : room);
    s->len += len;
}

/* The four hex digits at p, or -1. */
static int32_t hex4(const unsigned char *p, const unsigned char *end)
{
    int32_t v = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        unsigned char c = p[i], lower = c | 0x20;

        if (c >= '0' && c <= '9')
            v = v * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f')
            v = v * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return v;
}

static void put_utf8(sink *s, uint32_t u)
{
    unsigned char b[4];
    size_t n = u < 0x80 ? 1 : u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;

    for (size_t i = n; i-- > 1; u >>= 6)
        b[i] = 0x80 | (u & 0x3f);
    b[0] = n == 1 ? u : (0xf00u >> n & 0xff) | u;
    put(s, b, n);
}

/* The \u escape at p ("\uXXXX"); bytes used. Half a surrogate pair alone becomes U+FFFD. */
static size_t put_unicode(sink *s, const unsigned char *p, const unsigned char *end)
{
    int32_t u = hex4(p + 2, end), low;

    if (u < 0) {
        put(s, p, 2);
        return 2;
    }
    if (u >= 0xd800 && u < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
        low = hex4(p + 8, end);
        if (low >= 0xdc00 && low < 0xe000) {
            put_utf8(s, 0x10000 + (((uint32_t)u - 0xd800) << 10) + ((uint32_t)low - 0xdc00));
            return 12;
        }
    }
    put_utf8(s, u >= 0xd800 && u < 0xe000 ? 0xfffd : (uint32_t)u);
    return 6;
}

size_t stall_json_unescape(const unsigned char *text, size_t len, char *dst, size_t dst_size)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const unsigned char *p = text, *end = text + len;
    sink s = {dst, dst_size > 0 ? dst_size - 1 : 0, 0};

    if (p < end && *p == '"') {
        p++;
        if (end > p && end[-1] == '"')
            end--;
    }
    while (p < end) {
        const unsigned char *q = memchr(p, '\\', (size_t)(end - p));
        const char *known;

        q = q == NULL ? end : q;
        put(&s, p, (size_t)(q - p));
        p = q;
        if (end - p < 2) {
            put(&s, p, (size_t)(end - p));
            break;
        }
        known = p[1] != '\0' ? strchr(from, p[1]) : NULL;
        if (p[1] == 'u') {
            p += put_unicode(&s, p, end);
            continue;
        }
        if (known != NULL)
            put(&s, &to[known - from], 1);
        else
            put(&s, p, 2);
        p += 2;
    }
    if (dst_size > 0)
        dst[s.len < s.size ? s.len : s.size] = '\0';
    return s.len;
}
