/* The rows of a TraceML run as a step series.
 *
 * Enters: rows of all ranks in the order of arrival. Leaves: a series sorted by rank, launch and
 * step, with warnings for what is odd. A new launch starts where the step or the sampler's tick of
 * a rank falls; before 0.4.0 an exception in a step leaves a second row with the number of the step
 * before it. It must not know in which form the rows were stored. */
#include <inttypes.h>
#include <stdlib.h>

#include "read/traceml.h"
#include "series/series.h"

/* Shares of rows from which a property of rows is one of the run. */
#define MOSTLY(part, all) ((part) >= (all) - (all) / 4 && (part) > 0)

/* A row with its place in the order of arrival. */
typedef struct placed {
    const stall_traceml_row *row;
    size_t at;
    uint32_t launch;
} placed;

/* What was seen on the way, for the warnings. */
typedef struct run_counts {
    uint64_t unusable, launches, aborted, without_wait, several, known_calls, holes, windows;
    uint64_t waits;
    int64_t aborted_step, without_step, several_step, hole_after, hole_before;
    int64_t calls;  /* of the first row with several fetches */
    int64_t stride; /* smallest difference of steps, or STALL_UNKNOWN */
    uint64_t strides;
} run_counts;

stall_status stall_traceml_run_push(stall_traceml_run *run, const stall_traceml_row *row,
                                    stall_error *reterr)
{
    void *rows = run->rows;

    if (run->len >= STALL_ROWS_MAX)
        return stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                               "more than %zu rows in one run", STALL_ROWS_MAX);
    if (!stall_mem_grow(&rows, &run->cap, run->len + 1, sizeof(*run->rows)))
        return stall_error_memory(reterr);
    run->rows = rows;
    run->rows[run->len++] = *row;
    return STALL_OK;
}

