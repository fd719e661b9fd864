/* TraceML rows as a series: src/read/traceml_run.c. */
#include "table_support.h"

#include "read/traceml.h"

#define U STALL_UNKNOWN

/* A good row: wait 10 ms, traced 5 ms, end of the step at `stamp` ms. */
static stall_traceml_row good(int64_t rank, int64_t step, int64_t seq, int64_t stamp)
{
    stall_traceml_row row;

    stall_traceml_row_init(&row);
    row.rank = rank;
    row.step = step;
    row.seq = seq;
    row.stamp_ns = stamp * MS;
    row.wait_ns = 10 * MS;
    row.traced_ns = 5 * MS;
    row.calls = 1;
    row.phases = 5;
    row.fetched = true;
    return row;
}

static stall_status series_of(const stall_traceml_row *rows, size_t len, bool no_arrival,
                              stall_series *s, stall_error *error)
{
    stall_traceml_run run = {.no_arrival = no_arrival};
    stall_status status = STALL_OK;

    stall_series_init(s);
    for (size_t i = 0; i < len && status == STALL_OK; i++)
        status = stall_traceml_run_push(&run, &rows[i], error);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, s, error);
    assert_true(status != STALL_OK || run.len == len);
    stall_traceml_run_close(&run);
    return status;
}

static void read_rows(const stall_traceml_row *rows, size_t len, stall_series *s)
{
    stall_error error;

    assert_int_equal(series_of(rows, len, false, s, &error), STALL_OK);
}

/* Rows of two ranks come mixed; step times are those between the ends of steps. */
static void ranks(void **state)
{
    const stall_traceml_row rows[] = {good(1, 1, 1, 100), good(0, 1, 1, 101), good(0, 2, 1, 131),
                                      good(1, 2, 1, 140), good(1, 3, 2, 145), good(0, 4, 2, 200)};
    static const int64_t steps[] = {1, 2, 4, 1, 2, 3};
    static const int64_t times[] = {15 * MS, 30 * MS, 15 * MS, 15 * MS, 40 * MS, 15 * MS};
    stall_series s;

    (void)state;
    read_rows(rows, 6, &s);
    assert_int_equal(s.len, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(s.rows[i].rank, i / 3);
        assert_int_equal(s.rows[i].step, steps[i]);
        assert_int_equal(s.rows[i].epoch, U);
        assert_int_equal(s.rows[i].wait_ns, 10 * MS);
        assert_int_equal(s.rows[i].step_ns, times[i]);
        assert_int_equal(s.rows[i].fetches, 1);
        assert_true(s.counters[0].values[i] == 5);
    }
    assert_string_equal(s.counters[0].name, "traced_step_ms");
    assert_int_equal(warned(&s, STALL_WARN_missing_steps), 1);
    assert_int_equal(s.warnings.len, 1);
    stall_series_close(&s);
}

static void step_times(void **state)
{
    stall_traceml_row rows[] = {good(0, 1, 1, 100), good(0, 2, 1, 50),  good(0, 3, 1, 80),
                                good(0, 4, 1, 120), good(0, 5, 1, 130), good(0, 6, 1, 0)};
    static const int64_t times[] = {U, 15 * MS, 30 * MS, 40 * MS + 1, 10 * MS, U};
    stall_series s;

    (void)state;
    rows[0].calls = 4; /* counted twice in wait and traced time */
    rows[3].wait_ns = U;
    rows[5].wait_ns = U; /* and the clock went back */
    rows[4].stamp_ps = 600;
    rows[3].stamp_ps = 999;
    read_rows(rows, 6, &s);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(s.rows[i].step_ns, times[i]);
    assert_int_equal(warned(&s, STALL_WARN_several_fetches), 1);
    stall_series_close(&s);
}

/* Step or tick of a rank falls: another launch, with rows that all count. */
static void launches(void **state)
{
    const stall_traceml_row rows[] = {good(0, 1, 1, 100), good(0, 2, 1, 120), good(0, 1, 1, 500),
                                      good(0, 2, 2, 520), good(0, 3, 1, 900), good(0, 4, 1, 920)};
    stall_series s;

    (void)state;
    read_rows(rows, 6, &s);
    assert_int_equal(s.len, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(s.rows[i].epoch, i / 2);
    assert_int_equal(s.rows[4].step_ns, 15 * MS); /* not from the launch before */
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 2);
    assert_int_equal(warned(&s, STALL_WARN_missing_steps), 0);
    stall_series_close(&s);
}

