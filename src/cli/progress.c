/* The progress bar on stderr. Enters: the bytes that every input has read, from whichever thread.
 * Leaves: one bar over all of them. Must not know what is read. */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define DRAW_AFTER 1.0 /* seconds: nobody needs a bar for less */
#define DRAW_EVERY 0.1

/* There is one terminal, so there is one bar. */
static struct {
    pthread_mutex_t lock;
    bool on;
    uint64_t done, total; /* total 0: not known */
    double start, shown;  /* seconds; shown: when it was last drawn, 0: never */
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void draw(double spent)
{
    enum { WIDTH = 30 };
    double rate = (double)bar.done / spent;
    char text[WIDTH + 1];

    if (bar.total > 0 && bar.done <= bar.total) {
        size_t full = (size_t)((double)bar.done / (double)bar.total * WIDTH);
        memset(text, '-', WIDTH);
        memset(text, '#', full);
        text[WIDTH] = '\0';
        fprintf(stderr, "\r[%s] %3d %% %6.0f MB/s %4.0f s left ", text,
                (int)(100 * (double)bar.done / (double)bar.total), rate / 1e6,
                (double)(bar.total - bar.done) / (rate > 0 ? rate : 1));
    } else {
        fprintf(stderr, "\r%.0f MB %6.0f MB/s ", (double)bar.done / 1e6, rate / 1e6);
    }
    fflush(stderr);
}

void cli_progress_begin(bool on, uint64_t total)
{
    pthread_mutex_lock(&bar.lock);
    bar.on = on && isatty(STDERR_FILENO);
    bar.done = 0;
    bar.total = total;
    bar.start = now();
    bar.shown = 0;
    pthread_mutex_unlock(&bar.lock);
}

void cli_progress_end(void)
{
    pthread_mutex_lock(&bar.lock);
    if (bar.shown > 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    bar.on = false;
    pthread_mutex_unlock(&bar.lock);
}

void cli_progress_count(void *ctx, uint64_t bytes)
{
    (void)ctx;
    pthread_mutex_lock(&bar.lock);
    if (bar.on) {
        double t = now();
        bar.done += bytes;
        if (t - bar.start >= DRAW_AFTER && t - bar.shown >= DRAW_EVERY) {
            draw(t - bar.start);
            bar.shown = t;
        }
    }
    pthread_mutex_unlock(&bar.lock);
}
