/* The Chrome-trace reader on small traces written in line: one for every rule of what is a step
 * and what is a wait, and one for every kind of odd or damaged file. Times are microseconds; a step
 * is shown as label:wait/span/fetches, "?" for what is unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/read.h"

/* ---- a source in memory and the result as text ---- */

typedef struct memory {
    const char *data;
    size_t len, chunk;
    bool cut;
} memory;

static stall_status memory_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
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

static stall_status memory_finish(void *ctx, stall_warnings *warnings, bool *ret_cut,
                                  stall_error *reterr)
{
    memory *m = ctx;

    *ret_cut = m->cut;
    if (!m->cut)
        return STALL_OK;
    return stall_warn_add(warnings, STALL_WARN_compressed_cut, 1, 0, reterr, "cut");
}

static char shown[8192];
static stall_error error;
static bool strict, cut_stream, show_exposed, show_other;
static const char *wait_name, *file_name = "trace.json";

static void put(const char *fmt, ...)
{
    va_list ap;
    size_t n = strlen(shown);

    va_start(ap, fmt);
    vsnprintf(shown + n, sizeof shown - n, fmt, ap);
    va_end(ap);
}

static void put_us(int64_t ns)
{
    if (ns == STALL_UNKNOWN)
        put("?");
    else if (ns % 1000)
        put("%lld.%03lld", (long long)(ns / 1000), (long long)(ns % 1000));
    else
        put("%lld", (long long)(ns / 1000));
}

static void show(const stall_series *s)
{
    size_t i;

    for (i = 0; i < s->len; i++) {
        const stall_row *r = &s->rows[i];
        put("%s", i ? " " : "");
        if (r->rank)
            put("r%d.", (int)r->rank);
        if (r->epoch != STALL_UNKNOWN)
            put("e%lld.", (long long)r->epoch);
        put("%lld:", (long long)r->step);
        put_us(r->wait_ns);
        put("/");
        put_us(r->step_ns);
        put("/%d", (int)r->fetches);
        if (show_exposed) {
            put("/x");
            put_us(r->exposed_ns);
        }
        if (show_other) {
            put("/o");
            put_us(r->other_wait_ns);
        }
    }
    if (s->warnings.len)
        put(" |");
    for (i = 0; i < s->warnings.len; i++)
        put(" %s*%u", stall_warn_name(s->warnings.items[i].code),
            (unsigned)s->warnings.items[i].count);
    if (s->warnings.partial)
        put(" PARTIAL");
}

static stall_status run(const char *text, size_t len, size_t chunk, stall_series *s)
{
    memory m = {text, len, chunk, cut_stream};
    stall_source src = {&m, memory_next, memory_finish, file_name, NULL};
    stall_read_options options = {.format = "chrome", .wait_name = wait_name, .strict = strict};
    stall_status status;

    shown[0] = '\0';
    memset(&error, 0, sizeof error);
    stall_series_init(s);
    status = stall_read(&src, &options, s, &error);
    if (status)
        put("error %d", (int)status);
    else
        show(s);
    return status;
}

/* Reads the text whole and byte by byte, and compares. */
static void expect_len(const char *text, size_t len, const char *want)
{
    static const size_t chunks[] = {1u << 20, 1, 13};
    stall_series s;
    size_t i;

    for (i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        run(text, len, chunks[i], &s);
        stall_series_close(&s);
        if (strcmp(shown, want) != 0)
            fail_msg("chunks of %zu\n got  %s\n want %s\n (%s)", chunks[i], shown, want,
                     error.text);
    }
}

static void expect(const char *text, const char *want)
{
    expect_len(text, strlen(text), want);
}

static void expect_error(const char *text, stall_status status, const char *part)
{
    stall_series s;

    if (run(text, strlen(text), 1u << 20, &s) != status)
        fail_msg("got %s (%s), want status %d", shown, error.text, (int)status);
    stall_series_close(&s);
    if (!strstr(error.text, part))
        fail_msg("error text: %s\n want in it: %s", error.text, part);
    assert_string_equal(error.source, file_name);
}

