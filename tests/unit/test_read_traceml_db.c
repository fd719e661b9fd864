/* TraceML databases: src/read/read_traceml_db.c with traceml_db_open.c and traceml_db_copy.c. The
 * samples are made by testdata/traceml/make.py. */
#include "table_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "stalldiff/input.h"

#define U STALL_UNKNOWN
#define DATA "testdata/traceml/"

static char top[256]; /* a folder of our own */

static const char *in_top(const char *name)
{
    static char buf[4][512];
    static unsigned next;
    char *p = buf[next++ % 4];

    snprintf(p, sizeof(buf[0]), "%s/%s", top, name);
    return p;
}

static size_t entries(const char *path)
{
    DIR *d = opendir(path);
    size_t n = 0;

    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void copy(const char *from, const char *to)
{
    static char buf[1 << 20];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    size_t n;

    assert_non_null(in);
    assert_non_null(out);
    n = fread(buf, 1, sizeof(buf), in);
    assert_int_equal(fwrite(buf, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static stall_status read_file(const char *path, bool strict, stall_series *s, stall_error *error)
{
    stall_read_options options = {.strict = strict, .tmp_dir = in_top("tmp")};
    stall_input *input = NULL;
    stall_status status;

    memset(error, 0, sizeof(*error));
    stall_series_init(s);
    status = stall_input_open(path, &input, error);
    if (status == STALL_OK)
        status = stall_read(stall_input_source(input), &options, s, error);
    stall_input_close(input);
    assert_int_equal(entries(in_top("tmp")), 0); /* whatever happened */
    return status;
}

static void read_sample(const char *path, stall_series *s)
{
    stall_error error;

    if (read_file(path, false, s, &error) != STALL_OK)
        fail_msg("%s: %s", path, error.text);
    assert_string_equal(s->format, "traceml");
}

static void refused(const char *path, stall_status want, const char *part)
{
    stall_series s;
    stall_error error;

    assert_int_equal(read_file(path, false, &s, &error), want);
    if (strstr(error.text, part) == NULL && strstr(error.hint, part) == NULL)
        fail_msg("%s (%s)\nwant in it: %s", error.text, error.hint, part);
    stall_series_close(&s);
}

/* The database and its export say the same. */
static void two_ranks(void **state)
{
    stall_series s, e;
    stall_error error;

    (void)state;
    read_sample(DATA "two_ranks.db", &s);
    assert_int_equal(read_file(DATA "export.jsonl", false, &e, &error), STALL_OK);
    assert_string_equal(e.format, "traceml-export");
    assert_int_equal(s.len, 48);
    assert_int_equal(e.len, 48);
    for (size_t i = 0; i < 48; i++) {
        assert_int_equal(s.rows[i].rank, i / 24);
        assert_int_equal(s.rows[i].step, i % 24 + 1);
        assert_int_equal(s.rows[i].epoch, U);
        assert_int_equal(s.rows[i].wait_ns, e.rows[i].wait_ns);
        assert_true(llabs(s.rows[i].step_ns - e.rows[i].step_ns) <= 240); /* stamps: 238 ns apart */
        assert_int_equal(s.rows[i].fetches, i % 24 == 12 ? 2 : 1);
        assert_true(counter(&s, "traced_step_ms")->values[i] == 6.5);
    }
    assert_int_equal(s.rows[0].wait_ns, 400 * MS);
    assert_int_equal(s.rows[0].step_ns, 406500 * MS / 1000);
    assert_true(llabs(s.rows[1].step_ns - 10015625) <= 240);
    assert_int_equal(s.rows[24].wait_ns, 400250 * MS / 1000);
    assert_int_equal(warned(&s, STALL_WARN_several_fetches), 2);
    assert_int_equal(s.warnings.len, 1);
    assert_false(s.warnings.partial);
    stall_series_close(&s);
    stall_series_close(&e);
}

static void older(void **state)
{
    stall_series s;

    (void)state;
    read_sample(DATA "older_aborted.db", &s);
    assert_int_equal(s.len, 20);
    assert_int_equal(s.rows[19].wait_ns, 1796875);
    assert_int_equal(warned(&s, STALL_WARN_aborted_step), 1);
    stall_series_close(&s);
    read_sample(DATA "two_launches.db", &s);
    assert_int_equal(s.len, 32);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(s.rows[i].epoch, i / 16);
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 1);
    assert_int_equal(warned(&s, STALL_WARN_aborted_step), 0);
    stall_series_close(&s);
}

/* A killed run is in its -wal; neither is touched, whatever their path is called. */
static void killed(void **state)
{
    static const char *const names[] = {"plain", "a?b#c%41 &mode=rw;", "\xff\"'\n"};
    stall_series s;
    struct stat before, after;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char db[600], wal[608], link[600];

        assert_int_equal(mkdir(in_top(names[i]), 0700), 0);
        snprintf(db, sizeof(db), "%s/telemetry", in_top(names[i]));
        snprintf(wal, sizeof(wal), "%s-wal", db);
        copy(DATA "killed/telemetry", db);
        copy(DATA "killed/telemetry-wal", wal);
        assert_int_equal(stat(wal, &before), 0);
        read_sample(db, &s);
        assert_int_equal(s.len, 12);
        assert_int_equal(s.warnings.len, 0);
        stall_series_close(&s);
        assert_int_equal(stat(wal, &after), 0);
        assert_true(before.st_size == after.st_size && before.st_mtime == after.st_mtime);
        assert_int_equal(entries(in_top(names[i])), 2);
        snprintf(link, sizeof(link), "%s/link", top);
        assert_int_equal(symlink(db, link), 0); /* the -wal lies beside the file, not the link */
        read_sample(link, &s);
        assert_int_equal(s.len, 12);
        stall_series_close(&s);
        unlink(link);
        unlink(db);
        unlink(wal);
        rmdir(in_top(names[i]));
    }
}

/* Without a -wal nothing is made beside the database either. */
static void untouched(void **state)
{
    const char *dir = in_top("alone");
    char db[600];
    stall_series s;

    (void)state;
    assert_int_equal(mkdir(dir, 0700), 0);
    snprintf(db, sizeof(db), "%s/x", dir);
    copy(DATA "two_ranks.db", db);
    read_sample(db, &s);
    stall_series_close(&s);
    assert_int_equal(entries(dir), 1);
    unlink(db);
    rmdir(dir);
}

static void bad_wal(void **state)
{
    char db[600], wal[608];
    stall_series s;
    stall_error error;
    FILE *f;

    (void)state;
    snprintf(db, sizeof(db), "%s", in_top("db"));
    snprintf(wal, sizeof(wal), "%s-wal", db);
    copy(DATA "killed/telemetry", db);
    copy(DATA "killed/telemetry-wal", wal);
    assert_int_equal(truncate(wal, 12608 - 500), 0); /* the last transaction is lost: all rows */
    refused(db, STALL_ENODATA, "no row");
    copy(DATA "two_ranks.db", db);
    f = fopen(wal, "wb");
    assert_non_null(f);
    for (int i = 0; i < 100; i++)
        fputs("no wal at all ", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(read_file(db, false, &s, &error), STALL_OK);
    assert_int_equal(s.len, 48);
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 1);
    assert_true(s.warnings.partial);
    stall_series_close(&s);
    assert_int_equal(read_file(db, true, &s, &error), STALL_EFORMAT);
    stall_series_close(&s);
    unlink(wal);
    assert_int_equal(mkdir(wal, 0700), 0); /* a folder of that name is no -wal */
    read_sample(db, &s);
    stall_series_close(&s);
    rmdir(wal);
    unlink(db);
}

static void no_temporary(void **state)
{
    stall_read_options options = {.tmp_dir = in_top("absent")};
    stall_input *input = NULL;
    stall_series s;
    stall_error error;

    (void)state;
    stall_series_init(&s);
    assert_int_equal(stall_input_open(DATA "killed/telemetry", &input, &error), STALL_OK);
    assert_int_equal(stall_read(stall_input_source(input), &options, &s, &error), STALL_EREAD);
    assert_non_null(strstr(error.hint, "TMPDIR"));
    stall_input_close(input);
    stall_series_close(&s);
}

/* n_: nothing can be read; y_: some rows, and the run is PARTIAL, an error when strict. */
static void bad(void **state)
{
    DIR *d = opendir(DATA "bad");
    stall_series s;
    stall_error error;
    char path[512];
    int seen = 0;

    (void)state;
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        bool some = e->d_name[0] == 'y';

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), DATA "bad/%s", e->d_name);
        if ((read_file(path, false, &s, &error) == STALL_OK) != some)
            fail_msg("%s: %s", path, error.text);
        assert_true(s.warnings.partial || !some);
        stall_series_close(&s);
        assert_int_not_equal(read_file(path, true, &s, &error), STALL_OK);
        stall_series_close(&s);
        seen++;
    }
    closedir(d);
    assert_true(seen >= 10);
    refused(DATA "bad/n_other.db", STALL_EFORMAT, "people, pets");
    refused(DATA "bad/n_without_wal.db", STALL_ENODATA, "wal_checkpoint(TRUNCATE)");
    refused(DATA "bad/n_view.db", STALL_EFORMAT, "view");
}

