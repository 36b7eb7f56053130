#!/bin/sh
# Gathers that lose packets, predicted as they were measured (../studies/gathers.pevpm; docs/accuracy/collectives.md): of 32 KiB on 16 hosts of 10 Mbit/s
# three launches of 100, 80 and 40 took over 1.2 times the linear part and 20 ms more in 0.52, 0.61 and 0.42 of the operations. Of 360
# predicted ones, with these seeds, it is to be no further off than 0.15 from the mean; chance moves the share by 0.03.
set -u
build=$(cd "${BUILD:-build}" && pwd)
cd "$(dirname "$0")/../studies" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed '/^model_error:/,/^[^ ]/{/^model_error:/d;/^ /d}' ../../examples/vcluster16/vcluster16.yaml >"$folder/machine.yaml"
printf 'models:\n  hockney: {alpha: 1 ns, beta: 0}\ncollectives:\n  MPI_Allreduce: {model: hockney}\n' >>"$folder/machine.yaml"
for seed in 1 2 3; do
    "$build/pevpm-sim" -q --connected -m "$folder/machine.yaml" -n 16 -r 1 -s $seed -o /dev/null --trace "$folder/trace.json" \
        -D operations=120 -D size=32768 gathers.pevpm || exit 1
    awk -f gathers-traced.awk -v point='16 32768' "$folder/trace.json"
done >"$folder/times"
awk '$3 > 1.2 * 0.4107 + 0.02 { late++ } { if (NR == 1 || $3 < least) least = $3 }
    END {
        ok = NR == 360 && late / NR > 0.37 && late / NR < 0.67 && least > 0.40 && least < 0.42
        if (!ok) printf "%d Gathers, %.2f of them late, the least %.4f s\n", NR, late / NR, least
        print ok ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped"
    }' "$folder/times"
