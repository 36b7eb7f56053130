#!/bin/sh
# validate.sh without a cluster: what it hands to programs and to pevpm-sim, and what it takes from what they say. A folder
# that looks like the project holds it, with a cluster and compilers of straw.
set -u
. common/tests/check.sh
need "$build/pevpm-sim"
case ${CC:-cc}/${SAN:-} in *clang* | */1) skip_all "validate.sh, a script, is tested with the default compiler" ;; esac
unset PEVPM_MACHINE

project=$folder/project results=$folder/results
mkdir -p "$project/validation/cluster" "$folder/mpi/bin" "$folder/build"
ln -s "$build/pevpm-sim" "$folder/build/pevpm-sim"
for file in numbers.awk stages cases free.yaml programs probes worlds; do
    ln -s "$PWD/validation/$file" "$project/validation/$file"
done
ln -s "$PWD/examples" "$project/examples"
cp validation/validate.sh "$project/validation"

# A compiler whose programs write down how they were called. `run` calls one of them, as h1's process.
cat >"$folder/mpi/bin/mpicc" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
cp "$FAKE/program" "$2"
END
cp "$folder/mpi/bin/mpicc" "$folder/mpi/bin/mpifort"
printf '#!/bin/sh\n' >"$folder/mpi/bin/sleep" # nothing is measured here
chmod +x "$folder/mpi/bin/sleep"
cat >"$folder/program" <<'END'
#!/bin/sh
echo "${0##*/} $*" >>"$FAKE/calls"
case ${0##*/} in
heat) echo '2 processes, 5 points, 7 steps: .250000 s'; echo 'up to 0.996923 after the last check' ;;
fft) echo 'nothing to say' ;;
matmul) echo '3 numbers of the product are wrong'; exit 1 ;;
jacobi_better) echo '2 processes, 2 across: 1.500000 s'; echo 'the grid is the one that a single process computes' ;;
*) echo 2.125000 ;;
esac
END
cat >"$project/validation/cluster/cluster" <<'END'
#!/bin/sh
case $1 in
up) shift 3; echo "up $*" >>"$FAKE/calls" ;;
status) echo '  h1  10mbit 32k  out 1 bytes, 2 dropped   in 3 bytes, 4 dropped' ;;
run)
    while [ "$1" != -n ]; do shift; done
    [ "$4" = 1 ] || echo "run $1 $2 $3 $4" >>"$FAKE/calls"
    shift 4
    if [ "$1" = -- ]; then
        shift
        options=
        while [ "$1" != -- ]; do options="$options $1"; shift; done
        shift
        echo "mpirun$options" >>"$FAKE/calls"
    fi
    "$@" ;;
esac
END
chmod +x "$folder/mpi/bin/mpicc" "$folder/mpi/bin/mpifort" "$folder/program" "$project/validation/cluster/cluster"

validate() { # validate CODE ARGUMENT...
    wanted=$1
    shift
    rm -f "$folder/calls"
    # shellcheck disable=SC2086 # words
    CLUSTER_MPI=$folder/mpi FAKE=$folder PATH=$folder/mpi/bin:$PATH bash "$project/validation/validate.sh" --build "$folder/build" --results "$results" \
        $counts --launches 1 "$@" >"$folder/out" 2>"$folder/err"
    ended "$wanted" $? "validate.sh $*"
}
counts='--procs 2'
parameters() { sed -n "s|^$1  *[^ ]*  *||p" validation/cases | sed 's/  */ /g'; } # parameters CASE

# ---- measure ----

validate 0 measure --cases ring,examples/heat,examples/jacobi-blocks,examples/ocean
check "a program takes parameters by name" grep -qx "ring $(parameters ring)" "$folder/calls"
check "and so does the one of the sketch" grep -qx "ocean $(parameters examples/ocean)" "$folder/calls"
check "an example takes values" grep -qx "heat $(parameters examples/heat | sed 's/[a-z]*=//g')" "$folder/calls"
check "examples alone are connected in MPI_Init" [ "$(grep -c '^mpirun --mca mpi_preconnect_mpi 1$' "$folder/calls")" -eq 2 ]
check "what was measured" cmp -s "$results/measured.csv" - <<END
case,program,params,numprocs,ppn,launch,seconds,dropped
ring,validation/programs/ring.c,$(parameters ring),2,1,1,2.125000,0
examples/jacobi-blocks,examples/jacobi/jacobi_better.c,$(parameters examples/jacobi-blocks),2,1,1,1.500000,0
examples/heat,examples/heat/heat.f90,$(parameters examples/heat),2,1,1,0.250000,0
examples/ocean,validation/programs/ocean.c,$(parameters examples/ocean),2,1,1,2.125000,0
END

