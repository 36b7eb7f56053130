# common.sh - what the tests of the examples share; they read it with `.`, from the project's root, after `set -u`.
#
# Each test compiles and runs its program, which compares its own numbers, and predicts it on a machine that is simple
# enough for the prediction to be worked out beside it.

. common/tests/check.sh
sim=$build/pevpm-sim
need "$sim"
unset PEVPM_MACHINE

# ---- predictions ----

# The machine of the closed forms, times in microseconds: a message of M bytes takes T(M) = 100 + M/10; its sender's
# processor is busy o = 10, its receiver's 1 where it is there before it is wanted. Nothing is in anybody's way, all
# messages are eager, every collective has a fixed algorithm.
cat >"$folder/constant.yaml" <<'END'
pevpm_machine: 1
name: constant
nodes: 64
processes_per_node: 1
point_to_point:
  - operation: MPI_Send
    pattern: pingpong
    nodes: 2
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: "100 us", send_overhead: "10 us", receive_overhead: "1 us"}
      - {bytes: 1000000, transit: "100100 us", send_overhead: "10 us", receive_overhead: "1 us"}
collectives:
  MPI_Allgather: {algorithm: ring}
  MPI_Allreduce: {algorithm: recursive_doubling}
  MPI_Alltoall: {algorithm: pairwise}
  MPI_Bcast: {algorithm: linear}
  MPI_Gather: {algorithm: linear}
  MPI_Gatherv: {algorithm: linear}
  MPI_Scatter: {algorithm: linear}
  MPI_Scatterv: {algorithm: linear}
END

# predict PROGRAM NUMPROCS [OPTION]...: its seconds on that machine
predict() {
    program=$1 numprocs=$2
    shift 2
    "$sim" -q -m "$folder/constant.yaml" -n "$numprocs" -M average -f csv "$@" "$program" 2>"$folder/err" |
        awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "mean_s") column = i} NR > 1 {print $column}'
    cat "$folder/err" >&2
}

# expect NAME SECONDS EXPRESSION: SECONDS is the value of the awk EXPRESSION, in microseconds; T(M) and o are known
expect() {
    if awk -v seconds="$2" "function T(M) {return 100 + M/10}
        BEGIN {o = 10; wanted = 1e-6*($3); d = seconds/wanted - 1; if (d < 1e-6 && d > -1e-6) exit 0
               printf \"%.9g s predicted, %.9g s expected\n\", seconds, wanted; exit 1}"; then
        pass
    else
        fail "$1"
    fi
}

silent() { [ -z "$("$@" 2>&1 >/dev/null)" ]; } # whether a command complains of nothing

# ---- real runs ----

# Refused by the launcher (no MPI, no root, too few slots) is not a fault of the program.
launch() {
    timeout 60 mpirun --oversubscribe "$@" >"$folder/out" 2>&1
}
# mpi_starts WRAPPER: and WRAPPER has its compiler; Open MPI brings mpifort along without one
mpi_starts() { "$1" --version >/dev/null 2>&1 && launch -np 2 true; }

# can_run WRAPPER SOURCE: says why not. Nothing of ours is in the program: CI runs it once, not for each compiler of ours.
can_run() {
    if [ -n "${PEVPM_TEST_SHARE:-}" ]; then
        skip "$2 has been run beside the default compiler's tests"
        return 1
    fi
    mpi_starts "$1" || { skip "MPI cannot start here, or there is no compiler behind $1: $2 is not run"; return 1; }
}

compile() { # compile SOURCE: to $folder/program
    case $1 in
    *.c) mpicc -std=c11 -Wall -Wextra -Wshadow -Werror -O2 "$1" -o "$folder/program" -lm ;;
    *) mpifort -Wall -Wextra -Werror -O2 -J "$folder" "$1" -o "$folder/program" ;;
    esac
}

# runs CODE TEXT NUMPROCS [ARGUMENT]...: the program ends with that code and says TEXT
runs() {
    code=$1 text=$2 numprocs=$3
    shift 3
    launch -np "$numprocs" "$folder/program" "$@"
    got=$?
    if [ $got -eq "$code" ] && grep -q -e "$text" "$folder/out"; then
        pass
    else
        fail "on $numprocs processes ($*): exit $got, expected $code and \`$text'"
        sed 's/^/    /' "$folder/out"
    fi
}
