#!/bin/sh
# pevpm_time.h under the compilers that are here, off and on; then a program's whole way: timed, merged into a machine
# file, predicted, and compared with how long it really took. Also pevpm-time's command line.
set -u

. common/tests/check.sh

root=$PWD
time=$build/pevpm-time program=$build/pevpm-time sim=$build/pevpm-sim header=$root/timing
cd "$folder" || exit 1
case ${CC:-cc} in *clang*) skip_all "what is timed: tested with the default compiler, and with sanitizers" ;; esac
unset PEVPM_TIME_FILE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK ALPS_APP_PE FLUX_TASK_RANK \
    SLURM_PROCID

# ---- any compiler ----

cat >lib.c <<'P'
#include "pevpm_time.h"
#ifdef __cplusplus
extern "C"
#endif
void work(int n);
void work(int n)
{
    static volatile double sum;
    int i;
    PEVPM_TIME_BEGIN_ARG(work, n * 0.5);
    for (i = 0; i < n; i++)
        sum = sum + i;
    PEVPM_TIME_END(work);
}
P
cat >main.c <<'P'
#include <stdio.h>
#include <time.h>
#include "pevpm_time.h"
#ifdef __cplusplus
extern "C"
#endif
void work(int n);
int main(void)
{
    int i;
    PEVPM_TIME_BEGIN(warm_up);
    PEVPM_TIME_BEGIN(step);
    work(500);
    PEVPM_TIME_END(late);
    PEVPM_TIME_START();
    PEVPM_TIME_END(step);
    PEVPM_TIME_END(warm_up);
    for (i = 0; i < 30; i++) {
        PEVPM_TIME_BEGIN(step);
        work(1000 * (1 + i % 2));
        PEVPM_TIME_END(step);
    }
    PEVPM_TIME_BEGIN(left);
    PEVPM_TIME_END(wrong);
    return 0;
}
P
warnings="-Wall -Wextra -Wshadow -Wconversion -pedantic -Werror -DPEVPM_TIME_STRICT -O2 -I$header"
accepted() { # accepted NAME COMPILER...: clean off and on; one record from two files
    who=$1; shift
    check "$who, off" "$@" -o "$who.off" main.c lib.c
    check "$who, on" "$@" -DPEVPM_TIME -o "$who.on" main.c lib.c
    PEVPM_TIME_FILE="$who.dat" "./$who.on" >out 2>err
    check "$who: one record of both files" [ "$(grep -c '^block' "$who.dat")" -eq 3 ]
    check "$who: monotonic clock" grep -q 'CLOCK_MONOTONIC' "$who.dat"
    check "$who: what has no end is counted" grep -q '^unmatched 2$' "$who.dat"
    check "$who: what came before the start is forgotten" [ "$(sed -n 's/^block step - \([0-9]*\) .*/\1/p' \
        "$who.dat")" -eq 30 -a "$(grep -c '^block warm_up\|^block late\|^block work 250 ' "$who.dat")" -eq 0 ]
    run 0 "$who.dat"
    told 'main.c:23:1: warning: not counted: 1 PEVPM_TIME_BEGIN(left) without END'
    told 'main.c:24:1: warning: not counted: 1 PEVPM_TIME_END(wrong) without BEGIN'
}
for cc in gcc clang; do
    command -v $cc >/dev/null || { skip "no $cc"; continue; }
    for std in c89 gnu89 c99 c11 gnu17; do
        accepted $cc-$std $cc -std=$std -Wmissing-prototypes $warnings
    done
    check "$cc, with functions linked" $cc -std=c99 $warnings -DPEVPM_TIME -DPEVPM_TIME_EXTERN -o extern main.c lib.c \
        "$header/pevpm_time.c"
done
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || { skip "no $cxx"; continue; }
    for std in c++98 c++11 c++20; do
        accepted $cxx-$std $cxx -x c++ -std=$std $warnings
    done
    check "$cxx: the header is quiet whatever the warnings" $cxx -x c++ -std=c++11 -Wall \
        -Wold-style-cast -Wuseless-cast -Wno-unknown-warning-option -Wno-deprecated -Werror -I"$header" -DPEVPM_TIME \
        -c -o quiet.o main.c
done
if command -v tcc >/dev/null; then accepted tcc tcc -I"$header"; else skip "no tcc"; fi

# ---- it may go into any program ----