static void types(void **state)
{
    stall_series s;

    (void)state;
    read_sample(DATA "bad/y_types.db", &s);
    assert_int_equal(s.len, 6);
    assert_int_equal(s.rows[1].wait_ns, 1515625); /* text in a blob */
    assert_int_equal(s.rows[2].wait_ns, U);
    assert_int_equal(s.rows[4].step_ns, 406562500); /* its time stamp is none */
    assert_int_equal(s.rows[5].step, INT64_MAX);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 2);
    stall_series_close(&s);
}

/* Makes a database from SQL and reads it. */
static stall_status read_sql(const char *sql, stall_series *s, stall_error *error)
{
    const char *path = in_top("made");
    sqlite3 *db;
    char *text = NULL;
    stall_status status;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &text) != SQLITE_OK)
        fail_msg("%s: %s", sql, text);
    sqlite3_close(db);
    status = read_file(path, false, s, error);
    unlink(path);
    return status;
}

#define EV(ms) "'{\"_traceml_internal:dataloader_next\":{\"cpu\":{\"cpu_ms\":" ms "}}}'"

static void tables(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    /* Other order of columns, no id, text from a CSV file, a rank only in the older column. */
    assert_int_equal(
        read_sql("CREATE TABLE step_time_samples (events_json, Step, global_rank, rank,"
                 " sample_ts_s, world_size);"
                 "INSERT INTO step_time_samples VALUES (" EV(
                     "2") ",'2',NULL,1,'3.5',3),"
                          "(" EV("1") ",1,NULL,NULL,1.25,3),(" EV("3") ",3.0,1,0,'4.5',3)",
                 &s, &error),
        STALL_OK);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[0].rank, 0);
    assert_int_equal(s.rows[0].wait_ns, MS);
    assert_int_equal(s.rows[1].rank, 1);
    assert_int_equal(s.rows[2].step_ns, 1000 * MS);
    assert_int_equal(warned(&s, STALL_WARN_missing_ranks), 1);
    stall_series_close(&s);
    /* Ids tell the order of arrival, not the rows. */
    assert_int_equal(read_sql("CREATE TABLE step_time_samples (id, step, events_json);"
                              "INSERT INTO step_time_samples VALUES (3, 3, " EV(
                                  "3") "),"
                                       "(1, 1, " EV("1") "), (2, 2, " EV("2") ")",
                              &s, &error),
                     STALL_OK);
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 0);
    assert_int_equal(s.rows[2].wait_ns, 3 * MS);
    stall_series_close(&s);
    /* Nothing that a schema computes is read. */
    assert_int_equal(read_sql("CREATE TABLE step_time_samples (step, x,"
                              " events_json AS (hex(zeroblob(x))));"
                              "INSERT INTO step_time_samples VALUES (1, 100000000)",
                              &s, &error),
                     STALL_EFORMAT);
    stall_series_close(&s);
    assert_int_equal(
        read_sql("CREATE VIRTUAL TABLE step_time_samples USING fts5(step, events_json)", &s,
                 &error),
        STALL_EFORMAT);
    stall_series_close(&s);
    assert_int_equal(read_sql("CREATE TABLE step_time_samples (step, events_json);"
                              "INSERT INTO step_time_samples VALUES (1, zeroblob(20000000))",
                              &s, &error),
                     STALL_ELIMIT);
    stall_series_close(&s);
}

