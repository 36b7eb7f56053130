// PEVPM Message type = MPI_Recv & from = 0 &
// PEVPM size = 4
