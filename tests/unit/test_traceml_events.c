/* Events of one TraceML row: src/read/traceml_events.c. */
#include "table_support.h"

#include "read/traceml.h"

#define U STALL_UNKNOWN
#define WAIT "\"_traceml_internal:dataloader_next\""
#define STEP "\"_traceml_internal:step_time\""

static stall_traceml_row row_of(const char *text)
{
    stall_traceml_row row;

    stall_traceml_row_init(&row);
    assert_true(stall_traceml_row_json(&row, text, strlen(text)));
    return row;
}

/* The rule for the host time of a fetch. */
static void waits(void **state)
{
    static const struct {
        const char *devices;
        int64_t wait;
    } cases[] = {
        {"{\"cpu\":{\"cpu_ms\":1.5,\"duration_ms\":9,\"is_gpu\":false}}", 1500000},
        {"{\"cpu\":{\"duration_ms\":2.25,\"is_gpu\":false}}", 2250000},
        {"{\"cpu\":{\"cpu_ms\":null,\"duration_ms\":2}}", 2000000},
        {"{\"cuda:0\":{\"cpu_ms\":2,\"duration_ms\":9,\"gpu_ms\":9,\"is_gpu\":true}}", 2000000},
        {"{\"cuda:0\":{\"duration_ms\":9,\"gpu_ms\":9,\"is_gpu\":true}}", U},
        {"{\"cpu\":{\"cpu_ms\":-0.001,\"duration_ms\":2}}", U},
        {"{\"cpu\":{\"cpu_ms\":null,\"duration_ms\":-2}}", U},
        {"{\"cpu\":{\"cpu_ms\":0}}", 0},
        {"{\"cpu\":{\"cpu_ms\":218.54686737060547}}", 218546867},
        {"{\"cpu\":{\"cpu_ms\":1e-3}}", 1000},
        {"{\"cpu\":{\"cpu_ms\":1},\"cuda:0\":{\"cpu_ms\":2}}", 3000000},
        {"{\"cpu\":{\"cpu_ms\":1},\"cuda:0\":{\"cpu_ms\":null}}", U},
        {"{\"cpu\":{\"cpu_ms\":NaN}}", U},
        {"{\"cpu\":{\"cpu_ms\":-Infinity}}", U},
        {"{\"cpu\":{\"cpu_ms\":1e300}}", U},
        {"{\"cpu\":{\"cpu_ms\":9e12},\"cuda:0\":{\"cpu_ms\":9e12}}", U},
        {"{\"cpu\":{\"cpu_ms\":\"1\"}}", U},
        {"{\"cpu\":7}", U},
        {"{}", U},
        {"null", U},
        {"[1]", U},
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), "{" WAIT ":%s}", cases[i].devices);
        stall_traceml_row row = row_of(text);
        assert_int_equal(row.wait_ns, cases[i].wait);
        assert_true(row.fetched);
        assert_int_equal(row.traced_ns, U);
    }
}

static void whole_row(void **state)
{
    stall_traceml_row row =
        row_of(" {\"a, \\\"b\\\"\":{\"cpu\":{\"cpu_ms\":1}}," STEP ":{\"cpu\":{\"cpu_ms\":4}}," WAIT
               ":{\"cpu\":{\"cpu_ms\":1,\"n_calls\":2},\"cuda:0\":{\"cpu_ms\":1,\"n_calls\":1}}} ");

    (void)state;
    assert_int_equal(row.wait_ns, 2000000);
    assert_int_equal(row.traced_ns, 4000000);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.phases, 3);
    assert_false(row.window);
    row = row_of("{}");
    assert_false(row.fetched);
    assert_int_equal(row.wait_ns, U);
    assert_int_equal(row.calls, U);
    assert_int_equal(row.phases, 0);
    row = row_of("{" WAIT ":{\"cpu\":{\"cpu_ms\":1,\"n_calls\":-1}}}");
    assert_int_equal(row.calls, U);
    row = row_of("{\"window\":{\"steps\":10}," WAIT ":{\"cpu\":{\"cpu_ms\":1}}}");
    assert_true(row.window);
    row = row_of("{\"window\":{\"cpu\":{\"cpu_ms\":1}}}"); /* a region that the user named so */
    assert_false(row.window);
    assert_int_equal(row.phases, 1);
}

static void not_events(void **state)
{
    static const char *const texts[] = {"", "null", "[]", "{", "{\"a\":{\"b\":{\"cpu_ms\":1}}",
                                        "1"};
    stall_traceml_row row;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        stall_traceml_row_init(&row);
        assert_false(stall_traceml_row_json(&row, texts[i], strlen(texts[i])));
        assert_int_equal(row.phases, 0);
    }
}

static void from_devices(void **state)
{
    static const stall_traceml_device devices[] = {{5, 9, 1, true}, {U, 7, 2, false}};
    static const stall_traceml_device gpu = {U, 9, 1, true};
    stall_traceml_row row;

    (void)state;
    stall_traceml_row_init(&row);
    stall_traceml_row_event(&row, STALL_TRACEML_WAIT, strlen(STALL_TRACEML_WAIT), devices, 2);
    stall_traceml_row_event(&row, STALL_TRACEML_STEP, strlen(STALL_TRACEML_STEP), &gpu, 1);
    stall_traceml_row_event(&row, "x", 1, NULL, 0);
    assert_int_equal(row.wait_ns, 12);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.traced_ns, U);
    assert_int_equal(row.phases, 3);
}

/* Doubles of today's seconds lie 238 ns apart. */
static void stamps(void **state)
{
    stall_traceml_row row;

    (void)state;
    stall_traceml_row_stamp(&row, 1796079641.0 + 0x1p-22);
    assert_int_equal(row.stamp_ns, INT64_C(1796079641000000238));
    assert_int_equal(row.stamp_ps, 419);
    stall_traceml_row_stamp(&row, -1);
    assert_int_equal(row.stamp_ns, U);
    stall_traceml_row_stamp(&row, NAN);
    assert_int_equal(row.stamp_ns, U);
    stall_traceml_row_stamp(&row, 1e300);
    assert_int_equal(row.stamp_ns, U);
    stall_traceml_row_stamp(&row, 0);
    assert_int_equal(row.stamp_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits),        cmocka_unit_test(whole_row), cmocka_unit_test(not_events),
        cmocka_unit_test(from_devices), cmocka_unit_test(stamps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
