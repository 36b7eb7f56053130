/* clock_program.c - the verification of the clock as a program of its own:
 *     mpirun -n 4 clock_program SECONDS OFFSET_US DRIFT_PPM [chain]
 * With `chain` hosts that share a machine are synchronised in a chained tree too. Exit 1 where the verification
 * fails. */
#include "clock/verify.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    struct verify_options options = {.duration = atof(argv[1])};
    options.clock.error = verify_error(atof(argv[2]), atof(argv[3]), rank);
    options.clock.force_chain = argc > 4 && strcmp(argv[4], "chain") == 0;
    bool passed = false;
    enum status status = bench_verify_clock(MPI_COMM_WORLD, &options, rank == 0 ? stdout : NULL, &passed);
    MPI_Finalize();
    return status != STATUS_OK ? 4 : passed ? 0 : 1;
}