for file in pevpm_time.h pevpm_time.c pevpm_time.F90; do
    check "$file says its licence" grep -q 'SPDX-License-Identifier: MIT$' "$header/$file"
    check "$file needs the C library only" [ -z "$(grep '#include' "$header/$file" | grep -v '<\|"pevpm_time.h"')" ]
done
check 'the licence is there' grep -q 'MIT License' "$root/LICENSES/MIT.txt"

# ---- off, it costs nothing: the same code as without the macros ----

mkdir with without
cp main.c lib.c with
for file in main.c lib.c; do sed 's/PEVPM_TIME_[A-Z_]*(.*);/;/; /pevpm_time\.h/s/.*//' $file >without/$file; done
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    for level in -O0 -O2; do
        for file in main lib; do
            for kind in with without; do
                (cd $kind && $cc $level -I"$header" -S $file.c)
            done
            check "$cc $level $file.c: the same assembly" cmp with/$file.s without/$file.s
        done
    done
done

# ---- from program to prediction ----

cat >nap.c <<'P'
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int slow;
static void nap(long us)
{
    struct timespec t;
    t.tv_sec = 0;
    t.tv_nsec = slow ? us * 1500 : us * 1000;
    nanosleep(&t, NULL);
}
int main(int argc, char **argv)
{
    struct timespec a, b;
    int i;
    slow = argc > 1 && argv[1][0] == 's';
    clock_gettime(CLOCK_MONOTONIC, &a);
    /* PEVPM Loop iterations = 40 & var = i */
    /* PEVPM { */
    for (i = 0; i < 40; i++) {
        /* PEVPM Serial time = measured(nap) */
        nap(4000);
        /* PEVPM Serial time = measured(long_nap, i%2) */
        nap(i % 2 ? 9000 : 1000);
        /* PEVPM Runon c1 = i == 20 */
        /* PEVPM { */
        if (i == 20) {
            /* PEVPM Serial time = measured(once) */
            nap(90000);
        }
        /* PEVPM } */
    }
    /* PEVPM } */
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.6f\n", (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9);
    return 0;
}
P
cat >machine.yaml <<'P'
# a comment
pevpm_machine: 1
name: testbed
nodes: 2
processes_per_node: 2
models:
  hockney: {alpha: 1 us, beta: 1 ns}
P
run 0 --instrument nap.c -o timed.c
told 'nap.c:22:41: note: line 23 is timed'
check 'nothing on standard output' [ ! -s out ]
# The program differs by the macros alone.
grep -v 'PEVPM_TIME_\|pevpm_time.h' timed.c >plain.c
check 'instrumenting only adds lines' cmp plain.c nap.c
check 'the timed program compiles' cc -I"$header" -DPEVPM_TIME -o nap timed.c
is_near() { # is_near MACHINE PROCS TRUTH: what is predicted, within 10 %
    "$sim" -m "$1" --model hockney -n "$2" -f csv nap.c >near 2>err
    predicted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "mean_s") n = i } NR == 2 { print $n }' near)
    awk -v p="${predicted:-0}" -v t="$(cat "$3")" 'BEGIN { exit !(p > 0.9 * t && p < 1.1 * t) }'
}
predicts() {
    is_near "$@" && pass || fail "$1, $2: predicted ${predicted:-nothing} s, took $(cat "$3") s"
}
timed() {
    rm -f pevpm-time.*.dat
    ./nap >truth 2>err
    record=$(echo pevpm-time.*.dat)
    run 0 -m machine.yaml -o measured.yaml "$record"
}
# Beside much else naps last longer, and so does what is between them.
in_peace 'naps of 4 ms take $(grep "^  nap" out); predicted ${predicted:-nothing} s, took $(cat truth) s' \
    "grep -q '^  nap  *40  *4\..* ms' out && is_near measured.yaml 1 truth" timed
check "the record is named after host and process" \
    sh -c "echo '$record' | grep -q '^pevpm-time\.$(uname -n)\.[0-9]*\.dat$'"
check 'comments stay' grep -q '^# a comment' measured.yaml

