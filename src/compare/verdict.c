/* The rules of the verdict.
 *
 * Enters: samples, intervals and the described comparison. Leaves: verdict, reasons, confidence,
 * and what would settle an inconclusive one. Every rule errs towards "inconclusive": a change is
 * claimed only when the interval, the passes, the regimes and the number of stalls all allow it. It
 * must not know texts or gates. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define STEP_UP (1 / (1 - COMPARE_NOISE_REL)) /* the mirror of 0.95 */
#define EVIDENCE_P 0.01                       /* of the block permutation */
#define EVIDENCE_STALLS 5     /* on the worse side, seen and expected on the better one */
#define FIXED_RATE 0.01       /* stall rate that still counts as fixed ... */
#define FIXED_RATE_REL 0.1    /* ... when it is a tenth of the broken one or less */
#define CLEAR_RATIO (1.0 / 3) /* one pass a side: medium confidence beyond it */
#define NEED_MAX 1e7          /* more steps than that are no advice */
#define NEED_SENSIBLE 20      /* times the steps of the run; more is no advice */

bool stall_pass_healthy(const stall_analysis *own)
{
    return own->shape == STALL_SHAPE_NO_INPUT_PROBLEM ||
           (own->shape == STALL_SHAPE_STARTUP_ONLY && own->input.segments < 3);
}

static size_t count_healthy(const compare_side *s)
{
    size_t ret = 0;

    for (size_t p = 0; p < s->len; p++)
        ret += stall_pass_healthy(s->passes[p].own);
    return ret;
}

/* ---- both sides the same ---- */

static bool same_waits(const compare_pass *a, const compare_pass *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->wait[i] != b->wait[i])
            return false;
    return true;
}

/* Do both sides hold the same passes, in any order? Equal passes must be equally many. */
static bool identical(const compare_side side[2])
{
    if (side[0].len != side[1].len || side[0].n != side[1].n)
        return false;
    for (size_t p = 0; p < side[0].len; p++) {
        size_t count[2] = {0, 0};

        for (int s = 0; s < 2; s++)
            for (size_t q = 0; q < side[s].len; q++)
                count[s] += same_waits(&side[0].passes[p], &side[s].passes[q]);
        if (count[0] != count[1])
            return false;
    }
    return true;
}

/* ---- guards against a change that is none ---- */

/* The order guard: a pass of the better side is not better than every pass of the worse. */
static bool passes_overlap(const compare_side *worse, const compare_side *better)
{
    for (size_t w = 0; w < worse->len; w++)
        for (size_t b = 0; b < better->len; b++)
            if (better->passes[b].mean >= worse->passes[w].mean)
                return true;
    return false;
}

typedef struct part { /* of a pass: all of it, or one side of its change point */
    double mean, stalls;
    bool whole;
} part;

static size_t pass_parts(const compare_pass *p, part ret[2])
{
    const stall_change *c = &p->at->change;
    double n = (double)p->at->steady.n, before = (double)c->index;

    if (c->kind == STALL_CHANGE_NONE) {
        ret[0] = (part){p->mean, 0, true};
        return 1;
    }
    ret[0] = (part){c->mean_before, c->rate_before * before, false};
    ret[1] = (part){c->mean_after, c->rate_after * (n - before), false};
    return 2;
}

/* A cold cache on one side is no fix: with a change point, the best part of the worse side must
 * still be worse than the worst part of the better one. */
static bool regimes_explain(const compare_case *k, const compare_side *worse,
                            const compare_side *better)
{
    part least = {INFINITY, 0, true}, largest = {-INFINITY, 0, true}, parts[2];
    bool any = false;

    for (size_t p = 0; p < worse->len; p++)
        for (size_t i = pass_parts(&worse->passes[p], parts); i-- > 0;) {
            any = any || !parts[i].whole;
            if (parts[i].mean < least.mean)
                least = parts[i];
        }
    for (size_t p = 0; p < better->len; p++)
        for (size_t i = pass_parts(&better->passes[p], parts); i-- > 0;) {
            any = any || !parts[i].whole;
            if (parts[i].mean > largest.mean)
                largest = parts[i];
        }
    if (!any)
        return false;
    return !(largest.mean < (1 - COMPARE_NOISE_REL) * least.mean &&
             least.mean - largest.mean > k->noise_abs &&
             (least.whole || least.stalls >= COMPARE_MIN_STALLS - 1e-9));
}

static uint64_t need_steps(double v)
{
    return !(v > 0) ? 0 : v > NEED_MAX ? (uint64_t)NEED_MAX : (uint64_t)ceil(v);
}

