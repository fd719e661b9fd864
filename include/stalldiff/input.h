/* Opening inputs: files, pipes and stdin; plain, gzip and zstd, found by content. */
#ifndef STALLDIFF_INPUT_H
#define STALLDIFF_INPUT_H

#include "read.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stall_input stall_input;

/* Opens `path`, or stdin for "-", and finds out how it is compressed from its first bytes, whatever
 * the suffix. *ret is freed with stall_input_close. `path` is copied. Errors: STALL_EREAD (cannot be
 * opened, is a directory, ...), STALL_EFORMAT (empty file), STALL_ENOMEM. */
stall_status stall_input_open(const char *path, stall_input **ret, stall_error *reterr);
/* Closes the file and frees everything. NULL is allowed. */
void stall_input_close(stall_input *in);
/* The source that readers take. Valid until stall_input_close. */
stall_source *stall_input_source(stall_input *in);
/* Bytes of the file read so far, and its size (0 when not known, as of a pipe), for progress. */
void stall_input_progress(const stall_input *in, uint64_t *ret_done, uint64_t *ret_total);
/* Size of the chunks read from the file, 1 .. 1 MiB; for tests. Before the first read only. */
void stall_input_set_chunk(stall_input *in, size_t size);

#ifdef __cplusplus
}
#endif
#endif
