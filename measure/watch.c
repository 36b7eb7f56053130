#include "measure/watch.h"

#include "common/alloc.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How often the watch looks, and by how much it may itself be late, s. */
static const double LOOK = 1, LATE = 0.5;
/* So that others, whose time is up at the same moment, can say where they are, s. */
enum { LINGER = 2 };

struct watch {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const char *tool;
    int rank;
    watch_say *say;           /* NULL: the usual message */
    void *context;            /* of say */
    void (*last)(void);       /* NULL: nothing */
    bool ending;
    const char *doing;        /* NULL: nothing */
    double deadline;          /* s, CLOCK_MONOTONIC */
};

static double now_read(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Sleeps until the deadline, or for LOOK. One that wakes late was stopped, or had no processor; the step that it
 * watches had none either, so that time does not count. */
static void watch_sleep(struct watch *watch)
{
    const double wake = fmin(watch->deadline, now_read() + LOOK), second = floor(wake);
    const struct timespec until = {(time_t)second, (long)((wake - second) * 1e9)};
    pthread_cond_timedwait(&watch->changed, &watch->mutex, &until);
    const double late = now_read() - wake;
    if (late > LATE)
        watch->deadline += late;
}

static _Noreturn void expire(const struct watch *watch)
{
    int code = 4;
    if (watch->say)
        code = watch->say(watch->context);
    else
        fprintf(stderr, "%s: error: rank %d: no answer while %s: a process or the network has failed\n", watch->tool,
                watch->rank, watch->doing);
    if (watch->last)
        watch->last();
    fflush(stderr);
    if (watch->say)
        sleep(LINGER);
    _exit(code);
}

static void *watch_run(void *argument)
{
    struct watch *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->ending) {
        if (!watch->doing) {
            pthread_cond_wait(&watch->changed, &watch->mutex);
        } else if (now_read() >= watch->deadline) {
            expire(watch);
        } else {
            watch_sleep(watch);
        }
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

struct watch *watch_create(const char *tool, int rank)
{
    struct watch *watch = alloc_zeroed(1, sizeof *watch);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&watch->mutex, NULL);
    watch->tool = tool;
    watch->rank = rank;
    if (pthread_create(&watch->thread, NULL, watch_run, watch) == 0)
        return watch;
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->mutex);
    free(watch);
    return NULL;
}

void watch_destroy(struct watch *watch)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->mutex);
    watch->ending = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->mutex);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->mutex);
    free(watch);
}

void watch_set(struct watch *watch, double seconds, const char *doing)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->mutex);
    watch->deadline = now_read() + seconds + WATCH_GRACE;
    bool asleep = !watch->doing;
    watch->doing = doing;
    if (asleep) /* else it looks at the new deadline when it next wakes */
        pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->mutex);
}

void watch_instead(struct watch *watch, watch_say *say, void *context)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->mutex);
    watch->say = say;
    watch->context = context;
    pthread_mutex_unlock(&watch->mutex);
}

void watch_last(struct watch *watch, void (*last)(void))
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->mutex);
    watch->last = last;
    pthread_mutex_unlock(&watch->mutex);
}
