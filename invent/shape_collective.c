/* Collectives, and parts of the processes. */
#include "invent/shape_impl.h"

#include <stdio.h>

static const struct operation operations[] = {
    {"MPI_Barrier", NULL, 0, 4, 0},
    {"MPI_Bcast", " & root = 0", 100000, 4, 0},
    {"MPI_Bcast", " & root = numprocs-1", 16384, 4, 0},
    {"MPI_Scatter", " & root = 0", 16384, 0, 1},
    {"MPI_Scatterv", "*(1+procnum%3) & root = 1", 4097, 0, 2},
    {"MPI_Scatterv", "*(partner%2) & root = numprocs-1", 4097, 0, 1},
    {"MPI_Gather", " & root = numprocs-1", 16384, 0, 1},
    {"MPI_Gatherv", "*(procnum%4) & root = 0", 4097, 0, 2},
    {"MPI_Allgather", "", 9000, 0, 1},
    {"MPI_Allgatherv", "*(1+procnum%2)", 4097, 0, 2},
    {"MPI_Reduce", " & root = 0", 65536, 4, 0},
    {"MPI_Allreduce", "", 65536, 5, 0},
    {"MPI_Allreduce", "", 100, 5, 0},
    {"MPI_Reduce_scatter", "", 4097, 0, 1},
    {"MPI_Reduce_scatter", "*(procnum%2)", 4097, 0, 1},
    {"MPI_Alltoall", "", 9000, 0, 1},
    {"MPI_Alltoallv", "*(procnum%3)", 3000, 0, 1},
    {"MPI_Alltoallv", "*((procnum+2*partner)%3)", 3000, 0, 1},
    {"MPI_Scan", "", 20000, 5, 0},
    {"MPI_Exscan", "", 20000, 5, 0},
};
enum { N_OPERATIONS = sizeof operations / sizeof *operations };

struct shape_cost operation_say(struct maker *m, const struct operation *operation, const char *more)
{
    double bytes = 0;
    say(m, "Collective type = %s", operation->name);
    if (operation->keys) {
        const char *size = chance_number(m, operation->most, &bytes);
        say(m, " & size = (%s)%s", size, operation->keys);
    }
    say(m, "%s\n", more);
    struct shape_cost cost = cost_of(operation->fixed, bytes);
    cost.each = cost_of(operation->each, bytes).fixed;
    return cost;
}

struct shape_cost shape_collective(struct maker *m)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    const int operations_said = 1 + chance(m, 3);
    m->often = operations_said == 1 ? NULL : "2";
    for (int n = operations_said; n > 0; n--) {
        say_work(m);
        cost = cost_add(cost, operation_say(m, &operations[chance(m, N_OPERATIONS)], ""));
    }
    return cost;
}

/* Collectives that go on while others compute, one or two of them. */
struct shape_cost shape_in_flight(struct maker *m)
{
    double bytes = 0;
    int n = 1 + chance(m, 2), tests = chance(m, 2);
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int i = 0; i < n; i++) {
        const char *size = chance_number(m, 32768, &bytes);
        if (chance(m, 2))
            say(m, "Collective type = MPI_Ibcast & size = %s & root = %d & request = c%d\n", size, chance(m, 2), i);
        else
            say(m, "Collective type = MPI_Iallreduce & size = %s & request = c%d\n", size, i);
        say_work(m);
        cost = cost_add(cost, cost_of(5, bytes));
    }
    if (tests)
        say(m, "Set seen = 0\nLoop while = seen == 0\n{\nMessage type = MPI_Test & request = c0 & flag = seen\n"
               "Serial time = 50 us\n}\n");
    say(m, n == 2 ? "Message type = MPI_Waitall & request = (c0, c1)\n" : "Message type = MPI_Wait & request = c0\n");
    return cost;
}

/* ---- parts ---- */

/* What is done in a communicator `part`: operations whose sizes do not tell processes apart, or messages with a tag. */
static struct shape_cost say_in_part(struct maker *m, const char *part, int tag)
{
    static const char *const names[] = {"MPI_Barrier", "MPI_Bcast", "MPI_Allreduce", "MPI_Alltoall", "MPI_Allgather",
                                        "MPI_Scan"};
    static const char *const roots[] = {"", " & root = 0", "", "", "", ""};
    double bytes;
    const char *size = chance_number(m, 8192, &bytes);
    int which = chance(m, 8);
    say_work(m);
    if (which == 0) {
        say(m, "Collective type = MPI_Barrier & comm = %s\n", part);
        return cost_of(4, 0);
    }
    if (which < 6) {
        say(m, "Collective type = %s & size = %s%s & comm = %s\n", names[which], size, roots[which], part);
    } else if (which == 6) {
        say(m, "Message type = MPI_Sendrecv & to = (procnum_in(%s)+1)%%numprocs_in(%s) & from = "
               "(procnum_in(%s)+numprocs_in(%s)-1)%%numprocs_in(%s) & size = %s & comm = %s & tag = %d\n", part, part, part,
            part, part, size, part, tag);
        return cost_of(1, bytes);
    } else {
        say(m, "Runon c1 = procnum_in(%s) == 0 & else\n{\nLoop iterations = numprocs_in(%s)-1\n{\n"
               "Message type = MPI_Recv & from = MPI_ANY_SOURCE & comm = %s & source = who & tag = %d%s\n}\n}\n{\n"
               "Message type = MPI_Send & to = 0 & size = %s & comm = %s & tag = %d%s\n}\n", part, part, part, tag,
            TAG_LAP, size, part, tag, TAG_LAP);
    }
    struct shape_cost cost = cost_of(2, bytes);
    cost.each = cost_of(0.5, bytes).fixed;
    return cost;
}

