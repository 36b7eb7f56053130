#!/bin/sh
# Machine files of version 1 without `frame` predict what they did, to 1e-9 of what is kept in version_1.csv: examples and
# programs of validation/ on the machines of the examples, without ports, with them, and with what else such a file may
# say of ports. A change that is meant to change them is told in docs/machine-file.md ("Predictions that changed") with
# its commit, and makes version_1.csv anew: UPDATE_GOLDEN=1 sh cli/tests/test_version_1.sh. Started from the root.
set -u

. common/tests/check.sh
use_sim
golden=cli/tests/version_1.csv

# ---- machines ----

cp examples/jacobi/perseus.yaml examples/satellite/workstations.yaml "$folder"
ports() { # ports NAME KEYS: perseus with the ports of a 100 Mbit/s switch, and more of them
    gaps='[[0, 12 us], [1024, 90 us]]'
    sed "s/^point_to_point:/ports: {out_gap: $gaps, in_gap: $gaps, credit: 128 us$2}\n&/" examples/jacobi/perseus.yaml \
        >"$folder/$1.yaml"
}
ports ports ''
ports process ', shared_by: process'
ports reverse ', reverse_gap: [[0, 6 us], [1024, 10 us]]'
ports common ', common_gap: [[0, 3 us], [1024, 5 us]]'
ports rest ', rest_delay: [[0, 0], [1 ms, 3 us], [100 ms, 30 us]], measured_after: 3 ms'
ports losses ', buffer: 0.5 ms, overflow: 3 ms'
# Nodes that differ, transits that are spread, and messages within a node.
cat >"$folder/nodes.yaml" <<'END'
pevpm_machine: 1
name: nodes
nodes: 8
processes_per_node: 4
eager_limit: 8192
progress: async
point_to_point:
  - operation: MPI_Send
    nodes: 2
    processes_per_node: 1
    level: 1
    sizes:
      - {bytes: 0, transit: 100 us, send_overhead: 10 us}
      - {bytes: 1000, transit: {uniform: {low: 180 us, high: 260 us}}, send_overhead: 20 us, receive_overhead: 5 us}
  - operation: MPI_Send
    nodes: 8
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: {uniform: {low: 100 us, high: 300 us}}}
      - {bytes: 1000, transit: {quantiles: [[0, 300 us], [0.5, 400 us], [1, 800 us]]}}
  - operation: MPI_Send
    nodes: 1
    processes_per_node: 4
    level: 2
    sizes: [{bytes: 0, transit: 2 us}, {bytes: 1000, transit: {normal: {mean: 4 us, sd: 0.2 us}}}]
ports:
  out_gap: [[0, 12 us], [1000, 90 us]]
  in_gap: [[0, 10 us], [1000, 80 us]]
  credit: 150 us
  per_node: [{}, {out_gap: [[0, 12 us], [1000, 180 us]]}, {}, {in_gap: [[0, 20 us], [1000, 160 us]]}, {}, {credit: 0}, {}, {}]
END

# ---- predictions ----

# seconds MACHINE PROGRAM NODESxPPN [NAME=VALUE]...: a line of the table, with mean and spread of 6 replications
seconds() {
    machine=$1 program=$2 place=$3
    shift 3
    options=
    for value in "$@"; do options="$options -D $value"; done
    # shellcheck disable=SC2086 # words
    "$sim" -q -m "$folder/$machine.yaml" -n "$place" -r 6 -s 3 -f csv $options "$program" 2>"$folder/err" |
        awk -F, -v what="$machine,$program,$place,$*" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { print what "," $at["mean_s"] "," $at["sd_s"] }' >>"$folder/now"
    [ ! -s "$folder/err" ] || indent "$folder/err"
}
echo 'machine,program,processes,parameters,mean_s,sd_s' >"$folder/now"
v=validation/programs
machines='perseus ports process reverse common rest losses workstations nodes'
[ -z "${PEVPM_TEST_SHARE:-}" ] || machines='reverse nodes' # the lanes and the time-ordered engine
for machine in $machines; do
    seconds "$machine" examples/jacobi/jacobi.c 8x1 iterations=20
    seconds "$machine" examples/jacobi/jacobi_better.c 4x2 iterations=20
    seconds "$machine" examples/fft/fft.c 8x1 n=128 iterations=2 pairs=1
    seconds "$machine" examples/satellite/satellite.c 8x1 images=4
    seconds "$machine" examples/taskfarm/taskfarm.c 8x1 n=1000 rows=20
    seconds "$machine" $v/stencil.c 8x1 iterations=8 work=0.002
    seconds "$machine" $v/butterfly.c 8x1 iterations=2 work=0.01 size=16384
    seconds "$machine" $v/pipeline.c 8x1 iterations=10 work=0.002
    seconds "$machine" $v/buckets.c 4x1 iterations=2 work=0.01
    seconds "$machine" $v/taskfarm.c 8x1 iterations=40 work=0.002
done

if [ -n "${UPDATE_GOLDEN:-}" ] && [ -z "${PEVPM_TEST_SHARE:-}" ]; then
    cp "$folder/now" $golden
fi
check 'predictions of machine files of version 1 without frames are as they were' awk -F, '
    NR == FNR { was[$1, $2, $3, $4] = $5 "," $6; if (index(" machine " machines " ", " " $1 " ")) n++; next }
    {
        split(was[$1, $2, $3, $4], then, ",")
        compared++
        if (FNR > 1 && !(near($5, then[1], then[1]) && near($6, then[2], then[1]))) {
            print $1, $2, $3, $4 ": " $5 " s, sd " $6 "; was " then[1] ", " then[2]
            wrong = 1
        }
    }
    function near(a, b, scale) { return a - b <= 1e-9*scale && b - a <= 1e-9*scale && scale > 0 }
    END { exit wrong || compared != n || n <= 20 }
    ' machines="$machines" $golden "$folder/now"
finish
