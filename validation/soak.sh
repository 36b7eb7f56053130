#!/bin/sh
# make soak: programs made by chance, each executed on this host with every message checked, and predicted.
#   soak.sh BUILD [PROGRAMS]        10,000 programs, if nothing is said
# A block is all kinds of ten seeds, on 2 to 16 processes in turn, and a prediction of each for as many,
# on one of five machines. BUILD/soak keeps which blocks are done: it goes on where it was stopped. A block that fails
# is told of, with what shows it again, and is tried again the next time. With SAN=1 what leaks from this project's own
# functions is a failure; MPI libraries leak. Environment: MPIRUN, SOAK_ROUNDS (how often a program's phases are gone
# through), SOAK_PROCESSES (the largest number of them, 16), SOAK_KINDS (what --random is given: "all remote overlap").
set -u

build=$1 programs=${2:-10000}
chosen=${SOAK_KINDS:-all remote overlap} rounds=${SOAK_ROUNDS:-3} most=${SOAK_PROCESSES:-16} launcher=${MPIRUN:-mpirun}
measured=validation/results/untouched/972 # files of pevpm-bench
first_seed=500000 seeds=10 # of a block; validation and pevpm-bench have other seeds
patience=600 # s, for a run: beside other work it may have little of a processor
run=$build/pevpm-run sim=$build/pevpm-sim state=$build/soak/$(echo "$chosen" | tr ' ' '-') # blocks of other kinds are others
[ -x "$run" ] || { echo "soak: $run was not built: no MPI" >&2; exit 4; }
kinds_in() { # kinds_in WORD: as many as there are among the first hundred programs
    "$run" --random "$1" --programs 100 --seed $first_seed --print | sed -n 's/^# \([a-z]*\), seed .*/\1/p' | sort -u | grep -c .
}
kinds=0
for word in $chosen; do kinds=$((kinds + $(kinds_in "$word"))); done
[ "$kinds" -gt 0 ] || { echo "soak: $run makes no programs by chance" >&2; exit 4; }
mkdir -p "$state" || exit 4
folder=$(mktemp -d) child=
trap 'ended; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
ended() { # what was begun and is still there ends
    [ -z "$child" ] || kill "$child" 2>/dev/null
}

# As timeout, but by seconds that this shell has seen pass: time in which it was stopped with all else, or had no processor,
# is nobody's.
bounded() { # bounded SECONDS COMMAND [ARGUMENT]...
    left=$1
    shift
    "$@" </dev/null &
    child=$!
    while kill -0 "$child" 2>/dev/null; do
        [ "$left" -gt 0 ] || { echo "soak: no end"; ended; break; }
        sleep 1
        left=$((left - 1))
    done
    wait "$child"
    code=$?
    child=
    return $code
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_osc=pt2pt # one-sided operations whose rules are predicted (docs/directives.md)
export LSAN_OPTIONS=exitcode=0
leaks() { # leaks FILE: a leak of this project's functions is in it
    grep -E '^ +#[0-9]+ 0x[0-9a-f]+ in [a-z_0-9]+ [a-z]+/[a-z_0-9]+\.c:' "$1" | grep -vq ' libio/'
}

# Where every send waits; the others have an eager limit of 16 KiB, and of 64 KiB and ports that serve frames.
cat >"$folder/waits.yaml" <<'Y'
pevpm_machine: 1
name: waits
nodes: 16
eager_limit: 0
models: {loggp: {L: 300 us, o_s: 10 us, o_r: 10 us, g: 20 us, G: 0.85 us}}
Y

block_run() { # block_run PROCESSES SEED
    for word in $chosen; do
        bounded 3600 "$launcher" -n "$1" "$run" --verify -q --serial none --timeout $patience --random "$word" \
            --programs $(($(kinds_in "$word") * seeds)) --seed "$2" -D rounds="$rounds" >"$folder/out" 2>&1 &&
            ! leaks "$folder/out" && continue
        echo "soak: $launcher -n $1 $run --verify --serial none -D rounds=$rounds --random KIND --seed N:"
        grep -v '^$' "$folder/out" | head -n 20
        return 1
    done
}
block_predict() { # block_predict PROCESSES SEED
    rm -f "$folder"/*.pevpm
    for word in $chosen; do
        "$run" --random "$word" --programs $(($(kinds_in "$word") * seeds)) --seed "$2" --print 2>"$folder/err" || return
    done >"$folder/all"
    awk -v folder="$folder" '/^# .*: made by chance/ { sub(",", "", $2); sub(":", "", $4); file = folder "/" $2 $4 }
        { print >(file ".pevpm") }' "$folder/all"
    predicted=0 which=$block
    for program in "$folder"/*.pevpm; do
        which=$((which + 1))
        case $((which % 5)) in
        0) machine="--model loggp -m $folder/waits.yaml" ;;
        1) machine='-m examples/jacobi/perseus.yaml' ;;
        2) machine="-m $build/default-machine.yaml" ;;
        3) machine="-m $measured/nxp/machine.yaml" ;;
        4) machine="--contention ports -m $measured/mix8x2/machine.yaml" ;;
        esac
        # shellcheck disable=SC2086 # words
        if "$sim" $machine -q -j 1 -n "$1" -r 1 -D rounds="$rounds" "$program" >/dev/null 2>"$folder/err" &&
            ! leaks "$folder/err"; then
            predicted=$((predicted + 1))
        else
            echo "soak: $sim $machine -n $1 -r 1 -D rounds=$rounds ${program##*/}:"
            head -n 6 "$folder/err"
        fi
    done
    [ "$predicted" -eq $((kinds * seeds)) ]
}

block=0 done=0 failed=0
while [ $((block * kinds * seeds)) -lt "$programs" ]; do
    processes=$((2 + block % (most - 1))) seed=$((first_seed + block * seeds))
    if [ -e "$state/$block" ]; then
        done=$((done + 1))
    elif block_run $processes $seed && block_predict $processes $seed; then
        : >"$state/$block"
        done=$((done + 1))
    else
        failed=$((failed + 1))
    fi
    block=$((block + 1))
done
echo "$((done * kinds * seeds)) programs on 2 to $most processes: executed and predicted; $failed of $block blocks failed"
[ $failed -eq 0 ]
