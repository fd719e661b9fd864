/* JSON documents that TraceML keeps beside its step log: summaries and manifests.
 *
 * Enters: the first bytes of an input, then all of it. Leaves: an error that says what it is, for a
 * summary with the means that it holds, and what to give instead. Nothing in such a document tells
 * of a single step. */
#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "json/json.h"
#include "read/table.h"

#define DOCUMENT_MAX (16u << 20) /* bytes that are looked at for means */

typedef enum document_kind {
    DOCUMENT_OTHER,
    DOCUMENT_SUMMARY,
    DOCUMENT_MANIFEST,
    DOCUMENT_CODE,
    DOCUMENT_SYSTEM
} document_kind;

/* The keys that tell, as bits. */
enum {
    KEY_STEP_TIME = 1,
    KEY_SESSION = 2,
    KEY_STATUS = 4,
    KEY_SCRIPT = 8,
    KEY_SCHEMA = 16,
    KEY_CREATED = 32,
    KEY_PLATFORM = 64,
    KEY_DIAGNOSIS = 128,
    KEY_GENERATED = 256,
    KEY_TRACE = 512
};

static const struct {
    const char *name;
    int bit;
    bool object; /* its value is an object */
} keys[] = {{"step_time", KEY_STEP_TIME, true},     {"session_id", KEY_SESSION, false},
            {"status", KEY_STATUS, false},          {"script_path", KEY_SCRIPT, false},
            {"schema_version", KEY_SCHEMA, false},  {"created_at_unix", KEY_CREATED, false},
            {"platform", KEY_PLATFORM, false},      {"primary_diagnosis", KEY_DIAGNOSIS, true},
            {"generated_at", KEY_GENERATED, false}, {"traceEvents", KEY_TRACE, false}};

/* Several objects in lines are a log, not a document. */
static bool is_log(const char *text, size_t len)
{
    const char *end = memchr(text, '\n', len);
    size_t at = end != NULL ? (size_t)(end - text) : len, next = at;

    while (next < len && memchr(" \t\r\n", text[next], 4) != NULL)
        next++;
    return next < len && text[next] == '{' && at > 0 &&
           (text[at - 1] == '}' || (at > 1 && text[at - 1] == '\r' && text[at - 2] == '}'));
}

static int find_keys(const unsigned char *head, size_t len)
{
    stall_member m;
    size_t pos = 0;
    bool more = true;
    int found = 0;

    while (more) {
        more = stall_json_member_next(head, len, &pos, &m);
        for (size_t i = 0; m.key.data != NULL && i < sizeof(keys) / sizeof(keys[0]); i++)
            if (m.key.len == strlen(keys[i].name) &&
                memcmp(m.key.data, keys[i].name, m.key.len) == 0 && m.value.len > 0 &&
                (!keys[i].object || m.value.data[0] == '{'))
                found |= keys[i].bit;
    }
    return found;
}

static document_kind kind_of(const unsigned char *head, size_t len)
{
    int found;

    if (len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        head += 3;
        len -= 3;
    }
    if (is_log((const char *)head, len))
        return DOCUMENT_OTHER;
    found = find_keys(head, len);
    if (found & KEY_TRACE)
        return DOCUMENT_OTHER;
    if (found & KEY_STEP_TIME || (found & KEY_DIAGNOSIS && found & KEY_GENERATED))
        return DOCUMENT_SUMMARY;
    if (found & KEY_SESSION && found & KEY_STATUS)
        return DOCUMENT_MANIFEST;
    if (found & KEY_SCRIPT && found & KEY_SCHEMA)
        return DOCUMENT_CODE;
    if (found & KEY_CREATED && found & KEY_PLATFORM && found & KEY_SCHEMA)
        return DOCUMENT_SYSTEM;
    return DOCUMENT_OTHER;
}

bool stall_document_known(const unsigned char *head, size_t len)
{
    return kind_of(head, len) != DOCUMENT_OTHER;
}

/* ---- the means of a summary ---- */

