# made.sh - what a program by chance says. Sourced; $build: where pevpm-run is.
# shellcheck shell=bash disable=SC2154
#
# results/programs has what was measured as KIND-SEED and is what pevpm-run no longer makes of that kind and seed: programs
# that were to compute and had no phase that did. A name is one text, so it is also what is run under that name from now on.
made_program() { # made_program KIND SEED: to standard output
    local kept
    kept=$(dirname "${BASH_SOURCE[0]}")/results/programs/$1-$2.pevpm
    if [ -r "$kept" ]; then cat "$kept"; else "$build/pevpm-run" --random "$1" --seed "$2" --print; fi
}
