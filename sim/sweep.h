/* sweep.h - the values that a parameter of a program takes in turn: -D NAME=A,B,C. */
#ifndef PEVPM_SIM_SWEEP_H
#define PEVPM_SIM_SWEEP_H

#include "directives/tree.h"
#include "directives/value.h"

#include <stddef.h>

struct sweep {
    char *name;
    size_t n;
    struct value *values; /* [n], n >= 1 */
    char **texts;         /* [n] an expression; NULL where values has a number. NULL: numbers alone */
};

/* The parameter with value i: texts are borrowed. */
struct definition sweep_definition(const struct sweep *sweep, size_t i);

/* How many combinations of values `sweeps` make; and the definitions of combination c (the last sweep varies fastest).
 *   definitions [n] out */
size_t sweep_combinations(size_t n, const struct sweep sweeps[]);
void sweep_select(size_t n, const struct sweep sweeps[], size_t c, struct definition definitions[]);

/* Gives name, values and texts back where all of them were allocated, as list_parse_sweep (cli/lists.h) does. */
void sweep_free(struct sweep *sweep);

#endif
