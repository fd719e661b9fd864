/* The streaming scanner: src/json/{scan,value,token,slice,resync}.c.
 *
 * What happens in a scan is written to a log: every callback with its bytes and offsets, then the
 * warnings, then the status. Two scans agree when their logs are the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/json.h"

typedef struct record {
    stall_text log;
    const unsigned char *chunk; /* the chunk fed now */
    size_t chunk_len;
    size_t outside; /* events that were no pointers into it */
    size_t documents, members, events, damaged, elements, capped, cuts, ends;
    uint64_t stop_at; /* callback, from 1, that returns an error; 0: none */
    uint64_t calls;
} record;

static stall_status called(record *r, stall_error *reterr)
{
    if (++r->calls == r->stop_at)
        return stall_error_set(reterr, STALL_ELIMIT, 7, "stopped by the handler");
    return STALL_OK;
}

static void log_slice(record *r, const stall_slice *s)
{
    stall_text_printf(&r->log, " @%" PRIu64 " %zu <", s->offset, s->len);
    stall_text_add(&r->log, (const char *)s->data, s->len);
    stall_text_put(&r->log, ">");
}

static stall_status on_document(void *ctx, stall_json_kind kind, uint64_t offset,
                                stall_error *reterr)
{
    record *r = ctx;

    r->documents++;
    stall_text_printf(&r->log, "document %c @%" PRIu64 "\n", (int)kind, offset);
    return called(r, reterr);
}

static stall_status on_member(void *ctx, const stall_slice *key, const stall_slice *value,
                              int flags, stall_error *reterr)
{
    record *r = ctx;

    r->members++;
    r->damaged += (flags & STALL_SLICE_DAMAGED) != 0;
    r->capped += (flags & STALL_SLICE_CAPPED) != 0;
    stall_text_printf(&r->log, "member %d", flags);
    log_slice(r, key);
    log_slice(r, value);
    stall_text_put(&r->log, "\n");
    return called(r, reterr);
}

static stall_status on_events(void *ctx, bool bare, uint64_t offset, stall_error *reterr)
{
    record *r = ctx;

    stall_text_printf(&r->log, "events %d @%" PRIu64 "\n", bare, offset);
    return called(r, reterr);
}

static stall_status on_event(void *ctx, const stall_slice *event, int flags, size_t sound,
                             stall_error *reterr)
{
    record *r = ctx;

    r->events++;
    r->damaged += (flags & STALL_SLICE_DAMAGED) != 0;
    r->capped += (flags & STALL_SLICE_CAPPED) != 0;
    if (event->data < r->chunk || event->data + event->len > r->chunk + r->chunk_len)
        r->outside++;
    assert_true(sound <= event->len);
    if (flags == 0)
        assert_true(sound == event->len && event->data[sound - 1] == '}');
    assert_int_equal(event->data[0], '{');
    stall_text_printf(&r->log, "event %d sound %zu", flags, sound);
    log_slice(r, event);
    stall_text_put(&r->log, "\n");
    return called(r, reterr);
}

static stall_status on_element(void *ctx, const stall_slice *value, uint64_t index,
                               stall_error *reterr)
{
    record *r = ctx;

    r->elements++;
    stall_text_printf(&r->log, "element %" PRIu64, index);
    log_slice(r, value);
    stall_text_put(&r->log, "\n");
    return called(r, reterr);
}

static stall_status on_end(void *ctx, bool cut, uint64_t at, stall_error *reterr)
{
    record *r = ctx;

    r->cuts += cut;
    r->ends++;
    stall_text_printf(&r->log, "end %d @%" PRIu64 "\n", cut, at);
    return called(r, reterr);
}

/* Where the next chunk ends. */
typedef struct cutter {
    size_t every;    /* chunk size, or 0: random sizes */
    size_t split;    /* with `every` large: one more border here, or 0 */
    uint32_t random; /* state */
} cutter;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static size_t next_chunk(cutter *c, size_t at, size_t len)
{
    size_t want = c->every > 0 ? c->every : 1 + next_random(&c->random) % 40;

    if (c->split > at && at + want > c->split)
        want = c->split - at;
    return want < len - at ? want : len - at;
}

