/* Plot scripts: text stays text, data stays bounded, gnuplot draws every shape of a report. */
#include "fake_report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write/write.h"

#define GNUPLOT "/usr/bin/gnuplot"
#define HOSTILE                                                                                  \
    "'; system('touch pwned'); '`touch pwned`\"`touch pwned`\" @home ${x} %s {/Symbol a}_2 \\\n" \
    "system 'touch pwned'\n" FAKE_HOSTILE

static stall_plot_kind kind_now;
static stall_plot_format format_now = STALL_PLOT_SVG;

static stall_status write_now(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    return stall_write_gnuplot(r, kind_now, format_now, sink, reterr);
}

/* Outside single quotes there is nothing that gnuplot evaluates, and every quote ends on its line.
 */
static void check_quotes(const char *script)
{
    bool quoted = false, comment = false;

    for (const char *p = script; *p != '\0'; p++) {
        if (*p == '\n') {
            assert_false(quoted);
            comment = false;
            continue;
        }
        assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
        if (*p == '\'' && !comment)
            quoted = !quoted;
        else if (*p == '#' && !quoted)
            comment = true;
        else if (!quoted)
            assert_null(strchr("\"`@!;", *p));
    }
    assert_null(strstr(script, "nan"));
    assert_null(strstr(script, "inf"));
}

static size_t lines(const char *text)
{
    size_t n = 0;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

/* Draws a script in a new folder and checks that only the picture came of it. */
static void draw(const char *script, const char *picture)
{
    char dir[] = "/tmp/stalldiff-test-XXXXXX";
    struct stat st;
    FILE *f;
    int fd;

    if (access(GNUPLOT, X_OK) != 0)
        return;
    assert_non_null(mkdtemp(dir));
    fd = open(dir, O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0);
    f = fdopen(openat(fd, "a.gp", O_WRONLY | O_CREAT | O_EXCL, 0600), "w");
    assert_non_null(f);
    fputs(script, f);
    fclose(f);
    assert_true(stall_gnuplot_run(GNUPLOT, fd, "a.gp", 60, NULL));
    assert_int_equal(fstatat(fd, picture, &st, 0), 0);
    assert_true(st.st_size > 1000);
    assert_int_equal(unlinkat(fd, picture, 0), 0);
    assert_int_equal(unlinkat(fd, "a.gp", 0), 0);
    close(fd);
    assert_int_equal(rmdir(dir), 0); /* nothing else is there */
}

static void check_all(const stall_report *r)
{
    char picture[64];

    for (int k = 0; k < STALL_PLOT_COUNT; k++) {
        fake_bytes b;

        kind_now = (stall_plot_kind)k;
        b = fake_write(write_now, r);
        check_quotes(b.data);
        snprintf(picture, sizeof(picture), "%s.%s", stall_plot_name(kind_now),
                 stall_plot_suffix(format_now));
        draw(b.data, picture);
        free(b.data);
    }
}

static void test_hostile(void **state)
{
    fake_report *f = fake_compare(HOSTILE, HOSTILE, 32);

    (void)state;
    fake_warn(f, 1, STALL_WARN_truncated, HOSTILE);
    check_all(&f->report);
    fake_close(f);
}

static void test_content(void **state)
{
    fake_report *f = fake_compare("main", "fixed", 32);
    fake_bytes b;

    (void)state;
    fake_warn(f, 0, STALL_WARN_truncated, "cut");
    kind_now = STALL_PLOT_WAIT;
    b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "\nset terminal svg dynamic size 900,"));
    assert_non_null(strstr(b.data, " noenhanced "));
    assert_non_null(strstr(b.data, "\nset output 'wait.svg'\n"));
    assert_non_null(strstr(b.data, "'broken: main PARTIAL'"));
    assert_non_null(strstr(b.data, "set title 'fixed'"));
    assert_non_null(strstr(b.data, "$run1 << EOD\n0 19562.25 1\n1 0.375 0\n2 ? 2\n3 0.375 0\n"));
    assert_non_null(strstr(b.data, "title 'stall threshold 3.39 s'"));
    assert_non_null(strstr(b.data, "'10 s' 1e4"));
    free(b.data);
    kind_now = STALL_PLOT_ECDF;
    b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "set xlabel 'input wait'"));
    assert_non_null(strstr(b.data, "\n0.375 0.7419354838709677\n19562.25 1\n"));
    free(b.data);
    kind_now = STALL_PLOT_GAPS;
    b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "$run1 << EOD\n4 15\nEOD\n"));
    assert_non_null(strstr(b.data, "title 'num_workers = 4'"));
    assert_non_null(strstr(b.data, "'no gaps: 0 stalls'"));
    assert_non_null(strstr(b.data, "PARTIAL, period 4 steps'"));
    free(b.data);
    kind_now = STALL_PLOT_RECURRENCE;
    b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "$run1 << EOD\n1 0 15\n4 1 15\nEOD\n"));
    free(b.data);
    fake_close(f);
}

