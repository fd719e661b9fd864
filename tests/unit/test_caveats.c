/* Each caveat appears when it applies and not otherwise. */
#include "hand_report.h"

static void set_meta(hand_report *h, const char *key, const char *value)
{
    stall_error error;

    assert_int_equal(
        stall_series_set_meta(&h->series[0], key, strlen(key), value, strlen(value), true, &error),
        STALL_OK);
}

static void test_each(void **state)
{
    stall_counter_contrast counter = {"worker_read_bytes", 8, 24, 0, 4096, -0.2};
    stall_worker_stalls worker = {"0", 8};
    hand_report h;
    stall_analysis *a = &h.runs[0].analysis;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    a->input_problem = 0;
    a->dist.n = 100;
    assert_string_equal(hand_caveats(&h), "");
    a->dist.n = 99;
    assert_string_equal(hand_caveats(&h), "short_run");
    a->dist.n = 100;
    a->input_problem = 1;
    assert_string_equal(hand_caveats(&h), "seconds_not_portable");
    a->input_problem = 0;
    a->facts.cpus = 2;
    assert_string_equal(hand_caveats(&h), "cpus_below_workers");
    assert_has(h.list.items[0].text, "2 logical CPUs for 4 workers");
    a->facts.cpus = 4;
    { /* the first wait must be a stall and stand out from all others */
        stall_point points[] = {{.wait_ms = 900}, {.wait_ms = 400, .steady = true}};
        stall_analysis *own = &h.report.runs[0].own;
        own->points = points;
        own->points_len = 2;
        own->threshold.auto_ms = 100;
        assert_string_equal(hand_caveats(&h), "first_fetch_cold");
        points[1].wait_ms = 800;
        assert_string_equal(hand_caveats(&h), "");
        own->points = NULL;
        own->points_len = 0;
    }
    a->input.stride = 2;
    assert_string_equal(hand_caveats(&h), "sampled_steps");
    a->input.stride = 1;
    h.series[0].aggregated = true;
    assert_string_equal(hand_caveats(&h), "aggregated");
    h.series[0].aggregated = false;
    a->extras.counters = &counter;
    a->extras.counters_len = 1;
    assert_string_equal(hand_caveats(&h), "read_bytes_zero");
    counter.median_slow = 1;
    assert_string_equal(hand_caveats(&h), "");
    a->extras.by_worker = &worker;
    a->extras.by_worker_len = 1;
    assert_string_equal(hand_caveats(&h), "ordered_delivery_blame");
    set_meta(&h, "in_order", "false");
    assert_string_equal(hand_caveats(&h), "in_order_is_a_control");
    a->extras.order.known = true;
    assert_string_equal(hand_caveats(&h), "in_order_is_a_control no_overtakes");
    a->extras.order.overtaking = 1;
    a->notes = 1u << STALL_NOTE_step_time_unknown;
    a->input.merged = 3;
    assert_string_equal(hand_caveats(&h),
                        "in_order_is_a_control step_time_unknown accumulation_hides_cadence");
    hand_close(&h);
}

static void test_window(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_SHOW);
    h.series[0].format = "chrome";
    h.runs[0].analysis.input_problem = 0;
    assert_string_equal(hand_caveats(&h), "short_run");
    h.runs[0].analysis.facts.num_workers = 9; /* 32 steps are under 4 rounds */
    assert_string_equal(hand_caveats(&h), "short_run profiler_window_short");
    hand_close(&h);
}

static void test_sides(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    h.runs[0].analysis.dist.n = h.runs[1].analysis.dist.n = 200;
    h.runs[0].analysis.input_problem = 0;
    assert_string_equal(hand_caveats(&h), "one_pass seconds_not_portable");
    assert_has(h.list.items[1].text, "new: "); /* names the run to which it applies */
    h.report.compare.side[0].passes_len = h.report.compare.side[1].passes_len = 2;
    assert_string_equal(hand_caveats(&h), "seconds_not_portable");
    hand_close(&h);
}

static void test_terms(void **state)
{
    size_t n = 0;

    (void)state;
    for (const stall_term *t = stall_caveat_terms; t->code != NULL; t++, n++)
        assert_true(strlen(t->words) > 5 && strlen(t->help) > 20);
    assert_int_equal(n, 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_terms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
