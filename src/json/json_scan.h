/* The state of the scanner, shared by the files of this folder only. */
#ifndef STALL_JSON_SCAN_H
#define STALL_JSON_SCAN_H

#include "json/json.h"

#define JSON_LOOK_MAX 160u /* bytes that a resynchronisation looks ahead */
#define JSON_NAME_MAX 64u  /* bytes of a key that a resynchronisation recognises */
#define JSON_HASH_MAX 64u  /* top-level keys remembered to find repeated ones */

/* What a part of the scan came to. */
typedef enum json_outcome {
    JSON_MORE,   /* the chunk is used up; the state says where to go on */
    JSON_DONE,   /* complete; *pos is behind it, at the delimiter for numbers and words */
    JSON_TOKEN,  /* a string, number or word begins or goes on at *pos that needs a careful look */
    JSON_BROKEN, /* the grammar broke at *pos */
    JSON_FAILED, /* the error is filled, j->status says which */
} json_outcome;

/* Where a document stands outside of values. */
typedef enum json_level {
    JSON_AT_START,
    JSON_AT_BOM,
    JSON_IN_SCALAR, /* the document is one scalar */
    JSON_HEAD_FIRST,
    JSON_HEAD_NEXT, /* after a comma between members */
    JSON_HEAD_KEY,
    JSON_HEAD_COLON,
    JSON_HEAD_VALUE,
    JSON_HEAD_INSIDE,
    JSON_HEAD_AFTER,
    JSON_EVENT_FIRST,
    JSON_EVENT_NEXT, /* after a comma between events */
    JSON_EVENT_INSIDE,
    JSON_EVENT_AFTER,
    JSON_RESYNC_HEAD,
    JSON_RESYNC_EVENT, /* inside an event or element */
    JSON_RESYNC_LOOSE, /* between events */
    JSON_AT_END,
    JSON_TRAILING, /* bytes that start no document: ignored to the end */
} json_level;

/* Where a value stands. */
typedef enum json_spot {
    JSON_VALUE,
    JSON_FIRST, /* behind { or [ */
    JSON_NEXT,  /* behind a comma */
    JSON_KEY,
    JSON_COLON,
    JSON_STRING_IN,
    JSON_SCALAR_IN,
    JSON_AFTER,
} json_spot;

/* Where a string stands. */
typedef enum json_sub {
    JSON_SUB_PLAIN,
    JSON_SUB_ESCAPE, /* behind a backslash */
    JSON_SUB_HEX,    /* among the digits of \u */
    JSON_SUB_UTF8,   /* among the continuation bytes of a character */
} json_sub;

/* Where a number or word stands. */
typedef enum json_num {
    JSON_NUM_START,
    JSON_NUM_MINUS,
    JSON_NUM_DOT,
    JSON_NUM_E,
    JSON_NUM_SIGN,
    JSON_NUM_WORD, /* inside true, false, null */
    JSON_NUM_BARE, /* no number and no word of JSON */
    JSON_NUM_ZERO, /* from here on complete */
    JSON_NUM_INT,
    JSON_NUM_FRACTION,
    JSON_NUM_EXPONENT,
    JSON_NUM_WORD_END,
    JSON_NUM_BLANKS,
} json_num;

/* A short key, as the resynchronisation compares it. */
typedef struct json_name {
    unsigned char text[JSON_NAME_MAX];
    size_t len;
} json_name;

struct stall_json {
    const stall_json_handler *handler;
    stall_warnings *warnings;
    stall_status status; /* of the failure */

    const unsigned char *chunk; /* the bytes being scanned; chunk[0] is at offset `base` */
    uint64_t base;
    uint64_t total; /* bytes fed so far */
    json_level level;
    stall_json_kind kind;

    /* the value being scanned (value.c, token.c) */
    json_spot spot;
    unsigned depth, floor; /* nesting now, and where the value began */
    unsigned char stack[STALL_JSON_DEPTH_MAX];
    json_sub sub;
    unsigned left, low, high; /* bytes missing of the escape or character, limits of the next */
    uint64_t sub_at;          /* where the escape or character began */
    json_num num;
    const char *word; /* rest of the word expected */
    uint64_t scalar_at;

