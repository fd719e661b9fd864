/* A run that lies in a folder as one file, as traces of one job, or as one log a rank.
 *
 * Enters: the list of files. Leaves: the series of the one file that is a run, of the traces, or of
 * the logs whose names differ by rank. What is no run is passed over, but named when nothing is
 * left. It must not know any format: the readers say what they can read. */
#include <string.h>

#include "read/folder.h"
#include "read/traceml.h"

/* How sure a reader must be of a file that nobody named. */
#define SURE 30

/* Files of a folder that are tried in vain, and rank files. */
#define TRIES_MAX 64u
#define PARTS_MAX 65536u

typedef struct files_reader {
    const stall_dir *folder;
    const stall_opener *opener;
    const stall_read_options *options;
    const stall_reader **readers; /* one a file, or NULL */
    bool *broken;                 /* one a file: its first bytes cannot be read */
    bool strict;
} files_reader;

static const stall_reader *surest(const unsigned char *head, size_t len, bool whole,
                                  const char *format)
{
    const stall_reader *ret = NULL;
    int best = SURE - 1, sure;

    for (size_t i = 0; stall_readers[i] != NULL && len > 0; i++) {
        if (format != NULL && strcmp(stall_readers[i]->name, format) != 0)
            continue;
        sure = stall_readers[i]->probe(head, len, whole);
        if (sure > best) {
            best = sure;
            ret = stall_readers[i];
        }
    }
    return ret;
}

/* Faults of a file that nobody named: it is no run. */
static bool passed_over(stall_status status)
{
    return status == STALL_EFORMAT || status == STALL_ENODATA || status == STALL_ELIMIT ||
           status == STALL_EUSAGE;
}

static stall_status probe_all(files_reader *r, stall_error *reterr)
{
    unsigned char *head = stall_mem_alloc(STALL_HEAD_MAX, 1);
    stall_status status = head == NULL ? stall_error_memory(reterr) : STALL_OK;
    bool whole;
    size_t len;

    for (size_t i = 0; i < r->folder->len && status == STALL_OK; i++) {
        status = stall_dir_head(r->opener, r->folder->files[i].path, head, &len, &whole, reterr);
        r->broken[i] = passed_over(status);
        if (r->broken[i])
            status = STALL_OK; /* an empty or broken compressed file */
        else if (status == STALL_OK)
            r->readers[i] = surest(head, len, whole, r->options->format);
    }
    stall_mem_free(head);
    return status;
}

static stall_status read_one(files_reader *r, const stall_dir_file *file, stall_series *s,
                             stall_error *reterr)
{
    stall_source *src = NULL;
    stall_status status = r->opener->open(r->opener->ctx, file->path, &src, reterr);

    s->warnings.strict = r->strict;
    if (status == STALL_OK)
        status = stall_read(src, r->options, s, reterr);
    if (src != NULL)
        r->opener->close(r->opener->ctx, src);
    return status;
}

/* ---- traces ---- */

/* A trace that cannot be read is known by its name at most; it must not be passed over. */
static bool is_trace(const files_reader *r, size_t i)
{
    return r->readers[i] == &stall_reader_chrome ||
           (r->broken[i] && strstr(stall_dir_base(r->folder->files[i].name), "trace") != NULL);
}

static size_t count_traces(const files_reader *r, size_t *ret_sound)
{
    size_t ret = 0;

    *ret_sound = 0;
    for (size_t i = 0; i < r->folder->len; i++) {
        ret += is_trace(r, i);
        *ret_sound += r->readers[i] == &stall_reader_chrome;
    }
    return ret;
}

