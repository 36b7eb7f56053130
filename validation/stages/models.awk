# models.awk - predictions of the cases with each model against measured runs; models.sh has the columns.
#
#     awk -f numbers.awk -f models.awk -v models="measured hockney ..." models.csv measured.csv
#
# Prints Markdown: the median of the absolute errors in percent, over the numbers of processes, by case and model (-v
# kinds=1: by kind of program, a case being KIND-SEED); then median, 95 % and largest of all. Exit code 2 where nothing
# was both measured and predicted.

BEGIN { FS = ","; n_models = split(models, model, " ") }
FNR == 1 { file++ }

file == 1 { predicted[$1, $2, $3] = $4; next }
FNR == 1 { next }
{
    if (!($1 in seen)) { seen[$1]; order[++n_cases] = $1 }
    runs[$1, $4, ++n_runs[$1, $4]] = $6
    counts[$1] = index(counts[$1] " ", " " $4 " ") ? counts[$1] : counts[$1] " " $4
}

# What is both measured and predicted of a case with a model, to the errors of its row and of all.
function errors_add(c, m,    i, k, count, key, list, row) {
    row = row_of(order[c])
    for (i = split(counts[order[c]], count, " "); i >= 1; i--) {
        key = order[c] SUBSEP count[i]
        if (!((key, model[m]) in predicted))
            continue
        for (k = 1; k <= n_runs[key]; k++)
            list[k] = runs[key, k]
        errors[row, m, ++n_errors[row, m]] = all[m, ++n_all[m]] = \
            100 * absolute(predicted[key, model[m]] / median(list, n_runs[key]) - 1)
    }
}

function row_of(name) {
    if (kinds)
        sub(/-[0-9]+$/, "", name)
    if (!(name in rows)) { rows[name]; row_name[++n_rows] = name }
    return name
}

function row_print(row,    m, k, list, line) {
    for (m = 1; m <= n_models; m++) {
        for (k = 1; k <= n_errors[row, m]; k++)
            list[k] = errors[row, m, k]
        if (n_errors[row, m])
            line = line sprintf(" %.1f %% |", median(list, n_errors[row, m]))
    }
    if (line != "")
        print "| " row " |" line
}

# The error that a part of all do not pass, of each model.
function part_print(name, format, part,    m, k, list, at) {
    printf "| **%s** |", name
    for (m = 1; m <= n_models; m++) {
        for (k = 1; k <= n_all[m]; k++)
            list[k] = all[m, k]
        sort_numbers(list, n_all[m])
        at = int(part * n_all[m])
        at = at < part * n_all[m] ? at + 1 : at
        printf " %s |", percent(format, part == 0.5 ? median(list, n_all[m]) : n_all[m] ? list[at] : "")
    }
    print ""
}

END {
    printf "| program |"
    for (m = 1; m <= n_models; m++)
        printf " %s |", model[m]
    printf "\n|---|"
    for (m = 1; m <= n_models; m++)
        printf "---|"
    print ""
    for (c = 1; c <= n_cases; c++)
        for (m = 1; m <= n_models; m++)
            errors_add(c, m)
    for (r = 1; r <= n_rows; r++)
        row_print(row_name[r])
    part_print("median of all", "%.1f", 0.5)
    part_print("95 %", "%.0f", 0.95)
    part_print("largest", "%.0f", 1)
    if (!n_all[1])
        exit 2
}
