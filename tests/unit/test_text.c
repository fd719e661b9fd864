/* Growable text, printable text, numbers as text: src/base/text.c; errors: src/base/error.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static void test_growable(void **state)
{
    stall_text t;
    char big[1000];

    (void)state;
    stall_text_init(&t);
    assert_null(t.data);
    stall_text_put(&t, "");
    assert_string_equal(t.data, "");
    stall_text_put(&t, "ab");
    stall_text_add(&t, "c\0d", 3);
    assert_int_equal(t.len, 5);
    assert_memory_equal(t.data, "abc\0d", 6);
    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    stall_text_printf(&t, "[%d]%s", 7, big);
    assert_int_equal(t.len, 5 + 3 + 999);
    assert_memory_equal(t.data + 5, "[7]xxx", 6);
    assert_false(t.failed);
    stall_text_close(&t);
    stall_text_close(&t);
}

static void test_growable_fails(void **state)
{
    stall_text t;

    (void)state;
    stall_text_init(&t);
    stall_text_put(&t, "abc");
    stall_mem_fail_at(1);
    for (int i = 0; i < 100; i++)
        stall_text_put(&t, "0123456789");
    assert_true(t.failed);
    assert_memory_equal(t.data, "abc", 3);
    stall_text_put(&t, "more");
    stall_text_printf(&t, "%d", 1);
    assert_true(t.failed);
    stall_text_close(&t);
}

static void printable(const char *src, size_t len, size_t size, const char *want)
{
    char dst[256];
    size_t got;

    memset(dst, '#', sizeof(dst));
    got = stall_text_printable(dst, size, src, len);
    assert_string_equal(dst, want);
    assert_int_equal(got, strlen(want));
    assert_int_equal(dst[size], '#');
}

static void test_printable(void **state)
{
    (void)state;
    printable("", 0, 5, "");
    printable("abcd", 4, 5, "abcd");
    printable("abcde", 5, 5, "a...");
    printable("a\0b\n\x1b\x7f", 6, 200, "a\\x00b\\x0A\\x1B\\x7F");
    printable("gr\xc3\xbc\xc3\x9f", 6, 200, "gr\xc3\xbc\xc3\x9f");
    printable("\xe2\x80\xae x", 5, 200, "\\xE2\\x80\\xAE x"); /* right-to-left override */
    printable("\xe2\x81\xa6\xe2\x81\xa9", 6, 200, "\\xE2\\x81\\xA6\\xE2\\x81\\xA9"); /* isolates */
    printable("\xc2\x9b"
              "31m",
              5, 200,
              "\\xC2\\x9B"
              "31m");                                     /* C1: a control sequence */
    printable("\xe2\x80\xa8", 3, 200, "\\xE2\\x80\\xA8"); /* line separator */
    printable("\xff\xc3", 2, 200, "\\xFF\\xC3");
    printable("\xf0\x9f\x98\x80", 4, 200, "\xf0\x9f\x98\x80");
    printable("abc\xf0\x9f\x98\x80yz", 9, 8, "abc..."); /* never within a character */
    printable("ab\xf0\x9f\x98\x80", 6, 7, "ab\xf0\x9f\x98\x80");
    printable("\n\n\n\n", 4, 5, "..."); /* never within an escape, so that one shows or none */
    printable("\\x41", 4, 200, "\\x41");
}

/* Whatever comes in, what goes out is printable, valid, within its size, and stays as it is. */
static void test_printable_random(void **state)
{
    unsigned seed = 12345;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        char src[64], dst[80], again[512];
        size_t len, size, got;

        seed = seed * 1103515245u + 12345u;
        len = (seed >> 16) % sizeof(src);
        size = 5 + (seed >> 8) % 70;
        for (size_t i = 0; i < len; i++) {
            seed = seed * 1103515245u + 12345u;
            src[i] = (char)(seed >> 16);
        }
        got = stall_text_printable(dst, size, src, len);
        assert_true(got < size);
        assert_int_equal(strlen(dst), got);
        stall_text_printable(again, sizeof(again), dst, got);
        assert_string_equal(dst, again);
    }
}