/* ---- words for traces ---- */

#define EV(name, cat, pid, tid, ts, dur)                                                     \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":" #pid ",\"tid\":" #tid \
    ",\"ts\":" #ts ",\"dur\":" #dur "}"
#define USER(name, ts, dur) EV(name, "user_annotation", 7, 7, ts, dur)
#define STEP(n, ts, dur) USER("ProfilerStep#" #n, ts, dur)
#define NEXT(class) "enumerate(DataLoader)#" class ".__next__"
#define WAIT(ts, dur) USER(NEXT("M"), ts, dur)
#define VAL(ts, dur) USER(NEXT("S"), ts, dur)
#define OP(ts, dur) EV("aten::mm", "cpu_op", 7, 7, ts, dur)
#define FRAME(name, ts, dur) EV(name, "python_function", 7, 7, ts, dur)
#define KERNEL(stream, ts, dur) EV("gemm", "kernel", 0, stream, ts, dur)
#define LOOP(n) STEP(n, n##000, 995) "," WAIT(n##020, 100) "," OP(n##600, 300)
#define TRACE(events) "{\"schemaVersion\":1,\"traceEvents\":[" events "]}"
#define TWO LOOP(1) "," LOOP(2)
#define TWO_ROWS "1:100/995/1 2:100/995/1"

/* ---- the rules ---- */

static void test_plain(void **state)
{
    (void)state;
    expect(TRACE(TWO), TWO_ROWS);
    /* post-order: children before their marker */
    expect(TRACE(WAIT(1020, 100) "," OP(1600, 300) "," STEP(1, 1000, 995) "," WAIT(
               2020, 100) "," OP(2600, 300) "," STEP(2, 2000, 995)),
           TWO_ROWS);
    /* all markers last, not in order */
    expect(TRACE(WAIT(2020, 100) "," WAIT(1020, 100) "," OP(2600, 300) "," OP(1600, 300) "," STEP(
               2, 2000, 995) "," STEP(1, 1000, 995)),
           TWO_ROWS);
    expect("[" TWO "]", TWO_ROWS);
    expect("\n " TRACE(TWO), TWO_ROWS);
    /* markers of every host category; copies on the device are dropped */
    expect(TRACE(EV("ProfilerStep#1", "Operator", 7, 7, 1000, 995) "," WAIT(1020, 100) "," OP(
               1600,
               300) "," EV("ProfilerStep#2", "cpu_op", 7, 7, 2000,
                           995) "," WAIT(2020,
                                         100) "," OP(2600,
                                                     300) "," EV("ProfilerStep#1",
                                                                 "gpu_user_annotation", 0, 3, 1100,
                                                                 500) "," EV(NEXT("M"),
                                                                             "gpu_user_annotation",
                                                                             0, 3, 1100, 500)),
           TWO_ROWS);
}

static void test_numbers(void **state)
{
    (void)state;
    /* int, three decimals, exponent, string; a 19-digit time does not fit a double */
    expect("[" EV("ProfilerStep#1", "x", 7, 7, 1712195495519689.047,
                  995.001) "," EV(NEXT("M"), "x", "7", "7", "1712195495519690.048",
                                  "1e2") "," EV(NEXT("M"), "x", 7, "7", 1712195495519890.001,
                                                0.0625) "," OP(1712195495519900, 1) "]",
           "1:100.062/995.001/2 | several_fetches*1");
    /* a base anywhere; doubled keys: the last of an event counts */
    expect("{\"traceEvents\":[" LOOP(
               1) ",{\"name\":\"x\",\"ph\":\"X\",\"name\":\"ProfilerStep#2\","
                  "\"pid\":7,\"tid\":7,\"ts\":1,\"dur\":995,\"ts\":2000}," WAIT(2020, 100) "," OP(
                      2600, 300) "],\"baseTimeNanoseconds\":1790857026000000000}",
           TWO_ROWS);
    /* keys of args are not the event's own */
    expect(
        "[{\"args\":{\"name\":\"ProfilerStep#9\",\"ts\":1,\"s\":\"}{[\"},\"dur\":995,\"ts\":1000,"
        "\"tid\":7,\"pid\":7,\"name\":\"ProfilerStep#1\",\"ph\":\"X\"}," WAIT(1020, 100) "," OP(
            1600, 300) ",{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":7,\"args\":{"
                       "\"name\":\"" NEXT("M") "\"}}]",
        "1:100/995/1");
    /* escapes spell a name, and a key */
    expect("[{\"ph\":\"X\",\"n\\u0061me\":\"Profiler\\u0053tep#1\",\"pid\":7,\"tid\":7,\"ts\":1000,"
           "\"dur\":995}," WAIT(1020, 100) "," OP(1600, 300) "]",
           "1:100/995/1");
}

