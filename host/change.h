/* change.h - where the host source changes what a name stands for, or lets others change it.
 *
 * C and C++: it is assigned, counted (++, +=), its address is taken, it is read from a stream, or it is passed to a
 * function that takes a reference and is declared in the same file, or to such a macro; a reference is made to it.
 * Fortran: it is assigned, counts a loop, stands in an input statement, a namelist, a common block or an equivalence,
 * is pointed to, or is by itself an argument of a call, which passes by reference. Of MPI's calls that send, receive or
 * reduce only the first argument may change, as far as counts, ranks and tags go.
 *
 * Not seen are functions of other files that take a reference, and Fortran functions that change an argument. What the
 * program's other files do to a global variable is for those who read these too (parse/host_constant_impl.h). */
#ifndef PEVPM_HOST_CHANGE_H
#define PEVPM_HOST_CHANGE_H

#include "host/function.h"

#include <stdint.h>

/* X(name, what a note says of the place) */
#define HOST_CHANGE_LIST(X)                                   \
    X(UNCHANGED, "")                                          \
    X(ASSIGNED, "it is assigned here")                        \
    X(COUNTED, "it is changed here")                          \
    X(LOOP, "it counts a loop here")                          \
    X(ADDRESS, "its address is taken here")                   \
    X(REFERENCE, "it is passed by reference here")            \
    X(READ, "it is read in here")                             \
    X(SHARED, "it may also change by way of this statement")
enum host_change {
#define X(name, text) HOST_##name,
    HOST_CHANGE_LIST(X)
#undef X
};

const char *host_change_text(enum host_change change);

/* What is done to each token, enum host_change [text->n]; the initialiser of a declaration is ASSIGNED as well. The
 * caller frees it. */
uint8_t *host_changes_read(const struct host_functions *functions);

/* C, of one token, calls apart. */
enum host_change host_change_plain(const struct host_functions *functions, size_t i);

#endif
