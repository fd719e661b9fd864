/* Detectron2's metrics.json: an object a line.
 *
 * data_time is the largest over the ranks, and like `time` a median of the last 20 iterations, in
 * seconds: a stall every 4th step does not show in it, and the two have no common step, so they
 * give no share. Rows of evaluation have no data_time. */
#include "read/logs.h"

static stall_log_kind take(stall_cell object, int64_t state[4], stall_log_row *ret)
{
    stall_cell data = stall_log_member(object, "data_time");

    (void)state;
    ret->step = stall_log_whole(stall_log_member(object, "iteration"));
    if (data.len == 0 || ret->step == STALL_UNKNOWN)
        return STALL_LOG_SKIP;
    ret->wait_ns = stall_log_seconds(data);
    ret->step_ns = stall_log_seconds(stall_log_member(object, "time"));
    return STALL_LOG_ROW;
}

static const stall_log_form form = {
    .json = true,
    .average = true,
    .median = true,
    .means = "a median of the last 20 iterations, which hides a stall every 4th step",
    .take = take,
};

STALL_LOG_READER(detectron2, "detectron2",
                 "Detectron2 metrics.json: data_time, medians of 20 iterations", STALL_INPUT_ROWS)
