/* The series CSV there and back: src/write/write_series.c and src/read/series_header.c. */
#include "stalldiff/write.h"
#include "table_support.h"

static stall_status keep(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    (void)reterr;
    stall_text_add(ctx, data, len);
    return STALL_OK;
}

static void write_text(const stall_series *s, stall_text *ret)
{
    stall_sink sink = {ret, keep};
    stall_error error;

    stall_text_init(ret);
    assert_int_equal(stall_write_series(s, &sink, &error), STALL_OK);
}

static void same_text(const char *a, const char *b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL)
        assert_string_equal(a, b);
}

static const char *string_at(const stall_series *s, const uint32_t *column, size_t i)
{
    return column != NULL ? s->strings[column[i]] : "";
}

static void same_number(double a, double b)
{
    assert_true((isnan(a) && isnan(b)) || a == b);
}

static void same_rows(const stall_series *a, const stall_series *b)
{
    assert_int_equal(a->len, b->len);
    assert_int_equal(a->counters_len, b->counters_len);
    for (size_t i = 0; i < a->len; i++) {
        const stall_row *x = &a->rows[i], *y = &b->rows[i];

        assert_int_equal(x->step, y->step);
        assert_int_equal(x->epoch, y->epoch);
        assert_int_equal(x->wait_ns, y->wait_ns);
        assert_int_equal(x->step_ns, y->step_ns);
        assert_int_equal(x->exposed_ns, y->exposed_ns);
        assert_int_equal(x->other_wait_ns, y->other_wait_ns);
        assert_int_equal(x->rank, y->rank);
        assert_int_equal(x->fetches, y->fetches);
        assert_string_equal(string_at(a, a->worker_id, i), string_at(b, b->worker_id, i));
        assert_string_equal(string_at(a, a->worker_pids, i), string_at(b, b->worker_pids, i));
        same_number(a->batch_rank != NULL ? a->batch_rank[i] : NAN,
                    b->batch_rank != NULL ? b->batch_rank[i] : NAN);
        for (size_t k = 0; k < a->counters_len; k++) {
            const stall_counter *c = counter(b, a->counters[k].name);

            assert_non_null(c);
            same_number(a->counters[k].values[i], c->values[i]);
        }
    }
}

static void same_facts(const stall_series *a, const stall_series *b)
{
    same_text(a->label, b->label);
    same_text(a->format, b->format);
    assert_int_equal(a->sampled, b->sampled);
    assert_int_equal(a->aggregated, b->aggregated);
    assert_int_equal(a->has_gpu, b->has_gpu);
    assert_int_equal(a->meta_len, b->meta_len);
    for (size_t i = 0; i < a->meta_len; i++) {
        assert_string_equal(a->meta[i].key, b->meta[i].key);
        assert_string_equal(a->meta[i].value, b->meta[i].value);
        assert_int_equal(a->meta[i].raw, b->meta[i].raw);
    }
    assert_int_equal(a->warnings.partial, b->warnings.partial);
    assert_int_equal(a->warnings.len, b->warnings.len);
    for (size_t i = 0; i < a->warnings.len; i++) {
        const stall_warning *x = &a->warnings.items[i], *y = &b->warnings.items[i];

        assert_int_equal(x->code, y->code);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->offset, y->offset);
        assert_int_equal(x->line, y->line);
        assert_string_equal(x->text, y->text);
    }
}

/* Writes, reads, compares, and writes once more: the same bytes. */
static void there_and_back(const stall_series *s)
{
    stall_text first, second;
    stall_series back;

    write_text(s, &first);
    read_good(first.data, NULL, &back);
    same_rows(s, &back);
    same_facts(s, &back);
    write_text(&back, &second);
    assert_string_equal(first.data, second.data);
    stall_series_close(&back);
    stall_text_close(&first);
    stall_text_close(&second);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 20;
}

static int64_t random_time(uint64_t *seed)
{
    uint64_t kind = next_random(seed) % 8;

    if (kind == 0)
        return STALL_UNKNOWN;
    if (kind == 1)
        return 0;
    if (kind == 2)
        return INT64_MAX - (int64_t)(next_random(seed) % 1000);
    return (int64_t)(next_random(seed) % (UINT64_C(1) << (8 + kind * 4)));
}

static double random_double(uint64_t *seed)
{
    uint64_t bits = next_random(seed) << 32 ^ next_random(seed);
    double v;

    memcpy(&v, &bits, sizeof(v));
    return isfinite(v) ? v : NAN;
}

