// SPDX-License-Identifier: MIT
/* The calls on files, of C and of Fortran (mpif.h and `use mpi`: mpi_xxx_; `use mpi_f08` of Open MPI: mpi_xxx_f08_). All go on
 * to the library as they came, between file_enter and file_leave. */
#include "recorder/binding.h"
#include "recorder/file.h"
#include "recorder/words.h"

enum { FILE_alone, FILE_together };

/* ---- arguments, as C and as Fortran have them ---- */

static int64_t bytes_of(int64_t count, MPI_Datatype type)
{
    return count > 0 ? count * keep_bytes(1, type) : 0;
}
/* at: which argument is the number of elements; 0: none is. */
static int64_t c_bytes(const word argument[], int at)
{
    return at > 0 ? bytes_of((int)argument[at], (MPI_Datatype)argument[at + 1]) : 0;
}
static int64_t c_bytes_large(const word argument[], int at)
{
    return bytes_of((int64_t)argument[at], (MPI_Datatype)argument[at + 1]);
}
static int64_t f_bytes(const word argument[], int at)
{
    return at > 0 ? bytes_of(*(const fint *)argument[at], PMPI_Type_f2c(*(const fint *)argument[at + 1])) : 0;
}
static MPI_File c_file(word argument) { return (MPI_File)argument; }
static MPI_File c_file_at(word argument) { return *(const MPI_File *)argument; }
static MPI_File f_file(word argument) { return PMPI_File_f2c(*(const fint *)argument); }
static MPI_Request c_request(word argument) { return *(const MPI_Request *)argument; }
static MPI_Request f_request(word argument) { return PMPI_Request_f2c(*(const fint *)argument); }
static MPI_Comm c_comm(word argument) { return (MPI_Comm)argument; }
static MPI_Comm f_comm(word argument) { return PMPI_Comm_f2c(*(const fint *)argument); }

/* ---- wrappers ---- */

/* The symbol's wrapper, whose C name is `own`: `before` and `after` stand around the library's call, whose result is `result`. */
#define WRAP(symbol, own, before, after)                                                       \
    __attribute__((visibility("default"), noinline)) word own(WORDS) __asm__(#symbol);         \
    __attribute__((visibility("default"), noinline)) word own(WORDS)                           \
    {                                                                                          \
        typedef word bound(WORDS);                                                             \
        static bound *real;                                                                    \
        struct file_call call;                                                                 \
        if (!real)                                                                             \
            real = (bound *)binding(#symbol);                                                  \
        before;                                                                                \
        const word result = real(THE_WORDS);                                                   \
        after;                                                                                 \
        return result;                                                                         \
    }

#define WRAP_FILE(symbol, own, name, who, file, bytes, count)                                            \
    WRAP(symbol, own, file_enter(&call, HERE, OPERATION_MPI_File_##name, FILE_##who, file(a)),           \
         const word arguments[] = {THE_WORDS}; file_leave(&call, bytes(arguments, count)))
#define WRAP_LARGE(name, who, count) \
    WRAP_FILE(MPI_File_##name##_c, file_c_##name##_large, name, who, c_file, c_bytes_large, count)
#define WRAP_CALL(name, who, count)                                                             \
    WRAP_FILE(MPI_File_##name, file_c_##name, name, who, c_file, c_bytes, count)                \
    WRAP_FILE(mpi_file_##name##_, file_f_##name, name, who, f_file, f_bytes, count)             \
    WRAP_FILE(mpi_file_##name##_f08_, file_f08_##name, name, who, f_file, f_bytes, count)
#define WRAP_ONE_STARTED(symbol, own, name, file, bytes, request, count)                                               \
    WRAP(symbol, own, file_enter(&call, HERE, OPERATION_MPI_File_##name, FILE_alone, file(a)),                         \
         const word arguments[] = {THE_WORDS};                                                                         \
         file_leave_started(&call, bytes(arguments, count), request(arguments[count + 2])))
#define WRAP_STARTED(name, count)                                                                           \
    WRAP_ONE_STARTED(MPI_File_##name, file_c_##name, name, c_file, c_bytes, c_request, count)               \
    WRAP_ONE_STARTED(MPI_File_##name##_c, file_c_##name##_large, name, c_file, c_bytes_large, c_request, count) \
    WRAP_ONE_STARTED(mpi_file_##name##_, file_f_##name, name, f_file, f_bytes, f_request, count)            \
    WRAP_ONE_STARTED(mpi_file_##name##_f08_, file_f08_##name, name, f_file, f_bytes, f_request, count)
FILE_STARTED_LIST(WRAP_STARTED)
FILE_LIST(WRAP_CALL)
FILE_COUNTED_LIST(WRAP_LARGE)

#define WRAP_DELETE(symbol, own) WRAP(symbol, own, file_enter_delete(&call, HERE), file_leave(&call, 0))
WRAP_DELETE(MPI_File_delete, file_c_delete)
WRAP_DELETE(mpi_file_delete_, file_f_delete)
WRAP_DELETE(mpi_file_delete_f08_, file_f08_delete)

/* (comm, name, mode, info, file), and in Fortran the error code behind them, which may be missing in mpi_f08. */
static MPI_File c_opened(word file, word result) { return (int)result == MPI_SUCCESS ? c_file_at(file) : MPI_FILE_NULL; }
static MPI_File f_opened(word file, word error)
{
    return error && *(const fint *)error != MPI_SUCCESS ? MPI_FILE_NULL : f_file(file);
}
#define WRAP_OPEN(symbol, own, comm, opened) WRAP(symbol, own, file_enter_open(&call, HERE, comm(a)), file_leave_open(&call, opened))
WRAP_OPEN(MPI_File_open, file_c_open, c_comm, c_opened(e, result))
WRAP_OPEN(mpi_file_open_, file_f_open, f_comm, f_opened(e, f))
WRAP_OPEN(mpi_file_open_f08_, file_f08_open, f_comm, f_opened(e, f))

#define WRAP_CLOSE(symbol, own, file)                                                                                  \
    WRAP(symbol, own, const MPI_File closed = file(a); file_enter(&call, HERE, OPERATION_MPI_File_close, true, closed), \
         file_leave_close(&call, closed))
WRAP_CLOSE(MPI_File_close, file_c_close, c_file_at)
WRAP_CLOSE(mpi_file_close_, file_f_close, f_file)
WRAP_CLOSE(mpi_file_close_f08_, file_f08_close, f_file)
