/* One JSON value of any depth: the part of the scanner in which the time is spent.
 *
 * Enters: bytes, and where in the value the last chunk ended. Leaves: the place behind the value,
 * or where its grammar broke. The whole of RFC 8259 is checked in one function over local
 * variables; what is rare (escapes, bare words, the border of a chunk inside a token) is done by
 * token.c. It must not know what the value is: header, event or element. */
#include <string.h>

#include "json/json_scan.h"
#include "json/json_skip.h"

void json_value_begin(stall_json *j)
{
    j->floor = j->depth;
    j->spot = JSON_VALUE;
    j->sub = JSON_SUB_PLAIN;
    j->num = JSON_NUM_START;
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

/* A comma that separates nothing is passed (JSON_MORE) or closes the container with it. */
static json_outcome stray_comma(stall_json *j, const unsigned char **pos, stall_error *reterr)
{
    if (!json_warn(j, STALL_WARN_stray_comma, json_offset(j, *pos),
                   "a comma that separates nothing", reterr))
        return JSON_FAILED;
    if (**pos != ',')
        return JSON_DONE;
    ++*pos;
    return JSON_MORE;
}

static json_outcome too_deep(stall_json *j, const unsigned char *p, stall_error *reterr)
{
    j->status = stall_error_set(reterr, STALL_ELIMIT, json_offset(j, p),
                                "nested deeper than %d levels", STALL_JSON_DEPTH_MAX);
    stall_error_hint(reterr, "no profiler nests that deep: is this a trace?");
    return JSON_FAILED;
}

/* Passes blanks; at the end of the chunk the value goes on at `where`. */
#define BLANKS(where)                     \
    do {                                  \
        if (p < end && *p <= ' ')         \
            p = json_skip_blanks(p, end); \
        if (p == end)                     \
            LEAVE(where, JSON_MORE);      \
    } while (0)

#define LEAVE(where, what) \
    do {                   \
        j->spot = (where); \
        outcome = (what);  \
        goto out;          \
    } while (0)

/* Scans all but the tokens that need a careful look: there it stops with JSON_TOKEN. */
static json_outcome structure(stall_json *j, const unsigned char **pos, const unsigned char *end,
                              stall_error *reterr)
{
    const unsigned char *p = *pos, *q;
    unsigned depth = j->depth;
    json_outcome outcome;

resume:
    if (j->spot == JSON_VALUE)
        goto value;
    if (j->spot == JSON_AFTER)
        goto after;
    if (j->spot == JSON_COLON)
        goto colon;
    if (j->spot == JSON_NEXT)
        goto next;
first:
    BLANKS(JSON_FIRST);
    if (*p == j->stack[depth - 1] + 2) /* in ASCII, '{' and '}', '[' and ']' are 2 apart */
        goto close;
    j->spot = JSON_FIRST;
    if (*p == ',')
        goto stray;
    goto item;
next:
    BLANKS(JSON_NEXT);
    j->spot = JSON_NEXT;
    if (*p == ',' || *p == j->stack[depth - 1] + 2)
        goto stray;
item:
    if (j->stack[depth - 1] == '[')
        goto begin;
    if (*p != '"')
        goto broken;
    p = json_skip_plain(p + 1, end);
    if (p == end || *p != '"')
        LEAVE(JSON_KEY, JSON_TOKEN);
    p++;
colon:
    BLANKS(JSON_COLON);
    if (*p != ':')
        goto broken;
    p++;
value:
    BLANKS(JSON_VALUE);
begin:
    if (*p == '"') {
        p = json_skip_plain(p + 1, end);
        if (p == end || *p != '"')
            LEAVE(JSON_STRING_IN, JSON_TOKEN);
        p++;
    } else if (*p == '{' || *p == '[') {
        if (depth == STALL_JSON_DEPTH_MAX)
            LEAVE(JSON_VALUE, too_deep(j, p, reterr));
        j->stack[depth++] = *p++;
        goto first;
    } else if ((q = scalar_quick(p, end)) != NULL) {
        p = q;
    } else {
        LEAVE(JSON_SCALAR_IN, JSON_TOKEN);
    }
complete:
    if (depth == j->floor)
        LEAVE(JSON_AFTER, JSON_DONE);
after:
    BLANKS(JSON_AFTER);
    if (*p == ',') {
        p++;
        goto next;
    }
close:
    if (*p != j->stack[depth - 1] + 2)
        goto broken;
    p++;
    depth--;
    goto complete;
stray:
    outcome = stray_comma(j, &p, reterr);
    if (outcome == JSON_DONE)
        goto close;
    if (outcome == JSON_MORE)
        goto resume;
    goto out;
broken:
    outcome = JSON_BROKEN;
out:
    j->depth = depth;
    *pos = p;
    return outcome;
}

/* A number or word, or none at all where one should be. */
static json_outcome scalar_token(stall_json *j, const unsigned char **pos, const unsigned char *end,
                                 stall_error *reterr)
{
    const unsigned char *p = *pos;

    if (j->num == JSON_NUM_START) {
        j->scalar_at = json_offset(j, p);
        if (*p == '}' || *p == ']' || *p == ',') {
            if (j->depth == j->floor || j->stack[j->depth - 1] != '{' || *p == ']')
                return JSON_BROKEN;
            return json_warn(j, STALL_WARN_bad_number, j->scalar_at, "no value behind a colon",
                             reterr)
                       ? JSON_DONE
                       : JSON_FAILED;
        }
    }
    return json_scalar(j, pos, end, reterr);
}

/* Goes on with the token at j->spot. JSON_DONE: it is complete. */
static json_outcome token(stall_json *j, const unsigned char **pos, const unsigned char *end,
                          stall_error *reterr)
{
    json_outcome outcome;

    if (j->spot == JSON_SCALAR_IN)
        outcome = scalar_token(j, pos, end, reterr);
    else
        outcome = json_string(j, pos, end, reterr);
    if (outcome != JSON_DONE)
        return outcome;
    *pos += j->spot != JSON_SCALAR_IN; /* the closing quote */
    j->spot = j->spot == JSON_KEY ? JSON_COLON : JSON_AFTER;
    j->num = JSON_NUM_START;
    return JSON_DONE;
}

json_outcome json_value(stall_json *j, const unsigned char **pos, const unsigned char *end,
                        stall_error *reterr)
{
    json_outcome outcome;

    for (;;) {
        if (j->spot == JSON_KEY || j->spot == JSON_STRING_IN || j->spot == JSON_SCALAR_IN) {
            outcome = token(j, pos, end, reterr);
            if (outcome != JSON_DONE || (j->spot == JSON_AFTER && j->depth == j->floor))
                return outcome;
        }
        outcome = structure(j, pos, end, reterr);
        if (outcome != JSON_TOKEN)
            return outcome;
    }
}
