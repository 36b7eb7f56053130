/* seismic.c - seismic waves through spectral elements: each process adds up the points it shares with the processes at
 * distance 1 (`size` bytes) and 3 (half of it) while it computes its inner elements; all agree on the time step, and
 * every fourth step process 0 gathers the seismograms (a quarter of `size` from each) and writes them.
 * The slice that has the fault (one in four) works more. */
#include "work.h"

#define INNER 0.2 /* of the computation is in elements that share no points */
#define RECORD 4  /* steps between two collections of seismograms */

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 36; // PEVPM Param iterations = 36
    int size = 4096; // PEVPM Param size = 4096
    double work = 0.12; // PEVPM Param work = 0.12

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size), *shared = work_buffer(4*size);
    char *traces = work_buffer(numprocs*(size/4));
    double step = 1, smallest;
    int right = (procnum+1)%numprocs, far_right = (procnum+3)%numprocs;
    int left = (procnum+numprocs-1)%numprocs, far_left = (procnum+2*numprocs-3)%numprocs;
    MPI_Request request[8];
    // PEVPM Set load = procnum%4 == 1 ? 1.15 : 0.95
    double load = procnum%4 == 1 ? 1.15 : 0.95;
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = i
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Irecv & size = size & from = (procnum+numprocs-1)%numprocs & tag = 0 & request = r0
        MPI_Irecv(shared, size, MPI_CHAR, left, 0, MPI_COMM_WORLD, &request[0]);
        // PEVPM Message type = MPI_Irecv & size = size & from = (procnum+1)%numprocs & tag = 1 & request = r1
        MPI_Irecv(shared + size, size, MPI_CHAR, right, 1, MPI_COMM_WORLD, &request[1]);
        // PEVPM Message type = MPI_Irecv & size = size/2
        // PEVPM & from = (procnum+2*numprocs-3)%numprocs & tag = 2 & request = r2
        MPI_Irecv(shared + 2*size, size/2, MPI_CHAR, far_left, 2, MPI_COMM_WORLD, &request[2]);
        // PEVPM Message type = MPI_Irecv & size = size/2 & from = (procnum+3)%numprocs & tag = 3 & request = r3
        MPI_Irecv(shared + 3*size, size/2, MPI_CHAR, far_right, 3, MPI_COMM_WORLD, &request[3]);

        // PEVPM Serial time = (1-INNER)*load*work/numprocs
        work_compute((1-INNER)*load*work/numprocs);

        // PEVPM Message type = MPI_Isend & size = size & to = (procnum+1)%numprocs & tag = 0 & request = s0
        MPI_Isend(mine, size, MPI_CHAR, right, 0, MPI_COMM_WORLD, &request[4]);
        // PEVPM Message type = MPI_Isend & size = size & to = (procnum+numprocs-1)%numprocs & tag = 1 & request = s1
        MPI_Isend(mine, size, MPI_CHAR, left, 1, MPI_COMM_WORLD, &request[5]);
        // PEVPM Message type = MPI_Isend & size = size/2 & to = (procnum+3)%numprocs & tag = 2 & request = s2
        MPI_Isend(mine, size/2, MPI_CHAR, far_right, 2, MPI_COMM_WORLD, &request[6]);
        // PEVPM Message type = MPI_Isend & size = size/2
        // PEVPM & to = (procnum+2*numprocs-3)%numprocs & tag = 3 & request = s3
        MPI_Isend(mine, size/2, MPI_CHAR, far_left, 3, MPI_COMM_WORLD, &request[7]);

        // PEVPM Serial time = INNER*load*work/numprocs
        work_compute(INNER*load*work/numprocs);

        // PEVPM Message type = MPI_Waitall & request = (r0, r1, r2, r3, s0, s1, s2, s3)
        MPI_Waitall(8, request, MPI_STATUSES_IGNORE);

        // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
        MPI_Allreduce(&step, &smallest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);

        // PEVPM Runon c1 = i%RECORD == RECORD-1
        // PEVPM {
        if (i%RECORD == RECORD-1) {
            // PEVPM Collective type = MPI_Gather & size = size/4 & root = 0
            MPI_Gather(mine, size/4, MPI_CHAR, traces, size/4, MPI_CHAR, 0, MPI_COMM_WORLD);
            // PEVPM Runon c1 = procnum == 0
            // PEVPM {
            if (procnum == 0) {
                // PEVPM Serial time = 0.01*work
                work_compute(0.01*work);
            }
            // PEVPM }
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(mine);
    free(shared);
    free(traces);
    MPI_Finalize();
    return 0;
}
