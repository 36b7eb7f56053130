#!/bin/sh
# The matrix product on processors of two speeds: right numbers, and predictions that can be worked out. Started from
# the project's root.
set -u
. examples/tests/common.sh
source=examples/matmul/matmul.c

# Odd nodes take twice as long.
{ cat "$folder/constant.yaml"; printf 'node_time_factor: [1, 2, 1, 2]\n'; } >"$folder/machine.yaml"
mv "$folder/machine.yaml" "$folder/constant.yaml"

# On four processes, n = 480: A is scattered at 0, 10, 20 to ranks 1, 2, 3, B broadcast at 30, 40, 50; B is ten times
# as large as a slice of A or more and comes later. So rank r multiplies from 20 + 10 r + T(8 n^2) on; rank 0, whose
# sends end then, from 60. A multiplication by hand takes 0.38e-3 n^2 for each row, on the odd ranks twice that; then
# its rows go back.
#     ratio 2: rows 160, 80, 160, 80, so all take 160 0.38e-3 n^2, and rank 2, with more to send than rank 3, ends
#              it; the root takes the rows of rank 3, which are there by then, after them
#     ratio 1: 120 rows each, and rank 3 ends it after 240 0.38e-3 n^2
expect "slices as the speeds" "$(predict $source 4)" \
    "20+20 + T(8*480^2) + 160*0.38e-3*480^2 + T(8*160*480) + 1"
expect "equal slices" "$(predict $source 4 -D ratio=1)" "20+30 + T(8*480^2) + 240*0.38e-3*480^2 + T(8*120*480)"

# B in parts of 2 n^2 bytes: scattered after A at 30, 40, 50, then a ring. The part of rank 2, there at 40 + T, goes on
# to 3, 0 and 1, which is the last odd rank to have all; the root takes the rows of ranks 2 and 3 after those of rank 1.
expect "spread" "$(predict $source 4 -D ratio=1 -D spread=1)" \
    "40 + 4*T(2*480^2) + 240*0.38e-3*480^2 + T(8*120*480) + 2"

# Alone: no messages.
expect "one process" "$(predict $source 1 -D n=100)" "100*0.38e-3*100^2"

check "the directives agree with the calls" silent "$sim" --check $source

if can_run mpicc $source; then
    check "matmul.c compiles without a warning" compile $source
    for numprocs in 1 2 3 4; do
        runs 0 'the product is the one that a single process computes' $numprocs 90
    done
    runs 0 'the product is the one that a single process computes' 3 100 1
    runs 0 'the product is the one that a single process computes' 4 90 1 1
    runs 2 'parts must be equal' 4 91 1 1
    runs 0 'the product is the one that a single process computes' 4 2 7
    runs 2 'N must be 1' 2 0
fi
finish
