/* zstd: any number of frames and skippable frames, one after the other.
 *
 * Enters: the bytes of a file that begins with a frame. Leaves: plain bytes up to the end or to the
 * first damage. It must not know what the plain bytes mean.
 *
 * libzstd forgets what it made in the call that finds an error. So it is given one unit of the
 * frame at a time (header, block header, block, checksum): then a damaged block costs itself alone,
 * however the input is cut. Layout of frames: RFC 8878, section 3. */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "input/input.h"

#define ZSTD_HEAD_FIRST 5 /* magic and descriptor: they tell how long the header is */
#define ZSTD_BLOCK_HEAD 3
#define ZSTD_CHECKSUM 4
#define ZSTD_SKIP_HEAD 8 /* magic and size of a skippable frame */

typedef enum unit_kind {
    UNIT_BETWEEN, /* no frame has begun */
    UNIT_HEAD,
    UNIT_HEAD_REST,
    UNIT_BLOCK_HEAD,
    UNIT_BLOCK,
    UNIT_CHECKSUM,
    UNIT_SKIP_HEAD,
    UNIT_SKIP,
} unit_kind;

typedef struct zstd_state {
    ZSTD_DCtx *dctx;
    unit_kind unit;
    uint64_t left;         /* bytes of the unit that were not taken yet */
    uint64_t start;        /* of the unit in the file */
    unsigned char head[8]; /* the unit itself, when it is a header */
    size_t head_len;
    bool full;       /* the last call filled the output: there may be more */
    bool checksum;   /* the frame ends with one */
    bool last_block; /* the block at hand is the last one of its frame */
    bool ended;
} zstd_state;

static bool is_skippable(const unsigned char *head, size_t len)
{
    static const unsigned char magic[] = {0x2a, 0x4d, 0x18}; /* after 0x50 .. 0x5f */

    if (len > 0 && (head[0] & 0xf0) != 0x50)
        return false;
    return len <= 1 || memcmp(head + 1, magic, len - 1 < 3 ? len - 1 : 3) == 0;
}

static bool zstd_begins(const unsigned char *head, size_t len)
{
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

    return memcmp(head, magic, len < sizeof(magic) ? len : sizeof(magic)) == 0 ||
           is_skippable(head, len);
}

