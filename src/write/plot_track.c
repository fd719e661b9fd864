/* The steps of one run along the axis of a picture.
 *
 * Enters: the judged series of a run. Leaves: the place of every step, and for long series columns
 * from the lowest to the highest wait. It must not know how a picture is drawn. */
#include <math.h>

#include "write/write.h"

#define STEP_MAX 1000000000000000 /* a larger step label is no place on an axis */

void stall_track_open(stall_track *t, const stall_run *run, size_t i, size_t points)
{
    const stall_analysis *a = &run->analysis;

    *t = (stall_track){.a = a, .i = i, .by_step = true, .columns = a->points_len > points};
    for (size_t k = 0; k < a->points_len; k++) {
        const stall_point *s = &a->points[k];

        if (s->step < 0 || s->step > STEP_MAX || (k > 0 && s->step <= a->points[k - 1].step))
            t->by_step = false;
        if (isnan(s->wait_ms))
            t->unknown++;
        else if (s->stall)
            t->stalls++;
        else
            t->waits++;
    }
    t->a_column = (a->points_len + STALL_PLOT_COLUMNS - 1) / STALL_PLOT_COLUMNS;
}

double stall_track_place(const stall_track *t, size_t k)
{
    size_t n = t->a->points_len;

    if (n == 0)
        return 0;
    if (k >= n)
        return stall_track_place(t, n - 1) + 1;
    return t->by_step ? (double)t->a->points[k].step : (double)k;
}

void stall_track_span(const stall_track *t, size_t k, size_t end, double low[2], double high[2])
{
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -1;
    for (; k < end; k++) {
        const stall_point *s = &t->a->points[k];

        if (s->wait_ms < low[s->stall])
            low[s->stall] = s->wait_ms;
        if (s->wait_ms > high[s->stall])
            high[s->stall] = s->wait_ms;
    }
}