static void test_utf8(void **state)
{
    static const struct {
        const char *text;
        size_t len, want;
    } cases[] = {
        {"", 0, 0},
        {"a", 1, 1},
        {"\x80", 1, 0},
        {"\xc0\x80", 2, 0},
        {"\xc1\xbf", 2, 0},
        {"\xc2\x80", 2, 2},
        {"\xc2", 1, 0},
        {"\xc2g", 2, 0},
        {"\xe0\x9f\xbf", 3, 0},
        {"\xe0\xa0\x80", 3, 3},
        {"\xed\xa0\x80", 3, 0},
        {"\xed\x9f\xbf", 3, 3},
        {"\xef\xbf\xbf", 3, 3},
        {"\xf0\x8f\xbf\xbf", 4, 0},
        {"\xf0\x90\x80\x80", 4, 4},
        {"\xf4\x8f\xbf\xbf", 4, 4},
        {"\xf4\x90\x80\x80", 4, 0},
        {"\xf5\x80\x80\x80", 4, 0},
        {"\xe2\x82", 2, 0},
        {"\xe2\x82x", 3, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(stall_utf8_length((const unsigned char *)cases[i].text, cases[i].len),
                         cases[i].want);
}

static void test_numbers(void **state)
{
    char buf[64];

    (void)state;
    assert_string_equal(stall_double_text(buf, 0.1), "0.1");
    assert_string_equal(stall_double_text(buf, 0), "0");
    assert_string_equal(stall_double_text(buf, -0.0), "-0");
    assert_string_equal(stall_double_text(buf, 1.0 / 3), "0.3333333333333333");
    assert_string_equal(stall_double_text(buf, 0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(stall_double_text(buf, 100000), "100000");
    assert_string_equal(stall_double_text(buf, 5e-324), "5e-324");
    assert_string_equal(stall_double_text(buf, -1.7976931348623157e308),
                        "-1.7976931348623157e+308");
    assert_string_equal(stall_double_text(buf, NAN), "nan");
    assert_string_equal(stall_double_text(buf, INFINITY), "inf");
    assert_string_equal(stall_double_text(buf, -INFINITY), "-inf");
    assert_string_equal(stall_fixed_text(buf, 4700.25, 1), "4700.2");
    assert_string_equal(stall_fixed_text(buf, -0.01, 1), "0.0");
    assert_string_equal(stall_fixed_text(buf, -0.06, 1), "-0.1");
    assert_string_equal(stall_fixed_text(buf, 3, 0), "3");
    assert_string_equal(stall_fixed_text(buf, 1e300, 2), "1.0000000000000001e+300");
    assert_string_equal(stall_fixed_text(buf, NAN, 2), "nan");
    assert_string_equal(stall_ms_text(buf, 0), "0.000000");
    assert_string_equal(stall_ms_text(buf, 1), "0.000001");
    assert_string_equal(stall_ms_text(buf, -1), "-0.000001");
    assert_string_equal(stall_ms_text(buf, 19600123456), "19600.123456");
    assert_string_equal(stall_ms_text(buf, INT64_MAX), "9223372036854.775807");
    assert_string_equal(stall_ms_text(buf, -INT64_MAX), "-9223372036854.775807");
    assert_string_equal(stall_ms_text(buf, STALL_UNKNOWN), "");
}

static void test_error(void **state)
{
    stall_error e;
    char big[3000];

    (void)state;
    memset(&e, 'x', sizeof(e));
    assert_int_equal(stall_error_set(&e, STALL_EFORMAT, 12, "key %s at %d", "a\nb", 3),
                     STALL_EFORMAT);
    assert_int_equal(e.status, STALL_EFORMAT);
    assert_int_equal(e.sys_errno, 0);
    assert_int_equal(e.offset, 12);
    assert_true(e.line == STALL_OFFSET_NONE);
    assert_string_equal(e.text, "key a\\x0Ab at 3");
    assert_string_equal(e.source, "");
    assert_string_equal(e.hint, "");
    stall_error_source(&e, "run\x1b.json");
    stall_error_hint(&e, "try %d", 4);
    assert_string_equal(e.source, "run\\x1B.json");
    assert_string_equal(e.hint, "try 4");
    stall_error_source(&e, NULL);
    assert_string_equal(e.source, "");
    memset(big, 'y', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    stall_error_set(&e, STALL_ELIMIT, 0, "%s", big);
    assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
    assert_string_equal(e.text + sizeof(e.text) - 5, "y...");
    assert_int_equal(stall_error_memory(&e), STALL_ENOMEM);
    assert_int_equal(e.status, STALL_ENOMEM);
    assert_int_equal(stall_error_set(NULL, STALL_EREAD, 0, "x"), STALL_EREAD);
    assert_int_equal(stall_error_memory(NULL), STALL_ENOMEM);
    stall_error_hint(NULL, "x");
    stall_error_source(NULL, "x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growable),  cmocka_unit_test(test_growable_fails),
        cmocka_unit_test(test_printable), cmocka_unit_test(test_printable_random),
        cmocka_unit_test(test_utf8),      cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