validate 4 measure --cases examples/matmul
told '^validate.sh: error: examples/matmul failed on 2 processes: 3 numbers of the product are wrong'
validate 4 measure --cases examples/fft
told 'examples/fft on 2 processes does not say its run time: nothing to say'
validate 2 measure --cases examples/fft,nothing
told 'there is no case nothing'
check "what was measured before is kept" grep -q '^ring,' "$results/measured.csv"

counts=
validate 0 measure --cases ring,apps/particles
check "apps run on one process too, all others on 2 to 16" \
    [ "$(sed 1d "$results/measured.csv" | cut -d, -f1,4 | tr '\n' ' ')" = \
      "ring,2 ring,4 ring,8 ring,16 apps/particles,1 apps/particles,2 apps/particles,4 apps/particles,8 " ]
check "and take parameters by name" [ "$(grep -cx "particles $(parameters apps/particles)" "$folder/calls")" -eq 4 ]
counts='--procs 2'
validate 0 measure --cases ring,apps/particles
check "--procs is for all" [ "$(sed 1d "$results/measured.csv" | cut -d, -f1,4 | tr '\n' ' ')" = "ring,2 apps/particles,2 " ]

# ---- execute ----

validate 4 execute --cases ring
told 'there is no .*build/pevpm-run: run make'
cat >"$folder/build/pevpm-run" <<'END'
#!/bin/sh
echo "${0##*/} $*" >>"$FAKE/calls"
printf 'program,params,numprocs,nodes,ppn,launch,run,seed,seconds\nring.c,a=1 b=2,2,2,1,1,0,1,2.2\n'
END
chmod +x "$folder/build/pevpm-run"
validate 1 execute --launches 2 --cases ring
check "pevpm-run takes parameters by name" grep -q \
    "^pevpm-run -q -o -$(parameters ring | sed 's/\([^ ]*\)/ -D \1/g; s/  */ /g') .*/validation/programs/ring.c\$" "$folder/calls"
check "what both took" [ "$(sed 1d "$results/executed.csv" | cut -d, -f1,3- | tr '\n' ' ')" = \
    "ring,2,1,1,2.125000,2.2 ring,2,1,2,2.125000,2.2 " ]
check "too far apart" grep -q '^| ring | 2 | 2.1250 s | 2.2000 s | +3.5 % |$' "$results/executed.md"
sed -i 's/,2\.2/,2.1/' "$folder/build/pevpm-run"
validate 0 execute --cases ring
check "near enough" grep -q '^1 of 1 points within 2 %$' "$results/executed.md"

# ---- programs by chance ----

validate 2 chance --launches 2
told '^validate.sh: error: --launches 2: chance wants an odd number$'

# Two processes that send to each other for 4 ms each, says the file; 1.5 s of computation. Measured: 2 s, and where, by
# launches of 1.8, 1.9 and 2 s.
mkdir -p "$results/chance"
cat >"$results/chance/halo-7.pevpm" <<'END'
Serial time = 1.5 s
Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 100
Message type = MPI_Sendrecv & to = 1-procnum & from = MPI_ANY_SOURCE & size = 100
Param latency = 0.0003
END
cat >"$folder/build/pevpm-run" <<'END'
#!/bin/sh
echo "${0##*/} $*" >>"$FAKE/calls"
while [ $# -gt 0 ]; do
    case $1 in
    --launch) launch=$2 ;;
    -o) cat >"$2" <<CSV ;;
program,params,numprocs,nodes,ppn,launch,run,seed,seconds
halo-7.pevpm,,2,2,1,1,0,7,2
CSV
    --profile-output) cat >"$2" <<CSV ;;
mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,program
run,2,2,1,,1,$((17 + launch))e-1,1,Serial,,1.5,halo-7.pevpm
run,2,2,1,,1,$((17 + launch))e-1,2,MPI_Sendrecv,,0.1,halo-7.pevpm
run,2,2,1,,1,$((17 + launch))e-1,3,MPI_Sendrecv,,0.$((1 + launch)),halo-7.pevpm
CSV
    esac
    shift
