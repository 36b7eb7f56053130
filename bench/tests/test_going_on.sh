#!/bin/sh
# pevpm-bench from outside, on one host, as far as it may be beside other work: one process measures itself, a killed run of two goes
# on, dead and silent ranks and full disks end the job. All that needs a calm machine is in test_bench.sh.
set -u

. common/tests/check.sh

case ${CC:-cc} in *clang*) skip_all "what becomes of jobs: tested with the default compiler" ;; esac

bench=$build/pevpm-bench sim=$build/pevpm-sim
program=$bench launcher='mpirun -n 2'
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

starts 2

cat >p.pevpm <<'P'
Runon c1 = procnum == 0 & else
{
Message type = MPI_Send & size = 100 & to = 1
}
{
Message type = MPI_Recv & size = 100 & from = 0
}
P

# ---- one process ----

launcher='mpirun -n 1'
run 2 -o b.yaml --budget 5; told 'one process alone sends messages to itself only (--operations self)'
run 0 -o b.yaml --operations self --sizes 0,512,1m --name testbed -q
limit=$(sed -n 's/^  self: {eager_limit: \([0-9]*\)}/\1/p' b.yaml)
check "one process measures itself (eager limit $limit)" [ -n "$limit" ]
check 'nothing else is there' [ "$(grep -c 'operation: ' b.yaml)" -eq "$(grep -c 'transport: self' b.yaml)" ]
check 'both sides of its eager limit are' grep -q "bytes: $((limit + 1))\$" b.yaml
cp b.yaml b-before.yaml
run 0 -o b.yaml --operations self --sizes 0,512,1m --resume -q
check 'nothing is measured twice' [ "$(sed -n '/^point_to_point:/,$p' b.yaml)" = \
    "$(sed -n '/^point_to_point:/,$p' b-before.yaml)" ]
launcher= run 0 report b.yaml
check 'and reported' grep -q '^MPI_Isend *self *1x1 ' out
launcher='mpirun -n 2'

# One build is enough to see what becomes of jobs.
[ -z "${SAN:-}" ] || skip_all "what becomes of jobs: tested without sanitizers"

# ---- going on ----

count() { grep -c 'transit:' "$1"; }
launch() { # launch ARGUMENT...: two ranks in the background
    timeout 90 mpirun -n 2 "$bench" "$@" >out 2>err &
    job=$!
}
ranks() { # the job's processes, rank 0 first
    for launcher in $(pgrep -P "$job"); do pgrep -P "$launcher" -x pevpm-bench; done
}
wait_for() { # wait_for SECONDS COMMAND...: until it succeeds
    left=$(($1 * 10)); shift
    until "$@" 2>/dev/null; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}
ends_within() { # ends_within SECONDS WHAT: of the job
    begun=$(date +%s)
    wait "$job"; code=$?
    took=$(($(date +%s) - begun))
    check "$2: it ends within $1 s (took $took s, exit code $code)" [ $took -le "$1" ]
    check "$2: not with success" [ $code -ne 0 ]
}

launch -o k.yaml --budget 60 --sizes 0,1k,2k,4k,8k,16k,32k,64k --name testbed -q
holds() { [ "$(count "$1")" -ge "$2" ]; } # holds FILE POINTS
samples() { # of the first point
    sed -n 's/.*transit: .*counts: \[\([0-9, ]*\)\].*/\1/p' "$1" | head -n 1 |
        awk -F ', ' '{for (i = 1; i <= NF; i++) n += $i} END {print n + 0}'
}
check 'a file appears while measuring' wait_for 60 holds k.yaml 2
victim=$(ranks | tail -n 1)
check 'the ranks are found' [ -n "$victim" ]
kill -KILL "$victim"
ends_within 10 'a rank is killed'
check 'mpirun or a rank says so' grep -q -i -e 'signal 9' -e 'killed' -e 'pevpm-bench: error' err
before=$(count k.yaml)
cp k.yaml k-before.yaml
"$sim" -m k.yaml -n 1x2 -r 64 -f csv p.pevpm >out 2>err; code=$?
check "what a killed run leaves is valid (exit code $code)" [ $code -eq 0 ]

