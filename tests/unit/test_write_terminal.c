/* The terminal report: size, order, PARTIAL, colour, hostile names, failures. */
#include "fake_report.h"

static stall_terminal_options options;

static stall_status write_it(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    return stall_write_terminal(r, &options, sink, reterr);
}

static void expect_fits(const char *text, size_t width)
{
    size_t lines = 0;

    for (const char *p = text; *p != '\0'; p = strchr(p, '\n') + 1) {
        size_t n = strcspn(p, "\n");

        if (n > width)
            fail_msg("%zu columns: %.*s", n, (int)n, p);
        lines++;
    }
    assert_in_range(lines, 1, 45);
}

static void test_compare(void **state)
{
    static const int widths[] = {40, 80, 100, 0};
    fake_report *f = fake_compare("broken", "fixed", 64);
    fake_bytes b;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        options = (stall_terminal_options){.width = widths[i], .report_dir = "out"};
        b = fake_write(write_it, &f->report);
        expect_fits(b.data, widths[i] == 0 ? 100 : (size_t)widths[i]);
        free(b.data);
    }
    b = fake_write(write_it, &f->report);
    assert_int_equal(strncmp(b.data, "fixed: the mean wait fell", 25), 0);
    assert_non_null(strstr(b.data, "\nmean wait         4.71 s    0.375 ms  -4.71 s  "
                                   "[-5.50 s, -3.90 s]\n"));
    assert_non_null(strstr(b.data, "\ncadence    every 4 steps  none found        -"));
    assert_non_null(strstr(b.data, "\n  S.?.S...S...S...S...S...S...S...S...S...S...S...S...S..."
                                   "S...S...\n"));
    assert_non_null(strstr(b.data, "next: Run with 0, 1, 2 and 4 workers | twice.\n"));
    assert_non_null(strstr(b.data, "\nreport in out\n"));
    assert_null(strchr(b.data, '\033'));
    free(b.data);
    fake_close(f);
}

static void test_color_and_partial(void **state)
{
    fake_report *f = fake_compare("broken", "fixed", 64);
    fake_bytes b;

    (void)state;
    options = (stall_terminal_options){.color = true, .width = 100};
    fake_warn(f, 0, STALL_WARN_truncated, "the file ends inside an event");
    f->report.gate = STALL_GATE_FIXED;
    f->report.gate_met = -1;
    b = fake_write(write_it, &f->report);
    assert_int_equal(strncmp(b.data, "\033[1;32mPARTIAL input: fixed:", 28), 0);
    assert_non_null(strstr(b.data, "PARTIAL broken"));
    assert_non_null(strstr(b.data, "gate fixed: not decidable"));
    assert_non_null(
        strstr(b.data, "warning: truncated (3): broken: the file ends inside an event\n"));
    free(b.data);
    fake_close(f);
}

static void test_show(void **state)
{
    static const size_t runs[] = {1, 3, FAKE_RUNS};

    (void)state;
    options = (stall_terminal_options){.width = 80};
    for (size_t i = 0; i < 3; i++) {
        fake_report *f = fake_show("a run", runs[i], 1000);
        fake_bytes b = fake_write(write_it, &f->report);

        expect_fits(b.data, 80);
        assert_non_null(strstr(b.data, "more in series.csv"));
        free(b.data);
        fake_close(f);
    }
}

/* A long text ends at a sentence, with a mark; the first sentence is whole. */
static void test_sentences(void **state)
{
    fake_report *f = fake_compare("a name that says a good deal about the run",
                                  "another name, of the other run", 64);
    fake_bytes b;

    (void)state;
    options = (stall_terminal_options){.width = 80};
    f->report.step_text = "The first sentence of this text is so long that it takes more than a "
                          "line of eighty columns, and it is not cut before it ends. The second "
                          "one is long too, so that there is no room for all of it in the three "
                          "lines that this text has: it must not begin.";
    f->runs[0].analysis.cadence.period_steps = 1;
    b = fake_write(write_it, &f->report);
    expect_fits(b.data, 80);
    assert_non_null(strstr(b.data, "before it ends. ...\n"));
    assert_non_null(strstr(b.data, "\nbroken: a name that says a good deal about the run\n"
                                   "fixed: another name, of the other run\n"));
    assert_non_null(strstr(b.data, "95 % interval\n"));
    assert_non_null(strstr(b.data, "\nsupply: a name that says a good deal about the run: "));
    assert_non_null(strstr(b.data, "\ncaveats (stalldiff help CODE): "));
    free(b.data);
    fake_close(f);
}

/* Few steps: the mark of p95, and a cadence of every step. */
static void test_few_steps(void **state)
{
    fake_report *f = fake_show("a run", 1, 64);
    fake_bytes b;

    (void)state;
    options = (stall_terminal_options){.width = 80};
    f->runs[0].analysis.dist.n = 6;
    f->runs[0].analysis.cadence.period_steps = 1;
    b = fake_write(write_it, &f->report);
    assert_non_null(strstr(b.data, " s*\n"));
    assert_non_null(strstr(b.data, "\n* interpolated towards the maximum"));
    assert_non_null(strstr(b.data, "none: every step\n"));
    free(b.data);
    fake_close(f);
}

static void test_hostile(void **state)
{
    fake_report *f = fake_compare(FAKE_HOSTILE, "\xE4\xB8\xAD\xE6\x96\x87", 20);
    fake_bytes b;

    (void)state;
    fake_warn(f, 0, STALL_WARN_bad_utf8, FAKE_HOSTILE);
    f->report.headline = f->runs[0].shape_text = FAKE_HOSTILE;
    f->advice[0].text = FAKE_HOSTILE;
    options = (stall_terminal_options){.width = 80, .report_dir = FAKE_HOSTILE};
    b = fake_write(write_it, &f->report);
    expect_fits(b.data, 80);
    for (size_t i = 0; i < b.len; i++)
        assert_true(b.data[i] == '\n' || (b.data[i] >= 0x20 && b.data[i] < 0x7f));
    free(b.data);
    fake_fail(write_it, &f->report);
    options.utf8 = true;
    b = fake_write(write_it, &f->report);
    assert_non_null(strstr(b.data, "\xE4\xB8\xAD\xE6\x96\x87"));
    assert_null(strstr(b.data, "\xE2\x80\xAE"));
    free(b.data);
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),   cmocka_unit_test(test_color_and_partial),
        cmocka_unit_test(test_show),      cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_few_steps), cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