static const char *const hostile[] = {
    "a",           "=1+1",       "+x",
    "-1",          "-x",         "@SUM(A1)",
    "'quoted",     "''",         "a,b",
    "say \"hi\"",  "a;b",        "tab\there",
    "1e5",         "\x01",       "wait_ms",
    "step",        "run",        "counter:x",
    "#x",          "_step",      "input_wait_ms",
    "rank",        "x/step_ms",  "worker_pid",
    "@\"q\",=2",   "\xff\xfe",   "\xe2\x80\xaexyz",
    "caf\xc3\xa9", "json \"x\"", "null",
    "4",           "meta.x",     "label",
    "x: y",        "\\u0041",
};
#define HOSTILE (sizeof(hostile) / sizeof(hostile[0]))

static const char *pick(uint64_t *seed)
{
    return hostile[next_random(seed) % HOSTILE];
}

static void random_series(stall_series *s, uint64_t *seed)
{
    size_t rows = 1 + next_random(seed) % 40, columns = next_random(seed) % 5, index;
    uint64_t kinds = next_random(seed);
    stall_row row;

    stall_series_init(s);
    for (size_t i = 0; i < rows; i++) {
        row =
            (stall_row){.step = (int64_t)(next_random(seed) % 100),
                        .epoch = next_random(seed) % 3 == 0 ? STALL_UNKNOWN
                                                            : (int64_t)(next_random(seed) % 9) - 4,
                        .wait_ns = random_time(seed),
                        .step_ns = random_time(seed),
                        .exposed_ns = random_time(seed),
                        .other_wait_ns = kinds & 1 ? random_time(seed) : STALL_UNKNOWN,
                        .rank = (int32_t)(next_random(seed) % 4),
                        .fetches = (int32_t)(next_random(seed) % 4) - 1};
        if (next_random(seed) % 20 == 0)
            row.step = STALL_UNKNOWN;
        assert_int_equal(stall_series_push(s, &row, NULL), STALL_OK);
        for (size_t k = 0; k < columns; k++) {
            const char *name = hostile[(kinds + k) % HOSTILE];

            assert_int_equal(stall_series_counter(s, name, strlen(name), &index, NULL), STALL_OK);
            if (i == 0 || next_random(seed) % 3 != 0)
                stall_series_set_counter(s, index, i == 0 ? -0.25 : random_double(seed));
        }
        if (kinds & 2) {
            const char *id = pick(seed);
            assert_int_equal(stall_series_set_worker_id(s, id, strlen(id), NULL), STALL_OK);
        }
        if (kinds & 4) {
            const char *ids = pick(seed);
            assert_int_equal(stall_series_set_worker_pids(s, ids, strlen(ids), NULL), STALL_OK);
        }
        if (kinds & 8)
            assert_int_equal(
                stall_series_set_batch_rank(s, i == 0 ? 1e300 : random_double(seed), NULL),
                STALL_OK);
    }
}

static void random_facts(stall_series *s, uint64_t *seed)
{
    static const char *const raw[] = {"4",
                                      "-2.50",
                                      "1e-7",
                                      "true",
                                      "null",
                                      "[1,-2]",
                                      "{\"a\":\"b,c\"}",
                                      "123456789012345678901234567890"};
    const char *text = pick(seed);
    char label[64];
    size_t n;

    n = stall_text_printable(label, sizeof(label), text, strlen(text));
    s->label = stall_mem_text(label, n);
    s->format = next_random(seed) % 2 ? "chrome" : "jsonl";
    s->sampled = next_random(seed) % 2;
    s->aggregated = next_random(seed) % 2;
    s->has_gpu = next_random(seed) % 2;
    for (size_t i = next_random(seed) % 6; i > 0; i--) {
        const char *key = pick(seed), *value = pick(seed);
        bool is_raw = next_random(seed) % 2;

        if (is_raw)
            value = raw[next_random(seed) % (sizeof(raw) / sizeof(raw[0]))];
        assert_int_equal(
            stall_series_set_meta(s, key, strlen(key), value, strlen(value), is_raw, NULL),
            STALL_OK);
    }
    for (size_t i = next_random(seed) % 4; i > 0; i--) {
        stall_warn_code code = (stall_warn_code)(next_random(seed) % STALL_WARN_COUNT);
        uint64_t at = next_random(seed), count = 1 + next_random(seed) % 5;

        if (stall_warn_find(&s->warnings, code) != NULL)
            continue;
        if (i % 2)
            stall_warn_add(&s->warnings, code, count, i == 3 ? STALL_OFFSET_NONE : at, NULL, "%s",
                           pick(seed));
        else
            stall_warn_add_line(&s->warnings, code, count, at, NULL, "%s", pick(seed));
    }
}

