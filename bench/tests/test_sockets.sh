#!/bin/sh
# pevpm-bench where nodes have sockets: this host, on which hwloc is told of two with a processor each, and four ranks. What is bound
# where is measured within a socket and between them; what is not is not told apart.
set -u

. common/tests/check.sh

[ -z "${SAN:-}" ] || skip_all "sockets of a job are tested without sanitizers"
case ${CC:-cc} in *clang*) skip_all "sockets of a job are tested with the default compiler" ;; esac
command -v pkg-config >/dev/null && pkg-config --exists hwloc || skip_all "hwloc is not installed (make deps)"
command -v taskset >/dev/null || skip_all "taskset is not installed: ranks are not bound"
[ "$(nproc)" -ge 2 ] || skip_all "one processor: it has no second socket"

bench=$build/pevpm-bench sim=$build/pevpm-sim
program=$folder/seated launcher='mpirun --bind-to none --oversubscribe --mca mpi_yield_when_idle 1 -n 4'
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
# seated: the bench on the processor that SEATS has for its rank; "-": on all
cat >"$folder/seated" <<E
#!/bin/sh
HWLOC_SYNTHETIC=\$TOPOLOGY HWLOC_THISSYSTEM=1
export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
seat=\$(echo "\$SEATS" | cut -c\$((\${OMPI_COMM_WORLD_RANK:-0} + 1)))
case \$seat in -) exec "$bench" "\$@" ;; esac
exec taskset -c "\$seat" "$bench" "\$@"
E
chmod +x "$folder/seated"
TOPOLOGY='pack:2 core:1 pu:1' SEATS=0101
export TOPOLOGY SEATS
cd "$folder" || exit 1

starts 4

measure() { # measure FILE SEATS [OPTION...]
    file=$1 SEATS=$2; shift 2
    # shellcheck disable=SC2086 # the launcher's words
    timeout 90 $launcher "$program" -o "$file" --operations MPI_Send --sizes 0,64 --budget 10 --no-judge -q "$@" >out 2>err ||
        run 0 -o "$file" --operations MPI_Send --sizes 0,64 --budget 90 --no-judge -q "$@" # a disturbed machine
}
entries() { # entries FILE TRANSPORT: within the node, as "pattern processes"
    awk -v wanted="$2" '
        $1 == "-" && $2 == "operation:" { flush() }
        $1 == "pattern:" { pattern = $2 } $1 == "processes_per_node:" { ppn = $2 } $1 == "transport:" { transport = $2 }
        $1 == "sizes:" { flush() }
        function flush() { if (pattern != "" && (transport == "" ? "node" : transport) == wanted) print pattern, ppn
                           pattern = transport = "" }' "$1" | sort | tr '\n' ';'
}

measure turn.yaml 0101
check 'two sockets, in turn' grep -q '^sockets_per_node: 2$' turn.yaml && check 'in turn' grep -q '^socket_map: cyclic$' turn.yaml
found=$(entries turn.yaml socket)
check "one message and two at once within a socket ($found)" [ "$found" = 'pairs 2;pingpong 2;' ]
found=$(entries turn.yaml node)
check "between both also four ($found)" [ "$found" = 'pairs 2;pairs 4;pingpong 2;' ]
check 'who is where' [ "$(sed -n 's/.*"rank [0-9]": .*, socket \([0-9]\)"$/\1/p' turn.yaml | tr -d '\n')" = 0101 ]
check 'four processes on two processors' grep -q '^processors_per_node: 2$' turn.yaml
printf '%s\n' 'Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs' >ring.pevpm
"$sim" -m turn.yaml -n 1x4 --map block:block -r 8 -q ring.pevpm >out 2>err
check 'its file predicts, and nothing stands for what it has' sh -c '! grep -q "^note:.*socket" out err'
check 'but that they wait for their turns it says' grep -q '^note: 4 processes of a node share its 2 processors (processors_per_node' out
SEATS=0101 run 0 -o turn.yaml --operations MPI_Send --sizes 0,64 --budget 10 --no-judge -q --resume
check 'nothing is measured twice' [ "$(entries turn.yaml socket)" = 'pairs 2;pingpong 2;' ]
launcher='' program=$bench
run 0 report turn.yaml
check 'reported apart' grep -q '^MPI_Send *pingpong in a socket *1x2 ' out
launcher='mpirun --bind-to none --oversubscribe --mca mpi_yield_when_idle 1 -n 4' program=$folder/seated

measure block.yaml 0011
check 'one after the other' grep -q '^socket_map: block$' block.yaml
launcher='' program=$bench
run 3 --merge both.yaml turn.yaml block.yaml; told 'processes lie otherwise on the sockets of a node than in turn.yaml'
launcher='mpirun --bind-to none --oversubscribe --mca mpi_yield_when_idle 1 -n 4' program=$folder/seated

measure one.yaml 0000
check 'all on one: within it alone' [ "$(entries one.yaml node)" = '' ]
check 'so many' [ "$(entries one.yaml socket)" = 'pairs 2;pairs 4;pingpong 2;' ]
check 'lie in no way that has a name' sh -c '! grep -q "^socket_map" one.yaml && grep -q "sockets: \"2 in a node, on which processes lie neither" one.yaml'

check 'and on one processor' grep -q '^processors_per_node: 1$' one.yaml

measure free.yaml 01-1
check 'one that is bound to none: not told apart' grep -q 'sockets: "not told apart: of the 2 in a node rank 2 is bound to none"' free.yaml
check 'no key, no entries of sockets' sh -c '! grep -q "^sockets_per_node\|transport: socket" free.yaml'
SEATS=0101 run 3 -o free.yaml --operations MPI_Send --sizes 0,64 --budget 10 --no-judge -q --resume
told '--resume: sockets_per_node is 1 in this file, 2 in a node in this job'

TOPOLOGY='pack:1 core:2 pu:1'
measure single.yaml 0101
check 'a node of one socket has none to tell apart' grep -q 'sockets: "1 in a node"' single.yaml
check 'and no such key' sh -c '! grep -q "^sockets_per_node" single.yaml'

finish
