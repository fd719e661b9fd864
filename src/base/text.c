/* Text: growable text, text made safe to print, numbers as text.
 *
 * Enters: bytes of any kind, numbers. Leaves: NUL-terminated text. Numbers are written with '.' in
 * every locale. It must not know what is printed or where to. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void stall_text_init(stall_text *t)
{
    memset(t, 0, sizeof(*t));
}

void stall_text_close(stall_text *t)
{
    stall_mem_free(t->data);
    memset(t, 0, sizeof(*t));
}

/* Makes room for len more bytes and a NUL. */
static bool text_room(stall_text *t, size_t len)
{
    void *data = t->data;

    if (t->failed)
        return false;
    if (len >= PTRDIFF_MAX - t->len || !stall_mem_grow(&data, &t->cap, t->len + len + 1, 1)) {
        t->failed = true;
        return false;
    }
    t->data = data;
    return true;
}

void stall_text_add(stall_text *t, const char *bytes, size_t len)
{
    if (!text_room(t, len))
        return;
    if (len > 0)
        memcpy(t->data + t->len, bytes, len);
    t->len += len;
    t->data[t->len] = '\0';
}

void stall_text_put(stall_text *t, const char *cstring)
{
    stall_text_add(t, cstring, strlen(cstring));
}

void stall_text_printf(stall_text *t, const char *fmt, ...)
{
    char small[256];
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(small, sizeof(small), fmt, args);
    va_end(args);
    if (len < 0) {
        t->failed = true;
    } else if ((size_t)len < sizeof(small)) {
        stall_text_add(t, small, (size_t)len);
    } else if (text_room(t, (size_t)len)) {
        va_start(args, fmt);
        vsnprintf(t->data + t->len, (size_t)len + 1, fmt, args);
        va_end(args);
        t->len += (size_t)len;
    }
}

size_t stall_utf8_length(const unsigned char *s, size_t len)
{
    unsigned char low = 0x80, high = 0xbf; /* bounds of the second byte */
    size_t need;

    if (len == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        need = 2;
    else if (s[0] >= 0xe0 && s[0] <= 0xef)
        need = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        need = 4;
    else
        return 0;
    if (s[0] == 0xe0) /* overlong */
        low = 0xa0;
    else if (s[0] == 0xed) /* surrogates */
        high = 0x9f;
    else if (s[0] == 0xf0) /* overlong */
        low = 0x90;
    else if (s[0] == 0xf4) /* beyond U+10FFFF */
        high = 0x8f;
    if (len < need || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < need; i++)
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
    return need;
}

/* Is the valid UTF-8 character at s, n bytes long, one that must not reach a terminal or a page:
 * C0, DEL, C1, line separators and the controls that change the writing direction? */
static bool unprintable(const unsigned char *s, size_t n)
{
    uint32_t c;

    if (n == 1)
        return s[0] < 0x20 || s[0] == 0x7f;
    if (n == 2) {
        c = (uint32_t)(s[0] & 0x1f) << 6 | (s[1] & 0x3f);
        return c < 0xa0 || c == 0x061c;
    }
    if (n == 3) {
        c = (uint32_t)(s[0] & 0x0f) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
        return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
               (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
    }
    return false;
}

/* Writes the printable form of the character at s to out (at most 12 bytes, no NUL). Returns how
 * many bytes were written; *ret_used of s were read. */
static size_t printable_unit(char out[12], const unsigned char *s, size_t len, size_t *ret_used)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t n = stall_utf8_length(s, len), size = 0;

    *ret_used = n == 0 ? 1 : n;
    if (n > 0 && !unprintable(s, n)) {
        memcpy(out, s, n);
        return n;
    }
    for (size_t i = 0; i < *ret_used; i++) {
        out[size++] = '\\';
        out[size++] = 'x';
        out[size++] = hex[s[i] >> 4];
        out[size++] = hex[s[i] & 15];
    }
    return size;
}

size_t stall_text_printable(char *dst, size_t dst_size, const char *src, size_t len)
{
    const unsigned char *s = (const unsigned char *)src;
    size_t at = 0, cut = 0; /* cut: the longest prefix that leaves room for "..." */
    size_t used, n;
    char unit[12];

    while (len > 0) {
        n = printable_unit(unit, s, len, &used);
        if (at + n >= dst_size) {
            memcpy(dst + cut, "...", 3);
            at = cut + 3;
            break;
        }
        memcpy(dst + at, unit, n);
        at += n;
        if (at + 3 < dst_size)
            cut = at;
        s += used;
        len -= used;
    }
    dst[at] = '\0';
    return at;
}

/* Makes the decimal separator of any locale a '.'. */
static void plain_point(char *text)
{
    char *from = text, *to = text;

    while (*from != '\0') {
        if (strchr("0123456789+-eE", *from) != NULL) {
            *to++ = *from++;
            continue;
        }
        while (*from != '\0' && strchr("0123456789+-eE", *from) == NULL)
            from++;
        *to++ = '.';
    }
    *to = '\0';
}

/* "nan", "inf" or "-inf"; false for a finite number. */
static bool special_double(char *buf, size_t size, double v)
{
    if (isnan(v))
        snprintf(buf, size, "nan");
    else if (isinf(v))
        snprintf(buf, size, v > 0 ? "inf" : "-inf");
    else
        return false;
    return true;
}

const char *stall_double_text(char buf[STALL_DOUBLE_MAX], double v)
{
    /* A number of up to 15 digits survives %.15g, which drops trailing zeros; only subnormal
     * numbers hold fewer digits than that. */
    int digits = fpclassify(v) == FP_SUBNORMAL ? 1 : 15;

    if (special_double(buf, STALL_DOUBLE_MAX, v))
        return buf;
    for (; digits <= 17; digits++) {
        snprintf(buf, STALL_DOUBLE_MAX, "%.*g", digits, v);
        if (strtod(buf, NULL) == v)
            break;
    }
    plain_point(buf);
    return buf;
}

const char *stall_fixed_text(char buf[64], double v, int decimals)
{
    if (special_double(buf, 64, v))
        return buf;
    if (snprintf(buf, 64, "%.*f", decimals, v) >= 64)
        snprintf(buf, 64, "%.17g", v);
    plain_point(buf);
    if (buf[0] == '-' && strspn(buf + 1, "0.") == strlen(buf + 1)) /* no "-0.0" in reports */
        memmove(buf, buf + 1, strlen(buf));
    return buf;
}

const char *stall_ms_text(char buf[STALL_DOUBLE_MAX], int64_t ns)
{
    uint64_t size = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

    if (ns == STALL_UNKNOWN)
        buf[0] = '\0';
    else
        snprintf(buf, STALL_DOUBLE_MAX, "%s%" PRIu64 ".%06" PRIu64, ns < 0 ? "-" : "",
                 size / 1000000, size % 1000000);
    return buf;
}
