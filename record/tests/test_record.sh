#!/bin/sh
# pevpm-record from its command line: unchanged programs are recorded, become directive programs, and these say what a
# run at another count did. Started from the project's root.
set -u

. common/tests/check.sh
need "$build/pevpm-record"
program=$build/pevpm-record
root=$PWD
unset PEVPM_MACHINE
cd "$folder" || exit 1

# ---- what needs no MPI ----

run 2
told 'no program to record is given'
run 2 --program x.pevpm
told 'no recording is given'
run 2 --tiem wall --program x a.rec
told 'did you mean `--time`'
run 2 -D 3n=5 ./app
told 'NAME=N'
run 2 -D n=99999999999999999999 ./app
told 'n=99999999999999999999: expected NAME=N with a whole number N'
run 2 -D 'n= 5' ./app
told 'NAME=N'
run 2 -D n=5 -D nn=5 -D n=6 ./app
told 'n=6: expected each name once'
run 4 ./not-there
told './not-there: error: no such program'
run 4 not-there
told 'not-there: error: no such program, neither in PATH nor here'
mkdir some-folder
run 4 ./some-folder
told './some-folder: error: cannot be executed: it is a folder'
: >some-file
run 4 some-file
told 'some-file: error: cannot be executed: its permissions do not allow it (chmod +x some-file)'
printf 'int main(void) { return 0; }\n' >static.c
if ${CC:-cc} -static -o static static.c 2>err; then
    run 2 ./static
    told 'linked statically'
else
    skip "no static C library"
fi
mkdir 'a b'
cp "$program" 'a b/'
: >'a b/libpevpm-record-ompi.so'
program="$folder/a b/pevpm-record"
run 4 true
told 'a b/libpevpm-record-ompi.so: error: cannot be put before .* at a blank or a colon'
program=$build/pevpm-record
printf 'pevpm-recording 1\nranks 1\nrank 0 1\n' >short.rec
run 3 --program x.pevpm short.rec
told 'cut short'
printf 'hello\n' >other.rec
run 3 --program x.pevpm other.rec
told 'is no recording'
check 'nothing was written' [ ! -e x.pevpm ]
printf '%s\n' 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 2' \
    'module 0 ab /app' 'path 0 0:10' 'MPI_Send 0 0 0 0 8 0 0 0 -1 n 3 wall 9 0 9 cpu 0 0 in 9 size 24 0 16' 'done 0' 'end 1' \
    >shapes.rec
run 3 --program x.pevpm shapes.rec
told 'the calls of process 0 repeat themselves nowhere, so that their partners and tags were not kept: record a shorter run'
check 'nothing was written' [ ! -e x.pevpm ]
printf 'Message type = MPI_Send & size = 8 & to = 0\n' >send.pevpm
run 3 --check send.pevpm shapes.rec
told 'the calls of process 0 repeat themselves nowhere'
run 4 --program x.pevpm missing.rec
told 'missing.rec'

# what a recording does not say, the senders of what MPI_ANY_SOURCE received, may leave the program without an end
senders() { # senders PEER [SENT]: processes 1 and 2 send to 0, which receives from anybody, SENT - 1, and then from PEER
    printf '%s\n' 'pevpm-recording 1' 'ranks 3'
    for process in 0 1 2; do
        printf '%s\n' "rank $process 3" 'host a' 'processors 4' 'clocks 20 300' 'polls 0' 'alike 0' 'module 0 ab /app' 'path 0 0:10' \
            'path 1 0:20' 'path 2 0:30'
        case $process in
        0) printf 'MPI_Recv %s %s 0 8 %s 0 0 -1 n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8\n' '0 0' -2 "${2:-0}" '1 0' "$1" 0 ;;
        *) echo "MPI_Send 2 0 0 0 8 0 0 0 -1 n 1 wall ${process}00000 ${process}00000 ${process}00000 cpu 0 0 in 9 size 8 8 8" ;;
        esac
        echo "done $process"
    done
    echo 'end 3'
}
senders -2 >senders.rec
run 0 --program senders.pevpm senders.rec
check 'receives from anybody' [ "$(grep -c 'from = MPI_ANY_SOURCE' senders.pevpm)" -eq 2 ]
senders 2 >senders.rec
run 1 --program senders.pevpm senders.rec
told 'senders.pevpm: error: do not predict with this program, which may come to no end on 3 processes: .*deadlock.*; who sent what'
# what goes to standard output is tried as well
run 1 --program - senders.rec
told 'standard output: error: do not predict with this program, which may come to no end on 3 processes: .*deadlock'
# where it does say them they stand in the program, if it comes to no end otherwise
senders -2 2 >senders.rec
run 0 --program senders.pevpm senders.rec
check 'still receives from anybody' [ "$(grep -c 'from = MPI_ANY_SOURCE' senders.pevpm)" -eq 2 ]
senders 2 2 >senders.rec
run 0 --program senders.pevpm senders.rec
check 'receives from who sent' grep -q 'from = 1 & source = sender' senders.pevpm
check 'which is said' grep -q '^# Note: MPI_Recv at app+0x10 takes what comes from anybody' senders.pevpm
senders 2 9 >senders.rec
run 3 --program senders.pevpm senders.rec
told ':13:21: error: expected 0, or 1 + a rank of the communicator, as who sent, found .9.'

# more calls than are compared: that is said, and what differs before them is a difference
barriers() { # barriers TRIPS: each and a Bcast
    times='n 9000000 wall 9 0 9 cpu 0 0 in 9'
    printf '%s\n' 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 0' \
        'module 0 ab /app' 'path 0 0:10' 'path 1 0:20' "loop $1 1" "MPI_Barrier 0 0 -1 0 0 0 0 0 -1 $times size 0 0 0" \
        "MPI_Bcast 1 0 0 0 8 0 0 0 -1 $times size 72000000 8 8" next 'done 0' 'end 1'
}
barriers 9000000 >long.rec
run 0 --program long.pevpm long.rec
told 'the first 2 million calls'
run 0 --check long.pevpm long.rec
told 'the first 2 million calls'
sed 's/size = 8/size = 16/' long.pevpm >wrong.pevpm
run 1 --check wrong.pevpm long.rec
told 'says MPI_Bcast of 16 bytes'
# nor is it tried whether they come to an end where the run decides, which is said
counted() { echo "n $1 wall 9 0 9 cpu 0 0 in 9 size $((8 * $1)) 8 8"; }
{
    printf '%s\n' 'pevpm-recording 1' 'ranks 3'
    for process in 0 1 2; do
        trips=$((process == 0 ? 3000000 : 1500000))
        printf '%s\n' "rank $process 3" 'host a' 'processors 4' 'clocks 20 300' 'polls 0' 'alike 0' 'module 0 ab /app' \
            'path 0 0:10' 'path 1 0:20' 'path 2 0:30' 'path 3 0:40' "loop $trips 1"
        case $process in
        0) printf '%s\n' "MPI_Recv 0 0 -2 0 8 0 0 0 -1 $(counted $trips)" next "MPI_Recv 1 0 2 0 8 0 0 0 -1 $(counted 1)" ;;
        1) printf '%s\n' "MPI_Send 2 0 0 0 8 0 0 0 -1 $(counted $trips)" next ;;
        2) printf '%s\n' "MPI_Send 2 0 0 0 8 0 0 0 -1 $(counted $trips)" next "MPI_Send 3 0 0 0 8 0 0 0 -1 $(counted 1)" ;;
        esac
        echo "done $process"
    done
    echo 'end 3'
} >crowd.rec
run 0 --program crowd.pevpm crowd.rec
told 'on 3 processes the program was not rehearsed, for it makes more than 2000000 calls'
# a tag is what ran, and a wildcard where one ran; a table says which counts it knows
process() { # process RANK CALLS...: a section
    printf '%s\n' "rank $1 2" 'host a' 'processors 2' 'clocks 20 300' 'polls 0' 'alike 0' 'module 0 ab /app' 'path 0 0:10' \
        'path 1 0:20'
    own=$1
    shift
    for call; do echo "$call n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8"; done
    echo "done $own"
}
{
    printf '%s\n' 'pevpm-recording 1' 'ranks 2'
    process 0 'MPI_Send 0 0 1 5 8 0 0 0 -1' 'MPI_Sendrecv 1 0 1 6 8 1 7 8 -1'
    process 1 'MPI_Recv 0 0 0 -1 8 0 0 0 -1' 'MPI_Sendrecv 1 0 0 7 8 0 6 8 -1'
    echo 'end 2'
} >tags.rec
tagged() { # tagged SENT RECEIVED BACK: a program
    printf '%s\n' 'Runon c1 = procnum == 0' '{' "Message type = MPI_Send & size = 8 & to = 1$1" '}' \
        'Runon c1 = procnum == 1' '{' "Message type = MPI_Recv & from = 0$2" '}' \
        "Message type = MPI_Sendrecv & size = 8 & to = 1-procnum & from = 1-procnum & tag = 6+procnum & recv_tag = $3-procnum" \
        >tags.pevpm
}
tagged ' & tag = 5' ' & tag = MPI_ANY_TAG' 7
run 0 --check tags.pevpm tags.rec
check 'all of them' grep -q 'tags.rec: 2 processes, 6 messages' out
tagged ' & tag = 4' ' & tag = MPI_ANY_TAG' 7
run 1 --check tags.pevpm tags.rec
told '^tags.pevpm:3:[0-9]*: error: tags.rec: process 0 of 2, after 0 calls that agree: the directive says a send of 8 bytes to process 1 with tag 4, the run did a send of 8 bytes to process 1 with tag 5 at app+0x10$'
tagged '' ' & tag = MPI_ANY_TAG' 7
run 1 --check tags.pevpm tags.rec
told 'with tag 0, the run did a send of 8 bytes to process 1 with tag 5'
tagged ' & tag = 5' ' & tag = 5' 7
run 1 --check tags.pevpm tags.rec
told 'the directive says a receive from process 0 with tag 5, the run did a receive from process 0 with any tag'
tagged ' & tag = 5' ' & tag = MPI_ANY_TAG' 8
run 1 --check tags.pevpm tags.rec
told 'the directive says a receive from process 1 with tag 8, the run did a receive from process 1 with tag 7'
printf '%s\n' \
    'Message type = MPI_Sendrecv & size = 8 & to = (numprocs == 3 ? 1 : known_only_at(3, 4, 8)) & from = 1-procnum' >table.pevpm
run 3 --check table.pevpm tags.rec
told '^table.pevpm:1:[0-9]*: error: MPI_Sendrecv: not known at this number of processes: record there too, and make the program again, in process 0 (of 2)$'

