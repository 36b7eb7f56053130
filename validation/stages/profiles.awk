# profiles.awk - the mean of profiles that pevpm-run has written of launches of one program.
#
#     awk -f profiles.awk profile.csv...
#
# A row that a launch lacks is one of no time. `replications` is the sum. The launches are 1, 2 ... with the same number of runs, so
# together they drew what one launch of all these runs draws.

BEGIN { FS = OFS = "," }

FNR == 1 {
    files++
    for (i = 1; i <= NF; i++)
        column[$i] = i
    header = $0
    next
}

{
    key = $column["line"] FS $column["directive"] FS $column["process"]
    if (!(key in row))
        keys[++n] = key
    row[key] = $0
    runs[FILENAME] = $column["replications"]
    run_time[FILENAME] = $column["run_time_s"]
    for (i = column["time_s"]; i < column["program"]; i++)
        sum[key, i] += $i
}

END {
    for (file in runs) {
        all += runs[file]
        mean += run_time[file] / files
    }
    print header
    for (k = 1; k <= n; k++) {
        $0 = row[keys[k]]
        $column["replications"] = all
        $column["run_time_s"] = mean
        if ("launch" in column)
            $column["launch"] = 1
        for (i = column["time_s"]; i < column["program"]; i++)
            if ($i != "")
                $i = sum[keys[k], i] / files
        print
    }
}
