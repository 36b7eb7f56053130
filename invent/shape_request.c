/* Persistent requests, probes that take messages out, and calls that complete some of several requests. */
#include "invent/shape_impl.h"

#include <stdio.h>

/* Makes n receives in[..] and n sends out[..], to processes at some distances on a ring or a line. */
static struct shape_cost say_made(struct maker *m, int n, bool ring)
{
    static const char *const ops[] = {"MPI_Send_init", "MPI_Send_init", "MPI_Ssend_init", "MPI_Bsend_init"};
    struct shape_cost cost = {.fixed = {0, 0}};
    int k = m->n_phases;
    for (int i = 0; i < n; i++) {
        double bytes;
        const char *size = chance_size(m, 65537, &bytes), *op = ops[chance(m, 4)];
        int far = ring ? 1 + chance(m, 3) : 1, tag = phase_tag(m, i);
        if (ring)
            say(m, "Message type = MPI_Recv_init & from = (procnum+numprocs*%d-%d)%%numprocs & tag = %d & request = in%d[%d]\n"
                   "Message type = %s & to = (procnum+%d)%%numprocs & size = %s & tag = %d & request = out%d[%d]\n",
                far, far, tag, k, i, op, far, size, tag, k, i);
        else
            say(m, "Message type = MPI_Recv_init & from = procnum >= %d ? procnum-%d : MPI_PROC_NULL & tag = %d & "
                   "request = in%d[%d]\n"
                   "Message type = %s & to = procnum+%d < numprocs ? procnum+%d : MPI_PROC_NULL & size = %s & tag = %d & "
                   "request = out%d[%d]\n", far, far, tag, k, i, op, far, far, size, tag, k, i);
        cost = cost_add(cost, cost_of(1, bytes));
    }
    return cost;
}

/* Requests made once, or in each lap and freed, and started once or twice. */
struct shape_cost shape_persistent(struct maker *m)
{
    int n = 1 + chance(m, 3), k = m->n_phases, once = chance(m, 2), starts = 1 + chance(m, 2);
    if (once)
        say(m, "Runon c1 = " SHAPE_LAP " == 0\n{\n");
    struct shape_cost one = say_made(m, n, chance(m, 2)), cost = one;
    if (once)
        say(m, "}\n");
    for (int i = 0; i < starts; i++) {
        if (chance(m, 2))
            say(m, "Message type = MPI_Startall & request = (in%d, out%d)\n", k, k);
        else
            say(m, "Loop iterations = %d & var = e%d\n{\nMessage type = MPI_Start & request = in%d[e%d]\n"
                   "Message type = MPI_Start & request = out%d[e%d]\n}\n", n, k, k, k, k, k);
        say_work(m);
        say(m, chance(m, 2) ? "Message type = MPI_Waitall & request = (in%d, out%d)\n" : "Message type = MPI_Waitall\n",
            k, k);
        cost = i > 0 ? cost_add(cost, one) : cost;
    }
    if (!once)
        say(m, "Message type = MPI_Request_free & request = (in%d, out%d)\n", k, k);
    return cost;
}

/* One takes a message of each out before it receives them. */
struct shape_cost shape_matched(struct maker *m)
{
    double bytes;
    int k = m->n_phases, tag = phase_tag(m, 0), polls = chance(m, 2), later = chance(m, 2);
    m->tag_lap = TAG_LAP;
    say(m, "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1 & var = m%d\n{\n", k);
    if (polls)
        say(m, "Set seen = 0\nLoop while = seen == 0\n{\nMessage type = MPI_Improbe & from = MPI_ANY_SOURCE & tag = %d%s & "
               "flag = seen & message = took%d & got_size = n\nSerial time = 20 us\n}\n", tag, m->tag_lap, k);
    else
        say(m, "Message type = MPI_Mprobe & from = MPI_ANY_SOURCE & tag = %d%s & message = took%d & got_size = n\n",
            tag, m->tag_lap, k);
    m->often = "numprocs";
    say_work(m);
    m->often = NULL;
    if (later)
        say(m, "Message type = MPI_Imrecv & message = took%d & size = n & request = late%d[m%d]\n}\n"
               "Message type = MPI_Waitall & request = late%d\n}\n{\n", k, k, k, k);
    else
        say(m, "Message type = MPI_Mrecv & message = took%d & size = n\n}\n}\n{\n", k);
    say_work(m);
    const char *size = chance_size(m, 65537, &bytes);
    say_send(m, "0", size, tag);
    say(m, "}\n");
    const struct shape_cost one = cost_of(1, bytes);
    return (struct shape_cost){.each = one.fixed};
}

/* Receives from and sends to processes at some distances, completed as they come. */
struct shape_cost shape_completed(struct maker *m)
{
    static const char *const sends[] = {"MPI_Isend", "MPI_Issend", "MPI_Ibsend"};
    struct shape_cost cost = {.fixed = {0, 0}};
    int n = 1 + chance(m, 4), k = m->n_phases, polls = chance(m, 2), named = chance(m, 2);
    for (int i = 0; i < n; i++) {
        double bytes;
        int far = 1 + chance(m, 5), tag = phase_tag(m, i);
        const char *size = chance_size(m, 65537, &bytes);
        say(m, "Message type = MPI_Irecv & from = (procnum+numprocs*%d-%d)%%numprocs & tag = %d & request = g%d[%d]\n"
               "Message type = %s & to = (procnum+%d)%%numprocs & size = %s & tag = %d & request = h%d[%d]\n",
            far, far, tag, k, i, sends[chance(m, 3)], far, size, tag, k, i);
        cost = cost_add(cost, cost_of(1, bytes));
    }
    say(m, "Set done%d = 0\nLoop while = done%d < %d\n{\nMessage type = %s & count = c%d", k, k, 2 * n,
        polls ? "MPI_Testsome" : "MPI_Waitsome", k);
    if (named)
        say(m, " & request = (g%d, h%d)", k, k);
    say(m, "\nSet done%d = done%d + c%d\n", k, k, k);
    if (polls)
        say(m, "Serial time = 50 us\n");
    say(m, "}\n");
    say_work(m);
    return cost;
}
