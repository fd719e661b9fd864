/* What the files of this stage share: the list of readers, and the parts of the Chrome-trace
 * reader. read_chrome.c knows the keys of the file, chrome_event.c the fields of an event,
 * chrome_names.c the names, chrome_doc.c and chrome_collect.c what is kept of an event,
 * chrome_steps.c, chrome_attribute.c and chrome_judge.c what it means. */
#ifndef STALL_READ_INTERNAL_H
#define STALL_READ_INTERNAL_H

#include <regex.h>

#include "base/base.h"
#include "json/json.h"
#include "stalldiff/read.h"

extern const stall_reader stall_reader_chrome;
extern const stall_reader stall_reader_table;
extern const stall_reader stall_reader_jsonl;
extern const stall_reader stall_reader_detectron2;
extern const stall_reader stall_reader_detectron2_text;
extern const stall_reader stall_reader_imagenet;
extern const stall_reader stall_reader_lerobot;
extern const stall_reader stall_reader_metric_logger;
extern const stall_reader stall_reader_mmcv;
extern const stall_reader stall_reader_mmengine;
extern const stall_reader stall_reader_mmengine_text;
extern const stall_reader stall_reader_timm;
extern const stall_reader stall_reader_text;
extern const stall_reader stall_reader_traceml_msgpack;
extern const stall_reader stall_reader_traceml_legacy;
extern const stall_reader stall_reader_traceml;
extern const stall_reader stall_reader_traceml_export;

/* read_sniff.c: what bytes that no reader takes look like, as a noun phrase, or NULL; *ret_instead:
 * what to give instead, or NULL. */
const char *stall_sniff_kind(const unsigned char *head, size_t len, const char **ret_instead);
/* The same in general, to name the formats that come nearest. */
stall_input_kind stall_sniff_input(const unsigned char *head, size_t len);

/* traceml_document.c: documents that are known and hold no steps. */
bool stall_document_known(const unsigned char *head, size_t len);
/* Reads all of such a document and says what it is and what to give instead. Never STALL_OK:
 * STALL_ENODATA for a summary, STALL_EFORMAT for others; STALL_ENOMEM; those of the source. */
stall_status stall_document_refuse(stall_source *src, stall_error *reterr);

/* ---- chrome_names.c ---- */

typedef enum stall_chrome_kind {
    STALL_CHROME_OTHER,      /* work, when a host event of a loop thread */
    STALL_CHROME_MARKER,     /* ProfilerStep#N */
    STALL_CHROME_SPACED,     /* ProfilerStep # N: a marker only where no exact one is */
    STALL_CHROME_WAIT,       /* of tier 1 .. 4 */
    STALL_CHROME_EVALUATION, /* a range whose fetches are not training input */
} stall_chrome_kind;

#define STALL_CHROME_TIER_USER 0 /* the user's own regex */
#define STALL_CHROME_TIERS 5

typedef struct stall_chrome_name {
    stall_chrome_kind kind;
    int tier;         /* of a wait */
    int64_t number;   /* of a marker; STALL_UNKNOWN: too large */
    bool data_loader; /* tier 1 of the form enumerate(DataLoader)# */
} stall_chrome_name;

/* Classifies the name of an event, escapes resolved. */
stall_chrome_name stall_chrome_classify(const char *name, size_t len);
/* True for the beginning of a marker's or a tier-1 wait's name: losing such an event is fatal. */
bool stall_chrome_vital(const char *name, size_t len);

/* ---- chrome_event.c ---- */

typedef struct stall_chrome_text {
    const char *data; /* between the quotes for a string */
    size_t len;
    bool escaped; /* holds a backslash */
    bool there;
    bool whole; /* its end was seen */
} stall_chrome_text;

/* The fields of one event, as written. */
typedef struct stall_chrome_event {
    stall_chrome_text ph, cat, name, pid, tid, ts, dur;
} stall_chrome_event;

/* Takes the fields at depth 1 of the event. Stops as soon as the event turns out to be of no
 * interest (its phase) or all fields were seen; with `all` it goes on to the end, so that the last
 * of doubled keys wins. */
