/* Figures as texts. */
#include "compare_support.h"

static void test_figures(void **state)
{
    char b[WORDS_FIGURE_MAX];

    (void)state;
    assert_string_equal(stall_words_ms(b, 0), "0 ms");
    assert_string_equal(stall_words_ms(b, 0.3751), "0.375 ms");
    assert_string_equal(stall_words_ms(b, 52.97), "53.0 ms");
    assert_string_equal(stall_words_ms(b, 4708.1), "4.71 s");
    assert_string_equal(stall_words_ms(b, 19562), "19.6 s");
    assert_string_equal(stall_words_ms(b, -19562), "-19.6 s");
    assert_string_equal(stall_words_ms(b, NAN), "not measured");
    assert_string_equal(stall_words_share(b, 0), "0 %");
    assert_string_equal(stall_words_share(b, 1), "100 %");
    assert_string_equal(stall_words_share(b, 0.9999), "over 99.9 %");
    assert_string_equal(stall_words_share(b, 0.0001), "under 0.1 %");
    assert_string_equal(stall_words_share(b, 0.873), "87.3 %");
    assert_string_equal(stall_words_change(b, 0), "-100 %");
    assert_string_equal(stall_words_change(b, 1), "0.0 %");
    assert_string_equal(stall_words_change(b, 0.0112), "-98.9 %");
    assert_string_equal(stall_words_change(b, 0.0049), "-99.51 %");
    assert_string_equal(stall_words_change(b, 1e-9), "-99.999 %"); /* not nothing */
    assert_string_equal(stall_words_change(b, 1.5), "+50.0 %");
    assert_string_equal(stall_words_change(b, 8.61), "8.61 x");
    assert_string_equal(stall_words_p(b, 2.04e-5), "= 2e-05");
    assert_string_equal(stall_words_p(b, 0.0123), "= 0.012");
    assert_string_equal(stall_words_p(b, 0), "< 1e-300");
    assert_string_equal(stall_words_plain(b, 12), "12");
}

static void test_every(void **state)
{
    static const struct {
        int64_t g;
        const char *text;
    } rows[] = {{1, "every step"},       {2, "every 2nd step"},   {3, "every 3rd step"},
                {4, "every 4th step"},   {11, "every 11th step"}, {12, "every 12th step"},
                {13, "every 13th step"}, {21, "every 21st step"}, {112, "every 112th step"}};
    char b[WORDS_FIGURE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(stall_words_every(b, rows[i].g), rows[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures),
                                       cmocka_unit_test(test_every)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
