#!/usr/bin/env bash
# descriptions.sh - programs by chance predicted by --contention ports and by --contention frames, from the same machine files:
# how far off each is, and where the two differ. descriptions.sh FOLDER...; each has machine.yaml and measured-LAUNCH-COUNT.csv as
# validate.sh's `chance` writes them, of which the first launch counts. $BUILD: build.
set -u -o pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=validation/kept.sh
. "$here/../kept.sh" # die, $build, $work
[ $# -gt 0 ] || die 2 "usage: descriptions.sh FOLDER..., each with machine.yaml and measured-1-COUNT.csv"

for folder in "$@"; do
    kept_machine "$folder/machine.yaml" >"$work/plain.yaml" || die 3 "cannot read $folder/machine.yaml"
    kept_list "$folder" >"$work/measured" || die 3 "cannot read what was measured in $folder"
    while read -r kind seed placement launch from seconds params; do
        [ "$launch" -eq 1 ] || continue
        line=$seconds
        for contention in ports frames; do
            line="$line $(kept_predict "$work/plain.yaml" "$kind" "$seed" "$placement" 1 "$from" 7 "$params" \
                --contention "$contention" </dev/null)" || die 3 "cannot predict $kind-$seed on $placement of $folder"
        done
        echo "$line"
    done <"$work/measured" || exit $?
done >"$work/predicted" || exit $?

awk -f "$here/../numbers.awk" -f "$here/descriptions.awk" "$work/predicted"
