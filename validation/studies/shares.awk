# shares.awk - what matmul's Scatterv and Gatherv take, against what the root's port takes for their bytes at least: awk -f numbers.awk -f
# shares.awk [-v rate=BITS] FILE
#
# Lines of FILE: way, processes, n, operation, seconds; way: native, optimised. rate: of the root's port, bits/s (40e6), of which 1448
# bytes in 1514 are data. All that the others get leaves through it, and all that they send comes in: no way carries it out sooner.

function first_row(p, numprocs, n) { # examples/matmul/matmul.c, ratio 2
    return int(n * (2 * int((p + 1) / 2) + int(p / 2)) / (2 * int((numprocs + 1) / 2) + int(numprocs / 2)))
}
function least(numprocs, n,    p, bytes, wire) {
    for (p = 1; p < numprocs; p++) {
        bytes = 8 * n * (first_row(p + 1, numprocs, n) - first_row(p, numprocs, n))
        wire += bytes + 66 * int((bytes + 1447) / 1448)
    }
    return 1000 * wire * 8 / rate
}
function both(way, point, as_mean) { # ms of the two operations
    return of(way, point, "MPI_Scatterv", as_mean) + of(way, point, "MPI_Gatherv", as_mean)
}
function of(way, point, operation, as_mean,    key, i, sum) {
    key = way SUBSEP point SUBSEP operation
    split("", list)
    for (i = 1; i <= count[key]; i++) { list[i] = took[key, i]; sum += list[i] }
    return as_mean ? sum / count[key] : median(list, count[key])
}
function less(part, whole) { return percent("%d", int(100 * (1 - part / whole) + (part < whole ? 0.5 : -0.5))) }

BEGIN { if (!rate) rate = 40e6 }
{
    point = $2 SUBSEP $3
    if (!(point in known)) { known[point]; points[++n_points] = point }
    took[$1, point, $4, ++count[$1, point, $4]] = 1000 * $5
}
END {
    print "| processes, n | at least, ms | native: medians, means | with the library | could be less | is less |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= n_points; i++) {
        point = points[i]
        split(point, at, SUBSEP)
        bound = 2 * least(at[1], at[2])
        for (m = 0; m < 2; m++) { native[m] = both("native", point, m); ours[m] = both("optimised", point, m) }
        printf "| %d, %d | %.1f | %.1f, %.1f | %.1f, %.1f | %s, %s | %s, %s |\n", at[1], at[2], bound, native[0], native[1], ours[0],
            ours[1], less(bound, native[0]), less(bound, native[1]), less(ours[0], native[0]), less(ours[1], native[1])
    }
}
