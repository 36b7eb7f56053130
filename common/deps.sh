#!/bin/sh
# Installs what is missing to build, test and run the demo; says what it would need where it cannot.
# Silent when all is there.
set -u

missing= optional=
have()    { command -v "$1" >/dev/null; }
library() { have pkg-config && pkg-config --exists "$1"; }
header()  { have cc && printf '#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1; }

have cc                      || missing="$missing gcc"
have pkg-config              || missing="$missing pkg-config"
header stdlib.h              || missing="$missing libc6-dev"
library gsl                  || missing="$missing libgsl-dev"
library yaml-0.1             || missing="$missing libyaml-dev"
library cmocka               || missing="$missing libcmocka-dev"
header Random123/philox.h    || missing="$missing librandom123-dev"
have gnuplot                 || optional="$optional gnuplot-nox"
library ompi-c && have mpicc || optional="$optional libopenmpi-dev"
have mpirun                  || optional="$optional openmpi-bin"
library 'otf2 >= 3'          || optional="$optional libotf2-trace-dev"
library hwloc                || optional="$optional libhwloc-dev" # on which sockets pevpm-bench's processes are
library libdw                || optional="$optional libdw-dev" # lines of the source in recordings
[ -n "$(sh host/clang/libclang.sh cc)" ] || optional="$optional libclang-dev" # what only a compiler can tell of a source
if [ -n "${CI:-}" ]; then # what only tests use (pajeng draws in R, so nobody else is made to have it)
    have otf2-print          || optional="$optional otf2-tools"
    have pj_dump             || optional="$optional pajeng"
    have gfortran            || optional="$optional gfortran" # for examples/heat and pevpm_time.F90
fi
if [ -n "${CI:-}" ] || [ "${MPI:-}" = mpich ]; then # beside Open MPI, whose commands keep their names
    library mpich && have mpirun.mpich || optional="$optional mpich libmpich-dev"
fi
if [ -n "${CI:-}" ]; then # what only `make check-others` and `make fuzz` use
    have clang &&
        echo 'int main(void){return 0;}' | clang -fopenmp -fsanitize=address -x c -o /dev/null - 2>/dev/null ||
        optional="$optional clang libomp-dev libclang-rt-14-dev"
fi
[ -n "$missing$optional" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root='sudo -n'
if command -v apt-get >/dev/null && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }; then
    echo "installing:$missing$optional" >&2
    log=$(mktemp)
    # shellcheck disable=SC2086 # the lists are words
    if { $as_root apt-get update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing $optional; } \
        >"$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    tail -n 5 "$log" >&2
    rm -f "$log"
fi
if [ -n "$missing" ]; then
    echo "pevpm: error: missing packages:$missing (for plots and MPI also:$optional); install them and try again" >&2
    exit 4
fi
echo "pevpm: note: without$optional some of the tests are skipped and plots are not drawn" >&2
