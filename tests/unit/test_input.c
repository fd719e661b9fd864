/* Files, pipes and compression: src/input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/base.h"
#include "stalldiff/input.h"

static char folder[] = "/tmp/stalldiff-test-XXXXXX";
static char path[64];

/* ---- making inputs ---- */

static void put(stall_text *t, const void *bytes, size_t len)
{
    stall_text_add(t, bytes, len);
    assert_false(t->failed);
}

/* Text that compresses somewhat, the same each time. */
static void put_plain(stall_text *t, size_t len, unsigned seed)
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

static void put_gzip(stall_text *t, const char *plain, size_t len, int level)
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

static void put_zstd(stall_text *t, const char *plain, size_t len, int checksum, bool streamed)
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

static void write_file(const void *bytes, size_t len)
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

static void drain(stall_input *in, outcome *o)
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

/* Reads `name` whole. chunk 0: as it comes. */
static void read_path(const char *name, size_t chunk, bool strict, outcome *o)
{
    stall_input *in;

    memset(o, 0, sizeof(*o));
    o->warnings.strict = strict;
    o->status = stall_input_open(name, &in, &o->error);
    if (o->status == STALL_OK) {
        if (chunk > 0)
            stall_input_set_chunk(in, chunk);
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

static void outcome_close(outcome *o)
{
    stall_text_close(&o->plain);
}

static void assert_same(const outcome *a, const outcome *b)
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

/* Reads bytes in chunks of several sizes; the outcome is the same in all. */
static void read_bytes(const void *bytes, size_t len, outcome *o)
{
    static const size_t chunks[] = {1, 2, 7, 100};
    outcome other;

    write_file(bytes, len);
    read_path(path, 0, false, o);
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        if (len > 100000 && chunks[i] < 100)
            continue;
        read_path(path, chunks[i], false, &other);
        assert_same(o, &other);
        outcome_close(&other);
    }
}

static void expect_plain(const stall_text *bytes, const stall_text *plain)
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

static void expect_error(const void *bytes, size_t len, stall_status status, const char *text)
{
    outcome o;

    read_bytes(bytes, len, &o);
    assert_int_equal(o.status, status);
    if (strstr(o.error.text, text) == NULL)
        fail_msg("error text: %s", o.error.text);
    outcome_close(&o);
}

/* ---- whole streams ---- */

static void test_round_trip(void **state)
{
    static const size_t sizes[] = {1, 3, 1000, 70000, 700000};
    stall_text plain, bytes;

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        stall_text_init(&plain);
        put_plain(&plain, sizes[i], 1);
        expect_plain(&plain, &plain);
        for (int kind = 0; kind < 6; kind++) {
            stall_text_init(&bytes);
            if (kind < 2)
                put_gzip(&bytes, plain.data, plain.len, kind * 9);
            else
                put_zstd(&bytes, plain.data, plain.len, kind % 2, kind >= 4);
            expect_plain(&bytes, &plain);
            stall_text_close(&bytes);
        }
        stall_text_close(&plain);
    }
}

static void test_members(void **state)
{
    static const char skip[] = "\x5f\x2a\x4d\x18\x05\0\0\0hello\x50\x2a\x4d\x18\0\0\0";
    static const char zeros[600] = "";
    stall_text plain, gz, zs;

    (void)state;
    stall_text_init(&plain);
    stall_text_init(&gz);
    stall_text_init(&zs);
    put(&plain, "", 0);
    put(&zs, skip, sizeof(skip)); /* the last NUL is part of the second one's size */
    for (size_t i = 0; i < 20; i++) {
        size_t at = plain.len;

        put_plain(&plain, i * i * 10, (unsigned)i); /* the first is empty */
        put_gzip(&gz, plain.data + at, plain.len - at, 6);
        put_zstd(&zs, plain.data + at, plain.len - at, i % 2, i % 3 == 0);
        if (i % 4 == 0)
            put(&zs, skip, sizeof(skip));
    }
    expect_plain(&gz, &plain);
    expect_plain(&zs, &plain);
    put(&gz, zeros, sizeof(zeros)); /* as a tape pads */
    expect_plain(&gz, &plain);
    stall_text_close(&plain);
    stall_text_close(&gz);
    stall_text_close(&zs);
}

