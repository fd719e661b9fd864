/* report.json: everything, for machines.
 *
 * Enters: the report model. Leaves: one JSON document, one line a run, so that a long report never
 * stands in memory as one tree. Doubles read back exactly. It computes nothing. */
#include <string.h>

#include <cjson/cJSON.h>

#include "stalldiff/version.h"
#include "write/write.h"

#define JSON_SCHEMA 1

static const char *command_name(stall_command c)
{
    return c == STALL_COMMAND_COMPARE ? "compare" : c == STALL_COMMAND_SHOW ? "show" : "sweep";
}

/* Prints and frees a tree. */
static void put_tree(stall_out *o, stall_tree *t, cJSON *root)
{
    char *text = t->failed || o->status != STALL_OK ? NULL : cJSON_PrintUnformatted(root);

    if (text != NULL)
        stall_out_put(o, text);
    else if (o->status == STALL_OK)
        stall_out_fail(o, stall_error_memory(o->reterr));
    cJSON_free(text);
    cJSON_Delete(root);
}

/* Members of the document that stand on a line of their own: the tree is {"key": value}. */
static void put_member(stall_out *o, stall_tree *t, cJSON *root)
{
    char *text = t->failed || o->status != STALL_OK ? NULL : cJSON_PrintUnformatted(root);
    size_t len = text == NULL ? 0 : strlen(text);

    if (len >= 2)
        stall_out_write(o, text + 1, len - 2); /* without its braces */
    else if (o->status == STALL_OK)
        stall_out_fail(o, stall_error_memory(o->reterr));
    cJSON_free(text);
    cJSON_Delete(root);
}

static void add_warnings(stall_tree *t, cJSON *run, const stall_warnings *w)
{
    cJSON *list = stall_tree_array(t, run, "warnings"), *o;

    for (size_t i = 0; i < w->len; i++) {
        const stall_warning *k = &w->items[i];

        o = stall_tree_element(t, list);
        stall_tree_text(t, o, "code", stall_warn_name(k->code));
        stall_tree_uint(t, o, "count", k->count);
        if (k->offset == STALL_OFFSET_NONE)
            stall_tree_null(t, o, "offset");
        else
            stall_tree_uint(t, o, "offset", k->offset);
        if (k->line != STALL_OFFSET_NONE)
            stall_tree_uint(t, o, "line", k->line);
        stall_tree_text(t, o, "text", k->text);
    }
}

static void add_metadata(stall_tree *t, cJSON *run, const stall_series *s)
{
    cJSON *o = stall_tree_object(t, run, "metadata");
    stall_text key;

    for (size_t i = 0; i < s->meta_len; i++) {
        stall_text_init(&key);
        stall_json_text(&key, s->meta[i].key);
        if (key.failed)
            t->failed = true;
        else if (s->meta[i].raw)
            stall_tree_value(t, o, key.data, s->meta[i].value);
        else
            stall_tree_text(t, o, key.data, s->meta[i].value);
        stall_text_close(&key);
    }
}

static void put_run(stall_out *o, const stall_run *run)
{
    stall_tree t = {false};
    cJSON *root = stall_tree_object(&t, NULL, NULL);

    stall_tree_text(&t, root, "label", run->label);
    stall_tree_text(&t, root, "path", run->series->path);
    stall_tree_text(&t, root, "format", run->series->format);
    stall_tree_text(&t, root, "side", stall_side_name(run->side));
    stall_tree_int(&t, root, "pass", run->pass > 0 ? run->pass : STALL_UNKNOWN);
    stall_tree_bool(&t, root, "partial", stall_run_partial(run));
    add_metadata(&t, root, run->series);
    add_warnings(&t, root, &run->series->warnings);
    stall_tree_analysis(&t, root, run);
    put_tree(o, &t, root);
}

static void put_head(stall_out *o, const stall_report *r)
{
    stall_tree t = {false};
    cJSON *root = stall_tree_object(&t, NULL, NULL), *self;

    self = stall_tree_object(&t, root, "stalldiff");
    stall_tree_text(&t, self, "version", STALLDIFF_VERSION);
    stall_tree_int(&t, self, "schema", JSON_SCHEMA);
    stall_tree_text(&t, root, "command", command_name(r->command));
    put_member(o, &t, root);
}

static void put_advice(stall_out *o, const char *key, const stall_advice *list, size_t len)
{
    stall_tree t = {false};
    cJSON *root = stall_tree_object(&t, NULL, NULL), *array, *e;

    array = stall_tree_array(&t, root, key);
    for (size_t i = 0; i < len; i++) {
        e = stall_tree_element(&t, array);
        stall_tree_text(&t, e, "code", list[i].code);
        stall_tree_text(&t, e, "text", list[i].text);
    }
    put_member(o, &t, root);
}

stall_status stall_write_json(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    stall_out o;

    stall_out_open(&o, sink, reterr);
    stall_out_char(&o, '{');
    put_head(&o, r);
    stall_out_put(&o, ",\n\"runs\":[");
    for (size_t i = 0; i < r->runs_len && o.status == STALL_OK; i++) {
        stall_out_put(&o, i > 0 ? ",\n" : "\n");
        put_run(&o, &r->runs[i]);
    }
    stall_out_put(&o, "],\n");
    if (r->command != STALL_COMMAND_SHOW) {
        stall_tree t = {false};
        cJSON *root = stall_tree_object(&t, NULL, NULL);

        (r->command == STALL_COMMAND_COMPARE ? stall_tree_compare : stall_tree_sweep)(&t, root, r);
        put_member(&o, &t, root);
        stall_out_put(&o, ",\n");
    }
    put_advice(&o, "advice", r->advice, r->advice_len);
    stall_out_put(&o, ",\n");
    put_advice(&o, "caveats", r->caveats, r->caveats_len);
    stall_out_put(&o, "}\n");
    return stall_out_close(&o);
}
