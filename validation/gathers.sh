#!/bin/sh
# gathers.sh FOLDER [BUFFER [RATE [BENCH]]] - linear Gathers on 4, 8 and 16 hosts of the virtual cluster, measured and predicted from
# a machine file that pevpm-estimate writes. As root; a quarter of an hour, on a machine that does nothing else. BUFFER: of
# each port of the switch (32k); RATE: 10mbit. FOLDER gets machine.yaml, measured.txt (processes, bytes, seconds),
# predicted.txt and table.md; what is there of the first two is not measured again. BENCH: what pevpm-bench wrote of these hosts; with
# it also predicted-measured.txt and table-measured.md, by the times in it: runs of as many operations, of which one leaves the
# next its connections' windows. $BUILD: build.
set -eu

folder=${1:?gathers.sh FOLDER [BUFFER [RATE [BENCH]]]} buffer=${2:-32k} rate=${3:-10mbit} bench=${4:-}
here=$(dirname "$0") build=${BUILD:-build}
cluster=$here/cluster/cluster
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
    printf 'collectives:\n  MPI_Gather: {model: lmo, algorithm: linear}\n' | cat "$folder/estimated.yaml" - >"$folder/machine.yaml"
    rm "$folder/estimated.yaml"
fi

if [ ! -e "$folder/measured.txt" ]; then
    [ -e "/run/pevpmvc/gathers" ] || up
    mpicc -O2 -I"$here/programs" -o "$folder/gathers" "$here/programs/gathers.c"
    # Open MPI's linear algorithm: its own choice is binomial, or waits for each process
    export CLUSTER_MPIRUN='--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_gather_algorithm 1'
    for n in 16 8 4; do
        for size in $sizes; do
            operations=100
            [ "$size" -le 65536 ] || operations=15 # a second and a half each
            "$cluster" run --name gathers -n "$n" "$folder/gathers" "operations=$operations" "size=$size" | sed "s/^/$n /"
        done
    done >"$folder/measured.new"
    mv "$folder/measured.new" "$folder/measured.txt"
fi

for n in 16 8 4; do
    for size in $sizes; do
        for seed in $(seq 200); do
            "$build/pevpm-sim" -q -j 1 -m "$folder/machine.yaml" --model lmo -n "$n" -r 1 -s "$seed" -f csv \
                -D operations=1 -D rest=0 -D "size=$size" "$here/programs/gathers.c" |
                awk -F, -v point="$n $size" 'NR > 1 { printf "%s %.6f\n", point, $10 }'
        done
    done
done >"$folder/predicted.txt"

awk -f "$here/gathers.awk" "$folder/measured.txt" "$folder/predicted.txt" | tee "$folder/table.md"

[ -n "$bench" ] || exit 0

# Without model_error, which would lengthen whole runs; and all leave a Barrier at once.
sed '/^model_error:/,/^[^ ]/{/^model_error:/d;/^ /d}' "$bench" >"$folder/bench.tmp.yaml"
printf 'models:\n  hockney: {alpha: 1 us, beta: 0}\ncollectives:\n  MPI_Barrier: {model: hockney}\n' >>"$folder/bench.tmp.yaml"
for n in 16 8 4; do
    for size in $sizes; do
        operations=100
        [ "$size" -le 65536 ] || operations=15
        for seed in 1 2; do
            "$build/pevpm-sim" -q -m "$folder/bench.tmp.yaml" -n "$n" -r 1 -s "$seed" -o /dev/null --trace "$folder/trace.tmp.json" \
                -D "operations=$operations" -D "size=$size" "$here/gathers.pevpm"
            awk -f "$here/gathers-traced.awk" -v point="$n $size" "$folder/trace.tmp.json"
        done
    done
done >"$folder/predicted-measured.txt"
rm "$folder/bench.tmp.yaml" "$folder/trace.tmp.json"
awk -f "$here/gathers.awk" "$folder/measured.txt" "$folder/predicted-measured.txt" | tee "$folder/table-measured.md"
