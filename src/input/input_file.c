/* Raw input: bytes as they lie in a file, a pipe or stdin.
 *
 * Enters: a path. Leaves: a window of unused bytes and their place in the file. It must not know
 * what the bytes mean. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"

static stall_status read_error(const stall_file *f, int code, const char *what, const char *hint,
                               stall_error *reterr)
{
    stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "%s: %s", what, strerror(code));
    stall_error_hint(reterr, "%s", hint);
    stall_error_source(reterr, f->name);
    if (reterr != NULL)
        reterr->sys_errno = code;
    return STALL_EREAD;
}

static stall_status open_error(const stall_file *f, int code, stall_error *reterr)
{
    const char *hint = "check the path and its permissions";

    if (code == ENOENT || code == ENOTDIR)
        hint = "check the spelling; relative paths start at the current folder";
    else if (code == EACCES || code == EPERM)
        hint = "check the permissions of the file and of the folders above it";
    return read_error(f, code, "cannot be opened", hint, reterr);
}

/* Refuses a folder, and finds out how many bytes there are to read. */
static stall_status inspect(stall_file *f, stall_error *reterr)
{
    struct stat st;
    off_t at;

    if (fstat(f->fd, &st) != 0)
        return open_error(f, errno, reterr);
    if (S_ISDIR(st.st_mode)) {
        stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "is a directory");
        stall_error_hint(reterr, "name the trace or log files in it");
        stall_error_source(reterr, f->name);
        if (reterr != NULL)
            reterr->sys_errno = EISDIR;
        return STALL_EREAD;
    }
    if (!S_ISREG(st.st_mode))
        return STALL_OK;
    at = lseek(f->fd, 0, SEEK_CUR); /* stdin may have been read from before */
    if (at >= 0 && at < st.st_size)
        f->total = (uint64_t)(st.st_size - at);
    (void)posix_fadvise(f->fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* no more than a hint */
    return STALL_OK;
}

stall_status stall_file_open(stall_file *f, const char *path, stall_error *reterr)
{
    memset(f, 0, sizeof(*f));
    f->fd = -1;
    f->wake = -1;
    f->chunk = STALL_FILE_BUFFER;
    f->name = stall_mem_text(path, strlen(path));
    f->buf = stall_mem_alloc(STALL_FILE_BUFFER, 1);
    if (f->name == NULL || f->buf == NULL)
        return stall_error_memory(reterr);
    if (strcmp(path, "-") == 0) {
        f->fd = STDIN_FILENO;
    } else {
        do
            f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (f->fd < 0 && errno == EINTR);
        f->owned = true;
    }
    if (f->fd < 0)
        return open_error(f, errno, reterr);
    return inspect(f, reterr);
}

void stall_file_close(stall_file *f)
{
    if (f->owned && f->fd >= 0)
        (void)close(f->fd); /* only read from: nothing can be lost */
    stall_mem_free(f->name);
    stall_mem_free(f->buf);
    memset(f, 0, sizeof(*f));
    f->fd = -1;
    f->wake = -1;
}

/* Waits until there is something to read. False: who waits for it has gone. */
static bool wait_readable(const stall_file *f)
{
    struct pollfd p[2] = {{f->fd, POLLIN, 0}, {f->wake, POLLIN, 0}}; /* -1 is passed over */

    while (poll(p, 2, -1) < 0 && errno == EINTR)
        continue; /* whatever it says of the first, read() is tried and knows better */
    return p[1].revents == 0;
}

stall_status stall_file_fill(stall_file *f, size_t need, stall_error *reterr)
{
    size_t room;
    ssize_t n;

    if (f->len - f->pos >= need || f->end)
        return STALL_OK;
    memmove(f->buf, f->buf + f->pos, f->len - f->pos);
    f->len -= f->pos;
    f->pos = 0;
    while (f->len < need && !f->end) {
        if (f->wake >= 0 && !wait_readable(f))
            return STALL_EREAD; /* nobody will look at it */
        room = STALL_FILE_BUFFER - f->len;
        n = read(f->fd, f->buf + f->len, room < f->chunk ? room : f->chunk);
        if (n > 0) {
            f->len += (size_t)n;
            f->read += (uint64_t)n;
        } else if (n == 0) {
            f->end = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            (void)wait_readable(f);
        } else if (errno != EINTR) {
            return read_error(f, errno, "cannot be read",
                              "check the disk or the network, then copy the file and try again",
                              reterr);
        }
    }
    return STALL_OK;
}

const unsigned char *stall_file_bytes(const stall_file *f, size_t *ret_len)
{
    size_t len = f->len - f->pos;

    *ret_len = len < f->chunk ? len : f->chunk;
    return f->buf + f->pos;
}

uint64_t stall_file_offset(const stall_file *f)
{
    return f->read - (f->len - f->pos);
}
