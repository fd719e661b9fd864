/* gzip with ISA-L: any number of members, one after the other, three times as fast as zlib.
 *
 * Enters: the bytes of a file that begins with a gzip header. Leaves: the same plain bytes and the
 * same damage as input_gzip.c. It must not know what the plain bytes mean.
 *
 * ISA-L takes code tables that zlib refuses and says less about what is wrong and where. So it
 * works a block at a time, with zlib at its side: zlib reads the head of every block, which is
 * short, and ISA-L what follows it. The compressed bytes of the block and the plain bytes before it
 * are kept until its end. A block that ISA-L does not like, that the file ends in, or that is
 * longer than the buffer is decoded again by zlib, which has the last word. */
#include <string.h>
#include <isa-l.h>
#include <zlib.h>

#include "input/input.h"

#define WINDOW ((size_t)32 * 1024) /* how far back a match can reach: RFC 1951, section 2 */
#define BLOCK_FINAL 1u             /* the first bit of a block */

typedef enum isal_place {
    PLACE_BETWEEN, /* members */
    PLACE_HEADER,  /* of a member */
    PLACE_BLOCK,   /* a block begins */
    PLACE_FAST,    /* within a block, by ISA-L */
    PLACE_CAREFUL, /* within a block, by zlib */
    PLACE_TRAILER,
    PLACE_END,
} isal_place;

typedef struct isal_state {
    z_stream z;
    struct inflate_state fast;
    isal_place place;
    bool last;     /* the block is the last one of its member */
    unsigned held; /* the next bits, left over from the byte before the file's place */
    int held_bits; /* 0 .. 7 */
    size_t given;  /* bytes after the begin of the block that ISA-L has taken */
    size_t head;   /* length of the block's head in bytes that zlib has taken */
    uint64_t made; /* plain bytes of the block that were handed on */
    uint64_t skip; /* of these, how many zlib still has to make again */
    uint32_t crc;  /* of the member, and its length modulo 2^32 */
    uint32_t len;
    size_t recent_len, before_len;
    unsigned char recent[2 * WINDOW]; /* the last plain bytes of the member */
    unsigned char before[WINDOW];     /* those before the block */
} isal_state;

static void *isal_open(void)
{
    isal_state *s = stall_mem_zero(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->z.zalloc = stall_gzip_alloc;
    s->z.zfree = stall_gzip_free;
    if (inflateInit2(&s->z, MAX_WBITS + 16) != Z_OK) { /* + 16: gzip and nothing else */
        stall_mem_free(s);
        return NULL;
    }
    isal_inflate_init(&s->fast);
    s->place = PLACE_HEADER; /* the caller has seen the magic */
    return s;
}

static void isal_close(void *state)
{
    isal_state *s = state;

    inflateEnd(&s->z);
    stall_mem_free(s);
}

/* ---- plain bytes that were made ---- */

/* Counts n bytes that are handed on, and keeps the last ones for the next block. */
static void hand_on(isal_state *s, const unsigned char *out, size_t n)
{
    size_t keep = s->recent_len < WINDOW ? s->recent_len : WINDOW;

    s->crc = crc32_gzip_refl(s->crc, out, n);
    s->len += (uint32_t)n;
    s->made += n;
    if (n >= WINDOW) {
        memcpy(s->recent, out + n - WINDOW, WINDOW);
        s->recent_len = WINDOW;
        return;
    }
    if (s->recent_len + n > sizeof(s->recent)) {
        memmove(s->recent, s->recent + s->recent_len - keep, keep);
        s->recent_len = keep;
    }
    memcpy(s->recent + s->recent_len, out, n);
    s->recent_len += n;
}

/* ---- zlib ---- */

static void cut(isal_state *s, stall_file *f, stall_damage *damage)
{
    f->pos = f->len;
    stall_codec_cut(&stall_codec_gzip, f, damage);
    s->place = PLACE_END;
}

/* Gives zlib the bytes after the file's place and room for size bytes. Places the file where zlib
 * stopped. Returns what inflate did, but Z_OK where it had nothing to do. */
static int zlib_some(isal_state *s, stall_file *f, size_t avail, unsigned char *out, size_t size,
                     int flush, stall_damage *damage)
{
    unsigned char *in = f->buf + f->pos;
    size_t used;
    int code;

    s->z.next_in = in;
    s->z.avail_in = (uInt)avail;
    s->z.next_out = out;
    s->z.avail_out = (uInt)size;
    code = inflate(&s->z, flush);
    used = avail - s->z.avail_in;
    if (used > 0) /* for the bits that are left over at the end of a block */
        s->held = in[used - 1];
    f->pos += used;
    if (code == Z_BUF_ERROR)
        return Z_OK;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_MEM_ERROR) {
        stall_gzip_broken(s->z.data_type, s->z.msg, f, damage);
        s->place = PLACE_END;
    }
    return code;
}

