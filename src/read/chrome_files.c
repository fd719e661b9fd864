/* Several traces as one run: the ranks of a job, or the cycles of a profiler.
 *
 * Enters: paths of traces. Leaves: one series, rank by rank, each in order of time. What is judged
 * over a whole run, such as the fetch that found the loader exhausted, is judged over the files of
 * a rank. Must not know: keys of the file; what an event means. */
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

#define FILES_MAX 65536u /* traces of one run; STALL_ELIMIT */

typedef struct trace_file {
    const char *name;   /* without its folder */
    stall_series facts; /* its metadata and warnings; no rows */
    stall_chrome_docs docs;
    bool gave_rows;
} trace_file;

typedef struct trace_part { /* one document */
    trace_file *file;
    stall_chrome_doc *doc;
    int64_t rank, start, end;
    size_t order; /* of the files as given, then of the documents in the file */
} trace_part;

typedef struct trace_run {
    trace_file *files;
    size_t files_len;
    trace_part *parts;
    size_t parts_len;
    stall_series *out;
    stall_error why; /* the first document without usable waits */
} trace_run;

static int64_t shifted(int64_t base, int64_t t)
{
    int64_t sum;

    return __builtin_add_overflow(base, t, &sum) ? t : sum;
}

int64_t stall_chrome_doc_start(const stall_chrome_doc *d)
{
    int64_t start = STALL_UNKNOWN;

    for (size_t i = 0; i < d->markers_len; i++)
        if (!d->markers[i].bad_ts && (start == STALL_UNKNOWN || d->markers[i].start < start))
            start = d->markers[i].start;
    for (size_t i = 0; i < d->waits_len; i++)
        if (!d->waits[i].bad_ts && (start == STALL_UNKNOWN || d->waits[i].start < start))
            start = d->waits[i].start;
    return start == STALL_UNKNOWN ? STALL_UNKNOWN : shifted(d->base, start);
}

/* ---- reading ---- */

/* A file that cannot be used takes its steps with it: the others go on. */
static stall_status give_up(trace_run *t, trace_file *f, const stall_read_options *options,
                            stall_error *failed, stall_error *reterr)
{
    stall_chrome_docs_close(&f->docs);
    if (options->strict || (failed->status != STALL_EFORMAT && failed->status != STALL_EREAD)) {
        if (reterr)
            *reterr = *failed;
        return failed->status;
    }
    return stall_warn_add(&t->out->warnings, STALL_WARN_events_lost, 1, STALL_OFFSET_NONE, reterr,
                          "%s cannot be read: %s", f->name, failed->text);
}

static stall_status read_file(trace_run *t, trace_file *f, const char *path,
                              const stall_opener *opener, const stall_read_options *options,
                              stall_error *reterr)
{
    const char *slash = strrchr(path, '/');
    stall_error failed = {0};
    stall_source *src = NULL;
    stall_status status;

    f->name = slash ? slash + 1 : path;
    stall_series_init(&f->facts);
    status = opener->open(opener->ctx, path, &src, &failed);
    if (!status) {
        status = stall_chrome_collect_file(src, options, &f->facts, &f->docs, &failed);
        opener->close(opener->ctx, src);
    }
    if (status) {
        failed.status = status;
        if (!failed.source[0])
            stall_error_source(&failed, path);
        return give_up(t, f, options, &failed, reterr);
    }
    return STALL_OK;
}

/* ---- order ---- */

