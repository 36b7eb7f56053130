/* call.h - the MPI calls of a C, C++ or Fortran source, as far as they can be read without a compiler.
 *
 * A call is a name that begins with MPI_ followed by arguments in parentheses, over as many lines as it takes, outside
 * of comments and strings. */
#ifndef PEVPM_HOST_CALL_H
#define PEVPM_HOST_CALL_H

#include "host/function.h"

enum { HOST_ARGUMENTS_MOST = 16 }; /* MPI_Sendrecv in Fortran has 13 */

struct host_call {
    size_t name;           /* the token */
    int n;                 /* arguments; HOST_ARGUMENTS_MOST + 1: more than that */
    struct host_range arguments[HOST_ARGUMENTS_MOST];
    size_t end;            /* the token behind the closing `)` */
};

/* Reads the call whose name is token i. False: it is no MPI call, or its `)` is missing. */
bool host_call_read(const struct host_text *text, size_t i, struct host_call *call);

/* Where the block in which byte `begin` stands ends, if that is before `end`: at an unmatched `}`, or with a Fortran
 * procedure; else `end`. */
size_t host_block_end(const struct host_functions *functions, size_t begin, size_t end);

/* The MPI calls from byte `begin` to byte `end`, in order, no further than that block. At most `most` are kept; returns
 * how many. */
size_t host_calls_find(const struct host_functions *functions, size_t begin, size_t end, size_t most,
                       struct host_call calls[]);

#endif
