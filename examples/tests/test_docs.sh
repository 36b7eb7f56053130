#!/bin/sh
# The documents say what the program does: every option of --help stands in the reference and in the man page, man
# pages are clean, links lead somewhere, to places in pages too, the commands that README.md shows print what it says,
# and so do those of docs/profile.md and docs/gains.md where these quote from it.
#
# A block of README.md that is run starts with a line `$ COMMAND`, goes on with `> ` lines, and then holds the output.
# Lines that start with `simulated` hold times and are not compared. UPDATE_GOLDEN=1 writes the outputs into README.md.
# Started from the project's root.
set -u

. common/tests/check.sh
need "$build/pevpm-sim"
unset PEVPM_MACHINE

# options FILE: those that stand there, but for a launcher's, valgrind's, the virtual cluster's and validate.sh's
options() { sed 's/\\-/-/g; /mpirun/d; /valgrind/d; /cluster up/d; /validate\.sh/d' "$1" | grep -o -e '--[a-z][a-z-]*' | sort -u; }
# known PAGE FILE: what PAGE says of options stands in FILE, in options' own words
known() {
    options "$1" | comm -23 - "$2" >"$folder/list"
    if [ -s "$folder/list" ]; then fail "$1 mentions" && indent "$folder/list"; else pass; fi
}
mentions() { # mentions PAGE FILE: every option in FILE stands on PAGE
    options "$1" | comm -13 - "$2" >"$folder/list"
    if [ -s "$folder/list" ]; then fail "$1 does not mention" && indent "$folder/list"; else pass; fi
}
for program in pevpm-sim pevpm-bench pevpm-estimate pevpm-run pevpm-time pevpm-record pevpm-annotate; do
    [ -x "$build/$program" ] || { skip "$program was not built"; continue; }
    LSAN_OPTIONS=detect_leaks=0 "$build/$program" --help >"$folder/help" 2>"$folder/err" # leaks: MPI's own
    [ $program != pevpm-sim ] || { "$build/$program" compare --help; "$build/$program" decide --help; } >>"$folder/help"
    options "$folder/help" >"$folder/$program"
    mentions docs/man/$program.1 "$folder/$program"
