/* host_constant_impl.h - the constants that the host source itself declares, where they can be read without a compiler.
 *
 * C and C++: `#define N 256`, enumerators, and initialised variables of arithmetic type, const or not, anywhere in the
 * file; Fortran: `parameter` and initialised variables; Python: assignments at the start of a line; shell: `N=256`. A
 * value is an expression of numbers, sizeof, numprocs and other such names; anything else is passed over. An
 * initialised variable is read as its initialiser, whatever is assigned to it later. A value is converted to the
 * declared type as the host language would. */
#ifndef PEVPM_DIRECTIVES_HOST_CONSTANT_IMPL_H
#define PEVPM_DIRECTIVES_HOST_CONSTANT_IMPL_H

#include "directives/parse_impl.h"

struct host_constant {
    const char *name;
    struct place at;
    struct expr *value;         /* NULL: it needs a compiler */
    bool readable;              /* what its value refers to can be read too; settled by the check of names */
    struct host_constant *next; /* another declaration of the same name, in the order of the file */
};

/* The declarations of a name, NULL where there are none. Fortran's names ignore letter case. */
struct host_constant *host_constants_of(struct parser *p, const struct name *name);

/* Whether two values are the same: equal numbers, or expressions of the same form. */
bool host_constants_equal(const struct expr *a, const struct expr *b);

#endif
