# mpich.sh - what the scripts that test with MPICH share: they read it with `.` behind check.sh, in the project's root. POSIX.
# shellcheck shell=sh disable=SC2034,SC2154 # what check.sh sets, and what they use

# The compiler and the sanitizers are tested with Open MPI; one build is enough to see what another MPI does.
[ -z "${SAN:-}" ] || skip_all "MPICH is tested without sanitizers"
case ${CC:-cc} in *clang*) skip_all "MPICH is tested with the default compiler" ;; esac
command -v pkg-config >/dev/null && pkg-config --exists mpich || skip_all "MPICH is not installed (make deps MPI=mpich)"
launcher=
for name in mpirun.mpich mpiexec.mpich mpiexec.hydra mpirun; do
    [ -n "$launcher" ] || { "$name" --version 2>/dev/null | grep -qi hydra && launcher=$name; }
done
[ -n "$launcher" ] || skip_all "MPICH has no launcher here: no mpirun.mpich, no mpiexec.hydra"

run() { # run CODE RANKS COMMAND...
    wanted=$1 ranks=$2; shift 2
    timeout 90 "$launcher" -n "$ranks" "$@" >"$folder/out" 2>"$folder/err"
    ended "$wanted" $? "$@"
}

# What is built with MPICH, or is there: $bench, $sim and pevpm-run in $build, whose library has no MPI in it and is the one that was
# there. Not a part of the make that runs the tests: its own flags would come along; beside other tests by one compiler at a time.
# With -O1, for which a compiler takes half as long, and without warnings, which the first build has told; so not in the folder of what
# `make MPI=mpich` builds for use.
library=$build/libpevpm.a build=$build/mpich
bench=$build/pevpm-bench sim=$build/pevpm-sim
level=0
[ -z "${PEVPM_TEST_BESIDE:-}" ] || level=1
env -u MAKEFLAGS -u MFLAGS -u CI MAKELEVEL=$level make BUILD="$build" MPI=mpich LIBRARY="$library" LEVEL=-O1 WARN= CFLAGS=-g1 \
    "$bench" "$sim" "$build/pevpm-run" >"$folder/out" 2>"$folder/err"
code=$?
check "it builds (make ended with $code)" [ $code -eq 0 ]
