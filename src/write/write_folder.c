/* The report folder: every document and every picture, each under a temporary name first.
 *
 * Enters: the model and a path. Leaves: a folder whose files are all of this report. Documents are
 * renamed only when all of them are complete, so a full disk leaves the earlier report as it was.
 * It must not know what the documents say. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write/write.h"

typedef stall_status document_writer(const stall_report *r, stall_sink *sink, stall_error *reterr);

static const struct {
    const char *name;
    document_writer *write;
} documents[] = {
    {"report.html", stall_write_html}, /* only when asked for */
    {"report.json", stall_write_json},        {"report.md", stall_write_markdown},
    {"summary.csv", stall_write_summary_csv}, {"series.csv", stall_write_series_csv},
    {"gaps.csv", stall_write_gaps_csv},       {"histogram.csv", stall_write_histogram_csv},
};
#define DOCUMENTS (sizeof(documents) / sizeof(documents[0]))
#define NAME_MAX_OURS 32 /* bytes of any file name of a report */
#define TEMP_TRIES 1000  /* temporary names that may be taken */
#define PDF_TAIL 8192    /* bytes at the end of a PDF that hold its date */
#define ROOM 65536       /* bytes that must fit where a picture does */
#define TAIL 64          /* bytes at the end of a picture that show it is whole */

/* A file that is written but not yet renamed. */
typedef struct pending {
    bool plot; /* in plots/ */
    char name[NAME_MAX_OURS];
    char temp[STALL_FOLDER_TEMP_MAX];
} pending;

typedef struct job {
    const stall_report *report;
    const stall_folder_options *options;
    stall_folder folder;
    pending files[DOCUMENTS + STALL_PLOT_COUNT];
    size_t len;
    unsigned next_temp;
} job;

/* A file that is open for writing, as a sink. */
typedef struct target {
    const job *job;
    const pending *file;
    int fd;
} target;

static int folder_fd(const job *j, bool plot)
{
    return plot ? j->folder.plots_fd : j->folder.fd;
}

static stall_status fail(const job *j, const pending *f, const char *what, int code,
                         stall_error *reterr)
{
    return stall_folder_fail(&j->folder, f->plot ? "plots" : "", f->name, what, code, reterr);
}

static bool stopped(const job *j)
{
    return j->options->stopped != NULL && j->options->stopped();
}

