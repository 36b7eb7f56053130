#!/usr/bin/env bash
# The virtual cluster: what it makes is what it says, it leaves nothing behind, and it ends what it starts.
# shellcheck disable=SC2016,SC2317 # Perl's variables; functions called by name
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -u
. common/tests/check.sh
cluster=$PWD/validation/cluster/cluster work=$folder
case ${CC:-cc} in *clang*) skip_all "the cluster, a script, is tested with the default compiler" ;; esac
[ -z "${SAN:-}" ] || skip_all "the cluster, a script, is tested without sanitizers"
a=t${BASHPID}a b=t${BASHPID}b c=t${BASHPID}c # clusters of our own

take_down() {
    "$cluster" down --name "$a"
    "$cluster" down --name "$b"
    "$cluster" down --name "$c"
    rm -rf "$folder"
} >/dev/null 2>&1
trap take_down EXIT
trap 'exit 130' INT TERM

code_of() { # code_of CODE COMMAND...: the command must end with it
    local expected=$1 code
    shift
    "$@"
    code=$?
    echo "exit $code, expected $expected"
    [ "$code" -eq "$expected" ]
}
says() { # says PATTERN COMMAND...: standard error and output together
    local pattern=$1
    shift
    "$@" 2>&1 | tee /dev/stderr | grep -q -- "$pattern"
}
between() { # between LOW HIGH NUMBER
    echo "$3, expected $1 to $2"
    awk -v low="$1" -v high="$2" -v x="$3" 'BEGIN {exit !(x != "" && x >= low && x <= high)}'
}
no_processes() { # no_processes PATTERN: within ten seconds
    local tries=50
    while [ $((tries -= 1)) -ge 0 ]; do
        pgrep -f -- "$1" >/dev/null || return 0
        sleep 0.2
    done
    pgrep -af -- "$1"
    return 1
}
are_there() { # are_there N PATTERN: so many processes, within a minute
    local tries=300
    while [ $((tries -= 1)) -ge 0 ]; do
        [ "$(pgrep -c -x -f -- "$2")" -ge "$1" ] && return
        sleep 0.2
    done
    return 1
}
leaves_nothing() { # leaves_nothing NAME
    ! ip netns list | grep -- "-$1-"
}

# ---- usage, which needs no rights ----

check "no command is wrong usage" code_of 2 "$cluster"
check "an unknown command is named" says "'upp': expected up, check, run, exec, status or down" "$cluster" upp
check "a name must be safe" code_of 2 "$cluster" up --name '../x'
check "hosts have a range" says "251: expected 1 to 250" "$cluster" up --hosts 251
check "a rate has a unit" says "10: expected a rate with its unit" "$cluster" up --rate 10
check "an option wants its value" says "rate wants a value" "$cluster" up --rate
check "run wants -n" code_of 2 "$cluster" run hostname
check "help needs nothing" code_of 0 "$cluster" --help
check "hosts must be there" says "'h\[2,9\]': expected hosts of h1 to h4" "$cluster" up --name "$a" --hosts 4 --port 'h[2,9]=5mbit'
check "hosts have a form" says "'h\[3-1\]': expected hosts" "$cluster" up --name "$a" --hosts 4 --port 'h[3-1]=5mbit'
check "so has a port" says "h2: expected HOSTS=RATE" "$cluster" up --name "$a" --hosts 4 --port h2
check "a port's rate" says "port 5: expected a rate" "$cluster" up --name "$a" --hosts 4 --port h2=5
check "a trunk's buffer" says "trunk much: expected bytes" "$cluster" up --name "$a" --hosts 4 --trunk 'h[1-2]=5mbit,much'
check "rails have a range" says "5: expected 1 to 4" "$cluster" up --name "$a" --rails 5
check "and no trunks" says "trunks join switches of one rail" "$cluster" up --name "$a" --hosts 4 --rails 2 --trunk 'h[1-2]=5mbit'
check "a host has one trunk" says "h2 is behind a trunk already" \
    "$cluster" up --name "$a" --hosts 4 --trunk 'h[1-2]=5mbit' --trunk 'h[2-3]=5mbit'
check "trunks lie inside one another or apart" says "of its hosts h3 and h2 one is behind another trunk already" \
    "$cluster" up --name "$a" --hosts 4 --trunk 'h[2-3]=5mbit' --trunk 'h[1-2,4]=5mbit'

# ---- up ----

"$cluster" up --name "$a" --hosts 4 2>"$work/why"
case $? in
0) pass ;;
4) skip "no virtual cluster here: $(sed 's/^cluster: error: //' "$work/why")" 73; finish ;;
*) fail "up: $(cat "$work/why")"; finish ;;
esac

