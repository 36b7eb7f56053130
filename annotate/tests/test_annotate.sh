#!/bin/sh
# pevpm-annotate from its command line: directives beside the calls of a program, which are what ran. Started from the
# project's root.
set -u

. common/tests/check.sh
need "$build/pevpm-annotate"
program=$build/pevpm-annotate
root=$PWD
unset PEVPM_MACHINE
cd "$folder" || exit 1
mkdir src
cp "$root/annotate/tests/halo.c" src
echo '#define STEPS 30' >steps.h

record() { # record LETTER PROGRAM COUNT...: into LETTER@COUNT.rec
    letter=$1 recorded=$2
    shift 2
    for p in "$@"; do
        timeout 60 mpirun --oversubscribe -n "$p" "$build/pevpm-record" -o "$letter@$p.rec" "$recorded" >out 2>err </dev/null
    done
}

# ---- what needs no MPI ----

run 2
told 'no source is given'
told 'no recording is given'
run 2 src/halo.c
told 'no recording is given'
run 2 --dif src/halo.c a.rec --outptu x
told 'did you mean `--output`'
run 0 --help
run 0 --version
printf 'pevpm-recording 1\nranks 1\nrank 0 1\n' >short.rec
run 3 src/halo.c short.rec
if grep -q 'built without libclang' err; then
    skip_all "libclang is not there"
fi
told 'cut short'
run 4 src/halo.c missing.rec
told 'missing.rec'

# ---- a program ----

command -v mpicc >/dev/null && command -v mpirun >/dev/null && [ -z "${SAN:-}" ] || skip_all "no MPI to record with"
mpicc -g -O2 -o halo src/halo.c 2>err || skip_all "mpicc does not compile"
for p in 2 4 5; do
    timeout 60 mpirun --oversubscribe -n $p "$build/pevpm-record" -o h@$p.rec ./halo 500 >out 2>err </dev/null ||
        skip_all "no MPI job can be started"
done

run 4 not-there.c h@2.rec
told 'not-there.c'
run 0 --diff src/halo.c h@*.rec
check 'the difference' grep -q '^+.*// PEVPM Loop iterations = rounds+1' out
check 'nothing is written' [ ! -e annotated ]
run 0 -o out1 src/halo.c h@*.rec
check 'coverage' grep -q ' \([0-9]*\) of \1 recorded calls stand in them' out
check 'what ran' grep -q 'h@5.rec: 5 processes, .* are as the directives say' out
check 'a hole' grep -q '^hole: rounds = 4 .*halo.c:46: what the .* follow (round <= rounds); 4 in all that was' out
check 'a constant of the source' grep -q 'PEVPM Loop iterations = STEPS-1' out1/halo.c
check 'a function behind a pointer' sh -c "grep -A 1 'PEVPM Call exchange' out1/halo.c | grep -q 'method(n'"
check 'no frame of a function' sh -c "grep -A 4 '^// PEVPM Procedure share(call_of_share)' out1/halo.c |
    grep -q 'Serial time = (call_of_share == 0 ? .* : .*) us'"
check 'calls in the order of the source' [ "$(sed -n 's/.*PEVPM Call share(\(.\)).*/\1/p' out1/halo.c | tr -d '\n')" = 012 ]
check '_start is in no function' [ "$(grep -c 'Call main' out1/halo.c)" -eq 0 ]
check 'one formula' [ "$(grep '^note: the size at' out | grep -vc 'in multiples of 8, down or up')" -eq 0 ]
check 'of which the remainder is not known' grep -q '^note: the size at halo.c:45 is written as round(3840.0/numprocs), but .* in multiples of 8' out
check 'what stands beside the source' [ "$(grep -c 'cannot read' err)" -eq 0 ]
check 'a size of the source' grep -q 'Collective type = MPI_Bcast & size = sizeof(MPI_INT) & root = 0' out1/halo.c
check 'a formula' grep -q 'MPI_Isend & size = .* & to = procnum+1' out1/halo.c
check 'a branch' grep -q 'Runon c1 = .*procnum == numprocs-1' out1/halo.c
check 'no table' [ "$(grep -c known_only out1/halo.c)" -eq 0 ]
check 'it compiles' mpicc -I src -o again out1/halo.c
timeout 60 mpirun --oversubscribe -n 6 "$build/pevpm-record" -o h@6.rec ./halo 500 >out 2>err </dev/null
"$build/pevpm-record" --check out1 h@6.rec >out 2>err
ended 0 $? "six processes, never recorded"

