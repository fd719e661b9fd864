/* summary.csv, series.csv, gaps.csv, histogram.csv: exact content, hostile names, failures. */
#include "fake_report.h"

static void expect(fake_writer *write, const stall_report *r, const char *expected)
{
    fake_bytes b = fake_write(write, r);

    assert_string_equal(b.data, expected);
    free(b.data);
}

static void test_series(void **state)
{
    fake_report *f = fake_compare("=a,b", "c", 5);

    (void)state;
    f->series[0].rows[3].rank = 1; /* another rank: by the threshold */
    f->runs[0].analysis.points[3] = f->runs[0].analysis.points[4];
    f->runs[0].analysis.points_len = 4;
    f->series[0].rows[1].epoch = 7;
    f->series[0].rows[1].fetches = -1;
    f->series[0].rows[1].exposed_ns = 1;
    expect(stall_write_series_csv, &f->report,
           "run,side,pass,rank,epoch,step,wait_ms,step_ms,exposed_ms,fetches,stall,cpu_ms\n"
           "\"'=a,b\",broken,1,0,,0,19562.250000,19662.250001,,1,1,0\n"
           "\"'=a,b\",broken,1,0,7,1,0.375000,100.375001,0.000001,,0,\n"
           "\"'=a,b\",broken,1,0,,2,,,,1,,0.2\n"
           "\"'=a,b\",broken,1,1,,3,0.375000,100.375001,,1,0,0.30000000000000004\n"
           "\"'=a,b\",broken,1,0,,4,19562.250000,19662.250001,,1,1,0.4\n"
           "c,fixed,1,0,,0,0.375000,100.375001,,1,0,0\n"
           "c,fixed,1,0,,1,0.375000,100.375001,,1,0,\n"
           "c,fixed,1,0,,2,,,,1,,0.2\n"
           "c,fixed,1,0,,3,0.375000,100.375001,,1,0,0.30000000000000004\n"
           "c,fixed,1,0,,4,0.375000,100.375001,,1,0,0.4\n");
    fake_close(f);
}

static void test_summary(void **state)
{
    fake_report *f = fake_compare("a", "b", 64);
    fake_bytes b;

    (void)state;
    fake_warn(f, 1, STALL_WARN_truncated, "cut");
    b = fake_write(stall_write_summary_csv, &f->report);
    assert_non_null(strstr(b.data, "run,side,pass,metric,unit,value,ci_low,ci_high\n"));
    assert_non_null(strstr(b.data, "\na,broken,1,wait_mean,ms,4708.123456789012,,\n"));
    assert_non_null(strstr(b.data, "\na,broken,1,partial,count,0,,\n"));
    assert_non_null(strstr(b.data, "\nb PARTIAL,fixed,1,partial,count,1,,\n"));
    assert_non_null(strstr(b.data, "\nb PARTIAL,fixed,1,wait_share,share,,,\n"));
    assert_non_null(strstr(b.data, "\n,broken,,wait_mean,ms,4708.125,,\n"));
    assert_non_null(strstr(b.data, "\n,change,,wait_mean,ms,-4707.75,-5500.5,-3900.25\n"));
    for (const char *p = b.data; *p != '\0'; p = strchr(p, '\n') + 1) {
        size_t commas = 0;

        for (const char *q = p; *q != '\n'; q++)
            commas += *q == ',';
        assert_int_equal(commas, 7);
    }
    free(b.data);
    fake_close(f);
}

static void test_lists(void **state)
{
    fake_report *f = fake_show("@a", 1, 64);

    (void)state;
    expect(stall_write_gaps_csv, &f->report, "run,gap,count\n\"'@a\",4,15\n");
    expect(stall_write_histogram_csv, &f->report,
           "run,bin_low_ms,bin_high_ms,count\n\"'@a\",0,0.01,2\n"
           "\"'@a\",0.251188643150958,0.3981071705534972,40\n"
           "\"'@a\",15848.93192461114,25118.864315095823,16\n");
    fake_close(f);
    f = fake_show("none", 0, 0);
    expect(stall_write_gaps_csv, &f->report, "run,gap,count\n");
    expect(stall_write_series_csv, &f->report,
           "run,side,pass,rank,epoch,step,wait_ms,step_ms,exposed_ms,fetches,stall\n");
    fake_close(f);
}

/* No cell starts a formula, every line is one record. */
static void test_hostile(void **state)
{
    static fake_writer *const all[] = {stall_write_summary_csv, stall_write_series_csv,
                                       stall_write_gaps_csv, stall_write_histogram_csv};
    fake_report *f = fake_compare(FAKE_HOSTILE, "\t=2", 9);

    (void)state;
    snprintf(f->worker, sizeof(f->worker), "%s", FAKE_HOSTILE);
    f->series[0].counters[0].name = f->worker;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        fake_bytes b = fake_write(all[i], &f->report);

        for (size_t k = 0; k < b.len; k++) {
            bool start = k == 0 || (strchr(",\n", b.data[k - 1]) != NULL) ||
                         (k > 1 && b.data[k - 1] == '"' && strchr(",\n", b.data[k - 2]) != NULL);

            assert_true(b.data[k] == '\n' || (unsigned char)b.data[k] >= 0x20);
            if (start && strchr("=+@", b.data[k]) != NULL)
                fail_msg("cell starts a formula at %zu: %.20s", k, b.data + k);
        }
        fake_fail(all[i], &f->report);
        free(b.data);
    }
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
