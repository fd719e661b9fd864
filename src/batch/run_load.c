/* One run from a path: opens it, lets the readers find its format, adds the metadata sidecar, names
 * it. Leaves a step series. Must not know formats or statistics. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/batch.h"

/* Bytes of a metadata sidecar that are read. */
#define SIDECAR_MAX (1u << 20)

/* ---- names ---- */

static const char *last_component(const char *path, const char *end)
{
    const char *p = end;

    while (p > path && p[-1] != '/') {
        p--;
    }
    return p;
}

/* The path as it may be printed: an absolute one keeps its last two components. */
char *stall_run_path(const char *path)
{
    const char *end = path + strlen(path), *from = path;

    while (end > path + 1 && end[-1] == '/') {
        end--;
    }
    if (*path == '/') {
        from = last_component(path, end);
        if (from > path + 1) {
            from = last_component(path, from - 1);
        }
    }
    char buf[512];
    size_t len = stall_text_printable(buf, sizeof buf, from, (size_t)(end - from));
    return stall_mem_text(buf, len);
}

/* Length of a file name without what only tells its form. */
static size_t stem_length(const char *name, size_t len)
{
    static const char *const suffixes[] = {".gz",       ".zst",   ".tmp", ".json", ".jsonl",
                                           ".csv",      ".log",   ".txt", ".tsv",  ".msgpack",
                                           ".pt.trace", ".trace", NULL};

    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; suffixes[i] != NULL; i++) {
            size_t n = strlen(suffixes[i]);
            if (len > n && memcmp(name + len - n, suffixes[i], n) == 0) {
                len -= n;
                again = true;
            }
        }
    }
    return len;
}

/* Stems that say nothing about the run: the folder's name is used instead. */
static bool generic_stem(const char *name, size_t len)
{
    static const char *const words[] = {"trace", "telemetry", "final_summary", "run", "series",
                                        "steps", "log",       "metrics",       NULL};

    for (size_t i = 0; words[i] != NULL; i++) {
        if (strlen(words[i]) == len && memcmp(words[i], name, len) == 0) {
            return true;
        }
    }
    return len >= 7 && memcmp(name, "worker", 6) == 0 && name[6] >= '0' && name[6] <= '9';
}

char *stall_run_label(const char *path)
{
    char buf[256];
    const char *end = path + strlen(path), *name, *parent;
    size_t len;

    if (strcmp(path, "-") == 0) {
        return stall_mem_text("stdin", 5);
    }
    while (end > path + 1 && end[-1] == '/') {
        end--;
    }
    name = last_component(path, end);
    len = stem_length(name, (size_t)(end - name));
    if (generic_stem(name, len) && name > path + 1) {
        static const char inner[] = "aggregator/"; /* of a TraceML run, whose folder is above */
        size_t inner_len = sizeof inner - 1;
        if ((size_t)(name - path) > inner_len + 1 && name[-1 - (int)inner_len] == '/' &&
            memcmp(name - inner_len, inner, inner_len) == 0) {
            name -= inner_len;
        }
        parent = last_component(path, name - 1);
        size_t parent_len = (size_t)(name - 1 - parent);
        if (parent_len > 0 && !(parent_len <= 2 && parent[0] == '.')) {
            name = parent;
            len = parent_len;
        }
    }
    len = stall_text_printable(buf, sizeof buf, name, len);
    return stall_mem_text(buf, len);
}

/* ---- sidecar ---- */

stall_status stall_run_sidecar(const char *path, stall_series *s, bool *ret_found,
                               stall_error *reterr)
{
    stall_status status = STALL_OK;
    struct stat st;
    char *text = NULL;
    FILE *f;

    *ret_found = false;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        return STALL_OK; /* a pipe or folder of that name is no sidecar */
    }
    f = fopen(path, "rb");
    if (f == NULL && (errno == ENOENT || errno == ENOTDIR)) {
        return STALL_OK;
    }
    *ret_found = true;
    if (f == NULL) {
        stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "%s", strerror(errno));
        stall_error_source(reterr, path);
        return STALL_EREAD;
    }
    text = stall_mem_alloc(SIDECAR_MAX, 1);
    if (text == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    size_t len = fread(text, 1, SIDECAR_MAX, f);
    if (ferror(f) || len == SIDECAR_MAX) {
        status = stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE,
                                 "the metadata sidecar cannot be read or is over 1 MiB");
        stall_error_source(reterr, path);
        goto out;
    }
    status = stall_read_sidecar(text, len, path, s, reterr);
