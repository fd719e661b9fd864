/* Enters: the bytes of a PyTorch-profiler trace in Chrome's format, an object with "traceEvents"
 * or a bare array of events. Leaves: a step series. Must not know: what an event means.
 *
 * Every document of the file is collected and judged on its own; the rows of a second one follow
 * as a new segment. */
#include <stdio.h>
#include <string.h>

#include "read/read.h"

#define USER_FACTS_MAX 40u     /* metadata members that are kept */
#define USER_FACT_LEN_MAX 120u /* bytes of the value of one */
#define KEYS_MAX 100u          /* bytes of the list of first keys */
#define LOST_MAX 10u           /* lost events that are never too many, ... */
#define LOST_SHARE 100u        /* ... and 1 in so many that always are, above that */

typedef struct chrome {
    stall_series *out;
    stall_chrome_doc doc;
    stall_chrome_collect collect;
    stall_error why;         /* the first document without usable waits */
    stall_chrome_docs *docs; /* where documents are collected; NULL: they are judged at once */
    stall_chrome_place place;
    int64_t name_rank;
    size_t facts;
    bool events_seen;    /* of this document */
    char keys[KEYS_MAX]; /* its first ones, for messages */
    const char *kind;    /* what the top-level keys say the document is instead, or NULL */
    stall_json_kind top;
} chrome;

static bool is(const stall_slice *s, const char *word)
{
    return s->len == strlen(word) && memcmp(s->data, word, s->len) == 0;
}

/* ---- is it a trace? ---- */

static const struct {
    const char *key, *kind;
} other_kinds[] = {
    {"nodes", "a PyTorch execution trace (Chakra)"},
    {"rocprofiler-sdk-tool", "rocprofv3 results"},
    {"timeline", "a memory timeline"},
    {"segments", "a memory snapshot"},
    {"device_traces", "a memory snapshot"},
    {"primary_diagnosis", "a TraceML final summary"},
    {"step_time", "a TraceML final summary"},
    {"cells", "a notebook"},
};

static stall_status not_a_trace(uint64_t offset, const char *what, stall_error *reterr)
{
    stall_error_set(reterr, STALL_EFORMAT, offset, "not a PyTorch trace: %s", what);
    stall_error_hint(reterr, "a trace is a JSON object with an array \"traceEvents\", or an array "
                             "of event objects; see `stalldiff formats`");
    return STALL_EFORMAT;
}

static stall_status on_document(void *ctx, stall_json_kind kind, uint64_t offset, stall_error *e)
{
    chrome *c = ctx;

    stall_chrome_doc_close(&c->doc);
    c->doc.name_rank = c->name_rank;
    c->doc.user_only = c->collect.wait_name != NULL;
    c->events_seen = false;
    c->kind = NULL;
    c->keys[0] = '\0';
    c->top = kind;
    if (kind == STALL_JSON_SCALAR)
        return not_a_trace(offset, "a single JSON value", e);
    return STALL_OK;
}

/* ---- facts ---- */

static stall_status fact(chrome *c, const char *key, size_t key_len, const stall_slice *value,
                         stall_error *e)
{
    char text[USER_FACT_LEN_MAX + 1];
    bool string = value->len && value->data[0] == '"';
    size_t len = value->len;

    if (string)
        len = stall_json_unescape(value->data, value->len, text, sizeof text);
    else if (len < sizeof text)
        memcpy(text, value->data, len);
    if (len == 0 || len >= sizeof text)
        return STALL_OK;
    if (string && memchr(text, '/', len))
        return STALL_OK; /* a path: names of machines and users are no facts about the run */
    return stall_series_set_meta(c->out, key, key_len, text, len, !string, e);
}

