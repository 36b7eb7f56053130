#!/bin/sh
# pevpm-estimate from outside, on processes of one host: what it writes is read and predicted with, wrong usage ends all
# ranks, a file that cannot be written is said before anything is measured, a dead rank ends the job.
set -u

. common/tests/check.sh

program=$build/pevpm-estimate sim=$build/pevpm-sim
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

case ${CC:-cc} in *clang*) skip_all "what is estimated: tested with the default compiler, and with sanitizers" ;; esac
starts 3

# ---- what it writes ----

launcher='mpirun -n 3'
run 0 --every-process -o all.yaml --models hockney,logp,loggp,plogp,lmo --bytes 2k --messages 8 --name here --alone
check 'how well LMO gives back one-to-two times' grep -q \
    '^lmo misses one-to-two times of 2048 bytes by [0-9].* % (median), at most by .* % (from node [0-2] to [0-2] and [0-2])$' out
for model in hockney logp loggp plogp lmo; do
    check "the table has $model" grep -q "^$model .* of " out
    check "the file has $model" grep -q "^  $model:" all.yaml
done
check 'counts of experiments' awk '$1 == "hockney" && $2 == 6 || $1 == "lmo" && $2 == 9 { n++ } END { exit n != 2 }' out
check 'as many measurements as the rule asks for' awk '$1 == "lmo" { exit !($3 >= 6 * 9 && $3 <= 10 * 9) }' out
printf 'Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nMessage type = MPI_Send & size = 500 & to = 1\n}\n{\n%s\n}\n' \
    'Message type = MPI_Recv & size = 500 & from = 0' >p.pevpm
"$sim" -m all.yaml -n 2 -f csv --model hockney,logp,loggp,plogp,lmo p.pevpm >predicted 2>err
check 'predictions with all models' [ "$(cut -d, -f3 predicted | tr '\n' ' ')" = 'model hockney logp loggp plogp lmo ' ]
check 'of times that can be' awk -F, 'NR > 1 && !($10 >= 0 && $10 < 0.1) { exit 1 }' predicted

# ---- linear Scatter and Gather ----

run 0 --every-process -o flat.yaml --models many_to_one --bytes 2k --largest 16 --rest 0 --budget 300
check 'the table has LMO, on which they stand' grep -q '^lmo ' out
check 'and every size of both' awk '$1 == "many_to_one" && $2 >= 32 && $3 >= 32 * 6 { n++ } END { exit n != 1 }' out
for line in 'kappa1: {value: .*, ci95: .*}' 'small: {offset: {value: .*}, C: {value: .*}, t: {value: .*}}'; do
    check "Scatter and Gather have $line" [ "$(grep -c "^      $line$" flat.yaml)" -eq 2 ]
done
check 'the file has kappa2 of a Gather, and without S none of a Scatter' \
    [ "$(grep -c '^      kappa2: {value: .*}$' flat.yaml)" -eq $((1 + $(grep -c '^      S: ' flat.yaml))) ]
printf '%s\n' 'collectives:' '  MPI_Gather: {model: lmo, algorithm: linear}' >>flat.yaml
echo 'Collective type = MPI_Gather & root = 0 & size = 12' >g.pevpm
"$sim" -m flat.yaml -n 3 -f csv --model lmo g.pevpm >predicted 2>err
check 'a Gather is predicted' awk -F, 'NR > 1 && $10 >= 0 && $10 < 0.1 { n++ } END { exit n != 1 }' predicted
run 3 --every-process -o short.yaml --models many_to_one --largest 16 --rest 0 --budget 1ms
told 'many_to_one: the budget of 0.001 s was spent before every size was measured, from Gathers among 3 processes with 1 bytes on'
check 'LMO, which was measured, is written' grep -q '^    inverse_beta:$' short.yaml
check 'and nothing of the rest' sh -c '! grep -q "gather:" short.yaml'

