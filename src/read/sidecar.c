/* Metadata sidecars: a small JSON object of facts that stands beside the input.
 *
 * Enters: the bytes of the file. Leaves: facts of the series, none of which replaces one that the
 * input itself gave. It must not know which facts act. */
#include <string.h>

#include "read/table.h"

stall_status stall_read_sidecar(const char *text, size_t len, const char *name, stall_series *s,
                                stall_error *reterr)
{
    stall_text fixed;
    stall_cell object;
    stall_status status;
    unsigned known = stall_facts_known(s);

    stall_text_init(&fixed);
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        len -= 3;
    }
    if (stall_json_row(text, len, &fixed, &object)) {
        status = stall_json_facts(s, object, true, reterr);
        if (status == STALL_OK)
            status = stall_facts_check(s, known, reterr);
    } else if (fixed.failed) {
        status = stall_error_memory(reterr);
    } else {
        status = stall_error_set(reterr, STALL_EFORMAT, STALL_OFFSET_NONE,
                                 "the metadata sidecar is not one JSON object");
        stall_error_source(reterr, name);
        stall_error_hint(reterr, "it looks like {\"num_workers\": 4, \"logical_cpus\": 16}");
    }
    stall_text_close(&fixed);
    return status;
}
