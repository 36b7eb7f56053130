program main
    implicit none
    real(8), parameter :: a = 1.0d-, b = 2.5d+n, c = 1d999, d = 1.0d-1e2, e = 1.0e2d1, f = 1.0x-1, g = 1.0d 3
    ! PEVPM Set x1 = a
    ! PEVPM Set x2 = b
    ! PEVPM Set x3 = c
    ! PEVPM Set x4 = d
    ! PEVPM Set x5 = e
    ! PEVPM Set x6 = f
    ! PEVPM Set x7 = g
end program main
