/* Inside the comparison: samples of a side, replicates, and the parts of the report model. */
#ifndef STALL_COMPARE_INTERNAL_H
#define STALL_COMPARE_INTERNAL_H

#include "base/base.h"
#include "stalldiff/compare.h"

#define COMPARE_REPLICATES 2000 /* of the bootstrap and of the permutation */
#define COMPARE_QUANT_MAX 20000 /* samples of a side beyond which quantiles get no interval */
#define COMPARE_MIN_SAMPLES 7   /* of a pass, for any verdict */
#define COMPARE_MIN_STALLS 4    /* below: a change cannot be told from luck */
#define COMPARE_MANY_STALLS 8   /* from here on a lost cadence would have been seen */
#define COMPARE_SEED UINT64_C(0x5354414C4C)
#define COMPARE_NOISE_REL 0.05 /* a ratio nearer to 1 is noise */
#define COMPARE_SAME_REL 0.9   /* limits within [0.9, 1/0.9] are "unchanged" */

/* ---- samples ---- */

typedef struct compare_pass {
    const stall_analysis *at;  /* at the common threshold; borrowed */
    const stall_analysis *own; /* at its own; borrowed */
    double *wait;              /* the samples, in time order */
    double *step;              /* their step times, NaN where unknown */
    double mean;               /* NaN without samples */
    size_t n;
    uint64_t stalls; /* among the samples */
} compare_pass;

typedef struct compare_side {
    compare_pass *passes;
    size_t len;
    size_t n;        /* samples of all passes */
    size_t shortest; /* samples of the shortest pass */
    double *sorted;  /* all samples */
    double mean, max, step_mean, share;
    uint64_t stalls, steps; /* steps: samples with a step time */
} compare_side;

void stall_side_init(compare_side *s);
void stall_side_close(compare_side *s);
/* Collects the samples of the runs of `side`. STALL_ENOMEM. */
stall_status stall_side_collect(const stall_run *runs, size_t len, int side, compare_side *ret,
                                stall_error *reterr);
/* The whole number next to the cube root of n. */
size_t stall_block_length(size_t n);
/* Median (type 7) of the known values; NaN without any. Reorders v. */
double stall_median_known(double *v, size_t n);

/* ---- effect.c: description of two sorted samples ---- */

typedef struct compare_effect_size {
    double cliffs_delta; /* P(fixed > broken) - P(fixed < broken) */
    double u, p;         /* Mann-Whitney, U of fixed, two-sided normal p */
    double ks_d;
} compare_effect_size;

/* Both sorted and not empty. */
compare_effect_size stall_effect_size(const double *broken, size_t nb, const double *fixed,
                                      size_t nf);

/* ---- bootstrap.c ---- */

/* splitmix64 (Steele, Lea & Flood 2014): one word, and its top 53 bits. */
uint64_t stall_random_next(uint64_t *state);
static inline double stall_random_unit(uint64_t *state)
{
    return (double)(stall_random_next(state) >> 11) * 0x1p-53;
}

/* Percentile limits of the replicates; infinite where the replicates are. */
typedef struct compare_limits {
    double diff_low, diff_high, ratio_low, ratio_high;
} compare_limits;

typedef struct compare_intervals {
    compare_limits mean, p50, p95, step; /* 95 % */
    compare_limits mean99;
    bool has_quantiles, has_step;
} compare_intervals;

/* Limit of n sorted replicates that leaves `tail` of them below (or, `upper`, above), type 7;
 * between equal values, infinite ones too, that value. */
double stall_limit(const double *sorted, size_t n, double tail, bool upper);
/* Circular block bootstrap of both sides. block[s] >= 1, every pass has samples, and with `steps`
 * some step time on each side. STALL_ENOMEM. */
stall_status stall_bootstrap(const compare_side side[2], const size_t block[2], bool steps,
                             compare_intervals *ret, stall_error *reterr);

/* ---- permute.c ---- */

