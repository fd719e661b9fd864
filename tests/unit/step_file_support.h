/* What the tests of TraceML's step files share: bytes of msgpack, framed records, files. */
#ifndef STEP_FILE_SUPPORT_H
#define STEP_FILE_SUPPORT_H

#include "table_support.h"

#include "read/traceml.h"

#define SESSIONS "testdata/traceml/msgpack/"
#define STEP_TABLE                                                                                 \
    SESSIONS "session_20260101_120000_0a1b2c/rank_0/data/StepTimeSampler/StepTimeTable.msgpack"

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t len;
} bytes;

static inline void add(bytes *b, const void *data, size_t len)
{
    assert_true(b->len + len <= sizeof(b->data));
    memcpy(b->data + b->len, data, len);
    b->len += len;
}

static inline void add_byte(bytes *b, unsigned v)
{
    unsigned char c = (unsigned char)v;
    add(b, &c, 1);
}

/* A big-endian number of n bytes. */
static inline void add_number(bytes *b, uint64_t v, size_t n)
{
    while (n-- > 0)
        add_byte(b, (unsigned)(v >> (8 * n)) & 0xff);
}

static inline void add_text(bytes *b, const char *text)
{
    add_byte(b, 0xd9);
    add_byte(b, (unsigned)strlen(text));
    add(b, text, strlen(text));
}

static inline void add_double(bytes *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    add_byte(b, 0xcb);
    add_number(b, bits, 8);
}

static inline void add_frame(bytes *b, const void *payload, size_t len)
{
    add_number(b, len, 4);
    add(b, payload, len);
}

/* The whole file, as the bytes of one allocation. */
static inline char *read_file(const char *path, size_t *ret_len)
{
    FILE *f = fopen(path, "rb");
    char *data = malloc(1 << 20);

    assert_non_null(f);
    assert_non_null(data);
    *ret_len = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

/* Reads bytes under a file name; `path` is that of the source. */
static inline stall_status read_named(const void *data, size_t len, size_t chunk, const char *name,
                                      const char *path, const stall_read_options *options,
                                      stall_series *out, stall_error *reterr)
{
    memory m = {data, len, 0, chunk, false, NULL};
    stall_source source = {&m, memory_next, memory_finish, name, path};
    stall_status status;

    stall_series_init(out);
    memset(reterr, 0, sizeof(*reterr));
    status = stall_read(&source, options, out, reterr);
    free(m.copy);
    return status;
}

#endif
