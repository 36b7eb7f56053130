#!/bin/sh
# The documents say what the program does: every option of --help stands in the reference and in the man page, man
# pages are clean, links lead somewhere, and the commands that README.md shows print what it says.
#
# A block of README.md that is run starts with a line `$ COMMAND`, goes on with `> ` lines, and then holds the output.
# Lines that start with `simulated` hold times and are not compared. UPDATE_GOLDEN=1 writes the outputs into README.md.
# Started from the project's root.
set -u

build=${BUILD:-build}
[ -x "$build/pevpm-sim" ] || { echo "$build/pevpm-sim: not there"; exit 1; }
unset PEVPM_MACHINE
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $1"; }

for option in $("$build/pevpm-sim" --help | grep -o -e '--[a-z][a-z]*' | sort -u); do
    if grep -q -e "$option" docs/cli.md; then pass; else fail "docs/cli.md does not mention $option"; fi
    roff=$(echo "$option" | sed 's/-/\\\\-/g')
    if grep -q -e "$roff" docs/man/pevpm-sim.1; then pass; else fail "docs/man/pevpm-sim.1 does not mention $option"; fi
done

if command -v groff >/dev/null; then
    for page in docs/man/*.[157]; do
        groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null | tee "$folder/groff" | sed 's/^/    /'
        if [ -s "$folder/groff" ]; then fail "$page"; else pass; fi
    done
else
    skipped=$((skipped + 1)); echo "skipped: no groff to read the man pages"
fi

for page in README.md CONTRIBUTING.md docs/*.md examples/*/README.md; do
    for link in $(grep -o ']([^)#]*' "$page" | sed 's/^](//' | grep -v '^http'); do
        if [ -e "$(dirname "$page")/$link" ]; then pass; else fail "$page links to $link, which is not there"; fi
    done
done

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
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
