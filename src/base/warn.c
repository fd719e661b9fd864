/* Warnings: counts what did not stop the work, at most one entry a code.
 *
 * Enters: a code, a count, where it was first, and words. Leaves: the list of a run, in the order
 * of the codes, and whether something may be missing. What the codes mean to people stands in
 * warn_terms.c. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

static const struct {
    bool partial, strict;
} codes[] = {
#define X(name, partial, strict) {partial, strict},
    STALL_WARNING_CODES(X)
#undef X
};

/* What one call adds. */
typedef struct finding {
    uint64_t count, offset, line;
} finding;

const stall_warning *stall_warn_find(const stall_warnings *w, stall_warn_code code)
{
    for (size_t i = 0; i < w->len; i++)
        if (w->items[i].code == code)
            return &w->items[i];
    return NULL;
}

/* The entry of a code, made (count 0) at its place in the order when there is none. */
static stall_warning *find_or_insert(stall_warnings *w, stall_warn_code code)
{
    size_t i = 0;

    while (i < w->len && w->items[i].code < code)
        i++;
    if (i == w->len || w->items[i].code != code) {
        memmove(&w->items[i + 1], &w->items[i], (w->len - i) * sizeof(w->items[0]));
        memset(&w->items[i], 0, sizeof(w->items[i]));
        w->items[i].code = code;
        w->items[i].offset = w->items[i].line = STALL_OFFSET_NONE;
        w->len++;
    }
    return &w->items[i];
}

static stall_status warn_add(stall_warnings *w, stall_warn_code code, const finding *f,
                             stall_error *reterr, const char *fmt, va_list args)
{
    stall_warning *item;
    char raw[512];
    int len;

    assert((unsigned)code < STALL_WARN_COUNT);
    if (f->count == 0)
        return STALL_OK;
    item = find_or_insert(w, code);
    /* The first of its kind tells the story; an earlier place found later takes over. "Not known"
     * is the largest number, so it never does. */
    if (item->count == 0 || f->offset < item->offset || f->line < item->line) {
        len = vsnprintf(raw, sizeof(raw), fmt, args);
        if (len <= 0)
            len = snprintf(raw, sizeof(raw), "%s", stall_warn_term(code)->words);
        if ((size_t)len >= sizeof(raw))
            len = (int)sizeof(raw) - 1;
        stall_text_printable(item->text, sizeof(item->text), raw, (size_t)len);
        item->offset = f->offset;
        item->line = f->line;
    }
    item->count = f->count > UINT64_MAX - item->count ? UINT64_MAX : item->count + f->count;
    if (codes[code].partial)
        w->partial = true;
    if (!w->strict || !codes[code].strict)
        return STALL_OK;
    stall_error_set(reterr, STALL_EFORMAT, f->offset, "%s", item->text);
    stall_error_hint(reterr, "without --strict this is the warning %s and the work goes on",
                     stall_warn_name(code));
    if (reterr != NULL)
        reterr->line = f->line;
    return STALL_EFORMAT;
}

stall_status stall_warn_add(stall_warnings *w, stall_warn_code code, uint64_t count,
                            uint64_t offset, stall_error *reterr, const char *fmt, ...)
{
    finding f = {count, offset, STALL_OFFSET_NONE};
    stall_status status;
    va_list args;

    va_start(args, fmt);
    status = warn_add(w, code, &f, reterr, fmt, args);
    va_end(args);
    return status;
}

stall_status stall_warn_add_line(stall_warnings *w, stall_warn_code code, uint64_t count,
                                 uint64_t line, stall_error *reterr, const char *fmt, ...)
{
    finding f = {count, STALL_OFFSET_NONE, line};
    stall_status status;
    va_list args;

    va_start(args, fmt);
    status = warn_add(w, code, &f, reterr, fmt, args);
    va_end(args);
    return status;
}

void stall_warn_merge(stall_warnings *into, const stall_warnings *from, const char *name)
{
    char raw[512];

    for (size_t i = 0; i < from->len; i++) {
        const stall_warning *f = &from->items[i];
        stall_warning *item = find_or_insert(into, f->code);

        if (item->count == 0) {
            int len = snprintf(raw, sizeof(raw), "%s: %s", name, f->text);

            len = len < 0 ? 0 : (size_t)len < sizeof(raw) ? len : (int)sizeof(raw) - 1;
            stall_text_printable(item->text, sizeof(item->text), raw, (size_t)len);
            item->offset = f->offset;
            item->line = f->line;
        }
        item->count = f->count > UINT64_MAX - item->count ? UINT64_MAX : item->count + f->count;
    }
    into->partial |= from->partial;
}
