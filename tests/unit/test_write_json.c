/* report.json: keys, exact numbers, nulls, hostile texts, failures. */
#include "fake_report.h"

#include <cjson/cJSON.h>

static cJSON *parse(const stall_report *r)
{
    fake_bytes b = fake_write(stall_write_json, r);
    cJSON *ret = cJSON_ParseWithOpts(b.data, NULL, 0);

    assert_non_null(ret);
    for (size_t i = 0; i < b.len; i++)
        assert_true((unsigned char)b.data[i] >= 0x20 || b.data[i] == '\n');
    free(b.data);
    return ret;
}

/* The value at a path such as "runs.0.analysis"; NULL when it is absent. */
static const cJSON *at(const cJSON *o, const char *path)
{
    char key[64];

    while (o != NULL && *path != '\0') {
        size_t n = strcspn(path, ".");

        snprintf(key, sizeof(key), "%.*s", (int)n, path);
        o = cJSON_IsArray(o) ? cJSON_GetArrayItem(o, atoi(key))
                             : cJSON_GetObjectItemCaseSensitive(o, key);
        path += n + (path[n] == '.');
    }
    return o;
}

static void test_compare(void **state)
{
    static const char *const nulls[] = {"runs.0.analysis.dist.sd",
                                        "runs.1.analysis.cadence.period",
                                        "runs.1.analysis.wall_share",
                                        "runs.1.analysis.cadence.worker_match",
                                        "runs.1.analysis.supply",
                                        "runs.1.analysis.change",
                                        "runs.1.analysis.exposed",
                                        "runs.0.analysis.dist.hist.0.0",
                                        "compare.effect.step",
                                        "compare.effect.p50.diff_ci",
                                        "compare.effect.mean.ratio_ci.0",
                                        "compare.cadence_fixed",
                                        "compare.broken.passes.0.wall_share"};
    static const char *const absent[] = {"runs.1.analysis.cadence.period_steps",
                                         "runs.1.analysis.cadence.phase_share",
                                         "runs.1.analysis.per_rank",
                                         "runs.1.analysis.extras.counters",
                                         "compare.cliffs_delta",
                                         "compare.mann_whitney",
                                         "compare.block_permutation_p",
                                         "compare.gate"};
    fake_report *f = fake_compare("a", "b", 64);
    cJSON *j = parse(&f->report);

    (void)state;
    for (size_t i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++)
        assert_true(cJSON_IsNull(at(j, nulls[i])));
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
        assert_null(at(j, absent[i]));
    assert_string_equal(at(j, "command")->valuestring, "compare");
    assert_string_equal(at(j, "runs.0.side")->valuestring, "broken");
    assert_int_equal(at(j, "runs.1.pass")->valueint, 1);
    assert_true(at(j, "runs.0.analysis.dist.mean")->valuedouble == 4708.1234567890123);
    assert_true(at(j, "runs.0.analysis.dist.p90")->valuedouble == 0.1 + 0.2);
    assert_int_equal(cJSON_GetArraySize(at(j, "runs.0.analysis.stalls.steps")), 16);
    assert_int_equal(at(j, "runs.0.analysis.cadence.gap_hist.0.1")->valueint, 15);
    assert_int_equal(at(j, "runs.0.analysis.per_rank.1.n")->valueint, 64);
    assert_int_equal(at(j, "runs.0.analysis.extras.stalls_by_worker.0")->valueint, 12);
    assert_int_equal(at(j, "runs.0.analysis.extras.order.max_displacement")->valueint, 1);
    assert_string_equal(at(j, "compare.verdict")->valuestring, "fixed");
    assert_string_equal(at(j, "compare.why.0")->valuestring, "single_pass");
    assert_true(at(j, "compare.effect.mean.diff_ci.0")->valuedouble == -5500.5);
    assert_int_equal(at(j, "compare.block.broken")->valueint, 4);
    assert_string_equal(at(j, "advice.0.code")->valuestring, "sweep_workers");
    assert_string_equal(at(j, "caveats.1.code")->valuestring, "seconds_not_portable");
    cJSON_Delete(j);

    f->report.gate = STALL_GATE_FIXED;
    f->report.gate_met = -1;
    f->report.compare.described = true;
    f->runs[1].analysis.change =
        (stall_change){.kind = STALL_CHANGE_LEVEL, .step = 30, .p = 5e-324};
    f->runs[1].analysis.exposed.known = true;
    f->runs[1].analysis.input_problem = -1;
    f->report.compare.permutation_p = 1.0 / 2001;
    f->report.compare.side[0].block = STALL_UNKNOWN;
    j = parse(&f->report);
    assert_true(cJSON_IsNull(at(j, "compare.gate.met")));
    assert_non_null(at(j, "compare.mann_whitney.U"));
    assert_string_equal(at(j, "runs.1.analysis.change.kind")->valuestring, "level");
    assert_true(at(j, "runs.1.analysis.change.p")->valuedouble == 5e-324);
    assert_non_null(at(j, "runs.1.analysis.exposed.share"));
    assert_true(cJSON_IsNull(at(j, "runs.1.analysis.input_problem")));
    assert_true(at(j, "compare.block_permutation_p")->valuedouble == 1.0 / 2001);
    assert_null(at(j, "compare.block"));
    cJSON_Delete(j);
    fake_close(f);
}

