#!/bin/sh
# The command line of pevpm-sim from outside: exit codes, exact messages, files whole or not at all, the same bits
# however the work is spread. test_cli.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim. Last line: N passed, N failed, N
# skipped.
set -u

. common/tests/check.sh

root=$PWD
use_sim "$@"
cd "$folder" || exit 1

# said TEXT: standard error is exactly TEXT, standard output is empty.
said() {
    printf '%s\n' "$1" >expected
    if same expected err && [ ! -s out ]; then pass; else fail "another message:"; diff expected err | sed 's/^/    /'; fi
}

cat >m.yaml <<'Y'
pevpm_machine: 1
name: testbed
nodes: 4
processes_per_node: 2
point_to_point:
  - operation: MPI_Send
    pattern: pingpong
    nodes: 2
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: {uniform: {low: 1 ms, high: 3 ms}}}
  - operation: MPI_Send
    nodes: 4
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: {gamma: {shape: 2, scale: 2 ms}}}
serial:
  drawn: {normal: {mean: 2 ms, sd: 0.5 ms}}
Y
cat >p.pevpm <<'P'
Param N = 5
Param S = 4.0
Loop iterations = N
{
Serial time = measured(drawn)
Serial time = S/numprocs ms
Message type = MPI_Isend & size = 100 & to = (procnum + 1) % numprocs & request = s
Message type = MPI_Recv & from = (procnum + numprocs - 1) % numprocs
Message type = MPI_Wait & request = s
}
P
cat >even.pevpm <<'P'
Serial time = 1.0/numprocs ms
Runon c1 = procnum % 2 == 0 & else
{
Message type = MPI_Send & size = 8 & to = procnum + 1
}
{
Message type = MPI_Recv & size = 8 & from = procnum - 1
}
P
printf 'Message type = MPI_Recv & from = (procnum + 1) %% numprocs\n' >stuck.pevpm
printf 'Message type = MPI_Sendrecv & size = 8 & to = 1-procnum & from = 1-procnum\n' >swap.pevpm
printf '2,0.03\n4,fast\n' >wrong.csv
printf 'numprocs,seconds\n2,0.03\n' >times.csv
header=program,machine,model,mode,numprocs,nodes,ppn,params,replications,mean_s,ci95_s,sd_s,min_s,p5_s,median_s,p95_s,max_s,\
baseline_s,speedup,speedup_p5,speedup_p95,efficiency,messages

# ---- the machine that comes with the program ----
program=$folder/away/bin/pevpm-sim
mkdir -p away/bin && cp "$sim" "$program"
timeout 60 "$program" -q -n 2 even.pevpm >out 2>err; code=$?
if [ $code -eq 0 ]; then
    skip 'no machine file: one is installed here'
else
    run 2 -n 2 even.pevpm
    said 'pevpm: error: no machine file: give one with -m FILE, or name one in the environment variable PEVPM_MACHINE'
fi
mkdir -p away/share/pevpm && cp m.yaml away/share/pevpm/default-machine.yaml
run 0 -n 2 even.pevpm; check 'an installation has it' grep -q '^machine  *testbed ' out
run 0 --check p.pevpm
sed 's/testbed/nearer/' m.yaml >away/bin/default-machine.yaml
run 0 -n 2 even.pevpm; check 'a build folder has it' grep -q '^machine  *nearer ' out
program=$sim

# ---- wrong usage ----
run 2; said 'pevpm: error: no PROGRAM is given: pevpm-sim [OPTION]... PROGRAM (--help says more)'
run 2 --machin m.yaml --modle=x p.pevpm; said 'pevpm: error: unknown option `--modle`, did you mean `--model`?'
for patience in abc '' 0 -1 '3 weeks'; do
    export PEVPM_PATIENCE="$patience"
    run 2 -m m.yaml -n 2 p.pevpm
    said "pevpm: error: PEVPM_PATIENCE is \`$patience\`: expected a time above zero in seconds, or with a unit (ns us ms s min)"
    run 2 compare -m m.yaml -n 2 p.pevpm; told 'PEVPM_PATIENCE is'
    run 2 judge runs.csv; told 'PEVPM_PATIENCE is'
done
unset PEVPM_PATIENCE
run 2 -m m.yaml -n 4,x p.pevpm; said '-n:1:3: error: expected a number of processes, found `x`
    1 | 4,x
      |   ^'
run 2 -m m.yaml -M avrage p.pevpm; said '-M:1:1: error: unknown mode `avrage`, did you mean `average`?
    1 | avrage
      | ^~~~~~'
run 2 -m m.yaml --print p.pevpm; said 'pevpm: error: --print needs a number of processes: -n N'
run 2 -m m.yaml --print -n 65 p.pevpm
said 'pevpm: error: --print is for small runs, of at most 64 processes: 65 is too many; --print=RANK prints some'
run 2 -m m.yaml --print=1,x -n 4 p.pevpm; said 'pevpm: error: --print 1,x: expected ranks, such as 0,3'
run 2 -m m.yaml --print=1,4 -n 4 p.pevpm; said 'pevpm: error: --print=4: of 4 processes the last is 3'
run 0 -m m.yaml --print=100 -n 2000 p.pevpm; check 'one of many' grep -q '^process 100 of 2000 ' out
run 2 -m m.yaml --plot x.gif p.pevpm
said 'pevpm: error: --plot x.gif: expected a file name that ends in .svg, .png or .pdf'

# ---- bad input ----
run 3 -m m.yaml -n 2 -D N=1, p.pevpm; said '-D:1:5: error: expected a number, found the end
    1 | N=1,
      |     ^'
