/* As many of the last processes send as the number of all can be halved, which no expression of the source says; and calls
 * within macros, macros within calls, and a call that a macro puts together. */
#include <mpi.h>

#define CHECK(call, text) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, text[0]); } while (0)
#define TWICE(n) n*2
#define MORE(call, n, type) call(words, n+1, type, 0, MPI_COMM_WORLD)
#define GIVE(n, type) MPI_Bcast(words, n+1, type, 0, MPI_COMM_WORLD)

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
    int rank, size, words[20] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(MPI_Bcast(words, 3, MPI_INT, 0, MPI_COMM_WORLD), "all");
    MPI_Bcast(words, TWICE(8), MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(MPI_Bcast(words, TWICE(7), MPI_INT, 0, MPI_COMM_WORLD), "all");
    GIVE(4, MPI_INT);
    CHECK(GIVE(5, MPI_INT), "all");
    MORE(MPI_Bcast, 6, MPI_INT);
    const int many = halvings(size);
    if (rank == 0)
        for (int i = 0; i < many; i++)
            MPI_Recv(words, 3, MPI_INT, size - 1 - i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank >= size - many)
        CHECK(MPI_Ssend(words, (int)sizeof "a,\")" - 2, MPI_INT, 0, 1, MPI_COMM_WORLD), "send");
    MPI_Finalize();
    return 0;
}
