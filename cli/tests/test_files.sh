#!/bin/sh
# Programs of several files, from outside. test_files.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim. Last line: N passed, N
# failed, N skipped.
set -u

. common/tests/check.sh

use_sim "$@"
cd "$folder" || exit 1

mkdir -p src/inc
cat >m.yaml <<'Y'
pevpm_machine: 1
name: testbed
nodes: 4
processes_per_node: 1
point_to_point:
  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 1 ms}]}
Y
cat >src/main.c <<'C'
#include "inc/sizes.h"
int main(void)
{
    // PEVPM Loop iterations = STEPS
    // PEVPM {
    // PEVPM Serial time = 3 ms
    // PEVPM Call shift(N)
    shift(grid, N);
    // PEVPM }
}
C
cat >src/halo.c <<'C'
#include "inc/sizes.h"
void shift(double *grid, int n)
{
    // PEVPM Procedure shift(n)
    // PEVPM {
    // PEVPM Message type = MPI_Sendrecv & size = 8*N & to = (procnum+1)%numprocs & tag = TAG
    // PEVPM & from = (procnum+numprocs-1)%numprocs
    MPI_Sendrecv(grid, N, MPI_DOUBLE, next, TAG, ghost, N, MPI_DOUBLE, last, TAG, MPI_COMM_WORLD, &status);
    // PEVPM }
}
C
printf '#define STEPS 10\n#define N 1000\n#define TAG 7\n' >src/inc/sizes.h
cat >one.pevpm <<'P'
Loop iterations = 10
{
Serial time = 3 ms
Message type = MPI_Sendrecv & size = 8000 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
}
P
cat >compile_commands.json <<J
[{"directory": "$folder/src", "file": "main.c", "command": "mpicc -DMORE=2 -c main.c"},
 {"directory": "$folder/src", "file": "halo.c", "arguments": ["mpicc", "-c", "halo.c"]}]
J
numbers() { sed '1d; s/^[^,]*,//' out; }

# ---- one program, however its files are named ----
run 0 -m m.yaml -n 4 -f csv one.pevpm; numbers >wanted
for files in 'src/main.c src/halo.c' 'src/halo.c src/main.c' src src/ compile_commands.json; do
    run 0 -m m.yaml -n 4 -f csv $files; numbers >got
    check "as in one file: $files" same got wanted
    check 'what it is called' grep -q "^${files%/},testbed" out
done
run 0 compare -m m.yaml -n 4 -f csv src compile_commands.json
check 'two programs of several files' grep -q '^src,compile_commands.json,' out
run 2 compare -m m.yaml -n 4 src/main.c src/halo.c one.pevpm; told 'error: two PROGRAMs are compared, found 3'
run 3 compare -m m.yaml -n 4 src/main.c src/halo.c; told '^src/main.c:7:14: error: undefined procedure `shift`'

# ---- each file by its name ----
run 0 -m m.yaml -n 2 --print=0 src; check '--print' grep -q 'MPI_Sendrecv to 1, 8000 bytes, tag 7 *src/halo.c:6$' out
run 0 -m m.yaml -n 2 -r 2 --profile src
check 'a directive' grep -q ' halo.c:6 MPI_Sendrecv ' out
check 'the margin of both' [ "$(grep -c '^  share .*chiefly .*| src/\(main\|halo\).c$' out)" -eq 2 ]
check 'a time at its line' grep -q 'ms .*| *// PEVPM Message type = MPI_Sendrecv' out
run 0 -m m.yaml -n 2 -r 2 -f csv --profile-output p.csv src
run 4 -m m.yaml -n 2 --profile none.csv src; told '^none.csv: error: cannot open'; told 'note: --profile takes no file: --profile-output FILE does'
check 'the file of a row' grep -q ',6,MPI_Sendrecv,.*,halo.c$' p.csv
run 0 --check -v src/main.c src/halo.c
told '^src/halo.c:6:14: note: compared in part, but not `to`: `next` cannot be read; `from`: `last` cannot be read$'
sed 's/(grid, N,/(grid, 2*N,/' src/halo.c >wrong.c; mkdir -p inc; cp src/inc/sizes.h inc
run 0 --check src/main.c wrong.c
told '^wrong.c:6:51: warning: `size` is 8000 bytes, but MPI_Sendrecv is called with 16000 (process 0 of 2)$'

# ---- what a program wants of its run, the same from all engines ----
cat >wants.pevpm <<'P'
Assert numprocs%2 == 0 "an even number of processes"
Serial time = 1
Runon c1 = procnum == 0 & c2 = procnum == 1
{
Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = s & got_size = n
Assert s == 1 && n == 8*numprocs "8 bytes for each, from 1"
}
{
Message type = MPI_Send & to = 0 & size = 16
}
P
for engine in lanes reference timed; do
    run 3 -m m.yaml --engine $engine -n 1,2,4 -f csv wants.pevpm
    check 'the counts that it is for are predicted' [ "$(wc -l <out)" -eq 2 ]
    told '^wants.pevpm:1:1: error: Assert: an even number of processes, in process 0 (of 1)$'
    told '^wants.pevpm:6:1: error: Assert: 8 bytes for each, from 1, in process 0 (of 4)$'
done

# ---- judging, and what is wrong ----
{
    echo program,params,numprocs,seconds
    for n in 1 2 3; do for time in 0.04 0.041; do echo "src,,$n,$time"; echo "src/,,$n,$time"; done; done
    echo one.pevpm,,3,0.04; echo one.pevpm,,2,0.04
} >runs.csv
run 0 judge -m m.yaml -r 2 runs.csv; check 'a folder is one program' grep -q '^5 runs\|^runs *5\|5 runs' out
run 3 -m m.yaml -n 2 src one.pevpm
told '^one.pevpm:1:1: error: directives outside of procedures in a second file'
told '^src/main.c:4:14: note: it begins here'
run 3 -m m.yaml -n 2 src/halo.c; told '^src/halo.c:4:14: error: all directives stand in procedures'
sed -i 's/MORE=2/N=500/' compile_commands.json
run 3 -m m.yaml -n 2 compile_commands.json
told ':2:9: error: `N` has two different values'; told '^flags of src/main.c:1:9: note: the first is here'
run 0 -m m.yaml -n 2 -D N=500 compile_commands.json
mkdir none; run 3 -m m.yaml -n 2 src none; told '^none: error: there is no C, C++, Fortran or .pevpm file in this folder$'

# a header in a folder that nobody has named
mkdir far; echo '#define FAR 3' >far/far.h
printf '%s\n' '#include "mpi.h"' '#include "far.h"' '// PEVPM Serial time = FAR ms' >uses.c
run 3 -m m.yaml -n 2 uses.c; told '^uses.c:3:24: error: undefined name `FAR`'
told "^uses.c:2:11: note: this file was not found, and may declare it: say where it is, as in --cflags '-I include'"
check 'once' [ "$(grep -c note: err)" -eq 1 ]
run 0 -m m.yaml -n 2 --cflags '-I far' uses.c

finish
