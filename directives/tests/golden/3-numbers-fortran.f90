program main
    implicit none
    integer, parameter :: dp = kind(1.0d0)
    real(8), parameter :: a = 1.0d-1, b = 2.5D+3, c = 1.d-3, d = .5d-2, e = 3d-1
    real(dp), parameter :: f = 1e-3_dp, g = 1.0D0/4, h = 0.1_dp, i = 4.d0
    real(8), parameter :: k = (1.0d-1+2), l = 1d-1-1d0, m = 7.d-1*2, n = 3d2/2, o = 2d0+1
    integer, parameter :: whole = 1.5d+1, spread = &
        2.5d+1, last = 3
    ! PEVPM Set x = a + b + c + d + e + f + g + h + i + k + l + m + n + o + whole + spread + last
end program main
