#!/bin/sh
# pevpm-bench, pevpm-sim and pevpm-run built with MPICH, on one host: wrong usage, replications spread over ranks, every operation
# executed. What measures is in test_mpich_times.sh; the other tests have Open MPI.
set -u

. common/tests/check.sh
. bench/tests/mpich.sh

operations=$PWD/run/tests/operations.pevpm
machine=$PWD/examples/jacobi/perseus.yaml program=$PWD/examples/jacobi/jacobi.c
cd "$folder" || exit 1

if [ -x "$bench" ] && [ -x "$sim" ]; then
    run 0 1 "$bench" --version
    run 2 2 "$bench" -o a.yaml --sizs 0
    run 4 2 "$bench" -o /nowhere/a.yaml
    "$sim" -q -m "$machine" -n 2,8 -r 64 -D iterations=50 -f csv "$program" >one 2>err
    run 0 3 "$sim" -q -m "$machine" -n 2,8 -r 64 -D iterations=50 -f csv "$program"
    check 'three ranks predict what one does' cmp -s one out
    check 'and predict something' [ "$(wc -l <one)" -eq 3 ]
fi
if [ -x "$build/pevpm-run" ]; then
    run 0 4 "$build/pevpm-run" --verify -r 2 "$operations"
    check 'all operations' grep -q 'verified     2 runs: every message' out
    run 0 4 "$build/pevpm-run" --verify -q --serial none --random all --programs 27 --seed 1204 -D rounds=2
    run 0 4 "$build/pevpm-run" --verify -q --serial none --random overlap --programs 20 --seed 1204 -D rounds=2
fi

finish
