#!/bin/sh
# exchange.sh FOLDER MACHINE - two processes that exchange messages above the eager limit, again and again, on the virtual
# cluster: each size in 60 launches, measured and predicted exchange by exchange. As root; six minutes, on a machine that does
# nothing else. Four pairs of hosts are four launches at once; 20 exchanges a launch, of 1 MiB 5. FOLDER gets
# measured-BYTES.csv (a launch a row: when each exchange had ended, s, and the number of its pair), which is not measured again;
# predicted-BYTES.csv, likewise, of as many seeds; and table.md. $BUILD: build.
set -eu

folder=${1:?exchange.sh FOLDER MACHINE} machine=${2:?exchange.sh FOLDER MACHINE}
here=$(dirname "$0") build=${BUILD:-build}
cluster=$here/../cluster/cluster
jobs=15 pairs=4
mkdir -p "$folder"

exchanges_of() {
    if [ "$1" -gt 500000 ]; then echo 5; else echo 20; fi
}

# Region pPeK: a pair's first K exchanges.
program() { # program BYTES PAIRS
    exchanges=$(exchanges_of "$1")
    echo "Set partner = procnum%2 == 0 ? procnum+1 : procnum-1"
    for pair in $(seq 0 $(($2 - 1))); do
        echo "Runon c1 = procnum/2 == $pair"
        echo "{"
        for k in $(seq "$exchanges" -1 1); do printf 'Region p%de%d\n{\n' "$pair" "$k"; done
        for k in $(seq "$exchanges"); do
            echo "Message type = MPI_Sendrecv & to = partner & from = partner & size = $1"
            echo "}"
        done
        echo "}"
    done
}

# A table with region_pPeK_max_s: a row for each pair.
ends() { # ends BYTES PAIRS
    awk -F, -v pairs="$2" -v exchanges="$(exchanges_of "$1")" '
        $1 == "program" { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            for (p = 0; p < pairs; p++) {
                line = p
                for (k = 1; k <= exchanges; k++) line = line "," sprintf("%.6f", $column["region_p" p "e" k "_max_s"])
                print line
            }
        }'
}

for bytes in 65536 131072 1048576; do
    [ ! -s "$folder/measured-$bytes.csv" ] || continue
    [ -e /run/pevpmvc/exchange ] || "$cluster" up --name exchange --hosts $((2 * pairs))
    trap '"$cluster" down --name exchange' EXIT
    program "$bytes" "$pairs" >"$folder/program.pevpm"
    for launch in $(seq "$jobs"); do
        "$cluster" run --name exchange -n $((2 * pairs)) "$build/pevpm-run" --quiet --launch "$launch" -o "$folder/one.csv" \
            "$folder/program.pevpm"
        ends "$bytes" "$pairs" <"$folder/one.csv"
    done >"$folder/measured-$bytes.new"
    mv "$folder/measured-$bytes.new" "$folder/measured-$bytes.csv"
    rm -f "$folder/program.pevpm" "$folder/one.csv"
done

awk '/^[^ #]/ {skip = /^model_error:/} !skip || /^#/' "$machine" >"$folder/plain.yaml"
for bytes in 65536 131072 1048576; do
    program "$bytes" 1 >"$folder/program.pevpm"
    for seed in $(seq $((jobs * pairs))); do
        "$build/pevpm-sim" -q --connected -j 1 -m "$folder/plain.yaml" -n 2 -r 1 -s "$seed" -f csv "$folder/program.pevpm" | ends "$bytes" 1
    done >"$folder/predicted-$bytes.csv"
done
rm -f "$folder/program.pevpm" "$folder/plain.yaml"

awk -f "$here/../numbers.awk" -f "$here/exchange.awk" "$folder"/measured-*.csv "$folder"/predicted-*.csv | tee "$folder/table.md"
