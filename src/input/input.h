/* Inside the input stage: the raw file below, one codec for each compression, the source on top. */
#ifndef STALL_INPUT_INTERNAL_H
#define STALL_INPUT_INTERNAL_H

#include "base/base.h"
#include "stalldiff/input.h"

#define STALL_FILE_BUFFER ((size_t)256 * 1024)  /* bytes read from the file at a time */
#define STALL_PLAIN_BUFFER ((size_t)256 * 1024) /* decompressed bytes handed on at a time */
#define STALL_MAGIC_MAX 4                       /* bytes that tell the compression */

/* ---- input_file.c: bytes as they lie in the file ---- */

typedef struct stall_file {
    int fd;     /* -1: none */
    int wake;   /* when not -1: a wait for bytes ends with STALL_EREAD when this can be read */
    bool owned; /* close it; stdin is not ours */
    bool end;
    char *name;
    unsigned char *buf; /* STALL_FILE_BUFFER bytes, of which pos .. len are not used yet */
    size_t pos, len;
    size_t chunk;   /* most bytes to read or to hand on at a time */
    uint64_t read;  /* bytes read so far */
    uint64_t total; /* size of the file, or 0 when not known */
} stall_file;

stall_status stall_file_open(stall_file *f, const char *path, stall_error *reterr);
void stall_file_close(stall_file *f);
/* Reads until `need` bytes (1 .. STALL_FILE_BUFFER) are there, or the file ends. The unused bytes may
 * move, then to the begin of buf. */
stall_status stall_file_fill(stall_file *f, size_t need, stall_error *reterr);
/* The unused bytes that may be handed on at once, and their number. */
const unsigned char *stall_file_bytes(const stall_file *f, size_t *ret_len);
/* Place in the file of the first unused byte. */
uint64_t stall_file_offset(const stall_file *f);

/* ---- codecs ---- */

/* What is wrong with a compressed stream. One per stream: nothing is decoded behind it. */
typedef struct stall_damage {
    bool found;
    stall_warn_code code; /* compressed_cut, or bad_header for trailing bytes */
    uint64_t offset;      /* in the compressed file */
    char text[160];
    const char *hint; /* static */
} stall_damage;

typedef struct stall_codec {
    const char *name;
    size_t magic_len;
    /* Do the len bytes at head (at most STALL_MAGIC_MAX) begin a member, as far as they go? */
    bool (*begins)(const unsigned char *head, size_t len);
    void *(*open)(void); /* NULL: memory ran out */
    void (*close)(void *state);
    /* Decodes the next bytes, at most size, to out. None: the end, or *damage says why no more. */
    stall_status (*decode)(void *state, stall_file *f, unsigned char *out, size_t size,
                           size_t *ret_len, stall_damage *damage, stall_error *reterr);
} stall_codec;

extern const stall_codec stall_codec_gzip; /* by zlib */
extern const stall_codec stall_codec_isal; /* by ISA-L, with the same outcome; not always built */
extern const stall_codec stall_codec_zstd;

/* What lies behind a whole member: skips zero padding and says whether another member begins here.
 * When it does not, this is the end of the file, or *damage names the trailing bytes. */
stall_status stall_codec_next_member(const stall_codec *codec, stall_file *f, bool *ret_member,
                                     stall_damage *damage, stall_error *reterr);
/* Notes that the file ends within a member. */
void stall_codec_cut(const stall_codec *codec, const stall_file *f, stall_damage *damage);
/* Notes that the stream cannot be decoded at `offset` and why. */
void stall_codec_broken(const stall_codec *codec, uint64_t offset, const char *why,
                        stall_damage *damage);

/* ---- pump.c: decoding on a thread of its own ---- */

typedef struct stall_pump stall_pump;

/* Starts to decode what follows to chunks of at most size (<= STALL_PLAIN_BUFFER) bytes. Until the
 * stop nobody else may touch state and f. NULL: no memory or no thread; then nothing has changed. */
stall_pump *stall_pump_start(const stall_codec *codec, void *state, stall_file *f, size_t size);
/* The next chunk, valid until the next call, with the bytes of the file that were read and the
 * damage, if any, that was found until it was made. At the end, and then always, it is empty; after an error
 * the same error comes again. */
stall_status stall_pump_next(stall_pump *p, const unsigned char **ret_data, size_t *ret_len,
                             uint64_t *ret_read, stall_damage *damage, stall_error *reterr);
/* Stops the thread wherever it is, also in a read, and frees. NULL is allowed. */
void stall_pump_stop(stall_pump *p);

/* ---- input_gzip.c: what both gzip codecs share ---- */

/* What z_stream.data_type tells after inflate, see zlib.h. */
#define STALL_GZIP_BITS 63      /* the number of bits that were taken and not used */
#define STALL_GZIP_AT_BLOCK 128 /* stopped between blocks or behind the header of a member */
#define STALL_GZIP_AT_DATA 256  /* stopped behind the head of a block */

bool stall_gzip_begins(const unsigned char *head, size_t len);
void *stall_gzip_alloc(void *opaque, unsigned count, unsigned size);
void stall_gzip_free(void *opaque, void *ptr);
/* Notes that zlib refuses what follows; data_type and why (or NULL) as it left them. */
void stall_gzip_broken(int data_type, const char *why, const stall_file *f, stall_damage *damage);

#endif
