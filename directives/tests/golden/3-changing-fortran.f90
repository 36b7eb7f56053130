module sizes
    integer :: shared = 7, kept = 8
end module sizes
program main
    use sizes
    implicit none
    integer, parameter :: fixed = 10_8
    real, parameter :: share = 1/3, rate = 2.5d-1, speed = 2d2
    integer :: n = 100, steps = 10, passed = 20, i = 3, given = 4, pointed = 5, list = 6, sized = 9, sent = 11
    integer, pointer :: p
    real :: a(100), half
    parameter (half = 1, many = 7)
    namelist /input/ list
    type :: box
        integer :: inner = 2
    end type box
    read(*, *) n
    if (n > 3) Steps = 5
    call work(a, passed, sized + 1, (sized))
    call MPI_Send(a, sent, MPI_REAL, 0, 0, MPI_COMM_WORLD, i)
    p => pointed
    do 10 i = 1, given
10  continue
    ! PEVPM Set a = fixed + share + rate + speed + kept + given + sized + sent + many + half/2
    ! PEVPM Set b = n
    ! PEVPM Set c = steps
    ! PEVPM Set d = passed
    ! PEVPM Set e = i
    ! PEVPM Set f = pointed
    ! PEVPM Set g = list
    ! PEVPM Set h = shared
    ! PEVPM Set k = inner
end program main
subroutine change(kept)
    use sizes
    integer, intent(in) :: kept
    shared = kept
    ! PEVPM Set m = kept
end subroutine change
