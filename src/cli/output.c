/* What the program says on stderr, and the sinks over stdio. Must not decide anything. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_print_error(FILE *err, const stall_error *e)
{
    fputs("stalldiff: ", err);
    if (e->source[0] != '\0') {
        fprintf(err, "%s: ", e->source);
    }
    if (e->line != STALL_OFFSET_NONE) {
        fprintf(err, "line %llu: ", (unsigned long long)e->line);
    } else if (e->offset != STALL_OFFSET_NONE) {
        fprintf(err, "offset %llu: ", (unsigned long long)e->offset);
    }
    fputs(e->text, err);
    if (e->hint[0] != '\0') {
        fprintf(err, "; %s", e->hint);
    }
    fputc('\n', err);
    return e->status == STALL_EWRITE ? CLI_EXIT_OUTPUT : CLI_EXIT_INPUT;
}

void cli_print_warnings(FILE *err, const stall_series *s, bool only_partial)
{
    static const bool is_partial[] = {
#define X(name, partial, strict) partial,
        STALL_WARNING_CODES(X)
#undef X
    };

    for (size_t i = 0; i < s->warnings.len; i++) {
        const stall_warning *w = &s->warnings.items[i];
        bool partial = is_partial[w->code] && s->warnings.partial;
        if (only_partial && !partial) {
            continue;
        }
        fprintf(err, "stalldiff: %s: ", s->path);
        if (w->line != STALL_OFFSET_NONE) {
            fprintf(err, "line %llu: ", (unsigned long long)w->line);
        } else if (w->offset != STALL_OFFSET_NONE) {
            fprintf(err, "offset %llu: ", (unsigned long long)w->offset);
        }
        fprintf(err, "%s: %s: %s", partial ? "PARTIAL" : "warning", stall_warn_name(w->code),
                w->text);
        if (w->count > 1) {
            fprintf(err, " (%llu times)", (unsigned long long)w->count);
        }
        fputc('\n', err);
    }
}

stall_status cli_refuse_input(const cli_options *o, const char *path, stall_error *reterr)
{
    struct stat out, in;

    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode)) {
        return STALL_OK;
    }
    for (size_t i = 0; i < o->runs_len; i++) {
        if (stat(o->runs[i].path, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
            stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                            "this is an input and would be overwritten");
            stall_error_hint(reterr, "choose another place with -o");
            stall_error_source(reterr, path);
            return STALL_EUSAGE;
        }
    }
    return STALL_OK;
}

static stall_status stream_fail(const cli_stream *stream, stall_error *reterr)
{
    int code = errno;

    stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "cannot be written: %s",
                    strerror(code));
    stall_error_source(reterr, stream->name);
    return STALL_EWRITE;
}

static stall_status stream_write(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    cli_stream *stream = ctx;

    return fwrite(data, 1, len, stream->file) == len ? STALL_OK : stream_fail(stream, reterr);
}

void cli_sink_open(stall_sink *ret, cli_stream *stream)
{
    *ret = (stall_sink){.ctx = stream, .write = stream_write};
}

stall_status cli_sink_flush(cli_stream *stream, stall_error *reterr)
{
    return fflush(stream->file) == 0 && !ferror(stream->file) ? STALL_OK
                                                              : stream_fail(stream, reterr);
}

const char *cli_find_program(const char *name, char *buf, size_t size)
{
    const char *path = getenv("PATH");

    while (path != NULL && *path != '\0') {
        const char *colon = strchr(path, ':');
        size_t len = colon ? (size_t)(colon - path) : strlen(path);
        struct stat st;
        if (len > 0 && *path == '/' && len + strlen(name) + 2 <= size) {
            memcpy(buf, path, len);
            buf[len] = '/';
            memcpy(buf + len + 1, name, strlen(name) + 1);
            if (stat(buf, &st) == 0 && S_ISREG(st.st_mode) && access(buf, X_OK) == 0) {
                return buf;
            }
        }
        path = colon ? colon + 1 : NULL;
    }
    return NULL;
}