out:
    fclose(f);
    stall_mem_free(text);
    return status;
}

stall_status stall_run_sidecars(const char *path, stall_series *s, stall_error *reterr)
{
    const char *slash = strrchr(path, '/');
    stall_status status;
    stall_text name;
    bool found = false;

    stall_text_init(&name);
    stall_text_put(&name, path);
    stall_text_put(&name, ".meta.json");
    status =
        name.failed ? stall_error_memory(reterr) : stall_run_sidecar(name.data, s, &found, reterr);
    stall_text_close(&name);
    if (status != STALL_OK || found) {
        return status;
    }
    stall_text_init(&name);
    stall_text_add(&name, path, slash ? (size_t)(slash - path) + 1 : 0);
    stall_text_put(&name, "run.meta.json");
    status =
        name.failed ? stall_error_memory(reterr) : stall_run_sidecar(name.data, s, &found, reterr);
    stall_text_close(&name);
    return status;
}

/* ---- loading ---- */

/* Counts what the input has read since the last time. */
static void count(stall_run_meter *m)
{
    uint64_t done, total;

    if (m->options->count == NULL)
        return;
    stall_input_progress(m->input, &done, &total);
    m->options->count(m->options->ctx, done - m->counted);
    m->counted = done;
}

static stall_status meter_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                               stall_error *reterr)
{
    stall_run_meter *m = ctx;

    count(m);
    return m->inner->next(m->inner->ctx, ret_data, ret_len, reterr);
}

static stall_status meter_finish(void *ctx, stall_warnings *warnings, bool *ret_cut,
                                 stall_error *reterr)
{
    stall_run_meter *m = ctx;

    count(m);
    return m->inner->finish(m->inner->ctx, warnings, ret_cut, reterr);
}

void stall_run_meter_init(stall_run_meter *ret, stall_input *input, const stall_run_options *o)
{
    *ret = (stall_run_meter){.input = input, .inner = stall_input_source(input), .options = o};
    ret->source = *ret->inner;
    ret->source.ctx = ret;
    ret->source.next = meter_next;
    ret->source.finish = ret->inner->finish ? meter_finish : NULL;
}

stall_status stall_run_load(const char *path, const stall_run_options *o, stall_series *ret,
                            stall_error *reterr)
{
    stall_input *input = NULL;
    stall_run_meter meter;
    stall_status status;
    struct stat st;

    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return stall_run_load_folder(path, o, ret, reterr);
    }
    status = stall_input_open(path, &input, reterr);
    if (status != STALL_OK) {
        goto out;
    }
    stall_input_set_thread(input, o->threads);
    stall_run_meter_init(&meter, input, o);
    ret->warnings.strict = o->read->strict;
    status = stall_read(&meter.source, o->read, ret, reterr);
    if (status == STALL_OK && strcmp(path, "-") != 0) {
        status = stall_run_sidecars(path, ret, reterr);
    }
    if (status == STALL_OK && ret->label == NULL) {
        ret->label = stall_run_label(path);
    }
    if (status == STALL_OK) {
        stall_mem_free(ret->path);
        ret->path = stall_run_path(path);
        if (ret->label == NULL || ret->path == NULL) {
            status = stall_error_memory(reterr);
        }
    }
out:
    if (status != STALL_OK && reterr->source[0] == '\0' && status != STALL_EUSAGE) {
        stall_error_source(reterr, path);
    }
    stall_input_close(input);
    return status;
}
