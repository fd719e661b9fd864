/* Exact numbers from text: src/base/decimal.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static uint64_t rng_state = 88172645463325252u;

static uint64_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state;
}

static void accepts(const char *text, int exp10, int64_t want)
{
    int64_t got = -77;

    if (!stall_decimal_parse(text, strlen(text), exp10, &got) || got != want)
        fail_msg("%s e%d: got %" PRId64 ", want %" PRId64, text, exp10, got, want);
}

static void refuses(const char *text, int exp10)
{
    int64_t got = 0;

    if (stall_decimal_parse(text, strlen(text), exp10, &got))
        fail_msg("%s e%d: got %" PRId64 ", want a refusal", text, exp10, got);
}

static void test_exact(void **state)
{
    (void)state;
    accepts("1712195495519689.047", 3, 1712195495519689047);
    accepts("1712195495519689.047", 0, 1712195495519689);
    accepts("174684.951171875", 3, 174684951);
    accepts("1.7e15", 3, 1700000000000000000);
    accepts("1.7E+15", 3, 1700000000000000000);
    accepts("0", 3, 0);
    accepts("-0", 3, 0);
    accepts("-0.0004", 3, 0);
    accepts("+5", 0, 5);
    accepts("007", 0, 7);
    accepts("-12.5", 3, -12500);
    accepts("9223372036854775807", 0, INT64_MAX);
    accepts("-9223372036854775807", 0, -INT64_MAX);
    accepts("9223372036854775.807", 3, INT64_MAX);
    accepts("922337203685477580700000e-5", 0, 9223372036854775807);
    accepts("0.000000000000000000000000000001e30", 0, 1);
    accepts("0e999999999999999999999999", 9, 0);
    accepts("1e-999999999999999999999999", 9, 0);
    accepts("0.0e-5", 9, 0);
}

static void test_half_even(void **state)
{
    (void)state;
    accepts("0.5", 0, 0);
    accepts("1.5", 0, 2);
    accepts("2.5", 0, 2);
    accepts("-2.5", 0, -2);
    accepts("-3.5", 0, -4);
    accepts("2.50000000000000000000000000001", 0, 3);
    accepts("2.49999999999999999999999999999", 0, 2);
    accepts("0.05", 0, 0);
    accepts("0.09", 0, 0);
    accepts("5e-1", 0, 0);
    accepts("15e-1", 0, 2);
    accepts("9e-2", 0, 0);
    accepts("99e-2", 0, 1);
    accepts("1.0005", 3, 1000);
    accepts("1.0015", 3, 1002);
    accepts("9223372036854775806.5", 0, 9223372036854775806);
    refuses("9223372036854775807.5", 0);
    accepts("9223372036854775807.4999", 0, INT64_MAX);
}

static void test_refused(void **state)
{
    static const char *const bad[] = {"",     "-",    "+",     ".5",  "5.",      "1e",
                                      "1e+",  "e5",   "1.e5",  " 1",  "1 ",      "1,5",
                                      "0x10", "inf",  "nan",   "--1", "1.2.3",   "1e5.0",
                                      "N/A",  "1e5x", "1_000", "1-",  "\xd9\xa1"};
    int64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        double d;

        refuses(bad[i], 0);
        assert_false(stall_decimal_double(bad[i], strlen(bad[i]), &d));
    }
    assert_false(stall_decimal_parse("1\0002", 3, 0, &v)); /* a NUL is no digit */
    assert_true(stall_decimal_parse("12345", 2, 0, &v));   /* the length counts, not a NUL */
    assert_int_equal(v, 12);
    refuses("9223372036854775808", 0);
    refuses("-9223372036854775808", 0); /* this is the mark of an unknown value */
    refuses("1e19", 0);
    refuses("1e999999999999999999999", 0);
    refuses("18446744073709551617", 0);
    refuses("9223372036854776", 3);
}

/* Writes the digits of |v| with the point moved `places` to the left of their end. */
static void spell(char *buf, size_t size, int64_t v, int places, const char *extra)
{
    char digits[64];
    int len;

    len = snprintf(digits, sizeof(digits), "%0*" PRId64, places + 1, v < 0 ? -v : v);
    snprintf(buf, size, "%s%.*s%s%s%s", v < 0 ? "-" : "", len - places, digits,
             places > 0 || *extra != '\0' ? "." : "", digits + len - places, extra);
}

/* Whole numbers whose answer is known, with digits behind them that decide the rounding. */
static void test_random_integers(void **state)
{
    (void)state;
    for (int n = 0; n < 200000; n++) {
        int64_t v = (int64_t)(rng() >> (1 + rng() % 62)), want = v;
        int places = (int)(rng() % 10), shift = (int)(rng() % 40) - 20;
        char extra[12] = "", text[128];
        size_t len = rng() % 8;

        for (size_t i = 0; i < len; i++)
            extra[i] = "0123456789055"[rng() % 13];
        if (v > INT64_MAX - 1)
            continue;
        if (extra[0] > '5' || (extra[0] == '5' && (strspn(extra + 1, "0") != len - 1 || v % 2)))
            want++;
        if (v > 0 && rng() % 2) {
            v = -v;
            want = -want;
        }
        spell(text, sizeof(text), v, places, extra);
        accepts(text, places, want);
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "e%d", shift);
        accepts(text, places - shift, want);
    }
}

static void check_double(const char *text)
{
    double got, want = strtod(text, NULL);

    assert_true(stall_decimal_double(text, strlen(text), &got));
    if (memcmp(&got, &want, sizeof(got)) != 0)
        fail_msg("%s: got %.17g, want %.17g", text, got, want);
}

static void test_double(void **state)
{
    char text[2048], number[STALL_DOUBLE_MAX];
    double v, back;

    (void)state;
    check_double("0");
    check_double("-0.0");
    check_double("1e400");
    check_double("-1e400");
    check_double("1e-400");
    check_double("4.9406564584124654e-324");
    check_double("2.4703282292062327208e-324");
    check_double("2.4703282292062328e-324");
    check_double("179769313486231580793728971405301e276");
    check_double("9007199254740993");
    check_double("9007199254740993.00000000000000000000000000000000000000000000000000001");
    check_double("0.000000000000000000000000000000000000000000000000123e40");
    check_double("1e99999999999999999999");
    check_double("0e99999999999999999999");
    /* Half way between two doubles, decided by a digit far behind the ones that are kept. */
    memset(text, '0', sizeof(text));
    memcpy(text, "9007199254740993.", 17);
    text[1500] = '\0';
    check_double(text);
    text[1400] = '1';
    check_double(text);
    for (int n = 0; n < 100000; n++) {
        uint64_t bits = rng();

        memcpy(&v, &bits, sizeof(v));
        if (!isfinite(v))
            continue;
        snprintf(text, sizeof(text), "%.*e", (int)(rng() % 25), v);
        check_double(text);
        stall_double_text(number, v);
        assert_true(stall_decimal_double(number, strlen(number), &back));
        assert_memory_equal(&v, &back, sizeof(v));
    }
}

/* A locale with a decimal comma changes nothing, where the machine has one. */
static void test_locale(void **state)
{
    char buf[64];
    double v;

    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
        skip();
    assert_true(stall_decimal_double("1.5", 3, &v));
    assert_true(v == 1.5);
    assert_string_equal(stall_double_text(buf, 1.5), "1.5");
    assert_string_equal(stall_fixed_text(buf, 1234.5, 2), "1234.50");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),   cmocka_unit_test(test_half_even),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_random_integers),
        cmocka_unit_test(test_double),  cmocka_unit_test(test_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
