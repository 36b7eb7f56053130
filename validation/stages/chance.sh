# chance.sh - for validate.sh: programs made by chance, run and predicted. Sourced; `chance` is the stage.
# shellcheck shell=bash disable=SC2154 # its variables are validate.sh's
#
# $programs programs of all kinds by turns, from $from on; the bench judges itself with others (from a thousand million
# on). Each runs in a job of its own, as a user's does and as it is predicted: what a program before it has left in the
# connections is not its own. One job at a time: beside others, programs of short messages take up to twice as long on two
# cores. What is there already is not measured again: remove $results/chance to begin anew.
#
#     chance/PROGRAM.pevpm                 the programs
#     chance/measured-LAUNCH-COUNT.csv     what pevpm-run says, a row for each program; a launch draws the numbers of one
#                                          replication
#     chance/predicted.csv                 program,numprocs,same,serial,p5,median,p95, p5,median,p95 of the first launch's
#                                          computations, and how many messages are sent where all
#                                          collectives are carried out by them: `same` is the median over the launches of what each one's
#                                          computations make of 25 replications, without the model error; `serial` that of
#                                          the launches with free communication
#     chance.md, chance.csv                the table, and a line for each (program, numprocs)
#
# `explain` runs those whose errors are the largest again, with a profile, in jobs of their own too:
#
#     chance/profile-PROGRAM-COUNT.csv     what pevpm-run says, the mean of three launches; .txt: what
#                                          `pevpm-sim judge --profile` says

profiled_launches=3 kinds="halo pipeline butterfly ring farm graph collectives communicators mixture requests"

chance_list() { # KIND SEED of each program
    local i
    local -a kind
    read -r -a kind <<<"$kinds"
    for ((i = 0; i < programs; i++)); do
        echo "${kind[i % ${#kind[@]}]} $((from + i / ${#kind[@]}))"
    done
}

chance_write() {
    local kind seed
    mkdir -p "$results/chance" || die 4 "cannot make the folder $results/chance"
    while read -r kind seed; do
        [ -s "$results/chance/$kind-$seed.pevpm" ] ||
            made_program "$kind" "$seed" >"$results/chance/$kind-$seed.pevpm" ||
            die 4 "cannot write the programs"
    done < <(chance_list)
}

chance_raise() { # only where something is to be measured
    [ -z "${raised:-}" ] || return 0
    raise
    note_busy
}

# Processes are connected in MPI_Init, as all that is measured here (validate.sh).
chance_job() { # chance_job PROCESSES COUNT LAUNCH PROGRAM OPTION...: pevpm-run, in the folder of the programs
    local run
    local -a connected=()
    run=$(readlink -f "$build/pevpm-run")
    [ -n "$world_mpi" ] || connected=(-- --mca mpi_preconnect_mpi 1 --)
    (cd "$results/chance" &&
        run -n "$1" --ppn "$(ppn_of "$2")" ${connected[@]+"${connected[@]}"} "$run" --quiet -s "$from" --launch "$3" \
            ${chance_defines[@]+"${chance_defines[@]}"} "${@:5}" "$4.pevpm" </dev/null) || die 4 "$4 failed on $1 processes"
}

chance_run() { # chance_run LAUNCH COUNT: those that are not there yet
    local file=measured-$1-$2.csv kind seed
    while read -r kind seed; do
        grep -qs -e "^$kind-$seed.pevpm," -e "^<--random $kind --seed $seed>," "$results/chance/$file" && continue
        chance_raise
        chance_job "$(processes_of "$2")" "$2" "$1" "$kind-$seed" --append -o "$file" || exit $?
    done < <(chance_list)
}

chance_measure() {
    local launch count counts
    counts=$(counts_of chance)
    for ((launch = 1; launch <= launches; launch++)); do
        for count in ${counts//,/ }; do
            say "chance: launch $launch of $launches, $programs programs on $(processes_of "$count") processes"
            chance_run "$launch" "$count"
        done
    done
}

chance_predict_with() { # chance_predict_with COLUMNS MACHINE REPLICATIONS PROGRAM [OPTION]...: numprocs and these columns
    local wanted=$1 on=$2 replications=$3
    shift 3
    "$build/pevpm-sim" --quiet --connected -m "$on" -n "$(counts_of chance)" -r "$replications" -s "$from" -f csv \
        ${chance_defines[@]+"${chance_defines[@]}"} "$@" |
        awk -F, -v wanted="$wanted" '
            BEGIN {n = split(wanted, name, " ")}
            NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i; next}
            {line = $column["numprocs"]; for (i = 1; i <= n; i++) line = line "," $column[name[i]]; print line}'
}