void stall_chrome_event_parse(const unsigned char *data, size_t len, bool all,
                              stall_chrome_event *ret);
/* Microseconds as written to nanoseconds. False: missing, or not a number. */
bool stall_chrome_time(const stall_chrome_text *t, int64_t *ret_ns);

/* ---- chrome_gpu.c: the union of GPU work ---- */

typedef struct stall_chrome_span {
    int64_t start, end;
} stall_chrome_span;

/* Fresh intervals that are sorted in one go, and merged intervals kept before gaps that touch no
 * known wait are closed. Beyond the hard limit the exposed waits become unknown. */
#define STALL_CHROME_GPU_BATCH 4096u
#define STALL_CHROME_GPU_SOFT (1u << 16)
#define STALL_CHROME_GPU_HARD (1u << 19)

typedef struct stall_chrome_gpu {
    stall_chrome_span *busy; /* sorted, disjoint */
    size_t len, cap, limit;
    stall_chrome_span *fresh; /* STALL_CHROME_GPU_BATCH of them */
    size_t fresh_len;
    int64_t filled_lo, filled_hi; /* where gaps were closed; lo > hi: nowhere */
    bool seen, gave_up;
} stall_chrome_gpu;

/* ---- chrome_doc.c, chrome_collect.c ---- */

#define STALL_CHROME_THREADS_MAX 4096u /* threads and streams of one document */
#define STALL_CHROME_STACK_MAX 4096u   /* open B events of one thread */
#define STALL_CHROME_LOADERS_MAX 256u  /* iterator classes told apart */
#define STALL_CHROME_CATS_MAX 24u      /* categories counted for the "nothing found" message */
#define STALL_CHROME_NAME_MAX 8192u    /* bytes of a name that are looked at */

typedef struct stall_chrome_marker {
    int64_t start, end; /* end STALL_UNKNOWN: no usable duration */
    int64_t number;
    uint64_t offset;
    uint32_t thread, process;
    bool spaced, bad_ts, after_lost;
} stall_chrome_marker;

typedef struct stall_chrome_wait {
    int64_t start, end; /* end STALL_UNKNOWN: no usable duration */
    uint64_t offset;
    int64_t work_before; /* start of work of its step that ended before it, or STALL_UNKNOWN */
    uint32_t thread, process;
    uint16_t loader; /* index of the iterator class + 1; 0: none */
    uint8_t tier;
    bool loop;    /* on a loop thread; set when judged */
    bool crossed; /* work starts inside it and ends after it */
    bool bad_ts, evaluation, other;
    bool inexact; /* came after GPU gaps around it were closed */
} stall_chrome_wait;

typedef struct stall_chrome_range { /* an evaluation range */
    int64_t start, end;
    uint32_t thread;
} stall_chrome_range;

typedef struct stall_chrome_open { /* a B event without its E */
    stall_chrome_name name;
    int64_t start;
    uint64_t offset;
    uint16_t loader;
    bool bad_ts;
} stall_chrome_open;

typedef struct stall_chrome_thread {
    char *pid, *tid;
    size_t pid_len, tid_len;
    uint32_t process;       /* index of the pid */
    int64_t max_start;      /* of any host event, or STALL_UNKNOWN */
    int64_t max_work_start; /* of work, or STALL_UNKNOWN */
    int64_t host_end;       /* of any host event, or STALL_UNKNOWN */
    /* For "work of the step before its wait": since the last marker, the work that ended first. */
    int64_t look_from, cand_start, cand_end;
    /* For "work followed an earlier wait": earliest work since the waits that came so far. */
    int64_t wait_end, pending;
    bool followed;
    uint32_t last_wait;    /* index + 1 of the last wait that came */
    stall_chrome_span gpu; /* the last interval of a stream, start STALL_UNKNOWN: none */
    stall_chrome_open *stack;
    size_t stack_len, stack_cap, stack_lost;
    /* while judging */
    bool loop;           /* a loop thread */
    bool lost_next;      /* a marker was lost: the next one is not to be trusted */
    int64_t next_marker; /* start of the next marker, walking backwards */
    uint64_t waits;      /* of the best tier */
    bool bad_wait;       /* one of its waits has no usable ts */
} stall_chrome_thread;

