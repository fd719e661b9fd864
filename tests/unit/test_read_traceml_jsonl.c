/* The JSON-lines export of TraceML: src/read/read_traceml_jsonl.c. */
#include "table_support.h"

#define U STALL_UNKNOWN
#define EV(ms) "\"events\":{\"_traceml_internal:dataloader_next\":{\"cpu\":{\"cpu_ms\":" ms "}}}}\n"
#define EV2(ms)                                                                        \
    "\"events\":{\"_traceml_internal:dataloader_next\":{\"cpu\":{\"cpu_ms\":" ms "}}," \
    "\"_traceml_internal:step_time\":{\"cpu\":{\"cpu_ms\":4}}}}\n"

/* Ids tell the order of arrival: here step 1 of a second launch came last. */
static void arrival(void **state)
{
    static const char text[] = "\xef\xbb\xbf{\"id\":3,\"seq\":1,\"step\":1,\"rank\":0,\"ts\":9."
                               "5," EV("3") "{\"id\":1,\"seq\":1,\"step\":1,\"rank\":0,\"ts\":1."
                                            "5," EV("1") "\n{\"id\":2,\"seq\":1,\"step\":2,"
                                                         "\"rank\":0,\"ts\":1.75," EV("NaN");
    stall_series s;

    (void)state;
    read_good(text, NULL, &s);
    assert_string_equal(s.format, "traceml-export");
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[0].wait_ns, MS);
    assert_int_equal(s.rows[1].wait_ns, U);
    assert_int_equal(s.rows[1].step_ns, 250 * MS);
    assert_int_equal(s.rows[1].epoch, 0);
    assert_int_equal(s.rows[2].wait_ns, 3 * MS);
    assert_int_equal(s.rows[2].epoch, 1);
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 1);
    stall_series_close(&s);
}

/* The older form is sorted: two whole rows of a step are two launches that are mixed. */
static void older_form(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(read_text("{\"step\":1,\"rank\":0," EV("1") "{\"step\":1,\"rank\":0," EV(
                                   "2") "{\"step\":2,\"rank\":0," EV("3"),
                               NULL, &s, &error),
                     STALL_EFORMAT);
    assert_non_null(strstr(error.hint, "aggregator/telemetry"));
    stall_series_close(&s);
    read_good("{\"step\":1,\"rank\":0," EV("1") "{\"step\":1,\"rank\":0," EV2("2"), NULL, &s);
    assert_int_equal(s.len, 1);
    assert_int_equal(s.rows[0].wait_ns, 2 * MS);
    assert_int_equal(warned(&s, STALL_WARN_aborted_step), 1);
    stall_series_close(&s);
    /* Rows that are not sorted stand as they came. */
    read_good("{\"step\":1," EV("1") "{\"step\":2," EV("2") "{\"step\":1," EV("3"), NULL, &s);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[2].epoch, 1);
    stall_series_close(&s);
}

static void damage(void **state)
{
    static const char text[] = "{\"step\":1,\"ev\n{\"step\":2," EV(
        "2") "{\"step\":3,\"events\":{}}\n"
             "{\"step\":4,\"events\":7}\nx\n{\"step\":5," EV("1") "{\"step\":6";
    stall_series s;

    (void)state;
    read_good(text, NULL, &s);
    assert_string_equal(s.format, "traceml-export");
    assert_int_equal(s.len, 2);
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 1);
    assert_int_equal(warned(&s, STALL_WARN_truncated), 1);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 3);
    assert_true(s.warnings.partial);
    stall_series_close(&s);
}

static void no_memory(void **state)
{
    static const char text[] = "{\"step\":1," EV("NaN") "{\"step\":2," EV("2");
    stall_series s;
    stall_error error;
    stall_status status = STALL_ENOMEM;

    (void)state;
    for (uint64_t n = 1; status == STALL_ENOMEM; n++) {
        stall_mem_fail_at(n);
        status = read_bytes(text, sizeof(text) - 1, 9, false, NULL, &s, &error);
        stall_mem_fail_at(0);
        stall_series_close(&s);
        assert_true(n < 1000);
    }
    assert_int_equal(status, STALL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrival),
        cmocka_unit_test(older_form),
        cmocka_unit_test(damage),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
