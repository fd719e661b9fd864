/* series: the reduced per-step series as CSV, to stdout or to a file that is plain, .gz or .zst. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "stalldiff/input.h"

/* Drops the rows of other ranks. Counters and ids move with their rows. */
static stall_status keep_rank(stall_series *s, int64_t rank, stall_error *reterr)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->len; i++) {
        if (s->rows[i].rank != rank) {
            continue;
        }
        s->rows[kept] = s->rows[i];
        for (size_t c = 0; c < s->counters_len; c++) {
            s->counters[c].values[kept] = s->counters[c].values[i];
        }
        if (s->batch_rank != NULL) {
            s->batch_rank[kept] = s->batch_rank[i];
        }
        if (s->worker_id != NULL) {
            s->worker_id[kept] = s->worker_id[i];
        }
        if (s->worker_pids != NULL) {
            s->worker_pids[kept] = s->worker_pids[i];
        }
        kept++;
    }
    s->len = kept;
    if (kept == 0) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "rank %lld is not in this run", (long long)rank);
    }
    return STALL_OK;
}

static stall_status path_fail(const char *path, stall_error *reterr)
{
    stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "cannot be written: %s",
                    strerror(errno));
    stall_error_source(reterr, path);
    return STALL_EWRITE;
}

/* Opens a private temporary file beside `path`; its name is put into `temp`. */
static int open_temp(const char *path, stall_text *temp, stall_error *reterr)
{
    stall_text_put(temp, path);
    stall_text_put(temp, ".XXXXXX");
    if (temp->failed) {
        stall_error_memory(reterr);
        return -1;
    }
    int fd = mkstemp(temp->data);
    if (fd < 0) {
        path_fail(path, reterr);
        return -1;
    }
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
    return fd;
}

static stall_status packer_write(void *ctx, const void *data, size_t len, stall_error *reterr)
{
    if (cli_stopped()) {
        return stall_error_set(reterr, STALL_EWRITE, STALL_OFFSET_NONE, "was not finished");
    }
    return stall_packer_write(ctx, data, len, reterr);
}

/* Writes to a temporary name first, so that `path` is whole or not there. A file that exists and is
 * no regular file (a terminal, /dev/null, a pipe) is written in place. */
static stall_status write_file(const stall_series *s, const char *path, stall_error *reterr)
{
    stall_text temp;
    struct stat st;
    int fd = -1;
    stall_packer *packer = NULL;
    stall_sink sink;
    stall_status status = STALL_EWRITE;
    bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);

    stall_text_init(&temp);
    if (special) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0) {
            path_fail(path, reterr);
        }
    } else {
        fd = open_temp(path, &temp, reterr);
    }
    if (fd < 0) {
        goto out;
    }
    status = stall_packer_open(fd, path, &packer, reterr);
    if (status == STALL_OK) {
        sink = (stall_sink){.ctx = packer, .write = packer_write};
        status = stall_write_series(s, &sink, reterr);
    }
    if (status == STALL_OK) {
        status = stall_packer_finish(packer, reterr);
    }
    if (close(fd) != 0 && status == STALL_OK) {
        status = path_fail(path, reterr);
    }
    if (!special && status == STALL_OK && rename(temp.data, path) != 0) {
        status = path_fail(path, reterr);
    }
    if (!special && status != STALL_OK) {
        unlink(temp.data);
    }
out:
    stall_packer_close(packer);
    stall_text_close(&temp);
    return status;
}

int cli_run_series(const cli_options *o)
{
    stall_error error = {0};
    stall_series s;
    stall_status status;
    cli_stream stream = {stdout, "standard output"};
    stall_sink sink;

    stall_series_init(&s);
    status = o->output != NULL ? cli_refuse_input(o, o->output, &error) : STALL_OK;
    if (status == STALL_OK) {
        status = cli_load_all(o, &s, o->quiet, &error);
    }
    if (status == STALL_OK && o->analyze.rank != STALL_RANK_MAX) {
        status = keep_rank(&s, o->analyze.rank, &error);
    }
    if (status == STALL_OK && o->output != NULL) {
        cli_hold_signals();
        status = write_file(&s, o->output, &error);
        cli_release_signals();
    } else if (status == STALL_OK) {
        cli_sink_open(&sink, &stream);
        status = stall_write_series(&s, &sink, &error);
        if (status == STALL_OK) {
            status = cli_sink_flush(&stream, &error);
        }
    }
    stall_series_close(&s);
    return status == STALL_OK ? CLI_EXIT_OK : cli_print_error(stderr, &error);
}
