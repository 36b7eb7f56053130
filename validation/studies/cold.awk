# cold.awk - for cold.sh: measured.csv, then predicted.csv, as a table of medians.
FNR == 1 {file++; next}
file == 1 {
    key = $1 "," $2
    if (!(key in launches))
        keys[++n_keys] = key
    seconds[key, ++launches[key]] = $5
    next
}
{predicted[$1 "," $2] = $3; low[$1 "," $2] = $4; high[$1 "," $2] = $5}
END {
    print "| program | processes | measured | predicted | error | p5 to p95 | launches inside |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_keys; i++) {
        key = keys[i]
        inside = 0
        for (k = 1; k <= launches[key]; k++) {
            list[k] = seconds[key, k]
            inside += list[k] >= low[key] && list[k] <= high[key]
        }
        m = median(list, launches[key])
        error = 100 * (predicted[key] / m - 1)
        errors[i] = absolute(error)
        sum += errors[i]
        all += launches[key]
        all_inside += inside
        split(key, part, ",")
        printf "| %s | %d | %.3f s | %.3f s | %+.1f %% | %.3f to %.3f | %d of %d |\n", part[1], part[2], m, predicted[key], error,
            low[key], high[key], inside, launches[key]
    }
    sort_numbers(errors, n_keys)
    printf "\n%d points: error %.1f %% (median), %.1f %% (mean), %.1f %% (largest); %d of %d launches between p5 and p95\n", n_keys,
        median(errors, n_keys), sum / n_keys, errors[n_keys], all_inside, all
}
