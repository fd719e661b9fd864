/* Compensated sums. Enters: doubles. Leaves: their sum, the same bytes on every machine. */
#include <math.h>

#include "base/base.h"

void stall_sum_add(stall_sum *s, double v)
{
    double t = s->sum + v;

    s->rest += fabs(s->sum) >= fabs(v) ? (s->sum - t) + v : (v - t) + s->sum;
    s->sum = t;
}

double stall_sum_value(const stall_sum *s) { return s->sum + s->rest; }

double stall_sum_of(const double *v, size_t n)
{
    stall_sum s = {0, 0};

    for (size_t i = 0; i < n; i++) {
        stall_sum_add(&s, v[i]);
    }
    return stall_sum_value(&s);
}