chance_same() { # chance_same MACHINE PROGRAM: numprocs and the median over the launches, whose work each one's replications have
    local launch
    for ((launch = 0; launch < launches; launch++)); do
        chance_predict_with median_s "$1" 25 "$2" --work-of "$launch"
    done | sort -t, -k1,1n -k2,2g | awk -F, -v n="$launches" '++seen[$1] == (n + 1) / 2'
}
chance_predict() {
    local kind seed program plain=$results/chance/plain.yaml
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    awk '/^[^ #]/ {skip = /^model_error:/} !skip || /^#/' "$machine" >"$plain" || die 4 "cannot write $plain"
    while read -r kind seed; do
        program=$results/chance/$kind-$seed.pevpm
        paste -d, <(chance_same "$plain" "$program") \
            <(chance_predict_with median_s "$here/free.yaml" "$launches" "$program" | cut -d, -f2) \
            <(chance_predict_with "p5_s median_s p95_s" "$machine" 100 "$program" | cut -d, -f2-) \
            <(chance_predict_with "p5_s median_s p95_s" "$machine" 25 "$program" --work-of 0 | cut -d, -f2-) \
            <(chance_predict_with messages "$here/free.yaml" 1 "$program" | cut -d, -f2) |
            sed "s/^/$kind-$seed,/"
    done < <(chance_list) >"$results/chance/predicted.csv.part" || die 3 "cannot predict programs by chance"
    mv "$results/chance/predicted.csv.part" "$results/chance/predicted.csv"
}

chance_worst() { # PROGRAM PROCESSES MEASURED PREDICTED ERROR of the ten largest errors
    awk -F, 'NR > 1 {print ($10 < 0 ? -$10 : $10), $1, $2, $3, $4, $10}' "$results/chance.csv" |
        LC_ALL=C sort -k1,1gr -k2,2 -k3,3n | sed -n '1,10s/^[^ ]* //p'
}

# Where an error comes from, as cells of the table: the directive that is furthest off, and its part of the run's error.
chance_where() { # chance_where PROGRAM PROCESSES
    local profile=$results/chance/profile-$1-$2
    [ -s "$profile.csv" ] || { echo '- | -'; return; }
    "$build/pevpm-sim" judge --quiet -m "$machine" -r "$profiled_launches" -s "$from" --profile "$profile.csv" \
        >"$profile.txt" || die 3 "cannot judge $profile.csv"
    awk 'NR == 1 {error = $(NF - 1); sub("[(]", "", error)}
        /^ *line / {first = NR + 1}
        first == NR {print ($1 ~ /^[0-9]/ ? "line " $1 " " $2 : "after the end") " | " $(NF - 1) " of " error " %"}' "$profile.txt"
}

chance_worst_table() {
    local program processes measured predicted error where
    printf '\nThe largest errors, and what is furthest off where there is a profile (stage explain):\n\n'
    echo "| program | processes | measured | predicted | error | directive | its part of the profiled launches' error |"
    echo '|---|---|---|---|---|---|---|'
    while read -r program processes measured predicted error; do
        where=$(chance_where "$program" "$processes") || exit $?
        printf '| %s | %d | %.4g s | %.4g s | %+.1f %% | %s |\n' "$program" "$processes" "$measured" "$predicted" "$error" "$where"
    done < <(chance_worst)
}

chance_table() {
    awk -f "$here/numbers.awk" -f "$here/stages/chance.awk" -v csv="$results/chance.csv" "$results/chance/predicted.csv" \
        "$results"/chance/measured-*.csv >"$results/chance.md.part"
    local code=$?
    [ "$code" -le 1 ] || die 3 "cannot compare programs by chance"
    chance_worst_table >>"$results/chance.md.part" || exit $?
    mv "$results/chance.md.part" "$results/chance.md"
    cat "$results/chance.md"
    return "$code"
}

chance() { # an even number's median is another one here than pevpm-sim's
    [ $((launches % 2)) -eq 1 ] || die 2 "--launches $launches: chance wants an odd number"
    chance_write
    chance_measure
    chance_predict
    chance_table
}

count_of() { # count_of PROCESSES: as the world places them
    local count counts
    counts=$(counts_of chance)
    for count in ${counts//,/ }; do
        [ "$(processes_of "$count")" != "$1" ] || { echo "$count"; return; }
    done
    die 2 "programs by chance ran on $1 processes, which are none of $counts"
}

# Runs a program by chance with a profile, unless that is there: of the draws that chance_where predicts.
explain_run() { # explain_run PROGRAM PROCESSES
    local count launch profile=profile-$1-$2
    [ ! -s "$results/chance/$profile.csv" ] || return 0
    count=$(count_of "$2") || exit $?
    chance_raise
    say "explain: $1 on $2 processes"
    for ((launch = 1; launch <= profiled_launches; launch++)); do
        chance_job "$2" "$count" "$launch" "$1" --profile-output "$profile-$launch.csv" || exit $?
    done
    awk -f "$here/stages/profiles.awk" "$results/chance/$profile"-[0-9]*.csv >"$results/chance/$profile.csv.part" &&
        mv "$results/chance/$profile.csv.part" "$results/chance/$profile.csv" || die 4 "cannot write $profile.csv"
    rm -f "$results/chance/$profile"-[0-9]*.csv
}

explain() {
    local program processes
    [ -r "$results/chance.csv" ] || die 3 "there is no $results/chance.csv: run the stage chance first"
    [ -r "$machine" ] || die 3 "there is no $machine: calibrate first, or give --machine"
    while read -r program processes _; do
        explain_run "$program" "$processes" || exit $?
    done < <(chance_worst)
    chance_table
}
