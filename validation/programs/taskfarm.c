/* taskfarm.c - process 0 hands out `iterations` tasks one at a time, the others work. A task and its result are
 * messages of `size` bytes; the tag is the number of the task, from 1, and 0 when there are none left. `work` is the
 * time of an average task: they take 0.5 to 1.5 times that, in an order without a pattern that the directives know
 * too. */
#include "work.h"

static void master(int iterations, int size, int numprocs, char *message)
{
    // PEVPM Runon c1 = procnum == 0 & else
    // PEVPM {
    // PEVPM Loop iterations = numprocs-1 & var = worker & from = 1
    // PEVPM {
    for (int worker = 1; worker < numprocs; worker++) {
        // PEVPM Message type = MPI_Send & size = size & to = worker & tag = worker <= iterations ? worker : 0
        MPI_Send(message, size, MPI_CHAR, worker, worker <= iterations ? worker : 0, MPI_COMM_WORLD);
    }
    // PEVPM }
    // PEVPM Loop iterations = iterations & var = next & from = numprocs
    // PEVPM {
    for (int next = numprocs; next < numprocs + iterations; next++) {
        MPI_Status status;
        // PEVPM Message type = MPI_Recv & size = size & from = MPI_ANY_SOURCE & tag = MPI_ANY_TAG & source = who
        MPI_Recv(message, size, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        // PEVPM Message type = MPI_Send & size = size & to = who & tag = next <= iterations ? next : 0
        MPI_Send(message, size, MPI_CHAR, status.MPI_SOURCE, next <= iterations ? next : 0, MPI_COMM_WORLD);
    }
    // PEVPM }
    // PEVPM }
}

static void worker(int size, double work, char *message)
{
    MPI_Status status;
    // PEVPM {
    // PEVPM Message type = MPI_Recv & size = size & from = 0 & tag = MPI_ANY_TAG & got_tag = task
    MPI_Recv(message, size, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    // PEVPM Loop while = task > 0
    // PEVPM {
    for (int task = status.MPI_TAG; task > 0; task = status.MPI_TAG) {
        // PEVPM Serial time = work*(0.5 + task*37%101/100.0)
        work_compute(work*(0.5 + task*37%101/100.0));
        // PEVPM Message type = MPI_Send & size = size & to = 0 & tag = task
        MPI_Send(message, size, MPI_CHAR, 0, task, MPI_COMM_WORLD);
        // PEVPM Message type = MPI_Recv & size = size & from = 0 & tag = MPI_ANY_TAG & got_tag = task
        MPI_Recv(message, size, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
    // PEVPM }
    // PEVPM }
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 200; // PEVPM Param iterations = 200
    int size = 1024; // PEVPM Param size = 1024
    double work = 0.012; // PEVPM Param work = 0.012

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *message = work_buffer(size);
    double start = work_begin();
    if (procnum == 0)
        master(iterations, size, numprocs, message);
    else
        worker(size, work, message);
    work_end(start);
    free(message);
    MPI_Finalize();
    return 0;
}
