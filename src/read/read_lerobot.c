/* LeRobot's training log:
 *     INFO ... train.py:232 step:200 smpl:2K ep:3 epch:0.01 loss:6.1 grdn:150.2 lr:1.0e-05
 *         updt_s:0.210 data_s:0.013
 * on one line, newer ones with prep_s and step_s. Times are means over log_freq steps, in seconds.
 * Steps are rounded, 1000, 1200 and 1400 all print 1K: those without suffix are exact, later rows
 * go on by their distance. Rows without data_s, such as those of an evaluation, are none of
 * training. */
#include <stdlib.h>

#include "read/logs.h"

#define STRIDE 200 /* log_freq, where the log does not show it */

enum { LAST, DISTANCE }; /* in the state: last step number, plus 1; distance of the exact ones */

/* The unit of a suffix, 1 without one, 0 for what is none. */
static int64_t unit_of(stall_cell *c)
{
    static const char suffixes[] = "KMBTQ";
    int64_t unit = 1;

    if (c->len == 0)
        return 0;
    for (size_t i = 0; suffixes[i] != '\0'; i++) {
        unit *= 1000;
        if (c->text[c->len - 1] == suffixes[i]) {
            c->len--;
            return unit;
        }
    }
    return 1;
}

static int64_t step_number(stall_cell c, int64_t state[4])
{
    int64_t unit = unit_of(&c), v = stall_log_whole(c), next, stride, rounded;

    if (unit == 0 || v == STALL_UNKNOWN || v > INT64_MAX / unit / 2)
        return STALL_UNKNOWN;
    if (unit == 1) {
        if (state[LAST] > 0 && v > state[LAST] - 1)
            state[DISTANCE] = v - (state[LAST] - 1);
        state[LAST] = v + 1;
        return v;
    }
    stride = state[DISTANCE] > 0 ? state[DISTANCE] : STRIDE;
    next = state[LAST] > 0 ? state[LAST] - 1 + stride : -1;
    rounded = next < 0 ? -2 : (next + unit / 2) / unit;
    if (llabs(rounded - v) > 1) /* the log begins here, or the training was resumed */
        next = v * unit;
    state[LAST] = next + 1;
    return next;
}

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    stall_cell step, data, c;
    int64_t prepared = 0;

    if (!stall_log_field(line, "step", ':', &step))
        return STALL_LOG_OTHER;
    if (!stall_log_field(line, "data_s", ':', &data))
        return stall_log_field(line, "eval_s", ':', &c) ? STALL_LOG_SKIP : STALL_LOG_OTHER;
    ret->step = step_number(step, state);
    if (ret->step == STALL_UNKNOWN)
        return STALL_LOG_OTHER;
    ret->wait_ns = stall_log_seconds(data);
    if (stall_log_field(line, "step_s", ':', &c)) {
        ret->step_ns = stall_log_seconds(c);
    } else if (stall_log_field(line, "updt_s", ':', &c)) {
        ret->step_ns = stall_log_sum(ret->wait_ns, stall_log_seconds(c));
        if (stall_log_field(line, "prep_s", ':', &c))
            prepared = stall_log_seconds(c);
        ret->step_ns = stall_log_sum(ret->step_ns, prepared);
    }
    return STALL_LOG_ROW;
}

static const stall_log_form form = {
    .interval = true,
    .means = "a mean of the steps since the row before, to 1 ms",
    .take = take,
};

STALL_LOG_READER(lerobot, "lerobot", "LeRobot training log: data_s, means of an interval",
                 STALL_INPUT_TEXT)
