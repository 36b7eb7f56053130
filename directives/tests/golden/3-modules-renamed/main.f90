program main
    use consts, only: m => n, k
    ! PEVPM Param n = 10
    ! PEVPM Loop iterations = m
    ! PEVPM {
    ! PEVPM Serial time = n*1 + k s
    ! PEVPM }
end program main