done
mentions docs/cli.md "$folder/pevpm-sim"
if [ -e "$folder/pevpm-bench" ]; then
    sort -u "$folder"/pevpm-* >"$folder/every"
    for page in README.md docs/*.md docs/*/*.md docs/man/*.[157]; do known "$page" "$folder/every"; done
fi

if command -v groff >/dev/null; then
    for page in docs/man/*.[157]; do
        groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null | tee "$folder/groff" | sed 's/^/    /'
        if [ -s "$folder/groff" ]; then fail "$page"; else pass; fi
    done
else
    skip "no groff to read the man pages"
fi

# Of each page ($folder/pages) what its links lead to, a line each: the page, the link, the file that it means, and whether that
# has the place: `-` where none is asked for. Places are headings as GitHub spells them, the second of one name with -1 behind it,
# and what <a id> sets.
cat >"$folder/links.awk" <<'AWK'
    function spelt(text) {
        while (match(text, /\[[^]]*\]\([^)]*\)/)) # a link is its text
            text = substr(text, 1, RSTART - 1) substr(text, RSTART + 1, index(substr(text, RSTART), "]") - 2) \
                substr(text, RSTART + RLENGTH)
        text = tolower(text)
        gsub(/[][!"#$%&'()*+,.\/:;<=>?@\\^`{|}~]/, "", text)
        gsub(/ /, "-", text)
        return text
    }
    function meant(page, path) {
        sub(/#.*/, "", path)
        if (path == "")
            return page
        sub(/[^\/]*$/, "", page)
        path = page path
        while (sub(/(^|\/)[^\/.]+\/\.\.\//, "/", path))
            sub(/^\//, "", path)
        return path
    }
    FNR == 1 { inside = 0 }
    /^ *```/ { inside = !inside }
    inside { next }
    /^#+ / {
        heading = $0
        sub(/^#+ +/, "", heading)
        heading = spelt(heading)
        place = FILENAME "#" heading
        places[place (place in seen ? "-" seen[place] : "")]
        seen[place]++
    }
    {
        for (rest = $0; match(rest, /<a id="[^"]*"/); rest = substr(rest, RSTART + RLENGTH))
            places[FILENAME "#" substr(rest, RSTART + 7, RLENGTH - 8)]
        for (rest = $0; match(rest, /\]\([^) ]*/); rest = substr(rest, RSTART + RLENGTH)) {
            link = substr(rest, RSTART + 2, RLENGTH - 2)
            if (link !~ /^http/) {
                page[++n] = FILENAME
                to[n] = link
            }
        }
    }
    END {
        for (i = 1; i <= n; i++) {
            file = meant(page[i], to[i])
            place = to[i]
            asked = sub(/^[^#]*#/, "#", place) && file ~ /\.md$/
            print page[i], to[i], file, !asked ? "-" : ((file place) in places) ? "there" : "missing"
        }
    }
AWK
mkdir -p "$folder/pages/docs"
# shellcheck disable=SC2016 # as it stands
printf '%s\n' '# One *of* [two](docs/x.md), `a_b`' '## The same' '## The same' '```' '# no heading' '```' '<a id="set"></a>' \
    '[1](#one-of-two-a_b) [2](#the-same-1) [3](#the-same-2) [4](#no-heading) [5](#set)' >"$folder/pages/a.md"
echo '[6](../a.md#the-same) [7](../a.md#other) [8](../docs/x.md#other) [9](../a.md)' >"$folder/pages/docs/x.md"
check 'which links lead somewhere' [ "$(cd "$folder/pages" && awk -f ../links.awk a.md docs/x.md | cut -d' ' -f3- | tr '\n' ' ')" = \
    'docs/x.md - a.md there a.md there a.md missing a.md missing a.md there a.md there a.md missing docs/x.md missing a.md - ' ]
find README.md CONTRIBUTING.md docs examples validation -name '*.md' -exec awk -f "$folder/links.awk" {} + | sort -u >"$folder/links"
check 'pages have links' [ "$(wc -l <"$folder/links")" -gt 200 ]
while read -r page link file place; do
    if [ -e "$file" ] && [ "$place" != missing ]; then pass; else fail "$page links to $link, which is not there"; fi
done <"$folder/links"

# command.N, expected.N for each block N
awk -v folder="$folder" '
    /^```/ { inside = !inside; first = inside; running = 0; next }
    inside && first && /^\$ / { n++; running = 1; typing = 1; print substr($0, 3) > (folder "/command." n)
                                printf "" > (folder "/expected." n); first = 0; next }
    { first = 0 }
    inside && running && typing && /^> / { print substr($0, 3) > (folder "/command." n); next }
    inside && running { typing = 0; print > (folder "/expected." n) }
' README.md

n=1 stale=
while [ -f "$folder/command.$n" ]; do
    sed "s|build/pevpm-sim|$build/pevpm-sim|g" "$folder/command.$n" >"$folder/command"
    timeout 60 sh "$folder/command" >"$folder/out.$n" 2>&1
    for kind in expected out; do
        sed 's/^simulated .*/simulated/' "$folder/$kind.$n" >"$folder/$kind"
    done
    if cmp -s "$folder/expected" "$folder/out"; then
        pass
    else
        fail "README.md: $(head -n 1 "$folder/command.$n")"; stale=yes
        diff "$folder/expected" "$folder/out" | sed 's/^/    /'
    fi
    n=$((n + 1))
done

# ---- quotations ----

squeeze() { sed 's/  */ /g; s/^ //; s/ $//' "$@"; }

# docs/profile.md: `$ pevpm-sim ...` and lines of what it prints, with `...` for what is left out
awk '/^```/ { inside = !inside; typing = running = 0; next }
    inside && /^\$ pevpm-sim/ { typing = running = 1; print substr($0, 3) >command; next }
    inside && typing && /^> / { print substr($0, 3) >command; next }
    running && $0 != "..." && NF > 0 { typing = 0; print }
    ' command="$folder/command" docs/profile.md | squeeze >"$folder/quoted"
check 'docs/profile.md quotes a command' [ "$(wc -l <"$folder/quoted")" -gt 5 ]
timeout 60 sh -c "$(sed "s|^pevpm-sim|$build/pevpm-sim|" "$folder/command")" 2>"$folder/err" | squeeze >"$folder/out"
check 'docs/profile.md: every quoted line is printed' awk '
    NR == FNR { printed = printed " " $0; next } # long lines are broken in the document
    index(printed, $0) == 0 { print; wrong = 1 }
    END { exit wrong }' "$folder/out" "$folder/quoted"

# docs/machine-file.md: whole files are read, and those with measured messages predict; so do the hosts of a fat tree
awk -v folder="$folder" '/^```yaml/ { n++; inside = 1; next } /^```/ { inside = 0 }
    inside { print >(folder "/block." n ".yaml") }' docs/machine-file.md
files=0
for block in "$folder"/block.*.yaml; do
    case $(head -n 1 "$block") in
    pevpm_machine:*) ;;
    topology:*) # what is shown are the resources: a file around them
        { printf '%s\n' 'pevpm_machine: 2' 'name: tree' 'nodes: 64' 'processes_per_node: 1' 'point_to_point:' \
              '  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 1024, transit: 1 ms}]}'
          cat "$block"; } >"$folder/whole" && mv "$folder/whole" "$block" ;;
    *) continue ;;
    esac
    files=$((files + 1))
    check "docs/machine-file.md: a file is read: $(cat "$block")" "$build/pevpm-sim" convert "$block"
    grep -q '^point_to_point' "$block" || continue
    check "docs/machine-file.md: and predicts: $(cat "$block")" "$build/pevpm-sim" -q -n 2x1,2x2 -r 4 -m "$block" \
        examples/ring/ring.c
