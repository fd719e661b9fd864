/* A streaming JSON scanner that checks the grammar of the whole document and cuts it into the parts
 * that a trace reader may want: the members of the top-level object, and the "event slices", the
 * objects directly inside the top-level array "traceEvents" or inside a bare top-level array.
 *
 * Push parser: feed it chunks of any size; the callbacks see every part once, as one contiguous
 * slice that stays valid during the call. All state is in one struct, there is no recursion, and
 * memory does not depend on the input. A faster scanner can stand behind the same contract. */
#ifndef STALL_JSON_H
#define STALL_JSON_H

#include "base/base.h"

/* Limits that the input controls. */
#define STALL_JSON_DEPTH_MAX 512           /* nesting; deeper is STALL_ELIMIT */
#define STALL_JSON_VALUE_MAX (64u << 10)   /* bytes of a member's value that are kept */
#define STALL_JSON_EVENT_MAX (16u << 20)   /* bytes of an event that are kept */
#define STALL_JSON_KEY_MAX 1024u           /* bytes of a member's key that are kept */

typedef struct stall_slice {
    const unsigned char *data;
    size_t len;
    uint64_t offset; /* of data[0] in the decompressed input */
} stall_slice;

enum {
    STALL_SLICE_CAPPED = 1,  /* longer than its cap: the slice holds only the first bytes */
    STALL_SLICE_DAMAGED = 2, /* the grammar broke inside; see `sound` */
};

typedef enum stall_json_kind {
    STALL_JSON_OBJECT = '{',
    STALL_JSON_ARRAY = '[',
    STALL_JSON_SCALAR = 'v',
} stall_json_kind;

/* A status that is not STALL_OK stops the scan and is returned by feed. Any callback may be NULL. */
typedef struct stall_json_handler {
    void *ctx;
    /* A document begins; more than one may follow each other in a file. */
    stall_status (*document)(void *ctx, stall_json_kind kind, uint64_t offset, stall_error *);
    /* A member of the top-level object. `key` is the text between the quotes, escapes as written;
     * `value` as written. "traceEvents" comes here only when its value is not an array. When
     * DAMAGED the value runs to where the scanner caught up again, and the key may be empty. */
    stall_status (*member)(void *ctx, const stall_slice *key, const stall_slice *value, int flags,
                           stall_error *);
    /* The array of events begins: of the member traceEvents (which may occur again), or bare. */
    stall_status (*events)(void *ctx, bool bare, uint64_t offset, stall_error *);
    /* One event, from '{' to '}'. When DAMAGED it runs to where the scanner caught up again and
     * only the first `sound` bytes are grammatical; otherwise sound == event->len. The scanner
     * itself adds no events_lost warning: whether the event is lost is the reader's decision. */
    stall_status (*event)(void *ctx, const stall_slice *event, int flags, size_t sound,
                          stall_error *);
    /* An element of the array of events that is no object. `index` counts all elements from 0. */
    stall_status (*element)(void *ctx, const stall_slice *value, uint64_t index, stall_error *);
    /* The document ended. `cut`: the input ended inside it, after the last whole event; `at` is
     * where it ended. A bare array that lacks only its ']' (after a whole event) is not cut. */
    stall_status (*end)(void *ctx, bool cut, uint64_t at, stall_error *);
} stall_json_handler;

typedef struct stall_json stall_json;

/* Makes a scanner. `handler` and `warnings` are borrowed and outlive it. Recovered damage is added
 * to `warnings` (bad_escape, control_byte, bad_number, bad_utf8, bom, stray_comma, bad_header,
 * duplicate_keys, second_document, truncated), which may turn it into an error. STALL_ENOMEM. */
stall_status stall_json_open(const stall_json_handler *handler, stall_warnings *warnings,
                             stall_json **ret, stall_error *reterr);
/* Scans the next bytes. STALL_EFORMAT with offset: broken beyond recovery; STALL_ELIMIT;
 * STALL_ENOMEM; or the status of a callback. After an error only stall_json_close is allowed. */
stall_status stall_json_feed(stall_json *j, const unsigned char *data, size_t len,
                             stall_error *reterr);
/* The input is over. `transport_cut`: the compressed stream ended early (its own warning is
 * already there, so no second one is added). An input without a document is STALL_EFORMAT. */
stall_status stall_json_finish(stall_json *j, bool transport_cut, stall_error *reterr);
/* Frees the scanner. NULL is allowed. */
void stall_json_close(stall_json *j);

/* ---- members.c: reading a slice that is known to be grammatical ---- */

typedef struct stall_member {
    stall_slice key;   /* between the quotes, escapes as written */
    stall_slice value; /* as written, blanks trimmed */
} stall_member;
/* Walks the members of an object slice at depth 1. Set *pos to 0 at first. False at the end, or
 * where the slice stops being an object (a damaged one: give sound as its length). After false
 * ret->key.data is NULL, or key and value are as much of the member as there is. */
bool stall_json_member_next(const unsigned char *object, size_t len, size_t *pos,
                            stall_member *ret);
/* Unescapes a string value (with or without its quotes) into dst; at most dst_size - 1 bytes, NUL
 * added; \u escapes become UTF-8, an unknown escape keeps both bytes. Returns the full length. */
size_t stall_json_unescape(const unsigned char *text, size_t len, char *dst, size_t dst_size);

#endif
