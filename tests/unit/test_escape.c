/* Escaping of hostile texts for every target. */
#include "fake_report.h"

#include "write/write.h"

typedef void escape(stall_out *o, const char *text);

static const char *escaped(stall_text *t, escape *put, const char *text)
{
    stall_out o;

    stall_text_close(t);
    stall_text_add(t, "", 0);
    stall_out_open_text(&o, t, NULL);
    put(&o, text);
    assert_int_equal(stall_out_close(&o), STALL_OK);
    return t->data;
}

static void markdown(stall_out *o, const char *text)
{
    stall_out_markdown(o, text, STALL_OUT_TEXT_MAX);
}

static void code(stall_out *o, const char *text)
{
    stall_out_code_span(o, text, STALL_OUT_TEXT_MAX, false);
}

static void table_code(stall_out *o, const char *text)
{
    stall_out_code_span(o, text, STALL_OUT_TEXT_MAX, true);
}

static void terminal(stall_out *o, const char *text)
{
    stall_out_terminal(o, text, 100, true);
}

static void ascii(stall_out *o, const char *text)
{
    stall_out_terminal(o, text, 8, false);
}

static void mermaid(stall_out *o, const char *text)
{
    stall_out_mermaid(o, text, STALL_OUT_TEXT_MAX);
}

static void test_table(void **state)
{
    static const struct {
        escape *put;
        const char *text, *expected;
    } cases[] = {
        {markdown, "mean 4.71 s (-98.9 %)", "mean 4.71 s (-98.9 %)"},
        {markdown, NULL, ""},
        {markdown, "a|b", "a\\|b"},
        {markdown, "`x` *y* _z_ num_workers", "\\`x\\` \\*y\\* \\_z\\_ num_workers"},
        {markdown, "<b>&amp;", "&lt;b&gt;&amp;amp;"},
        {markdown, "@team #12 # x", "@&#8203;team \\#&#8203;12 \\# x"},
        {markdown, "[a](b) ![c]", "\\[a\\](b) \\!\\[c\\]"},
        {markdown, "- item", "\\- item"},
        {markdown, "1. item", "1\\. item"},
        {markdown, "12) item", "12\\) item"},
        {markdown, "    code", "code"},
        {markdown, "a\nb\tc", "a\\\\x0Ab\\\\x09c"},
        {markdown, "http://e.org www.e.org", "http&#58;//e.org www\\.e.org"},
        {markdown, "a\\", "a\\\\"},
        {markdown, "~~x~~ $y$", "\\~\\~x\\~\\~ \\$y\\$"},
        {code, "a|b", "`a|b`"},
        {table_code, "a|b", "`a\\|b`"},
        {code, "", "`  `"},
        {code, "a``b", "```a``b```"},
        {code, "`", "`` ` ``"},
        {stall_out_csv_text, "plain", "plain"},
        {stall_out_csv_text, "a,b", "\"a,b\""},
        {stall_out_csv_text, "a \"b\"", "\"a \"\"b\"\"\""},
        {stall_out_csv_text, "=1+1", "\"'=1+1\""},
        {stall_out_csv_text, "+1", "\"'+1\""},
        {stall_out_csv_text, "-1", "\"'-1\""},
        {stall_out_csv_text, "@x", "\"'@x\""},
        {stall_out_csv_text, "  =1", "\"'  =1\""},
        {stall_out_csv_text, "\t=1", "\\x09=1"},
        {stall_out_csv_text, "\r=1", "\\x0D=1"},
        {stall_out_csv_text, "a\nb", "a\\x0Ab"},
        {stall_out_csv_text, NULL, ""},
        {terminal, "\033[31mred", "\\x1B[31mred"},
        {terminal,
         "\xE2\x80\xAE"
         "abc",
         "\\xE2\\x80\\xAE"
         "abc"},
        {terminal, "\xff", "\\xFF"},
        {terminal, "\xC3\xA9", "\xC3\xA9"},
        {ascii, "\xC3\xA9t\xC3\xA9", "?t?"},
        {ascii, "123456789", "12345..."},
        {mermaid, "a\"b;c#d%%{init}", "a'b c d  (init)"},
        {stall_out_gnuplot, "it's `x` \"$\"", "'it''s `x` \"$\"'"},
        {stall_out_gnuplot, "a\nb", "'a\\x0Ab'"},
    };
    stall_text t;

    (void)state;
    stall_text_init(&t);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(escaped(&t, cases[i].put, cases[i].text), cases[i].expected);
    stall_text_close(&t);
}

/* No target gets a byte that ends a line or starts an escape sequence. */
static void test_no_control_bytes(void **state)
{
    static escape *const all[] = {markdown,           code,    table_code,       terminal, ascii,
                                  stall_out_csv_text, mermaid, stall_out_gnuplot};
    char text[] = "x?y";
    stall_text t;

    (void)state;
    stall_text_init(&t);
    for (int c = 1; c < 256; c++) {
        text[1] = (char)c;
        for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
            const char *s = escaped(&t, all[i], text);

            for (; *s != '\0'; s++)
                assert_true((unsigned char)*s >= 0x20 && (unsigned char)*s < 0x7f);
        }
    }
    stall_text_close(&t);
}

