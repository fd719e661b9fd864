/* TraceML's step files: src/read/read_traceml_msgpack.c, traceml_frames.c, traceml_record.c. */
#include "step_file_support.h"

#define WAIT_MS(ms) ((int64_t)((ms)*1e6))

static const char sound[] =
    "\x84\xa3seq\x01\xa9timestamp\xcb\x41\xda\xac\x48\xc0\x04\x00\x00\xa4step";

/* A row whose step, duration_ms and cpu_ms are the given values, already packed. */
static void add_row(bytes *b, const char *step, size_t step_len, const char *duration,
                    size_t duration_len, const char *cpu, size_t cpu_len)
{
    bytes *row = calloc(1, sizeof(*row));

    assert_non_null(row);
    add(row, sound, sizeof(sound) - 1);
    add(row, step, step_len);
    add_text(row, "events");
    add_byte(row, 0x81);
    add_text(row, STALL_TRACEML_WAIT);
    add_byte(row, 0x81);
    add_text(row, "cpu");
    add_byte(row, 0x84);
    add_text(row, "is_gpu");
    add_byte(row, 0xc2);
    add_text(row, "duration_ms");
    add(row, duration, duration_len);
    add_text(row, "cpu_ms");
    add(row, cpu, cpu_len);
    add_text(row, "n_calls");
    add_byte(row, 1);
    add_frame(b, row->data, row->len);
    free(row);
}

#define ROW(b, step, duration, cpu) \
    add_row(b, step, sizeof(step) - 1, duration, sizeof(duration) - 1, cpu, sizeof(cpu) - 1)

static stall_status read_all(const bytes *b, stall_series *s, stall_error *error)
{
    return read_named(b->data, b->len, 65536, "steps.msgpack", NULL, NULL, s, error);
}

/* The sample of the project, in chunks of any size, and the rank of its path. */
static void sample(void **state)
{
    static const size_t chunks[] = {1, 7, 1000, 1 << 20};
    stall_series s;
    stall_error error;
    size_t len;
    char *data = read_file(STEP_TABLE, &len);

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(read_named(data, len, chunks[i], "x/rank_3/StepTimeTable.msgpack", NULL,
                                    NULL, &s, &error),
                         STALL_OK);
        assert_string_equal(s.format, "traceml-msgpack");
        assert_int_equal(s.len, 24);
        assert_int_equal(s.rows[0].rank, 3);
        assert_int_equal(s.rows[0].wait_ns, WAIT_MS(19031.25));
        assert_int_equal(s.rows[23].step, 24);
        assert_int_equal(s.rows[23].wait_ns, 3000000);
        assert_int_equal(s.rows[23].fetches, 1);
        assert_int_equal(s.warnings.len, 0);
        stall_series_close(&s);
    }
    free(data);
}

/* Cut anywhere: the whole records before it are there, and the run is PARTIAL. */
static void cut_anywhere(void **state)
{
    stall_series s;
    stall_error error;
    size_t len, whole = 0, rows = 0;
    char *data = read_file(STEP_TABLE, &len);

    (void)state;
    for (size_t cut = 1; cut <= len; cut++) {
        size_t next = whole + 4 + ((size_t)(unsigned char)data[whole + 2] << 8) +
                      (unsigned char)data[whole + 3];
        if (cut == next) {
            whole = next;
            rows++;
        }
        stall_status status = read_named(data, cut, 4096, "steps.msgpack", NULL, NULL, &s, &error);
        if (rows == 0) {
            assert_int_equal(status, STALL_EFORMAT);
        } else {
            assert_int_equal(status, STALL_OK);
            assert_int_equal(s.len, rows);
            assert_int_equal(s.warnings.partial, cut != whole);
            if (cut != whole)
                assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_truncated)->offset, whole);
        }
        stall_series_close(&s);
        if (cut == len)
            break;
    }
    assert_int_equal(rows, 24);
    free(data);
}

