/* Two sides to a verdict, and any number of runs to the report model that writers print.
 *
 * Everything a report says is decided here: numbers, verdict, sentences, advice, caveats. Writers
 * only lay it out, so that no two of them can disagree. */
#ifndef STALLDIFF_COMPARE_H
#define STALLDIFF_COMPARE_H

#include "analyze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stall_verdict {
    STALL_VERDICT_FIXED,
    STALL_VERDICT_IMPROVED,
    STALL_VERDICT_UNCHANGED,
    STALL_VERDICT_REGRESSED,
    STALL_VERDICT_INCONCLUSIVE,
} stall_verdict;

/* Reasons of a verdict, bits 1u << STALL_WHY_x, printed in this order. */
#define STALL_WHY_CODES(X)                                                                         \
    X(too_few_steps)                                                                               \
    X(identical)                                                                                   \
    X(both_healthy)                                                                                \
    X(passes_overlap)                                                                              \
    X(regime_change)                                                                               \
    X(too_few_stalls)                                                                              \
    X(step_time_not_improved)                                                                      \
    X(step_time_not_worse)                                                                         \
    X(single_pass)                                                                                 \
    X(interval_too_wide)

typedef enum stall_why {
#define X(name) STALL_WHY_##name,
    STALL_WHY_CODES(X)
#undef X
        STALL_WHY_COUNT
} stall_why;

typedef struct stall_effect {
    bool known; /* false: null */
    double diff, ratio;           /* fixed - broken; fixed/broken (NaN: broken is 0) */
    double diff_low, diff_high;   /* 95 %; NaN: null */
    double ratio_low, ratio_high; /* 95 %; NaN: null (infinite limits too) */
} stall_effect;

typedef struct stall_pass { /* one run of a side */
    uint64_t n, stalls;
    double mean, p50, p95, wall_share;
    int64_t period; /* or STALL_UNKNOWN */
    bool change;
    stall_shape shape, shape_at_common;
} stall_pass;

typedef struct stall_side {
    uint64_t n, stalls;
    double mean, p50, p95, max, stall_rate; /* NaN without samples */
    stall_pass *passes;
    size_t passes_len;
    int64_t cadence; /* or STALL_UNKNOWN */
    int64_t block;   /* bootstrap block length, or STALL_UNKNOWN */
} stall_side;

typedef struct stall_comparison {
    double threshold_ms;
    stall_side side[2]; /* broken, fixed */
    stall_effect mean, p50, p95, step;
    bool described; /* cliffs_delta, mann_whitney, ks_d are there */
    double cliffs_delta, mann_whitney_u, mann_whitney_p, ks_d;
    double permutation_p;       /* NaN: not computed */
    const char *cadence_change; /* persists | changed | removed | appeared | unknown | none */
    int64_t stalls_removed;
    stall_verdict verdict;
    stall_confidence confidence;
    uint32_t why; /* bits 1u << STALL_WHY_x */
} stall_comparison;

typedef enum stall_gate {
    STALL_GATE_NONE,
    STALL_GATE_NO_REGRESSION,
    STALL_GATE_IMPROVED,
    STALL_GATE_FIXED,
} stall_gate;

/* One run of a report, with both analyses of it. */
typedef struct stall_run {
    const stall_series *series;     /* borrowed */
    stall_analysis analysis;        /* at the common threshold: what reports show; owned */
    stall_analysis own;             /* at the run's own automatic threshold; owned, but one and the
                                       same as `analysis` (equal strip) where that is the threshold */
    int side;                       /* 0 broken, 1 fixed, -1 none */
    int pass;                       /* from 1 within its side; 0 for `show`; of the metadata, or 0,
                                       for `sweep` */
    const char *label;              /* unique in the report; owned by the report's arena */
    const char *shape_text;         /* one or two sentences: the shape and the numbers behind it */
    const char *supply_text;        /* or NULL */
    const char *peer_text;          /* what TraceML would say, or NULL */
} stall_run;

typedef struct stall_advice {
    const char *code; /* of product.md */
    const char *text; /* a sentence fitted to this report */
} stall_advice;

/* A row of the headline table and of summary.csv; data, not layout. */
typedef struct stall_metric {
    const char *id;    /* "wait_mean", ...; static */
    const char *label; /* "mean wait"; static */
    const char *unit;  /* "ms", "share", "count", "steps"; static */
    double broken, fixed;               /* NaN: not measured; for `show` only `broken` */
    double diff_low, diff_high, change; /* fixed - broken with its 95 % interval; NaN: none */
    bool refused;                       /* not looked for: the log cannot show it */
} stall_metric;

typedef enum stall_command {
    STALL_COMMAND_COMPARE,
    STALL_COMMAND_SHOW,
    STALL_COMMAND_SWEEP,
} stall_command;

/* Runs of one sweep. */
#define STALL_SWEEP_MAX 256

/* Does the gap between stalls go with the worker count? */
typedef enum stall_sweep_verdict {
    STALL_SWEEP_INSUFFICIENT,
    STALL_SWEEP_FOLLOWS,
    STALL_SWEEP_DOES_NOT_FOLLOW,
    STALL_SWEEP_PARTLY,
} stall_sweep_verdict;

/* Run i of a sweep as row i of its table. Times at the one threshold; all waits count. */
typedef struct stall_sweep_row {
    int64_t workers;
    int64_t workers_logged; /* what the metadata say, or STALL_UNKNOWN */
    int64_t prefetch;       /* prefetch_factor, or STALL_UNKNOWN */
    int in_order;           /* 1, 0; -1: not logged */
    const char *revision;   /* or NULL; borrowed from the series */
    uint64_t n, stalls;
    double mean, p50, p95;
    double gap_median, coverage_w; /* NaN: no gaps */
    int64_t period;                /* or STALL_UNKNOWN */
    double p_adj;                  /* of the period; NaN: none was tested */
    stall_shape shape;             /* with the run's own threshold */
    int follows;                   /* 1, 0; -1: this run is no evidence */
    bool ladder;                   /* belongs to the runs of `rungs` */
} stall_sweep_row;

