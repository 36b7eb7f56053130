# Predictions of unchanged public programs beside what was measured: measured.csv and predicted.csv of public.sh, and
# what --program and --check said (NAME.txt, NAME.check and, with --sizes any, NAME.any in the folder `results`). +-: how far two
# launches are from their mean, where that is more than 2.5 %.

function read_check(file,    line, verdict, wrong) {
    verdict = "not asked"
    while ((getline line < file) > 0) {
        if (line ~ /error:.* the run did |no directive: /) wrong = 1 # said something else or less, before any table was asked
        if (line ~ /as the directives say$/) verdict = "equal"
        else if (line ~ /others differ$/ && verdict != "refused") verdict = "different"
        else if (line ~ /error:/ && line ~ /this table is known only at|cannot open/) verdict = "refused"
    }
    return wrong ? "different" : verdict
}

# "but sizes": every call with its partner, and sizes by their means.
function said(name,    verdict) {
    verdict = read_check(results "/" name ".check")
    return verdict == "different" && read_check(results "/" name ".any") == "equal" ? "but sizes" : verdict
}

function noted(name,    line, file, n) {
    file = results "/" name ".txt"
    while ((getline line < file) > 0)
        n += line ~ /stays a table|but .* gives the same|cannot be written|follows the data/
    return n + 0
}

BEGIN { FS = "," }
FNR == NR { measured[$1, $2] = measured[$1, $2] " " $3; next }
!($1 in seen) { seen[$1]; order[++n] = $1 }
{ predicted[$1, $2] = $3 }
END {
    print "| program | at 16, call by call | notes | 2 | 4 | 8 | 16 |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        row = "| " name " | " said(name) " | " noted(name) " |"
        for (count = 2; count <= 16; count *= 2) {
            runs = split(measured[name, count], times, " ")
            time = runs > 0 ? median(times, runs) : 0
            if (time == 0 || predicted[name, count] == "") {
                row = row (time > 0 ? sprintf(" %.2f s, - |", time) : " - |")
                continue
            }
            error = 100 * (predicted[name, count] / time - 1)
            apart = 100 * (times[runs] - times[1]) / (times[runs] + times[1]) # median() has sorted them
            row = row sprintf(" %.2f s%s, %+.1f %% |", time, apart > 2.5 ? sprintf(" +- %.0f %%", apart) : "", error)
            size = error < 0 ? -error : error
            if (count < 16) recorded[++r] = size
            else beyond[++b] = size
            if (apart > 2.5) continue
            if (count < 16) recorded_alike[++ra] = size
            else beyond_alike[++ba] = size
        }
        print row
    }
    if (r) { m = median(recorded, r); printf "\nAt the recorded counts: median error %.1f %%, largest %.1f %%.", m, recorded[r] }
    if (b) { m = median(beyond, b); printf " At 16, never recorded: median %.1f %%, largest %.1f %%.\n", m, beyond[b] }
    if (ra + ba) printf "Where launches agree within 5 %%:"
    if (ra) { m = median(recorded_alike, ra); printf " %.1f and %.1f %% (%d);", m, recorded_alike[ra], ra }
    if (ba) { m = median(beyond_alike, ba); printf " at 16 %.1f and %.1f %% (%d)", m, beyond_alike[ba], ba }
    if (ra + ba) print "."
}
