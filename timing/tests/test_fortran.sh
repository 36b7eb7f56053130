#!/bin/sh
# What `pevpm-time --instrument` makes of Fortran: golden/NAME.timed and what it says, NAME.said; that it compiles, timed or
# not, that the program does the same, and which blocks its record has, NAME.blocks. UPDATE_GOLDEN=1 writes them anew.
set -u

. common/tests/check.sh

root=$PWD golden=$PWD/timing/tests/golden header=$PWD/timing program=$build/pevpm-time
cd "$golden" || exit 1
unset PEVPM_TIME_FILE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK ALPS_APP_PE FLUX_TASK_RANK \
    SLURM_PROCID

as_stored() { # as_stored MADE STORED
    [ -z "${UPDATE_GOLDEN:-}" ] || cp "$1" "$golden/$2"
    check "$2" diff "$golden/$2" "$1"
}
for source in blocks.f90 old.F ring.f90; do
    "$program" --instrument $source -o "$folder/$source" 2>"$folder/said_of_it"
    ended 0 $? "--instrument $source"
    as_stored "$folder/$source" $source.timed
    as_stored "$folder/said_of_it" $source.said
done
cp old.inc "$folder"
cd "$folder" || exit 1

# The program differs by the calls alone: long ones go on in a second line, and where statements share a line one ends it.
plain() { # plain FILE
    grep -v '^ *call pevpm_time_[a-z]*(.*&$\|^ *call pevpm_time_[a-z]*(.*)$\|^ *use pevpm_time\|^     *&.*))$' "$1"
}
plain ring.f90 >plain.f90
check 'instrumenting only adds lines' cmp plain.f90 "$golden/ring.f90"

case ${CC:-cc} in *clang*) skip_all "what is timed in Fortran: tested with the default compiler, and with sanitizers" ;; esac
command -v gfortran >/dev/null || skip_all 'no gfortran: what is instrumented is not compiled'

blocks() { # blocks RECORD...: each block with its argument, and how often it was run
    sed -n 's/^block \([^ ]* [^ ]* [0-9]*\) .*/\1/p' "$@" | sort
}
build() { # build COMPILER FILE OUT FLAGS...: off, and on as OUT.on
    compiler=$1 file=$2 out=$3
    shift 3
    mkdir -p off on
    check "$file: off" $compiler "$@" -J off -o "$out.off" "$header/pevpm_time.F90" "$file"
    check "$file: pevpm_time.c" cc -c -o pevpm_time.o "$header/pevpm_time.c"
    check "$file: on" $compiler "$@" -DPEVPM_TIME -J on -o "$out.on" "$header/pevpm_time.F90" "$file" pevpm_time.o
    check "$file: as it is" $compiler "$@" -J off -o "$out" "$golden/${file##*/}"
}
for source in blocks.f90 old.F; do
    case $source in
    *.F) flags='-std=legacy' ;;
    *) flags='-std=f2018 -fopenmp' ;;
    esac
    build gfortran $source ${source%.*} $flags
    check "$source runs" sh -c "./${source%.*} </dev/null >as_it_is"
    ./${source%.*}.off </dev/null >off_says 2>err
    check "$source: off, it does the same" cmp as_it_is off_says
    PEVPM_TIME_FILE=$source.dat ./${source%.*}.on </dev/null >on_says 2>err
    check "$source: on, it does the same" cmp as_it_is on_says
    blocks $source.dat >made
    as_stored made $source.blocks
    run 0 -q $source.dat
done

# Two processes; their records go together.
if ! command -v mpif90 >/dev/null || ! mpif90 --version >/dev/null 2>&1; then
    skip 'no mpif90 with a compiler behind it'
elif ! timeout 60 mpirun -n 2 true >out 2>err; then
    skip "MPI cannot start here: $(tail -n 1 err)"
else
    build mpif90 ring.f90 ring -Wall -Werror=line-truncation
    PEVPM_TIME_FILE=ring timeout 60 mpirun -n 2 ./ring.on >out 2>err
    blocks ring.0 ring.1 >made
    as_stored made ring.f90.blocks
    run 0 ring.0 ring.1
    told '2 processes on 1 node'
fi

# Several files: those that are timed, into a folder; modules of the others are read.
mkdir -p two/deep
cat >two/deep/sizes.f90 <<'P'
module sizes
    implicit none
    integer :: n = 3
end module
P
cat >two/main.f90 <<'P'
program main
    use sizes
    implicit none
    double precision :: total = 0
    integer :: i
    ! PEVPM Serial time = measured(sum, 2*n)
    do i = 1, n
        total = total + i
    end do
    print *, total
end program
P
run 0 --instrument two -o two_timed
told '^two/main.f90:6:36: note: lines 7 to 10 are timed$'
check 'only what is timed is written' [ "$(cd two_timed && echo *)" = main.f90 ]
mkdir -p modules
check 'two files compile' gfortran -J modules -DPEVPM_TIME -o two.on "$header/pevpm_time.F90" two/deep/sizes.f90 \
    two_timed/main.f90 pevpm_time.o
PEVPM_TIME_FILE=two.dat ./two.on >out 2>err
check 'and give a time' [ "$(blocks two.dat)" = 'sum 6 1' ]

# Wrong inputs: all or nothing.
printf '! PEVPM Serial time = 3 ms\nend\n' >none.f90
run 3 --instrument none.f90 -o none_timed.f90
told 'none.f90: error: nothing to time: no Serial directive says measured(NAME)'
check 'and nothing is written' [ ! -e none_timed.f90 ]
printf '! PEVPM & n\n! PEVPM Serial time = measured(a)\nn = 1\nend\n' >wrong.f90
run 3 --instrument wrong.f90 -o wrong_timed.f90; told '^wrong.f90:1:'
check 'of a directive that cannot be read neither' [ ! -e wrong_timed.f90 ]
run 4 --instrument blocks.f90 -o ./blocks.f90
told '^./blocks.f90: error: a file of the program itself is not overwritten'

finish
