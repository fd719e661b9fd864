/* The database that TraceML keeps of a run (aggregator/telemetry, SQLite).
 *
 * Enters: the path of a database, or bytes that turn out to be one. Leaves: a series of the rows of
 * step_time_samples. The file is untrusted: no view, trigger or schema expression may run, and it
 * is never written to (traceml_db_copy.c). It must not know what the rows mean: traceml_events.c
 * and traceml_run.c do. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "read/table.h"
#include "read/traceml.h"

#define HEADER_LEN 100u
#define EXACT 9007199254740992.0 /* whole numbers below are exact in a double */
#define SHOWN_TABLES 12u         /* tables named in a message */

typedef enum db_column {
    COLUMN_ID,
    COLUMN_STEP,
    COLUMN_GLOBAL_RANK,
    COLUMN_RANK,
    COLUMN_STAMP,
    COLUMN_SEQ,
    COLUMN_EVENTS,
    COLUMN_WORLD,
    COLUMN_WINDOW,
    COLUMN_COUNT
} db_column;

static const char *const column_names[COLUMN_COUNT] = {"id",          "step",        "global_rank",
                                                       "rank",        "sample_ts_s", "seq",
                                                       "events_json", "world_size",  "window"};

typedef struct db_reader {
    stall_series *out;
    stall_error *reterr;
    sqlite3 *db;
    sqlite3_stmt *stmt;
    stall_traceml_place place;
    stall_traceml_run run;
    stall_text fixed; /* events with NaN and the like in quotes */
    uint32_t page_size;
    bool wal_mode;   /* the header says that a -wal belongs to it */
    bool cut;        /* the file is shorter than its header says */
    int64_t world;   /* largest number of ranks that a row names */
    uint64_t broken; /* rows whose events are no JSON */
} db_reader;

/* ---- errors ---- */

/* What SQLite refuses, before any row was read. */
static stall_status fail(db_reader *r, int code)
{
    return stall_traceml_db_error(r->db, code, r->reterr);
}

/* The same while rows are read: those that came before stay. */
static stall_status damage(db_reader *r, int code)
{
    if (r->run.len == 0 || ((code & 0xff) != SQLITE_CORRUPT && code != SQLITE_IOERR_SHORT_READ))
        return fail(r, code);
    return stall_warn_add(&r->out->warnings, r->cut ? STALL_WARN_truncated : STALL_WARN_events_lost,
                          1, STALL_OFFSET_NONE, r->reterr,
                          "the database is damaged behind row %zu (%s); later rows are lost",
                          r->run.len, sqlite3_errmsg(r->db));
}

static bool prepare(db_reader *r, const char *sql, int *ret)
{
    sqlite3_finalize(r->stmt);
    r->stmt = NULL;
    *ret = sqlite3_prepare_v2(r->db, sql, -1, &r->stmt, NULL);
    return *ret == SQLITE_OK;
}

/* ---- opening ---- */

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The header of the file, from its first bytes. */
static stall_status read_header(db_reader *r, stall_source *src)
{
    const unsigned char *head;
    size_t len;
    struct stat st;
    stall_status status = src->next(src->ctx, &head, &len, r->reterr);

    if (status != STALL_OK)
        return status;
    if (src->path == NULL) {
        stall_error_set(r->reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                        "this is an SQLite database that is compressed or comes through a pipe; "
                        "it can only be read from a file of its own");
        stall_error_hint(r->reterr,
                         "write it to a file first: `zstd -d FILE.zst`, `gunzip FILE.gz`, "
                         "or redirect the pipe into a file");
        return STALL_EFORMAT;
    }
    if (len < HEADER_LEN)
        return stall_error_set(r->reterr, STALL_EFORMAT, len,
                               "the database is cut short inside its header");
    r->page_size = (uint32_t)head[16] << 8 | head[17];
    if (r->page_size == 1)
        r->page_size = 65536;
    r->wal_mode = head[18] == 2 && head[19] == 2;
    if (memcmp(head + 24, head + 92, 4) == 0 && stat(src->path, &st) == 0)
        r->cut = (uint64_t)st.st_size < (uint64_t)big_endian(head + 28) * r->page_size;
    return STALL_OK;
}

