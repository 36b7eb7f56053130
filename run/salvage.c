#include "run/salvage.h"

#include "common/alloc.h"
#include "common/outfile.h"
#include "engine/region.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* s, that the other ranks go on: more than rank 0 takes to write a file, less than a person waits. */
enum { OTHERS_STAY = 2 };

static const int numbers[] = {SIGINT, SIGTERM};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static struct {
    pthread_t thread;
    pthread_mutex_t mutex;          /* of what is below it */
    bool begun, is_first, written, taken, ending;
    struct results series;
    struct measured measured;       /* the runs that are over */
} salvage = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* What a signal's handler may touch. */
static volatile sig_atomic_t interrupted;
static sem_t asked;
static struct sigaction before[N_NUMBERS];

static void on_signal(int number)
{
    (void)number;
    int error = errno;
    interrupted = 1;
    sem_post(&asked);
    errno = error;
}

static void signals_take(void)
{
    for (int i = 0; i < N_NUMBERS; i++) {
        const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(numbers[i], &action, &before[i]);
        if (before[i].sa_handler == SIG_IGN)
            sigaction(numbers[i], &before[i], NULL);
    }
}

static void signals_give_back(void)
{
    for (int i = 0; i < N_NUMBERS; i++)
        sigaction(numbers[i], &before[i], NULL);
}

/* ---- writing ---- */

static enum status runs_write(struct diags *diags)
{
    const struct run_options *options = salvage.series.options;
    if (options->output)
        return results_store(&salvage.series, diags);
    if (options->quiet)
        return STATUS_OK;
    results_print(&salvage.series, stdout);
    return outfile_check(stdout, "standard output", diags);
}

static void runs_say(const char *why, struct diags *diags)
{
    const struct place at = place_of_file(salvage.series.name);
    const struct run_options *options = salvage.series.options;
    const uint32_t n = salvage.measured.n;
    if (salvage.taken)
        diag_error(diags, at, "%sall runs were complete", why);
    else if (n == 0)
        diag_error(diags, at, "%sno run was complete, and nothing is written", why);
    else
        diag_error(diags, at, "%s%u of %u runs %s complete%s%s%s", why, n, options->runs, n == 1 ? "was" : "were",
                   options->output ? ", and written to " : "", options->output ? options->output : "",
                   options->profile ? "; their profile is lost" : "");
}

/* With the mutex. */
static void write_once(const char *why)
{
    struct diags diags = DIAGS_EMPTY;
    enum status status = STATUS_OK;
    if (!salvage.begun || !salvage.is_first || salvage.written)
        return;
    salvage.written = true;
    if (salvage.measured.n > 0 && !salvage.taken)
        status = runs_write(&diags);
    if (status == STATUS_OK)
        runs_say(why, &diags);
    diags_print(&diags, stderr);
    diags_free(&diags);
}

static void *wait_for_signal(void *nothing)
{
    (void)nothing;
    bool ending = false;
    while (!ending) {
        while (sem_wait(&asked) != 0)
            ;
        pthread_mutex_lock(&salvage.mutex);
        ending = salvage.ending;
        if (interrupted && !salvage.is_first)
            sleep(OTHERS_STAY);
        if (interrupted) {
            write_once("interrupted: ");
            _exit(status_exit_code(STATUS_INTERRUPTED));
        }
        pthread_mutex_unlock(&salvage.mutex);
    }
    return NULL;
}

/* ---- the series ---- */

void salvage_begin(int rank, const struct results *series)
{
    salvage.series = *series;
    salvage.series.measured = &salvage.measured;
    salvage.is_first = rank == 0;
    salvage.written = salvage.taken = salvage.ending = false;
    const size_t n = rank == 0 ? series->options->runs : 0;
    salvage.measured.n = 0;
    salvage.measured.seconds = alloc_array(n, sizeof *salvage.measured.seconds);
    salvage.measured.regions = alloc_array(n * region_numbers(series->program), sizeof *salvage.measured.regions);
    sem_init(&asked, 0, 0);
    salvage.begun = pthread_create(&salvage.thread, NULL, wait_for_signal, NULL) == 0;
    if (salvage.begun)
        signals_take();
}

void salvage_run(double seconds, const double regions[])
{
    const size_t n_regions = region_numbers(salvage.series.program);
    struct measured *measured = &salvage.measured;
    pthread_mutex_lock(&salvage.mutex);
    measured->seconds[measured->n] = seconds;
    if (n_regions > 0)
        memcpy(measured->regions + measured->n * n_regions, regions, n_regions * sizeof *regions);
    measured->n++;
    pthread_mutex_unlock(&salvage.mutex);
}

void salvage_now(void)
{
    pthread_mutex_lock(&salvage.mutex);
    write_once("");
    pthread_mutex_unlock(&salvage.mutex);
}

void salvage_take(void)
{
    pthread_mutex_lock(&salvage.mutex);
    salvage.taken = true;
}

void salvage_end(void)
{
    if (!salvage.taken)
        pthread_mutex_lock(&salvage.mutex);
    salvage.ending = true;
    pthread_mutex_unlock(&salvage.mutex);
    if (salvage.begun) {
        signals_give_back(); /* first: the thread looks once more for one that has come */
        sem_post(&asked);
        pthread_join(salvage.thread, NULL);
        sem_destroy(&asked);
    }
    measured_free(&salvage.measured);
    salvage.begun = salvage.taken = false;
}
