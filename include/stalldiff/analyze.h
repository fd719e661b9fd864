/* From a step series to figures, stalls, cadence and shape. Pure functions: no I/O, no global
 * state. Times are milliseconds in double. A double that is not defined is NaN, an integer that is
 * not defined is STALL_UNKNOWN; writers print both as null or "not measured". */
#ifndef STALLDIFF_ANALYZE_H
#define STALLDIFF_ANALYZE_H

#include "series.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STALL_RANK_MAX (-1) /* judge the per-step maximum over the ranks */

/* Facts and choices. Use stall_analyze_options_init. */
typedef struct stall_analyze_options {
    double stall_ms;         /* threshold, or NaN: automatic */
    int64_t num_workers;     /* or STALL_UNKNOWN */
    int64_t cpus;            /* logical CPUs, or STALL_UNKNOWN */
    int64_t steps_per_epoch; /* or STALL_UNKNOWN */
    int64_t warmup;          /* positions left out at the start of a segment; default 1 */
    int64_t rank;            /* a rank, or STALL_RANK_MAX */
} stall_analyze_options;

typedef enum stall_shape {
    STALL_SHAPE_NO_INPUT_PROBLEM,
    STALL_SHAPE_STARTUP_ONLY,
    STALL_SHAPE_UNIFORM_SLOW,
    STALL_SHAPE_HEAVY_PERIODIC,
    STALL_SHAPE_HEAVY_LONG_CYCLE,
    STALL_SHAPE_HEAVY_CLUSTERED,
    STALL_SHAPE_HEAVY_RANDOM,
    STALL_SHAPE_REGIME_CHANGE,
    STALL_SHAPE_INCONCLUSIVE,
} stall_shape;

typedef enum stall_confidence {
    STALL_CONFIDENCE_NONE, /* null */
    STALL_CONFIDENCE_LOW,
    STALL_CONFIDENCE_MEDIUM,
    STALL_CONFIDENCE_HIGH,
} stall_confidence;

typedef enum stall_cadence_kind {
    STALL_CADENCE_NONE,
    STALL_CADENCE_EVERY_STEP,
    STALL_CADENCE_EXACT,
    STALL_CADENCE_PATTERN,
    STALL_CADENCE_INVERSE,
    STALL_CADENCE_JITTERED,
} stall_cadence_kind;

typedef enum stall_worker_match {
    STALL_MATCH_NONE, /* null */
    STALL_MATCH_EQUAL,
    STALL_MATCH_MULTIPLE,
    STALL_MATCH_DIVISOR,
    STALL_MATCH_NO,
} stall_worker_match;

/* Notes, in the order in which they stand; a set of bits 1u << STALL_NOTE_x. */
#define STALL_NOTE_CODES(X)                                                                        \
    X(too_few_steps)                                                                               \
    X(stalls_but_cheap)                                                                            \
    X(share_near_limit)                                                                            \
    X(steady_also_slow)                                                                            \
    X(uniform_with_spikes)                                                                         \
    X(stall_threshold_too_low)                                                                     \
    X(bulk_also_slow)                                                                              \
    X(cadence_is_not_num_workers)                                                                  \
    X(num_workers_unknown)                                                                         \
    X(too_few_stalls)                                                                              \
    X(holes)                                                                                       \
    X(regime_change)                                                                               \
    X(step_time_unknown)                                                                           \
    X(steps_sampled)

typedef enum stall_note {
#define X(name) STALL_NOTE_##name,
    STALL_NOTE_CODES(X)
#undef X
        STALL_NOTE_COUNT
} stall_note;

/* One position of the judged series: a logged step. Missing positions have no entry. */
typedef struct stall_point {
    int64_t step;     /* label */
    int64_t epoch;    /* or STALL_UNKNOWN */
    uint32_t segment; /* from 0 */
    int32_t rank;     /* whose row was taken */
    int64_t t;        /* position in its segment, from 0 */
    double wait_ms;   /* NaN: unknown */
    double step_ms;   /* NaN: unknown */
    size_t row;       /* index of (the first of) its rows in the series */
    bool steady;      /* takes part where "steady" is said */
    bool stall;       /* wait_ms > threshold */
} stall_point;

