/* What a comparison found, in sentences.
 *
 * Enters: the report with its comparison. Leaves: the verdict line, what the step time did beside
 * the wait, and what would settle an open verdict. It must not compute statistics. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define LARGE_RATIO 11 /* more than +1000 % says less than the difference in time */

/* "-98.9 %, 95 % CI -99.3 % to -98.1 %": by ratios, or by differences where a ratio has no meaning.
 */
static void put_effect(stall_text *t, const stall_effect *e)
{
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX];

    if (e->ratio < LARGE_RATIO) { /* false for NaN, too */
        stall_text_put(t, stall_words_change(a, e->ratio));
        if (!isnan(e->ratio_low) && !isnan(e->ratio_high))
            stall_text_printf(t, ", 95 %% CI %s to %s", stall_words_change(a, e->ratio_low),
                              stall_words_change(b, e->ratio_high));
        return;
    }
    stall_text_printf(t, "%s%s", e->diff > 0 ? "+" : "", stall_words_ms(a, e->diff));
    if (!isnan(e->diff_low) && !isnan(e->diff_high))
        stall_text_printf(t, ", 95 %% CI %s to %s", stall_words_ms(a, e->diff_low),
                          stall_words_ms(b, e->diff_high));
}

void stall_words_headline_compare(stall_text *t, const stall_report *r)
{
    const stall_comparison *c = &r->compare;
    const char *word = stall_verdict_term(c->verdict)->words;
    const char *confidence = stall_confidence_name(c->confidence);
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX], letter;

    for (; *word != '\0'; word++) {
        letter = (char)(*word >= 'a' && *word <= 'z' ? *word - 'a' + 'A' : *word);
        stall_text_add(t, &letter, 1);
    }
    if (confidence != NULL || r->partial)
        stall_text_printf(t, " (%s%s%s%s)", confidence ? confidence : "",
                          confidence ? " confidence" : "", confidence && r->partial ? ", " : "",
                          r->partial ? "PARTIAL input" : "");
    stall_text_put(t, ": ");
    if (!c->mean.known) {
        stall_text_put(t, "a side has no step with a known input wait");
        return;
    }
    stall_text_printf(t, "mean input wait %s -> %s per step (", stall_words_ms(a, c->side[0].mean),
                      stall_words_ms(b, c->side[1].mean));
    put_effect(t, &c->mean);
    stall_text_put(t, ")");
}

/* How often each shape occurs among several runs. */
static void put_shapes(stall_text *t, const stall_report *r)
{
    stall_words_count(t, r->runs_len, "run");
    for (int s = 0, first = 1; s <= STALL_SHAPE_INCONCLUSIVE; s++) {
        size_t n = 0;

        for (size_t i = 0; i < r->runs_len; i++)
            n += r->runs[i].analysis.shape == (stall_shape)s;
        if (n == 0)
            continue;
        stall_text_printf(t, "%s %zu %s", first ? ":" : ";", n,
                          stall_shape_term((stall_shape)s)->words);
        first = 0;
    }
    if (r->partial)
        stall_text_put(t, " (PARTIAL input)");
}

void stall_words_headline_show(stall_text *t, const stall_report *r)
{
    const stall_analysis *a = &r->runs[0].analysis;
    const char *confidence = stall_confidence_name(a->confidence);
    char buf[WORDS_FIGURE_MAX];

    if (r->runs_len > 1) {
        put_shapes(t, r);
        return;
    }
    stall_text_put(t, stall_shape_term(a->shape)->words);
    if (confidence != NULL || r->partial)
        stall_text_printf(t, " (%s%s%s%s)", confidence ? confidence : "",
                          confidence ? " confidence" : "", confidence && r->partial ? ", " : "",
                          r->partial ? "PARTIAL input" : "");
    stall_text_printf(t, ": mean input wait %s per step", stall_words_ms(buf, a->dist.mean));
    if (!isnan(a->wall_share))
        stall_text_printf(t, ", %s of the step time", stall_words_share(buf, a->wall_share));
    if (a->cadence.period > 1 &&
        (a->shape == STALL_SHAPE_HEAVY_PERIODIC || a->shape == STALL_SHAPE_HEAVY_LONG_CYCLE))
        stall_text_printf(t, "; cadence %" PRId64 " steps", a->cadence.period_steps);
}

