#!/bin/sh
# pevpm-run from outside, on processes of one host: every operation, verified; what it writes is read; what is wrong with a
# program or a file ends all ranks.
set -u

. common/tests/check.sh
. run/tests/job.sh

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
run 0 --verify -q --serial none --random overlap --programs 12 --seed 3 -D rounds=2
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

# ---- what it writes ----

ranks_are 2
source_of 'Param size = 8' 'Message type = MPI_Sendrecv & size = size & to = 1-procnum & from = 1-procnum' \
    'Collective type = MPI_Bcast & size = size & root = 0 & algorithm = binomial' >two.pevpm
source_of 'Serial time = (1+procnum)*100 ms' >serial.pevpm
run 0 -o runs.csv -r 2 -D size=100 two.pevpm
told 'warning: `algorithm` is not looked at: the MPI library chooses its own'
check 'one warning' [ "$(grep -c 'algorithm. is not' err)" -eq 1 ]
check 'nothing on standard output' [ ! -s out ]
run 0 -q -o runs.csv --append --launch 2 two.pevpm
sed 's/,[^,]*$//' runs.csv >kept
source_of program,params,numprocs,nodes,ppn,launch,run,runs,seed two.pevpm,size=100,2,1,2,1,0,2,1 \
    two.pevpm,size=100,2,1,2,1,1,2,1 two.pevpm,,2,1,2,2,0,1,1 >wanted
check 'the runs' same kept wanted
for size in 300 400 500; do run 0 -q -o runs.csv --append -D size=$size two.pevpm; done
"$sim" judge -m "$examples/jacobi/perseus.yaml" -r 20 runs.csv >out 2>err; code=$?
check "judge reads them (exit code $code)" [ $code -eq 0 ]
run 0 -o twice.csv two.pevpm
run 0 -o twice.csv --append -s 2 two.pevpm
check 'other runs are added without a word' [ "$(grep -c 'there already' err)" -eq 0 ]
run 0 -o twice.csv --append two.pevpm
told 'twice.csv:2:1: warning: --append: this run is there already, and is added once more; .*: --launch 2'
check 'and are added' [ "$(grep -c . twice.csv)" -eq 4 ]
# Launch 2 of -r 1 draws the numbers of replication 1, as run 1 of launch 1; launch 3 those of 2, as run 2. Launch 4 others.
run 0 -o overlap.csv -r 3 two.pevpm
for launch in 4 2; do run 0 -o overlap.csv --append --launch $launch two.pevpm; done
told 'overlap.csv:3:1: warning: --append: this run has drawn the numbers of replication 1, and so does run 0 of these: .*: --launch 5$'
run 0 -o overlap.csv --append --launch 2 -r 2 two.pevpm
told 'overlap.csv:4:1: warning: --append: this run has drawn the numbers of replication 2, and so does run 0 of these: .*: --launch 3$'
run 0 -o overlap.csv --append --launch 3 -r 2 two.pevpm; check 'of others there is no such warning' [ "$(grep -c append err)" -eq 0 ]
# A file of an earlier version does not say how many runs its launches had.
head -n 5 overlap.csv | cut -d, -f1-7,9- >old.csv; cp old.csv kept
run 0 -o old.csv --append --launch 2 -r 2 two.pevpm
told 'old.csv:4:1: warning: .* replication 2, .* have not the same -r, or this one was cut short and all is well. .*: --launch 5$'
check 'is added to as it is' \
    [ "$(head -n 5 old.csv | cmp - kept && awk -F, 'NF == 9' old.csv | wc -l)" = 7 ]
