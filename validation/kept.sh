# kept.sh - for launches.sh and descriptions.sh: what validate.sh's `chance` has left in a folder. Sourced; $BUILD: build.
# shellcheck shell=bash
# shellcheck source=validation/made.sh
. "$(dirname "${BASH_SOURCE[0]}")/made.sh"
die() { # die CODE MESSAGE
    echo "$(basename "$0"): error: $2" >&2
    exit "$1"
}
build=${BUILD:-build}
work=$(mktemp -d) || die 4 "cannot make a folder"
trap 'rm -rf "$work"' EXIT

# A line for each run of measured-LAUNCH-COUNT.csv: KIND SEED NODESxPPN LAUNCH FROM SECONDS NAME=VALUE...
kept_list() { # kept_list FOLDER
    awk -F, "$(cat "$(dirname "${BASH_SOURCE[0]}")/numbers.awk")"'
    FNR == 1 {
        for (i = 1; i <= NF; i++) column[$i] = i
        next
    }
    {
        name = program_name($column["program"])
        sub(/-/, " ", name)
        print name, $column["nodes"] "x" $column["ppn"], $column["launch"], $column["seed"], $column["seconds"], $column["params"]
    }' "$1"/measured-[0-9]*-*.csv | LC_ALL=C sort
}

# The median of so many replications that compute as the launch did; the file is one without a model error.
kept_predict() { # kept_predict MACHINE KIND SEED NODESxPPN LAUNCH FROM REPLICATIONS "NAME=VALUE ..." [OPTION]...
    local program=$work/$2-$3.pevpm define
    local -a defines=()
    for define in $8; do defines+=(-D "$define"); done
    [ -s "$program" ] || made_program "$2" "$3" >"$program" || return 4
    "$build/pevpm-sim" --quiet --connected -m "$1" -n "$4" -r "$7" -s "$6" -f csv --work-of $(($5 - 1)) \
        ${defines[@]+"${defines[@]}"} "${@:9}" "$program" |
        awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) column[$i] = i} NR == 2 {print $column["median_s"]}'
}

kept_machine() { # kept_machine FILE: without its model error
    awk '/^[^ #]/ {skip = /^model_error:/} !skip || /^#/' "$1"
}
