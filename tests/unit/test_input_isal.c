/* ISA-L against zlib, bytes and damage alike: src/input/input_isal.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "input/input.h"
#include "input_support.h"

/* ---- one codec ---- */

static int memory = -1; /* a file in memory: there are many thousands to write */

static void store(const char *bytes, size_t len)
{
    assert_int_equal(ftruncate(memory, 0), 0);
    assert_int_equal(pwrite(memory, bytes, len, 0), len);
}

typedef struct decoded {
    stall_status status;
    stall_text plain;
    stall_damage damage;
} decoded;

/* Decodes what was stored in chunks of that size, 0: as large as they come. */
static void decode(const stall_codec *codec, size_t chunk, decoded *d)
{
    stall_file f;
    stall_error e = {0};
    static unsigned char out[STALL_PLAIN_BUFFER];
    size_t n = 1;
    void *state = codec->open();

    memset(d, 0, sizeof(*d));
    assert_non_null(state);
    d->status = stall_file_open(&f, path, &e);
    if (chunk > 0)
        f.chunk = chunk;
    if (d->status == STALL_OK)
        d->status = stall_file_fill(&f, STALL_MAGIC_MAX, &e);
    while (d->status == STALL_OK && n > 0) {
        d->status =
            codec->decode(state, &f, out, chunk > 0 ? chunk : sizeof(out), &n, &d->damage, &e);
        put(&d->plain, out, n);
    }
    codec->close(state);
    stall_file_close(&f);
}

/* Both codecs make the same of the bytes. Returns whether they are damaged. */
static bool expect_same(const char *bytes, size_t len, size_t chunk, const char *what, size_t at)
{
    decoded a, b;
    bool found;

    store(bytes, len);
    decode(&stall_codec_gzip, chunk, &a);
    decode(&stall_codec_isal, chunk, &b);
    found = a.damage.found;
    if (a.status != b.status || a.plain.len != b.plain.len || found != b.damage.found ||
        a.damage.code != b.damage.code || a.damage.offset != b.damage.offset ||
        strcmp(a.damage.text, b.damage.text) != 0 ||
        (a.plain.len > 0 && memcmp(a.plain.data, b.plain.data, a.plain.len) != 0))
        fail_msg("%s at %zu, chunk %zu: zlib %zu bytes, '%s'; ISA-L %zu bytes, '%s'", what, at,
                 chunk, a.plain.len, a.damage.text, b.plain.len, b.damage.text);
    stall_text_close(&a.plain);
    stall_text_close(&b.plain);
    return found;
}

/* ---- making streams ---- */

static uint32_t random_state = 1;

static uint32_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Bytes of a skewed alphabet, with repeats near and far. */
static void put_skewed(stall_text *t, size_t len)
{
    for (size_t end = t->len + len; t->len < end;) {
        size_t n = 3 + random_next() % 300, back = 1 + random_next() % 40000;

        if (random_next() % 4 == 0 && back <= t->len) {
            for (; n > 0 && t->len < end; n--)
                put(t, &(char){t->data[t->len - back]}, 1);
        } else {
            char c = (char)(random_next() & random_next() & 0x7f);
            put(t, &c, 1);
        }
    }
}

typedef struct recipe {
    int level, strategy, mem_level;
    int flush;     /* how to end a piece */
    size_t pieces; /* the plain bytes are given in so many */
    bool header;   /* with all the fields there are */
} recipe;

static const recipe recipes[] = {
    {6, Z_DEFAULT_STRATEGY, 8, Z_NO_FLUSH, 1, false},
    {6, Z_FIXED, 8, Z_NO_FLUSH, 1, true},
    {0, Z_DEFAULT_STRATEGY, 8, Z_NO_FLUSH, 2, false},
    {9, Z_DEFAULT_STRATEGY, 1, Z_SYNC_FLUSH, 5, true},
    {1, Z_HUFFMAN_ONLY, 1, Z_FULL_FLUSH, 3, false},
    {6, Z_RLE, 8, Z_PARTIAL_FLUSH, 4, false},
    {9, Z_FILTERED, 9, Z_BLOCK, 7, true},
};
#define RECIPES (sizeof(recipes) / sizeof(recipes[0]))

static void put_member(stall_text *t, const char *plain, size_t len, const recipe *r)
{
    z_stream z;
    gz_header header;
    size_t size = len + len / 4 + 4096;
    unsigned char *out = malloc(size);

    memset(&z, 0, sizeof(z));
    memset(&header, 0, sizeof(header));
    header.extra = (Bytef *)"extra bytes";
    header.extra_len = 11;
    header.name = (Bytef *)"trace.json";
    header.comment = (Bytef *)"a comment";
    header.hcrc = 1;
    assert_non_null(out);
    assert_int_equal(deflateInit2(&z, r->level, Z_DEFLATED, 31, r->mem_level, r->strategy), Z_OK);
    if (r->header)
        assert_int_equal(deflateSetHeader(&z, &header), Z_OK);
    z.next_out = out;
    z.avail_out = (uInt)size;
    for (size_t i = 0; i < r->pieces; i++) {
        size_t from = len * i / r->pieces, to = len * (i + 1) / r->pieces;

        z.next_in = (Bytef *)plain + from;
        z.avail_in = (uInt)(to - from);
        (void)deflate(&z, i + 1 < r->pieces ? r->flush : Z_FINISH);
    }
    put(t, out, z.total_out);
    deflateEnd(&z);
    free(out);
}

