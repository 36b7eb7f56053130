! SPDX-License-Identifier: MIT
! Collective operations of Fortran, by both modules, with MPI_IN_PLACE where it may stand, and without an error code.
module old
    use mpi
    implicit none
contains
    subroutine by_old(wrong)
        integer, intent(inout) :: wrong
        integer :: rank, n, i, error
        integer, allocatable :: all(:), counts(:), at(:)
        integer :: one(100)
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
        call MPI_Comm_size(MPI_COMM_WORLD, n, error)
        allocate (all(100*n), counts(n), at(n))
        all = -1
        one = rank
        if (rank == 1) all(101:200) = 1
        if (rank == 1) then
            call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 100, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
            wrong = wrong + count(all /= [((i - 1)/100, i=1, 100*n)])
        else
            call MPI_Gather(one, 100, MPI_INTEGER, all, 100, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
        end if
        counts = 70
        at = [(100*(i - 1), i=1, n)]
        one = -1
        if (rank == 1) then
            call MPI_Scatterv(all, counts, at, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
        else
            call MPI_Scatterv(all, counts, at, MPI_INTEGER, one, 70, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
            wrong = wrong + count(one(:70) /= rank) + count(one(71:) /= -1)
        end if
        if (error /= MPI_SUCCESS) wrong = wrong + 1
    end subroutine
end module

module new
    use mpi_f08
    implicit none
contains
    subroutine by_new(wrong)
        integer, intent(inout) :: wrong
        integer :: rank, n, i
        integer, allocatable :: all(:), counts(:), at(:)
        integer :: one(100), told(100)
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        call MPI_Comm_size(MPI_COMM_WORLD, n)
        allocate (all(100*n), counts(n), at(n))
        counts = 100
        at = [(100*(i - 1), i=1, n)]
        all = -1
        one = rank
        if (rank == 0) all(1:100) = 0
        if (rank == 0) then
            call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, all, counts, at, MPI_INTEGER, 0, MPI_COMM_WORLD)
            wrong = wrong + count(all /= [((i - 1)/100, i=1, 100*n)])
        else
            call MPI_Gatherv(one, 100, MPI_INTEGER, all, counts, at, MPI_INTEGER, 0, MPI_COMM_WORLD)
        end if
        one = -1
        if (rank == 0) then
            call MPI_Scatter(all, 100, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 0, MPI_COMM_WORLD)
        else
            call MPI_Scatter(all, 100, MPI_INTEGER, one, 100, MPI_INTEGER, 0, MPI_COMM_WORLD)
            wrong = wrong + count(one /= rank)
        end if
        told = -1
        if (rank == 2) told = [(i, i=1, 100)]
        call MPI_Bcast(told, 100, MPI_INTEGER, 2, MPI_COMM_WORLD)
        wrong = wrong + count(told /= [(i, i=1, 100)])
    end subroutine
end module

program languages
    use old
    use new, only: by_new
    implicit none
    integer :: wrong = 0, all, rank, error
    call MPI_Init(error)
    call by_old(wrong)
    call by_new(wrong)
    call MPI_Reduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 0) print '(i0, a)', all, ' differences'
    call MPI_Finalize(error)
end program
