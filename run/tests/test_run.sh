#!/bin/sh
# pevpm-run from outside, on processes of one host: every operation, verified; what it writes is read; what is wrong with a
# program, a file or a process ends all ranks.
set -u

. common/tests/check.sh

tests=$PWD/run/tests examples=$PWD/examples
program=$build/pevpm-run sim=$build/pevpm-sim
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

case ${CC:-cc} in *clang*) skip_all "what is executed: tested with the default compiler, and with sanitizers" ;; esac
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
timeout 60 mpirun -n 2 "$program" --version >out 2>err || skip_all "MPI cannot start here: $(tail -n 1 err)"

ranks_are() { launcher="mpirun -n $1"; }
source_of() { printf '%s\n' "$@"; } # LINE...: a program

# ---- what it executes ----

for n in 2 6; do
    ranks_are $n
    run 0 --verify -r 3 "$tests/operations.pevpm"
    check "all operations on $n processes" grep -q 'verified     3 runs: every message' out
done
OMPI_MCA_osc=pt2pt run 0 --verify -r 2 "$tests/remote.pevpm" # Debian switches it off
check 'one-sided operations' grep -q '^verified     2 runs' out
ranks_are 2
if ompi_info 2>err | grep -q 'MCA osc: monitoring'; then # which makes no window itself
    OMPI_MCA_osc=monitoring run 4 "$tests/remote.pevpm"
    told 'remote.pevpm:5:.*error: MPI_Win_fence: MPI_Win_create of its window failed: MPI_ERR_WIN.*, in process 0 '
    told 'note: OMPI_MCA_osc=pt2pt lets Open MPI make windows'
    check 'one rank says so' [ "$(grep -c 'MPI_Win_create of its window' err)" -eq 1 ]
else
    skip 'an MPI library that makes no window: Open MPI has no osc/monitoring here' 4
fi
ranks_are 6
OMPI_MCA_osc=pt2pt run 0 --verify -q --serial none --random remote --programs 4 --seed 3 -D rounds=2
run 0 --random all --programs 11 --seed 5 --print
check 'windows are in the programs of nobody who did not ask' [ "$(grep -c '^# halo, seed [56]:' out) $(grep -c Win_ out)" = '2 0' ]
run 0 --serial none "$tests/operations.pevpm"; check 'also without verifying' grep -q '^time  ' out
check 'regions' grep -q '^region levels  .* in the process with most, .* in the mean of all' out
run 0 --serial none -q -r 2 -o regions.csv "$tests/operations.pevpm"
check 'regions in csv' grep -q ',seconds,region_levels_max_s,region_levels_mean_s$' regions.csv

ranks_are 4
for name in jacobi/jacobi.c fft/fft.c taskfarm/taskfarm.c heat/heat.f90 matmul/matmul.c satellite/satellite.c; do
    set -- -q --serial none --verify "$examples/$name"
    case $name in jacobi*) set -- -D iterations=20 "$@" ;; esac
    run 0 "$@"
done
launcher= # one process, without a launcher
run 0 --serial none "$examples/ring/ring.c"; check 'one process' grep -q '^processes    1 (1x1' out

# ---- computation ----

ranks_are 2
source_of 'Serial time = (1+procnum)*100 ms' >serial.pevpm
seconds() { sed 1d "$1" | cut -d, -f9; }
within() { # within LEAST MOST NUMBER...: all are, and there is one
    printf '%s\n' "$@" | awk 'NR == 1 { least = $1 } NR == 2 { most = $1 } NR > 2 && !($1 != "" && $1 >= least && $1 <= most) { wrong = 1 }
        END { exit wrong || NR < 3 }'
}
in_peace 'sleeps of 0.2 s take $(seconds slept.csv)' 'within 0.2 1 $(seconds slept.csv)' run 0 -q -o slept.csv -r 2 serial.pevpm
in_peace 'a loop of 0.2 s takes $(seconds spun.csv)' 'within 0.05 5 $(seconds spun.csv)' \
    run 0 -q -o spun.csv --serial spin --touch 64k serial.pevpm
in_peace 'none takes $(seconds none.csv)' 'within 0 0.15 $(seconds none.csv)' run 0 -q -o none.csv --serial none serial.pevpm
launcher= # a rank that is no process of the program leaves the processors to those that are
idle=$(timeout 60 mpirun -n 3 "$build/run/tests/idle_program" 2>err) || fail "idle_program: $(tail -n 1 err)"
check "who runs nothing looks ${idle% *} times a second for the end" within 1 200 "${idle% *}"
check "and waits for it ${idle#* } times" [ "${idle#* }" = 0 ]
launcher= # many short ones take as long as they say, too
source_of 'Loop iterations = 20000' '{' 'Serial time = 2 us' '}' >short.pevpm
least() { seconds short.csv | sort -g | head -n 1; }
in_peace '20000 sleeps of 2 us take $(least) s' 'within 0.04 0.4 $(least)' run 0 -q -o short.csv -r 5 short.pevpm
ranks_are 2