void stall_traceml_run_close(stall_traceml_run *run)
{
    stall_mem_free(run->rows);
    *run = (stall_traceml_run){0};
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_arrival(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int c = order(x->row->rank, y->row->rank);

    c = c ? c : order(x->row->id, y->row->id);
    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

static int by_step(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int c = order(x->row->rank, y->row->rank);

    c = c ? c : order(x->row->step, y->row->step);
    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

/* Collects the rows that have a step and a rank, those of one rank together. */
static size_t collect(const stall_traceml_run *run, placed *p, run_counts *n)
{
    size_t len = 0;

    for (size_t i = 0; i < run->len; i++) {
        const stall_traceml_row *row = &run->rows[i];

        if (row->step < 0 || row->rank < 0 || row->rank > INT32_MAX)
            n->unusable++;
        else
            p[len++] = (placed){row, i, 0};
    }
    qsort(p, len, sizeof(*p), run->no_arrival ? by_step : by_arrival);
    return len;
}

/* Does a new launch start between these two rows of a rank? */
static bool falls(const stall_traceml_row *last, const stall_traceml_row *row)
{
    return row->step < last->step ||
           (row->seq < last->seq && row->seq != STALL_UNKNOWN && last->seq != STALL_UNKNOWN);
}

static void split(placed *p, size_t len, run_counts *n)
{
    for (size_t i = 1; i < len; i++) {
        if (p[i].row->rank != p[i - 1].row->rank)
            continue;
        p[i].launch = p[i - 1].launch + falls(p[i - 1].row, p[i].row);
        if (p[i].launch > n->launches)
            n->launches = p[i].launch;
    }
}

static bool same_launch(const placed *a, const placed *b)
{
    return a->row->rank == b->row->rank && a->launch == b->launch;
}

/* Of several rows of a step keeps the one with most phases, the first of equal ones. */
static stall_status unite(placed *p, size_t *len, bool no_arrival, run_counts *n,
                          stall_error *reterr)
{
    size_t to = 0;

    for (size_t i = 0; i < *len; i++) {
        placed *kept = to > 0 ? &p[to - 1] : NULL;

        if (kept == NULL || !same_launch(kept, &p[i]) || kept->row->step != p[i].row->step) {
            p[to++] = p[i];
            continue;
        }
        if (no_arrival && kept->row->phases == p[i].row->phases) {
            stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                            "step %" PRId64 " of rank %" PRId64
                            " stands twice: the rows of two launches are mixed, and nothing tells "
                            "them apart",
                            p[i].row->step, p[i].row->rank);
            stall_error_hint(reterr, "give the database itself (aggregator/telemetry of the run), "
                                     "or export id and seq too");
            return STALL_EFORMAT;
        }
        if (n->aborted++ == 0)
            n->aborted_step = p[i].row->step;
        if (p[i].row->phases > kept->row->phases)
            *kept = p[i];
    }
    *len = to;
    return STALL_OK;
}

/* ---- times ---- */

/* Nanoseconds between two time stamps, or STALL_UNKNOWN when one is missing or time went back. */
static int64_t between(const stall_traceml_row *from, const stall_traceml_row *to)
{
    int64_t ns, ps = to->stamp_ps - from->stamp_ps;

    if (from->stamp_ns < 0 || to->stamp_ns < from->stamp_ns)
        return STALL_UNKNOWN;
    ns = to->stamp_ns - from->stamp_ns;
    if (ps >= 500)
        ns++;
    else if (ps < -500)
        ns--;
    return ns >= 0 ? ns : 0;
}

/* Step time: from the end of the step before to the end of this one, when that holds the wait; else
 * wait and traced step time, unless fetches made inside the step would count twice. */
static int64_t step_time(const stall_traceml_row *last, const stall_traceml_row *row)
{
    int64_t ns = STALL_UNKNOWN;

    if (last != NULL && row->step - 1 == last->step)
        ns = between(last, row);
    if (ns != STALL_UNKNOWN && (row->wait_ns == STALL_UNKNOWN || ns >= row->wait_ns))
        return ns;
    if (row->wait_ns == STALL_UNKNOWN || row->traced_ns == STALL_UNKNOWN || row->calls > 1 ||
        __builtin_add_overflow(row->wait_ns, row->traced_ns, &ns))
        return STALL_UNKNOWN;
    return ns;
}

static void count_row(const placed *last, const placed *p, run_counts *n)
{
    const stall_traceml_row *row = p->row;
    int64_t stride;

    n->windows += row->window;
    n->waits += row->fetched;
    if (!row->fetched && n->without_wait++ == 0)
        n->without_step = row->step;
    n->known_calls += row->calls > 0;
    if (row->calls > 1 && n->several++ == 0) {
        n->several_step = row->step;
        n->calls = row->calls;
    }
    if (last == NULL)
        return;
    stride = row->step - last->row->step;
    n->strides++;
    if (n->stride == STALL_UNKNOWN || stride < n->stride)
        n->stride = stride;
    if (stride > 1 && n->holes == 0) {
        n->hole_after = last->row->step;
        n->hole_before = row->step;
    }
    n->holes += (uint64_t)(stride - 1);
}

static stall_status fill(const placed *p, size_t len, stall_series *out, run_counts *n,
                         stall_error *reterr)
{
    static const char traced[] = "traced_step_ms";
    stall_status status = STALL_OK;
    size_t column = SIZE_MAX;

    for (size_t i = 0; i < len && status == STALL_OK; i++) {
        const placed *last = i > 0 && same_launch(&p[i - 1], &p[i]) ? &p[i - 1] : NULL;
        const stall_traceml_row *from = p[i].row;
        stall_row row = {.step = from->step,
                         .epoch = n->launches > 0 ? (int64_t)p[i].launch : STALL_UNKNOWN,
                         .wait_ns = from->wait_ns,
                         .step_ns = step_time(last != NULL ? last->row : NULL, from),
                         .exposed_ns = STALL_UNKNOWN,
                         .other_wait_ns = STALL_UNKNOWN,
                         .rank = (int32_t)from->rank,
                         .fetches = -1};

        if (from->calls >= 0 && from->calls <= INT32_MAX)
            row.fetches = (int32_t)from->calls;
        count_row(last, &p[i], n);
        status = stall_series_push(out, &row, reterr);
        if (status == STALL_OK && from->traced_ns != STALL_UNKNOWN && column == SIZE_MAX)
            status = stall_series_counter(out, traced, sizeof(traced) - 1, &column, reterr);
        if (status == STALL_OK && from->traced_ns != STALL_UNKNOWN)
            stall_series_set_counter(out, column, (double)from->traced_ns / 1e6);
    }
    return status;
}

/* ---- warnings ---- */

/* The rows stand for several steps each: they say so, or their steps keep a distance. */
static stall_status warn_window(stall_series *out, const run_counts *n, stall_error *reterr)
{
    if (n->windows > 0) {
        out->aggregated = true;
        return stall_warn_add(&out->warnings, STALL_WARN_aggregated_rows, n->windows,
                              STALL_OFFSET_NONE, reterr,
                              "rows stand for a window of several steps each");
    }
    if (n->strides >= 2 && n->stride > 1) {
        out->aggregated = true;
        return stall_warn_add(&out->warnings, STALL_WARN_aggregated_rows, out->len,
                              STALL_OFFSET_NONE, reterr,
                              "no two rows follow each other, the least distance is %" PRId64
                              " steps: a row may stand for all of them",
                              n->stride);
    }
    if (n->holes == 0)
        return STALL_OK;
    return stall_warn_add(&out->warnings, STALL_WARN_missing_steps, n->holes, STALL_OFFSET_NONE,
                          reterr, "the first hole lies between step %" PRId64 " and step %" PRId64,
                          n->hole_after, n->hole_before);
}

static stall_status warn_calls(stall_series *out, const run_counts *n, stall_error *reterr)
{
    if (n->several == 0)
        return STALL_OK;
    if (MOSTLY(n->several, n->known_calls))
        return stall_warn_add(&out->warnings, STALL_WARN_several_fetches, n->several,
                              STALL_OFFSET_NONE, reterr,
                              "nearly every step fetches %" PRId64
                              " batches, as with gradient accumulation: a cadence of batches may "
                              "be hidden, since every step can hold a stall",
                              n->calls);
    return stall_warn_add(&out->warnings, STALL_WARN_several_fetches, n->several, STALL_OFFSET_NONE,
                          reterr,
                          "step %" PRId64 " holds %" PRId64
                          " fetches: the one that found the end of an epoch, or those of a "
                          "validation loop, count with the step after them",
                          n->several_step, n->calls);
}

static stall_status warn_rows(stall_series *out, const run_counts *n, stall_error *reterr)
{
    stall_warnings *w = &out->warnings;
    stall_status status = STALL_OK;

    if (n->unusable > 0)
        status = stall_warn_add(w, STALL_WARN_rows_skipped, n->unusable, STALL_OFFSET_NONE, reterr,
                                "a row without a step number or with an impossible rank");
    if (status == STALL_OK && n->launches > 0)
        status =
            stall_warn_add(w, STALL_WARN_several_launches, n->launches, STALL_OFFSET_NONE, reterr,
                           "the run was launched %" PRIu64
                           " times under one name; each launch is a segment of its own",
                           n->launches + 1);
    if (status == STALL_OK && n->aborted > 0)
        status = stall_warn_add(w, STALL_WARN_aborted_step, n->aborted, STALL_OFFSET_NONE, reterr,
                                "step %" PRId64
                                " has a second row, as an exception in a step leaves one; the "
                                "row with more phases is kept",
                                n->aborted_step);
    if (status == STALL_OK && n->without_wait > 0)
        status = stall_warn_add(
            w, STALL_WARN_steps_without_wait, n->without_wait, STALL_OFFSET_NONE, reterr,
            "step %" PRId64 " has no fetch: its wait is unknown (a loader that fetches on a "
            "thread of its own?)",
            n->without_step);
    return status;
}

static stall_status no_rows(const stall_traceml_run *run, const run_counts *n, stall_error *reterr)
{
    if (run->len == 0)
        stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE, "it holds no row of a step");
    else if (n->unusable == run->len)
        stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                        "none of its %zu rows has a usable step number", run->len);
    else
        stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                        "none of its %zu rows has a fetch (%s)", run->len, STALL_TRACEML_WAIT);
    stall_error_hint(reterr, "TraceML writes step rows in its default profile, not with `watch` or "
                             "--no-history");
    return STALL_ENODATA;
}

stall_status stall_traceml_run_series(stall_traceml_run *run, stall_series *out,
                                      stall_error *reterr)
{
    run_counts n = {.stride = STALL_UNKNOWN};
    placed *p = stall_mem_alloc(run->len, sizeof(*p));
    stall_status status;
    size_t len;

    if (p == NULL)
        return stall_error_memory(reterr);
    len = collect(run, p, &n);
    if (!run->no_arrival)
        split(p, len, &n);
    status = unite(p, &len, run->no_arrival, &n, reterr);
    if (status == STALL_OK)
        status = fill(p, len, out, &n, reterr);
    if (status == STALL_OK && n.waits == 0)
        status = no_rows(run, &n, reterr);
    if (status == STALL_OK)
        status = warn_rows(out, &n, reterr);
    if (status == STALL_OK)
        status = warn_calls(out, &n, reterr);
    if (status == STALL_OK)
        status = warn_window(out, &n, reterr);
    stall_mem_free(p);
    return status;
}
