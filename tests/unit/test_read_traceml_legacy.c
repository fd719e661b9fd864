/* TraceML's files of one event: src/read/read_traceml_legacy.c, traceml_legacy.c. */
#include "step_file_support.h"

#define LINES "testdata/traceml/legacy/data/rank_0/TimeSampler/_traceml_internal:"
#define RECORDS "testdata/traceml/legacy_msgpack/data/rank_0/TimeSampler/_traceml_internal:"
#define NAME "_traceml_internal:dataloader_next.jsonl"

/* One row as JSON; stamps in ms. */
#define ROW(seq, stamp, step, ms)                                        \
    "{\"seq\": " #seq ", \"timestamp\": " #stamp "e-3, \"step\": " #step \
    ", \"scope\": \"step\", \"device\": \"cpu\", \"is_gpu\": false, \"duration_ms\": " #ms "}\n"

typedef struct text_source {
    memory m;
    stall_source source;
} text_source;

static stall_source *open_text(text_source *t, const char *text)
{
    *t = (text_source){.m = {text, strlen(text), 0, 11, false, NULL}};
    t->source = (stall_source){&t->m, memory_next, memory_finish, "test", NULL};
    return &t->source;
}

/* Both files of a run as a series. */
static stall_status join(const char *waits, const char *steps, stall_series *s, stall_error *error)
{
    stall_traceml_run run = {0};
    text_source w, e;
    stall_status status;

    stall_series_init(s);
    memset(error, 0, sizeof(*error));
    memset(&e, 0, sizeof(e));
    status = stall_traceml_legacy_rows(open_text(&w, waits), steps ? open_text(&e, steps) : NULL, 2,
                                       &run, &s->warnings, error);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, s, error);
    free(w.m.copy);
    free(e.m.copy);
    stall_traceml_run_close(&run);
    return status;
}

/* The samples: the same rows from both framings, with the envelope that lies beside. */
static void samples(void **state)
{
    stall_series s, t;
    stall_error error;
    size_t len, n;
    char *lines = read_file(LINES "dataloader_next.jsonl", &len);
    char *records = read_file(RECORDS "dataloader_next.msgpack", &n);

    (void)state;
    assert_int_equal(read_named(lines, len, 13, LINES "dataloader_next.jsonl",
                                LINES "dataloader_next.jsonl", NULL, &s, &error),
                     STALL_OK);
    assert_int_equal(read_named(records, n, 13, RECORDS "dataloader_next.msgpack",
                                RECORDS "dataloader_next.msgpack", NULL, &t, &error),
                     STALL_OK);
    assert_string_equal(s.format, "traceml-legacy");
    assert_int_equal(s.len, 24);
    assert_int_equal(t.len, 24);
    assert_memory_equal(t.rows, s.rows, s.len * sizeof(*s.rows));
    assert_int_equal(s.rows[0].wait_ns, INT64_C(19031250000));
    assert_int_equal(s.rows[0].step_ns, INT64_C(19069750000)); /* wait + envelope */
    assert_int_equal(s.rows[1].wait_ns, 1625000);
    assert_true(s.rows[1].step_ns > 40374000 && s.rows[1].step_ns < 40376000); /* of stamps */
    assert_float_equal(s.counters[0].values[1], 38.5, 0);
    stall_series_close(&t);
    stall_series_close(&s);

    /* Not a plain file: what lies beside is not known. */
    assert_int_equal(
        read_named(lines, len, 13, LINES "dataloader_next.jsonl", NULL, NULL, &s, &error),
        STALL_OK);
    assert_int_equal(s.rows[1].step_ns, STALL_UNKNOWN);
    assert_int_equal(s.counters_len, 0);
    stall_series_close(&s);
    free(lines);
    free(records);
}

/* Fetches of a step add up; a step without a fetch is unknown; holes are joined by number. */
static void joined(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(join(ROW(1, 1010, 1, 10) ROW(2, 1030, 2, 4) ROW(3, 1036, 2, 5)
                              ROW(4, 1070, 4, 6),
                          ROW(1, 1015, 1, 5) ROW(2, 1040, 2, 4) ROW(3, 1060, 3, 6)
                              ROW(4, 1080, 4, 7) ROW(5, 1090, 4, 8),
                          &s, &error),
                     STALL_OK);
    assert_int_equal(s.len, 4);
    assert_int_equal(s.rows[0].rank, 2);
    assert_int_equal(s.rows[0].step_ns, 15000000);
    assert_int_equal(s.rows[1].wait_ns, 9000000);
    assert_int_equal(s.rows[1].fetches, 2);
    assert_int_equal(s.rows[1].step_ns, 25000000);
    assert_int_equal(s.rows[2].wait_ns, STALL_UNKNOWN);
    assert_int_equal(s.rows[2].step_ns, 20000000);
    assert_int_equal(s.rows[3].step_ns, 20000000); /* the first of two envelopes */
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_steps_without_wait)->count, 1);
    stall_series_close(&s);
}