typedef struct stall_bin { /* of `hist` or `gap_hist` */
    int64_t key;           /* bin number, STALL_UNKNOWN: underflow; or the gap */
    uint64_t count;
} stall_bin;

typedef struct stall_dist {
    uint64_t n;
    double sum, mean, sd, min, p50, p90, p95, p99, max, mad, cv, top10_share;
    stall_bin *hist;
    size_t hist_len;
} stall_dist;

typedef struct stall_recurrence { /* rec(g) = hits/pairs */
    int64_t lag;
    uint64_t pairs, hits;
} stall_recurrence;

typedef struct stall_cadence {
    stall_cadence_kind kind;
    int64_t period;       /* positions, or STALL_UNKNOWN */
    int64_t period_steps; /* period * stride, or STALL_UNKNOWN */
    double p_adj, coverage, coverage_w, p_w; /* NaN: null */
    int64_t phase;                           /* or STALL_UNKNOWN */
    double phase_share;                      /* NaN: absent */
    stall_worker_match worker_match;
    bool holes;
    uint64_t positions, stalls, gaps;
    int64_t *gap_list;
    size_t gap_list_len;
    stall_bin *gap_hist;
    size_t gap_hist_len;
    double gap_median, gap_mean, gap_cv; /* NaN without gaps */
    int64_t gap_min, gap_max;            /* STALL_UNKNOWN without gaps */
    uint64_t runs;
    double runs_p;
    stall_recurrence *recurrence; /* lags 1.. for the plot */
    size_t recurrence_len;
} stall_cadence;

typedef enum stall_change_kind {
    STALL_CHANGE_NONE,
    STALL_CHANGE_LEVEL,
    STALL_CHANGE_STALLS
} stall_change_kind;

typedef struct stall_change {
    stall_change_kind kind;
    int64_t step, index;
    double p, median_before, median_after, mean_before, mean_after, rate_before, rate_after;
} stall_change;

typedef struct stall_supply {
    bool known; /* false: null */
    double interval_ms, work_ms, speedup_needed, batch_cost_ms;
    int64_t cores_needed; /* or STALL_UNKNOWN */
} stall_supply;

typedef struct stall_rank_figures {
    int32_t rank;
    uint64_t n, stalls;
    double mean, p95;
    int64_t period;   /* or STALL_UNKNOWN */
    uint64_t slowest; /* steps at which this rank's wait was the one judged */
} stall_rank_figures;

typedef struct stall_counter_contrast {
    const char *name; /* of the series */
    uint64_t n_slow, n_fast;
    double median_slow, median_fast, rank_biserial;
} stall_counter_contrast;

typedef struct stall_worker_stalls {
    const char *worker; /* of the series */
    uint64_t count;
} stall_worker_stalls;

typedef struct stall_order {
    bool known;
    uint64_t deliveries, overtaking, overtaken, inversions, max_displacement;
} stall_order;

typedef struct stall_extras {
    stall_counter_contrast *counters;
    size_t counters_len;
    bool pids_known;
    uint64_t pid_set_changes;
    bool workers_known;
    stall_worker_stalls *by_worker;
    size_t by_worker_len;
    stall_order order;
} stall_extras;

typedef enum stall_peer_level {
    STALL_PEER_NONE,
    STALL_PEER_WARNING,
    STALL_PEER_CRITICAL
} stall_peer_level;