static const cJSON *child(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* A number, or NaN. */
static double value_of(const cJSON *object, const char *name)
{
    const cJSON *v = child(object, name);

    return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

static double first_known(double a, double b)
{
    return isnan(a) ? b : a;
}

/* Means of the run, in milliseconds. Their names and meanings changed: total_step_ms is the whole
 * step up to schema 1.6, where step_time_ms leaves the wait out; from 1.7 on step_time_ms is it. */
static void means_of(const cJSON *step_time, double *ret_wait, double *ret_step)
{
    const cJSON *global = child(step_time, "global"), *average = child(global, "average");
    const cJSON *older = child(global, "typical");

    if (average != NULL) {
        *ret_wait =
            first_known(value_of(average, "input_wait_ms"), value_of(average, "dataloader_ms"));
        *ret_step =
            first_known(value_of(average, "total_step_ms"), value_of(average, "step_time_ms"));
        return;
    }
    if (older == NULL)
        older = child(step_time, "timing_primary");
    if (older != NULL) {
        *ret_wait = value_of(child(older, "split_ms"), "dataloader");
        *ret_step = value_of(older, "step_avg_ms");
        return;
    }
    *ret_wait = value_of(child(step_time, "median_split_ms"), "dataloader");
    *ret_step = value_of(step_time, "median_avg_step_ms");
}

static void put_mean(stall_text *t, const char *name, double ms)
{
    char buf[64];

    if (isfinite(ms))
        stall_text_printf(t, "%s %s ms", name, stall_fixed_text(buf, ms, 3));
    else
        stall_text_printf(t, "%s not measured", name);
}

static void refuse_summary(const stall_text *text, stall_error *reterr)
{
    size_t bom = text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    stall_text fixed, means;
    stall_cell object;
    cJSON *tree = NULL;
    char buf[STALL_DOUBLE_MAX];
    double version, wait, step;

    stall_text_init(&fixed);
    stall_text_init(&means);
    if (text->len > bom && stall_json_row(text->data + bom, text->len - bom, &fixed, &object))
        tree = cJSON_ParseWithLength(object.text, object.len);
    if (tree != NULL) {
        version = value_of(tree, "schema_version");
        means_of(child(tree, "step_time"), &wait, &step);
        stall_text_printf(&means,
                          ", %s%s: ", isnan(version) ? "without a schema version" : "schema ",
                          isnan(version) ? "" : stall_double_text(buf, version));
        put_mean(&means, "mean input wait", wait);
        put_mean(&means, ", mean step time", step);
    }
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "this is the summary of a TraceML run%s; it holds no single steps",
                    means.data != NULL ? means.data : "");
    stall_error_hint(reterr,
                     "give the step log of the same run: aggregator/telemetry in its folder");
    cJSON_Delete(tree);
    stall_text_close(&fixed);
    stall_text_close(&means);
}

/* ---- refusing ---- */

static stall_status refuse_manifest(document_kind kind, stall_error *reterr)
{
    const char *what = kind == DOCUMENT_MANIFEST ? "the manifest of a TraceML run"
                       : kind == DOCUMENT_CODE   ? "TraceML's description of a training script"
                                                 : "TraceML's description of a machine";

    stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE, "this is %s; it holds no steps",
                    what);
    stall_error_hint(reterr,
                     "give the step log of the same run: aggregator/telemetry in its folder");
    return STALL_EFORMAT;
}

stall_status stall_document_refuse(stall_source *src, stall_error *reterr)
{
    const unsigned char *data;
    stall_text text;
    stall_status status;
    document_kind kind = DOCUMENT_OTHER;
    size_t len;

    stall_text_init(&text);
    do {
        status = src->next(src->ctx, &data, &len, reterr);
        if (status != STALL_OK)
            goto out;
        if (kind == DOCUMENT_OTHER)
            kind = kind_of(data, len);
        stall_text_add(&text, (const char *)data, len);
    } while (len > 0 && text.len <= DOCUMENT_MAX && !text.failed);
    if (text.failed) {
        status = stall_error_memory(reterr);
    } else if (kind == DOCUMENT_SUMMARY) {
        if (text.len > DOCUMENT_MAX)
            text.len = 0; /* named without its means */
        refuse_summary(&text, reterr);
        status = STALL_ENODATA;
    } else {
        status = refuse_manifest(kind, reterr);
    }
out:
    stall_text_close(&text);
    return status;
}
