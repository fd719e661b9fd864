/* peak COMMAND...: runs a command and prints its peak resident set in KiB and its wall time in
 * seconds to stderr. A small process of its own, because a child inherits the peak of its parent. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec a, b;
    struct rusage usage;
    int status;

    if (argc < 2) {
        fputs("usage: peak COMMAND...\n", stderr);
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &a);
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
        perror("peak");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    fprintf(stderr, "%ld %.3f\n", usage.ru_maxrss,
            (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
