# decisions-traced.awk - how long the process that was in each Scatter or Gather longest was in it, from a timeline of
# pevpm-sim (--trace FILE.json) whose processes do one after each Serial line; seconds, without the first.
/"ph": "X"/ {
    pid = $0; sub(/.*"pid": /, "", pid); pid += 0
    dur = $0; sub(/.*"dur": /, "", dur); dur += 0
    if ($0 ~ /"name": "Serial/)
        nth[pid]++
    else if ($0 ~ /"name": "MPI_(Gather|Scatter)/) {
        own[pid, nth[pid]] += dur
        if (own[pid, nth[pid]] > longest[nth[pid]])
            longest[nth[pid]] = own[pid, nth[pid]]
        if (nth[pid] > n)
            n = nth[pid]
    }
}
END {
    for (i = 2; i <= n; i++)
        printf "%.6f\n", 1e-6 * longest[i]
}
