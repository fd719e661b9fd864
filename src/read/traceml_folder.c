/* A TraceML run folder.
 *
 * Enters: the list of files. Leaves: the series of the run in it, from the first of these that is
 * there: the database, the step files, the files of one event each, step rows exported as JSON
 * lines. The step files of all ranks are one run; since every process draws a session folder of its
 * own, the same rank may be in two of them. It must not know how rows are stored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read/folder.h"
#include "read/traceml.h"

#define DATABASE "telemetry"
#define STEP_FILES_MAX 65536u

typedef enum file_kind {
    NO_STEPS,
    STEP_FILE,  /* framed records, one a step */
    FETCH_FILE, /* one event, up to 0.2.2 */
    STEP_LINES, /* JSON lines with the events of a step */
} file_kind;

/* The rows of one file. */
typedef struct step_file {
    const stall_dir_file *file;
    int64_t rank, first_ns; /* time stamp of the first row that has one */
    size_t place;           /* in the list of files */
    stall_traceml_run run;
} step_file;

typedef struct traceml_folder {
    const stall_dir *folder;
    const stall_opener *opener;
    const stall_read_options *options;
    unsigned char *kinds; /* file_kind of each file */
    step_file *files;
    size_t len;
} traceml_folder;

/* ---- the database ---- */

/* Is this file the database of a run? */
static bool is_database(const stall_dir_file *file)
{
    return strcmp(stall_dir_base(file->name), DATABASE) == 0;
}

static stall_status several(const stall_dir_file *a, const stall_dir_file *b, stall_error *reterr)
{
    char x[160], y[160];

    stall_text_printable(x, sizeof(x), a->name, strlen(a->name));
    stall_text_printable(y, sizeof(y), b->name, strlen(b->name));
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "this folder holds several TraceML runs: %s, %s", x, y);
    stall_error_hint(reterr, "give the folder of one run");
    return STALL_ENODATA;
}

/* The database of the run itself, else the only one below. */
static stall_status find_database(const stall_dir *folder, const stall_dir_file **ret,
                                  stall_error *reterr)
{
    *ret = stall_dir_find(folder, DATABASE);
    if (*ret == NULL)
        *ret = stall_dir_find(folder, "aggregator/" DATABASE);
    if (*ret != NULL)
        return STALL_OK;
    for (size_t i = 0; i < folder->len; i++) {
        if (!is_database(&folder->files[i]))
            continue;
        if (*ret != NULL)
            return several(*ret, &folder->files[i], reterr);
        *ret = &folder->files[i];
    }
    return STALL_OK;
}

/* Is there a write-ahead log beside the database, with something in it? */
static bool has_log(const stall_dir *folder, const stall_dir_file *database)
{
    size_t n = strlen(database->name);
    struct stat st;

    for (size_t i = 0; i < folder->len; i++)
        if (strncmp(folder->files[i].name, database->name, n) == 0 &&
            strcmp(folder->files[i].name + n, "-wal") == 0)
            return stat(folder->files[i].path, &st) != 0 || st.st_size > 0;
    return false;
}

static stall_status read_whole(const traceml_folder *t, const char *path, stall_series *out,
                               stall_error *reterr)
{
    stall_source *src = NULL;
    stall_status status = t->opener->open(t->opener->ctx, path, &src, reterr);

    if (status == STALL_OK)
        status = stall_read(src, t->options, out, reterr);
    if (src != NULL)
        t->opener->close(t->opener->ctx, src);
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0')
        stall_error_source(reterr, path);
    return status;
}

/* ---- what the files are ---- */

static bool in_folder(const char *name, const char *folder)
{
    const char *at = strstr(name, folder);

    return at != NULL && (at == name || at[-1] == '/') && at[strlen(folder)] == '/';
}

/* The kind that the name alone tells. */
static file_kind named_kind(const char *name)
{
    if (in_folder(name, "StepTimeSampler") && stall_dir_suffix(name, ".msgpack"))
        return STEP_FILE;
    if (in_folder(name, "TimeSampler") && strstr(stall_dir_base(name), "dataloader_next") != NULL)
        return FETCH_FILE;
    return NO_STEPS;
}

/* What the first row is, in a file whose place tells nothing. */
static file_kind content_kind(const char *name, const unsigned char *head, size_t len, bool whole)
{
    stall_traceml_record record;
    const unsigned char *end;

    if (stall_dir_suffix(name, ".msgpack") && stall_traceml_probe(head, len) == STALL_RECORD_STEP)
        return STEP_FILE;
    if (strstr(stall_dir_base(name), "dataloader_next") != NULL &&
        stall_reader_traceml_legacy.probe(head, len, whole) > 0)
        return FETCH_FILE;
    if (!stall_dir_suffix(name, ".jsonl") || len == 0 || head[0] != '{')
        return NO_STEPS;
    end = memchr(head, '\n', len);
    if (end == NULL && !whole)
        return NO_STEPS;
    return stall_traceml_record_read(head, end != NULL ? (size_t)(end - head) : len, &record) ==
                   STALL_RECORD_STEP
               ? STEP_LINES
               : NO_STEPS;
}

