/* save.c - what test_annotate.sh annotates: a file of all processes, one of half of them and one of each. */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 6, N = 1000 };
static double own[N];

static void save(MPI_File file, int step, int rank, int size)
{
    MPI_File_write_at_all(file, (MPI_Offset)8 * N * (step * size + rank), own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    char name[32];
    MPI_Comm half;
    MPI_File file, part, log;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_File_open(MPI_COMM_WORLD, "save.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    snprintf(name, sizeof name, "half%d.data", rank % 2);
    MPI_File_open(half, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &part);
    snprintf(name, sizeof name, "own%d.data", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &log);
    for (int step = 0; step < STEPS; step++) {
        double sum = rank, all;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        save(file, step, rank, size);
        MPI_File_iwrite(log, &all, 1, MPI_DOUBLE, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&log);
    MPI_File_close(&part);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
