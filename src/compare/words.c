/* Figures as people read them.
 *
 * Enters: numbers. Leaves: short texts without markup, the same in every locale. It must not know
 * runs or reports. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"

#define NOT_MEASURED "not measured"

/* Three significant digits below 1000. */
static int digits(double size)
{
    return size < 0.995 ? 3 : size < 9.95 ? 2 : size < 99.5 ? 1 : 0;
}

static const char *join(char buf[WORDS_FIGURE_MAX], double v, int decimals, const char *unit)
{
    char number[64];

    snprintf(buf, WORDS_FIGURE_MAX, "%s%s", stall_fixed_text(number, v, decimals), unit);
    return buf;
}

const char *stall_words_ms(char buf[WORDS_FIGURE_MAX], double ms)
{
    double size = fabs(ms);

    if (isnan(ms))
        return strcpy(buf, NOT_MEASURED);
    if (ms == 0)
        return join(buf, 0, 0, " ms");
    if (size >= 999.5) /* "3.90 s" reads better than "3902 ms" */
        return join(buf, ms / 1000, digits(size / 1000), " s");
    return join(buf, ms, digits(size), " ms");
}

const char *stall_words_share(char buf[WORDS_FIGURE_MAX], double v)
{
    double size = fabs(v) * 100;

    if (isnan(v))
        return strcpy(buf, NOT_MEASURED);
    if (v > 0 && size < 0.05)
        return strcpy(buf, "under 0.1 %");
    if (v < 1 && size >= 99.95)
        return strcpy(buf, "over 99.9 %");
    return join(buf, v * 100, size >= 100 || v == 0 ? 0 : 1, " %");
}

const char *stall_words_change(char buf[WORDS_FIGURE_MAX], double ratio)
{
    double percent = (ratio - 1) * 100;
    int decimals = ratio < 0.001 ? 3 : ratio < 0.01 ? 2 : 1;
    char number[64];

    if (isnan(ratio))
        return strcpy(buf, NOT_MEASURED);
    if (ratio == 0)
        return strcpy(buf, "-100 %");
    if (ratio >= 3)
        return join(buf, ratio, digits(ratio), " x");
    if (ratio < 0.001) /* nothing that is left rounds to -100 % */
        percent = ceil(percent * 1000) / 1000;
    snprintf(buf, WORDS_FIGURE_MAX, "%s%s %%", percent > 0 ? "+" : "",
             stall_fixed_text(number, percent, decimals));
    return buf;
}

const char *stall_words_plain(char buf[WORDS_FIGURE_MAX], double v)
{
    if (isnan(v))
        return strcpy(buf, NOT_MEASURED);
    return join(buf, v, v == floor(v) ? 0 : digits(fabs(v)), "");
}

const char *stall_words_p(char buf[WORDS_FIGURE_MAX], double p)
{
    char number[64];

    if (isnan(p))
        return strcpy(buf, NOT_MEASURED);
    if (p < 1e-300)
        return strcpy(buf, "< 1e-300");
    if (p >= 0.001)
        snprintf(buf, WORDS_FIGURE_MAX, "= %s", stall_fixed_text(number, p, 3));
    else
        snprintf(buf, WORDS_FIGURE_MAX, "= %.0e", p); /* no decimal point, so no locale */
    return buf;
}

const char *stall_words_every(char buf[WORDS_FIGURE_MAX], int64_t g)
{
    int64_t last = g % 10, two = g % 100;
    const char *end = two >= 11 && two <= 13 ? "th"
                      : last == 1            ? "st"
                      : last == 2            ? "nd"
                      : last == 3            ? "rd"
                                             : "th";

    if (g == 1)
        return strcpy(buf, "every step");
    snprintf(buf, WORDS_FIGURE_MAX, "every %" PRId64 "%s step", g, end);
    return buf;
}

void stall_words_count(stall_text *t, uint64_t n, const char *noun)
{
    stall_text_printf(t, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}
