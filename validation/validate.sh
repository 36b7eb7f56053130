#!/usr/bin/env bash
# validate.sh - measures a virtual cluster and real programs on it, predicts the programs, and compares.
# shellcheck disable=SC2317 # the stages are called by name
set -u -o pipefail

usage() {
    cat <<'END'
validate.sh - predicted against measured run times of real MPI programs on a real (virtual) Ethernet

  validate.sh [STAGE]... [OPTION]...

Stages, each from the files of those before it (default: all of them):
  calibrate   pevpm-bench measures the cluster             -> machine.yaml
  probe       runs the programs of validation/probes, which are none of the cases, and has `pevpm-sim judge` write into
              machine.yaml (or --machine FILE) how far predictions are off -> probes.csv, probes.txt
  measure     runs each program of validation/cases        -> measured.csv
  predict     pevpm-sim, from the same sources             -> predicted.csv
  table       compares, prints, and judges                 -> table.md, table.csv
  chance      runs, predicts and compares programs made by chance, which is not done unless asked for
              -> chance/, chance.md, chance.csv
  explain     runs the ten programs by chance whose errors are largest with a profile, and writes into chance.md which of
              their directives is furthest off             -> chance/profile-*, chance.md
  modes       predicts the programs by chance from distributions, averages and minima, and holds them against what `chance`
              has measured, or else against each other     -> chance/modes.csv, modes.md
  models      estimates the analytical models on the cluster and predicts the cases, and programs by chance that have run,
              with each and with `measured`
              -> models.yaml, models.csv, models.md

and, only where it is named:
  execute     runs each case by its own code and then its directives by pevpm-run, as often as measure does, and compares
              the medians                                  -> executed.csv, executed.md

  --world NAME      which machine, a file of validation/worlds (default flat)
  --results DIR     where the files are (default: $BUILD/validation/results/NAME of the world)
  --build DIR       where pevpm-sim and pevpm-bench are (default: $BUILD, else build, or build-mpich where the world says so)
  --machine FILE    this machine file instead of machine.yaml, to predict with; probe writes into it
  --budget SECONDS  for each launch of calibrate (default 190)
  --calibrations N  launches of calibrate, merged into one machine file (default 5)
  --launches N      times that each program is run (default 5)
  --probes N        times that each probe is run (default 3)
  --cases LIST      only these, comma separated; `programs`, `apps`, `beside` and `examples` stand for all of their kind
                    (default: as the world says)
  --procs LIST      numbers of processes, `4` one to a host, `2x4` four on each of two (default: as the world says)
  --replications N  of each prediction (default 400)
  --quick           jacobi-1k and ring on 2 and 4 processes, 3 launches
  --seed N          of the predictions (default 1)
  --programs N      made by chance, of all kinds by turns (default 210)
  --from N          seed of the first of them, and of what they and their predictions draw (default 1001)

Exit codes: 0 within the limits; 1 not; 2 wrong usage; 3 bad input; 4 the system cannot do it, as without rights for a cluster.
END
}

here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$here")
cluster=$here/cluster/cluster
die() { # die CODE MESSAGE
    echo "validate.sh: error: $2" >&2
    exit "$1"
}
say() { echo "validate.sh: $1" >&2; }

parse() {
    stages='' build='' world=${WORLD:-flat} results='' machine='' budget=190 calibrations=5 launches=5 probes=3
    cases='' procs='' replications=400 seed=1 programs=210 from=1001
    while [ $# -gt 0 ]; do
        case $1 in
        -h|--help) usage; exit 0 ;;
        calibrate|probe|measure|predict|table|execute|chance|explain|modes|models) stages="$stages $1"; shift; continue ;;
        --quick) cases=jacobi-1k,ring procs=2,4 launches=3; shift; continue ;;
        --world|--results|--build|--machine|--budget|--calibrations|--launches|--probes|--cases|--procs|--replications|--seed|--programs|--from) ;;
        *) die 2 "'$1': expected a stage or an option (--help)" ;;
        esac
        [ $# -gt 1 ] || die 2 "$1 wants a value"
        printf -v "${1#--}" %s "$2"
        shift 2
    done
    local option
    for option in budget calibrations launches probes replications seed programs from; do
        [[ ${!option} =~ ^[0-9]+$ ]] || die 2 "--$option ${!option}: expected a number"
    done
    read_world
    [ -n "$build" ] || build=${BUILD:-build${world_mpi:+-$world_mpi}}
    check_counts --procs "$procs"
    [ -n "$stages" ] || stages="calibrate probe measure predict table"
    [ -n "$results" ] || results=$build/validation/results/$world
    [ -n "$machine" ] || machine=$results/machine.yaml
    mkdir -p "$results" || die 4 "cannot make the folder $results"
}

