/* Cut, broken and empty compressed streams: src/input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "input_support.h"

static void test_trailing_bytes(void **state)
{
    stall_text plain, bytes;
    outcome o;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        size_t len;

        stall_text_init(&plain);
        stall_text_init(&bytes);
        put_plain(&plain, 500, 3);
        if (kind == 0)
            put_gzip(&bytes, plain.data, plain.len, 6);
        else
            put_zstd(&bytes, plain.data, plain.len, 1, false);
        put(&bytes, "\0\0", 2);
        len = bytes.len;
        put(&bytes, "junk", 4);
        read_bytes(bytes.data, bytes.len, &o);
        assert_int_equal(o.status, STALL_OK);
        assert_int_equal(o.plain.len, plain.len);
        assert_false(o.cut);
        assert_false(o.warnings.partial);
        assert_int_equal(o.warnings.len, 1);
        assert_int_equal(o.warnings.items[0].code, STALL_WARN_bad_header);
        assert_int_equal(o.warnings.items[0].offset, len);
        outcome_close(&o);
        read_path(path, 0, true, &o);
        assert_int_equal(o.status, STALL_EFORMAT);
        outcome_close(&o);
        stall_text_close(&plain);
        stall_text_close(&bytes);
    }
}

static void test_cut_everywhere(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t before = 0;
        sample s;

        make_sample(&s, kind, 400);
        for (size_t len = kind == 0 ? 2 : 4; len < s.bytes.len; len++) {
            outcome o;

            read_bytes(s.bytes.data, len, &o);
            assert_true(o.plain.len >= before); /* more bytes never give less */
            before = o.plain.len;
            assert_true(o.plain.len <= s.plain.len);
            if (o.plain.len > 0)
                assert_memory_equal(o.plain.data, s.plain.data, o.plain.len);
            if (len == s.first) { /* between members: nothing is missing */
                assert_int_equal(o.status, STALL_OK);
                assert_int_equal(o.warnings.len, 0);
            } else if (o.plain.len == 0) {
                assert_int_equal(o.status, STALL_EFORMAT);
                assert_non_null(strstr(o.error.text, "cut short"));
            } else {
                assert_int_equal(o.status, STALL_OK);
                assert_true(o.cut && o.warnings.partial);
                assert_int_equal(o.warnings.items[0].code, STALL_WARN_compressed_cut);
                assert_int_equal(o.warnings.items[0].offset, len);
            }
            if (len >= s.first)
                assert_true(o.plain.len >= 400);
            outcome_close(&o);
        }
        assert_true(before > 400);
        sample_close(&s);
    }
}

static void test_corrupt_everywhere(void **state)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff};

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sample s;

        make_sample(&s, kind, 200);
        for (size_t at = 0; at < s.bytes.len; at++) {
            for (size_t i = 0; i < sizeof(flips); i++) {
                outcome o;

                s.bytes.data[at] = (char)(s.bytes.data[at] ^ flips[i]);
                read_bytes(s.bytes.data, s.bytes.len, &o);
                if (o.status == STALL_OK && o.cut) {
                    assert_true(o.warnings.partial);
                    assert_true(o.warnings.items[0].offset <= s.bytes.len);
                }
                /* Damage in the second member leaves the first alone. */
                if (at >= s.first) {
                    assert_int_equal(o.status, STALL_OK);
                    assert_true(o.plain.len >= 200);
                    assert_memory_equal(o.plain.data, s.plain.data, 200);
                }
                outcome_close(&o);
                s.bytes.data[at] = (char)(s.bytes.data[at] ^ flips[i]);
            }
        }
        sample_close(&s);
    }
}

/* What was decoded before a wrong checksum or a broken block stays. */
static void test_damage_keeps_data(void **state)
{
    sample s;
    outcome o;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        make_sample(&s, kind, 300000);
        s.bytes.data[s.first - (kind == 0 ? 6 : 2)] ^= 1; /* the checksum of the first member */
        read_bytes(s.bytes.data, s.bytes.len, &o);
        assert_int_equal(o.status, STALL_OK);
        assert_int_equal(o.plain.len, 300000);
        assert_true(o.cut);
        assert_int_equal(o.warnings.items[0].code, STALL_WARN_compressed_cut);
        assert_int_equal(o.warnings.items[0].offset, s.first - (kind == 0 ? 8 : 4));
        assert_non_null(strstr(o.warnings.items[0].text, "check"));
        outcome_close(&o);
        read_path(path, 0, true, &o);
        assert_int_equal(o.status, STALL_EFORMAT);
        outcome_close(&o);
        sample_close(&s);
    }
    make_sample(&s, 2, 300000);
    memset(s.bytes.data + s.first / 2, 0xff, 200);
    read_bytes(s.bytes.data, s.bytes.len, &o);
    assert_int_equal(o.status, STALL_OK);
    assert_true(o.plain.len > 100000 && o.plain.len < 200000);
    assert_memory_equal(o.plain.data, s.plain.data, o.plain.len);
    outcome_close(&o);
    sample_close(&s);
}

static void test_nothing_in_it(void **state)
{
    static const char skip[] = "\x51\x2a\x4d\x18\x02\0\0\0hi";
    stall_text bytes;

    (void)state;
    expect_error("", 0, STALL_EFORMAT, "file is empty");
    for (int kind = 0; kind < 2; kind++) {
        stall_text_init(&bytes);
        if (kind == 0)
            put_gzip(&bytes, "", 0, 6);
        else
            put_zstd(&bytes, "", 0, 1, false);
        expect_error(bytes.data, bytes.len, STALL_EFORMAT, "compressed file holds no data");
        put(&bytes, "junk", 4);
        expect_error(bytes.data, bytes.len, STALL_EFORMAT, "compressed file holds no data");
        stall_text_close(&bytes);
    }
    expect_error(skip, sizeof(skip) - 1, STALL_EFORMAT, "compressed file holds no data");
    expect_error("\x1f\x8b", 2, STALL_EFORMAT, "gzip stream is cut short at byte 2");
    expect_error("\x1f\x8b\x07\0\0\0\0\0\0\0", 10, STALL_EFORMAT, "unknown compression method");
    expect_error("\x28\xb5\x2f\xfd\x08\xff\xff\xff", 8, STALL_EFORMAT, "zstd stream is damaged");
    /* A window of 2 GiB is more than anybody should be made to allocate. */
    expect_error("\x28\xb5\x2f\xfd\0\xa8\x01\0\0", 9, STALL_EFORMAT, "too much memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trailing_bytes),     cmocka_unit_test(test_cut_everywhere),
        cmocka_unit_test(test_corrupt_everywhere), cmocka_unit_test(test_damage_keeps_data),
        cmocka_unit_test(test_nothing_in_it),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