static void test_metadata(void **state)
{
    fake_report *f = fake_show(FAKE_HOSTILE, 2, 12);
    cJSON *j;

    (void)state;
    fake_warn(f, 1, STALL_WARN_truncated, FAKE_HOSTILE);
    j = parse(&f->report);
    assert_true(cJSON_IsNull(at(j, "runs.0.side")));
    assert_true(cJSON_IsNull(at(j, "runs.0.pass")));
    assert_true(cJSON_IsFalse(at(j, "runs.0.partial")));
    assert_true(cJSON_IsTrue(at(j, "runs.1.partial")));
    assert_int_equal(at(j, "runs.0.metadata.num_workers")->valueint, 4);
    assert_true(cJSON_IsNull(at(j, "runs.0.metadata.list.1.a")));
    assert_string_equal(at(j, "runs.0.metadata.odd")->valuestring, "01");
    assert_string_equal(at(j, "runs.1.warnings.0.code")->valuestring, "truncated");
    assert_int_equal(at(j, "runs.1.warnings.0.offset")->valueint, 1234);
    assert_null(at(j, "compare"));
    /* the invalid byte is shown, all else is as it was */
    assert_non_null(strstr(at(j, "runs.0.label")->valuestring, "]]> ``` 'q' \"q\""));
    assert_non_null(strstr(at(j, "runs.0.label")->valuestring, "\\xFF;"));
    assert_non_null(strstr(at(j, "runs.0.label")->valuestring, "\n\033[31mred"));
    cJSON_Delete(j);
    fake_close(f);
}

static void test_long(void **state)
{
    fake_report *f = fake_show("long", 1, 200000);
    cJSON *j = parse(&f->report);

    (void)state;
    assert_int_equal(strlen(at(j, "runs.0.analysis.strip")->valuestring), 200000);
    assert_int_equal(cJSON_GetArraySize(at(j, "runs.0.analysis.cadence.gap_list")), 49999);
    cJSON_Delete(j);
    fake_close(f);
}

static void *hook_malloc(size_t size)
{
    return stall_mem_alloc(size, 1);
}

/* The failures of the tree too: cJSON allocates through the same counter here. */
static void test_failures(void **state)
{
    cJSON_Hooks hooks = {hook_malloc, stall_mem_free};
    fake_report *f = fake_compare(FAKE_HOSTILE, "b", 9);

    (void)state;
    cJSON_InitHooks(&hooks);
    fake_warn(f, 0, STALL_WARN_bad_utf8, "x");
    fake_fail(stall_write_json, &f->report);
    cJSON_InitHooks(NULL);
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
