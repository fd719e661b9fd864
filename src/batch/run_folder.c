/* One run from a folder: opens the files that the readers ask for, adds the sidecar in the folder,
 * names the run after the folder. Leaves a step series. Must not know formats or statistics. */
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"

/* A file of the folder that is open. The source comes first: its address is that of the whole. */
typedef struct opened {
    stall_run_meter meter;
    stall_input *input;
} opened;

static stall_status open_file(void *ctx, const char *path, stall_source **ret, stall_error *reterr)
{
    opened *f = stall_mem_zero(1, sizeof(*f));
    stall_status status =
        f ? stall_input_open(path, &f->input, reterr) : stall_error_memory(reterr);

    if (status != STALL_OK) {
        if (f != NULL) {
            stall_input_close(f->input);
        }
        stall_mem_free(f);
        stall_error_source(reterr, path);
        return status;
    }
    stall_input_set_thread(f->input, ((const stall_run_options *)ctx)->threads);
    stall_run_meter_init(&f->meter, f->input, ctx);
    *ret = &f->meter.source;
    return STALL_OK;
}

static void close_file(void *ctx, stall_source *source)
{
    opened *f = (opened *)source;

    (void)ctx;
    stall_input_close(f->input);
    stall_mem_free(f);
}

/* The folder's name; that of `.` and `..` is looked up. */
static char *folder_label(const char *path)
{
    char buf[256];
    const char *end = path + strlen(path), *name;
    char *real = NULL, *ret;

    while (end > path + 1 && end[-1] == '/') {
        end--;
    }
    for (name = end; name > path && name[-1] != '/'; name--) {
    }
    if ((end - name == 1 && name[0] == '.') || (end - name == 2 && memcmp(name, "..", 2) == 0)) {
        real = realpath(path, NULL);
    }
    if (real != NULL) {
        name = strrchr(real, '/') + 1;
        end = name + strlen(name);
    }
    size_t len = stall_text_printable(buf, sizeof buf, name, (size_t)(end - name));
    ret = stall_mem_text(len > 0 ? buf : "/", len > 0 ? len : 1);
    free(real); /* from realpath */
    return ret;
}

static stall_status add_sidecar(const char *path, stall_series *s, stall_error *reterr)
{
    stall_status status;
    stall_text name;
    bool found;

    stall_text_init(&name);
    stall_text_printf(&name, "%s%srun.meta.json", path, path[strlen(path) - 1] == '/' ? "" : "/");
    status =
        name.failed ? stall_error_memory(reterr) : stall_run_sidecar(name.data, s, &found, reterr);
    stall_text_close(&name);
    return status;
}

stall_opener stall_run_opener(const stall_run_options *o)
{
    return (stall_opener){.ctx = (void *)(uintptr_t)o, .open = open_file, .close = close_file};
}

stall_status stall_run_load_folder(const char *path, const stall_run_options *o, stall_series *ret,
                                   stall_error *reterr)
{
    const stall_opener opener = stall_run_opener(o);
    stall_status status;

    ret->warnings.strict = o->read->strict;
    status = stall_read_folder(path, &opener, o->read, ret, reterr);
    if (status == STALL_OK) {
        status = add_sidecar(path, ret, reterr);
    }
    if (status != STALL_OK) {
        return status;
    }
    stall_mem_free(ret->label);
    stall_mem_free(ret->path);
    ret->label = folder_label(path);
    ret->path = stall_run_path(path);
    if (ret->label == NULL || ret->path == NULL) {
        status = stall_error_memory(reterr);
    }
    return status;
}
