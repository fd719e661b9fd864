/* TraceML up to 0.2.2: one file an event, one row a call.
 *
 * Enters: the file of the fetches and, where it is there, that of the step envelope, in JSON lines
 * or in framed records. Leaves: rows of a run, joined on the step. The time stamp of such a row is
 * the end of its event, so only the envelope's tell when a step ended. It must not know where the
 * files lay, nor how rows become a series. */
#include <string.h>

#include "read/table.h"
#include "read/traceml.h"

/* A source that gives its first chunk again. */
typedef struct peeked {
    stall_source *from;
    const unsigned char *data;
    size_t len;
} peeked;

/* The rows of one file, one a (launch, step). */
typedef struct event_file {
    stall_traceml_run rows; /* seq becomes the launch */
    const char *event;
    uint64_t others; /* rows of other tables */
} event_file;

static stall_status peeked_next(void *ctx, const unsigned char **ret_data, size_t *ret_len,
                                stall_error *reterr)
{
    peeked *p = ctx;

    *ret_data = p->data;
    *ret_len = p->len;
    p->data = NULL;
    return *ret_data ? STALL_OK : p->from->next(p->from->ctx, ret_data, ret_len, reterr);
}

static stall_status peeked_finish(void *ctx, stall_warnings *warnings, bool *ret_cut,
                                  stall_error *reterr)
{
    peeked *p = ctx;

    *ret_cut = false;
    return p->from->finish ? p->from->finish(p->from->ctx, warnings, ret_cut, reterr) : STALL_OK;
}

/* Takes one record. *ret_broken: it is none. */
static stall_status take(event_file *f, const void *data, size_t len, bool *ret_broken,
                         stall_error *reterr)
{
    stall_traceml_record record;
    stall_traceml_kind kind = stall_traceml_record_read(data, len, &record);
    stall_traceml_device device = {STALL_UNKNOWN, record.duration_ns, 1, record.is_gpu};

    *ret_broken = kind == STALL_RECORD_BROKEN;
    if (kind == STALL_RECORD_EVENT && record.row.step >= 0) {
        stall_traceml_row_event(&record.row, f->event, strlen(f->event), &device, 1);
        return stall_traceml_run_push(&f->rows, &record.row, reterr);
    }
    f->others += !*ret_broken;
    return STALL_OK;
}

static stall_status read_frames(event_file *f, stall_source *src, stall_warnings *warnings,
                                stall_error *reterr)
{
    stall_frames frames;
    stall_frame frame;
    stall_status status;
    bool broken;

    stall_frames_open(&frames, src, warnings);
    do {
        status = stall_frames_next(&frames, &frame, reterr);
        if (status != STALL_OK || frame.data == NULL)
            break;
        status = take(f, frame.data, frame.len, &broken, reterr);
        if (status == STALL_OK && broken)
            status = stall_frames_broken(&frames, &frame, reterr);
    } while (status == STALL_OK);
    stall_frames_close(&frames);
    return status;
}

static stall_status read_lines(event_file *f, stall_source *src, stall_warnings *warnings,
                               stall_error *reterr)
{
    stall_lines lines;
    stall_line line;
    stall_status status;
    stall_cell text;
    bool broken;

    stall_lines_open(&lines, src, warnings);
    do {
        status = stall_lines_next(&lines, &line, reterr);
        if (status != STALL_OK || line.text == NULL)
            break;
        text = stall_cell_trim(line.text, line.len);
        broken = text.len > 0 && text.text[0] != '{';
        if (text.len > 0 && !broken)
            status = take(f, text.text, text.len, &broken, reterr);
        if (status != STALL_OK || !broken || (!line.whole && lines.cut))
            continue;
        status = stall_warn_add_line(
            warnings, line.whole ? STALL_WARN_events_lost : STALL_WARN_truncated, 1, line.number,
            reterr, "%s",
            line.whole ? "a row that is no JSON object" : "the last row is cut short");
    } while (status == STALL_OK);
    stall_lines_close(&lines);
    return status;
}

/* Adds a later row of the same step: fetches add up, of envelopes the first one counts. */
static void add_row(stall_traceml_row *sum, const stall_traceml_row *row)
{
    if (!sum->fetched)
        return;
    sum->calls++;
    if (row->wait_ns == STALL_UNKNOWN ||
        (sum->wait_ns != STALL_UNKNOWN &&
         __builtin_add_overflow(sum->wait_ns, row->wait_ns, &sum->wait_ns)))
        sum->wait_ns = STALL_UNKNOWN;
}

