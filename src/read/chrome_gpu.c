/* Enters: intervals of GPU work in any order. Leaves: how much of a wait they cover. Must not
 * know: steps, names, streams.
 *
 * The union is kept as sorted disjoint intervals. A long trace has a gap between nearly any two
 * kernels, so the union is bounded: when it grows over a soft limit, gaps that touch no wait known
 * so far and are shorter than a second are closed. That changes no figure of a known wait; a wait
 * that comes later and touches such a place is flagged, and its exposed time is unknown. Usual
 * files have the waits first (GPU events last) or are sorted by start, so that neither happens. */
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

#define FILL_MAX_NS INT64_C(1000000000) /* longer gaps stay open */

void stall_chrome_gpu_init(stall_chrome_gpu *g)
{
    memset(g, 0, sizeof *g);
    g->limit = STALL_CHROME_GPU_SOFT;
    g->filled_lo = INT64_MAX;
    g->filled_hi = INT64_MIN;
}

void stall_chrome_gpu_close(stall_chrome_gpu *g)
{
    stall_mem_free(g->busy);
    stall_mem_free(g->fresh);
    stall_chrome_gpu_init(g);
}

static int by_start(const void *a, const void *b)
{
    const stall_chrome_span *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Adds `s` behind the union that is being built. */
static void append(stall_chrome_span *busy, size_t *len, stall_chrome_span s)
{
    if (*len && s.start <= busy[*len - 1].end) {
        if (s.end > busy[*len - 1].end)
            busy[*len - 1].end = s.end;
    } else {
        busy[(*len)++] = s;
    }
}

/* Merges the fresh intervals into the union, in place: the old ones are moved to the end of the
 * array, and what is written at its front never overtakes what is read. */
static stall_status merge(stall_chrome_gpu *g, stall_error *reterr)
{
    size_t n = g->len, k = g->fresh_len, i = 0, j = 0, len = 0;
    stall_chrome_span *old;

    if (!stall_mem_grow((void **)&g->busy, &g->cap, n + k, sizeof *g->busy))
        return stall_error_memory(reterr);
    qsort(g->fresh, k, sizeof *g->fresh, by_start);
    old = g->busy + k;
    memmove(old, g->busy, n * sizeof *old);
    while (i < n || j < k) {
        bool take_old = j == k || (i < n && old[i].start <= g->fresh[j].start);
        stall_chrome_span s = take_old ? old[i++] : g->fresh[j++];
        append(g->busy, &len, s);
    }
    g->len = len;
    g->fresh_len = 0;
    return STALL_OK;
}

/* Closes the short gaps that touch no known wait. */
static stall_status compact(stall_chrome_gpu *g, const stall_chrome_wait *waits, size_t waits_len,
                            stall_error *reterr)
{
    stall_chrome_span *known = stall_mem_alloc(waits_len + 1, sizeof *known);
    size_t k = 0, merged = 0, w = 0, i, len = 0;

    if (!known)
        return stall_error_memory(reterr);
    for (i = 0; i < waits_len; i++)
        if (!waits[i].bad_ts && waits[i].end != STALL_UNKNOWN)
            known[k++] = (stall_chrome_span){waits[i].start, waits[i].end};
    qsort(known, k, sizeof *known, by_start);
    for (i = 0; i < k; i++)
        append(known, &merged, known[i]);
    for (i = 0; i < g->len; i++) {
        stall_chrome_span s = g->busy[i];
        int64_t from = len ? g->busy[len - 1].end : 0;
        bool close = len && s.start - from <= FILL_MAX_NS;

        while (w < merged && known[w].end <= from)
            w++;
        if (close && (w == merged || known[w].start >= s.start)) {
            if (from < g->filled_lo)
                g->filled_lo = from;
            if (s.start > g->filled_hi)
                g->filled_hi = s.start;
            g->busy[len - 1].end = s.end;
        } else {
            g->busy[len++] = s;
        }
    }
    g->len = len;
    stall_mem_free(known);
    return STALL_OK;
}

stall_status stall_chrome_gpu_settle(stall_chrome_gpu *g, const stall_chrome_wait *waits,
                                     size_t waits_len, stall_error *reterr)
{
    stall_status status;

    if (g->gave_up || g->fresh_len == 0)
        return STALL_OK;
    status = merge(g, reterr);
    if (status || g->len <= g->limit)
        return status;
    status = compact(g, waits, waits_len, reterr);
    while (g->limit < STALL_CHROME_GPU_HARD && g->len > g->limit / 2)
        g->limit *= 2;
    if (g->len > STALL_CHROME_GPU_HARD) {
        g->gave_up = true;
        stall_mem_free(g->busy);
        g->busy = NULL;
        g->len = g->cap = 0;
    }
    return status;
}

stall_status stall_chrome_gpu_add(stall_chrome_gpu *g, int64_t start, int64_t end,
                                  const stall_chrome_wait *waits, size_t waits_len,
                                  stall_error *reterr)
{
    g->seen = true;
    if (g->gave_up || end <= start)
        return STALL_OK;
    if (!g->fresh) {
        g->fresh = stall_mem_alloc(STALL_CHROME_GPU_BATCH, sizeof *g->fresh);
        if (!g->fresh)
            return stall_error_memory(reterr);
    }
    g->fresh[g->fresh_len++] = (stall_chrome_span){start, end};
    if (g->fresh_len < STALL_CHROME_GPU_BATCH)
        return STALL_OK;
    return stall_chrome_gpu_settle(g, waits, waits_len, reterr);
}

int64_t stall_chrome_gpu_covered(const stall_chrome_gpu *g, int64_t start, int64_t end,
                                 int64_t middle)
{
    size_t lo = 0, hi = g->len;
    int64_t sum = 0;

    while (lo < hi) { /* the first interval that ends after `start` */
        size_t mid = lo + (hi - lo) / 2;
        if (g->busy[mid].end <= start)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < g->len && g->busy[lo].start < end; lo++) {
        const stall_chrome_span *s = &g->busy[lo];
        if (s->start < middle - STALL_CHROME_DAY_NS || s->start > middle + STALL_CHROME_DAY_NS)
            continue;
        sum += (s->end < end ? s->end : end) - (s->start > start ? s->start : start);
    }
    return sum;
}
