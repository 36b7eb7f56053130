#!/bin/sh
# --profile and --trace from outside: losses add up, traces are read by readers that are not ours, the three forms tell
# the same, and files are whole or not at all. test_trace.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim.
# Last line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh

use_sim "$@"
tests=$PWD/report/tests
cd "$folder" || exit 1

has() { grep -q -e "$1" "${2:-out}"; }

cat >m.yaml <<'Y'
pevpm_machine: 1
name: testbed
nodes: 4
processes_per_node: 2
point_to_point:
  - operation: MPI_Send
    pattern: pingpong
    nodes: 2
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: {uniform: {low: 1 ms, high: 3 ms}}, send_overhead: 0.1 ms, receive_overhead: 0.2 ms}
  - operation: MPI_Send
    nodes: 4
    processes_per_node: 1
    sizes:
      - {bytes: 0, transit: {gamma: {shape: 2, scale: 2 ms}}, send_overhead: 0.1 ms, receive_overhead: 0.2 ms}
Y
# process 0 hands out tasks to whoever asks first; then a ring, whose tag keeps it out of the wildcards
cat >farm.pevpm <<'P'
Param T = 12
Runon c1 = procnum == 0 & else
{
Loop iterations = T
{
Message type = MPI_Recv & from = MPI_ANY_SOURCE & to = 0 & tag = 0 & source = who
Message type = MPI_Send & size = 8 & from = 0 & to = who
}
Loop iterations = numprocs-1
{
Message type = MPI_Recv & from = MPI_ANY_SOURCE & to = 0 & tag = 0 & source = who
Message type = MPI_Send & size = 0 & from = 0 & to = who
}
}
{
Message type = MPI_Send & size = 0 & from = procnum & to = 0
Message type = MPI_Recv & size = 8 & from = 0 & to = procnum & got_size = work
Loop while = work > 0
{
Serial time = normal(procnum, 0.5) ms
Message type = MPI_Send & size = 0 & from = procnum & to = 0
Message type = MPI_Recv & size = 8 & from = 0 & to = procnum & got_size = work
}
}
Message type = MPI_Sendrecv & tag = 1 & size = 4 & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
P

# ---- profile ----
run 0 -m m.yaml -n 4x1 -r 12 --profile farm.pevpm
check 'the profile stands after the table' has '^profile      4x1 distribution: .*, the mean of 12 replications$'
check 'a wildcard tells its senders' has '^farm.pevpm:6 MPI_Recv took 12 messages a run by wildcard, in [0-9]* different orders'
check 'the source has its margin' has '^ *[0-9.]* %  *[0-9.]* ms  [a-z ]* | Message type = MPI_Recv & from = MPI_ANY_SOURCE & to = 0'
check 'a sentence names the largest loss' has '^Computation is .* The largest loss: [0-9.]* % of the time is late senders at farm.pevpm:'
check 'nothing is said of losses that do not add up' [ ! -s err ]
cp out first
for threads in 1 3; do
    run 0 -m m.yaml -n 4x1 -r 12 --profile -j $threads farm.pevpm
    sed '/^simulated/d' first >a; sed '/^simulated/d' out >b
    check "the same profile on $threads threads" same a b
done
run 0 -m m.yaml -n 2x1,4x1 -r 3 --profile -M distribution,minimum farm.pevpm
check 'each row has its profile' [ "$(grep -c '^profile ' out)" -eq 4 ]
check 'the source is shown once' [ "$(grep -c '| Param T = 12$' out)" -eq 1 ]
run 0 -m m.yaml -n 4x1 -r 3 --profile-output p.csv farm.pevpm
check 'a file of its own' has '^mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share,computation_s,' p.csv
check 'then the report has none' [ "$(grep -c '^profile ' out)" -eq 0 ]
check 'csv adds up' awk -F, 'NR > 1 { if ($10 == "") sites += $11; else if ($11 / $7 > 1 + 1e-9 || $11 / $7 < 1 - 1e-9) bad = 1; time = $7 }
    END { exit bad || sites / time > 1 + 1e-9 || sites / time < 1 - 1e-9 }' p.csv
