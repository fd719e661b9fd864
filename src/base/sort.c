/* Sorting of doubles: radix sort by bytes, which for a million waits is several times as fast as a
 * sort by comparison.
 *
 * Enters: an array without NaN. Leaves: the same, ascending. Without memory for a copy it falls
 * back to qsort, so it cannot fail. It must not know what the numbers are. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define SORT_SMALL 512 /* below: qsort */
#define BYTES 8

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* A key that orders as the number does: all bits turned for negative numbers, else the sign. */
static uint64_t key_of(uint64_t bits)
{
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t bits_of(uint64_t key)
{
    return key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
}

void stall_sort(double *v, size_t n)
{
    uint64_t *a = NULL, *b = NULL, *swap, bits;
    size_t(*count)[256] = NULL;

    if (n >= SORT_SMALL) {
        a = stall_mem_alloc(n, sizeof(*a));
        b = stall_mem_alloc(n, sizeof(*b));
        count = stall_mem_zero(BYTES, sizeof(*count));
    }
    if (a == NULL || b == NULL || count == NULL) {
        if (n > 1)
            qsort(v, n, sizeof(*v), by_value);
        goto out;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &v[i], sizeof(bits));
        a[i] = key_of(bits);
        for (int k = 0; k < BYTES; k++)
            count[k][a[i] >> (8 * k) & 255]++;
    }
    for (int k = 0; k < BYTES; k++) {
        size_t place = 0, c;

        if (count[k][a[0] >> (8 * k) & 255] == n)
            continue; /* this byte is the same in all */
        for (int d = 0; d < 256; d++) {
            c = count[k][d];
            count[k][d] = place;
            place += c;
        }
        for (size_t i = 0; i < n; i++)
            b[count[k][a[i] >> (8 * k) & 255]++] = a[i];
        swap = a;
        a = b;
        b = swap;
    }
    for (size_t i = 0; i < n; i++) {
        bits = bits_of(a[i]);
        memcpy(&v[i], &bits, sizeof(bits));
    }
out:
    stall_mem_free(a);
    stall_mem_free(b);
    stall_mem_free(count);
}
