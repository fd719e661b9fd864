/* JSON-lines logs: src/read/read_jsonl.c with json_row.c; rows with events go to the reader of
 * TraceML's export. */
#include "table_support.h"

#define U STALL_UNKNOWN

static void probe_rows(void **state)
{
    static const char text[] =
        "{\"type\": \"meta\", \"num_workers\": 4, \"torch\": \"1.13\", \"prefetch_factor\": null, "
        "\"l\": [1, {\"a\": \"b c\"}]}\n"
        "{\"type\": \"step\", \"step\": 0, \"wait_ms\": 470.433, \"step_ms\": 490.88, "
        "\"worker_id\": "
        "null, \"worker_pid\": 19479, \"batch_rank\": 0, \"worker_pids\": \"19479;2\", \"majflt\": "
        "3}\n"
        "{\"type\": \"step\", \"step\": 1, \"wait_ms\": null, \"step_ms\": null, \"worker_id\": 1, "
        "\"worker_pid\": 19479, \"batch_rank\": 1, \"worker_pids\": [19479, 2], \"majflt\": 4}\n"
        "{\"type\": \"summary\", \"mean_ms\": 257.473, \"stalls\": 16}\n";
    stall_series s;

    (void)state;
    read_good(text, NULL, &s);
    assert_string_equal(s.format, "jsonl");
    assert_int_equal(s.len, 2);
    assert_int_equal(s.rows[0].wait_ns, 470433000);
    assert_int_equal(s.rows[0].step_ns, 490880000);
    assert_int_equal(s.rows[1].wait_ns, U);
    assert_int_equal(s.worker_id[0], 0);
    assert_string_equal(s.strings[s.worker_id[1]], "1");
    assert_int_equal(s.worker_pids[0], s.worker_pids[1]);
    assert_int_equal(s.counters_len, 1);
    assert_true(counter(&s, "majflt")->values[1] == 4);
    assert_int_equal(s.warnings.len, 0);
    assert_int_equal(s.meta_len, 4);
    assert_int_equal(stall_series_meta_int(&s, "num_workers"), 4);
    assert_string_equal(stall_series_meta(&s, "torch"), "1.13");
    assert_string_equal(stall_series_meta(&s, "l"), "[1,{\"a\":\"b c\"}]");
    stall_series_close(&s);
}

static void values(void **state)
{
    static const struct {
        const char *value;
        int64_t ns;
    } table[] = {
        {"1.5", 1500000},
        {"\"1.5\"", 1500000},
        {"NaN", U},
        {"-Infinity", U},
        {"null", U},
        {"-1", U},
        {"true", U},
        {"{\"a\": 1}", U},
        {"1e-3", 1000},
        {"9007199254.740993", INT64_C(9007199254740993)}, /* exact beyond a double */
        {"\"\\u0034\"", 4 * MS},
    };
    char text[200];
    stall_series s;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        snprintf(text, sizeof(text), "{\"step\": 1, \"worker_id\": \"\\\"NaN\", \"wait_ms\": %s}\n",
                 table[i].value);
        read_good(text, NULL, &s);
        assert_int_equal(s.rows[0].wait_ns, table[i].ns);
        stall_series_close(&s);
    }
}

static void keys(void **state)
{
    stall_read_options o = {.wait_col = "data:s", .step_col = "it", .dur_col = "time_s"};
    stall_series s;
    stall_error error;

    (void)state;
    read_good(
        "{\"it\": 4, \"data\": 0.5, \"time_s\": 1}\n{\"time_s\": 1, \"it\": 5, \"data\": 2}\n", &o,
        &s);
    assert_int_equal(s.rows[0].wait_ns, 500 * MS);
    assert_int_equal(s.rows[1].wait_ns, 2000 * MS);
    assert_int_equal(s.rows[1].step, 5);
    assert_int_equal(s.rows[1].step_ns, 1000 * MS);
    stall_series_close(&s);
    /* a key that turns up late */
    read_good(
        "{\"step\": 0, \"step_ms\": 5}\n{\"step\": 1, \"wait\\u005fms\": 2, \"step_ms\": 5}\n",
        NULL, &s);
    assert_int_equal(s.rows[0].wait_ns, U);
    assert_int_equal(s.rows[1].wait_ns, 2 * MS);
    stall_series_close(&s);
    assert_int_equal(
        read_text("{\"step\": 0, \"loss\": 5}\n{\"step\": 1, \"loss\": 2}\n", NULL, &s, &error),
        STALL_ENODATA);
    assert_non_null(strstr(error.text, "step, loss"));
    assert_non_null(strstr(error.hint, "--wait-col"));
    stall_series_close(&s);
    read_good("{\"wait_ms\": 1, \"wait_ms\": 2}\n", NULL, &s); /* the last one counts */
    assert_int_equal(s.rows[0].wait_ns, 2 * MS);
    stall_series_close(&s);
}

