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
 * written where the library wants to write. Calls that only look (MPI_Test and its like) return soon in any case.
 *
 * MPICH over UCX yields nowhere: it asks its sockets with epoll_wait without end. There epoll_wait itself yields.
 *
 * What wraps MPI calls does so under both their names: Fortran's bindings, and recorders that are put before MPI, call the
 * PMPI_ one. */
#include <dlfcn.h>
#include <mpi.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

enum {
    WAIT_NS = 2000000, /* at most, for what makes no event, as in MPI_Init */
    LOOK_NS = 50000,
    ROUNDS_LOOKS = 16, /* in vain, see ROUNDS: with fewer those of many rounds wait; each takes a microsecond of processor */
#ifdef MPICH_VERSION
    LOOKS = 4,         /* in vain before it waits: UCX takes a few turns over what it has received and has to send */
#else
    LOOKS = 0,
#endif
    OPEN_MOST = 64     /* nonblocking collectives of which is known that they go on */
};

int sched_yield(void);

static _Thread_local int asked = -1; /* the descriptor that the event loop asked last */
static _Thread_local bool served;    /* something was ready since the last sched_yield */
static _Thread_local bool looks;     /* the program is in a call that does not wait */
static _Thread_local bool makes;     /* the program is in a call of MAKES */
static _Thread_local bool punctual;  /* this thread's timers are */
static _Thread_local MPI_Request open_ones[OPEN_MOST]; /* nonblocking collectives that go on, see ROUNDS */
static _Thread_local int n_open;
static _Thread_local int in_vain;    /* looks since anything was ready */

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    static int (*wait)(int, struct epoll_event *, int, int);
    if (!wait)
        *(void **)&wait = dlsym(RTLD_NEXT, "epoll_wait");
    const int ready = wait(fd, events, most, timeout);
    asked = fd;
    served = served || ready > 0;
#ifdef MPICH_VERSION
    if (timeout == 0)
        sched_yield();
#endif
    return ready;
}

int sched_yield(void)
{
    if (!punctual)
        punctual = prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL) == 0;
    in_vain = served ? 0 : in_vain + 1;
    if (asked >= 0 && !served && in_vain > (n_open == 0 && !makes ? LOOKS : ROUNDS_LOOKS)) {
        struct pollfd loop = {.fd = asked, .events = POLLIN};
        const struct timespec patience = {.tv_nsec = looks ? LOOK_NS : WAIT_NS};
        ppoll(&loop, 1, &patience, NULL);
    }
    served = false;
    return 0;
}

/* Where each that goes on stands among the requests of a call; -1: it does not. */
static void open_find(int n, const MPI_Request requests[], int at[])
{
    for (int k = 0; k < n_open; k++) {
        at[k] = -1;
        for (int i = 0; i < n && at[k] < 0; i++)
            at[k] = requests[i] == open_ones[k] ? i : -1;
    }
}

/* Those that the call has completed go on no longer. */
static void open_forget(const MPI_Request requests[], const int at[])
{
    int kept = 0;
    for (int k = 0; k < n_open; k++)
        if (at[k] < 0 || requests[at[k]] != MPI_REQUEST_NULL)
            open_ones[kept++] = open_ones[k];
    n_open = kept;
}

/* Begins the definition of a call under both its names; `next` is the library's. */
#define TAKEN_OVER(call, parameters, names)                                                                            \
    int PMPI_##call parameters;                                                                                        \
    int MPI_##call parameters { return PMPI_##call names; }                                                            \
    int PMPI_##call parameters                                                                                         \
    {                                                                                                                  \
        static int(*next) parameters;                                                                                  \
        if (!next)                                                                                                     \
            *(void **)&next = dlsym(RTLD_NEXT, "PMPI_" #call);

/* X(call, its parameters, their names, whether it only looks, how many requests, which) */
#define COMPLETES(X)                                                                                                   \
    X(Wait, (MPI_Request * request, MPI_Status *status), (request, status), false, 1, request)                         \
    X(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests, statuses), false, n, requests)    \
    X(Waitany, (int n, MPI_Request requests[], int *index, MPI_Status *status), (n, requests, index, status), false,   \
      n, requests)                                                                                                     \
    X(Waitsome, (int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),                      \
      (n, requests, done, indices, statuses), false, n, requests)                                                      \
    X(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), true, 1, request)         \
    X(Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]), (n, requests, flag, statuses), true, \
      n, requests)                                                                                                     \
    X(Testany, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status),                             \
      (n, requests, index, flag, status), true, n, requests)                                                           \
    X(Testsome, (int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),                      \
      (n, requests, done, indices, statuses), true, n, requests)

#define X(call, parameters, names, only_looks, count, which) \
    TAKEN_OVER(call, parameters, names)                      \
        int at[OPEN_MOST];                                   \
        open_find(count, which, at);                         \
        looks = only_looks;                                  \
        const int result = next names;                       \
        looks = false;                                       \
        open_forget(which, at);                              \
        return result;                                       \
    }
COMPLETES(X)
#undef X

