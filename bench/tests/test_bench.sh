#!/bin/sh
# pevpm-bench from outside, on two processes of one host: what it writes is read, wrong usage ends all ranks, a file that
# cannot be written is said before anything is measured.
set -u

bench=$BUILD/pevpm-bench sim=$BUILD/pevpm-sim
case $BUILD in /*) ;; *) bench=$PWD/$bench sim=$PWD/$sim ;; esac
passed=0 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder" || exit 1

skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $1"; sed 's/^/    /' err; }
check() { name=$1; shift; if "$@"; then pass; else fail "$name"; fi; }
run() { # run CODE ARGUMENT...: two ranks
    wanted=$1; shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        LSAN_OPTIONS=detect_leaks=0 timeout 90 mpirun -n 2 "$bench" "$@" >out 2>err
    code=$?
    if [ $code -eq "$wanted" ]; then pass; else fail "exit code $code, not $wanted: $*"; fi
}
told() { check "message like '$1'" grep -q -e "$1" err; }

command -v mpirun >/dev/null || skip "mpirun is not installed"
[ -x "$bench" ] || skip "$bench was not built (no MPI)"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    LSAN_OPTIONS=detect_leaks=0 timeout 60 mpirun -n 2 "$bench" --version >out 2>err ||
    skip "MPI cannot start here: $(tail -n 1 err)"

run 2; told 'no file to write is given'
run 2 -o a.yaml --sizs 0; told 'unknown option `--sizs`, did you mean `--sizes`?'
run 2 -o a.yaml --sizes 0,1q; told 'sizes 1q: expected sizes in bytes'
run 2 -o a.yaml --levels 32x1; told '--levels 32x1 is more than this job'
run 2 -o a.yaml --operations MPI_Sent; told 'unknown operation `MPI_Sent`, did you mean `MPI_Send`?'
check 'nothing is written' [ ! -e a.yaml ]
run 4 -o /nowhere/a.yaml; told '/nowhere/a.yaml: error: cannot create: '

run 0 -o a.yaml --budget 12 --sizes 0,1k --name testbed -q
# On a machine that is disturbed just now the search for rests and sizes may eat up 12 s: once more, with time to spare.
grep -q 'bytes:' a.yaml || run 0 -o a.yaml --budget 60 --sizes 0,1k --name testbed -q
check 'nothing on standard output' [ ! -s out ]
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
check 'its samples are kept' grep -q 'transit: {edges: \[' a.yaml
check 'temporary files are gone' [ -z "$(find . -name 'a.yaml.*')" ]

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
