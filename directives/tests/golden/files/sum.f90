subroutine reduced
  include 'inc/sums.inc'
  ! PEVPM Procedure reduced
  ! PEVPM {
  ! PEVPM Collective type = MPI_Allreduce & size = nsums*8
  ! PEVPM }
end subroutine
