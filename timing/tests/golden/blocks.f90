! Every construct of free form, timed, with names from a module, a block and a program that contains procedures.
module sizes
    implicit none
    integer, parameter :: half = 2
    integer :: cells = 100
end module

program blocks
    use sizes, only: cells, split => half
    implicit none
    type pair
        integer :: a, b
    end type
    integer :: i, j, step, n = 8
    double precision :: total = 0, field(100) ! "total
    character(len=30) :: text
    type(pair) :: p = pair(1, 2)
    field = 1
    do step = 1, 3
        ! PEVPM Serial time = measured(loop, n*cells/split)
        do i = 1, n; total = total + &
            ! a comment between
            field(i); end do ! the end
        text = "call MPI_Send(! &
            &'' x"; total = total + 1
        ! PEVPM Serial time = measured(named)
        outer: do i = 1, n
            do j = 1, n
                if (j > i) cycle outer
                if (total < 0) exit outer
                total = total + 1
            end do
        end do outer
        ! PEVPM Serial time = measured(choice, max(n, 3))
        if (n > 3) then
            total = total + 1
        else if (n > 2) then
            total = total + 2
        else
            total = total + 3
        end if
        select case (n)
        case (1, 8)
            total = total + 4
        case default
            total = 0
        end select
        where (field > 0)
            field = field + 1
        elsewhere
            field = 0
        end where
        associate (q => p%a)
            q = q + 1
        end associate
        block
            integer :: local
            local = n
            ! PEVPM Serial time = measured(inner, local)
            total = total + local
        end block
        !$omp parallel do &
        !$omp reduction(+: total)
        ! The next directive is behind the loop's end.
        do i = 1, n
            total = total + i
        end do
        !$omp end parallel do
        ! PEVPM Serial time = measured(threads, n)
        !$omp parallel do reduction(+: total)
        do i = 1, n
            total = total + i
        end do
        !$omp end parallel do
        ! PEVPM Serial time = measured(lost, n/numprocs)
        total = total + 1
        ! PEVPM Serial time = measured(array, field)
        total = total + 1
        ! PEVPM Serial time = measured(member, a + p) & code = p%a
        total = total + 1; ! PEVPM Serial time = measured(last)
        if (p%b > 1) total = total + 1; total = total + 2
        if (total < 0) exit
        total = total + 1
    end do
    ! PEVPM Serial time = measured(work, n)
    call work(n)
    print '(i0, 1x, i0, 1x, a)', nint(total), p%a, trim(text)
contains
    subroutine work(m)
        integer, intent(in) :: m
        integer :: k
        ! PEVPM Serial time = measured(an_argument_that_is_much_longer_than_all_others, m + m + m + m + n + n + n + n + cells + cells)
        do k = 1, m
            total = total + twice(k)
        end do
        ! PEVPM Serial time = measured(left)
        if (total < 0) return
        total = total + 1
    end subroutine
    pure integer function twice(k)
        integer, intent(in) :: k
        ! PEVPM Serial time = measured(pure)
        twice = 2 * k
    end function
end program
