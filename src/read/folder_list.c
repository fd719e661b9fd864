/* The files below a folder.
 *
 * Enters: a path. Leaves: the regular files below it, sorted. The walk is bounded in depth and
 * number and follows no link to a folder, so it ends whatever the folder holds. It must not know
 * what the files mean. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read/folder.h"
#include "read/traceml.h"

/* Folders that are still to be listed. */
typedef struct pending {
    struct {
        char *path;
        unsigned depth;
    } * folders;
    size_t len, cap, entries;
} pending;

/* folder + "/" + name. */
static char *join(const char *folder, const char *name)
{
    size_t len = strlen(folder);
    stall_text t;

    while (len > 1 && folder[len - 1] == '/')
        len--;
    stall_text_init(&t);
    stall_text_add(&t, folder, len);
    if (len > 0 && folder[len - 1] != '/')
        stall_text_put(&t, "/");
    stall_text_put(&t, name);
    if (!t.failed)
        return t.data;
    stall_text_close(&t);
    return NULL;
}

/* Takes over `path`, also when it fails. */
static stall_status push_folder(pending *p, char *path, unsigned depth, stall_error *reterr)
{
    void *folders = p->folders;

    if (path == NULL || !stall_mem_grow(&folders, &p->cap, p->len + 1, sizeof(*p->folders))) {
        stall_mem_free(path);
        return stall_error_memory(reterr);
    }
    p->folders = folders;
    p->folders[p->len].path = path;
    p->folders[p->len++].depth = depth;
    return STALL_OK;
}

static stall_status push_file(stall_dir *f, char *path, stall_error *reterr)
{
    void *files = f->files;

    if (!stall_mem_grow(&files, &f->cap, f->len + 1, sizeof(*f->files))) {
        stall_mem_free(path);
        return stall_error_memory(reterr);
    }
    f->files = files;
    f->files[f->len++] = (stall_dir_file){path, path};
    return STALL_OK;
}

static stall_status unreadable(const char *path, stall_error *reterr)
{
    int fault = errno;

    stall_error_set(reterr, STALL_EREAD, STALL_OFFSET_NONE, "%s", strerror(fault));
    stall_error_source(reterr, path);
    if (reterr != NULL)
        reterr->sys_errno = fault;
    return STALL_EREAD;
}

static stall_status take_entry(pending *p, stall_dir *f, const char *folder, const char *name,
                               unsigned depth, stall_error *reterr)
{
    char *path = join(folder, name);
    struct stat st;
    bool link;

    if (path == NULL)
        return stall_error_memory(reterr);
    if (lstat(path, &st) == 0) {
        link = S_ISLNK(st.st_mode);
        if (S_ISDIR(st.st_mode) && depth < STALL_DIR_DEPTH_MAX)
            return push_folder(p, path, depth + 1, reterr);
        if (link && stat(path, &st) != 0)
            st.st_mode = 0; /* a link to nothing */
        if (S_ISREG(st.st_mode) && !stall_dir_suffix(name, ".meta.json"))
            return push_file(f, path, reterr);
    }
    stall_mem_free(path); /* a pipe, a device, or gone meanwhile */
    return STALL_OK;
}

static stall_status list_one(pending *p, stall_dir *f, const char *path, unsigned depth,
                             stall_error *reterr)
{
    DIR *dir = opendir(path);
    stall_status status = STALL_OK;
    const struct dirent *e;

    if (dir == NULL)
        return unreadable(path, reterr);
    while (status == STALL_OK) {
        errno = 0;
        e = readdir(dir);
        if (e == NULL) {
            status = errno ? unreadable(path, reterr) : STALL_OK;
            break;
        }
        if (e->d_name[0] == '.')
            continue;
        if (++p->entries > STALL_DIR_ENTRIES_MAX) {
            status = stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE,
                                     "more than %u files and folders below this one",
                                     STALL_DIR_ENTRIES_MAX);
            stall_error_hint(reterr, "give the folder of the run itself, or a file in it");
            break;
        }
        status = take_entry(p, f, path, e->d_name, depth, reterr);
    }
    closedir(dir);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const stall_dir_file *)a)->path, ((const stall_dir_file *)b)->path);
}