cat >m.yaml <<'Y'
pevpm_machine: 1
name: m
nodes: 2
node_time_factor: [0.5]
serial: {step: 100 ms}
models: {hockney: {alpha: 1 ms, beta: 1 us}}
Y
source_of 'Serial on m time = 40 ms' 'Serial time = 10' 'Loop iterations = 1' '{' 'Serial time = measured(step)' '}' >on.pevpm
in_peace 'the times of the machine file: $(seconds on.csv)' 'within 0.07 1 $(seconds on.csv)' \
    run 0 -q -m m.yaml -o on.csv on.pevpm
launcher=
run 3 on.pevpm; told 'no computation `step`: time it (pevpm-time)'; told 'no machine file is given: -m FILE'

# ---- what it writes ----

ranks_are 2
source_of 'Param size = 8' 'Message type = MPI_Sendrecv & size = size & to = 1-procnum & from = 1-procnum' \
    'Collective type = MPI_Bcast & size = size & root = 0 & algorithm = binomial' >two.pevpm
run 0 -o runs.csv -r 2 -D size=100 two.pevpm
told 'warning: `algorithm` is not looked at: the MPI library chooses its own'
check 'one warning' [ "$(grep -c 'algorithm. is not' err)" -eq 1 ]
check 'nothing on standard output' [ ! -s out ]
run 0 -q -o runs.csv --append --launch 2 two.pevpm
sed 's/,[^,]*$//' runs.csv >kept
source_of program,params,numprocs,nodes,ppn,launch,run,seed two.pevpm,size=100,2,1,2,1,0,1 \
    two.pevpm,size=100,2,1,2,1,1,1 two.pevpm,,2,1,2,2,0,1 >wanted
check 'the runs' same kept wanted
for size in 300 400 500; do run 0 -q -o runs.csv --append -D size=$size two.pevpm; done
"$sim" judge -m "$examples/jacobi/perseus.yaml" -r 20 runs.csv >out 2>err; code=$?
check "judge reads them (exit code $code)" [ $code -eq 0 ]
launcher=
echo 'numprocs,seconds' >other.csv
run 3 -o other.csv --append two.pevpm; told 'other.csv:1:1: error: --append: the columns are not those of these runs'
ranks_are 2
is_twice() {
    awk -F, '$9 == "Serial" && $10 == "0" { a = $11 } $9 == "Serial" && $10 == "1" { b = $11 }
        END { exit !(a > 0.09 && b / a > 1.8 && b / a < 2.2) }' p.csv
}
in_peace 'process 1 computes twice as long as process 0' is_twice run 0 -q --profile-output p.csv -r 2 serial.pevpm
check 'a profile has the columns of pevpm-sim' grep -q '^mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share,computation_s,.*,end_imbalance_s,program,file$' p.csv
run 0 --profile serial.pevpm; check 'the profile as text' grep -q 'serial.pevpm:1 Serial' out
launcher=
run 4 -o /dev/full serial.pevpm; told 'No space left'
run 4 -o /nowhere/runs.csv serial.pevpm; told '/nowhere/runs.csv: error: cannot create'

# ---- wrong usage, wrong programs ----

ranks_are 2
run 2; told 'no program is given'
launcher= # which takes a second or two
run 2 --sriel none two.pevpm; told 'unknown option `--sriel`, did you mean `--serial`?'
run 2 --serial sleeping two.pevpm; told 'expected sleep, spin or none'
run 2 --touch 1q --serial spin two.pevpm; told 'touch 1q: expected bytes'
run 2 --touch 1k two.pevpm; told 'touch belongs to --serial spin'
run 2 -D size=1,2 two.pevpm; told 'expected one value'
run 2 --verify -o a.csv two.pevpm; told 'its times are no result'
run 2 --append two.pevpm; told 'append needs a file'
run 2 --map cycling two.pevpm; told 'did you mean `cyclic`'
run 4 nowhere.pevpm; told 'nowhere.pevpm: error: cannot open'
source_of 'Message type = MPI_Snd & size = 1 & to = 0' >typo.pevpm
run 4 --profile gone.csv typo.pevpm; told '^gone.csv: error: cannot open'; told 'note: --profile takes no file: --profile-output FILE does'
run 3 typo.pevpm; told 'did you mean `MPI_Send`'

