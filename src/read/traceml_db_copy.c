/* Where a TraceML database is read, so that the archive never changes.
 *
 * Enters: the path of a database. Leaves: a URI for SQLite. Without a live -wal that is the file
 * itself, declared immutable: SQLite then makes no files beside it. With one, the main file alone
 * is stale or empty, and SQLite would fold the -wal in: both are copied to a new folder of our own
 * and read there. It must not know what the database holds. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/traceml.h"

#define COPY_BUFFER ((size_t)64 * 1024)
#define COPY_TRIES 3 /* of a run that is still being written */
#define WAL_HEADER 32u
#define WAL_FRAME_HEADER 24u

/* Names inside our own folder, all that can come up there. */
static const char *const copy_names[] = {"/db", "/db-wal", "/db-shm", "/db-journal"};

static stall_status refuse(const char *what, const char *name, int error, stall_error *reterr)
{
    stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "%s %s: %s", what, name,
                    strerror(error));
    if (reterr != NULL)
        reterr->sys_errno = error;
    return STALL_EREAD;
}

/* ---- finding the -wal ---- */

static char *with_suffix(const char *path, const char *suffix)
{
    stall_text t;
    char *ret;

    stall_text_init(&t);
    stall_text_put(&t, path);
    stall_text_put(&t, suffix);
    ret = t.failed ? NULL : stall_mem_text(t.data, t.len);
    stall_text_close(&t);
    return ret;
}

/* The -wal beside `path` when it holds anything; *ret is NULL when not. */
static stall_status wal_beside(const char *path, char **ret, stall_error *reterr)
{
    char *name = with_suffix(path, "-wal");
    struct stat st;

    *ret = NULL;
    if (name == NULL)
        return stall_error_memory(reterr);
    if (stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        *ret = name;
        return STALL_OK;
    }
    stall_mem_free(name);
    return STALL_OK;
}

/* The same, also beside the file that a symbolic link names. */
static stall_status find_wal(const char *path, char **ret, stall_error *reterr)
{
    char *real;
    stall_status status = wal_beside(path, ret, reterr);

    if (status != STALL_OK || *ret != NULL)
        return status;
    real = realpath(path, NULL);
    if (real == NULL)
        return STALL_OK;
    status = wal_beside(real, ret, reterr);
    free(real); /* not ours: realpath made it */
    return status;
}

/* ---- copying ---- */

typedef struct copied { /* a file as it was when it was copied */
    off_t size;
    struct timespec changed;
} copied;

static copied state_of(const struct stat *st)
{
    return (copied){st->st_size, st->st_mtim};
}

static bool same_state(copied a, copied b)
{
    return a.size == b.size && a.changed.tv_sec == b.changed.tv_sec &&
           a.changed.tv_nsec == b.changed.tv_nsec;
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

/* Copies what is open at `in` to `out`. 0, or the errno; *ret_reading tells whose it is. */
static int copy_bytes(int in, int out, char *buffer, bool *ret_reading)
{
    ssize_t n;

    for (;;) {
        n = read(in, buffer, COPY_BUFFER);
        *ret_reading = n < 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        if (!write_all(out, buffer, (size_t)n))
            return errno;
    }
}

/* Copies a regular file to a new one, which must not be there yet. */
static stall_status copy_file(const char *from, const char *to, char *buffer, copied *ret,
                              stall_error *reterr)
{
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), out = -1, error = 0;
    struct stat st;
    bool reading = true;

    if (in < 0 || fstat(in, &st) != 0)
        error = errno;
    else if (!S_ISREG(st.st_mode))
        error = EINVAL;
    if (error == 0) {
        *ret = state_of(&st);
        out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        reading = out >= 0;
        error = out < 0 ? errno : copy_bytes(in, out, buffer, &reading);
    }
    if (out >= 0 && close(out) != 0 && error == 0) {
        error = errno;
        reading = false;
    }
    if (in >= 0)
        close(in);
    if (error == 0)
        return STALL_OK;
    refuse(reading ? "cannot read" : "cannot copy the database to", reading ? from : to, error,
           reterr);
    if (!reading)
        stall_error_hint(reterr, "a database with a -wal is read from a private copy: set TMPDIR "
                                 "to a folder with room for it");
    return STALL_EREAD;
}

/* Needs no memory, so that it works on every way out. */
static void remove_copies(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return;
    for (size_t i = 0; i < sizeof(copy_names) / sizeof(copy_names[0]); i++)
        unlinkat(fd, copy_names[i] + 1, 0);
    close(fd);
}

/* Copies both; *ret_steady = false: they changed meanwhile and may not fit together. */
static stall_status copy_both(const char *path, const char *wal, const char *dir, bool *ret_steady,
                              stall_error *reterr)
{
    char *buffer = stall_mem_alloc(COPY_BUFFER, 1), *db = with_suffix(dir, copy_names[0]);
    char *db_wal = with_suffix(dir, copy_names[1]);
    stall_status status = STALL_OK;
    copied main_state, wal_state;
    struct stat st;

    *ret_steady = false;
    if (buffer == NULL || db == NULL || db_wal == NULL)
        status = stall_error_memory(reterr);
    if (status == STALL_OK)
        status = copy_file(path, db, buffer, &main_state, reterr);
    if (status == STALL_OK)
        status = copy_file(wal, db_wal, buffer, &wal_state, reterr);
    if (status == STALL_OK)
        *ret_steady = stat(path, &st) == 0 && same_state(state_of(&st), main_state) &&
                      stat(wal, &st) == 0 && same_state(state_of(&st), wal_state);
    stall_mem_free(buffer);
    stall_mem_free(db);
    stall_mem_free(db_wal);
    return status;
}

