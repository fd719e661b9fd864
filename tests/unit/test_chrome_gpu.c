/* The union of GPU work: against a bitmap, in any order, and when it must be made smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "read/read.h"

static uint64_t seed = 1;

static uint64_t rnd(uint64_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % n;
}

static void add(stall_chrome_gpu *g, int64_t start, int64_t end, const stall_chrome_wait *waits,
                size_t n)
{
    assert_int_equal(stall_chrome_gpu_add(g, start, end, waits, n, NULL), STALL_OK);
}

static void test_against_bitmap(void **state)
{
    enum { SIZE = 20000 };
    static unsigned char busy[SIZE];
    stall_chrome_gpu g;
    int64_t i, k, a, b, want;

    (void)state;
    stall_chrome_gpu_init(&g);
    for (i = 0; i < 9000; i++) { /* more than two batches */
        a = (int64_t)rnd(SIZE - 10);
        b = a + (int64_t)rnd(3);
        add(&g, a, b, NULL, 0);
        for (k = a; k < b; k++)
            busy[k] = 1;
    }
    assert_int_equal(stall_chrome_gpu_settle(&g, NULL, 0, NULL), STALL_OK);
    for (i = 0; i < 2000; i++) {
        a = (int64_t)rnd(SIZE);
        b = a + (int64_t)rnd((uint64_t)(SIZE - a));
        for (k = a, want = 0; k < b; k++)
            want += busy[k];
        assert_int_equal(stall_chrome_gpu_covered(&g, a, b, 0), want);
    }
    stall_chrome_gpu_close(&g);
}

/* Far more intervals than the soft limit: a known wait keeps its gaps, the rest is closed. */
static void test_bounded(void **state)
{
    stall_chrome_wait wait = {.start = 10000, .end = 20000};
    stall_chrome_gpu g;
    int64_t i;

    (void)state;
    stall_chrome_gpu_init(&g);
    for (i = 0; i < 200000; i++)
        add(&g, i * 100, i * 100 + 40, &wait, 1);
    assert_int_equal(stall_chrome_gpu_settle(&g, &wait, 1, NULL), STALL_OK);
    assert_true(g.len <= STALL_CHROME_GPU_SOFT);
    assert_false(g.gave_up);
    assert_int_equal(stall_chrome_gpu_covered(&g, wait.start, wait.end, 0), 4000);
    assert_true(g.filled_lo < g.filled_hi);
    stall_chrome_gpu_close(&g);
}

/* Gaps over a second stay open, and what cannot be made smaller is given up. */
static void test_gives_up(void **state)
{
    const int64_t second = 2000000000;
    stall_chrome_gpu g;
    int64_t i;

    (void)state;
    stall_chrome_gpu_init(&g);
    for (i = 0; i < (int64_t)STALL_CHROME_GPU_HARD + STALL_CHROME_GPU_BATCH; i++)
        add(&g, i * second, i * second + 1, NULL, 0);
    assert_int_equal(stall_chrome_gpu_settle(&g, NULL, 0, NULL), STALL_OK);
    assert_true(g.gave_up);
    assert_int_equal(g.len, 0);
    stall_chrome_gpu_close(&g);
}

static void test_far_away(void **state)
{
    stall_chrome_gpu g;

    (void)state;
    stall_chrome_gpu_init(&g);
    assert_int_equal(stall_chrome_gpu_covered(&g, 0, 100, 0), 0);
    add(&g, 5, 5, NULL, 0);
    assert_true(g.seen);
    add(&g, 0, 3 * STALL_CHROME_DAY_NS, NULL, 0);
    assert_int_equal(stall_chrome_gpu_settle(&g, NULL, 0, NULL), STALL_OK);
    assert_int_equal(stall_chrome_gpu_covered(&g, 10, 20, 10), 10);
    assert_int_equal(stall_chrome_gpu_covered(&g, 2 * STALL_CHROME_DAY_NS,
                                              2 * STALL_CHROME_DAY_NS + 9, 2 * STALL_CHROME_DAY_NS),
                     0);
    stall_chrome_gpu_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_bitmap),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
