/* Folded parts of report.md: gaps, counters, pool, notes and warnings, how to reproduce.
 *
 * Enters: the report model. Leaves: short tables and lists; a long list is cut and names the file
 * that has all of it. It computes nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "stalldiff/version.h"
#include "write/write.h"

#define GAPS_LISTED 40 /* first gaps of a run, in their order */

static void put_runs_left(const stall_report *r, stall_out *o, const char *file)
{
    if (r->runs_len > STALL_MARKDOWN_RUNS)
        stall_out_printf(o, "\n... and %zu more runs, in `%s`\n", r->runs_len - STALL_MARKDOWN_RUNS,
                         file);
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- gaps ---- */

static void put_cadence(stall_out *o, const stall_cadence *c)
{
    char buf[STALL_FIGURE_MAX];

    bool every = c->kind == STALL_CADENCE_EVERY_STEP; /* which is no cadence */

    stall_out_printf(o, ": cadence %s",
                     every ? "none: every step stalls" : stall_cadence_kind_name(c->kind));
    if (!every && c->period_steps != STALL_UNKNOWN)
        stall_out_printf(o, ", every %" PRId64 " step%s", c->period_steps, plural(c->period_steps));
    if (!isnan(c->p_adj))
        stall_out_printf(o, ", adjusted p %s", stall_plain_text(buf, c->p_adj));
    if (!isnan(c->coverage))
        stall_out_printf(o, ", %s of the gaps fit", stall_share_text(buf, c->coverage));
    if (!isnan(c->phase_share))
        stall_out_printf(o, ", phase %" PRId64 " (%s)", c->phase,
                         stall_share_text(buf, c->phase_share));
    if (stall_worker_match_name(c->worker_match) != NULL)
        stall_out_printf(o, ", against num_workers: %s", stall_worker_match_name(c->worker_match));
    if (c->holes)
        stall_out_put(o, ", too many holes for a claim");
    stall_out_printf(o, ". %" PRIu64 " stall%s in %" PRIu64 " position%s, %" PRIu64 " gap%s",
                     c->stalls, plural((int64_t)c->stalls), c->positions,
                     plural((int64_t)c->positions), c->gaps, plural((int64_t)c->gaps));
    if (!isnan(c->gap_median))
        stall_out_printf(o, ", median %s", stall_plain_text(buf, c->gap_median));
    stall_out_put(o, ".\n");
}

static void put_gap_list(stall_out *o, const stall_cadence *c)
{
    if (c->gap_list_len == 0)
        return;
    stall_out_put(o, "  - in order:");
    for (size_t k = 0; k < c->gap_list_len && k < GAPS_LISTED; k++)
        stall_out_printf(o, "%s %" PRId64, k > 0 ? "," : "", c->gap_list[k]);
    stall_out_put(o, c->gap_list_len > GAPS_LISTED ? ", ... (`report.json` has all)\n" : "\n");
    stall_out_put(o, "  - gap × count:");
    for (size_t k = 0; k < c->gap_hist_len && k < STALL_MARKDOWN_ROWS; k++)
        stall_out_printf(o, "%s %" PRId64 " × %" PRIu64, k > 0 ? "," : "", c->gap_hist[k].key,
                         c->gap_hist[k].count);
    stall_out_put(o, c->gap_hist_len > STALL_MARKDOWN_ROWS ? ", ... (`gaps.csv` has all)\n" : "\n");
}

void stall_markdown_gaps(const stall_report *r, stall_out *o)
{
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++) {
        stall_out_put(o, "- ");
        stall_markdown_run_name(o, &r->runs[i]);
        put_cadence(o, &r->runs[i].analysis.cadence);
        put_gap_list(o, &r->runs[i].analysis.cadence);
    }
    put_runs_left(r, o, "gaps.csv");
}

/* ---- counters, workers, order ---- */