static int by_rank_and_time(const void *a, const void *b)
{
    const trace_part *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->start != y->start && x->file != y->file)
        return x->start < y->start ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static stall_status order_parts(trace_run *t, stall_error *reterr)
{
    size_t n = 0;

    for (size_t i = 0; i < t->files_len; i++)
        n += t->files[i].docs.len;
    t->parts = stall_mem_zero(n + 1, sizeof *t->parts);
    if (!t->parts)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < t->files_len; i++)
        for (size_t k = 0; k < t->files[i].docs.len; k++) {
            stall_chrome_doc *d = &t->files[i].docs.items[k];
            int64_t rank = d->rank != STALL_UNKNOWN ? d->rank : d->name_rank;

            t->parts[t->parts_len] = (trace_part){
                .file = &t->files[i],
                .doc = d,
                .rank = rank >= 0 && rank <= INT32_MAX ? rank : 0,
                .start = stall_chrome_doc_start(&t->files[i].docs.items[0]),
                .end = d->max_ts == STALL_UNKNOWN ? STALL_UNKNOWN : shifted(d->base, d->max_ts),
                .order = t->parts_len};
            t->parts_len++;
        }
    qsort(t->parts, t->parts_len, sizeof *t->parts, by_rank_and_time);
    return STALL_OK;
}

/* ---- judging ---- */

static bool work_followed_a_wait(const stall_chrome_doc *d)
{
    for (size_t i = 0; i < d->threads_len; i++)
        if (d->threads[i].followed)
            return true;
    return false;
}

/* Two files of a rank that overlap in time are no cycles of one profiler. */
static stall_status check_overlap(const trace_run *t, const trace_part *p, stall_error *reterr)
{
    const trace_part *before = p - 1;

    if (p == t->parts || before->rank != p->rank || before->file == p->file ||
        p->start == STALL_UNKNOWN || before->end == STALL_UNKNOWN || p->start >= before->end)
        return STALL_OK;
    return stall_warn_add(&t->out->warnings, STALL_WARN_duplicate_rank, 1, STALL_OFFSET_NONE,
                          reterr, "%s and %s both hold rank %lld at the same time",
                          before->file->name, p->file->name, (long long)p->rank);
}

/* Judges one document; its warnings go to its file. */
static stall_status judge_part(trace_run *t, trace_part *p, stall_chrome_place *place,
                               stall_error *reterr)
{
    size_t before = t->out->len;
    stall_error why = {0};
    stall_warnings *all = stall_mem_alloc(1, sizeof *all);
    stall_status status;

    if (!all)
        return stall_error_memory(reterr);
    *all = t->out->warnings;
    t->out->warnings = p->file->facts.warnings;
    status = stall_chrome_steps(p->doc, t->out, place, &why, reterr);
    p->file->facts.warnings = t->out->warnings;
    t->out->warnings = *all;
    stall_mem_free(all);
    if (t->out->len > before)
        p->file->gave_rows = true;
    if (why.status && !t->why.status)
        t->why = why;
    return status;
}

static stall_status judge_rank(trace_run *t, trace_part *parts, size_t len, int64_t *ret_epoch,
                               stall_error *reterr)
{
    stall_chrome_place place = {0, STALL_UNKNOWN};
    size_t last = 0, rows = t->out->len;
    bool followed = false;
    stall_status status = STALL_OK;

    for (size_t i = 0; i < len; i++)
        if (parts[i].doc->waits_len > 0)
            last = i;
    for (size_t i = 0; i < len && !status; i++) {
        bool alone = i > 0 && parts[i].file == parts[i - 1].file;

        status = check_overlap(t, &parts[i], reterr);
        if (status)
            break;
        if (t->out->len > rows && (alone || place.label == STALL_UNKNOWN))
            place = (stall_chrome_place){place.epoch + 1, STALL_UNKNOWN};
        parts[i].doc->followed_before = followed && !alone;
        parts[i].doc->more_follows = i < last && parts[i].file != parts[last].file;
        followed = followed || work_followed_a_wait(parts[i].doc);
        status = judge_part(t, &parts[i], &place, reterr);
    }
    if (place.epoch > *ret_epoch)
        *ret_epoch = place.epoch;
    return status;
}

static stall_status judge_all(trace_run *t, stall_error *reterr)
{
    int64_t epoch = 0;
    stall_status status = STALL_OK;

    for (size_t i = 0, k; i < t->parts_len && !status; i = k) {
        for (k = i; k < t->parts_len && t->parts[k].rank == t->parts[i].rank;)
            k++;
        status = judge_rank(t, t->parts + i, k - i, &epoch, reterr);
    }
    for (size_t i = 0; epoch == 0 && i < t->out->len; i++)
        t->out->rows[i].epoch = STALL_UNKNOWN; /* one segment: no epoch column */
    return status;
}

