/* Inside the analysis: what its files share. */
#ifndef STALL_ANALYZE_INTERNAL_H
#define STALL_ANALYZE_INTERNAL_H

#include "base/base.h"
#include "stalldiff/analyze.h"

/* The constants of the analysis. */
#define STALL_ALPHA 0.02      /* a cadence is claimed below this adjusted p */
#define STALL_ALPHA_RUNS 0.01 /* stalls are clustered below this p */
#define STALL_MIN_STALL 4     /* stalls needed for any claim about gaps */
#define STALL_MIN_GAPS 3      /* gaps needed for it */
#define STALL_MIN_RANDOM 8    /* stalls after which "no cadence found" is worth saying */
#define STALL_MIN_N 8         /* waits needed for a shape */
#define STALL_UNIFORM 0.85    /* share of stalls from which every step is slow */
#define STALL_HOLES 0.25      /* share of unmeasured positions from which gaps prove nothing */
#define STALL_LONG 32         /* positions; longer periods are no worker cadence */
#define STALL_SHARE 0.10      /* share of the step time from which waiting is a problem */
#define STALL_FLOOR_MS 10.0   /* the same without step times */
#define STALL_TINY_MS 0.1
#define STALL_GAP_MAX 4096                /* longest period that is tested */
#define STALL_STEP_MAX (INT64_C(1) << 53) /* larger labels are no step numbers */

/* One analysis under way. */
typedef struct stall_work {
    const stall_series *s;
    stall_analysis *a;
    int64_t warmup; /* positions left out; 0 when the run is too short for it */
    double *steady; /* steady waits in time order */
    size_t steady_len;
    double *sorted;    /* all known waits, ascending */
    size_t *steady_at; /* index of each steady wait among the points */
} stall_work;

double stall_median_of(const double *v, size_t n, double *scratch); /* NaN for n = 0 */
/* Mid-ranks of v into ranks (from 1, ties averaged). STALL_ENOMEM. */
stall_status stall_midranks(const double *v, size_t n, double *ranks, stall_error *reterr);

/* clean.c: rows to the points of the judged series, and of one rank. *ret is freed by the caller.
 */
stall_status stall_clean(const stall_series *s, const stall_analyze_options *o, stall_analysis *a,
                         stall_point **ret_all, size_t *ret_all_len, stall_error *reterr);
/* ranks.c: figures of each rank, from the points of all ranks. */
stall_status stall_ranks_figure(stall_work *w, const stall_point *all, size_t len,
                                stall_error *reterr);

/* dist.c */
stall_status stall_dist_figure(stall_work *w, stall_error *reterr);
void stall_shares_figure(stall_work *w);
void stall_exposed_figure(stall_work *w, double *scratch);

/* threshold.c: automatic threshold of n steady waits (any order). */
stall_status stall_threshold_find(const double *waits, size_t n, double floor_ms, double *ret_ms,
                                  uint64_t *ret_peeled, stall_error *reterr);

/* binomial.c: log of P(Bin(n, q) >= k); log of P(at most r runs of m stalls among n places). */
double stall_log_binomial_tail(uint64_t n, double q, uint64_t k);
double stall_log_runs_tail(uint64_t n, uint64_t m, uint64_t r);

/* The stalls (or the fast steps) that take part in the cadence, in time order. */
typedef struct stall_marks {
    int64_t *t; /* position in the segment */
    uint32_t *segment;
    size_t len;
    uint64_t positions; /* N */
    int64_t longest;    /* longest segment span */
    int64_t *gaps;
    size_t gaps_len;
    stall_bin *hist; /* of the gaps, ascending */
    size_t hist_len;
} stall_marks;
typedef struct stall_claim {
    stall_cadence_kind kind;
    int64_t period;
    double log_p, coverage; /* log of the adjusted p */
} stall_claim;

/* cadence.c: gaps, the tests in their order, runs, recurrence. */
stall_status stall_cadence_figure(const stall_point *points, size_t len, int64_t warmup,
                                  int64_t workers, int64_t stride, bool refuse, stall_cadence *ret,
                                  stall_error *reterr);
/* cadence_tests.c: each returns whether it claims a period. `workers` < 2: not known. */
bool stall_test_lattice(const stall_marks *m, int64_t workers, bool inverse, stall_claim *ret);
bool stall_test_pattern(const stall_marks *m, const stall_recurrence *rec, size_t rec_len,
                        int64_t workers, stall_claim *ret);
bool stall_test_jittered(const stall_marks *m, int64_t workers, stall_claim *ret);
double stall_lattice_log_p(const stall_marks *m, int64_t g, uint64_t *ret_hits);

stall_status stall_change_figure(stall_work *w, stall_error *reterr); /* change.c */
void stall_shape_find(stall_work *w);                                 /* shape.c */
stall_status stall_supply_figure(stall_work *w, stall_error *reterr); /* supply.c */
stall_status stall_extras_figure(stall_work *w, stall_error *reterr); /* extras.c */
stall_status stall_peer_figure(stall_work *w, stall_error *reterr);   /* peer_verdict.c */
/* Cliff's delta of two ascending arrays: P(a > b) - P(a < b). */
double stall_cliffs_delta(const double *a, size_t na, const double *b, size_t nb);

#endif
