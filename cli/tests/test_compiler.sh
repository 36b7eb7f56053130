#!/bin/sh
# What a compiler says of a program's constants, from outside. test_compiler.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim.
# Last line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh

use_sim "$@"
cd "$folder" || exit 1

mkdir include
cat >include/sizes.h <<'C'
struct atom { double r[3]; int kind; };
typedef struct atom atom_type;
#if CLASS == 2
#define N 4096
#else
#define N 64
#endif
#define SHARE ((int)sizeof(struct atom) * N)
enum { STEPS = 3 + CLASS };
static const long cells = (long)N << 2;
#define GROW(n) n++
C
cat >a.c <<'C'
#include <sizes.h>

#if CLASS == 2
int width = 7;
#else
int width = 9;
#endif
int main(void)
{
    // PEVPM Loop iterations = STEPS
    // PEVPM {
    // PEVPM Serial time = cells us
    // PEVPM Message type = MPI_Sendrecv & size = SHARE + sizeof(atom_type) + width & to = 0 & from = 0
    MPI_Sendrecv(0, SHARE + sizeof(struct atom) + 7, MPI_BYTE, 0, 0, 0, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, 0);
    // PEVPM }
}
C
sed -i '1i int MPI_Sendrecv(); enum { MPI_BYTE, MPI_COMM_WORLD };' a.c

run 3 -n 1 --check --cflags -Inowhere a.c
if grep -q 'built without libclang' err; then
    told "a.c:12:38: error: undefined name .cells."
    skip_all "libclang is not there" 10
fi
told "a.c: warning: libclang cannot read this file with these flags (a.c:2: 'sizes.h' file not found)"
told "error: unknown type .atom_type."

# two values where nobody knows which is compiled; one where a compiler does
run 3 -n 1 --check a.c
run 0 -n 1 --print=0 --cflags '-Iinclude -DCLASS=2' a.c
check "class 2" grep -q 'loop 5 times' out
check "class 2" grep -q 'compute 16.38 ms' out
check "class 2" grep -q 'MPI_Sendrecv to 0, 131111 bytes' out
run 0 -n 1 --print=0 --cflags '-Iinclude -DCLASS=1' a.c
check "class 1" grep -q 'MPI_Sendrecv to 0, 2089 bytes' out

# the calls are read with the same constants
run 0 -n 1 --check -v --cflags '-Iinclude -DCLASS=2' a.c
check "compared" grep -q '1 in part\|1 in full' out err
run 0 -n 1 --check --cflags '-Iinclude -DCLASS=1' a.c
told "warning: .size. is 2089 bytes, but MPI_Sendrecv is called with 2087"

# flags from a compile_commands.json
cat >compile_commands.json <<J
[{"directory": "$folder", "file": "a.c", "arguments": ["cc", "-I", "include", "-DCLASS=2", "-c", "a.c"]}]
J
run 0 -n 1 --print=0 compile_commands.json
check "compile_commands.json" grep -q 'MPI_Sendrecv to 0, 131111 bytes' out

# a header of C++ is compiled as its includer is
cat >include/body.hpp <<'C'
#pragma once
struct body { double x[5]; };
// PEVPM Procedure move
// PEVPM {
// PEVPM Message type = MPI_Sendrecv & size = sizeof(body)+sizeof(struct body) & to = 0 & from = 0
// PEVPM }
C
printf '%s\n' '#include "body.hpp"' '// PEVPM Call move' >body.cpp
echo "[{\"directory\": \"$folder\", \"file\": \"body.cpp\", \"command\": \"c++ -Iinclude -c body.cpp\"}]" >cpp.json
run 0 -n 1 --print=0 cpp.json include/body.hpp
check "a header of C++" grep -q 'MPI_Sendrecv to 0, 80 bytes' out

# a change that only a compiler sees
sed -i 's|// PEVPM Serial|GROW(width); &|' a.c
run 3 -n 1 --check --cflags '-Iinclude -DCLASS=2' a.c
told "a.c:14:79: error: undefined name .width."
told "note: it is changed here"

# a byte order mark has no column
printf '%s\n' 'int main(void) { int width = 7; GROW(width);' '// PEVPM Serial time = width us' 'return 0; }' >b.c
run 3 -n 1 --check --cflags '-DGROW(n)=n++' b.c
told "b.c:1:33: note: it is changed here"
cp err unmarked
{ printf '\357\273\277'; cat b.c; } >marked.c
run 3 -n 1 --check --cflags '-DGROW(n)=n++' marked.c
check "places are those without it" [ "$(sed 's/marked\.c/b.c/' err)" = "$(cat unmarked)" ]

finish
