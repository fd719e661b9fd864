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
    int64_t id;        /* order of arrival where it was stored; equal ones: as pushed */
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

/* ---- read_traceml_jsonl.c ---- */

/* Adds the rows of an export as JSON lines to a run; `rank` is that of rows that name none. Damaged
 * lines are warnings. STALL_EFORMAT without any JSON object, or with strict warnings; STALL_ELIMIT,
 * STALL_ENOMEM; those of the source. */
stall_status stall_traceml_export_rows(stall_source *src, int64_t rank, stall_traceml_run *run,
                                       stall_warnings *warnings, stall_error *reterr);

/* ---- traceml_db_copy.c: where a database is read ---- */

/* Zero-initialised is nothing. */
typedef struct stall_traceml_place {
    char *uri; /* for SQLite; owned */
    char *dir; /* of the private copy, or NULL: the file itself is read */
} stall_traceml_place;

/* Finds where the database at `path` is read, so that nothing beside it changes: the file itself, or
 * where a live -wal lies beside it a copy of both in a new folder of `tmp_dir` (NULL: /tmp).
 * `page_size` is that of its header. A damaged -wal is a warning. STALL_EREAD, STALL_ENOMEM,
 * STALL_EFORMAT with strict warnings. */
stall_status stall_traceml_place_find(const char *path, const char *tmp_dir, uint32_t page_size,
                                      stall_warnings *warnings, stall_traceml_place *ret,
                                      stall_error *reterr);
/* Removes the copy, if any; a database that is open stays readable. May be called again. */
void stall_traceml_place_leave(stall_traceml_place *place);

/* ---- traceml_db_open.c ---- */

struct sqlite3;

/* Opens the database at `place` so that nothing in it can run and nothing is written, and removes
 * the private copy, which stays readable. `cut`: the file is known to be too short, and what is
 * there of it shall be read. *ret must be closed on errors too. STALL_EFORMAT, STALL_EREAD,
 * STALL_ENOMEM, STALL_ELIMIT. */
stall_status stall_traceml_db_open(stall_traceml_place *place, bool cut, struct sqlite3 **ret,
                                   stall_error *reterr);
/* Words for a result code of SQLite that is an error. `db` may be NULL. Never STALL_OK. */
stall_status stall_traceml_db_error(struct sqlite3 *db, int code, stall_error *reterr);

/* ---- folders ---- */

/* The rank in a path: the number of its last component or file name that holds rank_<n>, else
 * STALL_UNKNOWN. */
int64_t stall_path_rank(const char *path);
/* Reads a TraceML run folder. *ret_found = false: the folder is none, nothing was read. */
stall_status stall_traceml_folder(const char *path, const stall_opener *opener,
                                  const stall_read_options *options, stall_series *out,
                                  bool *ret_found, stall_error *reterr);

#endif
