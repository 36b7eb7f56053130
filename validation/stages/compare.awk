# compare.awk - predicted against measured: validate.sh's table, and whether the limits are kept.
#
#     awk -f numbers.awk -f compare.awk [-v csv=FILE] predicted.csv measured.csv
#
# predicted.csv  pevpm-sim's columns behind the case's name; mode `serial` is the run with free communication
# measured.csv   case,program,params,numprocs,launch,seconds,dropped
# Prints Markdown, a section with a table for each kind of case: what stands before the slash of its name, `programs` where
# there is none. FILE gets one row for each (case, numprocs, mode). Exit code 1 where the distribution mode misses a limit
# in any section.
#
#     error                (predicted - measured) / measured, of the medians
#     communication error  (predicted - measured) / (measured - serial); none for one process, which has nobody to talk to
#     inside               measured runs in p5 ... p95 of the prediction

BEGIN {
    FS = ","
    # The limits of distribution mode, in percent: median and largest |error|, the same of communication alone, runs
    # inside p5 ... p95 (at least, at most), and that interval's mean width.
    limit_median = 2; limit_largest = 5
    limit_comm_median = 5; limit_comm_largest = 12
    limit_inside_low = 80; limit_inside_high = 98
    limit_width = 4
    modes = split("distribution average average@2x1 minimum", mode_name, " ")
}

FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

FNR == NR { # predicted.csv
    key = $column["case"] SUBSEP $column["numprocs"] SUBSEP $column["mode"]
    low[key] = $column["p5_s"]
    mid[key] = $column["median_s"]
    high[key] = $column["p95_s"]
    next
}

{ # measured.csv
    key = $column["case"] SUBSEP $column["numprocs"]
    if (!(key in runs)) {
        order[++points] = key
        name[key] = $column["case"]
        slash = index($column["case"], "/")
        kind[key] = slash ? substr($column["case"], 1, slash - 1) : "programs"
        short[key] = substr($column["case"], slash + 1)
        if (!(kind[key] in met))
            section[++sections] = kind[key]
        met[kind[key]]
        numprocs[key] = $column["numprocs"]
    }
    seconds[key, ++runs[key]] = $column["seconds"] + 0
    dropped[key] += $column["dropped"]
}

# What one point says about one mode: into error, comm, inside and width.
function judge(key, mode,    i, p) {
    p = key SUBSEP mode
    error = 100 * (mid[p] - measured) / measured
    comm = numprocs[key] == 1 ? "" : measured > serial ? 100 * (mid[p] - measured) / (measured - serial) : 0
    inside = 0
    for (i = 1; i <= runs[key]; i++)
        inside += seconds[key, i] >= low[p] && seconds[key, i] <= high[p]
    width = 100 * (high[p] - low[p]) / mid[p]
    errors[mode, ++count[mode]] = absolute(error)
    if (comm != "")
        comms[mode, ++comm_count[mode]] = absolute(comm)
    insides[mode] += inside
    widths[mode] += width
    if (csv != "")
        printf "%s,%d,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f,%s,%d,%d,%d\n", name[key], numprocs[key], mode, measured, \
            least, most, serial, mid[p], low[p], high[p], error, comm == "" ? "" : sprintf("%.3f", comm), inside, runs[key], \
            dropped[key] >csv
}

function show_point(key,    i, n, list, m, averages) {
    n = runs[key]
    for (i = 1; i <= n; i++)
        list[i] = seconds[key, i]
    measured = median(list, n)
    least = list[1]
    most = list[n]
    total_runs += n
    if (!((key SUBSEP "serial") in mid)) {
        printf "compare.awk: no prediction for %s on %d processes\n", name[key], numprocs[key] >"/dev/stderr"
        failed = 2
        exit 2
    }
    serial = mid[key, "serial"]
    for (m = modes; m >= 1; m--) {
        if (!((key SUBSEP mode_name[m]) in mid))
            continue
        judge(key, mode_name[m])
        error_of[m] = error
    }
    printf "| %s | %d | %.4f | %.4f - %.4f | %.0f %% | %d | %.4f | %.4f - %.4f | %+.1f %% | %s | %d of %d | %+.1f %% | %+.1f %% |\n", \
        short[key], numprocs[key], measured, least, most, 100 * (1 - serial / measured), dropped[key], \
        mid[key, "distribution"], low[key, "distribution"], high[key, "distribution"], error, percent("%+.1f", comm), inside, n, \
        error_of[2], error_of[3]
}

