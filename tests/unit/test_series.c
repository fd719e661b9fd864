/* The growable step series: src/series/series.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "series/series.h"

static const stall_row row0 = {0, STALL_UNKNOWN, 5, STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN, 0,
                               -1};

/* Fills a series with all kinds of columns, each first seen in another row. */
static stall_status fill(stall_series *s, size_t rows)
{
    stall_row row = row0;
    stall_status status = STALL_OK;
    char text[32];
    size_t index;

    for (size_t i = 0; i < rows && status == STALL_OK; i++) {
        row.step = (int64_t)i;
        status = stall_series_push(s, &row, NULL);
        if (status == STALL_OK && i >= 3) {
            status = stall_series_counter(s, "loss", 4, &index, NULL);
            if (status == STALL_OK)
                stall_series_set_counter(s, index, (double)i);
        }
        if (status == STALL_OK && i >= 70)
            status = stall_series_set_batch_rank(s, (double)i / 2, NULL);
        if (status == STALL_OK && i % 2 == 1) {
            snprintf(text, sizeof(text), "worker %d", (int)(i % 4));
            status = stall_series_set_worker_id(s, text, strlen(text), NULL);
        }
        if (status == STALL_OK && i >= 5)
            status = stall_series_set_worker_pids(s, "11;12", 5, NULL);
        if (status == STALL_OK) {
            snprintf(text, sizeof(text), "key %d", (int)(i % 7));
            status = stall_series_set_meta(s, text, strlen(text), "1", 1, true, NULL);
        }
    }
    return status;
}

static void test_empty(void **state)
{
    stall_series s;

    (void)state;
    stall_series_init(&s);
    assert_null(stall_series_meta(&s, "x"));
    assert_true(stall_series_meta_int(&s, "x") == STALL_UNKNOWN);
    stall_series_close(&s);
    stall_series_close(&s);
    stall_series_close(NULL);
}

static void test_columns(void **state)
{
    stall_series s;
    char text[32];

    (void)state;
    stall_series_init(&s);
    assert_int_equal(fill(&s, 1000), STALL_OK);
    assert_int_equal(s.len, 1000);
    assert_int_equal(s.counters_len, 1);
    assert_string_equal(s.strings[0], "");
    assert_int_equal(s.strings_len, 4); /* "", two workers, one set of PIDs */
    for (size_t i = 0; i < s.len; i++) {
        assert_int_equal(s.rows[i].step, i);
        assert_true(i < 3 ? isnan(s.counters[0].values[i]) : s.counters[0].values[i] == (double)i);
        assert_true(i < 70 ? isnan(s.batch_rank[i]) : s.batch_rank[i] == (double)i / 2);
        snprintf(text, sizeof(text), "worker %d", (int)(i % 4));
        assert_string_equal(s.strings[s.worker_id[i]], i % 2 == 1 ? text : "");
        assert_string_equal(s.strings[s.worker_pids[i]], i < 5 ? "" : "11;12");
    }
    assert_int_equal(s.meta_len, 7);
    stall_series_close(&s);
}

static void test_names(void **state)
{
    stall_series s;
    size_t a, b;

    (void)state;
    stall_series_init(&s);
    assert_int_equal(stall_series_counter(&s, "a\nb", 3, &a, NULL), STALL_OK); /* before any row */
    assert_int_equal(stall_series_counter(&s, "a\nb", 3, &b, NULL), STALL_OK);
    assert_int_equal(a, b);
    assert_string_equal(s.counters[a].name, "a\\x0Ab");
    assert_int_equal(stall_series_push(&s, &row0, NULL), STALL_OK);
    assert_true(isnan(s.counters[a].values[0]));
    assert_int_equal(stall_series_set_worker_id(&s, "a", 1, NULL), STALL_OK);
    assert_int_equal(stall_series_push(&s, &row0, NULL), STALL_OK);
    assert_int_equal(s.worker_id[1], 0);
    assert_int_equal(stall_series_set_worker_id(&s, "a\0bc", 4, NULL), STALL_OK);
    assert_string_equal(s.strings[s.worker_id[1]], "a\\x00bc");
    assert_int_equal(stall_series_set_worker_id(&s, "", 0, NULL), STALL_OK);
    assert_int_equal(s.worker_id[1], 0);
    stall_series_close(&s);
}

