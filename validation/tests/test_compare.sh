#!/bin/sh
# The judge of predicted against measured: numbers worked out by hand, limits kept and missed, missing predictions.
set -u
. common/tests/check.sh
compare=validation/stages/compare.awk numbers=validation/numbers.awk chance=validation/stages/chance.awk work=$folder
code_of() { # code_of CODE COMMAND...
    wanted=$1
    shift
    "$@" >"$work/out" 2>&1
    got=$?
    [ "$got" -eq "$wanted" ] || { echo "exit code $got, expected $wanted"; cat "$work/out"; return 1; }
}
says() { grep -qF -- "$1" "$work/out" || { echo "no '$1' in:"; cat "$work/out"; return 1; }; }

# Medians: measured 2.0 of 1.9, 2.0, 2.2; computation alone is 1.5 s, so 0.5 s is communication.
cat >"$work/measured.csv" <<'END'
case,program,params,numprocs,launch,seconds,dropped
a,p,x=1,2,1,2.0,0
a,p,x=1,2,2,2.2,3
a,p,x=1,2,3,1.9,0
END
predicted() { # predicted MEDIAN P5 P95
    cat >"$work/predicted.csv" <<END
case,mode,numprocs,p5_s,median_s,p95_s
a,distribution,2,$2,$1,$3
a,average,2,2.1,2.1,2.1
a,average@2x1,2,1.8,1.8,1.8
a,serial,2,1.5,1.5,1.5
END
}

predicted 2.02 1.89 2.06
check "limits missed: exit code 1" code_of 1 awk -f "$numbers" -f "$compare" "$work/predicted.csv" "$work/measured.csv"
check "error of the medians and of the communication alone" says "| +1.0 % | +4.0 % | 2 of 3 | +5.0 % | -10.0 % |"
check "what was measured" says "| a | 2 | 2.0000 | 1.9000 - 2.2000 | 25 % | 3 |"
check "runs inside" says "| runs inside p5 - p95: 80 to 98 % | 67 % | missed |"
check "the interval's width" says "| mean width under 4 % | 8.42 % | missed |"
check "largest error" says "| largest error at most 5 % | 1.00 % | kept |"

# Twenty runs, nineteen inside an interval of 3 %.
{
    echo case,program,params,numprocs,launch,seconds,dropped
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do echo "a,p,x=1,2,$i,2.0,0"; done
    echo a,p,x=1,2,20,2.2,0
} >"$work/measured.csv"
predicted 2.02 1.98 2.04
check "limits kept: exit code 0" code_of 0 awk -f "$numbers" -f "$compare" -v csv="$work/table.csv" "$work/predicted.csv" "$work/measured.csv"
check "runs inside, kept" says "| runs inside p5 - p95: 80 to 98 % | 95 % | kept |"
check "the csv's first row" grep -qF "a,2,distribution,2.000000,2.000000,2.200000,1.500000,2.020000,1.980000,2.040000,1.000,4.000,19,20,0" \
    "$work/table.csv" || cat "$work/table.csv"

# Two kinds of cases: `a`, as above, and an example, 10 % too fast. Each has its table and its limits.
echo examples/b,examples/b.c,x=1,4,1,1.0,0 >>"$work/measured.csv"
cat >>"$work/predicted.csv" <<'END'
examples/b,distribution,4,0.89,0.9,0.91
examples/b,average,4,0.9,0.9,0.9
examples/b,average@2x1,4,0.8,0.8,0.8
examples/b,serial,4,0.5,0.5,0.5
END
check "limits kept by one kind only: exit code 1" code_of 1 awk -f "$numbers" -f "$compare" -v csv="$work/table.csv" "$work/predicted.csv" \
    "$work/measured.csv"
cp "$work/out" "$work/both"
section() { awk -v heading="## $1" '/^## / {inside = $0 == heading} inside' "$work/both" >"$work/out"; }
section Programs
check "the programs' errors are their own" says "| distribution | 1.00 % | 1.00 % | 4.00 % | 4.00 % | 95 % | 2.97 % |"
check "and so are their limits" says "| largest error at most 5 % | 1.00 % | kept |"
section Examples
check "an example's name stands without its kind" says "| b | 4 | 1.0000 | 1.0000 - 1.0000 | 50 % | 0 |"
check "the examples' errors" says "| distribution | 10.00 % | 10.00 % | 20.00 % | 20.00 % | 0 % | 2.22 % |"
check "and their limits" says "| largest error at most 5 % | 10.00 % | missed |"
check "no example among the programs" [ "$(grep -c '^| [ab] |' "$work/out")" -eq 1 ]
check "the csv has both" [ "$(grep -c '^a,2,\|^examples/b,4,' "$work/table.csv")" -eq 6 ]