static bool looks_right(const char *name)
{
    return stall_dir_suffix(name, ".msgpack") || stall_dir_suffix(name, ".jsonl");
}

static const stall_reader *reader_of(file_kind kind)
{
    return kind == STEP_FILE    ? &stall_reader_traceml_msgpack
           : kind == FETCH_FILE ? &stall_reader_traceml_legacy
                                : &stall_reader_traceml_export;
}

/* Does a forced format allow this reader? */
static bool is_wanted(const stall_read_options *options, const stall_reader *reader)
{
    return options->format == NULL || strcmp(options->format, reader->name) == 0;
}

static stall_status find_kinds(traceml_folder *t, stall_error *reterr)
{
    unsigned char *head = stall_mem_alloc(STALL_HEAD_MAX, 1);
    stall_status status = head == NULL ? stall_error_memory(reterr) : STALL_OK;

    for (size_t i = 0; i < t->folder->len && status == STALL_OK; i++) {
        const stall_dir_file *file = &t->folder->files[i];
        file_kind kind = named_kind(file->name);
        size_t len;
        bool whole;

        if (kind == NO_STEPS && looks_right(file->name)) {
            status = stall_dir_head(t->opener, file->path, head, &len, &whole, reterr);
            if (status == STALL_OK)
                kind = content_kind(file->name, head, len, whole);
            else if (status == STALL_EFORMAT)
                status = STALL_OK; /* a broken compressed file */
        }
        t->kinds[i] = (unsigned char)(is_wanted(t->options, reader_of(kind)) ? kind : NO_STEPS);
    }
    stall_mem_free(head);
    return status;
}

static size_t count_kind(const traceml_folder *t, file_kind kind)
{
    size_t ret = 0;

    for (size_t i = 0; i < t->folder->len; i++)
        ret += t->kinds[i] == (unsigned char)kind;
    return ret;
}

/* ---- the rows of a file ---- */

/* The file of the step envelope beside a file of the fetches, or NULL. */
static stall_status find_envelope(const traceml_folder *t, const stall_dir_file *fetches,
                                  const stall_dir_file **ret, stall_error *reterr)
{
    stall_text name;
    bool failed;

    stall_text_init(&name);
    *ret = NULL;
    if (stall_traceml_legacy_steps(fetches->name, &name) && !name.failed)
        *ret = stall_dir_find(t->folder, name.data);
    failed = name.failed;
    stall_text_close(&name);
    return failed ? stall_error_memory(reterr) : STALL_OK;
}

static stall_status read_rows(const traceml_folder *t, step_file *f, file_kind kind,
                              stall_warnings *warnings, stall_error *reterr)
{
    const stall_dir_file *envelope = NULL;
    stall_source *src = NULL, *steps = NULL;
    stall_status status = t->opener->open(t->opener->ctx, f->file->path, &src, reterr);

    if (status == STALL_OK && kind == FETCH_FILE)
        status = find_envelope(t, f->file, &envelope, reterr);
    if (status == STALL_OK && envelope != NULL)
        status = t->opener->open(t->opener->ctx, envelope->path, &steps, reterr);
    if (status == STALL_OK && kind == FETCH_FILE)
        status = stall_traceml_legacy_rows(src, steps, f->rank, &f->run, warnings, reterr);
    else if (status == STALL_OK && kind == STEP_LINES)
        status = stall_traceml_export_rows(src, f->rank, &f->run, warnings, reterr);
    else if (status == STALL_OK)
        status = stall_traceml_msgpack_rows(src, f->rank, &f->run, warnings, reterr);
    if (steps != NULL)
        t->opener->close(t->opener->ctx, steps);
    if (src != NULL)
        t->opener->close(t->opener->ctx, src);
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0')
        stall_error_source(reterr, f->file->path);
    return status;
}

static stall_status add_file(traceml_folder *t, size_t place, file_kind kind, stall_series *out,
                             stall_error *reterr)
{
    step_file *f = &t->files[t->len++];
    stall_warnings warnings = {.strict = out->warnings.strict};
    stall_status status;

    *f = (step_file){.file = &t->folder->files[place], .place = place, .first_ns = STALL_UNKNOWN};
    f->rank = stall_path_rank(f->file->path);
    if (f->rank == STALL_UNKNOWN)
        f->rank = 0;
    status = read_rows(t, f, kind, &warnings, reterr);
    for (size_t i = 0; i < f->run.len && f->first_ns == STALL_UNKNOWN; i++)
        f->first_ns = f->run.rows[i].stamp_ns;
    if (status == STALL_OK)
        stall_warn_merge(&out->warnings, &warnings, f->file->name);
    return status;
}

