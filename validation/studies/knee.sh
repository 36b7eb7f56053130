#!/bin/sh
# knee.sh measure FOLDER PPN LEVELS OPTION...
# knee.sh predict FOLDER MACHINE LEVELS
#
# The average time of messages against their size, when so many nodes x
# processes send at once: measured on a cluster made with these options (as root; a minute and a half, on a machine that does
# nothing else), and as MACHINE, a machine file of that cluster, predicts it from what messages wait for. FOLDER gets
# measured.csv; predicted.csv and knee.svg, with both in one plot. $BUILD: build.
#
#     validation/studies/knee.sh measure validation/results/knee/tree12 1 2x1,4x1,8x1,12x1 \
#         --hosts 12 --rate 10mbit --trunk h[1-4]=15mbit --trunk h[5-8]=15mbit --trunk h[9-12]=15mbit
#     validation/studies/knee.sh predict validation/results/knee/tree12 validation/results/tree12/machine.yaml 2x1,4x1,8x1,12x1
set -eu

usage='knee.sh measure FOLDER PPN LEVELS OPTION... | knee.sh predict FOLDER MACHINE LEVELS'
stage=${1:?$usage} folder=${2:?$usage} what=${3:?$usage} levels=${4:?$usage}
shift 4
here=$(dirname "$0") build=${BUILD:-build}
cluster=$here/../cluster/cluster
sizes=0,1k,2k,4k,8k,16k,32k,60000 rounds=20
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Without `ports` the bench takes messages at once as they come, whatever they wait for.
measure() { # measure PPN OPTION...
    ppn=$1
    shift
    nodes=$(echo "$levels" | tr ',' '\n' | cut -dx -f1 | sort -n | tail -n 1)
    "$cluster" up --name knee "$@"
    trap '"$cluster" down --name knee; rm -rf "$scratch"' EXIT
    "$cluster" run --name knee -n $((nodes * ppn)) --ppn "$ppn" "$build/pevpm-bench" -o "$scratch/measured.yaml" \
        --operations MPI_Send --levels "$levels" --sizes "$sizes" --no-judge --budget "${BUDGET:-80}" --name knee
    "$build/pevpm-bench" report -f csv "$scratch/measured.yaml" >"$scratch/measured.csv"
    awk -F, 'BEGIN {print "nodes,ppn,bytes,samples,mean_s"}
             $2 == "pairs" {print $3 "," $4 "," $6 "," $7 "," $10}' "$scratch/measured.csv" >"$folder/measured.csv"
}

# What a process does between the send's call and the end of its wait, on average: that is a message's time, since two who send
# to each other are late by as much as they are early.
average() { # average MACHINE LEVEL SIZE SPREAD
    "$build/pevpm-sim" -q --connected -m "$1" -n "$2" -r 20 -D "rounds=$rounds" -D "size=$3" -D "spread=$4" \
        --profile-output "$scratch/p.csv" "$here/knee.pevpm" >"$scratch/out"
    awk -F, -v rounds="$rounds" '
        $10 == "" && ($9 == "MPI_Wait" || $9 == "MPI_Send" || $9 == "MPI_Irecv") {sum += $11}
        END {printf "%.9g", sum / rounds}' "$scratch/p.csv"
}

# The bench spreads starts over the time of a message alone, 2 ms at most.
predict() { # predict MACHINE
    echo nodes,ppn,bytes,mean_s >"$folder/predicted.csv"
    # all leave a Barrier at once
    { awk '/^[^ #]/ {skip = /^model_error:/} !skip || /^#/' "$1"
      printf 'models:\n  hockney: {alpha: 1 us, beta: 0}\ncollectives:\n  MPI_Barrier: {model: hockney}\n'; } >"$scratch/plain.yaml"
    set -- "$scratch/plain.yaml"
    for size in 0 1024 1448 2048 2896 4096 6000 8192 11585 16384 23170 32768 46341 60000; do
        spread=$(average "$1" 2x1 "$size" 0 | awk '{print $1 < 0.002 ? $1 : 0.002}')
        for level in $(echo "$levels" | tr ',' ' '); do
            echo "$(echo "$level" | tr x ,),$size,$(average "$1" "$level" "$size" "$spread")"
        done
    done | sort -t, -k1,1n -k2,2n -k3,3n >>"$folder/predicted.csv"
}

draw() {
    {   echo "set terminal svg size 800,520 dynamic; set output '$folder/knee.svg'; set datafile separator ','"
        echo "set xlabel 'bytes'; set ylabel 'average time of a message, ms'; set key top left; set grid"
        echo "set title 'points: measured; lines: predicted from what messages wait for'"
        colour=0 plot=plot
        for level in $(echo "$levels" | tr ',' ' '); do
            colour=$((colour + 1))
            chosen="(\$1 == ${level%x*} && \$2 == ${level#*x} ? \$3 : 1/0)"
            echo "$plot '$folder/predicted.csv' using $chosen:(\$4*1e3) with lines lc $colour lw 2 title '$level', \\"
            echo "     '$folder/measured.csv' using $chosen:(\$5*1e3) with points lc $colour pt 7 notitle, \\"
            plot='    '
        done
        echo "     1/0 notitle"
    } >"$scratch/plot"
    gnuplot "$scratch/plot"
}

case $stage in
measure) measure "$what" "$@" ;;
predict) predict "$what"; draw ;;
*) echo "$usage" >&2; exit 2 ;;
esac
