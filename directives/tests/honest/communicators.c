/* Calls that make communicators, each beside the directive that says what it costs. */
void make(int procnum, int numprocs, int color, double *a, int *dims)
{
    const int local = dims[0];
    MPI_Comm row, grid, copy;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    // PEVPM Set row = comm_split(procnum%2, procnum)
    // PEVPM Message type = MPI_Comm_split
    MPI_Comm_split(MPI_COMM_WORLD, color, procnum, &row);
    // PEVPM Set grid = cart_create((numprocs), (1))
    // PEVPM Message type = MPI_Comm_dup
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, dims, 0, &grid);
    // PEVPM Message type = MPI_Comm_dup & comm = row
    MPI_Comm_dup(row, &copy);
    // PEVPM Message type = MPI_Comm_split
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    // PEVPM Collective type = MPI_Barrier
    MPI_Comm_split(MPI_COMM_WORLD, color, procnum, &row);
    MPI_Barrier(MPI_COMM_WORLD);
    // PEVPM Collective type = MPI_Bcast & size = 64 & root = procnum*0 & comm = row
    MPI_Bcast(a, 2 * local, MPI_DOUBLE, 0, row);
    // PEVPM Message type = MPI_Sendrecv & size = 8 & to = cart_shift(grid, 0, 1) & from = cart_shift(grid, 0, -1)
    // PEVPM & comm = grid
    MPI_Sendrecv(a, 1, MPI_DOUBLE, dims[1], 0, a, 1, MPI_DOUBLE, dims[2], 0, grid, MPI_STATUS_IGNORE);
}