TAKEN_OVER(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (source, tag, comm, flag, status))
    looks = true;
    const int result = next(source, tag, comm, flag, status);
    looks = false;
    return result;
}

/* Of a nonblocking collective a look starts at most one round, and where all of that round has come before it is over at
 * the next look, without an event. So who carries them out does not sleep before it has looked in vain for some rounds. */
#define ROUNDS(X)                                                                                                      \
    X(Ibarrier, (MPI_Comm comm, MPI_Request * request), (comm, request))                                               \
    X(Ibcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),                   \
      (data, n, type, root, comm, request))                                                                            \
    X(Igather, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype as, int root, MPI_Comm comm, \
                MPI_Request *request), (from, n, type, to, m, as, root, comm, request))                                \
    X(Igatherv, (const void *from, int n, MPI_Datatype type, void *to, const int m[], const int at[], MPI_Datatype as, \
                 int root, MPI_Comm comm, MPI_Request *request), (from, n, type, to, m, at, as, root, comm, request))  \
    X(Iscatter, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype as, int root,               \
                 MPI_Comm comm, MPI_Request *request), (from, n, type, to, m, as, root, comm, request))                \
    X(Iscatterv, (const void *from, const int n[], const int at[], MPI_Datatype type, void *to, int m,                 \
                  MPI_Datatype as, int root, MPI_Comm comm, MPI_Request *request),                                     \
      (from, n, at, type, to, m, as, root, comm, request))                                                             \
    X(Iallgather, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype as, MPI_Comm comm,        \
                   MPI_Request *request), (from, n, type, to, m, as, comm, request))                                   \
    X(Iallgatherv, (const void *from, int n, MPI_Datatype type, void *to, const int m[], const int at[],               \
                    MPI_Datatype as, MPI_Comm comm, MPI_Request *request),                                             \
      (from, n, type, to, m, at, as, comm, request))                                                                   \
    X(Ialltoall, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype as, MPI_Comm comm,         \
                  MPI_Request *request), (from, n, type, to, m, as, comm, request))                                    \
    X(Ialltoallv, (const void *from, const int n[], const int at[], MPI_Datatype type, void *to, const int m[],        \
                   const int to_at[], MPI_Datatype as, MPI_Comm comm, MPI_Request *request),                           \
      (from, n, at, type, to, m, to_at, as, comm, request))                                                            \
    X(Ireduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,              \
                MPI_Request *request), (from, to, n, type, op, root, comm, request))                                   \
    X(Iallreduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,                     \
                   MPI_Request *request), (from, to, n, type, op, comm, request))                                      \
    X(Ireduce_scatter, (const void *from, void *to, const int n[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,        \
                        MPI_Request *request), (from, to, n, type, op, comm, request))                                 \
    X(Ireduce_scatter_block, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,          \
                              MPI_Request *request), (from, to, n, type, op, comm, request))                           \
    X(Iscan, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),   \
      (from, to, n, type, op, comm, request))                                                                          \
    X(Iexscan, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request), \
      (from, to, n, type, op, comm, request))

#define X(call, parameters, names)          \
    TAKEN_OVER(call, parameters, names)     \
        const int result = next names;      \
        if (n_open < OPEN_MOST)             \
            open_ones[n_open++] = *request; \
        return result;                      \
    }
ROUNDS(X)
#undef X

/* Who makes a communicator agrees on its number in such rounds, by nonblocking collectives of the library's own. */
#define MAKES(X)                                                                                                       \
    X(Comm_dup, (MPI_Comm comm, MPI_Comm * made), (comm, made))                                                        \
    X(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm * made), (comm, info, made))                         \
    X(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))                       \
    X(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made), (comm, type, key, info, made)) \
    X(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm * made), (comm, group, made))                             \
    X(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made))          \
    X(Cart_create, (MPI_Comm comm, int n, const int extents[], const int periods[], int reorder, MPI_Comm *made),      \
      (comm, n, extents, periods, reorder, made))                                                                      \
    X(Cart_sub, (MPI_Comm comm, const int kept[], MPI_Comm *made), (comm, kept, made))                                 \
    X(Graph_create, (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm *made),         \
      (comm, n, index, edges, reorder, made))                                                                          \
    X(Dist_graph_create, (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],    \
                          const int weights[], MPI_Info info, int reorder, MPI_Comm *made),                            \
      (comm, n, sources, degrees, destinations, weights, info, reorder, made))                                         \
    X(Dist_graph_create_adjacent, (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,        \
                                   const int destinations[], const int out_weights[], MPI_Info info, int reorder,      \
                                   MPI_Comm *made),                                                                    \
      (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made))                            \
    X(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made),              \
      (comm, leader, peers, remote, tag, made))                                                                        \
    X(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))                                  \
    X(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made),                  \
      (base, size, unit, info, comm, made))                                                                            \
    X(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made),                \
      (size, unit, info, comm, base, made))

#define X(call, parameters, names)      \
    TAKEN_OVER(call, parameters, names) \
        makes = true;                   \
        const int result = next names;  \
        makes = false;                  \
        return result;                  \
    }
MAKES(X)
#undef X
