#!/bin/sh
# collectives.sh FOLDER MACHINE [WORLD] - each collective operation by Open MPI's own choice of algorithms, on 4 hosts of the virtual
# cluster and as many more as the world (default flat) has, measured by collectives.c and predicted from MACHINE. As root, on a
# machine that does nothing else. FOLDER gets
#   alone-measured.csv   each operation in a job of its own: operation, processes, bytes, seconds of one; a quarter of an hour
#   measured.csv         all one after another in a job, so that connections are as those before have left them; five minutes
#   alone-predicted.csv, alone-table.txt, predicted.csv, table.txt
# What is there of the first two is not measured again. $BUILD: build. $LAUNCHES of jobs alone: 1. $POINTS: BYTES:REPETITIONS ...
# $CONTENTION: of pevpm-sim; with it the names of the latter are predicted-frames.csv, table-frames.txt ...
set -eu

folder=${1:?collectives.sh FOLDER MACHINE [WORLD]} machine=${2:?collectives.sh FOLDER MACHINE [WORLD]} world=${3:-flat}
here=$(dirname "$0") build=${BUILD:-build} runs=10 contention=${CONTENTION:-} of=${CONTENTION:+-$CONTENTION}
cluster=$here/../cluster/cluster
[ -r "$machine" ] || { echo "collectives.sh: error: $machine: cannot read this machine file" >&2 && exit 3; }
[ -e "$here/../worlds/$world" ] ||
    { echo "collectives.sh: error: world $world: expected one of $(cd "$here/../worlds" && echo [a-z]*)" >&2 && exit 2; }
points=${POINTS:-8:7 1024:7 4096:5 16384:4 65536:3 131072:2}
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

measure() { # measure PROCESSES OPERATION, its number in collectives.c, or 0: all; at all points
    for point in $points; do
        "$cluster" run --name collectives -n "$1" -- "$scratch/collectives" kinds=1 operation="$2" "bytes=${point%:*}" \
            "repetitions=${point#*:}"
    done
}
measure_all() { # measure_all OPERATION...
    for n in $counts; do
        for operation; do
            measure "$n" "$operation"
        done
    done
}
measure_alone() {
    for _ in $(seq "${LAUNCHES:-1}"); do
        # shellcheck disable=SC2046 # numbers
        measure_all $(seq 17)
    done
}

if [ ! -e "$folder/alone-measured.csv" ] || [ ! -e "$folder/measured.csv" ]; then
    up=$(sed -n 's/^up  *//p' "$here/../worlds/$world")
    counts=$(sed -n 's/^procs  *//p' "$here/../worlds/$world" | tr , '\n' | awk '$1 >= 4' | sort -rn)
    mpicc -O2 -I"$here/../programs" -o "$scratch/collectives" "$here/collectives.c"
    # shellcheck disable=SC2086 # options
    "$cluster" up --name collectives $up
    trap '"$cluster" down --name collectives; rm -r "$scratch"' EXIT
    if [ ! -e "$folder/alone-measured.csv" ]; then
        measure_alone >"$folder/alone-measured.new"
        mv "$folder/alone-measured.new" "$folder/alone-measured.csv"
    fi
    if [ ! -e "$folder/measured.csv" ]; then
        measure_all 0 >"$folder/measured.new"
        mv "$folder/measured.new" "$folder/measured.csv"
    fi
fi

# Without model_error, which would lengthen whole runs, and without connections, which all have as work.h begins (validate.sh,
# predict_case). All leave one operation at once, which is costed as a whole: within some ns, for algorithms let some processes leave
# a few steps before others, and of those whose rests end within 1 us chance decides who is woken first. Steps of 1 us would wake
# them in the order of their ranks, in which a tree or a chain is done soonest.
sed '/^model_error:/,/^[^ ]/{/^model_error:/d;/^ /d}; s/connect: {[^}]*}//' "$machine" >"$scratch/machine.yaml"
for all in Barrier Allreduce; do
    printf 'models:\n  hockney: {alpha: 1 ns, beta: 0}\ncollectives:\n  MPI_%s: {model: hockney}\n' $all |
        cat "$scratch/machine.yaml" - >"$scratch/$all.yaml"
done

# A job's operations, each as often as it was measured, in ten lines: the seventh is the computation before it, the eighth
# itself. The fifth is shorter by what its process was late for the operation before; it ends in an order, 1 ms apart, which
# is more than that, so that nobody waits for others to be woken and all are equally late, and begin the next one at one
# moment, 30 ms later.
program() { # program ALL: of lines `REPETITIONS OPERATION`
    together="Collective type = MPI_$1"
    [ "$1" = Barrier ] || together="$together & size = 8"
    while read -r repetitions operation; do
        size='& size = size' root=
        case $operation in
        MPI_Barrier) size= ;;
        MPI_Bcast | MPI_Reduce | MPI_Scatter* | MPI_Gather*) root='& root = 0' ;;
        esac
        printf '%s\n' "Loop iterations = $repetitions" '{' 'Collective type = MPI_Bcast & size = 8 & root = 0' "$together" \
            'Serial time = 0.012 + procnum * 0.001' "$together" 'Serial time = 30 ms' "Collective type = $operation $size $root" \
            'Collective type = MPI_Reduce & size = 8 & root = 0' '}'
    done
}

# An operation finds connections as those before it have left them, so a job is predicted as a whole. MPI_Barrier comes first in it,
# and once more alone, where another operation is the one that all leave at once.
predict() { # predict PROCESSES BYTES ALL: the job in $scratch/job
    { echo 'Param size = 8'; program "$3" <"$scratch/job"; } >"$scratch/program.pevpm"
    for run in $(seq $runs); do
        "$build/pevpm-sim" -q -m "$scratch/$3.yaml" -n "$1" -r 1 -s "$run" -o /dev/null --trace "$scratch/trace.json" \
            ${contention:+--contention "$contention"} -D "size=$2" "$scratch/program.pevpm"
        awk -f "$here/collectives-traced.awk" -v n="$1" -v bytes="$2" "$scratch/job" "$scratch/trace.json" |
            awk -F, -v all="$3" '(all == "Barrier") == ($1 != "MPI_Barrier")'
    done
}

for alone in alone- ''; do
    cut -d, -f1-3 "$folder/${alone}measured.csv" | uniq -c | sed 's/^ *//; s/,/ /g' | awk '!seen[$2, $3, $4]++' >"$scratch/measured"
    awk -v alone=$alone '{print $3, $4, alone == "" ? "all" : $2}' "$scratch/measured" | awk '!seen[$0]++' |
        while read -r n bytes one; do
            for all in Allreduce Barrier; do
                awk -v n="$n" -v bytes="$bytes" -v one="$one" -v all=$all '$3 == n && $4 == bytes &&
                    (one == "all" || one == $2) && (all == "Barrier" || $2 == "MPI_Barrier") {print $1, $2}' \
                    "$scratch/measured" >"$scratch/job"
                [ ! -s "$scratch/job" ] || predict "$n" "$bytes" $all
            done
        done >"$folder/${alone}predicted$of.csv"
    awk -F, -f "$here/../numbers.awk" -f "$here/collectives.awk" "$folder/${alone}measured.csv" "$folder/${alone}predicted$of.csv" \
        >"$folder/${alone}table$of.txt"
    echo "${alone:-not }alone:" | tr -d -
    sed -n '/^all /,$p' "$folder/${alone}table$of.txt"
done