/* distributedInfo: rank and world size. Of two, the first counts. */
static stall_status distributed(chrome *c, const stall_slice *value, stall_error *e)
{
    static const char *const keys[] = {"rank", "world_size", "backend"};
    stall_member m;
    size_t pos = 0, i;
    stall_status status = STALL_OK;
    int64_t n;

    if (c->doc.rank != STALL_UNKNOWN)
        return STALL_OK;
    while (!status && stall_json_member_next(value->data, value->len, &pos, &m)) {
        if (is(&m.key, "rank") && c->doc.rank == STALL_UNKNOWN && m.value.len) {
            const char *text = (const char *)m.value.data;
            size_t len = m.value.len, quoted = text[0] == '"' && len > 1;
            if (stall_decimal_parse(text + quoted, len - 2 * quoted, 0, &n) && n >= 0)
                c->doc.rank = n;
        }
        for (i = 0; i < sizeof keys / sizeof keys[0] && !status; i++)
            if (is(&m.key, keys[i]))
                status = fact(c, keys[i], strlen(keys[i]), &m.value, e);
    }
    return status;
}

/* deviceProperties: the name of the first device. */
static stall_status device(chrome *c, const stall_slice *value, stall_error *e)
{
    const unsigned char *open = memchr(value->data, '{', value->len);
    stall_member m;
    size_t pos = 0;

    if (!open)
        return STALL_OK;
    while (stall_json_member_next(open, value->len - (size_t)(open - value->data), &pos, &m))
        if (is(&m.key, "name"))
            return fact(c, "device", 6, &m.value, e);
    return STALL_OK;
}

static void note_key(chrome *c, const stall_slice *key)
{
    char name[40];
    size_t n = strlen(c->keys), len;

    if (c->events_seen)
        return;
    len = stall_text_printable(name, sizeof name, (const char *)key->data, key->len);
    if (n + len + 3 <= sizeof c->keys)
        snprintf(c->keys + n, sizeof c->keys - n, "%s%s", n ? ", " : "", name);
}

