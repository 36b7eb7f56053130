#!/bin/sh
# pevpm-bench from outside, on two processes of one host: what it writes is read. Alone (common/tests/run.sh); what becomes of jobs
# that are killed or go on is in test_going_on.sh, wrong usage in test_usage.sh.
set -u

. common/tests/check.sh

bench=$build/pevpm-bench sim=$build/pevpm-sim
program=$bench launcher='mpirun -n 2'
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

starts 2

echo "SwitchName=s1 Nodes=$(uname -n)" >t.conf

case ${CC:-cc} in *clang*) skip_all "what is measured: tested with the default compiler, and with sanitizers" ;; esac
run 4 -o n.yaml --budget 0.01 --sizes 0 -q --no-judge
told 'no message between processes could be measured within --budget 0.01 s, so what is written predicts nothing'
check 'what there was no time for is named' grep -q '^    "one message alone, 1x2, 0 bytes": "[0-9.]* s planned"$' n.yaml
timeout 90 mpirun -n 2 "$bench" -o a.yaml --budget 12 --sizes 0,1k --name testbed --topology t.conf -q >out 2>err
# On a machine that is disturbed just now the search for rests and sizes may eat up 12 s: once more, with time to spare.
grep -q '^    processes_per_node: 2' a.yaml || run 0 -o a.yaml --budget 60 --sizes 0,1k --name testbed --topology t.conf -q
check 'nothing on standard output' [ ! -s out ]
check 'one switch makes no groups' grep -q '^  "groups that share a trunk": "none (t.conf)"' a.yaml
check 'nothing on standard error' [ -z "$(grep -v '^\[hwloc' err)" ] # it complains where there is no /sys
cat >p.pevpm <<'P'
Runon c1 = procnum == 0 & else
{
Message type = MPI_Send & size = 100 & to = 1
}
{
Message type = MPI_Recv & size = 100 & from = 0
}
P
"$sim" -m a.yaml -n 1x2 -r 64 -f csv p.pevpm >out 2>err; code=$?
check "the file is read and predicts (exit code $code)" [ $code -eq 0 ]
check 'under its name' grep -q ',testbed,' out
check 'programs made by chance were run' [ "$(grep -c '": "off by ' a.yaml)" -ge 5 ]
check 'and say how wrong the file is' grep -q "^  runs: $(grep -c '": "off by ' a.yaml)\$" a.yaml
check 'its samples are kept' grep -q 'transit: {edges: \[' a.yaml
check 'temporary files are gone' [ -z "$(find . -name 'a.yaml.*')" ]

check 'messages to oneself are measured too' grep -q '^    transport: self$' a.yaml
check 'their eager limit, and that within a node' [ "$(grep -c '^  [a-z]*: {eager_limit: ' a.yaml)" -eq 2 ]
# A receiver reads its sender's memory where the kernel lets it, and never by TCP.
rendezvous() { sed -n 's/^  node: {eager_limit: [0-9]*, rendezvous: \([a-z]*\)[,}].*/\1/p' "$1"; }
"$build/measure/tests/peek_program" && expected=get || expected=permit
check "long messages through shared memory: $expected" [ "$(rendezvous a.yaml)" = $expected ]
check 'and how that is known' grep -q '^  "messages within a node above the eager limit": "[0-9]* of 1*5 ' a.yaml
timeout 90 mpirun -n 2 --mca pml ob1 --mca btl tcp,self "$bench" -o tcp.yaml --budget 4 --sizes 0 --no-judge -q >out 2>err
check 'over the loopback: permit' [ "$(rendezvous tcp.yaml)" = permit ]
timeout 90 mpirun -n 2 --mca pml ob1 --mca btl_vader_single_copy_mechanism none --mca btl_sm_single_copy_mechanism none \
    "$bench" -o copies.yaml --budget 4 --sizes 0 --no-judge -q >out 2>err
# Its vader says that a send is over when the receiver has given back what the message was in.
case $(mpirun --version) in
*'Open MPI) 4.'*)
    check 'sends wait for receivers that compute' grep -q '^  node: {.*, unread_limit: [1-9][0-9]*}$' a.yaml
    check 'and how that is known' grep -q '^  "messages within a node whose receiver computes": "a send of more than [0-9]* bytes waits' a.yaml ;;
esac
check 'over the loopback they do not' sh -c '! grep -q unread_limit tcp.yaml'
check 'which is known, too' grep -q '^  "messages within a node whose receiver computes": "no send of up to [0-9]* bytes waits' tcp.yaml
cat >sync.c <<'END'
#include <mpi.h>
int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return tag == 1 ? PMPI_Ssend(buffer, n, type, to, tag, comm) : PMPI_Send(buffer, n, type, to, tag, comm);
}
END
mpicc -shared -fPIC -o sync.so sync.c 2>err || fail 'what sends synchronously is compiled'
ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" timeout 90 mpirun -n 2 --mca pml ob1 --mca btl tcp,self -x LD_PRELOAD="$folder/sync.so" \
    "$bench" -o sync.yaml --budget 4 --sizes 0 --no-judge -q >out 2>err
