/* Records framed by their length, as TraceML appends them to its .msgpack files.
 *
 * Enters: chunks of bytes of any size. Leaves: one record after the other. One record is in memory
 * at a time. A length that cannot be one is damage: the next place that looks like the beginning of
 * a row is searched for. It must not know what records mean, only how a row begins. */
#include <string.h>

#include "read/traceml.h"

#define PREFIX STALL_FRAMES_PREFIX
#define BEGINNING 10u /* bytes that show the beginning of a row, its length included */

void stall_frames_open(stall_frames *f, stall_source *src, stall_warnings *warnings)
{
    memset(f, 0, sizeof(*f));
    f->src = src;
    f->warnings = warnings;
}

void stall_frames_close(stall_frames *f)
{
    stall_mem_free(f->buf);
    f->buf = NULL;
}

/* Moves the unused bytes to the front when that frees half of the buffer. */
static void compact(stall_frames *f)
{
    if (f->at < f->len - f->at)
        return;
    memmove(f->buf, f->buf + f->at, f->len - f->at);
    f->base += f->at;
    f->len -= f->at;
    f->at = 0;
}

/* Reads until `need` unused bytes are there, or the input ends. */
static stall_status fill(stall_frames *f, size_t need, stall_error *reterr)
{
    const unsigned char *data;
    size_t len;
    stall_status status;
    void *buf;

    while (f->len - f->at < need && !f->ended) {
        status = f->src->next(f->src->ctx, &data, &len, reterr);
        if (status != STALL_OK)
            return status;
        if (len == 0) {
            f->ended = true;
            return f->src->finish ? f->src->finish(f->src->ctx, f->warnings, &f->cut, reterr)
                                  : STALL_OK;
        }
        if (f->buf != NULL)
            compact(f);
        buf = f->buf;
        if (!stall_mem_grow(&buf, &f->cap, f->len + len, 1))
            return stall_error_memory(reterr);
        f->buf = buf;
        memcpy(f->buf + f->len, data, len);
        f->len += len;
    }
    return STALL_OK;
}

static size_t length_at(const unsigned char *p)
{
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

static bool length_fits(size_t len)
{
    return len > 0 && len <= STALL_TRACEML_RECORD_MAX;
}

size_t stall_frames_whole(const unsigned char *p, size_t len)
{
    size_t n = len < PREFIX ? 0 : length_at(p);

    return length_fits(n) && n <= len - PREFIX ? n : 0;
}

bool stall_frames_begins(const unsigned char *p, size_t len)
{
    if (len < BEGINNING || !length_fits(length_at(p)))
        return false;
    p += PREFIX;
    return ((*p & 0xf0) == 0x80 && memcmp(p + 1, "\xa3seq", 4) == 0) ||
           memcmp(p, "{\"seq\"", 6) == 0;
}

/* Moves to the next place before `end` (bytes from f->at) where a row begins. */
static bool search(stall_frames *f, size_t end)
{
    size_t i;

    for (i = 1; i < end && f->at + i < f->len; i++) {
        if (stall_frames_begins(f->buf + f->at + i, f->len - f->at - i)) {
            f->at += i;
            return true;
        }
    }
    return false;
}

/* The bytes at f->at are no record: goes on where the next row begins, or at the end. */
static stall_status search_all(stall_frames *f, stall_error *reterr)
{
    stall_status status;

    for (;;) {
        status = fill(f, BEGINNING + 1, reterr);
        if (status != STALL_OK || search(f, SIZE_MAX))
            return status;
        if (f->ended) {
            f->at = f->len;
            return STALL_OK;
        }
        if (f->len - f->at > BEGINNING) /* the bytes of a beginning that is not all there stay */
            f->at = f->len - BEGINNING;
    }
}

/* Counts damage; after too much of it the rest of the file is left alone. */
static stall_status lose(stall_frames *f, uint64_t offset, const char *what, stall_error *reterr)
{
    if (++f->damage > STALL_TRACEML_DAMAGE_MAX) {
        what = "too many damaged records; the rest of the file is not read";
        f->at = f->len;
        f->ended = true;
    }
    return stall_warn_add(f->warnings, STALL_WARN_events_lost, 1, offset, reterr, "%s", what);
}

/* The input ends within a record. */
static stall_status end_early(stall_frames *f, stall_error *reterr)
{
    uint64_t offset = f->base + f->at;
    bool more = search(f, SIZE_MAX); /* then the length is wrong, not the end */

    if (more)
        return lose(f, offset, "a record whose length is wrong", reterr);
    f->at = f->len;
    if (f->cut)
        return STALL_OK;
    return stall_warn_add(f->warnings, STALL_WARN_truncated, 1, offset, reterr,
                          "the last record is cut short");
}

stall_status stall_frames_next(stall_frames *f, stall_frame *ret, stall_error *reterr)
{
    stall_status status;
    size_t len;

    memset(ret, 0, sizeof(*ret));
    f->at += f->last;
    f->last = 0;
    for (;;) {
        status = fill(f, PREFIX, reterr);
        if (status != STALL_OK || f->len == f->at)
            return status;
        len = f->len - f->at < PREFIX ? 1 : length_at(f->buf + f->at);
        if (!length_fits(len)) {
            status = lose(f, f->base + f->at, "what stands here is no record", reterr);
            if (status == STALL_OK)
                status = search_all(f, reterr);
        } else {
            status = fill(f, PREFIX + len, reterr);
            if (status == STALL_OK && f->len - f->at >= PREFIX + len)
                break;
            if (status == STALL_OK)
                status = end_early(f, reterr);
        }
        if (status != STALL_OK)
            return status;
    }
    *ret = (stall_frame){f->buf + f->at + PREFIX, len, f->base + f->at};
    f->last = PREFIX + len;
    return STALL_OK;
}

stall_status stall_frames_broken(stall_frames *f, const stall_frame *frame, stall_error *reterr)
{
    stall_status status = lose(f, frame->offset, "a record that cannot be read", reterr);

    if (status == STALL_OK && f->last > 0 && f->at < f->len && search(f, f->last))
        f->last = 0;
    if (f->at == f->len) /* given up */
        f->last = 0;
    return status;
}
