#!/bin/sh
# A series on two processes of this host: messages of a chain go right behind one another, late receives behind short messages
# where these are wanted, and no others do; and what a chain sends has been written.
set -u

. common/tests/check.sh

program=$build/measure/tests/chain_program
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

timeout 60 mpirun -n 2 "$program" >"$folder/out" 2>"$folder/err" || fail "chain_program: $(tail -n 1 "$folder/err")"
printf '%s\n' 'alone, posted: 20, 0 behind another, 0 behind short ones, 0 written' \
    'chain, posted: 100, 80 behind another, 0 behind short ones, 160 written' \
    'alone, late: 20, 0 behind another, 0 behind short ones, 0 written' \
    'behind short ones, late: 20, 0 behind another, 40 behind short ones, 0 written' \
    'chain, late: 60, 0 behind another, 40 behind short ones, 0 written' >"$folder/wanted"
check "what is to be behind another is, and nothing else: $(tr '\n' ';' <"$folder/out")" cmp -s "$folder/wanted" "$folder/out"
finish
