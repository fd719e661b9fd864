/* The words of a sweep: its verdicts and what its controls tell.
 *
 * Enters: a code. Leaves: the words that reports print and a paragraph for `help`. It must not know
 * how either is reached. */
#include <assert.h>

#include "compare/compare.h"

static const stall_term verdicts[] = {
    [STALL_SWEEP_INSUFFICIENT] =
        {"insufficient", "not enough to tell",
         "The runs do not show two worker counts, one of them 2 or more, whose gaps are evidence. "
         "A gap is none under 3 gaps, when steps were sampled, and when a pool of several workers "
         "is slow on every step."},
    [STALL_SWEEP_FOLLOWS] =
        {"follows", "the gap follows the worker count",
         "In every run that is evidence the stalls come every num_workers steps. That suggests the "
         "round of the worker pool, so the producer side; it names no line and no cause. Runs with "
         "one worker fit any gap: two counts above 1 make it firm."},
    [STALL_SWEEP_DOES_NOT_FOLLOW] =
        {"does_not_follow", "the gap does not follow the worker count",
         "No run with several workers stalls every num_workers steps. A gap that stays the same "
         "suggests a position in the data or the sampler, or an interval of the loop, rather than "
         "the pool."},
    [STALL_SWEEP_PARTLY] =
        {"partly", "the gap follows the worker count in some runs",
         "Some runs with several workers stall every num_workers steps and other runs do not. The "
         "table shows which; more passes of those that do not fit would tell whether they stay "
         "so."},
};

static const stall_term outcomes[] = {
    [STALL_CONTROL_DID_NOT_ACT] =
        {"did_not_act", "the control did not act",
         "The run was unordered, but no batch overtook another one. It says nothing about delivery "
         "in order."},
    [STALL_CONTROL_NOT_MAIN_CAUSE] =
        {"not_main_cause", "not the main cause of the cadence",
         "The setting that was changed left the cadence as it was. For in_order=False that needs "
         "real overtaking. What makes the batches late is then to be sought elsewhere."},
    [STALL_CONTROL_IMPLICATED] =
        {"implicated", "takes part in the cadence",
         "With the other setting the cadence is gone, or another one. The setting decides on which "
         "steps the wait falls; whether it also makes the wait is seen from the mean."},
    [STALL_CONTROL_UNDECIDED] =
        {"undecided", "undecided",
         "The pair does not decide it: fewer than 4 stalls, no cadence to lose, no batch ranks, or "
         "stalls that neither keep the cadence nor are many enough to show that it is gone."},
};

const stall_term *stall_sweep_term(stall_sweep_verdict v)
{
    assert((unsigned)v < sizeof(verdicts) / sizeof(verdicts[0]));
    return &verdicts[v];
}

const stall_term *stall_control_term(stall_control_outcome o)
{
    assert((unsigned)o < sizeof(outcomes) / sizeof(outcomes[0]));
    return &outcomes[o];
}
