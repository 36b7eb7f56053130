/* moldyn.c - molecular dynamics: the atoms' records (`size` bytes, 6/5 of it for an even process, which works more too)
 * go round a ring, forces are computed, process 0 reduces a histogram and broadcasts the thermostat's table.
 * Written after the model was frozen, before anything was predicted of it; its parameters in validation/cases have changed
 * since, and so has the model. */
#include "work.h"

#define BINS 100   /* doubles in the histogram */
#define TABLE 4096 /* bytes of the thermostat's table */

/* The bytes of the atoms that process `owner` has. */
static int record(int owner, int size)
{
    return owner%2 == 0 ? 6*size/5 : size;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 16; // PEVPM Param iterations = 16
    int size = 1024; // PEVPM Param size = 1024
    double work = 0.5; // PEVPM Param work = 0.5

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    int stride = record(0, size);
    char *atoms = work_buffer(numprocs*stride), *table = work_buffer(TABLE);
    double histogram[BINS] = {0}, all[BINS];
    int left = (procnum+numprocs-1)%numprocs;
    int right = (procnum+1)%numprocs;
    MPI_Request request[2];
    // PEVPM Set density = procnum%2 == 0 ? 1.2 : 1.0
    double density = procnum%2 == 0 ? 1.2 : 1.0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = numprocs-1 & var = step
        // PEVPM {
        for (int step = 0; step < numprocs-1; step++) {
            // PEVPM Set passed = (procnum-step+numprocs)%numprocs
            int passed = (procnum-step+numprocs)%numprocs;
            // PEVPM Set taken = (procnum-step-1+numprocs)%numprocs
            int taken = (procnum-step-1+numprocs)%numprocs;
            // PEVPM Message type = MPI_Irecv & size = taken%2 == 0 ? 6*size/5 : size
            // PEVPM & from = (procnum+numprocs-1)%numprocs & tag = step & request = r0
            MPI_Irecv(atoms + taken*stride, record(taken, size), MPI_CHAR, left, step, MPI_COMM_WORLD, &request[0]);
            // PEVPM Message type = MPI_Isend & size = passed%2 == 0 ? 6*size/5 : size
            // PEVPM & to = (procnum+1)%numprocs & tag = step & request = r1
            MPI_Isend(atoms + passed*stride, record(passed, size), MPI_CHAR, right, step, MPI_COMM_WORLD, &request[1]);
            // PEVPM Message type = MPI_Waitall & request = (r0, r1)
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        }
        // PEVPM }

        // PEVPM Serial time = 0.9*density*work/numprocs
        work_compute(0.9*density*work/numprocs);

        // PEVPM Collective type = MPI_Reduce & size = BINS*sizeof(double) & root = 0
        MPI_Reduce(histogram, all, BINS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        // PEVPM Runon c1 = procnum == 0
        // PEVPM {
        if (procnum == 0) {
            // PEVPM Serial time = 0.004*work
            work_compute(0.004*work);
        }
        // PEVPM }
        // PEVPM Collective type = MPI_Bcast & size = TABLE & root = 0
        MPI_Bcast(table, TABLE, MPI_CHAR, 0, MPI_COMM_WORLD);

        // PEVPM Serial time = 0.1*density*work/numprocs
        work_compute(0.1*density*work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(atoms);
    free(table);
    MPI_Finalize();
    return 0;
}
