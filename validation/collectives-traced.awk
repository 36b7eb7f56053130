# collectives-traced.awk - how long each operation of collectives.sh took, from a timeline of pevpm-sim (--trace FILE.json): from the
# first process's end of the computation before it (line 8) to the last one's return (line 9). -v point=OPERATION,PROCESSES,BYTES.
/"ph": "X"/ {
    pid = $0; sub(/.*"pid": /, "", pid); pid += 0
    ts = $0; sub(/.*"ts": /, "", ts); ts += 0
    dur = $0; sub(/.*"dur": /, "", dur); dur += 0
    line = $0; sub(/.*pevpm:/, "", line); line += 0
    if (line == 8) {
        i = ++nth[pid]
        if (!(i in begin) || ts + dur < begin[i])
            begin[i] = ts + dur
        if (i > n)
            n = i
    } else if (line == 9 && ts + dur > end[nth[pid]])
        end[nth[pid]] = ts + dur
}
END {
    for (i = 1; i <= n; i++)
        printf "%s,%.6f\n", point, 1e-6 * (end[i] - begin[i])
}
