#!/usr/bin/env bash
# validate.sh - measures a virtual cluster and real programs on it, predicts the programs, and compares.
# shellcheck disable=SC2317 # the stages are called by name
set -u

usage() {
    cat <<'END'
validate.sh - predicted against measured run times of real MPI programs on a real (virtual) Ethernet

  validate.sh [STAGE]... [OPTION]...

Stages, each from the files of those before it (default: all of them):
  calibrate   pevpm-bench measures the cluster             -> machine.yaml
  measure     runs each program of validation/cases        -> measured.csv
  predict     pevpm-sim, from the same sources             -> predicted.csv
  table       compares, prints, and judges                 -> table.md, table.csv

  --results DIR     where the files are (default: $BUILD/validation/results)
  --build DIR       where pevpm-sim and pevpm-bench are (default: $BUILD, else build)
  --machine FILE    predict with this machine file instead of machine.yaml
  --budget SECONDS  for each launch of calibrate (default 172)
  --calibrations N  launches of calibrate, merged into one machine file (default 3)
  --launches N      times that each program is run (default 5)
  --cases LIST      only these, comma separated
  --procs LIST      numbers of processes (default 2,4,8,16)
  --replications N  of each prediction (default 400)
  --quick           jacobi-1k and ring on 2 and 4 processes, 3 launches
  --seed N          of the predictions (default 1)

Exit codes: 0 within the limits; 1 not; 2 wrong usage; 3 bad input; 4 the system cannot do it, as without rights for a cluster.
END
}

here=$(dirname "$(readlink -f "$0")")
cluster=$here/cluster/cluster
name=validate

die() { # die CODE MESSAGE
    echo "validate.sh: error: $2" >&2
    exit "$1"
}
say() { echo "validate.sh: $1" >&2; }

parse() {
    stages='' build=${BUILD:-build} results='' machine='' budget=172 calibrations=3 launches=5 cases='' procs=2,4,8,16 replications=400 seed=1
    while [ $# -gt 0 ]; do
        case $1 in
        -h|--help) usage; exit 0 ;;
        calibrate|measure|predict|table) stages="$stages $1"; shift; continue ;;
        --quick) cases=jacobi-1k,ring procs=2,4 launches=3; shift; continue ;;
        --results|--build|--machine|--budget|--calibrations|--launches|--cases|--procs|--replications|--seed) ;;
        *) die 2 "'$1': expected a stage or an option (--help)" ;;
        esac
        [ $# -gt 1 ] || die 2 "$1 wants a value"
        printf -v "${1#--}" %s "$2"
        shift 2
    done
    local option
    for option in budget calibrations launches replications seed; do
        [[ ${!option} =~ ^[0-9]+$ ]] || die 2 "--$option ${!option}: expected a number"
    done
    [[ $procs =~ ^[0-9]+(,[0-9]+)*$ ]] || die 2 "--procs $procs: expected numbers, comma separated"
    [ -n "$stages" ] || stages="calibrate measure predict table"
    [ -n "$results" ] || results=$build/validation/results
    [ -n "$machine" ] || machine=$results/machine.yaml
    mkdir -p "$results" || die 4 "cannot make the folder $results"
}

selected() { # the lines of validation/cases to work on
    awk -v only="$cases" '
        BEGIN {n = split(only, list, ","); for (i = 1; i <= n; i++) want[list[i]] = 1}
        /^#/ || NF == 0 {next}
        n == 0 || $1 in want {print; delete want[$1]}
        END {for (name in want) {print "validate.sh: error: there is no case " name >"/dev/stderr"; exit 2}}' "$here/cases" || exit 2
}

# ---- cluster ----

