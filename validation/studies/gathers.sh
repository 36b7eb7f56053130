#!/bin/sh
# gathers.sh FOLDER [BUFFER [RATE [BENCH]]] - linear Gathers and Scatters on 4, 8 and 16 hosts of the virtual cluster, measured
# and predicted from a machine file that pevpm-estimate writes. As root; half an hour, on a machine that does nothing else. BUFFER: of
# each port of the switch (32k); RATE: 10mbit. FOLDER gets machine.yaml, and of each operation, `gathers` and `scatters`,
# OPERATION.txt (processes, bytes, seconds), OPERATION-lmo.txt and OPERATION.md; what is there of the first two is not measured
# again. BENCH: what pevpm-bench wrote of these hosts; with it also OPERATION-measured.txt and OPERATION-measured.md, by the times
# in it: runs of as many operations, of which one leaves the next its connections' windows. $BUILD: build.
set -eu

folder=${1:?gathers.sh FOLDER [BUFFER [RATE [BENCH]]]} buffer=${2:-32k} rate=${3:-10mbit} bench=${4:-}
here=$(dirname "$0") build=${BUILD:-build}
cluster=$here/../cluster/cluster
sizes='1024 2048 4096 8192 16384 32768 61440 131072'
mkdir -p "$folder"

up() {
    "$cluster" up --name gathers --rate "$rate" --buffer "$buffer"
    trap '"$cluster" down --name gathers' EXIT
}

if [ ! -e "$folder/machine.yaml" ]; then
    up
    "$cluster" run --name gathers -n 16 "$build/pevpm-estimate" -o "$folder/estimated.yaml" --models many_to_one --budget 400 \
        >"$folder/estimated.txt"
    printf 'collectives:\n%s\n%s\n' '  MPI_Gather: {model: lmo, algorithm: linear}' \
        '  MPI_Scatter: {model: lmo, algorithm: linear}' | cat "$folder/estimated.yaml" - >"$folder/machine.yaml"
    rm "$folder/estimated.yaml"
fi

# How many operations are measured: those of 128 KiB take a second and a half each; a Scatter does not escalate, so of long ones few will do.
operations_of() { # operations_of OPERATION BYTES
    if [ "$2" -gt 65536 ]; then echo 15; elif [ "$1" = scatters ] && [ "$2" -gt 8192 ]; then echo 20; else echo 200; fi
}

measure() { # measure OPERATION SCATTER
    [ ! -e "$folder/$1.txt" ] || return 0
    [ -e "/run/pevpmvc/gathers" ] || up
    mpicc -O2 -I"$here/../programs" -o "$folder/program" "$here/../programs/gathers.c"
    # Open MPI's linear algorithms: its own choice is binomial, or waits for each process
    export CLUSTER_MPIRUN='--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_gather_algorithm 1 --mca coll_tuned_scatter_algorithm 1'
    for n in 16 8 4; do
        for size in $sizes; do
            "$cluster" run --name gathers -n "$n" "$folder/program" "operations=$(operations_of "$1" "$size")" "size=$size" \
                "scatter=$2" </dev/null | sed "s/^/$n /"
        done
    done >"$folder/$1.new"
    rm "$folder/program"
    mv "$folder/$1.new" "$folder/$1.txt"
}

predict_lmo() { # predict_lmo OPERATION SCATTER
    for n in 16 8 4; do
        for size in $sizes; do
            for seed in $(seq 200); do
                "$build/pevpm-sim" -q --connected -j 1 -m "$folder/machine.yaml" --model lmo -n "$n" -r 1 -s "$seed" -f csv \
                    -D operations=1 -D rest=0 -D "size=$size" -D "scatter=$2" "$here/../programs/gathers.c" |
                    awk -F, -v point="$n $size" 'NR > 1 { printf "%s %.6f\n", point, $10 }'
                [ "$2" = 0 ] || break # a Scatter's time is no draw
            done
        done
    done >"$folder/$1-lmo.txt"
    awk -v scatter="$2" -f "$here/gathers.awk" "$folder/$1.txt" "$folder/$1-lmo.txt" | tee "$folder/$1.md"
}

predict_measured() { # predict_measured OPERATION SCATTER
    for n in 16 8 4; do
        for size in $sizes; do
            for seed in 1 2; do
                "$build/pevpm-sim" -q -m "$folder/bench.tmp.yaml" -n "$n" -r 1 -s "$seed" -o /dev/null \
                    --trace "$folder/trace.tmp.json" -D "operations=$(operations_of "$1" "$size")" -D "size=$size" \
                    -D "scatter=$2" "$here/gathers.pevpm"
                awk -f "$here/gathers-traced.awk" -v point="$n $size" "$folder/trace.tmp.json"
            done
        done
    done >"$folder/$1-measured.txt"
    awk -v scatter="$2" -f "$here/gathers.awk" "$folder/$1.txt" "$folder/$1-measured.txt" | tee "$folder/$1-measured.md"
}

measure gathers 0
measure scatters 1
predict_lmo gathers 0
predict_lmo scatters 1

[ -n "$bench" ] || exit 0

# Without model_error, which would lengthen whole runs; without connections, which all have as work.h begins (validate.sh,
# predict_case); and all leave an Allreduce at once.
sed '/^model_error:/,/^[^ ]/{/^model_error:/d;/^ /d}; s/connect: {[^}]*}//' "$bench" >"$folder/bench.tmp.yaml"
printf 'models:\n  hockney: {alpha: 1 ns, beta: 0}\ncollectives:\n  MPI_Allreduce: {model: hockney}\n' >>"$folder/bench.tmp.yaml"
predict_measured gathers 0
predict_measured scatters 1
rm "$folder/bench.tmp.yaml" "$folder/trace.tmp.json"
