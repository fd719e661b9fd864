/* The folder of a report: opening it, and refusing one that holds something else.
 *
 * Enters: the path that the user named. Leaves: two open folders, in which every file is reached
 * by its name alone, so that a path that changes meanwhile leads nowhere else. It must not know
 * documents, only the names that a report uses. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write/write.h"

#define PLOTS "plots"
#define MARKER "report.json" /* every report has it, and it begins with MARKER_KEY */
#define MARKER_KEY "\"stalldiff\""
#define MARKER_HEAD 64 /* bytes in which the key stands */

static const char *const report_files[] = {"report.md",   "report.json", "report.html",
                                           "summary.csv", "gaps.csv",    "histogram.csv",
                                           "series.csv"};
static const char *const plot_stems[] = {"wait", "ecdf", "gaps", "recurrence", "sweep"};
static const char *const plot_ends[] = {"gp", "svg", "png", "pdf"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_temp(const char *name)
{
    return strncmp(name, STALL_FOLDER_TEMP, strlen(STALL_FOLDER_TEMP)) == 0;
}

static bool is_report_file(const char *name)
{
    for (size_t i = 0; i < COUNT(report_files); i++)
        if (strcmp(name, report_files[i]) == 0)
            return true;
    return is_temp(name);
}

static bool is_plot_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < COUNT(plot_stems); i++)
        for (size_t k = 0; k < COUNT(plot_ends); k++)
            if (strlen(plot_stems[i]) == (size_t)(dot - name) &&
                strncmp(name, plot_stems[i], (size_t)(dot - name)) == 0 &&
                strcmp(dot + 1, plot_ends[k]) == 0)
                return true;
    return is_temp(name);
}

stall_status stall_folder_fail(const stall_folder *f, const char *sub, const char *name,
                               const char *what, int code, stall_error *reterr)
{
    char path[512];

    stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "%s: %s", what, strerror(code));
    snprintf(path, sizeof(path), "%s%s%s%s%s", f->path, *sub != '\0' ? "/" : "", sub,
             *name != '\0' ? "/" : "", name);
    stall_error_source(reterr, path);
    if (code == ENOSPC || code == EDQUOT)
        stall_error_hint(reterr, "make room, or name another folder with -o");
    else if (code == ENOENT)
        stall_error_hint(reterr, "make the folder above it first");
    else
        stall_error_hint(reterr, "name another folder with -o");
    if (reterr != NULL)
        reterr->sys_errno = code;
    return STALL_EWRITE;
}

static stall_status refuse(const stall_folder *f, const char *why, const char *name,
                           stall_error *reterr)
{
    char shown[128];

    stall_text_printable(shown, sizeof(shown), name, strlen(name));
    stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "%s%s", why, shown);
    stall_error_hint(reterr, "name another folder with -o, or pass --force");
    stall_error_source(reterr, f->path);
    return STALL_EUSAGE;
}

/* A stream over its own descriptor, so that closing it leaves fd open. */
static DIR *list(int fd)
{
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = own >= 0 ? fdopendir(own) : NULL;

    if (d == NULL && own >= 0)
        close(own);
    return d;
}

/* The next entry but . and .., or NULL. */
static struct dirent *next(DIR *d)
{
    struct dirent *e;

    do
        e = readdir(d);
    while (e != NULL && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0));
    return e;
}