static void test_gzip_header_fields(void **state)
{
    static const char name[] = "trace.json";
    stall_text plain, bytes, named;

    (void)state;
    stall_text_init(&plain);
    stall_text_init(&bytes);
    stall_text_init(&named);
    put_plain(&plain, 300, 5);
    put_gzip(&bytes, plain.data, plain.len, 6);
    put(&named, bytes.data, 10);
    named.data[3] = 8; /* FNAME */
    put(&named, name, sizeof(name));
    put(&named, bytes.data + 10, bytes.len - 10);
    expect_plain(&named, &plain);
    stall_text_close(&plain);
    stall_text_close(&bytes);
    stall_text_close(&named);
}

static void test_trailing_bytes(void **state)
{
    stall_text plain, bytes;
    outcome o;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        size_t len;

        stall_text_init(&plain);
        stall_text_init(&bytes);
        put_plain(&plain, 500, 3);
        if (kind == 0)
            put_gzip(&bytes, plain.data, plain.len, 6);
        else
            put_zstd(&bytes, plain.data, plain.len, 1, false);
        put(&bytes, "\0\0", 2);
        len = bytes.len;
        put(&bytes, "junk", 4);
        read_bytes(bytes.data, bytes.len, &o);
        assert_int_equal(o.status, STALL_OK);
        assert_int_equal(o.plain.len, plain.len);
        assert_false(o.cut);
        assert_false(o.warnings.partial);
        assert_int_equal(o.warnings.len, 1);
        assert_int_equal(o.warnings.items[0].code, STALL_WARN_bad_header);
        assert_int_equal(o.warnings.items[0].offset, len);
        outcome_close(&o);
        read_path(path, 0, true, &o);
        assert_int_equal(o.status, STALL_EFORMAT);
        outcome_close(&o);
        stall_text_close(&plain);
        stall_text_close(&bytes);
    }
}

/* ---- damage ---- */

typedef struct sample {
    stall_text plain, bytes;
    size_t first; /* bytes of the first member */
} sample;

/* Two members, the first of `len` plain bytes. kind 0: gzip, 1: zstd, 2: zstd of many blocks. */
static void make_sample(sample *s, int kind, size_t len)
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

static void sample_close(sample *s)
{
    stall_text_close(&s->plain);
    stall_text_close(&s->bytes);
}

static void test_cut_everywhere(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t before = 0;
        sample s;

        make_sample(&s, kind, 400);
        for (size_t len = kind == 0 ? 2 : 4; len < s.bytes.len; len++) {
            outcome o;

            read_bytes(s.bytes.data, len, &o);
            assert_true(o.plain.len >= before); /* more bytes never give less */
            before = o.plain.len;
            assert_true(o.plain.len <= s.plain.len);
            if (o.plain.len > 0)
                assert_memory_equal(o.plain.data, s.plain.data, o.plain.len);
            if (len == s.first) { /* between members: nothing is missing */
                assert_int_equal(o.status, STALL_OK);
                assert_int_equal(o.warnings.len, 0);
            } else if (o.plain.len == 0) {
                assert_int_equal(o.status, STALL_EFORMAT);
                assert_non_null(strstr(o.error.text, "cut short"));
            } else {
                assert_int_equal(o.status, STALL_OK);
                assert_true(o.cut && o.warnings.partial);
                assert_int_equal(o.warnings.items[0].code, STALL_WARN_compressed_cut);
                assert_int_equal(o.warnings.items[0].offset, len);
            }
            if (len >= s.first)
                assert_true(o.plain.len >= 400);
            outcome_close(&o);
        }
        assert_true(before > 400);
        sample_close(&s);
    }
}

static void test_corrupt_everywhere(void **state)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff};

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sample s;

        make_sample(&s, kind, 200);
        for (size_t at = 0; at < s.bytes.len; at++) {
            for (size_t i = 0; i < sizeof(flips); i++) {
                outcome o;

                s.bytes.data[at] = (char)(s.bytes.data[at] ^ flips[i]);
                read_bytes(s.bytes.data, s.bytes.len, &o);
                if (o.status == STALL_OK && o.cut) {
                    assert_true(o.warnings.partial);
                    assert_true(o.warnings.items[0].offset <= s.bytes.len);
                }
                /* Damage in the second member leaves the first alone. */
                if (at >= s.first) {
                    assert_int_equal(o.status, STALL_OK);
                    assert_true(o.plain.len >= 200);
                    assert_memory_equal(o.plain.data, s.plain.data, 200);
                }
                outcome_close(&o);
                s.bytes.data[at] = (char)(s.bytes.data[at] ^ flips[i]);
            }
        }
        sample_close(&s);
    }
}

