/* MMCV's *.log.json: an object a line, the first one about the environment.
 *
 * `mode` tells training from validation. `iter` counts within the epoch, whose length is not in the
 * file, so steps are numbered by epoch and iteration. Times are means, in seconds, over the last
 * logging interval, the wait in `time` included. */
#include "read/logs.h"

static stall_log_kind take(stall_cell object, int64_t state[4], stall_log_row *ret)
{
    stall_cell data = stall_log_member(object, "data_time");

    (void)state;
    if (!stall_cell_is(stall_log_member(object, "mode"), "train") || data.len == 0)
        return STALL_LOG_SKIP;
    ret->epoch = stall_log_whole(stall_log_member(object, "epoch"));
    ret->step = stall_log_whole(stall_log_member(object, "iter"));
    ret->wait_ns = stall_log_seconds(data);
    ret->step_ns = stall_log_seconds(stall_log_member(object, "time"));
    return ret->step == STALL_UNKNOWN ? STALL_LOG_SKIP : STALL_LOG_ROW;
}

static const stall_log_form form = {
    .json = true,
    .average = true,
    .means = "a mean of the iterations since the row before",
    .take = take,
};

STALL_LOG_READER(mmcv, "mmcv", "MMCV *.log.json: data_time, means of an interval", STALL_INPUT_ROWS)
