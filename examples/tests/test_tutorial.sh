#!/bin/sh
# The commands of docs/tutorial.md, in its order, print what it says but for the numbers.
#
# In a block, `$ COMMAND` goes on with `> ` lines; what follows is its output. UPDATE_TUTORIAL=1 writes the outputs of
# this machine into the document. Started from the project's root.
set -u

. common/tests/check.sh
page=docs/tutorial.md
unset PEVPM_MACHINE
export LSAN_OPTIONS=detect_leaks=0

# What is measured here does not depend on how the simulator was built.
[ -z "${SAN:-}" ] || skip_all "the tutorial is followed without sanitizers"
case ${CC:-cc} in *clang*) skip_all "the tutorial is followed with the default compiler" ;; esac
[ -x "$build/pevpm-bench" ] || skip_all "pevpm-bench was not built (no MPI)"
command -v mpicc >/dev/null && command -v mpirun >/dev/null || skip_all "no mpicc or no mpirun"
timeout 60 mpirun -np 2 true >"$folder/out" 2>&1 || skip_all "MPI cannot start here: $(tail -n 1 "$folder/out")"

# Directives are all that the two programs differ by; the first comment says so.
for program in before after; do
    sed '1,/\*\//d; /^ *\/\/ PEVPM/d' examples/tutorial/$program.c >"$folder/$program.c"
done
if grep -q main "$folder/after.c" && cmp -s "$folder/before.c" "$folder/after.c"; then
    pass
else
    fail "examples/tutorial: before.c and after.c differ by more than directives"
fi

# command.N, expected.N
awk -v folder="$folder" '
    /^```/ { inside = !inside; running = 0; next }
    inside && /^\$ / { n++; running = typing = 1; print substr($0, 3) > (folder "/command." n)
                       printf "" > (folder "/expected." n); next }
    inside && running && typing && /^> / { print substr($0, 3) > (folder "/command." n); next }
    inside && running { typing = 0; print > (folder "/expected." n) }
' $page

# Numbers, their units and the blanks that make columns of them are this machine's.
shape() {
    sed -E 's/\b(ns|us|ms|s|minutes|hours)\b/T/g; s/[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/#/g; s/[ -]+/ /g; s/^ //' "$1"
}

# How long a user waits is told, and no reason to fail: machines differ.
began=$(date +%s) first='' n=1
while [ -f "$folder/command.$n" ]; do
    sed "s|build/|$build/|g" "$folder/command.$n" >"$folder/command"
    timeout 120 sh -e "$folder/command" >"$folder/out" 2>"$folder/err"
    code=$?
    # On a machine that is disturbed just now, the search for rests and sizes may eat up the bench's budget.
    if grep -q 'pevpm-bench' "$folder/command" && ! grep -q '^    processes_per_node: 2' "$build/tutorial/here.yaml"; then
        sed 's/--budget 20/--budget 60/' "$folder/command" >"$folder/command.longer"
        timeout 120 sh -e "$folder/command.longer" >"$folder/out" 2>"$folder/err"
        code=$?
    fi
    # What MPI itself complains about on standard error is no part of the document.
    grep -q 'instrument' "$folder/command" && cat "$folder/err" >>"$folder/out"
    sed "s|$build/|build/|g" "$folder/out" >"$folder/out.$n"
    shape "$folder/expected.$n" >"$folder/expected"
    shape "$folder/out.$n" >"$folder/shape"
    if [ $code -ne 0 ]; then
        fail "exit code $code: $(head -n 1 "$folder/command.$n")"; sed 's/^/    /' "$folder/err"
    elif cmp -s "$folder/expected" "$folder/shape" || [ -n "${UPDATE_TUTORIAL:-}" ]; then
        pass
    else
        fail "$page: $(head -n 1 "$folder/command.$n")"
        diff "$folder/expected" "$folder/shape" | sed 's/^/    /'
    fi
    if [ -z "$first" ] && grep -q '^ *procs ' "$folder/out.$n"; then first=$(($(date +%s) - began)); fi
    n=$((n + 1))
done
echo "note: $page as printed: ${first:-no} s from the unchanged binary to the first prediction, $(($(date +%s) - began)) s for all of it"
check "$page predicts something" [ -n "$first" ]
[ $n -gt 10 ] || fail "$page shows $((n - 1)) commands only"

if [ -n "${UPDATE_TUTORIAL:-}" ] && [ $failed -eq 0 ]; then
    awk -v folder="$folder" '
        function put(line) { while ((getline line < (folder "/out." n)) > 0) print line; pending = 0 }
        /^```/ { if (pending) put(); inside = !inside; running = 0; print; next }
        inside && /^\$ / { if (pending) put(); n++; running = typing = pending = 1; print; next }
        inside && running && typing && /^> / { print; next }
        inside && running { typing = 0; next }
        { print }
    ' $page >"$folder/page" && cat "$folder/page" >$page
    echo "$page rewritten"
fi
finish
