/* Reading a run that is given as a folder: folder_list.c lists it, traceml_folder.c finds a TraceML
 * run in it, folder_files.c other files that are a run, folder_merge.c puts the files of one run
 * together. */
#ifndef STALL_FOLDER_H
#define STALL_FOLDER_H

#include "base/base.h"
#include "read/read.h"

/* Limits that the input controls. */
#define STALL_DIR_DEPTH_MAX 16u      /* folders inside each other; deeper ones are not looked at */
#define STALL_DIR_ENTRIES_MAX 65536u /* files and folders; STALL_ELIMIT */

/* ---- folder_list.c ---- */

typedef struct stall_dir_file {
    char *path;       /* as it is opened: the folder as given, then the rest */
    const char *name; /* the rest */
} stall_dir_file;

/* The regular files below a folder, sorted by name, so that the result does not depend on the order
 * of the file system. Hidden ones and sidecars (*.meta.json) are left out. */
typedef struct stall_dir {
    stall_dir_file *files;
    size_t len, cap;
} stall_dir;

/* Lists a folder. Links to files count, links to folders are not followed. STALL_EREAD, naming the
 * folder that cannot be read; STALL_ELIMIT, STALL_ENOMEM. The list must be closed in any case. */
stall_status stall_dir_list(const char *path, stall_dir *ret, stall_error *reterr);
void stall_dir_close(stall_dir *folder);
/* The file of this name, or NULL. */
const stall_dir_file *stall_dir_find(const stall_dir *folder, const char *name);
/* The part of a name after its last '/'. */
const char *stall_dir_base(const char *name);
/* Does it end so, a suffix of compression left aside? */
bool stall_dir_suffix(const char *name, const char *suffix);
/* The first bytes of a file, at most STALL_HEAD_MAX to `head`; *ret_whole: that is all. Errors:
 * those of the opener and its source. */
stall_status stall_dir_head(const stall_opener *opener, const char *path, unsigned char *head,
                            size_t *ret_len, bool *ret_whole, stall_error *reterr);

/* ---- traceml_folder.c, folder_files.c ---- */

/* Reads a TraceML run folder. *ret_found = false: the folder is none, nothing was read. Errors:
 * those of stall_read, STALL_ENODATA for a folder of several runs. */
stall_status stall_traceml_folder(const stall_dir *folder, const stall_opener *opener,
                                  const stall_read_options *options, stall_series *out,
                                  bool *ret_found, stall_error *reterr);
/* Reads a run that lies in the folder as one file, or as a log for each rank. STALL_ENODATA, saying
 * what was found, when there is none or several are. */
stall_status stall_folder_files(const stall_dir *folder, const stall_opener *opener,
                                const stall_read_options *options, stall_series *out,
                                stall_error *reterr);

/* ---- folder_merge.c ---- */

/* One file of a run of several. */
typedef struct stall_dir_part {
    const stall_dir_file *file;
    int64_t rank; /* in the file's name, or STALL_UNKNOWN */
    stall_series series;
} stall_dir_part;

/* Warns of ranks that are missing between 0 and the last of these, which are sorted and distinct.
 */
stall_status stall_dir_ranks(const int64_t *ranks, size_t len, stall_warnings *warnings,
                             stall_error *reterr);
/* Appends the rows of all parts, in their order. Ranks that a file tells of its rows win over the
 * one in its name. A rank in two files: its rows of the second one are a segment of their own. */
stall_status stall_dir_merge(stall_dir_part *parts, size_t len, stall_series *out,
                             stall_error *reterr);

#endif
