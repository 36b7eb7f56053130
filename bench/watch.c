#include "bench/watch.h"

#include "common/alloc.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct watch {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int rank;
    bool ending;
    const char *doing;        /* NULL: nothing */
    struct timespec deadline; /* CLOCK_MONOTONIC */
};

static bool has_passed(const struct timespec *deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static void *watch_run(void *argument)
{
    struct watch *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->ending) {
        if (!watch->doing) {
            pthread_cond_wait(&watch->changed, &watch->mutex);
        } else if (has_passed(&watch->deadline)) {
            fprintf(stderr, "pevpm-bench: error: rank %d: no answer while %s: a process or the network has failed\n",
                    watch->rank, watch->doing);
            _exit(4);
        } else {
            struct timespec deadline = watch->deadline;
            pthread_cond_timedwait(&watch->changed, &watch->mutex, &deadline);
        }
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

struct watch *watch_create(int rank)
{
    struct watch *watch = alloc_zeroed(1, sizeof *watch);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&watch->mutex, NULL);
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
    clock_gettime(CLOCK_MONOTONIC, &watch->deadline);
    watch->deadline.tv_sec += (time_t)seconds + 1 + WATCH_GRACE;
    bool asleep = !watch->doing;
    watch->doing = doing;
    if (asleep) /* else it looks at the new deadline when the old one comes */
        pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->mutex);
}
