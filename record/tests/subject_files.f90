! Files in Fortran, compiled twice: BINDING is mpi, whose handles are integers, or mpi_f08, where they have types and error codes
! may be left out.
#ifdef F08
#define BINDING mpi_f08
#define HANDLE(kind) type(kind)
#define STATUS type(MPI_Status) :: status
#else
#define BINDING mpi
#define HANDLE(kind) integer
#define STATUS integer :: status(MPI_STATUS_SIZE)
#endif
program subject_files
    use BINDING
    implicit none
    integer, parameter :: n = 500
    integer :: rank, size, error, step
    double precision :: own(n), found(n)
    integer(kind=MPI_OFFSET_KIND) :: at, bytes
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request
    STATUS
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    own = rank + 1
    call MPI_File_open(MPI_COMM_WORLD, 'not/there', MPI_MODE_RDONLY, MPI_INFO_NULL, file, error)
    if (error == MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 3, error)
    call MPI_File_open(MPI_COMM_WORLD, 'fortran.data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
    at = 8 * n * rank
    call MPI_File_set_view(file, at, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL, error)
    do step = 1, 4
        at = n * size * (step - 1)
        call MPI_File_write_at_all(file, at, own, n, MPI_DOUBLE_PRECISION, status, error)
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end do
    at = 0
    call MPI_File_read_at(file, at, found, n, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)
    if (any(found /= own)) call MPI_Abort(MPI_COMM_WORLD, 3, error)
    call MPI_File_iread_at(file, at, found, n, MPI_DOUBLE_PRECISION, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_File_get_size(file, bytes, error)
    call MPI_File_close(file, error)
#ifdef F08
    call MPI_File_open(MPI_COMM_SELF, 'not/there', MPI_MODE_RDONLY, MPI_INFO_NULL, file)
    call MPI_File_open(MPI_COMM_WORLD, 'fortran.data', MPI_MODE_RDWR, MPI_INFO_NULL, file)
    call MPI_File_write_ordered(file, own, n, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
    call MPI_File_close(file)
#endif
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (rank == 0) call MPI_File_delete('fortran.data', MPI_INFO_NULL, error)
    call MPI_Finalize(error)
end program subject_files
