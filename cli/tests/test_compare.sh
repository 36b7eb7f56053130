#!/bin/sh
# pevpm-sim compare, --scale and --check from outside. test_compare.sh [PEVPM-SIM]; without it $BUILD/pevpm-sim. Last
# line: N passed, N failed, N skipped.
set -u

. common/tests/check.sh

use_sim "$@"
cd "$folder" || exit 1

column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { print $c }' out; }

cat >m.yaml <<'Y'
pevpm_machine: 1
name: testbed
nodes: 4
processes_per_node: 1
point_to_point:
  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: {uniform: {low: 1 ms, high: 3 ms}}}]}
Y
sed 's/testbed/faster/; s/1 ms, high: 3 ms/0.5 ms, high: 1.5 ms/' m.yaml >faster.yaml
cat >p.pevpm <<'P'
Param N = 20
Serial time = 5 ms
Loop iterations = N
{
Runon c1 = procnum == 0 & c2 = procnum == 1
{
Message type = MPI_Ssend & size = 8 & to = 1
}
{
Message type = MPI_Recv & size = 8 & from = 0
}
}
P
sed 's/5 ms/6 ms/' p.pevpm >slower.pevpm

# ---- compare ----
run 0 compare --help; check 'help names --against' grep -q -e '--against' out
check 'help leaves out what compare does not take' [ "$(grep -c -e '--plot' -e '--check' out)" -eq 0 ]
run 0 compare --version; check version grep -q '^pevpm-sim [0-9]' out
run 2 compare -m m.yaml p.pevpm; told '^pevpm: error: nothing to compare `p.pevpm` with'
run 2 compare -m m.yaml p.pevpm --against -f csv; told 'error: -f holds for both sides'
run 4 compare -m m.yaml -n 2 p.pevpm none.pevpm; told '^none.pevpm: error: '; check 'no output' [ ! -s out ]
run 4 compare -m none.yaml -n 2 p.pevpm --against -m neither.yaml
told '^none.yaml: error: '; told '^neither.yaml: error: '
run 0 compare -m m.yaml -n 2,4 -f csv p.pevpm slower.pevpm
check 'header' [ "$(head -n 1 out)" = "program_a,program_b,machine_a,machine_b,model_a,model_b,mode_a,mode_b,numprocs_a,nodes_a,\
ppn_a,numprocs_b,nodes_b,ppn_b,params_a,params_b,replications,mean_a_s,mean_b_s,difference_s,difference_ci95_s,ratio,\
ratio_ci95,b_faster,b_faster_any" ]
check 'rows' [ "$(wc -l <out)" -eq 3 ]
check 'the 1 ms more, whatever the draws' [ "$(column difference_s | awk '$1 > 0.000999999 && $1 < 0.001000001' | wc -l)" -eq 2 ]
check 'known exactly' [ "$(column difference_ci95_s | awk '$1 < 1e-9' | wc -l)" -eq 2 ]
cp out plain.csv
for width in '-j 1' '-j 3' '--lanes 1' '--engine reference' '--engine timed'; do
    run 0 compare -m m.yaml -n 2,4 -f csv $width p.pevpm slower.pevpm; check "same bits: $width" same out plain.csv
done
run 0 compare -m m.yaml -n 2,4 -f csv -o kept.csv p.pevpm slower.pevpm; check '-o' same kept.csv plain.csv
check 'nothing on standard output' [ ! -s out ]
run 0 compare -m m.yaml -n 2 p.pevpm --against -m faster.yaml
check 'A and B are told apart' grep -q '^B  *p.pevpm on faster (faster.yaml), model measured' out
check 'half the time' grep -q '^ *2x1  distribution .* 100.0 %  100.0 %$' out
run 0 compare -m m.yaml -f csv p.pevpm --against -n 2 -D N=40
check "B's count is A's where A has none" [ "$(column numprocs_a)" = 2 ]
check 'parameters' [ "$(column params_b)" = N=40 ]
run 0 compare -m m.yaml -f csv -M average p.pevpm --against --scale transit=0.5
check 'default counts leave out one process where it does not run' [ "$(column numprocs_a | tr '\n' ' ')" = '2 4 ' ]
check 'factors' [ "$(column params_b | sort -u)" = scale:transit=0.5 ]
check '25 ms - 45 ms' [ "$(column difference_s | awk '($1 + 0.020)^2 < 1e-24' | wc -l)" -eq 2 ]
printf 'Message type = MPI_Recv & from = (procnum+1)%%numprocs\n' >stuck.pevpm
run 1 compare -m m.yaml -n 2 p.pevpm stuck.pevpm; told '^stuck.pevpm:1:.*deadlock'
if command -v python3 >/dev/null; then
    run 0 compare -m m.yaml -n 2,4 -f json p.pevpm slower.pevpm
    check json python3 -c 'import json