# what follows no formula, at two sizes of each count: tables ask for both, and another size is refused by name
tabled() { # tabled PROCESSES N ROOT SIZE SUM: a recording of an MPI_Bcast of SIZE and an MPI_Allreduce of SUM
    printf '%s\n' 'pevpm-recording 1' "param n $2" "ranks $1"
    rank=0
    while [ "$rank" -lt "$1" ]; do
        process $rank "MPI_Bcast 0 0 $3 0 $4 0 0 0 -1" "MPI_Allreduce 1 0 -1 0 $5 0 0 0 -1" |
            sed "s/^rank $rank 2/rank $rank $1/; /MPI_Bcast/s/8 8 8\$/$4 $4 $4/; /MPI_Allreduce/s/8 8 8\$/$5 $5 $5/"
        rank=$((rank + 1))
    done
    echo "end $1"
}
tabled 2 24 0 1004 24 >two24.rec
tabled 2 57 1 298 57 >two57.rec
tabled 4 24 0 123 24 >four24.rec
tabled 4 57 1 430 57 >four57.rec
tabled 8 24 0 651 24 >eight24.rec
tabled 8 57 1 958 57 >eight57.rec
run 0 --program tabled.pevpm two24.rec two57.rec four24.rec four57.rec eight24.rec eight57.rec
check 'both are asked' grep -q 'numprocs == 8 && n == 24 ? 651 : (numprocs == 8 && n == 57 ? 958 : known_only_at(numprocs == 2 && n == 24, ' \
    tabled.pevpm
run 0 --check tabled.pevpm two24.rec two57.rec four24.rec four57.rec eight24.rec eight57.rec
"$build/pevpm-sim" -q -n 4 -D n=24 tabled.pevpm >out 2>err
ended 0 $? 'pevpm-sim -n 4 -D n=24 tabled.pevpm'
"$build/pevpm-sim" -n 4 -D n=25 tabled.pevpm >out 2>err
ended 3 $? 'pevpm-sim -n 4 -D n=25 tabled.pevpm'
told 'MPI_Bcast: not known at this number of processes with these parameters: record there too'
told 'known_only_at(numprocs == 2 && n == 24'
# why a program is refused, and not that it has no use for a size
tabled 2 24 0 8 8 >alike1.rec
tabled 2 24 0 99 8 >alike2.rec
run 1 --program alike.pevpm alike1.rec alike2.rec
told 'which is not what ran: alike2.rec: process 0 of 2, after 0 calls that agree'

# what no formula says, but is the same at all counts, stands for others, too
sizes() { # sizes PROCESSES: of twelve broadcasts
    printf '%s\n' 'pevpm-recording 1' "ranks $1"
    rank=0
    while [ "$rank" -lt "$1" ]; do
        process $rank 'MPI_Bcast 0 0 0 0 8 0 0 0 -1' | sed "s/^rank $rank 2/rank $rank $1/" |
            awk '/^MPI/ { n = split("8 8000 24 17 999 3 41 8 777 12 5 64", bytes); line = $0
                          for (i = 1; i <= n; i++) { $0 = line; $6 = $(NF - 2) = $(NF - 1) = $NF = bytes[i]; print } next } 1'
        rank=$((rank + 1))
    done
    echo "end $1"
}
sizes 2 >sizes@2.rec
sizes 4 >sizes@4.rec
sizes 8 >sizes@8.rec
run 0 --program sizes.pevpm sizes@2.rec sizes@4.rec
check 'which is said' grep -q '^# Note: the size of MPI_Bcast at app+0x10 follows no formula that was tried, but is the same at all' sizes.pevpm
run 0 --check sizes.pevpm sizes@8.rec

# more sizes than a table holds: means of each process, which is said, and is no other program than what ran
{
    printf '%s\n' 'pevpm-recording 1' 'ranks 2'
    process 0 'MPI_Send 0 0 1 0 8 0 0 0 -1' |
        awk '/^MPI/ { line = $0; for (i = 1; i <= 600; i++) { $0 = line; $6 = $(NF - 2) = $(NF - 1) = $NF = i * 7919 % 10007; print } next } 1'
    process 1 'MPI_Recv 1 0 0 0 8 0 0 0 -1' |
        awk '/^MPI/ { line = $0; for (i = 1; i <= 600; i++) { $0 = line; $6 = $(NF - 2) = $(NF - 1) = $NF = i * 7919 % 10007; print } next } 1'
    echo 'end 2'
} >many.rec
run 0 --program many.pevpm many.rec
check 'which is said' grep -q '^# Note: the size of MPI_Send at app+0x10 follows the data, and has more values than a table holds' many.pevpm
check 'the mean' grep -q 'size = (numprocs == 2 ? 5015 : known_only_at(2)) & to = ' many.pevpm
run 1 --check many.pevpm many.rec
run 0 --check many.pevpm --sizes any many.rec

# the root of a collective operation, and among whom it is
{
    printf '%s\n' 'pevpm-recording 1' 'ranks 2'
    for rank in 0 1; do process $rank 'MPI_Bcast 0 0 1 0 8 0 0 0 -1' 'MPI_Allreduce 1 0 -1 0 8 0 0 0 -1'; done
    echo 'end 2'
} >roots.rec
roots() { # roots ROOT COMM: a program
    printf '%s\n' 'Set own = comm_split(procnum, 0)' "Collective type = MPI_Bcast & size = 8 & root = $1" \
        "Collective type = MPI_Allreduce & size = 8 & comm = $2" >roots.pevpm
}
roots 1 MPI_COMM_WORLD
run 0 --check roots.pevpm roots.rec
roots 0 MPI_COMM_WORLD
run 1 --check roots.pevpm roots.rec
told '^roots.pevpm:2:[0-9]*: error: roots.rec: process 0 of 2, after 0 calls that agree: the directive says MPI_Bcast of 8 bytes with root 0, the run did MPI_Bcast of 8 bytes with root 1 at app+0x10$'
roots 1 own
run 1 --check roots.pevpm roots.rec
told '^roots.pevpm:3:[0-9]*: error: .*the directive says MPI_Allreduce of 8 bytes among 1 process, 0 to 0, the run did MPI_Allreduce of 8 bytes among 2 processes, 0 to 1 at app+0x20$'

# waits: which calls, and behind which others
head='pevpm-recording 1'
section() { # section RANK RANKS LIST0 CALLS...: with call paths 0 to 5
    printf '%s\n' "rank $1 $2" 'host a' 'processors 2' 'clocks 20 300' 'polls 0' 'alike 0' 'module 0 ab /app' \
        'path 0 0:10' 'path 1 0:20' 'path 2 0:30' 'path 3 0:40' 'path 4 0:50' 'path 5 0:60' "list 0 $3" 'list 1 1:0'
    own=$1
    shift 3
    for call; do
        case $call in MPI_Barrier*) size=0 ;; *) size=8 ;; esac
        echo "$call n 1 wall 9 9 9 cpu 0 0 in 9 size $size $size $size"
    done
    echo "done $own"
}
barrier='MPI_Barrier 3 0 0 0 0 0 0 0 -1'
waiting() { # waiting WAIT...: of both processes; a recording
    printf '%s\n' "$head" 'ranks 2'
    for rank in 0 1; do
        section $rank 2 0:0 "MPI_Irecv 0 0 $((1 - rank)) 0 8 0 0 0 0" "MPI_Isend 1 0 $((1 - rank)) 0 8 0 0 0 0" "$@" "$barrier"
    done
    echo 'end 2'
}
waiting 'MPI_Wait 2 0 0 0 0 0 0 0 0' 'MPI_Wait 4 0 0 0 0 0 0 0 1' >waits.rec
asks() { # asks LINE...: a program that waits so
    printf '%s\n' 'Message type = MPI_Irecv & from = 1-procnum & request = a' \
        'Message type = MPI_Isend & size = 8 & to = 1-procnum & request = b' "$@" >waits.pevpm
}
barrier='Collective type = MPI_Barrier'
asks 'Message type = MPI_Waitall' "$barrier"
run 0 --check waits.pevpm waits.rec
check 'all together or one by one is the same' grep -q '2 processes, 6 messages and collective operations are as' out
asks 'Message type = MPI_Wait & request = a' "$barrier" 'Message type = MPI_Wait & request = b'
run 1 --check waits.pevpm waits.rec
told '^waits.pevpm:5:[0-9]*: error: waits.rec: process 0 of 2, after 1 calls that agree: the directives wait for a send of 8 bytes to process 1 after 1 more call, the run did before any other call, at app+0x50$'
asks 'Message type = MPI_Wait & request = b' "$barrier"
run 1 --check waits.pevpm waits.rec
told '^waits.pevpm:1:[0-9]*: error: .*the directives wait for a receive from process 1 never, the run did after 1 more call, at app+0x30$'
printf '%s\n' 'Message type = MPI_Isend & size = 8 & to = 1-procnum & request = b' >some.pevpm
run 0 --check some.pevpm waits.rec
asks 'Message type = MPI_Waitany & request = (a, b) & index = i' 'Message type = MPI_Waitany & request = (a, b) & index = i' "$barrier"
run 0 --check waits.pevpm waits.rec
printf '%s\n' 'Message type = MPI_Recv & from = 1-procnum' 'Message type = MPI_Send & size = 8 & to = 1-procnum' "$barrier" >blocks.pevpm
run 1 --check blocks.pevpm waits.rec
told '^blocks.pevpm:1:[0-9]*: error: .*wait for a receive from process 1 before any other call, the run did after 1 more call'
barrier='MPI_Barrier 3 0 0 0 0 0 0 0 -1'
waiting 'MPI_Testsome 2 0 0 0 0 0 0 0 0' 'MPI_Waitany 4 0 0 0 0 0 0 0 1' >looks.rec
run 0 --check blocks.pevpm looks.rec
waiting >freed.rec
run 0 --check blocks.pevpm freed.rec
asks 'Message type = MPI_Waitall' 'Collective type = MPI_Allreduce & size = 8'
waiting 'MPI_Allreduce 5 0 0 0 8 0 0 0 -1' 'MPI_Waitall 4 0 0 0 0 0 0 0 1' >later.rec
run 1 --check waits.pevpm later.rec
told 'the directives wait for a send of 8 bytes to process 1 before any other call, the run did after 1 more call, at app+0x50'

