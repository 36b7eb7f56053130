/* binding.h - what a library that stands before MPI must know of Fortran's bindings.
 *
 * SPDX-License-Identifier: MIT
 *
 * Names are mpi_xxx_ (mpif.h and `use mpi`) and mpi_xxx_f08_ (`use mpi_f08` of Open MPI). Open MPI's bindings end in
 * PMPI_ calls, so wrappers of C do not see them; MPICH's end in MPI_ calls or in PMPI_ ones, those of its mpi_f08,
 * whose names are others, in MPI_ ones. Integers of Fortran are C's, as MPI_Fint says; a choice buffer is an
 * address. */
#ifndef PEVPM_RECORDER_BINDING_H
#define PEVPM_RECORDER_BINDING_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef MPI_Fint fint;
typedef void binding_function(void);

/* The binding that the program would have called. */
static inline binding_function *binding(const char *name)
{
    union {
        void *object;
        binding_function *code;
    } found = {dlsym(RTLD_NEXT, name)};
    if (!found.object) {
        fprintf(stderr, "pevpm: the MPI library has no %s\n", name);
        abort();
    }
    return found.code;
}

/* Whether an argument stands for a constant: Open MPI has a common block for each, MPICH a variable with the
 * address. */
static inline bool binding_is(const void *argument, const char *common, const char *variable)
{
    void **address = dlsym(RTLD_DEFAULT, variable);
    return dlsym(RTLD_DEFAULT, common) == argument || (address && *address == argument);
}
static inline bool binding_in_place(const void *argument)
{
    return binding_is(argument, "mpi_fortran_in_place_", "MPIR_F_MPI_IN_PLACE");
}
static inline bool binding_bottom(const void *argument)
{
    return binding_is(argument, "mpi_fortran_bottom_", "MPIR_F_MPI_BOTTOM");
}

/* A call under both of its names, which goes on to the binding as it came, between `before` and `after`. */
#define BINDING_FORWARD_ONE(name, parameters, arguments, before, after) \
    __attribute__((visibility("default"))) void name parameters;        \
    __attribute__((visibility("default"))) void name parameters         \
    {                                                                   \
        typedef void bound parameters;                                  \
        before;                                                         \
        ((bound *)binding(#name)) arguments;                            \
        after;                                                          \
    }
#define BINDING_FORWARD(name, parameters, arguments, before, after)                \
    BINDING_FORWARD_ONE(mpi_##name##_, parameters, arguments, before, after)       \
    BINDING_FORWARD_ONE(mpi_##name##_f08_, parameters, arguments, before, after)
#define NOTHING ((void)0)

#endif
