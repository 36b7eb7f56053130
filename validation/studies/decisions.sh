#!/bin/sh
# decisions.sh FOLDER - what libpevpm-coll gains on 16 hosts of 40, 20 and 10 Mbit/s of the virtual cluster, measured
# and predicted: single operations, trees under a good and a bad mapping, the matmul and the satellite example. As
# root; fifteen minutes, on a machine that does nothing else. FOLDER gets bench.yaml (pevpm-bench), machine.yaml (that
# with what pevpm-estimate and pevpm-sim decide add), operations.txt (operation, way, bytes, median, least and most
# ms), mappings.txt (operation, mapping, bytes, ms), times.txt (way, processes, operation, bytes, ms of each),
# programs.txt (program, way, processes, seconds), matmul.txt (way, processes, n, seconds) and shares.txt (way,
# processes, n, operation, seconds: matmul's Scatterv and Gatherv alone), pairs.txt (way, processes, program, its size,
# ms), all measured, and predicted-*.txt, ratios.md and shares.md; what is measured already is not measured again. lmo.yaml, where
# it is there, has another estimation of LMO, by which is predicted, with machine.yaml's decisions. $BUILD: build.
set -eu

folder=${1:?decisions.sh FOLDER} build=${BUILD:-build}
here=$(dirname "$0")
cluster=$here/../cluster/cluster
mkdir -p "$folder"
folder=$(cd "$folder" && pwd) build=$(cd "$build" && pwd)
matrix=320 images=10 # stated before anything was measured: communication is more than a third of both programs
matrices='160 240'   # likewise, for Scatterv and Gatherv: most shares are large enough to lose frames, and eager

up() {
    [ -e /run/pevpmvc/decisions ] && return
    "$cluster" up --name decisions --hosts 16 --buffer 32k --port 'h[1-4]=40mbit' --port 'h[5-9]=20mbit' >"$folder/up.txt"
    trap '"$cluster" down --name decisions' EXIT
}
run() { # run PROCESSES MACHINE|- COMMAND...
    n=$1 machine=$2
    shift 2
    if [ "$machine" = - ]; then
        "$cluster" run --name decisions -n "$n" -- "$@" </dev/null
    else
        PEVPM_COLL=$machine "$cluster" run --name decisions -n "$n" -- -x PEVPM_COLL \
            -x LD_PRELOAD="$build/libpevpm-coll-ompi.so" -- "$@" </dev/null
    fi
}

if [ ! -e "$folder/machine.yaml" ]; then
    up
    [ -e "$folder/bench.yaml" ] || run 16 - "$build/pevpm-bench" -o "$folder/bench.yaml" --budget 190
    run 16 - "$build/pevpm-estimate" -m "$folder/bench.yaml" -o "$folder/estimated.yaml" --models hockney,many_to_one --budget 120 --rest 30ms \
        --largest 64k >"$folder/estimated.txt"
    "$build/pevpm-sim" decide -q -m "$folder/estimated.yaml" -o "$folder/machine.yaml" -n 4,8,16
fi

# nodes at the positions of the tree, the slowest at its leaves, and at its largest subtrees
[ -e "$folder/lmo.yaml" ] && lmo=lmo || lmo=machine
machine_for() { [ "$1" = lmo ] && echo "$lmo" || echo machine; } # machine_for MODEL: the name of the file to predict by
for way in good bad; do
    [ "$way" = good ] && order='0, 15, 14, 13, 4, 12, 11, 10, 1, 9, 8, 7, 2, 6, 3, 5' ||
        order='0, 1, 2, 4, 15, 3, 5, 6, 14, 7, 8, 9, 13, 10, 12, 11'
    for file in machine $lmo; do
        {
            sed '/^decisions:/,/^#/{/^#/!d}' "$folder/$file.yaml"
            printf 'decisions:\n  per: node\n  table:\n'
            for operation in Scatter Gather; do
                printf '    - {operation: MPI_%s, numprocs: 16, bytes: [1, 1048576], tree: binomial, mapping: [%s]}\n' \
                    $operation "$order"
            done
        } >"$folder/$way-$file.yaml"
    done
done

