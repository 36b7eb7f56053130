#!/bin/bash
# memory.sh FOLDER [mpich] - two processes of this host that talk through its memory, predicted and measured: loops of one call
# (memory.c); programs by chance that hardly compute, and three of the examples, carried out by pevpm-run. With Open MPI, or with MPICH,
# which wants `make MPI=mpich`. Two minutes, on a machine that does nothing else. FOLDER gets machine.yaml (a budget of $BUDGET, 30 s),
# loops.csv (us a lap, before and behind the calibration) and runs.csv, which are not measured again; table.md, and judged.txt.
# $BUILD: build, or build-mpich.
set -eu

folder=${1:?memory.sh FOLDER [mpich]} mpi=${2:-ompi}
here=$(dirname "$0") laps=2000 kinds="halo pipeline butterfly ring farm graph collectives communicators mixture requests"
case $mpi in
ompi) build=${BUILD:-build} compiler=mpicc.openmpi launcher="mpirun -n 2" ;;
mpich) build=${BUILD:-build-mpich} compiler=mpicc.mpich launcher="mpiexec.mpich -n 2" ;;
*) echo "memory.sh FOLDER [mpich]" >&2; exit 2 ;;
esac
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

start() {
    # shellcheck disable=SC2086 # the launcher's words
    timeout 300 $launcher "$@"
}

loops() {
    $compiler -std=c11 -O2 -o "$scratch/memory" "$here/memory.c"
    start "$scratch/memory" "$laps" >"$scratch/before.csv"
    start "$build/pevpm-bench" -o "$folder/machine.yaml" --budget "${BUDGET:-30}" --no-judge -q
    start "$scratch/memory" "$laps" | cut -d, -f4 | paste -d, "$scratch/before.csv" - >"$folder/loops.csv"
}

run() { # run WORD...: three times
    start "$build/pevpm-run" --quiet -r 3 --serial spin -o "$scratch/runs.csv" --append "$@"
}

# Their computations are so short that they communicate as much as on a slow network.
programs() {
    for kind in $kinds; do
        run --random "$kind" --seed 970 -D latency=0.000001 -D per_byte=1e-10 -D shortest=0.000001 -D seconds=0.2
    done
    for example in "-D STEPS=50000 -D N=4 examples/ring/ring.c" examples/jacobi/jacobi.c examples/fft/fft.c; do
        # shellcheck disable=SC2086 # its words
        run $example
    done
    mv "$scratch/runs.csv" "$folder/runs.csv"
}

predict() { # KIND,BYTES,us a lap
    "$build/pevpm-sim" -q -m "$folder/machine.yaml" -n 1x2 -r 64 -f csv -D kind=0,1,2 -D "trips=$laps" \
        -D "bytes=$(cut -d, -f3 "$folder/loops.csv" | sort -nu | paste -sd,)" "$here/memory.pevpm" |
        awk -F, -v laps="$laps" '
            NR > 1 { n = split($8, set, " ")
                     for (i = 1; i <= n; i++) { split(set[i], pair, "="); value[pair[1]] = pair[2] }
                     print value["kind"] "," value["bytes"] "," $10 / laps * 1e6 }'
}

table() {
    awk -F, '
        BEGIN { kinds = split("there and back,exchange,one way", kind, ",") }
        FILENAME ~ /predicted/ { predicted[kind[$1 + 1], $2] = $3; next }
        { if (!($3 in known)) size[++n] = $3; known[$3] = 1; a[$1, $2, $3] = $4; b[$1, $2, $3] = $7 }
        function row(name, what, k,    i, line, x, y, p) {
            line = "| " name " |"
            for (i = 1; i <= n; i++) {
                x = a[what, kind[k], size[i]]; y = b[what, kind[k], size[i]]; p = predicted[kind[k], size[i]]
                if (x == "") line = line " |"
                else if (name == "predicted") line = line sprintf(" %.3g |", p)
                else if (name ~ /^error/) line = line sprintf(" %+.0f %% |", 100 * (2 * p / (x + y) - 1))
                else line = line sprintf(" %.3g, %.3g |", x, y)
            }
            print line
        }
        END {
            line = "| us a lap |"; rule = "|---|"
            for (i = 1; i <= n; i++) { line = line " " size[i] " |"; rule = rule "---|" }
            print line; print rule
            for (k = 1; k <= kinds; k++) {
                row(kind[k] ", the same bytes", "same", k); row(kind[k] ", new bytes", "new", k)
                row("predicted", "same", k); row("error, the same bytes", "same", k); row("error, new bytes", "new", k)
            }
        }' "$1" "$folder/loops.csv"
}

[ -s "$folder/loops.csv" ] || loops
[ -s "$folder/runs.csv" ] || programs
predict >"$scratch/predicted.csv"
table "$scratch/predicted.csv" >"$folder/table.md"
"$build/pevpm-sim" judge -m "$folder/machine.yaml" "$folder/runs.csv" >"$folder/judged.txt"
cat "$folder/table.md" "$folder/judged.txt"
