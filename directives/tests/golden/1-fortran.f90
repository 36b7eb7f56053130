program ring
  implicit none
  integer, parameter :: n = 256, &
                      & M = N*2   ! an ordinary comment
  real(8), parameter :: dt = 2
  integer :: rows = 12
  character(80) :: s = 'it''s ! PEVPM Loop in a string &
       & ! PEVPM and on it goes'
  !PEVPM Loop iterations = n & var = i, from = 1
  !  PEVPM {
  call compute() ! PEVPM Serial time = dt/3 ms
  print *, "! PEVPM Loop in a string"
  ! PEVPM Message type = MPI_Send &
  ! PEVPM & to = (procnum + i) % numprocs &
  ! PEVPM & size = m*sizeof(MPI_DOUBLE_PRECISION)
  ! PEVPM }
end program ring
