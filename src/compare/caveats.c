/* What a report must not be read as saying.
 *
 * Enters: the runs of a report. Leaves: every caveat that applies, each once, in the order of the
 * table. It must not know documents. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define SHORT_P95 20         /* waits below which p95 is an interpolation towards the maximum */
#define FIRST_STANDS_OUT 1.5 /* times the largest other wait: the first one is a start */
#define SHORT_P99 100        /* the same for p99 */
#define WINDOW_MIN 32        /* steps of a profiler window that let a cadence be seen ... */
#define WINDOW_ROUNDS 4      /* ... or so many rounds of the workers */

const stall_term stall_caveat_terms[] = {
    {"cpus_below_workers", "fewer CPUs than workers",
     "The host has fewer logical CPUs than the loader has workers. The workers then share CPUs, so "
     "absolute seconds and the best worker count do not carry over to another host."},
    {"first_fetch_cold", "the first fetch is cold",
     "The first step waits longest by far: it may pay for cold caches and, with num_workers above "
     "0, for the start of the workers. It stands in the distribution, but is left out wherever "
     "steady steps are meant, and of the comparison."},
    {"short_run", "a short run",
     "Below 20 waits the p95, and below 100 the p99, is an interpolation towards the largest wait "
     "and no measured quantile."},
    {"one_pass", "one pass on a side",
     "A side was recorded once. Its interval shows how steps differ within a run, not how runs "
     "differ from each other."},
    {"seconds_not_portable", "seconds do not carry over",
     "Absolute seconds belong to the host they were measured on. The structure (shape, cadence) "
     "may "
     "carry over; it says where to look and proves no cause."},
    {"sampled_steps", "not every step was logged",
     "Only one step in several was logged. The distribution holds, but stalls between the logged "
     "steps are not seen, and a cadence cannot be set against num_workers."},
    {"aggregated", "rows are averages",
     "Each row is a mean or median of several steps. A stall of one step is smeared over its row: "
     "stalls, gaps and cadence cannot be seen."},
    {"read_bytes_zero", "no reads do not mean no cache effect",
     "That nothing was read from the disk (or no major faults were counted) in slow intervals does "
     "not exclude effects of the page cache, of memory or of CPU caches."},
    {"ordered_delivery_blame", "a slow batch does not accuse its worker",
     "With delivery in order a batch waits for those before it. That slow batches carry one "
     "worker's "
     "id does not say that this worker is slow."},
    {"in_order_is_a_control", "in_order=False is a control",
     "A run with in_order=False tells whether delivery in order matters. It is no advice to train "
     "that way: the order of the samples then depends on timing."},
    {"no_overtakes", "nothing overtook",
     "The run was unordered, but no batch overtook another one: as a control of delivery in order "
     "it "
     "controlled nothing."},
    {"step_time_unknown", "step times are not known",
     "Without step times the share of waiting is not known, and whether waiting is a problem is "
     "judged by its length alone (a mean of 10 ms)."},
    {"accumulation_hides_cadence", "several fetches in one step",
     "Some steps hold several fetches whose waits were added. A cadence of the loader in batches "
     "is "
     "then hidden or shows at another period."},
    {"profiler_window_short", "a short profiler window",
     "The profiler recorded few steps, or few in a row. A cadence needs several rounds of the "
     "workers to show; a longer active window would tell."},
    {NULL, NULL, NULL},
};

typedef bool applies(const stall_report *r, const stall_run *run);

static bool cpus_below_workers(const stall_report *r, const stall_run *run)
{
    const stall_analyze_options *f = &run->analysis.facts;

    (void)r;
    return f->cpus != STALL_UNKNOWN && f->num_workers != STALL_UNKNOWN && f->cpus < f->num_workers;
}

static bool first_fetch_cold(const stall_report *r, const stall_run *run)
{
    const stall_analysis *a = &run->own;
    double first = NAN, rest = 0;

    (void)r;
    for (size_t i = 0; i < a->points_len; i++) {
        const stall_point *p = &a->points[i];
        if (p->steady && p->wait_ms > rest)
            rest = p->wait_ms;
        else if (!p->steady && isnan(first))
            first = p->wait_ms;
    }
    return first > a->threshold.auto_ms && first > FIRST_STANDS_OUT * rest;
}