static void damage(void **state)
{
    stall_read_options jsonl = {.format = "jsonl"};
    stall_series s;
    stall_error error;

    (void)state;
    read_good(
        "{\"wait_ms\": 1}\n{\"wait_ms\": 2\n\n[1]\nhello\n{\"wait_ms\": 3} {}\n{\"wait_ms\": 4}\n"
        "{\"wait_ms\": 5",
        &jsonl, &s);
    assert_int_equal(s.len, 2);
    assert_int_equal(s.rows[1].wait_ns, 4 * MS);
    assert_int_equal(s.rows[1].step, 5); /* lost rows keep their numbers */
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 2);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->line, 2);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 2);
    assert_int_equal(warned(&s, STALL_WARN_truncated), 1);
    assert_true(s.warnings.partial);
    stall_series_close(&s);
    assert_int_equal(read_text("hello\nworld\n", &jsonl, &s, &error), STALL_EFORMAT);
    stall_series_close(&s);
    assert_int_equal(read_text("{}\n{}\n", &jsonl, &s, &error), STALL_ENODATA);
    stall_series_close(&s);
}

/* clang-format off */
#define EVENT(name, body) "\"_traceml_internal:" name "\": {\"cpu\": {" body "}}"
#define GPU_EVENT                                                                                  \
    "\"_traceml_internal:dataloader_next\": {"                                                     \
    "\"cuda:0\": {\"duration_ms\": 9, \"cpu_ms\": 2.5, \"gpu_ms\": 7}, \"cpu\": {\"cpu_ms\": 1}}"
static const char event_rows[] =
    "{\"seq\": 0, \"timestamp\": 10.0, \"step\": 0, \"events\": {"
    EVENT("step_time", "\"duration_ms\": 200.0, \"is_gpu\": false") ", "
    EVENT("dataloader_next", "\"is_gpu\": false, \"duration_ms\": 1.5, \"n_calls\": 1") "}}\n"
    "{\"seq\": 1, \"timestamp\": 10.25, \"step\": 1, \"events\": {"
    EVENT("step_time", "\"duration_ms\": 200.0") "}}\n"
    "{\"seq\": 2, \"timestamp\": 10.5, \"step\": 2, \"events\": {" GPU_EVENT "}}\n"
    "{\"seq\": 3, \"timestamp\": 10.75, \"step\": 3, \"events\": {"
    EVENT("dataloader_next", "\"duration_ms\": 9, \"is_gpu\": true") "}}\n"
    "{\"seq\": 4, \"timestamp\": 11, \"step\": 4, \"events\": {"
    EVENT("dataloader_next", "\"duration_ms\": null, \"cpu_ms\": -1") "}}\n"
    "{\"seq\": 5, \"step\": 6, \"events\": {}}\n";
/* clang-format on */

static void events(void **state)
{
    static const int64_t waits[] = {1500000, U, 3500000, U, U};
    static const int64_t times[] = {201500000, 250 * MS, 250 * MS, 250 * MS, 250 * MS};
    stall_series s;

    (void)state;
    read_good(event_rows, NULL, &s);
    assert_int_equal(s.len, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(s.rows[i].wait_ns, waits[i]);
        assert_int_equal(s.rows[i].step_ns, times[i]);
    }
    assert_int_equal(s.rows[0].fetches, 1);
    assert_true(counter(&s, "traced_step_ms")->values[0] == 200);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 1);
    stall_series_close(&s);
}

static void chunks(void **state)
{
    static const char text[] =
        "{\"type\":\"meta\",\"a\":1}\r\n{\"step\":0,\"wait_ms\":1.5}\r\n"
        "{\"step\":1,\"wait_ms\":NaN,\"b\":\"x\"}\n{\"step\":2,\"wait_ms\":2}";
    stall_series s;
    stall_error error;

    (void)state;
    for (size_t chunk = 1; chunk <= sizeof(text); chunk++) {
        assert_int_equal(read_bytes(text, sizeof(text) - 1, chunk, false, NULL, &s, &error),
                         STALL_OK);
        assert_int_equal(s.len, 3);
        assert_int_equal(s.rows[2].wait_ns, 2 * MS);
        assert_int_equal(s.warnings.len, 0);
        stall_series_close(&s);
    }
}

static void no_memory(void **state)
{
    static const char text[] =
        "{\"type\":\"meta\",\"a\":1}\n"
        "{\"step\":0,\"wait_ms\":NaN,\"worker_pids\":[1,2],\"c\":\"x\",\"d\":7}\n"
        "{\"step\":1,\"wait_ms\":1,\"worker_id\":3,\"batch_rank\":4,\"e\":1}\n";
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

static void random_text(void **state)
{
    static const char alphabet[] = "{}[]\"\":,,1234.-eN\\u\n wait_ms";
    stall_read_options jsonl = {.format = "jsonl"};
    uint32_t seed = 4711;
    char text[300];
    stall_series s;
    stall_error error;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        strcpy(text,
               "{\"step\":0,\"wait_ms\":1,\"a\":[1,2],\"b\":{\"c\":\"d\"},\"worker_id\":\"x\"}\n"
               "{\"step\":1,\"wait_ms\":1,\"a\":\"\\u0041\",\"type\":\"step\"}\n");
        for (size_t k = 0; k < 1 + (size_t)i % 6; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[(seed >> 16) % strlen(text)] = alphabet[(seed >> 8) % (sizeof(alphabet) - 1)];
        }
        (void)read_bytes(text, strlen(text), 1 + i % 50, false, &jsonl, &s, &error);
        stall_series_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_rows), cmocka_unit_test(values),      cmocka_unit_test(keys),
        cmocka_unit_test(damage),     cmocka_unit_test(events),      cmocka_unit_test(chunks),
        cmocka_unit_test(no_memory),  cmocka_unit_test(random_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
