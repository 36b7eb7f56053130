#!/bin/sh
# How much of a prediction's error comes from the width of the histogram's bins: the explanation that Grove & Coddington
# give for theirs (papers, section 6). The truth is a machine whose times follow a Weibull law exactly; it is then
# "measured" with bins of several widths, anchored at zero as MPIBench's are, and the same program is predicted from
# each histogram.
#   bin-width.sh PEVPM_SIM [PLOT.svg]      table on standard output
set -eu
sim=${1:-build/pevpm-sim} plot=${2:-}
jacobi=examples/jacobi/jacobi.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# One-way times of a 1 KiB message: at least 250 us, Weibull above (shape 2, scale 120 us: mean 356 us, sd 56 us).
machine() { # machine TRANSIT > FILE
    printf '%s\n' 'pevpm_machine: 1' 'name: perseus' 'time_unit: ms' 'nodes: 64' 'processes_per_node: 1' 'point_to_point:' \
        '  - operation: MPI_Send' '    nodes: 64' '    processes_per_node: 1' '    sizes:' "      - {bytes: 1024, transit: $1}"
}
bins() { # bins WIDTH_US: the exact share of the law in each bin, in parts of 10^9
    awk -v w="$1" 'function F(t) { t -= 250; return t <= 0 ? 0 : 1 - exp(-(t / 120) ^ 2) }
        BEGIN { first = int(250 / w); last = int(1000 / w) + 1
                printf "{start: \"%g us\", width: \"%g us\", counts: [", first * w, w
                for (i = first; i < last; i++) printf "%s%.0f", (i > first ? ", " : ""), 1e9 * (F((i + 1) * w) - F(i * w))
                print "]}" }'
}
mean() { # mean MACHINE PROCS
    $sim -q -m "$1" -n "$2" -D iterations=1000 -r 256 -s 7 -f csv $jacobi |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "mean_s") c = i } NR == 2 { print $c }'
}

machine '{weibull: {shape: 2, scale: "120 us"}, shift: "250 us"}' >"$work/truth.yaml"
echo '# bin_us error_percent: P = 4, 16, 64' >"$work/data"
for p in 4 16 64; do mean "$work/truth.yaml" $p >"$work/truth-$p"; done
echo '| bin width | of the sd | P = 4 | P = 16 | P = 64 |'
echo '| ---: | ---: | ---: | ---: | ---: |'
for width in 1 2 5 10 20 50 100 150 200 300; do
    machine "$(bins $width)" >"$work/bins.yaml"
    line=$width
    for p in 4 16 64; do
        line="$line $(mean "$work/bins.yaml" $p | awk -v t="$(cat "$work/truth-$p")" '{printf "%.3f", 100 * ($1 / t - 1)}')"
    done
    echo "$line" >>"$work/data"
    echo "$line" | awk '{printf "| %s us | %.2f | %s %% | %s %% | %s %% |\n", $1, $1 / 55.6, $2, $3, $4}'
done
[ -n "$plot" ] || exit 0
gnuplot <<GNUPLOT
set terminal svg size 720,440 font "sans-serif,13"
set output "$work/plot.svg"
set title "Jacobi of Figure 5: error of the predicted run time against the histogram's bin width"
set xlabel "bin width (us); the messages' standard deviation is 56 us"
set ylabel "error (%)"
set logscale x
set grid
set key left top
plot for [c = 2:4] "$work/data" using 1:c with linespoints lw 2 pt 7 ps 0.6 title word("4 16 64", c - 1) . " processes"
GNUPLOT
mv "$work/plot.svg" "$plot"