static void test_begin_and_end_events(void **state)
{
#define BE(ph, name, ts) \
    "{\"ph\":\"" ph "\",\"name\":\"" name "\",\"pid\":7,\"tid\":7,\"ts\":" #ts "}"
    (void)state;
    expect("[" BE("B", "ProfilerStep#1", 1000) "," BE("B", NEXT("M"), 1020) "," BE(
               "E", "", 1120) "," BE("B", "work", 1600) "," BE("E", "", 1900) "," BE("E", "",
                                                                                     1995) "]",
           "1:100/995/1");
    /* never ended */
    expect("[" LOOP(1) "," BE("B", "ProfilerStep#2", 2000) "," BE("B", NEXT("M"), 2020) "]",
           "1:100/995/1 2:?/?/1 | unfinished_event*2");
}

static void test_markers(void **state)
{
    (void)state;
    /* overlap is cut at the later start; a microsecond is rounding */
    expect(TRACE(STEP(1, 1000, 1010) "," WAIT(1020, 100) "," OP(1600, 300) "," STEP(
               2, 2000, 995) "," WAIT(2005, 100) "," OP(2600, 300)),
           "1:100/1000/1 2:100/995/1 | markers_overlap*1");
    expect(TRACE(STEP(1, 1000, 1001) "," WAIT(1020, 100) "," OP(1600, 300) "," LOOP(2)),
           "1:100/1001/1 2:100/995/1");
    /* the form with blanks counts only where no exact one is */
    expect(TRACE(TWO "," USER("ProfilerStep# 9", 1010, 50)), TWO_ROWS);
    expect(TRACE(USER("ProfilerStep# 9", 1000, 995) "," WAIT(1020, 100) "," OP(1600, 300)),
           "9:100/995/1");
    /* two processes are two ranks, each with its own numbering */
    expect(TRACE(LOOP(1) "," EV("ProfilerStep#1", "x", 8, 8, 1000, 900) "," EV(
               NEXT("M"), "x", 8, 8, 1010, 50) "," EV("op", "x", 8, 8, 1600, 9)),
           "r7.1:100/995/1 r8.1:50/900/1");
    expect("{\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":3,\"world_size\":8},"
           "\"traceEvents\":[" LOOP(1) "]}",
           "r3.1:100/995/1");
    file_name = "/x/worker5_4242.1796.pt.trace.json";
    expect(TRACE(LOOP(1)), "r5.1:100/995/1");
    file_name = "cpu_only_rank-34.json";
    expect(TRACE(LOOP(1)), "r34.1:100/995/1");
    file_name = "trace.json";
    /* a numbering that starts again, or repeats, is a new segment; holes are none */
    expect(TRACE(LOOP(1) "," LOOP(2) "," STEP(1, 3000, 995) "," WAIT(3020, 100) "," OP(
               3600, 300) "," STEP(1, 4000, 995) "," WAIT(4020, 100) "," OP(4600, 300)),
           "e0.1:100/995/1 e0.2:100/995/1 e1.1:100/995/1 e2.1:100/995/1");
    expect(TRACE(LOOP(1) "," LOOP(5)), "1:100/995/1 5:100/995/1 | missing_steps*3");
}