/* One worker count of the runs that differ in nothing else that was logged. */
typedef struct stall_sweep_rung {
    int64_t workers;
    size_t runs;
    double mean, low, high; /* of the mean waits of its runs */
} stall_sweep_rung;

typedef enum stall_control_kind { STALL_CONTROL_IN_ORDER, STALL_CONTROL_PREFETCH } stall_control_kind;

/* What became of the cadence when delivery was unordered, or the prefetch factor another one. */
typedef enum stall_control_outcome {
    STALL_CONTROL_DID_NOT_ACT,    /* nothing overtook */
    STALL_CONTROL_NOT_MAIN_CAUSE, /* the cadence is the same */
    STALL_CONTROL_IMPLICATED,     /* the cadence is gone, or another one */
    STALL_CONTROL_UNDECIDED,
} stall_control_outcome;

/* Two runs that differ in one setting only. */
typedef struct stall_control {
    stall_control_kind kind;
    size_t base, other;              /* runs: ordered and unordered, smaller and larger prefetch */
    bool same_pass;                  /* of one pass, or neither is of a named one */
    double mean_diff, p50_diff, p95_diff; /* other - base, ms */
    stall_control_outcome outcome;
    const char *text; /* a paragraph */
} stall_control;

typedef struct stall_sweep {
    double threshold_ms;
    stall_sweep_row *rows; /* one a run of the report, in its order */
    double slope;          /* of the gap on the worker count; NaN: null */
    stall_sweep_verdict verdict;
    size_t counts;   /* different worker counts among all rows */
    size_t evidence; /* different worker counts of 2 or more among rows that are evidence */
    stall_sweep_rung *rungs; /* ascending; empty under two worker counts */
    size_t rungs_len;
    int64_t stops_at; /* workers beyond which the mean hardly falls, or STALL_UNKNOWN */
    stall_control *controls;
    size_t controls_len;
    stall_advice *reading; /* findings, each with what it suggests */
    size_t reading_len;
} stall_sweep;

/* What every writer prints. Build with stall_report_compare, stall_report_show or
 * stall_report_sweep. */
typedef struct stall_report {
    stall_command command;
    stall_run *runs;
    size_t runs_len;
    const char *side_label[2]; /* names of the sides, for a comparison */
    bool partial;              /* some run is PARTIAL */
    stall_comparison compare;  /* for STALL_COMMAND_COMPARE */
    stall_sweep sweep;         /* for STALL_COMMAND_SWEEP */
    stall_gate gate;           /* asked */
    int gate_met;              /* 1 met, 0 not, -1 not decidable */
    const char *headline;      /* the verdict line, without markup */
    const char *more_needed;   /* what would settle an inconclusive verdict, or NULL */
    const char *step_text;     /* what the step time did beside the wait, or NULL */
    const char *sides_text;    /* what else differs between the sides and is left out, or NULL */
    stall_metric *metrics;
    size_t metrics_len;
    stall_advice *advice;
    size_t advice_len;
    stall_advice *caveats;
    size_t caveats_len;
    void *arena; /* owns every text above */
} stall_report;

/* One input of a report. */
typedef struct stall_report_input {
    const stall_series *series;    /* borrowed; outlives the report */
    stall_analyze_options options; /* facts of this run; its stall_ms is the one given, or NaN */
    int side;                      /* 0, 1; -1 for show and sweep */
} stall_report_input;

typedef struct stall_report_options {
    const char *labels[2]; /* of the sides, or NULL: from the runs */
    stall_gate gate;
    bool allow_partial;
} stall_report_options;

/* A report that owns nothing; stall_report_close may be called on it. */
void stall_report_init(stall_report *r);
/* Frees what the report owns, not the series. NULL is allowed. */
void stall_report_close(stall_report *r);
/* Compares the runs of side 0 with those of side 1; passes of a side in the order given. Needs at
 * least one of each. Errors: STALL_EUSAGE (a side is empty, unknown rank), STALL_ENOMEM. */
stall_status stall_report_compare(const stall_report_input *inputs, size_t len,
                                  const stall_report_options *options, stall_report *ret,
                                  stall_error *reterr);
/* One or more runs, each alone with its own threshold. Errors: STALL_EUSAGE, STALL_ENOMEM. */
stall_status stall_report_show(const stall_report_input *inputs, size_t len,
                               const stall_report_options *options, stall_report *ret,
                               stall_error *reterr);
/* One or more runs with different settings, at one threshold. options.num_workers of each input is
 * its worker count. Errors: STALL_EUSAGE (no run, more than STALL_SWEEP_MAX, an unknown worker count,
 * unknown rank), STALL_ENOMEM. */
stall_status stall_report_sweep(const stall_report_input *inputs, size_t len,
                                const stall_report_options *options, stall_report *ret,
                                stall_error *reterr);
/* Exit status of the gate: 0 met or none asked, 1 not met, 3 not decidable. */
int stall_report_exit(const stall_report *r);

/* Vocabulary. Never NULL for a valid value. */
const stall_term *stall_verdict_term(stall_verdict v);
const stall_term *stall_why_term(stall_why w);
const stall_term *stall_sweep_term(stall_sweep_verdict v);
const stall_term *stall_control_term(stall_control_outcome o);
/* Tables of all caveats and all advice, ended by an entry whose code is NULL. */
extern const stall_term stall_caveat_terms[];
extern const stall_term stall_advice_terms[];

#ifdef __cplusplus
}
#endif
#endif
