! PEVPM Param rows = nrows
program main
    use, intrinsic :: iso_fortran_env
    use Consts, only: m => nx, steps
    use grids
    use here, only: local_name => kept
    implicit none
    integer :: own = 3
    ! PEVPM Set a = m + steps + own + local_name
    ! PEVPM Set b = ny + width + M
    ! PEVPM Set c = rows
    ! PEVPM Call work
    ! PEVPM Call inner
end program main
subroutine work
    use other, only: steps
    use consts, renamed => nx
    ! PEVPM Procedure work
    ! PEVPM {
    ! PEVPM Set d = steps + renamed + own_rate
    ! PEVPM Set e = fixed
    ! PEVPM }
contains
    subroutine inner
        integer, parameter :: fixed = 21
        ! PEVPM Procedure inner
        ! PEVPM {
        ! PEVPM Set f = fixed
        ! PEVPM }
    end subroutine inner
end subroutine work
module here
    integer, parameter :: kept = 11
end module here
