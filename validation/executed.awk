# executed.awk - for `validate.sh execute`: reads executed.csv, prints a table of the medians of each case and count; exit code 1
# where pevpm-run and the program's own code are more than 2 % apart.
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
function median(values, key,    i, j, sorted, count, value) {
    count = n[key]
    for (i = 1; i <= count; i++) {
        value = values[key, i] + 0
        for (j = i; j > 1 && sorted[j - 1] > value; j--)
            sorted[j] = sorted[j - 1]
        sorted[j] = value
    }
    return count % 2 ? sorted[(count + 1) / 2] : (sorted[count / 2] + sorted[count / 2 + 1]) / 2
}
END {
    for (p = 1; p <= points; p++) {
        split(order[p], part, ",")
        a = median(own, order[p])
        b = median(executed, order[p])
        apart = 100 * (b / a - 1)
        missed += apart > limit || apart < -limit
        printf "| %s | %d | %.4f s | %.4f s | %+.1f %% |\n", part[1], part[2], a, b, apart
    }
    printf "\n%d of %d points within %g %%\n", points - missed, points, limit
    exit missed > 0
}
