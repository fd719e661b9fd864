/* report.md: first lines, size, PARTIAL everywhere, hostile names, failures. */
#include "fake_report.h"

#include "write/write.h"

static void test_head(void **state)
{
    fake_report *f = fake_compare("broken", "fixed", 64);
    char expected[1024];
    fake_bytes b;
    const char *end;

    (void)state;
    fake_warn(f, 0, STALL_WARN_truncated, "the file ends inside an event");
    b = fake_write(stall_write_markdown, &f->report);
    end = b.data;
    for (int i = 0; i < 10; i++)
        end = strchr(end, '\n') + 1;
    b.data[end - b.data - 1] = '\0'; /* the first ten lines */
    snprintf(
        expected, sizeof(expected),
        "## stalldiff: %s (PARTIAL)\n\n"
        "**fixed: the mean wait fell from 4.71 s to 0.375 ms**\n\n"
        "> **PARTIAL input:** something is missing from broken; the figures cover the rest.\n\n"
        "- **By how much:** mean wait 4.71 s → 0.375 ms (-4.71 s, 95 %% [-5.50 s, -3.90 s]); "
        "step time 4.90 s → 100 ms (-4.80 s)\n"
        "- **How sure:** medium; %s\n"
        "- **Do next:** Run with 0, 1, 2 and 4 workers \\| twice.\n",
        stall_verdict_term(STALL_VERDICT_FIXED)->words,
        stall_why_term(STALL_WHY_single_pass)->words);
    assert_string_equal(b.data, expected);
    free(b.data);
    fake_close(f);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

static void test_parts(void **state)
{
    static const char *const parts[] = {
        "### Figures\n",
        "| mean wait | 4.71 s | 0.375 ms | -4.71 s | [-5.50 s, -3.90 s] |\n",
        "### Steps\n",
        "    S.?.S...S...",
        "```mermaid\n%%{init: ",
        "}}}}%%\nxychart-beta\n    title \"broken (orange), fixed (blue)\"\n",
        "0 --> 19562\n",
        "### Shape and cadence\n",
        "### Next experiment\n",
        "### Caveats\n",
        "<summary>Distribution</summary>\n\n",
        "<summary>Gaps between stalls</summary>",
        "4 × 15",
        "<summary>Passes</summary>",
        "<summary>Ranks</summary>",
        "<summary>Counters, workers, order</summary>",
        "<summary>Pool and supply</summary>",
        "<summary>Notes and warnings</summary>",
        "<summary>How to reproduce</summary>",
        "    stalldiff --cpus 2 --broken 'a log.json' --fixed 'a log.json'\n"};
    fake_report *f = fake_compare("broken", "fixed", 64);
    fake_bytes b = fake_write(stall_write_markdown, &f->report);

    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(b.data, parts[i]) == NULL)
            fail_msg("missing: %s", parts[i]);
    assert_int_equal(count(b.data, "<details>"), count(b.data, "</details>"));
    assert_int_equal(count(b.data, "```") % 2, 0);
    free(b.data);
    fake_close(f);
}

/* Whatever the input, the page can be pasted. */
static void test_size(void **state)
{
    static const size_t runs[] = {1, 3, FAKE_RUNS};
    char at[4096];

    (void)state;
    memset(at, '@', sizeof(at));
    at[sizeof(at) - 1] = '\0';
    for (size_t i = 0; i < 3; i++) {
        fake_report *f = fake_show(i == 0 ? "long" : at, runs[i], i == 2 ? 3000 : 100000);
        fake_bytes b;

        for (size_t k = 0; k < runs[i]; k++) {
            f->runs[k].shape_text = f->runs[k].supply_text = at;
            fake_warn(f, k, STALL_WARN_truncated, at);
        }
        f->report.headline = f->report.more_needed = f->advice[0].text = at;
        b = fake_write(stall_write_markdown, &f->report);
        assert_in_range(b.len, 1000, STALL_MARKDOWN_MAX);
        assert_int_equal(count(b.data, "<details>"), count(b.data, "</details>"));
        assert_non_null(strstr(b.data, "How to reproduce"));
        free(b.data);
        fake_close(f);
    }
}

