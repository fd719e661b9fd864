/* A run given as a folder: src/read/read_folder.c, folder_list.c, folder_files.c, folder_merge.c,
 * traceml_folder.c. Files are made below a new folder and opened as they lie. */
#include "step_file_support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "read/folder.h"

#define LEGACY "testdata/traceml/legacy/data/rank_0/TimeSampler/_traceml_internal:"

static char root[64];
static size_t open_files;

typedef struct plain {
    stall_source source;
    memory m;
    char *data, *path;
} plain;

static stall_status plain_open(void *ctx, const char *path, stall_source **ret, stall_error *reterr)
{
    plain *p = calloc(1, sizeof(*p));
    size_t len;

    (void)ctx;
    assert_non_null(p);
    p->data = read_file(path, &len);
    p->path = strdup(path);
    if (len == 0) { /* as the transport does */
        free(p->data);
        free(p->path);
        free(p);
        return stall_error_set(reterr, STALL_EFORMAT, 0, "the file is empty");
    }
    p->m = (memory){p->data, len, 0, 4096, false, NULL};
    p->source = (stall_source){&p->m, memory_next, memory_finish, p->path, p->path};
    *ret = &p->source;
    open_files++;
    return STALL_OK;
}

static void plain_close(void *ctx, stall_source *source)
{
    plain *p = (plain *)source;

    (void)ctx;
    free(p->m.copy);
    free(p->data);
    free(p->path);
    free(p);
    open_files--;
}

static const stall_opener opener = {NULL, plain_open, plain_close};

/* ---- folders ---- */

static const char *at(const char *name)
{
    static char path[4][512];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", root, name);
    return path[turn];
}

static void put(const char *name, const void *data, size_t len)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof(path), "%s", at(name));
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
        *p = '\0';
        mkdir(path, 0777);
    }
    f = fopen(path, "wb");
    assert_non_null(f);
    fwrite(data, 1, len, f);
    fclose(f);
}

static void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static void copy(const char *from, const char *name)
{
    size_t len;
    char *data = read_file(from, &len);

    put(name, data, len);
    free(data);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(root, "/tmp/test_read_folder.XXXXXX");
    return mkdtemp(root) == NULL;
}

static int tear_down(void **state)
{
    char command[128];

    (void)state;
    assert_int_equal(open_files, 0);
    snprintf(command, sizeof(command), "rm -r '%s'", root);
    return system(command);
}

static stall_status read_as(const char *path, const stall_read_options *options, stall_series *s,
                            stall_error *error)
{
    stall_series_init(s);
    memset(error, 0, sizeof(*error));
    return stall_read_folder(path, &opener, options, s, error);
}

static void read_ok(const char *path, stall_series *s)
{
    stall_error error;
    stall_status status = read_as(path, NULL, s, &error);

    if (status != STALL_OK)
        print_error("%s: %s\n", error.source, error.text);
    assert_int_equal(status, STALL_OK);
}

static void read_fails(const char *path, stall_status want, const char *text)
{
    stall_series s;
    stall_error error;

    assert_int_equal(read_as(path, NULL, &s, &error), want);
    if (strstr(error.text, text) == NULL)
        print_error("%s\n", error.text);
    assert_non_null(strstr(error.text, text));
    stall_series_close(&s);
}

static uint64_t count(const stall_series *s, stall_warn_code code)
{
    const stall_warning *w = stall_warn_find(&s->warnings, code);

    return w != NULL ? w->count : 0;
}

/* ---- listing ---- */

