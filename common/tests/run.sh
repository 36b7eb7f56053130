#!/bin/sh
# Runs test programs and scripts, shows the output of those that fail, and counts.
#   BUILD=build run.sh TEST...      a TEST that ends in .sh is run by sh with BUILD in its environment
# A script may print a line "N passed, N failed, N skipped" and "skipped: REASON" lines; a program is a cmocka one.
set -u

passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT INT TERM

count() { # count WORD: the sum of the numbers that stand before WORD
    awk -v word="$1" 'match($0, "[0-9]+ " word) { n += substr($0, RSTART, RLENGTH) } END { print n + 0 }' "$log"
}

for test in "$@"; do
    case $test in
    *.sh) sh "$test" >"$log" 2>&1; status=$? ok=$(count passed) bad=$(count failed) out=$(count skipped) ;;
    *) "$test" >"$log" 2>&1; status=$?
       ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
       bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
       out=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}') ;;
    esac
    if [ "$status" -ne 0 ] || [ "$bad" -gt 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
        echo "---- $test (exit $status)"
        grep -v '^\[ RUN  \|^\[       OK' "$log" | tail -n 60
    elif [ "$ok" -eq 0 ] && [ "$out" -eq 0 ]; then
        bad=1
        echo "---- $test ran no test"
    fi
    sed -n "s|^skipped: |skipped: $test: |p" "$log"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + out))
done
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
