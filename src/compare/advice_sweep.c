/* The next cheap experiment after a sweep.
 *
 * Enters: verdict, controls and shapes of a sweep. Leaves: advice with the codes of the table in
 * advice.c, the most useful first. It must not know documents. */
#include <inttypes.h>
#include <math.h>

#include "compare/compare.h"

/* Has a pair of this kind said anything? */
static bool has_control(const stall_sweep *s, stall_control_kind kind)
{
    for (size_t i = 0; i < s->controls_len; i++)
        if (s->controls[i].kind == kind && s->controls[i].outcome != STALL_CONTROL_UNDECIDED &&
            s->controls[i].outcome != STALL_CONTROL_DID_NOT_ACT)
            return true;
    return false;
}

/* Does some run of the sweep wait enough to matter? */
static bool has_problem(const stall_report *r)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].own.input_problem == 1)
            return true;
    return false;
}

static bool has_cpu_counter(const stall_report *r)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.extras.counters_len > 0)
            return true;
    return false;
}

static void advise_producer(const stall_report *r, compare_list *l)
{
    const stall_sweep *s = &r->sweep;

    if (!has_control(s, STALL_CONTROL_IN_ORDER))
        stall_list_add(l, "order_control",
                       "One run with in_order=False and batch ranks logged, and prefetch_factor 1 "
                       "against 2. A cadence that survives real overtaking is not caused by "
                       "delivery in order.");
    stall_list_add(
        l, "time_the_dataset",
        "Time dataset[i] and collate alone, without a loader: the sweep points to what "
        "produces batches and cannot say which line of it is slow.%s",
        has_cpu_counter(r) ? "" : " Log CPU time, read bytes and faults of the workers, too.");
}

static void advise_controls(const stall_sweep *s, compare_list *l)
{
    for (size_t i = 0; i < s->controls_len; i++)
        if (s->controls[i].outcome == STALL_CONTROL_DID_NOT_ACT)
            stall_list_add(l, "order_control",
                           "Repeat the unordered run for longer: nothing overtook, so it did not "
                           "control anything yet.");
        else if (s->controls[i].outcome == STALL_CONTROL_UNDECIDED)
            stall_list_add(l, "record_longer",
                           "Record the pair of the control longer, with every step and batch rank "
                           "logged, until both runs could show 8 stalls.");
}

/* Do only unordered runs, which are a control, not follow? */
static bool ordered_follow(const stall_report *r)
{
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->sweep.rows[i].follows == 0 && r->sweep.rows[i].workers >= 1 &&
            r->sweep.rows[i].in_order != 0)
            return false;
    return true;
}

void stall_sweep_advise(const stall_report *r, compare_list *l)
{
    const stall_sweep *s = &r->sweep;

    if (!has_problem(r)) {
        stall_list_add(l, "look_elsewhere",
                       "Look elsewhere: no run of this sweep waits for input enough to matter.");
        return;
    }
    if (s->counts < 2)
        advise_controls(s, l);
    switch (s->verdict) {
    case STALL_SWEEP_FOLLOWS:
        advise_producer(r, l);
        break;
    case STALL_SWEEP_DOES_NOT_FOLLOW:
        stall_list_add(l, "compare_intervals",
                       "Compare the gap with the intervals of logging, saving and gradient "
                       "accumulation; change one of them and see whether the gap follows.");
        stall_list_add(l, "log_sample_ids",
                       "Log the sample ids of the slow batches and run once shuffled: stalls that "
                       "move with the samples depend on the data.");
        break;
    case STALL_SWEEP_PARTLY:
        if (ordered_follow(r)) {
            advise_producer(r, l);
            break;
        }
        stall_list_add(l, "second_pass",
                       "Run the sweep once more in the opposite direction: whether the runs that "
                       "do not fit stay so decides between the pool and the data.");
        break;
    case STALL_SWEEP_INSUFFICIENT:
        if (s->counts < 2 && has_control(s, STALL_CONTROL_IN_ORDER))
            break;
        stall_list_add(l, "sweep_workers",
                       "Run num_workers 0, 1, 2 and 4 and the same backwards, 32 steps or more "
                       "each. A gap that follows the count suggests the producer side, one that "
                       "stays the data or the loop.");
        break;
    }
    if (s->counts >= 2)
        advise_controls(s, l);
    if (s->counts < 2 && has_control(s, STALL_CONTROL_IN_ORDER))
        stall_list_add(l, "time_the_dataset",
                       "Time dataset[i] and collate alone: neither order makes batches cheaper.");
    if (s->controls_len == 1)
        stall_list_add(l, "second_pass",
                       "Repeat the two runs in the opposite order: one pair does not show how much "
                       "runs differ on their own.");
    if (s->rungs_len > 0 && s->rungs[s->rungs_len - 1].runs < 2)
        stall_list_add(l, "second_pass",
                       "Run the sweep backwards too: with one pass a warming cache or a busy host "
                       "can pass for an effect of the worker count.");
}
