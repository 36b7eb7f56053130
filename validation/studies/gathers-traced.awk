# gathers-traced.awk - how long each Gather or Scatter of gathers.pevpm took, from a timeline of pevpm-sim (--trace FILE.json): from the first
# process's entry to the last one's return, seconds. -v point="PROCESSES BYTES" stands before each.
/"ph": "X"/ {
    tid = $0; sub(/.*"tid": /, "", tid); tid += 0 # a process; "pid" is its node
    ts = $0; sub(/.*"ts": /, "", ts); ts += 0
    dur = $0; sub(/.*"dur": /, "", dur); dur += 0
    if ($0 ~ /"name": "Serial/)
        i = ++nth[tid]
    else if ($0 ~ /"name": "MPI_(Gather|Scatter)/) {
        i = nth[tid]
        if (!(i in begin) || ts < begin[i])
            begin[i] = ts
        if (ts + dur > end[i])
            end[i] = ts + dur
        if (i > n)
            n = i
    }
}
END {
    for (i = 1; i <= n; i++)
        printf "%s %.6f\n", point, 1e-6 * (end[i] - begin[i])
}
