/* Decompression on a thread of its own, ahead of who reads.
 *
 * Enters: a codec, its state and the file, which are the thread's from the start to the stop.
 * Leaves: the chunks that the codec makes, in their order, through a few fixed buffers; so memory
 * does not grow, however slow the reader is. It must not know codecs or formats. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "input/input.h"

#define PUMP_BUFFERS 3 /* one is read, one is made, one lies between */

typedef struct pump_chunk {
    unsigned char *plain; /* STALL_PLAIN_BUFFER bytes */
    size_t len;
    uint64_t read;       /* bytes of the file read when it was made */
    stall_damage damage; /* found so far */
} pump_chunk;

struct stall_pump {
    const stall_codec *codec;
    void *state;
    stall_file *file;
    size_t size; /* most bytes of a chunk */
    pthread_t thread;
    int wake[2]; /* a pipe: its end is closed to wake the thread from a read */
    pthread_mutex_t lock;
    /* Below: under the lock. A chunk itself belongs to one side at a time. */
    pthread_cond_t made_more, freed_more;
    pump_chunk chunks[PUMP_BUFFERS];
    uint64_t made, taken, freed; /* chunks so far; freed is taken, or one less */
    bool ended;                  /* the last chunk that was made is empty, or an error */
    bool stopping;
    stall_status status; /* that ended it */
    stall_error error;
};

/* ---- the thread ---- */

/* Waits for a free chunk. NULL: stop. */
static pump_chunk *wait_free(stall_pump *p)
{
    pump_chunk *ret = NULL;

    pthread_mutex_lock(&p->lock);
    while (p->made - p->freed == PUMP_BUFFERS && !p->stopping)
        pthread_cond_wait(&p->freed_more, &p->lock);
    if (!p->stopping)
        ret = &p->chunks[p->made % PUMP_BUFFERS];
    pthread_mutex_unlock(&p->lock);
    return ret;
}

static void *pump_run(void *ctx)
{
    stall_pump *p = ctx;
    stall_damage damage = {0};
    stall_error error = {0};
    stall_status status = STALL_OK;
    pump_chunk *c = NULL;

    do {
        c = wait_free(p);
        if (c == NULL)
            break;
        status = p->codec->decode(p->state, p->file, c->plain, p->size, &c->len, &damage, &error);
        if (status != STALL_OK)
            c->len = 0;
        c->read = p->file->read;
        c->damage = damage;
        pthread_mutex_lock(&p->lock);
        p->made++;
        if (c->len == 0) {
            p->ended = true;
            p->status = status;
            p->error = error;
        }
        pthread_cond_signal(&p->made_more);
        pthread_mutex_unlock(&p->lock);
    } while (c->len > 0);
    return NULL;
}

/* Starts the thread with every signal blocked: they are for the threads of the caller. */
static bool start_thread(stall_pump *p)
{
    sigset_t all, before;
    bool ok;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    ok = pthread_create(&p->thread, NULL, pump_run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* ---- the reader's side ---- */

static void pump_free(stall_pump *p)
{
    p->file->wake = -1;
    for (int i = 0; i < 2; i++)
        if (p->wake[i] >= 0)
            (void)close(p->wake[i]);
    for (size_t i = 0; i < PUMP_BUFFERS; i++)
        stall_mem_free(p->chunks[i].plain);
    pthread_cond_destroy(&p->made_more);
    pthread_cond_destroy(&p->freed_more);
    pthread_mutex_destroy(&p->lock);
    stall_mem_free(p);
}

stall_pump *stall_pump_start(const stall_codec *codec, void *state, stall_file *f, size_t size)
{
    stall_pump *p = stall_mem_zero(1, sizeof(*p));
    bool ok = true;

    if (p == NULL)
        return NULL;
    p->codec = codec;
    p->state = state;
    p->file = f;
    p->size = size;
    p->wake[0] = p->wake[1] = -1;
    pthread_mutex_init(&p->lock, NULL); /* none of the three can fail on Linux */
    pthread_cond_init(&p->made_more, NULL);
    pthread_cond_init(&p->freed_more, NULL);
    for (size_t i = 0; i < PUMP_BUFFERS; i++) {
        p->chunks[i].plain = stall_mem_alloc(STALL_PLAIN_BUFFER, 1);
        ok = ok && p->chunks[i].plain != NULL;
    }
    if (ok && f->total == 0) { /* a read of what is no regular file may take for ever */
        ok = pipe2(p->wake, O_CLOEXEC) == 0;
        f->wake = p->wake[0];
    }
    if (ok && start_thread(p))
        return p;
    pump_free(p);
    return NULL;
}

stall_status stall_pump_next(stall_pump *p, const unsigned char **ret_data, size_t *ret_len,
                             uint64_t *ret_read, stall_damage *damage, stall_error *reterr)
{
    const pump_chunk *c;
    stall_status status = STALL_OK;

    pthread_mutex_lock(&p->lock);
    if (p->freed < p->taken && !(p->ended && p->taken == p->made)) {
        p->freed++;
        pthread_cond_signal(&p->freed_more);
    }
    while (p->made == p->taken && !p->ended)
        pthread_cond_wait(&p->made_more, &p->lock);
    if (p->taken < p->made)
        p->taken++;
    c = &p->chunks[(p->taken - 1) % PUMP_BUFFERS];
    if (c->len == 0) {
        status = p->status;
        if (status != STALL_OK && reterr != NULL)
            *reterr = p->error;
    }
    pthread_mutex_unlock(&p->lock);
    *ret_data = c->plain;
    *ret_len = c->len;
    *ret_read = c->read;
    if (c->damage.found)
        *damage = c->damage;
    return status;
}

void stall_pump_stop(stall_pump *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_signal(&p->freed_more);
    pthread_mutex_unlock(&p->lock);
    if (p->wake[1] >= 0) {
        (void)close(p->wake[1]);
        p->wake[1] = -1;
    }
    pthread_join(p->thread, NULL);
    pump_free(p);
}
