#!/bin/sh
# pevpm-sim judge from outside: runs that pevpm-sim itself made up on a machine whose costs are other than the file says.
# test_judge.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim. Last line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh

sim=${1:-$build/pevpm-sim}
case $sim in /*) ;; *) sim=$PWD/$sim ;; esac
need "$sim"
unset PEVPM_MACHINE OMP_NUM_THREADS
mkdir "$folder/programs"
cd "$folder" || exit 1

run() { # run CODE ARGUMENT...: leaves ./out and ./err
    wanted=$1; shift
    timeout 60 "$sim" "$@" >out 2>err; code=$?
    ended "$wanted" $code "$@"
}

cat >m.yaml <<'Y'
# measured in spring
pevpm_machine: 1
name: testbed
nodes: 8
processes_per_node: 1
point_to_point:
  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1,
     sizes: [{bytes: 0, transit: {start: 1 ms, width: 0.01 ms, counts: [3, 5, 2]}, launch_sd: 0.001}]} # equal bins

serial:  # of the stencil
  row: 2 ms
Y
cat >programs/ping.pevpm <<'P'
Param N = 20
Serial time = measured(row)
Loop iterations = N
{
Serial time = 1 ms
Runon c1 = procnum == 0 & c2 = procnum == 1
{
Message type = MPI_Ssend & size = 8 & to = 1
}
{
Message type = MPI_Recv & size = 8 & from = 0
}
}
P
cat >ring.pevpm <<'P'
Param N = 10
Param work = 0.5
Loop iterations = N
{
Serial time = work ms
Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
}
P

# truth FACTORS: runs.csv, what pevpm-sim says with them
truth() {
    echo 'launch, seconds, numprocs, program, params, remark' >runs.csv
    for n in 2 4 8; do
        for seed in 11 12 13; do
            for case in ping:N=20 ping:N=80 ring:N=10\ work=0.5 ring:N=40\ work=2; do
                program=${case%%:*}.pevpm params=${case#*:}
                file=$program; [ -f "$file" ] || file=programs/$program
                # shellcheck disable=SC2086,SC2046 # parameters are words
                seconds=$("$sim" -m m.yaml -n $n -s $seed -r 2 --scale "$1" $(printf -- "-D %s " $params) -f csv "$file" 2>err |
                    sed 's/"[^"]*"/x/' | awk -F, 'NR == 2 { print $10 }')
                echo "$seed,$seconds,$n,$file,\"$params\",x"
            done
        done
    done >>runs.csv
}
figure() { sed -n "s/^  $1: //p" "$2"; }
between() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x != "" && x >= low && x <= high) }'; }

# ---- help ----
run 0 judge --help; check 'help names its own -o' grep -q 'machine file with the model error' out
check 'help names columns of placement' grep -q 'nodes and ppn' out
check 'help leaves out what judge does not take' [ "$(grep -c -e '--plot' -e '--scale' out)" -eq 0 ]
run 0 judge --version; check version grep -q '^pevpm-sim [0-9]' out
run 0 --help; check 'pevpm-sim --help names judge' grep -q 'pevpm-sim judge' out

# ---- a known truth: 12 runs of 3 launches; x 1.10 is t(10) over z, and their tails' ----
truth transit=1.03
run 0 judge -m m.yaml -r 40 -o found.yaml runs.csv
check 'table' [ "$(grep -c '^[a-z/]*ping.pevpm\|^ring.pevpm' out)" -eq 12 ]
check 'launches are one run' grep -q '^ring.pevpm .* N=10 work=0.5  *2 .* [0-3] of 3 ' out
check 'predicted too fast' [ "$(grep -c 'pevpm.* -2.[5-9] %  ' out)" -gt 3 ]
check 'the interval holds them then' grep -q '^inside p5-p95  *[0-9]* % of 36 launches; then, with the model error, \(9[0-9]\|100\) %$' out
check "about 3 % of communication: $(figure communication found.yaml)" between "$(figure communication found.yaml)" 0.025 0.042
check "nothing of computation: $(figure computation found.yaml)" between "$(figure computation found.yaml)" 0 0.0005
check 'runs' [ "$(figure runs found.yaml)" = 12 ]
sed '/^model_error:/,$d' found.yaml >rest.yaml; check 'all else is as it was' same rest.yaml m.yaml
cp found.yaml once.yaml
for width in '-j 1' '-j 3'; do
    # shellcheck disable=SC2086
    run 0 judge -m m.yaml -r 40 $width -o found.yaml runs.csv; check "same bits: $width" same found.yaml once.yaml
done
run 0 judge -m found.yaml -r 40 -o found.yaml runs.csv
check 'an earlier model error changes nothing, and is replaced' same found.yaml once.yaml
run 0 judge -m m.yaml -r 40 runs.csv; check 'no -o, no file' [ "$(find . -newer out -name '*.yaml' | wc -l)" -eq 0 ]
truth serial=0.98
run 0 judge -m m.yaml -r 40 -o found.yaml runs.csv
check "about 2 % of computation: $(figure computation found.yaml)" between "$(figure computation found.yaml)" 0.018 0.028
check "little of communication: $(figure communication found.yaml)" between "$(figure communication found.yaml)" 0 0.006

# ---- what predictions make of it ----
cp runs.csv keep.csv
run 0 -m once.yaml -n 2 -r 200 -f csv ring.pevpm; cp out with.csv
told 'note: p5-p95 hold the spread of runs, of calibrations, and a model error of [234][.0-9]* % of communication'
run 0 -m m.yaml -n 2 -r 200 -f csv ring.pevpm; cp out without.csv
check 'not said without the key' [ "$(grep -c p5-p95 err)" -eq 0 ]
check 'wider with it' [ "$(paste -d, with.csv without.csv | awk -F, 'NR == 2 { print (($16 - $14) > 2 * ($40 - $38)) }')" -eq 1 ]
check 'the rest is the same' [ "$(cut -d, -f1-13,17-19,22- with.csv)" = "$(cut -d, -f1-13,17-19,22- without.csv)" ]
run 0 -m once.yaml -n 2 -r 200 ring.pevpm; check 'note in the text' grep -q '^note: p5-p95 hold ' out
run 0 -m once.yaml -n 2 -M average ring.pevpm; check 'no note without replications' [ "$(grep -c p5-p95 out)" -eq 0 ]
run 0 compare -m once.yaml -n 2 ring.pevpm programs/ping.pevpm; cp out with.txt
check 'no note where two are compared' [ "$(grep -c p5-p95 out)" -eq 0 ]
run 0 compare -m m.yaml -n 2 ring.pevpm programs/ping.pevpm
check 'and the same figures' [ "$(grep '2x1' with.txt)" = "$(grep '2x1' out)" ]

# ---- machine files ----
sed 's/^serial:/model_error: {computation: 0.5}  # guess\n# next\nserial:/' m.yaml >old.yaml
run 0 judge -m old.yaml -r 40 -o new.yaml runs.csv
check 'the key stays where it stood' [ "$(grep -n '^model_error:$' new.yaml | cut -d: -f1)" = "$(grep -n '^model_error' old.yaml | cut -d: -f1)" ]
check 'and the next one is whole' grep -q '^# next$' new.yaml
printf '{pevpm_machine: 1, name: b, nodes: 8, processes_per_node: 1, serial: {row: 1},\n point_to_point: [{operation: MPI_Send, nodes: 2,
  processes_per_node: 1, sizes: [{bytes: 0, transit: 1 ms}]}]}\n' >braces.yaml
run 3 judge -m braces.yaml -r 2 -o no.yaml runs.csv; told '^braces.yaml: error: the top level stands in braces'
check 'nothing half' [ ! -e no.yaml ]

printf '\357\273\277' >marked.csv; cat runs.csv >>marked.csv
run 0 judge -m m.yaml -r 40 runs.csv; cp out plain.txt
run 0 judge -m m.yaml -r 40 marked.csv; check 'a file from a spreadsheet' [ "$(grep -c . out)" -eq "$(grep -c . plain.txt)" ]

# ---- what is wrong ----
run 2 judge -m m.yaml; told 'error: no RUNS.csv is given'
run 2 judge -m m.yaml a.csv b.csv; told 'error: one RUNS.csv is judged by, found `a.csv` and `b.csv`'
run 2 judge -m m.yaml -; told 'error: judge reads files, not standard input'
run 2 judge -m m.yaml -o - runs.csv; told 'error: -o: the machine file goes to a file'
run 2 judge -m m.yaml -r 1 runs.csv; told 'error: -r 1: one replication has no spread'
run 2 judge -m m.yaml --plot a.svg runs.csv; told 'error: .*--plot'
run 4 judge -m m.yaml none.csv; told '^none.csv: error: cannot '
run 4 judge -m none.yaml runs.csv; told '^none.yaml: error: cannot open'
run 4 judge -m m.yaml -o none/x.yaml runs.csv; check 'no table' [ ! -s out ]
printf '\n# x\nprogram,params,procs,sekonds\n' >bad.csv
run 3 judge -m m.yaml bad.csv
told '^bad.csv:3:1: error: there is no column `numprocs` (needed'; told '^bad.csv:3:22: error: there is no column `seconds`: did you mean it here?'
check 'the file is not said to be empty' [ "$(grep -c 'an empty file' err)" -eq 0 ]
head -c -3 keep.csv >torn.csv; run 0 judge -m m.yaml torn.csv
told '^torn.csv:[0-9]*:[0-9]*: warning: nothing ends the last line: if the file was cut off here'
{
    echo 'program,params,numprocs,seconds'
    echo 'rong.pevpm,N=1,2,1'
    echo 'ring.pevpm,N=1 N=2,2,1'
    echo 'ring.pevpm,N,2,1'
    echo 'ring.pevpm,N=,two,-1 ms'
    echo 'ring.pevpm,N=1,2'
    echo '"ring.pevpm,N=1,2,1'
    echo 'ring.pevpm,N=1,2,1,5'
    echo 'ring.pevpm,N=1,2,1,'
    echo '<--random hallo --seed 3>,N=1,2,1'
} >bad.csv
run 3 judge -m m.yaml bad.csv
told '^bad.csv:2:1: error: there is no such program'; told '^bad.csv:3:16: error: this parameter is given twice'
told '^bad.csv:4:12: error: expected NAME=NUMBER'; told '^bad.csv:5:14: error: expected a number or an expression$'
told '^bad.csv:5:15: error: expected a number of processes'; told '^bad.csv:5:19: error: expected a time above zero'
told '^bad.csv:6:1: error: this line ends before its column `seconds`'; told '^bad.csv:7:1: error: this quote does not end'
told '^bad.csv:8:20: error: this line has more columns than the first one names'; told '^bad.csv:10:1: error: no program by chance'
check 'all at once' [ "$(grep -c error: err)" -eq 10 ]
for separator in ';' '	'; do
    tr ',' "$separator" <bad.csv >separated.csv
    run 3 judge -m m.yaml separated.csv; told '^separated.csv:1:8: error: columns are separated by commas, not by'
    check 'and nothing else' [ "$(grep -c error: err)" -eq 1 ]
done
# ---- several processes on a node ----
{
    echo 'program,params,numprocs,nodes,ppn,seconds'
    for at in 4,, 4,4, 4,,1 4,2, 4,,2 4,2,2 4,1,4 8,4,2 2,1,2; do echo "ring.pevpm,N=10,$at,0.02"; done
} >shapes.csv
run 0 judge -m m.yaml -r 2 shapes.csv
check 'as many runs as shapes' [ "$(grep -c '^ring' out)" -eq 5 ]
check 'n x p' grep -q '^program  *params  *procs  *n x p  *measured ' out
check 'one to a node' grep -q '^ring.pevpm  *N=10  *4  *4x1 .* of 3 ' out
check 'two to a node' grep -q '^ring.pevpm  *N=10  *4  *2x2 .* of 3 ' out
check 'all on one' grep -q '^ring.pevpm  *N=10  *4  *1x4 .* of 1 ' out
check 'what is said of predictions, once' [ "$(grep -c '^note: .* processes per node are more than the 1 of testbed: each is taken to have a processor of its own (4 of 5 runs; ring.pevpm N=10, 2x2)$' out)" -eq 1 ]
check 'each kind' [ "$(grep -c '^note: up to ' out) $(grep -c '^note: nothing was measured between' out)" = '2 1' ] # between nodes, and within
run 0 judge -m m.yaml -r 2 -o shaped.yaml shapes.csv
told '^shapes.csv:5:1: warning: 4 of 5 runs had more nodes or processes per node than testbed has (8x1, this one 2x2): .* shaped.yaml'
sed 's/nodes,//; s/^\(ring.*\),[0-9]*,\([0-9]*,[^,]*\)$/\1,\2/' shapes.csv >ppn.csv
run 0 judge -m m.yaml -r 2 ppn.csv; check 'ppn alone' grep -q '^ring.pevpm  *N=10  *8  *4x2 ' out
{
    echo 'program,params,numprocs,nodes,ppn,seconds'
    echo 'ring.pevpm,N=1,8,4,4,1'; echo 'ring.pevpm,N=1,8,3,,1'; echo 'ring.pevpm,N=1,8,,3,1'
    echo 'ring.pevpm,N=1,8,0,,1'; echo 'ring.pevpm,N=1,8,,x,1'; echo 'ring.pevpm,N=1,8,65536,65536,1'
} >bad.csv
run 3 judge -m m.yaml bad.csv
told '^bad.csv:2:18: error: 4 nodes with 4 processes each make 16, not 8$'; told '^  *| *^$'
told '^bad.csv:3:18: error: 8 processes are not a multiple of 3$'; told '^bad.csv:4:19: error: 8 processes are not a multiple of 3$'
told '^bad.csv:5:18: error: expected a number of nodes'; told '^bad.csv:6:19: error: expected a number of processes per node'
told '^bad.csv:7:18: error: 65536 nodes with 65536 processes each make 4294967296, not 8$'
check 'all at once' [ "$(grep -c error: err)" -eq 6 ]
{ echo 'program,params,numprocs,node,seconds'; sed -n '2,$p' shapes.csv | sed 's/,[^,]*\(,[^,]*\)$/\1/'; } >node.csv
run 3 judge -m m.yaml -r 2 node.csv; told '^node.csv:1:25: warning: this column is ignored: did you mean `nodes`?'
printf 'program,params,numprocs,seconds\nring.pevpm,"N=1"0,8,1\n' >rest.csv
run 3 judge -m m.yaml rest.csv; told '^rest.csv:2:17: error: expected a comma behind the quote'
sed '1s/$/,seconds/; 2,$s/$/,9/' runs.csv >twice.csv
run 3 judge -m m.yaml -r 2 twice.csv; told '^twice.csv:1:[0-9]*: error: this column is there twice: which one counts?'

head -n 5 keep.csv >few.csv; run 3 judge -m m.yaml few.csv
told '^few.csv: error: 4 runs (program, params, numprocs, nodes) are too few: a model error takes at least 5'
: >empty.csv; run 3 judge -m m.yaml empty.csv
told '^empty.csv: error: an empty file; its first line names the columns (needed: program, params, numprocs, seconds;'
{ head -n 7 keep.csv; echo '1,1,1,programs/ping.pevpm,N=20,x'; } >one.csv
run 3 judge -m m.yaml -r 2 one.csv; told '^programs/ping.pevpm:8:.*error: '; told '^one.csv:8:7: note: needed for this run'
check 'no table' [ ! -s out ]
mkdir sub; cp ring.pevpm sub/beside.pevpm; sed 's/ring.pevpm/beside.pevpm/' keep.csv >sub/runs.csv
run 0 judge -m m.yaml -r 2 sub/runs.csv; check 'beside the csv' grep -q '^sub/beside.pevpm ' out

# ---- profiles ----

# Process 0 computes 4 x 10 ms, 1 waits for it; each message takes 1 ms. Means of both: 20 ms, and what 1 waits.
cat >wait.pevpm <<'P'
Param N = 2
Procedure turn
{
Runon c1 = procnum == 0 & else
{
Serial time = 10 ms
Message type = MPI_Send & size = 8 & to = 1
}
{
Message type = MPI_Recv & size = 8 & from = 0
}
}
Loop iterations = N
{
Call turn
Call turn
}
P
sed 's/transit: .*/transit: 1 ms}]}/' m.yaml >exact.yaml
cat >profile.csv <<'P'
mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share,program
run,2,2,1,N=2,3,0.050,6,Serial,,0.022,0.4,wait.pevpm
run,2,2,1,N=2,3,0.050,10,MPI_Recv,,0.023,0.4,wait.pevpm
run,2,2,1,N=2,3,0.050,7,MPI_Send,,0.0005,0.1,wait.pevpm
run,2,2,1,N=2,3,0.050,,,,0.0045,0.1,wait.pevpm
run,2,2,1,N=2,3,0.050,6,Serial,0,0.044,0.8,wait.pevpm
run,2,2,1,N=2,3,0.050,,,0,0.050,1,wait.pevpm
run,2,2,1,N=1,3,0.025,10,MPI_Recv,,9.9 ms,0.4,wait.pevpm
P
cat >wanted <<'T'
wait.pevpm N=2, 2x1: measured 50.00 ms, predicted 41.00 ms (-18.0 %)
draws of the prediction: the file does not say what the run drew (seed, launch, replications)

    line  directive            measured  predicted  difference  of the run
          after the end        4.500 ms   500.0 us   -4.000 ms      -8.0 %
      10  MPI_Recv             23.00 ms   20.50 ms   -2.500 ms      -5.0 %
       6  Serial               22.00 ms   20.00 ms   -2.000 ms      -4.0 %
       7  MPI_Send             500.0 us        0 s   -500.0 us      -1.0 %

