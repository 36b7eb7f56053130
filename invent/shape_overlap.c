/* Nonblocking collectives beside which a process computes, as benchmarks of overlap call them; and what goes with them in
 * programs: levels up and down, a buffer that is replaced, a long exchange right behind something short, a file. */
#include "invent/shape_impl.h"

#include <stdio.h>

/* ---- operations ---- */

/* rooted: by the first or the last process. */
struct call {
    struct operation operation;
    bool rooted;
};
static const struct call nonblocking[] = {
    {{"MPI_Ibarrier", NULL, 0, 4, 0}, false},
    {{"MPI_Ibcast", "", 100000, 4, 0}, true},
    {{"MPI_Iscatter", "", 16384, 0, 1}, true},
    {{"MPI_Iscatterv", "*(1+procnum%3)", 4097, 0, 2}, true},
    {{"MPI_Iscatterv", "*(partner%2)", 4097, 0, 1}, true},
    {{"MPI_Igather", "", 16384, 0, 1}, true},
    {{"MPI_Igatherv", "*(procnum%4)", 4097, 0, 2}, true},
    {{"MPI_Iallgather", "", 9000, 0, 1}, false},
    {{"MPI_Iallgatherv", "*(1+procnum%2)", 4097, 0, 2}, false},
    {{"MPI_Ireduce", "", 100000, 4, 0}, true},
    {{"MPI_Iallreduce", "", 100000, 5, 0}, false},
    {{"MPI_Ireduce_scatter", "", 4097, 0, 1}, false},
    {{"MPI_Ireduce_scatter", "*(procnum%2)", 4097, 0, 1}, false},
    {{"MPI_Ireduce_scatter_block", "", 4097, 0, 1}, false},
    {{"MPI_Ialltoall", "", 9000, 0, 1}, false},
    {{"MPI_Ialltoallv", "*(procnum%3)", 3000, 0, 1}, false},
    {{"MPI_Ialltoallv", "*((procnum+2*partner)%3)", 3000, 0, 1}, false},
    {{"MPI_Ialltoallw", "*(1+(procnum+partner)%2)", 3000, 0, 2}, false},
    {{"MPI_Ialltoallw", "*(procnum%2)", 9000, 0, 1}, false},
    {{"MPI_Iscan", "", 20000, 5, 0}, false},
    {{"MPI_Iexscan", "", 20000, 5, 0}, false},
};
/* Those that programs have right before a long exchange, and those that have few programs. */
static const struct call blocking[] = {
    {{"MPI_Barrier", NULL, 0, 4, 0}, false},
    {{"MPI_Allreduce", "", 100, 5, 0}, false},
    {{"MPI_Bcast", "", 100, 4, 0}, true},
    {{"MPI_Alltoallw", "*(partner%2)", 9000, 0, 1}, false},
    {{"MPI_Alltoallw", "*(1+procnum%3)", 3000, 0, 2}, false},
    {{"MPI_Reduce_scatter_block", "", 512, 0, 1}, false},
    {{"MPI_Reduce_scatter_block", "", 16384, 0, 1}, false},
};
enum { N_NONBLOCKING = sizeof nonblocking / sizeof *nonblocking, N_BLOCKING = sizeof blocking / sizeof *blocking };

/* Whose operation it is: the keys for its last process as the root, and for itself. */
struct group {
    const char *last, *comm;
};
static const struct group everybody = {" & root = numprocs-1", ""};

static struct shape_cost say_call(struct maker *m, const struct call *call, const struct group *group, const char *request)
{
    char more[120];
    const char *root = !call->rooted ? "" : chance(m, 2) ? " & root = 0" : group->last;
    snprintf(more, sizeof more, "%s%s%s", root, group->comm, request);
    return operation_say(m, &call->operation, more);
}

/* ---- a long exchange ---- */

/* Beyond the eager limits, most of them. */
static const char *chance_long(struct maker *m, double *bytes)
{
    static const int sizes[] = {50000, 65537, 80000, 100000, 131072, 160000};
    const int which = chance(m, sizeof sizes / sizeof *sizes);
    *bytes = sizes[which];
    snprintf(m->size_text, sizeof m->size_text, "%d", sizes[which]);
    return m->size_text;
}

