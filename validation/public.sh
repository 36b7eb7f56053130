#!/bin/sh
# Unchanged public programs: recorded on a virtual cluster at 2, 4 and 8 processes, predicted there and at 16, and held
# call by call against a recording at 16. Started from the project's root, as root, with the cluster up.
#
#   BIN=FOLDER validation/public.sh record LAUNCH...    each line of public.cases, at each count; a recording of each launch
#   validation/public.sh predict                        programs from the first launch's recordings, and predictions
#   validation/public.sh table                          compares
#
# The recorder makes a communicator of its own before the time that is compared begins. Some processes are connected by that, others
# by the program: so it is predicted too, in front of the program, and what it takes by itself is taken off.
#
# $BIN holds the binaries, $CLUSTER names the cluster, $CASES what is left of public.cases, $RESULTS the folder,
# $MACHINE the machine file. What is measured is the time from MPI_Init to MPI_Finalize in the recordings of the other
# launches: the longest sum of computations and calls of a process.
set -u
build=${BUILD:-build} here=validation results=${RESULTS:-validation/results/public}
machine=${MACHINE:-examples/vcluster16/vcluster16.yaml} counts=${COUNTS:-"2 4 8 16"}
mkdir -p "$results/recordings"
root=$PWD
case $build in /*) ;; *) build=$root/$build ;; esac
case $results in /*) ;; *) results=$root/$results ;; esac

cases() {
    grep -v -e '^#' -e '^$' "$root/$here/public.cases" | while read -r name command; do
        case " ${CASES:-$name} " in *" $name "*) echo "$name $command" ;; esac
    done
}

grid() { # grid P: 2 and 3 dimensions
    case $1 in
    2) X=2 Y=1 Z=1 ;; 4) X=2 Y=2 Z=1 ;; 8) X=2 Y=2 Z=2 ;; 16) X=4 Y=2 Z=2 ;;
    esac
    export P=$1 X Y Z BIN
}

record() {
    cases | while read -r name command; do
        for count in $counts; do
            grid "$count"
            folder=$(mktemp -d)
            (cd "$folder" && printf '%s\n' "$command" | sed 's/^.*&& //' >command && eval "$(printf '%s\n' "$command" |
                sed -n 's/&& .*//p')"
             eval "set -- $(cat command)"
             timeout 120 "$root/$here/cluster/cluster" run ${CLUSTER:+--name "$CLUSTER"} ${BESIDE:+--beside} -n "$count" \
                 "$build/pevpm-record" -o "$results/recordings/$name@$count.$launch.rec" "$@" </dev/null >out 2>&1 ||
                 { echo "$name, $count processes: $(tail -n 1 out)" >&2; exit 1; })
            rm -rf "$folder"
        done
    done
}

# The longest process of a recording, s: calls and what was computed between them.
duration() {
    awk '/^rank /   { if (sum > most) most = sum; sum = 0 }
         /^MPI_/    { for (i = 1; i <= NF; i++) { if ($i == "wall") sum += $(i + 1); if ($i == "in") sum += $(i + 1) } }
         END        { if (sum > most) most = sum; printf "%.6f\n", most / 1e9 }' "$1"
}

mean() { # mean PROGRAM COUNT: of the replications, s
    "$build/pevpm-sim" -q -m "$machine" -n "$2" -r 50 -f csv "$1" 2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print $column["mean_s"] }'
}

predict() {
    : >"$results/predicted.csv"
    echo 'Message type = MPI_Comm_dup' >"$results/recorder.pevpm"
    for count in $counts; do mean "$results/recorder.pevpm" "$count" >"$results/recorder.$count"; done
    cases | while read -r name _; do
        set -- "$results/recordings/$name@2.1.rec" "$results/recordings/$name@4.1.rec" "$results/recordings/$name@8.1.rec"
        program=$results/$name.pevpm
        "$build/pevpm-record" --time "${CLOCK:-processor}" --program "$program" "$@" >"$results/$name.txt" 2>&1 ||
            echo "$name: $(grep error "$results/$name.txt" | head -n 1)" >&2
        "$build/pevpm-record" --check "$program" "$results/recordings/$name@16.1.rec" >"$results/$name.check" 2>&1
        "$build/pevpm-record" --check "$program" --sizes any "$results/recordings/$name@16.1.rec" >"$results/$name.any" 2>&1
        cat "$results/recorder.pevpm" "$program" >"$results/both.pevpm"
        for count in $counts; do
            time=$(mean "$results/both.pevpm" "$count")
            echo "$name,$count,${time:+$(echo "$time $(cat "$results/recorder.$count")" | awk '{ print $1 - $2 }')}" >>"$results/predicted.csv"
        done
    done
    rm -f "$results/recorder".* "$results/both.pevpm"
}

table() {
    : >"$results/measured.csv"
    cases | while read -r name _; do
        for count in $counts; do
            for file in "$results/recordings/$name@$count".[2-9].rec; do
                [ -e "$file" ] && echo "$name,$count,$(duration "$file")" >>"$results/measured.csv"
            done
        done
    done
    awk -v results="$results" -f "$here/numbers.awk" -f "$here/public.awk" "$results/measured.csv" "$results/predicted.csv" | tee "$results/table.md"
}

action=${1:-}
[ $# -gt 0 ] && shift
case $action in
record) for launch in "$@"; do record; done ;;
predict) predict ;;
table) table ;;
*) sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