static void put_counters(const stall_report *r, stall_out *o)
{
    size_t all = 0, rows = 0;
    char buf[STALL_FIGURE_MAX];

    for (size_t i = 0; i < r->runs_len; i++)
        all += r->runs[i].analysis.extras.counters_len;
    if (all == 0)
        return;
    stall_out_put(
        o, "Medians in stalls and in other steps; the last column runs from -1 (always "
           "smaller in stalls) to 1 (always larger).\n\n| run | counter | stalls | "
           "median | others | median | rank-biserial |\n|---|---|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < r->runs_len; i++)
        for (size_t k = 0;
             k < r->runs[i].analysis.extras.counters_len && rows < STALL_MARKDOWN_ROWS;
             k++, rows++) {
            const stall_counter_contrast *c = &r->runs[i].analysis.extras.counters[k];

            stall_out_put(o, "| ");
            stall_markdown_run_name(o, &r->runs[i]);
            stall_out_put(o, " | ");
            stall_out_markdown(o, c->name, STALL_MARKDOWN_NAME_MAX);
            stall_out_printf(o, " | %" PRIu64 " | %s |", c->n_slow,
                             stall_plain_text(buf, c->median_slow));
            stall_out_printf(o, " %" PRIu64 " | %s |", c->n_fast,
                             stall_plain_text(buf, c->median_fast));
            stall_out_printf(o, " %s |\n", stall_plain_text(buf, c->rank_biserial));
        }
    if (all > rows)
        stall_out_printf(o, "\n... and %zu more, in `report.json`\n", all - rows);
    stall_out_char(o, '\n');
}

static void put_workers(stall_out *o, const stall_run *run)
{
    const stall_extras *e = &run->analysis.extras;

    if (!e->workers_known && !e->pids_known && !e->order.known)
        return;
    stall_out_put(o, "- ");
    stall_markdown_run_name(o, run);
    stall_out_char(o, ':');
    if (e->workers_known) {
        stall_out_put(o, " stalls by worker:");
        for (size_t k = 0; k < e->by_worker_len && k < STALL_MARKDOWN_ROWS; k++) {
            stall_out_put(o, k > 0 ? ", " : " ");
            stall_out_markdown(o, e->by_worker[k].worker, STALL_MARKDOWN_NAME_MAX);
            stall_out_printf(o, " × %" PRIu64, e->by_worker[k].count);
        }
        stall_out_put(o, e->by_worker_len > STALL_MARKDOWN_ROWS ? ", ... (`report.json`)." : ".");
    }
    if (e->pids_known)
        stall_out_printf(o, " Changes of the set of worker PIDs: %" PRIu64 ".", e->pid_set_changes);
    if (e->order.known)
        stall_out_printf(o,
                         " Order: %" PRIu64 " deliveries, %" PRIu64 " overtaking, %" PRIu64
                         " overtaken, %" PRIu64 " inversions, largest displacement %" PRIu64 ".",
                         e->order.deliveries, e->order.overtaking, e->order.overtaken,
                         e->order.inversions, e->order.max_displacement);
    stall_out_char(o, '\n');
}

void stall_markdown_counters(const stall_report *r, stall_out *o)
{
    put_counters(r, o);
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++)
        put_workers(o, &r->runs[i]);
}

/* ---- pool and supply ---- */

void stall_markdown_pool(const stall_report *r, stall_out *o)
{
    char buf[STALL_FIGURE_MAX];
    size_t shown = 0;

    for (size_t i = 0; i < r->runs_len && shown < STALL_MARKDOWN_RUNS; i++) {
        const stall_run *run = &r->runs[i];

        if (run->supply_text == NULL && isnan(run->analysis.pool_vr))
            continue;
        shown++;
        stall_out_put(o, "- ");
        stall_markdown_run_name(o, run);
        stall_out_char(o, ':');
        if (run->supply_text != NULL) {
            stall_out_char(o, ' ');
            stall_out_markdown(o, run->supply_text, STALL_OUT_SENTENCE_MAX);
        }
        if (!isnan(run->analysis.pool_vr))
            stall_out_printf(o,
                             " Variance of the wait of num_workers steps, against independent "
                             "waits: %s (near 0: a pool at its limit; about 1: independent).",
                             stall_plain_text(buf, run->analysis.pool_vr));
        stall_out_char(o, '\n');
    }
}

/* ---- notes and warnings ---- */

static void put_run_notes(stall_out *o, const stall_run *run)
{
    const stall_warnings *w = &run->series->warnings;

    stall_out_put(o, "- ");
    stall_markdown_run_name(o, run);
    stall_out_put(o, run->analysis.notes == 0 && w->len == 0 ? ": none\n" : "\n");
    if (run->peer_text != NULL)
        stall_out_printf(o, "  - %s\n", run->peer_text);
    for (unsigned n = 0; n < STALL_NOTE_COUNT; n++)
        if (run->analysis.notes & 1u << n)
            stall_out_printf(o, "  - note `%s`: %s\n", stall_note_term((stall_note)n)->code,
                             stall_note_term((stall_note)n)->words);
    for (size_t k = 0; k < w->len; k++) {
        const stall_warning *x = &w->items[k];

        stall_out_printf(o, "  - warning `%s` × %" PRIu64, stall_warn_name(x->code), x->count);
        if (x->line != STALL_OFFSET_NONE)
            stall_out_printf(o, ", line %" PRIu64, x->line);
        else if (x->offset != STALL_OFFSET_NONE)
            stall_out_printf(o, ", offset %" PRIu64, x->offset);
        stall_out_put(o, ": ");
        stall_out_markdown(o, x->text, STALL_OUT_TEXT_MAX);
        stall_out_char(o, '\n');
    }
}

void stall_markdown_notes(const stall_report *r, stall_out *o)
{
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++)
        put_run_notes(o, &r->runs[i]);
    put_runs_left(r, o, "report.json");
}

/* ---- how to reproduce ---- */

