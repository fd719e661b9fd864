/* Figures as people read them: three significant digits and a fitting unit.
 *
 * Enters: values of the model. Leaves: short texts in ASCII, the same in every locale. It must not
 * know documents; files for machines print exact numbers instead. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

/* Three significant digits of a value that is shown below 1000, whole digits above. */
static int three_digits(double v)
{
    v = fabs(v);
    return v < 0.9995 ? 3 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

/* Puts a number, an optional '+' and what follows it into buf. */
static const char *figure(char buf[STALL_FIGURE_MAX], double v, int decimals, bool sign,
                          const char *unit)
{
    char number[64];

    stall_fixed_text(number, v, decimals);
    snprintf(buf, STALL_FIGURE_MAX, "%s%.32s%.12s", sign && v > 0 ? "+" : "", number, unit);
    return buf;
}

static const char *missing(char buf[STALL_FIGURE_MAX], const char *text)
{
    snprintf(buf, STALL_FIGURE_MAX, "%s", text);
    return buf;
}

static const char *time_figure(char buf[STALL_FIGURE_MAX], double ms, bool sign)
{
    double size = fabs(ms);

    if (size == 0)
        return figure(buf, 0, 0, false, " ms");
    if (size < 0.0009995)
        return figure(buf, ms * 1e6, size < 1e-6 ? 3 : 0, sign, " ns");
    if (size < 0.09995)
        return figure(buf, ms * 1e3, three_digits(ms * 1e3), sign, " us");
    if (size < 999.5)
        return figure(buf, ms, three_digits(ms), sign, " ms");
    return figure(buf, ms / 1e3, three_digits(ms / 1e3), sign, " s");
}

const char *stall_time_text(char buf[STALL_FIGURE_MAX], double ms)
{
    return isnan(ms) ? missing(buf, STALL_NOT_MEASURED) : time_figure(buf, ms, false);
}

const char *stall_decade_text(char buf[STALL_FIGURE_MAX], int k)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    int unit = k < -6 ? 0 : k >= 3 ? 3 : (k + 6) / 3;

    /* the zeros behind the 1: one for each power above that of the unit */
    snprintf(buf, STALL_FIGURE_MAX, "1%.*s %s", k + 6 - 3 * unit, "000000000000000000000000000",
             units[unit]);
    return buf;
}

const char *stall_share_text(char buf[STALL_FIGURE_MAX], double share)
{
    if (isnan(share))
        return missing(buf, STALL_NOT_MEASURED);
    if (share > 0 && share < 0.0005)
        return missing(buf, "under 0.1 %");
    return figure(buf, share * 100, 1, false, " %");
}

const char *stall_plain_text(char buf[STALL_FIGURE_MAX], double v)
{
    double size = fabs(v);
    char number[64];
    int exponent;

    if (isnan(v))
        return missing(buf, STALL_NOT_MEASURED);
    if (isinf(v) || (size < 1e9 && floor(v) == v))
        return figure(buf, v, 0, false, "");
    if (size >= 0.001 && size < 1e9)
        return figure(buf, v, size < 0.00995 ? 5 : size < 0.0995 ? 4 : three_digits(v), false, "");
    exponent = (int)floor(log10(size));
    if (exponent < -300) /* 10^-exponent would leave the range */
        return missing(buf, v < 0 ? "-1e-300" : "under 1e-300");
    stall_fixed_text(number, v / pow(10, exponent), 2);
    snprintf(buf, STALL_FIGURE_MAX, "%.20se%d", number, exponent);
    return buf;
}

const char *stall_metric_text(char buf[STALL_FIGURE_MAX], const char *unit, double v)
{
    if (strcmp(unit, "steps") == 0) {
        if (isnan(v))
            return missing(buf, "none found");
        if (v == 1)
            return missing(buf, "every step");
        char number[STALL_FIGURE_MAX];
        figure(number, v, 0, false, " steps");
        snprintf(buf, STALL_FIGURE_MAX, "every %.40s", number);
        return buf;
    }
    if (isnan(v))
        return missing(buf, STALL_NOT_MEASURED);
    if (strcmp(unit, "ms") == 0)
        return stall_time_text(buf, v);
    if (strcmp(unit, "share") == 0)
        return stall_share_text(buf, v);
    if (strcmp(unit, "count") == 0)
        return figure(buf, v, 0, false, "");
    return stall_plain_text(buf, v);
}

bool stall_quantile_is_edge(uint64_t n, int percent)
{
    return n > 0 && n < (percent == 99 ? 100u : 20u);
}

const char *stall_quantile_text(char buf[STALL_FIGURE_MAX], double ms, uint64_t n, int percent)
{
    char text[STALL_FIGURE_MAX];
    bool mark = !isnan(ms) && stall_quantile_is_edge(n, percent);

    snprintf(buf, STALL_FIGURE_MAX, "%.40s%s", stall_time_text(text, ms), mark ? "*" : "");
    return buf;
}

const char *stall_figure_text(char buf[STALL_FIGURE_MAX], const stall_metric *m, double v,
                              uint64_t n)
{
    bool every = strcmp(m->unit, "steps") == 0 && v == 1; /* stalls at every step: no cadence */
    int percent = strcmp(m->id, "wait_p95") == 0 ? 95 : strcmp(m->id, "wait_p99") == 0 ? 99 : 0;

    if (m->refused)
        return missing(buf, "not looked for");
    if (every)
        return missing(buf, "none: every step");
    return percent > 0 ? stall_quantile_text(buf, v, n, percent)
                       : stall_metric_text(buf, m->unit, v);
}

const char *stall_change_text(char buf[STALL_FIGURE_MAX], const char *unit, double v)
{
    if (isnan(v))
        return missing(buf, "-");
    if (strcmp(unit, "ms") == 0)
        return time_figure(buf, v, true);
    if (strcmp(unit, "share") == 0)
        return figure(buf, v * 100, 1, true, " pp");
    if (strcmp(unit, "count") == 0)
        return figure(buf, v, 0, true, "");
    if (strcmp(unit, "steps") == 0)
        return figure(buf, v, 0, true, fabs(v) == 1 ? " step" : " steps");
    return stall_plain_text(buf, v);
}

const char *stall_interval_text(char buf[2 * STALL_FIGURE_MAX], const char *unit, double low,
                                double high)
{
    char a[STALL_FIGURE_MAX], b[STALL_FIGURE_MAX];

    if (isnan(low) || isnan(high))
        return missing(buf, "-");
    snprintf(buf, 2 * STALL_FIGURE_MAX, "[%.45s, %.45s]", stall_change_text(a, unit, low),
             stall_change_text(b, unit, high));
    return buf;
}
