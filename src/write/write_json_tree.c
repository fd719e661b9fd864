/* A JSON tree whose numbers read back to the same double in every locale.
 *
 * Enters: keys and values. Leaves: a cJSON tree; a failed allocation is remembered and nothing half
 * made stays behind. It must not know the model. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "write/write.h"

/* Puts a new item into its object, or, without a key, at the end of its array; without a parent it
 * is a root. The item is freed when it cannot be placed. */
static cJSON *tree_add(stall_tree *t, cJSON *parent, const char *key, cJSON *item)
{
    if (item == NULL) {
        t->failed = true;
    } else if (parent == NULL && key == NULL) {
        return item;
    } else if (parent == NULL || !(key == NULL ? cJSON_AddItemToArray(parent, item)
                                               : cJSON_AddItemToObject(parent, key, item))) {
        t->failed = true; /* a parent is missing only after a failure */
        cJSON_Delete(item);
        item = NULL;
    }
    return item;
}

cJSON *stall_tree_object(stall_tree *t, cJSON *parent, const char *key)
{
    return t->failed ? NULL : tree_add(t, parent, key, cJSON_CreateObject());
}

cJSON *stall_tree_array(stall_tree *t, cJSON *parent, const char *key)
{
    return t->failed ? NULL : tree_add(t, parent, key, cJSON_CreateArray());
}

cJSON *stall_tree_element(stall_tree *t, cJSON *array)
{
    return t->failed || array == NULL ? NULL : tree_add(t, array, NULL, cJSON_CreateObject());
}

void stall_tree_null(stall_tree *t, cJSON *object, const char *key)
{
    if (!t->failed)
        tree_add(t, object, key, cJSON_CreateNull());
}

void stall_tree_bool(stall_tree *t, cJSON *object, const char *key, bool v)
{
    if (!t->failed)
        tree_add(t, object, key, cJSON_CreateBool(v));
}

void stall_tree_text(stall_tree *t, cJSON *object, const char *key, const char *v)
{
    stall_text text;

    if (v == NULL) {
        stall_tree_null(t, object, key);
        return;
    }
    if (t->failed)
        return;
    stall_text_init(&text);
    stall_json_text(&text, v);
    if (text.failed)
        t->failed = true;
    else
        tree_add(t, object, key, cJSON_CreateString(text.data));
    stall_text_close(&text);
}

void stall_tree_double(stall_tree *t, cJSON *object, const char *key, double v)
{
    char buf[STALL_DOUBLE_MAX];

    if (!isfinite(v))
        stall_tree_null(t, object, key);
    else if (!t->failed)
        tree_add(t, object, key, cJSON_CreateRaw(stall_double_text(buf, v)));
}

void stall_tree_int(stall_tree *t, cJSON *object, const char *key, int64_t v)
{
    char buf[32];

    if (v == STALL_UNKNOWN) {
        stall_tree_null(t, object, key);
        return;
    }
    snprintf(buf, sizeof(buf), "%" PRId64, v);
    if (!t->failed)
        tree_add(t, object, key, cJSON_CreateRaw(buf));
}

void stall_tree_uint(stall_tree *t, cJSON *object, const char *key, uint64_t v)
{
    char buf[32];

    snprintf(buf, sizeof(buf), "%" PRIu64, v);
    if (!t->failed)
        tree_add(t, object, key, cJSON_CreateRaw(buf));
}

void stall_tree_raw(stall_tree *t, cJSON *object, const char *key, stall_text *v)
{
    if (v->failed)
        t->failed = true;
    if (!t->failed)
        tree_add(t, object, key, cJSON_CreateRaw(v->data == NULL ? "" : v->data));
    stall_text_close(v);
}

static size_t digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* Exactly a number of the JSON grammar? cJSON itself takes more, and keeps only a double. */
static bool is_json_number(const char *s)
{
    size_t n;

    s += *s == '-';
    n = digits(s);
    if (n == 0 || (*s == '0' && n > 1))
        return false;
    s += n;
    if (*s == '.') {
        n = digits(++s);
        if (n == 0)
            return false;
        s += n;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        n = digits(s);
        if (n == 0)
            return false;
        s += n;
    }
    return *s == '\0';
}

void stall_tree_value(stall_tree *t, cJSON *object, const char *key, const char *v)
{
    cJSON *item;

    if (t->failed)
        return;
    if (is_json_number(v) || strcmp(v, "true") == 0 || strcmp(v, "false") == 0 ||
        strcmp(v, "null") == 0) {
        tree_add(t, object, key, cJSON_CreateRaw(v));
    } else if ((*v == '{' || *v == '[') && (item = cJSON_ParseWithOpts(v, NULL, 1)) != NULL) {
        tree_add(t, object, key, item);
    } else {
        stall_tree_text(t, object, key, v);
    }
}
