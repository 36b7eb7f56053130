#!/bin/sh
# What ranks have noted comes to rank 0 in the order of ranks, and from few of them: those right below it in a tree.
set -u

. common/tests/check.sh

program=$build/clock/tests/share_program
[ -x "$program" ] || skip_all "$program was not built (no MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
export LSAN_OPTIONS=detect_leaks=0 # MPI's own

shared() { # shared PROCESSES EXPECTED
    timeout 60 mpirun -n "$1" "$program" >"$folder/out" 2>"$folder/err" || fail "share_program: $(tail -n 1 "$folder/err")"
    check "$1 processes: $(cat "$folder/out")" [ "$(cat "$folder/out")" = "$2" ]
}

shared 1 '-1 from 0'
shared 2 '-1 100 from 1'
shared 4 '-1 100 200 201 300 301 302 from 2'
shared 7 '-1 100 200 201 300 301 302 400 401 402 403 500 501 502 503 504 600 601 602 603 604 605 from 3'
finish