/* Block permutation test of the difference of the means. STALL_ENOMEM. */
stall_status stall_permute(const compare_side *worse, const compare_side *better, double *ret_p,
                           stall_error *reterr);

/* ---- compare.c, verdict.c, cadence_change.c, gate.c ---- */

/* What would settle an inconclusive verdict. */
typedef struct compare_need {
    uint64_t steps; /* at least so many more; 0: not a matter of steps */
    int side;       /* on this side; -1: on each */
    bool stalls;    /* the worse side must show more stalls */
} compare_need;

/* What the report says beside the comparison itself. */
typedef struct compare_found {
    compare_need need;
    double step_mean[2], share[2]; /* of the samples with a step time; NaN: not known */
    int64_t stride;                /* of all passes, or STALL_UNKNOWN */
} compare_found;

typedef struct compare_case { /* all that the rules of the verdict look at */
    const compare_side *side; /* two */
    const compare_intervals *intervals;
    const stall_comparison *c;
    double noise_abs;
} compare_case;

/* Compares analysed runs. ret->side[].passes are owned by the caller (stall_mem_free). */
stall_status stall_compare_runs(const stall_run *runs, size_t len, double threshold,
                                stall_comparison *ret, compare_found *ret_found,
                                stall_error *reterr);
/* Fills verdict, why, confidence and, when it was run, permutation_p. STALL_ENOMEM. */
stall_status stall_verdict_reach(const compare_case *k, stall_comparison *ret,
                                 compare_need *ret_need, stall_error *reterr);
/* A pass whose own shape is no reason to act. */
bool stall_pass_healthy(const stall_analysis *own);
/* The period that all passes share, or STALL_UNKNOWN. */
int64_t stall_common_period(const compare_side *s);
/* The stride of all passes of both sides, or STALL_UNKNOWN when they differ. */
int64_t stall_common_stride(const compare_side side[2]);
/* Fills side[].cadence and cadence_change. */
void stall_cadence_compare(const compare_side side[2], stall_comparison *ret);
/* 1 met, 0 not met, -1 not decidable. */
int stall_gate_judge(stall_gate gate, stall_verdict verdict, stall_confidence confidence,
                     uint32_t why, bool partial);

/* ---- sweep.c, ladder.c, controls.c ---- */

#define SWEEP_MIN_GAPS 3     /* of a run, for its gap to be evidence */
#define SWEEP_GAIN (1.0 / 3) /* of what workers in proportion would save: less is hardly a fall */

/* Fills rows, slope, verdict, counts and evidence from analysed runs. STALL_ENOMEM. */
stall_status stall_sweep_judge(const stall_report *r, double threshold, stall_sweep *ret,
                               stall_error *reterr);
/* Fills rungs, stops_at and which rows they are made of. STALL_ENOMEM. */
stall_status stall_sweep_climb(const stall_report *r, stall_sweep *ret, stall_error *reterr);
/* Finds the pairs of runs that differ in one setting and what they tell. STALL_ENOMEM. */
stall_status stall_sweep_pair(const stall_report *r, stall_sweep *ret, stall_error *reterr);
/* Are the runs alike in everything logged but what a sweep may vary? */
bool stall_sweep_alike(const stall_sweep *s, size_t a, size_t b, bool workers, bool prefetch,
                       bool order);
/* Logical CPUs that all runs with a known number share, or STALL_UNKNOWN. */
int64_t stall_sweep_cpus(const stall_report *r);

/* ---- words: sentences from figures ---- */

#define WORDS_FIGURE_MAX 80

