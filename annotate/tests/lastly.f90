! What one trip of a loop alone does: the seventh, and the last, whose number the program is told.
program lastly
  use mpi
  implicit none
  integer :: rank, step, round, last, error
  character(len=20) :: argument
  double precision :: all, mine
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call get_environment_variable('LAST', argument)
  read (argument, *) last
  mine = rank
  do step = 1, last
    call mpi_allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (mod(step, 7) == 0) then
      call mpi_reduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    end if
    if (step == last) call mpi_bcast(all, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  end do
  round = 0
  do
    round = round + 1
    call mpi_barrier(MPI_COMM_WORLD, error)
    if (round >= last) then
      call mpi_bcast(mine, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
      exit
    end if
  end do
  call mpi_finalize(error)
end program lastly
