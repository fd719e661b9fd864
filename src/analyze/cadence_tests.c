/* Tests of a cadence against stalls that fall at random.
 *
 * Enters: gaps or recurrences, the stall rate, the number of workers. Leaves: at most one claim.
 * The weights 1/(g(g-1)) of the periods sum to 1 over g >= 2, so no largest period has to be chosen;
 * the factors in front share one error budget among the tests: 1/1.25 + 2/10 = 1, and with a known
 * number of workers 1/2 + 1/3 + 2/12 = 1. It must not know steps, segments or times. */
#include "analyze/analyze.h"

#define FIT_SHARE 0.75        /* of the gaps must be multiples, or of pairs recur */
#define EQUAL_SHARE 0.25      /* of the gaps must equal the period */
#define PATTERN_MIN_PAIRS 6
#define PATTERN_LEAD 0.25     /* recurrence above that of all shorter lags */
#define JITTER_MIN_PERIOD 4   /* at 3 the bands would mean any gap from 2 to 7 */
#define JITTER_SHARE 0.80     /* of the gaps near g or 2g */
#define JITTER_NEAR_SHARE 0.5 /* of the gaps near g */
#define JITTER_PART 8         /* g/8 is near */

static const stall_claim no_claim = {STALL_CADENCE_NONE, STALL_UNKNOWN, 0, 0};

/* log(factor g (g-1)) */
static double log_weight(double factor, int64_t g)
{
    return log(factor) + log((double)g) + log((double)(g - 1));
}

/* Smallest p, then largest coverage, then smallest g (periods come ascending). */
static void keep_better(stall_claim *best, const stall_claim *claim)
{
    if (claim->log_p > log(STALL_ALPHA))
        return;
    if (best->kind == STALL_CADENCE_NONE || claim->log_p < best->log_p ||
        (claim->log_p == best->log_p && claim->coverage > best->coverage))
        *best = *claim;
}

/* ---- lattice: gaps that are multiples of one number ---- */

static uint64_t count_multiples(const stall_gaps *gaps, int64_t g)
{
    uint64_t k = 0;

    for (size_t i = 0; i < gaps->hist_len; i++)
        if (gaps->hist[i].key % g == 0)
            k += gaps->hist[i].count;
    return k;
}

/* Chance that a geometric gap is a multiple of g: q = p (1-p)^(g-1) / (1 - (1-p)^g). */
static double lattice_chance(double p, int64_t g)
{
    double fast = log1p(-p);

    return p * exp((double)(g - 1) * fast) / -expm1((double)g * fast);
}

double stall_lattice_log_p(const stall_gaps *gaps, int64_t g, double p)
{
    return stall_log_binomial_tail(gaps->len, lattice_chance(p, g), count_multiples(gaps, g));
}

/* Every period that enough gaps equal: at most four of them. factor_worker is the whole factor of
 * g = workers, factor the one in front of g (g-1). */
static stall_claim test_lattice(const stall_gaps *gaps, double p, int64_t workers,
                                stall_cadence_kind kind, double factor, double factor_worker)
{
    stall_claim best = no_claim;

    for (size_t i = 0; i < gaps->hist_len && gaps->hist[i].key <= STALL_PERIOD_MAX; i++) {
        int64_t g = gaps->hist[i].key;
        stall_claim claim = {kind, g, 0, 0};

        if (g < 2 || (double)gaps->hist[i].count < EQUAL_SHARE * (double)gaps->len)
            continue;
        claim.coverage = (double)count_multiples(gaps, g) / (double)gaps->len;
        if (claim.coverage < FIT_SHARE)
            continue;
        claim.log_p = stall_lattice_log_p(gaps, g, p);
        claim.log_p += g == workers ? log(factor_worker) : log_weight(factor, g);
        if (g == workers && claim.log_p <= log(STALL_ALPHA))
            return claim; /* what was guessed before looking is preferred */
        keep_better(&best, &claim);
    }
    return best;
}

stall_claim stall_test_exact(const stall_gaps *gaps, double p, int64_t workers)
{
    return test_lattice(gaps, p, workers, STALL_CADENCE_EXACT, workers >= 2 ? 3 : 1.25, 2);
}

