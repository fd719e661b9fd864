/* Enters: the path of a folder and a way to open its files. Leaves: the series of the run in it. A
 * TraceML run is looked for first: its folder may hold logs of the training script too, which tell
 * less. Must not know any format. */
#include "read/folder.h"

stall_status stall_read_folder(const char *path, const stall_opener *opener,
                               const stall_read_options *options, stall_series *out,
                               stall_error *reterr)
{
    static const stall_read_options defaults;
    stall_dir folder = {0};
    bool found = false;
    stall_status status = stall_dir_list(path, &folder, reterr);

    if (options == NULL)
        options = &defaults;
    out->warnings.strict = options->strict;
    if (status == STALL_OK)
        status = stall_traceml_folder(&folder, opener, options, out, &found, reterr);
    if (status == STALL_OK && !found)
        status = stall_folder_files(&folder, opener, options, out, reterr);
    stall_dir_close(&folder);
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0')
        stall_error_source(reterr, path);
    return status;
}
