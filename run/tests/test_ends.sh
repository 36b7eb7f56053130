#!/bin/sh
# pevpm-run from outside, where it comes to a bad end: ranks that die or are silent, deadlocks, a disk that is full. All of them wait
# most of the time, and so beside others (common/tests/run.sh).
set -u

. common/tests/check.sh
. run/tests/job.sh

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

source_of 'Message type = MPI_Send & size = 8 & to = procnum%2 == 0 ? procnum+1 : procnum-1' >odd.pevpm
start 3 odd.pevpm
ends_within 10 3 'a process that does not exist'
# The first of two messages may be process 1's: then it sends no other that process 0 could take.
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Recv & from = MPI_ANY_SOURCE' \
    'Message type = MPI_Recv & from = 1' '}' '{' 'Serial time = (procnum-1)*100 ms' \
    'Message type = MPI_Send & to = 0 & size = procnum == 1 ? 900000 : 8' '}' >chance.pevpm
start 3 --timeout 3 -r 20 -o chance.csv chance.pevpm
ends_within 10 1 'a deadlock that only the run shows'
told '^chance.pevpm: error: \(no run was complete, and nothing is written\|[0-9]* of 20 runs \(was\|were\) complete, and written to chance.csv\)$'
told 'deadlock: process 0 of 3 does not return from MPI_Recv'

source_of 'Loop iterations = 3000' '{' 'Serial time = 10 ms' 'Collective type = MPI_Barrier' '}' >long.pevpm
start 2 -o killed.csv long.pevpm
find_victim
sleep 1
check 'the ranks are found' [ -n "$victim" ]
kill -KILL "$victim"
ends_within 10 - 'a rank is killed'
check 'nothing is written' [ ! -e killed.csv ]

# Runs that are over are written whatever ends the job: its launcher, which gets Ctrl-C or a batch system's SIGTERM and then
# ends all ranks, or a rank that dies. Runs are as long as the rests between them, so that ranks soon have worked.
source_of 'Region all' '{' 'Serial time = 50 ms' 'Collective type = MPI_Barrier' '}' >short.pevpm
launcher='mpirun -n 2'
run 0 -o cut.csv short.pevpm
for cut in 'INT to the launcher' 'TERM to the launcher' 'KILL to a rank'; do
    start 2 --append --launch 2 -r 100000 --serial spin -o cut.csv short.pevpm
    find_victim
    worked 1 "$victim"
    case $cut in
    *launcher) kill -"${cut%% *}" "$(pgrep -P "$job")" ;;
    *) kill -KILL "$victim" ;;
    esac
    ends_within 15 - "runs are cut short: $cut"
    n=$(sed -n 's/^short.pevpm: error: interrupted: \([0-9]*\) of 100000 runs were complete, and written to cut.csv$/\1/p' err)
    check "$cut: some runs were complete (${n:-none})" [ "${n:-0}" -gt 1 ]
    check "$cut: they are written, behind what was there" \
        [ "$(awk -F, 'NR > 1 && NF == 12 && $10 > 0.02 {print $6 "," $7}' cut.csv | tail -1)" = "2,$((n - 1))" ]
    check "$cut: and nothing else" [ "$(wc -l <cut.csv)" -eq $((n + 2)) ]
    head -2 cut.csv >earlier && mv earlier cut.csv
done
start 2 -r 100000 --serial spin short.pevpm
find_victim
worked 1 "$victim"
kill -TERM "$(pgrep -P "$job")"
ends_within 15 - 'without a file'
check 'the summary is of what was complete' grep -q '^time .* the median of [0-9]* runs' out
check 'which is said' grep -q 'error: interrupted: [0-9]* of 100000 runs were complete$' err

# A signal waits while all runs are being written, here into a pipe that is full, and what goes wrong then is said.
source_of 'Serial time = 0' >nothing.pevpm
mkdir gone; mkfifo pipe; exec 3<>pipe
dd if=/dev/zero bs=4096 count=16 >&3 2>dd.err
timeout 60 "$program" -o pipe --profile-output gone/p.csv nothing.pevpm >out 2>err 3<&- &
job=$! tries=300
until victim=$(pgrep -x "$ranks") && [ -n "$(find "/proc/$victim/fd" -lname '*/pipe')" ] || [ $((tries -= 1)) -lt 0 ]; do
    sleep 0.1
done
check 'it writes' kill -TERM "$victim"
rmdir gone
dd bs=4096 count=16 <&3 >dd.out 2>dd.err
dd bs=4096 count=1 <&3 >piped 2>dd.err
exec 3<&-
ends_within 10 4 'a signal that waits'
check 'all is written' [ "$(grep -c . piped)" -eq 2 ]
told '^gone/p.csv: error: cannot create: No such file or directory$'
told '^nothing.pevpm: error: interrupted: all runs were complete$'

# Runs whose times mean nothing may be beside any other work: a rank has no processor for longer than steps between runs take
# otherwise, and in runs of nothing that is where the other waits.
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
    source_of 'Param size = 8' 'Message type = MPI_Sendrecv & size = size & to = 1-procnum & from = 1-procnum' \
        'Collective type = MPI_Bcast & size = size & root = 0 & algorithm = binomial' >two.pevpm
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
    source_of 'Serial time = 100 ms' >serial.pevpm
    start 2 -q --profile-output small/p.csv serial.pevpm
    dd if=/dev/zero of=small/rest bs=1k 2>dd.err
    ends_within 10 4 'a profile'
    check 'no part of it' [ ! -e small/p.csv ]
    umount small
    trap 'rm -rf "$folder"' EXIT
else
    skip "a full disk: a tmpfs cannot be mounted here ($(head -n 1 err))" 9
fi

clean && pass || fail 'temporary files are gone'

finish
