/* CSV and TSV logs: src/read/read_table.c with lines.c, table_names.c, table_columns.c and
 * table_rows.c. */
#include "table_support.h"

#define U STALL_UNKNOWN

static void probe_columns(void **state)
{
    static const char text[] = "step,wait_ms,step_ms,worker_id,worker_pid,batch_rank,worker_pids,"
                               "majflt,note\r\n"
                               "0,912.822,937.62,,19447,3,19447;19448,0,a\r\n"
                               "1,0.45,21.151,2,19449,2,19447;19448,7,b\r\n";
    stall_series s;

    (void)state;
    read_good(text, NULL, &s);
    assert_string_equal(s.format, "csv");
    assert_int_equal(s.len, 2);
    assert_int_equal(s.rows[0].wait_ns, 912822000);
    assert_int_equal(s.rows[1].step_ns, 21151000);
    assert_int_equal(s.rows[1].fetches, -1);
    assert_int_equal(s.rows[1].epoch, U);
    assert_int_equal(s.worker_id[0], 0);
    assert_string_equal(s.strings[s.worker_id[1]], "2");
    assert_string_equal(s.strings[s.worker_pids[0]], "19447;19448");
    assert_int_equal(s.worker_pids[0], s.worker_pids[1]);
    assert_true(s.batch_rank[0] == 3);
    assert_int_equal(s.counters_len, 1); /* neither worker_pid nor a column without numbers */
    assert_true(counter(&s, "majflt")->values[1] == 7);
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);
}

/* What is measured, and what is not. */
static void waits(void **state)
{
    static const struct {
        const char *cell;
        int64_t ns;
    } table[] = {
        {"1.5", 1500000},
        {"0", 0},
        {"-0.0", 0},
        {"", U},
        {"nan", U},
        {"NaN", U},
        {"inf", U},
        {"-12.0", U},
        {"-1", U},
        {"0x10", U},
        {"1_000", U},
        {"1e3", 1000 * MS},
        {"1.25E-3", 1250},
        {" 2.5 ", 2500000},
        {"\" 3 \"", 3 * MS},
        {".5", 500000},
        {"5.", 5 * MS},
        {".", U},
        {"1e400", U},
        {"null", U},
        {"-0.0000001", U},
        {"9223372036854.775807", INT64_MAX},
        {"9223372036854.775808", U},
        {"+4", 4 * MS},
        {"1,5", U},
        {"--1", U},
        {"N/A", U},
        {"123456789012.123456", INT64_C(123456789012123456)},
    };
    char text[128];
    stall_series s;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        snprintf(text, sizeof(text), "wait_ms\tstep\n%s\t7\n", table[i].cell);
        read_good(text, NULL, &s);
        assert_int_equal(s.len, 1);
        assert_int_equal(s.rows[0].wait_ns, table[i].ns);
        assert_int_equal(s.rows[0].step, 7);
        assert_false(s.warnings.partial);
        stall_series_close(&s);
    }
}

static void steps(void **state)
{
    stall_series s;

    (void)state;
    read_good("step,wait_ms,rank,epoch\n12.0,1,1.9,2\n1e2,1,,\n1.5,1,x,x\n-1,1,-3,-1\n,1,2,0\n",
              NULL, &s);
    assert_int_equal(s.len, 5);
    assert_int_equal(s.rows[0].step, 12);
    assert_int_equal(s.rows[0].rank, 1);
    assert_int_equal(s.rows[0].epoch, 2);
    assert_int_equal(s.rows[1].step, 100);
    assert_int_equal(s.rows[1].rank, 0);
    assert_int_equal(s.rows[1].epoch, U);
    assert_int_equal(s.rows[2].step, U);
    assert_int_equal(s.rows[2].rank, 0);
    assert_int_equal(s.rows[3].step, U);
    assert_int_equal(s.rows[3].rank, 0);
    assert_int_equal(s.rows[4].step, U);
    assert_int_equal(s.rows[4].rank, 2);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 3);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_rows_skipped)->line, 4);
    stall_series_close(&s);

    read_good("wait_ms,rank\n1,0\n2,1\n3,0\n4,1\n", NULL, &s); /* numbered, each rank alone */
    assert_int_equal(s.rows[2].step, 1);
    assert_int_equal(s.rows[3].step, 1);
    stall_series_close(&s);
}

