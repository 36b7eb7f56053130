# gathers.awk - measured Gathers beside predicted ones: awk -f gathers.awk MEASURED PREDICTED; -v scatter=1: Scatters.
# Lines of both: processes, bytes, seconds of one operation. Escalated is what takes over 1.2 times the measured linear
# part and 20 ms more; that part is the median of what lies within a tenth of the least time; of Scatters, which do not
# escalate, of all. Where all measured ones escalate, by what a byte takes at other sizes, none was seen, and that takes
# its place.

function sort(a, n,    i, j, t) {
    for (i = 2; i <= n; i++) {
        t = a[i]
        for (j = i - 1; j > 0 && a[j] > t; j--)
            a[j + 1] = a[j]
        a[j + 1] = t
    }
}

# The median of those of times[side, point] that are above low and up to high; "-": there are none. `found`: how many.
function median(side, point, low, high,    i, n, a) {
    n = 0
    for (i = 1; i <= count[side, point]; i++)
        if (times[side, point, i] > low && times[side, point, i] <= high)
            a[++n] = times[side, point, i]
    sort(a, n)
    found = n
    return n == 0 ? "-" : (a[int((n + 1) / 2)] + a[int(n / 2) + 1]) / 2
}

function least(side, point,    i, t) {
    t = times[side, point, 1]
    for (i = 2; i <= count[side, point]; i++)
        if (times[side, point, i] < t)
            t = times[side, point, i]
    return t
}

function ms(t) { return t == "-" ? "-" : sprintf("%.4g", 1000 * t) }
function error(found, truth) { return found == "-" || truth == "-" ? "-" : sprintf("%+.1f %%", 100 * (found / truth - 1)) }
function size(e) { return e == "-" ? 0 : e + 0 < 0 ? -e : e + 0 }

{
    side = FILENAME == ARGV[1] ? "measured" : "predicted"
    point = $1 " " $2
    if (!((side, point) in count) && side == "measured")
        order[++n_points] = point
    times[side, point, ++count[side, point]] = $3
    if (side == "measured" && $2 >= 4096 && (!($1 in per_byte) || $3 / $2 < per_byte[$1]))
        per_byte[$1] = $3 / $2
}

# What n processes take where nothing escalates, roughly: by the least that a byte takes from 4 KiB on, where a port's credit is little.
function expected(point,    at) {
    split(point, at, " ")
    return per_byte[at[1]] * at[2]
}

END {
    print "| processes | bytes | linear, ms | predicted | error | escalated | predicted | off by | escalated: median, ms | predicted | error |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_points; i++) {
        point = order[i]
        if (!(("predicted", point) in count))
            continue
        low = least("measured", point)
        linear = median("measured", point, 0, scatter ? 1e9 : 1.1 * low)
        linear_p = scatter ? median("predicted", point, 0, 1e9) : least("predicted", point)
        unseen = low > 1.2 * expected(point) + 0.02
        limit = 1.2 * (unseen ? expected(point) : linear) + 0.02
        linear = unseen ? "-" : linear
        linear_p = linear_p > limit ? "-" : linear_p
        up = median("measured", point, limit, 1e9); share = found / count["measured", point]
        up_p = median("predicted", point, limit, 1e9); share_p = found / count["predicted", point]
        if (share < 0.05 || share_p < 0.05) # a median of hardly any
            up_error = "-"
        else
            up_error = error(up_p, up)
        split(point, at, " ")
        printf "| %d | %d | %s | %s | %s | %.2f | %.2f | %+.2f | %s | %s | %s |\n", at[1], at[2], ms(linear), ms(linear_p),
            error(linear_p, linear), share, share_p, share_p - share, ms(up), ms(up_p), up_error
        points++
        linear_missed += size(error(linear_p, linear)) > 5
        share_missed += size(share_p - share) > 0.1
        levels += up_error != "-"
        level_missed += size(up_error) > 10
    }
    printf "\nOf %d points the linear part is missed by more than 5 %% at %d, the share by more than 0.1 at %d; of %d points the " \
        "escalated median by more than 10 %% at %d.\n", points, linear_missed, share_missed, levels, level_missed
}
