#!/bin/sh
# The paper's example: perseus.yaml is what its script writes and holds the paper's figures, the predictions come in the
# paper's order, and jacobi.c runs and computes the right grid. Started from the project's root.
set -u

. common/tests/check.sh
sim=$build/pevpm-sim machine=examples/jacobi/perseus.yaml
need "$sim"
unset PEVPM_MACHINE

# ---- the machine file ----

awk -f examples/jacobi/make-perseus.awk >"$folder/perseus.yaml"
check "perseus.yaml is what make-perseus.awk writes" cmp -s "$folder/perseus.yaml" "$machine"

# one_way MODE NODES BYTES: predicted seconds of one exchange between pairs of nodes, all pairs at once
printf '%s\n' 'Message type = MPI_Isend & size = BYTES & to = (procnum+numprocs/2) % numprocs & request = s' \
              'Message type = MPI_Recv & from = (procnum+numprocs/2) % numprocs' \
              'Message type = MPI_Wait & request = s' >"$folder/pairs.pevpm"
one_way() {
    "$sim" -q -m "$machine" -n "$2" -M "$1" -D "BYTES=$3" -f csv "$folder/pairs.pevpm" | awk -F, 'END {print $10}'
}
near() { awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {d = a / b - 1; exit !(d < tolerance && d > -tolerance)}'; }

t2=$(one_way average 2 1024)
t64=$(awk "BEGIN {print 1.7 * $t2}")
rate=$(awk 'BEGIN {print 16384 * 8 / 81e6}')
check "1 KiB on 64x1 takes 70 % longer than on 2x1" near "$(one_way average 64 1024)" "$t64" 0.001
check "16 KiB on 2x1 goes at 81 Mbit/s" near "$(one_way average 2 16384)" "$rate" 0.001
check "the minimum on 64x1 is that on 2x1" near "$(one_way minimum 64 1024)" "$(one_way minimum 2 1024)" 0.000001

# ---- the predictions ----

"$sim" -q -m "$machine" -n 2x1..128x1*2,2x2..64x2*2 -M minimum@2x1,average@2x1,average,distribution \
    -D iterations=1000 -f csv examples/jacobi/jacobi.c >"$folder/csv" 2>"$folder/err" ||
    { fail "the demo's predictions"; cat "$folder/err"; }
check "minimum@2x1, average@2x1, average and distribution promise ever less, and the gap grows" awk -F, '
    NR > 1 { speedup[$6 "x" $7, $4] = $19; if (!seen[$6 "x" $7]++) order[++n] = $6 "x" $7 }
    END {
        for (i = 1; i <= n; i++) {
            p = order[i]
            a = speedup[p, "minimum@2x1"]; b = speedup[p, "average@2x1"]
            c = speedup[p, "average"]; d = speedup[p, "distribution"]
            # 2x1 is one ping-pong, 2x2 meets one message between nodes at a time: there the averages are the same
            alone = p == "2x1" || p == "2x2"
            good = a > b && (alone ? b >= c * 0.9999 && c >= d * 0.999 : b > c && c > d)
            if (!good) { print "order at " p ": " a, b, c, d; bad = 1 }
            split(p, np, "x")
            if (b / d <= gap[np[2]]) { print "the gap does not grow at " p; bad = 1 }
            gap[np[2]] = b / d
        }
        exit bad || n != 13
    }' "$folder/csv"

# On a machine with another name the default Serial line counts: 0.53 ns for a point, here without communication.
"$sim" -q -m validation/free.yaml -n 2 -M average -D iterations=1000 -f csv examples/jacobi/jacobi.c >"$folder/csv" 2>&1
check "jacobi.c is predicted on any machine" near "$(awk -F, 'END {print $10}' "$folder/csv")" \
    "$(awk 'BEGIN {printf "%.9f", 1000 * 65536 * 0.53e-9 / 2}')" 0.000001

"$sim" -q -m "$machine" -n 3 examples/jacobi/jacobi.c >"$folder/out" 2>&1
check "an odd number of processes is bad input" test $? -eq 3

# Four processes in two rows of two: each has two neighbours at 512 bytes, and all are in step.
cat >"$folder/constant.yaml" <<'END'
pevpm_machine: 1
name: constant
nodes: 4
processes_per_node: 1
point_to_point:
  - operation: MPI_Send
    pattern: pingpong
    nodes: 2
    processes_per_node: 1
    sizes: [{bytes: 512, transit: "200 us", send_overhead: "10 us", receive_overhead: "1 us"}]
END
"$sim" -q -m "$folder/constant.yaml" -n 4 -M average -D iterations=1000 -f csv examples/jacobi/jacobi_better.c \
    >"$folder/csv" 2>&1
check "jacobi_better.c has two neighbours" near "$(awk -F, 'END {print $10}' "$folder/csv")" \
    "$(awk 'BEGIN {print 1000 * (210e-6 + 65536 * 0.53e-9 / 4)}')" 0.01

check "the directives of jacobi_better.c agree with its calls" \
    test -z "$("$sim" --check examples/jacobi/jacobi_better.c 2>&1 >/dev/null)"

# ---- the real program ----

# Refused by the launcher (no MPI, no root, too few slots) is not a fault of the program.
launch() { timeout 60 mpirun --oversubscribe "$@"; }
if [ -n "${PEVPM_TEST_SHARE:-}" ]; then
    skip "jacobi.c has been run beside the default compiler's tests"
elif ! command -v mpicc >/dev/null || ! launch -np 2 true >/dev/null 2>&1; then
    skip "MPI cannot start here: jacobi.c is not run"
else
    check "jacobi.c compiles without a warning" \
        mpicc -std=c11 -Wall -Wextra -Werror -O2 examples/jacobi/jacobi.c -o "$folder/jacobi"
    check "ring.c compiles without a warning" \
        mpicc -std=c11 -Wall -Wextra -Werror -O2 examples/ring/ring.c -o "$folder/ring"
    for n in 2 4; do
        launch -np $n "$folder/jacobi" 101 >"$folder/out" 2>&1
        check "jacobi.c on $n processes computes what one would" \
            grep -q 'the grid is the one that a single process computes' "$folder/out"
    done
    check "jacobi_better.c compiles without a warning" \
        mpicc -std=c11 -Wall -Wextra -Werror -O2 examples/jacobi/jacobi_better.c -o "$folder/better"
    for across in 1 2 4; do
        launch -np 4 "$folder/better" 101 $across >"$folder/out" 2>&1
        check "jacobi_better.c with $across across computes what one process would" \
            grep -q 'the grid is the one that a single process computes' "$folder/out"
    done
    launch -np 3 "$folder/better" 101 >"$folder/out" 2>&1
    check "jacobi_better.c refuses 3 processes" grep -q 'cannot stand in rows of 2' "$folder/out"
    launch -np 3 "$folder/jacobi" 101 >"$folder/out" 2>&1
    check "jacobi.c refuses 3 processes" grep -q 'runs on 2, 4, 8, ... 256 processes, not on 3' "$folder/out"
fi
finish
