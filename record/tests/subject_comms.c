/* subject_comms.c - subjects about communicators: which are made of which, used and freed. */
#include "subject.h"

#include <mpi.h>
#include <stdio.h>
#include <time.h>

/* A communicator for each step, with 99 messages to the next process on it. For docs/PERFORMANCE.md. */
static void phases(int steps)
{
    int out = rank, in;
    for (int i = 0; i < steps; i++) {
        MPI_Comm own;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &own);
        for (int k = 0; k < 99; k++)
            MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, (rank + size - 1) % size, 3, own, MPI_STATUS_IGNORE);
        MPI_Comm_free(&own);
    }
}

/* One half of each communicator, until a process is alone. As miniAMR does. */
static void halves(void)
{
    MPI_Comm half = MPI_COMM_WORLD;
    for (int n = size, me = rank; n > 1; n /= 2) {
        MPI_Comm_split(half, me / (n / 2), me, &half);
        MPI_Comm_rank(half, &me);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The even and the odd ranks by themselves: no grid. */
static void sides(int steps)
{
    MPI_Comm side;
    double own = rank, sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &side);
    for (int i = 0; i < steps; i++)
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, side);
}

/* Two communicators of halves, one of all but process 0 and a window, made, used and freed in each step. */
static void remade(int steps)
{
    static double memory[1];
    double own = rank, sum;
    for (int i = 0; i < steps; i++) {
        MPI_Comm half, copy, others;
        MPI_Win window;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Comm_dup(half, &copy);
        MPI_Comm_free(&half);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, copy);
        MPI_Comm_free(&copy);
        MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, rank, &others);
        if (rank > 0) {
            MPI_Bcast(&own, 1, MPI_DOUBLE, 0, others);
            MPI_Comm_free(&others);
        }
        MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
        MPI_Put(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
}

static int (*free_comm)(MPI_Comm *), (*free_window)(MPI_Win *);
static MPI_Comm hidden[2];
static MPI_Win under;

static int free_hidden(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    free_window(&under);
    free_comm(&hidden[0]);
    return free_comm(&hidden[1]);
}

/* In each step two communicators and a window of all, which an attribute frees, and then the same of all in the
 * other order, which may get their handles. */
static void attributes(int steps)
{
    static double memory[1];
    double own = rank, sum;
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_hidden, &key, NULL);
    for (int i = 0; i < steps; i++) {
        MPI_Comm back, copy;
        MPI_Win window;
        MPI_Comm_dup(MPI_COMM_WORLD, &hidden[0]);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back);
        MPI_Comm_dup(MPI_COMM_WORLD, &hidden[1]);
        MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &under);
        MPI_Comm_set_attr(back, key, NULL);
        MPI_Comm_free(&back);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back);
        MPI_Comm_dup(back, &copy);
        MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, back, &window);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, copy);
        MPI_Win_free(&window);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&back);
    }
}

static void hidden_frees(int steps)
{
    free_comm = MPI_Comm_free;
    free_window = MPI_Win_free;
    attributes(steps);
}

static void unseen_frees(int steps)
{
    free_comm = PMPI_Comm_free;
    free_window = PMPI_Win_free;
    attributes(steps);
}

/* What was written and what is written next change places with each step, and so do their windows; then a sum over rows
 * and one over columns, of communicators that one call makes. As two-dimensional codes do. */
static void swapped(int steps)
{
    static double memory[2][2];
    double own = rank, sum;
    int dims[2] = {0, 0}, round[2] = {0, 0};
    MPI_Win window[2];
    MPI_Comm grid, line[2];
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, round, 0, &grid);
    MPI_Win_create(memory[0], sizeof memory[0], sizeof **memory, MPI_INFO_NULL, grid, &window[0]);
    MPI_Win_create(memory[1], sizeof memory[1], sizeof **memory, MPI_INFO_NULL, grid, &window[1]);
    for (int axis = 0; axis < 2; axis++)
        MPI_Cart_sub(grid, (int[2]){axis == 0, axis == 1}, &line[axis]);
    for (int i = 0; i < steps; i++) {
        MPI_Win_fence(0, window[i % 2]);
        MPI_Put(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window[i % 2]);
        MPI_Win_fence(0, window[i % 2]);
        for (int axis = 0; axis < 2; axis++)
            MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, line[axis]);
    }
    for (int k = 0; k < 2; k++) {
        MPI_Win_free(&window[k]);
        MPI_Comm_free(&line[k]);
    }
    MPI_Comm_free(&grid);
}