static void test_compare_size(void **state)
{
    fake_report *f;
    fake_bytes b;
    char at[4096];

    (void)state;
    memset(at, '#', sizeof(at));
    at[sizeof(at) - 1] = '\0';
    f = fake_compare(at, at, 100000);
    f->report.step_text = f->report.more_needed = f->report.headline = at;
    f->advice[0].text = f->advice[1].text = f->caveats[0].text = f->caveats[1].text = at;
    b = fake_write(stall_write_markdown, &f->report);
    assert_in_range(b.len, 1000, STALL_MARKDOWN_MAX);
    assert_non_null(strstr(b.data, "How to reproduce"));
    free(b.data);
    fake_close(f);
}

static void test_hostile(void **state)
{
    fake_report *f = fake_compare(FAKE_HOSTILE, "-", 40);
    fake_bytes b;

    (void)state;
    fake_warn(f, 0, STALL_WARN_bad_utf8, FAKE_HOSTILE);
    f->report.headline = f->runs[0].shape_text = FAKE_HOSTILE;
    b = fake_write(stall_write_markdown, &f->report);
    assert_null(strstr(b.data, "<b>"));
    assert_null(strstr(b.data, "@team"));
    assert_null(strstr(b.data, " #12"));
    assert_null(strstr(b.data, "https://"));
    assert_null(strstr(b.data, "\xE2\x80\xAE"));
    assert_int_equal(count(b.data, "%%{"), 1); /* our own colours */
    assert_null(strchr(b.data, '\033'));
    assert_int_equal(count(b.data, "\n```") % 2, 0);
    for (const char *p = b.data; (p = strstr(p, "\n| ")) != NULL; p++) { /* same cells in a table */
        size_t pipes = 0;

        for (const char *q = p + 1; *q != '\n'; q++)
            pipes += *q == '|' && q[-1] != '\\';
        assert_true(pipes >= 3);
    }
    free(b.data);
    fake_fail(stall_write_markdown, &f->report);
    fake_close(f);
}

static void test_prose(void **state)
{
    fake_report *f = fake_show("a", 1, 64);
    fake_bytes b;

    (void)state;
    f->report.headline = "wait 4 s -> 1 s (show.py, a__b, _c_): x->y";
    f->runs[0].analysis.cadence.kind = STALL_CADENCE_EVERY_STEP;
    f->runs[0].analysis.cadence.period_steps = 1;
    f->runs[0].analysis.stalls.count = 1;
    f->runs[0].analysis.dist.n = 30;
    f->runs[0].supply_text = NULL;
    b = fake_write(stall_write_markdown, &f->report);
    assert_non_null(strstr(b.data, "**wait 4 s → 1 s (show.py, a__b, \\_c\\_): x-&gt;y**"));
    assert_non_null(strstr(b.data, "a: 1 stall over "));
    assert_non_null(strstr(b.data, "cadence none: every step stalls"));
    assert_null(strstr(b.data, "every 1 step"));
    assert_null(strstr(b.data, ":  "));
    assert_non_null(strstr(b.data, "s* |"));
    assert_non_null(strstr(b.data, "\n\\* interpolated towards the maximum"));
    free(b.data);
    fake_close(f);
}

static void test_empty(void **state)
{
    fake_report *f = fake_show("none", 0, 0);
    fake_bytes b = fake_write(stall_write_markdown, &f->report);

    (void)state;
    assert_non_null(strstr(b.data, "0 runs"));
    free(b.data);
    fake_close(f);
    f = fake_show("one step", 1, 1);
    b = fake_write(stall_write_markdown, &f->report);
    assert_null(strstr(b.data, "mermaid"));
    free(b.data);
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_size),    cmocka_unit_test(test_compare_size),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_prose),
        cmocka_unit_test(test_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
