/* Is the change good enough to let through? For continuous integration.
 *
 * Enters: the gate asked for, the verdict and its reasons. Leaves: met, not met, or not decidable.
 * A gate never passes on input of which something may be missing, unless that is allowed. It must
 * not know exit statuses other than through stall_report_exit. */
#include "compare/compare.h"

#define GATE_MET 1
#define GATE_FAILED 0
#define GATE_OPEN (-1)

static int no_regression(stall_verdict v, bool unsure, uint32_t why)
{
    if (v != STALL_VERDICT_REGRESSED)
        return GATE_MET;
    return unsure || (why & 1u << STALL_WHY_step_time_not_worse) ? GATE_OPEN : GATE_FAILED;
}

static int improved(stall_verdict v, bool unsure, uint32_t why)
{
    if (v != STALL_VERDICT_FIXED && v != STALL_VERDICT_IMPROVED)
        return GATE_FAILED;
    return unsure || (why & 1u << STALL_WHY_step_time_not_improved) ? GATE_OPEN : GATE_MET;
}

static int fixed(stall_verdict v, bool unsure)
{
    if (v != STALL_VERDICT_FIXED)
        return GATE_FAILED;
    return unsure ? GATE_OPEN : GATE_MET;
}

int stall_gate_judge(stall_gate gate, stall_verdict verdict, stall_confidence confidence,
                     uint32_t why, bool partial)
{
    bool unsure = confidence == STALL_CONFIDENCE_LOW;

    if (gate == STALL_GATE_NONE)
        return GATE_MET;
    if (partial || verdict == STALL_VERDICT_INCONCLUSIVE)
        return GATE_OPEN;
    switch (gate) {
    case STALL_GATE_NO_REGRESSION:
        return no_regression(verdict, unsure, why);
    case STALL_GATE_IMPROVED:
        return improved(verdict, unsure, why);
    case STALL_GATE_FIXED:
        return fixed(verdict, unsure);
    case STALL_GATE_NONE:
        break;
    }
    return GATE_MET;
}

int stall_report_exit(const stall_report *r)
{
    if (r->command != STALL_COMMAND_COMPARE || r->gate == STALL_GATE_NONE ||
        r->gate_met == GATE_MET)
        return 0;
    return r->gate_met == GATE_FAILED ? 1 : 3;
}