function verdict(what, value, ok) {
    if (value == "-") # nothing to judge
        return
    printf "| %s | %s | %s |\n", what, value, ok ? "kept" : "missed"
    if (!ok)
        missed = 1
}

function pick(from, mode, n,    i) {
    split("", chosen)
    for (i = 1; i <= n; i++)
        chosen[i] = from[mode, i]
    return n
}

function show_summary(    m, mode, n, e, largest, c, comm_largest, share, wide) {
    print "\n| mode | median error | largest | of communication | largest | runs inside p5 - p95 | mean width |"
    print "|---|---|---|---|---|---|---|"
    for (m = 1; m <= modes; m++) {
        mode = mode_name[m]
        if (!count[mode])
            continue
        n = pick(errors, mode, count[mode])
        e[m] = median(chosen, n)
        largest[m] = chosen[n]
        n = pick(comms, mode, comm_count[mode])
        c[m] = median(chosen, n)
        comm_largest[m] = n ? chosen[n] : ""
        share[m] = 100 * insides[mode] / total_runs
        wide[m] = widths[mode] / count[mode]
        printf "| %s | %.2f %% | %.2f %% | %s | %s | %.0f %% | %.2f %% |\n", mode, e[m], largest[m], percent("%.2f", c[m]), \
            percent("%.2f", comm_largest[m]), share[m], wide[m]
    }
    print "\n| limit for distribution mode | value | |"
    print "|---|---|---|"
    verdict("median error at most " limit_median " %", sprintf("%.2f %%", e[1]), e[1] <= limit_median)
    verdict("largest error at most " limit_largest " %", sprintf("%.2f %%", largest[1]), largest[1] <= limit_largest)
    verdict("of communication at most " limit_comm_median " %", percent("%.2f", c[1]), c[1] <= limit_comm_median)
    verdict("its largest at most " limit_comm_largest " %", percent("%.2f", comm_largest[1]), comm_largest[1] <= limit_comm_largest)
    verdict("runs inside p5 - p95: " limit_inside_low " to " limit_inside_high " %", sprintf("%.0f %%", share[1]), \
            share[1] >= limit_inside_low && share[1] <= limit_inside_high)
    verdict("mean width under " limit_width " %", sprintf("%.2f %%", wide[1]), wide[1] < limit_width)
}

function show_section(which,    i) {
    split("", count)
    split("", comm_count)
    split("", insides)
    split("", widths)
    total_runs = 0
    print (which == section[1] ? "" : "\n") "## " toupper(substr(which, 1, 1)) substr(which, 2) "\n"
    print "| program | P | measured, s | min - max | communication | drops | predicted, s | p5 - p95 | error | of communication |" \
          " inside | average | average@2x1 |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= points; i++)
        if (kind[order[i]] == which)
            show_point(order[i])
    show_summary()
}

END {
    if (failed)
        exit failed
    if (!points) {
        print "compare.awk: nothing was measured" >"/dev/stderr"
        exit 2
    }
    if (csv != "")
        print "case,numprocs,mode,measured_s,measured_min_s,measured_max_s,serial_s,predicted_s,p5_s,p95_s,error_percent," \
              "communication_error_percent,inside,runs,dropped" >csv
    for (s = 1; s <= sections; s++)
        show_section(section[s])
    exit missed
}
