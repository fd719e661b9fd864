/* Files, pipes and whole compressed streams: src/input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "input_support.h"

/* ---- whole streams ---- */

static void test_round_trip(void **state)
{
    static const size_t sizes[] = {1, 3, 1000, 70000, 700000};
    stall_text plain, bytes;

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        stall_text_init(&plain);
        put_plain(&plain, sizes[i], 1);
        expect_plain(&plain, &plain);
        for (int kind = 0; kind < 6; kind++) {
            stall_text_init(&bytes);
            if (kind < 2)
                put_gzip(&bytes, plain.data, plain.len, kind * 9);
            else
                put_zstd(&bytes, plain.data, plain.len, kind % 2, kind >= 4);
            expect_plain(&bytes, &plain);
            stall_text_close(&bytes);
        }
        stall_text_close(&plain);
    }
}

static void test_members(void **state)
{
    static const char skip[] = "\x5f\x2a\x4d\x18\x05\0\0\0hello\x50\x2a\x4d\x18\0\0\0";
    static const char zeros[600] = "";
    stall_text plain, gz, zs;

    (void)state;
    stall_text_init(&plain);
    stall_text_init(&gz);
    stall_text_init(&zs);
    put(&plain, "", 0);
    put(&zs, skip, sizeof(skip)); /* the last NUL is part of the second one's size */
    for (size_t i = 0; i < 20; i++) {
        size_t at = plain.len;

        put_plain(&plain, i * i * 10, (unsigned)i); /* the first is empty */
        put_gzip(&gz, plain.data + at, plain.len - at, 6);
        put_zstd(&zs, plain.data + at, plain.len - at, i % 2, i % 3 == 0);
        if (i % 4 == 0)
            put(&zs, skip, sizeof(skip));
    }
    expect_plain(&gz, &plain);
    expect_plain(&zs, &plain);
    put(&gz, zeros, sizeof(zeros)); /* as a tape pads */
    expect_plain(&gz, &plain);
    stall_text_close(&plain);
    stall_text_close(&gz);
    stall_text_close(&zs);
}

static void test_gzip_header_fields(void **state)
{
    static const char name[] = "trace.json";
    stall_text plain, bytes, named;

    (void)state;
    stall_text_init(&plain);
    stall_text_init(&bytes);
    stall_text_init(&named);
    put_plain(&plain, 300, 5);
    put_gzip(&bytes, plain.data, plain.len, 6);
    put(&named, bytes.data, 10);
    named.data[3] = 8; /* FNAME */
    put(&named, name, sizeof(name));
    put(&named, bytes.data + 10, bytes.len - 10);
    expect_plain(&named, &plain);
    stall_text_close(&plain);
    stall_text_close(&bytes);
    stall_text_close(&named);
}

static void test_almost_magic(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {{"\x1f", 1}, {"\x28\xb5\x2f", 3}, {"\x50\x2a\x4d\x19", 4}, {"{", 1}, {"\0", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        stall_text bytes;

        stall_text_init(&bytes);
        put(&bytes, cases[i].bytes, cases[i].len);
        expect_plain(&bytes, &bytes);
        stall_text_close(&bytes);
    }
}

/* ---- files, pipes and the system's refusals ---- */

static void test_refused(void **state)
{
    outcome o;
    char name[100];

    (void)state;
    read_path(folder, 0, false, &o);
    assert_int_equal(o.status, STALL_EREAD);
    assert_string_equal(o.error.text, "is a directory");
    snprintf(name, sizeof(name), "%s/none", folder);
    read_path(name, 0, false, &o);
    assert_int_equal(o.status, STALL_EREAD);
    assert_int_equal(o.error.sys_errno, ENOENT);
    assert_string_equal(o.error.text, "cannot be opened: No such file or directory");
    write_file("x", 1);
    assert_int_equal(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) { /* root may read it all the same */
        read_path(path, 0, false, &o);
        assert_int_equal(o.error.sys_errno, EACCES);
    }
    assert_int_equal(unlink(path), 0);
    if (access("/proc/self/mem", R_OK) == 0) { /* opens, but its first page gives EIO */
        read_path("/proc/self/mem", 0, false, &o);
        assert_int_equal(o.status, STALL_EREAD);
        assert_int_equal(o.error.sys_errno, EIO);
    }
}

typedef struct feed {
    const stall_text *bytes;
    int fd;
} feed;

/* Writes to a pipe in small and uneven pieces. */
static void *feed_pipe(void *arg)
{
    const feed *f = arg;
    size_t at = 0, n = 1;
    sigset_t alarms;

    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM); /* they are for the reader */
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);

    while (at < f->bytes->len) {
        ssize_t done;

        if (n > f->bytes->len - at)
            n = f->bytes->len - at;
        done = write(f->fd, f->bytes->data + at, n);
        if (done < 0)
            break;
        usleep(500); /* lets the reader run dry */
        at += (size_t)done;
        n = n * 3 % 1009 + 1;
    }
    close(f->fd);
    return NULL;
}

static void on_alarm(int number)
{
    (void)number;
}

