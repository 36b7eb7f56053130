# Predictions of annotated public programs beside what was measured: measured.csv and predicted.csv of annotate.sh, and
# of each program what pevpm-annotate said (NAME.txt), what --check said (NAME.check), and what was edited (NAME.diff).

# Lines written, recorded calls and those that stand in the lines, holes; of the edits, lines that went and that came.
function read_files(name,    line, word) {
    lines = calls = covered = holes = gone = come = 0
    while ((getline line < (results "/" name ".txt")) > 0) {
        holes += line ~ /^hole: /
        if (line ~ /lines with directives/) {
            split(line, word, " ")
            lines = word[1]; covered = word[5]; calls = word[7]
        }
    }
    while ((getline line < (results "/" name ".diff")) > 0) {
        gone += line ~ /^-[^-]/
        come += line ~ /^\+[^+]/
    }
}

# At how many counts the final version is, call by call, what a recording shows.
function equal(name,    line, n) {
    while ((getline line < (results "/" name ".check")) > 0)
        n += line ~ /as the directives say$/
    return n + 0
}

function error(version, name, count,    list, n) {
    n = split(measured[name, count], list, " ")
    if (n == 0 || predicted[name, version, count] == "")
        return ""
    return 100 * (predicted[name, version, count] / median(list, n) - 1)
}

function shown(version, name,    count, text) {
    for (count = 2; count <= 16; count *= 2)
        text = text (error(version, name, count) == "" ? " - |" : sprintf(" %+.1f |", error(version, name, count)))
    return text
}

function keep(value, at) {
    if (value != "")
        errors[at, ++n_errors[at]] = value < 0 ? -value : value
}

function summary(at,    i, list, most) {
    for (i = 1; i <= n_errors[at]; i++) {
        list[i] = errors[at, i]
        most = list[i] > most ? list[i] : most
    }
    return n_errors[at] ? sprintf("median %.1f %%, largest %.1f %%", median(list, n_errors[at]), most) : "none"
}

BEGIN { FS = "," }
FNR == NR { measured[$1, $2] = measured[$1, $2] " " $3; next }
!($1 in seen) { seen[$1]; order[++n] = $1 }
{ predicted[$1, $2, $3] = $4 }
END {
    print "# Annotated public programs\n"
    print "What `pevpm-annotate` made of recordings at 2, 4 and 8 processes on the virtual cluster (flat), and what was edited by"
    print "hand: `NAME.diff`, from its output to the final version. What it said, with the holes, is in `NAME.txt`, and what"
    print "`pevpm-record --check` says of the final version in `NAME.check`. Measured in launches after the first (`measured.csv`)."
    print "Errors of predictions, in % of the measured median. [annotate.sh](../../studies/annotate.sh) makes all of it.\n"
    print "| program | calls in lines | lines written | edited | holes | call by call at | as written, % at 2 | 4 | 8 | 16 |" \
          " edited, % at 2 | 4 | 8 | 16 |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        read_files(name)
        edited = gone > come ? gone : come
        printf "| %s | %d of %d | %d | %d (%.0f %%) | %d | %d of 4 counts |%s%s\n", name, covered, calls, lines, edited,
               lines ? 100 * edited / lines : 0, holes, equal(name), shown("written", name), shown("final", name)
        for (count = 2; count <= 16; count *= 2) {
            keep(error("written", name, count), "written" (count == 16))
            keep(error("final", name, count), "final" (count == 16))
        }
    }
    printf "\nAs written, recorded counts: %s; at 16: %s.\n", summary("written" 0), summary("written" 1)
    printf "Edited, recorded counts: %s; at 16: %s.\n", summary("final" 0), summary("final" 1)
}
