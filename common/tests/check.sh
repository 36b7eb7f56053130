# check.sh - what test scripts share: they read it with `.` after `set -u`, most of them from the project's root. POSIX.
#
# Gives a $folder of their own, which is removed at the end; a command's standard error kept in $folder/err is shown
# when a test fails. A script ends with `finish`, whose line run.sh counts.

passed=0 failed=0 skipped=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# The build folder, as it is found from anywhere.
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac

pass() { passed=$((passed + 1)); }
indent() { sed 's/^/    /' "$@"; }
fail() { # fail NAME
    failed=$((failed + 1))
    printf '%s\n' "FAILED: $1"
    [ ! -s "$folder/err" ] || head -n 60 "$folder/err" | indent
}
skip() { # skip REASON [HOW_MANY]
    skipped=$((skipped + ${2:-1}))
    printf '%s\n' "skipped: $1"
}
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}
skip_all() { # skip_all REASON: of this script, or of what is left of it
    skip "$1"
    finish
}

# check NAME COMMAND...: it succeeds; what it says is shown if not
check() {
    name=$1
    shift
    if "$@" >"$folder/said" 2>&1; then
        pass
    else
        fail "$name"
        indent "$folder/said"
    fi
    rm -f "$folder/said"
}
# ended WANTED CODE COMMAND...: for functions that run a command
ended() {
    wanted=$1 ended_with=$2
    shift 2
    if [ "$ended_with" -eq "$wanted" ]; then pass; else fail "exit code $ended_with, not $wanted: $*"; fi
}
# told PATTERN: a line of the last command's standard error matches
told() { check "message like '$1'" grep -q -e "$1" "$folder/err"; }
same() { cmp -s "$1" "$2"; }

# An executable that tests are about.
need() { [ -x "$1" ] || { echo "$1: not there"; exit 1; }; }
# use_sim [PEVPM-SIM]: tests are about $sim, that one or the build folder's, undisturbed by the environment
use_sim() {
    sim=${1:-$build/pevpm-sim}
    case $sim in /*) ;; *) sim=$PWD/$sim ;; esac
    need "$sim"
    unset PEVPM_MACHINE OMP_NUM_THREADS
    program=$sim
}
# run CODE ARGUMENT...: runs $program, behind the words of $launcher where there are some; keeps ./out, ./err and $code,
# its exit code, which it checks. In $folder.
run() {
    wanted=$1
    shift
    timeout 90 ${launcher-} "$program" "$@" >out 2>err
    code=$?
    ended "$wanted" $code "$@"
}
# clean: no temporary file is left in $folder
clean() { [ -z "$(ls -A "$folder" | grep -E '\.[A-Za-z0-9]{6}(\.old)?$')" ]; }

# Open MPI as root, on however few cores, as tests are run; its own leaks are none of ours.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
