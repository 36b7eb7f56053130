/* patient.c - a sched_yield that waits for the network.
 *
 * The hosts of a virtual cluster share one machine's few processors. An MPI library that has nothing to do asks its
 * sockets again and again and yields in between; sixteen such processes on two processors delay one another by
 * milliseconds, which no real cluster does. Preloaded (LD_PRELOAD), this sched_yield sleeps until the library's event loop
 * has something to do, so that the network and not the scheduler sets the times.
 *
 * The library's event loop (libevent) waits with epoll. epoll_wait is taken over as well, only to see which descriptor this
 * thread asked and whether anything was ready there since its last sched_yield: if so, the library may have what its
 * caller waits for and must not sleep; if not, that descriptor becomes readable when a connection can be read, or
 * written where the library wants to write. */
#include <dlfcn.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

/* For what makes no event: a program that polls until a moment has come. */
enum { PATIENCE_NS = 2000000 };
/* A process that was away for longer than this does more than wait: it has work between its looks. */
enum { ABSENT_NS = 100000 };

int sched_yield(void);

static _Thread_local int asked = -1; /* the descriptor that the event loop asked last */
static _Thread_local bool served;    /* something was ready since the last sched_yield */
static _Thread_local long long left; /* when the last sched_yield returned */

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    static int (*wait)(int, struct epoll_event *, int, int);
    if (!wait)
        *(void **)&wait = dlsym(RTLD_NEXT, "epoll_wait");
    const int ready = wait(fd, events, most, timeout);
    asked = fd;
    served = served || ready > 0;
    return ready;
}

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int sched_yield(void)
{
    if (left == 0)
        prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
    if (asked >= 0 && !served && now_ns() - left <= ABSENT_NS) {
        struct pollfd loop = {.fd = asked, .events = POLLIN};
        const struct timespec patience = {.tv_nsec = PATIENCE_NS};
        ppoll(&loop, 1, &patience, NULL);
    }
    served = false;
    left = now_ns();
    return 0;
}