stall_status stall_dir_list(const char *path, stall_dir *ret, stall_error *reterr)
{
    pending p = {0};
    stall_status status = push_folder(&p, join(path, ""), 0, reterr);
    size_t root = p.len > 0 ? strlen(p.folders[0].path) : 0;

    for (size_t i = 0; status == STALL_OK && i < p.len; i++)
        status = list_one(&p, ret, p.folders[i].path, p.folders[i].depth, reterr);
    for (size_t i = 0; i < ret->len; i++)
        ret->files[i].name = ret->files[i].path + root;
    if (ret->len > 0)
        qsort(ret->files, ret->len, sizeof(*ret->files), by_name);
    for (size_t i = 0; i < p.len; i++)
        stall_mem_free(p.folders[i].path);
    stall_mem_free(p.folders);
    return status;
}

void stall_dir_close(stall_dir *folder)
{
    for (size_t i = 0; i < folder->len; i++)
        stall_mem_free(folder->files[i].path);
    stall_mem_free(folder->files);
    memset(folder, 0, sizeof(*folder));
}

const stall_dir_file *stall_dir_find(const stall_dir *folder, const char *name)
{
    for (size_t i = 0; i < folder->len; i++)
        if (strcmp(folder->files[i].name, name) == 0)
            return &folder->files[i];
    return NULL;
}

const char *stall_dir_base(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash != NULL ? slash + 1 : name;
}

bool stall_dir_suffix(const char *name, const char *suffix)
{
    static const char *const packed[] = {"", ".gz", ".zst"};
    size_t len = strlen(name), n = strlen(suffix), m;

    for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++) {
        m = strlen(packed[i]);
        if (len >= n + m && strcmp(name + len - m, packed[i]) == 0 &&
            memcmp(name + len - m - n, suffix, n) == 0)
            return true;
    }
    return false;
}

stall_status stall_dir_head(const stall_opener *opener, const char *path, unsigned char *head,
                            size_t *ret_len, bool *ret_whole, stall_error *reterr)
{
    const unsigned char *data;
    stall_source *src = NULL;
    size_t len, n;
    stall_status status = opener->open(opener->ctx, path, &src, reterr);

    *ret_len = 0;
    *ret_whole = false;
    while (status == STALL_OK && *ret_len < STALL_HEAD_MAX && !*ret_whole) {
        status = src->next(src->ctx, &data, &len, reterr);
        if (status != STALL_OK)
            break;
        *ret_whole = len == 0;
        n = STALL_HEAD_MAX - *ret_len;
        n = len < n ? len : n;
        if (n > 0)
            memcpy(head + *ret_len, data, n);
        *ret_len += n;
    }
    if (src != NULL)
        opener->close(opener->ctx, src);
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0')
        stall_error_source(reterr, path);
    return status;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The last rank<n>, rank_<n> or rank-<n> in the first `len` bytes of a name. */
static int64_t component_rank(const char *name, size_t len)
{
    int64_t ret = STALL_UNKNOWN, n;
    size_t from, to;

    for (size_t i = 0; i + 4 < len; i++) {
        if (memcmp(name + i, "rank", 4) != 0 || (i > 0 && is_letter(name[i - 1])))
            continue;
        from = i + 4;
        if (name[from] == '_' || name[from] == '-')
            from++;
        for (to = from; to < len && name[to] >= '0' && name[to] <= '9'; to++)
            ;
        if (to > from && stall_decimal_parse(name + from, to - from, 0, &n) && n <= INT32_MAX)
            ret = n;
    }
    return ret;
}

int64_t stall_path_rank(const char *path)
{
    size_t end = path != NULL ? strlen(path) : 0, start;
    int64_t n;

    while (end > 0) {
        for (start = end; start > 0 && path[start - 1] != '/'; start--)
            ;
        n = component_rank(path + start, end - start);
        if (n != STALL_UNKNOWN)
            return n;
        end = start > 0 ? start - 1 : 0;
    }
    return STALL_UNKNOWN;
}
