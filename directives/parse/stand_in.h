/* stand_in.h - what to write for an operation of MPI that the directives do not have. */
#ifndef PEVPM_DIRECTIVES_PARSE_STAND_IN_H
#define PEVPM_DIRECTIVES_PARSE_STAND_IN_H

#include <stddef.h>

/* Advice that completes "unknown operation `NAME`: ...". NULL: there is none. */
const char *stand_in_find(const char *name, size_t n);

#endif
