/* Several traces as one run: cycles of a rank, ranks of a job, and files that are of no use. Steps
 * are shown as rRANK.eEPOCH.LABEL:wait in microseconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/read.h"

#define STEP_US 100

typedef struct file {
    const char *name;
    char text[8192];
    bool given; /* the only chunk is out */
    stall_source source;
} file;

static file files[4];
static size_t files_len;
static char shown[2048];
static stall_error error;

static stall_status next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                         stall_error *reterr)
{
    file *f = ctx;

    (void)reterr;
    *ret_data = (const unsigned char *)f->text;
    *ret_len = f->given ? 0 : strlen(f->text);
    f->given = true;
    return STALL_OK;
}

static stall_status open_file(void *ctx, const char *path, stall_source **ret, stall_error *reterr)
{
    (void)ctx;
    for (size_t i = 0; i < files_len; i++)
        if (strcmp(files[i].name, path) == 0) {
            files[i].given = false;
            files[i].source = (stall_source){&files[i], next, NULL, path, NULL};
            *ret = &files[i].source;
            return STALL_OK;
        }
    return stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "no such file");
}

static void close_file(void *ctx, stall_source *source)
{
    (void)ctx;
    (void)source;
}

static void put(file *f, const char *fmt, ...)
{
    va_list ap;
    size_t n = strlen(f->text);

    va_start(ap, fmt);
    vsnprintf(f->text + n, sizeof f->text - n, fmt, ap);
    va_end(ap);
}

/* A trace whose steps first .. last wait `wait` us each and then work; the last one only fetches
 * when `exhausted`. */
static file *trace(const char *name, const char *head, int first, int last, int wait,
                   bool exhausted)
{
    static const char next_name[] = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    file *f = &files[files_len++];

    *f = (file){.name = name};
    put(f, "{%s\"traceEvents\": [", head);
    for (int i = first; i <= last; i++) {
        int at = 1000 + i * STEP_US;

        put(f,
            "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,"
            "\"tid\":1,\"ts\":%d,\"dur\":%d}",
            i > first ? "," : "", i, at, STEP_US - 1);
        put(f,
            ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"%s\",\"pid\":1,\"tid\":1,"
            "\"ts\":%d,\"dur\":%d}",
            next_name, at + 1, wait);
        if (!exhausted || i < last)
            put(f,
                ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,"
                "\"ts\":%d,\"dur\":10}",
                at + 80);
    }
    put(f, "]}");
    return f;
}

static void show(const stall_series *s)
{
    char *to = shown;

    for (size_t i = 0; i < s->len; i++) {
        const stall_row *r = &s->rows[i];

        to += sprintf(to, "%sr%d.", i > 0 ? " " : "", (int)r->rank);
        if (r->epoch != STALL_UNKNOWN)
            to += sprintf(to, "e%d.", (int)r->epoch);
        to += sprintf(to, "%d:%d", (int)r->step, (int)(r->wait_ns / 1000));
    }
    for (size_t i = 0; i < s->warnings.len; i++)
        to += sprintf(to, " %s*%u", stall_warn_name(s->warnings.items[i].code),
                      (unsigned)s->warnings.items[i].count);
    if (s->warnings.partial)
        sprintf(to, " PARTIAL");
}

static const char *read_all(stall_series *s, bool strict)
{
    stall_opener opener = {NULL, open_file, close_file};
    stall_read_options options = {.strict = strict};
    const char *paths[4];

    for (size_t i = 0; i < files_len; i++)
        paths[i] = files[i].name;
    memset(&error, 0, sizeof error);
    shown[0] = '\0';
    stall_series_init(s);
    if (stall_chrome_files(paths, files_len, &opener, &options, s, &error) == STALL_OK)
        show(s);
    else
        sprintf(shown, "error %d: %.200s", (int)error.status, error.text);
    files_len = 0;
    return shown;
}

static void expect(const char *want)
{
    stall_series s;

    assert_string_equal(read_all(&s, false), want);
    stall_series_close(&s);
}

static void test_cycles(void **state)
{
    (void)state;
    trace("b.json", "", 4, 5, 20, false); /* in order of time, not of names */
    trace("c.json", "", 0, 1, 10, false);
    expect("r0.0:10 r0.1:10 r0.4:20 r0.5:20 missing_steps*2");
    trace("a.json", "\"baseTimeNanoseconds\": 5,", 0, 1, 10, false);
    trace("b.json", "\"baseTimeNanoseconds\": 900000000,", 0, 1, 20, false); /* begins anew */
    expect("r0.e0.0:10 r0.e0.1:10 r0.e1.0:20 r0.e1.1:20");
}

static void test_end_of_data(void **state)
{
    (void)state;
    trace("a.json", "", 0, 2, 10, false);
    trace("b.json", "", 3, 3, 50, true); /* only the fetch that found no more data */
    expect("r0.0:10 r0.1:10 r0.2:10 end_of_data*1");
    trace("a.json", "", 0, 2, 10, true); /* the last fetch of a file is not the last of the run */
    trace("b.json", "", 3, 4, 50, false);
    expect("r0.0:10 r0.1:10 r0.2:10 r0.3:50 r0.4:50");
}

static void test_ranks(void **state)
{
    stall_series s;

    (void)state;
    trace("worker1_7.json", "\"distributedInfo\": {\"rank\": 1, \"world_size\": 4},", 0, 1, 30,
          false);
    trace("worker0_7.json", "\"distributedInfo\": {\"rank\": 0, \"world_size\": 4},", 0, 1, 10,
          false);
    assert_string_equal(read_all(&s, false), "r0.0:10 r0.1:10 r1.0:30 r1.1:30 missing_ranks*2");
    assert_null(stall_series_meta(&s, "rank"));
    assert_string_equal(stall_series_meta(&s, "world_size"), "4");
    stall_series_close(&s);
    trace("x_rank-1.json", "\"baseTimeNanoseconds\": 7,", 0, 1, 30, false);
    trace("x_rank-0.json", "\"baseTimeNanoseconds\": 8,", 0, 1, 10, false);
    expect("r0.0:10 r0.1:10 r1.0:30 r1.1:30 time_bases_differ*1");
    trace("rank0_a.json", "", 0, 1, 30, false);
    trace("rank0_b.json", "", 0, 1, 10, false);
    expect("r0.e0.0:30 r0.e0.1:30 r0.e1.0:10 r0.e1.1:10 duplicate_rank*1");
}

static void test_damage(void **state)
{
    stall_series s;

    (void)state;
    trace("a.json", "", 0, 1, 10, false);
    strcpy(trace("b.json", "", 2, 3, 10, false)->text, "{\"traceEvents\": [");
    assert_string_equal(read_all(&s, false), "r0.0:10 r0.1:10 events_lost*1 PARTIAL");
    assert_string_equal(s.warnings.items[0].text,
                        "b.json cannot be read: cut before the first event");
    stall_series_close(&s);
    trace("a.json", "", 0, 1, 10, false);
    strcpy(trace("b.json", "", 2, 3, 10, false)->text, "{\"traceEvents\": [");
    assert_string_equal(read_all(&s, true), "error 4: cut before the first event");
    assert_string_equal(error.source, "b.json");
    stall_series_close(&s);
    strcpy(trace("a.json", "", 0, 1, 10, false)->text, "{\"traceEvents\": [{\"ph\":\"M\"}]}");
    assert_non_null(strstr(read_all(&s, false), "no step markers"));
    stall_series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_end_of_data),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
