#!/bin/sh
# collectives.sh FOLDER MACHINE - each collective operation alone, by Open MPI's own choice of algorithms, on 4, 8 and 16 hosts of the
# virtual cluster (10 Mbit/s, 32 KiB), measured by collectives.c and predicted from MACHINE. As root; five minutes, on a machine that
# does nothing else. FOLDER gets measured.csv and predicted.csv (operation, processes, bytes, seconds of one operation) and table.txt;
# measured.csv is not measured again if it is there. $BUILD: build.
set -eu

folder=${1:?collectives.sh FOLDER MACHINE} machine=${2:?collectives.sh FOLDER MACHINE}
here=$(dirname "$0") build=${BUILD:-build}
cluster=$here/cluster/cluster
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

if [ ! -e "$folder/measured.csv" ]; then
    mpicc -O2 -I"$here/programs" -o "$scratch/collectives" "$here/collectives.c"
    "$cluster" up --name collectives
    trap '"$cluster" down --name collectives; rm -r "$scratch"' EXIT
    for n in 16 8 4; do
        for point in 8:7 1024:7 4096:5 16384:4 65536:3 131072:2; do
            "$cluster" run --name collectives -n "$n" -- "$scratch/collectives" kinds=1 "bytes=${point%:*}" "repetitions=${point#*:}"
        done
    done >"$folder/measured.new"
    mv "$folder/measured.new" "$folder/measured.csv"
fi

# Without model_error, which would lengthen whole runs. All leave one operation at once, which is costed as a whole.
sed '/^model_error:/,/^[^ ]/{/^model_error:/d;/^ /d}' "$machine" >"$scratch/machine.yaml"
for all in Barrier Allreduce; do
    printf 'models:\n  hockney: {alpha: 1 us, beta: 0}\ncollectives:\n  MPI_%s: {model: hockney}\n' $all |
        cat "$scratch/machine.yaml" - >"$scratch/$all.yaml"
done

# A job's operations, each as often as it was measured, in ten lines: the seventh is the computation before it, the eighth itself. The
# fifth is shorter by what its process was late for the operation before; it ends in an order, 0.1 ms apart, so that nobody waits for
# others to be woken and all are equally late, and begin the next one at one moment, 30 ms later.
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
            'Serial time = 0.012 + procnum * 0.0001' "$together" 'Serial time = 30 ms' "Collective type = $operation $size $root" \
            'Collective type = MPI_Reduce & size = 8 & root = 0' '}'
    done
}

# An operation finds connections as those before it have left them, so a job is predicted as a whole. MPI_Barrier comes first in it,
# and once more alone, where another operation is the one that all leave at once.
cut -d, -f1-3 "$folder/measured.csv" | uniq -c | sed 's/^ *//; s/,/ /g' >"$scratch/measured"
cut -d' ' -f3-4 "$scratch/measured" | uniq | while read -r n bytes; do
    for all in Allreduce Barrier; do
        awk -v n="$n" -v bytes="$bytes" -v all=$all '$3 == n && $4 == bytes && (all == "Barrier" || $2 == "MPI_Barrier") {print $1, $2}' \
            "$scratch/measured" >"$scratch/job"
        { echo 'Param size = 8'; program $all <"$scratch/job"; } >"$scratch/program.pevpm"
        "$build/pevpm-sim" -q -m "$scratch/$all.yaml" -n "$n" -r 1 -o /dev/null --trace "$scratch/trace.json" -D "size=$bytes" \
            "$scratch/program.pevpm"
        awk -f "$here/collectives-traced.awk" -v n="$n" -v bytes="$bytes" "$scratch/job" "$scratch/trace.json" |
            awk -F, -v all=$all '(all == "Barrier") == ($1 != "MPI_Barrier")'
    done
done >"$folder/predicted.csv"

awk -F, -f "$here/collectives.awk" "$folder/measured.csv" "$folder/predicted.csv" | tee "$folder/table.txt"