# What is instrumented compiles, timed or not: names that the program does not know stay out of it.
cat >md.c <<'P'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#define CELLS (2+2)
struct atoms { int n_local; };
struct simulation { struct atoms *atoms; double *force; };
typedef struct { int x; } box;
enum { THREE = 3 };
static int half(int n) { return n / 2; }
static double total;
static void advance(struct simulation *s, int n, const box *b)
{
    int size = 2;
    // PEVPM Serial time = measured(force, atoms/numprocs) & code = s->atoms->n_local
    for (int i = 0; i < s->atoms->n_local; i++)
        total += s->force[i];
    // PEVPM Serial time = measured(cells, CELLS*n/size)
    total += CELLS * size;
    // PEVPM Serial time = measured(lost, n/numprocs)
    total += n;
    // PEVPM Serial time = measured(pointer, b)
    total += b->x;
    // PEVPM Serial time = measured(redistribute, THREE*half(n))
    for (int size = 0; size < n; size++) {
        total += size;
        // PEVPM Serial time = measured(inner, size)
        total += half(size);
    }
    // PEVPM Serial time = measured(by_hand, atoms)
    PEVPM_TIME_BEGIN_ARG(by_hand, s->atoms->n_local);
    total += 1;
    PEVPM_TIME_END(by_hand);
}
int main(void)
{
    double force[3] = {1, 2, 3};
    struct atoms atoms = {3};
    struct simulation s = {&atoms, force};
    box b = {1};
    char *text;
    advance(&s, 10, &b);
    if (asprintf(&text, "%g", total) > 0)
        puts(text);
    free(text);
    return 0;
}
P
run 0 --instrument md.c -o md_timed.c
told 'md.c:21:45: warning: not timed: `numprocs` is not declared here; say what the program calls the argument'
told 'md.c:23:46: warning: not timed: `b` is a pointer, an array or a structure here'
told 'md.c:31:37: note: timed by hand in line 32'
for file in md_timed.c timed.c; do
    for cc in gcc clang "g++ -x c++" "clang++ -x c++ -Wno-deprecated"; do
        command -v ${cc%% *} >/dev/null || continue
        for on in '' -DPEVPM_TIME; do
            check "$file: $cc $on" $cc -Wall -Wextra -Werror -I"$header" $on -o md $file
        done
    done
done

# Two files, one record.
mkdir -p two/deep
cat >two/main.c <<'P'
#include "deep/sum.h"
#include <stdio.h>
int main(void)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        // PEVPM Serial time = measured(add)
        sum += 1;
        // PEVPM Call sum
        sum += add(10);
        // PEVPM Serial time = measured(apart)
        sum += 2;
    }
    printf("%g\n", sum);
    return 0;
}
P
echo 'double add(int n);' >two/deep/sum.h
cat >two/deep/sum.c <<'P'
#include "sum.h"
double add(int n)
{
    double sum = 0;
    // PEVPM Procedure sum
    // PEVPM {
    // PEVPM Serial time = measured(sum, n)
    for (int i = 0; i < n; i++)
        sum += i;
    // PEVPM }
    PEVPM_TIME_BEGIN(apart);
    PEVPM_TIME_END(apart);
    return sum;
}
P
run 0 --instrument two -o two_timed
told '^two/main.c:7:41: note: line 8 is timed$'; told '^two/deep/sum.c:7:37: note: lines 8 to 9 are timed$'
told '^two/main.c:11:41: note: timed by hand in line 11 of two/deep/sum.c: nothing is added$'
check 'two files compile' cc -I"$header" -Itwo -Itwo/deep -DPEVPM_TIME -o two_nap two_timed/main.c two_timed/sum.c
PEVPM_TIME_FILE=two.dat ./two_nap >two.out 2>err
run 0 two.dat
check 'blocks of both files' [ "$(grep -c '^  - {\?name: \(add\|sum\|apart\)\|^  \(add\|sum\|apart\):' out)" -eq 3 ]

# A second node, half as fast again; the run waits for it. Both by a clock that naps alone make go on: how long a real one
# takes depends on what else the machine does, and two runs of the program are compared here.
cat >told.c <<'P'
#define _POSIX_C_SOURCE 200112L
#include <time.h>
static long long ns = 5000000000;
int clock_gettime(clockid_t clock, struct timespec *t)
{
    (void)clock;
    ns += 20;
    t->tv_sec = (time_t)(ns / 1000000000);
    t->tv_nsec = (long)(ns % 1000000000);
    return 0;
}
int nanosleep(const struct timespec *t, struct timespec *left)
{
    (void)left;
    ns += t->tv_sec * 1000000000LL + t->tv_nsec;
    return 0;
}
P
check 'with a clock of its own' cc -I"$header" -DPEVPM_TIME -o told timed.c told.c
PEVPM_TIME_FILE=fast.dat ./told >fast.truth 2>err
PEVPM_TIME_FILE=slow.dat ./told slow >slow.truth 2>err
sed 's/^host .*/host fast/; s/^rank .*/rank 0/' fast.dat >fast.0
sed 's/^host .*/host slow/; s/^rank .*/rank 1/' slow.dat >slow.1
run 0 -m machine.yaml -o factors.yaml slow.1 fast.0
check 'the slow node is found' grep -q '^node_time_factor: \[1, 1\.\(5\|49\)' factors.yaml
predicts factors.yaml 1 fast.truth
predicts factors.yaml 2x1 slow.truth

