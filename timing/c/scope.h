/* scope.h - what the names that a place of a C or C++ source can see are declared as, as far as host/scope.h tells.
 *
 * What a header of the program declares (numbers, functions, macros, but no types) is known where a compiler was asked
 * (--cflags); what a system's declares is not. Conditional compilation is not looked at. */
#ifndef PEVPM_TIMING_C_SCOPE_H
#define PEVPM_TIMING_C_SCOPE_H

#include "host/scope.h"

enum code_scope_meaning {
    SCOPE_UNKNOWN,     /* not declared in this file or its headers, or not where the place can see it */
    SCOPE_NUMBER,      /* a variable that may be a number, an enumerator, a macro without arguments */
    SCOPE_FUNCTION,    /* or a macro with arguments */
    SCOPE_OTHER,       /* a pointer, an array, a structure */
    SCOPE_TYPE,
};

/* What a name of n bytes is before byte `offset`, where a statement starts. */
enum code_scope_meaning code_scope_find(const struct host_scopes *scopes, size_t offset, const char *name, size_t n);

#endif
