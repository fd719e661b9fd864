/* Opening a database that strangers made.
 *
 * Enters: where it lies. Leaves: an open SQLite handle in which nothing of the file can run, with
 * bounded values, inside one read transaction. It must not know the tables. */
#include <sqlite3.h>

#include "read/traceml.h"

#define CELL_MAX (16 << 20)  /* bytes of one value; STALL_ELIMIT */
#define SCHEMA_MAX (1 << 20) /* bytes of one CREATE statement */

stall_status stall_traceml_db_error(sqlite3 *db, int code, stall_error *reterr)
{
    const char *text = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    int base = code & 0xff;

    if (base == SQLITE_NOMEM)
        return stall_error_memory(reterr);
    if (base == SQLITE_TOOBIG)
        return stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                               "a value of the database is longer than %d MiB", CELL_MAX >> 20);
    if (base == SQLITE_CANTOPEN || base == SQLITE_PERM || base == SQLITE_BUSY ||
        (base == SQLITE_IOERR && code != SQLITE_IOERR_SHORT_READ))
        return stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE,
                               "SQLite cannot read the database: %s", text);
    stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                    "the database is damaged (%s), and no row can be read", text);
    stall_error_hint(reterr, "copy it again with its -wal; or `sqlite3 FILE .recover` on a copy, "
                             "and give the database made from that");
    return STALL_EFORMAT;
}

static void set_limits(sqlite3 *db)
{
    static const struct {
        int limit, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, CELL_MAX},    {SQLITE_LIMIT_SQL_LENGTH, SCHEMA_MAX},
                  {SQLITE_LIMIT_COLUMN, 1000},        {SQLITE_LIMIT_EXPR_DEPTH, 100},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 10}, {SQLITE_LIMIT_VDBE_OP, 25000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 10},    {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 10}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},    {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
                    {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0}};

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        sqlite3_limit(db, limits[i].limit, limits[i].value);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        sqlite3_db_config(db, settings[i].option, settings[i].value, (int *)NULL);
}

static int settle(sqlite3 *db, bool copy, bool cut)
{
    static const char settings[] =
        "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY";
    static const char start[] =
        "PRAGMA query_only=ON; BEGIN; SELECT count(*) FROM main.sqlite_schema";
    int code = sqlite3_exec(db, settings, NULL, NULL, NULL);

    if (code == SQLITE_OK && cut) { /* the pages that are there can be read only in this mode */
        sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)NULL);
        code = sqlite3_exec(db, "PRAGMA writable_schema=ON", NULL, NULL, NULL);
    }
    if (code == SQLITE_OK && copy) /* ours alone: SQLite then needs no -shm */
        code = sqlite3_exec(db, "PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL);
    return code == SQLITE_OK ? sqlite3_exec(db, start, NULL, NULL, NULL) : code;
}

stall_status stall_traceml_db_open(stall_traceml_place *place, bool cut, sqlite3 **ret,
                                   stall_error *reterr)
{
    bool copy = place->dir != NULL;
    int flags = (copy ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_URI |
                SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    int code = sqlite3_open_v2(place->uri, ret, flags, NULL);

    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(*ret, 1);
        set_limits(*ret);
        code = settle(*ret, copy, cut);
    }
    if (code != SQLITE_OK)
        return stall_traceml_db_error(*ret, code, reterr);
    stall_traceml_place_leave(place); /* what is open stays */
    return STALL_OK;
}
