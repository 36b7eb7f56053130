# executed.awk - for `validate.sh execute`, behind numbers.awk: reads executed.csv, prints a table of the medians of each
# case and count; exit code 1 where pevpm-run and the program's own code are more than 2 % apart.
BEGIN {
    FS = ","
    limit = 2
    print "| case | processes | own code | pevpm-run | apart |\n|---|---|---|---|---|"
}
NR > 1 {
    key = $1 "," $3
    if (!(key in n))
        order[++points] = key
    n[key]++
    own[key, n[key]] = $6
    executed[key, n[key]] = $7
}
function median_of(values, key,    i, list) {
    for (i = 1; i <= n[key]; i++)
        list[i] = values[key, i] + 0
    return median(list, n[key])
}
END {
    for (p = 1; p <= points; p++) {
        split(order[p], part, ",")
        a = median_of(own, order[p])
        b = median_of(executed, order[p])
        apart = 100 * (b / a - 1)
        missed += apart > limit || apart < -limit
        printf "| %s | %d | %.4f s | %.4f s | %+.1f %% |\n", part[1], part[2], a, b, apart
    }
    printf "\n%d of %d points within %g %%\n", points - missed, points, limit
    exit missed > 0
}