    /* the slice being cut (slice.c) */
    bool slicing;
    uint64_t slice_at;
    size_t slice_cap;
    unsigned char *carry; /* its bytes from earlier chunks */
    size_t carry_len, carry_cap;

    /* top level of the document */
    unsigned char key[STALL_JSON_KEY_MAX];
    size_t key_len; /* true length; only the first bytes are kept */
    uint64_t key_at;
    uint64_t value_end; /* of the member being cut, when its value is complete */
    uint64_t hashes[JSON_HASH_MAX];
    size_t hashes_len;
    int32_t column; /* of a key in its line, and what it was for the last that began one; or -1 */
    int32_t indent;
    bool object; /* the element being scanned is one */
    bool events_seen;
    bool head_broken; /* a member was broken before the events */
    uint64_t head_broken_at;
    json_name head_key; /* its key */
    uint64_t index;     /* elements of the array of events */
    uint64_t delivered; /* events and elements, all documents */

    /* resynchronisation (resync.c) */
    uint64_t broken_at;
    unsigned char look[JSON_LOOK_MAX]; /* the candidate; ends at the byte scanned last */
    size_t look_len;
    uint64_t look_at;
    json_name first; /* first key of the first event */
    json_name own;   /* first key of the damaged event */
};

static inline uint64_t json_offset(const stall_json *j, const unsigned char *p)
{
    return j->base + (uint64_t)(p - j->chunk);
}

static inline bool json_blank(unsigned char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* ---- token.c: strings, numbers and words; each may be left and entered at any byte ---- */

/* To the closing quote of a string (*pos at it). Never JSON_BROKEN. */
json_outcome json_string(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr);
/* To the delimiter behind a number, word or bare word. */
json_outcome json_scalar(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr);
/* A warning at an offset; false: it became an error and j->status is set. */
bool json_warn(stall_json *j, stall_warn_code code, uint64_t offset, const char *text,
               stall_error *reterr);

/* ---- value.c: one value of any depth ---- */

/* Prepares for the value whose first byte comes next. */
void json_value_begin(stall_json *j);
json_outcome json_value(stall_json *j, const unsigned char **pos, const unsigned char *end,
                        stall_error *reterr);

/* ---- slice.c: parts of the input and the callbacks ---- */

void json_slice_begin(stall_json *j, uint64_t offset, size_t cap);
/* Keeps what the chunk up to `end` holds of the slice. False: no memory. */
bool json_slice_keep(stall_json *j, const unsigned char *end);
/* The slice up to an offset, as the callbacks see it, ends. */
bool json_slice_end(stall_json *j, uint64_t end, stall_slice *ret, int *ret_flags);
/* Ends the slice and hands it out as a member, event or element. */
stall_status json_give_member(stall_json *j, uint64_t end, int flags, stall_error *reterr);
stall_status json_give_event(stall_json *j, uint64_t end, int flags, stall_error *reterr);
/* The document begins, its events begin, it ends. */
stall_status json_give_document(stall_json *j, stall_json_kind kind, uint64_t offset,
                                stall_error *reterr);
stall_status json_give_events(stall_json *j, uint64_t offset, stall_error *reterr);
stall_status json_give_end(stall_json *j, bool cut, uint64_t offset, stall_error *reterr);

/* ---- resync.c ---- */

/* The grammar broke at p: go on as JSON_RESYNC_x. */
stall_status json_break(stall_json *j, const unsigned char *p, json_level resync,
                        stall_error *reterr);
/* Scans on until the structure is found again, then replays what was looked at. */
stall_status json_resync(stall_json *j, const unsigned char **pos, const unsigned char *end,
                         stall_error *reterr);
/* The input ended while looking. May leave the level as it is when nothing was found. */
stall_status json_resync_end(stall_json *j, stall_error *reterr);
/* First key of an object's text; empty when it has none that is short and plain. */
void json_first_key(const unsigned char *text, size_t len, json_name *ret);
/* The error for a header that broke before the events. */
stall_status json_head_error(const stall_json *j, stall_error *reterr);

/* ---- scan.c ---- */

/* Scans bytes that begin at an offset. */
stall_status json_run(stall_json *j, const unsigned char *data, size_t len, uint64_t offset,
                      stall_error *reterr);

#endif
