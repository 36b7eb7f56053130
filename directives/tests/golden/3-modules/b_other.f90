module other
    integer, parameter :: steps = 77
end module other
module tables
    use :: consts, only: nx
    use sizes
    integer, parameter :: nrows = 2*nx + unit_size
contains
    subroutine unseen
        integer, parameter :: width = 1
    end subroutine unseen
end module tables
