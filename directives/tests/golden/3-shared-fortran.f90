program main
    implicit none
    integer :: common_one = 1, twin = 2, other = 3
    common /block/ common_one
    equivalence (twin, other)
    ! PEVPM Set a = common_one
    ! PEVPM Set b = twin
end program main
