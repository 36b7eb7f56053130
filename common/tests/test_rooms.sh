#!/bin/sh
# A room includes what the table of rooms in docs/ARCHITECTURE.md allows it, and no other room's private headers.
# test_rooms.sh [TREE]; without it the project's root, where it is started from.
# Last line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh
cd "${1:-.}" || exit 1

# ROOM WHAT for each row of source files: WHAT is a room, one header of a room, or a shelf of a room that is open to this one
awk -F'|' '
    /^## / { inside = /Rooms/ }
    inside && match($2, "`[a-z]+/`") {
        room = substr($2, RSTART + 1, RLENGTH - 3)
        print room, room "/"
        for (rest = $4; match(rest, "`[a-z]+/([a-z_]+/|[a-z_.]*)`"); rest = substr(rest, RSTART + RLENGTH))
            print room, substr(rest, RSTART + 1, RLENGTH - 2)
    }' docs/ARCHITECTURE.md >"$folder/allowed"

# FILE HEADER for each header that comes from a room
find ./*/ -maxdepth 3 -name '*.[ch]' ! -path './build*' ! -path './*/tests/*' -exec grep -H '^#include "' {} + |
    sed 's|^\./||; s|:#include "\([^"]*\)".*| \1|' >"$folder/included"

judge() { # judge ROOM: its includes that are not allowed
    awk -v room="$1" '
        NR == FNR { if ($1 == room) allowed[$2]; next }
        !split($1, file, "/") || file[1] != room || (parts = split($2, header, "/")) < 2 { next }
        parts == 3 && (header[1] "/" header[2] "/") in allowed && $2 !~ /_impl\.h$/ { next }
        parts >= 3 && (header[1] != room || header[2] != file[2]) { print $1 " includes " $2 ", which is on a shelf" }
        parts >= 3 { next }
        !((header[1] "/") in allowed) && !($2 in allowed) {
            print $1 " includes " $2 ", which its room may not use"
        }
        header[1] != room && $2 ~ /_impl\.h$/ {
            print $1 " includes " $2 ", which is private"
        }' "$folder/allowed" "$folder/included"
}

for room in $(cut -d' ' -f1 "$folder/allowed" | sort -u); do
    case $room in docs | examples | validation) continue ;; esac
    judge "$room" >"$folder/wrong"
    if [ -s "$folder/wrong" ]; then fail "$(cat "$folder/wrong")"; else pass; fi
done
for room in */; do # every room with sources has its row
    ls "$room"*.[ch] >/dev/null 2>&1 || continue
    if grep -q "^${room%/} " "$folder/allowed"; then pass; else fail "$room has no row in docs/ARCHITECTURE.md"; fi
done
# the test itself can fail
printf '%s\n' 'models/x.c engine/engine.h' 'directives/x.c models/cost.h' 'sim/x.c models/fit_impl.h' \
    'collectives/x.c directives/program.h' 'engine/engine.c engine/timed/state.h' >"$folder/included"
for room in models directives sim collectives engine; do
    if [ "$(judge $room | wc -l)" -eq 1 ]; then pass; else fail "a wrong arrow from $room is not seen"; fi
done

# a shelf that is open to one room is closed to another
printf '%s\n' 'bench/x.c estimate/machine/ports_fit.h' 'survey/x.c estimate/machine/ports_fit.h' >"$folder/included"
if [ -z "$(judge bench)" ]; then pass; else fail "an open shelf is taken for closed"; fi
if [ "$(judge survey | wc -l)" -eq 1 ]; then pass; else fail "a closed shelf is taken for open"; fi

finish