wait.pevpm N=1, 2x1: measured 25.00 ms, predicted 21.00 ms (-16.0 %)
draws of the prediction: the file does not say what the run drew (seed, launch, replications)

    line  directive            measured  predicted  difference  of the run
       6  Serial                    0 s   10.00 ms   +10.00 ms     +40.0 %
      10  MPI_Recv             9.900 ms   10.50 ms   +600.0 us      +2.4 %
          after the end             0 s   500.0 us   +500.0 us      +2.0 %

note: up to 4 messages between nodes were in flight (distribution, 2x1) and the machine file was measured up to 1: beyond that they cost the same
note: messages of 8 bytes: 0 bytes alone were measured; all others are taken to cost the same
T
run 0 judge -m exact.yaml --profile profile.csv; check 'where predictions are wrong' diff out wanted
sed 's/MPI_Recv,/MPI_Sendrecv_replace,/' profile.csv >long.csv
run 0 judge -m exact.yaml --profile long.csv
awk '/ %$/ || / of the run$/ { print length }' out | sort -u >widths
check 'columns stand below each other where a name is long' [ "$(wc -l <widths)" -eq 1 ]
told '^long.csv:2:[0-9]*: warning: line 10 MPI_Sendrecv_replace of this profile is no directive of wait.pevpm: the program has changed'
sed 's/^run,2,2,1,/run,2,1,2,/' profile.csv >inside.csv
run 0 judge -m exact.yaml --profile inside.csv
check 'more processes on a node than the machine has' \
    [ "$(grep -c '^note: 2 processes per node are more than the 1 of testbed: each is taken to have a processor of its own$' out)" -eq 1 ]
{ cat profile.csv; sed 1d profile.csv; } >doubled.csv
run 3 judge -m exact.yaml --profile doubled.csv
told '^doubled.csv:9:1: error: row 2 of the same directive in the same profile, and wait.pevpm has it 1 time: was the profile added twice?'
{ cat profile.csv; sed -n '2,$s/0\.050/0.052/p' profile.csv; } >again.csv
run 0 judge -m exact.yaml --profile again.csv
check 'another profile of the same launch has a table of its own' \
    [ "$(grep -c '^wait.pevpm N=2, 2x1: measured 5[02].00 ms' out) $(grep -c ' 10  MPI_Recv  *23.00 ms ' out)" = '2 2' ]
