/* bodies.c - forces between all pairs of bodies: copies of the bodies, `size` bytes in all, travel half round the
 * circle, the next ones while a process computes with those that it has; the forces on them, three numbers for a body's
 * four, go straight home. With its own bodies and with those of the last step a process has half the work. The number
 * of processes is even. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 9; // PEVPM Param iterations = 9
    int size = 65536; // PEVPM Param size = 65536
    double work = 0.36; // PEVPM Param work = 0.36

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    // PEVPM Set bodies = size/numprocs
    int bodies = size/numprocs;
    // PEVPM Set forces = bodies/4*3
    int forces = bodies/4*3;
    char *visitors = work_buffer(bodies), *next = work_buffer(bodies);
    char *theirs = work_buffer(forces), *mine = work_buffer(forces);
    // PEVPM Set left = (procnum+numprocs-1)%numprocs
    int left = (procnum+numprocs-1)%numprocs;
    // PEVPM Set right = (procnum+1)%numprocs
    int right = (procnum+1)%numprocs;
    // PEVPM Set last = numprocs/2
    int last = numprocs/2;
    MPI_Request request[2];
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = last+1 & var = step
        // PEVPM {
        for (int step = 0; step <= last; step++) {
            // PEVPM Runon c1 = step < last
            // PEVPM {
            if (step < last) {
                // PEVPM Message type = MPI_Irecv & size = bodies & from = left & tag = 1
                MPI_Irecv(next, bodies, MPI_CHAR, left, 1, MPI_COMM_WORLD, &request[0]);
                // PEVPM Message type = MPI_Isend & size = bodies & to = right & tag = 1
                MPI_Isend(visitors, bodies, MPI_CHAR, right, 1, MPI_COMM_WORLD, &request[1]);
            }
            // PEVPM }
            // PEVPM Set part = step == 0 || step == last ? 1 : 2
            int part = step == 0 || step == last ? 1 : 2;
            // PEVPM Serial time = part*work/numprocs/numprocs
            work_compute(part*work/numprocs/numprocs);
            // PEVPM Runon c1 = step > 0
            // PEVPM {
            if (step > 0) {
                // PEVPM Set home = (procnum+numprocs-step)%numprocs
                int home = (procnum+numprocs-step)%numprocs;
                // PEVPM Set host = (procnum+step)%numprocs
                int host = (procnum+step)%numprocs;
                // PEVPM Message type = MPI_Sendrecv & size = forces & to = home & from = host & tag = 2
                MPI_Sendrecv(theirs, forces, MPI_CHAR, home, 2, mine, forces, MPI_CHAR, host, 2, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
            }
            // PEVPM }
            // PEVPM Runon c1 = step < last
            // PEVPM {
            if (step < last) {
                // PEVPM Message type = MPI_Waitall
                MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
                char *swap = visitors;
                visitors = next;
                next = swap;
            }
            // PEVPM }
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(visitors);
    free(next);
    free(theirs);
    free(mine);
    MPI_Finalize();
    return 0;
}
