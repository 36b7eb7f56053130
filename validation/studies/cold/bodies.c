/* bodies.c - all pairs of n bodies of 32 bytes: each process's bodies go once around the ring in a time step, and while they
 * travel on the forces of those that are here are computed. */
#include "cold.h"

int main(int argc, char **argv)
{
    int rank, size;
    int n = 12000, steps = 4; // PEVPM Param n = 12000
    // PEVPM Param steps = 4
    const struct work_parameter known[] = {{"n", &n, NULL}, {"steps", &steps, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 2, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    // PEVPM Set mine = n/numprocs
    const int mine = n / size, next = (rank + 1) % size, previous = (rank + size - 1) % size;
    char *here = calloc((size_t)mine, 32), *coming = calloc((size_t)mine, 32);
    double start = cold_begin();

    // PEVPM Loop iterations = steps
    // PEVPM {
    for (int step = 0; step < steps; step++) {
        // PEVPM Loop iterations = numprocs & var = hop
        // PEVPM {
        for (int hop = 0; hop < size; hop++) {
            MPI_Request r[2];
            // PEVPM Runon c1 = hop < numprocs-1
            // PEVPM {
            if (hop < size - 1) {
                // PEVPM Message type = MPI_Irecv & from = (procnum+numprocs-1)%numprocs & size = 32*mine & request = r[0]
                MPI_Irecv(coming, 32 * mine, MPI_BYTE, previous, 0, MPI_COMM_WORLD, &r[0]);
                // PEVPM Message type = MPI_Isend & to = (procnum+1)%numprocs & size = 32*mine & request = r[1]
                MPI_Isend(here, 32 * mine, MPI_BYTE, next, 0, MPI_COMM_WORLD, &r[1]);
            }
            // PEVPM }
            // PEVPM Serial time = 4.0*mine*mine ns
            work_compute(4e-9 * mine * mine);
            // PEVPM Runon c1 = hop < numprocs-1
            // PEVPM {
            if (hop < size - 1) {
                // PEVPM Message type = MPI_Waitall & request = r
                MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
                char *swap = here;
                here = coming;
                coming = swap;
            }
            // PEVPM }
        }
        // PEVPM }
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
