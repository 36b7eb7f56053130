program main
    use mpi
    integer, parameter :: n = 10
    real(8) :: a(100)
    integer :: ierr
    !PEVPM Message type = MPI_Send & size = 8*n & to = 1 & tag = 2
    call put(a, n, 1)
    !PEVPM Message type = MPI_Send & size = 8*n & to = 1 & tag = 3
    call put(a, n + 1, 1)
    !PEVPM Message type = MPI_Recv & size = 8*n & from = 1
    call put(a, n, 1)
end program main

subroutine put(a, count, to)
    use mpi
    real(8) :: a(*)
    integer :: count, to, ierr
    call MPI_Send(a, count, MPI_REAL8, to, 2, MPI_COMM_WORLD, ierr)
end subroutine put