done
END
chmod +x "$folder/build/pevpm-run"
sed 's/free/slow/; s/transit: 0/transit: 4 ms/g' validation/free.yaml >"$folder/slow.yaml"
by_chance="--programs 1 --from 7 --machine $folder/slow.yaml"
# shellcheck disable=SC2086 # words
{
    validate 3 explain $by_chance
    told 'there is no .*/chance.csv: run the stage chance first'
    validate 1 chance $by_chance
    check "in a job of its own" grep -qx 'pevpm-run --quiet -s 7 --launch 1 --append -o measured-1-2.csv halo-7.pevpm' "$folder/calls"
    check "connected in MPI_Init" grep -qx 'mpirun --mca mpi_preconnect_mpi 1' "$folder/calls"
    check "a program by chance, and its error" grep -q '^| halo-7 | 2 | 2 s | 1.508 s | -24.6 % | - | - |$' "$results/chance.md"
    check "what is missed" grep -q '^missed: median error 24.60, wanted 0 to 1$' "$results/chance.md"
    validate 1 chance $by_chance
    check "what is there is not measured again" [ ! -e "$folder/calls" ]
    validate 1 explain $by_chance
    for launch in 1 2 3; do
        check "it is run again with a profile" grep -qx \
            "pevpm-run --quiet -s 7 --launch $launch --profile-output profile-halo-7-2-$launch.csv halo-7.pevpm" "$folder/calls"
    done
    check "the directive that is furthest off" \
        grep -q '^| halo-7 | 2 | 2 s | 1.508 s | -24.6 % | line 3 MPI_Sendrecv | -15.6 of -20.6 % |$' "$results/chance.md"
    validate 1 explain $by_chance
    check "once is enough" [ ! -e "$folder/calls" ]
    rm "$results/chance/profile-halo-7-2.csv"
    validate 2 explain $by_chance --procs 4
    told 'error: programs by chance ran on 2 processes, which are none of 4$'
    validate 0 modes $by_chance
    check "modes are held against what was measured" grep -q \
        '^| wildcards | 1 | 24.6 % | 24.6 % | 0 % | 24.6 % | 24.6 % | 0 % | 24.6 % | 24.6 % | 0 % |$' "$results/modes.md"
    rm "$results/chance/measured-1-2.csv"
    validate 0 modes $by_chance
    check "else against distributions" grep -q '^| neither | 1 | 0.0 % | 0.0 % | 0.0 % | 0.0 % |$' "$results/modes.md"
}

# ---- worlds ----