# ---- what a record survives ----

cat >limits.c <<'P'
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include "pevpm_time.h"
static void nested(int depth)
{
    char name[16];
    sprintf(name, "depth%d", depth);
    pevpm_time_begin(name);
    if (depth < 40)
        nested(depth + 1);
    pevpm_time_end(name);
}
int main(void)
{
    int i;
    setlocale(LC_ALL, "de_DE.UTF-8");
    for (i = 0; i < 5000; i++) {
        PEVPM_TIME_BEGIN_ARG(many, i / 2.0);
        PEVPM_TIME_END(many);
    }
    PEVPM_TIME_BEGIN_ARG(many, 1e300 * 1e300);
    PEVPM_TIME_WRITE();
    if (fork() == 0)
        exit(0);
    wait(NULL);
    return 0;
}
P
check 'limits' cc -I"$header" -DPEVPM_TIME -o limits limits.c
PEVPM_TIME_FILE=limits.dat ./limits
check 'no more than 4096 arguments' [ "$(grep -c '^block many' limits.dat)" -eq 4096 ]
check 'the others are counted' [ "$(sed -n 's/^dropped //p' limits.dat)" -ge 905 ]
run 0 limits.dat; told 'lost blocks: '
sed 's/for (i = 0; i < 5000.*/nested(0);{/; /many/d' limits.c >depth.c
check 'depth' cc -I"$header" -DPEVPM_TIME -o depth depth.c
PEVPM_TIME_FILE=depth.dat ./depth
check 'at most 32 deep' [ "$(grep -c '^block depth' depth.dat)" -eq 32 ]

cat >breaks.c <<'P'
#include "pevpm_time.h"
int main(void)
{
    int i, j;
    for (i = 0; i < 1000; i++)
        for (j = 0; j < 3; j++) {
            PEVPM_TIME_BEGIN(outer);
            PEVPM_TIME_BEGIN(inner);
            if (j == 1)
                break;
            PEVPM_TIME_END(inner);
            PEVPM_TIME_END(outer);
        }
    return 0;
}
P
check 'breaks' cc -I"$header" -DPEVPM_TIME -o breaks breaks.c
PEVPM_TIME_FILE=breaks.dat ./breaks
run 0 breaks.dat
told 'breaks.c:7:1: warning: not counted: 1000 PEVPM_TIME_BEGIN(outer) without END'
told 'breaks.c:8:1: warning: not counted: 1000 PEVPM_TIME_BEGIN(inner) without END'

# ---- many processes ----

mpi() {
    timeout 60 mpirun "$@"
}
cat >ranks.c <<'P'
#include <mpi.h>
#include "pevpm_time.h"
int main(int argc, char **argv)
{
    int i;
    static volatile double sum;
    MPI_Init(&argc, &argv);
    PEVPM_TIME_BEGIN(work);
    for (i = 0; i < 100000; i++)
        sum = sum + i;
    PEVPM_TIME_END(work);
    MPI_Finalize();
    return 0;
}
P
if ! command -v mpicc >/dev/null || ! mpicc -I"$header" -DPEVPM_TIME -o ranks ranks.c 2>err; then
    skip 'no mpicc'
elif ! mpi -n 3 ./ranks >out 2>err; then
    skip "MPI cannot start here: $(tail -n 1 err)"
else
    check 'a record per rank' [ "$(ls | grep -c '^pevpm-time\..*\.[012]\.dat$')" -eq 3 ]
    PEVPM_TIME_FILE=run1 mpi -n 2 ./ranks >out 2>err
    check '$PEVPM_TIME_FILE gets the rank' [ -f run1.0 -a -f run1.1 ]
    PEVPM_TIME_FILE=r%r.%h mpi -n 2 ./ranks >out 2>err
    check '$PEVPM_TIME_FILE says where' [ -f "r0.$(uname -n)" ]
    run 0 run1.0 run1.1
    told '2 processes on 1 node'