# who has no neighbour waits for nothing, where others wait for all that are open
{
    printf '%s\n' "$head" 'ranks 3'
    section 0 3 all 'MPI_Isend 1 0 1 0 8 0 0 0 0' 'MPI_Waitall 2 0 0 0 0 0 0 0 0' "$barrier"
    section 1 3 all 'MPI_Irecv 0 0 0 0 8 0 0 0 0' 'MPI_Waitall 2 0 0 0 0 0 0 0 0' "$barrier"
    section 2 3 '' 'MPI_Waitall 2 0 0 0 0 0 0 0 0' "$barrier" | sed 's/^list 0 $/list 0/'
    echo 'end 3'
} >alone.rec
run 0 --program alone.pevpm alone.rec
check 'all wait' grep -q 'type = MPI_Waitall$' alone.pevpm

# at one place one process waits for its receive and the other for its send, and both have both open
{
    printf '%s\n' "$head" 'ranks 2'
    for rank in 0 1; do
        section $rank 2 0:0 "MPI_Irecv 0 0 $((1 - rank)) 0 8 0 0 0 0" "MPI_Isend 1 0 $((1 - rank)) 0 8 0 0 0 0" \
            "MPI_Waitall 2 0 0 0 0 0 0 0 $rank" "$barrier" "MPI_Waitall 4 0 0 0 0 0 0 0 $((1 - rank))" "$barrier"
    done
    echo 'end 2'
} >crossed.rec
run 0 --program crossed.pevpm crossed.rec
check 'elements, of which some are not open' grep -q 'MPI_Waitall & request = (r0\[.*procnum.*\], r1\[.*procnum.*\])$' crossed.pevpm
run 0 --check crossed.pevpm crossed.rec

# a partner that is known as the sender of another message alone: what is sent has to be received
{
    printf '%s\n' "$head" 'ranks 3'
    section 0 3 0:0 'MPI_Recv 0 0 -2 1 8 0 0 0 -1' 'MPI_Send 1 0 -3 2 8 0 0 0 -1' 'MPI_Recv 2 0 1 2 8 0 0 0 -1' \
        'MPI_Recv 3 0 2 2 8 0 0 0 -1'
    section 1 3 0:0 'MPI_Send 4 0 0 1 8 0 0 0 -1' 'MPI_Send 1 0 0 2 8 0 0 0 -1' 'MPI_Recv 5 0 0 2 8 0 0 0 -1'
    section 2 3 0:0 'MPI_Send 1 0 0 2 8 0 0 0 -1'
    echo 'end 3'
} >answered.rec
run 0 --program answered.pevpm answered.rec
check 'nobody answers himself' grep -q 'to = (procnum == 0 ? sender : 0) & tag = 2' answered.pevpm
{
    printf '%s\n' "$head" 'ranks 4'
    section 0 4 0:0 'MPI_Send 1 0 1 2 8 0 0 0 -1' 'MPI_Recv 5 0 2 2 8 0 0 0 -1'
    section 1 4 0:0 'MPI_Recv 0 0 -2 1 8 0 0 0 -1' 'MPI_Send 1 0 -3 2 8 0 0 0 -1' 'MPI_Recv 2 0 0 2 8 0 0 0 -1' \
        'MPI_Recv 3 0 3 2 8 0 0 0 -1'
    section 2 4 0:0 'MPI_Recv 0 0 -2 1 8 0 0 0 -1' 'MPI_Send 1 0 0 2 8 0 0 0 -1' 'MPI_Send 4 0 1 1 8 0 0 0 -1'
    section 3 4 0:0 'MPI_Send 1 0 1 2 8 0 0 0 -1'
    echo 'end 4'
} >wrongly.rec
run 1 --program wrongly.pevpm wrongly.rec
told 'do not predict'
{
    printf '%s\n' "$head" 'ranks 2'
    section 0 2 0:0 'MPI_Recv 0 0 -2 1 8 0 0 0 -1' 'MPI_Send 1 0 -3 2 8 0 0 0 -1' 'MPI_Recv 2 0 1 2 8 0 0 0 -1'
    section 1 2 0:0 'MPI_Send 4 0 0 1 8 0 0 0 -1' 'MPI_Send 1 0 0 2 8 0 0 0 -1' 'MPI_Recv 5 0 0 2 8 0 0 0 -1'
    echo 'end 2'
} >answered.rec
run 0 --program answered.pevpm answered.rec

# a loop whose last trip alone has a receive that is cancelled; a cancellation of nothing
cancelling() { # cancelling CANCELLED: the list
    for at in 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 0' \
        'module 0 ab /app' 'path 0 0:10' 'path 1 0:20' 'path 2 0:30' 'list 0 0:0' 'list 1 1:0' 'list 2 2:0'; do echo "$at"; done
    echo 'MPI_Irecv 0 0 0 1 8 0 0 0 0 n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8'
    echo 'loop 5 1'
    for at in 'MPI_Send 2 0 0 1 8 0 0 0 -1' 'MPI_Wait 2 0 0 0 0 0 0 0 0' 'MPI_Irecv 1 0 0 1 8 0 0 0 0'; do
        echo "$at n 5 wall 45 9 9 cpu 0 0 in 45 size 40 8 8 bins 9:5"
    done
    printf '%s\n' next "MPI_Cancel 2 0 0 0 0 0 0 0 $1 n 1 wall 9 9 9 cpu 0 0 in 9 size 0 0 0" \
        'MPI_Send 2 0 0 3 8 0 0 0 -1 n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8' 'done 0' 'end 1'
}
printf '%s\n' 'Message type = MPI_Irecv & from = 0 & tag = 1 & request = a' 'Loop iterations = 4' '{' \
    'Message type = MPI_Send & size = 8 & to = 0 & tag = 1' 'Message type = MPI_Wait & request = a' \
    'Message type = MPI_Irecv & from = 0 & tag = 1 & request = b' '}' \
    'Message type = MPI_Send & size = 8 & to = 0 & tag = 1' 'Message type = MPI_Send & size = 8 & to = 0 & tag = 3' >four.pevpm
cancelling 1 >cancelling.rec
run 0 --check four.pevpm cancelling.rec
check 'the fifth receive is gone' grep -q 'cancelling.rec: 1 processes, 11 messages' out
check 'and nothing else' sh -c '! grep "no directive" out'
cancelling 2 >cancelling.rec
run 3 --check four.pevpm cancelling.rec
told 'process 0 has cancelled a receive that was not open'
cancelling 3 >cancelling.rec
run 3 --check four.pevpm cancelling.rec
told 'expected a list of one request above'
# a wait for any of two, of which the other is cancelled later
for at in 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 0' 'module 0 ab /app' \
    'path 0 0:10' 'path 1 0:20' 'path 2 0:30' 'path 3 0:40' 'path 4 0:50' 'list 0 0:0' 'list 1 1:0' 'list 2 0:0 1:0'; do echo "$at"; done \
    >either.rec
for at in 'MPI_Irecv 0 0 0 1 8 0 0 0 0' 'MPI_Irecv 1 0 0 2 8 0 0 0 0' 'MPI_Send 2 0 0 1 8 0 0 0 -1' 'MPI_Waitany 3 0 0 0 0 0 0 0 2' \
    'MPI_Cancel 4 0 0 0 0 0 0 0 1'; do echo "$at n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8"; done >>either.rec
printf '%s\n' 'done 0' 'end 1' >>either.rec
run 0 --program either.pevpm either.rec
check 'it waits for the one that is left' grep -q 'MPI_Waitany & request = r[0-9]*$' either.pevpm

# computations of a loop that differ are drawn; a lone one that does other work is in the mean alone
differing() { # differing BINS N SUM: ns
    printf '%s\n' 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 0' 'bins 16' \
        'module 0 ab /app' 'path 0 0:10' "loop $2 1" \
        "MPI_Barrier 0 0 -1 0 0 0 0 0 -1 n $2 wall $3 9 9 cpu $2 $3 in 9000 size 0 0 0 bins $1" next 'done 0' 'end 1'
}
differing '269:30 270:40 271:30' 100 100000000 >differing.rec
run 0 --program differing.pevpm differing.rec
check 'drawn with the spread of its middle half' grep -q 'Serial time = lognormal(1000, 0.049\*(1000)) us' differing.pevpm
check 'which is predicted' "$build/pevpm-sim" -q -n 1 -r 4 differing.pevpm
differing '270:99 300:1' 100 104000000 >differing.rec
run 0 --program differing.pevpm differing.rec
check 'a first trip that does more is no spread' grep -q 'Serial time = 1040 us' differing.pevpm
differing '3:50 5:50' 100 400 >differing.rec
run 0 --program differing.pevpm differing.rec
check 'nor is what is shorter than a call' [ "$(grep -c lognormal differing.pevpm)" -eq 0 ]

# processes that shared processors, though their host has one for each
sharing() { # sharing NANOSECONDS: of the processor
    printf '%s\n' 'pevpm-recording 1' 'ranks 1' 'rank 0 1' 'host a' 'processors 1' 'clocks 20 300' 'polls 0' 'alike 0' \
        'module 0 ab /app' 'path 0 0:10' "MPI_Barrier 0 0 -1 0 0 0 0 0 -1 n 1 wall 9000 9000 9000 cpu 1 $1 in 9000 size 0 0 0" \
        'done 0' 'end 1'
}
sharing 2000 >sharing.rec
run 0 --program sharing.pevpm sharing.rec
check 'said, and how much' grep -q 'sharing.rec: computing took 39 % of the run longer than the processor was busy with it' out
check 'what can be done is said' grep -q 'have it, and with .--time processor. they leave it out' sharing.pevpm
run 0 --time processor --program sharing.pevpm sharing.rec
check 'the other way round' grep -q 'leave that out, and with .--time wall. they have it' out
sharing 8700 >sharing.rec
run 0 --program sharing.pevpm sharing.rec
check 'a little is not told' [ "$(grep -c longer out err sharing.pevpm | grep -vc ':0')" -eq 0 ]

# threads that do not call MPI; a run that did not come to its end
threaded() { # threaded NANOSECONDS RANKS [HOSTS]: of other threads; hosts of one processor each
    printf '%s\n' 'pevpm-recording 1' "ranks $2"
    for rank in $(seq 0 $(($2 - 1))); do
        printf '%s\n' "rank $rank $2" "host $((rank % ${3:-1}))" 'processors 1' 'clocks 20 300' "threads $1" 'polls 0' 'alike 0' \
            'module 0 ab /app' 'path 0 0:10' \
            "MPI_Barrier 0 0 -1 0 0 0 0 0 -1 n 1 wall 9000000 9000000 9000000 cpu 1 2000000 in 9000 size 0 0 0" \
            "MPI_Finalize 0 0 -1 0 0 0 0 0 -1 n 1 wall 0 0 0 cpu 1 0 in 0 size 0 0 0" "done $rank"
    done
    printf 'end %s\n' "$2"
}
threaded 7000000 2 >threaded.rec
run 0 --program threaded.pevpm threaded.rec
check 'threads are said where the processor counts' \
    grep -q '^note: threaded.rec: threads that do not call MPI were busy for 0.014 s, those that do computed for 0.004 s' out
