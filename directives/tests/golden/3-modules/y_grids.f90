module grids
    use tables
    private
    integer, public, parameter :: ny = 32
    integer, parameter :: hidden = 5
    integer, parameter :: width = hidden*nx
    public :: width, nrows
end module grids
module sizes
    integer, parameter :: unit_size = 8
end module sizes
