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

/* ---- traceml_frames.c: records framed by their length ---- */

#define STALL_TRACEML_RECORD_MAX (1u << 20) /* bytes of a record; a row takes about 1 KiB */
#define STALL_TRACEML_DAMAGE_MAX 1000u      /* damaged places of a file, then it is given up */

/* Cuts a source into records: a length of 4 bytes, big-endian, then that many bytes. */
typedef struct stall_frames {
    stall_source *src;
    stall_warnings *warnings;
    unsigned char *buf;
    size_t at, len, cap; /* unused bytes: at .. len */
    size_t last;         /* bytes of the record given last, with its length */
    uint64_t base;       /* offset of buf[0] */
    uint32_t damage;
    bool ended, cut; /* cut: the transport lost bytes, and has said so */
} stall_frames;

typedef struct stall_frame {
    const unsigned char *data; /* NULL: no more records; valid until the next call */
    size_t len;
    uint64_t offset; /* of its length */
} stall_frame;

void stall_frames_open(stall_frames *f, stall_source *src, stall_warnings *warnings);
void stall_frames_close(stall_frames *f);
/* The next record. What cannot be one is passed over with a warning. STALL_ENOMEM, those of the
 * source, and with strict warnings STALL_EFORMAT. */
stall_status stall_frames_next(stall_frames *f, stall_frame *ret, stall_error *reterr);
/* The record given last is broken: counts it as lost. A record that begins inside it comes next. */
stall_status stall_frames_broken(stall_frames *f, const stall_frame *frame, stall_error *reterr);

/* Does a row begin here: a length, then a small map whose first key is "seq"? */
bool stall_frames_begins(const unsigned char *p, size_t len);
/* Length of the record whose length stands at p, when all of it is there; else 0. */
size_t stall_frames_whole(const unsigned char *p, size_t len);

#define STALL_FRAMES_PREFIX 4u /* bytes of a length */

/* ---- traceml_record.c: what one record says ---- */

#define STALL_TRACEML_DEVICES_MAX 64u /* devices of one event; more make its times unknown */

typedef enum stall_traceml_kind {
    STALL_RECORD_BROKEN, /* neither a msgpack map nor a JSON object */
    STALL_RECORD_OTHER,  /* of a table that does not tell of steps */
    STALL_RECORD_STEP,   /* a step with its events */
    STALL_RECORD_EVENT,  /* of one event of one step: the form up to 0.2.2 */
} stall_traceml_kind;

typedef struct stall_traceml_record {
    stall_traceml_row row; /* rank 0; of an event only step, seq and stamp are set */
    int64_t duration_ns;   /* of an event: may be negative, or STALL_UNKNOWN */
    bool is_gpu;
    char keys[128]; /* the first keys, for messages */
} stall_traceml_record;

/* Reads a record that is a JSON object (when its first byte is '{') or else a msgpack map. */
stall_traceml_kind stall_traceml_record_read(const unsigned char *data, size_t len,
                                             stall_traceml_record *ret);

/* What the first record that can be read in these first bytes of a framed file is; BROKEN: there is
 * none. */
stall_traceml_kind stall_traceml_probe(const unsigned char *head, size_t len);

/* ---- step files ---- */

/* Adds the rows of a step file (StepTimeTable.msgpack) to a run, as those of `rank`. STALL_ENODATA,
 * naming the table, when it does not tell of steps; STALL_EFORMAT when no record can be read, or
 * with strict warnings; those of the source. */
stall_status stall_traceml_msgpack_rows(stall_source *src, int64_t rank, stall_traceml_run *run,
                                        stall_warnings *warnings, stall_error *reterr);
/* Adds the rows of a file that holds one event, in the form up to 0.2.2: `waits` tells of the
 * fetches, `steps` (NULL: not there) of the step envelope. Errors as above. */
stall_status stall_traceml_legacy_rows(stall_source *waits, stall_source *steps, int64_t rank,
                                       stall_traceml_run *run, stall_warnings *warnings,
                                       stall_error *reterr);
/* Path of the file with the step envelope beside the one with the fetches. False: `path` is no such
 * name. `ret` must be initialised; ret->failed: no memory. */
bool stall_traceml_legacy_steps(const char *path, stall_text *ret);

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

/* ---- folder_list.c ---- */

/* The rank in a path: the number of its last component or file name that holds rank_<n>, else
 * STALL_UNKNOWN. */
int64_t stall_path_rank(const char *path);

#endif
