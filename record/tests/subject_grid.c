/* subject_grid.c - subjects that lay their processes out in a grid and exchange messages with neighbours in it. */
#include "subject.h"

#include <mpi.h>
#include <stdbool.h>

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

static void visits_of(const char *box)
{
    visits(3, box != NULL);
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

static void swap(int to, int from)
{
    int out = rank, in;
    MPI_Sendrecv(&out, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Who is the second next in the ring of all; and a torus of at least two columns, whose rows are the ring of as many further on: at 2, 4
 * and 8 processes these are the same. */
static void second(void)
{
    swap((rank + 2) % size, (rank + size - 2) % size);
    swap((rank + size - 2) % size, (rank + 2) % size);
}
static void columns(void)
{
    int extent[2] = {0};
    MPI_Dims_create(size, 2, extent);
    const int n = extent[1] < 2 ? 2 : extent[1], row = rank / n * n, left = row + (rank + n - 1) % n, right = row + (rank + 1) % n;
    swap(left, right);
    swap(right, left);
    swap((rank + n) % size, (rank + size - n) % size);
    swap((rank + size - n) % size, (rank + n) % size);
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

/* A halo of a square of n by n points, and its corners the second time. */
static void halo(int n)
{
    static double out[1024], in[1024];
    int extent[2] = {0}, before, after;
    MPI_Comm grid;
    MPI_Dims_create(size, 2, extent);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extent, (int[2]){0}, 0, &grid);
    for (int step = 0; step < 10; step++)
        for (int axis = 0; axis < 2; axis++) {
            const int points = n / extent[1 - axis];
            MPI_Cart_shift(grid, axis, 1, &before, &after);
            MPI_Sendrecv(out, points, MPI_DOUBLE, after, axis, in, points, MPI_DOUBLE, before, axis, grid, MPI_STATUS_IGNORE);
            MPI_Sendrecv(out, points + 2, MPI_DOUBLE, after, axis, in, points + 2, MPI_DOUBLE, before, axis, grid, MPI_STATUS_IGNORE);
        }
}

const struct subject subjects_of_grid[] = {
    {.name = "neighbours", .alone = neighbours},
    {.name = "torus", .counted = torus},
    {.name = "visits", .told = visits_of},
    {.name = "across", .alone = across},
    {.name = "second", .alone = second},
    {.name = "columns", .alone = columns},
    {.name = "axes", .counted = axes, .usual = 10},
    {.name = "halo", .counted = halo, .usual = 240},
    {.name = NULL},
};
