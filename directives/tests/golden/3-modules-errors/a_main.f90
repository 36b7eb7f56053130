program main
    use absent
    use absent_too, only: taken
    use consts, only: m => nx, count, moved => steps, derived, alone
    use twice
    use closed
    use mpi
    ! PEVPM Set a = nx
    ! PEVPM Set b = count
    ! PEVPM Set c = moved
    ! PEVPM Set d = taken
    ! PEVPM Set e = derived
    ! PEVPM Set f = alone
    ! PEVPM Set g = hidden
    ! PEVPM Set h = both
    ! PEVPM Set i = Held
end program main
subroutine change
    use consts, only: loop_bound => steps
    use consts, renamed => nx, m => derived
    loop_bound = 5
    ! PEVPM Set j = renamed + nx
end subroutine change
! PEVPM Set k = m
