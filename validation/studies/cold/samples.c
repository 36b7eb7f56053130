/* samples.c - sample sort of `batches` batches of n keys of 8 bytes: each process sorts its share, all get everybody's
 * samples, counts and then keys change hands, and what has come is merged. The keys are not spread evenly: process p's part
 * is in proportion to p+1. */
#include "cold.h"

int main(int argc, char **argv)
{
    int rank, size;
    int n = 240000;  // PEVPM Param n = 240000
    int batches = 3; // PEVPM Param batches = 3
    const struct work_parameter known[] = {{"n", &n, NULL}, {"batches", &batches, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 2, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int mine = n / size;
    // PEVPM Set mine = n/numprocs
    int *sends = calloc((size_t)(4 * size), sizeof(int));
    int *gets = sends + size, *from = gets + size, *to = from + size;
    double *samples = calloc((size_t)(size * size), 8), *keys = calloc((size_t)n, 8), *sorted = calloc((size_t)(2 * n), 8);
    double start = cold_begin();

    // PEVPM Loop iterations = batches
    // PEVPM {
    for (int batch = 0; batch < batches; batch++) {
        // PEVPM Serial time = 150*mine ns
        work_compute(150e-9 * mine);
        // PEVPM Collective type = MPI_Allgather & size = 8*(numprocs-1)
        MPI_Allgather(keys, size - 1, MPI_DOUBLE, samples, size - 1, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int p = 0; p < size; p++)
            sends[p] = (int)(2LL * mine * (p + 1) / (size * (size + 1)));
        // PEVPM Collective type = MPI_Alltoall & size = 4
        MPI_Alltoall(sends, 1, MPI_INT, gets, 1, MPI_INT, MPI_COMM_WORLD);
        int all = 0;
        for (int p = 0, at = 0; p < size; p++) {
            to[p] = at;
            at += sends[p];
            from[p] = all;
            all += gets[p];
        }
        // PEVPM Collective type = MPI_Alltoallv & size = 8*(2*mine*(partner+1)/(numprocs*(numprocs+1)))
        MPI_Alltoallv(keys, sends, to, MPI_DOUBLE, sorted, gets, from, MPI_DOUBLE, MPI_COMM_WORLD);
        // PEVPM Set all = numprocs*(2*mine*(procnum+1)/(numprocs*(numprocs+1)))
        // PEVPM Serial time = 80*all ns
        work_compute(80e-9 * all);
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
