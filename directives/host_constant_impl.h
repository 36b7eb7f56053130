/* host_constant_impl.h - the constants that the host source itself declares, where they can be read without a compiler.
 *
 * C and C++: `#define N 256`, enumerators, and initialised variables of arithmetic type, const or not, anywhere in the
 * file; Fortran: `parameter` and initialised variables; Python: assignments at the start of a line; shell: `N=256`. A
 * value is an expression of numbers, sizeof, numprocs and other such names; anything else is passed over. A variable
 * that the file changes anywhere (host_change.h), an argument and a member are no constants. A value is converted to
 * the declared type as the host language would; one that the type does not hold is not read. */
#ifndef PEVPM_DIRECTIVES_HOST_CONSTANT_IMPL_H
#define PEVPM_DIRECTIVES_HOST_CONSTANT_IMPL_H

#include "directives/host_scope.h"
#include "directives/host_type.h"
#include "directives/parse_impl.h"

struct host_constant {
    const char *name;
    struct place at;
    struct expr *value;         /* NULL: it needs a compiler */
    bool macro;
    const struct host_variable *variable; /* that it declares, in C and Fortran; NULL: a macro or an enumerator */
    enum host_change change;    /* what is done to it elsewhere: it is no constant then */
    struct place changed_at;
    bool readable;              /* what its value refers to can be read too; settled by the check of names */
    struct host_constant *next; /* another declaration of the same name, in the order of the file */
};

/* The declarations of a name, NULL where there are none. Fortran's names ignore letter case. */
struct host_constant *host_constants_of(struct parser *p, const struct name *name);

/* What the source says of a name at the place of a directive: the variable that is seen there. NULL: none, or the
 * host has no scopes that we know. */
const struct host_variable *host_constant_seen(struct parser *p, const char *name, struct place at);

/* The functions of the source, once something has been looked up in it. */
const struct host_functions *host_constant_functions(const struct parser *p);

/* The place of a token of the source, for notes. */
struct place host_constant_place(const struct parser *p, size_t token);

/* C's cast of an expression; NULL where the value cannot be read. */
struct expr *host_constant_cast(struct parser *p, struct expr *expr, const struct host_type *type);

/* What has been read of the source, freed with the parser. */
void host_constants_free(struct parser *p);

/* Whether two values are the same: equal numbers, or expressions of the same form. */
bool host_constants_equal(const struct expr *a, const struct expr *b);

#endif
