/* The report folder: what is refused, what is replaced, and that a failure leaves nothing behind.
 */
#include "fake_report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "write/write.h"

#define GNUPLOT "/usr/bin/gnuplot"
#define PATH_MAX_HERE 256

static char base[] = "/tmp/stalldiff-test-XXXXXX";
static char dir[PATH_MAX_HERE]; /* base/out */
static fake_report *fake;
static stall_error error;

static const char *at(const char *name)
{
    static char path[2][2 * PATH_MAX_HERE];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", base, name);
    return path[turn];
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(at(name), "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool exists(const char *name)
{
    struct stat st;

    return lstat(at(name), &st) == 0;
}

static void remove_tree(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *e;
    char sub[4 * PATH_MAX_HERE];

    while (d != NULL && (e = readdir(d)) != NULL) {
        struct stat st;

        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(sub, sizeof(sub), "%s/%s", path, e->d_name);
        if (lstat(sub, &st) == 0 && S_ISDIR(st.st_mode))
            remove_tree(sub);
        else
            unlink(sub);
    }
    if (d != NULL)
        closedir(d);
    rmdir(path);
}

/* How many names a folder has; a temporary one fails the test. */
static size_t count(const char *name)
{
    DIR *d = opendir(at(name));
    struct dirent *e;
    size_t n = 0;

    if (d == NULL)
        return 0;
    while ((e = readdir(d)) != NULL) {
        n += e->d_name[0] != '.';
        assert_true(strncmp(e->d_name, STALL_FOLDER_TEMP, strlen(STALL_FOLDER_TEMP)) != 0);
    }
    closedir(d);
    return n;
}

static stall_status write_with(const char *path, bool force, const char *gnuplot, bool *ret_plots)
{
    stall_folder_options options = {STALL_PLOT_SVG, force, gnuplot};

    memset(&error, 0, sizeof(error));
    *ret_plots = true;
    return stall_write_folder(&fake->report, path, &options, ret_plots, &error);
}

static stall_status write_out(bool force)
{
    bool plots;
    stall_status status = write_with(dir, force, NULL, &plots);

    assert_false(plots);
    return status;
}

static int set_up(void **state)
{
    (void)state;
    strcpy(base + strlen(base) - 6, "XXXXXX");
    if (mkdtemp(base) == NULL)
        return -1;
    snprintf(dir, sizeof(dir), "%s/out", base);
    fake = fake_compare("broken", "fixed", 32);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_close(fake);
    remove_tree(base);
    return 0;
}

static void test_files(void **state)
{
    static const char *const names[] = {
        "report.json",   "report.md",     "summary.csv",   "series.csv",    "gaps.csv",
        "histogram.csv", "plots/wait.gp", "plots/ecdf.gp", "plots/gaps.gp", "plots/recurrence.gp"};
    mode_t mask = umask(027);
    struct stat st;
    char name[PATH_MAX_HERE];

    (void)state;
    assert_int_equal(write_out(false), STALL_OK);
    umask(mask);
    for (size_t i = 0; i < 10; i++) {
        snprintf(name, sizeof(name), "out/%s", names[i]);
        assert_int_equal(lstat(at(name), &st), 0);
        assert_int_equal(st.st_mode, S_IFREG | 0640);
        assert_true(st.st_size > 0);
    }
    assert_int_equal(count("out"), 7);
    assert_int_equal(count("out/plots"), 4);
    assert_int_equal(write_out(false), STALL_OK); /* a report is replaced */
    assert_int_equal(count("out"), 7);
}

static void test_empty_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir(dir, 0777), 0);
    assert_int_equal(write_out(false), STALL_OK);
}

static void expect_refusal(void)
{
    assert_int_equal(write_out(false), STALL_EUSAGE);
    assert_string_equal(error.source, dir);
    assert_non_null(strstr(error.hint, "--force"));
}