/* What was decoded before a wrong checksum or a broken block stays. */
static void test_damage_keeps_data(void **state)
{
    sample s;
    outcome o;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        make_sample(&s, kind, 300000);
        s.bytes.data[s.first - (kind == 0 ? 6 : 2)] ^= 1; /* the checksum of the first member */
        read_bytes(s.bytes.data, s.bytes.len, &o);
        assert_int_equal(o.status, STALL_OK);
        assert_int_equal(o.plain.len, 300000);
        assert_true(o.cut);
        assert_int_equal(o.warnings.items[0].code, STALL_WARN_compressed_cut);
        assert_int_equal(o.warnings.items[0].offset, s.first - (kind == 0 ? 8 : 4));
        assert_non_null(strstr(o.warnings.items[0].text, "check"));
        outcome_close(&o);
        read_path(path, 0, true, &o);
        assert_int_equal(o.status, STALL_EFORMAT);
        outcome_close(&o);
        sample_close(&s);
    }
    make_sample(&s, 2, 300000);
    memset(s.bytes.data + s.first / 2, 0xff, 200);
    read_bytes(s.bytes.data, s.bytes.len, &o);
    assert_int_equal(o.status, STALL_OK);
    assert_true(o.plain.len > 100000 && o.plain.len < 200000);
    assert_memory_equal(o.plain.data, s.plain.data, o.plain.len);
    outcome_close(&o);
    sample_close(&s);
}

static void test_nothing_in_it(void **state)
{
    static const char skip[] = "\x51\x2a\x4d\x18\x02\0\0\0hi";
    stall_text bytes;

    (void)state;
    expect_error("", 0, STALL_EFORMAT, "file is empty");
    for (int kind = 0; kind < 2; kind++) {
        stall_text_init(&bytes);
        if (kind == 0)
            put_gzip(&bytes, "", 0, 6);
        else
            put_zstd(&bytes, "", 0, 1, false);
        expect_error(bytes.data, bytes.len, STALL_EFORMAT, "compressed file holds no data");
        put(&bytes, "junk", 4);
        expect_error(bytes.data, bytes.len, STALL_EFORMAT, "compressed file holds no data");
        stall_text_close(&bytes);
    }
    expect_error(skip, sizeof(skip) - 1, STALL_EFORMAT, "compressed file holds no data");
    expect_error("\x1f\x8b", 2, STALL_EFORMAT, "gzip stream is cut short at byte 2");
    expect_error("\x1f\x8b\x07\0\0\0\0\0\0\0", 10, STALL_EFORMAT, "unknown compression method");
    expect_error("\x28\xb5\x2f\xfd\x08\xff\xff\xff", 8, STALL_EFORMAT, "zstd stream is damaged");
    /* A window of 2 GiB is more than anybody should be made to allocate. */
    expect_error("\x28\xb5\x2f\xfd\0\xa8\x01\0\0", 9, STALL_EFORMAT, "too much memory");
}

static void test_almost_magic(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {{"\x1f", 1}, {"\x28\xb5\x2f", 3}, {"\x50\x2a\x4d\x19", 4}, {"{", 1}, {"\0", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        stall_text bytes;

        stall_text_init(&bytes);
        put(&bytes, cases[i].bytes, cases[i].len);
        expect_plain(&bytes, &bytes);
        stall_text_close(&bytes);
    }
}

/* ---- files, pipes and the system's refusals ---- */

static void test_refused(void **state)
{
    outcome o;
    char name[100];

    (void)state;
    read_path(folder, 0, false, &o);
    assert_int_equal(o.status, STALL_EREAD);
    assert_string_equal(o.error.text, "is a directory");
    snprintf(name, sizeof(name), "%s/none", folder);
    read_path(name, 0, false, &o);
    assert_int_equal(o.status, STALL_EREAD);
    assert_int_equal(o.error.sys_errno, ENOENT);
    assert_string_equal(o.error.text, "cannot be opened: No such file or directory");
    write_file("x", 1);
    assert_int_equal(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) { /* root may read it all the same */
        read_path(path, 0, false, &o);
        assert_int_equal(o.error.sys_errno, EACCES);
    }
    assert_int_equal(unlink(path), 0);
    if (access("/proc/self/mem", R_OK) == 0) { /* opens, but its first page gives EIO */
        read_path("/proc/self/mem", 0, false, &o);
        assert_int_equal(o.status, STALL_EREAD);
        assert_int_equal(o.error.sys_errno, EIO);
    }
}

typedef struct feed {
    const stall_text *bytes;
    int fd;
} feed;

/* Writes to a pipe in small and uneven pieces. */
static void *feed_pipe(void *arg)
{
    const feed *f = arg;
    size_t at = 0, n = 1;
    sigset_t alarms;

    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM); /* they are for the reader */
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);

    while (at < f->bytes->len) {
        ssize_t done;

        if (n > f->bytes->len - at)
            n = f->bytes->len - at;
        done = write(f->fd, f->bytes->data + at, n);
        if (done < 0)
            break;
        usleep(500); /* lets the reader run dry */
        at += (size_t)done;
        n = n * 3 % 1009 + 1;
    }
    close(f->fd);
    return NULL;
}

