/* Finding the reader by content: what is named, what is refused and how, and that the first bytes
 * reach the reader again whatever the chunks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "read/read.h"

typedef struct memory {
    const char *data;
    size_t len, chunk;
} memory;

static stall_status memory_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                                stall_error *reterr)
{
    memory *m = ctx;
    size_t n = m->len < m->chunk ? m->len : m->chunk;

    (void)reterr;
    *ret_data = (const unsigned char *)m->data;
    *ret_len = n;
    m->data += n;
    m->len -= n;
    return STALL_OK;
}

static stall_status failing_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                                 stall_error *reterr)
{
    (void)ctx;
    (void)ret_data;
    (void)ret_len;
    return stall_error_set(reterr, STALL_EREAD, 7, "I/O error");
}

static stall_status run(const char *text, size_t len, size_t chunk, const char *format,
                        stall_series *s, stall_error *e)
{
    memory m = {text, len, chunk};
    stall_source src = {&m, memory_next, NULL, "some file", NULL};
    stall_read_options options = {.format = format};

    memset(e, 0, sizeof *e);
    stall_series_init(s);
    return stall_read(&src, &options, s, e);
}

static void refused(const char *text, size_t len, const char *part)
{
    stall_series s;
    stall_error e;

    assert_int_equal(run(text, len, len + 1, NULL, &s, &e), STALL_EFORMAT);
    if (!strstr(e.text, part))
        fail_msg("%s\nwant in it: %s", e.text, part);
    assert_string_equal(e.source, "some file");
    stall_series_close(&s);
}

#define REFUSED(text, part) refused(text, sizeof text - 1, part)

static void test_kinds(void **state)
{
    static char tar[512];
    (void)state;
    REFUSED("", "empty");
    REFUSED("<!DOCTYPE html><html>", "HTML");
    REFUSED("\n  <HTML lang=x>", "HTML");
    REFUSED("<?xml version='1.0'?>", "XML");
    REFUSED("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS");
    REFUSED("\x80\x04\x95\x10", "pickle");
    REFUSED("SQLite format 3\0xxxx", "SQLite"); /* through a pipe */
    REFUSED("PK\x03\x04xxxx", "ZIP");
    REFUSED("\x1f\x8b\x08\x00xxxx", "gzip");
    REFUSED("\xff\xfe{\0\"\0", "UTF-16");
    REFUSED("\x93NUMPY\x01\x00", "NumPy");
    REFUSED("\x0a\x06\x50\x01\x58\x02\x60\x03\x0a\x02\x50\x01", "Perfetto");
    REFUSED("\x01\x02\x03 what is this", "unknown format");
    memcpy(tar + 257, "ustar", 5);
    refused(tar, sizeof tar, "tar");
}

static void test_hints(void **state)
{
    stall_series s;
    stall_error e;
    (void)state;
    assert_int_equal(run("\xff\xfe{\0", 4, 9, NULL, &s, &e), STALL_EFORMAT);
    assert_non_null(strstr(e.hint, "iconv"));
    stall_series_close(&s);
    assert_int_equal(run("\x01\x02\0", 3, 9, NULL, &s, &e), STALL_EFORMAT);
    assert_non_null(strstr(e.hint, "nearest formats: traceml ("));
    assert_null(strstr(e.hint, "csv ("));
    stall_series_close(&s);
    assert_int_equal(run("some words\n", 11, 9, NULL, &s, &e), STALL_EFORMAT);
    assert_non_null(strstr(e.hint, "timm ("));
    assert_null(strstr(e.hint, "traceml ("));
    stall_series_close(&s);
    assert_int_equal(run("version https://git-lfs.github.com/spec/v1\n", 43, 9, NULL, &s, &e),
                     STALL_EFORMAT);
    assert_non_null(strstr(e.hint, "git lfs pull"));
    stall_series_close(&s);
    assert_int_equal(run("[]", 2, 9, "nonsense", &s, &e), STALL_EUSAGE);
    assert_non_null(strstr(e.text, "nonsense"));
    stall_series_close(&s);
}

static void test_readers_are_told_apart(void **state)
{
    static const char trace[] = "{\"schemaVersion\": 1, \"traceEvents\": []}";
    static const char list[] = " [{\"ph\": \"X\", \"name\": \"a\"}]";
    static const char log[] = "{\"step\": 1, \"wait_ms\": 2}\n{\"step\": 2, \"wait_ms\": 2}\n";
    static const char csv[] = "step,wait_ms\n1,2\n";
    const stall_reader *r = &stall_reader_chrome;
    size_t i;
    (void)state;
    assert_true(r->probe((const unsigned char *)trace, sizeof trace - 1, true) > 90);
    assert_true(r->probe((const unsigned char *)list, sizeof list - 1, true) > 70);
    assert_true(r->probe((const unsigned char *)log, sizeof log - 1, true) < 10);
    assert_int_equal(r->probe((const unsigned char *)csv, sizeof csv - 1, true), 0);
    for (i = 0; stall_readers[i]; i++) {
        assert_non_null(stall_readers[i]->name);
        assert_non_null(stall_readers[i]->summary);
        assert_int_equal(stall_readers[i]->probe((const unsigned char *)"", 0, true), 0);
    }
}

/* A trace larger than the head, so that it ends inside a chunk. */
static void test_head_is_replayed(void **state)
{
    static const size_t chunks[] = {
        1, 1000, STALL_HEAD_MAX - 1, STALL_HEAD_MAX, STALL_HEAD_MAX + 1, 1u << 20};
    static const char first[] =
        "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"ProfilerStep#1\",\"pid\":7,\"tid\":7,"
        "\"ts\":0,\"dur\":9},{\"ph\":\"X\",\"name\":\"enumerate(DataLoader)#M.__next__\","
        "\"pid\":7,\"tid\":7,\"ts\":1,\"dur\":2}";
    static const char op[] =
        ",{\"ph\":\"X\",\"name\":\"op\",\"pid\":7,\"tid\":7,\"ts\":5,\"dur\":1}";
    stall_text t;
    stall_series s;
    stall_error e;
    size_t i;

    (void)state;
    stall_text_init(&t);
    stall_text_put(&t, first);
    while (t.len < 3 * STALL_HEAD_MAX / 2)
        stall_text_put(&t, op);
    stall_text_put(&t, "]}");
    assert_false(t.failed);
    for (i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        assert_int_equal(run(t.data, t.len, chunks[i], NULL, &s, &e), STALL_OK);
        assert_int_equal(s.len, 1);
        assert_int_equal(s.rows[0].wait_ns, 2000);
        assert_int_equal(s.warnings.len, 0);
        assert_string_equal(s.format, "chrome");
        stall_series_close(&s);
    }
    stall_text_close(&t);
}

static void test_source_errors(void **state)
{
    stall_source src = {NULL, failing_next, NULL, "some file", NULL};
    stall_series s;
    stall_error e;

    (void)state;
    memset(&e, 0, sizeof e);
    stall_series_init(&s);
    assert_int_equal(stall_read(&src, NULL, &s, &e), STALL_EREAD);
    assert_string_equal(e.source, "some file");
    assert_int_equal(e.offset, 7);
    stall_series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_readers_are_told_apart),
        cmocka_unit_test(test_head_is_replayed),
        cmocka_unit_test(test_source_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