run 0 --time wall --program threaded.pevpm threaded.rec
check 'and not where the wall clock does' [ "$(grep -c threads out)" -eq 0 ]
threaded 7000000 1 >threaded.rec
run 0 --program threaded.pevpm threaded.rec
check 'waiting for one'\''s own threads shares nothing' [ "$(grep -c 'shared\|threads' out)" -eq 0 ]
threaded 14000000 2 2 | sed '/^rank 1/,$ s/^threads.*/threads 0/' >threaded.rec
run 0 --program threaded.pevpm threaded.rec
check "another process's threads do not account for it" grep -q 'threaded.rec: computing took 39 % of the run longer than' out
threaded 50000 2 >threaded.rec
run 0 --program threaded.pevpm threaded.rec
check 'threads of the MPI library are not told' [ "$(grep -c threads out)" -eq 0 ]
check 'a whole run' [ "$(grep -c MPI_Finalize out)" -eq 0 ]
threaded 0 2 | awk '/^rank 1/ { second = 1 } !(second && /^MPI_Finalize/)' >ended.rec
run 0 --program ended.pevpm ended.rec
check 'a process that was ended' grep -q '^note: ended.rec: process 1 did not come to MPI_Finalize: ' out

run 0 --help
run 0 --version

# ---- recording ----

command -v mpirun >/dev/null && command -v mpicc >/dev/null || skip_all "no MPI to record with"
[ -e "$build/libpevpm-record-ompi.so" ] || skip_all "no recording library for Open MPI"
mpicc -g -O1 -pthread -o subject "$root"/record/tests/subject*.c 2>err || { fail "subject"; finish; }
mpirun -n 2 ./subject >out 2>err || skip_all "MPI programs cannot be started here"

recorded() { # recorded PROCESSES [-D NAME=N] FILE PROGRAM...: records a run
    n=$1 define=
    shift
    [ "$1" != -D ] || { define="-D $2"; shift 2; }
    file=$1
    shift
    # shellcheck disable=SC2086 # words
    timeout 120 mpirun -n "$n" "$build/pevpm-record" $define -o "$file" "$@" >out 2>err
    ended 0 $? mpirun -n "$n" pevpm-record -o "$file" "$@"
}

for n in 2 4 6; do recorded $n ring@$n.rec ./subject ring 40; done
check 'the parts are gone' [ "$(find . -name '*.part.*' | wc -l)" -eq 0 ]
check 'steps are folded' grep -q '^loop 40 1$' ring@2.rec
run 0 --program ring.pevpm ring@2.rec ring@4.rec
check 'a formula for the neighbour' grep -q 'to = (procnum+1)%numprocs' ring.pevpm
check 'lines of the source' grep -q 'subject.c:[0-9]*, in ring' ring.pevpm
run 0 --check ring.pevpm ring@2.rec ring@4.rec ring@6.rec
check 'all of a count that was not used' grep -q 'ring@6.rec: 6 processes, 480 messages' out
sed 's/iterations = 40/iterations = 41/' ring.pevpm >wrong.pevpm
run 1 --check wrong.pevpm ring@4.rec
told 'the run did no further call'
sed 's/size = 4/size = 8/' ring.pevpm >wrong.pevpm
run 1 --check wrong.pevpm ring@4.rec
told 'the directive says a send of 8 bytes to process 1, the run did a send of 4 bytes'
sed 's/tag = 3/tag = 2/' ring.pevpm >wrong.pevpm
run 1 --check wrong.pevpm ring@4.rec
told 'the directive says a receive from process 3 with tag 2, the run did a receive from process 3 with tag 3 at subject.c:19'
"$build/pevpm-sim" -q -n 8 -r 4 ring.pevpm >out 2>err
ended 0 $? pevpm-sim ring.pevpm

# the file grows with the structure, and a little with how differently long its calls take
recorded 2 long.rec ./subject ring 40000
check 'hardly larger for 1000 times the steps' [ "$(wc -c <long.rec)" -lt $((4 * $(wc -c <ring@2.rec))) ]

# a thread that does not call MPI computes for 0.2 s, and another one did before MPI_Init
cat >helper.c <<'END'
#include <mpi.h>
#include <pthread.h>
#include <time.h>
static void *compute(void *nothing)
{
    struct timespec now = {0};
    while (now.tv_nsec < 200000000)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return nothing;
}
static void help(void)
{
    pthread_t helper;
    pthread_create(&helper, NULL, compute, NULL);
    pthread_join(helper, NULL);
}
int main(void)
{
    help();
    MPI_Init(NULL, NULL);
    help();
    MPI_Finalize();
}
END
mpicc -pthread -o helper helper.c 2>err || fail "helper.c"
recorded 1 helper.rec ./helper
check "that thread's time" awk '$1 == "threads" { n++; bad = $2 < 190000000 || $2 > 390000000 } END { exit n != 1 || bad }' helper.rec

# what looks in vain takes is not lost: ten that sleep for 2 ms, of a program that has its own MPI library for that
cat >slow.c <<'END'
#include <mpi.h>
#include <time.h>
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    (void)source, (void)tag, (void)comm, (void)status;
    *flag = 0;
    return nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}
int main(void)
{
    int flag;
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 10; i++)
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
mpicc -o slow slow.c 2>err || fail "slow.c"
recorded 1 slow.rec ./slow
check 'looks in vain are counted' grep -q '^polls 10$' slow.rec
check 'their time is that of the next call' awk '
    /^MPI_Barrier / { for (i = 1; i < NF; i++) if ($i == "in" && $(i + 1) >= 20000000) found = 1 }
    END { exit !found }' slow.rec

# loops that no call path tells apart, and values that fold at other places in each process
for n in 2 4 8; do recorded $n axes@$n.rec ./subject axes 20; done
run 0 --program axes.pevpm axes@2.rec axes@4.rec axes@8.rec
run 0 --check axes.pevpm axes@2.rec axes@4.rec axes@8.rec
check 'steps, axes, and the line: no more loops' [ "$(grep -c '^ *Loop' axes.pevpm)" -eq 4 ]
check 'room for what comes' grep -q 'recv_size = 256' axes.pevpm
"$build/pevpm-sim" -q -n 2,4 -r 4 axes.pevpm >out 2>err
ended 0 $? pevpm-sim axes.pevpm
check 'the ends of the line' grep -q 'to = procnum+1' axes.pevpm

# those neighbours that exist, in a fixed order: with 3 along an axis, where only 2 were recorded
for box in '' cartesian; do
    # shellcheck disable=SC2086 # a word or none
    for n in 2 4 8 12; do recorded $n visits@$n.rec ./subject visits $box; done
    run 0 --program visits.pevpm visits@2.rec visits@4.rec visits@8.rec
    check 'no table' sh -c '! grep "stays a table" out'
    check 'the grid is said' grep -q 'in the directions of a grid' out
    run 0 --check visits.pevpm visits@2.rec visits@4.rec visits@8.rec visits@12.rec
    check 'all of them' grep -q 'visits@12.rec: 12 processes, [0-9]* messages and collective operations are as the directives say' out
    "$build/pevpm-sim" -q -n 8,12 -r 2 visits.pevpm >out 2>err
    ended 0 $? pevpm-sim visits.pevpm
done

# sizes that follow the data: a table with a mean beyond it, and a mean alone for who asks
for n in 2 4 8; do recorded $n buckets@$n.rec ./subject buckets; done
run 0 --program buckets.pevpm buckets@2.rec buckets@4.rec
check 'the mean is said' grep -q 'follows the data: it is a table .* its mean over all processes .*/numprocs.* bytes, .*--sizes mean' out
check 'in the program too' grep -q '^# Note: .* at others its mean over all processes' buckets.pevpm
run 0 --check buckets.pevpm buckets@4.rec
run 1 --check buckets.pevpm buckets@8.rec
run 0 --check buckets.pevpm --sizes any buckets@8.rec
"$build/pevpm-sim" -q -n 8 -r 2 buckets.pevpm >out 2>err
ended 0 $? pevpm-sim buckets.pevpm
run 0 --sizes mean --program buckets.pevpm buckets@2.rec buckets@4.rec
check 'the mean is taken, and said' grep -q 'its mean over all processes stands for it' buckets.pevpm
check 'no table' sh -c '! grep "known_only_at" buckets.pevpm'
run 0 --check buckets.pevpm --sizes any buckets@8.rec
check 'all calls' grep -q 'buckets@8.rec: 8 processes, 64 messages and collective operations are as the directives say' out
run 2 --sizes meen --program buckets.pevpm buckets@2.rec
told 'mean'

# ---- times for measured(...), without a timing call in the source ----

mpicc -g -O1 -o timed "$root/record/tests/timed.c" 2>err || fail "timed.c"
recorded 2 -D size=1 timed@1.rec ./timed
recorded 2 -D size=2 timed@2.rec ./timed more
about() { # about WANTED NAME [ARGUMENT]: the mean in the table is that many us, but for a fifth
    awk -v name="$2" -v argument="${3:-}" -v wanted="$1" '
        $1 == name && (argument == "" || $2 == argument) {
            at = argument == "" ? 7 : 8
            us = $at * ($(at + 1) == "ms" ? 1000 : $(at + 1) == "us" ? 1 : 0)
            good = us > wanted * 0.95 && us < wanted * 1.2
        }
        END { exit !good }' out
}
run 0 --time processor --times "$root/record/tests/timed.c" -o times.yaml timed@1.rec timed@2.rec
check 'in front of a wait' about 1000 inner 1000
check 'an argument' about 2000 inner 2000
check 'behind it; what was done before the loop is not in it' about 300 edge
check 'each execution' grep -q '^  edge  *160 ' out
run 0 -q --time processor --times "$root/record/tests/timed.c" -m "$root/examples/jacobi/perseus.yaml" -o whole.yaml \
    timed@1.rec timed@2.rec
"$build/pevpm-sim" -q -m whole.yaml -n 2 -r 4 "$root/record/tests/timed.c" >out 2>err
ended 0 $? "pevpm-sim with the times of a recording"
sed 's/Loop iterations = 40/Loop iterations = 41/' "$root/record/tests/timed.c" >longer.c
run 1 --times longer.c -o none.yaml timed@1.rec
told 'the run did no further call'
check 'nothing was written' [ ! -e none.yaml ]
sed '/type = MPI_Waitall/d; s/measured(edge)/measured(edge) \/\/ no wait/' "$root/record/tests/timed.c" |
    sed 's| // no wait||' >mixed.c
