/* Irregular neighbours, nonblocking calls, messages to oneself; and what deadlocks where sends wait. */
#include "invent/shape_impl.h"

#include <stdio.h>

enum { NEIGHBOURS_MOST = 4 };

/* Posts receives g[..] from and sends h[..] to processes at some distances, where an edge is; returns how many
 * distances. */
static int say_edges(struct maker *m, struct shape_cost *cost)
{
    int n = 2 + chance(m, NEIGHBOURS_MOST - 1), k = m->n_phases, far[NEIGHBOURS_MOST], of[NEIGHBOURS_MOST];
    int least[NEIGHBOURS_MOST];
    *cost = (struct shape_cost){.fixed = {0, 0}};
    for (int i = 0; i < n; i++) {
        far[i] = 1 + chance(m, 9);
        of[i] = 2 + chance(m, 3);
        least[i] = 1 + chance(m, of[i]);
        /* the edge from p to p + far is there where (5 p + far) % of < least */
        say(m, "Set from%d = (procnum+numprocs*%d-%d)%%numprocs\n", k, far[i], far[i]);
        say(m, "Message type = MPI_Irecv & from = (5*from%d+%d)%%%d < %d ? from%d : MPI_PROC_NULL & tag = %d & "
               "request = g%d[%d]\n", k, far[i], of[i], least[i], k, phase_tag(m, i), k, i);
    }
    say_work(m);
    for (int i = 0; i < n; i++) {
        double bytes;
        const char *size = chance_size(m, 65537, &bytes), *op = chance(m, 4) ? "MPI_Isend" : "MPI_Issend";
        say(m, "Message type = %s & to = (5*procnum+%d)%%%d < %d ? (procnum+%d)%%numprocs : MPI_PROC_NULL & size = %s%s & "
               "tag = %d & request = h%d[%d]\n", op, far[i], of[i], least[i], far[i], size,
            chance(m, 3) ? "" : "*(1+procnum%3)/2", phase_tag(m, i), k, i);
        *cost = cost_add(*cost, cost_of(1, bytes));
    }
    say_work(m);
    return n;
}

struct shape_cost shape_graph(struct maker *m)
{
    struct shape_cost cost;
    int n = say_edges(m, &cost), k = m->n_phases;
    switch (chance(m, 3)) {
    case 0:
        say(m, "Message type = MPI_Waitall & request = (g%d, h%d)\n", k, k);
        break;
    case 1:
        say(m, "Message type = MPI_Waitall\n");
        break;
    default:
        for (int i = n; i-- > 0;)
            say(m, "Message type = MPI_Wait & request = g%d[%d]\n", k, i);
        say(m, "Message type = MPI_Waitall & request = h%d\n", k);
    }
    return cost;
}

/* With both neighbours, on a line one way and on a ring the other, waiting for some before all. */
struct shape_cost shape_exchange(struct maker *m)
{
    static const char *const waits[] = {"MPI_Waitall & request = (a, b, c, d)", "MPI_Waitall",
                                        "MPI_Waitall & request = (d, b)", "MPI_Wait & request = a"};
    double up_bytes, down_bytes;
    int tag = phase_tag(m, 0);
    say(m, "Message type = MPI_Irecv & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL & tag = %d & request = a\n"
           "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = %d & request = b\n", tag, tag + 1);
    say_work(m);
    const char *size = chance_size(m, 65537, &down_bytes), *op = chance(m, 4) ? "MPI_Isend" : "MPI_Issend";
    say(m, "Message type = %s & to = (procnum+numprocs-1)%%numprocs & tag = %d & size = %s & request = c\n", op,
        tag + 1, size);
    size = chance_size(m, 65537, &up_bytes);
    say(m, "Message type = MPI_Isend & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL & tag = %d & size = %s & "
           "request = d\n", tag, size);
    say_work(m);
    say(m, "Message type = %s\nMessage type = MPI_Waitall\n", waits[chance(m, 4)]);
    return cost_add(cost_of(1, up_bytes), cost_of(1, down_bytes));
}

/* As a graph, waiting for some at a time. */
struct shape_cost shape_some(struct maker *m)
{
    struct shape_cost cost;
    int n = say_edges(m, &cost), k = m->n_phases;
    switch (chance(m, 4)) {
    case 0:
        say(m, "Loop iterations = %d\n{\nMessage type = MPI_Waitany & request = (g%d, h%d) & index = which\n", 2 * n, k,
            k);
        say_work(m);
        say(m, "}\n");
        break;
    case 1:
        say(m, "Message type = MPI_Waitsome & request = g%d\nSet seen = 0\nLoop while = seen == 0\n{\n"
               "Message type = MPI_Testall & request = (g%d, h%d) & flag = seen\nSerial time = 20 us\n}\n", k, k, k);
        break;
    case 2:
        say(m, "Loop iterations = %d & var = j%d\n{\nSet seen = 0\nLoop while = seen == 0\n{\n"
               "Message type = MPI_Test & request = g%d[j%d] & flag = seen & source = who\nSerial time = 20 us\n}\n}\n"
               "Message type = MPI_Waitall & request = h%d\n", n, k, k, k, k);
        break;
    default:
        say(m, "Set done%d = 0\nLoop while = done%d < %d\n{\n"
               "Message type = MPI_Testany & request = (g%d, h%d) & flag = seen & index = which\nSet done%d = done%d + seen\n"
               "Serial time = 20 us\n}\n", k, k, 2 * n, k, k, k, k);
    }
    return cost;
}

