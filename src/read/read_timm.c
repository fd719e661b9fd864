/* timm's training log:
 *     Train: 0 [  50/1251 (  4%)]  Loss: 6.93 (6.94)  Time: 0.243s,  526.75/s  (0.329s,  389.1/s)
 *         LR: 1.000e-06  Data: 0.012 (0.034)
 * on one line. The current value stands first, in brackets the average of the epoch. Updates and
 * epochs count from 0, one update in log_interval (50) is logged. With gradient accumulation Data
 * is that many times the last fetch. */
#include "read/logs.h"

static stall_log_kind take(stall_cell line, int64_t state[4], stall_log_row *ret)
{
    stall_cell rest = stall_log_after(line, "Train: "), data, time, epoch;
    int64_t x, of;

    (void)state;
    if (rest.text == NULL) {
        rest = stall_log_after(line, "Test: ");
        return rest.text != NULL && stall_log_counter(&rest, &x, &of) && of != STALL_UNKNOWN &&
                       stall_log_field(rest, "Time", ':', &time) &&
                       !stall_log_field(rest, "Data", ':', &data)
                   ? STALL_LOG_SKIP
                   : STALL_LOG_OTHER;
    }
    rest = stall_cell_trim(rest.text, rest.len);
    for (epoch = (stall_cell){rest.text, 0}; epoch.len < rest.len && epoch.text[epoch.len] != ' ';)
        epoch.len++;
    rest = (stall_cell){rest.text + epoch.len, rest.len - epoch.len};
    if (!stall_log_counter(&rest, &x, &of) || !stall_log_field(rest, "Data", ':', &data))
        return STALL_LOG_OTHER;
    ret->step = stall_log_number(stall_log_whole(epoch), of, x);
    ret->wait_ns = stall_log_seconds(data);
    if (stall_log_field(rest, "Time", ':', &time))
        ret->step_ns = stall_log_seconds(time);
    return ret->step == STALL_UNKNOWN ? STALL_LOG_OTHER : STALL_LOG_ROW;
}

static const stall_log_form form = {.take = take};

STALL_LOG_READER(timm, "timm", "timm training log: Data, one update in 50", STALL_INPUT_TEXT)
