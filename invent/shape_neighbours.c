/* Neighbours on a line, a grid and in a cube; on a ring, and in a butterfly. */
#include "invent/shape_impl.h"

#include <stdio.h>

/* A grid of px * py * pz processes whatever their number; x goes fastest. */
struct grid {
    int dimensions;
    bool wraps;
    char low[3][200], high[3][200];   /* the neighbour before, behind, in each dimension */
};

/* Divisors that a dimension may have, the first that divides. */
static const char *const divisors[] = {"numprocs%2 == 0 ? 2 : 1",
                                       "numprocs%4 == 0 ? 4 : numprocs%3 == 0 ? 3 : numprocs%2 == 0 ? 2 : 1",
                                       "numprocs%3 == 0 ? 3 : numprocs%2 == 0 ? 2 : 1"};

/* Neighbours at a stride among `n` places, this process being at `at`. */
static void neighbours_set(struct grid *grid, int d, const char *at, const char *n, const char *stride)
{
    if (grid->wraps) {
        snprintf(grid->low[d], sizeof grid->low[d], "procnum + ((%s+%s-1)%%%s-%s)*%s", at, n, n, at, stride);
        snprintf(grid->high[d], sizeof grid->high[d], "procnum + ((%s+1)%%%s-%s)*%s", at, n, at, stride);
    } else {
        snprintf(grid->low[d], sizeof grid->low[d], "%s > 0 ? procnum-%s : MPI_PROC_NULL", at, stride);
        snprintf(grid->high[d], sizeof grid->high[d], "%s < %s-1 ? procnum+%s : MPI_PROC_NULL", at, n, stride);
    }
}

/* Says the grid's names, which end in the phase's number: px, py, pz and the process's place x, y, z. */
static void grid_say(struct maker *m, int dimensions, bool wraps, struct grid *grid)
{
    int k = m->n_phases;
    char n[3][24], at[3][24], plane[60];
    *grid = (struct grid){.dimensions = dimensions, .wraps = wraps};
    for (int d = 0; d < 3; d++) {
        snprintf(n[d], sizeof n[d], "p%c%d", 'x' + d, k);
        snprintf(at[d], sizeof at[d], "%c%d", 'x' + d, k);
    }
    say(m, "Set %s = %s\n", n[0], dimensions == 1 ? "numprocs" : divisors[dimensions == 3 ? 0 : chance(m, 3)]);
    if (dimensions == 3)
        say(m, "Set %s = numprocs/%s%%2 == 0 ? 2 : 1\n", n[1], n[0]);
    else
        say(m, "Set %s = numprocs/%s\n", n[1], n[0]);
    say(m, "Set %s = numprocs/(%s*%s)\n", n[2], n[0], n[1]);
    say(m, "Set %s = procnum%%%s\nSet %s = procnum/%s%%%s\nSet %s = procnum/(%s*%s)\n", at[0], n[0], at[1], n[0], n[1],
        at[2], n[0], n[1]);
    snprintf(plane, sizeof plane, "%s*%s", n[0], n[1]);
    neighbours_set(grid, 0, at[0], n[0], "1");
    neighbours_set(grid, 1, at[1], n[1], n[0]);
    neighbours_set(grid, 2, at[2], n[2], plane);
}

/* All receives and sends at once, work, one wait. */
static struct shape_cost exchange_at_once(struct maker *m, const struct grid *grid)
{
    const char *op = chance(m, 4) ? "MPI_Isend" : "MPI_Issend";
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int d = 0; d < grid->dimensions; d++) {
        double bytes;
        const char *size = chance_size(m, 100000, &bytes);
        int tag = phase_tag(m, 2 * d);
        say(m, "Message type = MPI_Irecv & from = %s & tag = %d & request = r[%d]\n", grid->low[d], tag, 4 * d);
        say(m, "Message type = MPI_Irecv & from = %s & tag = %d & request = r[%d]\n", grid->high[d], tag + 1,
            4 * d + 1);
        say(m, "Message type = %s & to = %s & size = %s & tag = %d & request = r[%d]\n", op, grid->high[d], size, tag,
            4 * d + 2);
        say(m, "Message type = %s & to = %s & size = %s & tag = %d & request = r[%d]\n", op, grid->low[d], size,
            tag + 1, 4 * d + 3);
        cost = cost_add(cost, cost_of(2, bytes));
    }
    say_work(m);
    say(m, "Message type = MPI_Waitall & request = r\n");
    return cost;
}

