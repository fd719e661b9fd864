/* Members of an event, and unescaped text: src/json/members.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/json.h"

/* The members as key=value; each, from memory of exactly that size; what a walk that ends leaves
 * behind stands after a bar. */
static const char *walk(const char *text, size_t len)
{
    static char out[1024];
    unsigned char *copy = malloc(len + 1);
    size_t pos = 0, n = 0;
    stall_member m;

    /* At the end of the block, so that reading past it is caught. */
    memcpy(copy + 1, text, len);
    out[0] = '\0';
    while (stall_json_member_next(copy + 1, len, &pos, &m)) {
        n += (size_t)snprintf(out + n, sizeof(out) - n, "%.*s=%.*s;", (int)m.key.len,
                              (const char *)m.key.data, (int)m.value.len,
                              (const char *)m.value.data);
        assert_true(m.key.data == copy + 1 + m.key.offset);
        assert_true(m.value.data == copy + 1 + m.value.offset);
        assert_true(pos <= len);
    }
    if (m.key.data != NULL)
        snprintf(out + n, sizeof(out) - n, "|%.*s=%.*s", (int)m.key.len, (const char *)m.key.data,
                 (int)m.value.len, m.value.data != NULL ? (const char *)m.value.data : "");
    assert_false(stall_json_member_next(copy + 1, len, &pos, &m) && len == 0);
    free(copy);
    return out;
}

static void check(const char *text, const char *expected)
{
    assert_string_equal(walk(text, strlen(text)), expected);
}

static void test_walk(void **state)
{
    (void)state;
    check("{}", "");
    check(" { } ", "");
    check("{\"a\":1}", "a=1;");
    check("{ \"a\" : 1 , \"b\"\n:\t[1,{\"c\":2},\"x]\"] \r\n}", "a=1;b=[1,{\"c\":2},\"x]\"];");
    check("{\"args\":{\"name\":\"x\",\"ts\":1},\"ts\":2}", "args={\"name\":\"x\",\"ts\":1};ts=2;");
    check("{\"a\\\"b\":\"c\\\\\",\"d\":\"}{,\\\"\"}", "a\\\"b=\"c\\\\\";d=\"}{,\\\"\";");
    check("{\"\":\"\",\"n\":null,\"t\":true}", "=\"\";n=null;t=true;");
    check("{\"long key that is longer than sixteen bytes\":\"text, also longer than sixteen\"}",
          "long key that is longer than sixteen bytes=\"text, also longer than sixteen\";");
    check("{\"\xc3\xa9\":\"\xff\x01\"}", "\xc3\xa9=\"\xff\x01\";");
}

/* What the scanner lets pass with a warning. */
static void test_recovered(void **state)
{
    (void)state;
    check("{\"a\":inf,\"b\":N/A ,\"c\":-nan}", "a=inf;b=N/A;c=-nan;");
    check("{\"a\":,\"b\": }", "a=;b=;");
    check("{,\"a\":1,,\"b\":2,}", "a=1;b=2;");
    check("{\"a\":\"\\c\\\"}", "|a=\"\\c\\\"}");
}

/* Damaged: the slice stops anywhere. A member counts when its delimiter is there; the one that was
 * cut is left in the result. */
static void test_cut(void **state)
{
    static const char text[] = "{\"ph\":\"X\",\"name\":\"a\"b\",\"ts\":1}";

    (void)state;
    assert_string_equal(walk(text, 0), "");
    assert_string_equal(walk(text, 1), "");
    assert_string_equal(walk(text, 3), "");
    assert_string_equal(walk(text, 4), "");
    assert_string_equal(walk(text, 5), "|ph=");
    assert_string_equal(walk(text, 6), "|ph=");
    assert_string_equal(walk(text, 9), "|ph=\"X\"");
    assert_string_equal(walk(text, 10), "ph=\"X\";");
    assert_string_equal(walk(text, 18), "ph=\"X\";|name=\"");
    assert_string_equal(walk(text, 20), "ph=\"X\";|name=\"a\"");
    check("[1]", "");
    check("\"a\"", "");
    check("{1:2}", "");
    check("{\"a\" 1}", "|a=");
    check("{\"a\":1]", "|a=1");
}

static void check_text(const char *text, const char *expected)
{
    size_t len = strlen(text);
    char dst[64];
    unsigned char *copy = malloc(len + 1);

    memcpy(copy + 1, text, len);
    assert_int_equal(stall_json_unescape(copy + 1, len, dst, sizeof(dst)), strlen(expected));
    assert_string_equal(dst, expected);
    free(copy);
}

static void test_unescape(void **state)
{
    char dst[8];

    (void)state;
    check_text("", "");
    check_text("\"\"", "");
    check_text("\"abc\"", "abc");
    check_text("abc", "abc");
    check_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    check_text("\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    check_text("\\ud800x\\udc00\\ud800\\u0041", "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd"
                                                "A");
    check_text("torch\\cuda\\x", "torch\\cuda\\x");
    check_text("\\u12G4\\u", "\\u12G4\\u");
    check_text("\\", "\\");
    check_text("\\uDBFF\\uDFFF", "\xf4\x8f\xbf\xbf");
    /* Bytes with a NUL among them: the length tells. */
    assert_int_equal(stall_json_unescape((const unsigned char *)"a\\u0000b", 8, dst, 8), 3);
    assert_memory_equal(dst, "a\0b", 4);
    assert_int_equal(stall_json_unescape((const unsigned char *)"a\0b", 3, dst, 8), 3);
    assert_memory_equal(dst, "a\0b", 4);
    /* Too small: cut, but the whole length is told. */
    assert_int_equal(stall_json_unescape((const unsigned char *)"0123456789", 10, dst, 8), 10);
    assert_string_equal(dst, "0123456");
    assert_int_equal(stall_json_unescape((const unsigned char *)"0123456789", 10, dst, 1), 10);
    assert_string_equal(dst, "");
    assert_int_equal(stall_json_unescape((const unsigned char *)"01", 2, NULL, 0), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_recovered),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_unescape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
