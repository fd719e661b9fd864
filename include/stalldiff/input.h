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
/* Whether a compressed input may be decoded on a second thread, ahead of the reader; off at first.
 * The same chunks come, and the source is still used by one thread at a time. Before the first read
 * only. */
void stall_input_set_thread(stall_input *in, bool on);
/* Size of the chunks read from the file, 1 .. 1 MiB; for tests. Before the first read only. */
void stall_input_set_chunk(stall_input *in, size_t size);

/* The other direction: bytes into a file, compressed as its name says (.gz, .zst, else plain). The
 * same bytes give the same file: no time stamp or name is stored. */
typedef struct stall_packer stall_packer;

/* Makes a packer over an open file descriptor, which stays the caller's. `name` gives the form and
 * stands in errors; it is copied. *ret is freed with stall_packer_close. STALL_ENOMEM. */
stall_status stall_packer_open(int fd, const char *name, stall_packer **ret, stall_error *reterr);
/* Takes len bytes; `ctx` is the packer, so that it can stand as a sink. STALL_EWRITE. */
stall_status stall_packer_write(void *ctx, const void *data, size_t len, stall_error *reterr);
/* Writes what is left and the trailer. To be called once, after the last write. STALL_EWRITE. */
stall_status stall_packer_finish(stall_packer *p, stall_error *reterr);
/* Frees the packer. NULL is allowed. */
void stall_packer_close(stall_packer *p);

#ifdef __cplusplus
}
#endif
#endif
