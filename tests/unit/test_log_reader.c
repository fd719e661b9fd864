/* Training logs of the frameworks: which line is a row, of which step, with which wait; and what
 * logs of every form do when they are resumed, cut or hostile. A row is shown as
 * [eEPOCH.]STEP:wait/step in milliseconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/logs.h"

typedef struct memory {
    const char *data;
    size_t len, chunk;
} memory;

static char shown[4096];
static stall_error error;

static stall_status next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                         stall_error *reterr)
{
    memory *m = ctx;
    size_t n = m->len < m->chunk ? m->len : m->chunk;

    (void)reterr;
    *ret_data = (const unsigned char *)m->data;
    *ret_len = n;
    m->data += n;
    m->len -= n;
    return STALL_OK;
}

static int put_ms(char *to, int64_t ns)
{
    if (ns == STALL_UNKNOWN)
        return sprintf(to, "?");
    if (ns % 1000000 == 0)
        return sprintf(to, "%lld", (long long)(ns / 1000000));
    return sprintf(to, "%lld.%06lld", (long long)(ns / 1000000), (long long)(ns % 1000000));
}

static const char *show(const stall_series *s)
{
    char *to = shown;

    to += sprintf(to, "%s", s->format);
    for (size_t i = 0; i < s->len && to < shown + sizeof(shown) - 200; i++) {
        *to++ = ' ';
        if (s->rows[i].epoch != STALL_UNKNOWN)
            to += sprintf(to, "e%lld.", (long long)s->rows[i].epoch);
        to += sprintf(to, "%lld:", (long long)s->rows[i].step);
        to += put_ms(to, s->rows[i].wait_ns);
        *to++ = '/';
        to += put_ms(to, s->rows[i].step_ns);
    }
    if (s->sampled || s->aggregated)
        to += sprintf(to, " %s", s->medians      ? "medians"
                                 : s->aggregated ? "means"
                                                 : "sampled");
    for (size_t i = 0; i < s->warnings.len; i++)
        to += sprintf(to, " %s*%u", stall_warn_name(s->warnings.items[i].code),
                      (unsigned)s->warnings.items[i].count);
    return shown;
}

/* Reads the text whole and cut to bits, by content. */
static void expect(const char *text, const char *want)
{
    static const size_t chunks[] = {1u << 20, 1, 7};

    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        memory m = {text, strlen(text), chunks[i]};
        stall_source src = {&m, next, NULL, "train.log", NULL};
        stall_series s;

        stall_series_init(&s);
        memset(&error, 0, sizeof(error));
        if (stall_read(&src, NULL, &s, &error) != STALL_OK)
            snprintf(shown, sizeof(shown), "error %d: %.200s", (int)error.status, error.text);
        else
            show(&s);
        stall_series_close(&s);
        assert_string_equal(shown, want);
    }
}

static void test_mmengine(void **state)
{
    (void)state;
    expect("{\"lr\":0.1,\"data_time\":0.25,\"loss\":1,\"time\":0.5,\"epoch\":1,\"iter\":50,\"step\":50}\n"
           "{\"lr\":0.1,\"data_time\":NaN,\"loss\":1,\"time\":0.5,\"iter\":100,\"step\":100}\n"
           "{\"mAP\":0.3,\"data_time\":9,\"time\":9,\"step\":1}\n"
           "{\"train/loss\":1,\"train/data_time\":0.1,\"train/time\":0.2,\"step\":150}\n",
           "mmengine 50:250/500 100:?/500 150:100/200 means rows_skipped*1 aggregated_rows*3");
    expect("x - mmengine - INFO - Epoch(train)  [1][ 50/100]  lr: 1  time: 0.5  data_time: 0.25\n"
           "x - mmengine - INFO - Epoch(val)  [1][10/10]  time: 1.0  data_time: 9.0\n"
           "x - mmengine - INFO - Epoch(train)  [2][ 50/100]  lr: 1  time: 0.5  data_time: 0.125\n",
           "mmengine-text 50:250/500 150:125/500 means rows_skipped*1 aggregated_rows*2");
    expect("INFO - Iter(train) [  50/90000]  lr: 1  time: 0.5  data_time: 0.25\n"
           "INFO - Iter(val) [  5/50]  time: 0.5  data_time: 9.25\n",
           "mmengine-text 50:250/500 means rows_skipped*1 aggregated_rows*1");
}

