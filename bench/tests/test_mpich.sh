#!/bin/sh
# pevpm-bench, pevpm-sim and pevpm-run built with MPICH, on one host: the clock, a small measurement, replications spread
# over ranks, every operation executed. The other tests have Open MPI.
set -u

. common/tests/check.sh

# The compiler and the sanitizers are tested with Open MPI; one build is enough to see what another MPI does.
[ -z "${SAN:-}" ] || skip_all "MPICH is tested without sanitizers"
case ${CC:-cc} in *clang*) skip_all "MPICH is tested with the default compiler" ;; esac
command -v pkg-config >/dev/null && pkg-config --exists mpich || skip_all "MPICH is not installed (make deps MPI=mpich)"
launcher=
for name in mpirun.mpich mpiexec.mpich mpiexec.hydra mpirun; do
    [ -n "$launcher" ] || { "$name" --version 2>/dev/null | grep -qi hydra && launcher=$name; }
done
[ -n "$launcher" ] || skip_all "MPICH has no launcher here: no mpirun.mpich, no mpiexec.hydra"

# The library has no MPI in it: it is the one that is there.
library=$build/libpevpm.a build=$build-mpich
operations=$PWD/run/tests/operations.pevpm
machine=$PWD/examples/jacobi/perseus.yaml program=$PWD/examples/jacobi/jacobi.c

run() { # run CODE RANKS COMMAND...
    wanted=$1 ranks=$2; shift 2
    timeout 90 "$launcher" -n "$ranks" "$@" >"$folder/out" 2>"$folder/err"
    ended "$wanted" $? "$@"
}

# Not a part of the make that runs the tests: its own flags would come along.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CI make BUILD="$build" MPI=mpich LIBRARY="$library" "$build/pevpm-bench" "$build/pevpm-sim" \
    "$build/pevpm-run" >"$folder/out" 2>"$folder/err"
code=$?
check "it builds (make ended with $code)" [ $code -eq 0 ]
bench=$build/pevpm-bench sim=$build/pevpm-sim
if [ -x "$bench" ] && [ -x "$sim" ]; then
    cd "$folder" || exit 1
    run 0 1 "$bench" --version
    run 2 2 "$bench" -o a.yaml --sizs 0
    run 4 2 "$bench" -o /nowhere/a.yaml
    run 0 2 "$bench" --verify-clock --duration 2 --inject 1000,50
    check 'the clock holds' grep -q '^verdict  *passed' out
    # So long because a disturbed machine finds that messages need a rest, and takes its time.
    run 0 2 "$bench" -o a.yaml --budget 60 --sizes 0 --operations MPI_Send -q
    check 'something is measured' grep -q 'bytes: 0' a.yaml
    check 'MPICH is named' grep -q 'mpi: .*MPICH' a.yaml
    cat >p.pevpm <<'P'
Runon c1 = procnum == 0 & else
{
Message type = MPI_Send & size = 0 & to = 1
}
{
Message type = MPI_Recv & size = 0 & from = 0
}
P
    run 0 1 "$sim" -m a.yaml -n 1x2 p.pevpm
    "$sim" -q -m "$machine" -n 2,8 -r 64 -D iterations=50 -f csv "$program" >one 2>err
    run 0 3 "$sim" -q -m "$machine" -n 2,8 -r 64 -D iterations=50 -f csv "$program"
    check 'three ranks predict what one does' cmp -s one out
    check 'and predict something' [ "$(wc -l <one)" -eq 3 ]
fi
if [ -x "$build/pevpm-run" ]; then
    cd "$folder" || exit 1
    run 0 4 "$build/pevpm-run" --verify -r 2 "$operations"
    check 'all operations' grep -q 'verified     2 runs: every message' out
    run 0 4 "$build/pevpm-run" --verify -q --serial none --random all --programs 27 --seed 1204 -D rounds=2
fi

finish
