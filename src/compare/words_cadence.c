/* The cadence of a run, in sentences, and which readings of its period are open.
 *
 * Enters: the analysis of a run. Leaves: parts of its shape text. Where a period comes from cannot
 * be read off it, so a source is suggested at most. It must not know the other runs of a report. */
#include <inttypes.h>
#include <math.h>

#include "compare/compare.h"

bool stall_cadence_follows(const stall_analysis *a)
{
    return a->cadence.worker_match == STALL_MATCH_EQUAL ||
           a->cadence.worker_match == STALL_MATCH_MULTIPLE;
}

bool stall_cadence_epoch_open(const stall_analysis *a)
{
    return a->cadence.period > 2 && a->facts.steps_per_epoch == STALL_UNKNOWN &&
           a->input.segments <= 1 && a->cadence.worker_match != STALL_MATCH_EQUAL;
}

/* Gaps that are multiples of the period. */
static uint64_t fitting_gaps(const stall_cadence *c)
{
    uint64_t ret = 0;

    for (size_t i = 0; i < c->gap_list_len; i++)
        ret += c->gap_list[i] % c->period == 0;
    return ret;
}

/* Where a period comes from cannot be read off it; which readings are open can. */
void stall_words_workers(stall_text *t, const stall_analysis *a)
{
    const stall_cadence *c = &a->cadence;
    int64_t g = c->period, w = a->facts.num_workers;
    bool epoch = stall_cadence_epoch_open(a);

    if (a->input.stride > 1)
        stall_text_printf(t,
                          " Only one step in %" PRId64 " was logged, so the period is not set "
                          "against num_workers.",
                          a->input.stride);
    else if (w == STALL_UNKNOWN)
        stall_text_printf(t,
                          " num_workers is not known: %" PRId64 " may be the worker count or a "
                          "multiple of it%s; --num-workers would tell.",
                          g, epoch ? ", or the steps of an epoch (--steps-per-epoch)" : "");
    else if (w < 2)
        stall_text_printf(t,
                          " With num_workers %" PRId64 " a pool of workers cannot be what sets "
                          "this period.",
                          w);
    else if (c->worker_match == STALL_MATCH_EQUAL)
        stall_text_put(t, " The period is num_workers, which points to the producer side; whether "
                          "it follows another worker count would tell.");
    else if (c->worker_match == STALL_MATCH_MULTIPLE && epoch)
        stall_text_printf(t,
                          " Both readings are open: %" PRId64 " = %" PRId64
                          " x num_workers %" PRId64 ", or an epoch of %" PRId64
                          " steps. persistent_workers=True, "
                          "another worker count or --steps-per-epoch tells them apart.",
                          g, g / w, w, g);
    else if (c->worker_match == STALL_MATCH_MULTIPLE)
        stall_text_printf(t,
                          " That is %" PRId64 " x num_workers %" PRId64 ", which suggests the "
                          "producer side; another worker count would tell.",
                          g / w, w);
    else
        stall_text_printf(t,
                          " That is %s num_workers %" PRId64 ", so a round of the workers does "
                          "not explain it; an interval of logging, saving or accumulation may%s.",
                          c->worker_match == STALL_MATCH_DIVISOR ? "a divisor of"
                                                                 : "no multiple of",
                          w, epoch ? ", or an epoch of that length" : "");
}

/* "every 4th: 8 of 8 gaps are multiples of num_workers 4, p = 2e-05". */
void stall_words_cadence(stall_text *t, const stall_analysis *a)
{
    const stall_cadence *c = &a->cadence;
    char every[WORDS_FIGURE_MAX], p[WORDS_FIGURE_MAX], share[WORDS_FIGURE_MAX];
    int64_t steps = c->period_steps;

    stall_words_p(p, c->p_adj);
    stall_words_share(share, c->coverage);
    stall_words_every(every, steps);
    switch (c->kind) {
    case STALL_CADENCE_EXACT:
        stall_text_printf(t,
                          ", %s: %" PRIu64 " of %zu gaps between stalls are multiples of %s%" PRId64
                          " (p %s).",
                          every, fitting_gaps(c), c->gap_list_len,
                          c->worker_match == STALL_MATCH_EQUAL ? "num_workers " : "", steps, p);
        if (c->period == 2)
            stall_text_put(t, " Stalls at random that only avoid each other pass this test at "
                              "period 2 too, so take it with care.");
        break;
    case STALL_CADENCE_PATTERN:
        stall_text_printf(t,
                          " in a pattern that repeats every %" PRId64 " steps: %s of the stalls "
                          "have another one that far on (p %s).",
                          steps, share, p);
        break;
    case STALL_CADENCE_INVERSE:
        stall_text_printf(t,
                          ", all but %s: %s of the gaps between the fast steps are multiples of "
                          "%" PRId64 " (p %s).",
                          every, share, steps, p);
        break;
    case STALL_CADENCE_JITTERED:
        stall_text_printf(t,
                          ", about %s: %s of the gaps between stalls are near %" PRId64
                          " or twice that (p %s).",
                          every, share, steps, p);
        break;
    case STALL_CADENCE_EVERY_STEP:
        stall_text_put(t, ": nearly every step, so there is no cadence to speak of.");
        break;
    case STALL_CADENCE_NONE:
        stall_text_put(t, ".");
        break;
    }
}

/* "The strongest recurrence is every 4 steps: 11 of 13 stalls ... about 40 more steps would settle
 * it". */
void stall_words_candidate(stall_text *t, const stall_analysis *a)
{
    char chance[WORDS_FIGURE_MAX], p[WORDS_FIGURE_MAX];
    stall_candidate c;

    if (a->input.stride > 1 || !stall_cadence_candidate(a, &c))
        return;
    stall_text_printf(t,
                      " The strongest recurrence is at %" PRId64 " steps: %" PRIu64 " of %" PRIu64
                      " stalls have another one that far on, %s would by chance (p %s, not enough "
                      "to claim a period of %" PRId64 ")",
                      c.lag, c.hits, c.pairs, stall_words_share(chance, c.chance),
                      stall_words_p(p, c.p_adj), c.lag);
    if (c.more_steps > 0) {
        stall_text_put(t, "; about ");
        stall_words_count(t, c.more_steps, "more step");
        stall_text_put(t, " like these would settle it");
    }
    stall_text_put(t, ".");
}