/* A file as an argument of a shell, without its folders. */
static void put_argument(stall_out *o, const stall_series *s)
{
    const char *path = s->path == NULL ? "RUN" : s->path, *slash = strrchr(path, '/');
    char buf[STALL_OUT_TEXT_MAX];

    if (slash != NULL && slash[1] != '\0')
        path = slash + 1;
    stall_text_printable(buf, sizeof(buf), path, strlen(path));
    if (buf[strspn(buf, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_./-")] ==
        '\0') {
        stall_out_put(o, buf[0] == '-' && buf[1] != '\0' ? "./" : "");
        stall_out_put(o, buf);
        return;
    }
    stall_out_char(o, '\'');
    for (const char *p = buf; *p != '\0'; p++)
        if (*p == '\'')
            stall_out_put(o, "'\\''");
        else
            stall_out_char(o, *p);
    stall_out_char(o, '\'');
}

/* An option of a fact that every run was analysed with and whose metadata does not give. */
static void put_fact(stall_out *o, const stall_report *r, const char *option, const char *meta,
                     size_t offset)
{
    int64_t value = STALL_UNKNOWN, v;

    for (size_t i = 0; i < r->runs_len; i++) {
        memcpy(&v, (const char *)&r->runs[i].analysis.facts + offset, sizeof(v));
        if (i == 0)
            value = v;
        if (v != value || stall_series_meta_int(r->runs[i].series, meta) == v)
            return;
    }
    if (value != STALL_UNKNOWN)
        stall_out_printf(o, " %s %" PRId64, option, value);
}

/* A comparison analyses every run with one common threshold, which is the automatic one of some run
 * unless it was asked for. */
static bool threshold_was_given(const stall_report *r)
{
    double ms = r->runs[0].analysis.threshold.ms;

    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.threshold.auto_ms == ms)
            return false;
    return r->runs[0].analysis.threshold.given;
}

static void put_command(const stall_report *r, stall_out *o)
{
    const stall_analysis *a = &r->runs[0].analysis;

    stall_out_put(o, "    stalldiff");
    if (r->command == STALL_COMMAND_SHOW)
        stall_out_put(o, " show");
    if (r->command == STALL_COMMAND_SWEEP)
        stall_out_put(o, " sweep");
    if (threshold_was_given(r)) {
        stall_out_put(o, " --stall-ms ");
        stall_out_double(o, a->threshold.ms);
    }
    if (r->command != STALL_COMMAND_SWEEP)
        put_fact(o, r, "--num-workers", "num_workers",
                 offsetof(stall_analyze_options, num_workers));
    put_fact(o, r, "--cpus", "logical_cpus", offsetof(stall_analyze_options, cpus));
    put_fact(o, r, "--steps-per-epoch", "steps_per_epoch",
             offsetof(stall_analyze_options, steps_per_epoch));
    if (a->facts.warmup != 1)
        stall_out_printf(o, " --warmup %" PRId64, a->facts.warmup);
    if (a->facts.rank != STALL_RANK_MAX)
        stall_out_printf(o, " --rank %" PRId64, a->facts.rank);
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_ROWS; i++) {
        if (r->command == STALL_COMMAND_COMPARE)
            stall_out_printf(o, " --%s", stall_side_name(r->runs[i].side));
        stall_out_char(o, ' ');
        if (r->command == STALL_COMMAND_SWEEP)
            stall_out_printf(o, "%" PRId64 "=", r->sweep.rows[i].workers);
        put_argument(o, r->runs[i].series);
    }
    stall_out_put(o, r->runs_len > STALL_MARKDOWN_ROWS ? " ...\n" : "\n");
}

static void put_metadata(stall_out *o, const stall_run *run)
{
    const stall_series *s = run->series;

    stall_out_put(o, "- ");
    stall_markdown_run_name(o, run);
    stall_out_put(o, ": ");
    stall_out_markdown(o, s->path, STALL_OUT_TEXT_MAX);
    stall_out_printf(o, " (%s)", s->format == NULL ? "unknown format" : s->format);
    for (size_t k = 0; k < s->meta_len && k < STALL_MARKDOWN_ROWS; k++) {
        stall_out_put(o, k == 0 ? "; " : ", ");
        stall_out_markdown(o, s->meta[k].key, STALL_MARKDOWN_NAME_MAX);
        stall_out_put(o, " = ");
        stall_out_markdown(o, s->meta[k].value, STALL_MARKDOWN_NAME_MAX);
    }
    stall_out_put(o, s->meta_len > STALL_MARKDOWN_ROWS ? ", ... (`report.json` has all)\n" : "\n");
}

void stall_markdown_reproduce(const stall_report *r, stall_out *o)
{
    if (r->runs_len == 0)
        return;
    stall_out_put(o, "stalldiff " STALLDIFF_VERSION ", from the folder of the files:\n\n");
    put_command(r, o);
    stall_out_char(o, '\n');
    for (size_t i = 0; i < r->runs_len && i < STALL_MARKDOWN_RUNS; i++)
        put_metadata(o, &r->runs[i]);
    put_runs_left(r, o, "report.json");
}
