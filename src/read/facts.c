/* The facts of a run that act on its analysis: are they what they must be?
 *
 * Enters: a series with its facts. Leaves: a warning for each that cannot be used. It must not know
 * what the facts do. */
#include <string.h>

#include "read/table.h"

static const char *const acting[] = {"num_workers", "logical_cpus", "steps_per_epoch"};

unsigned stall_facts_known(const stall_series *s)
{
    unsigned ret = 0;

    for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]); i++)
        if (stall_series_meta(s, acting[i]) != NULL)
            ret |= 1u << i;
    return ret;
}

stall_status stall_facts_check(stall_series *s, unsigned checked, stall_error *reterr)
{
    stall_status status = STALL_OK;

    for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]) && status == STALL_OK; i++) {
        const char *value = stall_series_meta(s, acting[i]);

        if ((checked & 1u << i) != 0 || value == NULL || value[0] == '\0' ||
            strcmp(value, "null") == 0 || stall_series_meta_int(s, acting[i]) != STALL_UNKNOWN)
            continue;
        status = stall_warn_add(&s->warnings, STALL_WARN_bad_number, 1, STALL_OFFSET_NONE, reterr,
                                "%s is no whole number from 0 on and is not used: %.40s", acting[i],
                                value);
    }
    return status;
}