raise() { # a cluster of our own, unless an earlier stage of this run has made it
    [ -z "${raised:-}" ] || return 0
    "$cluster" down --name "$name"
    "$cluster" up --name "$name" --hosts 16 --rate 10mbit --buffer 32k || exit $?
    raised=yes
    trap '"$cluster" down --name "$name"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

run() { "$cluster" run --name "$name" "$@"; }

dropped() { # packets that the ports have dropped so far
    "$cluster" status --name "$name" | awk '$1 ~ /^h[0-9]+$/ {n += $7 + $12} END {print n + 0}'
}

# The share of the processors that others use, in percent: what disturbs a measurement. Over one second, while nothing
# of ours runs.
busy() {
    local -a a b
    read -r -a a </proc/stat
    sleep 1
    read -r -a b </proc/stat
    local total=0 i
    for i in 1 2 3 4 5 6 7 8; do
        total=$((total + b[i] - a[i]))
    done
    echo $((100 - 100 * (b[4] + b[5] - a[4] - a[5]) / (total > 0 ? total : 1)))
}

note_busy() {
    local percent
    percent=$(busy)
    [ "$percent" -le 5 ] || say "note: other programs use $percent % of the processors; times will be worse than the network's"
}

# ---- stages ----

calibrate() {
    local bench
    bench=$(readlink -f "$build/pevpm-bench")
    [ -x "$bench" ] || die 4 "there is no $build/pevpm-bench: run make"
    raise
    note_busy
    local i
    local -a runs=()
    for ((i = 1; i <= calibrations; i++)); do
        say "calibrate: launch $i of $calibrations, $budget s"
        run -n 16 "$build/pevpm-bench" -o "$results/calibration-$i.yaml" --name vcluster16 --budget "$budget" ||
            die 4 "pevpm-bench failed"
        runs+=("calibration-$i.yaml")
    done
    (cd "$results" && "$bench" --merge machine.yaml "${runs[@]}") || die 4 "pevpm-bench --merge failed"
}

compile() {
    local mpicc=${CLUSTER_MPI:+$CLUSTER_MPI/bin/}mpicc program
    mkdir -p "$build/validation/programs"
    for program in $(selected | awk '{print $2}' | sort -u); do
        "$mpicc" -std=gnu11 -O2 -Wall -Wextra -o "$build/validation/programs/$program" "$here/programs/$program.c" ||
            die 4 "cannot compile $program.c"
    done
}

# Launches in the outer loop: what drifts while all this runs then shows as spread of each case, not as a difference
# between cases.
measure() {
    local launch case program parameters numprocs seconds before
    compile
    raise
    note_busy
    echo "case,program,params,numprocs,launch,seconds,dropped" >"$results/measured.csv.part"
    for ((launch = 1; launch <= launches; launch++)); do
        say "measure: launch $launch of $launches"
        while read -r case program parameters; do
            for numprocs in ${procs//,/ }; do
                before=$(dropped)
                # shellcheck disable=SC2086 # parameters are words
                seconds=$(run -n "$numprocs" "$build/validation/programs/$program" $parameters </dev/null) ||
                    die 4 "$case failed on $numprocs processes"
                echo "$case,$program,$parameters,$numprocs,$launch,$seconds,$(($(dropped) - before))" | sed 's/  */ /g'
            done
        done < <(selected) >>"$results/measured.csv.part" || exit $?
    done
    mv "$results/measured.csv.part" "$results/measured.csv"
}

predict_case() { # predict_case CASE MACHINE MODES PROGRAM PARAMETER...
    local case=$1 file=$2 modes=$3 program=$4 parameter
    local -a defines=()
    for parameter in "${@:5}"; do
        defines+=(-D "$parameter")
    done
    "$build/pevpm-sim" --quiet -m "$file" -n "$procs" -M "$modes" "${defines[@]}" -r "$replications" -s "$seed" -f csv \
        "$here/programs/$program.c" || die 3 "cannot predict $case"
}

predict() {
    local case program parameters header
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    header=wanted
    while read -r case program parameters; do
        # shellcheck disable=SC2086
        {
            predict_case "$case" "$machine" distribution,average,average@2x1,minimum $program $parameters
            predict_case "$case" "$here/free.yaml" average $program $parameters | sed 1d | sed 's/,average,/,serial,/'
        } | sed "s|$here/|validation/|" | awk -v name="$case" -v header="$header" 'NR > 1 {print name "," $0} NR == 1 && header == "wanted" {print "case," $0}'
        header=''
    done < <(selected) >"$results/predicted.csv.part" || exit $?
    mv "$results/predicted.csv.part" "$results/predicted.csv"
}

table() {
    local file
    for file in measured predicted; do
        [ -r "$results/$file.csv" ] || die 3 "there is no $results/$file.csv"
    done
    awk -f "$here/compare.awk" -v csv="$results/table.csv" "$results/predicted.csv" "$results/measured.csv" >"$results/table.md.part"
    local code=$?
    [ "$code" -le 1 ] || die 3 "cannot compare"
    mv "$results/table.md.part" "$results/table.md"
    cat "$results/table.md"
    return "$code"
}

parse "$@"
selected >/dev/null || exit 2
code=0
for stage in $stages; do
    "$stage" || code=$?
done
exit "$code"