# What pevpm-sim says, word for word, and once.
says_the_same() { # CODE RANKS PROGRAM
    ranks_are "$2"
    run "$1" "$3"
    "$sim" -m "$examples/jacobi/perseus.yaml" -n "$2" "$3" 2>theirs >out
    check "$3: as pevpm-sim says it" [ -z "$(grep -v -x -F -f err theirs)" ]
    check "$3: by one rank" [ "$(grep -c -F -f theirs err)" -eq "$(wc -l <theirs)" ]
}
source_of 'Message type = MPI_Ssend & size = 8 & to = (procnum+1)%numprocs' \
    'Message type = MPI_Recv & from = (procnum+numprocs-1)%numprocs' >dead.pevpm
says_the_same 1 3 dead.pevpm; told 'deadlock: process 1 of 3 waits in MPI_Ssend for a matching receive by process 2'
source_of 'Message type = MPI_Send & size = 8 & to = procnum%2 == 0 ? procnum+1 : procnum-1' >odd.pevpm
says_the_same 3 3 odd.pevpm; told 'process 3 is outside 0..2 (`to`), in process 2 (of 3)'
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Recv & from = 1 & size = 10' '}' '{' \
    'Message type = MPI_Send & to = 0 & size = 11' '}' >long.pevpm
says_the_same 3 2 long.pevpm; told "the message of 11 bytes from process 1 is longer than this receive's 10"
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Recv & from = 1 & size = 10' '}' '{' \
    'Message type = MPI_Send & to = 0 & size = 3000000000' '}' >huge.pevpm
run 3 huge.pevpm; told "is longer than this receive's 10"
sed -i 's/ & size = 10//' huge.pevpm
run 3 huge.pevpm; told '3000000000 bytes are more than an MPI call takes'

# ---- programs by chance ----

ranks_are 3
run 0 --verify -q --serial none --random all --programs 18 --seed 11
run 0 -q --random all --programs 11 --seed 13 -D seconds=0.01 -o many.csv
check 'each of several programs has its runs' [ "$(grep -c '^<--random [a-z]* --seed 1[34]>,seconds=0.01,3,' many.csv)" -eq 11 ]
"$sim" judge -m "$examples/vcluster16/vcluster16.yaml" -r 4 many.csv >out 2>err; code=$?
check "they are known by their names (exit code $code)" grep -q '^<--random halo --seed 14>' out
sed 's/--random halo/--random hallo/' many.csv >other.csv
"$sim" judge -m "$examples/vcluster16/vcluster16.yaml" -r 4 other.csv >out 2>err; code=$?
check "and others are not (exit code $code)" grep -q 'there is no such program' err
launcher=
run 0 --random graph --seed 12 --print
check 'it is of that kind and seed' grep -q '^# graph, seed 12: made by chance' out
cp out graph.pevpm
"$sim" -q -m "$examples/jacobi/perseus.yaml" -n 2,5 -r 2 -D rounds=2 -f csv graph.pevpm >out 2>err; code=$?
check "it is predicted (exit code $code)" [ "$(wc -l <out)" -eq 3 ]
run 2 --random grph; told 'did you mean `graph`'
run 2 --random graph a.pevpm; told 'random makes the program'
run 2 --random graph --programs 2 --profile-output a.csv; told '--profile-output is of one program, not of 2'
run 2 --print a.pevpm; told 'belong to --random'

# ---- what only the run shows ----

# The first of two messages may be process 1's: then it sends no other that process 0 could take. On the slow
# network it never is.
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Recv & from = MPI_ANY_SOURCE' \
    'Message type = MPI_Recv & from = 1' '}' '{' 'Serial time = (procnum-1)*100 ms' \
    'Message type = MPI_Send & to = 0 & size = procnum == 1 ? 900000 : 8' '}' >chance.pevpm
sed -e 's/procnum-1/2-procnum/' chance.pevpm >fine.pevpm
ranks_are 3
run 0 -q fine.pevpm
# A message that nobody receives does not reach the next run.
ranks_are 2
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Send & to = 1 & size = 8' \
    'Message type = MPI_Isend & to = 1 & size = 900000 & tag = 1 & request = r' '}' '{' \
    'Message type = MPI_Irecv & from = 0 & tag = 7 & request = q' '}' >lost.pevpm
run 0 --verify -r 3 lost.pevpm; told 'warning: 6 messages that the program sends are received by nobody'

[ -z "${SAN:-}" ] || skip_all "jobs that die, and disks that are full: tested without sanitizers"

# ---- all ranks go ----