/* One direction after the other. */
static struct shape_cost exchange_in_turn(struct maker *m, const struct grid *grid)
{
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int d = 0; d < grid->dimensions; d++) {
        double bytes;
        const char *size = chance_size(m, 160000, &bytes);
        const char *to[] = {grid->high[d], grid->low[d]}, *from[] = {grid->low[d], grid->high[d]};
        for (int way = 0; way < 2; way++)
            say(m, "Message type = MPI_Sendrecv & to = %s & from = %s & size = %s & recv_size = 1000000 & tag = %d\n",
                to[way], from[way], size, phase_tag(m, 2 * d + way));
        cost = cost_add(cost, cost_of(2, bytes));
        if (d == 0)
            say_work(m);
    }
    return cost;
}

/* Without a ring: receives from before come first at every other place, sends at the others. */
static struct shape_cost exchange_alternately(struct maker *m, const struct grid *grid)
{
    static const char *const at[] = {"x", "y", "z"};
    struct shape_cost cost = {.fixed = {0, 0}};
    for (int d = 0; d < grid->dimensions; d++) {
        double bytes;
        const char *size = chance_size(m, 100000, &bytes), *ends[] = {grid->low[d], grid->high[d]};
        say(m, "Runon c1 = %s%d%%2 == 0 & else\n{\n", at[d], m->n_phases);
        for (int turn = 0; turn < 2; turn++) {
            for (int step = 0; step < 2; step++)
                for (int side = 0; side < 2; side++)
                    if (step == turn)
                        say_send(m, ends[side], size, phase_tag(m, 2 * d + side));
                    else
                        say(m, "Message type = MPI_Recv & from = %s & tag = %d\n", ends[side],
                            phase_tag(m, 2 * d + 1 - side));
            say(m, turn == 0 ? "}\n{\n" : "}\n");
        }
        cost = cost_add(cost, cost_of(4, bytes));
    }
    say_work(m);
    return cost;
}

static struct shape_cost halo(struct maker *m, int dimensions)
{
    struct grid grid;
    grid_say(m, dimensions, chance(m, 2), &grid);
    switch (chance(m, grid.wraps ? 2 : 3)) {
    case 0: return exchange_at_once(m, &grid);
    case 1: return exchange_in_turn(m, &grid);
    default: return exchange_alternately(m, &grid);
    }
}

struct shape_cost shape_line(struct maker *m)
{
    return halo(m, 1);
}

struct shape_cost shape_grid(struct maker *m)
{
    return halo(m, 2);
}

struct shape_cost shape_cube(struct maker *m)
{
    return halo(m, 3);
}

/* Receives from before, works, sends on; from the last process to the first, or the other way. */
struct shape_cost shape_stages(struct maker *m)
{
    static const char *const before = "procnum > 0 ? procnum-1 : MPI_PROC_NULL";
    static const char *const behind = "procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL";
    double bytes;
    const char *size = chance_size(m, 65537, &bytes);
    int blocks = 1 + chance(m, 8), back = chance(m, 3) == 0;
    snprintf(m->often_text, sizeof m->often_text, "%d", blocks);
    m->often = m->often_text;
    say(m, "Loop iterations = %d\n{\n", blocks);
    say(m, "Message type = MPI_Recv & from = %s & tag = %d\n", back ? behind : before, phase_tag(m, 0));
    say_work(m);
    say_send(m, back ? before : behind, size, phase_tag(m, 0));
    say(m, "}\n");
    return cost_of(2 * blocks, bytes);
}

/* The same in two dimensions: a front that goes from one corner to the other. */
struct shape_cost shape_wavefront(struct maker *m)
{
    struct grid grid;
    double bytes;
    int blocks = 1 + chance(m, 4);
    snprintf(m->often_text, sizeof m->often_text, "%d", blocks);
    m->often = m->often_text;
    grid_say(m, 2, false, &grid);
    const char *size = chance_size(m, 32768, &bytes);
    say(m, "Loop iterations = %d\n{\n", blocks);
    for (int d = 0; d < 2; d++)
        say(m, "Message type = MPI_Recv & from = %s & tag = %d\n", grid.low[d], phase_tag(m, d));
    say_work(m);
    for (int d = 0; d < 2; d++)
        say_send(m, grid.high[d], size, phase_tag(m, d));
    say(m, "}\n");
    return cost_of(3 * blocks, bytes);
}

