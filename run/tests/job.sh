# job.sh - what the scripts that start pevpm-run share: they read it with `.` behind check.sh, in the project's root, and then
# are in $folder. POSIX.
# shellcheck shell=sh disable=SC2034,SC2154 # what check.sh sets, and what they use

tests=$PWD/run/tests examples=$PWD/examples
program=$build/pevpm-run sim=$build/pevpm-sim
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

case ${CC:-cc} in *clang*) skip_all "what is executed: tested with the default compiler, and with sanitizers" ;; esac
starts 2

ranks_are() { launcher="mpirun -n $1"; }
source_of() { printf '%s\n' "$@"; } # LINE...: a program
