! A plate in strips: Fortran's loops, branches and procedures in most of their forms.
module sizes
  implicit none
  integer, parameter :: Steps = 6, half = Steps/2
  integer, parameter :: width = 16*(2 + 3)
end module sizes

module halo
  use mpi_f08
  implicit none
  type :: strip
    integer :: n = 0
  contains
    procedure :: share => strip_share
  end type strip
  interface exchange
    module procedure exchange_row
  end interface exchange
contains
  subroutine exchange_row(row, n, up, down)
    integer, intent(in) :: n, up, down
    real(8), intent(inout) :: row(:)
    type(MPI_Request) :: request(2)
    call MPI_Irecv(row, n, &
                   MPI_DOUBLE_PRECISION, & ! from above
                   up, 3, MPI_COMM_WORLD, request(1))
    call mpi_isend(row, n, MPI_DOUBLE_PRECISION, down, 3, &
      & MPI_COMM_WORLD, request(2))
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  end subroutine exchange_row

  recursive real(8) function norm(row) result(sum)
    real(8), intent(in) :: row(:)
    real(8) :: own
    own = row(1)
    call MPI_Allreduce(own, sum, 1, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD)
  end function norm

  subroutine strip_share(this, values)
    class(strip), intent(in) :: this
    real(8), intent(inout) :: values(:)
    integer :: i
    do i = 1, 2
      call again
    end do
  contains
    subroutine again
      call MPI_Bcast(values, this%n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    end subroutine again
  end subroutine strip_share
end module halo

program plate
  use halo
  use sizes
  implicit none
  integer :: rank, size, step, k, up, down
  real(8) :: row(width), s
  type(strip) :: mine
  type(MPI_Status) :: status
  interface
    integer function unused(n)
      integer, intent(in) :: n
    end function unused
  end interface
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank); call MPI_Comm_size(MPI_COMM_WORLD, size)
  row = rank
  up = modulo(rank - 1, size); down = modulo(rank + 1, size)
  mine%n = 5
  call mine%share(row)
  time: do step = 1, Steps
    call exchange(row, width, up, down)
    s = 0.5d0*norm(row) + 1
    if (mod(step, 3) == 0) call MPI_Barrier(MPI_COMM_WORLD)
    select case (mod(step, 2))
    case (0)
      call MPI_Sendrecv_replace(row, width, MPI_DOUBLE_PRECISION, down, 4, up, 4, MPI_COMM_WORLD, status)
    case default
      if (s < 0) cycle time
      if (rank == 0) then
        call gather("do i = 1, 2 ! & no loop", size - 1)
      else if (rank > 0) then
        call MPI_Send(row, 10, MPI_DOUBLE_PRECISION, 0, 9, MPI_COMM_WORLD)
      else
        call unused_at_all()
      endif
    end select
#ifdef NEVER
    call MPI_Barrier(MPI_COMM_WORLD)
#endif
  end do time
  do 20 k = 1, 2
  do 20 step = 0, half
    call exchange(row, width/2, up, down)
20 continue
  k = 0
  do while (k < 4)
    block
      integer :: twice
      twice = 2
      k = k + twice
    end block
    associate (all => MPI_COMM_WORLD)
      call MPI_Barrier(all)
    end associate
  enddo
  call MPI_Finalize()
contains
  subroutine gather(text, n)
    character(*), intent(in) :: text
    integer, intent(in) :: n
    integer :: i
    if (text == '') return
    do i = 1, n
      call MPI_Recv(row, 10, MPI_DOUBLE_PRECISION, i, 9, MPI_COMM_WORLD, status)
    end do
  end subroutine gather
  subroutine unused_at_all()
  end subroutine
end program plate