/* Everything kept of one document. Memory is O(markers + waits). */
typedef struct stall_chrome_doc {
    stall_chrome_thread *threads;
    size_t threads_len, threads_cap;
    uint32_t *buckets; /* hash of (pid, tid) -> index + 1 */
    size_t last_thread;
    uint32_t processes;
    stall_chrome_marker *markers;
    size_t markers_len, markers_cap;
    stall_chrome_wait *waits;
    size_t waits_len, waits_cap;
    stall_chrome_range *ranges;
    size_t ranges_len, ranges_cap;
    char *loaders[STALL_CHROME_LOADERS_MAX];
    size_t loaders_len;
    struct {
        char name[32];
        size_t len;
        uint64_t count;
    } cats[STALL_CHROME_CATS_MAX];
    size_t cats_len, last_cat;
    stall_chrome_gpu gpu;
    int64_t max_ts;    /* start of the last event of any kind, or STALL_UNKNOWN */
    int64_t host_end;  /* end of the last host event, or STALL_UNKNOWN */
    int64_t base;      /* baseTimeNanoseconds */
    int64_t rank;      /* distributedInfo.rank, or STALL_UNKNOWN */
    int64_t name_rank; /* rank in the file name, or STALL_UNKNOWN */
    uint64_t events, phases, lost, lost_offset; /* all; those with a ph; broken ones */
    bool exact_marker, cut;
    bool user_only; /* only ranges that match the user's regex are waits */
    /* For a run of several files, judged together: work followed a wait of an earlier file, and
     * a later file of the rank follows, so that the last wait here is not the last of the run. */
    bool followed_before, more_follows;
} stall_chrome_doc;

/* chrome_doc.c */
void stall_chrome_doc_init(stall_chrome_doc *d);
void stall_chrome_doc_close(stall_chrome_doc *d);
/* The thread of an event, made on first use; *ret_index = SIZE_MAX: there are too many already. */
stall_status stall_chrome_doc_thread(stall_chrome_doc *d, const stall_chrome_event *e,
                                     size_t *ret_index, stall_error *reterr);
/* Counts an event of this category. */
void stall_chrome_doc_count(stall_chrome_doc *d, const stall_chrome_text *cat);

typedef struct stall_chrome_collect {
    stall_chrome_doc *doc;
    stall_warnings *warnings;
    const regex_t *wait_name; /* or NULL */
    bool no_gpu;
    char name[STALL_CHROME_NAME_MAX];
} stall_chrome_collect;

/* Takes one event slice. Errors: STALL_ENOMEM, STALL_ELIMIT; STALL_EFORMAT when a damaged one was
 * a marker or a wait. */
stall_status stall_chrome_collect_event(stall_chrome_collect *c, const stall_slice *event,
                                        int flags, size_t sound, stall_error *reterr);
/* Counts `n` lost events. STALL_EFORMAT with --strict. */
stall_status stall_chrome_collect_lost(stall_chrome_collect *c, uint64_t offset, const char *what,
                                       stall_error *reterr);
/* Closes what is still open at the end of the document. */
stall_status stall_chrome_collect_end(stall_chrome_collect *c, stall_error *reterr);

void stall_chrome_gpu_init(stall_chrome_gpu *g);
void stall_chrome_gpu_close(stall_chrome_gpu *g);
/* Adds an interval; `waits` are those known so far. STALL_ENOMEM. */
stall_status stall_chrome_gpu_add(stall_chrome_gpu *g, int64_t start, int64_t end,
                                  const stall_chrome_wait *waits, size_t waits_len,
                                  stall_error *reterr);
/* Merges what is fresh. STALL_ENOMEM. */
stall_status stall_chrome_gpu_settle(stall_chrome_gpu *g, const stall_chrome_wait *waits,
                                     size_t waits_len, stall_error *reterr);
/* Nanoseconds of [start, end) that are busy, leaving out intervals that start more than a day away
 * from `middle`. The union must be settled. */
int64_t stall_chrome_gpu_covered(const stall_chrome_gpu *g, int64_t start, int64_t end,
                                 int64_t middle);

