program main
    use mpi
    implicit none
    integer, parameter :: n = 100, tag_work = 3
    integer :: rank, nprocs, ierr, left, right, i, moved
    real(8) :: a(n), b(n)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
    right = mod(rank + 1, nprocs)
    left = modulo(rank - 1, nprocs)
    moved = 1
    call move(moved)

    !PEVPM Message type = MPI_Sendrecv & size = n*sizeof(MPI_DOUBLE_PRECISION) &
    !PEVPM &       to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs & tag = 3
    call mpi_sendrecv(a, n, MPI_DOUBLE_PRECISION, right, tag_work, & ! to the right
                      b, N, mpi_double_precision, left, &

                      & tag_work, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    !PEVPM Message type = MPI_Send & size = n*8 & to = (procnum+1)%numprocs
    CALL MPI_SEND(a, n, MPI_REAL, right, 0, MPI_COMM_WORLD, ierr)
    !PEVPM Message type = MPI_Send & size = n*4 & to = (procnum+1)%numprocs
    call mpi_send(a, n, &
                  MPI_REAL, left, 0, MPI_COMM_WORLD, ierr)
    !PEVPM Message type = MPI_Recv & size = n*4 & from = (procnum+1)%numprocs
    call MPI_Irecv(a, n, MPI_REAL, left, 0, MPI_COMM_WORLD, i, ierr)
    !PEVPM Message type = MPI_Send & size = 400 & to = 0
    call MPI_Send(a, moved, MPI_REAL, moved, 0, MPI_COMM_WORLD, ierr)
    !PEVPM Loop iterations = 3
    !PEVPM {
    do i = 1, 3
        !PEVPM Message type = MPI_Send & size = 400 & to = 2
        call MPI_Send(a, n, MPI_REAL, i, 0, MPI_COMM_WORLD, ierr)
    end do
    !PEVPM }
    !PEVPM Collective type = MPI_Bcast & size = 800 & root = 0
    if (rank /= nprocs) call MPI_Bcast(a, merge(n, 2*n, rank >= 0), MPI_REAL8, 1, MPI_COMM_WORLD, ierr)
    !PEVPM Message type = MPI_Send & size = 8 & to = 0
end program main

subroutine later(a)
    call MPI_Bcast(a, 1, MPI_REAL8, 0, MPI_COMM_WORLD, ierr)
end subroutine later
