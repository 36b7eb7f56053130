# exchange.awk - for exchange.sh: how often, and how long, exchanges pass both messages at once or one after the other.
# Files measured-BYTES.csv and predicted-BYTES.csv: a pair's number, and when each exchange had ended. Longer than 1.6 times
# what BYTES take a port of 10 Mbit/s (9.56 of data): one after the other. The interval is the binomial one of 99 % of as many
# launches as there are, by its normal approximation, widened by 0.1.
function middle(what, size, mode,    i, list) {
    for (i = 1; i <= n[what, size, mode]; i++) list[i] = time[what, size, mode, i]
    return i > 1 ? median(list, i - 1) : 0
}
BEGIN { FS = "," }
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name); sub(/[.]csv$/, "", name)
    split(name, part, "-")
    what = part[1]; size = part[2]
    if (what == "measured") sizes[++n_sizes] = size
}
{
    before = 0
    launches[what, size]++
    for (i = 2; i <= NF; i++) {
        took = $i - before
        before = $i
        mode = took > 1.6 * size * 8 / 9.56e6 ? "after" : "once"
        time[what, size, mode, ++n[what, size, mode]] = took
    }
}
END {
    print "| bytes | launches | one after the other | predicted | wanted | at once | predicted | | one after the other | predicted | |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_sizes; i++) {
        s = sizes[i]
        for (w = 1; w <= 2; w++) {
            what = w == 1 ? "measured" : "predicted"
            all = n[what, s, "once"] + n[what, s, "after"]
            share[w] = n[what, s, "after"] / all
            once[w] = middle(what, s, "once"); after[w] = middle(what, s, "after")
        }
        half = 2.576 * sqrt(share[1] * (1 - share[1]) / launches["measured", s]) + 0.1
        printf "| %d | %d | %.1f %% | %.1f %% | %.1f to %.1f %% | %.4g s | %.4g s | %+.1f %% | %.4g s | %.4g s | %+.1f %% |\n", s,
            launches["measured", s], 100 * share[1], 100 * share[2], 100 * (share[1] - half), 100 * (share[1] + half), once[1],
            once[2], 100 * (once[2] / once[1] - 1), after[1], after[2], 100 * (after[2] / after[1] - 1)
    }
}