run 3 --times mixed.c -o none.yaml timed@1.rec
told 'cannot be told from measured(inner)'
sed 's/measured([^)]*)*$/1 ms/' "$root/record/tests/timed.c" >none.c
run 3 --times none.c -o none.yaml timed@1.rec
told '^none.c: error: no times to take: nothing that ran was computed where the program says Serial time = measured'
run 2 --times "$root/record/tests/timed.c"
told 'no recording is given'

# what no count divides is shared out
for n in 2 4 5 8; do recorded $n blocks@$n.rec ./subject blocks; done
run 0 --program shares.pevpm blocks@2.rec blocks@4.rec blocks@8.rec
check 'the first have one more' grep -q 'MPI_Scatterv & size = 8\*(1003/numprocs + (procnum < 1003%numprocs))' shares.pevpm
check 'a share for each worker' grep -q 'size = 120\*(62/(numprocs-1) + (i < 62%(numprocs-1)))' shares.pevpm
run 0 --check shares.pevpm blocks@2.rec blocks@4.rec blocks@5.rec blocks@8.rec

# whose row is next, what rounds are in one loop, and who comes to it
for n in 2 4 6 8 12; do recorded $n rows@$n.rec ./subject rows; done
run 0 --program rows.pevpm rows@2.rec rows@4.rec rows@8.rec
check 'no table' [ "$(grep -c known_only_at rows.pevpm)" -eq 0 ]
check 'who has a row' grep -q 'root = max(i/(30/numprocs+1), (i-30%numprocs)/(30/numprocs))' rows.pevpm
check 'what others have comes in turn' grep -q 'from = procnum+1+i/(48/numprocs)' rows.pevpm
check 'the round is the tag' grep -q 'tag = (i/(numprocs-1))+10' rows.pevpm
check 'process 0 leaves out nobody' grep -q 'from = i+1 & tag = 2' rows.pevpm
check 'of who does not come no formula is in doubt' [ "$(grep -c '^note: .*(i < procnum' out)" -eq 0 ]
run 0 --check rows.pevpm rows@2.rec rows@4.rec rows@6.rec rows@8.rec rows@12.rec

# where formulas of one grid do something wrong at the next count, those of another are taken
for n in 2 4 8 16; do recorded $n odd-even@$n.rec ./subject odd-even; done
run 0 --program odd-even.pevpm odd-even@2.rec odd-even@4.rec odd-even@8.rec
check 'nothing is wrong at 16' [ "$(grep -c '^note: at 16 processes, which were not recorded' out)" -eq 0 ]
check 'that it is in another grid is said' \
    grep -q '^note: written in another grid, .* but at 16 processes cannot be run: .*: record at 16, too$' out
check 'of a share that some count does not divide that is said' \
    grep -q '^note: the size of MPI_Sendrecv at .* is a share that leaves no remainder at the recorded counts.* record at 6, too$' out
run 0 --check odd-even.pevpm odd-even@16.rec

# collective operations of rows, at two places of the program, whose root follows from the row
for n in 4 9 16; do recorded $n diagonals@$n.rec ./subject diagonals; done
run 0 --program diagonals.pevpm diagonals@4.rec diagonals@9.rec
check 'once' [ "$(grep -c 'type = MPI_Bcast' diagonals.pevpm)" -eq 1 ]
run 0 --check diagonals.pevpm diagonals@16.rec

# trees whose messages are for all below the receiver, at counts that are no power of two as well
for n in 2 4 5 8; do recorded $n trees@$n.rec ./subject trees; done
run 0 --program trees.pevpm trees@2.rec trees@4.rec trees@8.rec
check 'whom it comes from' grep -q 'from = procnum-lowbit(procnum, numprocs)' trees.pevpm
run 0 --check trees.pevpm trees@2.rec trees@4.rec trees@5.rec trees@8.rec

# every kind of call
for n in 2 4 6 8; do recorded $n all@$n.rec ./subject everything; done
run 0 --program all.pevpm all@2.rec all@4.rec
run 1 --check all.pevpm all@8.rec # every second process, and not every fourth: so 2 and 4 do not tell
told 'the directive says MPI_Allreduce of 40 bytes among 2 processes, 0 to 4, the run did MPI_Allreduce of 40 bytes among 4 processes, 0 to 6 at'
run 0 --program all.pevpm all@2.rec all@4.rec all@6.rec
for word in MPI_Isend MPI_Irecv MPI_Waitall MPI_Allreduce MPI_Bcast MPI_Reduce_scatter MPI_Gather comm_split; do
    check "$word is there" grep -q $word all.pevpm
done
run 0 --check all.pevpm all@2.rec all@4.rec all@6.rec all@8.rec
"$build/pevpm-sim" -q -n 4,8 -r 4 all.pevpm >out 2>err
ended 0 $? pevpm-sim all.pevpm

# neighbours that wildcards have learnt are named from then on: nobody is answered, and it holds at a count not used
for n in 2 4 6 8; do recorded $n neighbours@$n.rec ./subject neighbours; done
run 0 --program neighbours.pevpm neighbours@2.rec neighbours@4.rec neighbours@8.rec
run 0 --check neighbours.pevpm neighbours@2.rec neighbours@4.rec neighbours@6.rec neighbours@8.rec
"$build/pevpm-sim" -q -n 6 -r 4 neighbours.pevpm >out 2>err
ended 0 $? pevpm-sim neighbours.pevpm
check 'nobody is answered' [ "$(grep -c 'to = sender' neighbours.pevpm)" -eq 0 ]

# of calls that no process did both of, the lines say which is first
recorded 2 pipeline.rec ./subject pipeline
run 0 --program pipeline.pevpm pipeline.rec
check 'the receive is first' [ "$(grep -o -e MPI_Recv -e MPI_Send pipeline.pevpm | head -n 1)" = MPI_Recv ]
check 'as the lines say' [ "$(grep -c 'lower address' out)" -eq 0 ]

# a test that succeeds is the wait that comes later where it does not
for n in 2 3 4; do recorded $n looked@$n.rec ./subject looked $n; done
run 0 --program looked.pevpm looked@2.rec looked@3.rec looked@4.rec
check 'who has looked in vain, and who has not, is no note' [ "$(grep -c '^note: .*\(which processes\|how often\)' out)" -eq 0 ]
check 'one loop in another' [ "$(grep -c '^ *Loop' looked.pevpm)" -eq 2 ]
check 'it waits behind what it begins meanwhile' \
    [ "$(grep -v '^#' looked.pevpm | grep -o 'MPI_I[a-z]*\|MPI_Waitall\|MPI_Testall' | tr '\n' ' ')" = \
        'MPI_Irecv MPI_Isend MPI_Irecv MPI_Isend MPI_Waitall MPI_Waitall ' ]
recorded 6 looked@6.rec ./subject looked 7
run 0 --check looked.pevpm looked@6.rec

# with a request; among neighbours; messages that a probe takes out
for what in started near taken windows; do
    for n in 3 4 6; do recorded $n $what@$n.rec ./subject $what; done
    run 0 --program $what.pevpm $what@3.rec $what@4.rec $what@6.rec
    cp out $what.notes
    run 0 --check $what.pevpm $what@3.rec $what@4.rec $what@6.rec
    "$build/pevpm-sim" -q -n 3,4,6 -r 4 $what.pevpm >out 2>err
    ended 0 $? pevpm-sim $what.pevpm
done
for word in Iscatter Igather Ireduce Iallgather Ialltoall Iscan Iexscan 'Iscatterv & size = 4 & root = 0' \
    'Igatherv & size = 4 & root = 1' 'Iallgatherv & size = 4' 'Ireduce_scatter & size = 16' 'Ireduce_scatter_block & size = 20' \
    'Ialltoallv & size = 8' 'Ialltoallw & size = 16'; do
    check "MPI_$word is there, with a request" grep -q "MPI_$word .*request = r" started.pevpm
done
recorded 8 near@8.rec ./subject near
run 0 --check near.pevpm near@8.rec
check 'the grid of MPI_Dims_create, known from 3, 4 and 6, holds at 8' grep -q 'near@8.rec: 8 processes, 116 messages' out
check 'another formula is told once' [ "$(grep -c 'is written as (procnum+dims_create(numprocs, 2, 1))%numprocs' near.notes)" -eq 1 ]
check 'with where it stands and what would tell' grep -q \
    'as at 1 more place, is written as .* gives the same at the recorded counts; they differ at 12 processes: record at 12' near.notes
check 'a grid is a graph' grep -q '^Set comm1_near = dist_graph_create_adjacent(' near.pevpm
check 'its neighbours' grep -q 'MPI_Neighbor_alltoall & size = 32 & comm = comm1_near' near.pevpm
check 'no share of oneself' grep -q 'MPI_Alltoallw & size = 24' near.pevpm
check 'the mean is said to be one' grep -q 'MPI_Ineighbor_alltoallv .* does not send the same to all, up to 6' near.notes
check 'MPI_COMM_SELF' grep -q '= comm_split(procnum, 0)' near.pevpm
check 'a part of a part' grep -q 'comm5 = comm_split(.*, comm4)' near.pevpm
check 'what making a grid takes' grep -q '^Message type = MPI_Comm_dup$' near.pevpm
check 'whom it has, on one host, is said' grep -q '^note: the communicator of MPI_Comm_split_type at subject_comms.c:[0-9]*, in near had all processes' near.notes
check 'what a split by type takes' grep -q '^Message type = MPI_Comm_split_type$' near.pevpm
check 'what one of a group takes, among its members' grep -q '^ *Message type = MPI_Comm_create_group & comm = comm6$' near.pevpm
check 'and a part of a part' grep -q '^ *Message type = MPI_Comm_split & comm = comm4$' near.pevpm
check 'what took it out' grep -q 'MPI_Mprobe .*tag = 6 & message = m1$' taken.pevpm
check 'who receives it' grep -q 'MPI_Imrecv & message = m5 & request = r7' taken.pevpm