/* Signals that interrupt every other system call. */
static void set_alarms(bool on)
{
    struct itimerval t = {{0, on ? 200 : 0}, {0, on ? 200 : 0}};
    struct sigaction a;

    memset(&a, 0, sizeof(a));
    a.sa_handler = on_alarm; /* and no SA_RESTART */
    assert_int_equal(sigaction(SIGALRM, &a, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

static void test_pipe(void **state)
{
    int saved = dup(STDIN_FILENO);
    uint64_t done, total;
    sample s;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int way = 0; way < 4; way++) {
            bool blocking = way % 2;
            int ends[2];
            pthread_t thread;
            stall_input *in;
            outcome o;
            feed f;

            memset(&o, 0, sizeof(o));
            make_sample(&s, kind, 30000);
            assert_int_equal(pipe(ends), 0);
            assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
            close(ends[0]);
            if (!blocking)
                assert_int_equal(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), 0);
            f = (feed){&s.bytes, ends[1]};
            set_alarms(true);
            assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &f), 0);
            assert_int_equal(stall_input_open("-", &in, &o.error), STALL_OK);
            assert_string_equal(stall_input_source(in)->name, "-");
            stall_input_set_thread(in, way >= 2);
            drain(in, &o);
            set_alarms(false);
            assert_int_equal(o.status, STALL_OK);
            assert_int_equal(o.plain.len, s.plain.len);
            assert_memory_equal(o.plain.data, s.plain.data, s.plain.len);
            stall_input_progress(in, &done, &total);
            assert_int_equal(done, s.bytes.len);
            assert_int_equal(total, 0);
            stall_input_close(in);
            pthread_join(thread, NULL);
            outcome_close(&o);
            sample_close(&s);
        }
    }
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
}

static void test_progress(void **state)
{
    uint64_t done, total;
    stall_text plain;
    stall_input *in;
    outcome o;

    (void)state;
    memset(&o, 0, sizeof(o));
    stall_text_init(&plain);
    put_plain(&plain, 600000, 4);
    write_file(plain.data, plain.len);
    assert_int_equal(stall_input_open(path, &in, NULL), STALL_OK);
    stall_input_progress(in, &done, &total);
    assert_int_equal(total, plain.len);
    assert_true(done > 0 && done < total);
    drain(in, &o);
    stall_input_progress(in, &done, &total);
    assert_int_equal(done, total);
    stall_input_close(in);
    stall_input_close(NULL);
    outcome_close(&o);
    stall_text_close(&plain);
}

/* Whichever allocation fails, the answer is "out of memory" and nothing leaks. */
static void test_memory(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        int kind = way % 3;
        uint64_t before, calls;
        outcome o;
        sample s;

        make_sample(&s, kind, 100000);
        write_file(s.bytes.data, s.bytes.len);
        before = stall_mem_calls();
        threaded = way >= 3;
        read_path(path, 5000, false, &o);
        calls = stall_mem_calls() - before;
        outcome_close(&o);
        assert_true(calls < 60);
        for (uint64_t n = 1; n <= calls; n++) {
            stall_input *in;
            stall_source *src;
            stall_error e = {0};
            const unsigned char *data;
            size_t len = 1;
            stall_status status;

            stall_mem_fail_at(n);
            status = stall_input_open(path, &in, &e);
            if (status == STALL_OK) {
                stall_input_set_chunk(in, 5000);
                stall_input_set_thread(in, threaded);
            }
            while (status == STALL_OK && len > 0) {
                src = stall_input_source(in);
                status = src->next(src->ctx, &data, &len, &e);
            }
            stall_mem_fail_at(0);
            assert_true(status == STALL_OK || status == STALL_ENOMEM);
            assert_int_equal(e.status, status);
            stall_input_close(in);
        }
        sample_close(&s);
        threaded = false;
    }
}

/* Whoever has enough closes at any moment, also while the thread waits for a pipe or for room. */
static void test_thread_stop(void **state)
{
    int saved = dup(STDIN_FILENO);
    const unsigned char *data;
    sample s;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        make_sample(&s, kind, 3000000);
        write_file(s.bytes.data, s.bytes.len);
        for (size_t reads = 0; reads < 12; reads++) {
            size_t len = 1;
            stall_input *in;
            stall_source *src;
            int ends[2];

            assert_int_equal(pipe(ends), 0);
            if (reads % 2 == 0) { /* a pipe that stays open and falls silent */
                size_t n = s.bytes.len < 40000 ? s.bytes.len : 40000;
                assert_int_equal(write(ends[1], s.bytes.data, n), n);
                assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
            }
            assert_int_equal(stall_input_open(reads % 2 == 0 ? "-" : path, &in, NULL), STALL_OK);
            stall_input_set_thread(in, true);
            stall_input_set_chunk(in, 1000);
            src = stall_input_source(in);
            for (size_t i = 0; i < reads && len > 0; i++)
                assert_int_equal(src->next(src->ctx, &data, &len, NULL), STALL_OK);
            if (reads % 3 == 0)
                usleep(1000); /* until it waits */
            stall_input_close(in);
            close(ends[0]);
            close(ends[1]);
        }
        sample_close(&s);
    }
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_gzip_header_fields),
        cmocka_unit_test(test_almost_magic),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_thread_stop),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