static struct shape_cost say_parts(struct maker *m, const char *part)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int n = 1 + chance(m, 3); n > 0; n--)
        cost = cost_add(cost, say_in_part(m, part, phase_tag(m, n)));
    return cost;
}

/* Every process is in one of them; ranks run either way. */
static struct shape_cost say_rows(struct maker *m)
{
    static const char *const colors[] = {"procnum%2", "procnum/2", "procnum%3", "procnum < numprocs/2 ? 0 : 1",
                                         "procnum/4"};
    char part[24];
    snprintf(part, sizeof part, "part%d", m->n_phases);
    const char *key = chance(m, 2) ? "procnum" : "-procnum"; /* two draws in one call have no order */
    say(m, "Set %s = comm_split(%s, %s)\n", part, colors[chance(m, 5)], key);
    return say_parts(m, part);
}

/* ---- neighbours ---- */

/* Operations among the neighbours of `part`, one or two, blocking or waited for. A process has `degree` of them. twice:
 * one process may be two of them, in the other order as it sees them; then sizes of their own are blocking, as Open MPI
 * 4.1 confuses the two in its nonblocking operations on grids. */
static struct shape_cost say_among(struct maker *m, const char *part, double degree, bool twice)
{
    static const struct {
        const char *name, *factor;
    } among[] = {{"allgather", ""}, {"allgatherv", "*(1+procnum%3)"}, {"alltoall", ""}, {"alltoallv", "*(procnum%2)"},
                 {"alltoallv", "*(1+(procnum+neighbor)%3)"}, {"alltoallw", "*(neighbor%2)"}};
    enum { OF_EACH = 4 }; /* from here on sizes differ from neighbour to neighbour */
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int n = 1 + chance(m, 2); n > 0; n--) {
        double bytes;
        const char *size = chance_number(m, 16384, &bytes);
        const int which = chance(m, 6), waits = chance(m, 2) && !(twice && which >= OF_EACH);
        say(m, "Collective type = MPI_%s_%s & size = (%s)%s & comm = %s%s\n", waits ? "Ineighbor" : "Neighbor",
            among[which].name, size, among[which].factor, part, waits ? " & request = n" : "");
        say_work(m);
        if (waits)
            say(m, "Message type = MPI_Wait & request = n\n");
        cost = cost_add(cost, cost_of(2 * degree, 2 * bytes));
    }
    return cost;
}

/* A grid of all processes, with borders or without, and its rows. */
static struct shape_cost say_cart(struct maker *m)
{
    char part[24], row[24];
    snprintf(part, sizeof part, "part%d", m->n_phases);
    snprintf(row, sizeof row, "row%d", m->n_phases);
    const int down = chance(m, 2), across = chance(m, 2);
    say(m, "Set %s = cart_create((dims_create(numprocs, 2, 0), dims_create(numprocs, 2, 1)), (%d, %d))\n", part, down,
        across);
    struct shape_cost cost = say_among(m, part, 4, down || across);
    if (chance(m, 2))
        return cost;
    say(m, "Message type = MPI_Sendrecv & to = cart_shift(%s, 1, 1) & from = cart_shift(%s, 1, -1) & size = 800 & comm = %s "
           "& tag = %d\nSet %s = cart_sub(%s, (%d, 1))\n", part, part, part, phase_tag(m, 0), row, part, chance(m, 2));
    return cost_add(cost, cost_add(cost_of(1, 800), say_among(m, row, 2, down || across)));
}

/* A graph in which each process sends to some behind it. */
static struct shape_cost say_graph(struct maker *m)
{
    char part[24];
    const int degree = 1 + chance(m, 3), stride = 1 + chance(m, 4), k = m->n_phases;
    snprintf(part, sizeof part, "part%d", k);
    say(m, "Loop iterations = %d & var = d%d\n{\nSet to%d[d%d] = (procnum + %d*(d%d+1)) %% numprocs\n"
           "Set from%d[d%d] = (procnum + numprocs*%d - %d*(d%d+1)) %% numprocs\n}\n", degree, k, k, k, stride, k, k, k,
        degree * stride, stride, k);
    say(m, "Set %s = dist_graph_create_adjacent((from%d), (to%d))\n", part, k, k);
    return say_among(m, part, degree, false);
}

/* All processes, divided into rows, laid out as a grid, or each with neighbours of its own. */
struct shape_cost shape_rows(struct maker *m)
{
    switch (chance(m, 3)) {
    case 0: return say_rows(m);
    case 1: return say_cart(m);
    default: return say_graph(m);
    }
}

/* ---- halves ---- */

/* Some are in none, and one part is divided once more. */
struct shape_cost shape_halves(struct maker *m)
{
    char part[24], half[24];
    snprintf(part, sizeof part, "part%d", m->n_phases);
    snprintf(half, sizeof half, "half%d", m->n_phases);
    say(m, "Set %s = comm_split(procnum%%3 == 2 ? -1 : 0, (procnum*7)%%5)\nRunon c1 = procnum%%3 != 2\n{\n", part);
    struct shape_cost cost = say_parts(m, part);
    say(m, "Set %s = comm_split(procnum_in(%s)%%2, procnum, %s)\n", half, part, part);
    cost = cost_add(cost, say_parts(m, half));
    say(m, "}\n");
    return cost;
}