/* Reads some of the header of a member; block_next: whether it ended. */
static stall_status header_some(isal_state *s, stall_file *f, stall_damage *damage,
                                stall_error *reterr)
{
    size_t len;
    unsigned char none;
    stall_status status = stall_file_fill(f, 1, reterr);

    if (status != STALL_OK)
        return status;
    (void)stall_file_bytes(f, &len);
    if (len == 0) {
        cut(s, f, damage);
        return STALL_OK;
    }
    if (zlib_some(s, f, len, &none, 0, Z_BLOCK, damage) == Z_MEM_ERROR)
        return stall_error_memory(reterr);
    if (s->place == PLACE_HEADER && (s->z.data_type & STALL_GZIP_AT_BLOCK)) {
        s->place = PLACE_BLOCK;
        s->held_bits = 0;
        s->recent_len = 0;
        s->crc = 0;
        s->len = 0;
    }
    return STALL_OK;
}

/* Gets ISA-L ready for the block that begins at the file's place. */
static void begin_fast(isal_state *s, const stall_file *f)
{
    s->before_len = s->recent_len < WINDOW ? s->recent_len : WINDOW;
    memcpy(s->before, s->recent + s->recent_len - s->before_len, s->before_len);
    s->made = 0;
    s->given = 0;
    isal_inflate_reset(&s->fast);
    isal_inflate_set_dict(&s->fast, s->before, (uint32_t)s->before_len);
    if (s->held_bits == 0) {
        s->held = f->buf[f->pos];
        s->held_bits = 8;
        s->given = 1;
    }
    /* To ISA-L every block is the last one, so that it stops behind it. */
    s->fast.read_in = s->held | BLOCK_FINAL;
    s->fast.read_in_length = s->held_bits;
    s->place = PLACE_FAST;
}

/* Reads the head of a block by zlib; when it is not all there, from its begin again with more. */
static stall_status begin_block(isal_state *s, stall_file *f, stall_damage *damage,
                                stall_error *reterr)
{
    stall_status status = stall_file_fill(f, 1, reterr);
    unsigned char none;
    size_t begin = f->pos, avail = f->len - f->pos;
    unsigned held = s->held;

    if (status != STALL_OK)
        return status;
    if (avail == 0) {
        cut(s, f, damage);
        return STALL_OK;
    }
    s->last = (s->held_bits > 0 ? held : f->buf[begin]) & BLOCK_FINAL;
    inflateReset2(&s->z, -MAX_WBITS); /* no wrapper from here on */
    inflatePrime(&s->z, s->held_bits, (int)held);
    if (zlib_some(s, f, avail, &none, 0, Z_TREES, damage) == Z_MEM_ERROR)
        return stall_error_memory(reterr);
    if (s->place == PLACE_END)
        return STALL_OK;
    s->head = f->pos - begin;
    s->held = held;
    if (s->z.data_type & STALL_GZIP_AT_DATA) {
        f->pos = begin;
        begin_fast(s, f);
    } else if (f->end) {
        cut(s, f, damage);
    } else {
        f->pos = begin;
        status = stall_file_fill(f, avail + 1, reterr);
    }
    return status;
}

/* The block is over; `bits` of the byte before the file's place are left. */
static void end_block(isal_state *s, int bits)
{
    s->held_bits = s->last ? 0 : bits; /* the trailer begins with a whole byte */
    s->held >>= 8 - bits;
    s->place = s->last ? PLACE_TRAILER : PLACE_BLOCK;
}

/* Lets zlib decode the block again from the end of its head. */
static stall_status begin_careful(isal_state *s, stall_file *f, stall_error *reterr)
{
    f->pos += s->head;
    s->skip = s->made;
    s->place = PLACE_CAREFUL;
    if (s->before_len > 0 && inflateSetDictionary(&s->z, s->before, (uInt)s->before_len) != Z_OK)
        return stall_error_memory(reterr); /* it makes its window here */
    return STALL_OK;
}

static stall_status careful_some(isal_state *s, stall_file *f, unsigned char *out, size_t size,
                                 size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    stall_status status = stall_file_fill(f, 1, reterr);
    size_t len, n;
    int code;

    if (status != STALL_OK)
        return status;
    (void)stall_file_bytes(f, &len);
    code = zlib_some(s, f, len, out, size, Z_BLOCK, damage);
    if (code == Z_MEM_ERROR)
        return stall_error_memory(reterr);
    n = size - s->z.avail_out;
    if (n == 0 && s->place == PLACE_CAREFUL && code == Z_OK && f->end && f->pos == f->len &&
        !(s->z.data_type & STALL_GZIP_AT_BLOCK))
        cut(s, f, damage);
    else if (s->place == PLACE_CAREFUL &&
             (code == Z_STREAM_END || (s->z.data_type & STALL_GZIP_AT_BLOCK)))
        end_block(s, s->z.data_type & STALL_GZIP_BITS);
    if (n <= s->skip) {
        s->skip -= n;
        return STALL_OK;
    }
    *ret_len = n - (size_t)s->skip;
    memmove(out, out + s->skip, *ret_len);
    s->skip = 0;
    hand_on(s, out, *ret_len);
    return STALL_OK;
}

