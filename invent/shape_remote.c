/* One-sided operations. A window is the phase's own, but for one that is used again in each lap. What must be undone in
 * any order whatever messages wait for: fences are of all; who wants a lock for itself alone has no other, and locks
 * that are shared meet no others. A phase of locks ends with a barrier, for whoever is accessed must not have ended. */
#include "invent/shape_impl.h"

#include <stdio.h>

/* The ranks that are accessed are of a part, or of all: what its size and a process's rank in it are called. */
struct place {
    const char *size, *rank, *comm;
};
static const struct place everywhere = {"numprocs", "procnum", ""};

/* One access to a process some places on, or to nobody behind the last. */
static struct shape_cost say_access(struct maker *m, const struct place *place, int far)
{
    static const char *const ops[] = {"MPI_Put & to", "MPI_Put & to", "MPI_Get & from", "MPI_Accumulate & to"};
    double bytes;
    const char *size = chance_size(m, 65537, &bytes), *op = ops[chance(m, 4)];
    if (chance(m, 5))
        say(m, "Message type = %s = (%s+%d)%%%s & size = %s & window = w%d%s\n", op, place->rank, far, place->size,
            size, m->n_phases, place->comm);
    else
        say(m, "Message type = %s = %s+%d < %s ? %s+%d : MPI_PROC_NULL & size = %s & window = w%d%s\n", op, place->rank,
            far, place->size, place->rank, far, size, m->n_phases, place->comm);
    return cost_of(1, bytes);
}

/* Epochs between fences: what is put in one may be got in the next. A fence tells all and waits for all. */
static struct shape_cost say_fences(struct maker *m, const struct place *place)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    say(m, "Message type = MPI_Win_fence & window = w%d%s\n", m->n_phases, place->comm);
    for (int epochs = 1 + chance(m, 2); epochs > 0; epochs--) {
        for (int n = 1 + chance(m, 3); n > 0; n--)
            cost = cost_add(cost, say_access(m, place, chance(m, 4)));
        say_work(m);
        say(m, "Message type = MPI_Win_fence & window = w%d%s\n", m->n_phases, place->comm);
        cost = cost_add(cost, cost_of(6, 4));
    }
    return cost;
}

struct shape_cost shape_fences(struct maker *m)
{
    return say_fences(m, &everywhere);
}

/* The same in each of two parts. */
struct shape_cost shape_parted(struct maker *m)
{
    char rank[32], size[32], comm[32];
    const struct place part = {size, rank, comm};
    snprintf(rank, sizeof rank, "procnum_in(part%d)", m->n_phases);
    snprintf(size, sizeof size, "numprocs_in(part%d)", m->n_phases);
    snprintf(comm, sizeof comm, " & comm = part%d", m->n_phases);
    say(m, "Set part%d = comm_split(procnum%%2, procnum)\n", m->n_phases);
    return say_fences(m, &part);
}

/* Everybody has a lock of somebody, or of the first, once or several times. */
struct shape_cost shape_locked(struct maker *m)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    char to[48];
    const int k = m->n_phases, first = chance(m, 2), times = 1 + chance(m, 3);
    if (first)
        snprintf(to, sizeof to, "0");
    else
        snprintf(to, sizeof to, "(procnum+%d)%%numprocs", 1 + chance(m, 4));
    say(m, "Loop iterations = %d\n{\nMessage type = MPI_Win_lock & window = w%d & to = %s%s\n", times, k, to,
        chance(m, 2) ? " & exclusive = 1" : "");
    for (int n = 1 + chance(m, 2); n > 0; n--) {
        double bytes;
        const char *size = chance_size(m, 20000, &bytes);
        const int gets = chance(m, 3) == 0;
        say(m, "Message type = %s & size = %s & window = w%d & %s = %s\n", gets ? "MPI_Get" : chance(m, 2) ? "MPI_Put" : "MPI_Accumulate",
            size, k, gets ? "from" : "to", to);
        if (chance(m, 2))
            say(m, "Message type = MPI_Win_flush & window = w%d & to = %s\n", k, to);
        cost = cost_add(cost, cost_of(2 * times, bytes));
    }
    say(m, "Message type = MPI_Win_unlock & window = w%d & to = %s\n", k, to);
    say_work(m);
    say(m, "}\nCollective type = MPI_Barrier\n");
    cost = cost_add(cost, cost_of(4 * times, 0));
    return first ? (struct shape_cost){.each = cost.fixed} : cost;
}

/* Locks of several at a time, which others may have too. All is put: Open MPI 4.1 (osc/pt2pt) hangs in the first unlock
 * where something was got from two processes that are locked at a time, or much accumulated there. */
struct shape_cost shape_shared(struct maker *m)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    const int k = m->n_phases, n = 1 + chance(m, 3);
    say(m, "Loop iterations = min(%d, numprocs-1) & var = v%d\n{\nMessage type = MPI_Win_lock & window = w%d & to = "
           "(procnum+1+v%d)%%numprocs\n}\n", n, k, k, k);
    for (int rounds = 1 + chance(m, 2); rounds > 0; rounds--) {
        double bytes;
        const char *size = chance_size(m, 32768, &bytes);
        say(m, "Loop iterations = min(%d, numprocs-1) & var = v%d\n{\nMessage type = MPI_Put & size = %s & window = w%d & to = "
               "(procnum+1+v%d)%%numprocs\n}\n", n, k, size, k, k);
        say_work(m);
        cost = cost_add(cost, cost_of(n, bytes));
    }
    say(m, "Loop iterations = min(%d, numprocs-1) & var = v%d\n{\nMessage type = MPI_Win_unlock & window = w%d & to = "
           "(procnum+1+v%d)%%numprocs\n}\nCollective type = MPI_Barrier\n", n, k, k, k);
    return cost_add(cost, cost_of(4 * n, 0));
}