# ---- a disk that is full, or has room for the copy and not for what is kept of it ----

mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=256k none small 2>err; then
    trap 'umount "$folder/small"; rm -rf "$folder"' EXIT
    pages=$((($(wc -c <out1/halo.c) + 4095) / 4096))
    for room in 0 $pages; do
        dd if=/dev/zero of=small/rest bs=4k count=$((64 - room)) 2>dd.err
        run 4 -o small/deep/out src/halo.c h@*.rec
        told 'No space left on device'
        check "room for $room pages: nothing is left behind" [ "$(ls -A small)" = rest ]
    done
    dd if=/dev/zero of=small/rest bs=4k count=$((64 - 2 * pages)) 2>dd.err
    run 0 -o small/deep/out src/halo.c h@*.rec
    umount small
    trap 'rm -rf "$folder"' EXIT
else
    skip "a full disk: a tmpfs cannot be mounted here ($(head -n 1 err))" 7
fi

# ---- where the one before and the next are one process, what is sent is received ----

cp "$root/annotate/tests/torus.c" src
mpicc -g -O1 -o torus src/torus.c
record t ./torus 2 4 8
run 0 -o torus.out src/torus.c t@*.rec
check 'every third step' grep -q 'PEVPM Runon c1 = step%3 == 1$' torus.out/torus.c
"$build/pevpm-sim" -n 16 -r 2 torus.out >out 2>err
ended 0 $? "sixteen processes of a torus"

# ---- partners of axes that there are not at all counts: no `%` of a negative number ----

cp "$root/annotate/tests/axes.c" src
mpicc -g -O1 -o axes src/axes.c
record x ./axes 2 4 8
run 0 -o axes.out src/axes.c x@*.rec
check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
for p in 2 4 8; do
    "$build/pevpm-sim" -n $p -r 2 axes.out >out 2>err
    ended 0 $? "$p processes along axes"
done

# ---- time in files, of all, of half of them and of each ----

cp "$root/annotate/tests/save.c" src
mpicc -g -O2 -o save src/save.c
record s ./save 2 4 6 8
run 0 -o save.out src/save.c s@2.rec s@4.rec s@8.rec
check 'coverage' grep -q ' \([0-9]*\) of \1 recorded calls stand in them' out
check 'what ran' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
check 'a time that is of one process' [ "$(grep -B 7 '^    MPI_File_write_at_all' save.out/save.c | sed 's/ time = .*//; s/^ *//' | tr '\n' '|' |
    grep -c 'PEVPM Collective type = MPI_Barrier|// pevpm-annotate: the time in the file is .*|// PEVPM Runon c1 = procnum == 0|// PEVPM {|// PEVPM Serial|// PEVPM }|' \
    )" -eq 1 ]
check 'of a half' [ "$(grep -c 'Runon c1 = procnum_in(comm[0-9]*) == 0$' save.out/save.c)" -eq 2 ]
check 'of each' [ "$(grep -c 'the time in the file is that of the recorded runs' save.out/save.c)" -eq 9 ]
"$build/pevpm-record" --check save.out s@6.rec >out 2>err
ended 0 $? "six processes, never recorded"

# ---- a header of a C++ program is C++, and has the flags of what includes it ----