/* As many copies as processes in each step, freed in another order each time, and one that is made of the step before's. */
static void copies(int steps)
{
    MPI_Comm copy[16], last, next;
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < size; k++)
            MPI_Comm_dup(MPI_COMM_WORLD, &copy[k]);
        for (int k = 0; k < size; k++)
            MPI_Barrier(copy[k]);
        for (int k = 0; k < size; k++)
            MPI_Comm_free(&copy[(k + i) % size]);
        MPI_Comm_dup(last, &next);
        MPI_Comm_free(&last);
        last = next;
    }
    MPI_Comm_free(&last);
}

/* Called by those alone that are in it. */
static void make_of_even(void)
{
    MPI_Group all, even;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, (int[][3]){{0, (size - 1) / 2 * 2, 2}}, &even);
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 3, &made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&even);
}

/* Neighbours in a grid that MPI has laid out, round in one dimension; and in a line that each process says itself. Sizes for
 * each partner, one's own share among them. A communicator of one's own, and one of half of a half. */
static void near(void)
{
    static char out[4096], in[4096];
    int dims[2] = {0, 0}, round[2] = {1, 0}, line[2], weights[2] = {1, 1}, n = 0, counts[64], at[64] = {0}, four[4] = {5, 5, 6, 6};
    int at_four[4] = {0, 64, 128, 192};
    MPI_Datatype types[64];
    MPI_Request r;
    MPI_Comm grid, chain, half, quarter;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, round, 0, &grid);
    for (int i = 0; i < 3; i++) {
        MPI_Neighbor_alltoall(out, 32, MPI_CHAR, in, 32, MPI_CHAR, grid);
        MPI_Ineighbor_alltoallv(out, four, at_four, MPI_CHAR, in, four, at_four, MPI_CHAR, grid, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    if (rank > 0)
        line[n++] = rank - 1;
    if (rank < size - 1)
        line[n++] = rank + 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, line, weights, n, line, weights, MPI_INFO_NULL, 0,
                                   &chain);
    MPI_Neighbor_allgather(out, 40, MPI_CHAR, in, 40, MPI_CHAR, chain);
    for (int i = 0; i < size; i++) {
        counts[i] = i == rank ? 0 : 24;
        at[i] = 24 * i;
        types[i] = MPI_CHAR;
    }
    MPI_Alltoallw(out, counts, at, types, in, counts, at, types, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &half);
    MPI_Comm_free(&half);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank % 2 == 0) {
        MPI_Comm_split(half, rank / 2 % 2, rank, &quarter);
        MPI_Bcast(out, 20, MPI_CHAR, 0, quarter);
        MPI_Comm_free(&quarter);
    }
    make_of_even();
}

/* ns of the processor for each communicator that is made and freed. */
static void made(int n)
{
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < n; i++) {
        MPI_Comm own;
        MPI_Comm_split(MPI_COMM_SELF, 0, 0, &own);
        MPI_Comm_free(&own);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    printf("%.0f\n", ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / n);
}

const struct subject subjects_of_comms[] = {
    {.name = "halves", .alone = halves},
    {.name = "sides", .counted = sides, .usual = 10},
    {.name = "remade", .counted = remade, .usual = 10},
    {.name = "hidden", .counted = hidden_frees, .usual = 10},
    {.name = "unseen", .counted = unseen_frees, .usual = 10},
    {.name = "swapped", .counted = swapped, .usual = 20},
    {.name = "copies", .counted = copies, .usual = 10},
    {.name = "phases", .counted = phases},
    {.name = "near", .alone = near},
    {.name = "made", .counted = made, .usual = 20000},
    {.name = NULL},
};