static stall_status on_member(void *ctx, const stall_slice *key, const stall_slice *value,
                              int flags, stall_error *e)
{
    static const char *const hidden[] = {"traceName", "trace_id", "host_name", "displayTimeUnit",
                                         "hostname"};
    chrome *c = ctx;
    size_t i;

    note_key(c, key);
    for (i = 0; i < sizeof other_kinds / sizeof other_kinds[0]; i++)
        if (is(key, other_kinds[i].key))
            c->kind = other_kinds[i].kind;
    if (is(key, "traceEvents"))
        return not_a_trace(value->offset, "\"traceEvents\" is no array", e);
    if (value->len == 0)
        return STALL_OK;
    if (is(key, "baseTimeNanoseconds")) {
        if (!stall_decimal_parse((const char *)value->data, value->len, 0, &c->doc.base))
            c->doc.base = 0;
        return STALL_OK;
    }
    if (is(key, "distributedInfo"))
        return distributed(c, value, e);
    if (is(key, "deviceProperties"))
        return device(c, value, e);
    if (flags || value->data[0] == '{' || value->data[0] == '[' || c->facts >= USER_FACTS_MAX)
        return STALL_OK;
    for (i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (is(key, hidden[i]))
            return STALL_OK;
    c->facts++;
    return fact(c, (const char *)key->data, key->len, value, e);
}

/* ---- events ---- */

static stall_status on_events(void *ctx, bool bare, uint64_t offset, stall_error *e)
{
    chrome *c = ctx;

    (void)bare;
    (void)offset;
    (void)e;
    c->events_seen = true;
    return STALL_OK;
}

static stall_status on_event(void *ctx, const stall_slice *event, int flags, size_t sound,
                             stall_error *e)
{
    chrome *c = ctx;
    return stall_chrome_collect_event(&c->collect, event, flags, sound, e);
}

static stall_status on_element(void *ctx, const stall_slice *value, uint64_t index, stall_error *e)
{
    chrome *c = ctx;

    if (index == 0 && c->doc.events == 0)
        return not_a_trace(value->offset,
                           value->len && value->data[0] == '['
                               ? "an array of arrays, as in a memory timeline"
                               : "the first element of its events is no object",
                           e);
    c->doc.events++;
    return stall_chrome_collect_lost(&c->collect, value->offset,
                                     "an element of the events is no object", e);
}

/* A bare array of objects none of which is an event, such as rows of a log. */
static bool no_event_at_all(const chrome *c)
{
    return c->top == STALL_JSON_ARRAY && c->doc.events > 0 && c->doc.phases == 0;
}

/* Moves the finished document to the list. */
static stall_status keep_document(chrome *c, stall_error *e)
{
    void *items = c->docs->items;

    if (!stall_mem_grow(&items, &c->docs->cap, c->docs->len + 1, sizeof c->doc))
        return stall_error_memory(e);
    c->docs->items = items;
    c->docs->items[c->docs->len++] = c->doc;
    stall_chrome_doc_init(&c->doc);
    return STALL_OK;
}

/* A document of another kind, which is named by its first keys when they are not known. */
static stall_status no_events(const chrome *c, uint64_t at, stall_error *e)
{
    char what[sizeof c->keys + 80];

    if (c->kind)
        return not_a_trace(at, c->kind, e);
    snprintf(what, sizeof what, "there is no array \"traceEvents\"; it has the keys %s",
             c->keys[0] ? c->keys : "of an empty object");
    return not_a_trace(at, c->keys[0] ? what : "there is no array \"traceEvents\"", e);
}

static stall_status on_end(void *ctx, bool cut, uint64_t at, stall_error *e)
{
    chrome *c = ctx;
    stall_chrome_doc *d = &c->doc;
    stall_status status;
    stall_error why;

    if (!c->events_seen && !cut)
        return no_events(c, at, e);
    if (cut && d->events == 0)
        return stall_error_set(e, STALL_EFORMAT, at, "cut before the first event");
    if (no_event_at_all(c))
        return not_a_trace(at, "an array of objects without \"ph\"", e);
    if (d->lost > LOST_MAX && d->lost > d->events / LOST_SHARE)
        return stall_error_set(e, STALL_EFORMAT, d->lost_offset,
                               "%llu of %llu events are broken beyond repair",
                               (unsigned long long)d->lost, (unsigned long long)d->events);
    d->cut = cut;
    status = stall_chrome_collect_end(&c->collect, e);
    if (status)
        return status;
    if (c->docs)
        return keep_document(c, e);
    memset(&why, 0, sizeof why);
    if (c->out->len) /* a document of its own: a segment of its own */
        c->place = (stall_chrome_place){c->place.epoch + 1, STALL_UNKNOWN};
    status = stall_chrome_steps(d, c->out, &c->place, &why, e);
    if (!status && why.status && !c->why.status)
        c->why = why;
    return status;
}

/* ---- the reader ---- */

int64_t stall_chrome_name_rank(const char *path)
{
    const char *base, *p;
    int64_t n;
    size_t len = 0;

    if (!path)
        return STALL_UNKNOWN;
    base = strrchr(path, '/');
    base = base ? base + 1 : path;
    for (p = base; (p = strstr(p, "rank")) != NULL; p++) {
        const char *q = p + 4;
        if (*q == '-' || *q == '_')
            q++;
        for (len = 0; q[len] >= '0' && q[len] <= '9'; len++)
            ;
        if (len && stall_decimal_parse(q, len, 0, &n))
            return n;
    }
    if (strncmp(base, "worker", 6) == 0) {
        for (len = 0; base[6 + len] >= '0' && base[6 + len] <= '9'; len++)
            ;
        if (len && base[6 + len] == '_' && stall_decimal_parse(base + 6, len, 0, &n))
            return n;
    }
    return STALL_UNKNOWN;
}

static int probe(const unsigned char *head, size_t len, bool whole)
{
    static const char *const keys[] = {"\"schemaVersion\"", "\"deviceProperties\"",
                                       "\"distributedInfo\"", "\"displayTimeUnit\"", "\"ph\""};
    const unsigned char *line;
    size_t i = 0, k;

    (void)whole;
    if (len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        i = 3;
    while (i < len && (head[i] == ' ' || (head[i] >= '\t' && head[i] <= '\r')))
        i++;
    if (i == len || (head[i] != '{' && head[i] != '['))
        return 0;
    if (memmem(head + i, len - i, "\"traceEvents\"", 13))
        return 95;
    for (k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (memmem(head + i, len - i, keys[k], strlen(keys[k])))
            return 80;
    line = memchr(head + i, '\n', len - i); /* a log of one object a line is not for us */
    if (head[i] == '{' && line && memchr(head + i, '}', (size_t)(line - head) - i))
        return 5;
    return 15;
}

static stall_status feed_all(stall_source *src, stall_json *json, stall_warnings *warnings,
                             stall_error *reterr)
{
    const unsigned char *data;
    size_t len;
    bool cut = false;
    stall_status status;

    do {
        status = src->next(src->ctx, &data, &len, reterr);
        if (!status && len)
            status = stall_json_feed(json, data, len, reterr);
        if (status)
            return status;
    } while (len);
    if (src->finish) {
        status = src->finish(src->ctx, warnings, &cut, reterr);
        if (status)
            return status;
    }
    return stall_json_finish(json, cut, reterr);
}

/* Reads all documents. On the way out the context is closed, but for what it gave away. */
static stall_status read_documents(chrome *c, stall_source *src, const stall_read_options *options,
                                   stall_series *out, stall_error *reterr)
{
    stall_json_handler handler = {c,        on_document, on_member, on_events,
                                  on_event, on_element,  on_end};
    stall_json *json = NULL;
    regex_t regex;
    stall_status status;

    stall_chrome_doc_init(&c->doc);
    c->out = out;
    c->place.label = STALL_UNKNOWN;
    c->name_rank = stall_chrome_name_rank(src->name);
    c->collect.doc = &c->doc;
    c->collect.warnings = &out->warnings;
    c->collect.no_gpu = options->no_gpu;
    out->warnings.strict = options->strict;
    if (options->wait_name) {
        if (regcomp(&regex, options->wait_name, REG_EXTENDED | REG_NOSUB) != 0)
            return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                                   "--wait-name: not a POSIX extended regular expression: %s",
                                   options->wait_name);
        c->collect.wait_name = &regex;
    }
    status = stall_json_open(&handler, &out->warnings, &json, reterr);
    if (!status)
        status = feed_all(src, json, &out->warnings, reterr);
    stall_json_close(json);
    if (c->collect.wait_name)
        regfree(&regex);
    stall_chrome_doc_close(&c->doc);
    return status;
}

static stall_status read_chrome(stall_source *src, const stall_read_options *options,
                                stall_series *out, stall_error *reterr)
{
    chrome *c = stall_mem_zero(1, sizeof *c);
    stall_status status;
    size_t i;

    if (!c)
        return stall_error_memory(reterr);
    status = read_documents(c, src, options, out, reterr);
    if (!status && out->len == 0) {
        if (reterr && c->why.status)
            *reterr = c->why;
        else
            stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE, "no steps");
        status = STALL_ENODATA;
    }
    if (!status && c->place.epoch == 0) /* one segment: no epoch column */
        for (i = 0; i < out->len; i++)
            out->rows[i].epoch = STALL_UNKNOWN;
    stall_mem_free(c);
    return status;
}

stall_status stall_chrome_collect_file(stall_source *src, const stall_read_options *options,
                                       stall_series *facts, stall_chrome_docs *docs,
                                       stall_error *reterr)
{
    chrome *c = stall_mem_zero(1, sizeof *c);
    stall_status status;

    if (!c)
        return stall_error_memory(reterr);
    c->docs = docs;
    status = read_documents(c, src, options, facts, reterr);
    stall_mem_free(c);
    return status;
}

void stall_chrome_docs_close(stall_chrome_docs *docs)
{
    size_t i;

    for (i = 0; i < docs->len; i++)
        stall_chrome_doc_close(&docs->items[i]);
    stall_mem_free(docs->items);
    memset(docs, 0, sizeof *docs);
}

const stall_reader stall_reader_chrome = {
    "chrome",
    "PyTorch profiler trace (Chrome trace JSON, object or array)",
    probe,
    read_chrome,
    STALL_INPUT_JSON,
    false};
