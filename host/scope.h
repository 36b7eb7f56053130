/* scope.h - the variables of the host source, and what else has a name in C: where each can be seen, and whether anything
 * changes it.
 *
 * C and C++ by braces, parameters and the heads of statements: `type ... name` followed by one of = ; , [ { ) :, where a
 * type of the program's own before a `*` begins a statement or an argument. Fortran by program units, blocks and types;
 * what a main program without a first statement declares is seen in the whole file. A change (change.h) is one of the
 * variable that is seen where it stands; where none of the name is, and in macros, it is one of all of that name. What is
 * const, constexpr or a Fortran parameter does not change. */
#ifndef PEVPM_HOST_SCOPE_H
#define PEVPM_HOST_SCOPE_H

#include "host/change.h"
#include "host/type.h"

/* What a name of C stands for. */
enum host_named {
    HOST_VARIABLE,
    HOST_EXTERNAL,             /* a variable that is declared here and defined elsewhere */
    HOST_ENUMERATOR,
    HOST_TYPE_NAME,            /* by typedef */
    HOST_MACRO,                /* without arguments */
    HOST_UNDEFINED,            /* by #undef */
};

struct host_variable {
    const char *text;          /* its name, not terminated */
    size_t length;
    enum host_named kind;
    size_t token;              /* its first declaration */
    size_t first, end;         /* tokens: seen from `first` up to the one that closes its block */
    bool constant, argument, member;
    bool other;                /* C: a pointer, an array or a structure, or a type of these; a macro that stands for nothing */
    size_t type_word;          /* C: the token before the name and its marks; the text's n: none */
    enum host_type_kind type;  /* where Fortran says it */
    bool array;                /* and this */
    struct host_range value;   /* Fortran: tokens of its first value; empty: none, or not known */
    enum host_change change;
    size_t changed;            /* the token that changes it first */
};

/* Its parts point to each other: it stays where it was read. */
struct host_scopes {
    struct fortran_text fortran; /* the statements of Fortran; else empty */
    struct host_functions functions;
    uint8_t *changes;          /* of each token, enum host_change */
    size_t n, capacity;
    struct host_variable *list; /* by name, then `first` */
};

/* text: borrowed. Ends with host_scopes_free. */
void host_scopes_read(struct host_scopes *scopes, const struct host_text *text);
void host_scopes_free(struct host_scopes *scopes);

/* The innermost variable of a name (Fortran: in small letters) that is seen before token i; NULL: none. */
const struct host_variable *host_variable_seen(const struct host_scopes *scopes, const char *word, size_t length,
                                               size_t i);

/* C: what a name that is declared before token i is there, of any kind; functions and macros with arguments apart. NULL:
 * nothing that is known. */
const struct host_variable *host_name_declared(const struct host_scopes *scopes, const char *word, size_t length,
                                               size_t i);

#endif
