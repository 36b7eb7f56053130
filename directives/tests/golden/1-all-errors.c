// PEVPM Loop iteratons = 10
// PEVPM {
// PEVPM Message type = MPI_Sned & to = 1 & siez = 8
// PEVPM Serial on perseus time = 3.24*/numprocs
// PEVPM Mesage type = MPI_Recv
// PEVPM }
// PEVPM Set x = (1 + 2
// PEVPM Message type = MPI_Recv & from = procnum-1) & size = x
