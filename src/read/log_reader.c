/* Runs through a training log whose form is known.
 *
 * Enters: lines, and the form that says what a line is. Leaves: a series. A step that falls begins
 * a new segment, a step that is logged again is passed over. It must not know any framework. */
#include <string.h>

#include "read/logs.h"

#define SURE 88         /* of a form that knows a line */
#define PROBE_LINES 400 /* lines that are looked at */

typedef struct log_reader {
    const stall_log_form *form;
    stall_lines lines;
    stall_series *out;
    stall_text text; /* a line that may be changed */
    int64_t state[4];
    int64_t epoch, step, segment;     /* of the last row; STALL_UNKNOWN: none so far */
    uint64_t known, averages, spaced; /* rows known to the form; those further apart than 1 */
    uint64_t skipped, skipped_line, again, again_line;
} log_reader;

/* ---- one line ---- */

/* The line as a form takes it; len 0: nothing for it. */
static stall_status prepare(const stall_log_form *form, const char *line, size_t len,
                            stall_text *text, stall_cell *ret, bool *ret_broken,
                            stall_error *reterr)
{
    *ret = stall_cell_trim(line, len);
    *ret_broken = false;
    if (ret->len == 0)
        return STALL_OK;
    if (form->json) {
        *ret_broken = !stall_json_row(line, len, text, ret);
        if (*ret_broken)
            ret->len = 0;
    } else if (memchr(ret->text, '\033', ret->len) != NULL) {
        text->len = 0;
        stall_text_add(text, ret->text, ret->len);
        if (!text->failed)
            *ret = stall_cell_trim(text->data, stall_log_plain(text->data, text->len));
    }
    return text->failed ? stall_error_memory(reterr) : STALL_OK;
}

static uint64_t first(uint64_t *count, uint64_t before, uint64_t line)
{
    return (*count)++ == 0 ? line : before;
}

static stall_status push(log_reader *r, const stall_log_row *row, uint64_t line,
                         stall_error *reterr)
{
    stall_row out = {.step = row->step,
                     .epoch = row->epoch,
                     .wait_ns = row->wait_ns,
                     .step_ns = row->step_ns,
                     .exposed_ns = STALL_UNKNOWN,
                     .other_wait_ns = STALL_UNKNOWN,
                     .fetches = -1};

    if (row->step < 0 || row->step == STALL_UNKNOWN) {
        r->skipped_line = first(&r->skipped, r->skipped_line, line);
        return STALL_OK;
    }
    if (row->step == r->step && row->epoch == r->epoch) {
        r->again_line = first(&r->again, r->again_line, line);
        return STALL_OK;
    }
    if (r->step != STALL_UNKNOWN && row->epoch == r->epoch && row->step < r->step)
        r->segment++;
    else if (r->step != STALL_UNKNOWN && row->epoch == r->epoch && row->step - r->step > 1)
        r->spaced++;
    r->step = row->step;
    r->epoch = row->epoch;
    if (row->epoch == STALL_UNKNOWN)
        out.epoch = r->segment;
    r->averages += row->average;
    return stall_series_push(r->out, &out, reterr);
}

static stall_status take_line(log_reader *r, const stall_line *line, stall_error *reterr)
{
    stall_log_row row = {.epoch = STALL_UNKNOWN,
                         .step = STALL_UNKNOWN,
                         .wait_ns = STALL_UNKNOWN,
                         .step_ns = STALL_UNKNOWN};
    stall_cell text;
    bool broken;
    stall_status status = prepare(r->form, line->text, line->len, &r->text, &text, &broken, reterr);

    if (status == STALL_OK && broken)
        return stall_lines_broken(&r->lines, line, reterr);
    if (status != STALL_OK || text.len == 0)
        return status;
    switch (r->form->take(text, r->state, &row)) {
    case STALL_LOG_OTHER:
        return STALL_OK;
    case STALL_LOG_SKIP:
        r->known++;
        r->skipped_line = first(&r->skipped, r->skipped_line, line->number);
        return STALL_OK;
    case STALL_LOG_ROW:
        break;
    }
    r->known++;
    return push(r, &row, line->number, reterr);
}

