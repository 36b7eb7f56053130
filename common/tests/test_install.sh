#!/bin/sh
# What `make install` puts in place serves who has nothing else: each program has its man page, each header of the library
# compiles alone in plain C11 and in C++, and programs are built by pkg-config, with the shared library and with the static one.
# One of them has a locale that writes a comma in numbers, one is C++. Started from the project's root.
set -u

. common/tests/check.sh
command -v pkg-config >/dev/null || skip_all "pkg-config is not installed"
[ -z "${SAN:-}" ] || skip_all "a program with these libraries would need the sanitizers, too"
prefix=/opt/pevpm
root=$folder/root
# As it was built: what that make was told comes in MAKEFLAGS.
installed() { make install DESTDIR="$root" PREFIX=$prefix >"$folder/out" 2>"$folder/err"; }
check 'is installed' installed
for program in "$root$prefix"/bin/*; do
    check "man page of $(basename "$program")" [ -s "$root$prefix/share/man/man1/$(basename "$program").1" ]
    check "$(basename "$program") runs" "$program" --version
done

# a library that is installed is what pkg-config names
for library in "$root$prefix"/lib/*.a; do
    name=$(basename "$library" .a)
    check "$name has a pkg-config file" [ -s "$root$prefix/lib/pkgconfig/${name#lib}.pc" ]
done

PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
library() { pkg-config --define-variable=prefix="$root$prefix" "$@" pevpm; }
include=$root$prefix/include/pevpm
compile() { ${CC:-cc} -std=c11 -Wall -Wextra -Werror $(library --cflags) "$@" 2>"$folder/err"; }
case ${CC:-} in *clang*) cxx=clang++ ;; *) cxx=c++ ;; esac
compile_cplusplus() { $cxx -std=c++11 -Wall -Wextra -Werror $(library --cflags) "$@" 2>"$folder/err"; }
mkdir "$folder/alone" "$folder/alone_cplusplus"
(cd "$include" && find . -name '*.h' ! -path './survey/*' | sed 's|^\./||') | while read -r header; do
    printf '#include "%s"\nextern int unused;\n' "$header" >"$folder/alone/$(echo "$header" | tr / _).c"
    cp "$folder/alone/$(echo "$header" | tr / _).c" "$folder/alone_cplusplus/$(echo "$header" | tr / _).cpp"
done
check 'headers are installed' [ "$(ls "$folder/alone" | wc -l)" -gt 100 ]
check 'each header compiles alone' compile -fsyntax-only "$folder"/alone/*.c
if command -v $cxx >/dev/null; then
    check 'each header compiles alone in C++' compile_cplusplus -fsyntax-only "$folder"/alone_cplusplus/*.cpp
    cat >"$folder/user.cpp" <<'CPP'
#include "models/machine.h"
#include "models/machine_write.h"

/* user FROM TO: reads a machine file and writes it */
int main(int, char *argv[])
{
    diags diags = DIAGS_EMPTY;
    machine *machine = nullptr;
    status status = machine_read(&machine, argv[1], &diags);
    if (status == STATUS_OK)
        status = machine_write(machine, nullptr, argv[2], &diags);
    diags_print(&diags, stderr);
    machine_destroy(machine);
    diags_free(&diags);
    return status_exit_code(status);
}
CPP
    check 'a C++ program with the shared library' compile_cplusplus "$folder/user.cpp" -o "$folder/cplusplus" $(library --libs)
    check 'which reads and writes' env LD_LIBRARY_PATH="$root$prefix/lib" "$folder/cplusplus" models/tests/small.yaml \
        "$folder/cplusplus.yaml"
    check 'a machine file' grep -q '^name: small' "$folder/cplusplus.yaml"
else
    skip "no C++ compiler: headers in C++"
fi

cat >"$folder/user.c" <<'C'
#include "directives/value.h"
#include "models/machine.h"
#include "models/machine_write.h"
#include "report/report.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* user FROM TO [LOCALE]: reads a machine file and writes it, in a locale; and a number of directives and reports */
int main(int argc, char *argv[])
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    char text[VALUE_TEXT_BYTES], number[REPORT_NUMBER_BYTES];
    if (argc > 3 && !setlocale(LC_ALL, argv[3]))
        return 77;
    enum status status = machine_read(&machine, argv[1], &diags);
    if (status == STATUS_OK)
        status = machine_write(machine, NULL, argv[2], &diags);
    diags_print(&diags, stderr);
    machine_destroy(machine);
    diags_free(&diags);
    if (strcmp(value_format(value_real(0.125), text), "0.125") != 0 || strcmp(report_number(0.125, number), "0.125") != 0)
        return 9;
    return status_exit_code(status);
}
C
cp models/tests/small.yaml "$folder/small.yaml"
sed -i 's/transit: "100 us"/transit: 1.5e-4/' "$folder/small.yaml"
check 'a number with an exponent' grep -q 1.5e-4 "$folder/small.yaml"
check 'a program with the shared library' compile "$folder/user.c" -o "$folder/shared" $(library --libs)
check 'which reads and writes' env LD_LIBRARY_PATH="$root$prefix/lib" "$folder/shared" "$folder/small.yaml" "$folder/plain.yaml"
check 'a program with the static library' compile "$folder/user.c" -o "$folder/static" "$root$prefix/lib/libpevpm.a" \
    $(library --static --libs | sed 's/-lpevpm//')
check 'which does the same' "$folder/static" "$folder/small.yaml" "$folder/static.yaml"
check 'and comes to the same' same "$folder/plain.yaml" "$folder/static.yaml"
if [ -s "$root$prefix/lib/libpevpm-mpi.a" ] && command -v mpicc >/dev/null; then
    check 'a program that estimates while it runs' ${MPICC:-mpicc} -std=c11 -Wall -Wextra -Werror survey/tests/estimating_program.c \
        -o "$folder/estimating" $(pkg-config --define-variable=prefix="$root$prefix" --cflags --libs pevpm-mpi)
    LD_LIBRARY_PATH=$root$prefix/lib timeout 60 mpirun -n 3 "$folder/estimating" >"$folder/out" 2>"$folder/err"
    check 'which does' [ "$(grep -c ': yes$' "$folder/out")" -eq 28 ]
else
    skip "no MPI: a program that estimates while it runs"
fi
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >"$folder/out" 2>&1; then
    check 'in a locale with commas' env LOCPATH="$folder" "$folder/static" "$folder/small.yaml" "$folder/comma.yaml" de_DE.UTF-8
    check 'the same' same "$folder/plain.yaml" "$folder/comma.yaml"
else
    skip "no localedef: a locale with a comma in numbers"
fi
finish
