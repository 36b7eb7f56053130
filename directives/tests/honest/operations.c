/* Another operation is called than the directive says. */
void exchange(char *a, MPI_Request *r)
{
    // PEVPM Message type = MPI_Send & size = 8 & to = 0
    MPI_Isend(a, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, r);
    // PEVPM Message type = MPI_Waitall
    if (CHECKED(MPI_Wait(r, MPI_STATUS_IGNORE)))
        fail("MPI_Waitall(");
    // PEVPM Collective type = MPI_Allreduce & size = 8
    double start = MPI_Wtime(); // MPI_Allreduce(
    MPI_Reduce(a, a + 8, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Sendrecv & size = 8 & to = 1 & from = 1
    MPI_Sendrecv_replace(a, 9, MPI_CHAR, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
