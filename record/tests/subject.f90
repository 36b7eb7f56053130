! What test_record.sh records of Fortran, by the first argument: calls with requests, among neighbours, of messages that a
! probe took out, cancelled ones; or one that no recording has. Files: subject_files.f90.
program subject
    use mpi
    implicit none
    character(len=16) :: what
    integer :: rank, size, error, grid, request, message, file, window, i
    integer :: status(MPI_STATUS_SIZE), dims(2), one(64), at(64), places(64), types(64), out(64), in(64)
    logical :: round(2)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, start
    call get_command_argument(1, what)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    out = rank
    if (what == 'file') then
        call MPI_File_open(MPI_COMM_WORLD, 'refused.data', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
        start = 4 * rank
        call MPI_File_iwrite_at_all(file, start, out, 1, MPI_INTEGER, request, error)
        call MPI_Wait(request, status, error)
        call MPI_File_close(file, error)
    end if
    one = 1
    types = MPI_INTEGER
    at = [(4 * i, i = 0, 63)]
    places = [(i, i = 0, 63)]
    dims = 0
    round = .true.
    call MPI_Dims_create(size, 2, dims, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, round, .false., grid, error)
    do i = 1, 3
        call MPI_Neighbor_alltoall(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, grid, error)
        call MPI_Ialltoall(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Ireduce(out, in, 5, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Iscatterv(out, one, places, MPI_INTEGER, in, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Igatherv(out, 1, MPI_INTEGER, in, one, places, MPI_INTEGER, 1, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, in, one, places, MPI_INTEGER, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Ireduce_scatter(out, in, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Ireduce_scatter_block(out, in, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Ialltoallv(out, one, places, MPI_INTEGER, in, one, places, MPI_INTEGER, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Ialltoallw(out, one, at, types, in, one, at, types, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Alltoallw(out, one, at, types, in, one, at, types, MPI_COMM_WORLD, error)
        call MPI_Irecv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, request, error)
        call MPI_Cancel(request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call MPI_Isend(out, 7, MPI_INTEGER, mod(rank + 1, size), 4, MPI_COMM_WORLD, request, error)
        call MPI_Mprobe(mod(rank + size - 1, size), 4, MPI_COMM_WORLD, message, status, error)
        call MPI_Mrecv(in, 7, MPI_INTEGER, message, status, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    end do
    bytes = 256
    start = 0
    out = rank
    call MPI_Win_create(in, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
    call MPI_Win_fence(0, window, error)
    call MPI_Put(out, 9, MPI_INTEGER, mod(rank + 1, size), start, 9, MPI_INTEGER, window, error)
    call MPI_Win_fence(0, window, error)
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window, error)
    call MPI_Get(at, 11, MPI_INTEGER, 0, start, 11, MPI_INTEGER, window, error)
    call MPI_Win_unlock(0, window, error)
    call MPI_Win_free(window, error)
    if (in(1) /= mod(rank + size - 1, size)) call MPI_Abort(MPI_COMM_WORLD, 3, error)
    call MPI_Finalize(error)
end program subject