fi
PEVPM_TIME_FILE=/nowhere/record ./nap >out 2>err
told 'pevpm-time: cannot write /nowhere/record'

# ---- Fortran ----

cat >program.f90 <<'P'
program example
    use pevpm_time
    implicit none
    integer :: i, j
    double precision :: total
    total = 0
    call pevpm_time_begin('total', 5d-1)
    call pevpm_time_end('total')
    call pevpm_time_start()
    do i = 1, 20
        call pevpm_time_begin('total', dble(1000 * i))
        do j = 1, 1000 * i
            total = total + sqrt(dble(j))
        end do
        call pevpm_time_end('total')
    end do
    if (total < 0) print *, total
end program
P
if command -v gfortran >/dev/null; then
    check 'Fortran, off' gfortran -std=f2008 -o fortran "$header/pevpm_time.F90" program.f90
    PEVPM_TIME_FILE=off.dat ./fortran
    check 'off, no record' [ ! -e off.dat ]
    check 'Fortran, on' gfortran -std=f2008 -DPEVPM_TIME -o fortran "$header/pevpm_time.F90" program.f90 \
        -x c "$header/pevpm_time.c"
    PEVPM_TIME_FILE=fortran.dat ./fortran
    run 0 fortran.dat
    check 'a row per argument' [ "$(grep -c '^    - \[' out)" -eq 20 ]
else
    skip 'no gfortran'
fi

# ---- the command line ----

run 2; told 'no record is given'
run 2 --per-mode x; told 'unknown option `--per-mode`, did you mean `--per-node`?'
run 2 --per-node --pool x; told '--per-node and --pool exclude each other'
run 2 --instrument; told 'no program is given: pevpm-time --instrument PROGRAM.c -o TIMED.c'
run 2 --instrument -o timed.c; told 'no program is given'
run 0 --instrument -o first.c nap.c; run 0 nap.c -o last.c --instrument
check 'options stand anywhere' cmp first.c last.c
run 4 --instrument nap.c x; told '^x: error: cannot open'
run 2 --instrument nap.c nap.c md.c; told 'a program of several files is timed in a folder: -o FOLDER'
cp nap.c again.c; ln again.c other.c
run 4 --instrument again.c -o ./again.c
told '^./again.c: error: a file of the program itself is not overwritten: give another to -o'
run 4 --instrument again.c -o other.c; told '^other.c: error: a file of the program itself'
check 'and is as it was' cmp nap.c again.c
cp -r two three
run 4 --instrument three -o three; told '^three/main.c: error: a file of the program itself'
check 'nor is one of several' diff -r two three
run 2 -m; told '--machine needs an argument: FILE'
run 4 /nowhere/record; told '/nowhere/record'
run 3 nap.c; told 'nap.c:1:1: error: expected `pevpm-time`'
run 3 -m nap.c "$record"
run 4 -m machine.yaml -o /nowhere/out.yaml "$record"; told '/nowhere/out.yaml: error: cannot create: '
printf '# PEVPM Serial time = measured(a)\n' >program.py
run 3 --instrument program.py; told 'this is Python: only C, C++ and Fortran can be instrumented'
head -c 200 "$record" >cut.dat
cp measured.yaml before.yaml
run 3 -m machine.yaml -o measured.yaml cut.dat; told 'cut'
check 'a damaged record changes nothing' cmp before.yaml measured.yaml
cp machine.yaml own.yaml
run 0 -m own.yaml -o own.yaml -q "$record"
check 'quiet' [ ! -s out -a ! -s err ]
check 'the machine file itself may be written' grep -q 'nap:' own.yaml
run 0 -m own.yaml -o twice.yaml -q "$record"
check 'a second time changes nothing' cmp own.yaml twice.yaml
run 0 --help
for option in $(grep -o -e '--[a-z][a-z-]*' out | sort -u); do
    check "docs/cli.md mentions $option" grep -q -e "$option" "$root/docs/cli.md"
    roff=$(echo "$option" | sed 's/-/\\\\-/g')
    check "docs/man/pevpm-time.1 mentions $option" grep -q -e "$roff" "$root/docs/man/pevpm-time.1"
done
{ sleep 0.2; timeout 20 "$time" --help 2>err; echo $? >code; } | true
check 'a reader that is gone: exit code' [ "$(cat code)" = 0 ]
check 'a reader that is gone: not a word' [ ! -s err ]

finish