if [ ! -e "$folder/mappings.txt" ]; then
    up
    mpicc -O2 -o "$folder/collective" "$here/collective.c"
    for operation in Bcast Scatter Gather Scatterv Gatherv; do
        for machine in - "$folder/machine.yaml"; do
            run 16 "$machine" "$folder/collective" MPI_$operation 9 64 1024 16384 51200 |
                awk -v o=$operation -v m="$machine" '$1 + 0 > 0 { print o, (m == "-" ? "native" : "optimised"), $1, $2, $3, $5 }'
        done
    done >"$folder/operations.txt"
    for way in good bad; do
        for operation in Scatter Gather; do
            run 16 "$folder/$way-machine.yaml" "$folder/collective" MPI_$operation 5 1024 4096 16384 65536 |
                awk -v o=$operation -v m=$way '$1 + 0 > 0 { print o, m, $1, $2 }'
        done
    done >"$folder/mappings.new"
    mv "$folder/mappings.new" "$folder/mappings.txt"
fi

if [ ! -e "$folder/programs.txt" ]; then
    up
    mpicc -O2 -o "$folder/matmul" "$here/../../examples/matmul/matmul.c"
    mpicc -O2 -o "$folder/satellite" "$here/../../examples/satellite/satellite.c"
    for i in 1 2 3; do
        for n in 2 4 8 16; do
            for machine in - "$folder/machine.yaml"; do
                way=native
                [ "$machine" = - ] || way=optimised
                run $n "$machine" "$folder/matmul" $matrix | awk -v w=$way -v n=$n '/product of/ { print "matmul", w, n, $(NF - 1) }'
                run $n "$machine" "$folder/satellite" $images | awk -v w=$way -v n=$n '/ images, each / { print "satellite", w, n, $(NF - 1) }'
            done
        done
    done >"$folder/programs.new"
    mv "$folder/programs.new" "$folder/programs.txt"
fi

if [ ! -e "$folder/matmul.txt" ]; then
    up
    mpicc -O2 -o "$folder/matmul" "$here/../../examples/matmul/matmul.c"
    mpicc -O2 -include "$here/timed_shares.h" -o "$folder/matmul-shares" "$here/../../examples/matmul/matmul.c"
    rm -f "$folder/shares.txt"
    for i in 1 2; do
        for n in 16 8 4; do
            for size in $matrices; do
                for machine in - "$folder/machine.yaml"; do
                    way=native
                    [ "$machine" = - ] || way=optimised
                    k="$way $n $size"
                    [ $i -gt 1 ] || run $n "$machine" "$folder/matmul-shares" "$size" |
                        sed -n "s/^MPI_/$k &/p" >>"$folder/shares.txt"
                    run $n "$machine" "$folder/matmul" "$size" | awk -v k="$k" '/product of/ { print k, $(NF - 1) }'
                done
            done
        done
    done >"$folder/matmul.new"
    mv "$folder/matmul.new" "$folder/matmul.txt"
fi

# Where the library makes something else of an operation, and where it does not, in turns: native, library, native, library.
turns() { # turns PROCESSES REPEATS OPERATION:BYTES...
    n=$1 repeats=$2
    shift 2
    for way in native library native library; do
        [ $way = native ] && machine=- || machine=$folder/machine.yaml
        run "$n" "$machine" "$folder/collective" times "$repeats" "$@" | sed -n "s/^MPI_/$way $n &/p"
    done
}
if [ ! -e "$folder/times.txt" ]; then
    up
    mpicc -O2 -o "$folder/collective" "$here/collective.c"
    {
        turns 16 7 MPI_Bcast:64 MPI_Bcast:512 MPI_Bcast:2048 MPI_Bcast:16384 MPI_Bcast:32768 MPI_Bcast:65536 MPI_Scatter:64 \
            MPI_Scatter:256 MPI_Scatter:1024 MPI_Scatter:8192 MPI_Gather:64 MPI_Gather:512 MPI_Gather:4096 MPI_Gather:32768 \
            MPI_Scatterv:1024 MPI_Gatherv:64 MPI_Gatherv:4096 MPI_Gatherv:32768
        turns 8 7 MPI_Bcast:64 MPI_Bcast:1024 MPI_Bcast:2048 MPI_Bcast:32768 MPI_Bcast:131072 MPI_Scatter:64 MPI_Scatter:1024 \
            MPI_Scatter:8192 MPI_Gather:64 MPI_Gather:1024 MPI_Gather:8192 MPI_Gather:32768 MPI_Scatterv:1024 MPI_Gatherv:1024 \
            MPI_Gatherv:32768 MPI_Gatherv:65536
        turns 4 9 MPI_Bcast:64 MPI_Bcast:32768 MPI_Scatter:64 MPI_Scatter:8192 MPI_Gather:64 MPI_Gather:32768 MPI_Gather:65535 \
            MPI_Scatterv:1024 MPI_Gatherv:1024 MPI_Gatherv:16384 MPI_Gatherv:65535
        turns 4 3 MPI_Bcast:1048576
    } >"$folder/times.new"
    mv "$folder/times.new" "$folder/times.txt"
