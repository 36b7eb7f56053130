/* timed.c - computations of known length for test_record.sh: what its directives measure must be found in a recording.
 * With an argument, `inner` takes twice as long. */
#include <mpi.h>
#include <time.h>

static double processor_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void work(double us)
{
    for (double start = processor_us(); processor_us() - start < us;)
        ;
}

int main(int argc, char **argv)
{
    int procnum, numprocs, in, out = 1;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    int next = (procnum + 1) % numprocs, before = (procnum + numprocs - 1) % numprocs;
    double inner = argc > 1 ? 2000 : 1000;
    work(50000);
    // PEVPM Param size = 1
    // PEVPM Loop iterations = 40
    // PEVPM {
    for (int i = 0; i < 40; i++) {
        // PEVPM Message type = MPI_Irecv & size = sizeof(int) & from = (procnum+numprocs-1)%numprocs & request = r0
        MPI_Irecv(&in, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &r[0]);
        // PEVPM Message type = MPI_Isend & size = sizeof(int) & to = (procnum+1)%numprocs & request = r1
        MPI_Isend(&out, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &r[1]);
        // PEVPM Serial time = measured(inner, size*1000)
        work(inner);
        // PEVPM Message type = MPI_Waitall
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        // PEVPM Serial time = measured(edge)
        work(300);
    }
    // PEVPM }
    MPI_Finalize();
    return 0;
}
