module deeper
    integer, parameter :: n = 3
end module deeper
