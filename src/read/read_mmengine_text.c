/* The text logs of MMEngine and MMCV:
 *     ... - mmengine - INFO - Epoch(train)  [1][  50/7330]  lr: ..  time: 0.33  data_time: 0.02
 *     ... - mmengine - INFO - Iter(train) [   50/90000]  lr: ..  time: 0.33  data_time: 0.02
 *     ... - mmdet - INFO - Epoch [1][50/7330]<TAB>lr: .., time: 0.332, data_time: 0.042, ..
 * Epochs and iterations count from 1. Times are means, in seconds, over the last iterations, the
 * wait in `time` included. Lines of (val) and (test) carry them too. */
#include <string.h>

#include "read/logs.h"

/* What follows the head of a line, `*ret_epochs`: it is one of an epoch. NULL: no such line. */
static stall_cell head_of(stall_cell line, bool *ret_epochs, bool *ret_training)
{
    static const struct {
        const char *head;
        bool epochs, training;
    } heads[] = {
        {"Epoch(train)", true, true}, {"Iter(train)", false, true}, {"Epoch(val)", true, false},
        {"Epoch(test)", true, false}, {"Iter(val)", false, false},  {"Iter(test)", false, false},
        {"Epoch [", true, true},      {"Iter [", false, true},
    };

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        stall_cell rest = stall_log_after(line, heads[i].head);

        if (rest.text == NULL)
            continue;
        if (heads[i].head[strlen(heads[i].head) - 1] == '[')
            rest = (stall_cell){rest.text - 1, rest.len + 1}; /* the counter begins with it */
        *ret_epochs = heads[i].epochs;
        *ret_training = heads[i].training;
        return rest;
    }
    return (stall_cell){NULL, 0};
}

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    int64_t epoch = 1, ignored, x, of;
    bool epochs, training;
    stall_cell rest = head_of(line, &epochs, &training), data, time;

    (void)state;
    if (rest.text == NULL)
        return STALL_LOG_OTHER;
    if (epochs && !stall_log_counter(&rest, &epoch, &ignored))
        return STALL_LOG_OTHER;
    if (!stall_log_counter(&rest, &x, &of) || !stall_log_field(rest, "data_time", ':', &data))
        return STALL_LOG_OTHER;
    if (!training || epoch < 1)
        return STALL_LOG_SKIP;
    ret->step = epochs ? stall_log_number(epoch - 1, of, x) : x;
    ret->wait_ns = stall_log_seconds(data);
    if (stall_log_field(rest, "time", ':', &time))
        ret->step_ns = stall_log_seconds(time);
    return STALL_LOG_ROW;
}

static const stall_log_form form = {
    .average = true,
    .means = "a mean of the iterations since the row before, or of the last 10",
    .take = take,
};

STALL_LOG_READER(mmengine_text, "mmengine-text",
                 "MMEngine and MMCV text logs: data_time, means of an interval", STALL_INPUT_TEXT)