static struct shape_cost say_long(struct maker *m)
{
    double bytes;
    const char *size = chance_long(m, &bytes);
    const int k = m->n_phases, tag = phase_tag(m, 8);
    switch (chance(m, 4)) {
    case 0:
        say(m, "Message type = MPI_Sendrecv & to = (procnum+1)%%numprocs & from = (procnum+numprocs-1)%%numprocs & size = %s & "
               "tag = %d\n", size, tag);
        return cost_of(1, bytes);
    case 1:
        say(m, "Message type = MPI_Sendrecv_replace & to = (procnum+numprocs-1)%%numprocs & from = (procnum+1)%%numprocs & "
               "size = %s & tag = %d\n", size, tag);
        return cost_of(1, bytes);
    case 2: /* both ways in pairs; the last of an odd number has nobody */
        say(m, "Set pair%d = procnum%%2 == 0 ? procnum+1 : procnum-1\nSet pair%d = pair%d < numprocs ? pair%d : MPI_PROC_NULL\n"
               "Runon c1 = procnum%%2 == 0 & else\n{\nMessage type = MPI_Send & to = pair%d & size = %s & tag = %d\n"
               "Message type = MPI_Recv & from = pair%d & tag = %d\n}\n{\nMessage type = MPI_Recv & from = pair%d & tag = %d\n"
               "Message type = MPI_Send & to = pair%d & size = %s & tag = %d\n}\n",
            k, k, k, k, k, size, tag, k, tag, k, tag, k, size, tag);
        return cost_of(2, bytes);
    default: /* with both neighbours at once */
        say(m, "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = %d & request = x%d[0]\n"
               "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = %d & request = x%d[1]\n"
               "Message type = MPI_Isend & to = (procnum+1)%%numprocs & size = %s & tag = %d & request = x%d[2]\n"
               "Message type = MPI_Isend & to = (procnum+numprocs-1)%%numprocs & size = %s & tag = %d & request = x%d[3]\n"
               "Message type = MPI_Waitall & request = x%d\n",
            tag, k, tag + 1, k, size, tag, k, size, tag + 1, k, k);
        return cost_of(2, bytes);
    }
}

/* ---- overlap ---- */

/* What a phase does is in a region, the same in all phases: csv files of several programs have one line of columns. */
static void say_region(struct maker *m)
{
    say(m, "Region phase\n{\n");
}

/* Computes while operation c[0] of the phase is under way: at a stretch, looking after it now and then, or until it is
 * over. */
static void say_beside(struct maker *m)
{
    const int k = m->n_phases, looks = 2 + chance(m, 7);
    switch (chance(m, 3)) {
    case 0:
        snprintf(m->often_text, sizeof m->often_text, "%d", looks);
        m->often = m->often_text;
        say(m, "Loop iterations = %d\n{\n", looks);
        say_sure_work(m);
        m->often = NULL;
        say(m, "Message type = MPI_Test & request = c%d[0] & flag = seen\n}\n", k);
        break;
    case 1:
        say_sure_work(m);
        say(m, "Set seen = 0\nLoop while = seen == 0\n{\nMessage type = MPI_Test & request = c%d[0] & flag = seen\n"
               "Serial time = 50 us\n}\n", k);
        return;
    default:
        say_sure_work(m);
    }
}

/* One operation, what is computed beside it, and its wait: what osu_iallreduce and its like do. */
struct shape_cost shape_hidden(struct maker *m)
{
    char request[32];
    snprintf(request, sizeof request, " & request = c%d[0]", m->n_phases);
    say_region(m);
    const struct shape_cost cost = say_call(m, &nonblocking[chance(m, N_NONBLOCKING)], &everybody, request);
    say_beside(m);
    say(m, "Message type = MPI_Wait & request = c%d[0]\n}\n", m->n_phases);
    return cost;
}

/* All of n operations c[..] of the phase are over. */
static void say_waits(struct maker *m, int n)
{
    const int k = m->n_phases;
    switch (chance(m, 5)) {
    case 0:
        say(m, "Message type = MPI_Waitall & request = c%d\n", k);
        break;
    case 1: /* the last one first */
        say(m, "Loop iterations = %d & var = e%d & from = %d & step = -1\n{\nMessage type = MPI_Wait & request = c%d[e%d]\n}\n",
            n, k, n - 1, k, k);
        break;
    case 2:
        say(m, "Loop iterations = %d\n{\nMessage type = MPI_Waitany & request = c%d & index = which\n"
               "Assert which >= 0 && which < %d \"one of those that are open\"\n}\n", n, k, n);
        break;
    case 3:
        say(m, "Set done%d = 0\nLoop while = done%d < %d\n{\nMessage type = MPI_Testsome & request = c%d & count = some\n"
               "Set done%d = done%d + some\nSerial time = 50 us\n}\n", k, k, n, k, k, k);
        break;
    default:
        say(m, "Message type = MPI_Waitall\n");
    }
}

/* Several under way at a time, among all or in parts, and messages among them. */
struct shape_cost shape_several(struct maker *m)
{
    char last[48], comm[32], request[32];
    const struct group part = {last, comm}, *group = chance(m, 3) ? &everybody : &part;
    const int n = 2 + chance(m, 3), k = m->n_phases;
    struct shape_cost cost = {.fixed = {0, 0}};
    if (group == &part) {
        const char *color = chance(m, 2) ? "procnum%2" : "procnum < numprocs/2 ? 0 : 1";
        say(m, "Set part%d = comm_split(%s, %s)\n", k, color, chance(m, 2) ? "procnum" : "-procnum");
        snprintf(last, sizeof last, " & root = numprocs_in(part%d)-1", k);
        snprintf(comm, sizeof comm, " & comm = part%d", k);
    }
    say_region(m);
    for (int i = 0; i < n; i++) {
        snprintf(request, sizeof request, " & request = c%d[%d]", k, i);
        cost = cost_add(cost, say_call(m, &nonblocking[chance(m, N_NONBLOCKING)], group, request));
        if (chance(m, 4) == 0)
            cost = cost_add(cost, say_long(m));
        say_work(m);
    }
    say_waits(m, n);
    say(m, "}\n");
    return cost;
}

