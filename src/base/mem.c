/* Memory: every allocation of the project goes through here.
 *
 * Enters: counts and sizes. Leaves: blocks, or NULL when memory ran out, the product of count and
 * size does not fit, or a test asked for a failure. It knows nothing of who asks. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* No single block may be larger; a bigger request is a bug or a hostile size. */
#define MEM_BLOCK_MAX ((size_t)PTRDIFF_MAX)
#define MEM_FIRST_CAP 8

static atomic_uint_fast64_t mem_calls;   /* allocations so far, failed ones included */
static atomic_uint_fast64_t mem_fail_at; /* the value of mem_calls that fails; 0: none */

void stall_mem_fail_at(uint64_t n)
{
    atomic_store(&mem_fail_at, n == 0 ? 0 : atomic_load(&mem_calls) + n);
}

uint64_t stall_mem_calls(void)
{
    return atomic_load(&mem_calls);
}

/* Counts a call and computes its size. False: it fails. */
static bool mem_size(size_t count, size_t size, size_t *ret)
{
    uint64_t call = atomic_fetch_add(&mem_calls, 1) + 1;

    if (call == atomic_load(&mem_fail_at))
        return false;
    if (size != 0 && count > MEM_BLOCK_MAX / size)
        return false;
    *ret = count * size;
    if (*ret == 0)
        *ret = 1;
    return true;
}

void *stall_mem_alloc(size_t count, size_t size)
{
    size_t bytes;

    return mem_size(count, size, &bytes) ? malloc(bytes) : NULL;
}

void *stall_mem_zero(size_t count, size_t size)
{
    size_t bytes;

    return mem_size(count, size, &bytes) ? calloc(1, bytes) : NULL;
}

void *stall_mem_resize(void *ptr, size_t count, size_t size)
{
    size_t bytes;

    return mem_size(count, size, &bytes) ? realloc(ptr, bytes) : NULL;
}

void stall_mem_free(void *ptr)
{
    free(ptr);
}

bool stall_mem_grow(void **ptr, size_t *cap, size_t need, size_t size)
{
    size_t want = *cap;
    void *grown;

    if (need <= *cap)
        return true;
    /* Doubling, so that appending is linear in all. */
    want = want > SIZE_MAX / 2 ? SIZE_MAX : want * 2;
    if (want < need)
        want = need;
    if (want < MEM_FIRST_CAP)
        want = MEM_FIRST_CAP;
    grown = stall_mem_resize(*ptr, want, size);
    if (grown == NULL)
        return false;
    *ptr = grown;
    *cap = want;
    return true;
}

char *stall_mem_text(const char *text, size_t len)
{
    char *copy = len < MEM_BLOCK_MAX ? stall_mem_alloc(len + 1, 1) : NULL;

    if (copy == NULL)
        return NULL;
    if (len > 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}