static void test_limits(void **state)
{
    stall_series s;
    stall_error e;
    char text[32];
    size_t index;

    (void)state;
    stall_series_init(&s);
    for (int i = 0; i < STALL_COUNTERS_MAX; i++) {
        snprintf(text, sizeof(text), "c%d", i);
        assert_int_equal(stall_series_counter(&s, text, strlen(text), &index, &e), STALL_OK);
        assert_int_equal(index, i);
    }
    assert_int_equal(stall_series_counter(&s, "one more", 8, &index, &e), STALL_ELIMIT);
    assert_int_equal(e.status, STALL_ELIMIT);
    assert_true(e.hint[0] != '\0');
    assert_int_equal(stall_series_counter(&s, "c7", 2, &index, &e), STALL_OK);
    assert_int_equal(index, 7);
    for (int i = 0; i < STALL_META_MAX + 10; i++) {
        snprintf(text, sizeof(text), "k%d", i);
        assert_int_equal(stall_series_set_meta(&s, text, strlen(text), "v", 1, false, &e),
                         STALL_OK);
    }
    assert_int_equal(s.meta_len, STALL_META_MAX);
    assert_null(stall_series_meta(&s, "k260"));
    assert_int_equal(stall_series_set_meta(&s, "k3", 2, "new", 3, false, &e), STALL_OK);
    assert_string_equal(stall_series_meta(&s, "k3"), "new");
    stall_series_close(&s);
    stall_series_init(&s);
    s.len = STALL_ROWS_MAX;
    assert_int_equal(stall_series_push(&s, &row0, &e), STALL_ELIMIT);
    s.len = 0;
    stall_series_close(&s);
}

static void meta_int(stall_series *s, const char *value, int64_t want)
{
    stall_series_set_meta(s, "n", 1, value, strlen(value), true, NULL);
    assert_true(stall_series_meta_int(s, "n") == want);
}

static void test_meta(void **state)
{
    stall_series s;
    char big[6000];

    (void)state;
    stall_series_init(&s);
    meta_int(&s, "4", 4);
    meta_int(&s, "4.0", 4);
    meta_int(&s, "1e3", 1000);
    meta_int(&s, "0", 0);
    meta_int(&s, "4.5", STALL_UNKNOWN);
    meta_int(&s, "-1", STALL_UNKNOWN);
    meta_int(&s, "four", STALL_UNKNOWN);
    meta_int(&s, "", STALL_UNKNOWN);
    assert_false(s.meta[0].raw); /* nothing is no JSON value */
    meta_int(&s, "99999999999999999999", STALL_UNKNOWN);
    assert_true(s.meta[0].raw);
    stall_series_set_meta(&s, "n", 1, "[1,\n2]", 6, true, NULL);
    assert_string_equal(stall_series_meta(&s, "n"), "[1,\\x0A2]");
    assert_false(s.meta[0].raw); /* it is no JSON any more */
    memset(big, '7', sizeof(big));
    stall_series_set_meta(&s, "n", 1, big, sizeof(big), true, NULL);
    assert_int_equal(strlen(stall_series_meta(&s, "n")), STALL_META_VALUE_MAX - 1);
    assert_false(s.meta[0].raw);
    assert_int_equal(s.meta_len, 1);
    stall_series_close(&s);
}

/* Whichever allocation fails, the series says so, stays whole and can be closed. */
static void test_memory(void **state)
{
    uint64_t before = stall_mem_calls(), calls;
    stall_series s;

    (void)state;
    stall_series_init(&s);
    assert_int_equal(fill(&s, 200), STALL_OK);
    calls = stall_mem_calls() - before;
    stall_series_close(&s);
    for (uint64_t n = 1; n <= calls; n++) {
        stall_series_init(&s);
        stall_mem_fail_at(n);
        assert_int_equal(fill(&s, 200), STALL_ENOMEM);
        assert_int_equal(fill(&s, 300), STALL_OK); /* it may go on */
        assert_true(s.len >= 300);
        stall_series_close(&s);
    }
    stall_mem_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_names), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_meta),  cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
