#!/bin/sh
# The Fortran program: right numbers, and predictions that can be worked out. Started from the project's root.
set -u
. examples/tests/common.sh
source=examples/heat/heat.f90

# Two processes: each sends one number (10) and computes 0.77e-3 n/2; the other's number is there after T(8). Every
# 100 steps they swap their highest temperatures. Where the number is late, a step takes T(8); else it takes 1 more to
# receive it.
expect "messages are what takes time" "$(predict $source 2 -D n=200000 -D steps=250)" "250*T(8) + 2*T(8)"
expect "computing is what takes time" "$(predict $source 2 -D n=400000 -D steps=250)" \
    "250*(10 + 0.77e-3*200000 + 1) + 2*T(8)"
# Ten numbers every ten steps; the margins make steps a little longer, 2 (9 + 8 + ... + 0) points in ten.
expect "wide margins" "$(predict $source 2 -D n=2000 -D steps=250 -D wide=10)" \
    "25*(T(80) + 0.77e-3*9*1000 + 0.77e-3*(90 - 18)) + 2*T(8)"
expect "one process" "$(predict $source 1 -D n=1000 -D steps=10)" "10*0.77e-3*1000"

# Five: process p receives at clock[p] what its neighbours sent, to the left first, and takes it 1 apart at least.
rod() {
    awk -v P="$1" -v n="$2" -v steps="$3" '
    BEGIN {
        for (step = 1; step <= steps; step++) {
            for (p = 0; p < P; p++) {
                to_left[p] = clock[p]
                to_right[p] = clock[p] + (p > 0 ? 10 : 0)
                rows = int(n*(p+1)/P) - int(n*p/P)
                clock[p] = to_right[p] + (p < P-1 ? 10 : 0) + 0.77e-3*rows
            }
            for (p = 0; p < P; p++) {
                a = p > 0 ? to_right[p-1] + 100.8 : 0
                b = p < P-1 ? to_left[p+1] + 100.8 : 0
                early = a < b ? a : b
                late = a < b ? b : a
                if (p > 0 && p < P-1)
                    clock[p] = early > clock[p] + 1 ? early : clock[p] + 1
                clock[p] = late > clock[p] + 1 ? late : clock[p] + 1
            }
        }
        for (p = 0; p < P; p++)
            last = clock[p] > last ? clock[p] : last
        printf "%.9f", last
    }'
}
expect "the awk rod of two" "$(predict $source 2 -D n=400000 -D steps=99)" "$(rod 2 400000 99)"
for n in 1001 300000 600000 2000000; do
    expect "$n points on 5 processes" "$(predict $source 5 -D n=$n -D steps=99)" "$(rod 5 $n 99)"
done

check "the directives agree with the calls" silent "$sim" --check $source

if can_run mpifort $source; then
    check "heat.f90 compiles without a warning" compile $source
    for numprocs in 1 2 3 4; do
        runs 0 'the temperatures are as they should be' $numprocs 1001 250
    done
    runs 0 'the temperatures are as they should be' 4 8 1
    for wide in 2 7; do
        runs 0 'the temperatures are as they should be' 4 1001 253 $wide
    done
    runs 2 'no margin wider than a strip' 4 8 1 3
    runs 2 'two points per process or more' 4 7
fi
finish