mkdir cpp
cat >cpp/ring.h <<'END'
#include <mpi.h>
#include <vector>
class Ring {
    std::vector<double> values;
    int rank, size;
public:
    Ring(int n) : values(n)
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    void turn()
    {
        for (int step = 0; step < STEPS; step++)
            MPI_Sendrecv_replace(values.data(), (int)values.size(), MPI_DOUBLE, (rank + 1) % size, 7, (rank + size - 1) % size, 7,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
};
END
cat >cpp/main.cc <<'END'
#include "ring.h"
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Ring ring(100);
    ring.turn();
    MPI_Finalize();
}
END
if mpicxx -g -O1 -DSTEPS=12 -o ring cpp/main.cc 2>err; then
    for p in 2 4; do
        timeout 60 mpirun --oversubscribe -n $p "$build/pevpm-record" -o ring@$p.rec ./ring >out 2>err </dev/null
    done
    run 0 -o ringed --cflags -DSTEPS=12 cpp ring@2.rec ring@4.rec
    check 'no C is read' [ "$(grep -c 'libclang cannot read' err)" -eq 0 ]
    check 'a loop of the header' grep -q 'PEVPM Loop iterations = STEPS' ringed/ring.h
    printf '[{"directory": "%s", "file": "cpp/main.cc", "command": "mpicxx -DSTEPS=12 cpp/main.cc"}]' "$PWD" >compile_commands.json
    run 0 -o ringed2 compile_commands.json cpp/ring.h ring@2.rec ring@4.rec
    check 'nor with commands' [ "$(grep -c 'libclang cannot read' err)" -eq 0 ]
    check 'which has its flags' grep -q 'PEVPM Loop iterations = STEPS' ringed2/ring.h
fi

# ---- Fortran: free form, then fixed ----

shape() { # shape FILE: its directives without what was measured
    grep 'PEVPM' "$1" | sed 's/^ *! PEVPM//; s/^ *//; s/r[0-9]*\[/r[/' | grep -v 'Serial\|^& *2, 1))* us\|^&.* us$'
}
cp "$root/annotate/tests/plate.F90" "$root/annotate/tests/fixed.f" "$root/annotate/tests/phases.f90" "$root/annotate/tests/lastly.f90" .
if command -v mpif90 >/dev/null && mpif90 -g -O0 -o plate0 plate.F90 2>err && mpif90 -g -O2 -o plate2 plate.F90 2>err; then
    for o in 0 2; do
        record P$o ./plate$o 2 4 8
        run 0 -o plate$o.out plate.F90 P$o@2.rec P$o@4.rec P$o@8.rec
        check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
        check 'coverage' grep -q ' \([0-9]*\) of \1 recorded calls stand in them' out
        check 'nothing is in disorder' [ "$(grep -c 'came in an order that no loop\|no directive' out)" -eq 0 ]
    done
    shape plate0.out/plate.F90 >shape0
    shape plate2.out/plate.F90 >shape2
    check 'however it was compiled' cmp shape0 shape2
    stands() { # stands NAME PATTERN LINE: the directive stands before the line
        check "$1" sh -c "grep -B 1 '$3' plate2.out/plate.F90 | grep -q '$2'"
    }
    stands 'a loop with a name and a constant of a module' 'PEVPM {' ' time: do step = 1, Steps'
    check 'its limit' grep -q '  ! PEVPM Loop iterations = Steps & var = step$' plate2.out/plate.F90
    check 'from 0' grep -q '! PEVPM Loop iterations = half+1$' plate2.out/plate.F90
    stands 'two loops that one label ends' 'PEVPM {' '  do 20 step = 0, half'
    check 'and both end there' [ "$(grep -A 2 '^20 continue' plate2.out/plate.F90 | grep -c '! PEVPM }')" -eq 2 ]
    check 'do while' grep -q 'how often the loop goes round (while (k < 4)); 2 in all' plate2.out/plate.F90
    stands 'a function in an expression' 'PEVPM Call norm$' 's = 0.5d0'
    stands 'a generic name' 'PEVPM Call exchange_row(0)$' 'call exchange(row, width, up'
    stands 'one bound to a type' 'PEVPM Call strip_share$' 'call mine%share(row)'
    check 'one within another' sh -c "grep -A 2 'PEVPM Procedure again$' plate2.out/plate.F90 | grep -q '  subroutine again$'"
    check 'select case' [ "$(grep -A 1 '^ *case' plate2.out/plate.F90 | grep -c 'PEVPM Runon c1 = .*step%2 == 1')" -eq 2 ]
    check 'else if' sh -c "grep -A 1 'else if (rank > 0) then' plate2.out/plate.F90 | grep -q 'PEVPM Runon c1 = !(procnum == 0)$'"
    check 'size of the source' grep -q 'size = width\*sizeof(MPI_DOUBLE_PRECISION)$' plate2.out/plate.F90
    check 'a statement of three lines' sh -c "grep -B 1 'call MPI_Irecv(row, n, &' plate2.out/plate.F90 | grep -q 'PEVPM'"
    check 'the last call' sh -c "grep -B 1 'call MPI_Finalize' plate2.out/plate.F90 | grep -q 'PEVPM Serial\|PEVPM }'"
    check 'it compiles' mpif90 -o again plate2.out/plate.F90
    record Q ./plate2 6
    "$build/pevpm-record" --check plate2.out Q@6.rec >out 2>err
    ended 0 $? "six processes of Fortran, never recorded"
    run 0 --diff plate.F90 P2@*.rec
    check 'the difference' grep -q '^+  ! PEVPM Loop iterations = Steps & var = step$' out
    sed -i 's/Param trips_plate = 2/Param trips_plate = 3/' plate2.out/plate.F90
    run 1 -o plate2.out plate.F90 P2@2.rec P2@4.rec
    check 'what a person changed' grep -q 'Param trips_plate = 3' plate2.out/plate.F90
    mpif90 -g -O1 -o fixed fixed.f 2>err
    record X ./fixed 2 4 8
    run 0 -o fixed.out fixed.f X@2.rec X@4.rec X@8.rec
    check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
    check 'in the first column' [ "$(grep 'PEVPM' fixed.out/fixed.f | grep -vc '^! PEVPM')" -eq 0 ]
    check 'a parameter statement' grep -q '^! PEVPM Loop iterations = rounds$' fixed.out/fixed.f
    check 'a size' grep -q '^! PEVPM Message type = MPI_Send & size = n\*sizeof(MPI_DOUBLE_PRECISION)' fixed.out/fixed.f
    check 'it compiles' mpif90 -o again fixed.out/fixed.f
    mpif90 -g -O1 -o phases phases.f90 2>err
    record H ./phases 2 4 8
    run 0 -o phases.out phases.f90 H@2.rec H@4.rec H@8.rec
    check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
    check 'calls on the line of the heading' [ "$(grep -B 1 'call mpi_waitall' phases.out/phases.f90 | grep -c 'type = MPI_Waitall')" -eq 2 ]
    record I ./phases 6
    "$build/pevpm-record" --check phases.out I@6.rec >out 2>err
    ended 0 $? "six processes in phases, never recorded"
    mpif90 -g -O1 -o lastly lastly.f90 2>err
    LAST=9 record L ./lastly 2 4
    run 0 -o lastly.out lastly.f90 L@2.rec L@4.rec
    check 'a trip by its number' grep -q 'PEVPM Runon c1 = step == 6$' lastly.out/lastly.f90
    check 'the last one of a loop with a limit' grep -q 'PEVPM Runon c1 = step == last-1$' lastly.out/lastly.f90
    check 'and of one without' grep -q 'PEVPM Runon c1 = .* == trips_lastly-1$' lastly.out/lastly.f90
    LAST=9 record M ./lastly 6
    "$build/pevpm-record" --check lastly.out M@6.rec >out 2>err
    ended 0 $? "six processes that end alike, never recorded"
    sed -i 's/Param last = 9/Param last = 12/; s/Param trips_lastly = 9/Param trips_lastly = 12/' lastly.out/lastly.f90
    LAST=12 record N ./lastly 2
    "$build/pevpm-record" --check lastly.out N@2.rec >out 2>err
    ended 0 $? "as many trips as a person says"
else
    skip 'no Fortran' 42
fi

# ---- functions without names of their own ----

cp "$root/annotate/tests/lambdas.cc" .
for o in 0 2; do
    mpicxx -g -O$o -o lambdas lambdas.cc 2>err || break
    record f$o ./lambdas 2 4 8
    run 0 -o lambdas$o lambdas.cc f$o@2.rec f$o@4.rec f$o@8.rec
    check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
    check 'called as their variables' [ "$(sed -n 's/.*PEVPM Procedure //p' lambdas$o/lambdas.cc | sort | tr '\n' ' ')" = \
        'lambda_in_main meet operator__ turn(call_of_turn) ' ]
    check 'and no others' [ "$(sed -n 's/.*PEVPM Call //p' lambdas$o/lambdas.cc | sort | tr '\n' ' ')" = \
        'lambda_in_main meet operator__ turn(0) turn(1) ' ]
    check 'what a library goes round with' grep -q 'PEVPM Loop iterations = trips_main$' lambdas$o/lambdas.cc
    check 'which ends before what comes next' [ "$(grep -A 5 '^    };' lambdas$o/lambdas.cc | sed 's/^ *//' | tr '\n' '|')" = \
        '};|// PEVPM }|// PEVPM Loop iterations = 5 & var = i|// PEVPM {|for (int i = 0; i < 5; i++) {|// PEVPM Call turn(0)|' ]
    "$build/pevpm-sim" -n 16 -r 2 lambdas$o >out 2>err
    ended 0 $? "sixteen processes of functions without names"
done

# ---- functions that call themselves, or that the compiler left in pieces ----

cp "$root/annotate/tests/levels.c" src
mpicc -g -O2 -o levels src/levels.c
record l ./levels 2 4 8
run 0 -o levels.out src/levels.c l@2.rec l@4.rec l@8.rec
check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
check 'a call of its own' grep -q 'PEVPM Call cycle(call_of_cycle, depth_of_cycle+1)' levels.out/levels.c
check 'which ends' grep -q 'PEVPM Runon c1 = depth_of_cycle < 3' levels.out/levels.c
check 'a size at each level' grep -q 'round(8192.0/pow(4, depth_of_cycle))' levels.out/levels.c
check 'a limit whose counter is a letter of its type' grep -q 'PEVPM Loop iterations = LEVELS - 1-1$' levels.out/levels.c
check 'no limit where the step is another one' grep -q 'PEVPM Param trips_main = 3' levels.out/levels.c
check 'room for more than is sent' grep -q 'recv_size = 128$' levels.out/levels.c
check 'nothing is in disorder' [ "$(grep -c 'came in an order that no loop' out)" -eq 0 ]
check 'the main function is called by nobody' [ "$(grep -c 'Call main' levels.out/levels.c)" -eq 0 ]

# ---- a communicator that is another one from call to call; one that nothing is called on ----

cp "$root/annotate/tests/halves.c" src
mpicc -g -O1 -o halves src/halves.c
record d ./halves 2 4 8
run 0 -o halves.out src/halves.c d@2.rec d@4.rec d@8.rec
check 'what making it takes' grep -q 'the communicator at halves.c:20 that this is made from is another one from call to call' out
check 'no Set of a communicator without calls' [ "$(grep -c 'PEVPM Set' halves.out/halves.c)" -eq 0 ]
"$build/pevpm-sim" -n 8 -r 2 halves.out >out 2>err
ended 0 $? "eight processes in halves"
mpicc -g -O1 -DTALK -o halves src/halves.c
record e ./halves 2 4
run 1 -o talking.out --cflags -DTALK src/halves.c e@2.rec e@4.rec
check 'a collective operation on several' \
    grep -q 'the communicator at halves.c:22 is another one from call to call: this is written as if all' out

# ---- files that are not whole, or not named ----

mkdir parts
cat >parts/strange.h <<'END'
static inline int there_is_no_such_type(unheard_of x) { return x; }
END
cat >parts/one.c <<'END'
#include <mpi.h>
#ifdef UNHEARD
#include "strange.h"
#endif
void two(int n);
void three(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        two(100);
    three();
    MPI_Finalize();
}
END
cat >parts/two.c <<'END'
#include <mpi.h>
void two(int n)
{
    double a[100] = {0}, b[100];
    for (int k = 0; k < 2; k++)
        MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
END
cat >parts/three.c <<'END'
#include <mpi.h>
void three(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
END
mpicc -g -O1 -o parts/program parts/one.c parts/two.c parts/three.c
timeout 60 mpirun --oversubscribe -n 2 "$build/pevpm-record" -o p@2.rec parts/program >out 2>err </dev/null
run 0 -o parts.out parts p@2.rec
run 0 -o strange.out --cflags -DUNHEARD parts p@2.rec
told 'libclang cannot read all of this file with these flags'
check 'as without the error' grep -q 'Loop iterations = 3' strange.out/one.c
run 1 -o partly.out parts/two.c p@2.rec
told '2 of 14 recorded calls have no directive, .*: MPI_Barrier at .*parts/three.c:4'
run 3 -o other.out parts/two.c parts/three.c p@2.rec
told 'parts/one.c: error: recorded calls are reached from here (line 12, main)'
check 'nothing is written' [ ! -e other.out ]

# ---- sources that the program was not compiled from ----

mkdir old new
(printf '\n\n\n'; cat src/levels.c) >old/levels.c
run 3 -o old.out old/levels.c l@2.rec l@4.rec
told 'old/levels.c: error: the recorded program was compiled from another version of this file: exchange stood in line 10, and stands in lines 13 to '
check 'nothing is written' [ ! -e old.out ]
sed '/MPI_Comm_size/a /* one\nline more */' src/levels.c >new/levels.c
run 1 -o new.out new/levels.c l@2.rec l@4.rec
told 'new/levels.c: warning: MPI_Barrier was called in line 54 and stands in line 56: if the file was changed'
run 3 -o old.out src/levels.c h@2.rec
told 'they are reached from .*src/halo.c:[0-9]*, in main, which is not among the files'
printf 'program none\nend program\n' >none.f90
run 3 -o old.out none.f90 l@2.rec
told 'they are reached from .*src/levels.c:[0-9]*, in main, which is not among the files'

# ---- one-sided operations: on windows that other calls have made ----

cp "$root/annotate/tests/window.c" src
mpicc -g -O1 -o window src/window.c
for p in 2 4 6 8; do
    OMPI_MCA_osc=pt2pt timeout 60 mpirun --oversubscribe -n $p "$build/pevpm-record" -o w@$p.rec ./window >out 2>err </dev/null
done
if [ -e w@8.rec ]; then # Open MPI of its own may have no osc/pt2pt
    run 0 -o windows src/window.c w@2.rec w@4.rec w@6.rec
    check 'a put on a window' grep -q 'MPI_Put & window = window1 & size = N\*sizeof(MPI_DOUBLE) & to = (procnum+1)%numprocs$' \
        windows/window.c
    check 'on a part' grep -q 'MPI_Win_lock & window = window2 & to = 0 & exclusive = 1 & comm = comm0' windows/window.c
    check 'the barrier of its end' grep -q 'Collective type = MPI_Barrier & comm = comm0' windows/window.c
    check 'what making the part takes' grep -q 'PEVPM Message type = MPI_Comm_split$' windows/window.c
    "$build/pevpm-record" --check windows w@8.rec >out 2>err
    ended 0 $? "eight processes, one-sided"
    check 'all of it' grep -q '8 processes, 194 messages' out
    sed 's/MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, parts)/MPI_Win_lock_all(0, parts)/; s/MPI_Win_unlock(0, /MPI_Win_unlock_all(/' \
        src/window.c >src/all.c
    mpicc -g -O1 -o all src/all.c
    OMPI_MCA_osc=pt2pt timeout 60 mpirun --oversubscribe -n 2 "$build/pevpm-record" -o all.rec ./all >out 2>err </dev/null
    run 0 -o all.out src/all.c all.rec
    check 'a lock beside what is accessed' grep -q 'MPI_Win_lock & window = window[0-9]* & to = 0 & comm = comm0' all.out/all.c
    check 'what gives it back' grep -q 'MPI_Win_unlock & window = window[0-9]* & to = 0 & comm = comm0' all.out/all.c
    "$build/pevpm-sim" -n 8 -r 2 all.out >out 2>err
    ended 0 $? "eight processes with locks of all"
    cp "$root/annotate/tests/near.c" src
    mpicc -g -O1 -DLOCKS -o locks src/near.c
    for p in 2 4 6; do
        OMPI_MCA_osc=pt2pt timeout 60 mpirun --oversubscribe -n $p "$build/pevpm-record" -o k@$p.rec ./locks >out 2>err </dev/null
    done
    run 0 -o locks.out --cflags -DLOCKS src/near.c k@2.rec k@4.rec k@6.rec
    check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
    check 'each is locked once' [ "$(grep -A 2 'PEVPM Runon c1 = step_[0-9]* == 0$' locks.out/near.c | grep -c 'PEVPM {')" -eq 1 ]
    check 'and flushed each time' sh -c "grep -A 3 'Loop iterations = numprocs & var = trip$' locks.out/near.c |
        grep -q 'MPI_Win_flush & window = window[0-9]* & to = trip$'"
    "$build/pevpm-sim" -n 16 -r 2 locks.out --cflags -DLOCKS >out 2>err
    ended 0 $? "sixteen processes with locks of all"
fi

# ---- among neighbours, and messages that a probe takes out ----

cp "$root/annotate/tests/near.c" src
mpicc -g -O1 -o near src/near.c
record n ./near 2 4 8 16
run 0 -o near.out src/near.c n@2.rec n@4.rec n@8.rec
check 'all of it' [ "$(grep -c ' are as the directives say$' out)" -eq 3 ]
check 'a grid' grep -q 'Collective type = MPI_Neighbor_alltoall & size = .* & comm = near[0-9]*$' near.out/near.c
check 'on which others have all processes' grep -q 'Collective type = MPI_Allreduce & size = sizeof(MPI_DOUBLE)$' near.out/near.c
check 'a ring of half of them' sh -c "grep -A 1 'Set near2 = ' near.out/near.c |
    grep -q '((procnum_in(comm2)+1)%numprocs_in(comm2)), comm2)'"
check 'with a request' grep -q 'MPI_Ineighbor_alltoallv & size = bytes_main & comm = near3 & request = ' near.out/near.c
check 'a message that is taken out' grep -q 'MPI_Mprobe & message = message\([0-9]*\) & from = i+1 & tag = 7' near.out/near.c
check 'and received in one of two ways' [ "$(grep -c 'MPI_Im*recv & message = message\|MPI_Mrecv & message = message' near.out/near.c)" -eq 2 ]
"$build/pevpm-record" --check near.out n@16.rec >out 2>err
ended 0 $? "sixteen processes among neighbours, never recorded"
sed 's/periodic\[2\] = {1, 1}/periodic[2] = {1, 1}, ones[2] = {1, 1}/; s/MPI_Cart_create(MPI_COMM_WORLD, 2, dims/MPI_Cart_create(MPI_COMM_WORLD, 2, ones/
    s/exchange(grid, .*);/if (rank == 0) exchange(grid, 1);/; s/, grid);$/, MPI_COMM_WORLD);/
    s/b, n, MPI_DOUBLE, MPI_COMM_WORLD/b, n, MPI_DOUBLE, grid/' src/near.c >src/left.c
mpicc -g -O1 -o left src/left.c
record o ./left 2
run 3 -o left.out src/left.c o@2.rec
told 'MPI_Neighbor_alltoall is called on a grid or graph that leaves processes out'

# ---- the next count: what the formulas make of it comes to no end; and calls within macros ----

mpicc -g -O1 -o halvings "$root/annotate/tests/halvings.c" 2>err
record v ./halvings 2 4
run 0 -o late "$root/annotate/tests/halvings.c" v@2.rec v@4.rec
told 'late: note: at 8 processes, which were not recorded, what the copies say comes to no end: deadlock: .*; record at 8, too'
check 'a size in it' grep -q 'MPI_Bcast & size = 3\*sizeof(MPI_INT) & root = 0$' late/halvings.c
check 'what is asked for, as it is written' grep -q '^hole: .*bytes of a message ((int)sizeof "a,.")" - 2 of MPI_INT)' out
check 'macros in calls' sh -c "grep -q '(TWICE(8) of MPI_INT)' out && grep -q '(TWICE(7) of MPI_INT)' out"
check 'a call that a macro puts together' [ "$(grep -c '^hole: .*bytes of a message (MPI_Bcast);' out)" -eq 3 ]
check 'no part of what a macro puts together' sh -c "! grep -q '[4-8]\*sizeof' late/halvings.c"

# ---- again: what a person changed is kept ----

sed -i 's/Param rounds = 4/Param rounds = 40/; s/STEPS/STEPS/' out1/halo.c
sed -i 's/^    double norm/    \/* by hand *\/\n    double norm/' out1/halo.c
run 1 -o out1 src/halo.c h@2.rec h@4.rec
check 'another formula' grep -q '^note: the size at halo.c:45 is written as .* gives the same at the recorded' out
check 'said so' grep -q 'out1/halo.c: what was changed by hand is kept' out
check 'a value' grep -q 'PEVPM Param rounds = 40' out1/halo.c
check 'a line' grep -q 'by hand' out1/halo.c
told 'the directive says'
run 3 out1/halo.c h@2.rec
told 'there are directives in this file already'
mkdir out2 && cp src/halo.c out2
run 4 -o out2 src/halo.c h@2.rec
told 'not from pevpm-annotate: it is not overwritten'

# ---- without lines, and without the files ----

mpicc -O2 -o bare src/halo.c 2>/dev/null
timeout 60 mpirun --oversubscribe -n 2 "$build/pevpm-record" -o b@2.rec ./bare 500 >out 2>err </dev/null
run 3 -o out3 src/halo.c b@2.rec
told 'compile the program with -g'
run 3 -o out3 src/halo.c h@4.rec b@2.rec
told 'of another program'
printf 'int main(void) { return 0 }\n' >broken.c
run 3 -o out3 broken.c h@2.rec
told 'libclang cannot read all of this file'

clean && pass || fail 'temporary files are left'
finish
