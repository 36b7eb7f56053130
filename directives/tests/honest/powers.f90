program main
    use mpi
    implicit none
    integer, parameter :: n = 2**5
    integer :: ierr
    real(8) :: a(n)
    !PEVPM Message type = MPI_Send & size = n*8 & to = 0
    call MPI_Send(a, 2**5, MPI_REAL8, 2**(-1), 0, MPI_COMM_WORLD, ierr)
    !PEVPM Message type = MPI_Send & size = 8 & to = 0
    call MPI_Send(a, 6**1**3 - 2**2, MPI_REAL8, 0, 0, MPI_COMM_WORLD, ierr)
end program main
