/* behind.c - neighbours, two by two, compute and exchange `bytes`, above the eager limit, ten times: right behind the computation
 * (what 0), behind one or two short exchanges (1, 2), or behind one of `eager` bytes (3). The odd ones compute 3 ms longer. */
#include "cold.h"

int main(int argc, char **argv)
{
    int rank, size;
    int what = 0;       // PEVPM Param what = 0
    int bytes = 200000; // PEVPM Param bytes = 200000
    int eager = 10000;  // PEVPM Param eager = 10000
    const struct work_parameter known[] = {{"what", &what, NULL}, {"bytes", &bytes, NULL}, {"eager", &eager, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 3, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    work_require(size % 2 == 0, "an odd number of processes");
    const int other = rank ^ 1; // PEVPM Set other = procnum%2 == 0 ? procnum+1 : procnum-1
    const int small = what == 3 ? eager : 4, times = what == 3 ? 1 : what;
    // PEVPM Set small = what == 3 ? eager : 4
    // PEVPM Set times = what == 3 ? 1 : what
    char *out = calloc((size_t)(bytes + eager), 1), *in = calloc((size_t)(bytes + eager), 1);
    double start = cold_begin();

    // PEVPM Loop iterations = 10
    // PEVPM {
    for (int i = 0; i < 10; i++) {
        // PEVPM Serial time = 20 + 3*(procnum%2) ms
        work_compute(20e-3 + 3e-3 * (rank % 2));
        // PEVPM Loop iterations = times
        // PEVPM {
        for (int k = 0; k < times; k++) {
            // PEVPM Message type = MPI_Sendrecv & size = small & to = other & from = other
            MPI_Sendrecv(out, small, MPI_BYTE, other, 1, in, small, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
        // PEVPM Message type = MPI_Sendrecv & size = bytes & to = other & from = other
        MPI_Sendrecv(out, bytes, MPI_BYTE, other, 2, in, bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