static void aborted(void **state)
{
    stall_traceml_row rows[] = {good(0, 1, 1, 100), good(0, 1, 1, 110), good(0, 2, 1, 120),
                                good(0, 2, 1, 130), good(0, 2, 1, 140), good(0, 3, 1, 150)};
    stall_series s;

    (void)state;
    rows[1].wait_ns = MS;
    rows[2].phases = 2;
    rows[4].wait_ns = MS;
    read_rows(rows, 6, &s);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[0].wait_ns, 10 * MS); /* the first of equal ones */
    assert_int_equal(s.rows[1].step_ns, 30 * MS); /* the fullest, first */
    assert_int_equal(warned(&s, STALL_WARN_aborted_step), 3);
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 0);
    stall_series_close(&s);
}

/* Sorted rows: one of two launches cannot be told from an aborted step but by its phases. */
static void no_arrival(void **state)
{
    stall_traceml_row rows[] = {good(0, 1, U, 100), good(0, 1, U, 110), good(0, 2, U, 120)};
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(series_of(rows, 3, true, &s, &error), STALL_EFORMAT);
    assert_non_null(strstr(error.hint, "database"));
    stall_series_close(&s);
    rows[1].phases = 2;
    assert_int_equal(series_of(rows, 3, true, &s, &error), STALL_OK);
    assert_int_equal(s.len, 2);
    stall_series_close(&s);
}

static void without_waits(void **state)
{
    stall_traceml_row rows[] = {good(0, 1, 1, 100), good(0, 2, 1, 120),
                                good(0, 3, 1, 140), good(0, U, 1, 150),
                                good(-1, 1, 1, 1),  good(INT64_C(1) << 40, 1, 1, 1)};
    stall_series s;
    stall_error error;

    (void)state;
    rows[1].fetched = false;
    rows[1].wait_ns = rows[1].calls = U;
    read_rows(rows, 6, &s);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[1].wait_ns, U);
    assert_int_equal(s.rows[1].step_ns, 20 * MS);
    assert_int_equal(s.rows[1].fetches, -1);
    assert_int_equal(warned(&s, STALL_WARN_steps_without_wait), 1);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 3);
    stall_series_close(&s);
    assert_int_equal(series_of(rows + 1, 1, false, &s, &error), STALL_ENODATA);
    stall_series_close(&s);
    assert_int_equal(series_of(rows + 3, 3, false, &s, &error), STALL_ENODATA);
    stall_series_close(&s);
    assert_int_equal(series_of(NULL, 0, false, &s, &error), STALL_ENODATA);
    stall_series_close(&s);
}

static void windows(void **state)
{
    stall_traceml_row rows[] = {good(0, 10, 1, 100), good(0, 20, 1, 120), good(0, 40, 1, 140)};
    stall_series s;

    (void)state;
    read_rows(rows, 3, &s);
    assert_true(s.aggregated);
    assert_int_equal(warned(&s, STALL_WARN_aggregated_rows), 3);
    assert_int_equal(warned(&s, STALL_WARN_missing_steps), 0);
    stall_series_close(&s);
    rows[1].step = 11;
    read_rows(rows, 3, &s);
    assert_false(s.aggregated);
    assert_int_equal(warned(&s, STALL_WARN_missing_steps), 28);
    stall_series_close(&s);
    rows[0].window = true;
    read_rows(rows, 3, &s);
    assert_true(s.aggregated);
    stall_series_close(&s);
}

static void accumulation(void **state)
{
    stall_traceml_row rows[8];
    stall_series s;

    (void)state;
    for (int i = 0; i < 8; i++) {
        rows[i] = good(0, i + 1, 1, 100 + 20 * i);
        rows[i].calls = i < 7 ? 4 : 1;
    }
    read_rows(rows, 8, &s);
    assert_int_equal(warned(&s, STALL_WARN_several_fetches), 7);
    assert_non_null(
        strstr(stall_warn_find(&s.warnings, STALL_WARN_several_fetches)->text, "accumulation"));
    stall_series_close(&s);
}

static void no_memory(void **state)
{
    const stall_traceml_row rows[] = {good(0, 1, 1, 100), good(0, 2, 1, 120), good(1, 1, 1, 130)};
    stall_series s;
    stall_error error;
    stall_status status = STALL_ENOMEM;

    (void)state;
    for (uint64_t n = 1; status == STALL_ENOMEM; n++) {
        stall_mem_fail_at(n);
        status = series_of(rows, 3, false, &s, &error);
        stall_mem_fail_at(0);
        stall_series_close(&s);
        assert_true(n < 100);
    }
    assert_int_equal(status, STALL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks),   cmocka_unit_test(step_times),   cmocka_unit_test(launches),
        cmocka_unit_test(aborted), cmocka_unit_test(no_arrival),   cmocka_unit_test(without_waits),
        cmocka_unit_test(windows), cmocka_unit_test(accumulation), cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
