#define WIDTH 4
#define GRAIN (1+2)
#define CELLS 2**3
program main
    implicit none
    integer, parameter :: a = 2**10, b = -2**2, c = 2**3**2, d = 3*2 ** 4-1, e = 2**(-1), level = 5, f = 2**level
    integer, parameter :: g = WIDTH**2 + GRAIN**2, h = CELLS, i = (1-level)**3, k = 2**(3-level)
    real(8), parameter :: r = 2.0d0**3, s = 4.0d0**0.5d0, t = 10.0**(-2), u = 2.5d0**(1-level)
    ! PEVPM Set x = a + b + c + d + e + f + g + h + i + k
    ! PEVPM Set y = r + s + t + u
end program main
