# chance.awk - programs made by chance, predicted against measured; chance.sh has the files' columns.
#
#     awk -f numbers.awk -f chance.awk [-v csv=FILE] predicted.csv measured-*.csv
#
# Prints Markdown. Exit code 1 where a limit is missed, see BEGIN; 2 where a prediction or a measurement is missing.
#
#     error                 predicted less measured, a part of measured: medians over the same draws
#     communication error   the same difference, a part of measured less serial; of those where that is 5 % of the time
#     inside                measured runs in p5 ... p95; width: of that interval, a part of its median. Computations are drawn
#                           anew in each run, which widens it: below the table, the same of first launches where a
#                           prediction knows what they drew
#     left out              what sends nothing on so many processes

# A line of the table over the cases for which chosen[key] is set; the figures stay in figure[].
function line(name, chosen,    key, e, c, n, m, runs, in_runs, width, errors, comms) {
    n = m = runs = in_runs = width = 0
    split("", errors); split("", comms)
    for (key in chosen) {
        errors[++n] = absolute(error[key])
        if (key in comm)
            comms[++m] = absolute(comm[key])
        runs += launches[key]
        in_runs += inside[key]
        width += 100 * (high[key] - low[key]) / mid[key]
    }
    if (n == 0)
        return
    sort_numbers(errors, n)
    sort_numbers(comms, m)
    figure["median"] = quantile(errors, n, 0.5); figure["p95"] = quantile(errors, n, 0.95)
    figure["comm_median"] = quantile(comms, m, 0.5); figure["comm_p95"] = quantile(comms, m, 0.95)
    figure["inside"] = 100 * in_runs / runs
    figure["width"] = width / n
    printf "| %s | %d | %s | %s | %s | %s | %s | %.0f %% | %s |\n", name, n, percent("%.2f", figure["median"]), percent("%.2f", figure["p95"]),
        percent("%.2f", errors[n]), percent("%.2f", figure["comm_median"]), percent("%.2f", figure["comm_p95"]), figure["inside"],
        percent("%.2f", figure["width"])
}

# Where all of `which` stands, in the order of predictions.
function names(which,    i, part, text) {
    for (i = 1; i <= predictions; i++)
        if (predicted[i] in which) {
            split(predicted[i], part, SUBSEP)
            text = text (text == "" ? "" : ", ") part[1] " on " part[2]
        }
    return text
}

function left_out_line(which,    key, n) {
    for (key in which)
        n++
    if (n > 0)
        printf "\nLeft out, for nothing is sent: %d (%s)\n", n, names(which)
}

function judge(what, value, low_limit, high_limit) {
    if (value != "" && (value < low_limit || value > high_limit)) {
        printf "\nmissed: %s %.2f, wanted %s to %s\n", what, value, low_limit, high_limit
        missed = 1
    }
}

# Of first launches, the interval being that of what they drew.
function drawn_line(    key, n, in_runs, width) {
    n = in_runs = width = 0
    for (key in drawn_low) {
        n++
        in_runs += first[key] >= drawn_low[key] && first[key] <= drawn_high[key]
        width += 100 * (drawn_high[key] - drawn_low[key]) / drawn_mid[key]
    }
    if (n > 0)
        printf "\nWhere predictions know what was drawn: %.0f %% inside, width %s\n", 100 * in_runs / n, percent("%.2f", width / n)
}

BEGIN {
    FS = ","
    # percent
    limit_median = 1; limit_p95 = 5
    limit_comm_median = 4; limit_comm_p95 = 15
    limit_inside_low = 85; limit_inside_high = 95
    limit_width = 5
}

FNR == 1 { file++ }

file == 1 { # predicted.csv
    key = $1 SUBSEP $2
    predicted[++predictions] = key
    same[key] = $3; serial[key] = $4
    low[key] = $5; mid[key] = $6; high[key] = $7
    if (NF > 7) {
        drawn_low[key] = $8; drawn_mid[key] = $9; drawn_high[key] = $10
        if (NF > 10 && $11 == 0)
            silent[key]
    }
    next
}

FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

{ # pevpm-run's
    name = program_name($column["program"])
    key = name SUBSEP $column["numprocs"]
    if (!(key in same)) {
        printf "chance.awk: no prediction for %s on %d processes\n", name, $column["numprocs"] >"/dev/stderr"
        missing = 1
        next
    }
    seconds[key, ++launches[key]] = $column["seconds"]
    if (launches[key] == 1)
        first[key] = $column["seconds"]
    inside[key] += $column["seconds"] >= low[key] && $column["seconds"] <= high[key]
}

END {
    for (key in same)
        if (!(key in launches)) {
            split(key, part, SUBSEP)
            printf "chance.awk: %s on %d processes was not measured\n", part[1], part[2] >"/dev/stderr"
            missing = 1
        }
    if (missing)
        exit 2
    if (csv != "")
        print "program,numprocs,measured_s,predicted_s,serial_s,p5_s,p95_s,launches,inside,error_percent" >csv
    for (key in launches) {
        split(key, part, SUBSEP)
        split("", list)
        for (i = 1; i <= launches[key]; i++)
            list[i] = seconds[key, i]
        n = launches[key]
        measured = median(list, n)
        if (key in silent) {
            delete drawn_low[key]
            continue
        }
        error[key] = 100 * (same[key] - measured) / measured
        if (measured - serial[key] >= 0.05 * measured)
            comm[key] = 100 * (same[key] - measured) / (measured - serial[key])
        all[key]
        kind = part[1]
        sub(/-.*/, "", kind)
        kinds[kind]; counts[part[2]]
        of_kind[kind, key]; of_count[part[2], key]
        if (csv != "")
            printf "%s,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%d,%d,%.3f\n", part[1], part[2], measured, same[key], serial[key], low[key],
                high[key], n, inside[key], error[key] >csv
    }
    print "| programs by chance | runs | error, median | 95 % | largest | of communication | 95 % | inside | width |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (count = 1; count <= 4096; count++)
        if (count in counts) {
            split("", chosen)
            for (key in all)
                if ((count, key) in of_count)
                    chosen[key]
            line(count " processes", chosen)
        }
    n_kinds = split("halo pipeline butterfly ring farm graph collectives communicators mixture requests", order, " ")
    for (i = 1; i <= n_kinds; i++) {
        split("", chosen)
        for (key in all)
            if ((order[i], key) in of_kind)
                chosen[key]
        line(order[i], chosen)
    }
    line("all", all)
    drawn_line()
    left_out_line(silent)
    judge("median error", figure["median"], 0, limit_median)
    judge("95th percentile of errors", figure["p95"], 0, limit_p95)
    judge("median error of communication", figure["comm_median"], 0, limit_comm_median)
    judge("95th percentile of errors of communication", figure["comm_p95"], 0, limit_comm_p95)
    judge("runs inside p5-p95", figure["inside"], limit_inside_low, limit_inside_high)
    judge("mean width of p5-p95", figure["width"], 0, limit_width)
    exit missed
}
