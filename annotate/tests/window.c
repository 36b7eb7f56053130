/* Puts to the next process between fences, and to the first of its part under locks. */
#include <mpi.h>

#define N 300

int main(int argc, char **argv)
{
    static double memory[N], own[N];
    int rank, size;
    MPI_Comm part;
    MPI_Win all, parts;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, part, &parts);
    MPI_Win_fence(0, all);
    for (int step = 0; step < 6; step++) {
        MPI_Put(own, N, MPI_DOUBLE, (rank + 1) % size, 0, N, MPI_DOUBLE, all);
        MPI_Get(own, 10, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, 10, MPI_DOUBLE, all);
        MPI_Win_fence(0, all);
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, parts);
    MPI_Accumulate(own, 20, MPI_DOUBLE, 0, 0, 20, MPI_DOUBLE, MPI_SUM, parts);
    MPI_Win_unlock(0, parts);
    MPI_Win_free(&parts);
    MPI_Win_free(&all);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