static void test_cut(void **state)
{
    char text[4000];
    stall_text t;
    stall_out o;

    (void)state;
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    stall_text_init(&t);
    assert_int_equal(strlen(escaped(&t, markdown, text)), STALL_OUT_TEXT_MAX);
    assert_string_equal(t.data + STALL_OUT_TEXT_MAX - 4, "a...");
    memset(text, '`', sizeof(text) - 1);
    assert_true(strlen(escaped(&t, code, text)) < 4 * STALL_OUT_TEXT_MAX);
    stall_text_close(&t);
    stall_text_add(&t, "", 0);
    stall_out_open_text(&o, &t, NULL);
    assert_int_equal(stall_out_terminal(&o, "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97", 5, true), 5);
    stall_out_close(&o);
    assert_string_equal(t.data, "\xE4\xB8\xAD...");
    assert_int_equal(stall_terminal_width("e\xCC\x81", true), 1);
    stall_text_close(&t);
}

static void test_json_text(void **state)
{
    stall_text t;

    (void)state;
    stall_text_init(&t);
    stall_json_text(&t, "a\n\xC3\xA9\xff"
                        "b");
    assert_string_equal(t.data, "a\n\xC3\xA9\\xFF"
                                "b");
    stall_text_close(&t);
}

static void test_units(void **state)
{
    static const struct {
        double ms;
        const char *expected;
    } times[] = {{0, "0 ms"},        {19e-6, "19 ns"},     {0.0124, "12.4 us"},
                 {0.37, "0.370 ms"}, {1.8349, "1.83 ms"},  {53, "53.0 ms"},
                 {842.4, "842 ms"},  {999.6, "1.00 s"},    {4708.1, "4.71 s"},
                 {19562, "19.6 s"},  {1e6, "1000 s"},      {NAN, "not measured"},
                 {-4655, "-4.66 s"}, {0.09996, "0.100 ms"}};
    char buf[2 * STALL_FIGURE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        assert_string_equal(stall_time_text(buf, times[i].ms), times[i].expected);
    assert_string_equal(stall_change_text(buf, "ms", 4655), "+4.66 s");
    assert_string_equal(stall_change_text(buf, "share", -0.25), "-25.0 pp");
    assert_string_equal(stall_change_text(buf, "ms", NAN), "-");
    assert_string_equal(stall_interval_text(buf, "ms", -5500, -3900), "[-5.50 s, -3.90 s]");
    assert_string_equal(stall_metric_text(buf, "steps", 4), "every 4 steps");
    assert_string_equal(stall_metric_text(buf, "steps", 1), "every step");
    assert_string_equal(stall_metric_text(buf, "steps", NAN), "none found");
    assert_string_equal(stall_share_text(buf, 0.8731), "87.3 %");
    assert_string_equal(stall_share_text(buf, 0.0001), "under 0.1 %");
    assert_string_equal(stall_plain_text(buf, 4.162e-6), "4.16e-6");
    assert_string_equal(stall_plain_text(buf, 0.0151), "0.0151");
    assert_non_null(stall_time_text(buf, 1e308));
    assert_non_null(stall_plain_text(buf, 5e-324));
}

/* A full buffer, a text longer than the buffer, and a long printf. */
static void test_out(void **state)
{
    static char big[3 * STALL_OUT_BUFFER + 1];
    stall_text t;
    stall_out o;

    (void)state;
    memset(big, 'x', sizeof(big) - 1);
    stall_text_init(&t);
    stall_out_open_text(&o, &t, NULL);
    stall_out_repeat(&o, 'a', STALL_OUT_BUFFER);
    stall_out_put(&o, big);
    stall_out_printf(&o, "%s", big);
    stall_out_int(&o, INT64_MAX);
    stall_out_int(&o, STALL_UNKNOWN);
    stall_out_double(&o, 0.1);
    stall_out_double(&o, NAN);
    assert_int_equal(stall_out_close(&o), STALL_OK);
    assert_int_equal(t.len, 7 * STALL_OUT_BUFFER + 19 + 3);
    assert_string_equal(t.data + t.len - 22, "92233720368547758070.1");
    stall_text_close(&t);
}

static void test_strip(void **state)
{
    stall_text t;
    stall_out o;

    (void)state;
    stall_text_init(&t);
    stall_out_open_text(&o, &t, NULL);
    assert_int_equal(stall_out_strip(&o, "S...S...S...", 4, 10, 9, "> "), 0);
    assert_int_equal(stall_out_strip(&o, "S...S...S...", 4, 10, 1, ""), 4);
    assert_int_equal(stall_out_strip(&o, "S..|S..", STALL_UNKNOWN, 10, 2, ""), 0);
    assert_int_equal(stall_out_strip(&o, "S..|S..", STALL_UNKNOWN, 10, 1, ""), 0);
    assert_int_equal(stall_out_strip(&o, "", 4, 0, 1, ""), 0);
    assert_int_equal(stall_out_close(&o), STALL_OK);
    assert_string_equal(t.data, "> S...S...\n> S...\nS...S...\nS..\nS..\nS..|S..\n");
    assert_int_equal(stall_strip_fold(200, 10), 10);
    stall_text_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_no_control_bytes),
        cmocka_unit_test(test_cut),   cmocka_unit_test(test_json_text),
        cmocka_unit_test(test_units), cmocka_unit_test(test_out),
        cmocka_unit_test(test_strip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
