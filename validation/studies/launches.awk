# launches.awk - for launches.sh: lines of PROGRAM MEASURED PREDICTED, a line for each launch. Exit code 3: a line says
# something else, or no program has three launches.

function row(what, list, n) {
    sort_numbers(list, n)
    printf "| %s | %d | %.2f %% | %.1f %% | %.1f %% |\n", what, n, quantile(list, n, 0.5), quantile(list, n, 0.9),
           quantile(list, n, 0.95)
}

function fail(what) {
    print "launches.awk: error: " what >"/dev/stderr"
    failed = 3
    exit failed
}

NF != 3 || $2 <= 0 || $3 <= 0 {fail("expected a program and two times, found `" $0 "`")}
{ratio[$1, ++launches[$1]] = $2 / $3}

END {
    if (failed)
        exit failed
    for (program in launches) {
        n = launches[program]
        if (n < 3)
            continue
        sum = squares = 0
        for (i = 1; i <= n; i++) {
            sum += ratio[program, i]
            squares += ratio[program, i] ^ 2
        }
        for (i = 1; i <= n; i++) {
            apart[++all] = 100 * absolute(ratio[program, i] * (n - 1) / (sum - ratio[program, i]) - 1)
            off[all] = 100 * absolute(ratio[program, i] - 1)
        }
        mean = sum / n
        variance = (squares - n * mean ^ 2) / (n - 1)
        width += 3.29 * sqrt(variance > 0 ? variance : 0) / mean
        programs++
    }
    if (programs == 0)
        fail("no program has three launches")
    print "| a launch against | launches | median | 90 % | 95 % |"
    print "|---|---|---|---|---|"
    row("the mean of the other launches", apart, all)
    row("its prediction", off, all)
    printf "\nMean width of p5 to p95 of a normal law with what launches differ by: %.1f %%\n", 100 * width / programs
}
