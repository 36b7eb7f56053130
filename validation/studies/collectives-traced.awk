# collectives-traced.awk - how long each operation of collectives.sh took, from a timeline of pevpm-sim: from the first process's end
# of the computation before it (the seventh of its ten lines, behind the program's first one) to the last one's return (the eighth).
# awk -f collectives-traced.awk -v n=PROCESSES -v bytes=BYTES JOB TRACE.json, JOB: the job's operations, `REPETITIONS OPERATION`.
FNR == NR {
    operation[++n_operations] = $2
    next
}
/"ph": "X"/ {
    pid = $0; sub(/.*"pid": /, "", pid); pid += 0
    ts = $0; sub(/.*"ts": /, "", ts); ts += 0
    dur = $0; sub(/.*"dur": /, "", dur); dur += 0
    line = $0; sub(/.*pevpm:/, "", line); line -= 2
    o = int(line / 10) + 1
    if (line % 10 == 6) {
        i = ++nth[pid, o]
        if (!((o, i) in begin) || ts + dur < begin[o, i])
            begin[o, i] = ts + dur
        if (i > times[o])
            times[o] = i
    } else if (line % 10 == 7 && ts + dur > end[o, nth[pid, o]])
        end[o, nth[pid, o]] = ts + dur
}
END {
    for (o = 1; o <= n_operations; o++)
        for (i = 1; i <= times[o]; i++)
            printf "%s,%d,%d,%.6f\n", operation[o], n, bytes, 1e-6 * (end[o, i] - begin[o, i])
}
