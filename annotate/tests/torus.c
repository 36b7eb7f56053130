/* torus.c - what test_annotate.sh annotates: a grid that is a ring along its second axis, which has one or two processes on 2, 4
 * and 8, and a sum every third step. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, dims[2] = {0, 0}, ring[2] = {0, 1};
    double row[4] = {0}, sum = 0;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, ring, 0, &grid);
    for (int step = 0; step < 20; step++) {
        for (int axis = 0; axis < 2; axis++) {
            MPI_Request r[4];
            int low, high;
            MPI_Cart_shift(grid, axis, 1, &low, &high);
            MPI_Irecv(&row[0], 1, MPI_DOUBLE, low, axis, grid, &r[0]);
            MPI_Irecv(&row[1], 1, MPI_DOUBLE, high, axis, grid, &r[1]);
            MPI_Isend(&row[2], 1, MPI_DOUBLE, high, axis, grid, &r[2]);
            MPI_Isend(&row[3], 1, MPI_DOUBLE, low, axis, grid, &r[3]);
            MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        }
        if (step % 3 == 1)
            MPI_Allreduce(row, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    MPI_Finalize();
    return 0;
}
