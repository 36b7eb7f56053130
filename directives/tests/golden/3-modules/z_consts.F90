#define BASE 64
module consts
    integer, parameter :: nx = BASE*2
    real(8), parameter :: own_rate = 1.0d-1
    integer :: steps = 100, fixed = 9
    integer, parameter, private :: ny = 1
end module consts
