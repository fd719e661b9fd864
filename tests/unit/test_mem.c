/* Allocation and arenas: src/base/mem.c, src/base/arena.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"

static void test_sizes(void **state)
{
    unsigned char *p;
    char *text;

    (void)state;
    p = stall_mem_alloc(0, 8);
    assert_non_null(p);
    stall_mem_free(p);
    p = stall_mem_zero(3, 5);
    for (int i = 0; i < 15; i++)
        assert_int_equal(p[i], 0);
    p = stall_mem_resize(p, 0, 5);
    assert_non_null(p);
    stall_mem_free(p);
    assert_null(stall_mem_alloc(SIZE_MAX / 2, 3));
    assert_null(stall_mem_zero(SIZE_MAX, SIZE_MAX));
    assert_null(stall_mem_resize(NULL, SIZE_MAX, 1));
    assert_null(stall_mem_text("", SIZE_MAX));
    text = stall_mem_text("abc", 2);
    assert_string_equal(text, "ab");
    stall_mem_free(text);
    text = stall_mem_text(NULL, 0);
    assert_string_equal(text, "");
    stall_mem_free(text);
    stall_mem_free(NULL);
}

static void test_fail_at(void **state)
{
    uint64_t calls = stall_mem_calls();
    void *p, *q;

    (void)state;
    stall_mem_fail_at(2);
    p = stall_mem_alloc(1, 1);
    assert_non_null(p);
    assert_null(stall_mem_alloc(1, 1));
    q = stall_mem_alloc(1, 1); /* only the one */
    assert_non_null(q);
    assert_int_equal(stall_mem_calls(), calls + 3);
    stall_mem_fail_at(1);
    stall_mem_fail_at(0);
    p = stall_mem_resize(p, 2, 1);
    assert_non_null(p);
    stall_mem_free(p);
    stall_mem_free(q);
}

static void test_grow(void **state)
{
    void *array = NULL;
    size_t cap = 0, before;
    uint64_t calls = stall_mem_calls();

    (void)state;
    for (size_t i = 0; i < 100000; i++) {
        assert_true(stall_mem_grow(&array, &cap, i + 1, sizeof(uint32_t)));
        ((uint32_t *)array)[i] = (uint32_t)i;
    }
    assert_true(stall_mem_calls() - calls < 20);
    before = cap;
    assert_false(stall_mem_grow(&array, &cap, SIZE_MAX / 2, sizeof(uint32_t)));
    stall_mem_fail_at(1);
    assert_false(stall_mem_grow(&array, &cap, cap + 1, sizeof(uint32_t)));
    assert_int_equal(cap, before);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(((uint32_t *)array)[i], i);
    stall_mem_free(array);
}

static void test_arena(void **state)
{
    stall_arena a;
    char *texts[2000], *big;
    char want[32];

    (void)state;
    stall_arena_init(&a);
    for (int i = 0; i < 2000; i++) {
        texts[i] = stall_arena_printf(&a, "text number %d", i);
        assert_non_null(texts[i]);
        assert_int_equal((uintptr_t)texts[i] % sizeof(void *), 0);
        if (i == 1000) {
            big = stall_arena_alloc(&a, 100000);
            assert_non_null(big);
            memset(big, 'x', 100000);
        }
    }
    assert_non_null(stall_arena_alloc(&a, 0));
    for (int i = 0; i < 2000; i++) {
        snprintf(want, sizeof(want), "text number %d", i);
        assert_string_equal(texts[i], want);
    }
    assert_null(stall_arena_alloc(&a, SIZE_MAX));
    assert_null(stall_arena_alloc(&a, SIZE_MAX - 64));
    stall_mem_fail_at(1);
    assert_null(stall_arena_alloc(&a, 50000));
    assert_non_null(stall_arena_alloc(&a, 50000));
    stall_arena_close(&a);
    stall_arena_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_fail_at),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_arena),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