check "status names the hosts" says '^  h4 .*10mbit.*32k.*0 dropped.*0 dropped' "$cluster" status --name "$a"
check "the same name twice is refused" code_of 4 "$cluster" up --name "$a" --hosts 2
check "and changes nothing" says '^  h4 ' "$cluster" status --name "$a"
check "hosts use cubic" says 'congctl cubic' "$cluster" exec --name "$a" h2 ip route
check "or nothing that is not there" code_of 4 "$cluster" up --name "$b" --hosts 2 --tcp nosuch
check "a host that is not there" says "no host 'h5': expected h1 to h4" "$cluster" exec --name "$a" h5 true

# Segments of 1448 bytes carry 66 of headers: 1 MiB at 10 Mbit/s takes 1048576 * 1514/1448 * 8 / 1e7 = 0.877 s.
# transfer NAME FROM TO BYTES: into $work/seconds, over a plain TCP connection, by the rate behind what the first read finds
transfer() {
    "$cluster" exec --name "$1" "$3" timeout 30 perl -MIO::Socket::INET -MTime::HiRes=time -e '
        my $s = IO::Socket::INET->new(Listen => 1, LocalPort => 5001, ReuseAddr => 1) or die;
        open my $ready, ">", $ARGV[0]; close $ready;
        my $c = $s->accept; my ($b, $t, $n, $f, $g); while ($g = sysread $c, $b, 65536) { $t //= time; $f //= $g; $n += $g }
        printf "%.4f\n", (time - $t) * $n / ($n - $f)' "$work/ready" >"$work/seconds" &
    local server=$! tries=300
    while [ ! -e "$work/ready" ] && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
    rm -f "$work/ready"
    "$cluster" exec --name "$1" "$2" timeout 30 perl -MIO::Socket::INET -e '
        my $c = IO::Socket::INET->new("10.0.0.$ARGV[0]:5001") or die; print $c "x" x $ARGV[1]' "${3#h}" "$4"
    wait $server
}
if command -v perl >/dev/null; then
    in_peace 'a megabyte at 10 Mbit/s takes $(cat "$work/seconds") s, not 0.877' \
        'between 0.85 0.95 "$(cat "$work/seconds")" >/dev/null' transfer "$a" h1 h2 1048576
else
    skip "no perl"
fi

# ---- a second cluster, of hosts that differ ----

check "a second cluster beside the first" code_of 0 "$cluster" up --name "$b" --hosts 2 --rate 20mbit --tcp reno \
    --port h2=5mbit,16k
check "and in their TCP" says 'TCP reno' "$cluster" status --name "$b"
check "its hosts differ" says '^  h2 .*5mbit.*16k' "$cluster" status --name "$b"
if command -v perl >/dev/null; then
    in_peace 'the slower port decides: $(cat "$work/seconds") s' 'between 0.42 0.50 "$(cat "$work/seconds")" >/dev/null' \
        transfer "$b" h1 h2 262144
else
    skip "no perl"
fi

# ---- trunks behind trunks ----

check "switches behind a switch" code_of 0 "$cluster" up --name "$c" --hosts 8 --rate 10mbit \
    --trunk 'h[1-2]=8mbit' --trunk 'h[3-4]=8mbit' --trunk 'h[1-4]=12mbit'
check "the outer trunk" says '^  trunk3 12mbit .*   of h\[1-4\]$' "$cluster" status --name "$c"
check "and what is behind it" says '^  trunk2 8mbit .*   of h\[3-4\] behind trunk3$' "$cluster" status --name "$c"
if [ -z "${SOAK:-}" ]; then
    skip "all rates of switches behind a switch, two minutes: make soak" 3
elif command -v perl >/dev/null; then
    "$cluster" check --name "$c" >"$work/rates" 2>"$work/err"
    ended 0 $? "cluster check: $(cat "$work/rates")"
    rate_of() { sed -n "s/^  $1  *\([0-9.]*\) of.*/\1/p" "$work/rates"; }
    check "a trunk of hosts" between 7.76 8.24 "$(rate_of 'h\[1-2\] to h\[3-4\], 2 flows')"
    check "one of switches" between 11.64 12.36 "$(rate_of 'h\[1-4\] to the others, 4 flows')"
else
    skip "no perl" 3
fi
"$cluster" down --name "$c"
# ---- rails of one queue for both directions ----

check "hosts with two ports" code_of 0 "$cluster" up --name "$c" --hosts 2 --rate 5mbit --rails 2 --half-duplex
check "each of one queue" between 4 4 "$("$cluster" status --name "$c" | grep -c '^  h[12] .*5mbit.*both.*0 dropped')"
check "on two networks" says '10.0.1.0/24 dev eth1' "$cluster" exec --name "$c" h1 ip route
if command -v perl >/dev/null; then
    # 128 KiB each way at once, in 1448 of a frame's 1514 bytes, and a frame of 66 for every two: 0.448 s where all share 5 Mbit/s
    there_and_back() {
        local program='
            my $s = IO::Socket::INET->new($ARGV[0] ? (PeerAddr => "10.0.0.$ARGV[0]:5002") : (Listen => 1, LocalPort => 5002, ReuseAddr => 1));
            if (!$ARGV[0]) { open my $ready, ">", $ARGV[1]; close $ready; $s = $s->accept }
            my $begun = time;
            if (!fork) { print $s "x" x 131072; exit }
            my ($n, $b) = (0); while ($n < 131072 && (my $g = sysread $s, $b, 65536)) { $n += $g }
            printf "%.4f\n", time - $begun; wait'
        "$cluster" exec --name "$c" h2 timeout 30 perl -MIO::Socket::INET -MTime::HiRes=time -e "$program" 0 "$work/ready" >/dev/null &
        local server=$! tries=300
        while [ ! -e "$work/ready" ] && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
        rm -f "$work/ready"
        "$cluster" exec --name "$c" h1 timeout 30 perl -MIO::Socket::INET -MTime::HiRes=time -e "$program" 2 >"$work/seconds"
        wait $server
    }
    in_peace 'what goes both ways shares 5 Mbit/s: $(cat "$work/seconds") s, not 0.224' \
        'between 0.43 0.52 "$(cat "$work/seconds")" >/dev/null' there_and_back
else
    skip "no perl"
fi
check "down, with rails" code_of 0 "$cluster" down --name "$c"

# ---- trunks and loopbacks ----

check "a cluster of two switches" code_of 0 "$cluster" up --name "$c" --hosts 4 --rate 10mbit --port 'h[2-3]=5mbit' \
    --trunk 'h[1-2]=8mbit,16k' --loopback 40mbit
check "its trunk" says '^  trunk1 8mbit *16k .*up 0 bytes, 0 dropped   down 0 bytes, 0 dropped   of h\[1-2\]' \
    "$cluster" status --name "$c"
check "its loopbacks" says 'loopbacks of 40mbit' "$cluster" status --name "$c"
if [ -z "${SOAK:-}" ]; then
    skip "all rates of a cluster, two minutes: make soak" 6
elif command -v perl >/dev/null; then
    "$cluster" check --name "$c" >"$work/rates" 2>"$work/err"
    ended 0 $? "cluster check: $(cat "$work/rates")"
    rate_of() { sed -n "s/^  $1  *\([0-9.]*\) of.*/\1/p" "$work/rates"; }
    check "a port" between 4.85 5.15 "$(rate_of 'h2 to h3')"
    check "a trunk that two ports could fill" between 7.76 8.24 "$(rate_of 'h\[1-2\] to the others, 2 flows')"
    check "the way back" between 7.76 8.24 "$(rate_of 'the others to h\[1-2\], 2 flows')"
    check "a loopback" between 37.9 40.4 "$(rate_of 'within h4, .*')"
    ip netns exec "pevpmvc-$c-switch" tc qdisc change dev u1 root tbf rate 7mbit burst 1600 limit 16k
    check "a rate that is another is found" says 'h\[1-2\] to the others, 2 flows .*WRONG' "$cluster" check --name "$c"
else
    skip "no perl" 6
fi

# ---- run ----

cat >"$work/rounds.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) /* the least time of a nonblocking collective, us, over batches of 40; with an argument
                                   of a communicator that is made */
{
    double least = 1;
    int rank, from = 1, to;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int batch = 0; batch < 5; batch++) {
        double begun = MPI_Wtime();
        for (int i = 0; i < 40; i++) {
            MPI_Request request;
            MPI_Comm made;
            if (argc > 1) {
                MPI_Comm_dup(MPI_COMM_WORLD, &made);
                MPI_Comm_free(&made);
                continue;
            }
            MPI_Iallreduce(&from, &to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        begun = (MPI_Wtime() - begun) / 40;
        least = begun < least ? begun : least;
    }
    if (rank == 0)
        printf("%.0f\n", least * 1e6);
    fflush(stdout); /* MPICH 4.0 over UCX hangs in MPI_Finalize now and then, and then is killed, see the README */
    MPI_Finalize();
    return argv == NULL;
}
END
if command -v mpirun >/dev/null && mpirun --version | grep -q 'Open MPI'; then
    check "four hosts, four names" between 4 4 "$("$cluster" run --beside --name "$a" -n 4 hostname | sort -u | grep -c '^h[1-4]$')"
    check "two processes to a host" between 2 2 "$("$cluster" run --beside --name "$a" -n 4 --ppn 2 hostname | sort -u | grep -c '^h[12]$')"
    check "within a host, over its loopback" says '^yes$' "$cluster" run --beside --name "$c" -n 8 --ppn 4 \
        sh -c 'case ,$OMPI_MCA_btl, in *,vader,*) echo no ;; *) echo yes ;; esac'
    check "the exit code is the program's" code_of 7 "$cluster" run --beside --name "$a" -n 2 sh -c 'exit 7'
    check "too many processes" says "need 5 hosts; cluster '$a' has 4" "$cluster" run --beside --name "$a" -n 5 hostname
    check "options for mpirun" says '1,0.*h1' "$cluster" run --beside --name "$a" -n 2 -- --tag-output -- hostname
    check "a preloaded library beside the one that waits" says 'patient.so:/nowhere.so$' \
        "$cluster" run --beside --name "$a" -n 1 -- -x LD_PRELOAD=/nowhere.so -- sh -c 'echo "$LD_PRELOAD"'
    mpicc -o "$work/rounds" "$work/rounds.c"
    rounds() { "$cluster" run --beside --name "$a" -n 2 "$work/rounds" "$@" | tail -n 1 >"$work/took"; }
    in_peace 'rounds of nonblocking collectives are not slept through: $(cat "$work/took") us' \
        'between 1 1500 "$(cat "$work/took")" >/dev/null' rounds
    in_peace 'nor those in which a communicator is made: $(cat "$work/took") us' \
        'between 1 4500 "$(cat "$work/took")" >/dev/null' rounds made
    "$cluster" run --beside --name "$a" -n 2 sleep 1 &
    check "beside another cluster's job" between 1 1 "$("$cluster" run --beside --name "$b" -n 1 hostname | grep -c h1)"
    wait
    set -m
    for signal in INT TERM KILL; do
        "$cluster" run --beside --name "$a" -n 4 sleep "317.$$" 2>/dev/null >&2 &
        run=$!
        check "SIG$signal: four ranks are there" are_there 4 "sleep 317.$$"
        [ "$signal" = TERM ] && check "one job at a time" says "running another job" "$cluster" run --beside --name "$a" -n 2 hostname
        if [ $signal = INT ]; then kill -INT -- -$run; else kill -$signal $run; fi
        wait $run 2>/dev/null
        check "SIG$signal ends all ranks" no_processes "sleep 317.$$"
    done
    set +m
else
    skip "no Open MPI" 15
fi
if command -v mpirun.mpich >/dev/null && mpicc.mpich -o "$work/rounds-mpich" "$work/rounds.c" 2>/dev/null; then
    # Of 30 jobs that ended at once beside others one took Hydra along (SIGPIPE); programs of MPI do not end at once.
    check "MPICH, one process to a host" between 4 4 \
        "$("$cluster" run --beside --name "$a" --mpich -n 4 sh -c 'hostname; sleep 0.3' | sort -u | grep -c '^h[1-4]$')"
    check "its processes wait" says 'patient-mpich.so$' "$cluster" run --beside --name "$a" --mpich -n 2 sh -c 'echo "$LD_PRELOAD"; sleep 0.3'
    rounds() {
        timeout 30 "$cluster" run --beside --name "$a" --mpich -n 2 "$work/rounds-mpich" | grep -m 1 -x '[0-9]*' >"$work/took"
    }
    in_peace 'and do not sleep too long: $(cat "$work/took") us' 'between 1 1500 "$(cat "$work/took")" >/dev/null' rounds
    check "not two to a host" says "one process to a host, not 2" "$cluster" run --name "$a" --mpich -n 4 --ppn 2 hostname
else
    skip "no MPICH" 4
fi

# ---- a dead rank, over the network ----

# All ranks are told, and what mpirun then takes to end its daemons on all hosts is part of the 10 s. Beside other tests (run.sh) all
# of that waits for a processor, too.
within=10
[ -z "${PEVPM_TEST_BESIDE:-}" ] || within=20
bench=$build/pevpm-bench
ranks() { pgrep -f "^$bench -o $work/dead.yaml"; }
dies_within() { # dies_within SECONDS SIGNAL: a job in which the rank of one host gets it
    local job begun took code tries=600
    rm -f "$work/dead.yaml"
    "$cluster" run --beside --name "$a" -n 4 "$bench" -o "$work/dead.yaml" --sizes 0,1k,4k --budget 60 -q 2>"$work/dead" &
    job=$!
    while [ ! -e "$work/dead.yaml" ] && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
    [ -e "$work/dead.yaml" ] || echo "it has measured nothing within 60 s"
    begun=$(date +%s%N)
    kill "-$2" "$(ranks | head -n 1)"
    wait $job
    code=$?
    took=$((($(date +%s%N) - begun) / 1000000))
    echo "exit code $code after $took ms"
    cat "$work/dead"
    [ -e "$work/dead.yaml" ] && [ $code -ne 0 ] && [ $took -le "$1"000 ]
}
if [ -x "$bench" ] && command -v mpirun >/dev/null && mpirun --version | grep -q 'Open MPI'; then
    for signal in STOP KILL; do
        check "SIG$signal to a rank of pevpm-bench: the job ends within $within s" dies_within $within $signal
        check "SIG$signal: it says so" grep -q -e 'pevpm-bench: error: rank .* no answer' -e 'signal 9' "$work/dead"
        check "SIG$signal: no rank is left" no_processes "^$bench -o $work/dead.yaml"
    done
    "$cluster" run --beside --name "$a" -n 4 --ppn 2 "$bench" -o "$work/within.yaml" --sizes 0 --operations MPI_Send \
        --budget 11 -v >"$work/plan" 2>&1
    for what in 'one message alone' 'receive overheads'; do
        check "$what: between nodes and within one" grep -q "planned: $what, 2 points" "$work/plan"
    done
    check "what it left tells how much later calls begin after rests" \
        [ "$(grep -c '^    "[0-9.]* ms": "[0-9.]* us later, the median of' "$work/dead.yaml")" -ge 2 ]
    [ -z "${SOAK:-}" ] && skip "hosts that differ, measured: make soak" 5
    differ() {
        # 1448 of a frame's 1514 bytes are a message's: 10 Mbit/s are 1.1955 MB/s.
        "$cluster" down --name "$c"
        "$cluster" up --name "$c" --hosts 4 --port 'h[2,4]=5mbit'
        "$cluster" run --beside --name "$c" -n 4 "$bench" -o "$work/differ.yaml" --sizes 0,1k,8k --operations ports --budget 60 -q >/dev/null 2>&1
        "$bench" report "$work/differ.yaml" >"$work/rates"
        rate_of() { sed -n "s/^  node $1  *\([0-9.]*\) MB.s out, \([0-9.]*\) .*/\\$2/p" "$work/rates"; }
        for way in 1 2; do
            check "the bench knows a quick node's rate" between 1.160 1.231 "$(rate_of 2 $way)"
            check "and a slow one's" between 0.580 0.616 "$(rate_of 1 $way)"
        done
        check "and writes what the slow ones' ports are" between 2 2 "$(grep -c '^    of: "*1,3"*$' "$work/differ.yaml")"
    }
    [ -z "${SOAK:-}" ] || differ
    if [ "$(nproc)" -lt 4 ]; then
        check "what it left tells what hosts have in common that share processors" \
            grep -q '"4 processes": ".* us for one step"' "$work/dead.yaml"
    else
        skip "four hosts have a processor each" 1
    fi
else
    skip "no pevpm-bench, or no Open MPI" 15
fi

# ---- down ----

check "down" code_of 0 "$cluster" down --name "$a"
check "leaves nothing" leaves_nothing "$a"
check "down, with trunks" code_of 0 "$cluster" down --name "$c"
check "leaves nothing of them" leaves_nothing "$c"
check "and not the other one" says '^  h2 ' "$cluster" status --name "$b"
"$cluster" up --name "$a" --hosts 16 2>/dev/null &
up=$!
while kill -0 $up 2>/dev/null && ! ip netns list | grep -q -- "-$a-h1\>"; do sleep 0.02; done
{ kill -KILL $up; wait $up; } 2>/dev/null
check "what a killed up left is refused" code_of 4 "$cluster" run --beside --name "$a" -n 2 hostname
"$cluster" exec --name "$b" h1 sleep "318.$$" &
check "a process on a host" are_there 1 "sleep 318.$$"
check "down after a killed up" code_of 0 "$cluster" down --name "$a"
check "leaves nothing either" leaves_nothing "$a"
check "down of what is not there" code_of 0 "$cluster" down --name "$a"
check "down of the other" code_of 0 "$cluster" down --name "$b"
check "ends what ran there" no_processes "sleep 318.$$"
finish
