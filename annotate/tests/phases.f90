! Two phases with a wait each; gfortran gives these calls the line of the heading. Of the second phase only the first and the last
! process are a part.
subroutine phases(rank, size, n)
  use mpi
  implicit none
  integer, intent(in) :: rank, size, n
  integer :: request(4), status(MPI_STATUS_SIZE, 4), error, count
  double precision, save :: a(100), b(100)
  count = 0
  request = 0
  if (rank > 0) then
    call mpi_irecv(a, n, MPI_DOUBLE_PRECISION, rank - 1, 1, MPI_COMM_WORLD, request(count + 1), error)
    count = count + 1
  end if
  if (rank < size - 1) then
    call mpi_isend(b, n, MPI_DOUBLE_PRECISION, rank + 1, 1, MPI_COMM_WORLD, request(count + 1), error)
    count = count + 1
  end if
  call mpi_waitall(count, request, status, error)
  count = 0
  request = 0
  if (rank == 0 .or. rank == size - 1) then
    call mpi_irecv(a, n, MPI_DOUBLE_PRECISION, size - 1 - rank, 2, MPI_COMM_WORLD, request(1), error)
    call mpi_isend(b, n, MPI_DOUBLE_PRECISION, size - 1 - rank, 2, MPI_COMM_WORLD, request(2), error)
    count = 2
  end if
  call mpi_waitall(count, request, status, error)
end subroutine phases

program line
  use mpi
  implicit none
  integer :: rank, size, step, error
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  do step = 1, 4
    call phases(rank, size, 100)
    call mpi_barrier(MPI_COMM_WORLD, error)
  end do
  call mpi_finalize(error)
end program line
