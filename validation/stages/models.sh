# models.sh - for validate.sh: which model of message times is enough when. Sourced; `models` is the stage.
# shellcheck shell=bash disable=SC2154 # its variables are validate.sh's
#
# pevpm-estimate measures the analytical models on the cluster. The cases are predicted with each and with `measured`,
# all held against the medians of what `measure` has measured; and where `chance` has run programs by chance in this
# folder, these too, each with the work that its first launch drew.
#
#     models.yaml          the analytical models' parameters, which are not measured again where the file is there; it
#                          need not have what `measured` wants, which is predicted from the machine file
#     models.csv           case,numprocs,model,median
#     models-chance.csv    the same of programs by chance
#     models.md            the tables

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

# Lines of models.csv. CONNECTED: cat, or unconnected, as predict_case has it.
models_with() { # models_with MACHINE MODELS CONNECTED NAME COUNTS OPTION...
    "$build/pevpm-sim" --quiet -m <("$3" "$1") --model "$2" -n "$5" -r "$replications" -f csv "${@:6}" | awk -F, -v name="$4" '
        NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i; next}
        {print name "," $column["numprocs"] "," $column["model"] "," $column["median_s"]}' || die 3 "cannot predict $4"
}

models_of() { # models_of CONNECTED NAME COUNTS OPTION...
    models_with "$machine" measured "$@" && models_with "$results/models.yaml" "${models_all// /,}" "$@"
}

models_predict() {
    local case source parameters parameter connected
    local -a defines
    while read -r case source parameters; do
        defines=()
        for parameter in $parameters; do
            defines+=(-D "$parameter")
        done
        case $source in examples/*) defines+=(--connected) connected=cat ;; *) connected=unconnected ;; esac
        models_of "$connected" "$case" "$(counts_of "$case")" -s "$seed" "${defines[@]}" "$root/${source%:*}" || exit 3
    done < <(selected) >"$results/models.csv.part" || exit 3
    mv "$results/models.csv.part" "$results/models.csv"
}

models_predict_chance() {
    local kind seed
    while read -r kind seed; do
        models_of cat "$kind-$seed" "$(counts_of chance)" --connected -s "$from" --work-of 0 \
            ${chance_defines[@]+"${chance_defines[@]}"} "$results/chance/$kind-$seed.pevpm" || exit 3
    done < <(chance_list) >"$results/models-chance.csv.part" || exit 3
    mv "$results/models-chance.csv.part" "$results/models-chance.csv"
}

models_table() { # models_table PREDICTED MEASURED [KINDS]
    awk -f "$here/numbers.awk" -f "$here/stages/models.awk" -v models="measured $models_all" -v kinds="${3:-0}" "$1" "$2" ||
        die 3 "cannot compare the models"
}

# Of the first launch, as models.awk wants it: case,,,numprocs,,seconds.
models_measured_chance() {
    echo case
    sed -e '/^program,/d' -e 's/^<--random \([a-z]*\) --seed \([0-9]*\)>/\1-\2/' "$results"/chance/measured-1-*.csv |
        awk -F, '{sub(/[.]pevpm$/, "", $1); print $1 ",,," $3 ",," $NF}'
}

models() {
    local chance=no
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    ! compgen -G "$results/chance/measured-1-*.csv" >/dev/null || chance=yes
    [ -r "$results/measured.csv" ] || [ "$chance" = yes ] || die 3 "there is no $results/measured.csv: measure first"
    models_estimate
    : >"$results/models.md"
    if [ -r "$results/measured.csv" ]; then
        models_predict
        models_table "$results/models.csv" "$results/measured.csv" >>"$results/models.md"
    fi
    if [ "$chance" = yes ]; then
        chance_write
        models_predict_chance
        printf '\nPrograms by chance:\n\n' >>"$results/models.md"
        models_table "$results/models-chance.csv" <(models_measured_chance) 1 >>"$results/models.md"
    fi
    cat "$results/models.md"
}
