! heat.f90 - how heat spreads along a rod: explicit steps, a strip of points for each process.
!
!     mpifort -O2 heat.f90 -o heat && mpirun -np 4 ./heat [N [STEPS [WIDE]]]
!
! Each step needs one point from either neighbour; it travels while the strip's inner points are computed. Every 100
! steps all processes agree on the highest temperature. The rod has N points between two ends that are kept at 0.
! With WIDE > 1 points travel together every WIDE steps; a strip is computed with its margins, which shrink by a point
! on each side until the next ones come.
!
! A temperature that begins as half a sine wave stays one: a step of r = 1/4 multiplies it by 1 - sin(pi/2/(N+1))**2.
program heat
    use mpi
    implicit none
    integer, parameter :: every = 100
    integer :: n = 200000 ! PEVPM Param n = 200000
    integer :: steps = 1000 ! PEVPM Param steps = 1000
    integer :: wide = 1 ! PEVPM Param wide = 1
    integer :: procnum, numprocs, rows, first, wrong, error
    double precision, allocatable :: now(:), next(:)
    double precision :: highest, start, seconds

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, procnum, error)
    call MPI_Comm_size(MPI_COMM_WORLD, numprocs, error)
    call read_argument(1, n)
    call read_argument(2, steps)
    call read_argument(3, wide)
    if (n < 2*numprocs .or. n > 100000000 .or. steps < 1 .or. wide < 1 .or. wide > n/numprocs) then
        if (procnum == 0) write (*, '(2a)') 'heat: wants two points per process or more, one step or more, ', &
            'and no margin wider than a strip'
        call MPI_Finalize(error)
        call exit(2)
    end if

    ! PEVPM Set rows = n*(procnum+1)/numprocs - n*procnum/numprocs
    first = share(procnum)
    rows = share(procnum + 1) - first
    allocate (now(1-wide:rows+wide), next(1-wide:rows+wide))
    call fill()

    call MPI_Barrier(MPI_COMM_WORLD, error)
    start = MPI_Wtime()
    call iterate()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    seconds = MPI_Wtime() - start

    call check()
    if (procnum == 0) then
        write (*, '(i0, a, i0, a, i0, a, f0.6, a)') numprocs, ' processes, ', n, ' points, ', &
            steps, ' steps: ', seconds, ' s'
        if (wrong == 0) then
            write (*, '(a, f8.6, a)') 'the temperatures are as they should be, up to ', highest, ' after the last check'
        else
            write (*, '(i0, a)') wrong, ' temperatures are wrong'
        end if
    end if
    call MPI_Finalize(error)
    if (wrong /= 0) call exit(1)

contains

    subroutine read_argument(number, value)
        integer, intent(in) :: number
        integer, intent(inout) :: value
        character(len=20) :: text
        integer :: status
        if (command_argument_count() < number) return
        call get_command_argument(number, text)
        read (text, *, iostat=status) value
        if (status /= 0) value = -1
    end subroutine

    ! The points before those of process p.
    integer function share(p)
        integer, intent(in) :: p
        share = int(int(n, kind(0_8)) * p / numprocs)
    end function

    double precision function first_value(point)
        integer, intent(in) :: point
        first_value = sin(acos(-1d0) * point / (n + 1))
    end function

    subroutine fill()
        integer :: i
        now = 0
        do i = 0, rows + 1
            now(i) = first_value(first + i)
        end do
        if (procnum == 0) now(0) = 0
        if (procnum == numprocs - 1) now(rows+1) = 0
        next = now
        highest = first_value((n + 1) / 2)
    end subroutine

    subroutine iterate()
        integer :: step, left, right, low, high, margin, request(4)
        double precision :: mine
        left = merge(procnum - 1, MPI_PROC_NULL, procnum > 0)
        right = merge(procnum + 1, MPI_PROC_NULL, procnum < numprocs - 1)
        ! PEVPM Loop iterations = steps & var = step & from = 1
        ! PEVPM {
        do step = 1, steps
            margin = wide - 1 - mod(step - 1, wide)
            low = merge(1 - margin, 1, procnum > 0)
            high = merge(rows + margin, rows, procnum < numprocs - 1)
            ! PEVPM Runon c1 = (step-1)%wide == 0
            ! PEVPM {
            ! PEVPM Call start_exchange
            if (mod(step - 1, wide) == 0) call start_exchange(left, right, request)
            ! PEVPM }
            ! A point takes 0.77 ns on one core of an AMD EPYC (Zen 5) at 2.6 GHz, gfortran 12 -O2.
            ! PEVPM Serial time = (rows + 2*(wide-1 - (step-1)%wide)) * 0.77 ns
            next(2:rows-1) = 0.5d0*now(2:rows-1) + 0.25d0*(now(1:rows-2) + now(3:rows))
            ! PEVPM Runon c1 = (step-1)%wide == 0
            ! PEVPM {
            if (mod(step - 1, wide) == 0) then
                ! PEVPM Message type = MPI_Waitall
                call MPI_Waitall(4, request, MPI_STATUSES_IGNORE, error)
            end if
            ! PEVPM }
            next(low:1) = 0.5d0*now(low:1) + 0.25d0*(now(low-1:0) + now(low+1:2))
            next(rows:high) = 0.5d0*now(rows:high) + 0.25d0*(now(rows-1:high-1) + now(rows+1:high+1))
            now(low:high) = next(low:high)
            ! PEVPM Runon c1 = step%every == 0
            ! PEVPM {
            if (mod(step, every) == 0) then
                mine = maxval(now(1:rows))
                ! PEVPM Collective type = MPI_Allreduce & size = 8
                call MPI_Allreduce(mine, highest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
            end if
            ! PEVPM }
        end do
        ! PEVPM }
    end subroutine

    ! The outer `wide` points of the strip go to either neighbour, theirs come to the margins.
    subroutine start_exchange(left, right, request)
        integer, intent(in) :: left, right
        integer, intent(out) :: request(4)
        ! PEVPM Procedure start_exchange
        ! PEVPM {
        ! PEVPM Message type = MPI_Irecv & size = 8*wide & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        call MPI_Irecv(now(1-wide), wide, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, request(1), error)
        ! PEVPM Message type = MPI_Irecv & size = 8*wide & from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        call MPI_Irecv(now(rows+1), wide, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, request(2), error)
        ! PEVPM Message type = MPI_Isend & size = 8*wide & to = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        call MPI_Isend(now(1), wide, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, request(3), error)
        ! PEVPM Message type = MPI_Isend & size = 8*wide & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        call MPI_Isend(now(rows-wide+1), wide, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, request(4), error)
        ! PEVPM }
    end subroutine

    ! Counts what is wrong, in all processes: points, and the highest temperature.
    subroutine check()
        double precision :: wanted, damping
        integer :: i, mine
        damping = 1 - sin(acos(-1d0) / 2 / (n + 1))**2
        mine = 0
        do i = 1, rows
            wanted = damping**steps * first_value(first + i)
            if (.not. abs(now(i) - wanted) < 1d-10) mine = mine + 1
        end do
        wanted = damping**(steps / every * every) * first_value((n + 1) / 2)
        if (.not. abs(highest - wanted) < 1d-10) mine = mine + 1
        call MPI_Allreduce(mine, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    end subroutine
end program
