/* A function that calls itself, level by level, and one that the compiler may leave in two pieces. */
#include <mpi.h>

#define LEVELS 4

static int rank, size;
static double values[1024], other[1024];

/* What is not needed on one process: the test is put in line, the rest is a function. */
static void exchange(int n)
{
    if (size == 1)
        return;
    for (int step = 0; step < 2; step++) {
        int next = (rank + 1) % size, last = (rank + size - 1) % size;
        MPI_Sendrecv(values, n, MPI_DOUBLE, step ? next : last, 3, other, n, MPI_DOUBLE, step ? last : next, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            values[i] = 0.5 * (values[i] + other[i]);
    }
}

static void smooth(int n)
{
    exchange(n);
    values[0] += 1;
    exchange(n);
    values[0] += 1;
}

static double cycle(int level, int n)
{
    double sum = 0;
    if (level + 1 < LEVELS) {
        smooth(n);
        sum = cycle(level + 1, n / 4);
        smooth(n);
    } else {
        MPI_Allreduce(&values[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return sum + values[n - 1];
}

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < LEVELS - 1; i = i + 1)
        sum += cycle(0, 1024);
    sum += cycle(0, 512);
    for (int i = -2; i <= 2; i += 2)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(values, 8, MPI_DOUBLE, (rank + 1) % size, 4, other, 16, MPI_DOUBLE, (rank + size - 1) % size, 4,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