/* Stalls at every step are no cadence: no period is named or marked. */
static void test_every_step(void **state)
{
    fake_report *f = fake_compare("main", "fixed", 64);
    stall_cadence *c = &f->runs[0].analysis.cadence;

    (void)state;
    c->kind = STALL_CADENCE_EVERY_STEP;
    c->period = c->period_steps = 1;
    for (int k = STALL_PLOT_GAPS; k <= STALL_PLOT_RECURRENCE; k++) {
        fake_bytes b;

        kind_now = (stall_plot_kind)k;
        b = fake_write(write_now, &f->report);
        assert_null(strstr(b.data, "period"));
        free(b.data);
    }
    kind_now = STALL_PLOT_ECDF;
    fake_bytes b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "'100 %%' 1)"));
    free(b.data);
    fake_close(f);
}

static void test_bounded(void **state)
{
    fake_report *f = fake_compare("long", "fixed", 100000);
    stall_analysis *a = &f->runs[0].analysis;

    (void)state;
    for (size_t i = 0; i < a->points_len; i++) /* all different, no stall lost */
        a->points[i].wait_ms *= 1 + (double)i * 1e-7;
    for (int k = 0; k < STALL_PLOT_COUNT; k++) {
        fake_bytes b;

        kind_now = (stall_plot_kind)k;
        b = fake_write(write_now, &f->report);
        assert_true(lines(b.data) < 2 * STALL_PLOT_POINTS + 300);
        if (kind_now == STALL_PLOT_WAIT)
            assert_non_null(strstr(b.data, " of 334 steps'"));
        free(b.data);
    }
    check_all(&f->report);
    fake_close(f);
}

static void set_waits(fake_report *f, double ms)
{
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < f->runs[r].analysis.points_len; i++) {
            f->runs[r].analysis.points[i].wait_ms = ms;
            f->runs[r].analysis.points[i].stall = false;
        }
}

/* Nothing, one step, all zero, all unknown, one value, the ends of what a number can be. */
static void test_odd_shapes(void **state)
{
    static const double waits[] = {0, NAN, 5, 1e-9, 1e300, INFINITY};
    static const size_t steps[] = {0, 1, 3};

    (void)state;
    for (size_t s = 0; s < 3; s++)
        for (size_t w = 0; w < sizeof(waits) / sizeof(waits[0]); w++) {
            fake_report *f = fake_compare("a", "b", steps[s]);

            set_waits(f, waits[w]);
            f->runs[1].analysis.cadence.recurrence_len = 0;
            if (w == 1)
                f->runs[0].analysis.threshold.ms = NAN;
            check_all(&f->report);
            fake_close(f);
        }
}

/* Epochs whose steps begin anew, sampled steps, gaps of any length, many workers. */
static void test_segments_and_long_gaps(void **state)
{
    fake_report *f = fake_compare("a", "b", 90);
    stall_analysis *a = &f->runs[0].analysis;

    (void)state;
    a->input.segments = 3;
    for (size_t i = 0; i < a->points_len; i++) {
        a->points[i].segment = (uint32_t)(i / 30);
        a->points[i].step = (int64_t)(i % 30);
    }
    a->input.stride = 10;
    f->gap_hist[0].key = INT64_MAX;
    f->gap_hist[0].count = UINT64_MAX;
    f->recurrence[1].lag = INT64_MAX;
    a->cadence.period = INT64_MAX;
    f->runs[1].analysis.facts.num_workers = INT64_MAX;
    f->runs[1].analysis.points[5].step = INT64_MAX;
    check_all(&f->report);
    fake_close(f);
}

static void test_many_runs(void **state)
{
    fake_report *f = fake_show("run", FAKE_RUNS, 20);
    fake_bytes b;

    (void)state;
    kind_now = STALL_PLOT_WAIT;
    b = fake_write(write_now, &f->report);
    assert_non_null(strstr(b.data, "(8 of 40 runs; all are in the tables)"));
    assert_non_null(strstr(b.data, "$run8 << EOD"));
    assert_null(strstr(b.data, "$run9 << EOD"));
    free(b.data);
    check_all(&f->report);
    f->report.runs_len = 1;
    check_all(&f->report);
    f->report.runs_len = 0;
    check_all(&f->report);
    fake_close(f);
}

static void test_formats(void **state)
{
    fake_report *f = fake_compare("a", "b", 20);

    (void)state;
    for (int format = STALL_PLOT_SVG; format <= STALL_PLOT_NONE; format++) {
        format_now = (stall_plot_format)format;
        check_all(&f->report);
    }
    format_now = STALL_PLOT_SVG;
    fake_close(f);
}

static void test_failures(void **state)
{
    fake_report *f = fake_compare("a", "b", 8);

    (void)state;
    for (int k = 0; k < STALL_PLOT_COUNT; k++) {
        kind_now = (stall_plot_kind)k;
        fake_fail(write_now, &f->report);
    }
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_every_step),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_many_runs),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_segments_and_long_gaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