void stall_words_step(stall_text *t, const stall_report *r)
{
    const stall_comparison *c = &r->compare;
    const stall_effect *step = &c->step, *wait = &c->mean;
    char a[WORDS_FIGURE_MAX], b[WORDS_FIGURE_MAX];
    double broken = NAN, fixed = NAN;

    if (!wait->known)
        return;
    if (!step->known) {
        stall_text_put(t, "Step times are not known on both sides, so what the waits mean for the "
                          "wall clock was not measured.");
        return;
    }
    for (size_t i = 0; i < r->metrics_len; i++)
        if (strcmp(r->metrics[i].id, "step_mean") == 0) {
            broken = r->metrics[i].broken;
            fixed = r->metrics[i].fixed;
        }
    stall_text_printf(t, "Mean step time %s -> %s (", stall_words_ms(a, broken),
                      stall_words_ms(b, fixed));
    put_effect(t, step);
    stall_text_printf(t, "): it %s by %s while the wait %s by %s", step->diff > 0 ? "rose" : "fell",
                      stall_words_ms(a, fabs(step->diff)), wait->diff > 0 ? "rose" : "fell",
                      stall_words_ms(b, fabs(wait->diff)));
    if (stall_has_why(c, STALL_WHY_step_time_not_improved))
        stall_text_put(t, ". The wait moved, but the step is not shown to be faster: the time may "
                          "have gone elsewhere");
    else if (stall_has_why(c, STALL_WHY_step_time_not_worse))
        stall_text_put(t, ". The wait grew, but the step is not shown to be slower: it may have "
                          "taken time from elsewhere");
    stall_text_put(t, ".");
}

/* ---- what would settle it ---- */

static void put_more_steps(stall_text *t, const stall_report *r, const compare_need *need)
{
    stall_text_put(t, "At least ");
    stall_words_count(t, need->steps, "more step");
    if (need->side < 0)
        stall_text_put(t, " on each side");
    else
        stall_text_printf(t, " of %s", r->side_label[need->side]);
}

static void need_for_stalls(stall_text *t, const stall_report *r, const compare_need *need)
{
    if (need->steps == 0) {
        stall_text_put(t, "A log in which the slower side shows at least 4 stalls");
        return;
    }
    put_more_steps(t, r, need);
    stall_text_put(t, need->stalls ? ", so that the slower side shows enough stalls"
                                   : ", so that stalls would have shown up there");
}

static void need_for_regime(stall_text *t, const stall_report *r)
{
    stall_text_put(t, "Longer runs of both sides in the same state (caches equally warm, host "
                      "equally busy)");
    for (size_t i = 0; i < r->runs_len; i++)
        if (r->runs[i].analysis.change.kind != STALL_CHANGE_NONE) {
            stall_text_printf(t, "; the waits of %s change at step %" PRId64, r->runs[i].label,
                              r->runs[i].analysis.change.step);
            return;
        }
}

void stall_words_need(stall_text *t, const stall_report *r, const compare_need *need)
{
    const stall_comparison *c = &r->compare;

    if (c->verdict != STALL_VERDICT_INCONCLUSIVE)
        return;
    if (stall_has_why(c, STALL_WHY_too_few_steps)) {
        put_more_steps(t, r, need);
        stall_text_put(t, " with a known wait; 32 or more let a cadence be seen");
    } else if (stall_has_why(c, STALL_WHY_passes_overlap)) {
        stall_text_put(t, "More passes of both sides in alternating order: a pass of the better "
                          "side is no better than one of the worse");
    } else if (stall_has_why(c, STALL_WHY_regime_change)) {
        need_for_regime(t, r);
    } else if (stall_has_why(c, STALL_WHY_too_few_stalls)) {
        need_for_stalls(t, r, need);
    } else if (stall_has_why(c, STALL_WHY_interval_too_wide) && need->steps == 0) {
        stall_text_put(t,
                       "No sensible number of steps: the means are too much alike for the spread "
                       "of the waits; more passes of each side would tell more");
    } else if (stall_has_why(c, STALL_WHY_interval_too_wide)) {
        put_more_steps(t, r, need);
        stall_text_put(t, ", if the difference stays what it is");
    }
    stall_text_put(t, ".");
}
