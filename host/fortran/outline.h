/* outline.h - the outline of a Fortran source (host/outline.h), from its statements (host/fortran/statement.h).
 *
 * A name with an argument list is a call, also where it is an array: nobody asks for a call of that name then. What an `include` or
 * a macro stands for is not seen; of conditional compilation both sides are. Names are in small letters, as compilers have them,
 * those of MPI as the standard writes them. */
#ifndef PEVPM_HOST_FORTRAN_OUTLINE_H
#define PEVPM_HOST_FORTRAN_OUTLINE_H

#include "directives/source.h"
#include "host/outline.h"

/* False: it is no Fortran, or too long to be a program; the outline is empty then. *facts: its constants, as far as they can be
 * read, as host/facts.h has them; the caller frees it. Ends with outline_free, whatever was returned. */
bool fortran_outline(struct outline *outline, char **facts, const struct source *source);

#endif
