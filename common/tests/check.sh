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

# beside COMMAND...: runs it; $others is how many of this machine's processors were busy with anything else meanwhile: 0.02.
# 0 where the system does not tell. What the command's processes have used counts once they have been waited for.
beside() {
    times >"$folder/times"
    beside_before="$(processors_used) $(own_seconds)"
    "$@"
    beside_code=$?
    times >"$folder/times"
    others=$(echo "$beside_before $(processors_used) $(own_seconds)" | awk 'NF == 6 && $4 > $1 {
        others = ($5 - $2 - ($6 - $3)) / ($4 - $1)
    } END { printf("%.2f", (others > 0 ? others : 0)) }')
    return $beside_code
}
processors_used() { # the seconds that have passed, and those in which processors worked, or worked for other machines
    awk -v ticks="$(getconf CLK_TCK)" 'FILENAME == "/proc/uptime" { passed = $1 }
        $1 == "cpu" { printf("%s %.2f\n", passed, ($2 + $3 + $4 + $7 + $8 + $9) / ticks) }
        ' /proc/uptime /proc/stat 2>/dev/null
}
own_seconds() { # of this shell and what it has waited for, as `times` has written it
    sed 's/m/ /g; s/s//g' "$folder/times" | awk '{ for (i = 1; i <= NF; i += 2) sum += 60*$i + $(i + 1) }
        END { printf("%.2f\n", sum) }'
}
# Where others have so much, what a test measures need not be what it would be on a machine of its own.
is_disturbed() { awk -v others="${others:-0}" 'BEGIN { exit !(others >= 0.1) }'; }

# in_peace NAME CONDITION COMMAND...: CONDITION, which eval takes, holds once the command has been run: at once, or the second
# or third time where others had a part of the machine; where they always had, nothing is known. NAME is taken by eval, too.
in_peace() {
    peaceful_name=$1 condition=$2
    shift 2
    for peaceful_try in 1 2 3; do
        beside "$@"
        if eval "$condition"; then
            pass
            return
        fi
        is_disturbed || break
    done
    if is_disturbed; then
        skip "$(eval "echo \"$peaceful_name\"")?: others had $others of the processors, $peaceful_try times"
    else
        fail "$(eval "echo \"$peaceful_name\"")"
    fi
}

# An executable that tests are about.
need() { [ -x "$1" ] || { echo "$1: not there"; exit 1; }; }
# starts RANKS: MPI can start so many processes of $program here, in the folder that we are in; else all is skipped
starts() {
    command -v mpirun >/dev/null || skip_all "mpirun is not installed"
    [ -x "$program" ] || skip_all "$program was not built (no MPI)"
    timeout 60 mpirun -n "$1" "$program" --version >out 2>err || skip_all "MPI cannot start here: $(tail -n 1 err)"
}
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
# ready PID: waits until $sim, which PID is or which timeout(1) runs as PID, handles signals. However slow the machine is.
ready() {
    tries=600
    while [ $((tries -= 1)) -gt 0 ]; do
        for candidate in "$1" $(pgrep -P "$1"); do
            [ "$(cat "/proc/$candidate/comm" 2>/dev/null)" = "$(basename "$sim")" ] || continue
            # SIGINT is the second bit.
            grep -q '^SigCgt:.*[2367abef]$' "/proc/$candidate/status" 2>/dev/null && return
        done
        sleep 0.1
    done
    false
}
# worked SECONDS PID: waits until PID, or $sim that timeout(1) runs as PID, has kept a processor busy for so long: an idle
# machine is there at once, a busy one later, and both have come equally far.
worked() {
    tries=600
    while [ $((tries -= 1)) -gt 0 ]; do
        for candidate in "$2" $(pgrep -P "$2"); do
            sed 's/.*) //' "/proc/$candidate/stat" 2>/dev/null | awk -v ticks="$(getconf CLK_TCK)" -v least="$1" '
                $12 + $13 >= least * ticks { found = 1 } END { exit !found }' && return
        done
        sleep 0.1
    done
    false
}
# clean: no temporary file is left in $folder
clean() { [ -z "$(ls -A "$folder" | grep -E '\.[A-Za-z0-9]{6}(\.old)?$')" ]; }

# Open MPI as root, on however few cores, as tests are run; its own leaks are none of ours. By the layer that it chooses on a
# host and over TCP: looking at the others takes a third of the time in which a job starts.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_pml=ob1
