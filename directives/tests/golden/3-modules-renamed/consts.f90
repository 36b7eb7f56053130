module consts
    use deeper, only: own => n
    integer, parameter :: n = 2, k = own + n
end module consts