run 3 -m m.yaml --model plogp p.pevpm; said 'm.yaml: error: no `models: plogp`, which --model plogp needs: run pevpm-estimate or add it'
run 3 -m m.yaml -n 2 --measured wrong.csv p.pevpm
said 'wrong.csv:2:3: error: expected a time in seconds, or with a unit (ns us ms s min)
    2 | 4,fast
      |   ^~~~'
printf 'Messag type = MPI_Recv\n' >bad.pevpm
run 3 -m m.yaml -n 2 bad.pevpm; told '^bad.pevpm:1:1: error: '; check 'nothing on standard output' [ ! -s out ]
printf 'Collective type = MPI_Bcast & root = 0 & size = 8 & algorithm = binomal\n' >wrong.pevpm
run 3 -m m.yaml -n 2 wrong.pevpm; told '^wrong.pevpm:1:65: error: unknown algorithm .binomal., did you mean .binomial.?'
run 3 --check wrong.pevpm; told '^wrong.pevpm:1:65: error: '
run 2 -m m.yaml --mpi openmpi -n 2 p.pevpm
said 'pevpm: error: --mpi openmpi: did you mean `open_mpi`? Expected open_mpi or mpich'
printf 'pevpm_machine: 1\nname: x\nnods: 4\n' >bad.yaml
run 3 -m bad.yaml -n 2 p.pevpm; told '^bad.yaml:3:1: error: '
run 3 -m m.yaml -n 2 --model loggp p.pevpm; told 'models'

# ---- several models ----
{ cat m.yaml; printf 'models:\n  hockney: {alpha: 1 ms, beta: 1 us}\n  lmo: {C: 1 ms, t: 1 us, beta: 1e6}\n'; } >models.yaml
run 0 -m models.yaml -f csv -n 2,4 -M average,minimum --model measured,lmo,hockney,lmo p.pevpm
cut -d, -f3-5 out >columns
printf '%s\n' model,mode,numprocs measured,average,2 measured,minimum,2 lmo,average,2 lmo,minimum,2 hockney,average,2 \
    hockney,minimum,2 measured,average,4 measured,minimum,4 lmo,average,4 lmo,minimum,4 hockney,average,4 \
    hockney,minimum,4 >expected
check 'each model with each mode' same expected columns
for model in measured lmo hockney; do # a row is what its model alone gives
    run 0 -m models.yaml -f csv -n 2,4 -M average --model $model p.pevpm; sed 1d out >>alone
done
run 0 -m models.yaml -f csv -n 2,4 -M average --model measured,lmo,hockney p.pevpm
sed 1d out | sort >together; sort alone >expected
check 'as each alone' same expected together
printf '  logp: {L: 1 ms, o_s: 1 ms, o_r: 1 ms, g: 1 ms}\n' >>models.yaml
run 0 -m models.yaml -n 2,4 -M average,minimum --model logp p.pevpm
check 'LogP knows no sizes: said once' [ "$(grep -c '^note: logp knows no sizes: each message costs what a small one does$' out)" -eq 1 ]
run 0 -m models.yaml -n 2 -M average --model lmo,hockney p.pevpm
check 'a column for models' grep -q '^      2    2x1  lmo      average ' out
check 'all in the head' grep -q '^model        lmo, hockney, contention scoreboard$' out
run 0 -m models.yaml -f csv -M average -n 2 p.pevpm; cp out one
run 0 compare -m models.yaml -n 2 -M average -f csv p.pevpm --against --model hockney,lmo
check 'one against each' [ "$(wc -l <out)" -eq 3 ]
check 'in the order given' [ "$(cut -d, -f5,6 out | tr '\n' ' ')" = 'model_a,model_b measured,hockney measured,lmo ' ]

# ---- the system fails ----
run 4 -m none.yaml -n 2 p.pevpm; told '^none.yaml: error: '
run 4 -m m.yaml -n 2 none.pevpm; told '^none.pevpm: error: '
run 4 -m m.yaml -n 2 ''; said "'': error: cannot open: No such file or directory"
run 2 -m m.yaml -n 2 -o '' p.pevpm; said 'pevpm: error: -o : expected the name of a file, and it is empty'
run 2 jugde -m m.yaml runs.csv; said 'pevpm: error: there is no file `jugde`: did you mean `pevpm-sim judge`?'
run 4 compare.c; said 'compare.c: error: cannot open: No such file or directory'
run 4 -m mm.yaml -n 2 p.pevpm; said 'mm.yaml: error: cannot open: No such file or directory, did you mean `m.yaml`?'
run 4 -m m.yaml -n 2 pp.pevpm; said 'pp.pevpm: error: cannot open: No such file or directory, did you mean `p.pevpm`?'
run 4 -m m.yaml -n 2 --measured none.csv p.pevpm; said 'none.csv: error: cannot open: No such file or directory'
run 4 -m m.yaml -n 2 -o no/such/out p.pevpm; said 'no/such/out: error: cannot create: No such file or directory'
run 4 -m m.yaml -n 2 --plot no/such/x.svg p.pevpm; said 'no/such/x.svg: error: cannot create: No such file or directory'
mkdir folder
run 4 -m m.yaml -n 2 -o folder p.pevpm; said 'folder: error: cannot be replaced by a file: it is a folder'
if command -v mkfifo >out; then # never try this on a real device: as root, a fault here would replace it
    mkfifo pipe; timeout 20 cat pipe >piped &
    run 0 -m m.yaml -n 2,4 -f csv -o pipe p.pevpm; wait $!
    check 'a pipe is written to' [ "$(wc -l <piped)" -eq 3 ]
    check 'and not replaced' [ -p pipe ]
    mkfifo pipe.svg
    run 4 -m m.yaml -n 2 --plot pipe.svg p.pevpm
    said 'pipe.svg: error: cannot be replaced by a file: it is not a regular file'
