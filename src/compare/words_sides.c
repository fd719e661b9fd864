/* What else than the revision differs between the two sides of a comparison, and what is therefore
 * left out of it.
 *
 * Enters: the runs of both sides. Leaves: plain text, nothing where the sides are recorded alike.
 * It must not know formats, their names apart. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

/* A property of a run that makes sides comparable; unequal values are named. */
typedef int64_t property(const stall_run *run);

/* The value that all runs of a side share, or STALL_UNKNOWN. */
static int64_t of_side(const stall_report *r, int side, property *get)
{
    int64_t ret = STALL_UNKNOWN;
    bool first = true;

    for (size_t i = 0; i < r->runs_len; i++) {
        if (r->runs[i].side != side)
            continue;
        if (!first && get(&r->runs[i]) != ret)
            return STALL_UNKNOWN;
        ret = get(&r->runs[i]);
        first = false;
    }
    return ret;
}

static int64_t workers(const stall_run *run)
{
    return run->analysis.facts.num_workers;
}

static int64_t prefetch(const stall_run *run)
{
    return stall_series_meta_int(run->series, "prefetch_factor");
}

static int64_t ranks(const stall_run *run)
{
    return run->analysis.per_rank_len > 1 ? (int64_t)run->analysis.per_rank_len : 1;
}

static int64_t averaged(const stall_run *run)
{
    return run->series->aggregated;
}

static int64_t sampled(const stall_run *run)
{
    return run->series->sampled || run->analysis.input.stride > 1;
}

static int64_t timed(const stall_run *run)
{
    return !isnan(run->analysis.wall_share_steady);
}

static int64_t exposed(const stall_run *run)
{
    return run->series->has_gpu;
}

/* "num_workers is 4 in broken, 2 in fixed: ...". */
static void put_fact(stall_text *t, const stall_report *r, const char *name, property *get)
{
    int64_t b = of_side(r, 0, get), f = of_side(r, 1, get);

    if (b == STALL_UNKNOWN || f == STALL_UNKNOWN || b == f)
        return;
    stall_text_printf(t,
                      "%s %" PRId64 " in %s, %" PRId64 " in %s: the difference may come from "
                      "that. ",
                      name, b, r->side_label[0], f, r->side_label[1]);
}

/* The label of the side that has a property the other lacks, or NULL. */
static const char *only_side(const stall_report *r, property *get)
{
    int64_t b = of_side(r, 0, get), f = of_side(r, 1, get);

    if (b == 1 && f == 0)
        return r->side_label[0];
    return f == 1 && b == 0 ? r->side_label[1] : NULL;
}

/* The format of a side; the tabular ones hold the same columns. */
static const char *format_of(const stall_report *r, int side)
{
    const char *format = NULL;

    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].side == side && format == NULL)
            format = r->runs[i].series->format;
    return format == NULL || strcmp(format, "jsonl") == 0 ? "csv" : format;
}

static void put_kind(stall_text *t, const stall_report *r)
{
    const char *side = only_side(r, averaged);

    if (side != NULL)
        stall_text_printf(t,
                          "Rows of %s are averages of several steps, those of the other side are "
                          "single steps: only the means compare; median, p95 and stalls do not. ",
                          side);
    else if ((side = only_side(r, sampled)) != NULL)
        stall_text_printf(t,
                          "%s holds only some of its steps, the other side all: numbers of stalls "
                          "do not compare, their rates do. ",
                          side);
}

void stall_words_sides(stall_text *t, const stall_report *r)
{
    const char *b = format_of(r, 0), *f = format_of(r, 1), *side;

    if (strcmp(b, f) != 0)
        stall_text_printf(t,
                          "The sides were recorded differently (%s: %s, %s: %s); compared is what "
                          "both hold, the wait of the loop for each step. ",
                          r->side_label[0], b, r->side_label[1], f);
    put_fact(t, r, "num_workers is", workers);
    put_fact(t, r, "prefetch_factor is", prefetch);
    put_fact(t, r, "The number of ranks is", ranks);
    put_kind(t, r);
    side = only_side(r, timed);
    if (side != NULL)
        stall_text_printf(t, "Left out: step times, which only %s has. ", side);
    side = only_side(r, exposed);
    if (side != NULL)
        stall_text_printf(t, "Left out: waits not under GPU work, which only %s has. ", side);
    if (t->len > 0)
        t->data[--t->len] = '\0';
}
