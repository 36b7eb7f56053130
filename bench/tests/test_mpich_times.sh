#!/bin/sh
# pevpm-bench built with MPICH, on one host: the clock, and a small measurement, with which pevpm-sim predicts.
set -u

. common/tests/check.sh
. bench/tests/mpich.sh

cd "$folder" || exit 1
if [ -x "$bench" ] && [ -x "$sim" ]; then
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
fi

finish
