/* Input: opens a file, a pipe or stdin and gives its plain bytes to a reader.
 *
 * Enters: a path. Leaves: a stall_source of plain bytes; what is wrong with the compression comes
 * out at the end as a warning, or at once as an error when nothing could be decoded at all. It must
 * not know formats.
 *
 * With set_thread, a compressed input is decoded on a second thread from the second chunk on. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input/input.h"

struct stall_input {
    stall_source source;
    stall_file file;
    const stall_codec *codec; /* NULL: plain */
    void *state;              /* of the codec */
    unsigned char *plain;     /* STALL_PLAIN_BUFFER decompressed bytes, or NULL */
    uint64_t plain_len;       /* bytes handed on so far */
    uint64_t read;            /* bytes of the file that were read for these */
    stall_damage damage;
    bool thread;      /* a second one is wanted */
    stall_pump *pump; /* it, once it is there: file and state are its own then */
};

/* Part of a full read that is left to decode where a second thread pays. */
#define THREAD_WORTH 8

static const stall_codec *const codecs[] = {
#ifdef STALL_HAVE_ISAL
    &stall_codec_isal,
#else
    &stall_codec_gzip,
#endif
    &stall_codec_zstd,
};

/* ---- damage, as the codecs tell it ---- */

void stall_codec_cut(const stall_codec *codec, const stall_file *f, stall_damage *damage)
{
    damage->found = true;
    damage->code = STALL_WARN_compressed_cut;
    damage->offset = stall_file_offset(f);
    damage->hint = "copy it again, or wait until its writer has closed it";
    snprintf(damage->text, sizeof(damage->text),
             "%s stream is cut short at byte %" PRIu64 " of the compressed file", codec->name,
             damage->offset);
}

void stall_codec_broken(const stall_codec *codec, uint64_t offset, const char *why,
                        stall_damage *damage)
{
    damage->found = true;
    damage->code = STALL_WARN_compressed_cut;
    damage->offset = offset;
    damage->hint = "copy it again; if it is broken at its origin, look for two writers of one file";
    snprintf(damage->text, sizeof(damage->text),
             "%s stream is damaged at byte %" PRIu64 " of the compressed file: %s%s", codec->name,
             offset, why, codec == &stall_codec_gzip ? " (two writers of one file?)" : "");
}

/* Do the bytes behind a member begin like another one, of whatever codec, with at most one byte of
 * its magic spoilt? Then they are data that is lost and not mere trailing bytes. */
static bool looks_compressed(const unsigned char *p, size_t len)
{
    static const unsigned char gzip[] = {0x1f, 0x8b, 0x08}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    size_t like_gzip = 0, like_zstd = 0;

    for (size_t i = 0; i < sizeof(zstd) && i < len; i++) {
        like_gzip += i < sizeof(gzip) && p[i] == gzip[i];
        like_zstd += p[i] == zstd[i];
    }
    return like_gzip + 1 >= sizeof(gzip) || like_zstd + 1 >= sizeof(zstd);
}

stall_status stall_codec_next_member(const stall_codec *codec, stall_file *f, bool *ret_member,
                                     stall_damage *damage, stall_error *reterr)
{
    stall_status status;

    *ret_member = false;
    do { /* tapes and block devices pad with zeros */
        while (f->pos < f->len && f->buf[f->pos] == 0)
            f->pos++;
        status = stall_file_fill(f, 1, reterr);
        if (status != STALL_OK)
            return status;
    } while (f->pos < f->len && f->buf[f->pos] == 0);
    if (f->pos == f->len)
        return STALL_OK;
    status = stall_file_fill(f, STALL_MAGIC_MAX, reterr);
    if (status != STALL_OK)
        return status;
    *ret_member = codec->begins(f->buf + f->pos, f->len - f->pos);
    if (*ret_member)
        return STALL_OK;
    if (looks_compressed(f->buf + f->pos, f->len - f->pos)) {
        stall_codec_broken(codec, stall_file_offset(f),
                           "what follows a whole member is compressed, but broken or of another "
                           "kind",
                           damage);
        return STALL_OK;
    }
    damage->found = true;
    damage->code = STALL_WARN_bad_header;
    damage->offset = stall_file_offset(f);
    snprintf(damage->text, sizeof(damage->text),
             "trailing bytes that are no %s data from byte %" PRIu64
             " of the compressed file are ignored",
             codec->name, damage->offset);
    return STALL_OK;
}

/* ---- the source ---- */

/* Nothing was decoded: the reason is the error. */
static stall_status no_data(const stall_input *in, stall_error *reterr)
{
    if (in->damage.found && in->damage.code == STALL_WARN_compressed_cut) {
        stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE, "%s; no data came before it",
                        in->damage.text);
        stall_error_hint(reterr, "%s", in->damage.hint);
    } else {
        stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE, "compressed file holds no data");
        stall_error_hint(reterr, "check that whatever wrote it has finished");
    }
    stall_error_source(reterr, in->file.name);
    return STALL_EFORMAT;
}

