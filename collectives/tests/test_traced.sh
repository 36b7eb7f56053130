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

held() { # held RANKS TRACED'S-ARGUMENT... [-- OPTION OF MPIRUN...]: nothing differs
    ranks=$1 arguments=
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    [ $# -eq 0 ] || shift
    # shellcheck disable=SC2086 # words
    timeout 300 mpirun --mca pml ob1 --mca mpi_yield_when_idle 1 "$@" -n "$ranks" ./traced $arguments >out 2>err </dev/null
    ended=$?
    [ "$ended" -ne 3 ] || skip_all "$(tail -n 1 err)"
    ended 0 "$ended" "traced$arguments on $ranks processes"
    check 'messages are as predicted' \
        grep -qx '[1-9][0-9]* operations of a process, [1-9][0-9]* messages, 0 differences' out
}
# The library's own choice. Sizes of 64 KiB and more, where vectors are cut; more processes, where trees have more levels.
held 16 4096
[ -z "${PEVPM_TEST_SHARE:-}" ] || finish
held 9 262144

# Each algorithm that coll/tuned can be told to take: OPERATION PARAMETER NUMBER ALGORITHM[/SEGMENT]
while read -r operation parameter number algorithm; do
    segment=0
    case $algorithm in */*) segment=${algorithm#*/} ;; esac
    held 7 2048 4 "MPI_$operation" "$algorithm" -- --mca coll_tuned_use_dynamic_rules 1 \
        --mca "coll_tuned_${parameter}_algorithm" "$number" --mca "coll_tuned_${parameter}_algorithm_segmentsize" "$segment"
done <<'LIST'
Barrier barrier 1 linear
Barrier barrier 2 ring
Barrier barrier 3 recursive_doubling
Barrier barrier 4 bruck
Barrier barrier 6 binomial
Bcast bcast 1 linear
Bcast bcast 3 chain
Bcast bcast 3 chain/256
Bcast bcast 4 split_binary
Bcast bcast 4 split_binary/256
Bcast bcast 5 binary/256
Bcast bcast 6 binomial
Bcast bcast 6 binomial/256
Bcast bcast 7 knomial/256
Bcast bcast 8 scatter_allgather
Bcast bcast 9 scatter_ring_allgather
Reduce reduce 1 linear
Reduce reduce 3 chain
Reduce reduce 3 chain/256
Reduce reduce 4 binary/256
Reduce reduce 5 binomial
Reduce reduce 5 binomial/256
Reduce reduce 6 in_order_binary/256
Reduce reduce 7 rabenseifner
Allreduce allreduce 1 linear
Allreduce allreduce 2 nonoverlapping
Allreduce allreduce 3 recursive_doubling
Allreduce allreduce 4 ring
Allreduce allreduce 5 ring/256
Allreduce allreduce 6 rabenseifner
Reduce_scatter reduce_scatter 1 nonoverlapping
Reduce_scatter reduce_scatter 2 recursive_halving
Reduce_scatter reduce_scatter 3 ring
Reduce_scatter reduce_scatter 4 butterfly
Reduce_scatter_block reduce_scatter_block 1 reduce_then_scatter
Reduce_scatter_block reduce_scatter_block 2 recursive_doubling
Reduce_scatter_block reduce_scatter_block 3 recursive_halving
Reduce_scatter_block reduce_scatter_block 4 butterfly_mirrored
Allgather allgather 1 gather_bcast
Allgather allgather 2 bruck
Allgather allgather 3 recursive_doubling
Allgather allgather 4 ring
Allgather allgather 5 neighbor_exchange
Allgatherv allgatherv 1 gather_bcast
Allgatherv allgatherv 2 bruck
Allgatherv allgatherv 3 ring
Allgatherv allgatherv 4 neighbor_exchange
Alltoall alltoall 1 linear
Alltoall alltoall 2 pairwise
Alltoall alltoall 3 bruck
Alltoallv alltoallv 1 linear
Alltoallv alltoallv 2 pairwise
Gather gather 1 linear
Gather gather 2 binomial
Gather gather 3 linear_sync/256
Scatter scatter 1 linear
Scatter scatter 2 binomial
Scatter scatter 3 linear_nb
Scan scan 2 recursive_doubling
Exscan exscan 2 recursive_doubling
LIST
finish
