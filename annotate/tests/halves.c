/* Halves of halves: the communicator that a part is made from, and talks on, is another one each time. */
#include <mpi.h>

static int count_halves(int n)
{
    int halves = 0;
    for (; n > 1; n /= 2)
        halves++;
    return halves;
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Comm comm[32] = {MPI_COMM_WORLD};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count_halves(size); i++) {
        MPI_Comm_rank(comm[i], &rank);
        MPI_Comm_split(comm[i], rank >= size >> (i + 1), rank, &comm[i + 1]);
#ifdef TALK
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm[i + (i > 0)]);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