check_counts() { # check_counts WHAT LIST: numbers of processes, no two alike, for results go by them
    local count twice
    [[ $2 =~ ^([1-9][0-9]*(x[1-9][0-9]*)?(,[1-9][0-9]*(x[1-9][0-9]*)?)*)?$ ]] ||
        die 2 "$1 $2: expected numbers of processes, comma separated, as 2,4x4"
    twice=$(for count in ${2//,/ }; do processes_of "$count"; done | sort | uniq -d | head -n 1)
    [ -z "$twice" ] || die 2 "$1 $2: $twice processes twice"
}

processes_of() { echo $((${1/x/*})); } # processes_of COUNT: `4` or `2x4`
ppn_of() { case $1 in *x*) echo "${1#*x}" ;; *) echo 1 ;; esac; }

# What worlds/README.md describes, to `up`, `run_options`, `chance_defines` and world_KEY; --procs and --cases come before the world's.
read_world() {
    local file=$here/worlds/$world key value line=0 word
    local -a words
    [[ $world =~ ^[a-z0-9]{1,12}$ && -r $file ]] ||
        die 2 "--world $world: expected one of $(cd "$here/worlds" && echo [a-z]*)"
    up=() run_options=() chance_defines=() world_mpi='' world_machine='' world_ppn=1 world_procs='' world_apps='' world_cases=''
    while read -r key value; do
        line=$((line + 1))
        case $key in
        '') ;;
        up) read -r -a words <<<"$value"; up+=("${words[@]}") ;;
        run) read -r -a run_options <<<"$value" ;;
        chance) for word in $value; do chance_defines+=(-D "$word"); done ;;
        machine|mpi|ppn|procs|apps|cases) printf -v "world_$key" %s "$value" ;;
        *) die 3 "$file:$line: '$key': expected up, run, machine, mpi, ppn, procs, apps, cases or chance" ;;
        esac
    done < <(sed 's/#.*//' "$file")
    for key in machine procs; do
        value=world_$key
        [ -n "${!value}" ] || die 3 "$file: there is no '$key'"
    done
    [ ${#up[@]} -gt 0 ] || die 3 "$file: there is no 'up'"
    [[ $world_mpi =~ ^(mpich)?$ ]] || die 3 "$file: mpi $world_mpi: expected mpich, or none of it"
    : "${world_apps:=$world_procs}" "${cases:=$world_cases}"
    check_counts "$file: procs" "$world_procs"
    check_counts "$file: apps" "$world_apps"
    name=validate${world:0:4}
}

list=$here/cases

selected() { # the lines of the list to work on
    awk -v only="$cases" '
        BEGIN {n = split(only, list, ","); for (i = 1; i <= n; i++) want[list[i]] = 1}
        /^#/ || NF == 0 {next}
        {kind = $1 ~ /\// ? substr($1, 1, index($1, "/") - 1) : "programs"}
        n == 0 || $1 in want || kind in want {print; met[$1]; met[kind]}
        END {for (name in want) if (!(name in met)) {print "validate.sh: error: there is no case " name >"/dev/stderr"; exit 2}}
        ' "$list" || exit 2
}

counts_of() { # counts_of CASE: the numbers of processes that it runs on
    if [ -n "$procs" ]; then
        echo "$procs"
    elif [[ $1 == apps/* ]]; then
        echo "$world_apps"
    else
        echo "$world_procs"
    fi
}

# ---- cluster ----

raise() { # a cluster of our own, unless an earlier stage of this run has made it
    [ -z "${raised:-}" ] || return 0
    "$cluster" down --name "$name"
    "$cluster" up --name "$name" "${up[@]}" || exit $?
    raised=$name
    trap lower EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

lower() {
    local one
    for one in $raised; do
        "$cluster" down --name "$one"
    done
}

run() { "$cluster" run --name "$name" ${world_mpi:+"--$world_mpi"} ${run_options[@]+"${run_options[@]}"} "$@"; }

dropped() { # packets that ports and trunks have dropped so far
    "$cluster" status --name "$name" | awk '$1 ~ /^(h|trunk)[0-9]+$/ {n += $7 + $12} END {print n + 0}'
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
    local i hosts
    local -a runs=()
    hosts=$("$cluster" status --name "$name" | grep -c '^  h[0-9]')
    for ((i = 1; i <= calibrations; i++)); do
        say "calibrate: launch $i of $calibrations, $budget s"
        run -n $((hosts * world_ppn)) --ppn "$world_ppn" "$build/pevpm-bench" -o "$results/calibration-$i.yaml" \
            --name "$world_machine" --budget "$budget" ||
            die 4 "pevpm-bench failed"
        runs+=("calibration-$i.yaml")
    done
    if [ "$calibrations" -eq 1 ]; then
        cp "$results/calibration-1.yaml" "$results/machine.yaml" || die 4 "cannot write $results/machine.yaml"
    else
        (cd "$results" && "$bench" --merge machine.yaml "${runs[@]}") || die 4 "pevpm-bench --merge failed"
    fi
}

program_of() { echo "${1#*:}"; } # the source of what runs: after the colon, where a case has one

executable_of() { # executable_of PROGRAM
    local path=${1#validation/}
    echo "$build/validation/${path%.*}"
}

compile() {
    local bin=${CLUSTER_MPI:+$CLUSTER_MPI/bin/} of=${world_mpi:+.$world_mpi} program executable
    local -a compiler
    [ -z "$bin" ] || of=''
    for program in $(selected | awk '{sub(/.*:/, "", $2); print $2}' | sort -u); do
        executable=$(executable_of "$program")
        mkdir -p "$(dirname "$executable")" || die 4 "cannot make the folder of $executable"
        case $program in
        *.f90) compiler=("${bin}mpifort$of" -O2 -Wall -Wextra -J "$(dirname "$executable")") ;;
        *) compiler=("${bin}mpicc$of" -std=gnu11 -O2 -Wall -Wextra -I"$root") ;;
        esac
        "${compiler[@]}" -o "$executable" "$root/$program" -lm || die 4 "cannot compile $program"
    done
}

# What the program says. An example takes the values alone; and its processes are connected in MPI_Init, as work.h does it for
# the others, because Open MPI connects two when they first speak to each other, which kept machine files say nothing of (MPICH,
# too, and cannot be told).
run_program() { # run_program COUNT PROGRAM PARAMETER...
    local program=$2 executable
    local -a where connected=()
    where=(-n "$(processes_of "$1")" --ppn "$(ppn_of "$1")")
    [ -n "$world_mpi" ] || connected=(-- --mca mpi_preconnect_mpi 1 --)
    shift 2
    executable=$(executable_of "$program")
    case $program in
    examples/*) run "${where[@]}" ${connected[@]+"${connected[@]}"} "$executable" "${@#*=}" </dev/null ;;
    *) run "${where[@]}" "$executable" "$@" </dev/null ;;
    esac
}

# The run time in what a program says: a line that is the number, or an example's `... N processes ...: NUMBER s`.
seconds_in() { sed -n 's/^\(.* processes.*: \([0-9]*\.[0-9]*\) s\|\([0-9]*\.[0-9]*\)\)$/\2\3/p' <<<"$1" | sed 's/^\./0./'; }

# Launches in the outer loop: what drifts while all this runs then shows as spread of each case, not as a difference
# between cases.
measure_into() { # measure_into FILE LAUNCHES: the selected cases
    local file=$1 launches=$2 launch case source parameters program counts count said seconds before
    compile
    raise
    note_busy
    echo "case,program,params,numprocs,ppn,launch,seconds,dropped" >"$results/$file.part"
    for ((launch = 1; launch <= launches; launch++)); do
        say "measure: launch $launch of $launches"
        while read -r case source parameters; do
            program=$(program_of "$source")
            counts=$(counts_of "$case")
            for count in ${counts//,/ }; do
                before=$(dropped)
                # shellcheck disable=SC2086 # parameters are words
                said=$(run_program "$count" "$program" $parameters) || die 4 "$case failed on $count processes: $said"
                seconds=$(seconds_in "$said")
                [ -n "$seconds" ] || die 4 "$case on $count processes does not say its run time: $said"
                echo "$case,$program,$parameters,$(processes_of "$count"),$(ppn_of "$count"),$launch,$seconds,$(($(dropped) - before))" |
                    sed 's/  */ /g'
            done
        done < <(selected) >>"$results/$file.part" || exit $?
    done
    mv "$results/$file.part" "$results/$file"
}

# Seconds that pevpm-run says of the directives of SOURCE.
execute_source() { # execute_source COUNT SOURCE PARAMETER...
    local parameter
    local -a words=(-n "$(processes_of "$1")" --ppn "$(ppn_of "$1")" "$build/pevpm-run" -q -o -)
    for parameter in "${@:3}"; do
        words+=(-D "$parameter")
    done
    run "${words[@]}" "$root/${2%:*}" </dev/null | sed -n '$s/.*,//p'
}

# Each case by its own code, then by pevpm-run.
execute() {
    local launch case source parameters count own seconds
    [ -x "$build/pevpm-run" ] || die 4 "there is no $build/pevpm-run: run make"
    compile
    raise
    note_busy
    echo "case,params,numprocs,ppn,launch,own_s,executed_s" >"$results/executed.csv.part"
    for ((launch = 1; launch <= launches; launch++)); do
        say "execute: launch $launch of $launches"
        while read -r case source parameters; do
            for count in $(counts_of "$case" | tr , ' '); do
                # shellcheck disable=SC2086 # parameters are words
                own=$(seconds_in "$(run_program "$count" "$(program_of "$source")" $parameters)")
                # shellcheck disable=SC2086
                seconds=$(execute_source "$count" "$source" $parameters)
                [ -n "$own" ] && [ -n "$seconds" ] || die 4 "$case failed on $count processes"
                echo "$case,$parameters,$(processes_of "$count"),$(ppn_of "$count"),$launch,$own,$seconds" | sed 's/  */ /g'
            done
        done < <(selected) >>"$results/executed.csv.part" || exit $?
    done
    mv "$results/executed.csv.part" "$results/executed.csv"
    awk -f "$here/numbers.awk" -f "$here/stages/executed.awk" "$results/executed.csv" >"$results/executed.md"
    local code=$?
    cat "$results/executed.md"
    return "$code"
}

measure() { measure_into measured.csv "$launches"; }

probe() {
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    local cases='' list=$here/probes/cases
    measure_into probes.csv "$probes"
    "$build/pevpm-sim" judge -m "$machine" -o "$machine" "$results/probes.csv" >"$results/probes.txt" ||
        die 3 "cannot judge the predictions of the probes"
    cat "$results/probes.txt"
}

# Who has answered whom, and so acknowledges seldom, depends on how processes were connected. Those of examples were by MPI_Init. In
# work.h's programs all have exchanged messages, like processes that connect as they need to, but no run's time has that in it, and
# directives have no place where the clock starts: so the file goes without connections. With --connected pipeline comes out 16 to 26 %
# too slow, since there process 0 has answered nobody.
unconnected() { sed 's/connect: {[^}]*}//' "$1"; }

predict_case() { # predict_case CASE MACHINE MODES SOURCE PARAMETER...
    local case=$1 file=$2 modes=$3 source=$4 drop=unconnected parameter
    local -a options=()
    for parameter in "${@:5}"; do
        options+=(-D "$parameter")
    done
    case $source in examples/*) options+=(--connected) drop=cat ;; esac
    "$build/pevpm-sim" --quiet -m <("$drop" "$file") -n "$(counts_of "$case")" -M "$modes" "${options[@]}" \
        -r "$replications" -s "$seed" -f csv "$root/${source%:*}" || die 3 "cannot predict $case"
}

predict() {
    local case source parameters header
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    header=wanted
    while read -r case source parameters; do
        # shellcheck disable=SC2086
        {
            predict_case "$case" "$machine" distribution,average,average@2x1,minimum $source $parameters
            predict_case "$case" "$here/free.yaml" average $source $parameters | sed 1d | sed 's/,average,/,serial,/'
        } | sed "s|$root/||" | awk -v name="$case" -v header="$header" '
            NR > 1 {print name "," $0}
            NR == 1 && header == "wanted" {print "case," $0}' || exit 3
        header=''
    done < <(selected) >"$results/predicted.csv.part"
    mv "$results/predicted.csv.part" "$results/predicted.csv"
}

table() {
    local file
    for file in measured predicted; do
        [ -r "$results/$file.csv" ] || die 3 "there is no $results/$file.csv"
    done
    awk -f "$here/numbers.awk" -f "$here/stages/compare.awk" -v csv="$results/table.csv" "$results/predicted.csv" "$results/measured.csv" >"$results/table.md.part"
    local code=$?
    [ "$code" -le 1 ] || die 3 "cannot compare"
    mv "$results/table.md.part" "$results/table.md"
    cat "$results/table.md"
    return "$code"
}

# shellcheck source=validation/made.sh
. "$here/made.sh"
# shellcheck source=validation/stages/chance.sh
. "$here/stages/chance.sh"
# shellcheck source=validation/stages/modes.sh
. "$here/stages/modes.sh"
# shellcheck source=validation/stages/models.sh
. "$here/stages/models.sh"

parse "$@"
selected >/dev/null || exit 2
code=0
for stage in $stages; do
    "$stage" || code=$?
done
exit "$code"
