#!/bin/sh
# Unchanged public programs: recorded on a virtual cluster at 2, 4 and 8 processes, predicted there and at 16, and held
# call by call against a recording at 16. Started from the project's root, as root, with the cluster up.
#
#   BIN=FOLDER validation/studies/public.sh record     a recording of each line of public.cases at each count, named as annotate.sh has them
#   BIN=FOLDER validation/studies/public.sh time       one launch of each without the recorder, which makes programs slower, timed by whole.c; appended
#                                              to measured.csv, which is to be removed first where it is of another day
#   validation/studies/public.sh predict               programs from the recordings, and predictions
#   validation/studies/public.sh table                 compares
#
# The recorder makes a communicator of its own before the time that is compared begins. Some processes are connected by that, others
# by the program: so it is predicted too, in front of the program, and what it takes by itself is taken off.
#
# $BIN holds the binaries, $CLUSTER names the cluster, $CASES what is left of public.cases, $RESULTS the folder,
# $MACHINE the machine file. What is measured is the time from MPI_Init to MPI_Finalize of the process that takes longest.
set -u
build=${BUILD:-build} here=validation/studies results=${RESULTS:-validation/results/public}
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
    export P="$1" X Y Z BIN
}

run() { # run NAME COMMAND COUNT BEFORE...: BEFORE are words in front of the program
    name=$1 command=$2 count=$3
    shift 3
    grid "$count"
    folder=$(mktemp -d)
    (cd "$folder" && printf '%s\n' "$command" | sed 's/^.*&& //' >words && eval "$(printf '%s\n' "$command" | sed -n 's/&& .*//p')"
     eval "set -- \"\$@\" $(cat words)"
     timeout 120 "$root/$here/../cluster/cluster" run ${CLUSTER:+--name "$CLUSTER"} ${BESIDE:+--beside} -n "$count" \
         "$@" </dev/null >out 2>&1 ||
         { echo "$name, $count processes: $(tail -n 1 out)" >&2; exit 1; })
    rm -rf "$folder"
}

record() {
    cases | while read -r name command; do
        for count in $counts; do
            run "$name" "$command" "$count" "$build/pevpm-record" -o "$results/recordings/$name@$count.1.rec"
        done
    done
}

time_cases() {
    library=$(mktemp)
    mpicc -std=c11 -D_GNU_SOURCE -O2 -fPIC -shared -o "$library" "$root/$here/whole.c" || { rm -f "$library"; exit 4; }
    cases | while read -r name command; do
        for count in $counts; do
            rm -f "$results/whole"
            # shellcheck disable=SC2016 # expanded on the host, where another library is preloaded
            run "$name" "$command" "$count" env "WHOLE_TIME=$results/whole" \
                sh -c 'export LD_PRELOAD="$0${LD_PRELOAD:+:$LD_PRELOAD}"; exec "$@"' "$library" &&
                [ -s "$results/whole" ] && echo "$name,$count,$(cat "$results/whole")" >>"$results/measured.csv"
        done
    done
    rm -f "$library" "$results/whole"
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
    awk -v results="$results" -f "$here/../numbers.awk" -f "$here/public.awk" "$results/measured.csv" "$results/predicted.csv" | tee "$results/table.md"
}

case ${1:-} in
record) record ;;
time) time_cases ;;
predict) predict ;;
table) table ;;
*) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
