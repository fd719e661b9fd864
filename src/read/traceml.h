/* What the readers of TraceML runs share. Whatever its form (database, msgpack, JSON lines, one
 * file an event), a run becomes a list of rows, one a (rank, step); traceml_run.c turns the list
 * into the series: launches, aborted steps, missing steps, step times. */
#ifndef STALL_TRACEML_H
#define STALL_TRACEML_H

#include "base/base.h"
#include "read/read.h"

#define STALL_TRACEML_WAIT "_traceml_internal:dataloader_next"
#define STALL_TRACEML_STEP "_traceml_internal:step_time"

/* One row of the step log. Everything may be STALL_UNKNOWN but the rank. */
typedef struct stall_traceml_row {
    int64_t rank;      /* >= 0 */
    int64_t step;
    int64_t seq;       /* tick of the sampler; it falls where a new launch begins */
    int64_t stamp_ns;  /* end of the step, since 1970 */
    int64_t wait_ns;   /* sum over the devices of the host time of the fetches */
    int64_t traced_ns; /* the same of the step envelope, which leaves the wait out */
    int64_t calls;     /* fetches in this step */
    uint32_t phases;   /* events in the row: an aborted step has fewer */
    bool fetched;      /* the row has a fetch event at all */
    bool window;       /* the row stands for several steps */
    int32_t stamp_ps;  /* what stamp_ns lacks: 0 .. 999 picoseconds */
} stall_traceml_row;

/* Rows in the order of arrival. Zero-initialised is empty. */
typedef struct stall_traceml_run {
    stall_traceml_row *rows;
    size_t len, cap;
    bool no_arrival; /* the order is not that of arrival: no launches can be told apart */
} stall_traceml_run;

/* The stats of one device of one event, as found. Unknown: missing, null or no number. */
typedef struct stall_traceml_device {
    int64_t cpu_ns, duration_ns; /* STALL_UNKNOWN: missing, null or not finite; may be negative */
    int64_t calls;               /* n_calls */
    bool is_gpu;
} stall_traceml_device;

/* A row without any event. */
void stall_traceml_row_init(stall_traceml_row *row);
/* Sets the time stamp from seconds since 1970 that were stored in binary. */
void stall_traceml_row_stamp(stall_traceml_row *row, double seconds);
/* Adds an event by name with its devices (possibly none) to a row. NULL is allowed for none. Of two
 * fetch events, or two step events, the last one counts. */
void stall_traceml_row_event(stall_traceml_row *row, const char *name, size_t name_len,
                             const stall_traceml_device *devices, size_t devices_len);
/* Adds the events of a JSON object (the value of events_json, or of "events"). False: it is no JSON
 * object of events. */
bool stall_traceml_row_json(stall_traceml_row *row, const char *text, size_t len);
/* The same of a text that is known to be a JSON object. */
void stall_traceml_row_object(stall_traceml_row *row, const char *text, size_t len);
/* Appends a row. STALL_ENOMEM, STALL_ELIMIT. */
stall_status stall_traceml_run_push(stall_traceml_run *run, const stall_traceml_row *row,
                                    stall_error *reterr);
/* Turns the rows into those of a series (launches become epochs), with warnings. STALL_ENODATA
 * without usable rows; STALL_EFORMAT for two launches that cannot be told apart; STALL_ENOMEM,
 * STALL_ELIMIT. The run keeps its rows. */
stall_status stall_traceml_run_series(stall_traceml_run *run, stall_series *out,
                                      stall_error *reterr);
void stall_traceml_run_close(stall_traceml_run *run);

/* ---- folders ---- */

/* The rank in a path: the number of its last component or file name that holds rank_<n>, else
 * STALL_UNKNOWN. */
int64_t stall_path_rank(const char *path);
/* Reads a TraceML run folder. *ret_found = false: the folder is none, nothing was read. */
stall_status stall_traceml_folder(const char *path, const stall_opener *opener,
                                  const stall_read_options *options, stall_series *out,
                                  bool *ret_found, stall_error *reterr);

#endif