static stall_status target_write(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    target *t = ctx;
    const char *bytes = data;

    while (len > 0) {
        ssize_t n;

        if (stopped(t->job))
            return fail(t->job, t->file, "was not finished", EINTR, reterr);
        n = write(t->fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(t->job, t->file, "cannot be written", n < 0 ? errno : EIO, reterr);
        bytes += n;
        len -= (size_t)n;
    }
    return STALL_OK;
}

static void next_name(job *j, char temp[STALL_FOLDER_TEMP_MAX])
{
    snprintf(temp, STALL_FOLDER_TEMP_MAX, STALL_FOLDER_TEMP "%ld-%u", (long)getpid(),
             j->next_temp++);
}

/* Opens a new file of its own; the mode is the one that the umask leaves. */
static stall_status open_temp(job *j, pending *f, int *ret_fd, stall_error *reterr)
{
    int fd = -1;

    for (int i = 0; i < TEMP_TRIES && fd < 0; i++) {
        next_name(j, f->temp);
        fd = openat(folder_fd(j, f->plot), f->temp,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    *ret_fd = fd;
    return fd >= 0 ? STALL_OK : fail(j, f, "cannot be made", errno, reterr);
}

/* Document `write`, or with NULL the script of picture `kind`. */
static stall_status write_one(job *j, bool plot, const char *name, document_writer *writer,
                              stall_plot_kind kind, stall_error *reterr)
{
    pending *f = &j->files[j->len];
    target t = {j, f, -1};
    stall_sink sink = {&t, target_write};
    stall_status status;

    f->plot = plot;
    snprintf(f->name, sizeof(f->name), "%s", name);
    status = open_temp(j, f, &t.fd, reterr);
    if (status != STALL_OK)
        return status;
    j->len++; /* from here on it is removed when something fails */
    if (writer != NULL)
        status = writer(j->report, &sink, reterr);
    else
        status = stall_write_gnuplot(j->report, kind, j->options->plot, &sink, reterr);
    if (close(t.fd) != 0 && status == STALL_OK) /* some file systems report a full disk here */
        status = fail(j, f, "cannot be written", errno, reterr);
    return status;
}

static stall_status write_all(job *j, stall_error *reterr)
{
    stall_status status = STALL_OK;
    char name[NAME_MAX_OURS];

    for (size_t i = j->options->html ? 0 : 1; i < DOCUMENTS && status == STALL_OK; i++)
        status =
            write_one(j, false, documents[i].name, documents[i].write, STALL_PLOT_WAIT, reterr);
    for (int k = 0; k < STALL_PLOT_COUNT && status == STALL_OK; k++) {
        if (!stall_plot_belongs((stall_plot_kind)k, j->report))
            continue;
        snprintf(name, sizeof(name), "%s.gp", stall_plot_name((stall_plot_kind)k));
        status = write_one(j, true, name, NULL, (stall_plot_kind)k, reterr);
    }
    return status;
}

static stall_status rename_all(job *j, stall_error *reterr)
{
    for (size_t i = 0; i < j->len; i++) {
        pending *f = &j->files[i];
        int fd = folder_fd(j, f->plot);

        if (renameat(fd, f->temp, fd, f->name) != 0)
            return fail(j, f, "cannot be replaced", errno, reterr);
        f->temp[0] = '\0';
    }
    return STALL_OK;
}

static void remove_temps(job *j)
{
    for (size_t i = 0; i < j->len; i++)
        if (j->files[i].temp[0] != '\0')
            unlinkat(folder_fd(j, j->files[i].plot), j->files[i].temp, 0);
}

/* Files of an earlier report that this one does not write again would contradict it. */
static void remove_stale(job *j)
{
    char name[NAME_MAX_OURS];

    if (!j->options->html)
        unlinkat(j->folder.fd, "report.html", 0);
    for (int k = 0; k < STALL_PLOT_COUNT; k++) {
        snprintf(name, sizeof(name), "%s.gp", stall_plot_name((stall_plot_kind)k));
        if (!stall_plot_belongs((stall_plot_kind)k, j->report))
            unlinkat(j->folder.plots_fd, name, 0);
        for (int format = 0; format < STALL_PLOT_FORMATS; format++) {
            snprintf(name, sizeof(name), "%s.%s", stall_plot_name((stall_plot_kind)k),
                     stall_plot_suffix((stall_plot_format)format));
            unlinkat(j->folder.plots_fd, name, 0);
        }
    }
}

/* ---- pictures ---- */

typedef enum picture_state { PICTURE_NONE, PICTURE_CUT, PICTURE_WHOLE } picture_state;

/* A picture that was cut, as by a full disk, lacks its end; gnuplot may not notice. */
static picture_state look_at(int folder, const char *name, stall_plot_format format)
{
    static const char *const ends[STALL_PLOT_FORMATS] = {"</svg>", "IEND", "%%EOF"};
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    size_t len = strlen(ends[format]);
    char tail[TAIL];
    struct stat st;
    ssize_t n = -1;
    bool found = false;

    if (fd < 0)
        return PICTURE_NONE;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        n = pread(fd, tail, TAIL, st.st_size > TAIL ? st.st_size - TAIL : 0);
    close(fd);
    for (size_t i = 0; n >= 0 && i + len <= (size_t)n && !found; i++)
        found = memcmp(tail + i, ends[format], len) == 0;
    return found ? PICTURE_WHOLE : n >= 0 ? PICTURE_CUT : PICTURE_NONE;
}

/* Why a picture may not have fitted into the workshop: errno of a write of its size, or 0. */
static int lack_of_room(int folder)
{
    static const char bytes[ROOM];
    int fd = openat(folder, "room", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    ssize_t n;
    int code = 0;

    if (fd < 0)
        return errno;
    for (size_t at = 0; at < sizeof(bytes) && code == 0; at += n > 0 ? (size_t)n : 0) {
        n = write(fd, bytes, sizeof(bytes) - at);
        if (n == 0 || (n < 0 && errno != EINTR))
            code = n < 0 ? errno : EIO;
    }
    if (close(fd) != 0 && code == 0)
        code = errno;
    return code;
}

/* A PDF holds the moment in which it was made: replaced, in place, by a fixed one of equal length.
 * False: it has no such entry where it is expected. */
static bool fix_pdf_date(int folder, const char *name)
{
    static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char tail[PDF_TAIL];
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    off_t start = size > PDF_TAIL ? size - PDF_TAIL : 0;
    ssize_t n = size > 0 ? pread(fd, tail, PDF_TAIL, start) : -1;
    const char *found = n > 0 ? memmem(tail, (size_t)n, key, sizeof(key) - 1) : NULL;
    bool ok = false;

    if (found != NULL && found - tail + sizeof(key) - 1 + sizeof(date) - 1 <= (size_t)n)
        ok = pwrite(fd, date, sizeof(date) - 1, start + (found - tail) + (off_t)sizeof(key) - 1) ==
             sizeof(date) - 1;
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}

/* A folder of its own for what gnuplot writes. False: it could not be made. */
static bool make_workshop(job *j, char temp[STALL_FOLDER_TEMP_MAX], int *ret_fd)
{
    for (int i = 0; i < TEMP_TRIES; i++) {
        next_name(j, temp);
        if (mkdirat(j->folder.plots_fd, temp, 0700) == 0) {
            *ret_fd =
                openat(j->folder.plots_fd, temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (*ret_fd < 0)
                unlinkat(j->folder.plots_fd, temp, AT_REMOVEDIR);
            return *ret_fd >= 0;
        }
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* One picture. False: it could not be drawn; *ret_code is why, where that is no fault of gnuplot.
 */
static bool draw_one(job *j, int workshop, stall_plot_kind kind, pending *f, int *ret_code)
{
    stall_plot_format format = j->options->plot;
    const char *name = stall_plot_name(kind);
    char script[NAME_MAX_OURS];
    picture_state state;
    bool ran;

    f->plot = true;
    snprintf(script, sizeof(script), "../%s.gp", name);
    snprintf(f->name, sizeof(f->name), "%s.%s", name, stall_plot_suffix(format));
    ran = stall_gnuplot_run(j->options->gnuplot, workshop, script, STALL_GNUPLOT_SECONDS,
                            j->options->stopped);
    state = look_at(workshop, f->name, format);
    if (ran && state == PICTURE_WHOLE &&
        (format != STALL_PLOT_PDF || fix_pdf_date(workshop, f->name)) &&
        renameat(workshop, f->name, j->folder.plots_fd, f->name) == 0)
        return true;
    *ret_code = stopped(j) ? EINTR : lack_of_room(workshop);
    if (*ret_code == 0 && ran && state == PICTURE_CUT)
        *ret_code = EIO;
    return false;
}

/* Draws one picture after the other; when one could not be drawn, the rest is left out. */
static stall_status draw_all(job *j, bool *ret_drawn, stall_error *reterr)
{
    char temp[STALL_FOLDER_TEMP_MAX];
    pending file = {0};
    int fd = -1, code = 0;

    *ret_drawn = make_workshop(j, temp, &fd);
    if (!*ret_drawn)
        return STALL_OK;
    for (int k = 0; k < STALL_PLOT_COUNT && *ret_drawn; k++)
        if (stall_plot_belongs((stall_plot_kind)k, j->report))
            *ret_drawn = draw_one(j, fd, (stall_plot_kind)k, &file, &code);
    close(fd);
    stall_folder_drop(j->folder.plots_fd, temp);
    return code == 0 ? STALL_OK : fail(j, &file, "cannot be drawn", code, reterr);
}

stall_status stall_write_folder(const stall_report *r, const char *dir,
                                const stall_folder_options *options, bool *ret_plots,
                                stall_error *reterr)
{
    job j = {.report = r, .options = options};
    stall_status status;

    if (ret_plots != NULL)
        *ret_plots = false;
    status = stall_folder_open(&j.folder, dir, options->force, reterr);
    if (status != STALL_OK)
        goto out;
    stall_folder_sweep(&j.folder);
    status = write_all(&j, reterr);
    if (status == STALL_OK)
        status = rename_all(&j, reterr);
    if (status != STALL_OK)
        goto out;
    remove_stale(&j);
    if (options->gnuplot != NULL && options->plot < STALL_PLOT_NONE && ret_plots != NULL)
        status = draw_all(&j, ret_plots, reterr);
out:
    if (status != STALL_OK)
        remove_temps(&j);
    stall_folder_close(&j.folder, status != STALL_OK);
    return status;
}
