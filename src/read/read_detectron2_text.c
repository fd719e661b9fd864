/* Detectron2's text log:
 *     [06/01 12:00:00 d2.utils.events]:  eta: 1:02:03  iter: 19  total_loss: 1.2  ...
 *         time: 0.54  last_time: 0.51  data_time: 0.0067  last_data_time: 0.0021  lr: 1e-05
 * on one line. last_* are those of one iteration; without them data_time is a mean of 20. `time` is
 * a mean since the start and no step time. All in seconds. */
#include "read/logs.h"

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    stall_cell iter, last, data;

    (void)state;
    if (!stall_log_field(line, "iter", ':', &iter) ||
        !stall_log_field(line, "data_time", ':', &data))
        return STALL_LOG_OTHER;
    ret->step = stall_log_whole(iter);
    if (ret->step == STALL_UNKNOWN)
        return STALL_LOG_OTHER;
    ret->average = !stall_log_field(line, "last_data_time", ':', &last);
    ret->wait_ns = stall_log_seconds(ret->average ? data : last);
    if (stall_log_field(line, "last_time", ':', &last))
        ret->step_ns = stall_log_seconds(last);
    return STALL_LOG_ROW;
}

static const stall_log_form form = {
    .means = "a mean of the last 20 iterations",
    .take = take,
};

STALL_LOG_READER(detectron2_text, "detectron2-text",
                 "Detectron2 text log: last_data_time, one iteration in 20", STALL_INPUT_TEXT)
