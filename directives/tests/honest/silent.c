/* What cannot be read, or may well be right, is not warned about. */
#define ROUND(x) (((x) + 7) / 8 * 8)
#define COUNT 10
void helper(int tag, int peer);
struct plan { int to, count; };

void steps(struct plan *plan, int procnum, int numprocs, int peer, MPI_Comm row, MPI_Datatype type, char *a)
{
    int step = 0, length = 1, chosen = 1, partner;
    if (procnum == 3)
        chosen = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, plan->count, MPI_CHAR, plan->to, 0, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, ROUND(77), MPI_CHAR, peer, 0, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, 10, type, chosen, 5, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 80 & to = 1
    MPI_Send(a, COUNT, MPI_DOUBLE, procnum - 3, 0, row);
    // PEVPM Loop iterations = 3 & var = i
    // PEVPM {
    for (length = 1; length < 8; length *= 2) {
        // PEVPM Message type = MPI_Send & size = 8*pow(2, i) & to = i
        MPI_Send(a, length, MPI_DOUBLE, step++, 0, MPI_COMM_WORLD);
        // PEVPM Message type = MPI_Send & size = 80 & to = 1
        MPI_Send(a, 8 * length, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    }
    // PEVPM }
    // PEVPM Message type = MPI_Send & size = 8 & to = 1
    helper(7, 3);
    // PEVPM Loop iterations = 2
    // PEVPM {
    // PEVPM Message type = MPI_Isend & size = 8 & to = 1
    MPI_Isend(a, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, r);
    MPI_Isend(a, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, r);
    // PEVPM }
    // PEVPM Collective type = MPI_Bcast & size = 8 & root = 0
    MPI_Bcast_init(a, 1, MPI_INT, 0, graph);
    MPI_Send(a, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Allgather & size = 8
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INT, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Send & size = 8 & to = 1
    MPI_Send(a, 8, MPI_CHAR, 1);
    // PEVPM Message type = MPI_Send & size = 8 & to = 1
    MPI_Send(a, 8 8, MPI_CHAR, ((1), 0, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Recv & size = 8 & from = 1
    helper(1, 2);
}

void other(char *a, int partner)
{
    MPI_Send(a, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
}
