/* pairs.c - round trips of `size` bytes between all pairs of processes, those of a round at the same time: process a and b
 * meet in round (a + b) mod (P - 1), the last process being told apart, so no process is in two pairs of a round. P is even.
 * Prints one line for each pair: a, b, bytes and half the median round trip in seconds. As directives: one round trip between
 * `a` and `b` alone. */
#include "work.h"

/* The partner of `procnum` in a round of the tournament of P. */
static int partner_of(int procnum, int numprocs, int round)
{
    int circle = numprocs - 1, partner;
    if (procnum == circle) {
        for (partner = 0; 2 * partner % circle != round % circle; partner++)
            ;
        return partner;
    }
    partner = (round - procnum + circle) % circle;
    return partner == procnum ? circle : partner;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    enum { MOST = 100 };
    int procnum, numprocs;
    int size = 1024; // PEVPM Param size = 1024
    // PEVPM Param a = 0
    // PEVPM Param b = 1
    int repeats = 7;
    double took[MOST];
    const struct work_parameter parameters[] = {{"size", &size, NULL}, {"repeats", &repeats, NULL}};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 2, parameters);
    if (numprocs % 2 != 0) {
        if (procnum == 0)
            fprintf(stderr, "pairs: %d processes, but everybody wants a partner\n", numprocs);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    char *out = work_buffer(size), *in = work_buffer(size);
    work_begin(); /* connects all */

    for (int round = 0; round < numprocs - 1; round++) {
        int partner = partner_of(procnum, numprocs, round);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < repeats && i < MOST; i++) {
            work_sleep_until(work_now() + 0.02); /* ports rest */
            double start = work_now();
            if (procnum < partner) {
                // PEVPM Runon c1 = procnum == a & c2 = procnum == b
                // PEVPM {
                // PEVPM Message type = MPI_Send & size = size & to = b
                MPI_Send(out, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
                // PEVPM Message type = MPI_Recv & size = size & from = b
                MPI_Recv(in, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // PEVPM }
                // PEVPM {
            } else {
                // PEVPM Message type = MPI_Recv & size = size & from = a
                MPI_Recv(in, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // PEVPM Message type = MPI_Send & size = size & to = a
                MPI_Send(out, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
            }
            // PEVPM }
            took[i] = work_now() - start;
        }
        qsort(took, (size_t)repeats, sizeof *took, ascending);
        if (procnum < partner)
            printf("%d %d %d %.9f\n", procnum, partner, size, took[repeats / 2] / 2);
    }

    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
