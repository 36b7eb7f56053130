#!/bin/sh
# pairs.sh FOLDER - messages between two of 16 hosts of 40, 20 and 10 Mbit/s, all pairs and ten sizes from 0 to 100 KiB
# (Lastovetsky and Rychkov 2009, Figure 4), measured and as the analytical models have them. As root; ten minutes, on a
# machine that does nothing else. FOLDER gets lmo.yaml with lmo.txt (LMO and Hockney, together and alone), others.yaml with
# others.txt, pairs.txt (a, b, bytes, seconds one way), predicted.txt (a, b, bytes, model, seconds) and table.md; what is
# there is not measured again. $BUILD: build.
set -eu

folder=${1:?pairs.sh FOLDER} build=${BUILD:-build}
here=$(dirname "$0")
cluster=$here/../cluster/cluster
mkdir -p "$folder"
folder=$(cd "$folder" && pwd) build=$(cd "$build" && pwd)
sizes='0 11378 22756 34133 45511 56889 68267 79644 91022 102400'

run() {
    if [ ! -e /run/pevpmvc/pairs ]; then
        "$cluster" up --name pairs --hosts 16 --buffer 32k --port 'h[1-4]=40mbit' --port 'h[5-9]=20mbit' >/dev/null
        trap '"$cluster" down --name pairs' EXIT
    fi
    "$cluster" run --name pairs -n 16 -- "$@" </dev/null
}
estimate() { # estimate NAME OPTION...
    [ ! -s "$folder/$1.yaml" ] || return 0
    out=$1
    shift
    run "$build/pevpm-estimate" -o "$folder/$out.yaml" "$@" >"$folder/$out.txt"
}

estimate lmo --models hockney,lmo --alone
estimate others --models logp,loggp,plogp
if [ ! -s "$folder/pairs.txt" ]; then
    mpicc -O2 -I"$here/../.." -o "$folder/pairs" "$here/../programs/pairs.c" -lm
    for size in $sizes; do
        run "$folder/pairs" size="$size" repeats=5
    done >"$folder/pairs.part"
    rm "$folder/pairs"
    mv "$folder/pairs.part" "$folder/pairs.txt"
fi

cut -d' ' -f1,2 "$folder/pairs.txt" | sort -u | while read -r a b; do
    for models in lmo:hockney,lmo others:logp,loggp,plogp; do
        "$build/pevpm-sim" --quiet --connected -m "$folder/${models%:*}.yaml" --model "${models#*:}" -n 16 -r 1 -D a="$a" -D b="$b" \
            -D size="$(echo "$sizes" | tr ' ' ',')" -f csv "$here/../programs/pairs.c"
    done
done | awk -F, '$3 != "model" { split($8, at, /[ =]/); print at[2], at[4], at[6], $3, $10 / 2 }' >"$folder/predicted.txt"

awk -f "$here/../numbers.awk" -f "$here/pairs.awk" "$folder/pairs.txt" "$folder/predicted.txt" >"$folder/table.md"
cat "$folder/table.md"
