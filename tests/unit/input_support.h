/* What the tests of src/input share: making compressed inputs, and reading them to the end. */
#ifndef STALL_TEST_INPUT_SUPPORT_H
#define STALL_TEST_INPUT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/base.h"
#include "stalldiff/input.h"

static char folder[] = "/tmp/stalldiff-test-XXXXXX";
static char path[64];

/* ---- making inputs ---- */

static inline void put(stall_text *t, const void *bytes, size_t len)
{
    stall_text_add(t, bytes, len);
    assert_false(t->failed);
}

/* Text that compresses somewhat, the same each time. */
static inline void put_plain(stall_text *t, size_t len, unsigned seed)
{
    char word[16];

    for (size_t end = t->len + len; t->len < end;) {
        seed = seed * 1103515245u + 12345u;
        snprintf(word, sizeof(word), "{\"n\": %u}, ", seed >> 24);
        stall_text_put(t, word);
        if (t->len > end)
            t->len = end;
    }
}

static inline void put_gzip(stall_text *t, const char *plain, size_t len, int level)
{
    z_stream z;
    size_t size;
    unsigned char *out;

    memset(&z, 0, sizeof(z));
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size = deflateBound(&z, len) + 64;
    out = malloc(size);
    assert_non_null(out);
    z.next_in = (Bytef *)plain;
    z.avail_in = (uInt)len;
    z.next_out = out;
    z.avail_out = (uInt)size;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    put(t, out, z.total_out);
    deflateEnd(&z);
    free(out);
}

static inline void put_zstd(stall_text *t, const char *plain, size_t len, int checksum,
                            bool streamed)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t size = ZSTD_compressBound(len) + 64;
    char *out = malloc(size);
    ZSTD_outBuffer to = {out, size, 0};
    ZSTD_inBuffer from = {plain, len, 0};

    assert_non_null(c);
    assert_non_null(out);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, checksum);
    if (streamed) { /* no content size, many small blocks */
        for (size_t end = 0; end < len; end += 50) {
            from.size = end + 50 < len ? end + 50 : len;
            ZSTD_compressStream2(c, &to, &from, ZSTD_e_flush);
        }
    } else {
        ZSTD_CCtx_setPledgedSrcSize(c, len);
    }
    from.size = len;
    assert_int_equal(ZSTD_compressStream2(c, &to, &from, ZSTD_e_end), 0);
    put(t, out, to.pos);
    ZSTD_freeCCtx(c);
    free(out);
}

static inline void write_file(const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* ---- reading them ---- */

typedef struct outcome {
    stall_status status;
    stall_text plain;
    stall_warnings warnings;
    stall_error error;
    bool cut;
} outcome;

static inline void drain(stall_input *in, outcome *o)
{
    stall_source *src = stall_input_source(in);
    const unsigned char *data;
    size_t len = 1;

    while (len > 0 && o->status == STALL_OK) {
        o->status = src->next(src->ctx, &data, &len, &o->error);
        if (o->status == STALL_OK)
            put(&o->plain, data, len);
    }
    if (o->status != STALL_OK)
        return;
    for (int i = 0; i < 3; i++) { /* the end stays the end */
        assert_int_equal(src->next(src->ctx, &data, &len, &o->error), STALL_OK);
        assert_int_equal(len, 0);
    }
    o->status = src->finish(src->ctx, &o->warnings, &o->cut, &o->error);
}

/* Decode on a second thread. */
static bool threaded;

/* Reads `name` whole. chunk 0: as it comes. */
static inline void read_path(const char *name, size_t chunk, bool strict, outcome *o)
{
    stall_input *in;

    memset(o, 0, sizeof(*o));
    o->warnings.strict = strict;
    o->status = stall_input_open(name, &in, &o->error);
    if (o->status == STALL_OK) {
        if (chunk > 0)
            stall_input_set_chunk(in, chunk);
        stall_input_set_thread(in, threaded);
        drain(in, o);
    } else {
        assert_null(in);
    }
    stall_input_close(in);
    if (o->status == STALL_OK)
        return;
    assert_int_equal(o->error.status, o->status);
    assert_true(o->error.text[0] != '\0' && o->error.text[strlen(o->error.text) - 1] != '.');
    if (o->status != STALL_ENOMEM) {
        assert_string_equal(o->error.source, name);
        assert_true(o->error.hint[0] != '\0');
    }
}

static inline void outcome_close(outcome *o)
{
    stall_text_close(&o->plain);
}

static inline void assert_same(const outcome *a, const outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->plain.len, b->plain.len);
    assert_memory_equal(a->plain.data != NULL ? a->plain.data : "",
                        b->plain.data != NULL ? b->plain.data : "", a->plain.len);
    assert_int_equal(a->cut, b->cut);
    assert_int_equal(a->warnings.len, b->warnings.len);
    for (size_t i = 0; i < a->warnings.len; i++) {
        assert_int_equal(a->warnings.items[i].code, b->warnings.items[i].code);
        assert_int_equal(a->warnings.items[i].offset, b->warnings.items[i].offset);
        assert_string_equal(a->warnings.items[i].text, b->warnings.items[i].text);
    }
    if (a->status != STALL_OK)
        assert_string_equal(a->error.text, b->error.text);
}

