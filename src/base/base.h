/* What every stage stands on: memory, text, exact decimal times, error filling. libc only. */
#ifndef STALL_BASE_H
#define STALL_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stalldiff/error.h"
#include "stalldiff/series.h" /* STALL_UNKNOWN only */

#if defined(__GNUC__)
#define STALL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define STALL_PRINTF(fmt, args)
#endif

/* ---- mem.c: the only place that allocates ---- */

/* As malloc, calloc, realloc and free, but size 0 gives a valid block, products are checked, and a
 * test may make the n-th call fail. NULL on failure. */
void *stall_mem_alloc(size_t count, size_t size);
void *stall_mem_zero(size_t count, size_t size);
void *stall_mem_resize(void *ptr, size_t count, size_t size);
void stall_mem_free(void *ptr);
/* Makes room for `need` elements in a growable array: *ptr with *cap elements of `size` bytes.
 * On failure the array is untouched and false is returned. */
bool stall_mem_grow(void **ptr, size_t *cap, size_t need, size_t size);
/* Copies len bytes and adds a NUL. NULL on failure. */
char *stall_mem_text(const char *text, size_t len);
/* For tests: the n-th allocation from now on fails (0: none), and the number of calls so far. */
void stall_mem_fail_at(uint64_t n);
uint64_t stall_mem_calls(void);

/* Many small texts with one life. */
typedef struct stall_arena {
    struct stall_arena_block *blocks;
} stall_arena;
void stall_arena_init(stall_arena *a);
void *stall_arena_alloc(stall_arena *a, size_t size); /* aligned; NULL on failure */
char *stall_arena_printf(stall_arena *a, const char *fmt, ...) STALL_PRINTF(2, 3);
void stall_arena_close(stall_arena *a);

/* ---- text.c: growable text, printable text, numbers without a locale ---- */

typedef struct stall_text {
    char *data; /* NUL-terminated once anything was added */
    size_t len, cap;
    bool failed; /* memory ran out: sticky; the text is then incomplete */
} stall_text;
void stall_text_init(stall_text *t);
void stall_text_close(stall_text *t);
void stall_text_add(stall_text *t, const char *bytes, size_t len);
void stall_text_put(stall_text *t, const char *cstring);
void stall_text_printf(stall_text *t, const char *fmt, ...) STALL_PRINTF(2, 3);

/* Copies src to dst (dst_size >= 5 bytes) as printable UTF-8: control bytes, DEL, C1 controls and
 * bidi controls become \xNN, invalid UTF-8 bytes too; cut at a character when too long, with "..."
 * as its end. Always NUL-terminated. Returns the length. */
size_t stall_text_printable(char *dst, size_t dst_size, const char *src, size_t len);
/* Length in bytes of the UTF-8 character at s (1..4), or 0 when invalid. */
size_t stall_utf8_length(const unsigned char *s, size_t len);
/* Shortest decimal that reads back to the same double, '.' in every locale; "nan", "inf" as C. */
#define STALL_DOUBLE_MAX 32
const char *stall_double_text(char buf[STALL_DOUBLE_MAX], double v);
/* printf with one %.*f / %.*g argument, '.' in every locale. */
const char *stall_fixed_text(char buf[64], double v, int decimals);
/* Nanoseconds as milliseconds with 6 decimals: exact. "" for STALL_UNKNOWN. */
const char *stall_ms_text(char buf[STALL_DOUBLE_MAX], int64_t ns);

/* ---- decimal.c: exact numbers from text ---- */

/* Parses a whole decimal text ([+-]digits[.digits][e[+-]digits], no blanks) times 10^exp10 into an
 * int64_t, the rest rounded half to even. False: not a number of that form, or out of range.
 * Microseconds to nanoseconds is exp10 = 3, milliseconds 6, seconds 9. */
bool stall_decimal_parse(const char *text, size_t len, int exp10, int64_t *ret);
/* The same grammar into a double, independent of the locale. False: not of that form. */
bool stall_decimal_double(const char *text, size_t len, double *ret);

/* ---- sum.c, sort.c: arrays of doubles ---- */

/* Sum with Neumaier's compensation (1974): keeps what rounding drops, alike on every machine. */
typedef struct stall_sum {
    double sum, rest;
} stall_sum;
void stall_sum_add(stall_sum *s, double v);
double stall_sum_value(const stall_sum *s);
double stall_sum_of(const double *v, size_t n);
/* Ascending; no NaN. Takes memory for a copy where it can, and never fails. */
void stall_sort(double *v, size_t n);

/* ---- error.c ---- */

/* Fills *reterr (may be NULL) and returns `status`. Source and hint are cleared. */
stall_status stall_error_set(stall_error *reterr, stall_status status, uint64_t offset,
                             const char *fmt, ...) STALL_PRINTF(4, 5);
/* Adds to a filled error. Both may be called with reterr NULL. */
void stall_error_hint(stall_error *reterr, const char *fmt, ...) STALL_PRINTF(2, 3);
void stall_error_source(stall_error *reterr, const char *source);
/* "out of memory", STALL_ENOMEM. */
stall_status stall_error_memory(stall_error *reterr);

/* ---- warn.c ---- */

/* Counts a warning `count` times; the first text and offset of a code stay, but the lowest offset
 * wins when offsets are known. Sets w->partial by the code. Returns STALL_OK, or, when w->strict
 * and the code is damage, STALL_EFORMAT with *reterr filled. */
stall_status stall_warn_add(stall_warnings *w, stall_warn_code code, uint64_t count,
                            uint64_t offset, stall_error *reterr, const char *fmt, ...)
    STALL_PRINTF(6, 7);
/* The same for line formats. */
stall_status stall_warn_add_line(stall_warnings *w, stall_warn_code code, uint64_t count,
                                 uint64_t line, stall_error *reterr, const char *fmt, ...)
    STALL_PRINTF(6, 7);
/* The entry of a code, or NULL. */
const stall_warning *stall_warn_find(const stall_warnings *w, stall_warn_code code);
/* Adds the warnings of a part of a run; where an entry is new its text names the part. */
void stall_warn_merge(stall_warnings *into, const stall_warnings *from, const char *name);

#endif