static void on_alarm(int number)
{
    (void)number;
}

/* Signals that interrupt every other system call. */
static void set_alarms(bool on)
{
    struct itimerval t = {{0, on ? 200 : 0}, {0, on ? 200 : 0}};
    struct sigaction a;

    memset(&a, 0, sizeof(a));
    a.sa_handler = on_alarm; /* and no SA_RESTART */
    assert_int_equal(sigaction(SIGALRM, &a, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

static void test_pipe(void **state)
{
    int saved = dup(STDIN_FILENO);
    uint64_t done, total;
    sample s;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int blocking = 0; blocking < 2; blocking++) {
            int ends[2];
            pthread_t thread;
            stall_input *in;
            outcome o;
            feed f;

            memset(&o, 0, sizeof(o));
            make_sample(&s, kind, 30000);
            assert_int_equal(pipe(ends), 0);
            assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
            close(ends[0]);
            if (!blocking)
                assert_int_equal(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), 0);
            f = (feed){&s.bytes, ends[1]};
            set_alarms(true);
            assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &f), 0);
            assert_int_equal(stall_input_open("-", &in, &o.error), STALL_OK);
            assert_string_equal(stall_input_source(in)->name, "-");
            drain(in, &o);
            set_alarms(false);
            assert_int_equal(o.status, STALL_OK);
            assert_int_equal(o.plain.len, s.plain.len);
            assert_memory_equal(o.plain.data, s.plain.data, s.plain.len);
            stall_input_progress(in, &done, &total);
            assert_int_equal(done, s.bytes.len);
            assert_int_equal(total, 0);
            stall_input_close(in);
            pthread_join(thread, NULL);
            outcome_close(&o);
            sample_close(&s);
        }
    }
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
}

static void test_progress(void **state)
{
    uint64_t done, total;
    stall_text plain;
    stall_input *in;
    outcome o;

    (void)state;
    memset(&o, 0, sizeof(o));
    stall_text_init(&plain);
    put_plain(&plain, 600000, 4);
    write_file(plain.data, plain.len);
    assert_int_equal(stall_input_open(path, &in, NULL), STALL_OK);
    stall_input_progress(in, &done, &total);
    assert_int_equal(total, plain.len);
    assert_true(done > 0 && done < total);
    drain(in, &o);
    stall_input_progress(in, &done, &total);
    assert_int_equal(done, total);
    stall_input_close(in);
    stall_input_close(NULL);
    outcome_close(&o);
    stall_text_close(&plain);
}

/* Whichever allocation fails, the answer is "out of memory" and nothing leaks. */
static void test_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        uint64_t before, calls;
        outcome o;
        sample s;

        make_sample(&s, kind, 100000);
        write_file(s.bytes.data, s.bytes.len);
        before = stall_mem_calls();
        read_path(path, 0, false, &o);
        calls = stall_mem_calls() - before;
        outcome_close(&o);
        assert_true(calls < 60);
        for (uint64_t n = 1; n <= calls; n++) {
            stall_input *in;
            stall_source *src;
            stall_error e = {0};
            const unsigned char *data;
            size_t len = 1;
            stall_status status;

            stall_mem_fail_at(n);
            status = stall_input_open(path, &in, &e);
            while (status == STALL_OK && len > 0) {
                src = stall_input_source(in);
                status = src->next(src->ctx, &data, &len, &e);
            }
            stall_mem_fail_at(0);
            assert_true(status == STALL_OK || status == STALL_ENOMEM);
            assert_int_equal(e.status, status);
            stall_input_close(in);
        }
        sample_close(&s);
    }
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/input", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_gzip_header_fields),
        cmocka_unit_test(test_trailing_bytes),
        cmocka_unit_test(test_cut_everywhere),
        cmocka_unit_test(test_corrupt_everywhere),
        cmocka_unit_test(test_damage_keeps_data),
        cmocka_unit_test(test_nothing_in_it),
        cmocka_unit_test(test_almost_magic),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