run 0 -o k.yaml --resume --no-judge --budget 6 --name testbed -q
check 'it is not judged unless it is to be' [ "$(grep -c '": "off by \|^model_error:' k.yaml)" -eq 0 ]
check "no less is there than before ($before points, now $(count k.yaml))" [ "$(count k.yaml)" -ge "$before" ]
check 'samples are kept' [ "$(samples k-before.yaml)" -gt 0 -a "$(samples k.yaml)" -ge "$(samples k-before.yaml)" ]
{
    sed '/^provenance:/q' k.yaml
    echo '  judged:'
    for seed in 1 2 3 4 5; do
        echo "    \"halo $seed on 1x2\": \"off by 0.00$seed s of 0.1 s, 0.05 s of it computation, 0.0001 s to be expected, 0.05 s added by communication\""
    done
    sed '1,/^provenance:/d' k.yaml
} >judged.yaml
run 0 -o judged.yaml --resume --no-judge --budget 2 --name testbed
told 'judged.yaml: warning: the file changes and is not judged again: .* is left out'
check 'and it is' [ "$(grep -c 'off by 0' judged.yaml)" -eq 0 ]
run 3 -o k.yaml --resume --name other -q; told 'the name is testbed in this file, other in this job'
run 3 -o k.yaml --resume --bin '1 us' -q; told "the bins' width is a part of the time in this file, 1000 ns in this job"
run 3 -o k.yaml --resume --sizes 0,77 -q; told 'there is no size 77 in this file'
sed 's/^eager_limit:.*/eager_limit: 3000/' k.yaml >e.yaml
run 3 -o e.yaml --resume -q; told 'the eager limit is 3000 in this file'
sed 's/"rank 1": "[^,]*/"rank 1": "elsewhere/' k.yaml >h.yaml
run 3 -o h.yaml --resume -q; told 'the host of rank 1 is elsewhere in this file'
sed '/"messages within a node"/d' k.yaml >c.yaml
within=$(sed -n 's/^  "messages within a node": "\(.*\)"$/\1/p' k.yaml)
case $within in
'one right behind another')
    run 3 -o c.yaml --resume -q
    told 'how messages within a node are measured is after a pause in this file, one right behind another in this job' ;;
*) check "on processors that are shared, after a pause: $within" [ "$within" = 'after a pause' ] ;;
esac
run 4 -o none.yaml --resume -q; told 'none.yaml: error: cannot open'

launcher= # no MPI job
run 2 --merge m.yaml k.yaml; told 'wants at least two files'
run 4 --merge m.yaml k.yaml nowhere.yaml; told 'nowhere.yaml'
run 3 --merge m.yaml k.yaml e.yaml; told 'the eager limit is not that of k.yaml'
run 3 --merge n.yaml k.yaml k-before.yaml; told 'k-before.yaml: error: holds the same samples as k.yaml'

# ---- collectives ----

launcher='mpirun -n 2'
run 0 -o c.yaml --budget 8 --collective-budget 4 --operations MPI_Bcast,MPI_Barrier --sizes 8 --name testbed -q
check 'collectives are written' grep -q '^  MPI_Bcast:' c.yaml
check 'with the time of the root' grep -q 'root_time: ' c.yaml
check 'and no message times' [ "$(count c.yaml)" -eq 0 ]

# ---- trouble ----

run 4 -o /dev/full --budget 60 --sizes 0 -q; told 'No space left on device'

# A rank that says nothing more, as one behind a broken link: the others end the job.
launch -o s.yaml --budget 60 --sizes 0,1k,2k,4k,8k,16k,32k,64k --name testbed -q
wait_for 60 holds s.yaml 1
victim=$(ranks | tail -n 1)
kill -STOP "$victim"
ends_within 10 'a rank is silent'
kill -KILL "$victim" 2>/dev/null
told 'pevpm-bench: error: rank 0: no answer while '

finish
