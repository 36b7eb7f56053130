#!/bin/sh
# The compiler flags with which libclang's headers are found, and the name of its library: what host/clang/libclang.c is
# compiled with. Nothing where it is not installed. libclang.sh CC
set -u

folder=$(mktemp -d) || exit 0
trap 'rm -rf "$folder"' EXIT
echo '#include <clang-c/Index.h>
int main(void) { clang_disposeIndex(clang_createIndex(0, 0)); return 0; }' >"$folder/try.c"

# Prefixes that compilers' packages are installed under, the newest first; none: where the compiler looks anyway.
prefixes() {
    echo ''
    for config in llvm-config $(compgen_configs); do
        command -v "$config" >/dev/null && "$config" --prefix
    done
    for header in /usr/lib/llvm-*/include/clang-c/Index.h /usr/lib/llvm/*/include/clang-c/Index.h; do
        [ -e "$header" ] && echo "${header%/include/clang-c/Index.h}"
    done | sort -rV
}
compgen_configs() {
    for version in 21 20 19 18 17 16 15 14; do echo "llvm-config-$version"; done
}

prefixes | while read -r prefix; do
    # shellcheck disable=SC2086 # a prefix has no blanks
    if $1 ${prefix:+-I$prefix/include -L$prefix/lib} -o "$folder/try" "$folder/try.c" -lclang 2>/dev/null; then
        library=$(readelf -d "$folder/try" | sed -n 's/.*NEEDED.*\[\(libclang[^]]*\)\].*/\1/p')
        [ -n "$library" ] || continue
        # the compiler's own headers stand beside the library
        echo "${prefix:+-isystem $prefix/include }-DPEVPM_LIBCLANG='\"$library\"'"
        break
    fi
done