run 2 judge -m exact.yaml -o x.yaml --profile profile.csv; told 'profile finds no model error: it goes without -o'
run 3 judge -m exact.yaml --profile keep.csv; told '^keep.csv:1:1: error: there is no column `run_time_s` (needed is what pevpm-run'
sed -i 's/,6,Serial,,/,six,Serial,,/' profile.csv
run 3 judge -m exact.yaml --profile profile.csv; told '^profile.csv:2:23: error: expected the number of a line, at least 1'

# ---- what runs drew ----

# Messages take 1 ms, so runs differ by what they compute alone: predictions that draw the same are right.
cat >laps.pevpm <<'P'
Param work = 0.01
Loop iterations = 5
{
Serial time = normal(work, work*0.5)
Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
}
P
drawn() { # drawn WORK SEED REPLICATION: seconds
    "$sim" -q -m exact.yaml -n 2 -D work="$1" -s "$2" --work-of "$3" -r 2 -f csv laps.pevpm |
        sed 's/"[^"]*"/x/' | awk -F, 'NR == 2 { print $10 }'
}
# Launches 1 and 2 of -r 3, and one of another seed
{
    echo 'program,params,numprocs,nodes,ppn,launch,run,seed,seconds'
    for work in 0.01 0.011 0.012 0.013 0.014; do
        for draws in '1 0 7 0' '1 1 7 1' '1 2 7 2' '2 0 7 3' '2 1 7 4' '2 2 7 5' '2 0 8 1'; do
            # shellcheck disable=SC2086 # words
            set -- $draws
            echo "laps.pevpm,work=$work,2,2,1,$1,$2,$3,$(drawn $work $3 $4)"
        done
    done
} >drew.csv
run 0 judge -m exact.yaml -r 16 drew.csv
check 'the launches are told to have drawn' grep -q '^draws        what 35 of 35 launches drew, as if each launch had 1 to 3 runs$' out
check 'and are right' [ "$(grep -c '^laps.pevpm .* [+-]0.0 %.* 7 of 7 ' out)" -eq 5 ]
cut -d, -f1-5,9 drew.csv >anew.csv; run 0 judge -m exact.yaml -r 16 anew.csv
check 'others are told not to' \
    grep -q '^draws        35 of 35 do not say what they drew (seed, launch, run): draws of the predictions$' out
