#include <mpi.h>
#define PK 2+3
#define SEND(b, n) MPI_Send(b, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD)
struct plan { int n; };
static void put(double *a, int n, int to, MPI_Datatype type, int tag)
{
    if (to >= 0)
        MPI_Send(a, n, type, to, tag, MPI_COMM_WORLD);
}
static void put_twice(double *a, int n, int to) { put(a, 2 * n, to, MPI_DOUBLE, 4); }
static void changes(double *a, int n) { n = n + 1; MPI_Send(a, n, MPI_INT, 1, 0, MPI_COMM_WORLD); }
void run(double *a, struct plan *plan, MPI_Comm row, int *counts, MPI_Datatype column)
{
    // PEVPM Message type = MPI_Send & size = 80 & to = 1 & tag = 3
    put(a, 10, 1, MPI_DOUBLE, 3);
    // PEVPM Message type = MPI_Send & size = 81 & to = 1 & tag = 3
    put_twice(a, 5, 1);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    changes(a, 20);
    // PEVPM Message type = MPI_Send & size = PK*2 & to = 1
    SEND(a, PK*2);
    // PEVPM Message type = MPI_Send & size = (PK)*2 & to = 1
    MPI_Send(a, PK*2, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Alltoallv & size = 80
    MPI_Alltoallv(a, counts, counts, MPI_INT, a, counts, counts, MPI_INT, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Reduce_scatter & size = 80
    MPI_Reduce_scatter(a, a, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Allgatherv & size = 80
    MPI_Allgatherv(a, 20, MPI_INT, a, counts, counts, MPI_INT, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Allreduce & size = 8
    MPI_Allreduce(a, a, 1, MPI_DOUBLE, MPI_SUM, row);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, 1, column, counts[1], plan->n, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    elsewhere(a);
    // PEVPM Collective type = MPI_Barrier
    MPI_Bcast_init(a, 1, MPI_INT, 0, row);
    // PEVPM Runon c1 = procnum > 100
    // PEVPM {
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    // PEVPM }
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, 10, MPI_DOUBLE, 1);
    // PEVPM Message type = MPI_Send & size = 20 & to = 1
    hidden(a, 10);
}

static void hidden(double *a, int n)
{
    {
        int n = 5;
        MPI_Send(a, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
}
