#include "cli/interrupt.h"

#include <stddef.h>
#include <time.h>

/* The only mutable variables of file scope here: a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;
static struct timespec first_at;

/* Launchers and timeout(1) send a signal twice, to the process and to its group: within this it is still the first. */
static const double same_signal = 0.2; /* s */

static void on_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!interrupted) {
        first_at = now;
        interrupted = 1;
        return;
    }
    double since = (double)(now.tv_sec - first_at.tv_sec) + 1e-9 * (double)(now.tv_nsec - first_at.tv_nsec);
    if (since > same_signal) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void fill_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

const volatile sig_atomic_t *interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    fill_signals(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

void interrupt_hold(void)
{
    sigset_t set;
    fill_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

void interrupt_release(void)
{
    sigset_t set;
    fill_signals(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}
