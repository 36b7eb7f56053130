/* library.h - the MPI libraries whose choice of algorithms selection.h knows; alone, for those who only name one. */
#ifndef PEVPM_COLLECTIVES_LIBRARY_H
#define PEVPM_COLLECTIVES_LIBRARY_H

/* X(name): as users write it */
#define LIBRARY_LIST(X) X(open_mpi) X(mpich)
enum mpi_library {
#define X(name) LIBRARY_##name,
    LIBRARY_LIST(X)
#undef X
};

/* "open_mpi" */
const char *library_name(enum mpi_library library);

#endif
