#!/bin/sh
# First messages among processes of this host that take themselves for others': what is measured of how many, and with which
# nothing can be. That the times are right a network must show.
set -u

. common/tests/check.sh

program=$build/measure/tests/first_program
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

# first PROCESSES PROCESSES_PER_NODE: the numbers of what was measured
first() {
    timeout 60 mpirun --oversubscribe -n "$1" "$program" "$2" >"$folder/out" 2>"$folder/err" || fail "first_program: $(tail -n 1 "$folder/err")"
    head -n 1 "$folder/out"
}
check 'four nodes beside that of rank 0' [ "$(first 5 1)" = '4 listen, 2 pairs, 1 late, 3 at once, each 2' ]
check 'of a node one process' [ "$(first 8 2)" = '6 listen, 1 pairs, 1 late, 0 at once, each 0' ]
check 'three nodes are too few' [ "$(first 3 1)" = '2 listen, 0 pairs, 0 late, 0 at once, each 0' ]
check 'and so is one' [ "$(first 4 4)" = '0 listen, 0 pairs, 0 late, 0 at once, each 0' ]
finish
