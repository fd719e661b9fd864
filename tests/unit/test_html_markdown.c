/* Markdown of our own documents as HTML: every block and span, and nothing that becomes a tag. */
#include "fake_report.h"

#include "write/write.h"

static char *convert(const char *markdown)
{
    stall_error error = {0};
    stall_text text;
    stall_out o;

    stall_text_init(&text);
    stall_out_open_text(&o, &text, &error);
    stall_html_markdown(&o, markdown, "a <title>");
    assert_int_equal(stall_out_close(&o), STALL_OK);
    return text.data; /* freed by stall_mem_free */
}

static void check(const char *markdown, const char *html)
{
    char *got = convert(markdown);

    assert_string_equal(got == NULL ? "" : got, html);
    stall_mem_free(got);
}

static void test_spans(void **state)
{
    (void)state;
    check("a **b** c", "<p>a <strong>b</strong> c</p>\n");
    check("an **open", "<p>an <strong>open</strong></p>\n");
    check("19.0 s* and \\* and \\\\", "<p>19.0 s* and * and \\</p>\n");
    check("`a*b<` and ``c`d`` and `` ` ``",
          "<p><code>a*b&lt;</code> and <code>c`d</code> and <code>`</code></p>\n");
    check("`no end", "<p>`no end</p>\n");
    check("&lt;b&gt; &amp;amp; @&#8203;x http&#58;//x &copy;",
          "<p>&lt;b&gt; &amp;amp; @x http://x &amp;copy;</p>\n");
    check("<script>\"'", "<p>&lt;script&gt;&quot;&#39;</p>\n");
    check("one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n");
    check("", "");
}

static void test_blocks(void **state)
{
    (void)state;
    check("## top\n\n### next\n", "<h1>top</h1>\n<h2>next</h2>\n");
    check("> **PARTIAL** x\n", "<p class=\"partial\"><strong>PARTIAL</strong> x</p>\n");
    check("- a\n  - b\n  - c\n- d\n\nend",
          "<ul>\n<li>a\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n"
          "<p>end</p>\n");
    check("- a\n  - b\n", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n");
    check("    S..?SS.\n    S\n",
          "<pre class=\"strip\" tabindex=\"0\"><code><b>S</b>..?<b>SS</b>.\n<b>S</b>\n"
          "</code></pre>\n");
    check("    stalldiff 'S<'\n",
          "<pre tabindex=\"0\"><code>stalldiff &#39;S&lt;&#39;\n</code></pre>\n");
    check("```\n# x\n\n- y\n```\n", "<pre tabindex=\"0\"><code># x\n\n- y\n</code></pre>\n");
    check("a\n```mermaid\nxychart-beta\n    title \"x\"\n```\nb", "<p>a</p>\n<p>b</p>\n");
    check("```mermaid\nnever ends", "");
}

static void test_tables(void **state)
{
    (void)state;
    check("| | a\\|b |\n|---|---:|\n| x | 1 |\n| `p\\|q` |  |\n",
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"a &lt;title&gt;\">\n"
          "<table>\n<thead>\n<tr><td></td><th scope=\"col\" class=\"n\">a|b</th></tr>\n</thead>\n"
          "<tbody>\n<tr><th scope=\"row\">x</th><td class=\"n\">1</td></tr>\n"
          "<tr><th scope=\"row\"><code>p|q</code></th><td class=\"n\"></td></tr>\n"
          "</tbody>\n</table>\n</div>\n");
    stall_mem_free(convert("|"));
    stall_mem_free(convert("| a \\|\n|"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
