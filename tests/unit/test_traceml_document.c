/* Summaries and manifests of TraceML are named: src/read/traceml_document.c. */
#include "table_support.h"

static void says(const char *text, stall_status want, const char *part)
{
    stall_series s;
    stall_error error;

    for (size_t chunk = 1; chunk < 4096; chunk *= 4) {
        assert_int_equal(read_bytes(text, strlen(text), chunk, false, NULL, &s, &error), want);
        if (strstr(error.text, part) == NULL)
            fail_msg("%s\nwant in it: %s", error.text, part);
        stall_series_close(&s);
    }
}

/* Each shape that a summary has had. */
static void summaries(void **state)
{
    (void)state;
    says("{\"schema_version\": 1.9, \"step_time\": {\"global\": {\"average\": {\"input_wait_ms\": "
         "1.25, \"step_time_ms\": 7, \"traced_step_time_ms\": 5}}}}",
         STALL_ENODATA, "schema 1.9: mean input wait 1.250 ms, mean step time 7.000 ms");
    says(
        "\xef\xbb\xbf{\n\"schema_version\": 1.6, \"step_time\": {\"global\": {\"average\": {"
        "\"total_step_ms\": 9, \"dataloader_ms\": 2, \"input_wait_ms\": 3, \"step_time_ms\": 5}}}}",
        STALL_ENODATA, "schema 1.6: mean input wait 3.000 ms, mean step time 9.000 ms");
    says("{\"schema_version\": 1.3, \"step_time\": {\"global\": {\"average\": {"
         "\"total_step_ms\": 9, \"dataloader_ms\": 2}}}}",
         STALL_ENODATA, "mean input wait 2.000 ms, mean step time 9.000 ms");
    says("{\"schema_version\": 1.2, \"step_time\": {\"global\": {\"typical\": {\"split_ms\": "
         "{\"dataloader\": 4}, \"step_avg_ms\": 6}}}}",
         STALL_ENODATA, "schema 1.2: mean input wait 4.000 ms, mean step time 6.000 ms");
    says("{\"schema_version\": 1, \"step_time\": {\"timing_primary\": {\"split_ms\": "
         "{\"dataloader\": 4}, \"step_avg_ms\": 6}}}",
         STALL_ENODATA, "schema 1: mean input wait 4.000 ms");
    says("{\"step_time\": {\"median_split_ms\": {\"dataloader\": 4}, \"median_avg_step_ms\": 8}}",
         STALL_ENODATA, "without a schema version: mean input wait 4.000 ms, mean step time 8.000");
    says("{\"schema_version\": 1.9, \"step_time\": {\"global\": {\"average\": {\"input_wait_ms\": "
         "null, \"step_time_ms\": NaN}}}}",
         STALL_ENODATA, "mean input wait not measured, mean step time not measured");
    says("{\"step_time\": {\"global\": 7}, \"text\": \"cut", STALL_ENODATA,
         "the summary of a TraceML run; it");
}

static void manifests(void **state)
{
    (void)state;
    says("{\"session_id\": \"x\", \"status\": \"running\", \"host\": {}}", STALL_EFORMAT,
         "manifest of a TraceML run");
    says("{\"script_path\": \"a\", \"schema_version\": 2}", STALL_EFORMAT, "training script");
    says("{\"created_at_unix\": 1, \"platform\": {}, \"schema_version\": 1}", STALL_EFORMAT,
         "a machine");
}

/* What only looks like one. */
static void others(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    read_good("{\"step\":1,\"wait_ms\":2,\"step_time\":{\"a\":1}}\n{\"step\":2,\"wait_ms\":2}\n",
              NULL, &s);
    stall_series_close(&s);
    assert_int_not_equal(read_text("{\"step_time\": {}, \"traceEvents\": []}", NULL, &s, &error),
                         STALL_OK);
    assert_null(strstr(error.text, "TraceML"));
    stall_series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries),
        cmocka_unit_test(manifests),
        cmocka_unit_test(others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