static void test_tiers(void **state)
{
#define T3 "torch/utils/data/dataloader.py(703): __next__"
    (void)state;
    /* nested tiers: only the first counts */
    expect(TRACE(STEP(1, 1000, 995) "," USER("## next_batch ##", 1010, 130) "," USER(
               "[Loop].train_dataloader_next", 1012,
               120) "," FRAME(T3, 1015, 110) "," WAIT(1020, 100) "," OP(1600, 300)),
           "1:100/995/1");
    expect(TRACE(STEP(1, 1000, 995) "," USER("[Loop].train_dataloader_next", 1012,
                                             120) "," FRAME(T3, 1015, 110) "," OP(1600, 300)),
           "1:120/995/1 | wait_tier*1");
    expect(TRACE(STEP(1, 1000, 995) "," FRAME(T3, 1015, 110) "," OP(1600, 300)),
           "1:110/995/1 | wait_tier*1");
    expect(TRACE(STEP(1, 1000, 995) "," USER("## next_batch ##", 1010, 130) "," OP(1600, 300)),
           "1:130/995/1 | wait_tier*1");
    wait_name = "^my (wait|fetch)$";
    expect(TRACE(STEP(1, 1000, 995) "," USER("my fetch", 1010,
                                             130) "," WAIT(1020, 100) "," OP(1600, 300)),
           "1:130/995/1");
    wait_name = "nothing like it";
    expect_error(TRACE(TWO), STALL_ENODATA, "matches --wait-name");
    wait_name = "(";
    expect_error(TRACE(TWO), STALL_EUSAGE, "--wait-name");
    wait_name = NULL;
}

static void test_other_threads(void **state)
{
    (void)state;
    expect(TRACE(TWO "," EV(NEXT("M"), "x", 7, 9, 1400, 100)), TWO_ROWS " | off_thread_waits*1");
    expect_error(TRACE(STEP(1, 1000, 995) "," EV(NEXT("M"), "x", 7, 9, 1400, 100)), STALL_ENODATA,
                 "not measured");
    /* pid and tid are compared as text */
    expect(TRACE(STEP(1, 1000, 995) "," EV(NEXT("M"), "x", "7", "7", 1020, 100) "," OP(1600, 1)),
           "1:100/995/1");
}

static void test_evaluation(void **state)
{
#define EVAL "[pl][profile][_EvaluationLoop].val_next"
    (void)state;
    /* step 1 of the validation's own counter is left out, the rest numbered on */
    expect(
        TRACE(STEP(4, 1000, 995) "," WAIT(1020, 100) "," OP(1600, 300) "," STEP(
            1, 2000,
            995) "," USER(EVAL, 2010,
                          200) "," WAIT(2020,
                                        100) "," OP(2600,
                                                    300) "," STEP(9, 3000,
                                                                  995) "," WAIT(3020,
                                                                                100) "," OP(3600,
                                                                                            300)),
        "4:100/995/1 5:100/995/1 | evaluation_steps*1");
    /* mixed: the step stays, its evaluation fetches do not count */
    expect(TRACE(STEP(4, 1000, 995) "," WAIT(1020, 100) "," USER(EVAL, 1300, 200) "," WAIT(
               1310, 50) "," OP(1600, 300)),
           "4:100/995/1");
    expect_error(TRACE(STEP(4, 1000, 995) "," USER(EVAL, 1300, 200) "," WAIT(1310, 50)),
                 STALL_ENODATA, "no step has a usable input wait");
}

static void test_loaders(void **state)
{
    (void)state;
    show_other = true;
    expect(TRACE(LOOP(1) "," LOOP(2) "," LOOP(3) "," VAL(3300, 50) "," VAL(3400, 50)),
           "1:100/995/1/o0 2:100/995/1/o0 3:100/995/1/o100 | other_loader*2");
    show_other = false;
    /* half of the steps: both are input */
    expect(TRACE(LOOP(1) "," LOOP(2) "," VAL(2300, 50)),
           "1:100/995/1 2:150/995/2 | several_fetches*1");
    /* DataPipe names are no classes: they nest */
    expect(TRACE(STEP(1, 1000, 995) "," USER("enumerate(DataPipe)#Batcher", 1020, 100) "," USER(
               "enumerate(DataPipe)#Mapper", 1030, 50) "," OP(1600, 300)),
           "1:100/995/1");
}

