/* Strings, numbers and words, where they are out of the ordinary or cross the border of a chunk.
 *
 * Enters: bytes, and the state inside the token. Leaves: the place behind it, warnings for what
 * RFC 8259 forbids and traces hold nevertheless (unknown escapes, control bytes, broken UTF-8, bare
 * words such as inf). It must not know where in the document the token stands. */
#include <string.h>

#include "json/json_scan.h"
#include "json/json_skip.h"

bool json_warn(stall_json *j, stall_warn_code code, uint64_t offset, const char *text,
               stall_error *reterr)
{
    j->status = stall_warn_add(j->warnings, code, 1, offset, reterr, "%s", text);
    return j->status == STALL_OK;
}

static bool is_hex(unsigned char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Takes the first byte of a character beyond ASCII: how many follow, and the limits of the next
 * (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static bool utf8_lead(stall_json *j, unsigned char c)
{
    if (c < 0xc2 || c > 0xf4)
        return false;
    j->left = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    j->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    j->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return true;
}

/* A byte that is no plain text, outside of escapes and characters. */
static bool string_special(stall_json *j, unsigned char c, uint64_t at, stall_error *reterr)
{
    j->sub_at = at;
    if (c == '\\')
        j->sub = JSON_SUB_ESCAPE;
    else if (c < 0x20)
        return json_warn(j, STALL_WARN_control_byte, at, "control byte in a string", reterr);
    else if (!utf8_lead(j, c))
        return json_warn(j, STALL_WARN_bad_utf8, at, "invalid UTF-8 in a string", reterr);
    else
        j->sub = JSON_SUB_UTF8;
    return true;
}

/* One byte of a string that is not plain text. Sets *taken when it is used up: a byte that ends a
 * bad escape or character is looked at again for itself. False: a warning became an error. */
static bool string_byte(stall_json *j, unsigned char c, uint64_t at, bool *taken,
                        stall_error *reterr)
{
    json_sub sub = j->sub;

    *taken = true;
    j->sub = JSON_SUB_PLAIN;
    switch (sub) {
    case JSON_SUB_PLAIN:
        return string_special(j, c, at, reterr);
    case JSON_SUB_ESCAPE:
        if (c == 'u') {
            j->sub = JSON_SUB_HEX;
            j->left = 4;
            return true;
        }
        if (c != '\0' && strchr("\"\\/bfnrt", c) != NULL)
            return true;
        *taken = false;
        return json_warn(j, STALL_WARN_bad_escape, j->sub_at, "unknown escape in a string", reterr);
    case JSON_SUB_HEX:
        *taken = is_hex(c);
        if (!*taken)
            return json_warn(j, STALL_WARN_bad_escape, j->sub_at, "\\u without four hex digits",
                             reterr);
        break;
    case JSON_SUB_UTF8:
        *taken = c >= j->low && c <= j->high;
        if (!*taken)
            return json_warn(j, STALL_WARN_bad_utf8, j->sub_at, "invalid UTF-8 in a string",
                             reterr);
        j->low = 0x80;
        j->high = 0xbf;
        break;
    }
    if (--j->left > 0)
        j->sub = sub;
    return true;
}

json_outcome json_string(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr)
{
    const unsigned char *p = *pos;
    bool taken;

    for (;;) {
        if (j->sub == JSON_SUB_PLAIN)
            p = json_skip_plain(p, end);
        *pos = p;
        if (p == end)
            return JSON_MORE;
        if (j->sub == JSON_SUB_PLAIN && *p == '"')
            return JSON_DONE;
        if (!string_byte(j, *p, json_offset(j, p), &taken, reterr))
            return JSON_FAILED;
        p += taken;
    }
}

static json_num number_first(stall_json *j, unsigned char c)
{
    if (c == '-')
        return JSON_NUM_MINUS;
    if (c == '0')
        return JSON_NUM_ZERO;
    if (c >= '1' && c <= '9')
        return JSON_NUM_INT;
    j->word = c == 't' ? "rue" : c == 'f' ? "alse" : c == 'n' ? "ull" : NULL;
    return j->word != NULL ? JSON_NUM_WORD : JSON_NUM_BARE;
}

/* The state after one more byte, no delimiter, of a number or word. */
static json_num number_next(stall_json *j, unsigned char c)
{
    bool digit = c >= '0' && c <= '9', e = c == 'e' || c == 'E', sign = c == '+' || c == '-';

    switch (j->num) {
    case JSON_NUM_START:
        return number_first(j, c);
    case JSON_NUM_MINUS:
        return c == '0' ? JSON_NUM_ZERO : digit ? JSON_NUM_INT : JSON_NUM_BARE;
    case JSON_NUM_ZERO:
        return c == '.' ? JSON_NUM_DOT : e ? JSON_NUM_E : JSON_NUM_BARE;
    case JSON_NUM_INT:
        return digit ? JSON_NUM_INT : c == '.' ? JSON_NUM_DOT : e ? JSON_NUM_E : JSON_NUM_BARE;
    case JSON_NUM_DOT:
        return digit ? JSON_NUM_FRACTION : JSON_NUM_BARE;
    case JSON_NUM_FRACTION:
        return digit ? JSON_NUM_FRACTION : e ? JSON_NUM_E : JSON_NUM_BARE;
    case JSON_NUM_E:
        return digit ? JSON_NUM_EXPONENT : sign ? JSON_NUM_SIGN : JSON_NUM_BARE;
    case JSON_NUM_SIGN:
    case JSON_NUM_EXPONENT:
        return digit ? JSON_NUM_EXPONENT : JSON_NUM_BARE;
    case JSON_NUM_WORD:
        if (c != (unsigned char)*j->word)
            return JSON_NUM_BARE;
        return *++j->word == '\0' ? JSON_NUM_WORD_END : JSON_NUM_WORD;
    default:
        return JSON_NUM_BARE;
    }
}

/* Bytes that cannot be part of a bare word: there the text itself is broken. */
static bool breaks_word(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '{' || c == '[' || c == ':';
}

json_outcome json_scalar(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr)
{
    for (; *pos < end; ++*pos) {
        unsigned char c = **pos;
        bool delimiter = c == ',' || c == '}' || c == ']';

        if (delimiter && j->num < JSON_NUM_ZERO && j->floor > 0) {
            if (!json_warn(j, STALL_WARN_bad_number, j->scalar_at,
                           "a bare word where a value should be", reterr))
                return JSON_FAILED;
            return JSON_DONE;
        }
        if (delimiter)
            return j->num >= JSON_NUM_ZERO ? JSON_DONE : JSON_BROKEN;
        if (json_blank(c)) {
            j->num = j->num >= JSON_NUM_ZERO ? JSON_NUM_BLANKS : JSON_NUM_BARE;
            if (j->floor == 0)
                return j->num == JSON_NUM_BLANKS ? JSON_DONE : JSON_BROKEN;
            continue;
        }
        if (breaks_word(c))
            return JSON_BROKEN;
        j->num = number_next(j, c);
        /* A document that is one scalar is JSON or it is not. */
        if (j->num == JSON_NUM_BARE && j->floor == 0)
            return JSON_BROKEN;
    }
    return JSON_MORE;
}
