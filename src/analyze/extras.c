/* What the log's own columns say: delivery order, counters in stall steps against others, changes
 * of the worker processes. Enters: points with their stalls. Leaves: stall_extras. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

#define CONTRAST_MIN 3 /* values a group for a rank-biserial effect */

static bool measured(const stall_point *p)
{
    return !isnan(p->wait_ms);
}

/* ---- delivery order ---- */

typedef struct delivered {
    double rank;
    size_t place;
} delivered;

static int by_delivered(const void *a, const void *b)
{
    const delivered *x = a, *y = b;

    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->place > y->place) - (x->place < y->place);
}

/* Pairs out of order, by merge sort of v with room in tmp. */
static uint64_t inversions(double *v, double *tmp, size_t n)
{
    uint64_t count = 0;

    for (size_t width = 1; width < n; width *= 2) {
        for (size_t lo = 0; lo < n; lo += 2 * width) {
            size_t mid = lo + width < n ? lo + width : n,
                   hi = lo + 2 * width < n ? lo + 2 * width : n;
            size_t i = lo, j = mid, k = lo;
            while (i < mid || j < hi) {
                if (j >= hi || (i < mid && v[i] <= v[j])) {
                    tmp[k++] = v[i++];
                } else {
                    count += mid - i;
                    tmp[k++] = v[j++];
                }
            }
        }
        memcpy(v, tmp, n * sizeof *v);
    }
    return count;
}

/* One segment: ranks v[0..n-1] in delivery order; tmp and d have room for n. */
static void order_segment(double *v, double *tmp, delivered *d, size_t n, stall_order *o)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = n; i-- > 0;) { /* some smaller rank arrives later */
        o->overtaking += least < v[i];
        least = fmin(least, v[i]);
        d[i] = (delivered){v[i], i};
    }
    for (size_t i = 0; i < n; i++) { /* a rank below one already delivered */
        o->overtaken += v[i] < most;
        most = fmax(most, v[i]);
    }
    qsort(d, n, sizeof *d, by_delivered);
    for (size_t i = 0; i < n; i++) {
        uint64_t off = i > d[i].place ? i - d[i].place : d[i].place - i;
        o->max_displacement = off > o->max_displacement ? off : o->max_displacement;
    }
    o->deliveries += n;
    o->inversions += inversions(v, tmp, n);
}

static bool order_figure(const stall_work *w, stall_order *o)
{
    const stall_analysis *a = w->a;
    double *v = stall_mem_alloc(a->points_len, sizeof *v),
           *tmp = stall_mem_alloc(a->points_len, sizeof *tmp);
    delivered *d = stall_mem_alloc(a->points_len, sizeof *d);
    bool ok = v != NULL && tmp != NULL && d != NULL, known = a->dist.n > 0 && a->ranks == 1;

    for (size_t i = 0; ok && known && i < a->points_len; i++) {
        known = !measured(&a->points[i]) || !isnan(w->s->batch_rank[a->points[i].row]);
    }
    for (size_t i = 0; ok && known && i < a->points_len;) {
        uint32_t segment = a->points[i].segment;
        size_t n = 0;
        for (; i < a->points_len && a->points[i].segment == segment; i++) {
            if (measured(&a->points[i])) {
                v[n++] = w->s->batch_rank[a->points[i].row];
            }
        }
        order_segment(v, tmp, d, n, o);
    }
    o->known = ok && known;
    stall_mem_free(v);
    stall_mem_free(tmp);
    stall_mem_free(d);
    return ok;
}

/* ---- counters ---- */

static bool contrast(const stall_work *w, size_t index, stall_extras *x)
{
    const stall_analysis *a = w->a;
    const double *values = w->s->counters[index].values;
    stall_counter_contrast c = {.name = w->s->counters[index].name, .rank_biserial = NAN};
    double *slow = stall_mem_alloc(a->points_len, sizeof *slow);
    double *fast = stall_mem_alloc(a->points_len, sizeof *fast);
    bool ok = slow != NULL && fast != NULL;

    for (size_t i = 0; ok && i < a->points_len; i++) {
        double v = values[a->points[i].row];
        if (measured(&a->points[i]) && isfinite(v)) {
            if (a->points[i].stall) {
                slow[c.n_slow++] = v;
            } else {
                fast[c.n_fast++] = v;
            }
        }
    }
    if (ok && c.n_slow + c.n_fast > 0) {
        stall_sort(slow, c.n_slow);
        stall_sort(fast, c.n_fast);
        c.median_slow = stall_quantile(slow, c.n_slow, 0.5);
        c.median_fast = stall_quantile(fast, c.n_fast, 0.5);
        if (c.n_slow >= CONTRAST_MIN && c.n_fast >= CONTRAST_MIN) {
            c.rank_biserial = stall_cliffs_delta(slow, c.n_slow, fast, c.n_fast);
        }
        x->counters[x->counters_len++] = c;
    }
    stall_mem_free(slow);
    stall_mem_free(fast);
    return ok;
}

