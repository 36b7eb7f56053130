#!/bin/sh
# The cases of kind apps: their programs compute the right numbers on each number of processes, find out where a message
# has brought wrong ones, and their directives say what they do. Started from the project's root.
set -u
. common/tests/check.sh
use_sim
programs=$(sed -n 's/^apps[^ ]*  *\([^ ]*\).*/\1/p' validation/cases)

for program in $programs; do
    "$sim" --check -n 1,2,4,8,16 "$program" >"$folder/out" 2>"$folder/err"
    ended 0 $? "--check $program"
    check "$program: no directive disagrees with its call" [ "$(grep -c 'warning\|error' "$folder/err")" -eq 0 ]
done

case ${CC:-cc}/${SAN:-} in *clang* | */1) skip_all "what they compute does not depend on how pevpm was built" ;; esac
{ mpicc --version && timeout 60 mpirun -n 2 true; } >/dev/null 2>&1 || skip_all "no MPI"

# Between the programs and MPI: the first message brings another number.
cat >"$folder/stray.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static int met;
static void change(void *buffer)
{
    if (met++ == 0)
        memset(buffer, 0x40, sizeof(double));
}
int MPI_Sendrecv(const void *out, int n, MPI_Datatype type, int to, int tag, void *in, int m, MPI_Datatype other, int from,
                 int back, MPI_Comm comm, MPI_Status *status)
{
    const int code = PMPI_Sendrecv(out, n, type, to, tag, in, m, other, from, back, comm, status);
    if (n > 0)
        change(in);
    return code;
}
int MPI_Send(const void *out, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    void *copy = memcpy(malloc((size_t)(n*bytes)), out, (size_t)(n*bytes));
    change(copy);
    const int code = PMPI_Send(copy, n, type, to, tag, comm);
    free(copy);
    return code;
}
int MPI_Alltoallv(const void *out, const int *ns, const int *places, MPI_Datatype type, void *in, const int *ms,
                  const int *others, MPI_Datatype other, MPI_Comm comm)
{
    const int code = PMPI_Alltoallv(out, ns, places, type, in, ms, others, other, comm);
    change(in);
    return code;
}
END

launch() { # launch CODE NUMPROCS PROGRAM ARGUMENT...
    wanted=$1 numprocs=$2
    shift 2
    timeout 60 mpirun --oversubscribe -n "$numprocs" "$@" work=0 >"$folder/out" 2>"$folder/err"
    ended "$wanted" $? "$(basename "$1") on $numprocs"
}

for program in $programs; do
    executable=$folder/$(basename "$program" .c)
    check "$program compiles" mpicc -std=gnu11 -Wall -Wextra -Wshadow -Werror -O2 -I. "$program" -o "$executable" -lm
    for numprocs in 1 2 4 8; do
        launch 0 $numprocs "$executable" iterations=6
    done
    check "$program compiles with another MPI" mpicc -std=gnu11 -I. "$program" "$folder/stray.c" -o "$executable-stray" -lm
    launch 1 2 "$executable-stray" iterations=6
    check "$program says that numbers are wrong" grep -q '^[0-9]* numbers are wrong$' "$folder/out"
done
finish
