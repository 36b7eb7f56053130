#!/bin/sh
# pevpm-bench --fit and report from outside: plain processes that need no launcher, whatever MPI thinks of the machine.
set -u

. common/tests/check.sh

bench=$build/pevpm-bench sim=$build/pevpm-sim
program=$bench launcher='env OMPI_MCA_pml=none PMI_FD=-7 PMI_RANK=0 PMI_SIZE=1' # MPI_Init would fail, with either MPI
perseus=$PWD/examples/jacobi/perseus.yaml gathers=$PWD/validation/results/gathers/later.yaml jacobi=$PWD/examples/jacobi/jacobi.c
[ -x "$bench" ] || skip_all "$bench was not built (no MPI)"
cd "$folder" || exit 1

# Three points: samples of a shifted exponential law, the same with retransmissions, and no histogram.
cat >a.yaml <<'Y'
pevpm_machine: 1
name: small
nodes: 2
provenance: {measured_by: hand}
point_to_point:
  - operation: MPI_Send
    pattern: pairs
    nodes: 2
    processes_per_node: 1
    sizes:
      - bytes: 0
        transit: {edges: [100 us, 105 us, 110 us, 120 us, 130 us, 140 us, 150 us, 180 us, 250 us], counts: [221, 172, 239, 145, 88, 53, 64, 18], average: 119.5 us}
        send_overhead: 2 us
      - bytes: 512
        transit: {edges: [100 us, 105 us, 110 us, 120 us, 130 us, 140 us, 150 us, 180 us, 250 us, 200 ms, 201 ms], counts: [221, 172, 239, 145, 88, 53, 64, 18, 0, 5]}
      - bytes: 1k
        transit: {gamma: {shape: 2, scale: 10 us, shift: 100 us}}
Y
sed -i 's/1k/1024/' a.yaml

run 0 --fit a.yaml -o b.yaml
check 'nothing on standard error' [ ! -s err ]
check 'the law is named' grep -q '^MPI_Send *pairs *2x1 *0 transit *1000  exponential mean [12][09]\.[0-9]* us + [0-9.]* us .* good$' out
check 'the tail is refused' grep -q '^MPI_Send .* 512 transit .*  no: ' out
check 'what was done is added up' grep -q '^1 of 2 histograms replaced by a law$' out
check 'a law is written, and the average measured' grep -q 'transit: {exponential: {mean: .* us, shift: .* us}, .*average: 119.5 us}' b.yaml
check 'the other histogram stays' grep -q 'transit: {edges: .*counts: \[221, .*, 0, 5\]' b.yaml
check 'a law stays' grep -q 'transit: {gamma: {shape: 2, scale: 10 us, shift: 100 us}}' b.yaml
check 'provenance stays' grep -q 'measured_by: hand' b.yaml
check 'and grows' grep -q 'fitted: .*laws in place of 1 of 2 histograms' b.yaml
run 0 --fit a.yaml -o c.yaml --format csv
check 'one row for each histogram' [ "$(wc -l <out)" -eq 3 ]
check 'with 17 columns' awk -F, 'NF != 17 {exit 1}' out
check 'the same file' cmp -s b.yaml c.yaml
run 0 --fit a.yaml -o -
check 'the file on standard output' cmp -s b.yaml out
told 'exponential mean'
run 0 --fit b.yaml -o c.yaml
run 0 --fit c.yaml -o d.yaml -q
check 'a file with laws only loses nothing' grep -q 'gamma: {shape: 2, scale: 10 us' d.yaml

run 2 --fit a.yaml; told 'no file to write is given: pevpm-bench --fit FILE.yaml -o OUT.yaml'
run 4 --fit nowhere.yaml -o c.yaml; told 'nowhere.yaml: error: cannot open'
run 4 --fit a.yaml -o nowhere/c.yaml; told 'nowhere/c.yaml: error: cannot create'
echo 'pevpm_machine: 1' >bad.yaml
run 3 --fit bad.yaml -o c.yaml; told 'missing key `name`'

# A prediction with the fitted file is that with the histograms, to a part in a thousand.
run 0 --fit "$perseus" -o p.yaml
check 'most of it is fitted' awk '/histograms replaced/ && $1 > 100 {found = 1} END {exit !found}' out
for machine in "$perseus" p.yaml; do
    "$sim" -q -m "$machine" -n 2,8,32 -r 32 -D iterations=100 -f csv "$jacobi" 2>err | cut -d, -f5,10
done >out
check 'predictions agree' awk -F, 'FNR % 4 == 1 {next}
    !($1 in t) {t[$1] = $2; next}
    {n++; d = $2 / t[$1] - 1; bad += d > 1e-3 || d < -1e-3}
    END {exit n != 3 || bad}' out

