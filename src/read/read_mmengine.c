/* MMEngine's scalars: vis_data/scalars.json and <timestamp>.json, an object a line.
 *
 * A training row has `iter`, `lr` or a key that begins with `loss`; rows of validation carry
 * data_time and time too, their step is an epoch. Times are means, in seconds, over the last
 * window_size iterations (10 unless set otherwise), the wait in `time` included. */
#include <string.h>

#include "json/json.h"
#include "read/logs.h"

static const char *const prefixes[] = {"", "train/"};

/* A member as it is, or behind "train/". */
static stall_cell training(stall_cell object, const char *key)
{
    char name[32] = "train/";
    stall_cell c = stall_log_member(object, key);

    if (c.len > 0)
        return c;
    strcat(name, key);
    return stall_log_member(object, name);
}

/* Does a key begin with `loss`? */
static bool has_loss(stall_cell object)
{
    stall_member m;
    size_t pos = 0;

    while (stall_json_member_next((const unsigned char *)object.text, object.len, &pos, &m))
        for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
            size_t n = strlen(prefixes[i]);

            if (m.key.len >= n + 4 && memcmp(m.key.data, prefixes[i], n) == 0 &&
                memcmp(m.key.data + n, "loss", 4) == 0)
                return true;
        }
    return false;
}

static stall_log_kind take(stall_cell object, int64_t state[4], stall_log_row *ret)
{
    stall_cell data = training(object, "data_time"), iter = training(object, "iter");
    stall_cell step = stall_log_member(object, "step");

    (void)state;
    if (stall_log_member(object, "mode").len > 0 || data.len == 0 ||
        (iter.len == 0 && training(object, "lr").len == 0 && !has_loss(object)))
        return STALL_LOG_SKIP;
    ret->step = stall_log_whole(step.len > 0 ? step : iter);
    ret->wait_ns = stall_log_seconds(data);
    ret->step_ns = stall_log_seconds(training(object, "time"));
    return ret->step == STALL_UNKNOWN ? STALL_LOG_SKIP : STALL_LOG_ROW;
}

static const stall_log_form form = {
    .json = true,
    .average = true,
    .means = "a mean of the last window_size iterations (10 unless set otherwise)",
    .take = take,
};

STALL_LOG_READER(mmengine, "mmengine", "MMEngine scalars.json: data_time, means of 10 iterations",
                 STALL_INPUT_ROWS)