# From 1000 bytes on one Gather in three takes 300 ms, else 20 ms: more than what else a busy machine delays by, ten times over.
cat >slow.c <<'END'
#include <mpi.h>
#include <time.h>
int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    static int large;
    struct timespec rest = {0, 20000000};
    if (tag == 1 && n >= 1000 && large++ % 3 == 0)
        rest.tv_nsec = 300000000;
    if (tag == 1 && to == 0) /* TAG_SHARE of survey/flat.c, of a Gather */
        nanosleep(&rest, NULL);
    return PMPI_Send(buffer, n, type, to, tag, comm);
}
END
mpicc -shared -fPIC -o slow.so slow.c 2>err || fail 'what slows messages is compiled'
asan=${ASAN_OPTIONS:-}
export ASAN_OPTIONS="$asan:verify_asan_link_order=0"
launcher="mpirun -n 3 -x LD_PRELOAD=$folder/slow.so"
run 0 --every-process -o slow.yaml --models many_to_one --bytes 512 --largest 1024 --rest 0 --budget 60
check 'M1 by the ratio is known to a byte' grep -q '^3 processes: .*; by the ratio of 10 M1 1000 bytes, known to 1$' out
check 'and stands in the file' grep -q '^      M1_by_ratio: \[\[3, {value: 1000, ci95: 1, experiments: [0-9]*}\]\]$' slow.yaml
grep '^    edge 3 ' slow.yaml >edges
check 'with the times by which it is known' [ "$(grep -c -e '^    edge 3 999: ' -e '^    edge 3 1000: ' edges)" -eq 2 ]
run 0 --every-process -o slow.yaml --models many_to_one --bytes 512 --largest 1024 --rest 0 --budget 60 --resume
check 'which stay' [ "$(grep -cxFf edges slow.yaml)" -eq "$(wc -l <edges)" ]
check 'and is known again' grep -q '; by the ratio of 10 M1 1000 bytes, known to 1$' out
# Where all of the largest size take as long, that is no level, but where another line begins.
long=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf(" %d", 300000000 + i) }')
sed "s/^    gather 3 1024: .*/    gather 3 1024:$long/" slow.yaml >leap.yaml
run 0 --every-process -o leap.yaml --models many_to_one --bytes 512 --largest 1024 --rest 0 --budget 60 --resume
told 'many_to_one: M1 of 3 processes is none by levels, which predictions go by, and 1000 bytes by the ratio of 10'
export ASAN_OPTIONS="$asan"
launcher='mpirun -n 3'

# ---- into a file that is there ----

printf '%s\n' 'pevpm_machine: 1' 'name: other # kept' 'nodes: 3' 'processes_per_node: 1' 'models:' \
    '  hockney: {alpha: 1, beta: 1}' '# and this' 'eager_limit: 4096' >other.yaml
run 0 --every-process -m other.yaml -o other.yaml --models hockney --bytes 2k
told 'other.yaml: warning: its `models` are written anew: what stands there goes'
check 'all else stays' [ "$(grep -c -e '^name: other # kept$' -e '^# and this$' -e '^eager_limit: 4096$' other.yaml)" -eq 3 ]
check 'the models do not' [ "$(grep -c '^models:$' other.yaml)" -eq 1 ]
check 'with their pairs' grep -q '^  hockney_hetero:' other.yaml
check 'and are others' sh -c '! grep -q "alpha: 1, beta: 1" other.yaml'

printf '%s\n' 'pevpm_machine: 2' 'name: racks' 'nodes: 4' 'processes_per_node: 1' 'topology:' '  groups: {a: "0-1", b: "2-3"}' \
    'resources:' '  - {scope: group, of: [a, b], direction: both, demand: [[0, "5 us"]]}' >racks.yaml
launcher='mpirun -n 4'
run 0 --every-process -m racks.yaml -o racks.yaml --models hockney --bytes 2k
check 'into a file with trunks' grep -q '^  hockney_hetero:' racks.yaml

# ---- going on ----

launcher='mpirun -n 3'
run 0 --every-process -o on.yaml --models hockney --bytes 2k --name here
cp on.yaml before.yaml
run 0 --every-process -o on.yaml --models hockney --bytes 2k --resume
check 'what is there is not measured again, and says the same' \
    [ "$(grep -v '^    others ' before.yaml)" = "$(grep -v '^    others ' on.yaml)" ]
check 'how busy the machine was with other work is in it' grep -q "^    others $(uname -n): " on.yaml
run 0 --every-process -o on.yaml -m on.yaml --models lmo --bytes 2k --resume
check 'models that are not asked for stay' [ "$(grep -c '^  hockney' on.yaml)" -eq 2 ]
check 'to the letter' sh -c 'grep "^  hockney: " before.yaml | grep -qxFf - on.yaml'
grep '^    round_trip' before.yaml >times
check 'and so do their times, of which some serve others' [ "$(grep -cxFf times on.yaml)" -eq 4 ]
check 'with new ones' grep -q '^    to_two 2048 0 0 from 2: 0 1 ' on.yaml
run 0 --every-process -o on.yaml --models hockney --bytes 1k --resume
check 'another size is measured' [ "$(grep -c '^    round_trip [0-9]* [0-9]* 0 from 0: ' on.yaml)" -eq 4 ]
run 0 --every-process -o short.yaml --models many_to_one --largest 16 --rest 0 --resume
check 'Scatters and Gathers go on where the budget had ended' grep -q '^    gather:$' short.yaml
grep '^    gather [0-9]* [0-9]*:' short.yaml >gathers
run 0 --every-process -o short.yaml --models hockney --bytes 1k --resume
check 'and stay' grep -q '^    gather:$' short.yaml
check 'with their times' [ "$(grep -cxFf gathers short.yaml)" -eq "$(wc -l <gathers)" ]
run 3 --every-process -o short.yaml --models many_to_one --largest 32 --resume
told 'short.yaml: error: --resume: --largest is 16 bytes in this file, 32 in this job'
run 0 --every-process -o on.yaml --models hockney --hockney regression --bytes 1k --resume
check 'Hockney by regression: two of nine sizes were there' [ "$(grep -c '^    round_trip [0-9]* [0-9]* 0 from 0: ' on.yaml)" -eq 11 ]
check 'its experiments' grep -q '^  hockney: {alpha: {value: [0-9.e-]*, ci95: [0-9.e-]*, experiments: 27}, beta: ' on.yaml
check 'which the table counts' awk '$1 == "hockney" && $2 == 27 { n++ } END { exit n != 1 }' out
check 'and whether it is a line' grep -q \
    "^hockney's lines miss one-way times by [0-9].* % (median), at most by .* % ([0-9]* bytes from node [01] to [12])$" out