static stall_status scan_into(record *r, stall_warnings *w, const unsigned char *data, size_t len,
                              cutter c, bool transport_cut, stall_error *err)
{
    const stall_json_handler handler = {r,        on_document, on_member, on_events,
                                        on_event, on_element,  on_end};
    stall_json *j = NULL;
    stall_status s = stall_json_open(&handler, w, &j, err);
    size_t n;

    for (size_t at = 0; s == STALL_OK && at < len; at += n) {
        n = next_chunk(&c, at, len);
        /* A copy of its own size: reading past a chunk is caught. */
        unsigned char *chunk = malloc(n);
        memcpy(chunk, data + at, n);
        r->chunk = chunk;
        r->chunk_len = n;
        s = stall_json_feed(j, chunk, n, err);
        free(chunk);
    }
    if (s == STALL_OK)
        s = stall_json_finish(j, transport_cut, err);
    stall_json_close(j);
    return s;
}

/* Scans and completes the log. The caller closes r->log. */
static stall_status scan(record *r, stall_warnings *w, const void *data, size_t len, cutter c,
                         stall_error *err)
{
    stall_status s;

    memset(r, 0, sizeof(*r));
    memset(w, 0, sizeof(*w));
    memset(err, 0, sizeof(*err));
    stall_text_init(&r->log);
    s = scan_into(r, w, data, len, c, false, err);
    for (size_t i = 0; i < w->len; i++)
        stall_text_printf(&r->log, "warning %s %" PRIu64 " @%" PRIu64 " %s\n",
                          stall_warn_name(w->items[i].code), w->items[i].count, w->items[i].offset,
                          w->items[i].text);
    stall_text_printf(&r->log, "status %d", s);
    if (s != STALL_OK) {
        stall_text_printf(&r->log, " @%" PRIu64 " %s; %s\n", err->offset, err->text, err->hint);
        assert_int_equal(err->status, s);
        assert_true(err->text[0] != '\0' && err->offset <= len);
    }
    return s;
}

static const cutter whole = {SIZE_MAX / 2, 0, 0};

/* Fails unless the scan of the bytes so cut gives this log. */
static void check_same(const char *name, const unsigned char *data, size_t len, cutter c,
                       const char *log)
{
    stall_warnings w;
    stall_error err;
    record r;

    scan(&r, &w, data, len, c, &err);
    if (strcmp(r.log.data, log) != 0)
        fail_msg("%s, chunks of %zu, split at %zu:\n%s\n--- but whole:\n%s", name, c.every, c.split,
                 r.log.data, log);
    stall_text_close(&r.log);
}

static void check_splits(const char *name, const unsigned char *data, size_t len)
{
    stall_warnings w;
    stall_error err;
    record r;

    scan(&r, &w, data, len, whole, &err);
    for (size_t every = 1; every <= 17; every += every < 4 ? 1 : 13)
        check_same(name, data, len, (cutter){every, 0, 0}, r.log.data);
    for (uint32_t seed = 1; seed <= 3; seed++)
        check_same(name, data, len, (cutter){0, 0, seed}, r.log.data);
    stall_text_close(&r.log);
}

/* ---- files ---- */

static unsigned char *load(const char *folder, const char *name, size_t *ret_len)
{
    char path[512];
    unsigned char *data;
    FILE *f;

    snprintf(path, sizeof(path), "testdata/%s/%s", folder, name);
    f = fopen(path, "rb");
    if (f == NULL)
        fail_msg("%s is missing; run the test from the root of the source", path);
    fseek(f, 0, SEEK_END);
    *ret_len = (size_t)ftell(f);
    rewind(f);
    data = malloc(*ret_len + 1);
    assert_int_equal(fread(data, 1, *ret_len, f), *ret_len);
    fclose(f);
    return data;
}

typedef void file_check(const char *name, const unsigned char *data, size_t len);

