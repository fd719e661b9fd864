/* Status codes, errors and warnings.
 *
 * A function that can fail returns a stall_status. The place that finds the fault fills the one
 * stall_error of the caller; everyone above forwards the status untouched. What does not stop the
 * work is a warning: it is counted, kept with the run it belongs to and shown by every writer.
 * Nothing in this library prints, exits, or reads the environment or the locale. */
#ifndef STALLDIFF_ERROR_H
#define STALLDIFF_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stall_status {
    STALL_OK = 0,
    STALL_EUSAGE,  /* an option or argument is wrong */
    STALL_ENOMEM,  /* memory ran out */
    STALL_EREAD,   /* the operating system refused to open or read the input */
    STALL_EFORMAT, /* the input is of no known format, or broken beyond recovery */
    STALL_ENODATA, /* the input is well formed but holds no usable per-step input waits */
    STALL_ELIMIT,  /* a named limit was reached */
    STALL_EWRITE,  /* an output could not be written */
} stall_status;

/* An offset or line that is not known or has no meaning for this input. */
#define STALL_OFFSET_NONE UINT64_MAX

/* One fault. All text is NUL-terminated, valid UTF-8 without control bytes, cut to fit. */
typedef struct stall_error {
    stall_status status;
    int sys_errno;    /* errno of the failing call, or 0 */
    uint64_t offset;  /* byte offset in the decompressed input, or STALL_OFFSET_NONE */
    uint64_t line;    /* line, from 1, for line formats; or STALL_OFFSET_NONE */
    char source[512]; /* the file as the user named it; "" when no file is to blame */
    char text[512];   /* what is wrong */
    char hint[512];   /* what to do about it; may be "" */
} stall_error;

/* Every warning code, in the order in which reports list them. The second argument is true where
 * something may be missing after the damage: the run is then PARTIAL. The third is true for damage
 * that --strict turns into an error. */
#define STALL_WARNING_CODES(X)                                                                     \
    X(truncated, true, true)                                                                       \
    X(compressed_cut, true, true)                                                                  \
    X(events_lost, true, true)                                                                     \
    X(second_document, false, true)                                                                \
    X(duplicate_keys, false, true)                                                                 \
    X(bad_escape, false, true)                                                                     \
    X(control_byte, false, true)                                                                   \
    X(bad_number, false, true)                                                                     \
    X(bad_utf8, false, true)                                                                       \
    X(bom, false, false)                                                                           \
    X(stray_comma, false, true)                                                                    \
    X(bad_header, false, true)                                                                     \
    X(no_step_marks, false, false)                                                                 \
    X(wait_tier, false, false)                                                                     \
    X(off_thread_waits, false, false)                                                              \
    X(several_fetches, false, false)                                                               \
    X(other_loader, false, false)                                                                  \
    X(evaluation_steps, false, false)                                                              \
    X(end_of_data, false, false)                                                                   \
    X(waits_after_last_step, false, false)                                                         \
    X(markers_overlap, false, false)                                                               \
    X(unfinished_event, false, false)                                                              \
    X(steps_without_wait, false, false)                                                            \
    X(missing_ranks, false, false)                                                                 \
    X(duplicate_rank, false, false)                                                                \
    X(time_bases_differ, false, false)                                                             \
    X(rows_skipped, false, false)                                                                  \
    X(unit_assumed, false, false)                                                                  \
    X(several_launches, false, false)                                                              \
    X(aborted_step, false, false)                                                                  \
    X(aggregated_rows, false, false)                                                               \
    X(missing_steps, false, false)

typedef enum stall_warn_code {
#define X(name, partial, strict) STALL_WARN_##name,
    STALL_WARNING_CODES(X)
#undef X
        STALL_WARN_COUNT
} stall_warn_code;

/* One kind of warning of one run. */
typedef struct stall_warning {
    stall_warn_code code;
    uint64_t count;  /* how often; at least 1 */
    uint64_t offset; /* where first: byte offset, or STALL_OFFSET_NONE */
    uint64_t line;   /* where first: line from 1, or STALL_OFFSET_NONE */
    char text[256];  /* of the first one; UTF-8 without control bytes */
} stall_warning;

/* The warnings of one run: at most one entry a code, so its size is bounded whatever the input. */
typedef struct stall_warnings {
    stall_warning items[STALL_WARN_COUNT];
    size_t len;
    bool strict;  /* in: damage is an error */
    bool partial; /* out: something may be missing */
} stall_warnings;

/* A word of the vocabulary: shapes, notes, verdict reasons, caveats, advice, warnings. */
typedef struct stall_term {
    const char *code;  /* stable name, never renamed */
    const char *words; /* what reports print, lower case, no full stop */
    const char *help;  /* one paragraph for `stalldiff help CODE` */
} stall_term;

/* The stable name of a warning code, such as "bad_escape". Never NULL for a valid code. */
const char *stall_warn_name(stall_warn_code code);
/* The help entry of a warning code. Never NULL for a valid code. */
const stall_term *stall_warn_term(stall_warn_code code);

#ifdef __cplusplus
}
#endif
#endif
