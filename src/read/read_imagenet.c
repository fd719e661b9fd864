/* The log of the ImageNet example of PyTorch and of the many scripts made after it:
 *     Epoch: [0][   11/5005]<TAB>Time  0.243 ( 0.634)<TAB>Data  0.000 ( 0.356)<TAB>Loss ...
 * No colon after the names. The current value stands first, in brackets the average of the epoch;
 * one iteration in print_freq is logged. */
#include "read/logs.h"

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    stall_cell rest = stall_log_after(line, "Epoch: "), data, time;
    int64_t epoch, ignored, x, of;

    (void)state;
    if (rest.text == NULL) {
        rest = stall_log_after(line, "Test: ");
        return rest.text != NULL && stall_log_counter(&rest, &x, &of) && of != STALL_UNKNOWN &&
                       stall_log_field(rest, "Time", ' ', &time)
                   ? STALL_LOG_SKIP
                   : STALL_LOG_OTHER;
    }
    if (!stall_log_counter(&rest, &epoch, &ignored) || !stall_log_counter(&rest, &x, &of) ||
        !stall_log_field(rest, "Data", ' ', &data))
        return STALL_LOG_OTHER;
    ret->step = stall_log_number(epoch, of, x);
    ret->wait_ns = stall_log_seconds(data);
    if (stall_log_field(rest, "Time", ' ', &time))
        ret->step_ns = stall_log_seconds(time);
    return ret->step == STALL_UNKNOWN ? STALL_LOG_OTHER : STALL_LOG_ROW;
}

static const stall_log_form form = {.take = take};

STALL_LOG_READER(imagenet, "imagenet",
                 "log of PyTorch's ImageNet example: Data, one iteration in 10", STALL_INPUT_TEXT)
