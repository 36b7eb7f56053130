# modes.awk - predictions from distributions, averages and minima, of programs made by chance; modes.sh has the columns.
#
#     awk -f numbers.awk -f modes.awk modes.csv [measured-*.csv]
#
# Prints Markdown. Errors are of medians, against the median of the launches; what was not measured is held against what
# distributions predict. Exit code 2 where a program that was measured is not predicted.

function truth(key,    i, list) {
    if (!is_measured)
        return mid[key, "distribution"]
    for (i = 1; i <= launches[key]; i++)
        list[i] = seconds[key, i]
    return median(list, launches[key])
}

# How a mode does: "median, 95 %, inside"
function cell(mode, chosen,    key, n, i, runs, within, errors) {
    n = runs = within = 0
    for (key in chosen) {
        errors[++n] = 100 * absolute(mid[key, mode] / truth(key) - 1)
        runs += launches[key]
        for (i = 1; i <= launches[key]; i++)
            within += seconds[key, i] >= low[key, mode] && seconds[key, i] <= high[key, mode]
    }
    sort_numbers(errors, n)
    return sprintf(" %.1f %% | %.1f %% |", quantile(errors, n, 0.5), quantile(errors, n, 0.95)) \
        (is_measured ? sprintf(" %.0f %% |", 100 * within / runs) : "")
}

function line(name, group,    key, chosen, n, m) {
    for (key in all)
        if ((group, key) in member && (!is_measured || key in launches)) {
            chosen[key]
            n++
        }
    if (n == 0)
        return
    printf "| %s | %d |", name, n
    for (m = is_measured ? 1 : 2; m <= n_modes; m++)
        printf "%s", cell(modes[m], chosen)
    print ""
}

BEGIN {
    FS = ","
    n_modes = split("distribution average minimum", modes, " ")
    n_kinds = split("halo pipeline butterfly ring farm graph collectives communicators mixture", kinds, " ")
    differs = 0.01 # of the run time, a standard deviation that sorts a program into one of the groups
}

FNR == 1 { file++ }

file == 1 {
    key = $1 SUBSEP $2
    low[key, $3] = $4; mid[key, $3] = $5; high[key, $3] = $6
    all[key]
    member["all", key]
    kind = $1
    sub(/-.*/, "", kind)
    member[kind, key]
    if ($9 > 0)
        member["wildcards", key]
    if ($3 == "distribution")
        member[$8 > differs * $5 ? "noise" : $7 > differs * $5 ? "machine" : "neither", key]
    next
}

FNR == 1 {
    is_measured = 1
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

{
    name = program_name($column["program"])
    key = name SUBSEP $column["numprocs"]
    if (!(key in all)) {
        printf "modes.awk: no prediction for %s on %d processes\n", name, $column["numprocs"] >"/dev/stderr"
        missing = 1
        exit
    }
    seconds[key, ++launches[key]] = $column["seconds"]
}

END {
    if (missing)
        exit 2
    printf "| programs by chance | runs |"
    for (m = is_measured ? 1 : 2; m <= n_modes; m++)
        printf " %s, median | 95 %% |%s", modes[m], is_measured ? " inside |" : ""
    printf "\n|---|---|"
    for (m = is_measured ? 1 : 2; m <= n_modes; m++)
        printf "---|---|%s", is_measured ? "---|" : ""
    print ""
    line("their computation is drawn", "noise")
    line("runs differ by what the machine does", "machine")
    line("neither", "neither")
    line("wildcards", "wildcards")
    for (i = 1; i <= n_kinds; i++)
        line(kinds[i], kinds[i])
    line("all", "all")
}