static void not_a_file(void **state)
{
    static char head[2000] = "SQLite format 3";
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(read_bytes(head, sizeof(head), 100, false, NULL, &s, &error), STALL_EFORMAT);
    assert_non_null(strstr(error.hint, "zstd -d"));
    stall_series_close(&s);
}

static void no_memory(void **state)
{
    static const char *const paths[] = {DATA "two_ranks.db", DATA "killed/telemetry"};
    stall_series s;
    stall_error error;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        stall_status status = STALL_ENOMEM;

        for (uint64_t n = 1; status == STALL_ENOMEM; n++) {
            stall_mem_fail_at(n);
            status = read_file(paths[i], false, &s, &error);
            stall_mem_fail_at(0);
            stall_series_close(&s);
            assert_true(n < 1000);
        }
        assert_int_equal(status, STALL_OK);
    }
}

static int make_top(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    snprintf(top, sizeof(top), "%s/stalldiff-test-XXXXXX", tmp != NULL ? tmp : "/tmp");
    return mkdtemp(top) == NULL || mkdir(in_top("tmp"), 0700) != 0;
}

static int remove_top(void **state)
{
    (void)state;
    rmdir(in_top("tmp"));
    return rmdir(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ranks),  cmocka_unit_test(older),     cmocka_unit_test(killed),
        cmocka_unit_test(untouched),  cmocka_unit_test(bad_wal),   cmocka_unit_test(no_temporary),
        cmocka_unit_test(bad),        cmocka_unit_test(types),     cmocka_unit_test(tables),
        cmocka_unit_test(not_a_file), cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, make_top, remove_top);
}
