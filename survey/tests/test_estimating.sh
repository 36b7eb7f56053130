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
check "all is as it should be: $(grep ': no$' "$folder/out" | tr '\n' ';')" [ "$(grep -c ': yes$' "$folder/out")" -eq 13 ]
check 'nothing is not' [ "$(grep -c ': no$' "$folder/out")" -eq 0 ]
sed -n 's/^    //p' "$folder/out" >"$folder/words"
tail -n 4 "$folder/words" >"$folder/last"
printf '%s\n' 'bytes: 1, expected 2 to 1073741824' 'precision: 2, expected a number between 0 and 1' \
    'repetitions: 5, expected 6 to 10000' 'messages: -1, expected 2 to 100000' >"$folder/wanted"
check "a host alone is one node: $(head -n 1 "$folder/words")" grep -q '^1 node takes part, expected 2 to 512$' "$folder/words"
check "what is said of wishes: $(tr '\n' ';' <"$folder/words")" same "$folder/wanted" "$folder/last"
finish
