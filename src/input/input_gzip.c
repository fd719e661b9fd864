/* gzip: any number of members, one after the other.
 *
 * Enters: the bytes of a file that begins with a gzip header. Leaves: plain bytes up to the end or
 * to the first damage. Checksums and lengths are checked; what was decoded before a wrong one
 * stays. It must not know what the plain bytes mean. */
#include <string.h>
#include <zlib.h>

#include "input/input.h"

typedef struct gzip_state {
    z_stream z;
    bool within; /* a member has begun and not ended */
    bool ended;
} gzip_state;

void *stall_gzip_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return stall_mem_alloc(count, size);
}

void stall_gzip_free(void *opaque, void *ptr)
{
    (void)opaque;
    stall_mem_free(ptr);
}

bool stall_gzip_begins(const unsigned char *head, size_t len)
{
    static const unsigned char magic[] = {0x1f, 0x8b};

    return memcmp(head, magic, len < sizeof(magic) ? len : sizeof(magic)) == 0;
}

static void *gzip_open(void)
{
    gzip_state *s = stall_mem_zero(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->z.zalloc = stall_gzip_alloc;
    s->z.zfree = stall_gzip_free;
    if (inflateInit2(&s->z, MAX_WBITS + 16) != Z_OK) { /* + 16: gzip and nothing else */
        stall_mem_free(s);
        return NULL;
    }
    s->within = true; /* the caller has seen the magic */
    return s;
}

static void gzip_close(void *state)
{
    gzip_state *s = state;

    inflateEnd(&s->z);
    stall_mem_free(s);
}

/* inflate may have taken bits that it did not use; data_type counts them, which makes the place the
 * same however the input is cut. */
void stall_gzip_broken(int data_type, const char *why, const stall_file *f, stall_damage *damage)
{
    uint64_t unused = (uint64_t)(data_type & STALL_GZIP_BITS);
    uint64_t bits = stall_file_offset(f) * 8;

    stall_codec_broken(&stall_codec_gzip, bits > unused ? (bits - unused) / 8 : 0,
                       why != NULL ? why : "invalid data", damage);
}

/* One call of inflate. Adds what it made to *ret_len. */
static stall_status inflate_some(gzip_state *s, stall_file *f, unsigned char *out, size_t size,
                                 size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    size_t len;
    const unsigned char *in = stall_file_bytes(f, &len);
    int code;

    s->z.next_in = (Bytef *)in; /* zlib's type lacks the const; it only reads */
    s->z.avail_in = (uInt)len;
    s->z.next_out = out;
    s->z.avail_out = (uInt)size;
    code = inflate(&s->z, Z_NO_FLUSH);
    f->pos += len - s->z.avail_in;
    *ret_len = size - s->z.avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: /* nothing to do without more input */
        break;
    case Z_STREAM_END:
        s->within = false;
        break;
    case Z_MEM_ERROR:
        return stall_error_memory(reterr);
    default:
        stall_gzip_broken(s->z.data_type, s->z.msg, f, damage);
        s->ended = true;
    }
    return STALL_OK;
}

static stall_status gzip_decode(void *state, stall_file *f, unsigned char *out, size_t size,
                                size_t *ret_len, stall_damage *damage, stall_error *reterr)
{
    gzip_state *s = state;
    stall_status status = STALL_OK;

    *ret_len = 0;
    while (*ret_len == 0 && !s->ended && status == STALL_OK) {
        if (!s->within) {
            status = stall_codec_next_member(&stall_codec_gzip, f, &s->within, damage, reterr);
            s->ended = !s->within;
            if (s->within)
                inflateReset(&s->z);
            continue;
        }
        status = stall_file_fill(f, 1, reterr);
        if (status != STALL_OK)
            break;
        /* At the end of the file inflate may still hold output for which the last call had no
         * room, so the stream is cut only when it makes nothing any more. */
        status = inflate_some(s, f, out, size, ret_len, damage, reterr);
        if (status == STALL_OK && *ret_len == 0 && s->within && !s->ended && f->end &&
            f->pos == f->len) {
            stall_codec_cut(&stall_codec_gzip, f, damage);
            s->ended = true;
        }
    }
    return status;
}

const stall_codec stall_codec_gzip = {
    "gzip", 2, stall_gzip_begins, gzip_open, gzip_close, gzip_decode,
};