typedef struct stall_analysis {
    stall_analyze_options facts; /* as used */
    bool workers_used;           /* num_workers known and not aliased by sampling (stride 1) */
    struct {
        uint64_t rows, invalid_step, invalid_wait, merged, missing_steps, segments;
        int64_t stride;
        bool sampled, averaged; /* rows are one step in several, or averages of several */
    } input;
    stall_point *points; /* the judged series, in time order */
    size_t points_len;
    stall_dist dist;
    struct {
        uint64_t n;
        double mean, p50, p95;
    } steady;
    struct {
        double ms, auto_ms, floor_ms;
        uint64_t peeled;
        bool given;
    } threshold;
    double auto_stall_rate_steady;
    struct {
        uint64_t count, startup;
        int64_t *steps; /* labels, `count` of them */
        double rate, wait_share;
    } stalls;
    char *strip; /* S . ? | ; never NULL after stall_analyze */
    double wall_share, wall_share_steady, wall_share_no_stalls, work_ms;
    stall_cadence cadence;
    stall_change change;
    stall_shape shape;
    stall_confidence confidence;
    uint32_t notes;           /* bits 1u << STALL_NOTE_x */
    int input_problem;        /* 1, 0, or -1: null */
    const char *distribution; /* "heavy", ...; static */
    const char *structure;    /* static */
    double pool_vr;
    stall_supply supply;
    size_t ranks;
    stall_rank_figures *per_rank; /* `per_rank_len` entries, only with two ranks or more */
    size_t per_rank_len;
    stall_extras extras;
    struct { /* wait not hidden by GPU work, over the judged steps that have it */
        bool known;
        uint64_t n;
        double mean, p50, p95, share;
    } exposed;
    struct { /* what TraceML's INPUT-BOUND rule says of the run, where its step times are known */
        bool known;
        double share; /* of input wait in wait and traced step; median over the ranks */
        uint64_t steps, ranks;
        stall_peer_level level;
    } traceml;
} stall_analysis;

/* Everything unknown, automatic threshold, warm-up 1, maximum over the ranks. */
void stall_analyze_options_init(stall_analyze_options *o);
/* An analysis that owns nothing; stall_analysis_close may be called on it. */
void stall_analysis_init(stall_analysis *a);
/* Frees what the analysis owns. NULL is allowed. It refers to texts of its series: close it first. */
void stall_analysis_close(stall_analysis *a);
/* Analyses a series. `options->stall_ms` NaN finds the threshold automatically. Errors:
 * STALL_ENOMEM; STALL_EUSAGE for a rank that is not in the series. A series without rows gives
 * n = 0 and shape inconclusive. `ret` must be initialised and empty. */
stall_status stall_analyze(const stall_series *s, const stall_analyze_options *options,
                           stall_analysis *ret, stall_error *reterr);
/* Quantile of sorted[0..n-1], type 7 (Hyndman & Fan 1996), linear interpolation; NaN for n = 0. */
double stall_quantile(const double *sorted, size_t n, double p);

/* The period that comes nearest to a claim where none was made, and what would settle it. */
typedef struct stall_candidate {
    int64_t lag;          /* positions */
    uint64_t pairs, hits; /* of the stalls that could recur after `lag`, how many did */
    double chance;        /* share of them that would at random */
    double p_adj;         /* as of the pattern test, cut at 1 */
    uint64_t more_steps;  /* so many more positions like these would claim it; 0: no number would */
} stall_candidate;
/* The lag of the strongest recurrence of stalls, judged like a repeating pattern. False when a
 * period is claimed already, when gaps prove nothing, or when no lag recurs more than by chance. */
bool stall_cadence_candidate(const stall_analysis *a, stall_candidate *ret);

/* Vocabulary: code, words and help of each. Never NULL for a valid value. */
const stall_term *stall_shape_term(stall_shape s);
const stall_term *stall_note_term(stall_note n);
const char *stall_confidence_name(stall_confidence c); /* "low" .. or NULL for none */
const char *stall_cadence_kind_name(stall_cadence_kind k);
const char *stall_worker_match_name(stall_worker_match m); /* or NULL for none */
const char *stall_change_kind_name(stall_change_kind k);   /* or NULL for none */

#ifdef __cplusplus
}
#endif
#endif