static void each_file(const char *folder, file_check *check)
{
    char path[256];
    struct dirent *entry;
    size_t seen = 0, len;
    DIR *dir;

    snprintf(path, sizeof(path), "testdata/%s", folder);
    dir = opendir(path);
    if (dir == NULL)
        fail_msg("%s is missing; run the test from the root of the source", path);
    while ((entry = readdir(dir)) != NULL) {
        size_t n = strlen(entry->d_name);

        if (n < 5 || strcmp(entry->d_name + n - 5, ".json") != 0)
            continue;
        unsigned char *data = load(folder, entry->d_name, &len);
        check(entry->d_name, data, len);
        free(data);
        seen++;
    }
    closedir(dir);
    assert_true(seen > 20);
}

static void check_judgement(const char *name, const unsigned char *data, size_t len)
{
    stall_warnings w;
    stall_error err;
    record r;
    stall_status s = scan(&r, &w, data, len, whole, &err);

    if (name[0] == 'y' && (s != STALL_OK || w.len != 0 || r.ends != 1))
        fail_msg("%s was not accepted:\n%s", name, r.log.data);
    /* Damage in an event, and elements that are none, are counted by who reads the events. */
    if (name[0] == 'n' && s == STALL_OK && w.len == 0 && r.damaged == 0 && r.elements == 0)
        fail_msg("%s was accepted:\n%s", name, r.log.data);
    if (s == STALL_OK)
        assert_true(r.ends == r.documents && r.documents > 0);
    stall_text_close(&r.log);
}

/* Every place for one border, and small chunks. */
static void check_every_split(const char *name, const unsigned char *data, size_t len)
{
    stall_warnings w;
    stall_error err;
    record r;

    scan(&r, &w, data, len, whole, &err);
    for (size_t split = 1; split < len; split++)
        check_same(name, data, len, (cutter){SIZE_MAX / 2, split, 0}, r.log.data);
    stall_text_close(&r.log);
    check_splits(name, data, len);
}

/* A cut anywhere: no crash, the same for every chunking. */
static void check_prefixes(const char *name, const unsigned char *data, size_t len)
{
    stall_warnings w;
    stall_error err;
    record r;

    for (size_t n = 0; n < len && n < 3000; n++) {
        scan(&r, &w, data, n, whole, &err);
        check_same(name, data, n, (cutter){1, 0, 0}, r.log.data);
        stall_text_close(&r.log);
    }
}

/* Bytes that matter to the grammar, more often than others. */
static unsigned char random_byte(uint32_t *state)
{
    static const char special[] = "\"\\{}[],:\n \0"
                                  "0-.eu\x80\xff";
    uint32_t r = next_random(state);

    return r % 4 != 0 ? (unsigned char)special[r / 4 % (sizeof(special) - 1)] : (r >> 4) & 0xff;
}

static void check_mutations(const char *name, const unsigned char *data, size_t len)
{
    unsigned char *copy = malloc(len + 1);
    uint32_t state = (uint32_t)len * 2654435761u;
    stall_warnings w;
    stall_error err;
    record r;

    for (int i = 0; i < 60 && len > 0; i++) {
        memcpy(copy, data, len);
        for (uint32_t k = next_random(&state) % 3 + 1; k-- > 0;)
            copy[next_random(&state) % len] = random_byte(&state);
        scan(&r, &w, copy, len, whole, &err);
        check_same(name, copy, len, (cutter){1, 0, 0}, r.log.data);
        check_same(name, copy, len, (cutter){0, 0, state}, r.log.data);
        stall_text_close(&r.log);
    }
    free(copy);
}

static void test_judgement(void **state)
{
    (void)state;
    each_file("json", check_judgement);
}

static void test_every_split(void **state)
{
    (void)state;
    each_file("json", check_splits);
    each_file("bad", check_every_split);
}

static void test_prefixes(void **state)
{
    (void)state;
    each_file("bad", check_prefixes);
}

static void test_mutations(void **state)
{
    (void)state;
    each_file("json", check_mutations);
    each_file("bad", check_mutations);
}

/* ---- what each damage comes to ---- */