static void test_merge_and_start(void **state)
{
    (void)state;
    /* a true overlap merges, touching stays apart, duplicates count once */
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, 100) "," WAIT(1100, 100) "," OP(1600, 300)),
           "1:180/995/2 | several_fetches*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, 100) "," WAIT(1120, 100) "," OP(1600, 300)),
           "1:200/995/2 | several_fetches*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, 100) "," WAIT(1020, 100) "," OP(1600, 300)),
           "1:100/995/1");
    /* whole to the step in which it starts */
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1900, 110) "," LOOP(2)), "1:110/995/1 2:100/995/1");
    /* between steps and before the first: to the next one, whose span begins with it */
    expect(TRACE(WAIT(500, 100) "," STEP(1, 1000, 900) "," OP(1600, 200) "," WAIT(
               1950, 20) "," STEP(2, 2000, 995) "," OP(2600, 300) "," WAIT(3000, 70)),
           "1:100/1400/1 2:20/1045/1 | waits_after_last_step*1");
    /* no fetch: the loop did not block */
    expect(TRACE(LOOP(1) "," STEP(2, 2000, 995) "," OP(2600, 300)),
           "1:100/995/1 2:0/995/0 | steps_without_wait*1");
}

static void test_end_of_data(void **state)
{
    (void)state;
    expect(TRACE(TWO "," STEP(3, 3000, 500) "," WAIT(3010, 400)), TWO_ROWS " | end_of_data*1");
    /* post-order */
    expect(TRACE(WAIT(1020, 100) "," OP(1600, 300) "," STEP(1, 1000, 995) "," WAIT(
               2010, 100) "," STEP(2, 2000, 500)),
           "1:100/995/1 | end_of_data*1");
    /* frames around it, ops inside it */
    expect(TRACE(TWO "," STEP(3, 3000, 500) "," FRAME("next", 3005,
                                                      450) "," WAIT(3010, 400) "," OP(3020, 30)),
           TWO_ROWS " | end_of_data*1");
    /* work before it in its step: the batch was trained on */
    expect(TRACE(TWO "," STEP(3, 3000, 500) "," OP(3001, 5) "," WAIT(3010, 400)),
           TWO_ROWS " 3:400/500/1");
    expect(TRACE(WAIT(1020, 100) "," OP(1600, 300) "," STEP(1, 1000, 995) "," OP(2001, 5) "," WAIT(
               2010, 100) "," STEP(2, 2000, 500)),
           "1:100/995/1 2:100/500/1");
    /* work after it, two fetches in the step, nothing ever followed a fetch */
    expect(TRACE(TWO "," STEP(3, 3000, 500) "," WAIT(3010, 400) "," OP(3450, 9)),
           TWO_ROWS " 3:400/500/1");
    expect(TRACE(TWO "," STEP(3, 3000, 500) "," WAIT(3010, 40) "," WAIT(3100, 40)),
           TWO_ROWS " 3:80/500/2 | several_fetches*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, 100)), "1:100/995/1");
}

static void test_no_markers(void **state)
{
    (void)state;
    expect(TRACE(WAIT(0, 100) "," WAIT(100, 200) "," OP(400, 100) "," WAIT(1000, 100) "," OP(1200,
                                                                                             100)),
           "0:100/100/1 1:200/900/1 2:100/?/1 | no_step_marks*1");
    expect(TRACE(WAIT(0, 100) "," OP(400, 100) "," WAIT(1000, 100)),
           "0:100/1000/1 | no_step_marks*1 end_of_data*1");
    /* the thread with most waits */
    expect(TRACE(WAIT(0, 100) "," OP(200, 100) "," WAIT(1000, 100) "," OP(1200, 100) "," EV(
               NEXT("M"), "x", 7, 9, 1400, 100)),
           "0:100/1000/1 1:100/?/1 | no_step_marks*1 off_thread_waits*1");
}

static void test_unfinished(void **state)
{
    (void)state;
    /* stretched to the end of the recording; ended with the marker only is an ordinary wait */
    expect(TRACE(LOOP(1) "," STEP(2, 2000, 900) "," OP(2001, 5) "," WAIT(2020, 880)),
           "1:100/995/1 2:?/900/1 | unfinished_event*1");
    expect(TRACE(LOOP(1) "," STEP(2, 2000, 900) "," OP(2001, 5) "," WAIT(2020, 880) "," EV(
               "x", "cpu_op", 7, 8, 2800, 101)),
           "1:100/995/1 2:880/900/1");
    /* length 0 and nothing after it */
    expect(TRACE(LOOP(1) "," STEP(2, 2000, 900) "," OP(2001, 5) "," WAIT(2020, 0)),
           "1:100/995/1 2:?/900/1 | unfinished_event*1");
    /* wait: bad or missing dur; bad ts */
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, -1) "," OP(1600, 300) "," LOOP(2)),
           "1:?/995/1 2:100/995/1 | unfinished_event*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(1020, null) "," OP(1600, 300) "," LOOP(2)),
           "1:?/995/1 2:100/995/1 | unfinished_event*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(null, 100) "," OP(1600, 300) "," LOOP(2)),
           "1:?/995/0 2:100/995/1 | unfinished_event*1");
    expect(TRACE(STEP(1, 1000, 995) "," WAIT(99999999999999, 100) "," OP(1600, 1) "," LOOP(2)),
           "1:?/995/0 2:100/995/1 | unfinished_event*1");
    /* marker: bad dur reaches to the next one; bad ts loses the row */
    expect(TRACE(STEP(1, 1000, -5) "," WAIT(1020, 100) "," OP(1600, 300) "," LOOP(2)),
           "1:?/?/1 2:100/995/1 | unfinished_event*1");
    expect(TRACE(LOOP(1) "," STEP(2, "x", 995) "," WAIT(2020, 100) "," OP(2600, 300) "," LOOP(
               3) "," LOOP(4)),
           "1:100/995/1 3:?/?/2 4:100/995/1 | events_lost*1 several_fetches*1 "
           "unfinished_event*1 missing_steps*1 PARTIAL");
}

