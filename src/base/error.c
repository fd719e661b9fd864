/* Errors: fills the one stall_error of the caller.
 *
 * Enters: printf arguments, in which text of the input may stand. Leaves: printable UTF-8 cut to
 * fit. It must not print or decide anything. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Formats into dst as printable text. */
static void print_into(char *dst, size_t dst_size, const char *fmt, va_list args)
{
    char raw[1024];
    int len = vsnprintf(raw, sizeof(raw), fmt, args);

    if (len < 0)
        len = 0;
    stall_text_printable(dst, dst_size, raw,
                         (size_t)len < sizeof(raw) ? (size_t)len : sizeof(raw) - 1);
}

stall_status stall_error_set(stall_error *reterr, stall_status status, uint64_t offset,
                             const char *fmt, ...)
{
    va_list args;

    if (reterr == NULL)
        return status;
    reterr->status = status;
    reterr->sys_errno = 0;
    reterr->offset = offset;
    reterr->line = STALL_OFFSET_NONE;
    reterr->source[0] = '\0';
    reterr->hint[0] = '\0';
    va_start(args, fmt);
    print_into(reterr->text, sizeof(reterr->text), fmt, args);
    va_end(args);
    return status;
}

void stall_error_hint(stall_error *reterr, const char *fmt, ...)
{
    va_list args;

    if (reterr == NULL)
        return;
    va_start(args, fmt);
    print_into(reterr->hint, sizeof(reterr->hint), fmt, args);
    va_end(args);
}

void stall_error_source(stall_error *reterr, const char *source)
{
    if (reterr == NULL)
        return;
    if (source == NULL)
        source = "";
    stall_text_printable(reterr->source, sizeof(reterr->source), source, strlen(source));
}

stall_status stall_error_memory(stall_error *reterr)
{
    stall_status status = stall_error_set(reterr, STALL_ENOMEM, STALL_OFFSET_NONE, "out of memory");

    stall_error_hint(reterr, "free memory or use a machine with more of it");
    return status;
}