check 'a put to the next one' grep -q 'MPI_Put & window = window2 & size = 24000 & to = (procnum+1)%numprocs$' windows.pevpm
check 'and from the one before' grep -q 'MPI_Get & window = window2 & size = 80 & from = ' windows.pevpm
check 'to nobody' grep -q 'MPI_Accumulate & window = window2 & size = 16 & to = .*MPI_PROC_NULL' windows.pevpm
check 'a lock for oneself' grep -q 'MPI_Win_lock & window = window3 & to = 0 & exclusive = 1 & comm = comm1' windows.pevpm
check 'a lock of all is one of whom it was needed for' grep -q 'MPI_Win_lock & window = window3 & to = 0 & comm = comm1' windows.pevpm
check 'two windows are gone' [ "$(grep -c 'MPI_Barrier' windows.pevpm)" -eq 2 ]
sed 's/size = 24000/size = 24008/' windows.pevpm >wrong.pevpm
run 1 --check wrong.pevpm windows@4.rec
told 'the directive says a put of 24008 bytes, process 1, the run did a put of 24000 bytes, process 1'
sed '/MPI_Win_flush/d' windows.pevpm >wrong.pevpm
run 1 --check wrong.pevpm windows@4.rec
told 'the directive says an unlock of process 0, the run did a flush of process 0'

# no call is missing in silence: the library has each function of MPI that makes messages, or makes what they need
for word in openmpi:ompi mpich:mpich; do
    library=$(command -v "mpicc.${word%:*}" >/dev/null && ldd "$build/libpevpm-record-${word#*:}.so" 2>/dev/null |
        awk '/libmpi(ch)?[.]so/ { print $3 }')
    [ -n "$library" ] || { skip "no shared library of ${word%:*}"; continue; }
    nm -D --defined-only "$build/libpevpm-record-${word#*:}.so" | awk '{ print $3 }' >covered
    nm -D --defined-only "$library" | awk '$3 ~ /^MPI_[A-Z][a-z]/ { print $3 }' | grep -v -x -F -f covered |
        grep -v -E -f "$root/record/tests/harmless" >missing
    check "all calls of ${word%:*}: $(tr '\n' ' ' <missing)" [ ! -s missing ]
done
refuses() { # refuses WHAT TEXT
    recorded 4 refused.rec ./subject refused "$1"
    told "the recording ends early: $2"
    run 3 --program refused.pevpm refused.rec
    told "ended early: $2"
}
refuses window "MPI_Fetch_and_op was called: what another process's memory is changed to, and read, is not recorded"
refuses longest 'MPI_Rget_accumulate was called'
refuses file 'MPI_File_iwrite_at_all was called'
refuses between 'MPI_Intercomm_create was called'
refuses late 'MPI_Raccumulate was called'
refuses comm 'a communicator was used that a call made which is not recorded'
refuses request 'a request was waited for that a call made which is not recorded'

# files: what all do together stands between two barriers, with a time that is the same in all, since the last one's end counts;
# what the library sends in it is not there
calls_of() { # calls_of RECORDING: of process 1, without what comes behind them
    sed -n '/^rank 1/,/^done 1/s/^\(loop\|next\|\(MPI\|file\)_[A-Za-z_]*\)\( .*\|\)$/\1/p' "$1"
}
times_of() { # times_of RECORDING CALL: of all processes, a line for each
    sed -n "s/^$2 .* \(wall .*\) in .*/\1/p" "$1"
}
for n in 2 4 6 8; do recorded $n files@$n.rec ./subject files; done
recorded 2 more.rec ./subject files 40
check 'a recording does not grow with the steps' [ "$(wc -l <more.rec)" -eq "$(wc -l <files@2.rec)" ]
for call in MPI_File_write_at_all MPI_File_sync; do
    check "$call has one time" [ "$(times_of files@8.rec $call | sort -u | wc -l) $(times_of files@8.rec $call | wc -l)" = '1 8' ]
done
check 'which no processor was busy with' sh -c '! grep "^MPI_File_" files@8.rec | grep -v "cpu 0 0 in 0 "'
# process 0 comes 2 ms late to each of five, which the others wait for, and has no part in the time
check 'waiting is not in it' [ "$(sed -n '/^rank 1/,$s/^file_meet .* n 5 .* in \([0-9]*\) size.*/\1/p' files@2.rec)" -gt 9000000 ]
run 0 --program files.pevpm files@2.rec files@4.rec files@8.rec
check 'which says what their time is' grep -q '^note: time in files (of [0-9]* calls, most of it of MPI_File_[a-z_]* at subject_files.c:.*) is that of the recorded runs, .* does not follow the machine file' out
run 0 --check files.pevpm files@6.rec
check 'the call is named' grep -q '^    # subject_files.c:[0-9]*, in files: MPI_File_write_at_all, 8000 bytes$' files.pevpm
check 'its time is that of one' [ "$(grep -A 4 ': MPI_File_write_at_all, ' files.pevpm | tr '\n' '|' |
    grep -c '|    Runon c1 = procnum == 0|    {|        Serial time = .* us|    }|')" -eq 1 ]
check 'of half of them too' [ "$(grep -c '^Runon c1 = procnum_in(comm1) == 0' files.pevpm) $(grep -c 'MPI_Barrier & comm = comm1' files.pevpm)" = '3 6' ]
own=$(grep -n ': MPI_File_write_all, 8000 bytes' files.pevpm | tail -n 1 | cut -d: -f1)
check 'that of a file of its own is each own' [ "$(sed -n "$((own + 1))p" files.pevpm | cut -c1-11)" = 'Serial time' ]
# what follows no law stands as it was at the recorded counts
check 'times at the recorded counts' grep -q 'Serial time = .*(numprocs == 2 ? .* : (numprocs == 4 ? .* : (numprocs == 8 ? ' files.pevpm
# the processor is not busy with files, so that with its times, too, they take what they took
for clock in wall processor; do
    run 0 --program $clock.pevpm --time $clock files@2.rec
    grep -A 3 'MPI_File_write_at_all' $clock.pevpm | grep Serial >$clock.time
done
check 'whichever clock' cmp -s wall.time processor.time
# by hand: two barriers and what is measured between them; a wait without messages says nothing
recorded 3 shared.rec ./subject shared-files
{
    for call in open seek write; do
        printf '%s\n' 'Collective type = MPI_Barrier' 'Runon c1 = procnum == 0' '{' "Serial time = measured($call)" '}' \
            'Collective type = MPI_Barrier'
    done
    printf '%s\n' 'Collective type = MPI_Barrier' 'Collective type = MPI_Barrier'
} >hand.pevpm
run 0 --check hand.pevpm shared.rec
run 0 --times hand.pevpm -o hand.yaml shared.rec
check 'once, not of each process' grep -q '^  write: {.*counts: \[1\], ' hand.yaml
check 'as it was' [ "$(sed -n 's/^  write: .* average: \(.*\)}/\1/p' hand.yaml |
    awk '{ printf "%.0f\n", $1 * ($2 == "s" ? 1e9 : $2 == "ms" ? 1e6 : $2 == "us" ? 1e3 : 1) }')" -eq \
    "$(times_of shared.rec MPI_File_write_ordered | cut -d' ' -f2 | head -n 1)" ]
sed '$d' hand.pevpm >wrong.pevpm
run 0 --check wrong.pevpm shared.rec
check 'and what it leaves out' grep -q 'no directive: file_part at subject_files.c:[0-9]*, in shared_files, 3 calls' out
# a process whose recording has ended goes on waiting with the others
for how in thread request; do recorded 4 parted.rec ./subject parted $how; done
told 'the recording ends early: one call waited for messages and for what a file was asked for, which is not recorded'

# what recorders tell each other at the end is not taken by a wildcard of one who is still at work
recorded 4 farm@4.rec ./subject farm

# windows and communicators that calls of one place have in turn
for n in 2 4 8 16; do recorded $n swapped@$n.rec ./subject swapped; done
run 0 --program swapped.pevpm swapped@2.rec swapped@4.rec swapped@8.rec
run 0 --check swapped.pevpm swapped@16.rec
check 'a put for each window' [ "$(grep -c 'type = MPI_Put .*window = window' swapped.pevpm)" -eq 2 ]
check 'a sum for each axis, in the steps of each window' [ "$(grep -c 'type = MPI_Allreduce .*comm = comm' swapped.pevpm)" -eq 4 ]
check 'no table' [ "$(grep -c known_only_at swapped.pevpm)" -eq 0 ]

# an iteration that has come to its limit at all sizes that were recorded, and ends earlier at another one
for n in 2 4; do
    for points in 10 20 24; do recorded $n -D n=$points limited@$n.$points.rec ./subject limited $points; done
done
run 0 --program limited.pevpm limited@2.20.rec limited@4.20.rec limited@2.24.rec limited@4.24.rec
check 'what may be a limit is said' grep -q 'loop around MPI_Allreduce goes round at .*, in limited is the same number in all' out
run 1 --check limited.pevpm limited@2.10.rec
run 0 --program limited.pevpm limited@2.20.rec limited@4.20.rec
check 'of one size there is nothing to say' [ "$(grep -c 'whatever their sizes' out)" -eq 0 ]

# a loop that splits what it has split: what that takes no directive says
for n in 2 4 8; do recorded $n halves@$n.rec ./subject halves; done
run 0 --program halves.pevpm halves@2.rec halves@4.rec
check 'that is said' grep -q '^note: what MPI_Comm_split takes is left out: at subject_comms.c:' out
run 0 --check halves.pevpm halves@8.rec

# a halo at several sizes: shares of a parameter along each axis, which are whole at every recorded count, or are not
for n in 2 4 8 16; do
    for points in 240 480 250 501; do recorded $n -D n=$points halo@$n.$points.rec ./subject halo $points; done
