/* Series made from a few numbers, and their comparison, for the tests of src/compare. */
#ifndef COMPARE_SUPPORT_H
#define COMPARE_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compare/compare.h"

#define MADE_RUNS 10

typedef struct made {
    stall_series series[MADE_RUNS];
    stall_report_input inputs[MADE_RUNS];
    size_t len;
    stall_report report;
} made;

/* A run of n steps: every `period`-th waits `slow` ms (0: none), the others about 1 ms; with `work`
 * ms of work a step (NaN: step times unknown). Values differ a little, by `seed`. */
static inline void made_add(made *m, int side, size_t n, size_t period, double slow, double work,
                            uint64_t seed)
{
    stall_series *s = &m->series[m->len];
    stall_report_input *in = &m->inputs[m->len++];

    stall_series_init(s);
    s->rows = stall_mem_zero(n, sizeof(*s->rows));
    assert_non_null(s->rows);
    s->len = s->cap = n;
    s->label = stall_mem_text("run", 3);
    s->format = "csv";
    for (size_t i = 0; i < n; i++) {
        double noise = 0.95 + 0.1 * stall_random_unit(&seed);
        double wait = (period > 0 && i % period == 0 ? slow : 1) * noise;

        s->rows[i] =
            (stall_row){.step = (int64_t)i,
                        .epoch = STALL_UNKNOWN,
                        .wait_ns = (int64_t)(wait * 1e6),
                        .step_ns = isnan(work) ? STALL_UNKNOWN : (int64_t)((wait + work) * 1e6),
                        .exposed_ns = STALL_UNKNOWN,
                        .other_wait_ns = STALL_UNKNOWN,
                        .fetches = 1};
    }
    stall_analyze_options_init(&in->options);
    in->options.num_workers = 4;
    in->series = s;
    in->side = side;
}

static inline const stall_report *made_compare(made *m, stall_gate gate)
{
    const stall_report_options o = {{NULL, NULL}, gate, false};
    stall_error error;

    assert_int_equal(stall_report_compare(m->inputs, m->len, &o, &m->report, &error), STALL_OK);
    return &m->report;
}

static inline void made_close(made *m)
{
    stall_report_close(&m->report);
    for (size_t i = 0; i < m->len; i++)
        stall_series_close(&m->series[i]);
    memset(m, 0, sizeof(*m));
}

#endif