static void test_gpu(void **state)
{
    (void)state;
    show_exposed = true;
    expect(TRACE(TWO), "1:100/995/1/x? 2:100/995/1/x?");
    /* the union over streams; copies and fills count, copies of annotations do not */
    expect(TRACE(TWO "," KERNEL(3, 1000, 50) "," KERNEL(4, 1040, 20) "," EV(
               "c", "gpu_memcpy", 0, 5, 1100, 10) "," EV("ProfilerStep#1", "gpu_user_annotation", 0,
                                                         3, 1000, 995)),
           "1:100/995/1/x50 2:100/995/1/x100");
    /* an interval ends where the next of its stream starts; one a day away is dropped */
    expect(TRACE(KERNEL(3, 1000, 500) "," KERNEL(3, 1050, 10) "," TWO "," KERNEL(7, 0, 0)),
           "1:100/995/1/x60 2:100/995/1/x100");
    show_exposed = false;
}

/* ---- odd and damaged files ---- */

static void test_cut(void **state)
{
#define CUT(events) "{\"schemaVersion\":1,\"traceEvents\":[" events ",{\"ph\":\"X\",\"na"
    (void)state;
    expect(CUT(TWO), TWO_ROWS " | truncated*1 PARTIAL");
    /* the last step lost its wait, or may have */
    expect(CUT(TWO "," STEP(3, 3000, 995)), TWO_ROWS " 3:?/995/0 | truncated*1 PARTIAL");
    expect(CUT(LOOP(1) "," WAIT(1200, 10) "," STEP(2, 2000, 995) "," WAIT(2020, 9)),
           "1:110/995/2 2:?/995/1 | truncated*1 several_fetches*1 PARTIAL");
    /* an event after its end shows that it is whole */
    expect(CUT(TWO "," STEP(3, 3000, 995) "," KERNEL(3, 4000, 1)),
           TWO_ROWS " 3:0/995/0 | truncated*1 steps_without_wait*1 PARTIAL");
    /* no end of data in a cut file */
    expect(CUT(TWO "," STEP(3, 3000, 500) "," WAIT(3010, 400)),
           TWO_ROWS " 3:400/500/1 | truncated*1 PARTIAL");
    expect_error("{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X", STALL_EFORMAT,
                 "cut before the first event");
    /* a bare array may lack its bracket */
    expect("[" TWO, TWO_ROWS);
    expect("[" TWO ",", TWO_ROWS);
    strict = true;
    expect(CUT(TWO), "error 4");
    strict = false;
    cut_stream = true;
    expect(CUT(TWO), TWO_ROWS " | compressed_cut*1 PARTIAL");
    expect(TRACE(TWO), TWO_ROWS " | compressed_cut*1 PARTIAL");
    cut_stream = false;
}

