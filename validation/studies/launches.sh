#!/usr/bin/env bash
# launches.sh - how far launches of the same programs by chance lie from one another, against which predictions can be judged:
# nobody predicts one launch better than the others do. launches.sh FOLDER MACHINE; FOLDER has measured-LAUNCH-COUNT.csv as
# validate.sh's `chance` writes them, of three launches or more.
#
# Launches compute differently: each draws the numbers of one replication. So a launch counts as its time over what is
# predicted for these numbers, and is held against the mean of this of the other launches. $BUILD: build.
set -u -o pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=validation/kept.sh
. "$here/../kept.sh" # die, $build, $work
[ $# -eq 2 ] || die 2 "usage: launches.sh FOLDER MACHINE; FOLDER has measured-LAUNCH-COUNT.csv"
ls "$1"/measured-3-*.csv >/dev/null 2>&1 || die 3 "$1 has no measured-3-COUNT.csv: three launches are needed"
kept_machine "$2" >"$work/plain.yaml" || die 3 "cannot read $2"
kept_list "$1" >"$work/measured" || die 3 "cannot read what was measured"

while read -r kind seed placement launch from seconds params; do
    predicted=$(kept_predict "$work/plain.yaml" "$kind" "$seed" "$placement" "$launch" "$from" 9 "$params" </dev/null) ||
        die 3 "cannot predict $kind-$seed on $placement"
    echo "$kind-$seed,$placement $seconds $predicted"
done <"$work/measured" >"$work/ratios" || exit $?

awk -f "$here/../numbers.awk" -f "$here/launches.awk" "$work/ratios"
