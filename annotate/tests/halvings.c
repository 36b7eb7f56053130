/* As many of the last processes send as the number of all can be halved, which no expression of the source says. */
#include <mpi.h>

static int halvings(int n)
{
    int times = 0;
    while (n > 1) {
        n = n / 2;
        times++;
    }
    return times;
}

int main(int argc, char *argv[])
{
    int rank, size, word = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int many = halvings(size);
    if (rank == 0)
        for (int i = 0; i < many; i++)
            MPI_Recv(&word, 1, MPI_INT, size - 1 - i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank >= size - many)
        MPI_Ssend(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
