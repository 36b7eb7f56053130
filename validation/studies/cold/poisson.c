/* poisson.c - conjugate gradients for the 5-point Laplacian on n x n points, cut into strips of rows. In an iteration: rows
 * to both neighbours, the product, a scalar product, two vectors updated, another scalar product, a third vector. */
#include "cold.h"

int main(int argc, char **argv)
{
    int rank, size;
    int n = 1024;        // PEVPM Param n = 1024
    int iterations = 60; // PEVPM Param iterations = 60
    const struct work_parameter known[] = {{"n", &n, NULL}, {"iterations", &iterations, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 2, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    // PEVPM Set up = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    // PEVPM Set down = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
    double *above = calloc((size_t)n, 8), *below = calloc((size_t)n, 8), *p = calloc((size_t)n, 8);
    const double points = (double)n * n / size;
    // PEVPM Set points = 1.0*n*n/numprocs
    double start = cold_begin();

    double rho = 1, sum;
    // PEVPM Collective type = MPI_Allreduce & size = 8
    MPI_Allreduce(&rho, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int it = 0; it < iterations; it++) {
        MPI_Request r[4];
        // PEVPM Message type = MPI_Irecv & from = up & size = 8*n & request = r[0]
        MPI_Irecv(above, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[0]);
        // PEVPM Message type = MPI_Irecv & from = down & size = 8*n & request = r[1]
        MPI_Irecv(below, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &r[1]);
        // PEVPM Message type = MPI_Isend & to = up & size = 8*n & request = r[2]
        MPI_Isend(p, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[2]);
        // PEVPM Message type = MPI_Isend & to = down & size = 8*n & request = r[3]
        MPI_Isend(p, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &r[3]);
        // PEVPM Message type = MPI_Waitall & request = r
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        // PEVPM Serial time = 14*points ns
        work_compute(14e-9 * points); /* q = A p */
        // PEVPM Collective type = MPI_Allreduce & size = 8
        MPI_Allreduce(&rho, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        // PEVPM Serial time = 8*points ns
        work_compute(8e-9 * points); /* x, r */
        // PEVPM Collective type = MPI_Allreduce & size = 8
        MPI_Allreduce(&rho, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        // PEVPM Serial time = 4*points ns
        work_compute(4e-9 * points); /* p */
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
