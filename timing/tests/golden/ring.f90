! An MPI program with the binding of Fortran 2008: a value goes round.
module work
    implicit none
    integer :: share
contains
    subroutine update(values)
        double precision, intent(inout) :: values(:)
        ! PEVPM Procedure update
        ! PEVPM {
        ! PEVPM Serial time = measured(update, points/numprocs) & code = share
        values = 0.5d0 * values + 1
        ! PEVPM }
    end subroutine
end module

program ring
    use mpi_f08
    use work
    implicit none
    integer, parameter :: points = 4000
    integer :: procnum, numprocs, step
    double precision, allocatable :: values(:)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, procnum)
    call MPI_Comm_size(MPI_COMM_WORLD, numprocs)
    share = points / numprocs
    allocate (values(share))
    values = procnum
    ! PEVPM Loop iterations = 5
    ! PEVPM {
    do step = 1, 5
        ! PEVPM Call update
        call update(values)
        ! PEVPM Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
        call MPI_Sendrecv_replace(values, 1, MPI_DOUBLE_PRECISION, mod(procnum + 1, numprocs), 0, &
            mod(procnum + numprocs - 1, numprocs), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        ! PEVPM Serial time = measured(rest, share*points)
        if (procnum == 0) then
            values = values + share
        end if
    end do
    ! PEVPM }
    call MPI_Finalize()
end program