stall_claim stall_test_inverse(const stall_gaps *gaps, double p, int64_t workers)
{
    return test_lattice(gaps, p, workers, STALL_CADENCE_INVERSE, workers >= 2 ? 30 : 10, 6);
}

/* ---- pattern: groups of stalls that recur, as SS..SS.. ---- */

stall_claim stall_test_pattern(const stall_recurrence *rec, size_t len, uint64_t longest, double p0,
                               int64_t workers)
{
    stall_claim best = no_claim;
    double shorter = 0, factor = workers >= 2 ? 12 : 10;

    for (size_t i = 0; i < len && rec[i].lag <= STALL_LAG_MAX && (uint64_t)rec[i].lag <= longest;
         i++) {
        double share = rec[i].pairs > 0 ? (double)rec[i].hits / (double)rec[i].pairs : 0;
        stall_claim claim = {STALL_CADENCE_PATTERN, rec[i].lag, 0, share};

        if (rec[i].lag >= 2 && rec[i].pairs >= PATTERN_MIN_PAIRS && share >= FIT_SHARE &&
            share - shorter >= PATTERN_LEAD) {
            claim.log_p = stall_log_binomial_tail(rec[i].pairs, p0, rec[i].hits);
            claim.log_p += log_weight(factor, rec[i].lag);
            keep_better(&best, &claim);
        }
        shorter = fmax(shorter, share);
    }
    return best;
}

/* ---- jittered: gaps near g or 2g ---- */

/* Number of gaps below x. */
static size_t count_below(const stall_gaps *gaps, int64_t x)
{
    size_t low = 0, high = gaps->len;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (gaps->sorted[mid] < x)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static size_t count_near(const stall_gaps *gaps, int64_t g, int64_t tau)
{
    return count_below(gaps, g + tau + 1) - count_below(gaps, g - tau);
}

/* Chance of a geometric gap in [g-tau, g+tau]: (1-p)^(g-tau-1) (1 - (1-p)^(2 tau+1)). */
static double near_chance(double p, int64_t g, int64_t tau)
{
    double fast = log1p(-p);

    return exp((double)(g - tau - 1) * fast) * -expm1((double)(2 * tau + 1) * fast);
}

/* sum |d - nearest of g, 2g| */
static double misfit(const stall_gaps *gaps, int64_t g)
{
    double sum = 0;

    for (size_t i = 0; i < gaps->hist_len; i++) {
        double d = (double)gaps->hist[i].key, one = fabs(d - (double)g);

        sum += (double)gaps->hist[i].count * fmin(one, fabs(d - 2 * (double)g));
    }
    return sum;
}

stall_claim stall_test_jittered(const stall_gaps *gaps, double p, int64_t workers)
{
    stall_claim best = no_claim;
    double least = INFINITY, factor = workers >= 2 ? 12 : 10, n = (double)gaps->len;
    int64_t last = gaps->sorted[gaps->len - 1];

    last = last < STALL_PERIOD_MAX ? last + 1 : STALL_PERIOD_MAX;
    for (int64_t g = JITTER_MIN_PERIOD; g <= last; g++) {
        int64_t tau = g / JITTER_PART > 1 ? g / JITTER_PART : 1;
        size_t one = count_near(gaps, g, tau), hits = one + count_near(gaps, 2 * g, tau);
        stall_claim claim = {STALL_CADENCE_JITTERED, g, 0, (double)hits / n};
        double q, sum;

        if (claim.coverage < JITTER_SHARE || (double)one < JITTER_NEAR_SHARE * n)
            continue;
        q = near_chance(p, g, tau) + near_chance(p, 2 * g, tau);
        claim.log_p = stall_log_binomial_tail(gaps->len, fmin(1, q), hits) + log_weight(factor, g);
        if (claim.log_p > log(STALL_ALPHA))
            continue;
        sum = misfit(gaps, g);
        if (sum < least || (sum == least && claim.log_p < best.log_p)) {
            least = sum;
            best = claim;
        }
    }
    return best;
}