/* ---- the table ---- */

/* Words for a database that is not one of TraceML with steps. `names` lists its tables. */
static stall_status other_database(db_reader *r, size_t tables, const char *names)
{
    static const char *const nsys[] = {"CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS", "TARGET_INFO_"};

    if (tables == 0 && r->wal_mode) {
        stall_error_set(r->reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                        "the database has no tables, and its -wal file, in which they are, is "
                        "missing or empty");
        stall_error_hint(r->reterr,
                         "copy the -wal along with it; or, where both lie, make one file "
                         "of a copy: sqlite3 copy 'PRAGMA wal_checkpoint(TRUNCATE)'");
        return STALL_ENODATA;
    }
    if (tables == 0)
        return stall_error_set(r->reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                               "an SQLite database without any table");
    for (size_t i = 0; i < sizeof(nsys) / sizeof(nsys[0]); i++)
        if (strstr(names, nsys[i]) != NULL)
            return stall_error_set(r->reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                                   "this is an Nsight Systems export, not a step log; its tables: "
                                   "%s",
                                   names);
    stall_error_set(r->reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                    "this is an SQLite database but none of TraceML with steps: it has no table "
                    "step_time_samples; its tables: %s",
                    names);
    if (strstr(names, "raw_messages") != NULL)
        stall_error_hint(r->reterr, "TraceML before 0.2.5 keeps its steps elsewhere: give the "
                                    "folder of the run, or its StepTimeTable.msgpack");
    return STALL_EFORMAT;
}

/* Adds the name of a table to a list of bounded length. */
static void list_table(stall_text *names, size_t at, const char *name)
{
    char shown[64];

    if (at == SHOWN_TABLES)
        stall_text_put(names, ", ...");
    if (at >= SHOWN_TABLES)
        return;
    stall_text_printable(shown, sizeof(shown), name, strlen(name));
    stall_text_printf(names, "%s%s", at > 0 ? ", " : "", shown);
}

/* Makes sure that step_time_samples is a table with pages of its own: no view, no virtual table. */
static stall_status check_table(db_reader *r)
{
    bool there = false, real = false;
    stall_status status = STALL_OK;
    stall_text names;
    size_t tables = 0;
    int code;

    stall_text_init(&names);
    if (!prepare(r, "SELECT type, name, rootpage FROM main.sqlite_schema", &code))
        return fail(r, code);
    while ((code = sqlite3_step(r->stmt)) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(r->stmt, 0);
        const char *name = (const char *)sqlite3_column_text(r->stmt, 1);

        if (type == NULL || name == NULL)
            continue;
        if (strcmp(name, "step_time_samples") == 0) {
            there = true;
            real |= strcmp(type, "table") == 0 && sqlite3_column_int64(r->stmt, 2) > 0;
        }
        if (strcmp(type, "table") == 0 && strncmp(name, "sqlite_", 7) != 0)
            list_table(&names, tables++, name);
    }
    if (code != SQLITE_DONE)
        status = fail(r, code);
    else if (names.failed)
        status = stall_error_memory(r->reterr);
    else if (!there)
        status = other_database(r, tables, names.data != NULL ? names.data : "");
    else if (!real)
        status = stall_error_set(r->reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                                 "step_time_samples is no plain table of this database (a view or "
                                 "a virtual table is never run)");
    stall_text_close(&names);
    return status;
}