/* Round the ring, with sends that need their receive posted: the receiver says so. */
struct shape_cost shape_ready(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 65537, &bytes);
    int tag = phase_tag(m, 0);
    say(m, "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = %d & request = p\n"
           "Message type = MPI_Isend & to = (procnum+numprocs-1)%%numprocs & size = 0 & tag = %d & request = q\n", tag,
        tag + 1);
    say_work(m);
    say(m, "Message type = MPI_Recv & from = (procnum+1)%%numprocs & tag = %d\n"
           "Message type = MPI_Rsend & to = (procnum+1)%%numprocs & size = %s & tag = %d\n"
           "Message type = MPI_Waitall & request = (p, q)\n", tag + 1, size, tag);
    return cost_add(cost_of(1, 0), cost_of(1, bytes));
}

/* Many messages from one to another, taken in two orders of tags. */
static struct shape_cost burst(struct maker *m, bool waits)
{
    int pairs = waits ? 5 + chance(m, 40) : 35, tag = phase_tag(m, 0), k = m->n_phases;
    say(m, "Runon c1 = procnum == 0 & c2 = procnum == numprocs-1\n{\nLoop iterations = %d & var = i%d\n{\n", 2 * pairs,
        k);
    if (waits)
        say(m, "Message type = MPI_Isend & to = numprocs-1 & size = 8*i%d & tag = %d + i%d%%2 & request = e[i%d]\n}\n"
               "Message type = MPI_Waitall & request = e\n}\n{\n", k, tag, k, k);
    else
        say(m, "Message type = MPI_Send & to = numprocs-1 & size = 8*i%d & tag = %d + i%d%%2\n}\n}\n{\n", k, tag, k);
    for (int which = 1; which >= 0; which--)
        say(m, "Loop iterations = %d\n{\nMessage type = MPI_Recv & from = 0 & tag = %d\n}\n", pairs, tag + which);
    say(m, "}\n");
    say_work(m);
    return cost_of(pairs, 0);
}

struct shape_cost shape_burst(struct maker *m)
{
    return burst(m, true);
}

/* To oneself. */
struct shape_cost shape_self(struct maker *m)
{
    double bytes;
    const char *from = m->any_self ? "MPI_ANY_SOURCE" : "procnum", *size = chance_size(m, 160000, &bytes);
    int tag = phase_tag(m, 0), to_others = 0;
    say_work(m);
    switch (chance(m, 4)) {
    case 0:
        say(m, "Message type = MPI_Irecv & from = %s & tag = %d & request = u\n", from, tag);
        say_send(m, "procnum", size, tag);
        say_work(m);
        say(m, "Message type = MPI_Wait & request = u\n");
        break;
    case 1:
        say(m, "Message type = %s & to = (procnum+numprocs)%%numprocs & tag = %d & size = %s & request = v\n",
            chance(m, 4) ? "MPI_Isend" : "MPI_Issend", tag, size);
        say_work(m);
        say(m, "Message type = MPI_Recv & from = %s & tag = %d\nMessage type = MPI_Wait & request = v\n", from, tag);
        break;
    case 2:
        say(m, "Message type = MPI_Irecv & from = %s & tag = %d & request = u\n", from, tag);
        say_work(m);
        say(m, "Message type = MPI_Isend & to = procnum & tag = %d & size = %s & request = v\n"
               "Message type = MPI_Sendrecv & to = (procnum+1)%%numprocs & from = (procnum+numprocs-1)%%numprocs & size = 64 "
               "& tag = %d\nMessage type = MPI_Waitall\n", tag, size, tag + 1);
        to_others = 1;
        break;
    default:
        say(m, "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = %s & tag = %d\n", size, tag);
    }
    return cost_of(to_others, 64);
}

/* ---- what may deadlock ---- */

/* Everybody sends up and receives from below. */
struct shape_cost shape_shift(struct maker *m)
{
    double bytes;
    int tag = phase_tag(m, 0), alternates = chance(m, 4);
    if (alternates)
        say(m, "Runon c1 = procnum%%2 == 0 & c2 = procnum%%2 == 1\n{\n");
    for (int turn = 0; turn < (alternates ? 2 : 1); turn++) {
        const char *size = chance_size(m, 65537, &bytes);
        if (turn == 0)
            say_send(m, "(procnum+1)%numprocs", size, tag);
        say(m, "Message type = MPI_Recv & from = (procnum+numprocs-1)%%numprocs & tag = %d\n", tag);
        if (turn == 1)
            say_send(m, "(procnum+1)%numprocs", size, tag);
        if (alternates)
            say(m, turn == 0 ? "}\n{\n" : "}\n");
    }
    return cost_of(2, bytes);
}

struct shape_cost shape_flood(struct maker *m)
{
    return burst(m, false);
}

struct shape_cost shape_alone(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 65537, &bytes);
    say_send(m, "procnum", size, phase_tag(m, 0));
    say(m, "Message type = MPI_Recv & from = %s & tag = %d\n", m->any_self ? "MPI_ANY_SOURCE" : "procnum",
        phase_tag(m, 0));
    return cost_of(1, 0);
}