/* Enough stalls on the worse side, and long enough a better side, that their absence means
 * something? Fills what is missing. */
static stall_status evidence(const compare_case *k, int worse_side, stall_comparison *ret,
                             bool *ret_yes, compare_need *need, stall_error *reterr)
{
    const compare_side *worse = &k->side[worse_side], *better = &k->side[!worse_side];
    double rate = (double)worse->stalls / (double)worse->n, expected = rate * (double)better->n;
    int64_t g = stall_common_period(worse);
    bool uniform = true;
    stall_status status;

    for (size_t p = 0; p < worse->len; p++)
        uniform = uniform && worse->passes[p].at->shape == STALL_SHAPE_UNIFORM_SLOW;
    *ret_yes = uniform;
    if (uniform)
        return STALL_OK;
    if (worse->stalls < COMPARE_MIN_STALLS) {
        *need = (compare_need){need_steps((double)(COMPARE_MIN_STALLS - worse->stalls) / rate),
                               worse_side, true};
        if (worse->stalls == 0)
            need->steps = 0;
        return STALL_OK;
    }
    if (g != STALL_UNKNOWN) {
        *ret_yes = (double)better->n >= 2 * (double)g;
        if (!*ret_yes)
            *need = (compare_need){(uint64_t)(2 * g) - better->n, !worse_side, false};
        return STALL_OK;
    }
    status = stall_permute(worse, better, &ret->permutation_p, reterr);
    if (status != STALL_OK)
        return status;
    *ret_yes = ret->permutation_p <= EVIDENCE_P && worse->stalls >= EVIDENCE_STALLS &&
               expected >= EVIDENCE_STALLS;
    if (!*ret_yes && expected < EVIDENCE_STALLS)
        *need = (compare_need){need_steps(EVIDENCE_STALLS / rate - (double)better->n), !worse_side,
                               false};
    else if (!*ret_yes)
        *need = (compare_need){worse->n, -1, true};
    return STALL_OK;
}

/* ---- a change ---- */

static bool single_pass(const compare_side side[2])
{
    return side[0].len < 2 || side[1].len < 2;
}

/* No broken pass was healthy, all fixed ones are, and no or hardly any stalls are left. */
static bool is_fixed(const compare_case *k)
{
    double broken = (double)k->side[0].stalls / (double)k->side[0].n;
    double fixed = (double)k->side[1].stalls / (double)k->side[1].n;

    return count_healthy(&k->side[0]) == 0 && count_healthy(&k->side[1]) == k->side[1].len &&
           (k->side[1].stalls == 0 || (fixed <= FIXED_RATE && fixed <= FIXED_RATE_REL * broken));
}

/* A change that passed all guards. */
static void claim(const compare_case *k, bool down, stall_comparison *ret)
{
    const compare_limits *mean = &k->intervals->mean99, *step = &k->intervals->step;
    bool step_stays =
        k->intervals->has_step && (down ? step->ratio_high >= 1 : step->ratio_low <= 1);
    bool clear = down ? mean->ratio_high < CLEAR_RATIO : mean->ratio_low > 1 / CLEAR_RATIO;

    ret->verdict = !down                        ? STALL_VERDICT_REGRESSED
                   : !step_stays && is_fixed(k) ? STALL_VERDICT_FIXED
                                                : STALL_VERDICT_IMPROVED;
    if (step_stays)
        ret->why |=
            down ? 1u << STALL_WHY_step_time_not_improved : 1u << STALL_WHY_step_time_not_worse;
    if (single_pass(k->side))
        ret->why |= 1u << STALL_WHY_single_pass;
    ret->confidence = !single_pass(k->side) ? STALL_CONFIDENCE_HIGH
                      : clear               ? STALL_CONFIDENCE_MEDIUM
                                            : STALL_CONFIDENCE_LOW;
}

static stall_status judge_change(const compare_case *k, bool down, stall_comparison *ret,
                                 compare_need *need, stall_error *reterr)
{
    int worse = down ? 0 : 1;
    stall_status status = STALL_OK;
    bool enough = false;

    if (passes_overlap(&k->side[worse], &k->side[!worse])) {
        ret->why |= 1u << STALL_WHY_passes_overlap;
    } else if (regimes_explain(k, &k->side[worse], &k->side[!worse])) {
        ret->why |= 1u << STALL_WHY_regime_change;
    } else {
        status = evidence(k, worse, ret, &enough, need, reterr);
        if (status == STALL_OK && enough)
            claim(k, down, ret);
        else if (status == STALL_OK)
            ret->why |= 1u << STALL_WHY_too_few_stalls;
    }
    return status;
}

