#!/usr/bin/env bash
# cold.sh [predict] WORLD FOLDER [LAUNCHES [CASES]]
#
# Programs as a user starts them: processes that have never spoken, predicted without options. Seven that were written and annotated
# by hand from docs/directives.md, by somebody who had not seen how predictions are made, before anything was measured (cold/): SUMMA,
# a sweep of wave fronts, conjugate gradients, a sample sort, multigrid, a farm, an n-body ring. FOLDER has machine.yaml, such as
# `validate.sh calibrate` leaves, and gets measured.csv, predicted.csv and table.md. As root, on a machine that does nothing else,
# two minutes a launch; `predict` does without both. $BUILD: build. CASES: the list in cold/, default `cases`; `behind` are
# neighbours that exchange long messages behind short ones, written to find what decides which of two ways these go.
#
#     validation/validate.sh calibrate --world tree12 --calibrations 1 --results DIR
#     validation/studies/cold.sh tree12 DIR
#     validation/studies/cold.sh predict tree12 validation/results/cold/tree12
set -eu -o pipefail
usage='cold.sh [predict] WORLD FOLDER [LAUNCHES [CASES]]'
measures=1
[ "${1:-}" != predict ] || { measures=0 && shift; }
world=${1:?$usage} folder=${2:?$usage} launches=${3:-3} list=${4:-cases}
here=$(dirname "$(readlink -f "$0")") build=${BUILD:-build}
cluster=$here/../cluster/cluster
[ -r "$here/../worlds/$world" ] ||
    { echo "cold.sh: error: world $world: expected one of $(cd "$here/../worlds" && echo [a-z]*)" >&2 && exit 2; }
key() { sed -n "s/^$1  *//p" "$here/../worlds/$world"; }
counts=$(key procs) ppn=$(key ppn)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cases() { # lines of PROGRAM[:CASE] NAME=VALUE...
    awk -v world="$world" '/^#/ || NF == 0 {next}
        {line = $1; for (i = 3; i <= NF; i++) line = line " " $i}
        $2 == "-" && !($1 in said) {name[++n] = $1; said[$1] = line}
        $2 == world {said[$1] = line}
        END {for (i = 1; i <= n; i++) print said[name[i]]}' "$here/cold/$list"
}

measure() {
    local program count processes launch up parameters
    up=$(key up)
    while read -r program parameters; do
        mpicc -std=gnu11 -O2 -I"$here/../programs" -o "$scratch/${program%%:*}" "$here/cold/${program%%:*}.c" -lm
    done < <(cases)
    # shellcheck disable=SC2086 # options, one by one
    "$cluster" up --name cold $up >/dev/null
    trap '"$cluster" down --name cold; rm -rf "$scratch"' EXIT
    echo program,processes,count,launch,seconds >"$scratch/measured.csv"
    for ((launch = 1; launch <= launches; launch++)); do
        while read -r program parameters; do
            for count in ${counts//,/ }; do
                processes=$((${count/x/*}))
                [ "$processes" -gt 1 ] || continue
                rm -f /dev/shm/pevpm-cold-clock # of a job that was killed
                # shellcheck disable=SC2086 # parameters, one by one
                echo "$program,$processes,$count,$launch,$("$cluster" run --name cold -n "$processes" --ppn "${ppn:-1}" \
                    "$scratch/${program%%:*}" $parameters </dev/null)" >>"$scratch/measured.csv"
            done
        done < <(cases)
    done
    cp "$scratch/measured.csv" "$folder/measured.csv"
}

predict() {
    local program parameters parameter count
    local -a defines
    echo program,processes,seconds,p5_s,p95_s >"$scratch/predicted.csv"
    while read -r program parameters; do
        defines=()
        for parameter in $parameters; do defines+=(-D "$parameter"); done
        for count in ${counts//,/ }; do
            [ $((${count/x/*})) -gt 1 ] || continue
            "$build/pevpm-sim" -q -m "$folder/machine.yaml" -n "$count" -f csv ${defines[@]+"${defines[@]}"} "$here/cold/${program%%:*}.c" |
                awk -F, -v program="$program" '
                    NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i; next}
                    {print program "," $column["numprocs"] "," $column["median_s"] "," $column["p5_s"] "," $column["p95_s"]}' \
                    >>"$scratch/predicted.csv"
        done
    done < <(cases)
    cp "$scratch/predicted.csv" "$folder/predicted.csv"
}

[ "$measures" = 0 ] || measure
predict
awk -F, -f "$here/../numbers.awk" -f "$here/cold.awk" "$folder/measured.csv" "$folder/predicted.csv" | tee "$folder/table.md"
