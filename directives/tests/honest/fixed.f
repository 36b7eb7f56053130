      PROGRAM MAIN
      INTEGER RANK, NPROCS, IERR
      REAL A(10)
      PARAMETER (N = 10)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, NPROCS, IERR)
C PEVPM Message type = MPI_Send & size = 4*N & to = numprocs-1-procnum
      CALL MPI_SEND(A, N, MPI_REAL, NPROCS-1
     &              -RANK, 0, MPI_COMM_WORLD, IERR)
C PEVPM Message type = MPI_Send & size = 4*N & to = numprocs-1-procnum
      CALL MPI_SEND(A, N, MPI_REAL, NPROCS-1
C             a comment between
     1              +RANK, 0, MPI_COMM_WORLD, IERR)
      END
