/* Rows to points: order, merging of fetches, segments, the per-step maximum over ranks, stride and
 * positions. Enters: a series. Leaves: the judged points and the points of every rank. */
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"

/* A row with its place in the file. */
typedef struct placed {
    const stall_row *row;
    size_t at;
} placed;

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_rank(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int c = order(x->row->rank, y->row->rank);

    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

static int by_step(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int c = order(x->row->step, y->row->step);

    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

/* Sorts the rows of one rank by step when all are of one epoch and no step occurs twice. */
static stall_status sort_rank(placed *p, size_t n, stall_error *reterr)
{
    bool rising = true;

    for (size_t i = 1; i < n; i++) {
        if (p[i].row->epoch != p[0].row->epoch) {
            return STALL_OK;
        }
        rising &= p[i].row->step > p[i - 1].row->step;
    }
    if (rising) {
        return STALL_OK;
    }
    placed *copy = stall_mem_alloc(n, sizeof *copy);
    if (copy == NULL) {
        return stall_error_memory(reterr);
    }
    bool differ = true;
    for (size_t i = 0; i < n; i++) {
        copy[i] = p[i];
    }
    qsort(copy, n, sizeof *copy, by_step);
    for (size_t i = 1; i < n && differ; i++) {
        differ = copy[i].row->step != copy[i - 1].row->step;
    }
    for (size_t i = 0; differ && i < n; i++) {
        p[i] = copy[i];
    }
    stall_mem_free(copy);
    return STALL_OK;
}

static double ms(int64_t ns)
{
    return ns == STALL_UNKNOWN ? NAN : (double)ns / 1e6;
}

static int64_t sum_ns(int64_t a, int64_t b)
{
    int64_t sum;

    if (a == STALL_UNKNOWN || b == STALL_UNKNOWN || __builtin_add_overflow(a, b, &sum)) {
        return STALL_UNKNOWN;
    }
    return sum;
}

/* Duration of a row: none when it is shorter than the wait in it, or when both are medians, which
 * are of different steps. */
static int64_t duration(const stall_row *r, const stall_series *s)
{
    bool bad =
        s->medians || r->step_ns < 0 || (r->wait_ns != STALL_UNKNOWN && r->step_ns < r->wait_ns);

    return bad ? STALL_UNKNOWN : r->step_ns;
}

/* The points of one rank: merges rows of one step, cuts segments. Returns how many. */
static size_t points_of_rank(const placed *p, size_t n, const stall_series *s,
                             const stall_analyze_options *o, stall_point *out, stall_analysis *a)
{
    size_t len = 0;
    uint32_t segment = 0;
    int64_t wait = 0, step = 0;

    for (size_t i = 0; i < n; i++) {
        const stall_row *r = p[i].row, *last = i > 0 ? p[i - 1].row : NULL;
        a->input.invalid_wait += r->wait_ns == STALL_UNKNOWN;
        if (last != NULL && r->epoch == last->epoch && r->step == last->step) {
            a->input.merged++;
            wait = sum_ns(wait, r->wait_ns);
            step = sum_ns(step, duration(r, s));
            out[len - 1].wait_ms = ms(wait);
            out[len - 1].step_ms = ms(step);
            continue;
        }
        int64_t e = o->steps_per_epoch;
        if (last != NULL && (r->epoch != last->epoch || r->step < last->step ||
                             (e > 0 && r->step / e != last->step / e))) {
            segment++;
        }
        wait = r->wait_ns;
        step = duration(r, s);
        out[len++] = (stall_point){.step = r->step,
                                   .epoch = r->epoch,
                                   .segment = segment,
                                   .rank = r->rank,
                                   .wait_ms = ms(wait),
                                   .step_ms = ms(step),
                                   .row = p[i].at};
    }
    return len;
}

static int by_place(const void *a, const void *b)
{
    const stall_point *x = a, *y = b;
    int c = order(x->segment, y->segment);

    c = c ? c : order(x->step, y->step);
    return c ? c : order(x->rank, y->rank);
}

/* The slowest rank holds the step: of each step the row of the largest known wait. */
static size_t take_maximum(stall_point *p, size_t n)
{
    size_t len = 0;

    qsort(p, n, sizeof *p, by_place);
    for (size_t i = 0; i < n;) {
        stall_point best = p[i];
        size_t j = i + 1;
        for (; j < n && p[j].segment == p[i].segment && p[j].step == p[i].step; j++) {
            if (!isnan(p[j].wait_ms) && (isnan(best.wait_ms) || p[j].wait_ms > best.wait_ms)) {
                best = p[j];
            }
        }
        i = j;
        p[len++] = best;
    }
    return len;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Positions of points in their segments, by the stride; floor for a rank that is off it. */
static void set_positions(stall_point *p, size_t n, int64_t stride)
{
    int64_t first = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || p[i].segment != p[i - 1].segment || p[i].rank != p[i - 1].rank) {
            first = p[i].step;
        }
        p[i].t = (p[i].step - first) / stride;
    }
}

/* Stride, positions, segments and missing steps of the judged series. */
static void set_places(stall_analysis *a)
{
    stall_point *p = a->points;
    int64_t stride = 0, first = 0;

    for (size_t i = 1; i < a->points_len; i++) {
        if (p[i].segment == p[i - 1].segment) {
            stride = gcd(stride, p[i].step - p[i - 1].step);
        }
    }
    stride = stride > 0 ? stride : 1;
    a->input.stride = stride;
    for (size_t i = 0; i < a->points_len; i++) {
        bool start = i == 0 || p[i].segment != p[i - 1].segment;
        first = start ? p[i].step : first;
        a->input.segments += start;
        p[i].t = (p[i].step - first) / stride;
        if (!start) {
            a->input.missing_steps += (uint64_t)(p[i].t - p[i - 1].t - 1);
        }
    }
}

stall_status stall_clean(const stall_series *s, const stall_analyze_options *o, stall_analysis *a,
                         stall_point **ret_all, size_t *ret_all_len, stall_error *reterr)
{
    stall_status status = STALL_OK;
    placed *rows = stall_mem_alloc(s->len, sizeof *rows);
    stall_point *all = stall_mem_alloc(s->len, sizeof *all);
    size_t n = 0, len = 0;

    a->points = stall_mem_alloc(s->len, sizeof *a->points);
    if (rows == NULL || all == NULL || a->points == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    a->input.rows = s->len;
    for (size_t i = 0; i < s->len; i++) {
        if (s->rows[i].step < 0 || s->rows[i].step > STALL_STEP_MAX) {
            a->input.invalid_step++;
        } else if (o->rank == STALL_RANK_MAX || s->rows[i].rank == o->rank) {
            rows[n++] = (placed){&s->rows[i], i};
        }
    }
    if (n == 0 && o->rank != STALL_RANK_MAX) {
        status = stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                                 "rank %lld is not in this run", (long long)o->rank);
        goto out;
    }
    bool ordered = true;
    for (size_t i = 1; i < n && ordered; i++) {
        ordered = rows[i].row->rank >= rows[i - 1].row->rank;
    }
    if (!ordered) {
        qsort(rows, n, sizeof *rows, by_rank);
    }
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && rows[j].row->rank == rows[i].row->rank; j++) {
        }
        status = sort_rank(rows + i, j - i, reterr);
        if (status != STALL_OK) {
            goto out;
        }
        len += points_of_rank(rows + i, j - i, s, o, all + len, a);
        a->ranks++;
    }
    for (size_t i = 0; i < len; i++) {
        a->points[i] = all[i];
    }
    a->points_len = a->ranks > 1 ? take_maximum(a->points, len) : len;
    set_places(a);
    set_positions(all, len, a->input.stride);
    *ret_all = all;
    *ret_all_len = len;
    all = NULL;
out:
    stall_mem_free(all);
    stall_mem_free(rows);
    return status;
}
