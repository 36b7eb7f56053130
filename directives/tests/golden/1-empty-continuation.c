// PEVPM Message type = MPI_Recv
// PEVPM &
// PEVPM & from = 0