static void names_and_units(void **state)
{
    static const struct {
        const char *header;
        const char *wait, *step_time, *step;
        int64_t wait_ns, step_ns, number; /* of the row 1,2,3 */
    } table[] = {
        {"input_wait_ms,step_time_ms,step", NULL, NULL, NULL, 1 * MS, 2 * MS, 3},
        {"wait_us,step_time_s,global_step", NULL, NULL, NULL, 1000, 2000 * MS, 3},
        {"wait_seconds,step_ns,Step", NULL, NULL, NULL, 1000 * MS, 2, 3},
        {"run - wait_ms,train/step_ms,trainer/global_step", NULL, NULL, NULL, 1 * MS, 2 * MS, 3},
        {"data,dur,it", "data:s", "dur:us", "it", 1000 * MS, 2000, 3},
        {"a:s,dur_ms,it", "a:s:ms", "dur_ms", "it", 1 * MS, 2 * MS, 3},
        {"train/data_s,x/dur_ms,it", "data_s", "dur_ms:ns", "it", 1000 * MS, 2, 3},
        {"wait_ms,data_ms,it", "data_ms", NULL, "it", 2 * MS, U, 3},
        {"input_wait_ms,wait_ms,step", NULL, NULL, NULL, 2 * MS, U, 3},
        {"x/wait_ms,wait_ms,step", NULL, NULL, NULL, 2 * MS, U, 3},
    };
    char text[160];
    stall_series s;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        stall_read_options o = {
            .wait_col = table[i].wait, .dur_col = table[i].step_time, .step_col = table[i].step};

        snprintf(text, sizeof(text), "%s\n1,2,3\n", table[i].header);
        read_good(text, &o, &s);
        assert_int_equal(s.rows[0].wait_ns, table[i].wait_ns);
        assert_int_equal(s.rows[0].step_ns, table[i].step_ns);
        assert_int_equal(s.rows[0].step, table[i].number);
        stall_series_close(&s);
    }
}

static void refused(const char *text, const stall_read_options *options, stall_status want,
                    const char *words, const char *hint)
{
    stall_series s;
    stall_error error;

    assert_int_equal(read_text(text, options, &s, &error), want);
    if (strstr(error.text, words) == NULL || strstr(error.hint, hint) == NULL)
        fail_msg("%s | %s", error.text, error.hint);
    assert_string_equal(error.source, "test");
    stall_series_close(&s);
}

static void refusals(void **state)
{
    stall_read_options csv = {.format = "csv"}, none = {.wait_col = "data:ms"};
    stall_read_options unit = {.wait_col = "time"}, step = {.step_col = "it"};

    (void)state;
    refused("step,time,loss\n0,0.21,2.5\n", NULL, STALL_ENODATA, "step, time, loss", "--wait-col");
    refused("step,wait_per_s\n0,1\n", NULL, STALL_ENODATA, "step, wait_per_s", "--wait-col");
    refused("step,time,loss\n0,0.21,2.5\n", &none, STALL_EUSAGE, "--wait-col data:ms",
            "step, time, loss");
    refused("step,time\n0,0.21\n", &unit, STALL_EUSAGE, "unit", "--wait-col time:ms");
    refused("step,wait_ms\n0,0.21\n", &step, STALL_EUSAGE, "--step-col it", "step, wait_ms");
    refused("run,side,pass,rank,epoch,step,wait_ms\na,,,0,,0,1\n", NULL, STALL_EFORMAT,
            "series.csv of a report", "stalldiff series");
    refused("step,wait_ms\n", NULL, STALL_ENODATA, "no usable row", "");
    refused("# nothing\n\n", &csv, STALL_ENODATA, "names of the columns", "");
    refused("# stalldiff-series: 2\nrank,step,wait_ms\n0,0,1\n", NULL, STALL_EFORMAT, "version 2",
            "later");
}

static void lines_of_no_rows(void **state)
{
    stall_series s;

    (void)state;
    read_good("\xef\xbb\xbf# a comment\n\n \t\nstep,wait_ms\n# b\n0,1\n\n1,2\n   \n", NULL, &s);
    assert_int_equal(s.len, 2);
    assert_int_equal(s.warnings.len, 1);
    assert_int_equal(warned(&s, STALL_WARN_bom), 1);
    stall_series_close(&s);
    read_good("step,wait_ms\r0,1\r1,2", NULL, &s); /* CR alone, and no end of the last line */
    assert_int_equal(s.len, 2);
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);
    read_good("step;wait_ms;a\n0;1;2\n", NULL, &s);
    assert_int_equal(s.rows[0].wait_ns, 1 * MS);
    stall_series_close(&s);
}

