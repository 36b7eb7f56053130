/* subject.c - what test_record.sh records: one kind of call each, by the first argument. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, size;

static void ring(int steps)
{
    int out = rank, in;
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

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

/* A torus of 4 columns: a halo exchange, a loop of three messages within each step, a norm every ten; 121 calls in ten
 * steps. For docs/PERFORMANCE.md. */
static void torus(int steps)
{
    static double out[4][64], in[4][64];
    const int x = rank % 4, row = rank - x, n = size;
    const int near[4] = {row + (x + 1) % 4, row + (x + 3) % 4, (rank + 4) % n, (rank + n - 4) % n};
    double sum = 0, all;
    for (int i = 0; i < steps; i++) {
        MPI_Request requests[8];
        for (int k = 0; k < 4; k++)
            MPI_Irecv(in[k], 64, MPI_DOUBLE, near[k], k ^ 1, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < 4; k++)
            MPI_Isend(out[k], 64, MPI_DOUBLE, near[k], k, MPI_COMM_WORLD, &requests[4 + k]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 3; k++)
            MPI_Sendrecv(out[0], k + 1, MPI_DOUBLE, near[k & 1], 9, in[0], 64, MPI_DOUBLE, near[(k & 1) ^ 1], 9,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 10 == 9)
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Those neighbours of a box that exist, in a fixed order: all 26 of them, then along one axis after the other. The box is
 * MPI_Cart_create's, or the program's own, the first axis next in number. */
static void visits(int steps, bool cartesian)
{
    static double out[27][64], in[27][64];
    int extent[3] = {0}, partner[27], n[27], found = 0;
    MPI_Dims_create(size, 3, extent);
    MPI_Comm made;
    if (cartesian)
        MPI_Cart_create(MPI_COMM_WORLD, 3, extent, (int[3]){0}, 0, &made);
    const int last = cartesian ? 2 : 0, stride[3] = {last ? extent[1] * extent[2] : 1, extent[last], last ? 1 : extent[0] * extent[1]};
    const int at[3] = {rank / stride[0] % extent[0], rank / stride[1] % extent[1], rank / stride[2] % extent[2]};
    int along[6];
    for (int d = 0; d < 6; d++) {
        const int axis = d / 2, to = at[axis] + (d % 2 ? 1 : -1);
        along[d] = to < 0 || to >= extent[axis] ? -1 : rank + (to - at[axis]) * stride[axis];
    }
    for (int d = 0; d < 27; d++) {
        const int x = at[0] + d / 9 - 1, y = at[1] + d / 3 % 3 - 1, z = at[2] + d % 3 - 1;
        if (d == 13 || x < 0 || x >= extent[0] || y < 0 || y >= extent[1] || z < 0 || z >= extent[2])
            continue;
        n[found] = 64 >> 2 * ((d / 9 != 1) + (d / 3 % 3 != 1) + (d % 3 != 1));
        partner[found++] = x * stride[0] + y * stride[1] + z * stride[2];
    }
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[27], one;
        for (int i = 0; i < found; i++)
            MPI_Irecv(in[i], 64, MPI_DOUBLE, partner[i], 1, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < found; i++)
            MPI_Send(out[i], n[i], MPI_DOUBLE, partner[i], 1, MPI_COMM_WORLD);
        MPI_Waitall(found, requests, MPI_STATUSES_IGNORE);
        for (int d = 0; d < 6; d++) {
            if (along[d ^ 1] >= 0)
                MPI_Irecv(in[0], 64, MPI_DOUBLE, along[d ^ 1], 2, MPI_COMM_WORLD, &one);
            if (along[d] >= 0)
                MPI_Send(out[0], 48 * extent[d / 2] / size, MPI_DOUBLE, along[d], 2, MPI_COMM_WORLD);
            if (along[d ^ 1] >= 0)
                MPI_Wait(&one, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* A sort: how much goes to whom follows the data. */
static void buckets(int steps)
{
    static char out[65536], in[131072];
    int counts[64], from[64], came[64], at[64];
    for (int step = 0; step < steps; step++) {
        for (int p = 0; p < size; p++)
            counts[p] = (24000 + (rank * 37 + p * 91 + step * 53) % 29 * 40) / size / size;
        MPI_Alltoall(counts, 1, MPI_INT, came, 1, MPI_INT, MPI_COMM_WORLD);
        for (int p = 0; p < size; p++) {
            from[p] = p == 0 ? 0 : from[p - 1] + counts[p - 1];
            at[p] = p == 0 ? 0 : at[p - 1] + came[p - 1];
        }
        MPI_Alltoallv(out, counts, from, MPI_CHAR, in, came, at, MPI_CHAR, MPI_COMM_WORLD);
    }
}

/* One call for all three axes of a halo; what goes along the last one follows the data. After ten steps, a message down
 * a line of processes and one back, so that its ends have one of two calls only. */
static void axes(int steps)
{
    char out[256] = {0}, in[256];
    for (int step = 0; step < steps; step++) {
        for (int axis = 0; axis < 3; axis++) {
            int other = (rank ^ 1 << axis) < size ? rank ^ 1 << axis : rank;
            int bytes = axis < 2 ? 64 << axis : step < 7 ? 200 : 200 - step % 5 - rank;
            MPI_Sendrecv(out, bytes, MPI_CHAR, other, 1, in, 256, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (step % 10 == 9)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int plane = 0; plane < 5; plane++) {
        if (rank > 0)
            MPI_Recv(in, 256, MPI_CHAR, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Send(out, 40, MPI_CHAR, rank + 1, 2, MPI_COMM_WORLD);
    }
}

/* Of two processes none does both, and the compiler puts the first call behind the second. */
static void pipeline(void)
{
    int rank, size;
    char text[8] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (__builtin_expect(rank > 0, 0))
        MPI_Recv(text, 8, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (__builtin_expect(rank < size - 1, 1))
        MPI_Send(text, 8, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD);
}

/* Process 0 takes what anybody has, to the end: who is done early must not be taken for one who asks. */
static void farm(void)
{
    char text[64] = {0};
    MPI_Status status;
    for (int i = 0; i < 5 * (size - 1) && rank == 0; i++) {
        MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(text, 64, MPI_CHAR, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(text, 64, MPI_CHAR, status.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 5 && rank > 0; i++) {
        MPI_Send(text, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Send(text, 64, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(text, 64, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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

/* What process 0 does follows from who sent what it takes of anybody; all are done in any order. They send a tenth of a second
 * after each other, so that runs have the order of their ranks. */
static void chosen(void)
{
    char text[8] = {0};
    MPI_Status status;
    usleep(100000 * (unsigned)rank);
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1)
            MPI_Send(text, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
        else
            MPI_Recv(text, 8, MPI_CHAR, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 0)
        MPI_Send(text, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(text, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank > 1)
        MPI_Send(text, 8, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
}

/* Sums of all before, twice as far away in each trip: who sends and who receives depends on both the process and the trip. Some
 * do neither, and each only waits in the last. */
static void scan(void)
{
    char text[8] = {0};
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank + distance < size)
            MPI_Send(text, 8, MPI_CHAR, rank + distance, 4, MPI_COMM_WORLD);
        if (rank >= distance)
            MPI_Recv(text, 8, MPI_CHAR, rank - distance, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int distance = 1; distance < size; distance *= 2) {
        if ((rank + 1) % distance == 0) {
            if (rank / distance % 2 == 0)
                MPI_Send(text, 4, MPI_CHAR, rank + distance, 5, MPI_COMM_WORLD);
            else
                MPI_Recv(text, 4, MPI_CHAR, rank - distance, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* A message to the middle, which 2 and 4 processes do not tell from others. */
static void middle(void)
{
    char text[8] = {0};
    if (rank == 0)
        MPI_Send(text, 8, MPI_CHAR, size / 2, 6, MPI_COMM_WORLD);
    if (rank == size / 2)
        MPI_Recv(text, 8, MPI_CHAR, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Who one's neighbours are is learnt from messages of anybody; from then on they are named. As HPCCG does. */
static void neighbours(void)
{
    char out[64] = {0}, in[64];
    int named[2], learnt[2], n = 0;
    MPI_Request r[2];
    MPI_Status status;
    if (rank > 0)
        named[n++] = rank - 1;
    if (rank < size - 1)
        named[n++] = rank + 1;
    for (int i = 0; i < n; i++)
        MPI_Irecv(in, 4, MPI_CHAR, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < n; i++)
        MPI_Send(out, 4, MPI_CHAR, named[i], 9, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        MPI_Wait(&r[i], &status);
        learnt[i] = status.MPI_SOURCE;
    }
    if (n == 2 && learnt[0] > learnt[1])
        learnt[0] = rank - 1, learnt[1] = rank + 1;
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < n; i++)
            MPI_Irecv(in, 64, MPI_CHAR, learnt[i], 10, MPI_COMM_WORLD, &r[i]);
        for (int i = 0; i < n; i++)
            MPI_Send(out, 64, MPI_CHAR, learnt[i], 10, MPI_COMM_WORLD);
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    }
}

/* Who has the largest value is the root, and how often a loop goes round until it is found follows the data, too. The last one
 * writes. */
static void largest(void)
{
    char text[300] = {0}, all[8];
    MPI_Reduce(text, all, 8, MPI_CHAR, MPI_MAX, size - 1, MPI_COMM_WORLD);
    MPI_Bcast(text, 8, MPI_CHAR, 2 * size / 5, MPI_COMM_WORLD);
    for (int i = 0; i < (size < 16 ? 4 + size / 2 : 9); i++)
        MPI_Allreduce(MPI_IN_PLACE, text, 4, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    if (size >= 8)
        MPI_Bcast(text, 300 / size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void everything(void)
{
    char out[256] = {0}, in[4096];
    int right = (rank + 1) % size, left = (rank + size - 1) % size, flag = 0, counts[64];
    MPI_Request r[4];
    MPI_Comm rows;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &rows);
    for (int i = 0; i < 5; i++) { /* persistent requests, and one that is tested */
        if (i == 0) {
            MPI_Send_init(out, 100, MPI_CHAR, right, 1, MPI_COMM_WORLD, &r[0]);
            MPI_Recv_init(in, 100, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r[1]);
        }
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Irecv(in, 256, MPI_CHAR, left, 2, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(out, 256, MPI_CHAR, right, 2, MPI_COMM_WORLD, &r[3]);
        for (flag = 0; !flag;)
            MPI_Test(&r[2], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&r[3], MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, out, 10, MPI_INT, MPI_MAX, rows);
        MPI_Bcast(out, 16, MPI_CHAR, 0, rows);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    for (int i = 0; i < size; i++)
        counts[i] = 4;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : out, 8, MPI_CHAR, in, 8, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&rows);
}

/* Operations with a request, each with some computing under it. */
static void started(void)
{
    static char out[4096], in[4096];
    MPI_Request r[9];
    for (int i = 0; i < 3; i++) {
        MPI_Iscatter(out, 11, MPI_CHAR, in, 11, MPI_CHAR, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Igather(out, 12, MPI_CHAR, in + 1024, 12, MPI_CHAR, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Ireduce(out, in + 2048, 13, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Iallgather(out, 14, MPI_CHAR, in + 2200, 14, MPI_CHAR, MPI_COMM_WORLD, &r[3]);
        MPI_Ialltoall(out, 15, MPI_CHAR, in + 2700, 15, MPI_CHAR, MPI_COMM_WORLD, &r[4]);
        MPI_Iscan(out, in + 3200, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[5]);
        MPI_Iexscan(out, in + 3400, 17, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[6]);
        MPI_Ibcast(in + 3600, 18, MPI_CHAR, 0, MPI_COMM_WORLD, &r[7]);
        MPI_Ibarrier(MPI_COMM_WORLD, &r[8]);
        MPI_Waitall(9, r, MPI_STATUSES_IGNORE);
    }
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

/* Looks whether two messages have come, and waits for them later if not, as TeaLeaf does. Which it is differs from time to time
 * and from process to process. */
static void looked(int salt)
{
    char out[256] = {0}, in[512];
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request across[2], along[2];
    for (int i = 0; i < 40; i++) {
        int done = 0;
        MPI_Irecv(in, 200, MPI_CHAR, left, 1, MPI_COMM_WORLD, &across[0]);
        MPI_Isend(out, 200, MPI_CHAR, right, 1, MPI_COMM_WORLD, &across[1]);
        while ((i * i + rank * salt) % 5 < 2 && !done)
            MPI_Testall(2, across, &done, MPI_STATUSES_IGNORE);
        MPI_Irecv(in + 256, 100, MPI_CHAR, right, 2, MPI_COMM_WORLD, &along[0]);
        MPI_Isend(out, 100, MPI_CHAR, left, 2, MPI_COMM_WORLD, &along[1]);
        if (!done)
            MPI_Waitall(2, across, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, along, MPI_STATUSES_IGNORE);
        if (i % 4 == 3)
            MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Messages that are taken out before they are received: from who is known, and from anybody. */
static void taken(void)
{
    char out[64] = {0}, in[64];
    MPI_Message message;
    MPI_Request r;
    int flag = 0;
    for (int i = 0; i < 4; i++) {
        MPI_Isend(out, 20, MPI_CHAR, (rank + 1) % size, 6, MPI_COMM_WORLD, &r);
        MPI_Mprobe((rank + size - 1) % size, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, 64, MPI_CHAR, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Isend(out, 30, MPI_CHAR, (rank + 1) % size, 7, MPI_COMM_WORLD, &r);
        for (flag = 0; !flag;)
            MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Imrecv(in, 64, MPI_CHAR, &message, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

/* One-sided operations: fences on all processes, locks of one and of all on every other one. (On both halves at a time
 * Open MPI 4.1 may fail: its osc/rdma gives their windows' files one name.) */
static void windows(void)
{
    enum { N = 3000 };
    static double memory[N], own[N], *given;
    MPI_Comm half;
    MPI_Win all, part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &half);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    if (rank % 2 == 0)
        MPI_Win_allocate(800, 8, MPI_INFO_NULL, half, &given, &part);
    MPI_Win_fence(0, all);
    for (int i = 0; i < 5; i++) {
        MPI_Put(own, N, MPI_DOUBLE, (rank + 1) % size, 0, N, MPI_DOUBLE, all);
        MPI_Get(own, 10, MPI_DOUBLE, (rank + size - 1) % size, 0, 10, MPI_DOUBLE, all);
        MPI_Accumulate(own, 2, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, 2, MPI_DOUBLE, MPI_SUM, all);
        MPI_Win_fence(0, all);
        if (rank % 2)
            continue;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, part);
        MPI_Put(own, 100, MPI_DOUBLE, 0, 0, 100, MPI_DOUBLE, part);
        MPI_Win_flush(0, part);
        MPI_Win_unlock(0, part);
    }
    if (rank % 2 == 0) {
        MPI_Win_lock_all(0, part);
        for (int i = 0; i < 4; i++) {
            MPI_Get(own, 7, MPI_DOUBLE, 0, 0, 7, MPI_DOUBLE, part);
            MPI_Win_flush(0, part);
        }
        MPI_Win_flush_all(part);
        MPI_Win_unlock_all(part);
        MPI_Win_free(&part);
        MPI_Comm_free(&half);
    }
    MPI_Win_free(&all);
}

/* What no recording has: the call that makes it, and what the program goes on with. */
static void refused(const char *what)
{
    int counts[64] = {0}, number = 1;
    char name[] = "refused.data";
    MPI_Request r;
    if (strcmp(what, "window") == 0) {
        MPI_Win window;
        MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
        MPI_Fetch_and_op(&rank, counts, MPI_INT, (rank + 1) % size, 0, MPI_SUM, window);
        MPI_Win_unlock((rank + 1) % size, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (number != 1 + (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Win_free(&window);
    } else if (strcmp(what, "longest") == 0) { /* thirteen arguments */
        MPI_Win window;
        MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
        MPI_Rget_accumulate(&rank, 1, MPI_INT, counts, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, MPI_SUM, window, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Win_unlock((rank + 1) % size, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (counts[0] != 1 || number != 1 + (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Win_free(&window);
    } else if (strcmp(what, "file") == 0) {
        MPI_File file;
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        MPI_File_close(&file);
    } else if (strcmp(what, "between") == 0) {
        MPI_Comm half, between;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
        MPI_Barrier(between);
    } else if (strcmp(what, "late") == 0) { /* ten arguments, four of them on the stack */
        MPI_Ialltoallw(&number, counts, counts, (MPI_Datatype[]){MPI_INT, MPI_INT, MPI_INT, MPI_INT}, &number, counts, counts,
                       (MPI_Datatype[]){MPI_INT, MPI_INT, MPI_INT, MPI_INT}, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else { /* a call that no wrapper sees makes what the program goes on with */
        if (strcmp(what, "comm") == 0) {
            MPI_Comm own;
            PMPI_Comm_dup(MPI_COMM_WORLD, &own);
            MPI_Barrier(own);
        } else {
            PMPI_Ibarrier(MPI_COMM_WORLD, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
    ring(2);
}

/* Messages of anybody to anybody, of any size and tag, as chance has it: the same chance for all. */
static void chance(int rounds)
{
    static char bytes[1000];
    unsigned random = 7;
    for (int i = 0; i < rounds; i++) {
        unsigned drawn[4];
        for (int k = 0; k < 4; k++)
            drawn[k] = (random = random * 1103515245U + 12345U) / 65536;
        int from = (int)(drawn[0] % (unsigned)size), to = (int)(drawn[1] % (unsigned)size);
        if (from == to)
            continue;
        if (rank == from)
            MPI_Send(bytes, (int)(drawn[2] % 1000), MPI_CHAR, to, (int)(drawn[3] % 7), MPI_COMM_WORLD);
        if (rank == to)
            MPI_Recv(bytes, (int)(drawn[2] % 1000), MPI_CHAR, from, (int)(drawn[3] % 7), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Receives that stand open while the messages before them come, the last of which is cancelled. */
static void ahead(int laps)
{
    char in[8], out[8] = {0};
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request r, freed;
    MPI_Status status;
    int cancelled;
    MPI_Irecv(in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r);
    MPI_Irecv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &freed);
    for (int i = 0; i < laps; i++) {
        MPI_Send(out, 8, MPI_CHAR, right, 1, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Irecv(in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r);
    }
    MPI_Cancel(&freed);
    MPI_Request_free(&freed);
    MPI_Cancel(&r);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* all have cancelled */
    MPI_Sendrecv(out, 8, MPI_CHAR, right, 1, in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Each lap cancels receives that would have taken the messages behind them, one of them persistent, another by a process whose
 * every third lap has a message for it. */
static void stale(int laps)
{
    char in[8], out[8] = {0};
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request r[3], again;
    MPI_Recv_init(in, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &again);
    for (int i = 0; i < laps; i++) {
        MPI_Irecv(in, 8, MPI_CHAR, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
        MPI_Start(&again);
        MPI_Cancel(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        MPI_Cancel(&r[0]);
        MPI_Barrier(MPI_COMM_WORLD); /* all have cancelled */
        MPI_Isend(out, 8, MPI_CHAR, right, 4, MPI_COMM_WORLD, &r[1]);
        MPI_Irecv(in, 8, MPI_CHAR, left, 4, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        MPI_Irecv(in, 8, MPI_CHAR, left, 5, MPI_COMM_WORLD, &r[0]);
        if (i % 3 == 2)
            MPI_Ssend(out, 8, MPI_CHAR, right, 5, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Cancel(&r[0]); /* in vain in every third lap */
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&again);
    MPI_Send(out, 8, MPI_CHAR, right, 7, MPI_COMM_WORLD);
    MPI_Recv(in, 8, MPI_CHAR, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void cancelled_send(void)
{
    char out[8] = {0}, in[8];
    MPI_Request r;
    MPI_Isend(out, 8, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD, &r);
    MPI_Recv(in, 8, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* One message each way between this process and its neighbour in a grid, the first axis next in number, if there is one. */
static int meet(const int extent[3], int x, int y, int z, int tag, MPI_Request r[2])
{
    static char in[4096], out[4096];
    const int at[3] = {rank % extent[0] + x, rank / extent[0] % extent[1] + y, rank / extent[0] / extent[1] + z};
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= extent[axis])
            return 0;
    const int peer = at[0] + extent[0] * (at[1] + extent[1] * at[2]);
    MPI_Irecv(in, 4096, MPI_CHAR, peer, tag, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, 4096, MPI_CHAR, peer, tag, MPI_COMM_WORLD, &r[1]);
    return 2;
}

/* Messages to all neighbours in a grid, across as well, each in a line of its own. */
static void across(void)
{
    int extent[3] = {0}, n = 0;
    MPI_Request r[52];
    MPI_Dims_create(size, 3, extent);
    n += meet(extent, 1, 0, 0, 1, r + n);
    n += meet(extent, -1, 0, 0, 1, r + n);
    n += meet(extent, 0, 1, 0, 2, r + n);
    n += meet(extent, 0, -1, 0, 2, r + n);
    n += meet(extent, 0, 0, 1, 3, r + n);
    n += meet(extent, 0, 0, -1, 3, r + n);
    n += meet(extent, 1, 1, 0, 4, r + n);
    n += meet(extent, -1, -1, 0, 4, r + n);
    n += meet(extent, 1, -1, 0, 5, r + n);
    n += meet(extent, -1, 1, 0, 5, r + n);
    n += meet(extent, 1, 0, 1, 6, r + n);
    n += meet(extent, -1, 0, -1, 6, r + n);
    n += meet(extent, 1, 0, -1, 7, r + n);
    n += meet(extent, -1, 0, 1, 7, r + n);
    n += meet(extent, 0, 1, 1, 8, r + n);
    n += meet(extent, 0, -1, -1, 8, r + n);
    n += meet(extent, 0, 1, -1, 9, r + n);
    n += meet(extent, 0, -1, 1, 9, r + n);
    n += meet(extent, 1, 1, 1, 10, r + n);
    n += meet(extent, -1, -1, -1, 10, r + n);
    n += meet(extent, 1, 1, -1, 11, r + n);
    n += meet(extent, -1, -1, 1, 11, r + n);
    n += meet(extent, 1, -1, 1, 12, r + n);
    n += meet(extent, -1, 1, -1, 12, r + n);
    n += meet(extent, 1, -1, -1, 13, r + n);
    n += meet(extent, -1, 1, 1, 13, r + n);
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
}

/* 1003 doubles and 62 rows that no count divides: the first have one more, the last has the remainder, from bounds, a share
 * for each worker. */
static void blocks(void)
{
    enum { N = 1003, ROWS = 62, WIDTH = 15 };
    static double all[N], mine[N], rows[ROWS * WIDTH];
    int *count = malloc(sizeof *count * (size_t)size), *from = malloc(sizeof *from * (size_t)size);
    for (int p = 0, at = 0; p < size; at += count[p++]) {
        count[p] = N / size + (p < N % size);
        from[p] = at;
    }
    MPI_Scatterv(all, count, from, MPI_DOUBLE, mine, count[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++) {
        count[p] = N / size + (p == size - 1 ? N % size : 0);
        from[p] = p * (N / size);
    }
    MPI_Gatherv(mine, count[rank], MPI_DOUBLE, all, count, from, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int step = 0; step < size - 1; step++) {
        const int here = (rank - step + size) % size, next = (here - 1 + size) % size;
        MPI_Sendrecv(mine, (here + 1) * N / size - here * N / size, MPI_DOUBLE, (rank + 1) % size, 1, all,
                     (next + 1) * N / size - next * N / size, MPI_DOUBLE, (rank - 1 + size) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int to = 1; to < size && rank == 0; to++)
        MPI_Send(rows, (ROWS / (size - 1) + (to <= ROWS % (size - 1))) * WIDTH, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(rows, ROWS * WIDTH, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(count);
    free(from);
}

/* Rows that are broadcast by those who have them; sent to all others by who has them; collected in rounds of anybody's, whose number is the
 * tag; and from each worker in turn. */
static void row_owners(void)
{
    enum { N = 30, EVEN = 48, ROUNDS = 5 };
    char text[8] = {0};
    for (int row = 0; row < N; row++) {
        int owner = 0;
        for (int end = 0; row >= (end += N / size + (owner < N % size));)
            owner++;
        MPI_Bcast(text, 8, MPI_CHAR, owner, MPI_COMM_WORLD);
    }
    for (int row = 0; row < EVEN; row++) {
        const int owner = row / (EVEN / size) < size ? row / (EVEN / size) : size - 1;
        for (int to = 0; to < size && rank == owner; to++)
            if (to != rank)
                MPI_Send(text, 8, MPI_CHAR, to, 1, MPI_COMM_WORLD);
        if (rank != owner)
            MPI_Recv(text, 8, MPI_CHAR, owner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int n = 1; n < size; n++)
            if (rank == 0)
                MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 10 + round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (rank == n)
                MPI_Send(text, 8, MPI_CHAR, 0, 10 + round, MPI_COMM_WORLD);
    for (int from = 1; from < size; from++)
        if (rank == 0)
            MPI_Recv(text, 8, MPI_CHAR, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank == from)
            MPI_Send(text, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
}

/* Rows that go once around, from whoever has them to the one before: whose end no formula says. */
static void around(void)
{
    char text[8] = {0};
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int row = 0; row < 48; row++)
        if (row % size == rank) {
            MPI_Send(text, 8, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        } else {
            MPI_Recv(text, 8, MPI_CHAR, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if ((row + 1) % size != rank)
                MPI_Send(text, 8, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        }
}

/* An odd-even sort's exchanges, in which the first or the last has no partner and does nothing, and a share for each. */
static void odd_even(void)
{
    enum { N = 4096 };
    static int mine[N], theirs[N];
    for (int phase = 0; phase < size; phase++) {
        const int partner = (phase + rank) % 2 == 0 ? rank + 1 : rank - 1;
        if (phase % 2 == 0 && partner < size)
            MPI_Sendrecv(mine, N / size, MPI_INT, partner, 0, theirs, N / size, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (phase % 2 == 1 && partner >= 0 && partner < size)
            MPI_Sendrecv(mine, N / size, MPI_INT, partner, 0, theirs, N / size, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Fox's algorithm: in each stage the next diagonal is broadcast along the rows, by a call of those who have it and one of the others. */
static void diagonals(void)
{
    char text[8] = {0};
    int side = 1;
    while ((side + 1) * (side + 1) <= size)
        side++;
    const int row = rank / side, column = rank % side;
    MPI_Comm along;
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &along);
    for (int step = 0; step < 5; step++)
        for (int stage = 0; stage < side; stage++) {
            const int root = (row + stage) % side;
            if (root == column)
                MPI_Bcast(text, 8, MPI_CHAR, root, along);
            else
                MPI_Bcast(text, 8, MPI_CHAR, root, along);
        }
    MPI_Comm_free(&along);
}

/* Binomial trees by hand: a scatter by lowest bits, of 60 doubles for each process; what goes to all by highest, and comes from all
 * by lowest bits. */
static void trees(int steps)
{
    static double data[60 * 64];
    int distance = 1;
    while (distance < size && rank % (2 * distance) == 0)
        distance *= 2;
    if (rank > 0)
        MPI_Recv(data, 60 * 64, MPI_DOUBLE, rank - distance, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (distance /= 2; distance > 0; distance /= 2)
        if (rank + distance < size) {
            const int left = size - rank - distance;
            MPI_Send(data, 60 * (left < distance ? left : distance), MPI_DOUBLE, rank + distance, 1, MPI_COMM_WORLD);
        }
    for (int i = 0; i < steps; i++) {
        for (int k = 1; k < size; k *= 2)
            if (rank >= k && rank < 2 * k)
                MPI_Recv(data, 40, MPI_DOUBLE, rank - k, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (rank < k && rank + k < size)
                MPI_Send(data, 40, MPI_DOUBLE, rank + k, 2, MPI_COMM_WORLD);
        int k = 1;
        for (; k < size && rank % (2 * k) == 0; k *= 2)
            if (rank + k < size)
                MPI_Recv(data, 1, MPI_DOUBLE, rank + k, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > 0)
            MPI_Send(data, 1, MPI_DOUBLE, rank - k, 3, MPI_COMM_WORLD);
    }
}

static void visits_of(const char *box)
{
    visits(3, box != NULL);
}

static void *another_thread(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF);
    return unused;
}

static void threads(int steps)
{
    pthread_t thread;
    ring(steps);
    pthread_create(&thread, NULL, another_thread, NULL);
    pthread_join(thread, NULL);
    ring(1);
}

static void forks(int steps)
{
    ring(steps);
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    ring(1);
}

static void aborts(int steps)
{
    ring(steps);
    MPI_Abort(MPI_COMM_WORLD, 7);
}

/* ns for each call of loops that do nothing else: over one call, over four. */
static void cost(int n)
{
    double start = MPI_Wtime();
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
    double one = MPI_Wtime();
    for (int i = 0; i < n / 4; i++) {
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_SELF);
    }
    printf("%.0f %.0f\n", (one - start) / n * 1e9, (MPI_Wtime() - one) / n * 1e9);
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

/* What the first argument names: alone, or with a number, `usual` where there is none, or with a text as second one. */
static const struct subject {
    const char *name;
    void (*alone)(void);
    void (*counted)(int number);
    int usual;
    void (*told)(const char *text);
} subjects[] = {
    {.name = "ring", .counted = ring, .usual = 10},
    {.name = "everything", .alone = everything},
    {.name = "ahead", .counted = ahead},
    {.name = "stale", .counted = stale},
    {.name = "cancelled-send", .alone = cancelled_send},
    {.name = "neighbours", .alone = neighbours},
    {.name = "farm", .alone = farm},
    {.name = "around", .alone = around},
    {.name = "odd-even", .alone = odd_even},
    {.name = "diagonals", .alone = diagonals},
    {.name = "rows", .alone = row_owners},
    {.name = "halves", .alone = halves},
    {.name = "remade", .counted = remade, .usual = 10},
    {.name = "hidden", .counted = hidden_frees, .usual = 10},
    {.name = "unseen", .counted = unseen_frees, .usual = 10},
    {.name = "copies", .counted = copies, .usual = 10},
    {.name = "chosen", .alone = chosen},
    {.name = "scan", .alone = scan},
    {.name = "largest", .alone = largest},
    {.name = "middle", .alone = middle},
    {.name = "pipeline", .alone = pipeline},
    {.name = "torus", .counted = torus},
    {.name = "phases", .counted = phases},
    {.name = "started", .alone = started},
    {.name = "near", .alone = near},
    {.name = "looked", .counted = looked, .usual = 1},
    {.name = "taken", .alone = taken},
    {.name = "windows", .alone = windows},
    {.name = "refused", .told = refused},
    {.name = "visits", .told = visits_of},
    {.name = "buckets", .counted = buckets, .usual = 4},
    {.name = "chance", .counted = chance, .usual = 10},
    {.name = "blocks", .alone = blocks},
    {.name = "trees", .counted = trees, .usual = 5},
    {.name = "across", .alone = across},
    {.name = "axes", .counted = axes, .usual = 10},
    {.name = "threads", .counted = threads, .usual = 10},
    {.name = "fork", .counted = forks, .usual = 10},
    {.name = "abort", .counted = aborts, .usual = 10},
    {.name = "cost", .counted = cost, .usual = 1000000},
    {.name = "made", .counted = made, .usual = 20000},
};

static const struct subject *subject_of(const char *name)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return &subjects[i];
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    const struct subject *subject = subject_of(argc > 1 ? argv[1] : "ring");
    const char *argument = argc > 2 ? argv[2] : NULL;
    if (!subject) {
        fprintf(stderr, "subject: there is no %s\n", argv[1]);
        return 2;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (subject->alone)
        subject->alone();
    else if (subject->told)
        subject->told(argument);
    else
        subject->counted(argument ? atoi(argument) : subject->usual);
    MPI_Finalize();
    return 0;
}
