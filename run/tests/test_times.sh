#!/bin/sh
# pevpm-run from outside, where it matters how long something takes: computations. Alone (common/tests/run.sh); jobs that come to
# a bad end are in test_ends.sh, all else in test_run.sh.
set -u

. common/tests/check.sh
. run/tests/job.sh

# ---- computation ----

ranks_are 2
source_of 'Serial time = (1+procnum)*100 ms' >serial.pevpm
seconds() { sed 1d "$1" | cut -d, -f10; }
within() { # within LEAST MOST NUMBER...: all are, and there is one
    printf '%s\n' "$@" | awk 'NR == 1 { least = $1 } NR == 2 { most = $1 } NR > 2 && !($1 != "" && $1 >= least && $1 <= most) { wrong = 1 }
        END { exit wrong || NR < 3 }'
}
in_peace 'sleeps of 0.2 s take $(seconds slept.csv)' 'within 0.2 1 $(seconds slept.csv)' run 0 -q -o slept.csv -r 2 serial.pevpm
in_peace 'a loop of 0.2 s takes $(seconds spun.csv)' 'within 0.05 5 $(seconds spun.csv)' \
    run 0 -q -o spun.csv --serial spin --touch 64k serial.pevpm
in_peace 'none takes $(seconds none.csv)' 'within 0 0.15 $(seconds none.csv)' run 0 -q -o none.csv --serial none serial.pevpm
launcher= # a rank that is no process of the program leaves the processors to those that are
idle=$(timeout 60 mpirun -n 3 "$build/run/tests/idle_program" 2>err) || fail "idle_program: $(tail -n 1 err)"
check "who runs nothing looks ${idle% *} times a second for the end" within 1 200 "${idle% *}"
check "and waits for it ${idle#* } times" [ "${idle#* }" = 0 ]
launcher= # many short ones take as long as they say, too
source_of 'Loop iterations = 20000' '{' 'Serial time = 2 us' '}' >short.pevpm
least() { seconds short.csv | sort -g | head -n 1; }
in_peace '20000 sleeps of 2 us take $(least) s' 'within 0.04 0.4 $(least)' run 0 -q -o short.csv -r 5 short.pevpm
ranks_are 2

cat >m.yaml <<'Y'
pevpm_machine: 1
name: m
nodes: 2
node_time_factor: [0.5]
serial: {step: 100 ms}
models: {hockney: {alpha: 1 ms, beta: 1 us}}
Y
source_of 'Serial on m time = 40 ms' 'Serial time = 10' 'Loop iterations = 1' '{' 'Serial time = measured(step)' '}' >on.pevpm
in_peace 'the times of the machine file: $(seconds on.csv)' 'within 0.07 1 $(seconds on.csv)' \
    run 0 -q -m m.yaml -o on.csv on.pevpm
launcher=
run 3 on.pevpm; told 'no computation `step`: time it (pevpm-time)'; told 'no machine file is given: -m FILE'

ranks_are 2
is_twice() {
    awk -F, '$9 == "Serial" && $10 == "0" { a = $11 } $9 == "Serial" && $10 == "1" { b = $11 }
        END { exit !(a > 0.09 && b / a > 1.8 && b / a < 2.2) }' p.csv
}
in_peace 'process 1 computes twice as long as process 0' is_twice run 0 -q --profile-output p.csv -r 2 serial.pevpm

# Of two messages process 2's comes first, or process 1 would have none left that process 0 could take (test_ends.sh).
source_of 'Runon c1 = procnum == 0 & else' '{' 'Message type = MPI_Recv & from = MPI_ANY_SOURCE' \
    'Message type = MPI_Recv & from = 1' '}' '{' 'Serial time = (2-procnum)*100 ms' \
    'Message type = MPI_Send & to = 0 & size = procnum == 1 ? 900000 : 8' '}' >fine.pevpm
ranks_are 3
run 0 -q fine.pevpm

clean && pass || fail 'temporary files are gone'

finish