# By a name of their own they are found; of a name 15 characters count.
ranks=pevpm-$$
cp "$program" "$ranks" && program=$folder/$ranks
are_gone() { # within 5 s: the launcher's own end does not wait for theirs
    tries=25
    while [ $((tries -= 1)) -ge 0 ]; do
        pgrep -x "$ranks" >pids || return 0
        sleep 0.2
    done
    false
}
start() { # start RANKS ARGUMENT...: the job, in the background
    n=$1; shift
    timeout 120 mpirun -n "$n" "$program" "$@" >out 2>err &
    job=$!
}
find_victim() { # one of the job's two ranks, when both are there
    tries=100 victim=
    while [ -z "$victim" ] && [ $((tries -= 1)) -gt 0 ]; do
        sleep 0.2
        victim=$(pgrep -x "$ranks" | sed -n 2p)
    done
}
ends_within() { # ends_within SECONDS CODE WHAT: of the job; CODE -: any but 0
    begun=$(date +%s)
    wait "$job"; code=$?
    took=$(($(date +%s) - begun))
    check "$3: it ends within $1 s (took $took s)" [ $took -le "$1" ]
    case $2 in
    -) check "$3: not with success" [ $code -ne 0 ] ;;
    *) check "$3: exit code $code" [ $code -eq "$2" ] ;;
    esac
    check "$3: all ranks are gone" are_gone
}

start 3 odd.pevpm
ends_within 10 3 'a process that does not exist'
start 3 --timeout 3 -r 20 chance.pevpm
ends_within 10 1 'a deadlock that only the run shows'
told 'deadlock: process 0 of 3 does not return from MPI_Recv'

source_of 'Loop iterations = 3000' '{' 'Serial time = 10 ms' 'Collective type = MPI_Barrier' '}' >long.pevpm
start 2 -o killed.csv long.pevpm
find_victim
sleep 1
check 'the ranks are found' [ -n "$victim" ]
kill -KILL "$victim"
ends_within 10 - 'a rank is killed'
check 'nothing is written' [ ! -e killed.csv ]

# Runs whose times mean nothing may be beside any other work: a rank has no processor for longer than steps between runs take
# otherwise, and in runs of nothing that is where the other waits.
source_of 'Serial time = 0' >nothing.pevpm
start 2 --verify --timeout 50 -r 1000000 nothing.pevpm
find_victim
worked 1 "$victim" # beyond MPI_Init, and what the ranks then do together once
check 'a rank stops while there are runs' kill -STOP "$victim"
sleep 8
check 'the others wait for it' kill -CONT "$victim"
check 'and go on' kill -0 "$job"
kill "$job"
ends_within 15 - 'it is told to end'

# ---- a disk that is full ----

mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=16k none small 2>err; then
    trap 'umount "$folder/small"; rm -rf "$folder"' EXIT
    start 2 -q -o small/runs.csv two.pevpm
    wait "$job"
    check 'one run has room' [ $? -eq 0 ]
    cp small/runs.csv kept
    dd if=/dev/zero of=small/rest bs=4k count=2 2>dd.err
    start 2 -q -o small/runs.csv --append -r 120 -D size=100 two.pevpm
    ends_within 20 4 'more than there is room for'
    told 'small/runs.csv: error: .*No space left on device'
    check 'what was there is there still' same small/runs.csv kept
    check 'and nothing else' [ "$(ls -A small | tr '\n' ' ')" = 'rest runs.csv ' ]
    start 2 -q --profile-output small/p.csv serial.pevpm
    dd if=/dev/zero of=small/rest bs=1k 2>dd.err
    ends_within 10 4 'a profile'
    check 'no part of it' [ ! -e small/p.csv ]
    umount small
    trap 'rm -rf "$folder"' EXIT
else
    skip "a full disk: a tmpfs cannot be mounted here ($(head -n 1 err))" 9
fi

# ---- another MPI library's launcher ----

if mpirun.mpich --version 2>/dev/null | grep -qi hydra && mpirun --version | grep -q 'Open MPI'; then
    program=$build/pevpm-run launcher='mpirun.mpich -n 3'
    run 4 two.pevpm
    told 'the launcher has started 3 processes, which do not find each other: .* MPI library, Open MPI'
    check 'one speaks' [ "$(grep -c 'the launcher has' err)" -eq 1 ]
    launcher='env OMPI_MCA_pml=none' # MPI_Init would fail
    run 0 --help
    run 2 --random grph
else
    skip 'the launcher of another MPI library: mpirun.mpich is not beside Open MPI' 6
fi
clean && pass || fail 'temporary files are gone'

finish