/* ---- read_chrome.c, chrome_files.c: a run of several files ---- */

typedef struct stall_chrome_docs {
    stall_chrome_doc *items;
    size_t len, cap;
} stall_chrome_docs;

void stall_chrome_docs_close(stall_chrome_docs *docs);
/* Collects the documents of one trace without judging them. Facts and warnings go to `facts`, an
 * empty series. Errors as stall_reader.read. */
stall_status stall_chrome_collect_file(stall_source *src, const stall_read_options *options,
                                       stall_series *facts, stall_chrome_docs *docs,
                                       stall_error *reterr);
/* Reads traces as one run: the files of a rank in order of time, rank after rank. A file that
 * cannot be read makes the run PARTIAL. Errors as stall_reader.read. */
stall_status stall_chrome_files(const char *const *paths, size_t len, const stall_opener *opener,
                                const stall_read_options *options, stall_series *out,
                                stall_error *reterr);
/* The rank in the name of a trace (rank-3, rank_3, worker3_...), or STALL_UNKNOWN. */
int64_t stall_chrome_name_rank(const char *path);
/* When the document begins: its base and its first marker or wait; STALL_UNKNOWN without any. */
int64_t stall_chrome_doc_start(const stall_chrome_doc *d);

/* ---- chrome_steps.c, chrome_attribute.c, chrome_judge.c ---- */

#define STALL_CHROME_DAY_NS INT64_C(86400000000000)
#define STALL_CHROME_SLACK_NS 1000 /* overlap of two markers that is rounding, not damage */

typedef struct stall_chrome_step {
    int64_t start, end; /* of the marker; end INT64_MAX: reaches to the end of the file */
    int64_t from;       /* start, or that of a wait before it */
    int64_t label;      /* or STALL_UNKNOWN */
    int64_t wait, other, exposed;
    uint64_t offset;
    uint32_t thread;
    uint32_t fetches;    /* training fetches not enclosed by another one */
    uint32_t evaluation; /* fetches inside evaluation ranges */
    bool training;       /* holds a training fetch */
    bool wait_unknown, span_unknown, exposed_unknown;
    bool left_out;
} stall_chrome_step;

/* One rank of one document while it is judged. */
typedef struct stall_chrome_rank {
    stall_chrome_doc *doc;
    stall_warnings *warnings;
    stall_chrome_step *steps;
    size_t len;
    stall_chrome_wait *waits; /* of the best tier, on the loop threads; sorted by start */
    size_t waits_len;
    uint32_t process;
    bool marks;      /* steps are markers */
    bool alone;      /* the only rank of the document */
    bool has_others; /* there are waits of loaders that are not the training input */
    int64_t middle;  /* start of the median step */
    /* the last training interval */
    stall_chrome_span last;
    size_t last_wait; /* its outermost wait, or SIZE_MAX: there is none */
    size_t last_step; /* its step, or SIZE_MAX: after the last one */
} stall_chrome_rank;

/* Where the rows of a rank have got to. */
typedef struct stall_chrome_place {
    int64_t epoch; /* number of the segment */
    int64_t label; /* of its last step; STALL_UNKNOWN: the next rows stand on their own */
} stall_chrome_place;

/* Judges a document and appends its rows: to the segment of *place when their numbers go on
 * rising, else to a new one. *place is moved. A document without usable waits adds no row and
 * fills *ret_why (status STALL_ENODATA). Errors: STALL_ENOMEM, STALL_ELIMIT; STALL_EFORMAT with
 * --strict. */
stall_status stall_chrome_steps(stall_chrome_doc *d, stall_series *out, stall_chrome_place *place,
                                stall_error *ret_why, stall_error *reterr);
/* Turns markers and waits of one rank into steps with their waits. `markers` are sorted by start;
 * r->waits too. STALL_ENOMEM; STALL_EFORMAT with --strict. */
stall_status stall_chrome_attribute(stall_chrome_rank *r, const stall_chrome_marker *markers,
                                    size_t markers_len, stall_error *reterr);
/* End of data, cut file, unfinished and damaged events; warnings of the finished steps. */
stall_status stall_chrome_judge(stall_chrome_rank *r, stall_error *reterr);

#endif