# One process has nobody to talk to: what it is off is judged, and not as an error of communication.
echo apps/c,c.c,x=1,1,1,1.0001,0 >>"$work/measured.csv"
cat >>"$work/predicted.csv" <<'END'
apps/c,distribution,1,0.998,1.0000,1.002
apps/c,average,1,1.0,1.0,1.0
apps/c,average@2x1,1,1.0,1.0,1.0
apps/c,serial,1,1.0,1.0,1.0
END
check "one process, and an example over the limits" code_of 1 awk -f "$numbers" -f "$compare" -v csv="$work/table.csv" "$work/predicted.csv" \
    "$work/measured.csv"
cp "$work/out" "$work/both"
section Apps
check "no error of communication for one process" says "| c | 1 | 1.0001 | 1.0001 - 1.0001 | 0 % | 0 | 1.0000 | 0.9980 - 1.0020 | -0.0 % | - | 1 of 1 |"
check "nor in the summary" says "| distribution | 0.01 % | 0.01 % | - | - | 100 % | 0.40 % |"
check "and no limit for it" [ "$(grep -c 'of communication at most\|its largest' "$work/out")" -eq 0 ]
check "the csv leaves it empty" grep -qF ",0.998000,1.002000,-0.010,,1,1,0" "$work/table.csv"
echo apps/c,c.c,x=1,2,1,0.8,0 >>"$work/measured.csv"
cat >>"$work/predicted.csv" <<'END'
apps/c,distribution,2,0.81,0.82,0.83
apps/c,serial,2,0.5,0.5,0.5
END
check "with two processes beside" code_of 1 awk -f "$numbers" -f "$compare" "$work/predicted.csv" "$work/measured.csv"
cp "$work/out" "$work/both"
section Apps
check "communication is judged by the others" says "| distribution | 1.25 % | 2.50 % | 6.67 % | 6.67 % | 50 % | 1.42 % |"

sed -i '/a,serial/d' "$work/predicted.csv"
check "no prediction: exit code 2" code_of 2 awk -f "$numbers" -f "$compare" "$work/predicted.csv" "$work/measured.csv"
check "and says of what" says "no prediction for a on 2 processes"

# ---- programs by chance ----

# One of 2 processes: medians 1.1 and 1.0, of which 0.5 computes, so +10 and +20 %; two of three launches inside 1 to 1.2.
# The other computes for all but 4 % of its time: no error of communication.
cat >"$work/chance.csv" <<'END'
halo-7,2,1.1,0.5,1.0,1.1,1.2
ring-7,2,2.02,1.93,1.9,2.0,2.1
END
chance_measured() { # the launches of halo-7
    echo 'program,params,numprocs,nodes,ppn,launch,run,seed,seconds'
    for seconds in "$@"; do echo "<--random halo --seed 7>,,2,2,1,1,0,7,$seconds"; done
    for launch in 1 2 3; do echo "<--random ring --seed 7>,,2,2,1,$launch,0,7,2.0"; done
}
chance_measured 1.05 0.9 1.0 >"$work/chance-measured.csv"
check "programs by chance over the limits" code_of 1 awk -f "$numbers" -f "$chance" -v csv="$work/table.csv" \
    "$work/chance.csv" "$work/chance-measured.csv"
check "a kind's line" says "| halo | 1 | 10.00 % | 10.00 % | 10.00 % | 20.00 % | 20.00 % | 67 % | 18.18 % |"
check "computing counts in errors, not in those of communication" \
    says "| ring | 1 | 1.00 % | 1.00 % | 1.00 % | - | - | 100 % | 10.00 % |"