/* The list is sorted and bounded; links to folders, loops among them, and sidecars are left out. */
static void listing(void **state)
{
    static const char *const want[] = {"a/1.csv", "a/b/2.csv", "c.csv", "link.csv"};
    stall_dir d = {0};
    stall_error error;

    (void)state;
    put_text("c.csv", "x");
    put_text("a/b/2.csv", "x");
    put_text("a/1.csv", "x");
    put_text("a/1.csv.meta.json", "{}");
    put_text("run.meta.json", "{}");
    put_text(".hidden/3.csv", "x");
    assert_int_equal(symlink("..", at("a/loop")), 0);
    assert_int_equal(symlink("/tmp", at("away")), 0);
    assert_int_equal(symlink("c.csv", at("link.csv")), 0);
    assert_int_equal(symlink("nothing", at("dangling.csv")), 0);
    assert_int_equal(mkfifo(at("pipe.csv"), 0600), 0);
    assert_int_equal(stall_dir_list(at("/"), &d, &error), STALL_OK);
    assert_int_equal(d.len, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(d.files[i].name, want[i]);
    assert_non_null(stall_dir_find(&d, "a/b/2.csv"));
    stall_dir_close(&d);
    assert_int_equal(stall_dir_list(at("none"), &d, &error), STALL_EREAD);
    assert_string_equal(error.text, "No such file or directory");
    stall_dir_close(&d);
}

static void depth(void **state)
{
    char path[256] = "";
    stall_dir d = {0};
    stall_error error;

    (void)state;
    for (unsigned i = 0; i < STALL_DIR_DEPTH_MAX + 3; i++) {
        snprintf(path + strlen(path), 16, "d/");
        char file[300];
        snprintf(file, sizeof(file), "%sf", path);
        put_text(file, "x");
    }
    assert_int_equal(stall_dir_list(root, &d, &error), STALL_OK);
    assert_int_equal(d.len, STALL_DIR_DEPTH_MAX);
    stall_dir_close(&d);
}

static void ranks_of_paths(void **state)
{
    static const struct {
        const char *path;
        int64_t rank;
    } cases[] = {{"a/rank_3/data/x.msgpack", 3},
                 {"rank_1/rank_2/x", 2},
                 {"rank_1/x_rank7.csv", 7},
                 {"x.rank-12.csv", 12},
                 {"x", STALL_UNKNOWN},
                 {"rank/x", STALL_UNKNOWN},
                 {"frank_1/x", STALL_UNKNOWN},
                 {"rank_1_rank_5", 5},
                 {"", STALL_UNKNOWN},
                 {"rank_99999999999999999999", STALL_UNKNOWN}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(stall_path_rank(cases[i].path), cases[i].rank);
    assert_int_equal(stall_path_rank(NULL), STALL_UNKNOWN);
}

/* ---- TraceML ---- */

/* The step files of both ranks are one run, whatever session folder they lie in. */
static void sessions(void **state)
{
    stall_series s;

    (void)state;
    read_ok("testdata/traceml/msgpack", &s);
    assert_string_equal(s.format, "traceml-msgpack");
    assert_int_equal(s.len, 48);
    assert_int_equal(s.rows[0].rank, 0);
    assert_int_equal(s.rows[24].rank, 1);
    assert_int_equal(s.rows[24].wait_ns, INT64_C(19031500000));
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);
}

/* Step files win over the legacy ones, those over exports, and all over logs of the script. */
static void order_of_attack(void **state)
{
    stall_series s;

    (void)state;
    put_text("loop.csv", "step,wait_ms\n1,1\n2,2\n");
    read_ok(root, &s);
    assert_string_equal(s.format, "csv");
    stall_series_close(&s);
    put_text("x/steps.rank_1.jsonl",
             "{\"step\": 1, \"rank\": 1, \"ts\": 1, \"events\": {\"" STALL_TRACEML_WAIT
             "\": {\"cpu\": {\"cpu_ms\": 5, \"n_calls\": 1}}}}\n");
    read_ok(root, &s);
    assert_string_equal(s.format, "traceml-export");
    assert_int_equal(s.len, 1);
    stall_series_close(&s);
    copy(LEGACY "dataloader_next.jsonl",
         "data/TimeSampler/_traceml_internal:dataloader_next.jsonl");
    read_ok(root, &s);
    assert_string_equal(s.format, "traceml-legacy");
    assert_int_equal(s.rows[1].step_ns, STALL_UNKNOWN);
    stall_series_close(&s);
    copy(LEGACY "step_time.jsonl", "data/TimeSampler/_traceml_internal:step_time.jsonl");
    read_ok(root, &s);
    assert_true(s.rows[1].step_ns > 0);
    stall_series_close(&s);
    copy(STEP_TABLE, "any.msgpack");
    read_ok(root, &s);
    assert_string_equal(s.format, "traceml-msgpack");
    assert_int_equal(s.len, 24);
    stall_series_close(&s);
    put_text("telemetry", "no database at all\n");
    read_ok(root, &s);
    assert_string_equal(s.format, "traceml-msgpack");
    assert_true(s.warnings.partial);
    assert_int_equal(count(&s, STALL_WARN_events_lost), 1);
    stall_series_close(&s);
    put_text("telemetry-wal", "it holds what the database lacks");
    read_fails(root, STALL_EFORMAT, "unknown format");
}

/* A forced format rules the others out. */
static void forced(void **state)
{
    const stall_read_options legacy = {.format = "traceml-legacy"}, csv = {.format = "csv"};
    stall_series s;
    stall_error error;

    (void)state;
    copy(STEP_TABLE, "any.msgpack");
    copy(LEGACY "dataloader_next.jsonl", "_traceml_internal:dataloader_next.jsonl");
    put_text("loop.csv", "step,wait_ms\n1,1\n2,2\n");
    assert_int_equal(read_as(root, &legacy, &s, &error), STALL_OK);
    assert_string_equal(s.format, "traceml-legacy");
    stall_series_close(&s);
    assert_int_equal(read_as(root, &csv, &s, &error), STALL_OK);
    assert_int_equal(s.len, 2);
    stall_series_close(&s);
}

/* The same rank in two session folders: launches in the order of time; rank 1 is missing. */
static void same_rank(void **state)
{
    stall_series s;
    size_t len;
    char *data = read_file(STEP_TABLE, &len);

    (void)state;
    put("b_first/rank_0/StepTimeSampler/StepTimeTable.msgpack", data, len / 2 + 5);
    for (size_t i = 0; i + 11 < len; i++) /* the second launch starts a second later */
        if (memcmp(data + i, "\xa9timestamp\xcb", 11) == 0)
            data[i + 11 + 4] = (char)(data[i + 11 + 4] + 1);
    put("a_second/rank_0/StepTimeSampler/StepTimeTable.msgpack", data, len);
    copy(STEP_TABLE, "c/rank_2/StepTimeSampler/StepTimeTable.msgpack");
    read_ok(root, &s);
    assert_int_equal(count(&s, STALL_WARN_duplicate_rank), 1);
    assert_int_equal(count(&s, STALL_WARN_missing_ranks), 1);
    assert_int_equal(count(&s, STALL_WARN_several_launches), 1);
    assert_int_equal(count(&s, STALL_WARN_truncated), 1);
    assert_non_null(strstr(stall_warn_find(&s.warnings, STALL_WARN_truncated)->text, "b_first/"));
    assert_int_equal(s.rows[0].epoch, 0);
    assert_int_equal(s.rows[11].epoch, 0);
    assert_int_equal(s.rows[s.len - 1].rank, 2);
    assert_int_equal(s.rows[12].epoch, 1);
    stall_series_close(&s);
    free(data);
}

/* Folders of several runs, damaged files, folders of nothing. */
static void refused(void **state)
{
    (void)state;
    read_fails(root, STALL_ENODATA, "no file in this folder");
    put_text("a.txt", "hello\n");
    read_fails(root, STALL_ENODATA,
               "nothing in this folder is a trace or a step log; found: a.txt");
    put_text("final_summary.json",
             "{\"schema_version\": 1.7, \"step_time\": {\"global\": {\"average\": {}}}}");
    read_fails(root, STALL_ENODATA, "summary of a TraceML run");
    put_text("x/telemetry", "x");
    put_text("y/telemetry", "y");
    read_fails(root, STALL_ENODATA, "several TraceML runs: x/telemetry, y/telemetry");
    put_text("aggregator/telemetry", "z");
    read_fails(root, STALL_EFORMAT, "");
    put("x/rank_0/StepTimeSampler/StepTimeTable.msgpack", "\0\0\0\1\xc1", 5);
    read_fails(root, STALL_EFORMAT, "no record of it can be read");
}

/* ---- logs ---- */

/* Logs that differ by rank are one run; a rank column wins; double and missing ranks are said. */
static void rank_logs(void **state)
{
    static const int32_t ranks[] = {0, 0, 7, 2, 2, 2, 2};
    static const int64_t epochs[] = {STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN, 0, 0, 1, 1};
    static const int64_t waits[] = {3, 4, 5, 6, 7, 8, 9};
    stall_series s;

    (void)state;
    put_text("w_rank0.csv", "step,wait_ms,queue\n1,3,2\n2,4,1\n");
    put_text("w_rank1.csv", "rank,step,wait_ms\n7,1,5\n");
    put_text("w_rank2.csv", "step,wait_ms\n1,6\n2,7\n");
    put_text("z/rank_2.jsonl", "{\"step\": 1, \"wait_ms\": 8}\n{\"step\": 2, \"wait_ms\": 9}\n");
    put_text("notes.csv", "a,b\n1,2\n");
    read_ok(root, &s);
    assert_int_equal(s.len, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(s.rows[i].rank, ranks[i]);
        assert_int_equal(s.rows[i].epoch, epochs[i]);
        assert_int_equal(s.rows[i].wait_ns, waits[i] * 1000000);
    }
    assert_float_equal(s.counters[0].values[1], 1, 0);
    assert_true(isnan(s.counters[0].values[6]));
    assert_int_equal(count(&s, STALL_WARN_duplicate_rank), 1);
    assert_int_equal(count(&s, STALL_WARN_missing_ranks), 5); /* 1, 3 .. 6 */
    stall_series_close(&s);
    put_text("w_rank3.csv", "step,loss\n1,6\n2,7\n");
    read_fails(root, STALL_ENODATA, "no column of input waits"); /* a rank is not left out */
}

static void single_log(void **state)
{
    stall_series s;

    (void)state;
    put_text("x/log.csv", "step,wait_ms\n1,3\n2,4\n");
    put_text("x/broken.csv", "step,loss\n1,3\n2,4\n");
    read_ok(root, &s);
    assert_int_equal(s.len, 2);
    stall_series_close(&s);
    put_text("x/other.csv", "step,wait_ms\n1,3\n2,4\n");
    read_fails(root, STALL_ENODATA, "several runs, such as x/log.csv and x/other.csv");
}

/* Every allocation may fail, and no file stays open. */
static void no_memory(void **state)
{
    static const char *const folders[] = {"testdata/traceml/msgpack", "testdata/traceml/legacy",
                                          root};
    stall_status status;
    stall_series s;
    stall_error error;
    uint64_t n;

    (void)state;
    put_text("w_rank0.csv", "step,wait_ms,queue\n1,3,2\n2,4,1\n");
    put_text("w_rank1.csv", "rank,step,wait_ms\n7,1,5\n");
    for (size_t i = 0; i < 3; i++) {
        n = 0;
        do {
            stall_mem_fail_at(++n);
            status = read_as(folders[i], NULL, &s, &error);
            stall_mem_fail_at(0);
            assert_true(status == STALL_OK || status == STALL_ENOMEM);
            assert_int_equal(open_files, 0);
            stall_series_close(&s);
        } while (status != STALL_OK);
        assert_true(n > 10);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(listing),         CASE(depth),      CASE(ranks_of_paths), CASE(sessions),
        CASE(order_of_attack), CASE(forced),     CASE(refused),        CASE(same_rank),
        CASE(rank_logs),       CASE(single_log), CASE(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