typedef struct damage {
    const char *file;
    const char *expected; /* events damaged elements members documents cuts | warnings | error */
} damage;

static const damage damages[] = {
    {"args_trailing_comma.json", "4 0 0 3 1 0 stray_comma:1@449"},
    {"array_no_end.json", "4 0 0 0 1 0"},
    {"array_no_end_comma.json", "4 0 0 0 1 0"},
    {"backslash_last.json", "4 1 0 3 1 0 control_byte:4@467"},
    {"backslash_last_event.json", "2 1 0 3 1 0 control_byte:4@467"},
    {"bare_ts.json", "4 0 0 3 1 0 bad_number:1@387"},
    {"bare_words.json", "4 0 0 3 1 0 bad_number:5@442"},
    {"bom.json", "4 0 0 3 1 0 bom:1@0"},
    {"close_twice.json", "2 0 1 3 1 0"},
    {"control_byte.json", "4 0 0 3 1 0 control_byte:2@341"},
    {"cut_after_comma.json", "1 0 0 2 1 1 truncated:1@453"},
    {"cut_after_event.json", "4 0 0 2 1 1 truncated:1@804"},
    {"cut_array.json", "3 0 0 0 1 1 truncated:1@661"},
    {"cut_before_events.json", "0 0 0 2 1 0 | 4@115 cut before the first event"},
    {"cut_in_event.json", "2 0 0 2 1 1 truncated:1@518"},
    {"cut_in_first.json", "0 0 0 2 1 0 | 4@170 cut before the first event"},
    {"cut_in_header.json", "0 0 0 1 1 0 | 4@60 cut before the first event"},
    {"cut_in_tail.json", "4 0 0 2 1 1 truncated:1@829"},
    {"cut_last_brace.json", "4 0 0 3 1 1 truncated:1@839"},
    {"double_comma.json", "2 0 0 3 1 0 stray_comma:1@286"},
    {"duplicate_keys.json", "4 0 0 5 1 0 duplicate_keys:1@109"},
    {"empty_value.json", "4 0 0 3 1 0 bad_number:2@441"},
    {"events_object.json", "0 0 0 2 1 0"},
    {"header_backslash.json", "4 1 0 4 1 0 bad_escape:1@107 control_byte:1@114 bad_header:1@118"},
    {"header_bad_escape.json", "4 0 0 4 1 0 bad_escape:2@106"},
    {"header_empty_value.json", "4 0 0 4 1 0 bad_number:1@115"},
    {"header_event_keys.json",
     "0 0 0 1 1 0 | 4@30 the value of \"note\" is broken, and the trace events could not "
     "be found behind it"},
    {"header_inf.json", "4 0 0 4 1 0 bad_number:1@102"},
    {"header_nested_quote.json", "4 1 0 4 1 0 bad_header:1@135"},
    {"header_quote.json", "4 1 0 5 1 0 bad_header:1@109"},
    {"header_quote_alone.json",
     "0 0 0 2 1 0 | 4@109 the value of \"note\" is broken, and the trace events could not "
     "be found behind it"},
    {"header_quote_behind.json", "4 1 0 3 1 0 bad_header:1@832"},
    {"header_quote_behind_more.json", "4 1 0 4 1 0 bad_header:1@823"},
    {"header_quote_compact.json",
     "0 0 0 1 1 0 | 4@30 the value of \"note\" is broken, and the trace events could not "
     "be found behind it"},
    {"header_trailing_comma.json", "4 0 0 3 1 0 stray_comma:1@840"},
    {"interleaved.json", "6 2 0 3 1 0 duplicate_keys:1@496 control_byte:1@401 bad_header:1@1141"},
    {"invalid_utf8.json", "4 0 0 3 1 0 bad_utf8:2@341"},
    {"junk_after.json", "2 0 1 3 1 0"},
    {"junk_between.json", "2 0 1 3 1 0"},
    {"leading_comma.json", "4 0 0 0 1 0 stray_comma:1@1"},
    {"lost_close_quote.json", "4 1 0 3 1 0 control_byte:4@461"},
    {"lost_key_quote.json", "3 1 0 0 1 0"},
    {"lost_open_quote.json", "4 1 0 3 1 0"},
    {"memory_timeline.json", "0 0 2 0 1 0"},
    {"missing_comma.json", "3 0 0 3 1 0 stray_comma:1@286"},
    {"newline_in_name.json", "4 0 0 3 1 0 control_byte:1@349"},
    {"not_objects.json", "1 0 5 0 1 0"},
    {"quote_in_args.json", "4 1 0 3 1 0"},
    {"quote_in_first.json", "2 1 0 3 1 0"},
    {"quote_in_last.json", "3 1 0 3 1 0"},
    {"quote_in_last_array.json", "2 1 0 0 1 0"},
    {"quote_in_last_array_no_end.json", "2 1 0 0 1 0"},
    {"quote_in_last_no_tail.json", "2 1 0 2 1 0"},
    {"quote_in_many.json", "8 4 0 3 1 0"},
    {"quote_in_marker.json", "4 1 0 3 1 0"},
    {"quote_in_name.json", "4 1 0 3 1 0"},
    {"quote_meta_event.json", "3 1 0 3 1 0"},
    {"quote_name_first.json", "3 1 0 0 1 0"},
    {"quote_then_cut.json", "3 1 0 2 1 1 truncated:1@549"},
    {"second_document.json", "8 0 0 6 2 0 second_document:1@841"},
    {"second_document_after_quote.json", "6 1 0 5 2 0 second_document:1@457"},
    {"second_document_cut.json", "6 0 0 5 2 1 truncated:1@1354 second_document:1@841"},
    {"second_document_cut_early.json", "4 0 0 5 2 1 truncated:1@941 second_document:1@841"},
    {"trailing_bytes.json", "4 0 0 3 1 0 bad_header:1@841"},
    {"trailing_comma.json", "4 0 0 3 1 0 stray_comma:1@808"},
    {"trailing_text.json", "4 0 0 3 1 0 bad_header:1@841"},
    {"two_event_arrays.json", "2 0 0 3 1 0 duplicate_keys:1@289"},
    {"utf16.json", "0 0 0 0 0 0 | 4@0 not JSON: it begins with byte 0xff"},
    {"windows_path.json", "4 0 0 3 1 0 bad_escape:3@348"},
    {"windows_path_end.json", "4 1 0 3 1 0 bad_escape:1@342"},
};

