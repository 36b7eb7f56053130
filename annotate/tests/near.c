/* Operations among the neighbours of a grid, of a ring of its own and of an open line; messages that probes take out; and locks of
 * all processes. -DLOCKS */
#include <mpi.h>

#define N 50

static double a[8 * N], b[8 * N];

static void exchange(MPI_Comm grid, int n)
{
    MPI_Neighbor_alltoall(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, grid);
}

static void probe(int rank, int size)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    if (rank > 0) {
        MPI_Send(a, 10, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) {
        MPI_Mprobe(i, 7, MPI_COMM_WORLD, &message, &status);
        if (i % 2 == 1) {
            MPI_Mrecv(b, 10, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        } else {
            MPI_Imrecv(b, 10, MPI_DOUBLE, &message, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

#ifdef LOCKS
static void put(int rank, int size)
{
    MPI_Win window;
    MPI_Win_create(b, sizeof b, sizeof *b, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    for (int step = 0; step < 4; step++) {
        for (int other = 0; other < size; other++)
            MPI_Put(a, N, MPI_DOUBLE, other, 0, N, MPI_DOUBLE, window);
        MPI_Win_flush_all(window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_lock_all(0, window);
    MPI_Accumulate(a, 20, MPI_DOUBLE, (rank + 1) % size, 0, 20, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}
#endif

int main(int argc, char **argv)
{
    int rank, size, dims[2] = {0, 0}, periodic[2] = {1, 1}, counts[2] = {5, 5}, places[2] = {0, 5}, weights[2] = {1, 1};
    MPI_Comm grid, half, ring, line;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    int own, all;
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &all);
    int next = (own + 1) % all, before = (own + all - 1) % all;
    MPI_Dist_graph_create_adjacent(half, 1, &before, weights, 1, &next, weights, MPI_INFO_NULL, 0, &ring);
    int open[2], n = 0;
    if (rank > 0)
        open[n++] = rank - 1;
    if (rank < size - 1)
        open[n++] = rank + 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, open, weights, n, open, weights, MPI_INFO_NULL, 0, &line);
    for (int step = 0; step < 6; step++) {
        MPI_Request request;
        exchange(grid, N);
        exchange(grid, 2 * N);
        MPI_Ineighbor_alltoallv(a, counts, places, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, line, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, grid);
        MPI_Neighbor_allgather(a, N, MPI_DOUBLE, b, N, MPI_DOUBLE, ring);
    }
    probe(rank, size);
#ifdef LOCKS
    put(rank, size);
#endif
    MPI_Finalize();
    return 0;
}
