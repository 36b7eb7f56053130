#include "clock/clock.h"

#include "clock/clock_impl.h"
#include "clock/share.h"
#include "common/alloc.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

/* Disturbed by others, a conversation goes on for up to PATIENCE times its time, until one round trip was nearly as
 * quick as the quickest ever: within a quarter, or within the SLOWER_NS that caches and a busy sibling core cost. */
enum { PATIENCE = 10, SLOWER_NS = 500 };

size_t clock_ask(const struct clock *clock, int other, int64_t time_ns, struct clock_trip trips[])
{
    size_t n = 0;
    int64_t start = clock_now(clock), sent = start, last = 0, least = INT64_MAX;
    int64_t quick = clock->floor > 0 ? 2 * clock->floor + clock->floor / 2 + SLOWER_NS : INT64_MAX;
    while (!last) {
        int64_t remote, spent = sent - start;
        if (n == MOST_TRIPS - 1 && least > quick)
            n = 0;
        last = n == MOST_TRIPS - 1 ||
               (n + 1 >= LEAST_TRIPS && spent >= time_ns && (least <= quick || spent >= PATIENCE * time_ns));
        MPI_Send(&last, 1, MPI_INT64_T, other, TAG_ASK, clock->comm);
        MPI_Recv(&remote, 1, MPI_INT64_T, other, TAG_ANSWER, clock->comm, MPI_STATUS_IGNORE);
        int64_t received = clock_now(clock);
        trips[n++] = (struct clock_trip){sent, remote, received};
        least = received - sent < least ? received - sent : least;
        sent = received;
    }
    return n;
}

void clock_answer(const struct clock *clock, int other)
{
    int64_t last = 0;
    while (!last) {
        MPI_Recv(&last, 1, MPI_INT64_T, other, TAG_ASK, clock->comm, MPI_STATUS_IGNORE);
        int64_t now = clock_now(clock);
        MPI_Send(&now, 1, MPI_INT64_T, other, TAG_ANSWER, clock->comm);
    }
}

/* The matches that one synchronisation finds on the way to the parent, and the room for the round trips. */
enum { PASSES_MOST = 2 };
struct pass {
    struct clock_match matches[PASSES_MOST];
    int n;
    struct clock_trip *trips;
};

cpu_set_t clock_stay(int *core)
{
    cpu_set_t before, here;
    CPU_ZERO(&here);
    *core = sched_getcpu();
    if (sched_getaffinity(0, sizeof before, &before) != 0)
        return here;
    CPU_SET((unsigned)*core, &here);
    sched_setaffinity(0, sizeof here, &here);
    return before;
}

cpu_set_t clock_leave(int core)
{
    cpu_set_t before, others;
    CPU_ZERO(&before);
    if (sched_getaffinity(0, sizeof before, &before) != 0)
        return before;
    others = before;
    CPU_CLR((unsigned)core, &others);
    if (CPU_COUNT(&others) > 0)
        sched_setaffinity(0, sizeof others, &others);
    return before;
}

void clock_restore(const cpu_set_t *before)
{
    if (CPU_COUNT(before) > 0)
        sched_setaffinity(0, sizeof *before, before);
}

/* One pass: every leader talks with its parent, from the root outwards. The others have neither parent nor children. */
static void pass_run(struct clock *clock, struct pass *pass, int64_t time_ns)
{
    const struct clock_tree *tree = &clock->tree;
    int core = 0;
    if (tree->parent >= 0) {
        share_receive(clock->comm, &core, sizeof core, tree->parent, TAG_GO);
        cpu_set_t before = clock_leave(core);
        size_t n = clock_ask(clock, tree->parent, time_ns, pass->trips);
        clock_restore(&before);
        pass->matches[pass->n++] = clock_fit(n, pass->trips);
    }
    for (int i = 0; i < tree->n_children; i++) {
        cpu_set_t before = clock_stay(&core);
        MPI_Send(&core, sizeof core, MPI_BYTE, tree->children[i], TAG_GO, clock->comm);
        clock_answer(clock, tree->children[i]);
        clock_restore(&before);
        if (tree->is_serial)
            share_receive(clock->comm, &core, sizeof core, tree->children[i], TAG_DONE);
    }
    if (tree->parent >= 0 && tree->is_serial)
        MPI_Send(&core, sizeof core, MPI_BYTE, tree->parent, TAG_DONE, clock->comm);
}

/* After a pass: the least half-interval with the parent; between processes of one machine that is the same for all. A
 * machine may become slower for long, and every conversation would then use up its patience: so the floor rises again,
 * by a quarter at most. */
static void floor_adapt(struct clock *clock, const struct pass *pass)
{
    int64_t least = INT64_MAX, most = clock->floor > 0 ? clock->floor + clock->floor / 4 : INT64_MAX;
    for (int k = 0; k < pass->n; k++)
        least = pass->matches[k].half < least ? pass->matches[k].half : least;
    if (clock->tree.is_serial)
        least = share_minimum(clock->comm, least);
    if (least < INT64_MAX)
        clock->floor = least < most ? least : most;
}

