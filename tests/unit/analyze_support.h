/* Series for the tests of the analysis, written as strips: S a stall, . an ordinary wait, ? a wait
 * that is not known, a blank a step without a row, | the start of the next epoch. */
#ifndef ANALYZE_SUPPORT_H
#define ANALYZE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"

#define MS INT64_C(1000000)
#define STRIP_STALL (800 * MS)
#define STRIP_FAST (1 * MS)
#define STRIP_WORK (30 * MS)

typedef struct subject { /* a series and its analysis */
    stall_series series;
    stall_analyze_options options;
    stall_analysis a;
} subject;

static inline void subject_open(subject *s)
{
    stall_series_init(&s->series);
    stall_analyze_options_init(&s->options);
    stall_analysis_init(&s->a);
}

static inline void subject_close(subject *s)
{
    stall_analysis_close(&s->a);
    stall_series_close(&s->series);
}

/* A row of one rank; wait and work in ns, STALL_UNKNOWN: not known. */
static inline void subject_row(subject *s, int32_t rank, int64_t epoch, int64_t step, int64_t wait,
                               int64_t work)
{
    stall_row row = {step, epoch, wait, STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN, rank, -1};

    if (work != STALL_UNKNOWN)
        row.step_ns = (wait == STALL_UNKNOWN ? 0 : wait) + work;
    assert_int_equal(stall_series_push(&s->series, &row, NULL), STALL_OK);
}

/* Rows after a strip; steps count on over epochs. work: ns, STALL_UNKNOWN: no step times. */
static inline void subject_strip(subject *s, const char *strip, int64_t work)
{
    int64_t epoch = strchr(strip, '|') != NULL ? 0 : STALL_UNKNOWN, step = 0;

    for (const char *c = strip; *c != '\0'; c++) {
        if (*c == '|') {
            epoch++;
            continue;
        }
        if (*c != ' ')
            subject_row(s, 0, epoch, step,
                        *c == 'S'   ? STRIP_STALL
                        : *c == '.' ? STRIP_FAST
                                    : STALL_UNKNOWN,
                        work);
        step++;
    }
}

static inline void subject_analyze(subject *s)
{
    stall_error error;

    assert_int_equal(stall_analyze(&s->series, &s->options, &s->a, &error), STALL_OK);
}

/* Analyses a strip; close the subject afterwards. */
static inline void subject_of(subject *s, const char *strip, int64_t work, int64_t workers)
{
    subject_open(s);
    s->options.num_workers = workers;
    subject_strip(s, strip, work);
    subject_analyze(s);
}

/* splitmix64: the same numbers on every machine. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* A strip of len steps that stall at random with chance p. */
static inline void random_strip(char *strip, size_t len, double p, uint64_t *state)
{
    for (size_t i = 0; i < len; i++)
        strip[i] = random_unit(state) < p ? 'S' : '.';
    strip[len] = '\0';
}

#define assert_near(got, want, tolerance)                                   \
    do {                                                                    \
        double got_ = (got), want_ = (want);                                \
        if (!(fabs(got_ - want_) <= (tolerance)*fmax(1e-300, fabs(want_)))) \
            fail_msg("%s is %.17g, not %.17g", #got, got_, want_);          \
    } while (0)
#define assert_nan(x) assert_true(isnan(x))
#define has_note(s, name) (((s)->a.notes & 1u << STALL_NOTE_##name) != 0)

#endif
