/* Buffered output of a document.
 *
 * Enters: bytes, texts and numbers in the order of the document. Leaves: the same bytes in a sink
 * or in a growable text; the first failure stays and is returned at the end. It must not know
 * formats: nothing is escaped here. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

static void out_init(stall_out *o, stall_sink *sink, stall_text *text, stall_error *reterr)
{
    o->sink = sink;
    o->text = text;
    o->reterr = reterr;
    o->status = STALL_OK;
    o->len = 0;
}

void stall_out_open(stall_out *o, stall_sink *sink, stall_error *reterr)
{
    out_init(o, sink, NULL, reterr);
}

void stall_out_open_text(stall_out *o, stall_text *text, stall_error *reterr)
{
    out_init(o, NULL, text, reterr);
}

void stall_out_fail(stall_out *o, stall_status status)
{
    if (o->status == STALL_OK)
        o->status = status;
}

/* Hands bytes on, past the buffer. */
static void out_deliver(stall_out *o, const char *bytes, size_t len)
{
    if (o->status != STALL_OK || len == 0)
        return;
    if (o->sink != NULL) {
        stall_out_fail(o, o->sink->write(o->sink->ctx, bytes, len, o->reterr));
        return;
    }
    stall_text_add(o->text, bytes, len);
    if (o->text->failed)
        stall_out_fail(o, stall_error_memory(o->reterr));
}

static void out_flush(stall_out *o)
{
    out_deliver(o, o->buffer, o->len);
    o->len = 0;
}

stall_status stall_out_close(stall_out *o)
{
    out_flush(o);
    return o->status;
}

void stall_out_write(stall_out *o, const char *bytes, size_t len)
{
    if (o->status != STALL_OK || len == 0)
        return;
    if (len > sizeof(o->buffer) - o->len)
        out_flush(o);
    if (len > sizeof(o->buffer)) {
        out_deliver(o, bytes, len);
        return;
    }
    memcpy(o->buffer + o->len, bytes, len);
    o->len += len;
}

void stall_out_put(stall_out *o, const char *text)
{
    if (text != NULL)
        stall_out_write(o, text, strlen(text));
}

void stall_out_char(stall_out *o, char c)
{
    stall_out_write(o, &c, 1);
}

void stall_out_repeat(stall_out *o, char c, size_t n)
{
    while (n-- > 0 && o->status == STALL_OK)
        stall_out_char(o, c);
}

void stall_out_printf(stall_out *o, const char *fmt, ...)
{
    char small[512], *text = small;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(small, sizeof(small), fmt, args);
    va_end(args);
    if (len < 0)
        return;
    if ((size_t)len >= sizeof(small)) {
        text = stall_mem_alloc((size_t)len + 1, 1);
        if (text == NULL) {
            if (o->status == STALL_OK)
                stall_out_fail(o, stall_error_memory(o->reterr));
            return;
        }
        va_start(args, fmt);
        vsnprintf(text, (size_t)len + 1, fmt, args);
        va_end(args);
    }
    stall_out_write(o, text, (size_t)len);
    if (text != small)
        stall_mem_free(text);
}

void stall_out_int(stall_out *o, int64_t v)
{
    if (v != STALL_UNKNOWN)
        stall_out_printf(o, "%" PRId64, v);
}

void stall_out_uint(stall_out *o, uint64_t v)
{
    stall_out_printf(o, "%" PRIu64, v);
}

void stall_out_double(stall_out *o, double v)
{
    char buf[STALL_DOUBLE_MAX];

    if (!isnan(v))
        stall_out_put(o, stall_double_text(buf, v));
}

void stall_out_fixed(stall_out *o, double v, int decimals)
{
    char buf[64];

    if (!isnan(v))
        stall_out_put(o, stall_fixed_text(buf, v, decimals));
}
