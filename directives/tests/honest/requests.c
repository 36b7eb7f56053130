#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Request r[2]; char b[100]; MPI_Message m; MPI_Status st; int n, idx[2];
    // PEVPM Message type = MPI_Send_init & to = 0 & size = 100 & request = r[0]
    MPI_Send_init(b, 100, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &r[0]);
    // PEVPM Message type = MPI_Recv_init & from = MPI_ANY_SOURCE & size = 100 & tag = 2 & request = r[1]
    MPI_Recv_init(b, 100, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r[1]);
    // PEVPM Message type = MPI_Startall & request = r
    MPI_Startall(2, r);
    // PEVPM Message type = MPI_Waitsome & request = r
    MPI_Waitsome(2, r, &n, idx, MPI_STATUSES_IGNORE);
    // PEVPM Message type = MPI_Waitall
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    // PEVPM Message type = MPI_Request_free & request = r[0]
    MPI_Request_free(&r[0]);
    // PEVPM Message type = MPI_Mprobe & from = MPI_ANY_SOURCE & tag = 3 & message = m
    MPI_Mprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &m, &st);
    // PEVPM Message type = MPI_Mrecv & message = m & size = 8
    MPI_Mrecv(b, 100, MPI_CHAR, &m, &st);
}
