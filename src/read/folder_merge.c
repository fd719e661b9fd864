/* The files of one run put together.
 *
 * Enters: a series a file, with the rank in the file's name. Leaves: one series with the rows of
 * all, and warnings that name their file. It must not know how the files were found or read. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "read/folder.h"
#include "read/traceml.h"

/* A rank of one file. */
typedef struct part_rank {
    int64_t rank;
    size_t part;
    int64_t epoch; /* added to those of its rows; STALL_UNKNOWN: they stay */
} part_rank;

typedef struct part_ranks {
    part_rank *items;
    size_t len, cap;
} part_ranks;

stall_status stall_dir_ranks(const int64_t *ranks, size_t len, stall_warnings *warnings,
                             stall_error *reterr)
{
    int64_t missing = 0, first = STALL_UNKNOWN, next = 0;

    for (size_t i = 0; i < len; i++) {
        if (ranks[i] > next && first == STALL_UNKNOWN)
            first = next;
        missing += ranks[i] - next;
        next = ranks[i] + 1;
    }
    if (len < 2 || missing == 0)
        return STALL_OK;
    return stall_warn_add(
        warnings, STALL_WARN_missing_ranks, (uint64_t)missing, STALL_OFFSET_NONE, reterr,
        "%zu ranks are there, the highest is %" PRId64 ", and rank %" PRId64 " has no file", len,
        next - 1, first);
}

static int by_rank(const void *a, const void *b)
{
    const part_rank *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

static part_rank *find(const part_ranks *list, int64_t rank, size_t part)
{
    part_rank key = {rank, part, 0};

    return bsearch(&key, list->items, list->len, sizeof(*list->items), by_rank);
}

/* Notes the ranks of a part: every one a row has, without repeating the last. */
static stall_status note_ranks(const stall_dir_part *part, size_t index, part_ranks *list,
                               stall_error *reterr)
{
    const stall_series *s = &part->series;
    void *items;

    for (size_t i = 0; i < s->len; i++) {
        if (i > 0 && s->rows[i].rank == s->rows[i - 1].rank)
            continue;
        items = list->items;
        if (!stall_mem_grow(&items, &list->cap, list->len + 1, sizeof(*list->items)))
            return stall_error_memory(reterr);
        list->items = items;
        list->items[list->len++] = (part_rank){s->rows[i].rank, index, STALL_UNKNOWN};
    }
    return STALL_OK;
}

/* Sorts the list, each (rank, part) once. */
static void tidy(part_ranks *list)
{
    size_t to = 0;

    if (list->len > 0)
        qsort(list->items, list->len, sizeof(*list->items), by_rank);
    for (size_t i = 0; i < list->len; i++)
        if (to == 0 || by_rank(&list->items[to - 1], &list->items[i]) != 0)
            list->items[to++] = list->items[i];
    list->len = to;
}

/* Warns of ranks in two files and of missing ones. */
static stall_status judge(const stall_dir_part *parts, const part_ranks *list, stall_series *out,
                          stall_error *reterr)
{
    int64_t *ranks = stall_mem_alloc(list->len, sizeof(*ranks));
    stall_status status = STALL_OK;
    uint64_t doubled = 0;
    size_t len = 0, first = 0;

    if (ranks == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < list->len; i++) {
        if (i == 0 || list->items[i].rank != list->items[i - 1].rank)
            ranks[len++] = list->items[i].rank;
        else if (doubled++ == 0)
            first = i;
    }
    if (doubled > 0)
        status = stall_warn_add(
            &out->warnings, STALL_WARN_duplicate_rank, doubled, STALL_OFFSET_NONE, reterr,
            "rank %" PRId64 " is in %s too; its rows there are a segment of their own",
            list->items[first].rank, parts[list->items[first].part].file->name);
    if (status == STALL_OK)
        status = stall_dir_ranks(ranks, len, &out->warnings, reterr);
    stall_mem_free(ranks);
    return status;
}

/* Numbers the segments of a rank that is in several files through. */
static void number_segments(stall_dir_part *parts, part_ranks *list, size_t part)
{
    stall_series *s = &parts[part].series;
    part_rank *here = NULL;
    bool doubled = false;

    for (size_t i = 0; i < s->len; i++) {
        stall_row *row = &s->rows[i];
        const part_rank *end = list->items + list->len;

        if (here == NULL || here->rank != row->rank) {
            here = find(list, row->rank, part);
            doubled = here > list->items && here[-1].rank == here->rank;
            if (here + 1 < end && here[1].rank == here->rank)
                doubled = true;
            if (doubled && here->epoch == STALL_UNKNOWN)
                here->epoch = 0;
        }
        if (!doubled)
            continue;
        if (row->epoch == STALL_UNKNOWN)
            row->epoch = here->epoch;
        else if (__builtin_add_overflow(row->epoch, here->epoch, &row->epoch))
            row->epoch = here->epoch;
        if (here + 1 < end && here[1].rank == here->rank &&
            (here[1].epoch == STALL_UNKNOWN || here[1].epoch <= row->epoch))
            here[1].epoch = row->epoch < INT64_MAX ? row->epoch + 1 : row->epoch;
    }
}

stall_status stall_dir_merge(stall_dir_part *parts, size_t len, stall_series *out,
                             stall_error *reterr)
{
    part_ranks list = {0};
    stall_status status = STALL_OK;

    for (size_t i = 0; i < len && status == STALL_OK; i++) {
        stall_series *s = &parts[i].series;

        for (size_t k = 0; k < s->len && !s->ranked && parts[i].rank != STALL_UNKNOWN; k++)
            s->rows[k].rank = (int32_t)parts[i].rank;
        status = note_ranks(&parts[i], i, &list, reterr);
    }
    tidy(&list);
    for (size_t i = 0; i < len && status == STALL_OK; i++) {
        number_segments(parts, &list, i);
        stall_warn_merge(&out->warnings, &parts[i].series.warnings, parts[i].file->name);
        if (status == STALL_OK)
            status = stall_series_append(out, &parts[i].series, reterr);
    }
    if (status == STALL_OK)
        status = judge(parts, &list, out, reterr);
    stall_mem_free(list.items);
    return status;
}