static void random_round_trips(void **state)
{
    uint64_t seed = 20240601;
    stall_series s;

    (void)state;
    for (int i = 0; i < 400; i++) {
        random_series(&s, &seed);
        random_facts(&s, &seed);
        there_and_back(&s);
        stall_series_close(&s);
    }
}

static void form(void **state)
{
    stall_row row = {3, STALL_UNKNOWN, 1500001, STALL_UNKNOWN, STALL_UNKNOWN, STALL_UNKNOWN, 2, -1};
    stall_text text;
    stall_series s;
    size_t index;

    (void)state;
    stall_series_init(&s);
    s.format = "chrome";
    s.label = stall_mem_text("broken w4", 9);
    stall_series_push(&s, &row, NULL);
    stall_series_counter(&s, "loss", 4, &index, NULL);
    stall_series_set_counter(&s, index, 0.1);
    stall_series_set_meta(&s, "num_workers", 11, "4", 1, true, NULL);
    stall_series_set_meta(&s, "rev", 3, "a, b", 4, false, NULL);
    stall_warn_add_line(&s.warnings, STALL_WARN_truncated, 1, 7, NULL, "cut");
    write_text(&s, &text);
    assert_string_equal(text.data, "# stalldiff-series: 1\n"
                                   "# label: broken w4\n"
                                   "# format: chrome\n"
                                   "# partial: true\n"
        "# rows: 1\n"
                                   "# meta.num_workers: 4\n"
                                   "# meta.rev: \"a\\u002c b\"\n"
                                   "# warning: truncated 1 line:7 \"cut\"\n"
                                   "rank,epoch,step,wait_ms,step_ms,exposed_ms,fetches,loss\n"
                                   "2,,3,1.500001,,,,0.1\n");
    stall_text_close(&text);
    stall_series_close(&s);
}

/* The cell at p, as a spreadsheet sees it: quotes count only where they begin a cell. */
static const char *cell_end(const char *p)
{
    if (*p != '"')
        return p + strcspn(p, ",\n");
    for (p++; p[0] != '"' || p[1] == '"'; p++)
        p += p[0] == '"';
    return p + 1;
}

/* No cell of any line begins a formula, unless it is a number. */
static void no_formulas(void **state)
{
    uint64_t seed = 77;
    stall_series s;
    stall_text text;

    (void)state;
    for (int i = 0; i < 100; i++) {
        random_series(&s, &seed);
        random_facts(&s, &seed);
        write_text(&s, &text);
        for (const char *p = text.data, *end; *p != '\0'; p = end + 1) {
            const char *cell = p + strspn(p, "\" ");
            double v;

            end = cell_end(p);
            assert_true(*end == ',' || *end == '\n');
            if (cell < end && strchr("=+-@\t", *cell) != NULL)
                assert_true(stall_decimal_double(cell, (size_t)(end - cell), &v));
        }
        stall_text_close(&text);
        stall_series_close(&s);
    }
}

/* Facts that people add by hand. */
static void by_hand(void **state)
{
    stall_read_options strict = {.strict = true};
    static const char text[] =
        "# stalldiff-series: 1\n# num_workers: 4\n# note: two words\n# partial: true\n"
        "# format: unheard\n# warning: unheard 1 - \"x\"\n# nonsense\n"
        "rank,step,wait_ms\n0,0,1\n# num_workers: 5\n0,1,2\n";
    stall_series s;
    stall_error error;

    (void)state;
    read_good(text, NULL, &s);
    assert_int_equal(stall_series_meta_int(&s, "num_workers"), 4);
    assert_string_equal(stall_series_meta(&s, "note"), "two words");
    assert_true(s.warnings.partial);
    assert_string_equal(s.format, "csv");
    assert_int_equal(s.warnings.len, 0);
    assert_int_equal(s.len, 2);
    stall_series_close(&s);
    assert_int_equal(
        read_text("# stalldiff-series: 1\n# warning: truncated 1 - \"cut\"\nrank,step,wait_ms\n"
                  "0,0,1\n",
                  &strict, &s, &error),
        STALL_EFORMAT);
    stall_series_close(&s);
}

static stall_status refuse(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    (void)data;
    (void)len;
    *(int *)ctx += 1;
    return stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "full");
}

static void full_disk(void **state)
{
    uint64_t seed = 5;
    int calls = 0;
    stall_sink sink = {&calls, refuse};
    stall_series s;
    stall_error error;

    (void)state;
    random_series(&s, &seed);
    assert_int_equal(stall_write_series(&s, &sink, &error), STALL_EWRITE);
    assert_int_equal(calls, 1);
    assert_string_equal(error.text, "full");
    stall_series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_round_trips), cmocka_unit_test(form),
        cmocka_unit_test(no_formulas),        cmocka_unit_test(by_hand),
        cmocka_unit_test(full_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