fi
# Programs in which it makes hardly anything else, in turns as well: two runs of each way are not enough to tell 1 %.
if [ ! -e "$folder/pairs.txt" ]; then
    up
    mpicc -O2 -o "$folder/matmul" "$here/../../examples/matmul/matmul.c"
    mpicc -O2 -o "$folder/satellite" "$here/../../examples/satellite/satellite.c"
    for i in 1 2 3 4 5 6 7; do
        for way in library native native library; do
            [ $way = native ] && machine=- || machine=$folder/machine.yaml
            for point in matmul:4:240 matmul:4:160 matmul:4:320 satellite:4:10 satellite:2:10; do
                program=${point%%:*} size=${point##*:} n=${point#*:} n=${n%:*}
                run "$n" "$machine" "$folder/$program" "$size" |
                    awk -v k="$way $n $program $size" '/product of| images, each / { printf "%s %.1f\n", k, 1000 * $(NF - 1) }'
            done
        done
    done >"$folder/pairs.new"
    mv "$folder/pairs.new" "$folder/pairs.txt"
fi
awk -f "$here/../numbers.awk" -f "$here/shares.awk" "$folder/shares.txt" | tee "$folder/shares.md"
awk -f "$here/../numbers.awk" -f "$here/ratios.awk" "$folder/times.txt" "$folder/pairs.txt" | tee "$folder/ratios.md"

predict() { # predict NAME WAY MACHINE PROCESSES MODEL ARGUMENT...: NAME WAY PROCESSES MODEL seconds
    name=$1 way=$2 machine=$3 n=$4 model=$5
    shift 5
    "$build/pevpm-sim" -q --connected -m "$machine" --model "$model" -n "$n" -r 20 --coll "$way" -f csv "$@" |
        awk -F, -v k="$name $way $n $model" 'NR == 2 { printf "%s %.6f\n", k, $10 }'
}
for way in native optimised; do
    for n in 2 4 8 16; do
        for model in measured lmo; do
            predict matmul $way "$folder/$(machine_for $model).yaml" $n $model -D "n=$matrix" "$here/../../examples/matmul/matmul.c"
            predict satellite $way "$folder/$(machine_for $model).yaml" $n $model -D "images=$images" "$here/../../examples/satellite/satellite.c"
        done
    done
done >"$folder/predicted-programs.txt"
# As they are measured: the longest that a process is in one of five, after a first one, which finds connections new.
for mapping in good bad; do
    for operation in Scatter Gather; do
        for size in 1024 4096 16384 65536; do
            printf '%s\n' 'Loop iterations = 6' '{' 'Serial time = 0.02' 'Collective type = MPI_Barrier' \
                "Collective type = MPI_$operation & size = $size & root = 0" '}' >"$folder/six.pevpm"
            for model in measured lmo hockney; do
                for seed in 1 2 3 4; do
                    "$build/pevpm-sim" -q --connected -m "$folder/$mapping-$(machine_for $model).yaml" --model $model -n 16 -r 1 -s $seed --coll optimised -o /dev/null \
                        --trace "$folder/trace.tmp.json" "$folder/six.pevpm"
                    awk -f "$here/decisions-traced.awk" "$folder/trace.tmp.json"
                done | sort -n | awk -v k="$operation $mapping $size optimised 16 $model" '
                    { took[NR] = $1 }
                    END { printf "%s %.6f\n", k, (took[int((NR + 1) / 2)] + took[int(NR / 2) + 1]) / 2 }'
            done
        done
    done
done >"$folder/predicted-mappings.txt"
rm "$folder/six.pevpm" "$folder/trace.tmp.json"
