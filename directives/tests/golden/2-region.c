// PEVPM Loop iterations = 8 & var = k & from = 7 & step = -1
// PEVPM {
// PEVPM Region halo
// PEVPM {
// PEVPM Message type = MPI_Sendrecv & size = 8*k & to = (procnum+1)%numprocs
// PEVPM & from = (procnum+numprocs-1)%numprocs
// PEVPM }
// PEVPM region norm
// PEVPM {
// PEVPM Region halo
// PEVPM {
// PEVPM Serial time = 1 ms
// PEVPM }
// PEVPM }
// PEVPM }
