#define SUM 1+2
#define BELOW -2
#define POWER 2**3
program main
    implicit none
    integer, parameter :: a = SUM**2, b = BELOW**2, c = POWER**2, d = 2**-1, e = 2* *3, f = 2**
    ! PEVPM Set x1 = a
    ! PEVPM Set x2 = b
    ! PEVPM Set x3 = c
    ! PEVPM Set x4 = d
    ! PEVPM Set x5 = e
    ! PEVPM Set x6 = f
end program main
