#!/bin/sh
# The task farm: the right energy, and predictions against schedules: one written by hand, others by a few lines of awk.
# Started from the project's root.
set -u
. examples/tests/common.sh
source=examples/taskfarm/taskfarm.c

# Two workers, four tasks of 5,000 rows: 244993, 174993, 104993, 34993 us. A task is a message of 0 bytes (T = 100), a
# result one of 8 (T = 100.8).
#     0        master sends task 1, 10 task 2; worker 1 starts at 100, worker 2 at 110
#     175103   worker 2 sends its result, there at 175203.8; master sends task 3, which starts at 175303.8
#     245093   worker 1 sends its result, there at 245193.8; master sends task 4, which starts at 245293.8
#     280286.8 worker 1 sends its result, there at 280387.6; master sends the end, which keeps it until 280397.6
#     280296.8 worker 2 sends its result, there at 280397.6, taken 1 us later; master sends the end, there at 280498.6
expect "four tasks, two workers" "$(predict $source 3 -D rows=5000)" 280498.6

# The short ones first: worker 1 gets 34993, then 174993; worker 2 gets 104993, then 244993 us.
#     35093    worker 1 sends, there at 35193.8; its next task starts at 35293.8, is sent at 210286.8
#     105103   worker 2 sends, there at 105203.8; its next task starts at 105303.8
#     350296.8 worker 2 sends, there at 350397.6; master sends the end, there at 350497.6
expect "the short ones first" "$(predict $source 3 -D rows=5000 -D short_first=1)" 350497.6

# With a task ahead nobody waits for the next one. Two workers, tasks 1 2 3 4 leave at 0, 10, 20, 30; worker 1 computes
# task 1 from 100 on, sends at 245093, computes task 3 from 10 + 1 us later; worker 2 task 2 from 110, then task 4.
#     350097   worker 1 sends the second result, there at 350197.8; master sends the last end
expect "one task ahead" "$(predict $source 3 -D rows=5000 -D ahead=1)" 350297.8

# farm P ROWS SHORT_FIRST: the same with any number of workers, in microseconds. result[w]: when the result of worker
# w arrives.
farm() {
    awk -v P="$1" -v rows="$2" -v short_first="$3" '
    function pairs(task) { return rows*(20000-1 - task*rows + (rows+1)/2) }
    function hand_out(w, at) {
        if (++number <= tasks)
            result[w] = at + 100 + 0.0028*pairs(short_first ? tasks+1-number : number) + 100.8
        else if (at + 100 > last)
            last = at + 100
    }
    BEGIN {
        tasks = 20000/rows
        for (w = 1; w < P; w++)
            hand_out(w, 10*(w-1))
        clock = 10*(P-1)
        for (done = 0; done < tasks; done++) {
            first = 0
            for (w in result)
                if (first == 0 || result[w] < result[first])
                    first = w
            clock = result[first] > clock + 1 ? result[first] : clock + 1
            delete result[first]
            hand_out(first, clock)
            clock += 10
        }
        printf "%.9f", (clock > last ? clock : last)
    }'
}
expect "the awk schedule of two workers" "$(predict $source 3 -D rows=5000)" "$(farm 3 5000 0)"
for case in "2 1000 0" "3 100 0" "5 100 0" "5 100 1" "8 100 0" "16 50 1" "30 1000 0"; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    expect "rows = $2 on $1 processes, short_first = $3" \
        "$(predict $source "$1" -D "rows=$2" -D "short_first=$3")" "$(farm "$1" "$2" "$3")"
done

check "the directives agree with the calls" silent "$sim" --check $source

if can_run mpicc $source; then
    check "taskfarm.c compiles without a warning" compile $source
    for numprocs in 2 3 4; do
        runs 0 'as it should be' $numprocs 5000 50
    done
    runs 0 'as it should be' 3 5000 50 1
    runs 0 'as it should be' 4 100 50
    runs 0 'as it should be' 3 5000 50 0 1
    runs 0 'as it should be' 4 100 50 1 3
    runs 2 'wants two processes or more' 1
    runs 2 'ROWS that divide it' 2 100 30
fi
finish