fi
run 4 -m m.yaml -n 2 --print -o folder p.pevpm; said 'folder: error: cannot be replaced by a file: it is a folder'
for format in text csv json; do
    timeout 60 "$sim" -m m.yaml -n 2,4 -f $format p.pevpm >/dev/full 2>err; code=$?
    check "full disk, $format: exit code $code" [ $code -eq 4 ]
    told 'standard output: error: cannot write: No space left on device'
done
run 4 -m m.yaml -n 2,4 -o /dev/full p.pevpm; said '/dev/full: error: cannot write: No space left on device'
timeout 60 "$sim" --help >/dev/full 2>err; check 'help to a full disk' [ $? -eq 4 ]
{ timeout 60 "$sim" -m m.yaml -n 1-200 -r 400 -f csv p.pevpm 2>err; echo $? >code; } | head -n 1 >out
check 'closed pipe: exit code' [ "$(cat code)" = 0 ]
check 'closed pipe: not a word' [ ! -s err ]
check 'the reader has what it wanted' [ "$(cut -d, -f1 out)" = program ]
# closed TEXT OPTION...: a reader that is gone before the first line costs no error
closed() {
    text=$1; shift
    { sleep 0.2; timeout 60 "$sim" "$@" 2>err; echo $? >code; } | true
    check "$text: exit code $(cat code)" [ "$(cat code)" = 0 ]
    check "$text: not a word" [ ! -s err ]
}
closed 'closed, printing' -m m.yaml -n 2 --print p.pevpm
closed 'closed, help' --help
closed 'closed, json' -q -m m.yaml -n 2 -f json p.pevpm
closed 'closed, compare' compare -q -m m.yaml -n 2 -r 16 p.pevpm p.pevpm
closed 'closed, with a file to write' -q -m m.yaml -n 2 --profile-output closed.csv p.pevpm
check 'the file is there' [ -s closed.csv ]

# ---- the model says no; counts that do not run ----
run 1 -m m.yaml -n 2 stuck.pevpm; told '^stuck.pevpm:1:.*error: '
run 3 -m m.yaml -n 2,3,4 -M average -f csv even.pevpm
check 'the other counts are predicted' [ "$(cut -d, -f5 out | tr '\n' ' ')" = 'numprocs 2 4 ' ]
told '^even.pevpm:4:.*error: '
check 'one error' [ "$(grep -c error: err)" -eq 1 ]
run 0 -m m.yaml -M average -f csv even.pevpm
check 'default counts leave out one process where it does not run' [ "$(cut -d, -f5 out | tr '\n' ' ')" = 'numprocs 2 4 ' ]

cat >luck.pevpm <<'P'
Runon c1 = procnum == 0 & else
{
Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = who & size = 8
Runon c1 = who == 1
{
Message type = MPI_Recv & from = 1 & tag = 9 & size = 8
}
}
{
Message type = MPI_Send & to = 0 & size = 8
}
P
run 1 -m m.yaml -n 3 -r 40 -f csv luck.pevpm
told '^pevpm: error: deadlock in [0-9]* of 40 replications ([0-9]* %, 95 % interval [0-9]* to [0-9]* %) on 3 processes;'
check 'said once' [ "$(grep -c 'error: deadlock: process 0 of 3' err)" -eq 1 ]
check 'those that end and those that do not' [ "$(awk -F, 'END {print $9 + $24}' out)" -eq 40 ]
check 'the others are known' [ "$(awk -F, 'END {print ($9 > 5 && $24 > 5)}' out)" -eq 1 ]
cp out luck.csv; run 1 -m m.yaml -n 3 -r 40 -f csv -j 3 luck.pevpm; check 'the same on threads' same out luck.csv

# ---- results ----
run 0 --version; check version grep -q '^pevpm-sim [0-9]' out
run 0 --help; check 'help names --measured' grep -q -e '--measured FILE.csv' out
run 0 -m m.yaml -f csv -n 2x1,1x2,4 -M distribution,average@2x1 -D N=2,3 p.pevpm
check 'csv header' [ "$(head -n 1 out)" = "$header,deadlocks" ]
check 'csv rows' [ "$(wc -l <out)" -eq 13 ]
check 'csv columns' [ "$(awk -F, '{print NF}' out | sort -u)" = 24 ]
check 'params column' [ "$(cut -d, -f8 out | sort -u | tr '\n' ' ')" = 'N=2 N=3 params ' ]
cp out plain.csv
PEVPM_MACHINE=m.yaml timeout 60 "$sim" -f csv -n 2x1,1x2,4 -M distribution,average@2x1 -D N=2,3 p.pevpm >out 2>err
check 'machine file from the environment' same out plain.csv
timeout 60 "$sim" -m m.yaml -f csv -n 2x1,1x2,4 -M distribution,average@2x1 -D N=2,3 - <p.pevpm >out 2>err
sed 's/^<stdin>,/p.pevpm,/' out >renamed; check 'program from standard input' same renamed plain.csv
run 0 -m m.yaml -f csv -n 2 --measured times.csv p.pevpm
check 'measured columns' [ "$(head -n 1 out)" = "$header,measured_s,error,deadlocks" ]
echo 2,1 >either.csv; printf 'numprocs,nodes,ppn,seconds\n2,1,2,3.5\n' >which.csv
run 3 -m m.yaml -n 2x1,1x2 --measured either.csv p.pevpm
said 'either.csv:1:1: error: 2 processes are predicted as 2x1 and as 1x2: which was measured? Lines of numprocs,nodes,ppn,seconds tell'
run 0 -m m.yaml -f csv -n 2x1,1x2 -M average --measured which.csv p.pevpm
check 'a time is of its placement' [ "$(awk -F, 'NR > 1 {print $6 "x" $7 "=" $(NF - 2)}' out | tr '\n' ' ')" = '2x1= 1x2=3.5 ' ]
run 0 -m m.yaml -n 2 -D M=3 -r 16 p.pevpm; told 'warning: -D M is never used'
run 0 -q -m m.yaml -n 2 -D M=3 -r 16 p.pevpm; check 'quiet' [ ! -s err ]
run 0 -m m.yaml -n 8 -r 16 p.pevpm; check 'note' grep -q '^note: 8 nodes are more than the 4 of testbed' out
check 'speed in the last line' [ "$(tail -n 1 out | grep -c 'times faster than the real runs$')" -eq 1 ]
run 0 -m m.yaml -n 8 -r 16 -f csv p.pevpm; told 'note: 8 nodes are more than the 4 of testbed'
{ cat m.yaml; echo 'node_time_factor: [1, 1.25]'; } >factors.yaml
run 0 -m factors.yaml -n 4 -r 16 p.pevpm
check 'factors for less than the nodes' grep -q '^note: node_time_factor of testbed has 2 factors for 4 nodes: the others' out
run 0 -m factors.yaml -n 2 -r 16 p.pevpm; check 'and for all' [ "$(grep -c '^note: node_time' out)" -eq 0 ]
sed -i 's/1.25\]/1]/' factors.yaml
run 0 -m factors.yaml -n 4 -r 16 p.pevpm; check 'nodes that are alike' [ "$(grep -c '^note: node_time' out)" -eq 0 ]
run 0 -m m.yaml -n 2 -r 16 --scale serial=2,eager_limit=2,overhead=2 swap.pevpm
for key in serial eager_limit send_overhead receive_overhead; do
    check "a factor on nothing: $key" grep -q "^note: --scale $key changes nothing: the " out
