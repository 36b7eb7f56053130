#!/bin/sh
# Models estimated by a running program (estimating_program.c): all that it looks at is so, and what cannot be is refused.
set -u

. common/tests/check.sh

program=$build/survey/tests/estimating_program
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
case ${CC:-cc} in *clang*) skip_all "what a program estimates: tested with the default compiler, and with sanitizers" ;; esac

timeout 90 mpirun -n 3 "$program" >"$folder/out" 2>"$folder/err" || fail "estimating_program: $(tail -n 1 "$folder/err")"
check "all is as it should be: $(grep ': no$' "$folder/out" | tr '\n' ';')" [ "$(grep -c ': yes$' "$folder/out")" -eq 28 ]
check 'nothing is not' [ "$(grep -c ': no$' "$folder/out")" -eq 0 ]
sed -n 's/^    //p' "$folder/out" >"$folder/words"
tail -n 7 "$folder/words" >"$folder/last"
printf '%s\n' 'bytes: 1, expected 2 to 1073741824' 'precision: 2, expected a number between 0 and 1' \
    'repetitions: 5, expected 6 to 10000' 'messages: -1, expected 2 to 100000' \
    'budget: -1, expected a time above zero in seconds' 'largest: 8, expected 16 to 16777216' 'rest: 2, expected at most 1 seconds' \
    >"$folder/wanted"
check 'what a budget lacks' grep -q '^many_to_one: the budget of 0.001 s was spent before every size was measured, from Gathers among 3 processes with 1024 bytes on; give a larger budget, or let the largest share be smaller than 131072 bytes$' "$folder/words"
check "a host alone is one node: $(sed -n 2p "$folder/words")" grep -q '^1 node takes part, expected 2 to 512$' "$folder/words"
check "what is said of wishes: $(tr '\n' ';' <"$folder/words")" same "$folder/wanted" "$folder/last"
finish
