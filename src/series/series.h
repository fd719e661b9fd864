/* The named limits of the step series. */
#ifndef STALL_SERIES_LIMITS_H
#define STALL_SERIES_LIMITS_H

#include "stalldiff/series.h"

#define STALL_ROWS_MAX ((size_t)1000000000) /* steps of one run */
#define STALL_COUNTERS_MAX 256              /* numeric columns beside the times */
#define STALL_COUNTER_NAME_MAX 256          /* bytes of a column name, the NUL included */
#define STALL_META_MAX 256                  /* facts about one run; more are ignored */
#define STALL_META_KEY_MAX 256              /* bytes of a key, the NUL included */
#define STALL_META_VALUE_MAX 4096           /* bytes of a value, the NUL included */
#define STALL_WORKER_TEXT_MAX 4096          /* bytes of a worker id or set of PIDs, with the NUL */

/* Texts that are compared before one is stored again. Runs have few workers; the bound keeps a log
 * in which every row names another one linear. */
#define STALL_INTERN_SEARCH 256

#endif