static bool short_run(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->analysis.dist.n > 0 && run->analysis.dist.n < SHORT_P99;
}

static bool one_pass(const stall_report *r, const stall_run *run)
{
    (void)run;
    return r->command == STALL_COMMAND_COMPARE &&
           (r->compare.side[0].passes_len < 2 || r->compare.side[1].passes_len < 2);
}

static bool seconds_not_portable(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->analysis.input_problem == 1;
}

static bool sampled_steps(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->series->sampled || run->analysis.input.stride > 1;
}

static bool aggregated(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->series->aggregated;
}

/* A counter of reads or major faults whose median is 0 in the stalled steps. */
static bool read_bytes_zero(const stall_report *r, const stall_run *run)
{
    static const char *const names[] = {"read_bytes", "majflt", "major_fault", "maj_flt"};
    const stall_extras *e = &run->analysis.extras;

    (void)r;
    for (size_t i = 0; i < e->counters_len; i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (strstr(e->counters[i].name, names[k]) != NULL && e->counters[i].n_slow > 0 &&
                e->counters[i].median_slow == 0)
                return true;
    return false;
}

static bool ordered_delivery_blame(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->analysis.extras.by_worker_len > 0 && !stall_run_unordered(run);
}

static bool in_order_is_a_control(const stall_report *r, const stall_run *run)
{
    (void)r;
    return stall_run_unordered(run);
}

static bool no_overtakes(const stall_report *r, const stall_run *run)
{
    const stall_order *o = &run->analysis.extras.order;

    (void)r;
    return stall_run_unordered(run) && o->known && o->overtaking == 0;
}

static bool step_time_unknown(const stall_report *r, const stall_run *run)
{
    (void)r;
    return stall_has_note(&run->analysis, STALL_NOTE_step_time_unknown);
}

static bool accumulation_hides_cadence(const stall_report *r, const stall_run *run)
{
    (void)r;
    return run->analysis.input.merged > 0 ||
           stall_warn_find(&run->series->warnings, STALL_WARN_several_fetches) != NULL;
}

static bool profiler_window_short(const stall_report *r, const stall_run *run)
{
    const stall_analysis *a = &run->analysis;
    int64_t w = a->facts.num_workers;

    (void)r;
    if (run->series->format == NULL || strcmp(run->series->format, "chrome") != 0)
        return false;
    return a->cadence.holes || a->dist.n < WINDOW_MIN ||
           (w != STALL_UNKNOWN && (double)a->dist.n < WINDOW_ROUNDS * (double)w);
}

/* In the order of the table. */
static applies *const conditions[] = {
    cpus_below_workers,         first_fetch_cold,      short_run,    one_pass,
    seconds_not_portable,       sampled_steps,         aggregated,   read_bytes_zero,
    ordered_delivery_blame,     in_order_is_a_control, no_overtakes, step_time_unknown,
    accumulation_hides_cadence, profiler_window_short,
};

static void add(const stall_report *r, size_t k, compare_list *l)
{
    const stall_term *term = &stall_caveat_terms[k];
    const stall_run *first = NULL;
    size_t runs = 0;

    for (size_t i = 0; i < r->runs_len; i++)
        if (conditions[k](r, &r->runs[i])) {
            first = runs++ == 0 ? &r->runs[i] : first;
        }
    if (runs == 0)
        return;
    if (conditions[k] == cpus_below_workers)
        stall_list_add(l, term->code, "%" PRId64 " logical CPUs for %" PRId64 " workers: %s",
                       first->analysis.facts.cpus, first->analysis.facts.num_workers, term->help);
    else if (conditions[k] == one_pass || runs == r->runs_len)
        stall_list_add(l, term->code, "%s", term->help);
    else if (runs == 1)
        stall_list_add(l, term->code, "%s: %s", first->label, term->help);
    else
        stall_list_add(l, term->code, "%s and %zu more: %s", first->label, runs - 1, term->help);
}

void stall_report_caution(const stall_report *r, compare_list *l)
{
    for (size_t k = 0; k < sizeof(conditions) / sizeof(conditions[0]); k++)
        add(r, k, l);
}