done
check "docs/machine-file.md: the smallest file, all keys, a fat tree, two sockets ($files)" [ $files -eq 4 ]

# A mebibyte within a socket and between both, and two at once, which take turns on the way: as the file's lines say.
sockets=$(grep -l 'name: two-sockets' "$folder"/block.*.yaml)
printf '%s\n' 'Runon c1 = procnum < numprocs/2 & else' \
    '{' 'Message type = MPI_Send & size = 1048576 & to = procnum+numprocs/2' '}' \
    '{' 'Message type = MPI_Recv & size = 1048576 & from = procnum-numprocs/2' '}' >"$folder/send.pevpm"
for case in '1x2 --map=block:block 120.0' '1x2 --map=block 190.0' '1x4 --map=block:block 155.0' '1x4 --map=block 120.0' \
    '1x6 --map=block 240.0'; do
    # shellcheck disable=SC2086 # two words
    "$build/pevpm-sim" -q -n ${case% *} -r 1 -m "$sockets" -f csv "$folder/send.pevpm" >"$folder/out" 2>"$folder/err"
    took=$(sed 1d "$folder/out" | awk -F, '{ printf "%.1f", $10*1e6 }')
    check "docs/machine-file.md: two sockets, ${case% *}: $took us, not ${case##* }" [ "$took" = "${case##* }" ]
done

# docs/gains.md: `-n ... PROGRAM`, and after it a block of lines of its profile: directives are where it says
awk '/^`-n [^`]* [a-z]+\.[a-z0-9]+`/ { split($0, part, "`"); n++; arguments = part[2] }
    /^```/ { inside = !inside && arguments != ""; if (!inside) arguments = ""; next }
    inside && match($0, /[a-z_]+\.[a-z0-9]+:[0-9]+ [A-Z][A-Za-z_]*/) {
        print arguments "|" substr($0, RSTART, RLENGTH) }' docs/gains.md >"$folder/quoted"
check 'docs/gains.md quotes profiles' [ "$(cut -d'|' -f1 "$folder/quoted" | sort -u | wc -l)" -ge 6 ]
cut -d'|' -f1 "$folder/quoted" | uniq >"$folder/commands"
while read -r command; do
    # shellcheck disable=SC2086 # several words
    "$build/pevpm-sim" -r 8 --profile -v ${command% *} examples/*/"${command##* }" >"$folder/out" 2>"$folder/err"
    check "docs/gains.md: $command" [ $? -eq 0 ]
    while IFS='|' read -r of place; do
        [ "$of" != "$command" ] || check "docs/gains.md: $command: $place" grep -q -F "$place" "$folder/out"
    done <"$folder/quoted"
done <"$folder/commands"

if [ -n "${UPDATE_GOLDEN:-}" ] && [ -n "$stale" ]; then
    awk -v folder="$folder" '
        /^```/ { inside = !inside; first = inside; running = 0; print; next }
        inside && first && /^\$ / { n++; running = typing = 1; print; first = 0; pending = 1; next }
        { first = 0 }
        inside && running && typing && /^> / { print; next }
        inside && running { typing = 0
                            if (pending) while ((getline line < (folder "/out." n)) > 0) print line
                            pending = 0; next }
        { print }
    ' README.md >"$folder/README.md" && cat "$folder/README.md" >README.md
    echo "README.md rewritten"
fi
finish