static void summarise(const record *r, const stall_warnings *w, stall_status s,
                      const stall_error *err, char *dst, size_t size)
{
    int n = snprintf(dst, size, "%zu %zu %zu %zu %zu %zu", r->events, r->damaged, r->elements,
                     r->members, r->documents, r->cuts);

    for (size_t i = 0; i < w->len; i++)
        n += snprintf(dst + n, size - (size_t)n, " %s:%" PRIu64 "@%" PRIu64,
                      stall_warn_name(w->items[i].code), w->items[i].count, w->items[i].offset);
    if (s != STALL_OK)
        snprintf(dst + n, size - (size_t)n, " | %d@%" PRIu64 " %s", s, err->offset, err->text);
}

static void test_damages(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        stall_warnings w;
        stall_error err;
        char got[1024];
        size_t len;
        record r;
        unsigned char *data = load("bad", damages[i].file, &len);
        stall_status s = scan(&r, &w, data, len, whole, &err);

        summarise(&r, &w, s, &err, got, sizeof(got));
        if (strcmp(got, damages[i].expected) != 0) {
            print_error("%s: %s\n  expected: %s\n", damages[i].file, got, damages[i].expected);
            wrong++;
        }
        stall_text_close(&r.log);
        free(data);
    }
    assert_int_equal(wrong, 0);
}

/* ---- limits, errors, memory ---- */

