/* As many of the last processes send as the number of all can be halved, which no expression of the source says. */
#include <mpi.h>

#define CHECK(call, text) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, text[0]); } while (0)

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
    int rank, size, words[3] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(MPI_Bcast(words, 3, MPI_INT, 0, MPI_COMM_WORLD), "all");
    const int many = halvings(size);
    if (rank == 0)
        for (int i = 0; i < many; i++)
            MPI_Recv(words, 3, MPI_INT, size - 1 - i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank >= size - many)
        CHECK(MPI_Ssend(words, (int)sizeof "a,\")" - 2, MPI_INT, 0, 1, MPI_COMM_WORLD), "send");
    MPI_Finalize();
    return 0;
}
