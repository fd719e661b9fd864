/* Decimal: exact numbers from decimal text.
 *
 * Enters: text of a number as a file spells it. Leaves: an int64_t rounded half to even, or the
 * nearest double. A time stamp of 19 digits does not fit a double, so times never pass through one.
 * It must not know units or formats, and no locale changes what it reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define EXPONENT_MAX INT64_C(1000000000000) /* larger exponents are all the same */
#define DOUBLE_DIGITS 800 /* more digits than decide any double; the rest only breaks ties */

/* A text of the grammar, taken apart. Digits may hold one '.'. */
typedef struct decimal {
    const char *digits;
    size_t len;       /* of digits, the '.' included */
    int64_t point;    /* digits before the '.' */
    int64_t exponent; /* as written */
    bool negative;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && is_digit(text[n]))
        n++;
    return n;
}

/* The exponent after 'e'. False: not a whole exponent. */
static bool parse_exponent(const char *text, size_t len, int64_t *ret)
{
    bool negative = len > 0 && text[0] == '-';
    size_t i = len > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    int64_t v = 0;

    if (i == len || count_digits(text + i, len - i) != len - i)
        return false;
    for (; i < len; i++)
        if (v < EXPONENT_MAX)
            v = v * 10 + (text[i] - '0');
    *ret = negative ? -v : v;
    return true;
}

static bool parse_parts(const char *text, size_t len, decimal *ret)
{
    size_t at = 0, n;

    memset(ret, 0, sizeof(*ret));
    if (len > 0 && (text[0] == '-' || text[0] == '+')) {
        ret->negative = text[0] == '-';
        at = 1;
    }
    n = count_digits(text + at, len - at);
    if (n == 0)
        return false;
    ret->digits = text + at;
    ret->point = (int64_t)n;
    at += n;
    if (at < len && text[at] == '.') {
        n = count_digits(text + at + 1, len - at - 1);
        if (n == 0)
            return false;
        at += n + 1;
    }
    ret->len = (size_t)(text + at - ret->digits);
    if (at == len)
        return true;
    return (text[at] == 'e' || text[at] == 'E') &&
           parse_exponent(text + at + 1, len - at - 1, &ret->exponent);
}

/* v * 10 + digit, unless that is beyond int64_t. */
static bool push_digit(uint64_t *v, unsigned digit)
{
    if (*v > ((uint64_t)INT64_MAX - digit) / 10)
        return false;
    *v = *v * 10 + digit;
    return true;
}

bool stall_decimal_parse(const char *text, size_t len, int exp10, int64_t *ret)
{
    decimal d;
    int64_t point, seen = 0; /* digits that stand before the scaled point, and digits read */
    uint64_t v = 0;
    unsigned first = 0; /* first digit behind the point */
    bool rest = false;  /* a later one is not 0 */

    if (!parse_parts(text, len, &d))
        return false;
    point = d.point + d.exponent + exp10;
    for (size_t i = 0; i < d.len; i++) {
        unsigned digit = (unsigned)(d.digits[i] - '0');

        if (d.digits[i] == '.')
            continue;
        if (seen < point) {
            if (!push_digit(&v, digit))
                return false;
        } else if (seen == point) {
            first = digit;
        } else if (digit != 0) {
            rest = true;
        }
        seen++;
    }
    for (; seen < point && v != 0; seen++)
        if (!push_digit(&v, 0))
            return false;
    /* point < 0: even the first digit is below one tenth, so nothing is rounded up. */
    if (point >= 0 && (first > 5 || (first == 5 && (rest || v % 2 == 1)))) {
        if (v == (uint64_t)INT64_MAX)
            return false;
        v++;
    }
    *ret = d.negative ? -(int64_t)v : (int64_t)v;
    return true;
}

/* Copies the number without its '.', which is what a locale would change, for strtod. */
static double read_double(const decimal *d)
{
    char buf[DOUBLE_DIGITS + 40];
    int64_t exponent = d->exponent + d->point;
    size_t n = 0;
    bool rest = false;
    int saved = errno;
    double v;

    for (size_t i = 0; i < d->len; i++) {
        if (d->digits[i] == '.')
            continue;
        if (n == 0 && d->digits[i] == '0') { /* leading zeros say nothing */
            exponent--;
            continue;
        }
        if (n < DOUBLE_DIGITS)
            buf[n++] = d->digits[i];
        else if (d->digits[i] != '0')
            rest = true;
    }
    if (n == 0)
        return d->negative ? -0.0 : 0.0;
    exponent -= (int64_t)n;
    if (rest) {
        buf[n++] = '1';
        exponent--;
    }
    if (exponent > 99999)
        exponent = 99999;
    else if (exponent < -99999)
        exponent = -99999;
    buf[n++] = 'e';
    buf[n++] = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    for (int64_t unit = 10000; unit > 0; unit /= 10)
        buf[n++] = (char)('0' + exponent / unit % 10);
    buf[n] = '\0';
    v = strtod(buf, NULL);
    errno = saved;
    return d->negative ? -v : v;
}

bool stall_decimal_double(const char *text, size_t len, double *ret)
{
    decimal d;

    if (!parse_parts(text, len, &d))
        return false;
    *ret = read_double(&d);
    return true;
}