/* ---- the whole log ---- */

static stall_status say(log_reader *r, stall_error *reterr)
{
    stall_warnings *w = &r->out->warnings;
    bool average = r->form->average || r->averages > 0 || (r->form->interval && r->spaced > 0);
    stall_status status = STALL_OK;

    r->out->aggregated = average;
    r->out->medians = r->form->median;
    r->out->sampled = !average && r->spaced > 0;
    if (r->skipped > 0)
        status = stall_warn_add_line(w, STALL_WARN_rows_skipped, r->skipped, r->skipped_line,
                                     reterr, "rows of validation or without an input wait");
    if (status == STALL_OK && r->again > 0)
        status = stall_warn_add_line(w, STALL_WARN_rows_skipped, r->again, r->again_line, reterr,
                                     "a step was logged again");
    if (status == STALL_OK && average)
        status = stall_warn_add(w, STALL_WARN_aggregated_rows, r->out->len, STALL_OFFSET_NONE,
                                reterr, "each row is %s", r->form->means);
    return status;
}

static stall_status finish(log_reader *r, stall_error *reterr)
{
    if (r->out->len == 0) {
        stall_error_set(reterr, r->known > 0 ? STALL_ENODATA : STALL_EFORMAT, STALL_OFFSET_NONE,
                        r->known > 0 ? "no row of a training step with an input wait"
                                     : "no line is of this form");
        return r->known > 0 ? STALL_ENODATA : STALL_EFORMAT;
    }
    for (size_t i = 0; r->segment == 0 && i < r->out->len && r->epoch == STALL_UNKNOWN; i++)
        r->out->rows[i].epoch = STALL_UNKNOWN; /* one segment: no epoch column */
    return say(r, reterr);
}

stall_status stall_log_read(const stall_log_form *form, stall_source *src,
                            const stall_read_options *options, stall_series *out,
                            stall_error *reterr)
{
    log_reader *r = stall_mem_zero(1, sizeof(*r));
    stall_line line;
    stall_status status;

    if (r == NULL)
        return stall_error_memory(reterr);
    r->form = form;
    r->out = out;
    r->epoch = r->step = STALL_UNKNOWN;
    out->warnings.strict = options->strict;
    stall_text_init(&r->text);
    stall_lines_open(&r->lines, src, &out->warnings);
    do {
        status = stall_lines_next(&r->lines, &line, reterr);
        if (status == STALL_OK && line.text != NULL)
            status = take_line(r, &line, reterr);
    } while (status == STALL_OK && line.text != NULL);
    if (status == STALL_OK)
        status = finish(r, reterr);
    stall_lines_close(&r->lines);
    stall_text_close(&r->text);
    stall_mem_free(r);
    return status;
}

int stall_log_probe(const stall_log_form *form, const unsigned char *head, size_t len, bool whole)
{
    size_t at = len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, end;
    stall_log_kind kind = STALL_LOG_OTHER;
    int64_t state[4] = {0};
    stall_text text;
    int ret = 0;

    stall_text_init(&text);
    for (int lines = 0; at < len && lines < PROBE_LINES && ret == 0; lines++, at = end + 1) {
        stall_log_row row = {.epoch = STALL_UNKNOWN};
        stall_cell line;
        bool broken;

        for (end = at; end < len && head[end] != '\n' && head[end] != '\r';)
            end++;
        if (end == len && !whole)
            break;
        if (prepare(form, (const char *)head + at, end - at, &text, &line, &broken, NULL) !=
            STALL_OK)
            break;
        kind = line.len > 0 ? form->take(line, state, &row) : STALL_LOG_OTHER;
        if (kind == STALL_LOG_ROW || (kind == STALL_LOG_SKIP && !form->json))
            ret = SURE;
    }
    stall_text_close(&text);
    return ret;
}