/* What a conversation adds to clock_bound. */
static int64_t match_bound(const struct clock *clock, const struct clock_match *match)
{
    const double half = (double)match->half, excess = fmin(CLOCK_EXCESS * (double)match->slack, half);
    return llround(ceil(hypot(CLOCK_ASYMMETRY * (half - excess), excess) + clock->granularity_ns));
}

/* From the parent's local times to global ones, root first: so drift in the parent's clock is known when it is used. */
static void resolve_own(struct clock *clock, const struct pass *pass)
{
    int parent = clock->tree.parent, bytes = (int)sizeof(struct clock_knot) * pass->n;
    struct clock_knot knots[PASSES_MOST];
    for (int k = 0; k < pass->n; k++)
        knots[k] = (struct clock_knot){.local = pass->matches[k].remote};
    MPI_Send(knots, bytes, MPI_BYTE, parent, TAG_KNOTS, clock->comm);
    share_receive(clock->comm, knots, bytes, parent, TAG_KNOTS);
    for (int k = 0; k < pass->n; k++) {
        const struct clock_match *match = &pass->matches[k];
        clock_map_add(&clock->map, (struct clock_knot){match->local, knots[k].global,
                                                       knots[k].bound + match_bound(clock, match),
                                                       knots[k].limit + match->half});
    }
}

static void resolve_child(const struct clock *clock, int child)
{
    struct clock_knot knots[PASSES_MOST];
    MPI_Status status;
    MPI_Request request;
    int bytes;
    MPI_Irecv(knots, sizeof knots, MPI_BYTE, child, TAG_KNOTS, clock->comm, &request);
    share_wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    for (int k = 0; k < bytes / (int)sizeof *knots; k++) {
        int64_t local = knots[k].local;
        knots[k] = (struct clock_knot){local, clock_global(clock, local), clock_bound(clock, local),
                                       clock_limit(clock, local)};
    }
    MPI_Send(knots, bytes, MPI_BYTE, child, TAG_KNOTS, clock->comm);
}

static void pass_resolve(struct clock *clock, const struct pass *pass)
{
    if (clock->tree.parent >= 0)
        resolve_own(clock, pass);
    for (int i = 0; i < clock->tree.n_children; i++)
        resolve_child(clock, clock->tree.children[i]);
}

/* The leader's new knots, to the others of its host. */
static void host_share(struct clock *clock, size_t n_old)
{
    int64_t n = (int64_t)clock->map.n - (int64_t)n_old;
    share_broadcast(clock->host, &n, sizeof n, 0);
    struct clock_knot knots[PASSES_MOST];
    for (int64_t k = 0; k < n && clock->tree.is_leader; k++)
        knots[k] = clock->map.knots[n_old + (size_t)k];
    share_broadcast(clock->host, knots, (int)n * (int)sizeof *knots, 0);
    for (int64_t k = 0; k < n && !clock->tree.is_leader; k++)
        clock_map_add(&clock->map, knots[k]);
}

/* What telling all ranks takes, by telling them the time; the same number on all ranks. */
static void notice_measure(struct clock *clock)
{
    enum { TIMES = 5 };
    struct samples times = SAMPLES_EMPTY;
    for (int i = 0; i < TIMES; i++) {
        share_barrier(clock->comm);
        int64_t told = clock_global(clock, clock_now(clock));
        clock_announce(clock, clock->comm, &told, sizeof told);
        int64_t took = clock_global(clock, clock_now(clock)) - told;
        MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_INT64_T, MPI_MAX, clock->comm);
        samples_add(&times, took);
    }
    samples_sort(&times);
    clock->notice_ns = samples_quantile(&times, 0.5);
    samples_free(&times);
}

void clock_sync(struct clock *clock)
{
    struct pass pass = {.trips = alloc_array(MOST_TRIPS, sizeof *pass.trips)};
    int64_t begin = clock_raw(clock), budget = (int64_t)(clock->sync_time * 1e9);
    int turns = clock->tree.n_turns > 0 ? clock->tree.n_turns : 1;
    bool is_first = clock->n_syncs++ == 0;
    share_barrier(clock->comm);
    if (is_first) { /* connects, and learns how quick a conversation can be */
        pass_run(clock, &pass, budget / 5 / turns);
        floor_adapt(clock, &pass);
        pass.n = 0;
    }
    /* The first time two, the second in the last part of the budget, so that the drift is known at once. */
    for (int k = 0; k < (is_first ? PASSES_MOST : 1); k++) {
        int64_t left = k == 0 ? 0 : begin + budget * 7 / 10 - clock_raw(clock);
        if (left > 0)
            nanosleep(&(struct timespec){left / 1000000000, left % 1000000000}, NULL);
        pass_run(clock, &pass, budget * 3 / 10 / turns);
        floor_adapt(clock, &pass);
    }
    size_t n_old = clock->map.n;
    pass_resolve(clock, &pass);
    host_share(clock, n_old);
    notice_measure(clock);
    free(pass.trips);
}
