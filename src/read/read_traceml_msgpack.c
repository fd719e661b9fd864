/* TraceML's step file: StepTimeSampler/StepTimeTable.msgpack, one framed record a step.
 *
 * Enters: bytes. Leaves: rows of a run, or the series of a file given alone. The rank is not in the
 * rows, only in the path. It must not know how records are cut or read, nor how rows become a
 * series. */
#include <inttypes.h>
#include <string.h>

#include "read/read.h"
#include "read/traceml.h"

#define TABLE_MAX 64 /* bytes of a table's name in a message */

/* What a file of records turned out to hold. */
typedef struct record_counts {
    uint64_t steps, events, others;
    char keys[sizeof(((stall_traceml_record *)0)->keys)]; /* of the first record that is no step */
} record_counts;

/* The table that the file name tells, or NULL. */
static const char *table_name(const char *path)
{
    static const char *const names[] = {"SystemTable", "step_memory", "ProcessTable",
                                        "RuntimeEnvironmentTable"};
    const char *name = path != NULL ? strrchr(path, '/') : NULL;

    name = name != NULL ? name + 1 : path;
    for (size_t i = 0; name != NULL && i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return names[i];
    return NULL;
}

/* Nothing in the file tells of steps. */
static stall_status refuse(const stall_source *src, const record_counts *n, stall_error *reterr)
{
    const char *table = table_name(src->name);

    if (n->others == 0 && n->events == 0)
        return stall_error_set(reterr, STALL_EFORMAT, 0, "no record of it can be read");
    if (n->others == 0) {
        stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                        "its records tell of one event each, as TraceML up to 0.2.2 wrote them");
        stall_error_hint(reterr, "do not force the format, or use --format %s",
                         stall_reader_traceml_legacy.name);
        return STALL_ENODATA;
    }
    stall_error_set(reterr, STALL_ENODATA, STALL_OFFSET_NONE,
                    "%s%sa TraceML table without the events of steps; its keys: %s",
                    table != NULL ? table : "", table != NULL ? ": " : "", n->keys);
    stall_error_hint(reterr, "give aggregator/telemetry of the run, or "
                             "StepTimeSampler/StepTimeTable.msgpack");
    return STALL_ENODATA;
}

stall_status stall_traceml_msgpack_rows(stall_source *src, int64_t rank, stall_traceml_run *run,
                                        stall_warnings *warnings, stall_error *reterr)
{
    record_counts n = {0};
    stall_traceml_record record;
    stall_frames frames;
    stall_frame frame;
    stall_status status;

    stall_frames_open(&frames, src, warnings);
    for (;;) {
        status = stall_frames_next(&frames, &frame, reterr);
        if (status != STALL_OK || frame.data == NULL)
            break;
        switch (stall_traceml_record_read(frame.data, frame.len, &record)) {
        case STALL_RECORD_STEP:
            n.steps++;
            record.row.rank = rank;
            status = stall_traceml_run_push(run, &record.row, reterr);
            break;
        case STALL_RECORD_BROKEN:
            status = stall_frames_broken(&frames, &frame, reterr);
            break;
        case STALL_RECORD_EVENT:
            n.events++;
            break;
        case STALL_RECORD_OTHER:
            if (n.others++ == 0)
                memcpy(n.keys, record.keys, sizeof(n.keys));
            break;
        }
        if (status != STALL_OK)
            break;
    }
    stall_frames_close(&frames);
    if (status == STALL_OK && n.steps == 0)
        status = refuse(src, &n, reterr);
    if (status == STALL_OK && n.events + n.others > 0)
        status = stall_warn_add(warnings, STALL_WARN_rows_skipped, n.events + n.others,
                                STALL_OFFSET_NONE, reterr,
                                "a record of another table, without the events of a step");
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0' && src->name != NULL)
        stall_error_source(reterr, src->name);
    return status;
}

static stall_status read_msgpack(stall_source *src, const stall_read_options *options,
                                 stall_series *out, stall_error *reterr)
{
    stall_traceml_run run = {0};
    int64_t rank = stall_path_rank(src->name);
    stall_status status;

    out->warnings.strict = options->strict;
    status = stall_traceml_msgpack_rows(src, rank == STALL_UNKNOWN ? 0 : rank, &run, &out->warnings,
                                        reterr);
    if (status == STALL_OK)
        status = stall_traceml_run_series(&run, out, reterr);
    stall_traceml_run_close(&run);
    return status;
}

static int probe(const unsigned char *head, size_t len, bool whole)
{
    (void)whole;
    switch (stall_traceml_probe(head, len)) {
    case STALL_RECORD_STEP:
        return 95;
    case STALL_RECORD_OTHER:
        return 60;
    default: /* a first record that is not all there */
        return stall_frames_begins(head, len) ? 20 : 0;
    }
}

const stall_reader stall_reader_traceml_msgpack = {
    "traceml-msgpack",
    "TraceML's StepTimeTable.msgpack (--enable-logging)",
    probe,
    read_msgpack,
    STALL_INPUT_BINARY,
    false};