/* Numbers the launches and unites the rows of a step. */
static void fold(stall_traceml_run *run)
{
    int64_t launch = 0, seq = STALL_UNKNOWN;
    stall_traceml_row *last = NULL;
    size_t to = 0;

    for (size_t i = 0; i < run->len; i++) {
        stall_traceml_row row = run->rows[i];
        bool tick_fell = row.seq != STALL_UNKNOWN && seq != STALL_UNKNOWN && row.seq < seq;

        if (last != NULL && (row.step < last->step || tick_fell))
            launch++;
        seq = row.seq;
        row.seq = launch;
        if (last != NULL && last->seq == launch && last->step == row.step) {
            add_row(last, &row);
            continue;
        }
        last = &run->rows[to++];
        *last = row;
    }
    run->len = to;
}

static stall_status read_file(event_file *f, stall_source *src, stall_warnings *warnings,
                              stall_error *reterr)
{
    peeked p = {.from = src};
    stall_source again = {&p, peeked_next, peeked_finish, src->name, NULL};
    stall_status status = src->next(src->ctx, &p.data, &p.len, reterr);
    bool text;

    if (status != STALL_OK)
        return status;
    text = p.len > 0 && memchr("{\xef \t\r\n", p.data[0], 6) != NULL;
    status =
        text ? read_lines(f, &again, warnings, reterr) : read_frames(f, &again, warnings, reterr);
    if (status == STALL_OK && f->rows.len == 0) {
        stall_error_set(reterr, f->others > 0 ? STALL_ENODATA : STALL_EFORMAT, STALL_OFFSET_NONE,
                        f->others > 0 ? "its rows tell of no event of a step"
                                      : "no row of it can be read");
        status = f->others > 0 ? STALL_ENODATA : STALL_EFORMAT;
    }
    if (status == STALL_OK && f->others > 0)
        status = stall_warn_add(warnings, STALL_WARN_rows_skipped, f->others, STALL_OFFSET_NONE,
                                reterr, "a row that tells of no event of a step");
    if (status != STALL_OK && reterr != NULL && reterr->source[0] == '\0' && src->name != NULL)
        stall_error_source(reterr, src->name);
    fold(&f->rows);
    return status;
}

/* Adds what the envelope tells of the same step. */
static void join(stall_traceml_row *row, const stall_traceml_row *envelope)
{
    row->stamp_ns = envelope->stamp_ns;
    row->stamp_ps = envelope->stamp_ps;
    row->traced_ns = envelope->traced_ns;
    row->phases += envelope->phases;
}

static int64_t launches(const stall_traceml_run *run)
{
    return run->len > 0 ? run->rows[run->len - 1].seq + 1 : 0;
}

static bool comes_before(const stall_traceml_row *a, const stall_traceml_row *b)
{
    return a->seq != b->seq ? a->seq < b->seq : a->step < b->step;
}

/* Walks both files by launch and step. In the result the tick falls where a launch begins. */
static stall_status unite(const stall_traceml_run *waits, const stall_traceml_run *steps,
                          int64_t rank, stall_traceml_run *run, stall_error *reterr)
{
    /* With other launches in it, the file of the envelope cannot be told to be of this run. */
    size_t steps_len = launches(waits) == launches(steps) ? steps->len : 0, i = 0, k = 0;
    stall_status status = STALL_OK;

    while (status == STALL_OK && (i < waits->len || k < steps_len)) {
        stall_traceml_row row;

        if (i == waits->len || (k < steps_len && comes_before(&steps->rows[k], &waits->rows[i]))) {
            row = steps->rows[k++];
        } else {
            row = waits->rows[i++];
            row.stamp_ns = STALL_UNKNOWN; /* the end of a fetch, not of the step */
            row.stamp_ps = 0;
            if (k < steps_len && !comes_before(&row, &steps->rows[k]))
                join(&row, &steps->rows[k++]);
        }
        row.rank = rank;
        row.seq = -row.seq;
        status = stall_traceml_run_push(run, &row, reterr);
    }
    return status;
}

stall_status stall_traceml_legacy_rows(stall_source *waits, stall_source *steps, int64_t rank,
                                       stall_traceml_run *run, stall_warnings *warnings,
                                       stall_error *reterr)
{
    event_file fetch = {.event = STALL_TRACEML_WAIT}, envelope = {.event = STALL_TRACEML_STEP};
    stall_status status = read_file(&fetch, waits, warnings, reterr);

    if (status == STALL_OK && steps != NULL)
        status = read_file(&envelope, steps, warnings, reterr);
    if (status == STALL_OK)
        status = unite(&fetch.rows, &envelope.rows, rank, run, reterr);
    stall_traceml_run_close(&fetch.rows);
    stall_traceml_run_close(&envelope.rows);
    return status;
}
