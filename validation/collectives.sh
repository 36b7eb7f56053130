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

# What an operation is late by shortens the millisecond, so that all begin at one moment 30 ms later.
cut -d, -f1-3 "$folder/measured.csv" | sort | uniq -c | tr , ' ' | while read -r repetitions operation n bytes; do
    all=Barrier size='& size = size' root=
    case $operation in
    MPI_Barrier) all=Allreduce size= ;;
    MPI_Bcast | MPI_Reduce | MPI_Scatter* | MPI_Gather*) root='& root = 0' ;;
    esac
    together="Collective type = MPI_$all"
    [ $all = Barrier ] || together="$together & size = 8"
    printf '%s\n' 'Param repetitions = 1' 'Param size = 8' 'Loop iterations = repetitions' '{' "$together" 'Serial time = 1 ms' \
        "$together" 'Serial time = 30 ms' "Collective type = $operation $size $root" '}' >"$scratch/program.pevpm"
    "$build/pevpm-sim" -q -m "$scratch/$all.yaml" -n "$n" -r 1 -o /dev/null --trace "$scratch/trace.json" \
        -D "repetitions=$repetitions" -D "size=$bytes" "$scratch/program.pevpm"
    awk -f "$here/collectives-traced.awk" -v point="$operation,$n,$bytes" "$scratch/trace.json"
done >"$folder/predicted.csv"

awk -F, -f "$here/collectives.awk" "$folder/measured.csv" "$folder/predicted.csv" | tee "$folder/table.txt"
