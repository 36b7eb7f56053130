#!/bin/sh
# libpevpm-coll from outside: what it does leaves in memory what the MPI library would, in C and in Fortran, under Open MPI and
# MPICH, preloaded and linked; and it does carry the operations out. Files that it cannot read.
set -u

. common/tests/check.sh

root=$PWD
[ -z "${SAN:-}" ] || skip_all "a program that knows nothing of sanitizers is tested without"
cd "$folder" || exit 1
[ -e "$build/libpevpm-coll-ompi.so" ] || skip_all "the library was not built (no Open MPI)"
command -v mpirun >/dev/null || skip_all "mpirun is not installed"
mpicc -std=gnu11 -o same "$root/coll/tests/same.c" 2>err || skip_all "mpicc does not compile: $(tail -n 1 err)"
timeout 60 mpirun -n 1 true >out 2>err || skip_all "MPI cannot start here: $(tail -n 1 err)"
export PEVPM_COLL=$root/coll/tests/table.yaml PEVPM_COLL_REPORT=1

preloaded() { # preloaded CODE RANKS COMMAND...
    wanted=$1 ranks=$2
    shift 2
    timeout 60 mpirun -n "$ranks" -x LD_PRELOAD="$build/libpevpm-coll-ompi.so" "$@" >out 2>err
    ended "$wanted" $? "$@"
}
served() { # each operation was carried out by decision: in `err`
    for op in Bcast Scatter Scatterv Gather Gatherv; do
        check "MPI_$op is carried out" grep -q "^pevpm-coll: MPI_$op: [1-9][0-9]* times by decision" err
    done
}

preloaded 0 4 ./same 250 1
check 'nothing differs' grep -qx '250 cases, 0 differences' out
served
check 'and some are passed on' grep -q 'by decision, [1-9]' err

# several threads at one time: Open MPI wakes them up late where they wait in MPI_Waitany
if mpicc -std=gnu11 -D_GNU_SOURCE -pthread -o threads "$root/coll/tests/threads.c" -ldl 2>err; then
    source=$PEVPM_COLL PEVPM_COLL=threads.yaml
    sed '/^    - /d; /^    #/d' "$source" >threads.yaml
    sed -i '/^  table:/a\    - {operation: MPI_Gatherv, numprocs: 3, bytes: [1, 1000000], piece: 100}\
    - {operation: MPI_Scatterv, numprocs: 3, bytes: [1, 1000000], tree: binomial}' threads.yaml
    preloaded 0 3 --oversubscribe ./threads 40
    if grep -q 'not provided' out; then
        skip "$(cat out)" 2
    else
        check 'threads gather and scatter side by side' grep -qx '3 threads, 0 differences, 0 waits' out
        check 'all of it by decision' grep -q '^pevpm-coll: MPI_Gatherv: 120 times by decision, 0 times' err
    fi
    PEVPM_COLL=$source
else
    skip 'threads.c does not compile' 3
fi

# ---- the calls are those that predictions suppose ----

mpicc -std=gnu11 -I"$root" -o held "$root/coll/tests/held.c" "$root/coll/carry.c" "$root/coll/operation.c" \
    "$root/coll/place.c" "$root/coll/start.c" "$root/coll/wrap_c.c" "$build/libpevpm.a" -lm -ldl 2>err
ended 0 $? mpicc held.c
timeout 60 mpirun -n 4 ./held 150 1 >out 2>err
ended 0 $? ./held
check 'calls are as predicted' grep -q '^600 cases, [1-9][0-9]* calls, 0 differences$' out

# ---- what cannot be read: one line, and the MPI library's own; preloaded, and linked ----

refused() { # refused MESSAGE
    told "^pevpm-coll: $1: the MPI library's own collectives are used"
    check "one line: $1" [ "$(grep -c pevpm-coll err)" -eq 1 ]
    check 'and the program runs' grep -qx '20 cases, 0 differences' out
}
sed 's/piece: 100}/pieces: 100}/' "$PEVPM_COLL" >wrong.yaml
table=$PEVPM_COLL
PEVPM_COLL=nowhere.yaml
preloaded 0 4 ./same 20 1
refused 'nowhere.yaml: No such file or directory'
PEVPM_COLL=wrong.yaml
mpicc -std=gnu11 -o linked "$root/coll/tests/same.c" -L"$build" -lpevpm-coll-ompi -Wl,-rpath,"$build" 2>err
timeout 60 mpirun -n 4 ./linked 20 1 >out 2>err
ended 0 $? ./linked
refused 'wrong.yaml: line 18 is none that `decisions` can have'
PEVPM_COLL=$table

# ---- Fortran; MPICH ----

if command -v mpifort >/dev/null && mpifort -o languages "$root/coll/tests/languages.f90" 2>err; then
    preloaded 0 4 ./languages
    check 'nothing differs in Fortran' grep -qx '0 differences' out
    served
else
    skip 'no Fortran compiler' 7
fi
if [ -e "$build/libpevpm-coll-mpich.so" ] && command -v mpicc.mpich >/dev/null &&
    mpicc.mpich -std=gnu11 -O1 -o same-mpich "$root/coll/tests/same.c" 2>err; then
    timeout 60 mpirun.mpich -n 4 env LD_PRELOAD="$build/libpevpm-coll-mpich.so" ./same-mpich 30 1 >out 2>err
    ended 0 $? ./same-mpich
    check 'nothing differs with MPICH' grep -qx '30 cases, 0 differences' out
    served
else
    skip 'no MPICH' 7
fi
finish
