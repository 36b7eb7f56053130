# descriptions.awk - for descriptions.sh: lines of MEASURED, PREDICTED by ports and by frames.

function row(what, list, n,    i, sum) {
    sort_numbers(list, n)
    for (i = 1; i <= n; i++)
        sum += list[i]
    printf "| %s | %.2f %% | %.2f %% | %.1f %% | %.1f %% |\n", what, sum / n, quantile(list, n, 0.5), quantile(list, n, 0.9),
           quantile(list, n, 0.95)
}

function band(what, low, high,    i, n, ports, frames) {
    for (i = 1; i <= NR; i++)
        if (apart[i] >= low && apart[i] < high) {
            ports[++n] = by_ports[i]
            frames[n] = by_frames[i]
        }
    sort_numbers(ports, n)
    sort_numbers(frames, n)
    if (n > 0)
        printf "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", what, n, quantile(ports, n, 0.5),
               quantile(ports, n, 0.9), quantile(frames, n, 0.5), quantile(frames, n, 0.9)
}

{
    by_ports[NR] = 100 * absolute($2 / $1 - 1)
    by_frames[NR] = 100 * absolute($3 / $1 - 1)
    apart[NR] = 100 * absolute($2 / $3 - 1)
}

END {
    for (i = 1; i <= NR; i++) {
        first[i] = by_ports[i]
        second[i] = by_frames[i]
    }
    printf "%d points\n\n", NR
    print "| predicted by | error, mean | median | 90 % | 95 % |"
    print "|---|---|---|---|---|"
    row("ports", first, NR)
    row("frames", second, NR)
    print "\n| the two differ by | points | error of ports, median | 90 % | of frames, median | 90 % |"
    print "|---|---|---|---|---|---|"
    band("less than 0.5 %", 0, 0.5)
    band("0.5 to 2 %", 0.5, 2)
    band("2 to 5 %", 2, 5)
    band("5 to 10 %", 5, 10)
    band("10 % and more", 10, 1e9)
}
