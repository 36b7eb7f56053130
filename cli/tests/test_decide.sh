#!/bin/sh
# pevpm-sim decide from outside: what it prints and writes, that the file stays what it was, and wrong usage.
set -u

. common/tests/check.sh
use_sim "$@"
cd "$folder" || exit 1
launcher=

cat >m.yaml <<'END'
# ours
pevpm_machine: 1
name: m # kept
nodes: 8
processes_per_node: 1
collectives:
  MPI_Gather: {algorithm: linear}
models:
  lmo:
    C: "30 us"
    t: "0.8 us"
    inverse_beta: "-0.7 us"
    escalation: {levels: ["0.2 s"], applies: added, M1: [[8, 1000]], M2: 30000, probability: [{numprocs: [8], bytes: [0], p: [[0.5]]}]}
serial: {row: "1 us"}
END

run 0 decide -m m.yaml -o d.yaml -n 8
told 'm.yaml: note: [0-9]* trees are decided by lmo alone, not held against measured times: the file has no `point_to_point`'
check 'the file says so, too' grep -q '^  # lmo, against the algorithms of open_mpi; trees not held against measured times$' d.yaml
check 'a Gatherv goes in pieces' grep -q '^    - {operation: MPI_Gatherv, numprocs: 8, bytes: \[1000, 32767\], piece: 750}$' d.yaml
check 'the table says so' grep -Eq '^MPI_Gatherv +8 +1000 \.\. +32767  pieces of 750 bytes +[0-9.]+ ms -> ' out
check 'all else stays' sh -c 'sed "/^decisions:/,/^serial/{/^serial/!d}" d.yaml | cmp - m.yaml'
cp d.yaml again.yaml
run 0 decide -q -m again.yaml -o again.yaml -n 8
check 'once more is the same' same d.yaml again.yaml
check 'quietly' [ ! -s out -a ! -s err ]
run 0 decide -m m.yaml --per-process -o p.yaml -n 8
check 'per process' grep -q '^  per: process$' p.yaml
told 'note: .* trees are decided by lmo alone.*--per-process asks for processes'
run 0 decide -m m.yaml --gain 0.99 -o none.yaml
check 'no gain, no lines' grep -q '^  table: \[\]$' none.yaml
check 'nothing to hold' [ ! -s err ]
check 'and that is said' grep -q '^none: ' out
run 0 decide -m m.yaml
check 'default counts' [ "$(awk '/^MPI_Gatherv/ { print $2 }' out | sort -un | tr '\n' ' ')" = '4 8 ' ]

# ---- predictions with them ----

cat >g.pevpm <<'END'
Loop iterations = 5
{
    Collective type = MPI_Gatherv & size = 20000 & root = 0
}
END
ends() { awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i } NR == 2 { print $c }' out; }
run 0 -m d.yaml -n 8 -r 4 --model lmo -f csv g.pevpm
native=$(ends messages)
run 0 -m d.yaml -n 8 -r 4 --model lmo -f csv --coll optimised g.pevpm
check 'pieces, and what asks for them' [ "$native:$(ends messages)" = "35:$((7 * 5 * (27 + 26)))" ]
run 0 -m d.yaml -n 8 -r 4 --model lmo --coll optimised g.pevpm
check 'the head says so' grep -q '^collectives  by the decisions of the machine file' out
run 0 -m d.yaml -n 8 -r 4 --model lmo -f json --coll optimised g.pevpm
check 'json, too' grep -q '"collectives": "optimised"' out
run 0 compare -m d.yaml -n 8 -r 4 --model lmo g.pevpm --against --coll optimised
check 'of B' grep -q '^B .*, collectives by its decisions$' out
check 'not of A' sh -c '! grep -q "^A .*decisions" out'
run 3 -m m.yaml -n 8 --model lmo --coll optimised g.pevpm
told 'm.yaml: error: has no `decisions` on how libpevpm-coll carries collectives out: pevpm-sim decide writes them'
run 2 -m d.yaml --coll optimized g.pevpm; told 'did you mean `optimised`'

sed '/escalation/d' m.yaml >plain.yaml
run 0 decide -m plain.yaml -n 8; told 'plain.yaml: warning: no Gather is cut into pieces'
run 3 decide -m m.yaml --model hockney; told 'models.*hockney'
run 2 decide -m m.yaml --root 8; told '\-\-root 8: the file has 8 nodes'
run 2 decide -m m.yaml -n 9; told '\-n 9: expected 2 to 8 processes'
run 2 decide -m m.yaml -n 4x2; told '\-n 4x...: expected 2 to 8 processes'
run 2 decide -m m.yaml --gain 1; told '\-\-gain 1: expected a number from 0 to below 1'
run 2 decide -m m.yaml --model lom; told 'did you mean `lmo`'
run 2 decide -m m.yaml m.yaml; told 'found `m.yaml` behind the options'
run 2 decide -m m.yaml -o -; told 'the machine file goes to a file'
run 4 decide -m nowhere.yaml; told 'nowhere.yaml: error: cannot open'
run 4 decide -m m.yaml -o /nowhere/x.yaml; told '/nowhere/x.yaml: error: cannot create'
check 'no file is left' clean
finish