run 2 -m m.yaml -n 4x1 -f csv --profile farm.pevpm
check 'csv has no place for it' has '--profile-output' err
check 'nothing else was printed' [ ! -s out ]
run 4 -m m.yaml -n 4x1 -r 3 --profile-output no/p.csv farm.pevpm
if command -v python3 >/dev/null; then
    run 0 -m m.yaml -n 2x1,4x1 -r 3 -f json --profile farm.pevpm; cp out r.json
    run 0 -m m.yaml -n 2x1,4x1 -r 3 --profile-output p.json farm.pevpm
    check 'json adds up' python3 -c 'import json
inside, alone = json.load(open("r.json"))["profiles"], json.load(open("p.json"))["profiles"]
assert inside == alone and len(inside) == 2
for p in inside:
    close = lambda a: abs(a / p["run_time_s"] - 1) < 1e-9
    losses = lambda x: sum(v for k, v in x.items() if k.endswith("_s") and k != "time_s")
    assert close(sum(d["time_s"] for d in p["directives"]))
    assert all(close(q["time_s"]) and close(losses(q)) for q in p["processes"])
    assert len(p["processes"]) == p["numprocs"]
    assert {r["line"] for r in p["races"]} == {6, 11}
    assert all(abs(sum(s["taken"] for s in r["senders"]) - r["taken"]) < 1e-9 for r in p["races"])'
else
    skip 'profile as json: there is no python3 to read it'
fi

cat >lost.pevpm <<'P'
Runon c1 = procnum == 0
{
Message type = MPI_Send & size = 8 & to = 1 & tag = 9
Message type = MPI_Send & size = 8 & to = 1 & tag = 3
}
Runon c1 = procnum == 1
{
Message type = MPI_Recv & from = 0 & tag = 3
}
P
run 0 -m m.yaml -n 2x1 -r 5 --profile lost.pevpm
check 'messages never received are listed' \
    has '^lost.pevpm:3 MPI_Send sent 1 message a run that nobody received, such as one from 0 to 1 (tag 9)$'

# ---- trace ----
trace() { run 0 -m m.yaml -n 4x1 -r 9 --trace "$@" farm.pevpm; }
trace t.json
check 'the report names the replication' has '^trace        t.json: replication [0-9]*, .* (4x1 distribution)$'
trace t.paje
awk -f "$tests/check_paje.awk" t.paje >paje; check "a Paje reader driven by the header: $(cat paje)" [ $? -eq 0 ]
check 'all processes and messages' [ "$(cut -d' ' -f1,2 paje)" = '4 34' ]
if command -v python3 >/dev/null; then
    python3 "$tests/check_chrome.py" "$tests/trace_chrome.schema.json" t.json >chrome 2>&1
    check "the schema and sense of the Chrome trace: $(tail -n 1 chrome)" [ $? -eq 0 ]
    check "Chrome and Paje tell the same: $(cat chrome) and $(cat paje)" same chrome paje
    python3 -c 'import json; t = json.load(open("t.json")); t["traceEvents"][-1]["ph"] = "Q"; json.dump(t, open("q.json", "w"))'
    python3 "$tests/check_chrome.py" "$tests/trace_chrome.schema.json" q.json >/dev/null 2>&1
    check 'the schema can say no' [ $? -ne 0 ]
else
    skip 'Chrome trace: there is no python3 to read it'
fi
if command -v pj_dump >/dev/null; then
    pj_dump t.paje >dump 2>err; check 'pj_dump reads it' [ $? -eq 0 ]
    check 'and complains of nothing' [ ! -s err ]
    check 'and finds the messages' [ "$(grep -c '^Link, ' dump)" -eq 34 ]
    check 'and the processes' [ "$(grep -c '^Container, .*, process [0-3]$' dump)" -eq 4 ]
    check 'and the losses' has '^State, process 1, Loss, .*, computation$' dump
else
    skip 'Paje trace: there is no pj_dump to read it'
fi
timeout 60 "$sim" -m m.yaml -n 4x1 -r 9 --trace archive farm.pevpm >out 2>err
if [ $? -eq 3 ] && has 'built without libotf2' err; then
    skip 'OTF2 archive: pevpm-sim was built without libotf2'
    check 'no folder is left' [ ! -e archive ]
elif ! command -v otf2-print >/dev/null; then
    check 'the archive is there' [ -f archive/traces.otf2 ]
    skip 'OTF2 archive: there is no otf2-print to read it'