sed 's/^    nodes: .*/    nodes: a b c/' on.yaml >moved.yaml
run 3 --every-process -o moved.yaml --resume; told 'moved.yaml: error: --resume: the host of node 0 is a in this file, '
run 4 --every-process -o nowhere.yaml --resume; told 'nowhere.yaml: error: '
run 2 -o on.yaml -m other.yaml --resume; told '--resume goes on with the file of -o, and -m names another'
run 2 -o on.yaml --name here --resume; told '--name is for a new file: that of --resume keeps its own'
printf '%s\n' 'pevpm_machine: 1' 'name: other' 'nodes: 3' 'processes_per_node: 1' 'provenance: by hand' >hand.yaml
run 0 --every-process -m hand.yaml -o hand.yaml --models hockney --bytes 2k
told 'hand.yaml: warning: its `provenance` does not stand in lines, two blanks from the margin: what was measured'
check 'and stands as it was' grep -q '^provenance: by hand$' hand.yaml

# ---- trouble ----

run 2 -o x.yaml; told '1 node takes part, expected 3 to 512 (lmo wants three); with --every-process each process counts as one'
launcher='mpirun -n 2'
run 2 --every-process -o x.yaml; told '2 nodes take part, expected 3 to 512 (lmo wants three)'
run 3 --every-process --models hockney -m other.yaml -o x.yaml; told 'other.yaml: error: the file has 3 nodes, and 2 take part'
run 4 --every-process --models hockney -o /nowhere/x.yaml; told '/nowhere/x.yaml: error: cannot create'
run 4 --every-process --models hockney -m nowhere.yaml -o x.yaml; told 'nowhere.yaml: error: '
run 4 --every-process --models hockney -o /dev/full; told 'No space left'
launcher=
run 2 --models hokney -o x; told '--models: no model `hokney`, did you mean `hockney`?'
run 2; told 'no machine file to write: give -o FILE'
run 2 -o x y; told 'found `y` behind the options'
run 2 -o x --repetitions 5; told '--repetitions 5: expected a whole number from 6'
run 2 -o x --bytes 1; told '--bytes 1: expected a size of 2 bytes to 1024M'
run 2 -o x --models many_to_two; told 'no model `many_to_two`, did you mean `many_to_one`?'
run 2 -o x --budget 0; told '--budget 0: expected a time above zero'
run 2 -o x --largest 8; told '--largest 8: expected a size of 16 bytes to 16M'
run 2 -o x --rest 2; told '--rest 2: expected a time from 0 to 1 s'
run 2 -o x --precision 2; told '--precision 2: expected a number between 0 and 1'
run 2 -o x --budget 10; told '--budget is for many_to_one, which --models does not name'
run 2 -o x --models lmo --gap direct; told '--gap is for plogp, which --models does not name'
run 2 -o x --models lmo --hockney regression; told '--hockney is for hockney, which --models does not name'
run 2 -o x --hockney line; told '--hockney line: expected'
run 2 -o x --messages 9; told '--messages is for logp, loggp and plogp, which --models does not name'
run 2 -o x --name here -m other.yaml; told '--name is for a new file: that of -m keeps its own'
check 'nothing is written' [ ! -e x.yaml ]

timeout 60 mpirun -n 3 "$program" --every-process -o killed.yaml --bytes 4M --repetitions 10000 --precision 0.000001 >out 2>err &
job=$!
victim= tries=0
while [ -z "$victim" ] && [ $tries -lt 40 ]; do # its start takes a while on a busy machine
    sleep 0.5
    for launched in $(pgrep -P "$job"); do victim=$(pgrep -P "$launched" -x pevpm-estimate | tail -n 1); done
    tries=$((tries + 1))
done
check 'the ranks are found' [ -n "$victim" ]
sleep 1
kill -KILL "$victim"
before=$(date +%s)
wait $job; code=$?
check "a rank is killed: exit code $code" [ $code -ne 0 -a $code -ne 124 ]
check 'the job ends within 10 s' [ $(($(date +%s) - before)) -le 10 ]
check 'nothing is written then' [ ! -e killed.yaml ]
clean && pass || fail 'temporary files are gone'

finish
