# ratios.awk - what the library takes of the native operations' time: awk -f numbers.awk -f ratios.awk TIMES. Lines of TIMES: native
# or library, processes, operation, bytes, times in ms. The ratio of medians, and its 95 % interval from 2,000 resamples of
# the times of both.

function resampled(way, point,    n, i, list) {
    n = count[way, point]
    for (i = 1; i <= n; i++)
        list[i] = times[way, point, 1 + int(n * rand())]
    return median(list, n)
}

function middle(way, point,    i, list) {
    for (i = 1; i <= count[way, point]; i++)
        list[i] = times[way, point, i]
    return median(list, i - 1)
}

NF > 4 {
    point = $2 " " $3 " " $4
    if (!((("native", point) in count) || (("library", point) in count)))
        order[++n_points] = point
    for (i = 5; i <= NF; i++)
        times[$1, point, ++count[$1, point]] = $i
}

END {
    srand(1)
    print "| processes | operation | bytes | native, ms | library, ms | ratio | 95 % interval |"
    print "|---|---|---|---|---|---|---|"
    for (p = 1; p <= n_points; p++) {
        point = order[p]
        if (!(("native", point) in count) || !(("library", point) in count))
            continue
        for (i = 1; i <= 2000; i++)
            ratio[i] = resampled("library", point) / resampled("native", point)
        sort_numbers(ratio, 2000)
        native = middle("native", point); library = middle("library", point)
        split(point, at, " ")
        printf "| %s | %s | %s | %.2f | %.2f | %.2f | %.2f ... %.2f |\n", at[1], at[2], at[3], native, library,
            library / native, ratio[50], ratio[1951]
        points++
        worse += ratio[50] > 1.02
    }
    printf "\nAt %d of %d points the whole interval is above 1.02.\n", worse, points
}
