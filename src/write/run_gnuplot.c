/* Running gnuplot on a script of ours.
 *
 * Enters: the program, a folder and a script. Leaves: whether it worked. No shell, nothing on the
 * terminal, no settings of the user, and an end after a number of seconds. It must not know what
 * is drawn. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "write/write.h"

#define NAP_FIRST 1000000L /* ns between two looks at the child, doubled up to the last */
#define NAP_LAST 32000000L

/* A text that is only read; posix_spawn wants it without const. */
static char *plain(const char *text)
{
    union {
        const char *from;
        char *to;
    } u = {text};

    return u.to;
}

static bool start(const char *gnuplot, int fd, const char *script, pid_t *ret)
{
    char *argv[] = {plain("gnuplot"), plain("-d"), plain(script), NULL};
    char *env[] = {plain("PATH=/usr/bin:/bin"), plain("LC_ALL=C.UTF-8"), plain("HOME=/nonexistent"),
                   plain("SOURCE_DATE_EPOCH=0"), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none;
    bool ok = false;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawnattr_init(&attr) != 0)
        goto out;
    sigemptyset(&none);
    ok = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawn_file_actions_addfchdir_np(&actions, fd) == 0 &&
         posix_spawnattr_setsigmask(&attr, &none) == 0 &&
         posix_spawnattr_setpgroup(&attr, 0) == 0 &&
         posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP) == 0 &&
         posix_spawn(ret, gnuplot, &actions, &attr, argv, env) == 0;
    posix_spawnattr_destroy(&attr);
out:
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool stall_gnuplot_run(const char *gnuplot, int fd, const char *script, int limit,
                       bool (*stopped)(void))
{
    struct timespec nap = {0, NAP_FIRST};
    double end = seconds() + limit;
    pid_t pid, got;
    int state = 0;

    if (!start(gnuplot, fd, script, &pid))
        return false;
    for (;;) {
        got = waitpid(pid, &state, WNOHANG);
        if (got == pid)
            return WIFEXITED(state) && WEXITSTATUS(state) == 0;
        if (got < 0 && errno != EINTR)
            return errno == ECHILD; /* it ended, and someone ignores SIGCHLD: look at its file */
        if (seconds() >= end || (stopped != NULL && stopped()))
            break;
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < NAP_LAST)
            nap.tv_nsec *= 2;
    }
    kill(-pid, SIGKILL); /* its group, in case it is a script that started the real one */
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
        continue;
    return false;
}
