# dependence.awk - whether a Gather that escalates makes the next one do so: awk -f dependence.awk PER_BYTE FILE... Files are launches
# of one network, lines of each as gathers.sh has them, in the order in which operations ran: processes, bytes, seconds. PER_BYTE:
# "16=1.26e-5 8=..." s that a byte of a share takes among so many where nothing escalates; by it a point at which all do is known. What counts as
# escalated is as in gathers.awk. -v skip=5 leaves out the first of each point, which find connections as the launch made them.
# Of each point: operations after one that escalated, and after one that did not, and d with its 95 % interval; at the end d of all
# by Mantel and Haenszel, and chi square of the points' differences from it, as estimate/analytical/dependence.h has them.

function sort(a, n,    i, j, t) {
    for (i = 2; i <= n; i++) {
        t = a[i]
        for (j = i - 1; j > 0 && a[j] > t; j--)
            a[j + 1] = a[j]
        a[j + 1] = t
    }
}

# Above it an operation of the point has escalated.
function limit(point,    i, n, low, a, linear, at, roughly) {
    split(point, at, SUBSEP)
    roughly = per_byte[at[2]] * at[3]
    low = times[point, 1]
    for (i = 2; i <= count[point]; i++)
        low = times[point, i] < low ? times[point, i] : low
    for (i = 1; i <= count[point]; i++)
        if (times[point, i] <= 1.1 * low)
            a[++n] = times[point, i]
    sort(a, n)
    linear = low > 1.2 * roughly + 0.02 ? roughly : (a[int((n + 1) / 2)] + a[int(n / 2) + 1]) / 2
    return 1.2 * linear + 0.02
}

BEGIN {
    n_given = split(ARGV[1], given, " ")
    for (i = 1; i <= n_given; i++) {
        split(given[i], one, "=")
        per_byte[one[1]] = one[2]
    }
    ARGV[1] = ""
}

{
    point = FILENAME SUBSEP $1 SUBSEP $2
    if (!(point in count))
        order[++n_points] = point
    times[point, ++count[point]] = $3
}

END {
    print "| | processes | bytes | escalated | after one that did | after another | d |"
    print "|---|---|---|---|---|---|---|"
    for (p = 1; p <= n_points; p++) {
        point = order[p]
        top = limit(point)
        a = m = b = k = escalated = 0
        n = count[point] - skip
        for (i = 1 + skip; i <= count[point]; i++) {
            now = times[point, i] > top
            escalated += now
            if (i > 1 + skip) {
                m += before; k += !before
                a += before && now; b += !before && now
            }
            before = now
        }
        if (m == 0 || k == 0 || a + b == 0 || a + b == m + k)
            continue
        weight = m * k / (m + k)
        d = a / m - b / k + 1 / (n - 1)
        share = escalated / n
        half = 1.96 * sqrt(share * (1 - share) / weight)
        split(point, at, SUBSEP)
        printf "| %s | %d | %d | %.2f of %d | %d of %d | %d of %d | %+.2f ± %.2f |\n", at[1], at[2], at[3], share, n, a, m, b, k, d, half
        sum += weight * d; weights += weight
        variance += (a * (m - a) * k ^ 3 + b * (k - b) * m ^ 3) / (m * k * (m + k) ^ 2)
        points++
        each[points] = d; of[points] = 1.96 / half
    }
    all = sum / weights
    for (i = 1; i <= points; i++)
        chi += ((each[i] - all) * of[i]) ^ 2
    printf "\nOf all: %+.3f ± %.3f; chi square of the points %.1f, of %d.\n", all, 1.96 * sqrt(variance) / weights, chi, points - 1
}
