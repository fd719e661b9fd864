/* Enters: a source of bytes. Leaves: a step series, by the reader that knows the format. Must not
 * know: any format. The format is found in the first bytes, which the reader then gets again. */
#include <string.h>

#include "read/read.h"
#include "read/table.h"

#define HINT_MAX 400 /* bytes of the list of formats in a hint */

const stall_reader *const stall_readers[] = {
    &stall_reader_chrome,         &stall_reader_table,           &stall_reader_jsonl,
    &stall_reader_mmengine,       &stall_reader_mmengine_text,   &stall_reader_mmcv,
    &stall_reader_detectron2,     &stall_reader_detectron2_text, &stall_reader_lerobot,
    &stall_reader_timm,           &stall_reader_imagenet,        &stall_reader_metric_logger,
    &stall_reader_text,           &stall_reader_traceml,         &stall_reader_traceml_msgpack,
    &stall_reader_traceml_export, &stall_reader_traceml_legacy,  NULL};

/* A source that gives the first bytes of another one, then the rest of it. */
typedef struct replay {
    stall_source *from;
    unsigned char *head;
    size_t head_len;
    const unsigned char *rest; /* of the chunk in which the head ends */
    size_t rest_len;
    int stage;
    bool ended;
} replay;

static stall_status replay_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                                stall_error *reterr)
{
    replay *r = ctx;

    if (r->stage == 0) {
        r->stage = 1;
        if (r->head_len) {
            *ret_data = r->head;
            *ret_len = r->head_len;
            return STALL_OK;
        }
    }
    if (r->stage == 1) {
        r->stage = 2;
        if (r->rest_len) {
            *ret_data = r->rest;
            *ret_len = r->rest_len;
            return STALL_OK;
        }
    }
    if (r->ended) {
        *ret_data = r->head;
        *ret_len = 0;
        return STALL_OK;
    }
    return r->from->next(r->from->ctx, ret_data, ret_len, reterr);
}

static stall_status replay_finish(void *ctx, stall_warnings *warnings, bool *ret_cut,
                                  stall_error *reterr)
{
    replay *r = ctx;

    *ret_cut = false;
    return r->from->finish ? r->from->finish(r->from->ctx, warnings, ret_cut, reterr) : STALL_OK;
}

/* Reads until the head is full or the input ends. */
static stall_status fill(replay *r, stall_error *reterr)
{
    const unsigned char *data;
    size_t len, n;
    stall_status status;

    while (r->head_len < STALL_HEAD_MAX) {
        status = r->from->next(r->from->ctx, &data, &len, reterr);
        if (status)
            return status;
        if (len == 0) {
            r->ended = true;
            return STALL_OK;
        }
        n = STALL_HEAD_MAX - r->head_len;
        if (n > len)
            n = len;
        memcpy(r->head + r->head_len, data, n);
        r->head_len += n;
        r->rest = data + n;
        r->rest_len = len - n;
    }
    return STALL_OK;
}

/* Names the formats whose inputs look like this one. */
static void hint_formats(stall_input_kind kind, stall_error *reterr)
{
    stall_text t;
    size_t i;

    stall_text_init(&t);
    for (i = 0; stall_readers[i] && t.len < HINT_MAX; i++)
        if (stall_readers[i]->kind == kind)
            stall_text_printf(&t, "%s%s (%s)", t.len ? "; " : "", stall_readers[i]->name,
                              stall_readers[i]->summary);
    stall_error_hint(reterr, "nearest formats: %s; all: stalldiff formats", t.data ? t.data : "");
    stall_text_close(&t);
}

static void hint_names(stall_error *reterr)
{
    stall_text t;
    size_t i;

    stall_text_init(&t);
    for (i = 0; stall_readers[i]; i++)
        stall_text_printf(&t, "%s%s", i ? ", " : "", stall_readers[i]->name);
    stall_error_hint(reterr, "the formats are %s", t.data ? t.data : "");
    stall_text_close(&t);
}

static stall_status unknown(const replay *r, stall_error *reterr)
{
    const char *instead, *kind = stall_sniff_kind(r->head, r->head_len, &instead);
    char head[64];

    if (kind) {
        stall_error_set(reterr, STALL_EFORMAT, 0, "this is not a trace or log but %s", kind);
    } else {
        stall_text_printable(head, sizeof head, (const char *)r->head,
                             r->head_len < 40 ? r->head_len : 40);
        stall_error_set(reterr, STALL_EFORMAT, 0, "unknown format; it begins with: %s", head);
    }
    if (kind && instead)
        stall_error_hint(reterr, "%s", instead);
    else
        hint_formats(stall_sniff_input(r->head, r->head_len), reterr);
    return STALL_EFORMAT;
}

/* The reader asked for by name, or the surest one. */
static stall_status choose(const replay *r, const stall_read_options *options,
                           const stall_reader **ret, stall_error *reterr)
{
    const char *format = options->format;
    const char *instead;
    bool columns = options->wait_col || options->step_col || options->dur_col;
    int best = 0, sure;
    size_t i;

    *ret = NULL;
    for (i = 0; format && stall_readers[i]; i++)
        if (strcmp(stall_readers[i]->name, format) == 0)
            *ret = stall_readers[i];
    if (format && !*ret) {
        stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "no format named %s", format);
        hint_names(reterr);
        return STALL_EUSAGE;
    }
    if (format)
        return STALL_OK;
    if (r->head_len == 0)
        return stall_error_set(reterr, STALL_EFORMAT, 0, "the file is empty");
    if (stall_sniff_kind(r->head, r->head_len, &instead))
        return unknown(r, reterr);
    for (i = 0; stall_readers[i]; i++) {
        if (columns && stall_readers[i]->own_columns)
            continue;
        sure = stall_readers[i]->probe(r->head, r->head_len, r->ended);
        if (sure > best) {
            best = sure;
            *ret = stall_readers[i];
        }
    }
    return *ret ? STALL_OK : unknown(r, reterr);
}

stall_status stall_read(stall_source *src, const stall_read_options *options, stall_series *out,
                        stall_error *reterr)
{
    static const stall_read_options defaults;
    replay r = {.from = src};
    stall_source again = {&r, replay_next, replay_finish, src->name, src->path};
    const stall_reader *reader;
    stall_status status;

    if (!options)
        options = &defaults;
    r.head = stall_mem_alloc(STALL_HEAD_MAX, 1);
    status = r.head ? fill(&r, reterr) : stall_error_memory(reterr);
    if (!status && !options->format && stall_document_known(r.head, r.head_len))
        status = stall_document_refuse(&again, reterr);
    if (!status)
        status = choose(&r, options, &reader, reterr);
    if (!status) {
        out->format = reader->name;
        status = reader->read(&again, options, out, reterr);
        if (!status)
            status = stall_facts_check(out, 0, reterr);
    }
    stall_mem_free(r.head);
    if (status && reterr && !reterr->source[0] && src->name)
        stall_error_source(reterr, src->name);
    return status;
}
