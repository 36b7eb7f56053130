# pairs.awk - the median error of each model over all pairs of nodes: awk -f numbers.awk -f pairs.awk PAIRS PREDICTED
# Lines of PAIRS: a, b, bytes, seconds; of PREDICTED: a, b, bytes, model, seconds.

FNR == NR { took[$1, $2, $3] = $4; next }
{
    error = absolute($5 / took[$1, $2, $3] - 1) * 100
    if (!($3 in known_size)) { known_size[$3]; sizes[++n_sizes] = $3 }
    if (!($4 in known_model)) { known_model[$4]; models[++n_models] = $4 }
    of[$4, $3, ++count[$4, $3]] = error
    all[$4, ++number[$4]] = error
}
END {
    sort_numbers(sizes, n_sizes)
    head = "| bytes |"; line = "|---|"
    for (s = 1; s <= n_sizes; s++) { head = head " " sizes[s] " |"; line = line "---|" }
    print head " all |"; print line "---|"
    for (m = 1; m <= n_models; m++) {
        row = "| " models[m] " |"
        for (s = 1; s <= n_sizes; s++) {
            split("", list)
            for (i = 1; i <= count[models[m], sizes[s]]; i++)
                list[i] = of[models[m], sizes[s], i]
            row = row " " percent("%.3g", median(list, i - 1)) " |"
        }
        split("", list)
        for (i = 1; i <= number[models[m]]; i++)
            list[i] = all[models[m], i]
        print row " " percent("%.3g", median(list, i - 1)) " |"
    }
}