static void *zstd_open(void)
{
    zstd_state *s = stall_mem_zero(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->dctx = ZSTD_createDCtx();
    if (s->dctx == NULL) {
        stall_mem_free(s);
        return NULL;
    }
    return s;
}

static void zstd_close(void *state)
{
    zstd_state *s = state;

    ZSTD_freeDCtx(s->dctx);
    stall_mem_free(s);
}

static void begin_unit(zstd_state *s, const stall_file *f, unit_kind unit, uint64_t size)
{
    s->unit = unit;
    s->left = size;
    s->start = stall_file_offset(f);
    s->head_len = 0;
}

/* Begins what follows the last block. */
static void end_blocks(zstd_state *s, const stall_file *f)
{
    if (s->checksum)
        begin_unit(s, f, UNIT_CHECKSUM, ZSTD_CHECKSUM);
    else
        begin_unit(s, f, UNIT_BETWEEN, 0);
}

/* Length of a frame header behind its descriptor. */
static uint64_t head_rest(unsigned char descriptor)
{
    static const unsigned char id_size[] = {0, 1, 2, 4}, content_size[] = {0, 2, 4, 8};
    bool single = descriptor >> 5 & 1; /* then there is no window byte */
    unsigned flag = descriptor >> 6;

    return (single ? 0u : 1u) + id_size[descriptor & 3] +
           (flag == 0 && single ? 1u : content_size[flag]);
}

/* A whole unit was taken: finds out what the next one is. */
static void end_unit(zstd_state *s, const stall_file *f)
{
    uint32_t block;

    switch (s->unit) {
    case UNIT_HEAD:
        s->checksum = s->head[4] >> 2 & 1;
        begin_unit(s, f, UNIT_HEAD_REST, head_rest(s->head[4]));
        break;
    case UNIT_HEAD_REST:
        begin_unit(s, f, UNIT_BLOCK_HEAD, ZSTD_BLOCK_HEAD);
        break;
    case UNIT_BLOCK_HEAD:
        block = s->head[0] | (uint32_t)s->head[1] << 8 | (uint32_t)s->head[2] << 16;
        s->last_block = block & 1;
        /* type 1 is one byte, repeated */
        begin_unit(s, f, UNIT_BLOCK, (block >> 1 & 3) == 1 ? 1 : block >> 3);
        break;
    case UNIT_BLOCK:
        if (s->last_block)
            end_blocks(s, f);
        else
            begin_unit(s, f, UNIT_BLOCK_HEAD, ZSTD_BLOCK_HEAD);
        break;
    case UNIT_SKIP_HEAD:
        begin_unit(s, f, UNIT_SKIP,
                   s->head[4] | (uint32_t)s->head[5] << 8 | (uint32_t)s->head[6] << 16 |
                       (uint32_t)s->head[7] << 24);
        break;
    case UNIT_CHECKSUM:
    case UNIT_SKIP:
    case UNIT_BETWEEN:
        begin_unit(s, f, UNIT_BETWEEN, 0);
        break;
    }
}

/* Takes n bytes of the unit, and keeps them if it is a header. */
static void take(zstd_state *s, stall_file *f, const unsigned char *in, size_t n)
{
    size_t keep = sizeof(s->head) - s->head_len;

    if (keep > n)
        keep = n;
    memcpy(s->head + s->head_len, in, keep);
    s->head_len += keep;
    f->pos += n;
    s->left -= n;
}

/* Gives libzstd what is there of the unit; a skippable frame is passed over here. */
static stall_status decode_some(zstd_state *s, stall_file *f, unsigned char *out, size_t size,
                                size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    ZSTD_outBuffer to = {out, size, 0};
    ZSTD_inBuffer from = {NULL, 0, 0};
    size_t len, code;
    const unsigned char *in = stall_file_bytes(f, &len);

    if (len > s->left)
        len = (size_t)s->left;
    if (s->unit == UNIT_SKIP_HEAD || s->unit == UNIT_SKIP) {
        take(s, f, in, len);
        return STALL_OK;
    }
    from.src = in;
    from.size = len;
    code = ZSTD_decompressStream(s->dctx, &to, &from);
    if (ZSTD_isError(code)) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
            return stall_error_memory(reterr);
        stall_codec_broken(&stall_codec_zstd, s->start, ZSTD_getErrorName(code), damage);
        if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
            damage->hint = "decompress it with zstd -d --long=31 and give the result";
        s->ended = true;
        return STALL_OK;
    }
    take(s, f, in, from.pos);
    *ret_len = to.pos;
    s->full = to.pos == to.size;
    return STALL_OK;
}

/* Begins the next frame, if there is one. */
static stall_status begin_frame(zstd_state *s, stall_file *f, stall_damage *damage,
                                stall_error *reterr)
{
    bool member;
    size_t len;
    const unsigned char *in;
    stall_status status = stall_codec_next_member(&stall_codec_zstd, f, &member, damage, reterr);

    if (status != STALL_OK)
        return status;
    s->ended = !member;
    in = f->buf + f->pos;
    len = f->len - f->pos;
    if (member && is_skippable(in, len))
        begin_unit(s, f, UNIT_SKIP_HEAD, ZSTD_SKIP_HEAD);
    else if (member)
        begin_unit(s, f, UNIT_HEAD, ZSTD_HEAD_FIRST);
    return STALL_OK;
}

static stall_status zstd_decode(void *state, stall_file *f, unsigned char *out, size_t size,
                                size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    zstd_state *s = state;
    stall_status status = STALL_OK;

    *ret_len = 0;
    while (*ret_len == 0 && !s->ended && status == STALL_OK) {
        if (s->left == 0 && !s->full && s->unit != UNIT_BETWEEN) {
            end_unit(s, f);
            continue;
        }
        if (s->unit == UNIT_BETWEEN && !s->full) {
            status = begin_frame(s, f, damage, reterr);
            continue;
        }
        if (s->left > 0 && !s->full) {
            status = stall_file_fill(f, 1, reterr);
            if (status == STALL_OK && f->end && f->pos == f->len) {
                stall_codec_cut(&stall_codec_zstd, f, damage);
                s->ended = true;
            }
        }
        if (!s->ended && status == STALL_OK)
            status = decode_some(s, f, out, size, ret_len, damage, reterr);
    }
    return status;
}

const stall_codec stall_codec_zstd = {
    "zstd", 4, zstd_begins, zstd_open, zstd_close, zstd_decode,
};
