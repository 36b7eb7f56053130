# models.awk - predictions of the cases with each model against measured runs; models.sh has the columns.
#
#     awk -f numbers.awk -f models.awk -v models="measured hockney ..." models.csv measured.csv
#
# Prints Markdown: the median of the absolute errors in percent, over the numbers of processes, by case and model; then
# median and largest of all. Exit code 2 where nothing was both measured and predicted.

BEGIN { FS = ","; n_models = split(models, model, " ") }
FNR == 1 { file++ }

file == 1 { predicted[$1, $2, $3] = $4; next }
FNR == 1 { next }
{
    if (!($1 in seen)) { seen[$1]; order[++n_cases] = $1 }
    runs[$1, $4, ++n_runs[$1, $4]] = $6
    counts[$1] = index(counts[$1] " ", " " $4 " ") ? counts[$1] : counts[$1] " " $4
}

END {
    printf "| program |"
    for (m = 1; m <= n_models; m++)
        printf " %s |", model[m]
    printf "\n|---|"
    for (m = 1; m <= n_models; m++)
        printf "---|"
    print ""
    for (c = 1; c <= n_cases; c++) {
        line = ""
        for (m = 1; m <= n_models; m++) {
            n = 0
            for (i = split(counts[order[c]], count, " "); i >= 1; i--) {
                key = order[c] SUBSEP count[i]
                if (!((key, model[m]) in predicted))
                    continue
                for (k = 1; k <= n_runs[key]; k++)
                    list[k] = runs[key, k]
                errors[++n] = all[model[m], ++n_all[model[m]]] = \
                    100 * absolute(predicted[key, model[m]] / median(list, n_runs[key]) - 1)
            }
            if (n > 0)
                line = line sprintf(" %.1f %% |", median(errors, n))
        }
        if (line != "")
            print "| " order[c] " |" line
    }
    printf "| **median of all** |"
    for (m = 1; m <= n_models; m++) {
        for (k = 1; k <= n_all[model[m]]; k++)
            list[k] = all[model[m], k]
        printf " %s |", percent("%.1f", median(list, n_all[model[m]]))
        largest[m] = list[n_all[model[m]]]
    }
    printf "\n| **largest** |"
    for (m = 1; m <= n_models; m++)
        printf " %s |", percent("%.0f", largest[m])
    print ""
    if (!n_all[model[1]])
        exit 2
}