static void ragged(void **state)
{
    stall_series s;

    (void)state;
    read_good("step,wait_ms,a\n0,1,1\n1,2\n2,3,3,\n3,4,4,4\n4,5,\n5,6,", NULL, &s);
    assert_int_equal(s.len, 4); /* an empty cell more is no harm */
    assert_int_equal(s.rows[1].step, 2);
    assert_int_equal(s.rows[2].step, 4);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 2);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_rows_skipped)->line, 3);
    assert_false(s.warnings.partial);
    stall_series_close(&s);

    read_good("step,wait_ms,a\n0,1,1\n1,2", NULL, &s);
    assert_int_equal(s.len, 1);
    assert_int_equal(warned(&s, STALL_WARN_truncated), 1);
    assert_true(s.warnings.partial);
    stall_series_close(&s);

    read_good("wait_ms,a\n1,1\n1\n3,3\n", NULL, &s); /* the lost row keeps its number */
    assert_int_equal(s.rows[1].step, 2);
    stall_series_close(&s);
}

static void quotes(void **state)
{
    stall_series s;

    (void)state;
    read_good(
        "\"step\",\"wait_ms\",\"a,b\",n\n0,\"1.5\",\"2\",\"x\ny\"\"z\"\n1,2,3,\"p\n\nq\nr\"\n",
        NULL, &s);
    assert_int_equal(s.len, 2);
    assert_int_equal(s.rows[0].wait_ns, 1500000);
    assert_non_null(counter(&s, "a,b"));
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);

    /* a quote that is never closed costs its own row, not the rest of the file */
    char text[2000] = "step,wait_ms,n\n0,1,\"x\n";
    for (int i = 1; i < 60; i++)
        snprintf(text + strlen(text), 40, "%d,%d,a\n", i, i);
    read_good(text, NULL, &s);
    assert_int_equal(s.len, 59);
    assert_int_equal(s.rows[58].step, 59);
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 1);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->line, 2);
    assert_true(s.warnings.partial);
    stall_series_close(&s);

    read_good("step,wait_ms,n\n0,1,a\n1,2,\"x\n2,3,b", NULL, &s);
    assert_int_equal(s.len, 2);
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 1);
    stall_series_close(&s);
    read_good("step,wait_ms,n\n0,1,a\n1,2,\"x", NULL, &s);
    assert_int_equal(s.len, 1);
    assert_int_equal(warned(&s, STALL_WARN_truncated), 1);
    stall_series_close(&s);
}

static void damage(void **state)
{
    static const char zeros[] = "step,wait_ms\n0,1\n\0\0\0\0\n2,3\n";
    stall_read_options strict = {.strict = true};
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(read_bytes(zeros, sizeof(zeros) - 1, 4, false, NULL, &s, &error), STALL_OK);
    assert_int_equal(s.len, 2);
    assert_int_equal(warned(&s, STALL_WARN_events_lost), 1);
    stall_series_close(&s);

    /* the compressed stream ended within a row: what is there of it may be a part of a number */
    assert_int_equal(read_bytes("step,wait_ms\n0,1\n1,23", 21, 65536, true, NULL, &s, &error),
                     STALL_OK);
    assert_int_equal(s.len, 1);
    assert_int_equal(s.warnings.len, 1);
    stall_series_close(&s);

    assert_int_equal(read_text("step,wait_ms,a\n0,1,1\n1,2", &strict, &s, &error), STALL_EFORMAT);
    assert_int_equal(error.line, 3);
    stall_series_close(&s);
}

static void other_rows(void **state)
{
    stall_series s;

    (void)state;
    read_good("step,wait_ms,loss,worker_id\n0,1,,\n0,,0.5,\n1,,,\n2,,0.5,1\n", NULL, &s);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[1].wait_ns, U);
    assert_int_equal(s.rows[2].step, 2);
    assert_int_equal(warned(&s, STALL_WARN_rows_skipped), 1);
    stall_series_close(&s);

    read_good("step,wait_ms\n0,1\n1,1\nstep,wait_ms\n0,1\n", NULL, &s); /* appended to */
    assert_int_equal(s.len, 3);
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 1);
    stall_series_close(&s);
    read_good("step,wait_ms\n0,1\n1,1\n2,1\n3,1\n2,1\n3,1\n", NULL, &s); /* resumed */
    assert_int_equal(warned(&s, STALL_WARN_several_launches), 1);
    stall_series_close(&s);
    read_good("step,wait_ms\n0,1\n1,1\n0,1\n1,1\n0,1\n", NULL, &s); /* epochs */
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);
    read_good("step,wait_ms\n0,1\n3,1\n1,1\n4,1\n2,1\n", NULL, &s); /* out of order */
    assert_int_equal(s.warnings.len, 0);
    stall_series_close(&s);
}

