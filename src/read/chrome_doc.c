/* Enters: pids, tids and categories as written. Leaves: the empty document, its table of threads
 * and its counts of categories. Must not know: what an event means. */
#include <string.h>

#include "read/read.h"

#define BUCKETS (4u * STALL_CHROME_THREADS_MAX)

void stall_chrome_doc_init(stall_chrome_doc *d)
{
    memset(d, 0, sizeof *d);
    stall_chrome_gpu_init(&d->gpu);
    d->last_thread = SIZE_MAX;
    d->max_ts = d->host_end = STALL_UNKNOWN;
    d->rank = d->name_rank = STALL_UNKNOWN;
}

void stall_chrome_doc_close(stall_chrome_doc *d)
{
    size_t i;

    for (i = 0; i < d->threads_len; i++) {
        stall_mem_free(d->threads[i].pid);
        stall_mem_free(d->threads[i].stack);
    }
    for (i = 0; i < d->loaders_len; i++)
        stall_mem_free(d->loaders[i]);
    stall_mem_free(d->threads);
    stall_mem_free(d->buckets);
    stall_mem_free(d->markers);
    stall_mem_free(d->waits);
    stall_mem_free(d->ranges);
    stall_chrome_gpu_close(&d->gpu);
    stall_chrome_doc_init(d);
}

static bool same(const stall_chrome_text *a, const char *b, size_t len)
{
    return a->len == len && (len == 0 || memcmp(a->data, b, len) == 0);
}

static bool is_thread(const stall_chrome_thread *t, const stall_chrome_event *e)
{
    return same(&e->tid, t->tid, t->tid_len) && same(&e->pid, t->pid, t->pid_len);
}

/* FNV-1a over pid and tid, as text: "123" and 123 are one thread. */
static uint32_t hash(const stall_chrome_event *e)
{
    uint32_t h = 2166136261u;
    size_t i;

    for (i = 0; i < e->pid.len; i++)
        h = (h ^ (unsigned char)e->pid.data[i]) * 16777619u;
    h = (h ^ 0xff) * 16777619u;
    for (i = 0; i < e->tid.len; i++)
        h = (h ^ (unsigned char)e->tid.data[i]) * 16777619u;
    return h % BUCKETS;
}

static stall_status thread_new(stall_chrome_doc *d, const stall_chrome_event *e,
                               stall_error *reterr)
{
    stall_chrome_thread *t;
    size_t i;

    if (!stall_mem_grow((void **)&d->threads, &d->threads_cap, d->threads_len + 1,
                        sizeof *d->threads))
        return stall_error_memory(reterr);
    t = &d->threads[d->threads_len];
    memset(t, 0, sizeof *t);
    t->pid = stall_mem_alloc(e->pid.len + e->tid.len + 1, 1);
    if (!t->pid)
        return stall_error_memory(reterr);
    t->tid = t->pid + e->pid.len;
    t->pid_len = e->pid.len;
    t->tid_len = e->tid.len;
    if (e->pid.len)
        memcpy(t->pid, e->pid.data, e->pid.len);
    if (e->tid.len)
        memcpy(t->tid, e->tid.data, e->tid.len);
    t->max_start = t->max_work_start = t->host_end = STALL_UNKNOWN;
    t->cand_start = t->wait_end = t->pending = STALL_UNKNOWN;
    t->look_from = INT64_MIN;
    t->gpu.start = STALL_UNKNOWN;
    for (i = 0; i < d->threads_len; i++)
        if (same(&e->pid, d->threads[i].pid, d->threads[i].pid_len))
            break;
    t->process = i < d->threads_len ? d->threads[i].process : d->processes++;
    d->threads_len++;
    return STALL_OK;
}

stall_status stall_chrome_doc_thread(stall_chrome_doc *d, const stall_chrome_event *e,
                                     size_t *ret_index, stall_error *reterr)
{
    uint32_t h;
    stall_status status;

    if (d->last_thread != SIZE_MAX && is_thread(&d->threads[d->last_thread], e)) {
        *ret_index = d->last_thread;
        return STALL_OK;
    }
    if (!d->buckets) {
        d->buckets = stall_mem_zero(BUCKETS, sizeof *d->buckets);
        if (!d->buckets)
            return stall_error_memory(reterr);
    }
    for (h = hash(e); d->buckets[h]; h = (h + 1) % BUCKETS)
        if (is_thread(&d->threads[d->buckets[h] - 1], e)) {
            *ret_index = d->last_thread = d->buckets[h] - 1;
            return STALL_OK;
        }
    *ret_index = SIZE_MAX;
    if (d->threads_len == STALL_CHROME_THREADS_MAX)
        return STALL_OK;
    status = thread_new(d, e, reterr);
    if (status)
        return status;
    d->buckets[h] = (uint32_t)d->threads_len;
    *ret_index = d->last_thread = d->threads_len - 1;
    return STALL_OK;
}

void stall_chrome_doc_count(stall_chrome_doc *d, const stall_chrome_text *cat)
{
    size_t i;

    if (d->last_cat < d->cats_len &&
        same(cat, d->cats[d->last_cat].name, d->cats[d->last_cat].len)) {
        d->cats[d->last_cat].count++;
        return;
    }
    for (i = 0; i < d->cats_len; i++)
        if (same(cat, d->cats[i].name, d->cats[i].len))
            break;
    if (i == d->cats_len) {
        if (i == STALL_CHROME_CATS_MAX || cat->len >= sizeof d->cats[i].name)
            return;
        if (cat->len)
            memcpy(d->cats[i].name, cat->data, cat->len);
        d->cats[i].len = cat->len;
        d->cats[i].count = 0;
        d->cats_len++;
    }
    d->cats[i].count++;
    d->last_cat = i;
}