done
for points in 240,480 250,501; do
    first=${points%,*} second=${points#*,}
    run 0 --program halo.pevpm halo@2."$first".rec halo@4."$first".rec halo@8."$first".rec halo@2."$second".rec halo@4."$second".rec \
        halo@8."$second".rec
    check "no table of a halo of $points" [ "$(grep -c known_only_at halo.pevpm)" -eq 0 ]
    run 0 --check halo.pevpm halo@16."$first".rec halo@16."$second".rec
done
check 'rounded down' grep -q '8\*(n/dims_create(numprocs, 2, 1))' halo.pevpm
run 0 --program halo.pevpm halo@2.240.rec halo@2.480.rec halo@4.240.rec halo@4.480.rec
check 'of an extent that was always the same' grep -q 'round(8.0\*n/dims_create(numprocs, 2, 0))' halo.pevpm
run 0 --check halo.pevpm halo@16.240.rec halo@16.480.rec

# even and odd ranks are no columns of a grid that has two of them at 2, 4 and 8
for n in 2 4 8 16; do recorded $n sides@$n.rec ./subject sides; done
run 0 --program sides.pevpm sides@2.rec sides@4.rec sides@8.rec
check 'a bare number' grep -q '^Set comm1 = comm_split(procnum%2, procnum/2)$' sides.pevpm
run 0 --check sides.pevpm sides@16.rec

# communicators and windows that each step makes, uses and frees: numbers come again, so that steps are alike
for n in 2 4 6; do recorded $n remade@$n.rec ./subject remade 5; done
recorded 8 remade@8.rec ./subject remade 9
check 'one for each call that makes one' [ "$(grep -c '^comm' remade@2.rec) $(grep -c '^comm' remade@8.rec)" = '8 32' ]
check 'a loop of all steps' [ "$(grep -c '^loop' remade@8.rec) $(grep -c '^loop 9 1$' remade@8.rec)" = '8 8' ]
run 0 --program remade.pevpm remade@2.rec remade@4.rec remade@6.rec
check 'here, too' grep -q '^Loop iterations = 5' remade.pevpm
sed 's/iterations = 5/iterations = 9/' remade.pevpm >longer.pevpm
run 0 --check longer.pevpm remade@8.rec
for steps in 20 60; do recorded 3 copies-$steps.rec ./subject copies $steps; done
check 'in whatever order they are freed' [ "$(grep -c '^comm' copies-20.rec) $(grep -c '^comm' copies-60.rec)" = '18 18' ]
check 'lines do not grow with steps' [ "$(wc -l <copies-20.rec)" -eq "$(wc -l <copies-60.rec)" ]

# what is freed within another call, or where no wrapper sees it, has no claim to its handle when that comes again
for frees in hidden unseen; do
    recorded 3 $frees.rec ./subject $frees 5
    check "members of what is made, $frees" awk '$1 == "rank" { delete first } $1 == "comm" { first[$2] = $5 }
        $1 == "MPI_Allreduce" || $1 == "MPI_Win_free" { n++; wrong += first[$3] != 2 } END { exit wrong || !n }' $frees.rec
done
check 'steps are alike' [ "$(grep -c '^loop 5 1$' hidden.rec)" -eq 3 ]

# trips that come to other calls, by process and distance: one loop with conditions
for n in 2 4 8 16; do recorded $n scan@$n.rec ./subject scan; done
run 0 --program scan.pevpm scan@2.rec scan@4.rec scan@8.rec
check 'each call once' [ "$(grep -c -e '^ *Message' -e '^ *Collective' scan.pevpm)" -eq 5 ]
check 'in two loops' [ "$(grep -c '^Loop iterations = ilog2(numprocs) & var = i$' scan.pevpm)" -eq 2 ]
check 'under conditions of the trip' grep -q '^    Runon c1 = !(procnum >= numprocs-round(pow(2, i)))$' scan.pevpm
run 0 --check scan.pevpm scan@16.rec

# formulas that fit by chance: a root and trips that follow the data, and what came at one count alone
for n in 2 4 6 8 16; do recorded $n largest@$n.rec ./subject largest; done
run 0 --program largest.pevpm largest@2.rec largest@4.rec largest@8.rec
check 'of the root that is said' grep -q '^note: the root of MPI_Bcast at subject_algorithms.c:[0-9]*, in largest is written as .*too few to confirm either' out
check 'of the trips' grep -q '^note: how often the loop around MPI_Allreduce goes round at .* too few to confirm either: record at 6 or 16 to tell' out
check 'of a size' grep -q '^note: .*the size of MPI_Bcast at subject_algorithms.c:[0-9]*, in largest.* was seen at one count alone' out
check 'of who comes there' grep -q '^note: which processes come to MPI_Bcast at .*: it gives what was recorded, but nothing confirms it, for of' out
check 'in the program, too' [ "$(grep -c '^# Note: .*confirm' largest.pevpm)" -ge 4 ]
run 1 --check largest.pevpm largest@16.rec
told 'the directive says MPI_Bcast of 8 bytes with root [0-9]*, the run did MPI_Bcast of 8 bytes with root 6 at subject_algorithms.c:[0-9]*, in largest$'
run 0 --program largest.pevpm largest@2.rec largest@4.rec largest@6.rec largest@8.rec
check 'another count leaves the place in the data' grep -q '^note: the root of MPI_Reduce at .* is written as numprocs-1, but floor(0.875\*numprocs), who has that place in the data, gives the same' out
run 0 --program largest.pevpm largest@8.rec
check 'of one count nothing is confirmed' grep -q '^note: all was recorded at 8 processes: ' out
check 'which is said once' [ "$(grep -c '^note: .*confirm' out)" -eq 1 ]

# formulas that come to no end at the next count, in one grid and in all
for n in 2 4 8; do recorded $n middle@$n.rec ./subject middle; done
run 0 --program middle.pevpm middle@2.rec middle@4.rec
run 0 --check middle.pevpm middle@8.rec
for n in 2 4; do recorded $n around@$n.rec ./subject around; done
run 0 --program around.pevpm around@2.rec around@4.rec
check 'that is said' grep -q '^note: at 8 processes, which were not recorded, this program comes to no end: deadlock: ' out
check 'in the program, too' grep -q '^# Note: at 8 processes, which were not recorded, this program comes to no end: ' around.pevpm

# who sent what a wildcard received decides what is done next: the program has those of the recorded runs
for n in 3 4 5 6; do recorded $n chosen@$n.rec ./subject chosen; done
run 0 --program chosen.pevpm chosen@3.rec chosen@4.rec chosen@5.rec
check 'who sent' [ "$(grep -c 'MPI_Recv & from = .* & tag = 1 & source = sender' chosen.pevpm)" -eq 1 ]
check 'not anybody' [ "$(grep -c 'from = MPI_ANY_SOURCE' chosen.pevpm)" -eq 0 ]
check 'which is said' grep -q '^note: MPI_Recv at subject_algorithms.c:[0-9]*, in chosen takes what comes from anybody' out
run 0 --check chosen.pevpm chosen@6.rec
"$build/pevpm-sim" -q -n 6 -r 4 chosen.pevpm >out 2>err
ended 0 $? pevpm-sim chosen.pevpm

# a part of the run
first=$(sed -n 's/.*# \(subject_calls.c:[0-9]*\), in everything/\1/p' all.pevpm | tail -n 2 | head -n 1)
last=$(sed -n 's/.*# \(subject_calls.c:[0-9]*\), in everything/\1/p' all.pevpm | tail -n 1)
run 0 --program part.pevpm --part "$first,$last" all@2.rec all@4.rec
check 'two calls are left' [ "$(grep -c -e '^Collective' -e '^Message' part.pevpm)" -eq 2 ]
run 3 --program part.pevpm --part "$first,subject_calls.c:1" all@2.rec
told 'no call at `subject_calls.c:1`'
run 2 --program part.pevpm --part subject_calls.c:1 all@2.rec
told 'two places'

# without line numbers
cp subject plain
strip plain
recorded 2 plain.rec ./plain ring
run 0 --program plain.pevpm plain.rec
told 'no line numbers'
check 'offsets stand for lines' grep -q 'plain+0x' plain.pevpm
check 'of its calls each process tells the order' [ "$(grep -c 'lower address' out)" -eq 0 ]
recorded 2 plain.rec ./plain pipeline
run 0 --program plain.pevpm plain.rec
check 'addresses do, and that is said' grep -q '^note: lines .* as plain+0x[0-9a-f]* before plain+0x[0-9a-f]* (1 in all);' out

# ---- what cannot be ----

mpicc -g -O2 -pthread -o another "$root"/record/tests/subject*.c 2>err
recorded 2 another.rec ./another ring
run 3 --program mixed.pevpm ring@2.rec another.rec
told 'is of another program'
head -c 300 ring@2.rec >cut.rec
run 3 --program cut.pevpm cut.rec
told 'cut.rec'
recorded 2 shorter.rec ./subject ring 30
run 1 --program sizes.pevpm shorter.rec ring@2.rec
told 'not what ran: ring@2.rec: no directive says 40 calls of the run, MPI_Sendrecv at'
told 'nothing tells this recording from'
told 'record each with its own, as by -D n=512'
sed '1s/1/9/' ring@2.rec >old.rec
run 3 --program old.pevpm old.rec
told 'of version 9'
# A program without structure: its program is what ran, with its tags, at the counts that were recorded, made in seconds; at
# others it is refused. A formula that is right at both ends of a run of equal values was wrong between them.
for n in 2 4; do recorded $n chance@$n.rec ./subject chance 3000; done
run 0 --program chance.pevpm chance@2.rec chance@4.rec
check 'chance is told' grep -q 'values and conditions follow no formula: what this program calls, or in which' out
check 'chance is not said to be all that it can be' grep -q 'messages come or a rule that was not tried' out
for n in 2 4; do
    "$build/pevpm-sim" -n $n -r 4 chance.pevpm >out 2>err
    ended 0 $? pevpm-sim -n $n chance.pevpm
done
"$build/pevpm-sim" -n 8 chance.pevpm >out 2>err
ended 3 $? pevpm-sim -n 8 chance.pevpm
told 'known_only_at(2, 4)'

# messages to all neighbours in a grid, each written out: most go across, and 2, 4 and 8 processes leave open which grid it is
for n in 2 4 8 16; do recorded $n across@$n.rec ./subject across; done
run 0 --program across.pevpm across@2.rec across@4.rec across@8.rec
run 0 --check across.pevpm across@16.rec
check 'both ways' grep -q 'across@16.rec: 16 processes, 288 messages' out

# where a grid of two columns says the same as a ring, it is the grid if its columns are asked for, too
for subject in second columns; do
    for n in 2 4 8 16; do recorded $n $subject@$n.rec ./subject $subject; done
    run 0 --program $subject.pevpm $subject@2.rec $subject@4.rec $subject@8.rec
    run 0 --check $subject.pevpm $subject@16.rec
done
check 'the ring as it is written' grep -q 'to = (procnum+2)%numprocs ' second.pevpm

# receives that were cancelled are gone; what came in spite of it stays
for n in 2 4 6; do recorded $n ahead@$n.rec ./subject ahead 30; done
check 'what was cancelled is said' [ "$(grep -c '^MPI_Cancel ' ahead@2.rec)" -eq 4 ]
run 0 --program ahead.pevpm ahead@2.rec ahead@4.rec
check 'one receive in the loop, and the first' [ "$(grep -v '^#' ahead.pevpm | grep -c MPI_Irecv)" -le 3 ]
run 0 --check ahead.pevpm ahead@2.rec ahead@4.rec ahead@6.rec
check '30 messages and one behind them' grep -q 'ahead@6.rec: 6 processes, 378 messages' out
"$build/pevpm-sim" -q -n 6 -r 2 ahead.pevpm >out 2>err
ended 0 $? pevpm-sim ahead.pevpm
check 'nobody is waited for by a wildcard' [ "$(grep -v '^#' ahead.pevpm | grep -c ANY_SOURCE)" -eq 0 ]
for n in 2 4 6; do recorded $n stale@$n.rec ./subject stale 30; done
run 0 --program stale.pevpm stale@2.rec stale@4.rec
run 0 --check stale.pevpm stale@2.rec stale@4.rec stale@6.rec
check '30 messages and barriers, 10 that came all the same, and one' grep -q 'stale@6.rec: 6 processes, 852 messages' out
check 'no wildcard' [ "$(grep -v '^#' stale.pevpm | grep -c MPI_ANY)" -eq 0 ]
"$build/pevpm-sim" -q -n 6 -r 2 stale.pevpm >out 2>err
ended 0 $? pevpm-sim stale.pevpm
recorded 2 cancelled.rec ./subject cancelled-send
check 'said at once' grep -q 'the recording ends early: MPI_Cancel was called for what is no receive' err
run 3 --program cancelled.pevpm cancelled.rec
told 'ended early: MPI_Cancel was called for what is no receive'

recorded 2 threads.rec ./subject threads
run 3 --program threads.pevpm threads.rec
told 'ended early: a thread other than'

# where nothing can be recorded, or kept: said before the run where that can be known, and behind it where not
printf 'int main(void) { return 0; }\n' >without.c
mpicc -o without without.c 2>err
recorded 2 without.rec ./without
told 'without ended without a call of MPI_Init: nothing was recorded'
recorded 2 shell.rec sh -c './subject ring 3; true'
check 'a program that a script starts' [ -s shell.rec ] && ! grep -q 'nothing was recorded' err
run 4 subject
told 'no such program in PATH; did you mean ./subject?'
run 4 -o no/such/folder.rec ./subject
told 'no/such/folder.rec: error: cannot be written: no/such: No such file'
run 4 -o . ./subject
told 'it is a folder'
mkfifo pipe
run 4 -o pipe ./subject ring
told 'pipe: error: cannot be written: it is no file but a device or a pipe'
check 'which is left as it was' [ -p pipe ]
ln -s nowhere.rec nowhere
run 4 -o nowhere ./subject ring
told 'nowhere: error: cannot be written: it is a link that leads nowhere'
mkdir elsewhere
recorded 2 elsewhere/old.rec ./subject ring 3
chmod 640 elsewhere/old.rec
ln -s elsewhere/old.rec led.rec
recorded 2 led.rec ./subject ring 5
check 'a link stays' [ -L led.rec ]
check 'what it leads to is the recording, with the permissions of the one before' \
    [ "$(stat -c %a elsewhere/old.rec) $(grep -c '^end 2$' elsewhere/old.rec)" = '640 1' ]
recorded 2 again.rec ./subject ring 5
check 'of this run' [ "$(grep '^MPI' led.rec)" != '' ] && [ "$(sed -n 's/^loop \([0-9]*\).*/\1/p' led.rec)" = \
    "$(sed -n 's/^loop \([0-9]*\).*/\1/p' again.rec)" ]
check 'and no other file' [ "$(ls elsewhere)" = old.rec ]
mpirun -n 2 sh -c 'ulimit -f 0; trap "" XFSZ; exec "$0" -o full.rec ./subject ring 40' "$build/pevpm-record" >out 2>err
told 'cannot write .*full.rec: File too large; each process leaves what it did'
told 'what process 1 did is lost'
mpirun -n 1 "$build/pevpm-record" -o leave.rec ./subject leave >out 2>err
told 'process 0 ended without MPI_Finalize: what it did is in .*leave.rec.part.0$'
check 'it is' [ -s leave.rec.part.0 ]
mpirun -n 1 sh -c 'ulimit -f 0; trap "" XFSZ; exec "$0" -o full.rec ./subject leave' "$build/pevpm-record" >out 2>err
told 'what process 0 did is lost'

# ended before its end: what was known is there
timeout 60 mpirun -n 2 "$build/pevpm-record" -o killed.rec ./subject abort 50 >out 2>err
check 'no whole recording' [ ! -e killed.rec ]
check 'a part is left' [ -n "$(ls killed.rec.part.* 2>/dev/null)" ]
if [ -e killed.rec.part.0 ]; then
    run 4 --program killed.pevpm killed.rec
    told 'the run did not come to its end'
fi

# a child that ends is not the program
timeout 60 mpirun -n 2 "$build/pevpm-record" -o fork.rec ./subject fork 5 >out 2>err
check 'a recording' [ -s fork.rec ]
check 'of a child nothing is said' [ "$(grep -c 'ended without' err)" -eq 0 ]

# what is there already is kept
cp fork.rec kept.rec
run 4 --program kept.rec fork.rec
told '^kept.rec: error: not from pevpm-record: it is not overwritten'
check 'the recording is there' cmp -s kept.rec fork.rec
run 0 --program kept.pevpm fork.rec
run 0 --program kept.pevpm fork.rec

# Fortran, through the bindings
if command -v mpifort >/dev/null && mpifort -O1 -g -o heat "$root/examples/heat/heat.f90" 2>err; then
    for n in 2 3 4; do recorded $n heat@$n.rec ./heat 6000 30; done
    run 0 --program heat.pevpm heat@2.rec heat@4.rec
    run 0 --check heat.pevpm heat@2.rec heat@3.rec heat@4.rec
    check 'calls are counted once' [ "$(grep -c 'type = MPI_Waitall' heat.pevpm)" -eq 1 ]
    mpifort -O1 -g -o fortran "$root/record/tests/subject.f90" 2>err || fail "subject.f90"
    for n in 3 4; do recorded $n fortran@$n.rec ./fortran; done
    run 0 --program fortran.pevpm fortran@3.rec fortran@4.rec
    run 0 --check fortran.pevpm fortran@3.rec fortran@4.rec
    for word in 'Neighbor_alltoall & size = 12' 'Ialltoall & size = 8' 'Ireduce & size = 20' 'Alltoallw & size = 4' \
        'Iscatterv & size = 4 & root = 0' 'Igatherv & size = 4 & root = 1' 'Iallgatherv & size = 4' 'Ireduce_scatter & size = 4' \
        'Ireduce_scatter_block & size = 8' 'Ialltoallv & size = 4' 'Ialltoallw & size = 4' \
        'Mrecv & message = m' 'Put & window = window2 & size = 36' 'Get & window = window2 & size = 44 & from = 0' \
        'Win_fence & window = window2'; do
        check "Fortran's $word" grep -q "$word" fortran.pevpm
    done
    recorded 2 refused.rec ./fortran file
    told 'the recording ends early: mpi_file_iwrite_at_all_ was called: '
    for binding in mpi mpi_f08; do
        mpifort -cpp -O1 -g $([ $binding = mpi ] || echo -DF08) -o fortran "$root/record/tests/subject_files.f90" 2>err ||
            fail "subject_files.f90 with $binding"
        for n in 2 3; do recorded $n fortran@$n.rec ./fortran; done
        run 0 --program fortran.pevpm fortran@2.rec fortran@3.rec
        run 0 --check fortran.pevpm fortran@3.rec
        check "files of $binding" [ "$(grep -c ': MPI_File_write_at_all, 4000 bytes$' fortran.pevpm)" -eq 1 ]
        check "and what they are asked for" [ "$(grep -c ': MPI_File_iread_at, 4000 bytes$' fortran.pevpm)" -eq 1 ]
    done
else
    skip "no Fortran compiler"
fi

# MPICH
if [ -e "$build/libpevpm-record-mpich.so" ] && command -v mpicc.mpich >/dev/null; then
    mpicc.mpich -g -O1 -pthread -o subject-mpich "$root"/record/tests/subject*.c 2>err
    for what in everything windows; do
        mpirun.mpich -n 3 "$build/pevpm-record" -o mpich.rec ./subject-mpich $what >out 2>err
        ended 0 $? mpirun.mpich -n 3 pevpm-record
        run 0 --program mpich.pevpm mpich.rec
        run 0 --check mpich.pevpm mpich.rec
    done
    mpirun.mpich -n 4 "$build/pevpm-record" -o mpich-files.rec ./subject-mpich files >out 2>err
    ended 0 $? mpirun.mpich -n 4 pevpm-record
    calls_of files@4.rec >here
    calls_of mpich-files.rec >there
    check 'both libraries have the same calls on files' cmp -s here there
    for how in thread request; do
        timeout 60 mpirun.mpich -n 4 "$build/pevpm-record" -o parted.rec ./subject-mpich parted $how >out 2>err
        ended 0 $? mpirun.mpich -n 4 pevpm-record
    done
    if command -v mpifort.mpich >/dev/null && mpifort.mpich -cpp -DF08 -g -o fortran-mpich "$root/record/tests/subject_files.f90" 2>err; then
        mpirun.mpich -n 2 "$build/pevpm-record" -o fortran.rec ./fortran-mpich >out 2>err
        ended 0 $? mpirun.mpich -n 2 pevpm-record
        check 'once, though a binding of Fortran calls that of C' \
            [ "$(grep -c '^MPI_File_read_at ' fortran.rec) $(grep -c '^MPI_File_open ' fortran.rec)" = '2 8' ]
    fi
    rm -f alone.rec
    timeout 60 mpirun -n 2 "$build/pevpm-record" -o alone.rec ./subject-mpich everything >out 2>err
    if grep -qx 'ranks 2' alone.rec 2>/dev/null; then
        skip "MPICH's processes find each other under $(command -v mpirun), too" 2
    else
        check 'processes of another launcher are told' \
            [ "$(grep -c '^pevpm-record: nothing is recorded: the launcher has started 2' err)" -eq 1 ]
        check 'and not recorded' [ ! -e alone.rec ]
    fi
    # srun --mpi=pmix, whose processes MPICH without PMIx does not have find each other: only these two say that they are two
    for process in 0 1; do
        PMIX_RANK=$process SLURM_STEP_NUM_TASKS=2 timeout 60 "$build/pevpm-record" -o step.rec ./subject-mpich everything
    done >out 2>err
    check 'processes of srun are told, too' \
        [ "$(grep -c '^pevpm-record: nothing is recorded: the launcher has started 2' err)" -eq 1 ]
    check 'and not recorded, one over the other' [ ! -e step.rec ]
    check 'one-sided operations of MPICH' grep -q 'MPI_Put & window = window2 & size = 24000' mpich.pevpm
else
    skip "no MPICH"
fi
finish