/* Integers of any width, floats of both, nil, and what is no number. */
static void widths(void **state)
{
    static const char nil[] = "\xc0", nan_[] = "\xcb\x7f\xf8\0\0\0\0\0\0",
                      inf[] = "\xca\x7f\x80\0\0";
    bytes *b = calloc(1, sizeof(*b));
    stall_series s;
    stall_error error;

    (void)state;
    ROW(b, "\x01", "\x05", "\xc0");
    ROW(b, "\xcc\x02", "\xca\x3f\xc0\x00\x00", "\xc0");
    ROW(b, "\xcd\x00\x03", "\xc0", "\xcb\x3f\xe0\0\0\0\0\0\0");
    ROW(b, "\xce\x00\x00\x00\x04", "\xcd\x01\x00", "\xc0");
    ROW(b, "\xcf\0\0\0\0\0\0\0\x05", "\xcb\x3f\xf0\0\0\0\0\0\0", "\xff");
    ROW(b, "\xd0\x06", "\xa1x", "\xc0");
    add_row(b, "\xd1\x00\x07", 3, nan_, sizeof(nan_) - 1, nil, 1);
    add_row(b, "\xd3\0\0\0\0\0\0\0\x08", 9, "\x01", 1, inf, sizeof(inf) - 1);
    assert_int_equal(read_all(b, &s, &error), STALL_OK);
    assert_int_equal(s.len, 8);
    assert_int_equal(s.rows[0].wait_ns, 5000000);
    assert_int_equal(s.rows[1].wait_ns, 1500000);
    assert_int_equal(s.rows[2].wait_ns, 500000);
    assert_int_equal(s.rows[3].wait_ns, 256000000);
    assert_int_equal(s.rows[4].wait_ns, STALL_UNKNOWN); /* negative: no time, and no fallback */
    assert_int_equal(s.rows[5].wait_ns, STALL_UNKNOWN);
    assert_int_equal(s.rows[6].wait_ns, STALL_UNKNOWN);
    for (int64_t i = 0; i < 8; i++)
        assert_int_equal(s.rows[i].step, i + 1);
    stall_series_close(&s);
    free(b);
}

/* A step that is no whole number, or none at all: the row is skipped and counted. */
static void no_step(void **state)
{
    bytes *b = calloc(1, sizeof(*b));
    stall_series s;
    stall_error error;

    (void)state;
    ROW(b, "\x01", "\x05", "\xc0");
    ROW(b, "\xcb\x3f\xf8\0\0\0\0\0\0", "\x05", "\xc0");
    ROW(b, "\xc0", "\x05", "\xc0");
    assert_int_equal(read_all(b, &s, &error), STALL_OK);
    assert_int_equal(s.len, 1);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_rows_skipped)->count, 2);
    stall_series_close(&s);
    free(b);
}

/* Damage of one record leaves the others. */
static void damage(void **state)
{
    static const struct {
        size_t at; /* from the third record's length */
        unsigned char bytes[5];
        size_t len;
    } kinds[] = {
        {0,
         {0xff, 0xff, 0xff, 0xff},
         4}, /* lengths that cannot be, of nothing, too long, too short */
        {0, {0, 0, 0, 0}, 4},
        {0, {0, 0, 0xff, 0}, 4},
        {0, {0, 0, 0, 9}, 4},
        {4, {0xdf, 0xff, 0xff, 0xff, 0xff}, 5}, /* a map of 2^32 pairs */
        {4, {0xc1}, 1},
        {9, {0xdb, 0xff, 0xff, 0xff, 0xff}, 5}, /* a text of 4 GiB */
    };
    const stall_read_options strict = {.strict = true};
    stall_series s;
    stall_error error;
    size_t len, third = 0;
    char *data = read_file(STEP_TABLE, &len), *copy = malloc(len);

    (void)state;
    assert_non_null(copy);
    for (int i = 0; i < 2; i++)
        third += 4 + ((size_t)(unsigned char)data[third + 2] << 8) + (unsigned char)data[third + 3];
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        memcpy(copy, data, len);
        memcpy(copy + third + kinds[i].at, kinds[i].bytes, kinds[i].len);
        assert_int_equal(read_named(copy, len, 1 + i * 50, "steps.msgpack", NULL, NULL, &s, &error),
                         STALL_OK);
        assert_int_equal(s.len, 23);
        assert_true(s.warnings.partial);
        assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->offset, third);
        assert_non_null(stall_warn_find(&s.warnings, STALL_WARN_missing_steps));
        stall_series_close(&s);
        assert_int_equal(read_named(copy, len, 4096, "steps.msgpack", NULL, &strict, &s, &error),
                         STALL_EFORMAT);
        stall_series_close(&s);
    }
    free(copy);
    free(data);
}

/* What a hostile file may hold: it takes neither memory nor the stack, and the row after it counts.
 */