static void test_broken_strings(void **state)
{
#define BAD_NAME                                                                     \
    ",\n{\"ph\":\"X\",\"cat\":\"a\",\"name\":\"a\"b\",\"pid\":7,\"tid\":7,\"ts\":1," \
    "\"dur\":1},\n"
    (void)state;
    /* an unescaped quote costs one event; steps without a wait are then unknown */
    expect(TRACE(LOOP(1) BAD_NAME LOOP(2)), TWO_ROWS " | events_lost*1 PARTIAL");
    expect(TRACE(LOOP(1) BAD_NAME STEP(2, 2000, 995) "," OP(2600, 1)),
           "1:100/995/1 2:?/995/0 | events_lost*1 PARTIAL");
    /* damage behind all that matters keeps the event */
    expect(TRACE(STEP(1, 1000, 995) ",\n{\"ph\":\"X\",\"name\":\"" NEXT(
               "M") "\",\"pid\":7,\"tid\":"
                    "7,\"ts\":1020,\"dur\":100,\"args\":{\"s\":\"a\"b\"}},\n" OP(1600, 300)),
           "1:100/995/1");
    /* losing a marker or a fetch is fatal */
    expect_error(TRACE(LOOP(1) ",\n{\"ph\":\"X\",\"name\":\"ProfilerStep#2\"x\",\"pid\":7,"
                               "\"ts\":1,\"dur\":1},\n" LOOP(3)),
                 STALL_EFORMAT, "beyond repair");
    /* unknown escapes and control bytes are only labels */
    expect(TRACE(TWO "," OP(2900, 1) ",{\"name\":\"a\\cb\x01\",\"ph\":\"X\"}"),
           TWO_ROWS " | bad_escape*1 control_byte*1");
}

