/* The vocabulary of the analysis: shapes and notes, each with its words and a paragraph of help. */
#include <stddef.h>

#include "analyze/analyze.h"

static const stall_term shapes[] = {
    [STALL_SHAPE_NO_INPUT_PROBLEM] =
        {"no_input_problem", "no input problem",
         "The loop hardly waits for input: under 10 % of the steady step time, or under 10 ms a "
         "step "
         "where step times are not known. Look elsewhere: compute, synchronisation, copies to the "
         "device."},
    [STALL_SHAPE_STARTUP_ONLY] =
        {"startup_only", "start-up only",
         "Only the first steps of the run, or of each epoch, wait long: the pool starts and fills. "
         "persistent_workers=True makes only the first epoch pay."},
    [STALL_SHAPE_UNIFORM_SLOW] =
        {"uniform_slow", "uniformly slow",
         "Nearly every step waits: the loader delivers more slowly than the loop consumes, evenly. "
         "There is no cadence to explain. Time the dataset and collate alone; then try num_workers "
         "0 against a few. No gain means a CPU or lock limit."},
    [STALL_SHAPE_HEAVY_PERIODIC] =
        {"heavy_periodic", "heavy-tailed, periodic",
         "Most steps are free and stalls come at a regular distance. A distance equal to "
         "num_workers "
         "is what a pool at its limit gives while its workers finish together: the wait of a whole "
         "round falls on one step. Sweep num_workers: a cadence that follows it points to the "
         "producer side, one that stays points to the position in the data."},
    [STALL_SHAPE_HEAVY_LONG_CYCLE] =
        {"heavy_long_cycle", "heavy-tailed, long cycle",
         "Stalls come at a regular distance of more than 32 steps that is not the worker count: "
         "compare it with steps per epoch, checkpoint, evaluation and log intervals, shard "
         "length."},
    [STALL_SHAPE_HEAVY_CLUSTERED] =
        {"heavy_clustered", "heavy-tailed, clustered",
         "Stalls come in bursts: slow intervals with fast ones between. Compare counters in both; "
         "suspects are shards, remote storage and neighbours on the host."},
    [STALL_SHAPE_HEAVY_RANDOM] =
        {"heavy_random", "heavy-tailed, no cadence found",
         "There are enough stalls to have shown a clean cadence, and none was found at this "
         "evidence; that is no proof of randomness. Log the sample ids of slow batches: the same "
         "ids "
         "slow again means that it depends on the data."},
    [STALL_SHAPE_REGIME_CHANGE] =
        {"regime_change", "regime change",
         "The waits before and after one step are two different regimes, such as a cold cache that "
         "warms up. Each part has its own mean and stall rate; one mean describes neither."},
    [STALL_SHAPE_INCONCLUSIVE] =
        {"inconclusive", "inconclusive",
         "Too few steps or too few stalls to tell the shape. Record more steps, four to eight "
         "times "
         "the worker count or more, with step times and the worker count."},
};

static const stall_term notes[] = {
    [STALL_NOTE_too_few_steps] = {"too_few_steps", "too few steps for a shape",
                                  "Fewer than 8 known waits, or fewer than 7 behind the warm-up: "
                                  "figures are printed, no shape is claimed."},
    [STALL_NOTE_stalls_but_cheap] = {"stalls_but_cheap", "there are stalls, but they cost little",
                                     "Some steady waits stand out, yet all waiting together is too "
                                     "small a part of the run to be "
                                     "worth an experiment."},
    [STALL_NOTE_share_near_limit] = {"share_near_limit", "the waiting is close to the 10 % limit",
                                     "Input waits take 5 to 10 % of the steady step time: not "
                                     "called a problem, but close to it."},
    [STALL_NOTE_steady_also_slow] =
        {"steady_also_slow", "the steady steps are slow too",
         "Segment starts carry most of the waiting, and the steps between them wait as well."},
    [STALL_NOTE_uniform_with_spikes] =
        {"uniform_with_spikes", "single waits stand far above the rest",
         "Every step is slow, and the largest wait is over ten medians: give --stall-ms to examine "
         "those alone."},
    [STALL_NOTE_stall_threshold_too_low] =
        {"stall_threshold_too_low", "the given threshold calls nearly every step a stall",
         "With --stall-ms this low no gap can be told; leave it out or raise it."},
    [STALL_NOTE_bulk_also_slow] =
        {"bulk_also_slow", "without the stalls the loader would still hold the loop",
         "The waits that are no stalls add up to a problem of their own."},
    [STALL_NOTE_cadence_is_not_num_workers] =
        {"cadence_is_not_num_workers", "the cadence is not num_workers",
         "The period is neither num_workers nor a multiple of it: compare it with the interval of "
         "logging, saving and gradient accumulation."},
    [STALL_NOTE_num_workers_unknown] = {"num_workers_unknown", "num_workers is not known",
                                        "Without the worker count a cadence cannot be matched with "
                                        "it; give --num-workers or log it."},
    [STALL_NOTE_too_few_stalls] = {"too_few_stalls", "too few stalls to tell their order in time",
                                   "A heavy tail is there, but its stalls are too few for a "
                                   "cadence, a burst or their absence "
                                   "to be shown."},
    [STALL_NOTE_holes] =
        {"holes", "too many steps are missing for a cadence",
         "Over a quarter of the positions was not measured, as with profiler windows: a regular "
         "distance may come from the windows, so no cadence is claimed."},
    [STALL_NOTE_regime_change] =
        {"regime_change", "the waits change within the run",
         "Before and after one step the level of the waits, or the rate of stalls, differs by a "
         "factor of three or more."},
    [STALL_NOTE_step_time_unknown] =
        {"step_time_unknown", "step times are not known",
         "The share of the step time, and what the loop could take, cannot be said."},
    [STALL_NOTE_steps_sampled] =
        {"steps_sampled", "only every n-th step was logged",
         "A cadence of a sampled log may be an alias of a shorter one; the worker count is not "
         "matched."},
};

const stall_term *stall_shape_term(stall_shape s)
{
    return &shapes[s];
}
const stall_term *stall_note_term(stall_note n)
{
    return &notes[n];
}

const char *stall_confidence_name(stall_confidence c)
{
    static const char *const names[] = {NULL, "low", "medium", "high"};
    return names[c];
}

const char *stall_cadence_kind_name(stall_cadence_kind k)
{
    static const char *const names[] = {"none",    "every_step", "exact",
                                        "pattern", "inverse",    "jittered"};
    return names[k];
}

const char *stall_worker_match_name(stall_worker_match m)
{
    static const char *const names[] = {NULL, "equal", "multiple", "divisor", "no"};
    return names[m];
}

const char *stall_change_kind_name(stall_change_kind k)
{
    static const char *const names[] = {NULL, "level", "stalls"};
    return names[k];
}