/* ---- the run ---- */

/* Facts of the first file that counts; which rank it was is none of the run. */
static stall_status take_facts(const trace_run *t, bool several_ranks, stall_error *reterr)
{
    for (size_t i = 0; i < t->files_len; i++) {
        const stall_series *s = &t->files[i].facts;
        stall_status status = STALL_OK;

        if (!t->files[i].gave_rows)
            continue;
        for (size_t k = 0; k < s->meta_len && !status; k++)
            if (!several_ranks || strcmp(s->meta[k].key, "rank") != 0)
                status = stall_series_set_meta(t->out, s->meta[k].key, strlen(s->meta[k].key),
                                               s->meta[k].value, strlen(s->meta[k].value),
                                               s->meta[k].raw, reterr);
        return status;
    }
    return STALL_OK;
}

static stall_status say_ranks(const trace_run *t, int64_t ranks, int64_t highest,
                              stall_error *reterr)
{
    int64_t world = stall_series_meta_int(t->out, "world_size");
    int64_t want = world > highest ? world : highest + 1;
    stall_status status = STALL_OK;

    if (ranks < want)
        status = stall_warn_add(&t->out->warnings, STALL_WARN_missing_ranks,
                                (uint64_t)(want - ranks), STALL_OFFSET_NONE, reterr,
                                "%lld of %lld ranks are in no file: the slowest may be among them",
                                (long long)(want - ranks), (long long)want);
    for (size_t i = 1; i < t->parts_len && !status; i++)
        if (t->parts[i].rank != t->parts[i - 1].rank &&
            t->parts[i].doc->base != t->parts[0].doc->base)
            return stall_warn_add(&t->out->warnings, STALL_WARN_time_bases_differ, 1,
                                  STALL_OFFSET_NONE, reterr,
                                  "the clocks of the ranks have no common base; ranks are paired "
                                  "by step number");
    return status;
}

static stall_status finish(trace_run *t, stall_error *reterr)
{
    int64_t ranks = 0, highest = 0, last = -1;
    stall_status status;

    for (size_t i = 0; i < t->files_len; i++)
        stall_warn_merge(&t->out->warnings, &t->files[i].facts.warnings, t->files[i].name);
    if (t->out->len == 0) {
        if (reterr && t->why.status)
            *reterr = t->why;
        else
            stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE, "no trace here has steps");
        return STALL_ENODATA;
    }
    for (size_t i = 0; i < t->out->len; i++) { /* rows stand rank by rank */
        int64_t rank = t->out->rows[i].rank;

        ranks += rank != last;
        last = rank;
        highest = rank > highest ? rank : highest;
    }
    status = take_facts(t, ranks > 1, reterr);
    return status ? status : say_ranks(t, ranks, highest, reterr);
}

stall_status stall_chrome_files(const char *const *paths, size_t len, const stall_opener *opener,
                                const stall_read_options *options, stall_series *out,
                                stall_error *reterr)
{
    trace_run t = {.out = out};
    stall_status status = STALL_OK;

    if (len > FILES_MAX)
        return stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                               "more than %u traces in one folder", FILES_MAX);
    t.files = stall_mem_zero(len + 1, sizeof *t.files);
    if (!t.files)
        return stall_error_memory(reterr);
    out->format = stall_reader_chrome.name;
    out->warnings.strict = options->strict;
    for (size_t i = 0; i < len && !status; i++) {
        t.files_len++;
        status = read_file(&t, &t.files[i], paths[i], opener, options, reterr);
    }
    if (!status)
        status = order_parts(&t, reterr);
    if (!status)
        status = judge_all(&t, reterr);
    if (!status)
        status = finish(&t, reterr);
    for (size_t i = 0; i < t.files_len; i++) {
        stall_series_close(&t.files[i].facts);
        stall_chrome_docs_close(&t.files[i].docs);
    }
    stall_mem_free(t.files);
    stall_mem_free(t.parts);
    return status;
}