/* ---- the order of the rules ---- */

static bool too_short(const compare_side side[2], compare_need *need)
{
    bool ret = false;

    for (int s = 0; s < 2; s++)
        for (size_t p = 0; p < side[s].len; p++) {
            const compare_pass *q = &side[s].passes[p];

            if (q->n < COMPARE_MIN_SAMPLES) {
                uint64_t known = q->at->dist.n, steps = known < COMPARE_MIN_SAMPLES + 1
                                                            ? COMPARE_MIN_SAMPLES + 1 - known
                                                            : COMPARE_MIN_SAMPLES - q->n;

                if (ret && need->side != s)
                    need->side = -1; /* both */
                if (!ret)
                    *need = (compare_need){steps, s, false};
                else if (steps > need->steps)
                    need->steps = steps;
                ret = true;
            }
        }
    return ret;
}

/* Steps that narrow the interval enough to decide, if the difference stays what it is: its width in
 * logarithms falls with the square root of the number of steps. */
static void need_for_width(const compare_case *k, compare_need *need)
{
    const compare_limits *m = &k->intervals->mean99;
    double r = k->c->mean.ratio, n = (double)k->side[0].n, width, room, more, round_to;

    if ((double)k->side[1].n < n)
        n = (double)k->side[1].n;
    need->side = -1;
    need->steps = (uint64_t)n;
    if (!(r > 0) || !(m->ratio_low > 0) || !isfinite(m->ratio_high))
        return;
    r = log(r);
    width = fmax(log(m->ratio_high) - r, r - log(m->ratio_low));
    room = fabs(r) > -log(1 - COMPARE_NOISE_REL) ? fabs(r) + log(1 - COMPARE_NOISE_REL)
                                                 : -log(COMPARE_SAME_REL) - fabs(r);
    more = room > 0 ? n * (width * width / (room * room) - 1) : NEED_MAX;
    if (!(more > 0)) /* the difference itself is what is too small to tell */
        return;
    round_to = pow(10, fmax(0, floor(log10(more)) - 1)); /* two digits: it is a rough figure */
    if (more > NEED_SENSIBLE * n) { /* nobody records that: the means are alike */
        need->steps = 0;
        return;
    }
    need->steps = need_steps(ceil(more / round_to) * round_to);
}

/* Does the interval say "at most noise"? */
static bool interval_is_noise(const compare_case *k)
{
    const compare_limits *m = &k->intervals->mean99;

    return (m->ratio_low >= COMPARE_SAME_REL && m->ratio_high <= 1 / COMPARE_SAME_REL) ||
           (m->diff_low >= -k->noise_abs && m->diff_high <= k->noise_abs);
}

stall_status stall_verdict_reach(const compare_case *k, stall_comparison *ret,
                                 compare_need *ret_need, stall_error *reterr)
{
    const compare_limits *m = &k->intervals->mean99;
    bool down, up;

    ret->verdict = STALL_VERDICT_INCONCLUSIVE;
    ret->confidence = STALL_CONFIDENCE_NONE;
    ret->why = 0;
    memset(ret_need, 0, sizeof(*ret_need));
    if (too_short(k->side, ret_need)) {
        ret->why = 1u << STALL_WHY_too_few_steps;
        return STALL_OK;
    }
    if (identical(k->side)) {
        ret->verdict = STALL_VERDICT_UNCHANGED;
        ret->why = 1u << STALL_WHY_identical;
        return STALL_OK;
    }
    if (count_healthy(&k->side[0]) == k->side[0].len &&
        count_healthy(&k->side[1]) == k->side[1].len && fabs(ret->mean.diff) <= k->noise_abs) {
        ret->verdict = STALL_VERDICT_UNCHANGED;
        ret->why = 1u << STALL_WHY_both_healthy;
        return STALL_OK;
    }
    down = m->ratio_high < 1 - COMPARE_NOISE_REL && m->diff_high < -k->noise_abs;
    up = m->ratio_low > STEP_UP && m->diff_low > k->noise_abs;
    if (down || up)
        return judge_change(k, down, ret, ret_need, reterr);
    if (interval_is_noise(k)) {
        ret->verdict = STALL_VERDICT_UNCHANGED;
        return STALL_OK;
    }
    ret->why = 1u << STALL_WHY_interval_too_wide;
    need_for_width(k, ret_need);
    return STALL_OK;
}
