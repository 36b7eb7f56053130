#!/bin/sh
# A long exchange behind a short one, between processes of this host that take themselves for nodes: who is late is, the first process
# of each pair tells for how long one of the two waited, and what the long one takes has nothing of that. Who has no partner does nothing.
set -u

. common/tests/check.sh

program=$build/measure/tests/behind_program
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

timeout 60 mpirun --oversubscribe -n 5 "$program" >"$folder/out" 2>"$folder/err" || fail "behind_program: $(tail -n 1 "$folder/err")"
exchanged='1 1 100000 bytes' told=', 10 numbers: right'
printf '%s\n' "0: $exchanged, late$told" "1: $exchanged" "2: $exchanged, late$told" "3: $exchanged" '4: nothing' \
    "0: $exchanged$told" "1: $exchanged, late" "2: $exchanged$told" "3: $exchanged, late" '4: nothing' >"$folder/wanted"
check "either is late, and the first tells it: $(tr '\n' ';' <"$folder/out")" cmp -s "$folder/wanted" "$folder/out"
finish