/* Which of our columns the table has; their order differs between releases. */
static stall_status find_columns(db_reader *r, bool ret[COLUMN_COUNT])
{
    int code;

    memset(ret, 0, COLUMN_COUNT * sizeof(*ret));
    if (!prepare(r, "PRAGMA main.table_info(step_time_samples)", &code))
        return fail(r, code);
    while ((code = sqlite3_step(r->stmt)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(r->stmt, 1);

        for (size_t i = 0; name != NULL && i < COLUMN_COUNT; i++)
            ret[i] |= sqlite3_stricmp(name, column_names[i]) == 0;
    }
    if (code != SQLITE_DONE)
        return fail(r, code);
    if (ret[COLUMN_STEP] && ret[COLUMN_EVENTS])
        return STALL_OK;
    return stall_error_set(r->reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                           "the table step_time_samples has no column %s",
                           column_names[ret[COLUMN_STEP] ? COLUMN_EVENTS : COLUMN_STEP]);
}

/* The query: one value a column of ours, NULL where there is none. Without an order SQLite walks
 * the table by its row ids, which is the order of arrival, and holds one row at a time. */
static stall_status start_query(db_reader *r)
{
    bool have[COLUMN_COUNT];
    stall_status status = find_columns(r, have);
    char sql[512] = "SELECT";
    size_t len = strlen(sql);
    int code;

    if (status != STALL_OK)
        return status;
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        len += (size_t)snprintf(sql + len, sizeof(sql) - len, have[i] ? "%s \"%s\"" : "%s NULL",
                                i > 0 ? "," : "", column_names[i]);
    snprintf(sql + len, sizeof(sql) - len, " FROM main.step_time_samples NOT INDEXED");
    return prepare(r, sql, &code) ? STALL_OK : fail(r, code);
}

/* ---- rows ---- */

static stall_cell text_of(sqlite3_stmt *stmt, db_column c)
{
    const char *text = (const char *)sqlite3_column_text(stmt, c);
    int len = sqlite3_column_bytes(stmt, c);

    return (stall_cell){text != NULL ? text : "", text != NULL ? (size_t)len : 0};
}

/* A whole number. A table that came through a CSV file holds text. */
static int64_t whole(sqlite3_stmt *stmt, db_column c)
{
    int64_t v;
    double d;
    stall_cell text;

    switch (sqlite3_column_type(stmt, c)) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(stmt, c);
    case SQLITE_FLOAT:
        d = sqlite3_column_double(stmt, c);
        return fabs(d) < EXACT && d == floor(d) ? (int64_t)d : STALL_UNKNOWN;
    case SQLITE_TEXT:
        text = text_of(stmt, c);
        return stall_decimal_parse(text.text, text.len, 0, &v) ? v : STALL_UNKNOWN;
    default:
        return STALL_UNKNOWN;
    }
}

static void set_stamp(stall_traceml_row *row, sqlite3_stmt *stmt)
{
    stall_cell text;

    switch (sqlite3_column_type(stmt, COLUMN_STAMP)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        stall_traceml_row_stamp(row, sqlite3_column_double(stmt, COLUMN_STAMP));
        break;
    case SQLITE_TEXT:
        text = text_of(stmt, COLUMN_STAMP);
        if (!stall_decimal_parse(text.text, text.len, 9, &row->stamp_ns) || row->stamp_ns < 0)
            row->stamp_ns = STALL_UNKNOWN;
        break;
    default:
        break;
    }
}

/* The events of a row. A row without readable ones keeps its place: its times are unknown. */
static stall_status set_events(db_reader *r, stall_traceml_row *row)
{
    int type = sqlite3_column_type(r->stmt, COLUMN_EVENTS);
    stall_cell text = {"", 0}, object;

    if (type == SQLITE_BLOB) {
        text.text = sqlite3_column_blob(r->stmt, COLUMN_EVENTS);
        text.len = (size_t)sqlite3_column_bytes(r->stmt, COLUMN_EVENTS);
    } else if (type == SQLITE_TEXT) {
        text = text_of(r->stmt, COLUMN_EVENTS);
    }
    if (text.text == NULL)
        text = (stall_cell){"", 0};
    if (stall_json_row(text.text, text.len, &r->fixed, &object)) {
        stall_traceml_row_object(row, object.text, object.len);
        return STALL_OK;
    }
    if (r->fixed.failed)
        return stall_error_memory(r->reterr);
    row->fetched = true; /* it may have been: the row does not tell */
    r->broken++;
    return STALL_OK;
}

