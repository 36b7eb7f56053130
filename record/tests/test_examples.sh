#!/bin/sh
# Programs made of recordings of the examples predict what the examples' own directives do, within 1 %: their messages,
# without computations and the barriers of the examples' own timers; and with the times of the same recordings. Started
# from the project's root.
set -u

. common/tests/check.sh
need "$build/pevpm-record"
record=$build/pevpm-record sim=$build/pevpm-sim examples=$PWD/examples machine=$PWD/examples/vcluster16/vcluster16.yaml
unset PEVPM_MACHINE
cd "$folder" || exit 1
[ -z "${SAN:-}" ] || skip_all "the examples are recorded without sanitizers"
case ${CC:-cc} in *clang*) skip_all "the examples are recorded with the default compiler" ;; esac
command -v mpirun >/dev/null && command -v mpicc >/dev/null || skip_all "no MPI to record with"
[ -e "$build/libpevpm-record-ompi.so" ] || skip_all "no recording library for Open MPI"
export OMPI_MCA_rmaps_base_oversubscribe=1
timeout 60 mpirun -n 2 true >out 2>err </dev/null || skip_all "MPI programs cannot be started here"

predicted() { # predicted MACHINE PROCESSES PROGRAM...: the mean, s
    from=$1 count=$2
    shift 2
    "$sim" -q -m "$from" -n "$count" -r 50 -f csv "$@" 2>err | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 { print $column["mean_s"] }'
}
within() { awk -v a="${2:-0}" -v b="${3:-0}" -v part="$1" 'BEGIN { exit !(a > 0 && b > a * (1 - part) && b < a * (1 + part)) }'; }

# The recordings and the program of the part between two barriers, or of the whole run.
recorded() { # recorded NAME SOURCE DEFINES ARGUMENTS...
    name=$1 source=$2 defines=$3
    shift 3
    case $source in
    *.f90) mpifort -O1 -g -o "$name" "$examples/$source" 2>err ;;
    *) mpicc -O1 -g -o "$name" "$examples/$source" -lm 2>err ;;
    esac || return
    for count in 2 4 8; do
        # shellcheck disable=SC2086 # words
        timeout 120 mpirun -n $count "$record" $defines -o "$name@$count.rec" "./$name" "$@" >out 2>err </dev/null || return
    done
    "$record" -q --program whole.pevpm "$name"@[248].rec >out 2>err || return
    barriers=$(grep -B1 '^Collective type = MPI_Barrier$' whole.pevpm | sed -n 's/^# \([^,]*\),.*/\1/p' | tr '\n' ,)
    case $barriers in
    *,*,*,*) "$record" -q --program all.pevpm "$name"@[248].rec >out 2>err ;;
    *,*,) "$record" -q --program all.pevpm --part "${barriers%,}" "$name"@[248].rec >out 2>err ;;
    *) cp whole.pevpm all.pevpm ;;
    esac
    sed '/^ *Collective type = MPI_Barrier$/d' all.pevpm >"$name.pevpm"
}

messages() { # messages NAME SOURCE DEFINES ARGUMENTS...: without computations
    if ! recorded "$@"; then
        fail "$1 is recorded"
        return
    fi
    sed '/^ *Serial time/d' "$1.pevpm" >bare.pevpm
    sed -E 's/(PEVPM Serial( on [a-z]+)? time =).*/\1 0/' "$examples/$2" >"hand.${2##*.}"
    for count in 2 4 8; do
        # shellcheck disable=SC2086 # words
        hand=$(predicted "$machine" $count $3 "hand.${2##*.}") made=$(predicted "$machine" $count bare.pevpm)
        check "messages of $1 on $count: $hand s by its directives, $made s from recordings" within 0.01 "$hand" "$made"
    done
}
computing() { # computing NAME SOURCE DEFINES ARGUMENTS...: with what the recording at this count says of each computation
    awk '/PEVPM Serial on / { next } { sub(/PEVPM Serial time =.*/, "PEVPM Serial time = measured(line" NR ")"); print }' \
        "$examples/$2" >"timed.${2##*.}"
    for at in 2 4; do
        # An interrupted computation is drawn now and then by the one, and a mean in the other: so not 1 % here, and where one of
        # a tenth of the run's time was interrupted, as on a busy machine, it is recorded again.
        for again in 1 2 3; do
            "$record" -q --time processor --sizes any --times "timed.${2##*.}" -m "$machine" -o timed.yaml "$1@$at.rec" 2>err
            # shellcheck disable=SC2086 # words
            hand=$(predicted timed.yaml $at $3 "timed.${2##*.}") made=$(predicted "$machine" $at "$1.pevpm")
            within 0.05 "$hand" "$made" && break
            [ $again -eq 3 ] || recorded "$@" || break
        done
        check "$1 on $at: $hand s with the times of --times, $made s from recordings" within 0.05 "$hand" "$made"
    done
}

messages jacobi jacobi/jacobi.c '-D iterations=30' 30
computing jacobi jacobi/jacobi.c '-D iterations=30' 30
messages better jacobi/jacobi_better.c '-D iterations=30' 30
computing better jacobi/jacobi_better.c '-D iterations=30' 30
messages fft fft/fft.c '-D n=64 -D iterations=4' 64 4
messages matmul matmul/matmul.c '-D n=96' 96
computing matmul matmul/matmul.c '-D n=96' 96
messages satellite satellite/satellite.c '-D images=6' 6
messages ring ring/ring.c ''
messages tutorial tutorial/after.c '-D points=8000 -D steps=50' 8000 50
if command -v mpifort >/dev/null; then
    messages heat heat/heat.f90 '-D n=4000 -D steps=30' 4000 30
    computing heat heat/heat.f90 '-D n=4000 -D steps=30' 4000 30
else
    skip "no Fortran compiler" 5
fi
# Who answers first in a task farm is decided by the run: its recordings are one run's.
finish
