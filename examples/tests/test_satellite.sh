#!/bin/sh
# The stream of images: right numbers, and predictions that can be worked out. Started from the project's root.
set -u
. examples/tests/common.sh
source=examples/satellite/satellite.c

# With M = 512*512/P the scatter's last message leaves at 10 (P-2) and takes T(M); the filter takes 9.9e-3 M, the
# gather T(M), of which the last one to leave is the last to arrive. In m pieces each process sends m messages 10
# apart, and the last takes T(M/m).
image='10*(P-2) + T(M) + 9.9e-3*M + 10*(m-1) + T(M/m)'
for case in "2 0 1" "4 0 1" "8 0 1" "4 16384 4" "8 4096 8"; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    expect "$1 processes, limit $2" "$(predict $source "$1" -D images=5 -D "limit=$2")" \
        "(P = $1) && (M = 512*512/P) && (m = $3) ? 5*($image) : 0"
done
# By message, to processes that wait for it: the parts leave 10 apart, and the last is the last to return.
for numprocs in 2 4 8; do
    expect "$numprocs processes, direct" "$(predict $source $numprocs -D images=5 -D direct=1)" \
        "(P = $numprocs) && (M = 512*512/P) ? 5*(10*(P-2) + T(M) + 9.9e-3*M + T(M)) : 0"
done
expect "one process" "$(predict $source 1 -D images=5)" "5*9.9e-3*512*512"

# The cluster on which gathers escalate: with all of an image in one gather 16 processes show far fewer images than 2,
# in small pieces more.
awk -f examples/satellite/make-workstations.awk >"$folder/workstations.yaml"
check "workstations.yaml is what make-workstations.awk writes" \
    cmp -s "$folder/workstations.yaml" examples/satellite/workstations.yaml
"$sim" -q -m examples/satellite/workstations.yaml -n 2,16 -D limit=0,2800 -D images=50 -r 64 -f csv $source \
    >"$folder/csv" 2>"$folder/err"
check "gathers escalate on workstations, small ones do not" awk -F, '
    NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
    NR > 1 {seconds[$at["numprocs"], $at["params"] ~ /limit=0/] = $at["mean_s"]}
    END {exit !(NR == 5 && seconds[16, 1] > 3*seconds[2, 1] && seconds[16, 0] < 0.9*seconds[2, 1])}' "$folder/csv"

check "the directives agree with the calls" silent "$sim" --check $source

if can_run mpicc $source; then
    check "satellite.c compiles without a warning" compile $source
    for numprocs in 1 2 4; do
        runs 0 'the last image is the one that a single process computes' $numprocs 5
        runs 0 'the last image is the one that a single process computes' $numprocs 3 1000
        runs 0 'the last image is the one that a single process computes' $numprocs 3 0 1
    done
    runs 2 'wants 1, 2, 4, ... 512 processes' 3
fi
finish
