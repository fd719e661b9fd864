/* What a comparison says about sides that were not recorded alike. */
#include "hand_report.h"

static char said[1024];

static const char *sides(const hand_report *h)
{
    stall_text t;

    stall_text_init(&t);
    stall_words_sides(&t, &h->report);
    snprintf(said, sizeof(said), "%s", t.len > 0 ? t.data : "");
    stall_text_close(&t);
    return said;
}

static void test_alike(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    assert_string_equal(sides(&h), "");
    h.series[0].format = "csv";
    h.series[1].format = "jsonl"; /* the same columns in another dress */
    assert_string_equal(sides(&h), "");
    h.runs[1].analysis.facts.num_workers = STALL_UNKNOWN; /* not given: not known to differ */
    assert_string_equal(sides(&h), "");
    hand_close(&h);
}

static void test_formats(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    h.series[0].format = "chrome";
    h.series[0].has_gpu = true;
    h.series[1].format = "csv";
    h.runs[1].analysis.wall_share_steady = NAN;
    assert_string_equal(sides(&h),
                        "The sides were recorded differently (old: chrome, new: csv); compared is "
                        "what both hold, the wait of the loop for each step. Left out: step times, "
                        "which only old has. Left out: waits not under GPU work, which only old "
                        "has.");
    hand_close(&h);
}

static void test_settings(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    h.runs[1].analysis.facts.num_workers = 2;
    h.runs[1].analysis.per_rank_len = 8;
    assert_string_equal(
        sides(&h), "num_workers is 4 in old, 2 in new: the difference may come from that. The "
                   "number of ranks is 1 in old, 8 in new: the difference may come from that.");
    hand_close(&h);
}

static void test_rows(void **state)
{
    hand_report h;

    (void)state;
    hand_open(&h, STALL_COMMAND_COMPARE);
    h.runs[0].analysis.input.stride = 50;
    assert_has(sides(&h), "old holds only some of its steps");
    h.series[1].aggregated = true;
    assert_has(sides(&h), "Rows of new are averages");
    h.series[0].aggregated = true; /* both: they do compare */
    h.runs[0].analysis.input.stride = 1;
    assert_string_equal(sides(&h), "");
    hand_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
