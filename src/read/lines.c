/* Lines: cuts an input into lines.
 *
 * Enters: chunks of bytes of any size. Leaves: one line after the other, numbered from 1, ended by
 * LF, CR or CR LF; a byte order mark at the start is dropped. It must not know what lines mean. */
#include <string.h>

#include "read/table.h"

void stall_lines_open(stall_lines *l, stall_source *src, stall_warnings *warnings)
{
    memset(l, 0, sizeof(*l));
    l->src = src;
    l->warnings = warnings;
    stall_text_init(&l->spill);
}

void stall_lines_close(stall_lines *l)
{
    stall_text_close(&l->spill);
}

static stall_status too_long(const stall_lines *l, stall_error *reterr)
{
    stall_error_set(reterr, STALL_ELIMIT, STALL_OFFSET_NONE, "line longer than %u bytes",
                    STALL_LINE_MAX);
    stall_error_hint(reterr, "a log has one step a line; is this another kind of file?");
    if (reterr != NULL)
        reterr->line = l->number + 1;
    return STALL_ELIMIT;
}

/* Fetches the next chunk; at the end asks the transport what it lost. */
static stall_status refill(stall_lines *l, stall_error *reterr)
{
    stall_status status = l->src->next(l->src->ctx, &l->chunk, &l->chunk_len, reterr);

    l->at = 0;
    if (status != STALL_OK || l->chunk_len > 0)
        return status;
    l->ended = true;
    if (l->src->finish != NULL)
        status = l->src->finish(l->src->ctx, l->warnings, &l->cut, reterr);
    return status;
}

/* Length of the line at l->at within the chunk; the chunk's rest when it does not end there. */
static size_t line_length(const stall_lines *l)
{
    size_t i = l->at;

    while (i < l->chunk_len && l->chunk[i] != '\n' && l->chunk[i] != '\r')
        i++;
    return i - l->at;
}

static stall_status drop_mark(stall_lines *l, stall_line *line, stall_error *reterr)
{
    if (line->number != 1 || line->len < 3 || memcmp(line->text, "\xef\xbb\xbf", 3) != 0)
        return STALL_OK;
    line->text += 3;
    line->len -= 3;
    return stall_warn_add(l->warnings, STALL_WARN_bom, 1, 0, reterr, "byte order mark");
}

/* Gives what stands in the spill, or in the chunk, as a line. */
static stall_status give(stall_lines *l, size_t len, bool whole, stall_line *ret,
                         stall_error *reterr)
{
    ret->whole = whole;
    ret->number = ++l->number;
    if (l->spill.len > 0) {
        ret->text = l->spill.data;
        ret->len = l->spill.len;
        l->spill.len = 0; /* the bytes stay until the next call */
    } else {
        ret->text = (const char *)l->chunk + l->at;
        ret->len = len;
    }
    return drop_mark(l, ret, reterr);
}

stall_status stall_lines_next(stall_lines *l, stall_line *ret, stall_error *reterr)
{
    stall_status status;
    size_t len, at;

    memset(ret, 0, sizeof(*ret));
    for (;;) {
        if (l->at == l->chunk_len) {
            status = l->ended ? STALL_OK : refill(l, reterr);
            if (status != STALL_OK)
                return status;
            if (l->ended)
                return l->spill.len > 0 ? give(l, 0, false, ret, reterr) : STALL_OK;
        }
        if (l->after_cr && l->chunk[l->at] == '\n') {
            l->after_cr = false;
            l->at++;
            continue;
        }
        l->after_cr = false;
        len = line_length(l);
        if (l->spill.len + len > STALL_LINE_MAX)
            return too_long(l, reterr);
        if (l->spill.len > 0 || l->at + len == l->chunk_len)
            stall_text_add(&l->spill, (const char *)l->chunk + l->at, len);
        if (l->spill.failed)
            return stall_error_memory(reterr);
        if (l->at + len == l->chunk_len) { /* goes on in the next chunk */
            l->at = l->chunk_len;
            continue;
        }
        status = give(l, len, true, ret, reterr);
        at = l->at + len;
        l->after_cr = l->chunk[at] == '\r';
        l->at = at + 1;
        return status;
    }
}

/* Not a message that somebody printed between the rows, but what is left of one. */
static bool looks_like_row(stall_cell text)
{
    return text.len > 0 && (text.text[0] == '{' || text.text[text.len - 1] == '}' ||
                            memmem(text.text, text.len, "\":", 2) != NULL);
}

stall_status stall_lines_broken(const stall_lines *l, const stall_line *line, stall_error *reterr)
{
    stall_cell text = stall_cell_trim(line->text, line->len);
    stall_warn_code code = STALL_WARN_rows_skipped;
    const char *what = "no JSON object stands here";

    if (!line->whole && l->cut) /* the transport has said so */
        return STALL_OK;
    if (!line->whole && text.len > 0 && text.text[0] == '{') {
        code = STALL_WARN_truncated;
        what = "the last row is cut short";
    } else if (looks_like_row(text)) {
        code = STALL_WARN_events_lost;
        what = "a row that is no valid JSON";
    } else if (memchr(text.text, '\0', text.len) != NULL) {
        code = STALL_WARN_events_lost;
        what = "zero bytes stand here";
    }
    return stall_warn_add_line(l->warnings, code, 1, line->number, reterr, "%s", what);
}