/* Copies until nothing changed while it went on. */
static stall_status copy_steady(const char *path, const char *wal, const char *dir,
                                stall_error *reterr)
{
    stall_status status;
    bool steady;

    for (int i = 0; i < COPY_TRIES; i++) {
        remove_copies(dir);
        status = copy_both(path, wal, dir, &steady, reterr);
        if (status != STALL_OK || steady)
            return status;
    }
    stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE,
                    "the database is being written: it changed in each of %d tries to copy it",
                    COPY_TRIES);
    stall_error_hint(reterr, "wait for the run to end, or for a pause in it");
    return STALL_EREAD;
}

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* SQLite passes over a -wal that it cannot use without a word, and over a frame that is cut off. */
static stall_status check_wal(const char *dir, uint32_t page_size, stall_warnings *warnings,
                              stall_error *reterr)
{
    unsigned char head[WAL_HEADER] = {0};
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = folder >= 0 ? openat(folder, copy_names[1] + 1, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd >= 0 ? read(fd, head, sizeof(head)) : 0;
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;

    if (fd >= 0)
        close(fd);
    if (folder >= 0)
        close(folder);
    if (n != (ssize_t)sizeof(head) || (big_endian(head) & ~1u) != 0x377f0682u ||
        big_endian(head + 8) != page_size)
        return stall_warn_add(warnings, STALL_WARN_events_lost, 1, STALL_OFFSET_NONE, reterr,
                              "the -wal beside the database is damaged or of another one; the "
                              "rows in it are lost");
    if ((size - WAL_HEADER) % (off_t)(page_size + WAL_FRAME_HEADER) != 0)
        return stall_warn_add(warnings, STALL_WARN_truncated, 1, STALL_OFFSET_NONE, reterr,
                              "the -wal beside the database is cut short");
    return STALL_OK;
}

/* ---- the place ---- */

/* A path as a URI: what means something in one, and every byte that is not plain, as %XX. */
static char *uri_of(const char *path, const char *suffix, const char *query)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    stall_text t;
    char *ret;

    stall_text_init(&t);
    stall_text_put(&t, path[0] == '/' ? "file://" : "file:");
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            stall_text_add(&t, path, 1);
        else
            stall_text_printf(&t, "%%%02X", (unsigned)(unsigned char)*path);
    }
    stall_text_put(&t, suffix);
    stall_text_put(&t, query);
    ret = t.failed ? NULL : stall_mem_text(t.data, t.len);
    stall_text_close(&t);
    return ret;
}

/* A new folder that only we can look into. */
static stall_status make_dir(const char *tmp_dir, char **ret, stall_error *reterr)
{
    char *dir = with_suffix(tmp_dir, "/stalldiff-XXXXXX");

    *ret = NULL;
    if (dir == NULL)
        return stall_error_memory(reterr);
    if (mkdtemp(dir) == NULL) {
        int error = errno;

        stall_mem_free(dir);
        refuse("cannot make a folder for a private copy in", tmp_dir, error, reterr);
        stall_error_hint(reterr, "a database with a -wal is read from a private copy: set TMPDIR "
                                 "to a folder that can be written");
        return STALL_EREAD;
    }
    *ret = dir;
    return STALL_OK;
}

stall_status stall_traceml_place_find(const char *path, const char *tmp_dir, uint32_t page_size,
                                      stall_warnings *warnings, stall_traceml_place *ret,
                                      stall_error *reterr)
{
    char *wal;
    stall_status status = find_wal(path, &wal, reterr);

    *ret = (stall_traceml_place){0};
    if (status == STALL_OK && wal == NULL) {
        ret->uri = uri_of(path, "", "?immutable=1");
    } else if (status == STALL_OK) {
        status =
            make_dir(tmp_dir != NULL && tmp_dir[0] != '\0' ? tmp_dir : "/tmp", &ret->dir, reterr);
        if (status == STALL_OK)
            status = copy_steady(path, wal, ret->dir, reterr);
        if (status == STALL_OK)
            status = check_wal(ret->dir, page_size, warnings, reterr);
        if (status == STALL_OK)
            ret->uri = uri_of(ret->dir, copy_names[0], "");
    }
    if (status == STALL_OK && ret->uri == NULL)
        status = stall_error_memory(reterr);
    if (status != STALL_OK)
        stall_traceml_place_leave(ret);
    stall_mem_free(wal);
    return status;
}

void stall_traceml_place_leave(stall_traceml_place *place)
{
    if (place->dir != NULL) {
        remove_copies(place->dir);
        rmdir(place->dir);
    }
    stall_mem_free(place->dir);
    stall_mem_free(place->uri);
    *place = (stall_traceml_place){0};
}
