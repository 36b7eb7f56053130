int xsize = 256;
int rows = read_rows();
// PEVPM Loop iterations = rows & var = iter
// PEVPM {
// PEVPM Serial time = xsise * itr
// PEVPM Serial time = min * Numprocs
// PEVPM }
// PEVPM Serial time = iter
// PEVPM Message type = MPI_Recv & from = MPI_ANY_SORCE