/* Is there so much left that a thread for it pays? */
static bool worth_thread(const stall_input *in)
{
    const stall_file *f = &in->file;
    uint64_t at = stall_file_offset(f), left = f->total > at ? f->total - at : f->len - f->pos;

    if (!in->thread || in->plain_len == 0)
        return false;
    return left > f->chunk / THREAD_WORTH || (f->total == 0 && !f->end);
}

static stall_status next_decoded(stall_input *in, const unsigned char **ret_data, size_t *ret_len,
                                 stall_error *reterr)
{
    size_t room = in->file.chunk < STALL_PLAIN_BUFFER ? in->file.chunk : STALL_PLAIN_BUFFER;
    stall_status status;

    if (in->pump == NULL && worth_thread(in)) {
        in->pump = stall_pump_start(in->codec, in->state, &in->file, room);
        in->thread = in->pump != NULL; /* without it, it takes longer, and that is all */
    }
    if (in->pump != NULL)
        return stall_pump_next(in->pump, ret_data, ret_len, &in->read, &in->damage, reterr);
    *ret_data = in->plain;
    status = in->codec->decode(in->state, &in->file, in->plain, room, ret_len, &in->damage, reterr);
    in->read = in->file.read;
    return status;
}

static stall_status input_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                               stall_error *reterr)
{
    stall_input *in = ctx;
    stall_status status;

    *ret_data = (const unsigned char *)"";
    *ret_len = 0;
    if (in->codec == NULL) {
        status = stall_file_fill(&in->file, 1, reterr);
        if (status != STALL_OK)
            return status;
        *ret_data = stall_file_bytes(&in->file, ret_len);
        in->file.pos += *ret_len;
        in->read = in->file.read;
    } else {
        status = next_decoded(in, ret_data, ret_len, reterr);
        if (status != STALL_OK) {
            *ret_len = 0;
            stall_error_source(reterr, in->file.name);
            return status;
        }
        if (*ret_len == 0 && in->plain_len == 0)
            return no_data(in, reterr);
    }
    in->plain_len += *ret_len;
    return STALL_OK;
}

static stall_status input_finish(void *ctx, stall_warnings *warnings, bool *ret_cut,
                                 stall_error *reterr)
{
    const stall_input *in = ctx;
    const stall_damage *d = &in->damage;
    stall_status status;

    *ret_cut = d->found && d->code == STALL_WARN_compressed_cut;
    if (!d->found)
        return STALL_OK;
    status = stall_warn_add(warnings, d->code, 1, d->offset, reterr, "%s%s", d->text,
                            *ret_cut ? "; what was decoded before it is used" : "");
    if (status != STALL_OK)
        stall_error_source(reterr, in->file.name);
    return status;
}

/* ---- opening ---- */

/* Finds the codec by the first bytes and gets it ready. */
static stall_status choose_codec(stall_input *in, stall_error *reterr)
{
    stall_status status = stall_file_fill(&in->file, STALL_MAGIC_MAX, reterr);

    if (status != STALL_OK)
        return status;
    if (in->file.len == 0) {
        stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE, "file is empty");
        stall_error_hint(reterr, "check that whatever wrote it has finished");
        stall_error_source(reterr, in->file.name);
        return STALL_EFORMAT;
    }
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++)
        if (in->file.len >= codecs[i]->magic_len && codecs[i]->begins(in->file.buf, in->file.len))
            in->codec = codecs[i];
    if (in->codec == NULL)
        return STALL_OK;
    in->plain = stall_mem_alloc(STALL_PLAIN_BUFFER, 1);
    in->state = in->plain != NULL ? in->codec->open() : NULL;
    return in->state != NULL ? STALL_OK : stall_error_memory(reterr);
}

stall_status stall_input_open(const char *path, stall_input **ret, stall_error *reterr)
{
    stall_input *in = stall_mem_zero(1, sizeof(*in));
    stall_status status;

    *ret = NULL;
    if (in == NULL)
        return stall_error_memory(reterr);
    status = stall_file_open(&in->file, path, reterr);
    if (status != STALL_OK)
        goto out;
    status = choose_codec(in, reterr);
    if (status != STALL_OK)
        goto out;
    in->read = in->file.read;
    in->source = (stall_source){in, input_next, input_finish, in->file.name, NULL};
    if (in->codec == NULL && in->file.owned && in->file.total > 0)
        in->source.path = in->file.name;
    *ret = in;
    in = NULL;
out:
    stall_input_close(in);
    return status;
}

void stall_input_close(stall_input *in)
{
    if (in == NULL)
        return;
    stall_pump_stop(in->pump);
    if (in->state != NULL)
        in->codec->close(in->state);
    stall_mem_free(in->plain);
    stall_file_close(&in->file);
    stall_mem_free(in);
}

stall_source *stall_input_source(stall_input *in)
{
    return &in->source;
}

void stall_input_progress(const stall_input *in, uint64_t *ret_done, uint64_t *ret_total)
{
    *ret_done = in->read;
    *ret_total = in->file.total;
}

void stall_input_set_thread(stall_input *in, bool on)
{
    in->thread = on;
}

void stall_input_set_chunk(stall_input *in, size_t size)
{
    in->file.chunk = size == 0 ? 1 : size < STALL_FILE_BUFFER ? size : STALL_FILE_BUFFER;
}
