/* Runs of bytes that need no look each: plain string text, blanks, digits.
 *
 * Text: SSE2 where the compiler has it, else eight bytes at a time in a register; same results.
 * Blanks and digits come in short runs of few lengths, which a processor predicts: looking at many
 * at once only adds latency there (measured: a third slower). */
#ifndef STALL_JSON_SKIP_H
#define STALL_JSON_SKIP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(STALL_JSON_PORTABLE)
#define JSON_SSE2 1
#include <emmintrin.h>
#else
#define JSON_SSE2 0
#endif

static inline bool json_plain_byte(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

#if JSON_SSE2
/* One bit a byte: set where the byte is no plain string text. */
static inline unsigned json_mask_special(const unsigned char *p)
{
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    /* Signed: bytes beyond ASCII are below the blank too. */
    const __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
    const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    const __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));

    return (unsigned)_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, slash)));
}
#else
#define JSON_ONES UINT64_C(0x0101010101010101)
#define JSON_HIGHS UINT64_C(0x8080808080808080)

/* Nonzero when a byte of the eight is no plain string text: beyond ASCII, below the blank, a quote
 * or a backslash ("haszero" and "hasless" of Anderson's bit twiddling hacks). */
static inline uint64_t json_mask_special(const unsigned char *p)
{
    uint64_t v, q, s;

    memcpy(&v, p, sizeof(v));
    q = v ^ (JSON_ONES * '"');
    s = v ^ (JSON_ONES * '\\');
    return (v | ((v - JSON_ONES * 0x20) & ~v) | ((q - JSON_ONES) & ~q) | ((s - JSON_ONES) & ~s)) &
           JSON_HIGHS;
}
#endif

static inline const unsigned char *json_skip_plain(const unsigned char *p, const unsigned char *end)
{
#if JSON_SSE2
    while (end - p >= 16) {
        unsigned bits = json_mask_special(p);
        if (bits != 0)
            return p + __builtin_ctz(bits);
        p += 16;
    }
#else
    while (end - p >= 8 && json_mask_special(p) == 0)
        p += 8;
#endif
    while (p < end && json_plain_byte(*p))
        p++;
    return p;
}

static inline const unsigned char *json_skip_blanks(const unsigned char *p,
                                                    const unsigned char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

static inline const unsigned char *json_skip_digits(const unsigned char *p,
                                                    const unsigned char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

#endif
