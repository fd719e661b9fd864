/* One step series behind another, as the rank files of a run are put together.
 *
 * Enters: two series. Leaves: the first one with the rows, columns and facts of both. It must not
 * know why they belong together. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "series/series.h"

/* Texts are found by their index in the series they belong to. */
static stall_status append_texts(stall_series *s, const stall_series *part, size_t row,
                                 stall_error *reterr)
{
    stall_status status = STALL_OK;
    const char *text;

    if (part->worker_id != NULL && part->worker_id[row] > 0) {
        text = part->strings[part->worker_id[row]];
        status = stall_series_set_worker_id(s, text, strlen(text), reterr);
    }
    if (status == STALL_OK && part->worker_pids != NULL && part->worker_pids[row] > 0) {
        text = part->strings[part->worker_pids[row]];
        status = stall_series_set_worker_pids(s, text, strlen(text), reterr);
    }
    return status;
}

/* Copies one row; columns[c] is the counter of `s` for counter c of the part. */
static stall_status append_row(stall_series *s, const stall_series *part, size_t row,
                               const size_t *columns, stall_error *reterr)
{
    stall_status status = stall_series_push(s, &part->rows[row], reterr);

    if (status != STALL_OK)
        return status;
    for (size_t c = 0; c < part->counters_len; c++)
        stall_series_set_counter(s, columns[c], part->counters[c].values[row]);
    if (part->batch_rank != NULL && !isnan(part->batch_rank[row]))
        status = stall_series_set_batch_rank(s, part->batch_rank[row], reterr);
    return status == STALL_OK ? append_texts(s, part, row, reterr) : status;
}

static stall_status append_facts(stall_series *s, const stall_series *part, stall_error *reterr)
{
    stall_status status = STALL_OK;

    for (size_t i = 0; i < part->meta_len && status == STALL_OK; i++) {
        const stall_meta *m = &part->meta[i];
        if (stall_series_meta(s, m->key) == NULL)
            status = stall_series_set_meta(s, m->key, strlen(m->key), m->value, strlen(m->value),
                                           m->raw, reterr);
    }
    return status;
}

stall_status stall_series_append(stall_series *s, const stall_series *part, stall_error *reterr)
{
    size_t columns[STALL_COUNTERS_MAX];
    stall_status status = STALL_OK;

    for (size_t c = 0; c < part->counters_len && status == STALL_OK; c++)
        status = stall_series_counter(s, part->counters[c].name, strlen(part->counters[c].name),
                                      &columns[c], reterr);
    for (size_t i = 0; i < part->len && status == STALL_OK; i++)
        status = append_row(s, part, i, columns, reterr);
    if (status == STALL_OK)
        status = append_facts(s, part, reterr);
    s->sampled |= part->sampled;
    s->aggregated |= part->aggregated;
    s->medians |= part->medians;
    s->has_gpu |= part->has_gpu;
    s->ranked |= part->ranked;
    return status;
}
