/* timed_shares.h - each MPI_Scatterv and MPI_Gatherv of a program carried out as it stands and then TIMED_REPEATS times more,
 * each from its own end of a barrier on, 20 ms after what was before; process 0 says for each the longest that any process was
 * in it, seconds: put before an example that is not to be changed, by mpicc -include. */
#ifndef PEVPM_VALIDATION_TIMED_SHARES_H
#define PEVPM_VALIDATION_TIMED_SHARES_H

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMED_REPEATS = 5 };

static inline double timed_begin(void)
{
    usleep(20000);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static inline void timed_end(const char *operation, double began)
{
    double own = MPI_Wtime() - began, longest = 0;
    int procnum;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (procnum == 0)
        printf("%s %.6f\n", operation, longest);
}

#define TIMED(operation, call)                          \
    do {                                                \
        call;                                           \
        for (int i_ = 0; i_ < TIMED_REPEATS; i_++) {    \
            double began_ = timed_begin();              \
            call;                                       \
            timed_end(operation, began_);               \
        }                                               \
    } while (0)
#define MPI_Scatterv(...) TIMED("MPI_Scatterv", MPI_Scatterv(__VA_ARGS__))
#define MPI_Gatherv(...) TIMED("MPI_Gatherv", MPI_Gatherv(__VA_ARGS__))

#endif