static int by_rank_and_time(const void *a, const void *b)
{
    const step_file *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Puts the rows of all files behind each other and warns of ranks that are missing or double. */
static stall_status unite(traceml_folder *t, stall_traceml_run *run, stall_series *out,
                          stall_error *reterr)
{
    int64_t *ranks = stall_mem_alloc(t->len, sizeof(*ranks));
    stall_status status = ranks == NULL ? stall_error_memory(reterr) : STALL_OK;
    const step_file *twice = NULL;
    size_t len = 0;

    qsort(t->files, t->len, sizeof(*t->files), by_rank_and_time);
    for (size_t i = 0; i < t->len && status == STALL_OK; i++) {
        const step_file *f = &t->files[i];

        if (len > 0 && ranks[len - 1] == f->rank) {
            twice = f;
            status = stall_warn_add(
                &out->warnings, STALL_WARN_duplicate_rank, 1, STALL_OFFSET_NONE, reterr,
                "rank %" PRId64 " is in %s too; the launches are taken in the order of time",
                twice->rank, twice->file->name);
        } else {
            ranks[len++] = f->rank;
        }
        run->no_arrival |= f->run.no_arrival;
        for (size_t k = 0; k < f->run.len && status == STALL_OK; k++)
            status = stall_traceml_run_push(run, &f->run.rows[k], reterr);
    }
    if (status == STALL_OK)
        status = stall_dir_ranks(ranks, len, &out->warnings, reterr);
    stall_mem_free(ranks);
    return status;
}

static stall_status read_files(traceml_folder *t, file_kind kind, size_t count, stall_series *out,
                               stall_error *reterr)
{
    stall_traceml_run run = {0};
    stall_status status = STALL_OK;

    if (count > STEP_FILES_MAX)
        return stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                               "more than %u step files of TraceML", STEP_FILES_MAX);
    t->files = stall_mem_zero(count, sizeof(*t->files));
    if (t->files == NULL)
        return stall_error_memory(reterr);
    out->format = reader_of(kind)->name;
    for (size_t i = 0; i < t->folder->len && status == STALL_OK; i++)
        if (t->kinds[i] == (unsigned char)kind)
            status = add_file(t, i, kind, out, reterr);
    if (status == STALL_OK)
        status = unite(t, &run, out, reterr);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, out, reterr);
    stall_traceml_run_close(&run);
    return status;
}

/* ---- the order of attack ---- */

static stall_status read_steps(traceml_folder *t, stall_series *out, bool *ret_found,
                               stall_error *reterr)
{
    size_t count;

    *ret_found = true;
    for (file_kind kind = STEP_FILE; kind <= STEP_LINES; kind++) {
        count = count_kind(t, kind);
        if (count == 0)
            continue;
        return read_files(t, kind, count, out, reterr);
    }
    *ret_found = false;
    return STALL_OK;
}

/* The database holds nothing; the step files beside it lack the end of the run. */
static stall_status read_instead(traceml_folder *t, const stall_dir_file *database,
                                 const stall_error *why, stall_series *out, stall_error *reterr)
{
    bool found, strict = out->warnings.strict;
    stall_status status;

    stall_series_close(out);
    stall_series_init(out);
    out->warnings.strict = strict;
    status = read_steps(t, out, &found, reterr);
    if (status != STALL_OK)
        return status;
    if (!found) {
        if (reterr != NULL)
            *reterr = *why;
        return why->status;
    }
    return stall_warn_add(&out->warnings, STALL_WARN_events_lost, 1, STALL_OFFSET_NONE, reterr,
                          "%s cannot be used (%s); the step files beside it, which may lack the "
                          "end of the run, are",
                          database->name, why->text);
}

stall_status stall_traceml_folder(const stall_dir *folder, const stall_opener *opener,
                                  const stall_read_options *options, stall_series *out,
                                  bool *ret_found, stall_error *reterr)
{
    traceml_folder t = {.folder = folder, .opener = opener, .options = options};
    const stall_dir_file *database = NULL;
    stall_error why = {0};
    stall_status status = STALL_OK;

    if (is_wanted(options, &stall_reader_traceml))
        status = find_database(folder, &database, reterr);
    *ret_found = database != NULL;
    if (status != STALL_OK)
        return status;
    if (database != NULL) {
        status = read_whole(&t, database->path, out, &why);
        if ((status != STALL_EFORMAT && status != STALL_ENODATA) || has_log(folder, database)) {
            if (status != STALL_OK && reterr != NULL)
                *reterr = why;
            return status;
        }
    }
    t.kinds = stall_mem_zero(folder->len, 1);
    status = t.kinds == NULL ? stall_error_memory(reterr) : find_kinds(&t, reterr);
    if (status == STALL_OK)
        status = database != NULL ? read_instead(&t, database, &why, out, reterr)
                                  : read_steps(&t, out, ret_found, reterr);
    for (size_t i = 0; i < t.len; i++)
        stall_traceml_run_close(&t.files[i].run);
    stall_mem_free(t.files);
    stall_mem_free(t.kinds);
    return status;
}