/* ---- ISA-L ---- */

/* ISA-L has finished the block: gives back what it took too much. False: that cannot be. */
static bool end_fast(isal_state *s, stall_file *f)
{
    size_t back = (size_t)s->fast.read_in_length / 8;

    if (s->fast.read_in_length < 0 || back >= s->given)
        return false;
    f->pos += s->given - back;
    s->held = f->buf[f->pos - 1];
    end_block(s, s->fast.read_in_length % 8);
    return true;
}

static stall_status fast_some(isal_state *s, stall_file *f, unsigned char *out, size_t size,
                              size_t *ret_len, stall_error *reterr)
{
    size_t n, avail = f->len - f->pos;
    int code;

    s->fast.next_in = f->buf + f->pos + s->given;
    s->fast.avail_in = (uint32_t)(avail - s->given);
    s->fast.next_out = out;
    s->fast.avail_out = (uint32_t)size;
    code = isal_inflate(&s->fast);
    s->given = avail - s->fast.avail_in;
    n = size - s->fast.avail_out;
    if (code < 0) /* what came before the fault comes from zlib too */
        return begin_careful(s, f, reterr);
    hand_on(s, out, n);
    *ret_len = n;
    if (s->fast.block_state == ISAL_BLOCK_FINISH)
        return end_fast(s, f) ? STALL_OK : begin_careful(s, f, reterr);
    if (n == size || s->fast.avail_in > 0)
        return STALL_OK;
    if (f->end || avail == STALL_FILE_BUFFER)
        return begin_careful(s, f, reterr);
    return stall_file_fill(f, avail + 1, reterr);
}

/* ---- members ---- */

static uint32_t little_endian(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Checks the checksum and the length behind the last block: RFC 1952, section 2.3.1. */
static stall_status trailer(isal_state *s, stall_file *f, stall_damage *damage, stall_error *reterr)
{
    stall_status status = stall_file_fill(f, 8, reterr);
    size_t avail = f->len - f->pos;
    const char *why = NULL;

    if (status != STALL_OK)
        return status;
    if (avail >= 4 && little_endian(f->buf + f->pos) != s->crc) {
        why = "incorrect data check";
    } else if (avail >= 8 && little_endian(f->buf + f->pos + 4) != s->len) {
        why = "incorrect length check";
        f->pos += 4;
    } else if (avail < 8) {
        cut(s, f, damage);
        return STALL_OK;
    }
    if (why != NULL) {
        stall_codec_broken(&stall_codec_gzip, stall_file_offset(f), why, damage);
        s->place = PLACE_END;
        return STALL_OK;
    }
    f->pos += 8;
    s->place = PLACE_BETWEEN;
    return STALL_OK;
}

static stall_status between(isal_state *s, stall_file *f, stall_damage *damage, stall_error *reterr)
{
    bool member;
    stall_status status = stall_codec_next_member(&stall_codec_gzip, f, &member, damage, reterr);

    s->place = member ? PLACE_HEADER : PLACE_END;
    if (member)
        inflateReset2(&s->z, MAX_WBITS + 16);
    return status;
}

static stall_status isal_decode(void *state, stall_file *f, unsigned char *out, size_t size,
                                size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    isal_state *s = state;
    stall_status status = STALL_OK;

    *ret_len = 0;
    while (*ret_len == 0 && s->place != PLACE_END && status == STALL_OK) {
        switch (s->place) {
        case PLACE_BETWEEN:
            status = between(s, f, damage, reterr);
            break;
        case PLACE_HEADER:
            status = header_some(s, f, damage, reterr);
            break;
        case PLACE_BLOCK:
            status = begin_block(s, f, damage, reterr);
            break;
        case PLACE_FAST:
            status = fast_some(s, f, out, size, ret_len, reterr);
            break;
        case PLACE_CAREFUL:
            status = careful_some(s, f, out, size, ret_len, damage, reterr);
            break;
        case PLACE_TRAILER:
            status = trailer(s, f, damage, reterr);
            break;
        case PLACE_END:
            break;
        }
    }
    return status;
}

const stall_codec stall_codec_isal = {
    "gzip", 2, stall_gzip_begins, isal_open, isal_close, isal_decode,
};
