# collectives.awk - measured operations beside predicted ones: awk -F, -f numbers.awk -f collectives.awk MEASURED PREDICTED
# Lines of both: operation, processes, bytes, seconds. Medians, with the least and the most in brackets, ms; how far the prediction
# is off, and how many of those measured are inside: between its 5th and 95th percentile, or within 3 % of these.
# Then medians by operation, and how many rows are off by more than is wanted (10 % from 1 KiB on, 25 % below and without
# bytes), by what may be the matter with them; of how many of these the measured runs themselves differ by as much, least
# and most; of how many the measured median is between the least and the most of the predictions.
# A later launch in place of PREDICTED tells how far two launches are apart: what is off by less cannot be judged. In
# results/collectives/*/again-*.csv are such launches, of 8 and 1024 bytes; in alone-long.csv operations above the eager
# limit, a dozen of each in a job of its own on fast and eight on flat, on connections that are no longer young.

# The median of a side's times of a point; `text`: with the least and the most, which are `least` and `most`; `low` and
# `high`: what is inside.
function middle(side, point,    i, n, a, m) {
    n = count[side, point]
    for (i = 1; i <= n; i++)
        a[i] = times[side, point, i]
    sort_numbers(a, n)
    m = median(a, n)
    low = 0.97 * a[1 + int(0.05 * (n - 1) + 0.5)]
    high = 1.03 * a[1 + int(0.95 * (n - 1) + 0.5)]
    least = a[1]
    most = a[n]
    text = sprintf("%.3f (%.3f to %.3f)", 1000 * m, 1000 * a[1], 1000 * a[n])
    return m
}

function summary(name, key,    i, a, n) {
    n = found[key]
    if (n == 0)
        return
    for (i = 1; i <= n; i++)
        a[i] = errors[key, i]
    sort_numbers(a, n)
    printf "%s: %d points, median %.1f %%, largest %.1f %%, %.0f %% of the runs inside\n", name, n, 100 * median(a, n),
        100 * a[n], 100 * within[key] / runs[key]
}

# How many of a point's measured times are between `low` and `high`.
function inside(point,    i, n, t) {
    for (i = 1; i <= count["measured", point]; i++) {
        t = times["measured", point, i]
        n += t >= low && t <= high
    }
    return n + 0
}

# What a row is counted with. A timeout is 0.2 s: runs that differ by nearly as much have some or not, by chance.
function group_of(bytes, timeouts) {
    if (bytes < 1024)
        return "below 1 KiB"
    if (timeouts)
        return "with timeouts"
    if (bytes <= 4096)
        return "1 to 4 KiB"
    return bytes >= 65536 ? "64 KiB and more" : "between"
}

function judge(group, limit, e, differ, within_range) {
    n_rows[group]++
    if (absolute(e) <= limit)
        return
    n_off[group]++
    n_differ[group] += differ > limit
    n_within[group] += within_range
}

function judged(group) {
    if (group in n_rows)
        printf "off by more than wanted, %s: %d of %d rows, of which %d differ themselves, %d are within the predictions\n",
            group, n_off[group], n_rows[group], n_differ[group], n_within[group]
}

function note(key, e, k, n) {
    errors[key, ++found[key]] = absolute(e)
    within[key] += k
    runs[key] += n
}

{
    side = FILENAME == ARGV[1] ? "measured" : "predicted"
    point = $1 " " $2 " " $3
    if (!((side, point) in count) && side == "measured")
        order[++n_points] = point
    times[side, point, ++count[side, point]] = $4
}

END {
    for (i = 1; i <= n_points; i++) {
        point = order[i]
        if (!(("predicted", point) in count))
            continue
        m = middle("measured", point); measured = text
        timeouts = most - least > 0.15
        differ = most / least - 1
        e = middle("predicted", point) / m - 1
        timeouts = timeouts || most - least > 0.15
        split(point, at, " ")
        k = inside(point)
        if (at[1] == "MPI_Barrier")
            judge("without bytes", 0.25, e, differ, least <= m && m <= most)
        else
            judge(group_of(at[3], timeouts), at[3] < 1024 ? 0.25 : 0.1, e, differ, least <= m && m <= most)
        n = count["measured", point]
        printf "%-24s %2d %6d  %s, predicted %s: %+.1f %%, %d of %d inside\n", at[1], at[2], at[3], measured, text, 100 * e, k, n
        large = at[3] >= 1024 ? "from 1 KiB on" : "below 1 KiB"
        if (at[1] == "MPI_Barrier")
            large = "without bytes"
        note(large, e, k, n)
        note(at[1] " " large, e, k, n)
        if (!(at[1] in named)) {
            named[at[1]] = 1
            names[++n_names] = at[1]
        }
    }
    print ""
    for (i = 1; i <= n_names; i++) {
        summary(names[i] ", from 1 KiB on", names[i] " from 1 KiB on")
        summary(names[i] ", below", names[i] " below 1 KiB")
    }
    summary("all from 1 KiB on", "from 1 KiB on")
    summary("all below", "below 1 KiB")
    summary("Barriers", "without bytes")
    n = split("without bytes,below 1 KiB,1 to 4 KiB,with timeouts,64 KiB and more,between", groups, ",")
    for (i = 1; i <= n; i++)
        judged(groups[i])
}
