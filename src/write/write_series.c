/* The series CSV: the archive form of one run, which the table reader reads back exactly.
 *
 * Enters: a series. Leaves: `# key: value` lines with label, format, flags, facts and warnings,
 * then a table with one row a step; times in milliseconds with 6 decimals, so whole nanoseconds.
 * The form is described at the head of the table reader. No cell begins a formula unless it is a
 * number. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define TEXT_MAX 4096 /* bytes of a label in its printable form */
#define MARK "counter:"

/* ---- the lines before the table ---- */

/* A JSON string in which no comma, semicolon or quote is left that could end a cell. Control bytes
 * are escaped; other bytes stay, texts of a series being UTF-8. */
static void put_string(stall_out *o, const char *text)
{
    stall_out_char(o, '"');
    for (const char *s = text; *s != '\0'; s++) {
        if (strchr(",;\"\\", *s) != NULL || (unsigned char)*s < 0x20 || *s == 0x7f)
            stall_out_printf(o, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            stall_out_char(o, *s);
    }
    stall_out_char(o, '"');
}

static bool is_plain_word(const char *text)
{
    for (const char *s = text; *s != '\0'; s++)
        if (!((*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') ||
              *s == '_' || *s == '.' || *s == '-'))
            return false;
    return *text != '\0';
}

/* A label reads better without quotes. */
static void put_label(stall_out *o, const char *label)
{
    char text[TEXT_MAX];
    size_t len;

    if (label == NULL)
        return;
    len = stall_text_printable(text, sizeof(text), label, strlen(label));
    stall_out_put(o, "# label: ");
    if (len == 0 || text[0] == ' ' || text[len - 1] == ' ' || strpbrk(text, ",;\"") != NULL)
        put_string(o, text);
    else
        stall_out_put(o, text);
    stall_out_char(o, '\n');
}

/* Numbers and literals stand as they are; a comma in any other value would end a cell. */
static bool is_bare(const char *value)
{
    double v;

    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0 || strcmp(value, "null") == 0)
        return true;
    return value[0] != '+' && strlen(value) < 40 && stall_decimal_double(value, strlen(value), &v);
}

static void put_meta(stall_out *o, const stall_meta *m)
{
    stall_out_put(o, "# meta.");
    if (is_plain_word(m->key))
        stall_out_put(o, m->key);
    else
        put_string(o, m->key);
    stall_out_put(o, ": ");
    if (m->raw && is_bare(m->value)) {
        stall_out_put(o, m->value);
    } else {
        stall_out_put(o, m->raw ? "json " : "");
        put_string(o, m->value);
    }
    stall_out_char(o, '\n');
}

static void put_warning(stall_out *o, const stall_warning *w)
{
    stall_out_printf(o, "# warning: %s %" PRIu64 " ", stall_warn_name(w->code), w->count);
    if (w->line != STALL_OFFSET_NONE)
        stall_out_printf(o, "line:%" PRIu64 " ", w->line);
    else if (w->offset != STALL_OFFSET_NONE)
        stall_out_printf(o, "offset:%" PRIu64 " ", w->offset);
    else
        stall_out_put(o, "- ");
    put_string(o, w->text);
    stall_out_char(o, '\n');
}

static void put_header(stall_out *o, const stall_series *s)
{
    stall_out_put(o, "# stalldiff-series: 1\n");
    put_label(o, s->label);
    if (s->format != NULL) {
        stall_out_put(o, "# format: ");
        stall_out_put(o, s->format);
        stall_out_char(o, '\n');
    }
    stall_out_put(o, s->warnings.partial ? "# partial: true\n" : "# partial: false\n");
    stall_out_printf(o, "# rows: %zu\n", s->len);
    stall_out_put(o, s->sampled ? "# sampled: true\n" : "");
    stall_out_put(o, s->aggregated ? "# aggregated: true\n" : "");
    stall_out_put(o, s->medians ? "# medians: true\n" : "");
    stall_out_put(o, s->has_gpu ? "# gpu: true\n" : "");
    for (size_t i = 0; i < s->meta_len; i++)
        put_meta(o, &s->meta[i]);
    for (size_t i = 0; i < s->warnings.len; i++)
        put_warning(o, &s->warnings.items[i]);
}

/* ---- the table ---- */

/* Does any row know the time of other loaders? */
static bool has_other_wait(const stall_series *s)
{
    for (size_t i = 0; i < s->len; i++)
        if (s->rows[i].other_wait_ns != STALL_UNKNOWN)
            return true;
    return false;
}

/* Would a reader take this name for something else than a counter, or a spreadsheet for a formula?
 */
static bool needs_mark(const char *name)
{
    static const char *const known[] = {
        "rank",       "epoch",         "step",    "global_step", "_step",       "Step",
        "exposed_ms", "other_wait_ms", "fetches", "worker_id",   "worker_pids", "worker_pid",
        "batch_rank", "stall",         "run",     "side",        "pass"};
    static const char *const times[] = {"wait_", "input_wait_", "step_", "step_time_"};

    if (*name == '\0' || strchr("=+-@'# \t", *name) != NULL ||
        strncmp(name, MARK, sizeof(MARK) - 1) == 0)
        return true;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (strncmp(name, times[i], strlen(times[i])) == 0)
            return true;
    return false;
}

static void put_names(stall_out *o, const stall_series *s, bool other)
{
    stall_out_put(o, "rank,epoch,step,wait_ms,step_ms,exposed_ms,fetches");
    stall_out_put(o, other ? ",other_wait_ms" : "");
    stall_out_put(o, s->worker_id != NULL ? ",worker_id" : "");
    stall_out_put(o, s->worker_pids != NULL ? ",worker_pids" : "");
    stall_out_put(o, s->batch_rank != NULL ? ",batch_rank" : "");
    for (size_t i = 0; i < s->counters_len; i++) {
        const char *name = s->counters[i].name;

        stall_out_char(o, ',');
        if (needs_mark(name) && strpbrk(name, ",\"") == NULL) {
            stall_out_put(o, MARK);
            stall_out_put(o, name);
        } else if (needs_mark(name)) { /* the quotes must stand around the mark, too */
            stall_out_put(o, "\"" MARK);
            for (const char *c = name; *c != '\0'; c++) {
                stall_out_char(o, *c);
                if (*c == '"')
                    stall_out_char(o, '"');
            }
            stall_out_char(o, '"');
        } else {
            stall_out_csv_text(o, name);
        }
    }
    stall_out_char(o, '\n');
}

static void put_ms(stall_out *o, int64_t ns)
{
    char buf[STALL_DOUBLE_MAX];

    stall_out_char(o, ',');
    stall_out_put(o, stall_ms_text(buf, ns));
}

/* Text of a worker: as it is when it is a number; an apostrophe goes before what would begin a
 * formula, and before an apostrophe, so that the first one can always be taken away. */
static void put_text(stall_out *o, const char *text)
{
    double v;

    stall_out_char(o, ',');
    if (stall_decimal_double(text, strlen(text), &v)) {
        stall_out_put(o, text);
    } else if (*text != '\0' && strchr("=+-@'", *text) != NULL) {
        stall_out_put(o, "\"'");
        for (const char *c = text; *c != '\0'; c++) {
            stall_out_char(o, *c);
            if (*c == '"')
                stall_out_char(o, '"');
        }
        stall_out_char(o, '"');
    } else {
        stall_out_csv_text(o, text);
    }
}

static void put_number(stall_out *o, double v)
{
    stall_out_char(o, ',');
    if (isfinite(v))
        stall_out_double(o, v);
}

static void put_row(stall_out *o, const stall_series *s, size_t i, bool other)
{
    const stall_row *row = &s->rows[i];

    stall_out_int(o, row->rank);
    stall_out_char(o, ',');
    stall_out_int(o, row->epoch);
    stall_out_char(o, ',');
    stall_out_int(o, row->step);
    put_ms(o, row->wait_ns);
    put_ms(o, row->step_ns);
    put_ms(o, row->exposed_ns);
    stall_out_char(o, ',');
    if (row->fetches >= 0)
        stall_out_int(o, row->fetches);
    if (other)
        put_ms(o, row->other_wait_ns);
    if (s->worker_id != NULL)
        put_text(o, s->strings[s->worker_id[i]]);
    if (s->worker_pids != NULL)
        put_text(o, s->strings[s->worker_pids[i]]);
    if (s->batch_rank != NULL)
        put_number(o, s->batch_rank[i]);
    for (size_t k = 0; k < s->counters_len; k++)
        put_number(o, s->counters[k].values[i]);
    stall_out_char(o, '\n');
}

stall_status stall_write_series(const stall_series *s, stall_sink *sink, stall_error *reterr)
{
    bool other = has_other_wait(s);
    stall_out o;

    stall_out_open(&o, sink, reterr);
    put_header(&o, s);
    put_names(&o, s, other);
    for (size_t i = 0; i < s->len && o.status == STALL_OK; i++)
        put_row(&o, s, i, other);
    return stall_out_close(&o);
}
