/* One JSON value of any depth: the part of the scanner in which the time is spent.
 *
 * Enters: bytes, and where in the value the last chunk ended. Leaves: the place behind the value, or
 * where its grammar broke. The whole of RFC 8259 is checked in one function over local variables;
 * what is rare (escapes, bare words, the border of a chunk inside a token) is done by token.c. It
 * must not know what the value is: header, event or element. */
#include <string.h>

#include "json/json_scan.h"
#include "json/json_skip.h"

void json_value_begin(stall_json *j)
{
    j->floor = j->depth;
    j->spot = JSON_VALUE;
    j->sub = JSON_SUB_PLAIN;
}

/* Behind true, false or null; NULL for anything else or at the border of the chunk. */
static inline const unsigned char *word_quick(const unsigned char *p, const unsigned char *end)
{
    if (end - p < 5)
        return NULL;
    if (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)
        return p + 4;
    return memcmp(p, "false", 5) == 0 ? p + 5 : NULL;
}

/* The delimiter behind a well-formed number or word that lies wholly in the chunk, else NULL:
 * json_scalar then takes it byte by byte. */
static inline const unsigned char *scalar_quick(const unsigned char *p, const unsigned char *end)
{
    const unsigned char *q = p + (*p == '-'), *d;

    if (q < end && *q >= '0' && *q <= '9') {
        d = json_skip_digits(q, end);
        if (*q == '0' && d - q > 1)
            return NULL;
        if (d < end && *d == '.') {
            q = d + 1;
            d = json_skip_digits(q, end);
            if (d == q)
                return NULL;
        }
        if (d < end && (*d | 0x20) == 'e') {
            q = d + 1;
            if (q < end && (*q == '+' || *q == '-'))
                q++;
            d = json_skip_digits(q, end);
            if (d == q)
                return NULL;
        }
    } else if ((d = word_quick(p, end)) == NULL) {
        return NULL;
    }
    if (d < end && *d <= ' ')
        d = json_skip_blanks(d, end);
    return d < end && (*d == ',' || *d == '}' || *d == ']') ? d : NULL;
}

/* Passes blanks; at the end of the chunk the value goes on at `where`. */
#define BLANKS(where)                                                                              \
    do {                                                                                           \
        if (p < end && *p <= ' ')                                                                  \
            p = json_skip_blanks(p, end);                                                          \
        if (p == end) {                                                                            \
            j->spot = (where);                                                                     \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* Runs a function of token.c that can stop anywhere; *pos at the last byte of the token after it. */
#define TOKEN(function, where)                                                                     \
    do {                                                                                           \
        outcome = function(j, &p, end, reterr);                                                    \
        if (outcome != JSON_DONE) {                                                                \
            j->spot = (where);                                                                     \
            goto out;                                                                              \
        }                                                                                          \
        outcome = JSON_MORE;                                                                       \
    } while (0)

#define WARN(code, text)                                                                           \
    do {                                                                                           \
        if (!json_warn(j, STALL_WARN_##code, json_offset(j, p), text, reterr)) {                   \
            outcome = JSON_FAILED;                                                                 \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

json_outcome json_value(stall_json *j, const unsigned char **pos, const unsigned char *end,
                        stall_error *reterr)
{
    const unsigned char *p = *pos, *q;
    unsigned depth = j->depth;
    json_outcome outcome = JSON_MORE;

    switch (j->spot) {
    case JSON_VALUE: goto value;
    case JSON_ARRAY_FIRST: goto array_first;
    case JSON_ARRAY_NEXT: goto array_next;
    case JSON_OBJECT_FIRST: goto object_first;
    case JSON_OBJECT_NEXT: goto object_next;
    case JSON_KEY: goto key_slow;
    case JSON_COLON: goto colon;
    case JSON_STRING_IN: goto string_slow;
    case JSON_SCALAR_IN: goto scalar_slow;
    case JSON_AFTER: goto after;
    }

object_next:
    BLANKS(JSON_OBJECT_NEXT);
    if (*p != '"') {
        if (*p != ',' && *p != '}')
            goto broken;
        WARN(stray_comma, "a comma with no member behind it");
        if (*p == '}')
            goto close;
        p++;
        goto object_next;
    }
key:
    q = json_skip_plain(++p, end);
    p = q;
    if (q == end || *q != '"') {
    key_slow:
        TOKEN(json_string, JSON_KEY);
    }
    p++;
colon:
    BLANKS(JSON_COLON);
    if (*p != ':')
        goto broken;
    p++;
value:
    BLANKS(JSON_VALUE);
    if ((*p == ',' || *p == '}') && j->stack[depth - 1] == '{') {
        WARN(bad_number, "no value behind a colon");
        goto after;
    }
begin:
    if (*p == '"') {
        p = json_skip_plain(p + 1, end);
        if (p == end || *p != '"') {
        string_slow:
            TOKEN(json_string, JSON_STRING_IN);
        }
        p++;
        goto complete;
    }
    if (*p == '{' || *p == '[')
        goto open;
    if (*p == '}' || *p == ']')
        goto broken;
    q = scalar_quick(p, end);
    if (q != NULL) {
        p = q;
        goto complete;
    }
    j->num = JSON_NUM_START;
    j->scalar_at = json_offset(j, p);
scalar_slow:
    TOKEN(json_scalar, JSON_SCALAR_IN);
    goto complete;

open:
    if (depth == STALL_JSON_DEPTH_MAX)
        goto too_deep;
    j->stack[depth++] = *p++;
    if (p[-1] == '[')
        goto array_first;
object_first:
    BLANKS(JSON_OBJECT_FIRST);
    if (*p == '"')
        goto key;
    if (*p == '}')
        goto close;
    if (*p != ',')
        goto broken;
    WARN(stray_comma, "a comma with no member in front of it");
    p++;
    goto object_first;

array_first:
    BLANKS(JSON_ARRAY_FIRST);
    if (*p == ']')
        goto close;
    if (*p != ',')
        goto begin;
    WARN(stray_comma, "a comma with no value in front of it");
    p++;
    goto array_first;

array_next:
    BLANKS(JSON_ARRAY_NEXT);
    if (*p != ',' && *p != ']')
        goto begin;
    WARN(stray_comma, "a comma with no value behind it");
    if (*p == ']')
        goto close;
    p++;
    goto array_next;

close:
    if (j->stack[depth - 1] + 2 != *p) /* in ASCII, '{' and '}', '[' and ']' are 2 apart */
        goto broken;
    p++;
    depth--;
complete:
    if (depth == j->floor) {
        outcome = JSON_DONE;
        goto out;
    }
after:
    BLANKS(JSON_AFTER);
    if (*p == ',') {
        p++;
        if (j->stack[depth - 1] == '{')
            goto object_next;
        goto array_next;
    }
    if (*p == '}' || *p == ']')
        goto close;
broken:
    outcome = JSON_BROKEN;
    goto out;
too_deep:
    j->status = stall_error_set(reterr, STALL_ELIMIT, json_offset(j, p),
                                "nested deeper than %d levels", STALL_JSON_DEPTH_MAX);
    stall_error_hint(reterr, "no profiler nests that deep: is this a trace?");
    outcome = JSON_FAILED;
out:
    j->depth = depth;
    *pos = p;
    return outcome;
}