struct shape_cost shape_butterfly(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 32768, &bytes);
    int grows = chance(m, 3) == 0, k = m->n_phases, tag = phase_tag(m, 0);
    m->often = "ilog2(2*numprocs)";
    say_work(m);
    say(m, "Set levels%d = numprocs > 1 ? ilog2(numprocs-1)+1 : 0\nLoop iterations = levels%d & var = k%d\n{\n", k, k,
        k);
    say(m, "Set far%d = pow(2, k%d)\n", k, k);
    say(m, "Set pair%d = procnum/far%d%%2 == 0 ? procnum+far%d : procnum-far%d\n", k, k, k, k);
    say(m, "Set pair%d = pair%d < numprocs ? pair%d : MPI_PROC_NULL\n", k, k, k);
    say(m, "Set bytes%d = (%s)*%s\n", k, size, grows ? "2" : "1");
    if (grows)
        say(m, "Set bytes%d = bytes%d*(k%d+1)/2\n", k, k, k);
    if (chance(m, 2))
        say(m, "Message type = MPI_Irecv & from = pair%d & tag = %d & request = p\n"
               "Message type = MPI_Isend & to = pair%d & size = bytes%d & tag = %d & request = q\n"
               "Message type = MPI_Waitall & request = (p, q)\n", k, tag, k, k, tag);
    else
        say(m, "Message type = MPI_Sendrecv & to = pair%d & from = pair%d & size = bytes%d & recv_size = 1000000 & tag = "
               "%d\n", k, k, k, tag);
    say_work(m);
    say(m, "}\n");
    return cost_of(grows ? 6 : 3, bytes);
}

struct shape_cost shape_sendrecv(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 160000, &bytes);
    int far = chance(m, 4) ? 1 : 2 + chance(m, 5);
    say_work(m);
    say(m, "Message type = MPI_Sendrecv & to = (procnum+%d)%%numprocs & from = (procnum+numprocs*%d-%d)%%numprocs & size = "
           "%s & recv_size = 1000000 & tag = %d\n", far, far, far, size, phase_tag(m, 0));
    return cost_of(1, bytes);
}

/* Everybody's share comes to everybody, round the ring. */
struct shape_cost shape_rotate(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 16384, &bytes);
    int tag = phase_tag(m, 0);
    m->often = "numprocs";
    say(m, "Loop iterations = numprocs-1\n{\n");
    if (chance(m, 2))
        say(m, "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = %d & request = p\n"
               "Message type = MPI_Isend & to = (procnum+1)%%numprocs & size = %s & tag = %d & request = q\n"
               "Message type = MPI_Wait & request = p\n", tag, size, tag);
    else
        say(m, "Message type = MPI_Isend & to = (procnum+1)%%numprocs & size = %s & tag = %d & request = q\n"
               "Message type = MPI_Recv & from = (procnum+numprocs-1)%%numprocs & tag = %d\n", size, tag, tag);
    say_work(m);
    say(m, "Message type = MPI_Wait & request = q\n}\n");
    const struct shape_cost one = cost_of(1, bytes);
    return (struct shape_cost){.each = one.fixed};
}

/* One token goes round. */
struct shape_cost shape_hand_on(struct maker *m)
{
    double bytes;
    const char *size = chance_size(m, 16384, &bytes);
    m->often = "numprocs";
    say(m, "Runon c1 = procnum == 0 & else\n{\n");
    say_send(m, "1%numprocs", size, phase_tag(m, 0));
    say(m, "Message type = MPI_Recv & from = numprocs-1 & tag = %d\n}\n{\n", phase_tag(m, 0));
    say(m, "Message type = MPI_Recv & from = procnum-1 & tag = %d\n", phase_tag(m, 0));
    say_work(m);
    say_send(m, "(procnum+1)%numprocs", size, phase_tag(m, 0));
    say(m, "}\n");
    const struct shape_cost one = cost_of(1, bytes);
    return (struct shape_cost){.each = one.fixed};
}
