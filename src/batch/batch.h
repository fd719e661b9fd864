/* Many runs: what a run on disk is and how it is read, which runs an archive holds, what is known
 * of them, and the tables over all of them. run_load.c and run_folder.c read one run and serve the
 * other commands too. */
#ifndef STALL_BATCH_H
#define STALL_BATCH_H

#include "base/base.h"
#include "stalldiff/stalldiff.h"

/* ---- run_load.c, run_folder.c: one run from a path ---- */

typedef struct stall_run_options {
    const stall_read_options *read;
    bool threads; /* decompress on a thread of its own */
    /* Called with the bytes of files that were read since the last time, from any thread; or NULL.
     */
    void (*count)(void *ctx, uint64_t bytes);
    void *ctx;
} stall_run_options;

/* A source over an input that counts. The source comes first: its address is that of the whole,
 * which must not be moved. */
typedef struct stall_run_meter {
    stall_source source;
    stall_source *inner; /* of the input */
    stall_input *input;
    const stall_run_options *options;
    uint64_t counted; /* of its bytes */
} stall_run_meter;
void stall_run_meter_init(stall_run_meter *ret, stall_input *input, const stall_run_options *o);
/* An opener for the files of a folder, with such meters; `o` outlives it. */
stall_opener stall_run_opener(const stall_run_options *o);

/* Reads one run, a file, a folder or "-": bytes, sidecar, label. Requires an initialised, empty
 * series. Errors: those of stall_input_open, stall_read and stall_read_folder. */
stall_status stall_run_load(const char *path, const stall_run_options *o, stall_series *ret,
                            stall_error *reterr);
/* The same of a run that is given as a folder. */
stall_status stall_run_load_folder(const char *path, const stall_run_options *o, stall_series *ret,
                                   stall_error *reterr);
/* Adds the facts of the sidecar `path`. *ret_found = false: there is none. STALL_EREAD,
 * STALL_ENOMEM, STALL_EFORMAT. */
stall_status stall_run_sidecar(const char *path, stall_series *s, bool *ret_found,
                               stall_error *reterr);
/* Adds those of FILE.meta.json, else of run.meta.json beside it, when there is one. */
stall_status stall_run_sidecars(const char *path, stall_series *s, stall_error *reterr);
/* The name of a run for people, after its path. NULL: no memory. */
char *stall_run_label(const char *path);
/* The path as it may be printed: an absolute one keeps its last two components. NULL: no memory. */
char *stall_run_path(const char *path);

#endif
