#!/bin/sh
# pevpm-annotate on unchanged public programs: recorded on a virtual cluster at 2, 4 and 8 processes, annotated, edited
# by hand until the predictions hold, and compared with other launches at these counts and at 16. Started from the
# project's root; `record` as root, with the cluster up.
#
#   SOURCES=FOLDER BIN=FOLDER validation/studies/annotate.sh record LAUNCH...
#                           each line of annotate.cases at each count; what is there is not recorded again
#   ... annotate            from the first launch's recordings at 2, 4 and 8: $WORK/NAME/written and, with the edits of
#                           results/annotate/NAME.diff, $WORK/NAME/final
#   ... keep                what was edited in $WORK/NAME/final becomes results/annotate/NAME.diff
#   ... predict             holds final against the recordings, and predicts
#   ... table               compares
#
# $SOURCES holds the programs' sources (the folders of annotate.cases), $BIN their binaries with debug information (both
# are yours to bring), $WORK what is annotated, $CLUSTER names the cluster, $CASES what is left of annotate.cases,
# $RESULTS the folder, $MACHINE the machine file.
# Measured is the time from MPI_Init to MPI_Finalize of the launches 2 and further: the longest sum of computations and
# calls of a process. Connections are made in MPI_Init.
set -u
build=${BUILD:-build} here=validation/studies results=${RESULTS:-validation/results/annotate}
machine=${MACHINE:-validation/results/fresh/machine.yaml} counts=${COUNTS:-"2 4 8 16"}
root=$PWD
SOURCES=${SOURCES:-$root/build/annotate/sources} BIN=${BIN:-$root/build/annotate/bin} work=${WORK:-$root/build/annotate/work}
case $build in /*) ;; *) build=$root/$build ;; esac
case $results in /*) ;; *) results=$root/$results ;; esac
case $machine in /*) ;; *) machine=$root/$machine ;; esac
recordings=${RECORDINGS:-$work/recordings}
export SOURCES BIN

names() {
    sed -n 's/^\([a-z0-9]*\) *|.*/\1/p' "$root/$here/annotate.cases" | while read -r name; do
        case " ${CASES:-$name} " in *" $name "*) echo "$name" ;; esac
    done
}

field() { # field NAME N: of its line, 2 the sources, 3 the flags, 4 the command; $VARIABLES are replaced
    eval "echo \"$(sed -n "s/^$1 *| *//p" "$root/$here/annotate.cases" | cut -d '|' -f "$(($2 - 1))" | sed 's/"/\\"/g')\""
}

grid() { # grid P: in 3 dimensions
    case $1 in
    2) X=2 Y=1 Z=1 ;; 4) X=2 Y=2 Z=1 ;; 8) X=2 Y=2 Z=2 ;; 16) X=4 Y=2 Z=2 ;;
    esac
    export P="$1" X Y Z
}

record() { # record LAUNCH
    mkdir -p "$recordings"
    for name in $(names); do
        for count in $counts; do
            grid "$count"
            file=$recordings/$name@$count.$1.rec
            [ -e "$file" ] && continue
            folder=$(mktemp -d)
            # shellcheck disable=SC2046 # words of the command
            (cd "$folder" || exit 4
             CLUSTER_MPIRUN='--mca mpi_preconnect_mpi 1' timeout 120 \
                 "$root/$here/../cluster/cluster" run ${CLUSTER:+--name "$CLUSTER"} ${BESIDE:+--beside} -n "$count" \
                 "$build/pevpm-record" -o "$file" $(field "$name" 4) </dev/null >out 2>&1 ||
                 { echo "$name, $count processes: $(tail -n 1 out)" >&2; rm -f "$file"; })
            rm -rf "$folder"
        done
    done
}

sources_of() { # paths, without blanks
    for source in $(field "$1" 2); do echo "$SOURCES/$source"; done
}

annotate() {
    for name in $(names); do
        rm -rf "${work:?}/$name"
        mkdir -p "$work/$name" "$results"
        # shellcheck disable=SC2046
        "$build/pevpm-annotate" -o "$work/$name/written" --cflags "$(field "$name" 3)" $(sources_of "$name") \
            "$recordings/$name"@[248].1.rec >"$work/$name/said" 2>&1 || echo "$name: exit code $?" >&2
        sed "s|$work/||; s|$recordings/||; s|$SOURCES/||" "$work/$name/said" >"$results/$name.txt"
        cp -r "$work/$name/written" "$work/$name/final"
        [ ! -e "$results/$name.diff" ] || (cd "$work/$name/final" && patch -s -p1 <"$results/$name.diff") ||
            echo "$name: $results/$name.diff does not apply" >&2
    done
}

keep() {
    for name in $(names); do
        (cd "$work/$name" && diff -U 0 -r -x .pevpm-annotate written final) |
            sed "/^diff /d; s/^\(---\|+++\) \([^\t]*\).*/\1 \2/" >"$results/$name.diff"
        [ -s "$results/$name.diff" ] || rm -f "$results/$name.diff" # nothing was edited
    done
}

# The longest process of a recording, s: calls and what was computed between them.
duration() {
    awk '/^rank /   { if (sum > most) most = sum; sum = 0 }
         /^MPI_/    { for (i = 1; i <= NF; i++) { if ($i == "wall") sum += $(i + 1); if ($i == "in") sum += $(i + 1) } }
         END        { if (sum > most) most = sum; printf "%.6f\n", most / 1e9 }' "$1"
}

flags_of() { # for copies: what they include stands beside the sources
    echo "$(field "$1" 3)$(for source in $(sources_of "$1"); do
        [ -d "$source" ] && echo " -I$source" || echo " -I${source%/*}"
    done | sort -u | tr -d '\n')"
}

predict() {
    for name in $(names); do
        : >"$results/$name.check"
        [ ! -e "$results/predicted.csv" ] || sed -i "/^$name,/d" "$results/predicted.csv"
        for count in $counts; do
            grid "$count"
            "$build/pevpm-record" --check "$work/$name/final" --cflags "$(flags_of "$name")" \
                "$recordings/$name@$count.1.rec" 2>&1 | sed "s|$recordings/||; s|$work/||" >>"$results/$name.check"
            for version in written final; do
                time=$("$build/pevpm-sim" -q --connected -m "$machine" -n "$count" -r 100 -f csv --cflags "$(flags_of "$name")" \
                    "$work/$name/$version" 2>/dev/null |
                    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print $column["median_s"] }')
                echo "$name,$version,$count,${time:-}" >>"$results/predicted.csv"
            done
        done
    done
}

table() {
    [ ! -d "$recordings" ] || for name in $(names); do
        for count in $counts; do
            for file in "$recordings/$name@$count".[2-9].rec; do
                [ -e "$file" ] && echo "$name,$count,$(duration "$file")"
            done
        done
    done >"$results/measured.csv"
    awk -v results="$results" -f "$here/../numbers.awk" -f "$here/annotate.awk" "$results/measured.csv" "$results/predicted.csv" |
        tee "$results/table.md"
}

action=${1:-}
[ $# -gt 0 ] && shift
case $action in
annotate | keep | predict | table) "$action" ;;
record) for launch in "$@"; do record "$launch"; done ;;
*) sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
