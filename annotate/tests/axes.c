/* axes.c - what test_annotate.sh annotates: both ways along three axes of a torus, as molecular dynamics sends. On 2, 4 and 8
 * processes an axis has two or one: who has none to send to sends to itself. */
#include <mpi.h>

static int neighbour(int rank, const int extent[3], int axis, int by)
{
    int at[3] = {rank % extent[0], rank / extent[0] % extent[1], rank / extent[0] / extent[1]};
    at[axis] = (at[axis] + extent[axis] + by) % extent[axis];
    return at[0] + extent[0] * (at[1] + extent[1] * at[2]);
}

static void swap(double *out, double *in, int to, int from)
{
    MPI_Sendrecv(out, 8, MPI_DOUBLE, to, 0, in, 8, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    double out[8] = {0}, in[8];
    int rank, size, extent[3] = {1, 1, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int axis = 0, left = size; left > 1; axis = (axis + 1) % 3, left /= 2)
        extent[axis] *= 2;
    for (int step = 0; step < 10; step++)
        for (int axis = 0; axis < 3; axis++) {
            swap(out, in, neighbour(rank, extent, axis, -1), neighbour(rank, extent, axis, 1));
            swap(out, in, neighbour(rank, extent, axis, 1), neighbour(rank, extent, axis, -1));
        }
    MPI_Finalize();
    return 0;
}
