# modes.sh - for validate.sh: what drawing costs from their distributions is worth. Sourced; `modes` is the stage.
# shellcheck shell=bash disable=SC2154 # its variables are validate.sh's
#
# The programs by chance, predicted with distributions, averages and minima. Where they were measured (chance.sh) each
# mode is held against that; else averages and minima against distributions, and the table says what they would lose on a
# machine that is exactly as its file says.
#
#     chance/modes.csv    program,numprocs,mode,p5,median,p95,sd,computation_sd,wildcards: medians of 100 replications;
#                         sd without the model error; computation_sd, with free communication: what the program's own
#                         draws do
#     modes.md            the table

modes_of() { # modes_of MACHINE MODES PROGRAM
    "$build/pevpm-sim" --quiet --connected -m "$1" -M "$2" -n "$(counts_of chance)" -r 100 -s "$from" -f csv \
        ${chance_defines[@]+"${chance_defines[@]}"} "$3" | awk -F, '
        NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i; next}
        {print $column["numprocs"] "," $column["mode"] "," $column["p5_s"] "," $column["median_s"] "," $column["p95_s"] \
            "," $column["sd_s"]}'
}

modes_predict() {
    local kind seed program wildcards
    while read -r kind seed; do
        program=$results/chance/$kind-$seed.pevpm
        wildcards=$(grep -c MPI_ANY_SOURCE "$program")
        { modes_of "$here/free.yaml" distribution "$program" && echo && modes_of "$machine" distribution,average,minimum "$program"; } |
            awk -F, -v name="$kind-$seed" -v wildcards="$wildcards" '
                NF == 0 {communicates = 1; next}
                communicates {print name "," $0 "," own[$1] "," wildcards; next}
                {own[$1] = $6}'
    done < <(chance_list) >"$results/chance/modes.csv.part" || die 3 "cannot predict programs by chance"
    mv "$results/chance/modes.csv.part" "$results/chance/modes.csv"
}

modes() {
    local file
    local -a measured=()
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    chance_write
    modes_predict
    for file in "$results"/chance/measured-*.csv; do
        [ ! -r "$file" ] || measured+=("$file")
    done
    awk -f "$here/numbers.awk" -f "$here/stages/modes.awk" "$results/chance/modes.csv" ${measured[@]+"${measured[@]}"} \
        >"$results/modes.md" || die 3 "cannot compare the modes"
    cat "$results/modes.md"
}
