/* The words of verdicts and of their reasons.
 *
 * Enters: a code. Leaves: the words that reports print and a paragraph for `help`. It must not know
 * how a verdict is reached. */
#include <assert.h>

#include "compare/compare.h"

static const stall_term verdicts[] = {
    [STALL_VERDICT_FIXED] =
        {"fixed", "fixed",
         "The mean input wait fell beyond what noise explains, no broken pass was healthy, every "
         "fixed pass is, and no stalls (or hardly any) are left. It says that the waiting is gone "
         "in these runs, not why."},
    [STALL_VERDICT_IMPROVED] =
        {"improved", "improved",
         "The mean input wait fell beyond what noise explains, but something is left: stalls, a "
         "share of the step time that still counts as a problem, or a step time that did not "
         "follow the wait."},
    [STALL_VERDICT_UNCHANGED] =
        {"unchanged", "unchanged",
         "Both sides hold the same waits, or both are healthy, or the interval of the change lies "
         "within what counts as noise. It is a finding, unlike inconclusive."},
    [STALL_VERDICT_REGRESSED] =
        {"regressed", "regressed",
         "The mean input wait rose beyond what noise explains: the mirror of improved."},
    [STALL_VERDICT_INCONCLUSIVE] =
        {"inconclusive", "inconclusive",
         "The runs do not decide it. The reason beside it says what is missing, and the report "
         "says what would settle it."},
};

static const stall_term whys[] = {
    [STALL_WHY_too_few_steps] =
        {"too_few_steps", "a pass has too few steps",
         "A pass has fewer than 7 usable waits after its first step. No interval can be given; "
         "record more steps."},
    [STALL_WHY_identical] =
        {"identical", "both sides hold the same waits",
         "Every wait of one side stands on the other too, in the same order. That is the same "
         "recording twice: check that the right files were given."},
    [STALL_WHY_both_healthy] =
        {"both_healthy", "no input problem on either side",
         "Neither side waits for input enough to matter, and their means differ by no more than "
         "noise (1 ms, or 1 % of a step's work)."},
    [STALL_WHY_passes_overlap] =
        {"passes_overlap", "the passes of the two sides overlap",
         "Some pass of the better side is no better than some pass of the worse. With several "
         "passes run in turns, that is the sign of a host that changed while they ran. Record more "
         "passes in alternating order."},
    [STALL_WHY_regime_change] =
        {"regime_change", "a change of regime within a run explains the difference",
         "Within a pass the waits change for good at some step, as with a cache that warms up, and "
         "the sides are no longer clearly apart once each part is looked at alone. Compare runs in "
         "the same state."},
    [STALL_WHY_too_few_stalls] =
        {"too_few_stalls", "too few stalls to tell a change from luck",
         "The difference hangs on few stalls, or the better side is too short for their absence to "
         "mean anything. Record more steps."},
    [STALL_WHY_step_time_not_improved] = {"step_time_not_improved", "the step time did not improve",
                                          "The wait fell, but the mean step time is not shown to "
                                          "be shorter. The time may have moved "
                                          "elsewhere, as into computing or copying."},
    [STALL_WHY_step_time_not_worse] =
        {"step_time_not_worse", "the step time did not get worse",
         "The wait rose, but the mean step time is not shown to be longer. The wait may have taken "
         "the place of time spent elsewhere."},
    [STALL_WHY_single_pass] =
        {"single_pass", "one pass on a side",
         "A side has a single pass, and nothing within one pass shows how much runs differ from "
         "each other. A second pass of each, in alternating order, settles it."},
    [STALL_WHY_interval_too_wide] = {"interval_too_wide", "the interval is too wide",
                                     "The interval of the change of the mean holds both noise and "
                                     "a real difference. More steps "
                                     "narrow it with the square root of their number."},
};

const stall_term *stall_verdict_term(stall_verdict v)
{
    assert((unsigned)v < sizeof(verdicts) / sizeof(verdicts[0]));
    return &verdicts[v];
}

const stall_term *stall_why_term(stall_why w)
{
    assert((unsigned)w < sizeof(whys) / sizeof(whys[0]));
    return &whys[w];
}