const char *stall_words_ms(char buf[WORDS_FIGURE_MAX], double ms);        /* "19.6 s", "53.0 ms" */
const char *stall_words_share(char buf[WORDS_FIGURE_MAX], double v);      /* "87.3 %" */
const char *stall_words_change(char buf[WORDS_FIGURE_MAX], double ratio); /* "-98.9 %" */
const char *stall_words_plain(char buf[WORDS_FIGURE_MAX], double v);      /* three digits */
const char *stall_words_p(char buf[WORDS_FIGURE_MAX], double p);          /* "= 2e-05" */
const char *stall_words_every(char buf[WORDS_FIGURE_MAX], int64_t g);     /* "every 4th step" */
/* "1 step", "2 steps". */
void stall_words_count(stall_text *t, uint64_t n, const char *noun);

void stall_words_shape(stall_text *t, const stall_run *run);
/* What follows "8 of 32 steps stall": ", every 4th step: ..."; and what the period may be. */
void stall_words_cadence(stall_text *t, const stall_analysis *a);
void stall_words_workers(stall_text *t, const stall_analysis *a);
/* The period that came nearest to a claim; nothing where there is none. */
void stall_words_candidate(stall_text *t, const stall_analysis *a);
void stall_words_supply(stall_text *t, const stall_run *run);
/* Steps like these until 8 stalls are seen, enough to name a shape; 0: there are, or no rate is known. */
uint64_t stall_words_more_steps(const stall_analysis *a);
/* What TraceML would say of the run; only where that is known. */
void stall_words_peer(stall_text *t, const stall_analysis *a);
void stall_words_headline_compare(stall_text *t, const stall_report *r);
void stall_words_headline_show(stall_text *t, const stall_report *r);
void stall_words_step(stall_text *t, const stall_report *r);
/* How the sides differ in what was recorded; nothing where they are alike. */
void stall_words_sides(stall_text *t, const stall_report *r);
void stall_words_need(stall_text *t, const stall_report *r, const compare_need *need);

void stall_words_headline_sweep(stall_text *t, const stall_report *r);
void stall_words_need_sweep(stall_text *t, const stall_report *r);
void stall_words_control(stall_text *t, const stall_report *r, const stall_control *c);
/* "4 workers (pass 1)": what tells run i from the others. */
void stall_words_row(stall_text *t, const stall_report *r, size_t i);
/* "1 worker", "4 workers". */
void stall_words_pool(stall_text *t, int64_t workers);

/* ---- facts of a run that sentences and lists share ---- */

static inline bool stall_has_note(const stall_analysis *a, stall_note note)
{
    return (a->notes & 1u << note) != 0;
}
static inline bool stall_has_why(const stall_comparison *c, stall_why why)
{
    return (c->why & 1u << why) != 0;
}
/* Did the loader deliver out of order on purpose (metadata in_order false)? */
bool stall_run_unordered(const stall_run *run);
/* Is the cadence num_workers or a multiple of it? */
bool stall_cadence_follows(const stall_analysis *a);
/* Could the period as well be an epoch: longer than W, one segment, steps per epoch not given? */
bool stall_cadence_epoch_open(const stall_analysis *a);

/* ---- lists of the report ---- */

typedef struct compare_list { /* of advice or caveats, each code once */
    stall_arena *arena;
    stall_advice *items;
    size_t len, cap;
    bool failed;
} compare_list;

bool stall_list_has(const compare_list *l, const char *code);
/* Adds the text unless the code stands already. */
void stall_list_add(compare_list *l, const char *code, const char *fmt, ...) STALL_PRINTF(3, 4);
void stall_report_advise(const stall_report *r, const compare_need *need, compare_list *l);
void stall_report_caution(const stall_report *r, compare_list *l);
/* Findings of a sweep, those about counters and worker processes, and what to try after it. */
void stall_sweep_read(const stall_report *r, compare_list *l);
void stall_sweep_contrast(const stall_report *r, compare_list *l);
void stall_sweep_advise(const stall_report *r, compare_list *l);
/* The rows of the headline table; at most COMPARE_METRICS. */
#define COMPARE_METRICS 11
size_t stall_report_measure(const stall_report *r, const compare_found *found,
                            stall_metric ret[COMPARE_METRICS]);

#endif