static void test_refusal(void **state)
{
    (void)state;
    assert_int_equal(mkdir(dir, 0777), 0);
    put("out/thesis\033.tex", "text");
    expect_refusal();
    assert_non_null(strstr(error.text, "thesis\\x1B.tex"));
    assert_int_equal(count("out"), 1); /* not even plots/ */
    assert_int_equal(write_out(true), STALL_OK);
    assert_true(exists("out/thesis\033.tex")); /* force adds, it does not empty the folder */
    expect_refusal();
}

/* Files that are called like ours, but no report.json of ours beside them. */
static void test_refusal_same_names(void **state)
{
    (void)state;
    assert_int_equal(mkdir(dir, 0777), 0);
    put("out/summary.csv", "mine");
    expect_refusal();
    put("out/report.json", "{\"mine\": 1}");
    expect_refusal();
    assert_int_equal(unlink(at("out/report.json")), 0);
    assert_int_equal(unlink(at("out/summary.csv")), 0);
    assert_int_equal(mkdir(at("out/report.md"), 0777), 0);
    expect_refusal();
    assert_int_equal(write_out(true), STALL_EWRITE); /* a folder cannot be replaced by a file */
    assert_int_equal(error.sys_errno, EISDIR);
    count("out");
    assert_int_equal(count("out/plots"), 0);
}

static void test_refusal_in_plots(void **state)
{
    (void)state;
    assert_int_equal(write_out(false), STALL_OK);
    put("out/plots/mine.svg", "x");
    expect_refusal();
    assert_int_equal(write_out(true), STALL_OK);
    assert_true(exists("out/plots/mine.svg"));
    assert_int_equal(unlink(at("out/plots/mine.svg")), 0);
    assert_int_equal(write_out(false), STALL_OK);
}

static void test_links(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("else"), 0777), 0);
    assert_int_equal(symlink("else", dir), 0);
    expect_refusal();
    assert_int_equal(count("else"), 0);
    assert_int_equal(write_out(true), STALL_OK);
    assert_true(exists("else/report.md"));
    assert_int_equal(unlink(dir), 0);
    assert_int_equal(symlink("nowhere", dir), 0);
    expect_refusal();
    assert_int_equal(write_out(true), STALL_EWRITE);
    assert_int_equal(unlink(dir), 0);

    /* a link in the place of a file or of plots/ is never written through */
    put("precious", "as it was");
    assert_int_equal(write_out(false), STALL_OK);
    assert_int_equal(unlink(at("out/report.md")), 0);
    assert_int_equal(symlink("../precious", at("out/report.md")), 0);
    assert_int_equal(write_out(false), STALL_OK);
    {
        char text[32] = "";
        FILE *f = fopen(at("precious"), "r");

        assert_non_null(f);
        assert_non_null(fgets(text, sizeof(text), f));
        fclose(f);
        assert_string_equal(text, "as it was");
    }
    remove_tree(at("out/plots"));
    assert_int_equal(symlink("../else", at("out/plots")), 0);
    assert_true(write_out(false) != STALL_OK);
    assert_false(exists("else/wait.gp"));
}

static void test_cannot_be_made(void **state)
{
    bool plots;

    (void)state;
    assert_int_equal(write_with(at("no/such"), false, NULL, &plots), STALL_EWRITE);
    assert_int_equal(error.sys_errno, ENOENT);
    assert_string_equal(error.source, at("no/such"));
    assert_int_equal(write_with("", false, NULL, &plots), STALL_EWRITE);
    put("out", "a file");
    assert_int_equal(write_out(true), STALL_EWRITE);
    assert_int_equal(error.sys_errno, ENOTDIR);
    assert_int_equal(unlink(dir), 0);
    if (geteuid() == 0)
        return; /* root writes everywhere */
    assert_int_equal(mkdir(dir, 0500), 0);
    assert_int_equal(write_out(false), STALL_EWRITE);
    assert_int_equal(error.sys_errno, EACCES);
}