check 'and are not' [ "$(grep -c '^laps.pevpm .* [+-]0.0 %' out)" -lt 5 ]
awk -F, 'NR < 9 || NR > 15' OFS=, drew.csv >some.csv; awk -F, 'NR > 8 && NR < 16 {$8 = ""; print}' OFS=, drew.csv >>some.csv
run 0 judge -m exact.yaml -r 16 some.csv
check 'some of them' \
    grep -q '^draws        what 28 of 35 launches drew, as if each launch had 1 to 3 runs; 7 of 35 do not say what they drew (seed, launch, run)' out
run 0 judge -m exact.yaml -r 16 -f csv drew.csv
check 'as csv' [ "$(sed -n 1p out | tr ',' '\n' | grep -n '^\(draws\|measured_s\|predicted_s\|error\|inside\)$' | tr '\n' ' ')" = \
    '7:draws 8:measured_s 9:predicted_s 10:error 14:inside ' ]
check 'with a line for each run' \
    [ "$(awk -F, 'NR > 1 && $1 == "laps.pevpm" && $6 == 7 && $7 == "theirs" && $10 * $10 < 1e-12 && $14 == 7 && $12 <= $9 && $9 <= $13' out | wc -l)" -eq 5 ]
told 'note: messages of 8 bytes'
run 2 judge -m exact.yaml -f json drew.csv; told 'f json: judge writes text or csv'
run 0 judge -m exact.yaml -r 16 --contention none --mpi mpich drew.csv; run 2 judge -m exact.yaml --contention prots drew.csv; told 'did you mean `ports`'
sed 's/laps.pevpm,work=\([^,]*\)/ring.pevpm,work=\1/' drew.csv >none.csv; run 0 judge -m exact.yaml -r 16 none.csv
check 'nothing is drawn' grep -q '^draws        none: computations take the same in every run$' out
awk -F, '{$7 = $7 (NR == 1 ? ",runs" : $8 == 7 ? ",3" : ",1"); print}' OFS=, drew.csv >counted.csv
run 0 judge -m exact.yaml -r 16 counted.csv
check 'how many runs launches had is said' grep -q '^draws        what 35 of 35 launches drew$' out
grep -v ',[12],2,3,7,\|,1,1,3,7,' counted.csv >counted-cut.csv
run 0 judge -m exact.yaml -r 16 counted-cut.csv
check 'and holds where launches were cut short' grep -q '^draws        what 20 of 20 launches drew$' out
check 'which are right' [ "$(grep -c '^laps.pevpm .* [+-]0.0 %.* 4 of 4 ' out) $(grep -c 'is judged by other' err)" = '5 0' ]
awk -F, 'NR == 1 || $7 == 0 && $8 == 7' OFS=, drew.csv >first.csv
run 0 judge -m exact.yaml -r 16 first.csv
check 'a guess is said' grep -q '^draws        what 10 of 10 launches drew, as if each launch had 1 run$' out
check 'where it is wrong' [ "$(grep -c '^laps.pevpm .* 2 of 2 ' out)" -eq 0 ]
awk -F, 'NR == 1 || $7 == 0 && $9 == 7' OFS=, counted.csv >first.csv
run 0 judge -m exact.yaml -r 16 first.csv
check 'and needs not be made' grep -q '^draws        what 10 of 10 launches drew$' out
check 'where it is right' [ "$(grep -c '^laps.pevpm .* [+-]0.0 %.* 2 of 2 ' out)" -eq 5 ]
awk -F, 'NR == 1 || $6 == 1' drew.csv >first.csv; run 0 judge -m exact.yaml -r 16 first.csv
check 'of first launches there is nothing to guess' grep -q '^draws        what 15 of 15 launches drew$' out
sed 's/,2,0,8,/,4294967295,1,8,/' drew.csv >beyond.csv; run 0 judge -m exact.yaml -r 16 beyond.csv
told '^beyond.csv:8:1: warning: launch 4294967295 of 2 runs each would have drawn the numbers of more replications than there are'
sed 's/^\(laps.pevpm,work=0.012,2,2,1,2,[0-2]\),[78],/\1,,/' beyond.csv >vain.csv
run 0 judge -m exact.yaml -r 16 vain.csv
told '^vain.csv:19:1: warning: this launch does not say what it drew, and others of the run do: it is judged by other draws$'
check 'who says nothing, and who says it in vain' grep -q \
    '^draws        3 of 35 do not say what they drew .*: draws of the predictions; of 32 of 35 it is not known all the same (see the warnings): ' out
{ head -n 1 counted.csv; sed -n '2s/,1,0,3,/,1,3,3,/p; 3s/,1,1,3,/,1,1,0,/p' counted.csv; } >bad.csv
run 3 judge -m exact.yaml bad.csv
told '^bad.csv:2:30: error: there is no such run: they count from 0'; told '^bad.csv:3:32: error: expected a whole number, at least 1'
grep -v ',2,2,7,' drew.csv >cut.csv; run 0 judge -m exact.yaml -r 16 cut.csv
told '^cut.csv:6:1: warning: launch 2 of this run has 2 runs and others another number, so which numbers they drew is not known'
sed '5,$s/^\(laps.pevpm,work=0.01,2,2,1,2,[0-2]\),3,/\1,,/' counted.csv >partly.csv; run 0 judge -m exact.yaml -r 16 partly.csv
# The bar expects as many predictions as there are, though the file says what launches drew.
if script -qec true /dev/null </dev/null >out 2>&1; then
    sed '2,$s/work=0\.01\([1-4]*\),2,/N=100\1,2,/' none.csv >bar.csv
    timeout 60 script -qec "$sim judge -m m.yaml -j 1 -r 4000 bar.csv" /dev/null </dev/null >out 2>&1
    tr '\r' '\n' <out | sed -n 's/^\[.*\] *\([0-9]*\) %.*/\1/p' | sort -n | tail -n 1 >bar
    if [ -s bar ]; then check "the bar fills up: $(cat bar) %" [ "$(cat bar)" -gt 50 ]; else skip 'a bar: this was soon done'; fi