static void test_depth(void **state)
{
    const cutter one = {1, 0, 0};
    unsigned char text[2048];
    stall_warnings w;
    stall_error err;
    record r;

    (void)state;
    memset(text, '[', STALL_JSON_DEPTH_MAX);
    memset(text + STALL_JSON_DEPTH_MAX, ']', STALL_JSON_DEPTH_MAX);
    assert_int_equal(scan(&r, &w, text, 2 * STALL_JSON_DEPTH_MAX, one, &err), STALL_OK);
    assert_int_equal(w.len, 0);
    stall_text_close(&r.log);
    memset(text, '[', STALL_JSON_DEPTH_MAX + 1);
    assert_int_equal(scan(&r, &w, text, 2 * STALL_JSON_DEPTH_MAX, one, &err), STALL_ELIMIT);
    assert_int_equal(err.offset, STALL_JSON_DEPTH_MAX);
    assert_non_null(strstr(err.text, "512"));
    stall_text_close(&r.log);
}

/* A document of one member or event, its text `fill` bytes long. */
static void check_cap(const char *head, const char *tail, size_t fill, size_t chunk, size_t capped)
{
    size_t n = strlen(head), len = n + fill + strlen(tail);
    unsigned char *text = malloc(len + 1);
    stall_warnings w;
    stall_error err;
    record r;

    memcpy(text, head, n);
    memset(text + n, 'x', fill);
    strcpy((char *)text + n + fill, tail);
    assert_int_equal(scan(&r, &w, text, len, (cutter){chunk, 0, 0}, &err), STALL_OK);
    assert_int_equal(w.len, 0);
    assert_int_equal(r.capped, capped);
    if (chunk > len)
        check_same("caps", text, len, (cutter){4093, 0, 0}, r.log.data);
    stall_text_close(&r.log);
    /* What lies beyond the cap is checked all the same. */
    text[n + fill - 1] = '\\';
    text[n + fill - 2] = '"';
    assert_true(scan(&r, &w, text, len, (cutter){chunk, 0, 0}, &err) != STALL_OK || w.len > 0 ||
                r.damaged > 0);
    stall_text_close(&r.log);
    free(text);
}

static void test_caps(void **state)
{
    (void)state;
    check_cap("{\"a\":\"", "\"}", STALL_JSON_VALUE_MAX - 2, SIZE_MAX / 2, 0);
    check_cap("{\"a\":\"", "\"}", STALL_JSON_VALUE_MAX - 1, SIZE_MAX / 2, 1);
    check_cap("{\"", "\":1}", STALL_JSON_KEY_MAX, SIZE_MAX / 2, 0);
    check_cap("{\"", "\":1}", STALL_JSON_KEY_MAX + 1, SIZE_MAX / 2, 1);
    check_cap("[{\"a\":\"", "\"}]", STALL_JSON_EVENT_MAX - 8, SIZE_MAX / 2, 0);
    check_cap("[{\"a\":\"", "\"}]", STALL_JSON_EVENT_MAX, SIZE_MAX / 2, 1);
    check_cap("[{\"a\":\"", "\"}]", STALL_JSON_EVENT_MAX, 65536, 1);
}

static const char small_trace[] =
    "{\"a\":1,\"traceEvents\":[{\"ph\":\"X\",\"n\":\"say \"x\" \"},{\"ph\":\"X\"},3],\"b\":inf}{}";

static void test_handler_stops(void **state)
{
    stall_warnings w;
    stall_error err;
    record r;

    (void)state;
    scan(&r, &w, small_trace, sizeof(small_trace) - 1, whole, &err);
    assert_int_equal(r.calls, 10);
    stall_text_close(&r.log);
    for (uint64_t n = 1; n <= 10; n++) {
        memset(&r, 0, sizeof(r));
        memset(&w, 0, sizeof(w));
        stall_text_init(&r.log);
        r.stop_at = n;
        assert_int_equal(scan_into(&r, &w, (const unsigned char *)small_trace,
                                   sizeof(small_trace) - 1, (cutter){3, 0, 0}, false, &err),
                         STALL_ELIMIT);
        assert_int_equal(r.calls, n);
        assert_int_equal(err.offset, 7);
        stall_text_close(&r.log);
    }
}

