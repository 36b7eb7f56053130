#!/bin/sh
# pevpm-bench from outside: what it refuses before anything is measured, on two processes of one host.
set -u

. common/tests/check.sh

bench=$build/pevpm-bench
program=$bench launcher='mpirun -n 2'
export LSAN_OPTIONS=detect_leaks=0 # MPI's own
cd "$folder" || exit 1

starts 2

run 2; told 'no file to write is given'
run 2 -o a.yaml --levels 32x1; told '--levels 32x1 is more than this job'
launcher= # which takes a second
run 2 -o -; told '-o -: the machine file is written anew whenever more is known'
run 2 -o a.yaml --sizs 0; told 'unknown option `--sizs`, did you mean `--sizes`?'
run 2 -o a.yaml --name ''; told '--name : expected a name'
run 2 -o a.yaml --sizes 0,1q; told 'sizes 1q: expected sizes in bytes'
run 2 -o a.yaml --operations MPI_Sent; told 'unknown operation `MPI_Sent`, did you mean `MPI_Send`?'
run 2 -o a.yaml --sizes 0,,1k; told '--sizes 0,,1k: nothing stands before or after a comma: expected sizes in bytes'
run 2 -o a.yaml --duration 3; told 'measuring goes without --duration'
for inject in 1000, ,50 '' 1000,50, 1000,x; do
    run 2 --verify-clock --inject "$inject"; told 'expected microseconds and parts per million, such as 1000,50'
done
run 2 -o a.yaml --collective-budget 9; told '--collective-budget is for collectives, which --operations does not name'
run 2 -o a.yaml --plot a.svg; told 'measuring goes without --plot'
run 2 -o a.yaml --verify-clock; told '--verify-clock goes without --output'
run 2 --verify-clock --sizes 8; told '--verify-clock goes without --sizes'
run 2 -o a.yaml --fit b.yaml --resume; told '--fit goes without --resume'
run 2 --merge m.yaml a.yaml b.yaml --budget 9; told '--merge goes without --budget'
run 2 report a.yaml --merge m.yaml; told 'report goes without --merge'
run 2 reprot a.yaml; told 'unexpected argument `reprot`, did you mean `report`?'
run 2 --merge -o m.yaml a.yaml b.yaml; told '--merge is followed by the file to write, and not by `-o`'
run 2 --merge a.yaml b.yaml -o m.yaml; told '-o goes without --merge, which is followed by the file to write (here `a.yaml`)'
run 2 -o m.yaml --merge a.yaml b.yaml c.yaml; told '-o goes without --merge'
check 'nothing is written' [ ! -e a.yaml ] && check 'nor here' [ ! -e m.yaml ]
launcher='mpirun -n 2'
mkfifo pipe
run 4 -o pipe --operations self; told 'pipe: error: is a pipe, and the machine file is written anew'
run 4 -o /nowhere/a.yaml; told '/nowhere/a.yaml: error: cannot create: '

echo 'nodes: 2' >w.conf
echo 'SwitchName=s1 Nodes=nowhere[1-4]' >n.conf
echo "SwitchName=s1 Nodes=$(uname -n)" >t.conf
run 2 -o a.yaml --operations self --topology t.conf; told '--topology is for `ports`, which --operations does not name'
run 3 -o a.yaml --topology w.conf; told '^w.conf:1:1: error: expected `SwitchName=`'
run 3 -o a.yaml --topology n.conf; told "^n.conf: error: host \`$(uname -n)\` of this job is at no switch"

finish