d = json.load(open("out"))
assert d["complete"] and len(d["comparisons"]) == 2 and abs(d["comparisons"][0]["difference_s"] - 1e-3) < 1e-9'
else
    skip 'json: there is no python3 to read it'
fi
mpirun="mpirun --allow-run-as-root --oversubscribe"
if timeout 60 $mpirun -np 2 true >out 2>&1; then
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" timeout 60 $mpirun -np 2 "$sim" compare -m m.yaml -n 2,4 -f csv p.pevpm \
        slower.pevpm >out 2>err
    check 'same bits: mpirun -np 2' same out plain.csv
else
    skip "mpirun: $(head -n 1 out)"
fi
timeout -s KILL 90 "$sim" compare -m m.yaml -n 2,4 -r 100000000 -D N=1000 p.pevpm slower.pevpm >out 2>err &
pid=$!; ready $pid; worked 0.7 $pid; kill -INT $pid; wait $pid; code=$?
check "interrupted: exit code $code" [ $code -eq 4 ]
told '^pevpm: error: interrupted: '; check 'marked' grep -q '^INCOMPLETE' out

# ---- --scale ----
run 0 -m m.yaml -n 2 -M average -f csv --scale transit=0.5,serial=2 p.pevpm
check 'params column' [ "$(sed -n '2s/.*"\(scale[^"]*\)".*/\1/p' out)" = 'scale:transit=0.5,serial=2' ]
check '10 ms + 20 ms' [ "$(sed 's/"[^"]*"/x/' out | awk -F, 'NR == 2 && ($10 - 0.030)^2 < 1e-24' | wc -l)" -eq 1 ]
run 0 -m m.yaml -n 2 --scale gap=2 p.pevpm
check 'said that it changes nothing' [ "$(grep -c '^note: ports play no part .* changes nothing$' out)" -eq 1 ]
check 'factors in the report' grep -q '^scale  *gap=2$' out
run 2 -m m.yaml -n 2 --scale gpa=2 p.pevpm; told 'error: unknown cost `gpa`, did you mean `gap`?'
run 2 -m m.yaml -n 2 --scale gap=-2 p.pevpm; told 'error: expected a factor'

# ---- --check ----
cat >c.c <<'C'
#define N 10
// PEVPM Serial on somewhere time = 3
// PEVPM Message type = MPI_Isend & size = N*sizeof(double) & to = (procnum+1)%numprocs & request = r
MPI_Send(a, N, MPI_FLOAT, right, 0, MPI_COMM_WORLD);
// PEVPM Message type = MPI_Recv & size = N*sizeof(float) & from = (procnum+numprocs-1)%numprocs
MPI_Recv(a, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &status);
C
said() { check "output like '$1'" grep -q -e "$1" out; }
run 0 --check c.c; check 'one line on standard output' [ "$(wc -l <out)" -eq 1 ]
said '^compared     2 Message and Collective directives with the MPI calls: 1 in full, 1 in part, 0 not at all (-v says why)$'
told '^c.c:3:10: warning: this directive is MPI_Isend, but MPI_Send is called$'; told '^c.c:4:1: note: '
told '^c.c:5:43: warning: `size` is 40 bytes, but MPI_Recv is called with 80 (process 0 of 2)$'; told '^c.c:6:13: note: '
check 'two warnings' [ "$(grep -c warning: err)" -eq 2 ]
run 0 --check -n 5 c.c; told '(process 0 of 5)$'
run 0 --check -q c.c; check 'quiet' [ ! -s err ]; said '1 in full, 1 in part, 0 not at all'
run 0 --check -v c.c; told '^c.c:5:10: note: compared in part, but not `from`: `left` cannot be read$'
said ' 0 not at all$'
run 0 --check -q -o checked c.c; check 'nothing on standard output' [ ! -s out ]; check 'in the file' grep -q '^compared' checked
printf 'Message type = MPI_Send & size = 8 & to = 0\n' >s.pevpm
run 0 --check -v s.pevpm; told 'note: not compared: the calls of C, C++ and Fortran are read$'
said '^compared     1 Message and Collective directive with the MPI calls: 0 in full, 0 in part, 1 not at all$'

# a variable that changes is no constant; macros are text
cat >v.c <<'C'
#define PK 2+3
int main(void)
{
    int count = 0;
    count++;
    // PEVPM Serial time = PK*2
    // PEVPM Loop iterations = count
    // PEVPM {
    // PEVPM Serial time = 1
    // PEVPM }
}
C
run 3 -m m.yaml -n 1 v.c; told '^v.c:7:32: error: undefined name `count`: define it with -D NAME=VALUE or a PEVPM Param'
told '^v.c:4:9: note: `count` is declared here, but it is no constant$'; told '^v.c:5:5: note: it is changed here$'
run 0 -m m.yaml -n 1 -D count=2 --print v.c; said '^  compute 8.000 s '; said '^  loop 2 times$'

finish
