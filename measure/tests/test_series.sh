#!/bin/sh
# A series on two processes of this host: those that are to be warm have exchanged something right before each message, and no
# others have.
set -u

. common/tests/check.sh

program=$build/measure/tests/warm_program
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

# Of messages that are waited for the send counts, of those that are there the receive too.
timeout 60 mpirun -n 2 "$program" >"$folder/out" 2>"$folder/err" || fail "warm_program: $(tail -n 1 "$folder/err")"
printf '%s\n' 'cold posted: 0 of 20' 'warm posted: 20 of 20' 'cold late: 0 of 20' 'warm late: 40 of 20' >"$folder/wanted"
check "what is warm is warmed, and nothing else: $(tr '\n' ';' <"$folder/out")" cmp -s "$folder/wanted" "$folder/out"
finish
