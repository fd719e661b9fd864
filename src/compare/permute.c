/* Could the labels of the sides be exchanged? Permutation test over blocks of steps.
 *
 * Enters: the samples of both sides. Leaves: the p-value of the difference of the means. Percentile
 * intervals of a heavy-tailed mean are too narrow when few stalls carry it; this test is not. It
 * must not know what is decided with it. */
#include <math.h>
#include <stdlib.h>

#include "compare/compare.h"

typedef struct chunk {
    double sum;
    size_t n;
} chunk;

typedef struct ticket { /* the random number of a block */
    uint64_t z;
    size_t at;
} ticket;

typedef struct deck {
    chunk *chunks;
    ticket *tickets; /* of one replicate, in block order */
    ticket *border;  /* those of the bucket in which the border lies */
    uint32_t *bucket;
    size_t len, buckets;
    size_t first; /* blocks of the worse side */
    double sum;   /* of all chunks */
    size_t n;
} deck;

static size_t count_chunks(const compare_side *s, size_t block)
{
    size_t ret = 0;

    for (size_t p = 0; p < s->len; p++)
        ret += (s->passes[p].n + block - 1) / block;
    return ret;
}

static void cut(deck *d, const compare_side *s, size_t block)
{
    for (size_t p = 0; p < s->len; p++)
        for (size_t i = 0; i < s->passes[p].n; i += block) {
            size_t left = s->passes[p].n - i, n = left < block ? left : block;

            d->chunks[d->len++] = (chunk){stall_sum_of(s->passes[p].wait + i, n), n};
        }
}

static int by_ticket(const void *a, const void *b)
{
    const ticket *x = a, *y = b;

    if (x->z != y->z)
        return x->z < y->z ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Draws a number for every block; those with the `first` smallest numbers (of equals the earlier)
 * play the worse side. Returns the difference of the two means. Counting by the leading bits finds
 * the border without sorting everything. */
static double shuffle(deck *d, uint64_t *state)
{
    size_t b, taken = 0, edge = 0, n = 0;
    double sum = 0, other = 0;

    for (b = 0; b < d->buckets; b++)
        d->bucket[b] = 0;
    for (size_t i = 0; i < d->len; i++) {
        d->tickets[i] = (ticket){stall_random_next(state) >> 11, i};
        d->bucket[(size_t)((double)d->tickets[i].z * 0x1p-53 * (double)d->buckets)]++;
    }
    for (b = 0; b < d->buckets && taken + d->bucket[b] <= d->first; b++)
        taken += d->bucket[b];
    for (size_t i = 0; i < d->len; i++) {
        size_t at = (size_t)((double)d->tickets[i].z * 0x1p-53 * (double)d->buckets);

        if (at < b) {
            sum += d->chunks[i].sum;
            n += d->chunks[i].n;
        } else if (at == b) {
            d->border[edge++] = d->tickets[i];
        } else {
            other += d->chunks[i].sum;
        }
    }
    qsort(d->border, edge, sizeof(*d->border), by_ticket);
    for (size_t i = 0; i < edge; i++) {
        const chunk *c = &d->chunks[d->border[i].at];

        if (taken + i < d->first) {
            sum += c->sum;
            n += c->n;
        } else {
            other += c->sum;
        }
    }
    return sum / (double)n - other / (double)(d->n - n);
}

stall_status stall_permute(const compare_side *worse, const compare_side *better, double *ret_p,
                           stall_error *reterr)
{
    deck d = {0};
    size_t shortest = worse->shortest < better->shortest ? worse->shortest : better->shortest;
    size_t block = stall_block_length(shortest), len, hits = 0;
    double seen = fabs(worse->mean - better->mean) * (1 - 1e-12);
    uint64_t state = COMPARE_SEED + 1;
    stall_status status = STALL_OK;

    len = count_chunks(worse, block) + count_chunks(better, block);
    d.buckets = len;
    d.chunks = stall_mem_alloc(len, sizeof(*d.chunks));
    d.tickets = stall_mem_alloc(len, sizeof(*d.tickets));
    d.border = stall_mem_alloc(len, sizeof(*d.border));
    d.bucket = stall_mem_alloc(d.buckets, sizeof(*d.bucket));
    if (d.chunks == NULL || d.tickets == NULL || d.border == NULL || d.bucket == NULL) {
        status = stall_error_memory(reterr);
        goto out;
    }
    cut(&d, worse, block);
    d.first = d.len;
    cut(&d, better, block);
    d.n = worse->n + better->n;
    for (size_t r = 0; r < COMPARE_REPLICATES; r++)
        hits += fabs(shuffle(&d, &state)) >= seen;
    *ret_p = (double)(1 + hits) / (COMPARE_REPLICATES + 1);
out:
    stall_mem_free(d.chunks);
    stall_mem_free(d.tickets);
    stall_mem_free(d.border);
    stall_mem_free(d.bucket);
    return status;
}
