/* Arena: many small texts and structs that are freed together.
 *
 * Enters: sizes and printf arguments. Leaves: aligned blocks that live until the arena is closed.
 * It knows nothing of what is kept in it. */
#include <stdalign.h>
#include <stdio.h>

#include "base/base.h"

#define ARENA_BLOCK 8192 /* bytes of an ordinary block; larger requests get one of their own */

struct stall_arena_block {
    struct stall_arena_block *next;
    size_t used, size; /* bytes of data[] */
    alignas(max_align_t) unsigned char data[];
};

void stall_arena_init(stall_arena *a)
{
    a->blocks = NULL;
}

void stall_arena_close(stall_arena *a)
{
    struct stall_arena_block *b, *next;

    for (b = a->blocks; b != NULL; b = next) {
        next = b->next;
        stall_mem_free(b);
    }
    a->blocks = NULL;
}

void *stall_arena_alloc(stall_arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    struct stall_arena_block *b = a->blocks;
    size_t room;
    void *ret;

    if (size > PTRDIFF_MAX - sizeof(*b) - align)
        return NULL;
    size = size == 0 ? align : (size + align - 1) / align * align;
    if (b == NULL || b->size - b->used < size) {
        room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        b = stall_mem_alloc(1, sizeof(*b) + room);
        if (b == NULL)
            return NULL;
        b->used = 0;
        b->size = room;
        if (a->blocks != NULL && size > ARENA_BLOCK) { /* keep the half-used block in front */
            b->next = a->blocks->next;
            a->blocks->next = b;
        } else {
            b->next = a->blocks;
            a->blocks = b;
        }
    }
    ret = b->data + b->used;
    b->used += size;
    return ret;
}

char *stall_arena_printf(stall_arena *a, const char *fmt, ...)
{
    va_list args;
    char *ret = NULL;
    int len;

    va_start(args, fmt);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        return NULL;
    ret = stall_arena_alloc(a, (size_t)len + 1);
    if (ret == NULL)
        return NULL;
    va_start(args, fmt);
    vsnprintf(ret, (size_t)len + 1, fmt, args);
    va_end(args);
    return ret;
}
