program main
    implicit none
    integer :: i
    block
        integer :: n = 4
        ! PEVPM Set a = n
    end block
    block
        integer :: n
        n = 5
    end block
    do i = 1, 3
        call work
    end do
contains
    subroutine work
        integer, parameter :: &
#ifdef DEEP
            deep = 8, &
#else
            flat = 7, &
#endif
            both = 9
        ! PEVPM Set b = deep + flat + both
    end subroutine work
end program main
