#!/bin/sh
# The clock on four processes of one host, with known errors injected, in a star and in a chained tree.
# Thresholds are those of a loaded machine; what a quiet one reaches is in docs/ACCURACY.md.
set -u

. common/tests/check.sh

program=$build/clock/tests/clock_program log=$folder/log
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

run() { # run N ARGUMENT...
    n=$1
    shift
    timeout 60 mpirun -n "$n" "$program" "$@" >"$log" 2>&1
}

number() { # number LINE WORD: the number after WORD in the line that starts with LINE
    awk -v line="$1" -v word="$2" \
        '$1 == line {for (i = 1; i < NF; i++) if ($i == word) {print $(i + 1) + 0; exit}}' "$log"
}

holds() { # holds WHAT CONDITION, an awk expression; an empty number in it fails
    if [ "$(awk "BEGIN {print ($2) ? 1 : 0}" </dev/null 2>&1)" = 1 ]; then pass; else fail "$1: $2"; fi
}

command -v mpirun >/dev/null || skip_all "mpirun is not installed"
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
run 1 0 0 0 || skip_all "MPI cannot start here: $(tail -n 1 "$log")"

for tree in star chain; do
    before=$failed
    run 4 2 1000000 100 $tree
    holds "$tree: the verification passes" "$? == 0"
    p99=$(number errors p99)
    holds "$tree: there are errors, and they stay under 5 us" "$p99 > 0 && $(number errors largest) < 5000"
    bound=$(number errors bound)
    # The bound grows with what the machine does besides; on one clock the errors need not.
    holds "$tree: the bound covers the errors, and is no larger than what is demanded" "$bound > $p99 / 4 && $bound < 5000"
    holds "$tree: messages" "$(number messages messages) > 100"
    holds "$tree: none received before it was sent" "$(number messages way,) == 0"
    holds "$tree: there and back add up" "$(number sums sums) == 0"
    holds "$tree: offset and drift were injected" "$(number 1 1) < -900000 && $(number 3 -652264.268) > 50"
    [ "$failed" = "$before" ] || sed 's/^/    /' "$log"
done

# Without injected errors all processes of a host read one clock.
run 3 1 0 0
holds "one host, one clock: no error at all" "$(number errors largest) == 0"

# Processes that are bound to a core each have as many as they are; those that one core must do for have not.
crowded() { # crowded COMMAND...: two processes, by COMMAND; do they wait for one another?
    timeout 60 "$@" "$program" 0.2 0 0 >"$log" 2>&1 || return 2
    grep -q '^processes  2, more than cores' "$log"
}
if taskset -c 0 true 2>/dev/null && taskset -c 1 true 2>/dev/null; then
    crowded mpirun -n 1 taskset -c 0 "$program" 0.2 0 0 : -n 1 taskset -c 1
    holds "a core each" "$? == 1"
    crowded mpirun --bind-to none -n 2 taskset -c 0
    holds "one core for both" "$? == 0"
else
    skip 'no cores 0 and 1 to run on, or no taskset' 2
fi

finish