launcher=
echo 'numprocs,seconds' >other.csv
run 3 -o other.csv --append two.pevpm; told 'other.csv:1:1: error: --append: the columns are not those of these runs'
run 3 --profile-output other.csv --append two.pevpm; told 'other.csv:1:1: error: --append: the columns are not those of these runs'
ranks_are 2
run 0 -q --profile-output p.csv serial.pevpm
check 'a profile has the columns of pevpm-sim' grep -q '^mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share,computation_s,.*,end_imbalance_s,program,file,launch,seed$' p.csv
run 0 -q --profile-output p.csv --append --launch 2 serial.pevpm
check 'profiles are added to' [ "$(grep -c '^run,2,1,2,,1,.*,1,Serial,,' p.csv) $(grep -c '^mode' p.csv) $(grep -c ',2,1$' p.csv)" = '2 1 6' ]
run 0 --profile-output p.csv --append --launch 3 serial.pevpm
check 'another launch without a word' [ "$(grep -c append err)" -eq 0 ]
run 0 --profile-output p.csv --append -s 2 serial.pevpm
check 'and another seed' [ "$(grep -c append err)" -eq 0 ]
run 0 --profile-output p.csv --append --launch 2 serial.pevpm
told 'p.csv:8:1: warning: --append: this profile is there already, and is added once more; .*: --launch 4$'
run 0 --profile-output p.csv --append --launch 2 -r 2 serial.pevpm
told 'p.csv:14:1: warning: --append: this profile has drawn the numbers of replications 2 to 2, and so have runs of these: .*: --launch 3$'
run 0 -m "$examples/vcluster16/vcluster16.yaml" serial.pevpm; told 'vcluster16.yaml: note: 2 processes per node are more than the 1 of '
check 'said once' [ "$(grep -c 'are more than the' err)" -eq 1 ]
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
run 2 --launch 0 two.pevpm; told 'launch 0: expected a whole number from 1 to'
run 2 -o d.csv --profile-output d.csv two.pevpm; told 'o and --profile-output are the same file, d.csv'
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
source_of 'Set n = 3000000000' 'Message type = MPI_Sendrecv & size = n & to = 1-procnum & from = 1-procnum' >huge.pevpm
for operation in 'MPI_Gather & size = 1500000000 & root = 0' 'MPI_Allgatherv & size = 1400000000+procnum' 'MPI_Bcast & size = 3000000000 & root = 0'; do
    source_of "Collective type = $operation" >>huge.pevpm
    run 3 huge.pevpm; check "one rank says what is too large: $(cut -c1-60 huge.pevpm | tail -1)" \
        [ "$(grep -c '000000* bytes are more than an MPI call takes, 2147483647, in process\|2800000001 bytes are more' err)" -eq 1 ]
    check 'before anything is executed' [ "$(grep -c 'error: ' err)" -eq 1 ]
    : >huge.pevpm
done

# ---- programs by chance ----

ranks_are 3
run 0 --verify -q --serial none --random all --programs 18 --seed 11
run 0 -q --random all --programs 11 --seed 13 -D seconds=0.01 -o many.csv
check 'each of several programs has its runs' [ "$(grep -c '^<--random [a-z]* --seed 1[34]>,seconds=0.01,3,' many.csv)" -eq 11 ]
"$sim" judge -m "$examples/vcluster16/vcluster16.yaml" -r 4 many.csv >out 2>err; code=$?
check "they are known by their names (exit code $code)" grep -q '^<--random halo --seed 14>' out
sed 's/--random halo/--random hallo/' many.csv >other.csv
"$sim" judge -m "$examples/vcluster16/vcluster16.yaml" -r 4 other.csv >out 2>err; code=$?
check "and others are not (exit code $code)" grep -q 'no program by chance is called that' err
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
run 2 --random halo --print -o x.csv --append --profile; told 'it goes without -o'; told 'it goes without --append'; told 'it goes without --profile$'
run 2 --random halo --print --verify; told 'runs nothing: it goes without --verify'
run 2 --random halo --print -D foo=3 --profile-output x.csv; told 'goes without -D'; told 'goes without --profile-output$'
check 'nothing is written' [ ! -e x.csv ]

# ---- what only the run shows ----

# A message that nobody receives does not reach the next run.
ranks_are 2
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Send & to = 1 & size = 8' \
    'Message type = MPI_Isend & to = 1 & size = 900000 & tag = 1 & request = r' '}' '{' \
    'Message type = MPI_Irecv & from = 0 & tag = 7 & request = q' '}' >lost.pevpm
run 0 --verify -r 3 lost.pevpm; told 'warning: 6 messages that the program sends are received by nobody'

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
