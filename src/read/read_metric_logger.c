/* The log of torchvision's MetricLogger, also in DETR, MAE and others:
 *     Epoch: [0]  [  10/1251]  eta: 0:10:00  lr: 0.0001  loss: 6.9 (6.9)  time: 0.54  data: 0.0123
 * Times are means over the last 20 iterations or fewer, in seconds; their windows overlap. Epochs
 * and iterations count from 0. */
#include "read/logs.h"

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    stall_cell rest = stall_log_after(line, "Epoch: "), data, time;
    int64_t epoch, ignored, x, of;

    (void)state;
    if (rest.text == NULL) {
        rest = stall_log_after(line, "Test: ");
        return rest.text != NULL && stall_log_counter(&rest, &x, &of) &&
                       stall_log_field(rest, "data", ':', &data)
                   ? STALL_LOG_SKIP
                   : STALL_LOG_OTHER;
    }
    if (!stall_log_counter(&rest, &epoch, &ignored) || !stall_log_counter(&rest, &x, &of) ||
        !stall_log_field(rest, "data", ':', &data))
        return STALL_LOG_OTHER;
    ret->step = stall_log_number(epoch, of, x);
    ret->wait_ns = stall_log_seconds(data);
    if (stall_log_field(rest, "time", ':', &time))
        ret->step_ns = stall_log_seconds(time);
    return ret->step == STALL_UNKNOWN ? STALL_LOG_OTHER : STALL_LOG_ROW;
}

static const stall_log_form form = {
    .average = true,
    .means = "a mean of the last 20 iterations or fewer; the windows overlap",
    .take = take,
};

STALL_LOG_READER(metric_logger, "metric-logger",
                 "torchvision, DETR, MAE logs: data, means of 20 iterations", STALL_INPUT_TEXT)