done
{ cat m.yaml; echo 'transports: {self: {eager_limit: 100}}'; } >self.yaml
run 0 -m self.yaml -n 2 -r 16 --scale eager_limit=2 swap.pevpm
check 'a limit of one way is one' [ "$(grep -c 'eager_limit changes nothing' out)" -eq 0 ]
run 0 -m m.yaml -n 2 -r 16 --scale serial=2 p.pevpm; check 'and on something' [ "$(grep -c 'changes nothing' out)" -eq 0 ]
# rules of one-sided operations that no table of the library says are not taken from another without a word
printf 'Message type = MPI_Win_fence & window = w\n' >window.pevpm
run 0 -m m.yaml -n 2 window.pevpm
check 'rules that are known are not said' [ "$(grep -c 'one-sided' out)" -eq 0 ]
run 0 -m m.yaml --mpi mpich -n 2 window.pevpm
check 'others are' grep -q '^note: how mpich carries one-sided operations out is not known: pre' out
run 0 -m m.yaml -n 1x2 window.pevpm
check 'and those within a node' grep -q '^note: one-sided operations within a node are predicted as those between' out

# computations that are the same in all replications leave no spread where nothing else is drawn
echo 'Serial time = gamma(4, 1)' >drawn.pevpm
spread() { run 0 -q -m m.yaml -n 1 -r 20 -f csv "$@" drawn.pevpm; sed 1d out | tail -n 1 | cut -d, -f14-16; }
check 'computations differ from one replication to the next' [ "$(spread | tr , '\n' | sort -u | wc -l)" -eq 3 ]
check 'and do not with --work-of' [ "$(spread --work-of 3 | tr , '\n' | sort -u | wc -l)" -eq 1 ]
check 'whose number says which' [ "$(spread --work-of 3)" != "$(spread --work-of 4)" ]

# a program begins without connections, and --connected and judge know of none
cat >connects.yaml <<'EOF'
pevpm_machine: 2
name: lab
nodes: 2
processes_per_node: 1
transports: {network: {connect: {message: 5}}}
point_to_point:
  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 1}]}
resources:
  - {scope: node, direction: out, demand: [[0, 0]], acknowledgements: [[0, 0]]}
  - {scope: node, direction: in, demand: [[0, 0]]}
EOF
cat >first.pevpm <<'EOF'
Runon c1 = procnum == 0 & else
{
Message type = MPI_Send & to = 1 & size = 0
}
{
Message type = MPI_Recv & from = 0
}
EOF
seconds() { run 0 -q -m connects.yaml -n 2 -r 1 -f csv "$@" first.pevpm; sed 1d out | tail -n 1 | cut -d, -f15; }
check 'the first message makes a connection' [ "$(seconds)" = 6 ]
check 'which --connected has already' [ "$(seconds --connected)" = 1 ]
connect_note='^note: with model measured and --contention scoreboard nothing asks for the order of time, in which processes are conn'
run 0 -m connects.yaml -n 2 -r 1 first.pevpm; check 'that is charged' [ "$(grep -c 'order of time' out)" -eq 0 ]
run 0 -m connects.yaml -n 2 -r 1 --contention scoreboard first.pevpm; check 'and said where it is not' grep -q "$connect_note" out
run 0 -m connects.yaml -n 2 -r 1 --contention scoreboard --connected first.pevpm
check 'but not of processes that have spoken' [ "$(grep -c 'order of time' out)" -eq 0 ]
run 0 -m connects.yaml -n 2 -r 1 --contention none first.pevpm
check 'nor where all that is asked for is left out' [ "$(grep -c 'order of time' out)" -eq 0 ]

