#!/bin/sh
# demo.sh - predicts the speedup of jacobi.c on Perseus as Figure 6 of the paper shows it, and draws it.
#
#     examples/jacobi/demo.sh [PEVPM_SIM [FOLDER [OPTION]...]]
#
# PEVPM_SIM  the program to run        default: pevpm-sim
# FOLDER     where the plots go        default: the current one
# OPTION     more for pevpm-sim, as    --measured measured.csv    --seed 2    -j 1
#
# The environment variable ITERATIONS sets the number of iterations: 1,000 where the paper has 100,000, as speedups
# hardly change.
set -eu
here=$(dirname "$0")
sim=${1:-pevpm-sim}
folder=${2:-.}
if [ $# -gt 2 ]; then shift 2; else set --; fi

predict() {
    "$sim" --machine "$here/perseus.yaml" \
           --procs 2x1..128x1*2,1x2..64x2*2 \
           --mode distribution,average,minimum,average@2x1,minimum@2x1 \
           -D iterations="${ITERATIONS:-1000}" "$@" "$here/jacobi.c"
}

# The same program on the machine that comes with pevpm-sim: a slow Ethernet, measured, with ports. Today's processors
# need a hundred microseconds for what took Perseus three milliseconds, so there the network is all.
predict_default() {
    echo
    "$sim" --procs 2x1..16x1*2 --mode distribution,average@2x1 -D iterations="${ITERATIONS:-1000}" "$here/jacobi.c"
}

if ! command -v gnuplot >/dev/null; then
    predict "$@"
    predict_default
    echo "No plot was drawn: there is no gnuplot." >&2
    exit
fi
mkdir -p "$folder"
predict --plot "$folder/jacobi-speedup.svg" "$@"
predict --plot "$folder/jacobi-speedup.png" --quiet --output /dev/null "$@"
predict_default
echo "Plots: $folder/jacobi-speedup.svg $folder/jacobi-speedup.png"
