/* Every operand that a call can contradict. */
#include <mpi.h>

#define N 256
enum { TAG_NONE, TAG_WORK, TAG_DONE = 7, TAG_LATE };

int main(int argc, char **argv)
{
    int me = -1, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    int right = (me + 1) % count;
    const int left = me == 0 ? count - 1 : me - 1;
    double a[N], b[N];
    MPI_Request r;

    // PEVPM Message type = MPI_Isend & size = N*sizeof(double) & to = (procnum+1)%numprocs & tag = 7
    MPI_Isend(a, N, MPI_DOUBLE, right, TAG_DONE, MPI_COMM_WORLD, &r);
    // PEVPM Message type = MPI_Isend & size = N*sizeof(double) & to = (procnum+1)%numprocs
    MPI_Isend(a, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r);
    // PEVPM Message type = MPI_Isend & size = N*sizeof(float) & to = (procnum+1)%numprocs
    MPI_Isend(a, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r);
    // PEVPM Message type = MPI_Irecv & size = N*sizeof(double) & from = procnum
    // PEVPM &       tag = 3
    MPI_Irecv(b, (int)(sizeof(double) * N / 8), MPI_DOUBLE,   /* not (a, N, MPI_CHAR */
              me, TAG_LATE,
              MPI_COMM_WORLD, &r);
    // PEVPM Message type = MPI_Recv & from = MPI_ANY_SOURCE & tag = 1
    MPI_Recv(b, N, MPI_DOUBLE, left, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // PEVPM Message type = MPI_Recv & from = 0 & tag = 1
    MPI_Recv(b, N, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // PEVPM Message type = MPI_Sendrecv & size = 8*N & recv_size = 4*N & to = (procnum+1)%numprocs
    // PEVPM &       from = (procnum+numprocs-1)%numprocs & tag = 1 & recv_tag = 2
    MPI_Sendrecv(a, N, MPI_DOUBLE, right, 1, b, N, MPI_FLOAT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // PEVPM Runon c1 = procnum > 0
    // PEVPM {
    // PEVPM Message type = MPI_Send & size = 8 & to = procnum-1
    MPI_Send(a, 1, MPI_DOUBLE, me > 0 ? me - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 8 & to = procnum-1
    MPI_Send(a, 1, MPI_DOUBLE, me < 2 ? me - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    // PEVPM }
    // PEVPM Collective type = MPI_Bcast & size = N*sizeof(double) & root = 0
    MPI_Bcast(a, N, MPI_DOUBLE, count - 1, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Gather & size = 8*(N/numprocs) & root = 0
    MPI_Gather(a, N, MPI_DOUBLE, b, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Allreduce & size = 16
    MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Gatherv & size = 4*procnum & root = 0
    MPI_Gatherv(a, me, MPI_INT, b, NULL, NULL, MPI_INT, 0, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Gatherv & size = 4*procnum & root = 0
    MPI_Gatherv(a, me << (me > 2), MPI_INT, b, NULL, NULL, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

void behind(double *a)
{
    MPI_Comm everyone = MPI_COMM_WORLD, all;
    int who, n;
    MPI_Comm_dup(everyone, &all);
    MPI_Comm_rank(everyone, &who);
    MPI_Comm_size(all, &n);
    MPI_Send(a, 1, MPI_DOUBLE, (who + 1) % n, 0, all); // PEVPM Message type = MPI_Send & size = 8 & to = (procnum+1)%numprocs
    MPI_Send(a, 2, MPI_DOUBLE, (who + 2) % n, 0, all); // PEVPM Message type = MPI_Send & size = 16 & to = (procnum+1)%numprocs
    MPI_Recv(a, 1, MPI_DOUBLE, 0, 0, all, MPI_STATUS_IGNORE);
}
