/* scope.h - what a name that a place of a Fortran source can see is declared as, as far as tokens tell.
 *
 * No compiler's front end. Looked at are the declarations of the block, the procedure and what contains it, with what
 * they `include` where that was found, and with the modules that they use, where these are in a file of the program
 * (renamed and `only` ones under their own names; what is private counts too). A name that nothing declares is a number
 * where implicit typing is allowed and the procedure itself uses it. Conditional compilation is not looked at. */
#ifndef PEVPM_TIMING_FORTRAN_SCOPE_H
#define PEVPM_TIMING_FORTRAN_SCOPE_H

#include "host/fortran/statement.h"

/* Where two declarations speak of one name the greater one holds. */
enum fortran_meaning {
    FORTRAN_UNKNOWN,
    FORTRAN_NUMBER,       /* a scalar, integer or real */
    FORTRAN_FUNCTION,     /* or a subroutine */
    FORTRAN_OTHER,        /* a structure, a text, a complex or logical, the name of an `associate` */
    FORTRAN_ARRAY,
};

/* The Fortran files of a program; they are read when a module is looked for first. */
struct fortran_files {
    const struct source *program;
    bool read;
    size_t n, capacity;
    struct fortran_file {
        struct host_text host;
        struct fortran_text text;
    } *list;
};

void fortran_files_free(struct fortran_files *files);

/* What a name of n bytes, in any letter case, is at statement i. */
enum fortran_meaning fortran_scope_find(struct fortran_files *files, const struct fortran_text *text, size_t i,
                                        const char *name, size_t n);

/* Whether statement i is a statement function, f(x) = 2*x, which is a declaration: f is declared, and as no array. */
bool fortran_is_statement_function(struct fortran_files *files, const struct fortran_text *text, size_t i);

#endif
