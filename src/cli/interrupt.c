/* SIGINT, SIGTERM and SIGHUP while files are written. Enters: the signals. Leaves: a flag that
 * those who write look at, so that nothing unfinished stays behind; then the signal has its way.
 * Must not know what is written. */
#include <signal.h>

#include "cli/cli.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static volatile sig_atomic_t caught; /* the first signal that came, or 0 */
static struct sigaction before[NUMBERS];

static void on_signal(int number)
{
    if (caught == 0) {
        caught = number;
    }
}

void cli_hold_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: waits end */

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < NUMBERS; i++) {
        sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) { /* as under nohup */
            sigaction(numbers[i], &action, NULL);
        }
    }
}

bool cli_stopped(void)
{
    return caught != 0;
}

void cli_release_signals(void)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        sigaction(numbers[i], &before[i], NULL);
    }
    if (caught != 0) {
        raise(caught);
    }
}
