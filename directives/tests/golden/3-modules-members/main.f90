program main
    use consts
    implicit none
    ! PEVPM Set a = cells
end program main
