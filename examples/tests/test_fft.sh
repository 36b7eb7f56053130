#!/bin/sh
# The Fourier transform: right numbers, and predictions that can be worked out. Started from the project's root.
set -u
. examples/tests/common.sh
source=examples/fft/fft.c

# On P processes one has n/P rows: twice n log2(n) times 0.57 ns for each, and 2.1 ns to pack and unpack each point. A
# transpose is P-1 steps of one message each way, by hand as in the pairwise Alltoall; all are in step, so each step
# takes T(block).
transform='2*(n/P)*0.57e-3*n*log(n)/log(2) + n/P*n*2.1e-3 + (P-1)*T(16*(n/P)^2)'
for pairs in 1 0; do
    for case in "1 512" "2 512" "4 512" "8 256" "64 64"; do
        numprocs=${case% *} n=${case#* }
        seconds=$(predict $source "$numprocs" -D "n=$n" -D iterations=3 -D "pairs=$pairs")
        expect "$n x $n points on $numprocs processes, pairs = $pairs" "$seconds" \
            "(n = $n) && (P = $numprocs) ? 3*($transform) : 0"
    done
done

# In single precision blocks are half as large, and a point takes 1 ns more.
expect "narrow" "$(predict $source 8 -D n=256 -D iterations=3 -D narrow=1)" \
    "(n = 256) && (P = 8) ? 3*($transform + n/P*n*1e-3 - (P-1)*(T(16*(n/P)^2) - T(8*(n/P)^2))) : 0"

check "the directives agree with the calls" silent "$sim" --check $source

if can_run mpicc $source; then
    check "fft.c compiles without a warning" compile $source
    for pairs in 0 1; do
        for numprocs in 1 2 4; do
            runs 0 'the transform is the one that a single process computes' $numprocs 128 3 $pairs
        done
    done
    runs 0 'the transform is the one that a single process computes' 2 2 1
    runs 0 'the transform is the one that a single process computes' 4 128 3 0 1
    runs 2 'N must be a power of two' 2 100
    runs 2 'a multiple of the number of processes' 3 64
fi
finish