/* A second launch starts where the step or the tick falls, in both files. */
static void launches(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(
        join(ROW(1, 1010, 1, 1) ROW(2, 1020, 2, 2) ROW(1, 2010, 3, 3) ROW(2, 2020, 4, 4),
             ROW(1, 1015, 1, 5) ROW(2, 1025, 2, 5) ROW(1, 2015, 3, 5) ROW(2, 2025, 4, 5), &s,
             &error),
        STALL_OK);
    assert_int_equal(s.len, 4);
    assert_int_equal(s.rows[1].epoch, 0);
    assert_int_equal(s.rows[2].epoch, 1);
    assert_int_equal(s.rows[2].step_ns, 8000000); /* not the time since the launch before */
    assert_int_equal(s.rows[3].step_ns, 10000000);
    assert_non_null(stall_warn_find(&s.warnings, STALL_WARN_several_launches));
    stall_series_close(&s);

    /* The file of the envelope knows of one launch only: it is not used. */
    assert_int_equal(join(ROW(1, 1010, 1, 1) ROW(2, 1020, 2, 1) ROW(1, 2010, 1, 3),
                          ROW(1, 1015, 1, 5) ROW(2, 1025, 2, 5), &s, &error),
                     STALL_OK);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[0].step_ns, STALL_UNKNOWN);
    stall_series_close(&s);
}

/* A wait that is none makes the sum unknown; damage is a warning. */
static void odd_rows(void **state)
{
    stall_series s;
    stall_error error;

    (void)state;
    assert_int_equal(join(ROW(1, 1010, 1, 1) ROW(2, 1011, 1, -1)
                              ROW(3, 1012, 2, null) "{broken\n" ROW(4, 1013, null, 1)
                                  ROW(5, 1014, 3, 2) "{\"seq\": 6, \"time",
                          NULL, &s, &error),
                     STALL_OK);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.rows[0].wait_ns, STALL_UNKNOWN);
    assert_int_equal(s.rows[0].fetches, 2);
    assert_int_equal(s.rows[1].wait_ns, STALL_UNKNOWN);
    assert_int_equal(s.rows[2].wait_ns, 2000000);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->line, 4);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_rows_skipped)->count, 1);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_truncated)->line, 7);
    assert_true(s.warnings.partial);
    stall_series_close(&s);
    assert_int_equal(join("{\"a\": 1}\n", NULL, &s, &error), STALL_ENODATA);
    stall_series_close(&s);
    assert_int_equal(join("\n\n", NULL, &s, &error), STALL_EFORMAT);
    stall_series_close(&s);
}

/* The name tells the event: another one is refused with the file to give. */
static void names(void **state)
{
    static const char rows[] = ROW(1, 1010, 1, 1) ROW(2, 1020, 2, 2);
    const stall_read_options forced = {.format = "traceml-legacy"};
    stall_series s;
    stall_error error;
    stall_text beside;

    (void)state;
    assert_int_equal(read_named(rows, sizeof(rows) - 1, 9, "a/_traceml_internal:step_time.jsonl",
                                NULL, &forced, &s, &error),
                     STALL_ENODATA);
    assert_non_null(strstr(error.text, "the event step_time"));
    assert_non_null(strstr(error.hint, "give " NAME));
    stall_series_close(&s);
    assert_int_equal(read_named(rows, sizeof(rows) - 1, 9, "-", NULL, NULL, &s, &error),
                     STALL_ENODATA);
    stall_series_close(&s);
    assert_int_equal(read_named(rows, sizeof(rows) - 1, 9, "-", NULL, &forced, &s, &error),
                     STALL_OK);
    assert_int_equal(s.len, 2);
    stall_series_close(&s);
    assert_int_equal(
        read_named(rows, sizeof(rows) - 1, 9, "rank_4/" NAME, "/nowhere/" NAME, NULL, &s, &error),
        STALL_OK);
    assert_int_equal(s.rows[0].rank, 4);
    stall_series_close(&s);

    stall_text_init(&beside);
    assert_true(stall_traceml_legacy_steps("dataloader_next/" NAME, &beside));
    assert_string_equal(beside.data, "dataloader_next/_traceml_internal:step_time.jsonl");
    stall_text_close(&beside);
    stall_text_init(&beside);
    assert_false(stall_traceml_legacy_steps("dataloader_next/x.jsonl", &beside));
    stall_text_close(&beside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),  cmocka_unit_test(joined), cmocka_unit_test(launches),
        cmocka_unit_test(odd_rows), cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