/* A limit on the size of files fails a write as a full disk does. */
static void test_full_disk(void **state)
{
    struct rlimit old, small;
    char first[64] = "";
    FILE *f;
    size_t failed = 0;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (rlim_t limit = 0; limit < 20000; limit += 997) {
        stall_status status;

        small = (struct rlimit){limit, old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        status = write_out(false);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        if (status == STALL_OK)
            break;
        failed++;
        assert_int_equal(status, STALL_EWRITE);
        assert_int_equal(error.sys_errno, EFBIG);
        assert_int_equal(strncmp(error.source, dir, strlen(dir)), 0);
        assert_false(exists("out")); /* not even the folder */
    }
    assert_true(failed > 3);

    /* an earlier report stays whole */
    remove_tree(dir);
    assert_int_equal(write_out(false), STALL_OK);
    put("out/report.md", "the earlier report\n");
    small.rlim_cur = 2000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(write_out(false), STALL_EWRITE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    f = fopen(at("out/report.md"), "r");
    assert_non_null(f);
    assert_non_null(fgets(first, sizeof(first), f));
    fclose(f);
    assert_string_equal(first, "the earlier report\n");
    assert_int_equal(count("out"), 7);
    assert_int_equal(count("out/plots"), 4);
}

static void test_memory(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n += 7) {
        stall_status status;

        stall_mem_fail_at(n);
        status = write_out(false);
        stall_mem_fail_at(0);
        if (status == STALL_OK)
            break;
        assert_int_equal(status, STALL_ENOMEM);
        assert_false(exists("out"));
    }
}

static void test_leftovers(void **state)
{
    (void)state;
    assert_int_equal(write_out(false), STALL_OK);
    put("out/" STALL_FOLDER_TEMP "1-2", "cut");
    put("out/plots/" STALL_FOLDER_TEMP "1-3", "cut");
    assert_int_equal(mkdir(at("out/plots/" STALL_FOLDER_TEMP "1-4"), 0777), 0);
    put("out/plots/" STALL_FOLDER_TEMP "1-4/wait.svg", "cut");
    put("out/plots/wait.png", "of an earlier report");
    put("out/plots/sweep.gp", "of an earlier report");
    put("out/report.html", "of an earlier report");
    assert_int_equal(write_out(false), STALL_OK);
    assert_int_equal(count("out"), 7);
    assert_int_equal(count("out/plots"), 4);
}

/* report.html is there when it was asked for, and only then. */
static void test_html(void **state)
{
    stall_folder_options options = {.plot = STALL_PLOT_SVG, .html = true};
    bool plots;

    (void)state;
    memset(&error, 0, sizeof(error));
    assert_int_equal(stall_write_folder(&fake->report, dir, &options, &plots, &error), STALL_OK);
    assert_int_equal(count("out"), 8);
    assert_int_equal(access(at("out/report.html"), R_OK), 0);
    assert_int_equal(stall_write_folder(&fake->report, dir, &options, &plots, &error), STALL_OK);
    assert_int_equal(write_out(false), STALL_OK);
    assert_int_equal(access(at("out/report.html"), F_OK), -1);
}

/* ---- gnuplot ---- */

static void test_plots(void **state)
{
    bool plots;
    struct stat st;

    (void)state;
    if (access(GNUPLOT, X_OK) != 0)
        skip();
    assert_int_equal(write_with(dir, false, GNUPLOT, &plots), STALL_OK);
    assert_true(plots);
    assert_int_equal(count("out/plots"), 8);
    assert_int_equal(stat(at("out/plots/recurrence.svg"), &st), 0);
    assert_true(st.st_size > 1000);
    assert_int_equal(write_with(dir, false, NULL, &plots), STALL_OK);
    assert_int_equal(count("out/plots"), 4); /* the old pictures are gone */
}

/* The same report gives the same bytes, in every format. */
static void test_plots_same(void **state)
{
    (void)state;
    if (access(GNUPLOT, X_OK) != 0)
        skip();
    for (int format = 0; format < STALL_PLOT_FORMATS; format++) {
        stall_folder_options options = {(stall_plot_format)format, false, GNUPLOT};
        char *bytes[2] = {NULL, NULL}, name[64];
        size_t len[2];
        bool plots;

        for (int turn = 0; turn < 2; turn++) {
            FILE *f;

            assert_int_equal(stall_write_folder(&fake->report, dir, &options, &plots, &error),
                             STALL_OK);
            assert_true(plots);
            snprintf(name, sizeof(name), "out/plots/wait.%s", stall_plot_suffix(options.plot));
            f = fopen(at(name), "rb");
            assert_non_null(f);
            bytes[turn] = malloc(1 << 20);
            len[turn] = fread(bytes[turn], 1, 1 << 20, f);
            fclose(f);
            if (format == STALL_PLOT_PDF && turn == 0)
                sleep(1); /* its date counts seconds */
        }
        assert_int_equal(len[0], len[1]);
        assert_memory_equal(bytes[0], bytes[1], len[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

/* Programs that are missing, fail, write half a picture, or leave other files behind. */
static void test_bad_gnuplot(void **state)
{
    static const char *const scripts[] = {
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\nexit 0\n",
        "#!/bin/sh\nkill -9 $$\n",
        "#!/bin/sh\necho '<svg' >wait.svg\nexit 0\n",
        "#!/bin/sh\nmkdir wait.svg\n: >more\nexit 0\n",
        "#!/bin/sh\nln -s /etc/passwd wait.svg\n",
    };
    bool plots;

    (void)state;
    assert_int_equal(write_with(dir, false, "/nonexistent/gnuplot", &plots), STALL_OK);
    assert_false(plots);
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        put("gnuplot", scripts[i]);
        assert_int_equal(chmod(at("gnuplot"), 0755), 0);
        assert_int_equal(write_with(dir, false, at("gnuplot"), &plots),
                         strstr(scripts[i], "'<svg'") ? STALL_EWRITE : STALL_OK);
        assert_false(plots);
        assert_int_equal(count("out/plots"), 4);
    }
}

/* The program sees nothing of the caller: input, output, environment. */
static void test_quiet_gnuplot(void **state)
{
    bool plots;

    (void)state;
    put("gnuplot", "#!/bin/sh\n"
                   "test \"$1\" = -d || exit 1\n"
                   "test -z \"$STALLDIFF_TEST\" || exit 1\n"
                   "read line && exit 1\n"
                   "name=$(basename \"$2\" .gp)\n"
                   "test -f \"$2\" || exit 1\n"
                   "echo noise\n"
                   "echo '</svg>' >$name.svg\n");
    assert_int_equal(chmod(at("gnuplot"), 0755), 0);
    setenv("STALLDIFF_TEST", "1", 1);
    assert_int_equal(write_with(dir, false, at("gnuplot"), &plots), STALL_OK);
    unsetenv("STALLDIFF_TEST");
    assert_true(plots);
    assert_int_equal(count("out/plots"), 8);
}

/* A program that hangs is ended, and what it started too. */
static void test_slow_gnuplot(void **state)
{
    int fd = open(base, O_RDONLY | O_DIRECTORY);
    time_t begin = time(NULL);

    (void)state;
    assert_true(fd >= 0);
    put("gnuplot", "#!/bin/sh\nsleep 2\n: >too-late\n");
    assert_int_equal(chmod(at("gnuplot"), 0755), 0);
    assert_false(stall_gnuplot_run(at("gnuplot"), fd, "x.gp", 1, NULL));
    assert_true(time(NULL) - begin < 10);
    sleep(2);
    assert_false(exists("too-late"));
    close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_files),
        TEST(test_empty_folder),
        TEST(test_refusal),
        TEST(test_refusal_same_names),
        TEST(test_refusal_in_plots),
        TEST(test_links),
        TEST(test_cannot_be_made),
        TEST(test_full_disk),
        TEST(test_memory),
        TEST(test_leftovers),
        TEST(test_html),
        TEST(test_plots),
        TEST(test_plots_same),
        TEST(test_bad_gnuplot),
        TEST(test_quiet_gnuplot),
        TEST(test_slow_gnuplot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
