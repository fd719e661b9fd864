/* TraceML up to 0.2.2: the file of the fetches, and the one of the step envelope beside it.
 *
 * Enters: bytes of a file, whose name alone tells which event it holds. Leaves: a series. It must
 * not know how rows are framed or joined. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "read/read.h"
#include "read/table.h"
#include "read/traceml.h"

#define CHUNK 65536 /* bytes of the second file read at a time */

#define FETCHES "dataloader_next"
#define ENVELOPE "step_time"
#define INTERNAL "_traceml_internal:"

/* ---- the file beside ---- */

typedef struct plain_file {
    FILE *file;
    unsigned char *buf;
} plain_file;

static stall_status plain_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                               stall_error *reterr)
{
    plain_file *p = ctx;

    *ret_data = p->buf;
    *ret_len = fread(p->buf, 1, CHUNK, p->file);
    if (*ret_len == 0 && ferror(p->file))
        return stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "%s", strerror(errno));
    return STALL_OK;
}

/* Opens a regular file. False: it is not there. */
static bool plain_open(plain_file *p, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    p->file = fopen(path, "rb");
    return p->file != NULL;
}

bool stall_traceml_legacy_steps(const char *path, stall_text *ret)
{
    const char *name = strrchr(path, '/'), *at;

    at = strstr(name != NULL ? name : path, FETCHES);
    if (at == NULL)
        return false;
    stall_text_add(ret, path, (size_t)(at - path));
    stall_text_put(ret, ENVELOPE);
    stall_text_put(ret, at + strlen(FETCHES));
    return true;
}

/* ---- the reader ---- */

/* Refuses a file whose name tells of another event, or of none unless the format is forced. */
static stall_status check_name(const char *path, bool forced, stall_error *reterr)
{
    const char *name = path != NULL ? strrchr(path, '/') : NULL;

    name = name != NULL ? name + 1 : path != NULL ? path : "";
    if (strstr(name, FETCHES) != NULL)
        return STALL_OK;
    if (strncmp(name, INTERNAL, strlen(INTERNAL)) == 0) {
        char event[64];

        stall_text_printable(event, sizeof(event), name + strlen(INTERNAL),
                             strcspn(name + strlen(INTERNAL), "."));
        stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                        "this TraceML file holds the event %s, not the input waits", event);
        stall_error_hint(reterr, "give %s" FETCHES "%s beside it, or the folder of the run",
                         INTERNAL, strchr(name, '.') != NULL ? strchr(name, '.') : "");
        return STALL_ENODATA;
    }
    if (forced)
        return STALL_OK;
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "the name of this TraceML file must tell its event, and does not");
    stall_error_hint(reterr,
                     "the input waits are in %s" FETCHES
                     ".jsonl or .msgpack; when this file is it: --format %s",
                     INTERNAL, stall_reader_traceml_legacy.name);
    return STALL_ENODATA;
}

static stall_status read_rows(stall_source *src, stall_traceml_run *run, stall_warnings *warnings,
                              stall_error *reterr)
{
    int64_t rank = stall_path_rank(src->name);
    stall_source steps = {.next = plain_next};
    plain_file file = {0};
    stall_text name;
    stall_status status = STALL_OK;
    bool beside;

    stall_text_init(&name);
    if (rank == STALL_UNKNOWN)
        rank = 0;
    beside = src->path != NULL && stall_traceml_legacy_steps(src->path, &name) && !name.failed &&
             plain_open(&file, name.data);
    if (name.failed)
        status = stall_error_memory(reterr);
    if (beside) {
        file.buf = stall_mem_alloc(CHUNK, 1);
        steps.ctx = &file;
        steps.name = name.data;
        if (file.buf == NULL)
            status = stall_error_memory(reterr);
    }
    if (status == STALL_OK)
        status =
            stall_traceml_legacy_rows(src, beside ? &steps : NULL, rank, run, warnings, reterr);
    if (file.file != NULL)
        fclose(file.file);
    stall_mem_free(file.buf);
    stall_text_close(&name);
    return status;
}

static stall_status read_legacy(stall_source *src, const stall_read_options *options,
                                stall_series *out, stall_error *reterr)
{
    stall_traceml_run run = {0};
    stall_status status = check_name(src->name, options->format != NULL, reterr);

    out->warnings.strict = options->strict;
    if (status == STALL_OK)
        status = read_rows(src, &run, &out->warnings, reterr);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, out, reterr);
    stall_traceml_run_close(&run);
    return status;
}

/* The first line, or the first record, tells of one event. */
static int probe(const unsigned char *head, size_t len, bool whole)
{
    stall_traceml_record record;
    stall_cell line;
    size_t at = len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, end;

    if (stall_traceml_probe(head, len) == STALL_RECORD_EVENT)
        return 95;
    while (at < len && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0')
        at++;
    if (at == len || head[at] != '{')
        return 0;
    for (end = at; end < len && head[end] != '\n' && head[end] != '\r'; end++)
        ;
    line = stall_cell_trim((const char *)head + at, end - at);
    if (end == len && !whole)
        return 0;
    if (memmem(line.text, line.len, "\"scope\"", 7) == NULL ||
        memmem(line.text, line.len, "\"is_gpu\"", 8) == NULL)
        return 0;
    return stall_traceml_record_read((const unsigned char *)line.text, line.len, &record) ==
                   STALL_RECORD_EVENT
               ? 95
               : 0;
}

const stall_reader stall_reader_traceml_legacy = {
    "traceml-legacy",
    "TraceML's dataloader_next.jsonl or .msgpack, up to 0.2.2",
    probe,
    read_legacy,
    STALL_INPUT_BINARY,
    false};
