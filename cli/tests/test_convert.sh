#!/bin/sh
# `pevpm-sim convert`: a machine file of format 1 becomes one of format 2 on which predictions are the same.
# Last line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh
use_sim
root=$PWD
cd "$folder" || exit 1

cat >p.pevpm <<'END'
Runon c1 = procnum % 2 == 0 && procnum+1 < numprocs
{
    Message type = MPI_Send & to = procnum+1 & size = 5000
}
Runon c1 = procnum % 2 == 1
{
    Message type = MPI_Recv & from = procnum-1 & size = 5000
}
Message type = MPI_Isend & to = (procnum+1)%numprocs & size = 3000
Message type = MPI_Isend & to = (procnum+2)%numprocs & size = 30000
Message type = MPI_Recv & from = (procnum+numprocs-1)%numprocs
Message type = MPI_Recv & from = (procnum+numprocs-2)%numprocs
Message type = MPI_Waitall
END

# alike NAME: predictions on NAME.yaml are those on what it becomes, and that becomes itself
alike() {
    "$sim" convert -o "$1.2.yaml" "$1.yaml" 2>err
    ended 0 $? convert "$1.yaml"
    check "$1: format 2" grep -q '^pevpm_machine: 2$' "$1.2.yaml"
    check "$1: no ports" sh -c "! grep -q '^ports' $1.2.yaml"
    for file in "$1.yaml" "$1.2.yaml"; do
        "$sim" -q -m "$file" -n 3-8,4x2 -r 20 -f csv p.pevpm >"$file.csv" 2>err || fail "$file"
    done
    check "$1: the same predictions" cmp "$1.yaml.csv" "$1.2.yaml.csv"
    "$sim" convert "$1.2.yaml" >again.yaml
    check "$1: nothing to convert" cmp "$1.2.yaml" again.yaml
}
cp "$root/examples/vcluster16/vcluster16.yaml" cluster.yaml
alike cluster
check 'uncertainties stay' grep -q 'credit: {value: 1.26537 ms, ci95: 5.915 us, experiments: 5}' cluster.2.yaml
check 'provenance stays' grep -q 'measured_by: "pevpm-bench' cluster.2.yaml
cat >unequal.yaml <<'END'
pevpm_machine: 1
name: unequal
nodes: 8
processes_per_node: 2
point_to_point:
  - operation: MPI_Send
    pattern: pingpong
    nodes: 2
    processes_per_node: 1
    sizes: [{bytes: 0, transit: "50 us"}, {bytes: 10000, transit: {uniform: {low: "9 ms", high: "12 ms"}}}]
ports:
  out_gap: [[0, "40 us"], [10000, "8 ms"]]
  in_gap: [[0, "40 us"], [10000, "8 ms"]]
  reverse_gap: [[0, 0], [10000, "0.3 ms"]]
  frame: 1448
  per_node: [{}, {}, {out_gap: [[0, "80 us"], [10000, "16 ms"]], credit: "1 ms"}, {}, {}, {in_gap: [[0, 0], [9000, "30 ms"]]}, {}, {}]
END
alike unequal
sed '/frame/d; /reverse/d; /  per_node/d' unequal.yaml >whole.yaml
echo '  shared_by: process' >>whole.yaml
alike whole

"$sim" convert -o cluster.yaml cluster.yaml
check 'in place' cmp cluster.yaml cluster.2.yaml
refuse() { # refuse CODE PATTERN ARGUMENT...
    code=$1 pattern=$2
    shift 2
    "$sim" convert "$@" >out 2>err
    ended "$code" $? convert "$@"
    told "$pattern"
}
refuse 2 'no MACHINE.yaml is given'
refuse 2 'one machine file is rewritten at a time' a.yaml b.yaml
refuse 4 'cannot open' none.yaml
echo 'pevpm_machine: 1' >broken.yaml
refuse 3 'missing key `name`' -o never.yaml broken.yaml
check 'nothing is written' [ ! -e never.yaml ]

# what cannot be simulated yet is refused, not ignored; a trunk can be
cat >tree.yaml <<'END'
pevpm_machine: 2
name: tree
nodes: 8
point_to_point:
  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: "50 us"}]}
topology: {groups: {left: "0-3", right: "4-7"}}
resources:
  - {scope: group, of: [left, right], direction: out, demand: [[0, "1 us"], [1000, "1 ms"]]}
END
"$sim" -q -m tree.yaml -n 4 p.pevpm >out 2>err
ended 0 $? 'a trunk'
"$sim" -q -m tree.yaml -n 4 --engine lanes p.pevpm >out 2>err
ended 3 $? 'a trunk in lanes'
told '`resources: scope group` cannot be simulated by the lanes engine yet'
sed 's/scope: group, of: .left, right., direction: out/scope: node, direction: both/' tree.yaml >both.yaml
"$sim" -q -m both.yaml -n 4 p.pevpm >out 2>err
ended 0 $? 'one port for both directions'
"$sim" -q -m both.yaml -n 4 --engine lanes p.pevpm >out 2>err
ended 3 $? 'the same in lanes'
told '`resources: direction both` cannot be simulated by the lanes engine yet'
for key in 'direction: both' 'direction: out, rails: 2'; do
    { cat tree.yaml; echo "  - {scope: node, $key, demand: [[0, 1 us], [1000, 1 ms]]}"; } >beside.yaml
    "$sim" -q -m beside.yaml -n 4 p.pevpm >out 2>err
    ended 3 $? "$key beside a trunk"
    told 'beside `scope: group` cannot be simulated yet'
done
sed 's/"1 ms"]]/&, buffer: "2 ms", overflow: "1 ms"/' both.yaml >buffer.yaml
"$sim" -q -m buffer.yaml -n 4 p.pevpm >out 2>err
ended 3 $? 'one that loses what it has no room for'
told 'resources\[0\]: a `buffer` of anything but groups and what messages enter a node by (`direction: in`) cannot be simulated yet'
"$sim" -q -m buffer.yaml -n 4 --contention scoreboard p.pevpm >out 2>err
ended 0 $? 'without resources'
finish
