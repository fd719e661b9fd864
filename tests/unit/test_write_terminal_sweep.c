/* A sweep in every document: what must be in it, hostile names, failing sinks. */
#include "fake_report.h"
#include "sweep_support.h"
#include "write/write.h"

static void make(made *m)
{
    static const char *const labels[] = {"w1", "w2", "w4", "w4u"};

    for (size_t i = 0; i < 4; i++) {
        sweep_add(m, i == 3 ? 4 : INT64_C(1) << i, i == 3 ? 4 : (size_t)1 << i, 900);
        stall_mem_free(m->series[i].label);
        m->series[i].label = stall_mem_text(labels[i], strlen(labels[i]));
        m->inputs[i].options.cpus = 2;
    }
    sweep_meta(m, 3, "in_order", "false");
    sweep_ranks(m, 3, 3);
    sweep_make(m);
}

static stall_status terminal(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    const stall_terminal_options o = {.report_dir = "out"};

    return stall_write_terminal(r, &o, sink, reterr);
}

static stall_status plot(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    return stall_write_gnuplot(r, STALL_PLOT_SWEEP, STALL_PLOT_SVG, sink, reterr);
}

static const struct {
    fake_writer *write;
    const char *has[4];
} documents[] = {
    {terminal, {"FOLLOWS: ", "w4u", "S...S...S...", "* Ordered against unordered"}},
    {stall_write_markdown,
     {"the gap follows the worker count", "| w4u |", "    w4u  S...", "bar ["}},
    {stall_write_json,
     {"\"sweep\":{", "\"verdict\":\"follows\"", "\"controls\":[{", "\"rows\":[{"}},
    {stall_write_summary_csv,
     {"w4u,,,workers,count,4,,", ",,,slope,steps,1,,", "overtaking", "follows"}},
    {plot, {"$set1 << EOD", "'unordered'", "$proportion", "'logical CPUs'"}},
};
#define DOCUMENTS (sizeof(documents) / sizeof(documents[0]))

static void test_documents(void **state)
{
    made m = {0};

    (void)state;
    make(&m);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        fake_bytes b = fake_write(documents[i].write, &m.report);

        for (size_t k = 0; k < 4; k++)
            assert_has(b.data, documents[i].has[k]);
        free(b.data);
        if (i != 1) /* whose parts fail in test_write_markdown */
            fake_fail(documents[i].write, &m.report);
    }
    made_close(&m);
}

/* No width breaks the table: columns give way, lines fit. */
static void test_widths(void **state)
{
    made m = {0};
    stall_error error;

    (void)state;
    make(&m);
    m.report.runs[0].label = "a name that is by far too long to stand beside its strip anywhere";
    for (int width = 40; width <= 200; width += 20) {
        const stall_terminal_options o = {.width = width};
        fake_bytes b = {NULL, 0, SIZE_MAX};
        stall_sink sink = {&b, fake_take};

        assert_int_equal(stall_write_terminal(&m.report, &o, &sink, &error), STALL_OK);
        for (const char *s = b.data; *s != '\0'; s += strcspn(s, "\n") + 1)
            if (strchr(s, ':') != NULL && width >= 80)
                assert_true(strcspn(s, "\n") <= (size_t)width);
        free(b.data);
    }
    made_close(&m);
}

/* Text of inputs is data in every document; a report without rows draws an empty picture. */
static void test_hostile(void **state)
{
    made m = {0};
    fake_report *f;

    (void)state;
    make(&m);
    sweep_meta(&m, 0, "revision", "\"|`x`\033[31m'q' <b>\"");
    m.series[1].warnings.partial = true;
    sweep_make(&m);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        fake_bytes b = fake_write(documents[i].write, &m.report);

        assert_null(strchr(b.data, '\033'));
        if (documents[i].write == stall_write_markdown)
            assert_null(strstr(b.data, "<b>"));
        if (documents[i].write == terminal)
            assert_has(b.data, "PARTIAL");
        free(b.data);
    }
    made_close(&m);
    f = fake_show("x", 3, 8);
    fake_bytes b = fake_write(plot, &f->report);
    assert_has(b.data, "no run has gaps between stalls");
    free(b.data);
    fake_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