# so is what an MPI_Isend within a node would wait for
permits() { # 1: transports of the node; 2: the send
    sed "s/^transports:.*/transports: {node: {eager_limit: 100$1}}/; /nodes: 2, processes_per_node: 1, sizes/p
        s/nodes: 2, processes_per_node: 1, sizes/nodes: 1, processes_per_node: 2, sizes/; s/^processes_per_node: 1/processes_per_node: 2/; /^resources:/,\$d" connects.yaml >permits.yaml
    sed "s/^Message type = MPI_Send.*/Message type = $2/; s/MPI_Recv/& \& size = 200/" first.pevpm >permits.pevpm
    run 0 -m permits.yaml -n 1x2 -r 1 permits.pevpm
    grep -c '^note: with model measured and --contention scoreboard nothing asks for the order of time, in which .rendezvous: perm' out
}
isend='MPI_Isend \& to = 1 \& size = 200 \& request = r\nMessage type = MPI_Wait \& request = r'
check 'an MPI_Isend above the limit' [ "$(permits ', rendezvous: permit' "$isend")" -eq 1 ]
check 'where the file says that it is permitted' [ "$(permits '' "$isend")" -eq 0 ]
check 'or gotten' [ "$(permits ', rendezvous: get' "$isend")" -eq 0 ]
check 'not one below it' [ "$(permits ', rendezvous: permit' "$(printf '%s' "$isend" | sed 's/size = 200/size = 20/')")" -eq 0 ]
check 'nor an MPI_Send, which waits' [ "$(permits ', rendezvous: permit' 'MPI_Send \& to = 1 \& size = 200')" -eq 0 ]

run 2 --work-of x -m m.yaml p.pevpm; told 'work-of x: expected a whole number from 0 to 4294967295'

run 0 -v -m m.yaml -n 2 -r 24 --lanes 8 p.pevpm; told '^distribution 2x1: 24 replications in .* 8 lanes, '
run 0 --check -m m.yaml p.pevpm; check 'check complains of nothing' [ ! -s err ]
run 0 --check p.pevpm; check 'one line' [ "$(wc -l <out)" -eq 1 ]
run 3 --check bad.pevpm
printf 'Loop iterations = 2 & var = i\n{\nSerial time = i ms\n}\n' >values.pevpm
run 0 --print=1,0 -m m.yaml -n 2 values.pevpm
check 'in the order asked for' [ "$(grep -o '^process [01]' out | tr -d '\n')" = 'process 1process 0' ]
check 'with values' [ "$(grep -c 'compute i ms (0 s, 1.000 ms)' out)" -eq 2 ]
run 0 --print -m m.yaml -n 2 p.pevpm; check 'each process is printed' [ "$(grep -c '^process [01] of 2 (node [01])$' out)" -eq 2 ]

# ---- what was not measured ----
printf 'Serial time = measured(later, 3)\nRunon c1 = numprocs > 2\n{\nSerial time = measured(never)\n}\n' >untimed.pevpm
run 0 --check -m m.yaml untimed.pevpm; check 'nothing to check there' [ ! -s err ]
run 0 --print -m m.yaml -n 1 untimed.pevpm; check 'printed untimed' grep -q '^  compute measured(later, 3) ' out
run 3 -m m.yaml -n 2 untimed.pevpm
said 'untimed.pevpm:1:1: error: Serial: machine `testbed` has no computation `later`: time it (pevpm-time), in process 0 (of 2)
    1 | Serial time = measured(later, 3)
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~'
run 3 -m m.yaml -n 4 untimed.pevpm; told '^m.yaml: note: the file has none of `later`, `never`$'
sed 's/^serial:/&\n  later: [[1, 1 ms], [2, 2 ms]]/' m.yaml >later.yaml
run 0 -m later.yaml -n 2 untimed.pevpm
check 'a note on the table' grep -q '^note: measured(later, 3) is outside of what was timed, 1 to 2: ' out
run 0 -m m.yaml -n 2 -r 16 p.pevpm
check 'a note on sizes' grep -q '^note: messages of 100 bytes: 0 bytes alone were measured; all others are ' out
run 0 compare -m m.yaml -n 2 -r 16 p.pevpm p.pevpm
check 'on both sides' [ "$(grep -c '^note: [AB]: messages of 100 bytes: 0 bytes alone' out)" -eq 2 ]
sed 's/^serial:/ports: {out_gap: [[8, 1 ms]], in_gap: [[0, 0]]}\n&/' m.yaml >gap.yaml
run 0 -m gap.yaml -n 2 -r 16 p.pevpm
told '^gap.yaml: note: ports.out_gap has one size, 8 bytes: messages of all sizes are taken to keep a port busy as long$'
sed 's/^ports: .*/ports: {per_node: [{}, {}, {out_gap: [[8, 1 ms]]}, {out_gap: [[8, 1 ms]]}]}/' gap.yaml >node_gap.yaml
run 0 -m node_gap.yaml -n 2 -r 16 p.pevpm
told '^node_gap.yaml: note: ports.per_node\[2\].out_gap has one size, 8 bytes: messages of all sizes are taken to keep'
check 'one node is enough' [ "$(grep -c 'has one size' err)" -eq 1 ]
printf 'Message type = MPI_Sendrecv & from = procnum & to = procnum & size = 8\n' >self.pevpm
run 0 compare -m m.yaml -n 1,2 -r 16 self.pevpm self.pevpm
check 'messages to oneself: once for each side' [ "$(grep -c '^note: [AB]: messages of a process to itself cost' out)" -eq 2 ]

if command -v python3 >/dev/null; then
    run 0 -m m.yaml -n 1-4 -f json --measured times.csv p.pevpm
    check 'json' python3 -c 'import json, sys
d = json.load(open("out"))
assert d["complete"] and len(d["predictions"]) == 4 and d["predictions"][0]["measured_s"] is None
assert d["predictions"][0]["speedup"] == 1'
else
    skip 'json: there is no python3 to read it'
fi

