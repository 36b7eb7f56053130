module consts
    use deeper
    integer, parameter :: nx = 5
    integer :: count = 4, steps = 7, alone
    integer, parameter :: derived = 2*deepest
end module consts
module twice
    integer, parameter :: both = 1
end module twice
submodule (consts) parts
contains
    subroutine set_count
        count = 8
    end subroutine set_count
end submodule parts