static void test_many_lost(void **state)
{
    char text[16384];
    size_t n, i;

    (void)state;
    n = (size_t)snprintf(text, sizeof text, "{\"traceEvents\":[%s", TWO);
    for (i = 0; i < 11; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", BAD_NAME, OP(2990, 1));
    snprintf(text + n, sizeof text - n, "]}");
    expect_error(text, STALL_EFORMAT, "broken beyond repair");
}

static void test_values(void **state)
{
    (void)state;
    expect(TRACE(TWO ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":"
                     "3000,\"dur\":0,\"args\":{\"bw\":inf,\"x\":N/A}}"),
           TWO_ROWS " | bad_number*2");
    expect(TRACE(TWO ",{\"args\":{\"id\":99999999999999999999999999},\"ph\":\"M\"}"), TWO_ROWS);
    expect("\xef\xbb\xbf" TRACE(TWO), TWO_ROWS " | bom*1");
    expect("[," TWO "]", TWO_ROWS " | stray_comma*1");
    /* later elements that are no objects are skipped */
    expect(TRACE(TWO ",7"), TWO_ROWS " | events_lost*1 PARTIAL");
}

static void test_documents(void **state)
{
    (void)state;
    expect(TRACE(TWO) "\n" TRACE(TWO),
           "e0.1:100/995/1 e0.2:100/995/1 e1.1:100/995/1 e1.2:100/995/1 | second_document*1");
    /* a second array of events in one document appends */
    expect("{\"traceEvents\":[" LOOP(1) "],\"traceEvents\":[" LOOP(2) "]}",
           TWO_ROWS " | duplicate_keys*1");
}

static void test_no_trace(void **state)
{
    (void)state;
    expect_error("{\"traceEvents\":7}", STALL_EFORMAT, "no array");
    expect_error("{\"schema\":\"1.0\",\"nodes\":[]}", STALL_EFORMAT, "execution trace");
    expect_error("[[1,2],[3]]", STALL_EFORMAT, "memory timeline");
    expect_error("[7]", STALL_EFORMAT, "no object");
    expect_error("{\"a\":1}", STALL_EFORMAT, "traceEvents");
    expect_error("[{\"step\":1,\"wait\":2}]", STALL_EFORMAT, "\"ph\"");
    expect_error("7", STALL_EFORMAT, "");
    expect_error(TRACE(""), STALL_ENODATA, "no events");
    expect_error(TRACE("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1}"), STALL_ENODATA,
                 "no step markers and no input-wait events");
    expect_error(TRACE(STEP(1, 1000, 995) "," OP(1600, 300)), STALL_ENODATA,
                 "1 step markers but no input-wait events; found 1 user_annotation, 1 cpu_op");
    expect_error(TRACE(KERNEL(1, 5, 5)), STALL_ENODATA, "1 kernel");
}

static void test_facts(void **state)
{
    static const char text[] =
        "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"Big GPU\"}],\"num_workers"
        "\":4,\"steps_per_epoch\":\"12\",\"host_name\":\"secret\",\"dir\":\"/home/x\",\"Framework\""
        ":\"pytorch-lightning\",\"distributedInfo\":{\"rank\":0,\"world_size\":2},\"traceEvents\":"
        "[" LOOP(1) "],\"traceName\":\"/tmp/x\"}";
    stall_series s;
    (void)state;
    assert_int_equal(run(text, sizeof text - 1, 64, &s), STALL_OK);
    assert_int_equal(stall_series_meta_int(&s, "num_workers"), 4);
    assert_int_equal(stall_series_meta_int(&s, "steps_per_epoch"), 12);
    assert_int_equal(stall_series_meta_int(&s, "world_size"), 2);
    assert_string_equal(stall_series_meta(&s, "device"), "Big GPU");
    assert_string_equal(stall_series_meta(&s, "Framework"), "pytorch-lightning");
    assert_null(stall_series_meta(&s, "host_name"));
    assert_null(stall_series_meta(&s, "traceName"));
    assert_null(stall_series_meta(&s, "dir"));
    assert_string_equal(s.format, "chrome");
    stall_series_close(&s);
}

static void test_memory_failures(void **state)
{
    static const char text[] =
        TRACE(LOOP(1) "," LOOP(2) "," VAL(2300, 5) "," KERNEL(3, 1000, 50) "," KERNEL(3, 1090, 9));
    stall_series s;
    uint64_t n, before, calls;

    (void)state;
    before = stall_mem_calls();
    assert_int_equal(run(text, sizeof text - 1, 100, &s), STALL_OK);
    calls = stall_mem_calls() - before;
    stall_series_close(&s);
    for (n = 1; n <= calls; n++) {
        stall_mem_fail_at(n);
        if (run(text, sizeof text - 1, 100, &s) != STALL_ENOMEM)
            fail_msg("allocation %u of %u: %s", (unsigned)n, (unsigned)calls, shown);
        stall_mem_fail_at(0);
        stall_series_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_begin_and_end_events),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_other_threads),
        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_loaders),
        cmocka_unit_test(test_merge_and_start),
        cmocka_unit_test(test_end_of_data),
        cmocka_unit_test(test_no_markers),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_broken_strings),
        cmocka_unit_test(test_many_lost),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_no_trace),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