run 0 report a.yaml
check 'a line for each size' [ "$(wc -l <out)" -eq 4 ]
check 'samples are counted' grep -q '^MPI_Send *pairs *2x1 *2 *512 *1005 *100.0 us' out
check 'a law has no samples and no greatest time' grep -q ' 1024 *100.0 us .* -$' out
sed "s/^provenance: .*/provenance:\n  measured_by: hand\n  groups that share a trunk: nodes 0-1, 2-3\n  rates:\n    node 0: 1.195 MB\/s out\n    within a node: they share it/" a.yaml >rates.yaml
run 0 report rates.yaml
tail -n 5 out >rates
check 'trunks and rates follow' same rates - <<'END'
groups that share a trunk: nodes 0-1, 2-3

rates
  node 0                 1.195 MB/s out
  within a node          they share it
END
run 0 report rates.yaml -f csv
check 'but not in csv' [ "$(wc -l <out)" -eq 4 ]

run 0 report a.yaml -f csv
check 'csv' grep -q '^MPI_Send,pairs,2,1,2,0,1000,0.0001,' out
check 'csv of a law' grep -q '^MPI_Send,pairs,2,1,2,1024,,0.0001,.*,$' out
run 0 report a.yaml -f csv -o folder
check 'averages' grep -q '^"2×1",512,' folder/average-small.csv
check 'the least' grep -q '^"min 2×1",0,0.0001$' folder/average-small.csv
check 'densities' grep -q '^"512 bytes (0.5 % beyond)",' folder/pdf-small.csv
check 'the table' cmp -s out folder/table.csv
check 'one size makes no curve' [ ! -e folder/average-large.csv ]
run 0 report "$gathers" -f csv -o observed
for operation in scatter gather; do # what pevpm-estimate measured of 16 processes within the figure, each time
    check "each $operation is a point" [ "$(grep -c '^"measured, each",' observed/$operation.csv)" -eq "$(awk -v operation=$operation '
        $1 == operation && $2 == 16 && $3 + 0 <= 2 * 62464 { n += NF - 3 } END { print n }' "$gathers")" ]
done
run 3 report a.yaml --levels 4x1 --sizes 3 -o folder; told 'a.yaml: error: --levels 4x1 was not measured for MPI_Send'
told '--sizes 3 was not measured'
check 'the folder is as it was' [ -e folder/average-small.csv ]
printf 'pevpm_machine: 1\nname: a\nnodes: 1\n' >empty.yaml
run 3 report empty.yaml -o folder; told 'there is nothing to draw'
{ sleep 0.2; timeout 20 $launcher "$bench" report a.yaml 2>err; echo $? >code; } | true
check 'a reader that is gone: exit code' [ "$(cat code)" = 0 ]
check 'a reader that is gone: not a word' [ ! -s err ]
run 2 report; told 'report draws one machine file'
run 2 report a.yaml --plot a.gif; told 'expected a name that ends in .svg, .png or .pdf'
run 2 report a.yaml --plot a.svg -o folder; told 'give one'
run 2 report a.yaml --fit a.yaml -o b.yaml; told 'report goes without --fit'
mkdir mine && touch mine/letter
run 4 report a.yaml -f csv -o mine; told 'mine: error: '
check 'nobody else'"'"'s folder is replaced' [ -e mine/letter ]
if command -v gnuplot >/dev/null; then
    for ending in svg png pdf; do
        run 0 report "$perseus" --plot p.$ending
        check "a picture: $ending" [ -s p.$ending ]
    done
    check 'with words' grep -q 'Average transit of MPI_Isend' p.svg
    run 0 report "$gathers" -o observed
    check 'points have a key' grep -q 'measured, each' observed/gather.svg
    run 0 report "$perseus" -o folder
    check 'four figures' [ "$(ls folder | tr '\n' ' ')" = \
        'average-large.svg average-small.svg pdf-large.svg pdf-small.svg table.csv ' ]
    check 'a title begins where its axes do' awk '
        match($0, /translate\([0-9.]*,[0-9.]*\)/) {
            split(substr($0, RSTART + 10, RLENGTH - 11), at, ","); begins = /text-anchor="start"/ && at[1] > 0 }
        /<text>(Average transit|Transit) of/ { n++; bad += !begins }
        END { exit n != 4 || bad }' p.svg
    (sleep 0.2; "$bench" report "$perseus" --plot unread.svg 2>err) | true
    check 'a picture, though nobody reads the table' [ -s unread.svg ]
    run 4 report "$perseus" --plot nowhere/p.svg; told 'nowhere/p.svg: error: cannot create'
else
    skip "figures: gnuplot is not installed"
fi

finish
