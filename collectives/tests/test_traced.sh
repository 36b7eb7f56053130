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

held() { # held RANKS OPTION-OF-MPIRUN... -- TRACED'S-ARGUMENT...: nothing differs
    ranks=$1 options=
    shift
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # words
    timeout 300 mpirun --mca pml ob1 --mca mpi_yield_when_idle 1 $options -n "$ranks" ./traced "$@" >out 2>err </dev/null
    ended=$?
    [ "$ended" -ne 3 ] || skip_all "$(tail -n 1 err)"
    ended 0 "$ended" "traced $* on $ranks processes"
    check 'messages are as predicted' \
        grep -qx '[1-9][0-9]* operations of a process, [1-9][0-9]* messages, 0 differences' out
}
# The library's own choice. Sizes of 64 KiB and more, where vectors are cut; more processes, where trees have more levels.
if [ -n "${PEVPM_TEST_SHARE:-}" ]; then
    held 9 -- 4096
    finish
fi
held 16 -- 4096 10
held 9 -- 262144

# Each algorithm that coll/tuned can be told to take: OPERATION NUMBER ALGORITHM[/SEGMENT]. All in one job, as starting
# one takes longer than a line does.
cat >forced <<'LIST'
Barrier 1 linear
Barrier 2 ring
Barrier 3 recursive_doubling
Barrier 4 bruck
Barrier 6 binomial
Bcast 1 linear
Bcast 3 chain
Bcast 3 chain/256
Bcast 4 split_binary
Bcast 4 split_binary/256
Bcast 5 binary/256
Bcast 6 binomial
Bcast 6 binomial/256
Bcast 7 knomial/256
Bcast 8 scatter_allgather
Bcast 9 scatter_ring_allgather
Reduce 1 linear
Reduce 3 chain
Reduce 3 chain/256
Reduce 4 binary/256
Reduce 5 binomial
Reduce 5 binomial/256
Reduce 6 in_order_binary/256
Reduce 7 rabenseifner
Allreduce 1 linear
Allreduce 2 nonoverlapping
Allreduce 3 recursive_doubling
Allreduce 4 ring
Allreduce 5 ring/256
Allreduce 6 rabenseifner
Reduce_scatter 1 nonoverlapping
Reduce_scatter 2 recursive_halving
Reduce_scatter 3 ring
Reduce_scatter 4 butterfly
Reduce_scatter_block 1 reduce_then_scatter
Reduce_scatter_block 2 recursive_doubling
Reduce_scatter_block 3 recursive_halving
Reduce_scatter_block 4 butterfly_mirrored
Allgather 1 gather_bcast
Allgather 2 bruck
Allgather 3 recursive_doubling
Allgather 4 ring
Allgather 5 neighbor_exchange
Alltoall 1 linear
Alltoall 2 pairwise
Alltoall 3 bruck
Alltoallv 1 linear
Alltoallv 2 pairwise
Gather 1 linear
Gather 2 binomial
Gather 3 linear_sync/256
Scatter 1 linear
Scatter 2 binomial
Scatter 3 linear_nb
Scan 2 recursive_doubling
Exscan 2 recursive_doubling
LIST
held 7 --mca coll_tuned_use_dynamic_rules 1 -- 2048 4 --forced forced

# Allgatherv's parameter alone cannot be set while a job runs.
while read -r number algorithm; do
    echo "Allgatherv $number $algorithm" >forced
    held 7 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allgatherv_algorithm "$number" -- 2048 4 --forced forced
done <<'LIST'
1 gather_bcast
2 bruck
3 ring
4 neighbor_exchange
LIST
finish