static void hostile(void **state)
{
    static const char claims[][10] = {"\xdd\xff\xff\xff\xff",
                                      "\xdf\x7f\xff\xff\xff",
                                      "\xc6\xff\xff\xff\xff",
                                      "\xc9\xff\xff\xff\xff\x01",
                                      "\xdc\xff\xff",
                                      "\x8f",
                                      "\xd9"};
    bytes *b = calloc(1, sizeof(*b)), *deep = calloc(1, sizeof(*deep));
    stall_series s;
    stall_error error;

    (void)state;
    for (int i = 0; i < 10000; i++)
        add(deep,
            "\x81\xa1"
            "a",
            3);
    add_byte(deep, 1);
    ROW(b, "\x01", "\x05", "\xc0");
    add_frame(b, deep->data, deep->len);
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
        add_frame(b, claims[i], strlen(claims[i]));
    deep->len = 0;
    for (int i = 0; i < 5000; i++)
        add(deep, "{\"a\":", 5);
    add_frame(b, deep->data, deep->len);
    ROW(b, "\x02", "\x05", "\xc0");
    assert_int_equal(read_all(b, &s, &error), STALL_OK);
    assert_int_equal(s.len, 2);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->count, 9);
    stall_series_close(&s);
    free(deep);
    free(b);
}

/* After a thousand damaged records the rest is given up. */
static void endless_damage(void **state)
{
    bytes *b = calloc(1, sizeof(*b));
    stall_series s;
    stall_error error;

    (void)state;
    ROW(b, "\x01", "\x05", "\xc0");
    for (int i = 0; i < 3000; i++)
        add_frame(b, "\xc1", 1);
    ROW(b, "\x02", "\x05", "\xc0");
    assert_int_equal(read_all(b, &s, &error), STALL_OK);
    assert_int_equal(s.len, 1);
    assert_int_equal(stall_warn_find(&s.warnings, STALL_WARN_events_lost)->count,
                     STALL_TRACEML_DAMAGE_MAX + 1);
    stall_series_close(&s);
    free(b);
}

/* Payloads in JSON, as without msgspec. */
static void json(void **state)
{
    stall_series s, t;
    stall_error error;
    size_t len, json_len;
    char *data = read_file(STEP_TABLE, &len);
    char *text = read_file("testdata/traceml/msgpack_json/StepTimeTable.rank_0.msgpack", &json_len);

    (void)state;
    assert_int_equal(read_named(data, len, 4096, "a.rank_0", NULL, NULL, &s, &error), STALL_OK);
    assert_int_equal(read_named(text, json_len, 5, "a.rank_0", NULL, NULL, &t, &error), STALL_OK);
    assert_int_equal(t.len, s.len);
    assert_memory_equal(t.rows, s.rows, s.len * sizeof(*s.rows));
    stall_series_close(&s);
    stall_series_close(&t);
    free(data);
    free(text);
}

/* A table that does not tell of steps is refused by its name. */
static void other_table(void **state)
{
    static const char path[] =
        SESSIONS "session_20260101_120000_0a1b2c/rank_0/data/SystemSampler/SystemTable.msgpack";
    stall_series s;
    stall_error error;
    size_t len;
    char *data = read_file(path, &len);

    (void)state;
    assert_int_equal(read_named(data, len, 4096, path, NULL, NULL, &s, &error), STALL_ENODATA);
    assert_non_null(strstr(error.text, "SystemTable: a TraceML table without"));
    assert_non_null(strstr(error.text, "seq, timestamp, cpu_percent"));
    assert_non_null(strstr(error.hint, "StepTimeTable.msgpack"));
    stall_series_close(&s);
    free(data);
}

/* Every allocation may fail. */
static void no_memory(void **state)
{
    stall_status status;
    stall_series s;
    stall_error error;
    uint64_t n = 0;
    size_t len;
    char *data = read_file(STEP_TABLE, &len);

    (void)state;
    do {
        stall_mem_fail_at(++n);
        status = read_named(data, len, 4096, "steps.msgpack", NULL, NULL, &s, &error);
        stall_mem_fail_at(0);
        assert_true(status == STALL_OK || status == STALL_ENOMEM);
        stall_series_close(&s);
    } while (status != STALL_OK);
    assert_true(n > 3);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample),    cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(widths),    cmocka_unit_test(no_step),
        cmocka_unit_test(damage),    cmocka_unit_test(hostile),
        cmocka_unit_test(json),      cmocka_unit_test(other_table),
        cmocka_unit_test(no_memory), cmocka_unit_test(endless_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