/* A stream of two members, the second a small one. */
static void make(stall_text *t, const recipe *r, size_t len)
{
    stall_text plain;

    stall_text_init(t);
    stall_text_init(&plain);
    put_skewed(&plain, len);
    put_member(t, plain.data, plain.len, r);
    put_member(t, plain.data, 20, &recipes[1]);
    stall_text_close(&plain);
}

/* ---- the tests ---- */

static void test_every_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECIPES; i++) {
        stall_text t;

        make(&t, &recipes[i], 600);
        for (size_t len = 2; len <= t.len; len++)
            for (size_t chunk = 0; chunk < 18; chunk = chunk * 3 + 1)
                expect_same(t.data, len, chunk, "cut", len);
        stall_text_close(&t);
    }
}

static void test_every_flip(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECIPES; i++) {
        stall_text t;
        size_t damaged = 0;

        make(&t, &recipes[i], 300);
        for (size_t at = 2; at < t.len; at++) {
            for (unsigned bit = 0; bit < 9; bit++) {
                char mask = (char)(bit < 8 ? 1u << bit : 0xff);

                t.data[at] = (char)(t.data[at] ^ mask);
                damaged += expect_same(t.data, t.len, 0, "flip", at);
                if (bit == 8)
                    expect_same(t.data, t.len, 5, "flip", at);
                t.data[at] = (char)(t.data[at] ^ mask);
            }
        }
        assert_true(damaged > t.len * 7);
        stall_text_close(&t);
    }
}

/* Random members, padding, trailing bytes and damage, larger than every buffer. */
static void test_random(void **state)
{
    static const char zeros[300];

    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        stall_text plain, t;
        size_t members = 1 + random_next() % 4;

        stall_text_init(&plain);
        stall_text_init(&t);
        for (size_t i = 0; i < members; i++) {
            recipe r = recipes[random_next() % RECIPES];
            size_t at = plain.len;

            r.pieces = 1 + random_next() % 9;
            put_skewed(&plain, random_next() % (round % 10 == 0 ? 900000 : 20000));
            put_member(&t, plain.data + at, plain.len - at, &r);
        }
        if (random_next() % 4 == 0)
            put(&t, zeros, random_next() % sizeof(zeros));
        if (random_next() % 4 == 0)
            put(&t, "trailing", random_next() % 8);
        expect_same(t.data, t.len, 0, "random", round);
        expect_same(t.data, t.len, 1 + random_next() % 70000, "random", round);
        for (int i = 0; i < 20; i++) {
            size_t at = 2 + random_next() % (t.len - 2);
            char was = t.data[at];

            t.data[at] = (char)random_next();
            expect_same(t.data, t.len, 0, "spoilt", at);
            expect_same(t.data, at, 0, "cut", at);
            t.data[at] = was;
        }
        stall_text_close(&plain);
        stall_text_close(&t);
    }
}

/* One block longer than the buffer of the file: zlib decodes it all. */
static void test_long_block(void **state)
{
    static const recipe one = {6, Z_FIXED, 9, Z_NO_FLUSH, 1, false};
    stall_text t, plain, header;

    (void)state;
    stall_text_init(&t);
    stall_text_init(&plain);
    stall_text_init(&header);
    for (int i = 0; i < 1200000; i++) /* a byte of 8 bits each in a block with fixed codes */
        put(&plain, &(char){(char)(random_next() % 128)}, 1);
    put_member(&header, "x", 1, &one);
    put(&t, header.data, 10);
    /* Bits of the fixed code are written by hand, as no compressor makes such a block. */
    uint32_t hold = 3, bits = 3; /* last block, fixed codes */
    for (size_t i = 0; i <= plain.len; i++) {
        unsigned code = i < plain.len ? 0x30u + (unsigned char)plain.data[i] : 0;
        int n = i < plain.len ? 8 : 7; /* the end is 7 bits of 0 */

        while (n-- > 0) {
            hold |= (code >> n & 1u) << bits++;
            if (bits == 8) {
                put(&t, &(char){(char)hold}, 1);
                hold = bits = 0;
            }
        }
    }
    if (bits > 0)
        put(&t, &(char){(char)hold}, 1);
    uint32_t ends[2] = {(uint32_t)crc32(0, (Bytef *)plain.data, (uInt)plain.len),
                        (uint32_t)plain.len};
    for (int i = 0; i < 8; i++)
        put(&t, &(char){(char)(ends[i / 4] >> (i % 4 * 8))}, 1);
    assert_false(expect_same(t.data, t.len, 0, "long", 0));
    assert_false(expect_same(t.data, t.len, 1000, "long", 0));
    assert_true(expect_same(t.data, t.len - 9, 0, "long", 0));
    t.data[t.len - 100000] = (char)0xff;
    t.data[t.len - 100001] = (char)0xff;
    assert_true(expect_same(t.data, t.len, 0, "long", 1));
    stall_text_close(&t);
    stall_text_close(&plain);
    stall_text_close(&header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_every_flip),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_long_block),
    };

    memory = memfd_create("input", MFD_CLOEXEC);
    if (memory < 0)
        return 1;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