# ---- options that would do nothing ----
run 2 -m m.yaml -n 2 --check --plot a.svg p.pevpm; told '--check goes without --plot'
run 2 -m m.yaml -n 2 --print -f csv --trace t.json p.pevpm
told '--print goes without --format'; told '--print goes without --trace'
run 2 -m m.yaml -n 2 --check --print p.pevpm; told '--print goes without --check'
run 2 -m m.yaml -n 2 --trace-replication min p.pevpm; told '--trace-replication says of which replication --trace FILE is'

# ---- files whole or not at all ----
echo earlier >kept
run 2 -m m.yaml -n x -o kept p.pevpm
run 3 -m m.yaml -n 3 -o kept even.pevpm
check 'a failed run leaves the earlier file' [ "$(cat kept)" = earlier ]
run 0 -m m.yaml -f csv -n 2x1,1x2,4 -M distribution,average@2x1 -D N=2,3 -o kept p.pevpm
check 'output file' same kept plain.csv
check 'nothing on standard output' [ ! -s out ]
mkfifo profile
timeout 20 cat profile >read &
timeout -k 1 20 "$sim" -m m.yaml -n 2 --profile-output profile p.pevpm >out 2>err
code=$?
wait # the reader's file is whole when it has ended
check "a pipe takes a profile (exit code $code)" [ -s read ]
check 'all of it' grep -q '^per process ' read


# Ctrl-C while nobody reads a pipe, here as SIGTERM, since what runs in a script's background ignores SIGINT.
# stopped READY OPTION...: begins pevpm-sim and stops it once READY is true; what does not end in 20 s is killed.
lives() { grep -qs '^State:.[^Z]' "/proc/$!/status"; }
# Between fork and exec it is this script, which catches SIGTERM itself.
catches_term() {
    [ "$(grep -cs -e '^Name:.pevpm-sim$' -e '^SigCgt:.*[4-7c-f]...$' "/proc/$!/status")" = 2 ]
}
stopped() {
    ready=$1; shift
    "$sim" -m m.yaml -n 2 "$@" p.pevpm >out 2>err &
    tries=0
    until $ready || [ $((tries += 1)) -gt 200 ]; do sleep 0.1; done
    tries=0
    while lives && [ $((tries += 1)) -le 200 ]; do
        [ $((tries % 10)) -ne 1 ] || kill -TERM $!
        sleep 0.1
    done
    kill -KILL $! 2>/dev/null
    wait $!; code=$?
    check "stopped: exit code $code" [ $code -eq 4 ]
}
stopped catches_term -o profile; said 'profile: error: interrupted: the pipe had no reader yet'
stopped catches_term --print -o profile; said 'profile: error: interrupted: the pipe had no reader yet'
predicted_and_catches() { [ -e known ] && catches_term; }
stopped predicted_and_catches -o known --profile-output profile; said 'profile: error: interrupted: the pipe had no reader yet'
# Nor does a reader keep it that has opened the pipe and reads nothing: 64 KiB are in the pipe, and there is more.
sleep 60 <profile & reader=$!
"$sim" convert -o profile "$root/examples/vcluster16/vcluster16.yaml" 2>err &
tries=0
until [ "$(sed -n 's/^wchar: //p' "/proc/$!/io")" -ge 65536 ] || [ $((tries += 1)) -gt 200 ]; do sleep 0.1; done
kill -TERM $!
tries=0
while lives && [ $((tries += 1)) -le 50 ]; do sleep 0.1; done
kill -KILL $! $reader 2>/dev/null
wait $!; code=$?
check "a reader that stands still: exit code $code" [ $code -eq 143 ]
if command -v gnuplot >/dev/null; then
    for ending in svg png pdf; do
        run 0 -m m.yaml -n 1-4 --measured times.csv --plot "a'b.$ending" p.pevpm
        check "$ending" [ -s "a'b.$ending" ]
        check "the report names the plot" grep -q "^plot  *a'b.$ending\$" out
    done
    (trap '' XFSZ; ulimit -f 10; "$sim" -m m.yaml -n 2 --plot cut.svg p.pevpm >out 2>err) # what gnuplot does not say
    check 'a picture that there is no room for' [ $? -eq 4 ]
    told '^cut.svg: error: cannot write: File too large$'
    check 'half a picture' [ ! -e cut.svg ]
    mkdir bin; printf '#!/bin/sh\necho "line 0: all pens are dry" >&2\nexit 1\n' >bin/gnuplot; chmod +x bin/gnuplot
    PATH=$folder/bin:$PATH timeout 60 "$sim" -m m.yaml -n 2 --plot none.svg p.pevpm >out 2>err
    check 'failing gnuplot' [ $? -eq 4 ]
    told '^none.svg: error: gnuplot could not draw it: line 0: all pens are dry$'
    check 'no picture' [ ! -e none.svg ]
else
    skip 'plots: there is no gnuplot'
fi
timeout=$(command -v timeout)
PATH=/nonexistent "$timeout" 60 "$sim" -m m.yaml -n 2 --plot none.svg p.pevpm >out 2>err
check 'missing gnuplot' [ $? -eq 4 ]
told '^none.svg: error: --plot needs gnuplot, which cannot be started: No such file or directory$'
check 'the table is there all the same' grep -q '^ *2  *2x1  *distribution' out
check 'no temporary file is left' clean