counts=
validate 0 measure --cases ring --world nxp
check "a world says what cluster, and where processes are" [ "$(grep '^up\|^run' "$folder/calls")" = \
"up --hosts 4 --rate 10mbit --buffer 32k --loopback 40mbit
run -n 2 --ppn 2
run -n 4 --ppn 4
run -n 8 --ppn 4
run -n 16 --ppn 4" ]
check "and so do the results" [ "$(sed 1d "$results/measured.csv" | cut -d, -f4,5 | tr '\n' ' ')" = "2,2 4,4 8,4 16,4 " ]
validate 0 measure --cases apps/buckets --world nxp --procs 3,2x4
check "--procs places them too" [ "$(sed 1d "$results/measured.csv" | cut -d, -f4,5 | tr '\n' ' ')" = "3,1 8,4 " ]
validate 2 measure --cases ring --procs 8,2x4
told '^validate.sh: error: --procs 8,2x4: 8 processes twice'
for world in validation/worlds/[a-z]*; do
    validate 0 measure --cases ring --world "${world##*/}"
done
validate 2 measure --world nowhere
told "^validate.sh: error: --world nowhere: expected one of $(cd validation/worlds && echo [a-z]*)\$"
mkdir "$folder/worlds" && rm "$project/validation/worlds" && ln -s "$folder/worlds" "$project/validation/worlds"
printf 'up --hosts 2\nports 3\n' >"$folder/worlds/odd"
validate 3 measure --world odd
told "worlds/odd:2: 'ports': expected up, run, machine, mpi, ppn, procs, apps, cases or chance"
# shellcheck disable=SC2086 # words
{
    printf 'up --hosts 2\nmachine x\nprocs 2\nchance latency=0.001\n' >"$folder/worlds/odd"
    validate 1 chance $by_chance --world odd
    check "a world says for what network programs by chance are" grep -q ' -D latency=0.001 ' "$folder/calls"
}
printf 'up --hosts 2\nmachine x\n' >"$folder/worlds/odd"
validate 3 measure --world odd
told "worlds/odd: there is no 'procs'"
rm "$project/validation/worlds" && ln -s "$PWD/validation/worlds" "$project/validation/worlds"
counts='--procs 2'

# ---- probe ----

cp validation/free.yaml "$folder/machine.yaml"
validate 0 probe --probes 1 --machine "$folder/machine.yaml"
check "every probe has run" [ "$(sed 1d "$results/probes.csv" | wc -l)" -eq "$(grep -c '^[a-z]' validation/probes/cases)" ]
check "and the machine file knows what was found" \
    grep -q "^  runs: $(grep -c '^[a-z]' validation/probes/cases)$" "$folder/machine.yaml"
validate 3 probe --probes 1 --machine "$folder/nothing.yaml"
told 'there is no .*nothing.yaml'

# ---- predict ----

validate 0 predict --replications 1 --machine validation/free.yaml
check "every case is predicted, in every mode" awk -F, '
    NR == FNR {if (!/^#/ && NF) {split($0, word, " "); want[word[1]]}; next}
    FNR > 1 {got[$1, $5]; if ($7 != 2) wrong = 1}
    END {
        split("distribution,average,average@2x1,minimum,serial", mode, ",")
        for (name in want)
            for (i in mode)
                if (!((name, mode[i]) in got)) {print name, mode[i]; wrong = 1}
        exit wrong
    }' validation/cases "$results/predicted.csv"
check "the sources' names are those of the project" grep -q '^examples/ocean,examples/sketch/ocean.pevpm,' "$results/predicted.csv"
validate 0 predict --replications 1 --machine validation/free.yaml --cases examples
check "all examples and nothing else" [ "$(sed 1d "$results/predicted.csv" | cut -d/ -f1 | sort -u)" = examples ]
counts=
validate 0 predict --replications 1 --machine validation/free.yaml --cases apps
apps=$(grep -c '^apps/' validation/cases)
check "all apps, where they run" [ "$(awk -F, 'NR > 1 && $5 == "serial" {print $7}' "$results/predicted.csv" | sort -n | uniq -c |
    tr -s ' \n' ' ')" = " $apps 1 $apps 2 $apps 4 $apps 8 " ]
counts='--procs 2'
validate 3 predict --replications 1 --machine validation/stages/compare.awk --cases ring,stencil
check "what was predicted before is kept" grep -q '^apps/transpose,' "$results/predicted.csv"
validate 0 predict --replications 1 --machine validation/free.yaml --cases programs
check "all programs and nothing else" [ "$(grep -c examples/ "$results/predicted.csv")" -eq 0 ]
# ---- models: predictions of each against the medians of what was measured ----

printf 'case,program,params,numprocs,launch,seconds,dropped\n%s\n%s\n%s\n%s\n' a,p,,2,1,1,0 a,p,,2,2,3,0 a,p,,2,3,2,0 \
    a,p,,4,1,4,0 >"$folder/measured.csv"
printf '%s\n' a,2,measured,2.2 a,4,measured,4 a,2,lmo,1 a,4,lmo,2 >"$folder/models.csv"
awk -f validation/numbers.awk -f validation/stages/models.awk -v models='measured lmo' "$folder/models.csv" "$folder/measured.csv" \
    >"$folder/models.md"
check "models are compared" [ "$(tail -n 4 "$folder/models.md")" = '| a | 5.0 % | 50.0 % |
| **median of all** | 5.0 % | 50.0 % |
| **95 %** | 10 % | 50 % |
| **largest** | 10 % | 50 % |' ]
printf 'case\n%s\n%s\n%s\n' a-1,,,2,,2 a-2,,,2,,4 b-1,,,2,,1 >"$folder/measured-chance.csv"
printf '%s\n' a-1,2,lmo,1.8 a-2,2,lmo,4.8 b-1,2,lmo,1.01 b-1,4,lmo,1 >"$folder/models-chance.csv"
awk -f validation/numbers.awk -f validation/stages/models.awk -v models=lmo -v kinds=1 "$folder/models-chance.csv" \
    "$folder/measured-chance.csv" >"$folder/models-chance.md"
check "models are compared by kinds of program" [ "$(sed 1,2d "$folder/models-chance.md")" = '| a | 15.0 % |
| b | 1.0 % |
| **median of all** | 10.0 % |
| **95 %** | 20 % |
| **largest** | 20 % |' ]

finish