/* ---- beside them ---- */

/* A collective write: one process has the time that all wait for. */
static struct shape_cost say_written(struct maker *m)
{
    say_region(m);
    say(m, "Collective type = MPI_Barrier\n");
    if (m->computes) {
        say(m, "Runon c1 = procnum == 0\n{\n");
        say_sure_work(m);
        say(m, "}\n");
    }
    say(m, "Collective type = MPI_Barrier\n}\n");
    return cost_of(8, 0);
}

/* A collective right before a long exchange, or one that waits for a file. */
struct shape_cost shape_sudden(struct maker *m)
{
    if (chance(m, 4) == 0)
        return say_written(m);
    say_work(m);
    say_region(m);
    const struct shape_cost cost = say_call(m, &blocking[chance(m, N_BLOCKING)], &everybody, ""), more = say_long(m);
    say(m, "}\n");
    return cost_add(cost, more);
}

/* A buffer that goes round, and a long exchange right behind. */
struct shape_cost shape_replaced(struct maker *m)
{
    static const char *const ops[] = {"MPI_Sendrecv_replace", "MPI_Sendrecv_replace", "MPI_Sendrecv"};
    double bytes;
    const int far = 1 + chance(m, 3), times = 1 + chance(m, 3), k = m->n_phases, tag = phase_tag(m, 0);
    const char *size = chance_number(m, 3000, &bytes), *op = ops[chance(m, 3)];
    say_region(m);
    if (times > 1)
        say(m, "Loop iterations = %d\n{\n", times);
    say(m, "Message type = %s & to = (procnum+%d)%%numprocs & from = (procnum+numprocs*%d-%d)%%numprocs & size = %s & tag = %d "
           "& source = who%d & got_size = got%d\nAssert who%d == (procnum+numprocs*%d-%d)%%numprocs && got%d == %s \"whose "
           "buffer came\"\n", op, far, far, far, size, tag, k, k, k, far, far, k, size);
    if (times > 1)
        say(m, "}\n");
    struct shape_cost cost = cost_of(times, bytes);
    if (chance(m, 4))
        cost = cost_add(cost, say_long(m));
    say(m, "}\n");
    say_work(m);
    return cost;
}

/* An exchange at level v of so many, of size / 2^v bytes. */
static void say_level(struct maker *m, const char *size, int way, int levels)
{
    const int k = m->n_phases, tag = phase_tag(m, way);
    switch (chance(m, 3)) {
    case 0:
        say(m, "Message type = MPI_Sendrecv & to = (procnum+pow(2, v%d))%%numprocs & from = (procnum+numprocs*16-pow(2, v%d))%%"
               "numprocs & size = (%s)/pow(2, v%d) & tag = %d\n", k, k, size, k, tag);
        break;
    case 1:
        say(m, "Message type = MPI_Sendrecv_replace & to = (procnum+numprocs-1)%%numprocs & from = (procnum+1)%%numprocs & "
               "size = (%s)/pow(2, v%d) & tag = %d\n", size, k, tag);
        break;
    default:
        say(m, "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = %d & request = p%d[v%d]\n"
               "Message type = MPI_Isend & to = (procnum+1)%%numprocs & size = (%s)/pow(2, v%d) & tag = %d & request = q%d[v%d]\n",
            tag, k, k, size, k, tag, k, k);
        say_work(m);
        say(m, "Message type = MPI_Wait & request = p%d[v%d]\nMessage type = MPI_Wait & request = q%d[v%d]\n", k, k, k, k);
    }
    say(m, "Assert v%d >= 0 && v%d < %d \"a level that there is\"\n", k, k, levels);
    say_work(m);
}

/* To coarser levels, where messages are shorter, and back. */
struct shape_cost shape_levels(struct maker *m)
{
    double bytes;
    const int levels = 2 + chance(m, 4), k = m->n_phases;
    char largest[24];
    snprintf(largest, sizeof largest, "%s", chance_number(m, 32768, &bytes));
    snprintf(m->often_text, sizeof m->often_text, "%d", 2 * levels);
    m->often = m->often_text;
    say_region(m);
    say(m, "Loop iterations = %d & var = v%d\n{\n", levels, k);
    say_level(m, largest, 0, levels);
    say(m, "}\n");
    say(m, "Loop iterations = %d & var = v%d & from = %d & step = -1\n{\n", levels, k, levels - 1);
    say_level(m, largest, 1, levels);
    say(m, "}\n}\n");
    m->often = NULL;
    return cost_of(2 * levels, 2 * bytes / levels);
}
