#!/bin/sh
# Which programs made by chance a machine file is judged by, on processes of this host.
set -u

. common/tests/check.sh

program=$build/trial/tests/trial_program

command -v mpirun >/dev/null || skip_all "mpirun is not installed"
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

# A run should take 4 s / 40. With this seed the first kind computes for 0.54 s, pipeline and ring for 0.09 and 0.03 s; others
# compute for none, and whether they take long enough to count depends on this host.
timeout 100 mpirun -n 4 "$program" examples/jacobi/perseus.yaml 4 3000000009 >"$folder/out" 2>"$folder/err" ||
    { grep -q -i 'slots\|not be able to' "$folder/err" && skip_all "MPI cannot start here"; fail 'programs are run'; }
check 'five at the least' [ "$(grep -vc '^left out' "$folder/out")" -ge 5 ]
check 'what would take five times as long as it should is left out' \
    [ "$(grep -c '^halo 3000000009 ' "$folder/out")" -eq 0 ]
for kind in pipeline ring; do
    check "$kind is not" grep -q "^$kind 3000000009 4 " "$folder/out"
done

# An MPI_Iallreduce of no bytes: it computes long enough to be judged. A slow host may need longer to come to it.
for seconds in 4 16 64; do
    timeout 200 mpirun -n 4 "$program" examples/jacobi/perseus.yaml $seconds 941 >"$folder/out" 2>"$folder/err" ||
        fail 'programs are run'
    grep -q '^left out [1-9]' "$folder/out" && break
done
check 'what sends nothing is left out' [ "$(grep -c '^collectives 941 ' "$folder/out")" -eq 0 ]
check 'and counted' grep -q '^left out [1-9]' "$folder/out"
finish
