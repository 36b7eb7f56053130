program main
    integer n, implied, grid(3), one(1), few, many, turns, length, flag
    parameter (length = 3)
    data n, i, half /100, 2, 0.5/
    data grid /3*0/, one /4/, grid, implied /3*0, 1/
    data few, many /1, 2, 3/, turns, flag /length*2/
    data data /5/, last /6
    integer(kind=8) wide
    data wide /3/
    n = n + 1
    do i = 1, 3
        read(*, *) half
    end do
    call change(wide)
    ! PEVPM Set x1 = n
    ! PEVPM Set x2 = i
    ! PEVPM Set x3 = half
    ! PEVPM Set x4 = grid
    ! PEVPM Set x5 = one
    ! PEVPM Set x6 = implied
    ! PEVPM Set x7 = few
    ! PEVPM Set x8 = turns
    ! PEVPM Set x9 = data
    ! PEVPM Set x10 = last
    ! PEVPM Set x11 = wide
end program main
