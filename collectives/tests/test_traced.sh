#!/bin/sh
# What Open MPI really sends in each collective operation, held to the schedules that predictions take (traced.c).
set -u

. common/tests/check.sh

root=$PWD
[ -z "${SAN:-}" ] || skip_all "a program that knows nothing of sanitizers is tested without"
cd "$folder" || exit 1
command -v mpirun >/dev/null && command -v mpicc >/dev/null || skip_all "no MPI: mpirun and mpicc are not installed"
mpirun --version 2>/dev/null | grep -q '(Open MPI) 4\.1' || skip_all "the schedules are those of Open MPI 4.1, here is another"
mpicc -std=gnu11 -O1 -I"$root" -o traced "$root/collectives/tests/traced.c" "$build/libpevpm.a" -lm 2>err ||
    skip_all "mpicc does not compile: $(tail -n 1 err)"
timeout 60 mpirun -n 1 true >out 2>err || skip_all "MPI cannot start here: $(tail -n 1 err)"

held() { # held RANKS MOST: nothing differs
    timeout 300 mpirun --mca pml ob1 --mca mpi_yield_when_idle 1 -n "$1" ./traced "$2" >out 2>err
    ended=$?
    [ "$ended" -ne 3 ] || skip_all "$(tail -n 1 err)"
    ended 0 "$ended" "traced $2 on $1 processes"
    check 'messages are as predicted' grep -qx '[1-9][0-9]* operations of a process, [1-9][0-9]* messages, 0 differences' out
}
# Sizes to 64 KiB and more: where vectors are cut; more processes, where trees have more levels.
held 16 4096
[ -n "${PEVPM_TEST_SHARE:-}" ] || held 9 262144
finish
