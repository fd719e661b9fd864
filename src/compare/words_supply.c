/* What the pool of workers delivers and what the loop would take, in sentences.
 *
 * Enters: the supply figures of a run and its counters. Leaves: plain text that says what it
 * assumes. It must not know the other runs of a report. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define MEASURED_AGREES 0.25 /* measured CPU time this close to the estimate confirms it */

/* Mean CPU milliseconds that the workers themselves counted for a batch; NAN: no such counter. The
 * mean, not the median: what a pool spends may be counted in bursts. */
static double measured_cost(const stall_series *s, const char **ret_name)
{
    for (size_t i = 0; i < s->counters_len; i++) {
        const stall_counter *c = &s->counters[i];
        size_t len = strlen(c->name), n = 0;
        double sum = 0;

        if (strstr(c->name, "cpu") == NULL || len < 3 || strcmp(c->name + len - 3, "_ms") != 0)
            continue;
        for (size_t k = 0; k < s->len; k++)
            if (c->values[k] >= 0) {
                sum += c->values[k];
                n++;
            }
        if (n > 0 && sum > 0) {
            *ret_name = c->name;
            return sum / (double)n;
        }
    }
    return NAN;
}

static const char *seconds(char buf[WORDS_FIGURE_MAX], double ms)
{
    return stall_fixed_text(buf, ms / 1000, ms < 100 ? 3 : 2);
}

/* What the counters say about the estimate, which takes all time of the pool as CPU time. */
static void put_measured(stall_text *t, const stall_run *run)
{
    const char *name = "";
    double cost = run->analysis.supply.batch_cost_ms;
    double measured = measured_cost(run->series, &name);
    char buf[WORDS_FIGURE_MAX];

    if (isnan(measured))
        return;
    if (fabs(measured - cost) <= MEASURED_AGREES * cost)
        stall_text_printf(t, " The workers' own count agrees: %s CPU-seconds a batch (%s).",
                          seconds(buf, measured), name);
    else if (measured < cost)
        stall_text_printf(t,
                          " The workers' own count is only %s CPU-seconds a batch (%s), so they "
                          "also wait for something else than their CPU.",
                          seconds(buf, measured), name);
    else
        stall_text_printf(t,
                          " The workers' own count is %s CPU-seconds a batch (%s), more than their "
                          "share of the CPUs allows: some batches are not in this log.",
                          seconds(buf, measured), name);
}

/* "21 cores (this host has 2), or ", or workers where there is no pool yet. */
static void put_cores(stall_text *t, const stall_analysis *a, const char *noun)
{
    int64_t cores = a->supply.cores_needed;

    if (cores == STALL_UNKNOWN)
        return;
    stall_text_printf(t, "%" PRId64 " %s%s", cores, noun, cores == 1 ? "" : "s");
    if (a->facts.cpus != STALL_UNKNOWN && cores > a->facts.cpus)
        stall_text_printf(t, " (this host has %" PRId64 " CPU%s)", a->facts.cpus,
                          a->facts.cpus == 1 ? "" : "s");
    stall_text_put(t, ", or ");
}

void stall_words_supply(stall_text *t, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    const stall_supply *s = &a->supply;
    char cost[WORDS_FIGURE_MAX], work[WORDS_FIGURE_MAX], times[WORDS_FIGURE_MAX];

    stall_words_ms(work, s->work_ms);
    stall_words_plain(times, s->speedup_needed);
    if (isnan(s->batch_cost_ms)) {
        stall_text_printf(t,
                          "The loop would take a batch every %s and gets one every %s: batches "
                          "must come %s x faster for the wait to vanish. What one costs is not "
                          "known without the number of CPUs (--cpus).",
                          work, stall_words_ms(cost, s->interval_ms), times);
        return;
    }
    if (a->facts.num_workers == 0)
        stall_text_put(t, "With num_workers 0 the loop makes every batch itself, so workers come "
                          "first. ");
    else if (a->facts.num_workers == 1)
        stall_text_put(t, "One worker makes every batch, so more of them come first. ");
    stall_text_printf(t, "A batch costs about %s CPU-seconds; the loop would take one every %s: ",
                      seconds(cost, s->batch_cost_ms), work);
    put_cores(t, a, a->facts.num_workers < 2 ? "worker" : "core");
    stall_text_printf(t,
                      "batches %s x cheaper, if producing them is bound by CPU and the host is "
                      "otherwise idle.",
                      times);
    put_measured(t, run);
}