static stall_status take_row(db_reader *r)
{
    stall_traceml_row row;
    stall_status status;
    int64_t rank, world = whole(r->stmt, COLUMN_WORLD);

    stall_traceml_row_init(&row);
    row.id = whole(r->stmt, COLUMN_ID);
    row.step = whole(r->stmt, COLUMN_STEP);
    row.seq = whole(r->stmt, COLUMN_SEQ);
    rank = whole(r->stmt, COLUMN_GLOBAL_RANK);
    if (rank == STALL_UNKNOWN) /* older rows of a table that grew */
        rank = whole(r->stmt, COLUMN_RANK);
    row.rank = rank == STALL_UNKNOWN ? 0 : rank;
    row.window = sqlite3_column_type(r->stmt, COLUMN_WINDOW) != SQLITE_NULL;
    if (world > r->world)
        r->world = world;
    set_stamp(&row, r->stmt);
    status = set_events(r, &row);
    return status == STALL_OK ? stall_traceml_run_push(&r->run, &row, r->reterr) : status;
}

static stall_status take_rows(db_reader *r)
{
    stall_status status = start_query(r);
    int code = SQLITE_ROW;

    while (status == STALL_OK && (code = sqlite3_step(r->stmt)) == SQLITE_ROW)
        status = take_row(r);
    if (status == STALL_OK && code != SQLITE_DONE)
        status = damage(r, code);
    if (status == STALL_OK && r->broken > 0)
        status = stall_warn_add(&r->out->warnings, STALL_WARN_events_lost, r->broken,
                                STALL_OFFSET_NONE, r->reterr,
                                "rows whose events are no JSON: the waits in them are unknown");
    return status;
}

/* Says when the run had more ranks than there are rows of; the series is sorted by rank. */
static stall_status check_ranks(db_reader *r)
{
    const stall_series *s = r->out;
    int64_t ranks = 0;

    for (size_t i = 0; i < s->len; i++)
        ranks += i == 0 || s->rows[i].rank != s->rows[i - 1].rank;
    if (r->world <= ranks)
        return STALL_OK;
    return stall_warn_add(&r->out->warnings, STALL_WARN_missing_ranks, (uint64_t)(r->world - ranks),
                          STALL_OFFSET_NONE, r->reterr,
                          "the rows name %" PRId64 " ranks, and those of %" PRId64 " are here",
                          r->world, ranks);
}

static stall_status read_all(db_reader *r, stall_source *src, const stall_read_options *options)
{
    stall_warnings *w = &r->out->warnings;
    stall_status status = read_header(r, src);

    if (status == STALL_OK)
        status = stall_traceml_place_find(src->path, options->tmp_dir, r->page_size, w, &r->place,
                                          r->reterr);
    r->cut &= r->place.dir == NULL; /* pages may stand in the -wal alone */
    if (status == STALL_OK && r->cut)
        status = stall_warn_add(w, STALL_WARN_truncated, 1, STALL_OFFSET_NONE, r->reterr,
                                "the database is shorter than its header says: its end is missing");
    if (status == STALL_OK)
        status = stall_traceml_db_open(&r->place, r->cut, &r->db, r->reterr);
    if (status == STALL_OK)
        status = check_table(r);
    if (status == STALL_OK)
        status = take_rows(r);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&r->run, r->out, r->reterr);
    return status == STALL_OK ? check_ranks(r) : status;
}

static stall_status read_traceml(stall_source *src, const stall_read_options *options,
                                 stall_series *out, stall_error *reterr)
{
    db_reader r = {.out = out, .reterr = reterr};
    stall_status status;

    out->format = stall_reader_traceml.name;
    out->warnings.strict = options->strict;
    status = read_all(&r, src, options);
    sqlite3_finalize(r.stmt);
    sqlite3_close(r.db);
    stall_traceml_place_leave(&r.place);
    stall_traceml_run_close(&r.run);
    stall_text_close(&r.fixed);
    return status;
}

static int probe(const unsigned char *head, size_t len, bool whole_input)
{
    static const char magic[] = "SQLite format 3"; /* with the NUL at its end */

    (void)whole_input;
    return len >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0 ? 100 : 0;
}

const stall_reader stall_reader_traceml = {
    "traceml",
    "TraceML database of a run, not compressed: aggregator/telemetry",
    probe,
    read_traceml,
    STALL_INPUT_BINARY,
    false};