static void test_mmcv(void **state)
{
    (void)state;
    expect("{\"env_info\":\"x\"}\n"
           "{\"mode\":\"train\",\"epoch\":1,\"iter\":50,\"data_time\":0.25,\"time\":0.5}\n"
           "{\"mode\":\"val\",\"epoch\":1,\"iter\":9,\"data_time\":9,\"time\":9}\n"
           "{\"mode\":\"train\",\"epoch\":2,\"iter\":50,\"data_time\":0.1,\"time\":0.5}\n",
           "mmcv e1.50:250/500 e2.50:100/500 means rows_skipped*2 aggregated_rows*2");
    expect("a - mmdet - INFO - Epoch [1][50/400]\tlr: 2e-02, eta: 1 day, 2:03, time: 0.332, "
           "data_time: 0.042, memory: 1\n"
           "a - mmdet - INFO - Epoch(val) [1][100]\tbbox_mAP: 0.3, data_time: 0.8, time: 1.0\n",
           "mmengine-text 50:42/332 means rows_skipped*1 aggregated_rows*1");
}

static void test_detectron2(void **state)
{
    (void)state;
    expect("{\"data_time\": 0.25, \"iteration\": 19, \"rank_data_time\": 7}\n"
           "{\"bbox/AP\": 31.2, \"iteration\": 19}\n"
           "{\"data_time\": 0.1, \"iteration\": 39, \"time\": 0.5}\n",
           "detectron2 19:250/? 39:100/500 medians rows_skipped*1 aggregated_rows*2");
    expect("\x1b[32m[06/01 12:00:00 d2.utils.events]: \x1b[0m eta: 1:02  iter: 19  time: 0.54  "
           "last_time: 0.51  data_time: 0.0067  last_data_time: 0.0021  lr: 1e-5\n"
           "[06/01 12:00:09 d2.utils.events]:  eta: 1:02  iter: 39  time: 0.54  last_time: 0.50  "
           "data_time: 0.0067  last_data_time: 0.0030  lr: 1e-5\n",
           "detectron2-text 19:2.100000/510 39:3/500 sampled");
    expect("[06/01 12:00:00 d2.utils.events]:  eta: 1:02  iter: 19  time: 0.54  data_time: 0.25\n",
           "detectron2-text 19:250/? means aggregated_rows*1");
}

static void test_lerobot(void **state)
{
    (void)state;
    expect("INFO x step:600 smpl:2K ep:3 loss:6.1 updt_s:0.210 data_s:0.013\n"
           "INFO x step:800 smpl:2K ep:3 loss:6.1 updt_s:0.210 data_s:0.010\n"
           "T: 1%|# | 2/9 [0:01<1:00, 3step/s]INFO x step:1K ep:3 updt_s:0.210 data_s:0.011\r"
           "INFO x step:1K ep:3 updt_s:0.210 data_s:0.012\n"
           "INFO x step:1K sumr:0.5 eval_s:33.1\n"
           "INFO x step:1K ep:3 updt_s:0.210 data_s:0.014\n"
           "INFO x step:800 ep:3 updt_s:0.210 data_s:0.015\n",
           "lerobot e0.600:13/223 e0.800:10/220 e0.1000:11/221 e0.1200:12/222 e0.1400:14/224 "
           "e1.800:15/225 means rows_skipped*1 aggregated_rows*6");
    expect("INFO step:12K updt_s:0.2 data_s:0.1 prep_s:0.004 step_s:0.304 smp/s:38\n"
           "INFO step:12K updt_s:0.2 data_s:0.1 prep_s:0.004\n",
           "lerobot 12000:100/304 12200:100/304 means aggregated_rows*2");
}