/* Any split of the input gives the same series. */
static void chunks(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf# c\r\nstep,wait_ms,n\r\n0,1.5,\"a\r\nb\"\r\n\r\n1,2,c\r"
        "2,x,\"\"\n3,4\n4,5.25,z";
    stall_series s;
    stall_error error;

    (void)state;
    for (size_t chunk = 1; chunk <= sizeof(text); chunk++) {
        assert_int_equal(read_bytes(text, sizeof(text) - 1, chunk, false, NULL, &s, &error),
                         STALL_OK);
        assert_int_equal(s.len, 4);
        assert_int_equal(s.rows[0].wait_ns, 1500000);
        assert_int_equal(s.rows[2].wait_ns, U);
        assert_int_equal(s.rows[3].wait_ns, 5250000);
        assert_int_equal(s.warnings.len, 3);
        assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_bad_number)->line, 7);
        assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_rows_skipped)->line, 8);
        stall_series_close(&s);
    }
}

static void limits(void **state)
{
    size_t len = 3u << 20;
    char *text = malloc(len + 1);
    stall_series s;
    stall_error error;

    (void)state;
    assert_non_null(text);
    memset(text, '7', len);
    text[len] = '\0';
    memcpy(text, "step,wait_ms\n0,1\n1,", 19);
    assert_int_equal(read_text(text, NULL, &s, &error), STALL_ELIMIT);
    assert_int_equal(error.line, 3);
    stall_series_close(&s);

    strcpy(text, "wait_ms"); /* more numeric columns than a series holds */
    for (int i = 0; i < 400; i++)
        sprintf(text + strlen(text), ",c%d", i);
    strcat(text, "\n1");
    for (int i = 0; i < 400; i++)
        strcat(text, ",2");
    strcat(text, "\n");
    read_good(text, NULL, &s);
    assert_int_equal(s.counters_len, 256);
    stall_series_close(&s);

    strcpy(text, "wait_ms");
    for (int i = 0; i < 1100; i++)
        sprintf(text + strlen(text), ",c%d", i);
    strcat(text, "\n1\n");
    assert_int_equal(read_text(text, NULL, &s, &error), STALL_ELIMIT);
    stall_series_close(&s);
    free(text);
}

/* Every allocation may fail; nothing leaks and the status says so. */
static void no_memory(void **state)
{
    static const char text[] = "# stalldiff-series: 1\n# label: a\n# meta.x: 4\n"
                               "rank,step,wait_ms,n,worker_id,worker_pids,batch_rank\n"
                               "0,0,1,\"2\",a,1;2,3\n1,1,1,\"x\ny\",b,1,2\n0,2,1,5,c,2,3\n";
    stall_series s;
    stall_error error;
    stall_status status = STALL_ENOMEM;

    (void)state;
    for (uint64_t n = 1; status == STALL_ENOMEM; n++) {
        stall_mem_fail_at(n);
        status = read_bytes(text, sizeof(text) - 1, 10, false, NULL, &s, &error);
        stall_mem_fail_at(0);
        stall_series_close(&s);
        assert_true(n < 1000);
    }
    assert_int_equal(status, STALL_OK);
}

/* No text makes the reader do anything but give a series or an error. */
static void random_text(void **state)
{
    static const char alphabet[] = "0123456789.,,,\n\n\"\"\t; #-e:xstep";
    uint32_t seed = 12345;
    char text[400];
    stall_series s;
    stall_error error;
    stall_status status;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        strcpy(text, "step,wait_ms,n\n");
        for (size_t k = strlen(text); k < sizeof(text) - 1; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = alphabet[(seed >> 16) % (sizeof(alphabet) - 1)];
            text[k + 1] = '\0';
        }
        status = read_bytes(text, strlen(text), 1 + i % 50, i % 3 == 0, NULL, &s, &error);
        assert_true(status == STALL_OK || status == STALL_ENODATA);
        stall_series_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_columns), cmocka_unit_test(waits),
        cmocka_unit_test(steps),         cmocka_unit_test(names_and_units),
        cmocka_unit_test(refusals),      cmocka_unit_test(lines_of_no_rows),
        cmocka_unit_test(ragged),        cmocka_unit_test(quotes),
        cmocka_unit_test(damage),        cmocka_unit_test(other_rows),
        cmocka_unit_test(chunks),        cmocka_unit_test(limits),
        cmocka_unit_test(no_memory),     cmocka_unit_test(random_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