check "all" says "| all | 2 | 1.00 % | 10.00 % | 10.00 % | 20.00 % | 20.00 % | 83 % | 14.09 % |"
check "the limit that is missed" says "missed: 95th percentile of errors 10.00, wanted 0 to 5"
check "a line for each" grep -q '^halo-7,2,1,1.1,0.5,1,1.2,3,2,10.000$' "$work/table.csv"
sed 's/$/,0.95,1.0,1.06/' "$work/chance.csv" >"$work/chance-drawn.csv"
check "with what was drawn" code_of 1 awk -f "$numbers" -f "$chance" "$work/chance-drawn.csv" "$work/chance-measured.csv"
check "first launches of known draws" says "Where predictions know what was drawn: 50 % inside, width 11.00 %"
cp "$work/chance-measured.csv" "$work/chance-with.csv"
echo '<--random graph --seed 7>,,2,2,1,1,0,7,0.5' >>"$work/chance-with.csv"
{ sed 's/$/,8/' "$work/chance-drawn.csv"; echo 'graph-7,2,0.6,0.5,0.5,0.6,0.7,0.5,0.6,0.7,0'; } >"$work/chance-more.csv"
check "some of which tell nothing" code_of 1 awk -f "$numbers" -f "$chance" -v csv="$work/table.csv" "$work/chance-more.csv" \
    "$work/chance-with.csv"
check "which do not count" says "| all | 2 | 1.00 % | 10.00 % | 10.00 % | 20.00 % | 20.00 % | 83 % | 14.09 % |"
check "nor among first launches" says "Where predictions know what was drawn: 50 % inside, width 11.00 %"
check "what sends nothing" says "Left out, for nothing is sent: 1 (graph-7 on 2)"
check "nor in the file" [ "$(wc -l <"$work/table.csv")" -eq 3 ]
chance_measured 1.05 0.9 1.0 | sed 's/halo/graph/' >"$work/chance-measured.csv"
check "another program than was predicted: exit code 2" code_of 2 awk -f "$numbers" -f "$chance" "$work/chance.csv" \
    "$work/chance-measured.csv"
check "which" says "no prediction for graph-7 on 2 processes"
check "and which is missing" says "halo-7 on 2 processes was not measured"

# ---- launches ----

# Of halo the launches are 1, 1 and 1.1 times what each was predicted to take: 1 against the mean 1.05, twice, and 1.1 against 1;
# their standard deviation is 5.59 % of the mean, 18.4 % of it from p5 to p95. ring has two launches.
cat >"$work/launches" <<'END'
halo-7,2x1 2 2
halo-7,2x1 3 3
halo-7,2x1 2.2 2
ring-7,2x1 1 1
ring-7,2x1 9 1
END
check "launches against one another" code_of 0 awk -f "$numbers" -f validation/studies/launches.awk "$work/launches"
check "against the others" says "| the mean of the other launches | 3 | 4.76 % | 10.0 % | 10.0 % |"
check "against predictions" says "| its prediction | 3 | 0.00 % | 10.0 % | 10.0 % |"
check "what they differ by" says "what launches differ by: 18.4 %"
echo 'ring-7,2x1 1 1' >"$work/launches"
check "no program of three launches: exit code 3" code_of 3 awk -f "$numbers" -f validation/studies/launches.awk "$work/launches"
check "which says so" says "no program has three launches"
echo 'ring-7,2x1 1' >>"$work/launches"
check "a launch without a prediction: exit code 3" code_of 3 awk -f "$numbers" -f validation/studies/launches.awk "$work/launches"
check "and that, too" says "found \`ring-7,2x1 1\`"

# ---- public programs ----

# What pevpm-record --check says of three, in files that public.sh has kept.
echo 'ring,16,1' >"$work/measured.csv"
printf '%s,16,1.1\n' ring table other >"$work/predicted.csv"
echo 'ring@16.rec: 16 processes, 3 messages, as the directives say' >"$work/ring.check"
printf '%s\n' 'table.pevpm:2:9: error: MPI_Send: this table is known only at 2 and 4 processes, in process 0 (of 16)' \
    'table@16.rec: the others differ' >"$work/table.check"