static void test_vision(void **state)
{
    (void)state;
    expect("Train: 0 [  50/100 ( 50%)]  Loss: 6 (6)  Time: 0.243s,  526/s  (0.329s,  389/s)  "
           "Data: 0.012 (0.034)\n"
           "Test: [   0/97]  Time: 3.123 (3.123)  Loss: 0.9 (0.9)\n"
           "Train: 1 [   0/100 (  0%)]  Time: 0.2s, 5/s (0.3s, 3/s)  Data: 0.010 (0.034)\n",
           "timm 50:12/243 100:10/200 sampled rows_skipped*1");
    expect("Epoch: [0][   11/100]\tTime  0.243 ( 0.634)\tData  0.001 ( 0.356)\tLoss 6 (7)\n"
           "Test: [  1/98]\tTime  3.123 ( 3.123)\tLoss 6.9 (6.9)\n"
           "Epoch: [1][    1/100]\tTime  0.243 ( 0.634)\tData  0.000 ( 0.356)\tLoss 6 (7)\n",
           "imagenet 11:1/243 101:0/243 sampled rows_skipped*1");
    expect("Epoch: [0]  [  10/100]  eta: 0:10  lr: 0.1  loss: 6 (6)  time: 0.5  data: 0.0125  max mem: 9\n"
           "Epoch: [0] Total time: 0:01:00\n"
           "Test:  [  0/98]  eta: 0:01  loss: 6 (6)  time: 1.2  data: 0.9\n",
           "metric-logger 10:12.500000/500 means rows_skipped*1 aggregated_rows*1");
}

static void test_text(void **state)
{
    (void)state;
    expect("2026-06-01 12:00:00 INFO step=0 wait_ms=1.5 step_ms=40 loss=0.5\r\n"
           "2026-06-01 12:00:01 INFO saving to /tmp/x: done\r\n"
           "2026-06-01 12:00:02 INFO step=1 wait_ms=nan step_ms=40 loss=0.5\r\n"
           "2026-06-01 12:00:03 INFO step: 2, wait_ms: -1, step_ms: 40\r\n",
           "text 0:1.500000/40 1:?/40 2:?/40");
}

static void test_resumed(void **state)
{
    (void)state;
    expect("Train: 0 [  50/100]  Time: 0.2s  Data: 0.012 (0)\n"
           "Train: 0 [  50/100]  Time: 0.2s  Data: 0.012 (0)\n" /* logged again */
           "Train: 0 [  51/100]  Time: 0.2s  Data: 0.012 (0)\n"
           "Train: 0 [  20/100]  Time: 0.2s  Data: 0.013 (0)\n",
           "timm e0.50:12/200 e0.51:12/200 e1.20:13/200 rows_skipped*1");
}

static void test_hostile(void **state)
{
    (void)state;
    expect("Train: 99999999999999999999 [  50/100]  Time: 1s  Data: 1 (0)\n"
           "Train: 9223372036854775807 [  50/9223372036854775807]  Time: 1s  Data: 1 (0)\n"
           "Train: 0 [  50/100]  Time: 9e99s  Data: -0.5 (0)\n"
           "Train: [[[[[[ Data: 1\n",
           "timm 50:?/?");
    expect("{\"mode\":\"train\",\"epoch\":1,\"iter\":1,\"data_time\":1,\"time\":2}\n"
           "{\"mode\":\"train\",\"epoch\":1,\"iter\":2,\"data_t\n"
           "Killed\n"
           "{\"mode\":\"train\",\"epoch\":1,\"iter\":3,\"data_time\":1,\"ti",
           "mmcv e1.1:1000/2000 means truncated*1 events_lost*1 rows_skipped*1 aggregated_rows*1");
}

static void test_fields(void **state)
{
    char colours[] = "a\x1b[1;32mb\x1b]0;title\x07" "c\x1b(d\x1b[";
    stall_cell line = {"last_time: 1 time:2 x", 21}, v;
    size_t n = stall_log_plain(colours, strlen(colours));

    (void)state;
    assert_int_equal(n, 4);
    assert_memory_equal(colours, "abcd", 4);
    assert_true(stall_log_field(line, "time", ':', &v));
    assert_true(stall_cell_is(v, "2"));
    assert_false(stall_log_field(line, "x", ':', &v));
    assert_true(stall_log_seconds((stall_cell){"0.5s", 4}) == 500000000);
    assert_true(stall_log_seconds((stall_cell){"-1", 2}) == STALL_UNKNOWN);
    assert_true(stall_log_whole((stall_cell){"1.5", 3}) == STALL_UNKNOWN);
    assert_true(stall_log_number(INT64_MAX, 2, 0) == STALL_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mmengine), cmocka_unit_test(test_mmcv),
        cmocka_unit_test(test_detectron2), cmocka_unit_test(test_lerobot),
        cmocka_unit_test(test_vision), cmocka_unit_test(test_text),
        cmocka_unit_test(test_resumed), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
