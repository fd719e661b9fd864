/* All runs of the command line, several at a time. Enters: the runs and the number of threads.
 * Leaves: their series; warnings and the error come in the order of the command line, whatever
 * ended first. Must not know formats or statistics. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* What the threads share. */
typedef struct crew {
    const cli_options *options;
    stall_run_options run;
    stall_series *series; /* each belongs to whoever took its run */
    pthread_mutex_t lock; /* of all that follows */
    size_t next;          /* the first run that nobody took */
    size_t failed;        /* the first run that failed, or the number of runs */
    stall_status status;
    stall_error error; /* of that run */
} crew;

int cli_cpus(void)
{
    cpu_set_t set;
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        n = CPU_COUNT(&set);
    }
    return n < 1 ? 1 : n > CLI_JOBS_MAX ? CLI_JOBS_MAX : (int)n;
}

/* Takes a run and reads it, until there is none or one before it has failed. */
static void *read_runs(void *ctx)
{
    crew *c = ctx;
    const cli_options *o = c->options;
    stall_error error;
    stall_status status;
    size_t i;

    pthread_mutex_lock(&c->lock);
    while (c->next < o->runs_len && c->next < c->failed) {
        i = c->next++;
        pthread_mutex_unlock(&c->lock);
        error = (stall_error){0};
        status = stall_run_load(o->runs[i].path, &c->run, &c->series[i], &error);
        pthread_mutex_lock(&c->lock);
        if (status != STALL_OK && i < c->failed) {
            c->failed = i;
            c->status = status;
            c->error = error;
        }
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Runs n threads, this one included, or as many as the system gives. */
static void run_crew(crew *c, size_t n)
{
    pthread_t threads[CLI_JOBS_MAX];
    size_t started = 0;
    sigset_t all, before;

    sigfillset(&all); /* signals are for this thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started + 1 < n && pthread_create(&threads[started], NULL, read_runs, c) == 0) {
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    read_runs(c);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Bytes of all runs, or 0 when that is not known. */
static uint64_t total_size(const cli_options *o)
{
    uint64_t total = 0;
    struct stat st;

    for (size_t i = 0; i < o->runs_len; i++) {
        if (strcmp(o->runs[i].path, "-") == 0 || stat(o->runs[i].path, &st) != 0 ||
            !S_ISREG(st.st_mode)) {
            return 0;
        }
        total += (uint64_t)st.st_size;
    }
    return total;
}

stall_status cli_load_all(const cli_options *o, stall_series *series, bool only_partial,
                          stall_error *reterr)
{
    crew c = {.options = o, .series = series, .failed = o->runs_len, .status = STALL_OK};
    size_t n = o->jobs < 1 ? 1 : (size_t)o->jobs;

    if (n > o->runs_len) {
        n = o->runs_len;
    }
    c.run = (stall_run_options){
        .read = &o->read, .threads = n > 0 && o->jobs / (int)n > 1, .count = cli_progress_count};
    pthread_mutex_init(&c.lock, NULL);
    cli_progress_begin(!o->quiet, total_size(o));
    run_crew(&c, n);
    cli_progress_end();
    pthread_mutex_destroy(&c.lock);
    for (size_t i = 0; i < c.failed; i++) {
        cli_print_warnings(stderr, &series[i], only_partial);
    }
    if (c.status != STALL_OK) {
        *reterr = c.error;
    }
    return c.status;
}
