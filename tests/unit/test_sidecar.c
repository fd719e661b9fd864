/* Metadata sidecars: src/read/sidecar.c. */
#include "table_support.h"

static void facts(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf {\n \"type\": \"meta\",\n \"num_workers\": 4,\n"
        " \"revision\": \"a \\\"b\\\"\\n\", \"in_order\": true, \"x\": NaN,\n"
        " \"deep\": {\"a\": [1, 2 ]}, \"none\": null, \"epoch\": 2.0}\n";
    stall_series s;
    stall_error error;

    (void)state;
    stall_series_init(&s);
    assert_int_equal(stall_series_set_meta(&s, "num_workers", 11, "8", 1, true, &error), STALL_OK);
    assert_int_equal(stall_read_sidecar(text, sizeof(text) - 1, "m", &s, &error), STALL_OK);
    assert_int_equal(stall_series_meta_int(&s, "num_workers"), 8); /* what the input said stays */
    assert_string_equal(stall_series_meta(&s, "revision"), "a \"b\"\\x0A");
    assert_string_equal(stall_series_meta(&s, "in_order"), "true");
    assert_string_equal(stall_series_meta(&s, "deep"), "{\"a\":[1,2]}");
    assert_string_equal(stall_series_meta(&s, "x"), "NaN");
    assert_int_equal(stall_series_meta_int(&s, "none"), STALL_UNKNOWN);
    assert_int_equal(stall_series_meta_int(&s, "epoch"), 2);
    assert_null(stall_series_meta(&s, "type"));
    for (size_t i = 0; i < s.meta_len; i++)
        assert_int_equal(s.meta[i].raw,
                         strcmp(s.meta[i].key, "revision") != 0 && strcmp(s.meta[i].key, "x") != 0);
    stall_series_close(&s);
}

static void refusals(void **state)
{
    static const char *const texts[] = {
        "", " ", "[1]", "4", "{\"a\": 1", "{\"a\": 1} x", "{\"a\": }", "null", "{} {}"};
    stall_series s;
    stall_error error;

    (void)state;
    stall_series_init(&s);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(
            stall_read_sidecar(texts[i], strlen(texts[i]), "run.meta.json", &s, &error),
            STALL_EFORMAT);
        assert_string_equal(error.source, "run.meta.json");
        assert_true(error.hint[0] != '\0');
    }
    assert_int_equal(stall_read_sidecar("{}", 2, "m", &s, &error), STALL_OK);
    assert_int_equal(s.meta_len, 0);
    stall_series_close(&s);
}

static void long_values(void **state)
{
    char *text = malloc(40000);
    stall_series s;
    stall_error error;

    (void)state;
    assert_non_null(text);
    strcpy(text, "{\"a\": [");
    for (int i = 0; i < 9000; i++)
        strcat(text + 6, "1,");
    strcat(text, "1], \"b\": \"");
    memset(text + strlen(text) + 0, 'x', 1);
    text[strlen("{\"a\": [") + 18000 + strlen("1], \"b\": \"") + 1] = '\0';
    strcat(text, "\"}");
    stall_series_init(&s);
    assert_int_equal(stall_read_sidecar(text, strlen(text), "m", &s, &error), STALL_OK);
    assert_false(s.meta[0].raw); /* cut, so no JSON value any more */
    assert_true(strlen(s.meta[0].value) < 4096);
    assert_string_equal(stall_series_meta(&s, "b"), "x");
    stall_series_close(&s);
    free(text);
}

static void no_memory(void **state)
{
    static const char text[] = "{\"a\": NaN, \"b\": \"c\"}";
    stall_series s;
    stall_error error;
    stall_status status = STALL_ENOMEM;

    (void)state;
    for (uint64_t n = 1; status == STALL_ENOMEM && n < 100; n++) {
        stall_series_init(&s);
        stall_mem_fail_at(n);
        status = stall_read_sidecar(text, sizeof(text) - 1, "m", &s, &error);
        stall_mem_fail_at(0);
        stall_series_close(&s);
    }
    assert_int_equal(status, STALL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(long_values),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
