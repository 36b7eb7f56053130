/* scope.h - what the names that a place of a C or C++ source can see are declared as, as far as tokens tell.
 *
 * No compiler's front end: nothing is included or expanded, and types are not worked out. A declaration is told by its
 * form, `type ... name` followed by one of = ; , [ ( ) :, at the start of a statement, of a parameter or of a `for`.
 * What a header of the program declares (numbers, functions, macros, but no types) is known where a compiler was asked
 * (--cflags); what a system's declares is not. Conditional compilation is not looked at. */
#ifndef PEVPM_TIMING_C_SCOPE_H
#define PEVPM_TIMING_C_SCOPE_H

#include "host/text.h"

#include <stddef.h>

enum code_scope_meaning {
    SCOPE_UNKNOWN,     /* not declared in this file or its headers, or not where the place can see it */
    SCOPE_NUMBER,      /* a variable that may be a number, an enumerator, a macro without arguments */
    SCOPE_FUNCTION,    /* or a macro with arguments */
    SCOPE_OTHER,       /* a pointer, an array, a structure */
    SCOPE_NUMBER_TYPE, /* typedef names */
    SCOPE_OTHER_TYPE,
};

struct scope_name {
    size_t token;      /* of its declaration */
    enum code_scope_meaning meaning;
    int depth;         /* braces around it; a parameter is in the body's */
};

struct code_scope {
    const struct host_text *text; /* borrowed */
    size_t n, capacity;
    struct scope_name *names;     /* inner ones last */
};

/* What can be seen at byte `offset`, where a statement starts. text: C or C++. Ends with code_scope_free. */
void code_scope_read(struct code_scope *scope, const struct host_text *text, size_t offset);
void code_scope_free(struct code_scope *scope);

/* What a name of n bytes is there. */
enum code_scope_meaning code_scope_find(const struct code_scope *scope, const char *name, size_t n);

#endif
