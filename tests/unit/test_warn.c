/* Warnings and their vocabulary: src/base/warn.c, src/base/warn_terms.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "base/base.h"

static void test_counts(void **state)
{
    stall_warnings w = {0};
    const stall_warning *item;

    (void)state;
    assert_null(stall_warn_find(&w, STALL_WARN_bad_escape));
    assert_int_equal(stall_warn_add(&w, STALL_WARN_bad_escape, 2, 50, NULL, "at %d", 50), STALL_OK);
    assert_int_equal(stall_warn_add(&w, STALL_WARN_bad_escape, 3, 70, NULL, "at %d", 70), STALL_OK);
    item = stall_warn_find(&w, STALL_WARN_bad_escape);
    assert_int_equal(item->count, 5);
    assert_int_equal(item->offset, 50);
    assert_true(item->line == STALL_OFFSET_NONE);
    assert_string_equal(item->text, "at 50");
    stall_warn_add(&w, STALL_WARN_bad_escape, 1, 10, NULL, "at 10"); /* earlier in the file */
    assert_int_equal(item->offset, 10);
    assert_string_equal(item->text, "at 10");
    stall_warn_add(&w, STALL_WARN_bad_escape, 1, STALL_OFFSET_NONE, NULL, "nowhere");
    assert_string_equal(item->text, "at 10");
    assert_int_equal(item->count, 7);
    assert_false(w.partial);
    stall_warn_add(&w, STALL_WARN_bad_utf8, 0, 1, NULL, "none");
    assert_null(stall_warn_find(&w, STALL_WARN_bad_utf8));
    stall_warn_add(&w, STALL_WARN_bad_escape, UINT64_MAX, 90, NULL, "many");
    assert_true(item->count == UINT64_MAX);
}

static void test_order_and_partial(void **state)
{
    stall_warnings w = {0};

    (void)state;
    for (int code = STALL_WARN_COUNT - 1; code >= 0; code--) {
        if (code % 2)
            stall_warn_add_line(&w, (stall_warn_code)code, 1, 7, NULL, "x\n%d", code);
        else
            stall_warn_add(&w, (stall_warn_code)code, 1, 7, NULL, "x\n%d", code);
    }
    assert_int_equal(w.len, STALL_WARN_COUNT);
    for (size_t i = 0; i < w.len; i++) {
        assert_int_equal(w.items[i].code, i);
        assert_non_null(strstr(w.items[i].text, "x\\x0A"));
        assert_true((i % 2 ? w.items[i].line : w.items[i].offset) == 7);
    }
    assert_true(w.partial);
}

static void test_strict(void **state)
{
    stall_warnings w = {.strict = true};
    stall_error e;

    (void)state;
    assert_int_equal(stall_warn_add(&w, STALL_WARN_bom, 1, 0, &e, "a mark"), STALL_OK);
    assert_int_equal(stall_warn_add(&w, STALL_WARN_truncated, 1, 99, &e, "cut"), STALL_EFORMAT);
    assert_int_equal(e.status, STALL_EFORMAT);
    assert_int_equal(e.offset, 99);
    assert_string_equal(e.text, "cut");
    assert_non_null(strstr(e.hint, "truncated"));
    assert_true(w.partial);
    assert_int_equal(stall_warn_add_line(&w, STALL_WARN_bad_number, 1, 5, &e, "n"), STALL_EFORMAT);
    assert_int_equal(e.line, 5);
    assert_true(e.offset == STALL_OFFSET_NONE);
    assert_int_equal(stall_warn_add(&w, STALL_WARN_truncated, 1, 99, NULL, "cut"), STALL_EFORMAT);
}

static void test_long_text(void **state)
{
    stall_warnings w = {0};
    char big[1000];

    (void)state;
    memset(big, 'y', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    stall_warn_add(&w, STALL_WARN_bad_header, 1, 0, NULL, "%s", big);
    assert_int_equal(strlen(w.items[0].text), sizeof(w.items[0].text) - 1);
    stall_warn_add(&w, STALL_WARN_bad_utf8, 1, 0, NULL, "%s", "");
    assert_string_equal(stall_warn_find(&w, STALL_WARN_bad_utf8)->text,
                        stall_warn_term(STALL_WARN_bad_utf8)->words);
}

/* Every code has words in the house style and help worth reading. */
static void test_vocabulary(void **state)
{
    static const char *const names[] = {
#define X(name, partial, strict) #name,
        STALL_WARNING_CODES(X)
#undef X
    };

    (void)state;
    for (int code = 0; code < STALL_WARN_COUNT; code++) {
        const stall_term *t = stall_warn_term((stall_warn_code)code);

        assert_string_equal(t->code, names[code]);
        assert_string_equal(stall_warn_name((stall_warn_code)code), names[code]);
        assert_true(strlen(t->words) > 8 && strlen(t->words) < 80);
        assert_false(isupper((unsigned char)t->words[0]) && islower((unsigned char)t->words[1]));
        assert_true(t->words[strlen(t->words) - 1] != '.');
        assert_null(strchr(t->words, '_'));
        assert_true(strlen(t->help) > 80);
        assert_true(t->help[strlen(t->help) - 1] == '.');
        assert_null(strchr(t->help, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_order_and_partial),
        cmocka_unit_test(test_strict),     cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_vocabulary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
