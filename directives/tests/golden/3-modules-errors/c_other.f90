module twice
    integer, parameter :: both = 2
end module twice
module closed
    implicit none
    private
    integer, parameter :: held = 3
end module closed