# ---- the same bits ----
same_bits() { # same_bits NAME COMMAND...: its csv is bits.csv
    name=$1; shift
    timeout 120 "$@" -m m.yaml -f csv -n 1-4,2x2 -M distribution,minimum -s 7 p.pevpm >out 2>err
    check "$name" same out bits.csv
}
timeout 60 "$sim" -j 1 -m m.yaml -f csv -n 1-4,2x2 -M distribution,minimum -s 7 p.pevpm >bits.csv 2>err
check 'rows to compare' [ "$(wc -l <bits.csv)" -eq 11 ]
same_bits '-j 2' "$sim" -j 2
same_bits '-j 5' "$sim" -j 5
for lanes in 1 8 24 64; do same_bits "$lanes lanes" "$sim" --lanes $lanes -j 2; done
same_bits 'reference engine' "$sim" --engine reference
# A loop that never ends is told of, whatever the output goes to; then the run goes on until somebody stops it.
cat >endless.pevpm <<'END'
Set i = 0
Loop while = i < 10
{
Set j = i + 1
Set i = i
Serial time = 1 us
}
END
for arguments in '-f csv' '-o out.txt' '--engine lanes' 'compare endless.pevpm'; do
    : >err # the last one's warning is not this one's
    # shellcheck disable=SC2086 # words
    PEVPM_PATIENCE=0.1 timeout -s KILL 60 "$sim" $arguments -m m.yaml -n 2 endless.pevpm >out 2>err &
    pid=$! tries=300
    while [ $((tries -= 1)) -gt 0 ] && ! grep -q warning err; do sleep 0.1; done
    kill -INT $pid
    wait $pid
    told 'endless.pevpm:2:1: warning: process [01] of [12] has begun this loop [0-9]* times, in a replication that'
done
PEVPM_PATIENCE=0.1 timeout -s KILL 60 "$sim" -q -m m.yaml -n 2 endless.pevpm >out 2>err &
pid=$!
worked 0.5 $pid # so long that the others had said it
kill -INT $pid
wait $pid
check '-q says nothing of it' [ "$(grep -c warning err)" -eq 0 ]
# Ports that acknowledgements pass: only the time-ordered engine knows them; a mode without ports needs none.
ports='out_gap: [[0, 1 us]], in_gap: [[0, 1 us]]'
{ grep -v '^ports:' m.yaml; echo "ports: {$ports, reverse_gap: [[0, 1 us]]}"; } >reverse.yaml
for engine in lanes reference; do
    run 3 -m reverse.yaml -n 2 -r 3 --engine $engine p.pevpm
    told "reverse.yaml: error: .ports: reverse_gap. cannot be simulated by the $engine engine yet"
    check 'and nothing is predicted' [ "$(wc -l <out)" -eq 0 ]
    run 0 -m reverse.yaml -n 2 -r 3 --engine $engine --contention none p.pevpm
done
run 0 -m reverse.yaml -n 2 -r 3 --engine timed p.pevpm
# Ports pass whole messages whatever is known of frames, in every engine.
{ grep -v '^ports:' m.yaml; echo "ports: {$ports}"; } >whole.yaml
{ grep -v '^ports:' m.yaml; echo "ports: {$ports, frame: 1448, window: 20000}"; } >frames.yaml
run 0 -m whole.yaml -n 2 -r 3 -f csv --engine lanes p.pevpm; cut -d, -f10- out >whole.out
run 0 -m frames.yaml -n 2 -r 3 -f csv --engine lanes p.pevpm; cut -d, -f10- out >frames.out
told 'frames.yaml: note: --contention ports has whole messages pass: .frame., which tells of TCP.s frames, is left out of account'
run 0 -m frames.yaml -n 2,2x2 -r 3 p.pevpm --contention ports
check 'once, whatever the processes per node' [ "$(grep -c 'has whole messages pass' err)" -eq 1 ]
{ cat frames.yaml; echo 'model_error: {communication: 0.02}'; } >judged.yaml; run 0 -m judged.yaml -n 2 -r 3 p.pevpm --contention ports
told 'left out of account, and predictions are further off than .model_error. says'
check 'as if nothing were known of them' diff whole.out frames.out
# And TCP's frames want to know of each what it takes, and the model that was measured.
run 3 -m frames.yaml -n 2 -r 3 --contention frames p.pevpm
told 'frames.yaml: error: a port or trunk without .frame., or whose longest message fills less than half of one, which --contention frames needs'
run 2 -m models.yaml -n 2 --model lmo --contention frames p.pevpm
told 'error: --contention frames with the model .lmo., which knows no frames: use --model measured, or --contention ports'
echo 'Collective type = MPI_Barrier' >barrier.pevpm
run 0 -n 2 -r 2 --contention frames barrier.pevpm
check 'and what is taken for granted is said' grep -q '^note: frames: headers .66 bytes' out
run 2 -m m.yaml -n 2 --contention frame p.pevpm
told 'error: --contention frame: did you mean .frames.. Expected scoreboard, ports, frames or none'
timeout 60 "$sim" -m m.yaml -f csv -n 1-4,2x2 -M distribution,minimum -s 8 p.pevpm >out 2>err
check 'another seed, other bits' [ "$(cmp -s out bits.csv; echo $?)" -eq 1 ]

mpirun="mpirun --allow-run-as-root --oversubscribe"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # MPI's own
if timeout 60 $mpirun -np 2 true >out 2>&1; then
    for ranks in 1 2 3; do same_bits "mpirun -np $ranks" $mpirun -np $ranks "$sim" -j 1; done
    check 'built with MPI' [ "$(grep -c 'built without MPI' err)" -eq 0 ]
    timeout 60 $mpirun -np 3 "$sim" -m m.yaml -n 2,4 -r 2 -f csv p.pevpm >out 2>err
    check 'more ranks than replications' [ "$(wc -l <out)" -eq 3 ]
    timeout 60 $mpirun -np 2 "$sim" -m m.yaml -f csv -n 1-4,2x2 -M distribution,minimum -s 7 - <p.pevpm >out 2>err
    sed 's/^<stdin>,/p.pevpm,/' out >renamed; check 'standard input under mpirun' same renamed bits.csv
    timeout 60 $mpirun -np 2 "$sim" -m m.yaml -n 2 stuck.pevpm >out 2>err
    check 'a deadlock under mpirun' [ $? -eq 1 ]
    check 'said once' [ "$(grep -c '^stuck.pevpm:1:.*deadlock: process 0 of 2' err)" -eq 1 ]
    timeout 60 $mpirun -np 2 "$sim" -m none.yaml -n 2 p.pevpm >out 2>err
    check 'a missing file under mpirun' [ $? -eq 4 ]
    check 'said once' [ "$(grep -c '^none.yaml' err)" -eq 1 ]