static stall_status quiet_scan(stall_warnings *w, const void *text, size_t len, stall_error *err)
{
    const stall_json_handler nobody = {0};
    const unsigned char *data = text;
    stall_json *j = NULL;
    stall_status s = stall_json_open(&nobody, w, &j, err);

    for (size_t at = 0; s == STALL_OK && at < len; at++)
        s = stall_json_feed(j, data + at, 1, err);
    if (s == STALL_OK)
        s = stall_json_finish(j, false, err);
    stall_json_close(j);
    return s;
}

static void test_no_memory(void **state)
{
    stall_warnings w;
    stall_error err;
    size_t failed = 0;

    (void)state;
    for (uint64_t n = 1; n < 20; n++) {
        memset(&w, 0, sizeof(w));
        stall_mem_fail_at(n);
        stall_status s = quiet_scan(&w, small_trace, sizeof(small_trace) - 1, &err);
        stall_mem_fail_at(0);
        assert_true(s == STALL_OK || s == STALL_ENOMEM);
        failed += s == STALL_ENOMEM;
    }
    assert_true(failed >= 2);
}

static void test_strict(void **state)
{
    static const char *const texts[] = {"[{\"a\":inf}]",
                                        "[{\"a\":\"\\c\"}]",
                                        "[{\"a\":\"\x01\"}]",
                                        "[{\"a\":\"\xff\"}]",
                                        "[,{}]",
                                        "{} x",
                                        "{}{}",
                                        "{\"a\":1,\"a\":2}",
                                        "[{},{\"a\"",
                                        "{\"a\":,\"b\":1}",
                                        "{\"traceEvents\":[],\"a\":\"\"\"}",
                                        "[{\"a\":[1,]}]"};
    stall_warnings w;
    stall_error err;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        memset(&w, 0, sizeof(w));
        assert_int_equal(quiet_scan(&w, texts[i], strlen(texts[i]), &err), STALL_OK);
        memset(&w, 0, sizeof(w));
        w.strict = true;
        assert_int_equal(quiet_scan(&w, texts[i], strlen(texts[i]), &err), STALL_EFORMAT);
        assert_true(err.offset <= strlen(texts[i]));
    }
    memset(&w, 0, sizeof(w));
    w.strict = true;
    assert_int_equal(quiet_scan(&w, "\xef\xbb\xbf[]", 5, &err), STALL_OK);
}

static void test_transport_cut(void **state)
{
    static const char text[] = "[{\"a\":1},{\"a\":2},";
    stall_warnings w = {0};
    stall_error err;
    record r;

    (void)state;
    memset(&r, 0, sizeof(r));
    stall_text_init(&r.log);
    assert_int_equal(
        scan_into(&r, &w, (const unsigned char *)text, sizeof(text) - 1, whole, true, &err),
        STALL_OK);
    assert_int_equal(r.cuts, 1);
    assert_int_equal(w.len, 0);
    stall_text_close(&r.log);
}

/* A real trace: the same in chunks of every kind, and whole events are not copied. */
static void test_real_trace(void **state)
{
    size_t len;
    unsigned char *data = load("chrome", "broken_w4.json", &len);
    stall_warnings w;
    stall_error err;
    record r;

    (void)state;
    assert_int_equal(scan(&r, &w, data, len, whole, &err), STALL_OK);
    assert_int_equal(w.len, 0);
    assert_true(r.events > 1000 && r.outside == 0 && r.elements == 0 && r.cuts == 0);
    check_same("broken_w4", data, len, (cutter){1, 0, 0}, r.log.data);
    check_same("broken_w4", data, len, (cutter){4096, 0, 0}, r.log.data);
    check_same("broken_w4", data, len, (cutter){0, 0, 9}, r.log.data);
    stall_text_close(&r.log);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judgement),     cmocka_unit_test(test_damages),
        cmocka_unit_test(test_every_split),   cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_mutations),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_caps),          cmocka_unit_test(test_handler_stops),
        cmocka_unit_test(test_no_memory),     cmocka_unit_test(test_strict),
        cmocka_unit_test(test_transport_cut), cmocka_unit_test(test_real_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