static bool is_folder(int fd, const char *name)
{
    struct stat st;

    return fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* Did stalldiff write the report.json of this folder? */
static bool has_marker(int fd)
{
    char head[MARKER_HEAD + 1];
    int file = openat(fd, MARKER, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t n;

    if (file < 0)
        return false;
    n = read(file, head, MARKER_HEAD);
    close(file);
    if (n <= 0)
        return false;
    head[n] = '\0';
    return strstr(head, MARKER_KEY) != NULL;
}

/* Looks at every entry of the folder (or of plots/): all must be of a report. */
static stall_status inspect(const stall_folder *f, bool plots, stall_error *reterr)
{
    DIR *d = list(plots ? f->plots_fd : f->fd);
    stall_status status = STALL_OK;
    struct dirent *e;
    bool files = false;

    if (d == NULL)
        return stall_folder_fail(f, plots ? PLOTS : "", "", "cannot be read", errno, reterr);
    while (status == STALL_OK && (e = next(d)) != NULL) {
        bool ours = plots ? is_plot_file(e->d_name) : is_report_file(e->d_name);

        if (!is_temp(e->d_name) && is_folder(plots ? f->plots_fd : f->fd, e->d_name))
            ours = !plots && strcmp(e->d_name, PLOTS) == 0;
        else
            files |= !is_temp(e->d_name);
        if (!ours)
            status =
                refuse(f, "the folder holds a file that is not of a report: ", e->d_name, reterr);
    }
    closedir(d);
    if (status == STALL_OK && files && !has_marker(f->fd))
        status = refuse(f, "the folder holds files but no report.json of stalldiff", "", reterr);
    return status;
}

static stall_status open_plots(stall_folder *f, bool force, stall_error *reterr)
{
    int follow = force ? 0 : O_NOFOLLOW;

    if (mkdirat(f->fd, PLOTS, 0777) == 0)
        f->made_plots = true;
    else if (errno != EEXIST)
        return stall_folder_fail(f, PLOTS, "", "cannot be made", errno, reterr);
    f->plots_fd = openat(f->fd, PLOTS, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
    if (f->plots_fd < 0)
        return stall_folder_fail(f, PLOTS, "", "cannot be opened", errno, reterr);
    return force ? STALL_OK : inspect(f, true, reterr);
}

stall_status stall_folder_open(stall_folder *f, const char *path, bool force, stall_error *reterr)
{
    struct stat st;
    stall_status status = STALL_OK;

    *f = (stall_folder){.path = path, .fd = -1, .plots_fd = -1};
    if (mkdir(path, 0777) == 0)
        f->made = true;
    else if (errno != EEXIST)
        return stall_folder_fail(f, "", "", "cannot be made", errno, reterr);
    if (!force && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return refuse(f, "the folder is a symbolic link", "", reterr);
    f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (force ? 0 : O_NOFOLLOW));
    if (f->fd < 0)
        return stall_folder_fail(f, "", "", "cannot be opened", errno, reterr);
    if (!f->made && !force)
        status = inspect(f, false, reterr);
    return status == STALL_OK ? open_plots(f, force, reterr) : status;
}

void stall_folder_close(stall_folder *f, bool undo)
{
    if (f->plots_fd >= 0)
        close(f->plots_fd);
    if (undo && f->made_plots)
        unlinkat(f->fd, PLOTS, AT_REMOVEDIR);
    if (f->fd >= 0)
        close(f->fd);
    if (undo && f->made)
        rmdir(f->path);
    f->fd = f->plots_fd = -1;
}

void stall_folder_drop(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? list(fd) : NULL;
    struct dirent *e;

    while (d != NULL && (e = next(d)) != NULL)
        if (unlinkat(fd, e->d_name, 0) != 0)
            unlinkat(fd, e->d_name, AT_REMOVEDIR);
    if (d != NULL)
        closedir(d);
    if (fd >= 0)
        close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

static void sweep(int fd)
{
    DIR *d = list(fd);
    struct dirent *e;

    while (d != NULL && (e = next(d)) != NULL) {
        if (!is_temp(e->d_name))
            continue;
        if (is_folder(fd, e->d_name))
            stall_folder_drop(fd, e->d_name);
        else
            unlinkat(fd, e->d_name, 0);
    }
    if (d != NULL)
        closedir(d);
}

void stall_folder_sweep(const stall_folder *f)
{
    sweep(f->fd);
    sweep(f->plots_fd);
}
