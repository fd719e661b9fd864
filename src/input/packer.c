/* Bytes into a file, compressed as its name says. Enters: bytes and a file descriptor. Leaves: the
 * compressed file. Must not know what the bytes mean. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "input/input.h"

#define PACK_BUFFER ((size_t)128 * 1024)

typedef enum pack_form { PACK_PLAIN, PACK_GZIP, PACK_ZSTD } pack_form;

struct stall_packer {
    int fd;
    pack_form form;
    char *name;
    unsigned char *in; /* what was written is gathered here */
    size_t in_len;
    unsigned char *out;
    z_stream z;
    bool z_open;
    ZSTD_CCtx *zstd;
};

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);

    return n > s && strcmp(name + n - s, suffix) == 0;
}

static stall_status put_all(stall_packer *p, const unsigned char *data, size_t len,
                            stall_error *reterr)
{
    while (len > 0) {
        ssize_t n = write(p->fd, data, len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            int code = n < 0 ? errno : ENOSPC;
            stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "cannot be written: %s",
                            strerror(code));
            stall_error_source(reterr, p->name);
            if (reterr != NULL) {
                reterr->sys_errno = code;
            }
            return STALL_EWRITE;
        }
        data += n;
        len -= (size_t)n;
    }
    return STALL_OK;
}

static stall_status put_gzip(stall_packer *p, bool last, stall_error *reterr)
{
    int z = Z_OK;

    p->z.next_in = p->in;
    p->z.avail_in = (uInt)p->in_len;
    do {
        p->z.next_out = p->out;
        p->z.avail_out = (uInt)PACK_BUFFER;
        z = deflate(&p->z, last ? Z_FINISH : Z_NO_FLUSH);
        stall_status status = put_all(p, p->out, PACK_BUFFER - p->z.avail_out, reterr);
        if (status != STALL_OK) {
            return status;
        }
    } while (p->z.avail_in > 0 || (last ? z != Z_STREAM_END : p->z.avail_out == 0));
    return STALL_OK;
}

static stall_status put_zstd(stall_packer *p, bool last, stall_error *reterr)
{
    ZSTD_inBuffer in = {p->in, p->in_len, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {p->out, PACK_BUFFER, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            return stall_error_memory(reterr); /* the only fault that a compressor meets */
        }
        stall_status status = put_all(p, p->out, out.pos, reterr);
        if (status != STALL_OK) {
            return status;
        }
    } while (in.pos < in.size || (last && left > 0));
    return STALL_OK;
}

static stall_status put_gathered(stall_packer *p, bool last, stall_error *reterr)
{
    stall_status status = p->form == PACK_GZIP   ? put_gzip(p, last, reterr)
                          : p->form == PACK_ZSTD ? put_zstd(p, last, reterr)
                                                 : put_all(p, p->in, p->in_len, reterr);
    p->in_len = 0;
    return status;
}

stall_status stall_packer_open(int fd, const char *name, stall_packer **ret, stall_error *reterr)
{
    stall_packer *p = stall_mem_zero(1, sizeof *p);
    bool ok = p != NULL;

    *ret = NULL;
    if (ok) {
        p->fd = fd;
        p->form = ends_with(name, ".gz")    ? PACK_GZIP
                  : ends_with(name, ".zst") ? PACK_ZSTD
                                            : PACK_PLAIN;
        p->name = stall_mem_text(name, strlen(name));
        p->in = stall_mem_alloc(PACK_BUFFER, 1);
        p->out = stall_mem_alloc(PACK_BUFFER, 1);
        ok = p->name != NULL && p->in != NULL && p->out != NULL;
    }
    if (ok && p->form == PACK_GZIP) { /* window bits 15 + 16: a gzip header, without time or name */
        p->z_open = deflateInit2(&p->z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
        ok = p->z_open;
    } else if (ok && p->form == PACK_ZSTD) {
        p->zstd = ZSTD_createCCtx();
        ok = p->zstd != NULL;
        if (ok) {
            ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
        }
    }
    if (!ok) {
        stall_packer_close(p);
        return stall_error_memory(reterr);
    }
    *ret = p;
    return STALL_OK;
}

stall_status stall_packer_write(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    stall_packer *p = ctx;
    const unsigned char *from = data;

    while (len > 0) {
        size_t n = PACK_BUFFER - p->in_len < len ? PACK_BUFFER - p->in_len : len;
        memcpy(p->in + p->in_len, from, n);
        p->in_len += n;
        from += n;
        len -= n;
        if (p->in_len == PACK_BUFFER) {
            stall_status status = put_gathered(p, false, reterr);
            if (status != STALL_OK) {
                return status;
            }
        }
    }
    return STALL_OK;
}

stall_status stall_packer_finish(stall_packer *p, stall_error *reterr)
{
    return put_gathered(p, true, reterr);
}

void stall_packer_close(stall_packer *p)
{
    if (p == NULL) {
        return;
    }
    if (p->z_open) {
        deflateEnd(&p->z);
    }
    ZSTD_freeCCtx(p->zstd);
    stall_mem_free(p->name);
    stall_mem_free(p->in);
    stall_mem_free(p->out);
    stall_mem_free(p);
}