else
    skip "mpirun: $(head -n 1 out)"
fi

# ---- Ctrl-C ----
interrupted() { # interrupted SIGNAL ARGUMENT...: a run far too long, stopped after a moment; leaves ./out ./err and $code
    signal=$1; shift
    timeout -s KILL 90 "$sim" -m m.yaml -n 2,4 --baseline 1 -r 1000000000 -D N=50 "$@" p.pevpm >out 2>err &
    pid=$! # timeout hands the signal on
    ready $pid && worked 0.7 $pid
    kill -"$signal" $pid
    wait $pid; code=$?
    check "interrupted: exit code $code" [ $code -eq 4 ]
    told '^pevpm: error: interrupted: '
}
interrupted INT
check 'the row so far is there' grep -q '^ *2 .*(incomplete)$' out
check 'marked' grep -q '^INCOMPLETE' out
interrupted TERM -f json
check 'marked in json' grep -q '^  "complete": false$' out
interrupted INT -f csv -o late.csv
check 'the file has what is known' [ "$(wc -l <late.csv)" -eq 2 ]
if [ -p pipe ]; then # it is full and nobody reads it, so the run hangs in its first write when the signals come
    exec 5<>pipe
    LC_ALL=C dd if=/dev/zero of=pipe bs=4096 count=1024 oflag=nonblock 2>full
    check 'the pipe is full' grep -q 'temporarily unavailable' full
    "$sim" -m m.yaml -n 1,2 -r 2 -D N=1 -M average -f csv -o pipe p.pevpm 2>err 5<&- &
    pid=$!
    check 'it handles signals' ready $pid
    tries=100
    while kill -INT $pid 2>/dev/null && [ $((tries -= 1)) -gt 0 ]; do sleep 0.3; done
    [ $tries -gt 0 ] || kill -KILL $pid
    wait $pid; code=$?
    check "second signal: exit code $code" [ $code -eq 130 ]
    exec 5<&-
fi
check 'no temporary file is left' clean

# elements that a loop sets before the run are told by their numbers
printf '%s\n' 'Loop iterations = 3 & var = k' '{' 'Set t[k] = 5*k' '}' 'Loop iterations = 3 & var = k' '{' \
    'Message type = MPI_Sendrecv & size = t[k] & to = 0 & from = 0' '}' >table.pevpm
run 0 -m m.yaml -n 1 --print table.pevpm
check 'set t[2]' grep -q '^  set t\[2\] = 5\*k ' out

# sockets: without entries within one the same bits as without the key, and what is taken is said; --map lays processes on them
sed 's/^processes_per_node: 2/processes_per_node: 4/' m.yaml >plain.yaml
cat >>plain.yaml <<'Y'
eager_limit: 50
transports: {node: {eager_limit: 40}}
Y
sed 's/^point_to_point:/&\n  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 5 ms}]}/' plain.yaml >local.yaml
{ cat local.yaml; echo 'sockets_per_node: 2'; } >sockets.yaml
for file in local sockets; do
    run 0 -m $file.yaml -n 2x4 --map block:block -r 20 -s 5 p.pevpm
    cp out $file.out
    run 0 -m $file.yaml -n 2x4 --map block:block -r 20 -s 5 -f csv p.pevpm
    cut -d, -f1-20 out >$file.csv
done
check 'sockets that nothing was measured within change no prediction' cmp local.csv sockets.csv
check 'and it is said' grep -q '^note: messages within a socket cost what others within the node do, and count as such' sockets.out
check 'and of the eager limit, too' grep -q '^note: the eager limit within a node was taken for messages within a socket' sockets.out
check 'without sockets not' sh -c '! grep -q "a socket" local.out'
sed 's/^point_to_point:/&\n  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, transport: socket, sizes: [{bytes: 0, transit: 1 ms}]}/' \
    sockets.yaml >within.yaml
echo 'Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs' >pair.pevpm
for case in 'cyclic 0.005' 'block 0.001' 'block:block 0.001' 'cyclic:cyclic 0.005'; do
    map=${case% *}
    case $map in *:*) ;; *) map=block:$map ;; esac
    run 0 -m within.yaml -n 1x2 -r 1 -f csv --map "$map" pair.pevpm
    check "--map $map" [ "$(sed 1d out | cut -d, -f10)" = "${case#* }" ]
done
run 0 -m within.yaml -n 1x2 -r 1 pair.pevpm
check 'in turn by default, and the report says so' grep -q '^model .*contention scoreboard, on the sockets of a node in turn$' out
run 0 -m within.yaml -n 1x2 -r 1 -f json --map block:block pair.pevpm
check 'json has the map' grep -q '"map": "block:block"' out
run 0 -m within.yaml -n 1x4 --print=2 --map block:block pair.pevpm
check 'a process has a socket' grep -q '^process 2 of 4 (node 0, socket 1)$' out
run 0 -m local.yaml -n 1x2 -r 1 --map block:cyclic pair.pevpm
check 'no sockets to lie on' grep -q '^note: --map says how processes lie on the sockets of a node, and testbed does not tell them apart' out

finish