/* Names the first file beside the traces. */
static stall_status say_others(const files_reader *r, size_t count, stall_series *out,
                               stall_error *reterr)
{
    char name[64];

    for (size_t i = 0; i < r->folder->len; i++)
        if (!is_trace(r, i)) {
            const char *text = r->folder->files[i].name;

            stall_text_printable(name, sizeof(name), text, strlen(text));
            return stall_warn_add(&out->warnings, STALL_WARN_rows_skipped, r->folder->len - count,
                                  STALL_OFFSET_NONE, reterr,
                                  "files beside the traces were not read: %s%s", name,
                                  r->folder->len - count > 1 ? ", ..." : "");
        }
    return STALL_OK;
}

static stall_status read_traces(files_reader *r, size_t count, stall_series *out,
                                stall_error *reterr)
{
    const char **paths = stall_mem_alloc(count, sizeof(*paths));
    stall_status status;
    size_t len = 0;

    if (paths == NULL)
        return stall_error_memory(reterr);
    for (size_t i = 0; i < r->folder->len; i++)
        if (is_trace(r, i))
            paths[len++] = r->folder->files[i].path;
    status = stall_chrome_files(paths, len, r->opener, r->options, out, reterr);
    stall_mem_free(paths);
    return status == STALL_OK ? say_others(r, count, out, reterr) : status;
}

/* ---- rank files ---- */

/* Is this a log of one step a row, as a training script writes for each rank? */
static bool is_log(const stall_reader *reader)
{
    return reader != NULL && reader != &stall_reader_chrome && reader != &stall_reader_traceml;
}

static size_t count_ranked(const files_reader *r)
{
    size_t ret = 0;

    for (size_t i = 0; i < r->folder->len; i++)
        if (is_log(r->readers[i]) && stall_path_rank(r->folder->files[i].name) != STALL_UNKNOWN)
            ret++;
    return ret;
}

static stall_status read_ranked(files_reader *r, size_t count, stall_series *out,
                                stall_error *reterr)
{
    stall_dir_part *parts = stall_mem_zero(count, sizeof(*parts));
    stall_status status = parts == NULL ? stall_error_memory(reterr) : STALL_OK;
    size_t len = 0;

    if (count > PARTS_MAX)
        status = stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE, "more than %u rank files",
                                 PARTS_MAX);
    for (size_t i = 0; i < r->folder->len && status == STALL_OK; i++) {
        const stall_dir_file *file = &r->folder->files[i];
        int64_t rank = stall_path_rank(file->name);

        if (!is_log(r->readers[i]) || rank == STALL_UNKNOWN)
            continue;
        parts[len] = (stall_dir_part){.file = file, .rank = rank};
        stall_series_init(&parts[len].series);
        status = read_one(r, file, &parts[len++].series, reterr);
    }
    if (status == STALL_OK) {
        out->format = parts[0].series.format;
        status = stall_dir_merge(parts, len, out, reterr);
    }
    for (size_t i = 0; i < len; i++)
        stall_series_close(&parts[i].series);
    stall_mem_free(parts);
    return status;
}

/* ---- one file ---- */

/* Names of the first files, for a message. */
static void list_names(const stall_dir *folder, stall_text *t)
{
    char name[64];

    for (size_t i = 0; i < folder->len && t->len < 240; i++) {
        stall_text_printable(name, sizeof(name), folder->files[i].name,
                             strlen(folder->files[i].name));
        stall_text_printf(t, "%s%s", i > 0 ? ", " : "", name);
        if (i + 1 < folder->len && t->len >= 240)
            stall_text_printf(t, " and %zu more", folder->len - i - 1);
    }
}

/* Asks the readers about JSON files that none of them claimed: they may know better than that
 * nothing is here. Summaries of runs first, whose name says so. */
static void ask_documents(files_reader *r, stall_error *why)
{
    stall_status status;
    stall_error fault;
    stall_series s;
    size_t tries = 0;

    for (int summaries = 1; summaries >= 0; summaries--) {
        for (size_t i = 0; i < r->folder->len && tries < TRIES_MAX; i++) {
            const char *name = stall_dir_base(r->folder->files[i].name);

            if (!stall_dir_suffix(name, ".json") || (strstr(name, "summary") != NULL) != summaries)
                continue;
            tries++;
            fault = (stall_error){0};
            stall_series_init(&s);
            status = read_one(r, &r->folder->files[i], &s, &fault);
            stall_series_close(&s);
            if (status == STALL_ENODATA) {
                *why = fault;
                return;
            }
        }
    }
}