/* ---- workers ---- */

static const char *text_at(const stall_work *w, const uint32_t *column, const stall_point *p)
{
    return w->s->strings[column[p->row]];
}

static bool column_full(const stall_work *w, const uint32_t *column)
{
    bool any = false;

    for (size_t i = 0; column != NULL && i < w->a->points_len; i++) {
        if (measured(&w->a->points[i])) {
            any = true;
            if (*text_at(w, column, &w->a->points[i]) == '\0') {
                return false;
            }
        }
    }
    return any;
}

/* Is every id of `a` (joined by ';') also in `b`? */
static bool ids_within(const char *a, const char *b)
{
    while (*a != '\0') {
        size_t len = strcspn(a, ";");
        bool found = len == 0;
        for (const char *p = b; !found && *p != '\0';) {
            size_t n = strcspn(p, ";");
            found = n == len && memcmp(p, a, n) == 0;
            p += n + (p[n] == ';');
        }
        if (!found) {
            return false;
        }
        a += len + (a[len] == ';');
    }
    return true;
}

static void pid_changes(const stall_work *w, stall_extras *x)
{
    const char *last = NULL;

    x->pids_known = column_full(w, w->s->worker_pids);
    for (size_t i = 0; x->pids_known && i < w->a->points_len; i++) {
        if (measured(&w->a->points[i])) {
            const char *ids = text_at(w, w->s->worker_pids, &w->a->points[i]);
            x->pid_set_changes += last != NULL && !(ids_within(ids, last) && ids_within(last, ids));
            last = ids;
        }
    }
}

static int by_worker(const void *a, const void *b)
{
    return strcmp(((const stall_worker_stalls *)a)->worker,
                  ((const stall_worker_stalls *)b)->worker);
}

static bool worker_stalls(const stall_work *w, stall_extras *x)
{
    size_t n = 0;

    x->workers_known = column_full(w, w->s->worker_id);
    if (!x->workers_known) {
        return true;
    }
    x->by_worker = stall_mem_alloc(w->a->stalls.count, sizeof *x->by_worker);
    for (size_t i = 0; x->by_worker != NULL && i < w->a->points_len; i++) {
        if (w->a->points[i].stall) {
            x->by_worker[n++] =
                (stall_worker_stalls){text_at(w, w->s->worker_id, &w->a->points[i]), 1};
        }
    }
    if (n > 1) {
        qsort(x->by_worker, n, sizeof *x->by_worker, by_worker);
    }
    for (size_t i = 0; i < n; i++) {
        if (x->by_worker_len > 0 &&
            strcmp(x->by_worker[x->by_worker_len - 1].worker, x->by_worker[i].worker) == 0) {
            x->by_worker[x->by_worker_len - 1].count++;
        } else {
            x->by_worker[x->by_worker_len++] = x->by_worker[i];
        }
    }
    return x->by_worker != NULL;
}

stall_status stall_extras_figure(stall_work *w, stall_error *reterr)
{
    stall_extras *x = &w->a->extras;
    bool ok = true;

    if (w->s->counters_len > 0) {
        x->counters = stall_mem_alloc(w->s->counters_len, sizeof *x->counters);
        ok = x->counters != NULL;
    }
    for (size_t i = 0; ok && i < w->s->counters_len; i++) {
        ok = contrast(w, i, x);
    }
    if (ok && w->s->batch_rank != NULL) {
        ok = order_figure(w, &x->order);
    }
    pid_changes(w, x);
    return ok && worker_stalls(w, x) ? STALL_OK : stall_error_memory(reterr);
}
