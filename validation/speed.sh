#!/bin/sh
# make bench: the speeds of docs/PERFORMANCE.md, measured here and now, as a table in Markdown.
#   speed.sh BUILD
# One core at a time; a busy machine shows in the bare kernel's figure, which should not change.
set -eu

build=$1
speed=$build/validation/speed sim=$build/pevpm-sim
jacobi=examples/jacobi/jacobi.c perseus=examples/jacobi/perseus.yaml farm=validation/taskfarm.pevpm
default=examples/vcluster16/vcluster16.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# The paper's machine has no ports; these are those of a 100 Mbit/s switch, so that the rule has something to do.
sed 's/^point_to_point:/ports: {out_gap: [[0, "12 us"], [1024, "90 us"]], in_gap: [[0, "12 us"], [1024, "90 us"]], credit: "128 us"}\n&/' \
    $perseus >"$work/ports.yaml"

row() { printf '| %s | %s | %s |\n' "$1" "$2" "$3"; }
seconds() { # seconds COMMAND...: wall seconds
    begin=$(date +%s.%N); "$@" >/dev/null 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
    echo "$begin $(date +%s.%N)" | awk '{printf "%.3f", $2 - $1}'
}
least() { # least N COMMAND...: the smallest of N
    n=$1; shift; best=
    while [ "$n" -gt 0 ]; do
        t=$(seconds "$@"); best=$(echo "$t ${best:-$t}" | awk '{print $1 < $2 ? $1 : $2}'); n=$((n - 1))
    done
    echo "$best"
}
peak() { # peak COMMAND...: "seconds MiB" of a run
    begin=$(date +%s.%N)
    "$@" >/dev/null 2>"$work/err" &
    pid=$! most=0
    while kill -0 $pid 2>/dev/null; do
        now=$(awk '/^VmHWM/ {print $2}' /proc/$pid/status 2>/dev/null || echo 0)
        [ "${now:-0}" -gt "$most" ] && most=$now
        sleep 0.05
    done
    wait $pid || { cat "$work/err" >&2; exit 1; }
    echo "$begin $(date +%s.%N) $most" | awk '{printf "%.1f s, %.0f MiB", $2 - $1, $3 / 1024}'
}

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(cc --version | head -n 1)," \
     "commit $(git rev-parse --short HEAD 2>/dev/null || echo none), $(date -u +%Y-%m-%d)"
echo
row what reach here
row --- --- ---
row "Jacobi of Figure 5, P = 64, perseus.yaml: one lane at a time" "20 M messages/s" "$($speed engine $jacobi $perseus scoreboard 64 1 2000) M"
row "the same in lanes" "200 M" "$($speed engine $jacobi $perseus scoreboard 64 0 2000) M"
row "the same in lanes, ports on (perseus with the ports of a 100 Mbit/s switch)" "100 M" \
    "$($speed engine $jacobi "$work/ports.yaml" ports 64 0 2000) M"
row "the bare kernel, for comparison" "350 M" "$($speed bare) M"
row "time-ordered engine (task farm with wildcards, P = 64)" "8 M" "$($speed engine $farm $perseus scoreboard 64 0 100000) M"
for n in 16 64; do
    row "the same engine: Jacobi, P = $n, on the default machine, whole messages in the order of time" "8 M" \
        "$($speed engine $jacobi $default ports $n 0 2000) M"
    row "the same by --contention frames" "not set" "$($speed engine $jacobi $default frames $n 0 2000) M"
done
row "P = 65,536, a task farm of 1,000,000 tasks" "completes" "$(peak $sim -q -m $perseus -n 65536 -r 1 -D iterations=1000000 $farm)"
row "memory for each simulated process, one lane (P = 65,536)" "512 bytes" "$($speed memory $jacobi $perseus 65536) bytes"
row "P = 1,048,576, 100 iterations of Jacobi" "completes, under 1 GiB" \
    "$(peak $sim -q -m $perseus -n 1048576 -r 1 -D iterations=100 $jacobi)"
if [ "$(nproc)" -ge 2 ]; then
    one=$(least 3 $sim -q -m $perseus -n 64 -r 4096 -D iterations=1000 -j 1 $jacobi)
    two=$(least 3 $sim -q -m $perseus -n 64 -r 4096 -D iterations=1000 -j 2 $jacobi)
    row "threads: 2 cores" "1.9 times one" "$(echo "$one $two" | awk '{printf "%.2f times", $1 / $2}')"
fi
row "start to the first table row (P = 2)" "0.2 s" "$(least 3 $sim -m $perseus -n 2 -D iterations=1000 $jacobi) s"
