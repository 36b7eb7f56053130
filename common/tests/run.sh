#!/bin/sh
# Runs test programs and scripts, as many at a time as there are processors, shows the output of those that fail, and
# counts. Tests that measure times run alone, after the others; those that take longest first, then scripts, so that none is
# left at the end; and one test more than there are processors, as many of them wait. Beside them those that do nearly
# nothing else.
#   BUILD=build run.sh TEST...      a TEST that ends in .sh is run by sh with BUILD in its environment, and where others run
#                                   beside it with PEVPM_TEST_BESIDE
# A script may print a line "N passed, N failed, N skipped", and "skipped: REASON" and "note: TEXT" lines, which are
# shown; a program is a cmocka one. One that has not ended after PEVPM_TEST_SECONDS (900: thrice what the longest takes) is
# ended, and has failed.
set -u

folder=$(mktemp -d)
PEVPM_TEST_SECONDS=${PEVPM_TEST_SECONDS:-900}
export PEVPM_TEST_SECONDS
# A terminal's Ctrl-C reaches no test: each has a process group of its own, which ends with its timeout.
ended() {
    for process in "$folder"/*.process; do [ ! -f "$process" ] || kill "$(cat "$process")" 2>/dev/null; done
    exit 1
}
trap 'rm -rf "$folder"' EXIT
trap ended INT TERM
passed=0 failed=0 skipped=0

measures() { # measures TEST: times on a busy machine are other times
    case $1 in
    bench/tests/test_bench.sh | bench/tests/test_mpich_times.sh | clock/tests/test_clock.sh | run/tests/test_times.sh) ;;
    examples/tests/test_tutorial.sh | survey/tests/test_estimate.sh) ;;
    *) false ;;
    esac
}
waits() { # waits TEST: nearly all the time, for moments that are agreed on; so it takes the place of no other
    case $1 in
    validation/tests/test_cluster.sh | run/tests/test_ends.sh | */measure/tests/test_watch) ;;
    *) false ;;
    esac
}
# Those that keep a processor busy for 15 s and more: the longest first, and between those that start many MPI processes others.
long='record/tests/test_record.sh collectives/tests/test_traced.sh validation/tests/test_validate.sh timing/tests/test_time.sh
annotate/tests/test_annotate.sh bench/tests/test_going_on.sh record/tests/test_examples.sh bench/tests/test_mpich.sh
cli/tests/test_cli.sh run/tests/test_run.sh sim/tests/test_model_error cli/tests/test_judge.sh
validation/tests/test_apps.sh validation/tests/test_cluster.sh'
position() { # position TEST: among those; nothing if it is not there
    at=0
    for word in $long; do
        at=$((at + 1))
        case $1 in "$word" | */"$word") echo $at ;; esac
    done
}
log_of() { echo "$folder/$(echo "$1" | tr / _)"; }
count() { # count WORD LOG: the sum of the numbers that stand before WORD
    awk -v word="$1" 'match($0, "[0-9]+ " word) { n += substr($0, RSTART, RLENGTH) } END { print n + 0 }' "$2"
}
told() { # told WORD LOG: the same of a cmocka program
    sed -n "s/^\[  $1 *\] \([0-9]*\) test.*/\1/p" "$2" | awk '{ n += $1 } END { print n + 0 }'
}

cat >"$folder/one" <<'ONE'
case $1 in *.sh) by='sh' ;; *) by= ;; esac
sh -c 'echo $$ >"$0.process"; exec timeout -k 10 "$PEVPM_TEST_SECONDS" "$@"' "$2" $by "$1" >"$2" 2>&1 </dev/null
status=$?
rm "$2.process"
[ $status -ne 124 ] || echo "not ended after $PEVPM_TEST_SECONDS s" >>"$2"
echo $status >"$2.status"
ONE

list() { # list KIND TEST...: those that need not be alone, waiting, or scripts or programs, each with its log; long ones first
    wanted=$1
    shift
    for test in "$@"; do
        kind=other
        ! waits "$test" || kind=waiting
        if [ $kind != "$wanted" ] || measures "$test"; then continue; fi
        rank=$(position "$test")
        case $test in *.sh) echo "${rank:-1000} $test" ;; *) echo "${rank:-2000} $test" ;; esac
    done | sort -s -n -k 1,1 | while read -r rank test; do printf '%s\n%s\n' "$test" "$(log_of "$test")"; done
}
# What glibc gives back to the system with each array that is freed, and takes again with the next one, costs test_engines and
# test_ledger two thirds of their time. Up to 256 MB it is kept.
at_once() { # at_once N
    MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=33554432 PEVPM_TEST_BESIDE=yes xargs -r -n 2 -P "$1" sh "$folder/one"
}
list waiting "$@" | at_once 1 &
list other "$@" | at_once $(($(nproc) + 1))
wait
for test in "$@"; do
    if measures "$test"; then sh "$folder/one" "$test" "$(log_of "$test")"; fi
done

for test in "$@"; do
    log=$(log_of "$test")
    [ -f "$log.status" ] || { echo 'not run' >"$log"; echo 1 >"$log.status"; }
    status=$(cat "$log.status")
    case $test in
    *.sh) ok=$(count passed "$log") bad=$(count failed "$log") out=$(count skipped "$log") ;;
    *) ok=$(told PASSED "$log") bad=$(told FAILED "$log") out=$(told SKIPPED "$log") ;;
    esac
    if [ "$status" -ne 0 ] || [ "$bad" -gt 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
        echo "---- $test (exit $status)"
        grep -v '^\[ RUN  \|^\[       OK' "$log" | tail -n 60
    elif [ "$ok" -eq 0 ] && [ "$out" -eq 0 ]; then
        bad=1
        echo "---- $test ran no test"
    fi
    sed -n "s|^skipped: |skipped: $test: |p; s|^note: |note: $test: |p" "$log"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + out))
done
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