/* Reads bytes in chunks of several sizes, on one thread and on two; the outcome is the same in all. */
static inline void read_bytes(const void *bytes, size_t len, outcome *o)
{
    static const size_t chunks[] = {0, 1, 2, 7, 100};
    outcome other;

    write_file(bytes, len);
    read_path(path, 0, false, o);
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        if (chunks[i] > 0 && chunks[i] < len / 3000)
            continue;
        for (int on = 0; on < (chunks[i] % 100 == 0 ? 2 : 1); on++) { /* handing over takes time */
            threaded = on;
            read_path(path, chunks[i], false, &other);
            threaded = false;
            assert_same(o, &other);
            outcome_close(&other);
        }
    }
}

static inline void expect_plain(const stall_text *bytes, const stall_text *plain)
{
    outcome o;

    read_bytes(bytes->data, bytes->len, &o);
    assert_int_equal(o.status, STALL_OK);
    assert_int_equal(o.plain.len, plain->len);
    assert_memory_equal(o.plain.data, plain->data, plain->len);
    assert_int_equal(o.warnings.len, 0);
    assert_false(o.cut);
    outcome_close(&o);
}

static inline void expect_error(const void *bytes, size_t len, stall_status status,
                                const char *text)
{
    outcome o;

    read_bytes(bytes, len, &o);
    assert_int_equal(o.status, status);
    if (strstr(o.error.text, text) == NULL)
        fail_msg("error text: %s", o.error.text);
    outcome_close(&o);
}

/* ---- a stream of two members ---- */

typedef struct sample {
    stall_text plain, bytes;
    size_t first; /* bytes of the first member */
} sample;

/* Two members, the first of `len` plain bytes. kind 0: gzip, 1: zstd, 2: zstd of many blocks. */
static inline void make_sample(sample *s, int kind, size_t len)
{
    memset(s, 0, sizeof(*s));
    for (int member = 0; member < 2; member++) {
        size_t at = s->plain.len;

        put_plain(&s->plain, member == 0 ? len : 60, (unsigned)member + 9);
        if (kind == 0)
            put_gzip(&s->bytes, s->plain.data + at, s->plain.len - at, 6);
        else
            put_zstd(&s->bytes, s->plain.data + at, s->plain.len - at, 1, kind == 2);
        if (member == 0)
            s->first = s->bytes.len;
    }
}

static inline void sample_close(sample *s)
{
    stall_text_close(&s->plain);
    stall_text_close(&s->bytes);
}

/* ---- the folder of the tests ---- */

static inline int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/input", folder);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

#endif