else
    otf2-print archive/traces.otf2 >dump 2>err; check 'otf2-print reads it' [ $? -eq 0 ]
    check 'and complains of nothing' [ ! -s err ]
    check 'and finds the messages' [ "$(grep -c '^MPI_SEND ' dump)-$(grep -c '^MPI_RECV ' dump)" = 34-34 ]
    check 'and the calls' [ "$(grep -c '^ENTER ' dump)" -eq "$(grep -c '^LEAVE ' dump)" ]
    check 'and a directive with its loss' has '"MPI_Recv farm.pevpm:6 (late sender)"' dump
    check 'and the last moment' [ "$(awk '/^LEAVE / && $3 > end { end = $3 } END { print end }' dump)" = "$(cut -d' ' -f3 paje)" ]
    otf2-print -G archive/traces.otf2 >dump 2>err; check 'otf2-print reads the definitions' [ $? -eq 0 ]
    check 'and the processes' [ "$(grep -c '^LOCATION  *[0-3] ' dump)" -eq 4 ]
    trace archive/
    check 'an archive is replaced' [ -f archive/traces.otf2 ]
    (trap "" XFSZ; ulimit -f 1; export LSAN_OPTIONS=detect_leaks=0 # the library's own, where a writer fails
     "$sim" -q -m m.yaml -n 4x1 -r 9 -o /dev/null --trace cut farm.pevpm 2>err)
    check 'an archive that there is no room for' [ $? -eq 4 ]
    check 'and the reason' has '^cut: error: cannot write the OTF2 archive: File is too large$' err
    check 'nothing of it is left' [ ! -e cut ]
    mkdir mine; : >mine/thesis.tex
    run 4 -m m.yaml -n 4x1 -r 9 --trace mine farm.pevpm
    check 'somebody else'"'"'s folder is not' [ "$(ls mine)" = thesis.tex ]
fi

# ---- what nobody wrote ----
cat >persistent.pevpm <<'P'
Message type = MPI_Ssend_init & to = (procnum+1)%numprocs & size = 8 & request = s[0]
Message type = MPI_Send_init & to = (procnum+1)%numprocs & size = 8 & request = s[1]
Message type = MPI_Bsend_init & to = (procnum+1)%numprocs & size = 8 & request = s[2]
Loop iterations = 3 & var = i
{
Message type = MPI_Irecv & from = (procnum-1+numprocs)%numprocs & request = r
Message type = MPI_Start & request = s[i]
Message type = MPI_Wait & request = r
}
Message type = MPI_Waitall & request = s
P
for form in persistent.json persistent.paje; do
    run 0 -m m.yaml -n 4x1 -r 2 --trace $form persistent.pevpm
    check "persistent requests in $form" [ -s $form ]
done

# ---- which replication ----
for which in min max; do
    run 0 -m m.yaml -n 4x1 -r 9 --engine timed --trace w.paje --trace-replication $which -f csv farm.pevpm
    column=13; [ $which = max ] && column=17
    wanted=$(awk -F, -v c=$column 'NR == 2 { printf "%.0f", 1e9 * $c }' out)
    check "the $which replication takes the $which time" \
        [ "$(awk -f "$tests/check_paje.awk" w.paje | cut -d' ' -f3)" = "$wanted" ]
done
trace a.json --trace-replication 7
trace b.json --trace-replication 7 -j 1
sed 's/b\.json/a.json/' b.json >c.json; check 'a replication by number, the same each time' same a.json c.json
trace b.json --trace-replication 8
check 'and others are others' [ "$(cmp a.json b.json >/dev/null; echo $?)" -eq 1 ]
run 2 -m m.yaml -n 4x1 --trace t.json --trace-replication mediann farm.pevpm
check 'with a suggestion' has 'did you mean `median`' err

# ---- whole or not at all ----
run 4 -m m.yaml -n 4x1 -r 9 --trace no/t.json farm.pevpm
check 'said before the work' [ ! -s out ]
printf 'Message type = MPI_Recv & from = (procnum+1)%%numprocs & to = procnum\n' >dead.pevpm
run 1 -m m.yaml -n 4x1 --profile --trace dead.json dead.pevpm
check 'no trace of a deadlock' [ ! -e dead.json ]
check 'no temporary files are left' clean

finish