/* No file is a run. */
static stall_status nothing(files_reader *r, stall_error *why, stall_error *reterr)
{
    const stall_dir *folder = r->folder;
    stall_text names;

    if (why->status == STALL_OK)
        ask_documents(r, why);
    if (why->status != STALL_OK) {
        if (reterr != NULL)
            *reterr = *why;
        return why->status;
    }
    if (folder->len == 0)
        return stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE, "no file in this folder");
    stall_text_init(&names);
    list_names(folder, &names);
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "nothing in this folder is a trace or a step log; found: %s",
                    names.data != NULL ? names.data : "");
    stall_error_hint(reterr, "`stalldiff formats` lists what can be read");
    stall_text_close(&names);
    return STALL_ENODATA;
}

static stall_status several(const stall_dir_file *a, const stall_dir_file *b, stall_error *reterr)
{
    char x[160], y[160];

    stall_text_printable(x, sizeof(x), a->name, strlen(a->name));
    stall_text_printable(y, sizeof(y), b->name, strlen(b->name));
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "this folder holds several runs, such as %s and %s", x, y);
    stall_error_hint(reterr, "give one of them; files of one run that differ by rank have it in "
                             "their names: steps_rank0.csv");
    return STALL_ENODATA;
}

/* Keeps the fault of a file that was recognised, rather than that of one which merely looked so. */
static void keep_fault(stall_error *why, const stall_error *fault)
{
    if (why->status == STALL_OK || (why->status != STALL_ENODATA && fault->status == STALL_ENODATA))
        *why = *fault;
}

/* Reads the only file that is a run. */
static stall_status read_single(files_reader *r, stall_series *out, stall_error *reterr)
{
    const stall_dir_file *found = NULL;
    stall_status status = STALL_OK;
    stall_error why = {0}, fault;
    size_t tries = 0;

    for (size_t i = 0; i < r->folder->len && tries < TRIES_MAX; i++) {
        stall_series s;

        if (r->readers[i] == NULL)
            continue;
        stall_series_init(&s);
        fault = (stall_error){0};
        status = read_one(r, &r->folder->files[i], &s, &fault);
        if (status == STALL_OK && found == NULL) {
            stall_series_close(out);
            *out = s;
            found = &r->folder->files[i];
            continue;
        }
        stall_series_close(&s);
        if (status == STALL_OK)
            return several(found, &r->folder->files[i], reterr);
        tries++;
        if (!passed_over(status)) {
            if (reterr != NULL)
                *reterr = fault;
            return status;
        }
        keep_fault(&why, &fault);
    }
    return found != NULL ? STALL_OK : nothing(r, &why, reterr);
}

stall_status stall_folder_files(const stall_dir *folder, const stall_opener *opener,
                                const stall_read_options *options, stall_series *out,
                                stall_error *reterr)
{
    files_reader r = {folder, opener, options, NULL, NULL, out->warnings.strict};
    stall_status status;
    size_t ranked, traces, sound;

    r.readers = stall_mem_zero(folder->len, sizeof(*r.readers));
    r.broken = stall_mem_zero(folder->len, sizeof(*r.broken));
    status =
        r.readers == NULL || r.broken == NULL ? stall_error_memory(reterr) : probe_all(&r, reterr);
    if (status == STALL_OK) {
        traces = count_traces(&r, &sound);
        ranked = count_ranked(&r);
        status = sound > 0    ? read_traces(&r, traces, out, reterr)
                 : ranked > 1 ? read_ranked(&r, ranked, out, reterr)
                              : read_single(&r, out, reterr);
    }
    stall_mem_free(r.broken);
    stall_mem_free(r.readers);
    return status;
}
