/* report.html: what it holds, its size, hostile names, failures. */
#include "fake_report.h"

#include "write/write.h"

#define SIZE_MOST 400000 /* whatever the input */

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

/* Elements that open are closed, and nothing is loaded or run. */
static void check_page(const char *html)
{
    static const char *const elements[] = {"section", "details", "table", "figure", "svg", "ul",
                                           "li",      "div",     "p",     "code",   "pre"};
    static const char *const never[] = {"<script", "<link", "<img",    "<iframe", " src=",
                                        "href=",   "url(",  "@import", "http://", "https://"};

    for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
        char open[2][32], close[32];

        snprintf(open[0], sizeof(open[0]), "<%s>", elements[i]);
        snprintf(open[1], sizeof(open[1]), "<%s ", elements[i]);
        snprintf(close, sizeof(close), "</%s>", elements[i]);
        assert_int_equal(count(html, open[0]) + count(html, open[1]), count(html, close));
    }
    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
        if (strstr(html, never[i]) != NULL)
            fail_msg("holds %s", never[i]);
}

static void test_parts(void **state)
{
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\">",
        "default-src 'none'",
        "prefers-color-scheme:dark",
        "<header class=\"fixed\">",
        "<strong>fixed: the mean wait fell from 4.71 s to 0.375 ms</strong>",
        "<p class=\"partial\">",
        "<h2>Figures</h2>",
        "<tr><th scope=\"row\">mean wait</th><td class=\"n\">4.71 s</td>",
        "<b>S</b>.?.<b>S</b>...",
        "<figcaption>Input wait per step</figcaption>",
        "<figcaption>Share of the steps that wait at most this long</figcaption>",
        "<figcaption>Gaps between stalls</figcaption>",
        "<figcaption>Share of stalls that recur after a lag</figcaption>",
        "role=\"img\"><title>Input wait of each of 64 steps: ",
        "<h2>Next experiment</h2>",
        "<h2>Caveats</h2>",
        "<summary>Distribution</summary>",
        "<summary>Passes</summary>",
        "<summary>Ranks</summary>",
        "<summary>How to reproduce</summary>",
        "</html>\n",
    };
    fake_report *f = fake_compare("broken", "fixed", 64);
    fake_bytes b;

    (void)state;
    fake_warn(f, 0, STALL_WARN_truncated, "the file ends inside an event");
    b = fake_write(stall_write_html, &f->report);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(b.data, parts[i]) == NULL)
            fail_msg("missing: %s", parts[i]);
    check_page(b.data);
    free(b.data);
    fake_close(f);
}

static void test_size(void **state)
{
    static const size_t runs[] = {1, 3, FAKE_RUNS};
    char at[4096];

    (void)state;
    memset(at, '<', sizeof(at));
    at[sizeof(at) - 1] = '\0';
    for (size_t i = 0; i < 3; i++) {
        fake_report *f = fake_show(i == 0 ? "long" : at, runs[i], i == 2 ? 3000 : 300000);
        fake_bytes b = fake_write(stall_write_html, &f->report);

        assert_in_range(b.len, 1000, SIZE_MOST);
        check_page(b.data);
        free(b.data);
        fake_close(f);
    }
}

static void test_hostile(void **state)
{
    fake_report *f = fake_compare(FAKE_HOSTILE, "</style><script src=http://x>", 40);
    fake_bytes b;

    (void)state;
    f->report.headline = f->advice[0].text = f->caveats[0].text = "<img src=x onerror=alert(1)>";
    fake_warn(f, 1, STALL_WARN_rows_skipped, "<b>\"'&amp;");
    b = fake_write(stall_write_html, &f->report);
    assert_null(strstr(b.data, "<img"));
    assert_null(strstr(b.data, "<script"));
    assert_int_equal(count(b.data, "</style>"), 1);
    for (size_t i = 0; i < b.len; i++)
        assert_true(b.data[i] == '\n' || (unsigned char)b.data[i] >= 0x20);
    free(b.data);
    fake_close(f);
}

static void test_empty(void **state)
{
    static const size_t steps[] = {0, 1, 2};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        fake_report *f = fake_show("few", i == 0 ? 0 : 1, steps[i]);
        fake_bytes b = fake_write(stall_write_html, &f->report);

        check_page(b.data);
        assert_null(strstr(b.data, "nan"));
        free(b.data);
        fake_close(f);
    }
}

static void test_failures(void **state)
{
    fake_report *f = fake_compare("broken", "fixed", 40);
    fake_bytes whole = fake_write(stall_write_html, &f->report);
    stall_error error = {0};
    stall_status status = STALL_ENOMEM;

    (void)state;
    for (size_t limit = 0; limit <= whole.len; limit += whole.len / 16) {
        fake_bytes b = {NULL, 0, limit};
        stall_sink sink = {&b, fake_take};

        status = stall_write_html(&f->report, &sink, &error);
        assert_int_equal(status, limit == whole.len ? STALL_OK : STALL_EWRITE);
    }
    status = STALL_ENOMEM;
    for (uint64_t n = 1; status != STALL_OK; n++) {
        fake_bytes b = {NULL, 0, SIZE_MAX - 1};
        stall_sink sink = {&b, fake_take};

        stall_mem_fail_at(n);
        status = stall_write_html(&f->report, &sink, &error);
        stall_mem_fail_at(0);
        assert_true(status == STALL_OK || status == STALL_ENOMEM);
    }
    free(whole.data);
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_size),
        cmocka_unit_test(test_hostile),  cmocka_unit_test(test_empty),
        cmocka_unit_test(test_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
