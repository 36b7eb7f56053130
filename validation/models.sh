# models.sh - for validate.sh: which model of message times is enough when. Sourced; `models` is the stage.
# shellcheck shell=bash disable=SC2154 # its variables are validate.sh's
#
# pevpm-estimate measures the analytical models on the cluster, and the cases are predicted with each and with `measured`,
# all held against the medians of what `measure` has measured.
#
#     models.yaml    the machine file with the models' parameters, which are not measured again where it is there
#     models.csv     case,numprocs,model,median
#     models.md      the table

models_all="hockney logp loggp plogp lmo"

models_estimate() {
    local hosts
    [ ! -s "$results/models.yaml" ] || return 0
    raise
    note_busy
    hosts=$("$cluster" status --name "$name" | grep -c '^  h[0-9]')
    run -n "$hosts" "$build/pevpm-estimate" -m "$machine" -o "$results/models.yaml" --models "${models_all// /,}" ||
        die 4 "pevpm-estimate failed"
}

models_predict() {
    local case source parameters parameter
    local -a defines
    while read -r case source parameters; do
        defines=()
        for parameter in $parameters; do
            defines+=(-D "$parameter")
        done
        "$build/pevpm-sim" --quiet -m "$results/models.yaml" -n "$(counts_of "$case")" -r "$replications" -s "$seed" -f csv \
            --model "measured,${models_all// /,}" "${defines[@]}" "$root/${source%:*}" | awk -F, -v name="$case" '
            NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i; next}
            {print name "," $column["numprocs"] "," $column["model"] "," $column["median_s"]}' ||
            die 3 "cannot predict $case"
    done < <(selected) >"$results/models.csv.part" || exit 3
    mv "$results/models.csv.part" "$results/models.csv"
}

models() {
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    [ -r "$results/measured.csv" ] || die 3 "there is no $results/measured.csv: measure first"
    models_estimate
    models_predict
    awk -f "$here/numbers.awk" -f "$here/models.awk" -v models="measured $models_all" "$results/models.csv" \
        "$results/measured.csv" >"$results/models.md" || die 3 "cannot compare the models"
    cat "$results/models.md"
}
