/* The vocabulary of warnings: the stable name, the words and the help of each code.
 *
 * Enters: a code. Leaves: constant text. */
#include <assert.h>

#include "base/base.h"

#define TERM(name, words, help) [STALL_WARN_##name] = {#name, words, help}

static const stall_term terms[STALL_WARN_COUNT] = {
#define X(name, partial, strict) TERM(name, #name, #name),
    STALL_WARNING_CODES(X)
#undef X
};

const char *stall_warn_name(stall_warn_code code)
{
    return stall_warn_term(code)->code;
}

const stall_term *stall_warn_term(stall_warn_code code)
{
    assert((unsigned)code < STALL_WARN_COUNT);
    return &terms[code];
}