echo 'other@16.rec: 1 of 16 processes as the directives say, the others differ' >"$work/other.check"
check "public programs" code_of 0 awk -v results="$work" -f "$numbers" -f validation/studies/public.awk "$work/measured.csv" "$work/predicted.csv"
check "one that is what ran" says "| ring | equal | 0 | - | - | - | 1.00 s, +10.0 % |"
check "one launch agrees with itself" says "Where launches agree within 5 %: at 16 10.0 and 10.0 % (1)"
printf '%s\n' ring,8,1 ring,8,1.2 ring,16,1 ring,16,1.04 >"$work/measured.csv"
printf '%s\n' ring,8,1.1 ring,16,1.02 >"$work/predicted.csv"
check "two launches" code_of 0 awk -v results="$work" -f "$numbers" -f validation/studies/public.awk "$work/measured.csv" "$work/predicted.csv"
check "how far they are from their mean, where that is much" says "| 1.10 s +- 9 %, +0.0 % | 1.02 s, +0.0 % |"
echo 'ring,16,1' >"$work/measured.csv"
printf '%s,16,1.1\n' ring table other >"$work/predicted.csv"
check "again" code_of 0 awk -v results="$work" -f "$numbers" -f validation/studies/public.awk "$work/measured.csv" "$work/predicted.csv"
check "one whose table does not know the count" says "| table | refused |"
check "one that differs" says "| other | different |"

# ---- two descriptions ----

# 3 and 1 % off where they differ by 2 %, 20 and 10 % where by 11 %.
printf '%s\n' '1 1.03 1.01' '1 0.8 0.9' >"$work/described"
check "two descriptions" code_of 0 awk -f "$numbers" -f validation/studies/descriptions.awk "$work/described"
check "of ports" says "| ports | 11.50 % | 3.00 % | 20.0 % | 20.0 % |"
check "of frames" says "| frames | 5.50 % | 1.00 % | 10.0 % | 10.0 % |"
check "where they differ" says "| 10 % and more | 1 | 20.0 % | 20.0 % | 10.0 % | 10.0 % |"
check "a folder without runs: exit code 3" code_of 3 validation/studies/descriptions.sh validation/results/executed
check "one launch is not enough: exit code 3" code_of 3 validation/studies/launches.sh validation/results/fast validation/results/fast/machine.yaml
if [ -x "${BUILD:-build}/pevpm-run" ]; then
    for params in latency=0.003 ''; do
        for launch in 1 2 3; do
            printf 'program,params,numprocs,nodes,ppn,launch,run,seed,seconds\n<--random halo --seed 7>,%s,2,2,1,%s,0,7,0.1\n' \
                "$params" $launch >"$work/measured-$launch-2.csv"
        done
        check "launches of halo with '$params'" code_of 0 validation/studies/launches.sh "$work" examples/vcluster16/vcluster16.yaml
        cp "$work/out" "$work/with$params"
    done
    for launch in 1 2 3; do
        sed 's/,run,/,run,runs,/; s/,0,7,/,0,1,7,/' "$work/measured-$launch-2.csv" >"$work/new" && mv "$work/new" "$work/measured-$launch-2.csv"
    done
    check "launches that say how many runs they have" code_of 0 validation/studies/launches.sh "$work" examples/vcluster16/vcluster16.yaml
    check "are predicted alike" cmp -s "$work/out" "$work/with"
    check "parameters count in what launches are predicted to take" eval '! cmp -s "$work/with" "$work/withlatency=0.003"'
    # A program whose text has been kept is that, another what pevpm-run says.
    build=${BUILD:-build}
    made_as() { build=$build bash -c '. validation/made.sh && made_program halo "$1"' - "$1" | cmp -s - "$2"; }
    "$build/pevpm-run" --random halo --seed 986 --print >"$work/halo-986"
    check "a program whose text was kept" made_as 987 validation/results/programs/halo-987.pevpm
    check "and one whose was not" made_as 986 "$work/halo-986"
    for kept in validation/results/programs/*.pevpm; do
        program=$(basename "$kept" .pevpm)
        check "$program is kept under its own name" grep -q "^# ${program%-*}, seed ${program#*-}:" "$kept"
        "$build/pevpm-run" --random "${program%-*}" --seed "${program#*-}" --print >"$work/made"
        check "$program: pevpm-run makes another, or it need not be kept" eval '! cmp -s "$kept" "$work/made"'
    done
    check "no such machine: exit code 3" code_of 3 validation/studies/launches.sh "$work" "$work/nowhere.yaml"
fi
finish