check 'of a library whose sends all wait for receives nothing else is said' grep -q \
    '^  "messages within a node whose receiver computes": "not to be told: even an empty send waits for its receive"' sync.yaml
check 'in two copies through shared memory: permit' [ "$(rendezvous copies.yaml)" = permit ]
sed 's/, rendezvous: [a-z]*}/}/' tcp.yaml >older.yaml
timeout 90 mpirun -n 2 --mca pml ob1 --mca btl tcp,self "$bench" -o older.yaml --budget 2 --no-judge --resume -v >out 2>err
check 'a file that does not say it gets it' [ "$(rendezvous older.yaml)" = permit ]
check 'what it does say is not asked again' sh -c '! grep -q "whether sends within a node wait" err'
echo 'Message type = MPI_Sendrecv & size = 1000 & to = procnum & from = procnum' >o.pevpm
"$sim" -m a.yaml -n 1x1 -r 16 o.pevpm >out 2>err
check 'a prediction of one takes these times' [ -z "$(grep 'note: .* itself' out)" ]

# Programs do so, and no MPI lets messages as small as these wait for ever.
printf '%s\n' 'Message type = MPI_Send & size = 1000 & to = 1-procnum' 'Message type = MPI_Recv & from = 1-procnum' >e.pevpm
"$sim" -m a.yaml -n 1x2 -r 16 e.pevpm >out 2>err; code=$?
check "two that send small messages to each other first do not wait for ever (exit code $code)" [ $code -eq 0 ]

# ---- launches ----

timeout 90 mpirun -n 2 "$bench" -o again.yaml --budget 6 --sizes 0,2k --name testbed -q --no-judge >out 2>err ||
    run 0 -o again.yaml --budget 60 --sizes 0,2k --name testbed -q --no-judge # a disturbed machine
launcher= # no MPI job
run 0 --merge m.yaml a.yaml again.yaml
check 'as many launches as files' grep -q '^launches: 2$' m.yaml
check 'so is what programs were off by' grep -q "^  runs: $(grep -c '": "off by ' a.yaml)\$" m.yaml
check 'the spread between launches is kept' grep -q 'launch_sd: ' m.yaml
"$sim" -m m.yaml -n 1x2 -r 64 -f csv p.pevpm >out 2>err; code=$?
check "merged launches predict (exit code $code)" [ $code -eq 0 ]
run 3 --merge n.yaml a.yaml again.yaml ./again.yaml; told './again.yaml: error: holds the same samples as again.yaml'
run 3 --merge n.yaml m.yaml again.yaml; told 'm.yaml: warning: holds 2 launches, which count as one here'
run 4 --merge /dev/full a.yaml again.yaml; told 'No space left'

# ---- beside other work ----

# As many loops as make a machine busy enough, and one at least. What is said of a machine that had nothing else to do is only
# looked at where the shell finds that it had nothing.
processors=$(grep -c '^cpu[0-9]' /proc/stat 2>/dev/null)
share() { sed -n "s/^    \"*$(uname -n)\"*: \"*\([0-9.]*\) % of $processors processors over [0-9.]* s\"*\$/\1/p" "$1"; }
warned() { grep -q 'warning: processors were busy with other work than this job: ' err; }
launcher='mpirun -n 1'
beside run 0 -o b.yaml --operations self --sizes 0,8m,16m,32m --name testbed
if [ -z "$(share b.yaml)" ]; then
    skip 'this machine does not tell how busy it is' 7
else
    if awk -v others="$others" -v all="$processors" 'BEGIN { exit !(others < 0.02 * all) }'; then
        check "nothing is said of a machine that is idle ($others busy, $(share b.yaml) %)" eval '! warned'
    else
        skip "this machine is busy with other work"
    fi
    loops=
    for i in $(seq $(((processors + 7) / 8))); do
        while kill -0 $$; do :; done & # as long as this script lives
        loops="$loops $!"
    done
    run 0 -o busy.yaml --operations self --sizes 0,8m,16m,32m --name testbed
    kill $loops
    wait $loops 2>/dev/null
    told "warning: processors were busy with other work than this job: .* on $(uname -n)"
    check "a machine that is busy is noted ($(share busy.yaml) %)" awk -v share="$(share busy.yaml)" 'BEGIN { exit !(share >= 5) }'
    run 0 -o busy.yaml --operations self --sizes 0,8m,16m,32m,33m --name testbed --resume -q
    check 'and is when measuring goes on' grep -q "^    \"$(uname -n), block to .*\": " busy.yaml
    launcher= run 0 --merge m.yaml b.yaml busy.yaml
    told '^busy.yaml: warning: processors were busy with other work than this job: '
    launcher= run 0 report m.yaml
    check 'and in reports of several launches' grep -q "^  $(uname -n) *[0-9.]* % of " out
fi

finish