else
    skip 'a bar: no `script`, which makes a terminal'
fi
{ head -n 1 drew.csv; echo 'laps.pevpm,,2,2,1,0,-1,x,1'; } >bad.csv; run 3 judge -m exact.yaml bad.csv
told '^bad.csv:2:19: error: expected a whole number, at least 1: '; told '^bad.csv:2:21: error: expected a whole number, at least 0: '
told '^bad.csv:2:24: error: expected a whole number'
for launch in 1 2; do # replications 0 to 2 of seeds 7 and 8: by the second's columns 3 to 5 of 8
    run 0 -q -m exact.yaml -n 2x1 -D work=0.01 -s $((6 + launch)) -r 3 --profile-output p.csv laps.pevpm
    awk -F, -v l=$launch 'NR == 1 {if (l == 1) print $0 ",program,launch,seed"; next} {print $0 ",laps.pevpm," l "," 6 + l}' p.csv
done >profile.csv
run 0 judge -m exact.yaml -r 3 --profile profile.csv
check 'profiles likewise' grep -q '^draws of the run: replications 0 to 2 of seed 7$' out
check 'where they are right' [ "$(sed '/ 3 to 5 /,$d' out | grep -c ' +0 s  *+0.0 %$')" -eq 3 ]
{ cat profile.csv; sed -n '2,$s/^\(distribution,2,2,1,[^,]*\),3,/\1,2,/p' profile.csv; } >fewer.csv
run 0 judge -m exact.yaml -r 3 --profile fewer.csv
check 'of other runs it is another profile' [ "$(grep -c '^draws of the run: replications' out)" -eq 4 ]
sed 's/^\(distribution,2,2,1,[^,]*,3,.*\),[12],\([78]\)$/\1,4294967295,\2/' profile.csv >beyond.csv
run 0 judge -m exact.yaml -r 3 --profile beyond.csv
told '^beyond.csv:2:1: warning: launch 4294967295 of 3 runs each would have drawn'
check 'and the table says so' [ "$(grep -c '^draws of the prediction: what the run drew is not known (see the warning)$' out)" -eq 2 ]
run 0 judge -m exact.yaml -r 3 -f csv --profile profile.csv
check 'as csv' [ "$(head -n 1 out | cut -d, -f7-9,12-) $(awk -F, '$9 == "Serial" && $12 == $13' out | wc -l) $(wc -l <out)" = \
    'file,line,directive,measured_s,predicted_s 1 7' ]
run 0 judge -m exact.yaml -r 3 --profile profile.csv
check 'each launch' grep -q '^draws of the run: replications 3 to 5 of seed 8$' out

mpirun="mpirun --allow-run-as-root --oversubscribe"
if timeout 60 $mpirun -np 2 true >out 2>&1; then
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" timeout 60 $mpirun -np 2 "$sim" judge -m m.yaml -r 40 -o two.yaml \
        keep.csv >out 2>err
    run 0 judge -m m.yaml -r 40 -o found.yaml keep.csv
    check 'same bits: mpirun -np 2' same two.yaml found.yaml
else
    skip "mpirun: $(head -n 1 out)"
fi
timeout -s KILL 90 "$sim" judge -m m.yaml -r 100000000 -o stopped.yaml keep.csv >out 2>err &
pid=$!; ready $pid; worked 0.7 $pid; kill -INT $pid; wait $pid; code=$?
check "interrupted: exit code $code" [ $code -eq 4 ]
told '^pevpm: error: interrupted: '; check 'no file' [ ! -e stopped.yaml ]

finish
