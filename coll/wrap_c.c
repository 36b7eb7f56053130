// SPDX-License-Identifier: MIT
/* The calls of C programs, and of Fortran's bindings that end in them. */
#include "coll/coll.h"

#include <stddef.h>

#define TAKEN __attribute__((visibility("default")))

TAKEN int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS)
        coll_start();
    return result;
}

TAKEN int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided)
{
    int result = PMPI_Init_thread(argc, argv, wanted, provided);
    if (result == MPI_SUCCESS)
        coll_start();
    return result;
}

TAKEN int MPI_Finalize(void)
{
    coll_finish();
    return PMPI_Finalize();
}

TAKEN int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int result;
    return coll_bcast(buf, count, type, root, comm, &result) ? result : PMPI_Bcast(buf, count, type, root, comm);
}

TAKEN int MPI_Scatter(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                      MPI_Datatype in_type, int root, MPI_Comm comm)
{
    struct coll_side all = {(void *)out, out_count, out_type, NULL, NULL}, one = {in, in_count, in_type, NULL, NULL};
    int result;
    return coll_scatter(&all, &one, root, comm, &result)
               ? result
               : PMPI_Scatter(out, out_count, out_type, in, in_count, in_type, root, comm);
}

TAKEN int MPI_Gather(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                     MPI_Datatype in_type, int root, MPI_Comm comm)
{
    struct coll_side one = {(void *)out, out_count, out_type, NULL, NULL}, all = {in, in_count, in_type, NULL, NULL};
    int result;
    return coll_gather(&one, &all, root, comm, &result)
               ? result
               : PMPI_Gather(out, out_count, out_type, in, in_count, in_type, root, comm);
}

TAKEN int MPI_Scatterv(const void *out, const int counts[], const int displs[], MPI_Datatype out_type, void *in,
                       int in_count, MPI_Datatype in_type, int root, MPI_Comm comm)
{
    struct coll_side all = {(void *)out, 0, out_type, counts, displs}, one = {in, in_count, in_type, NULL, NULL};
    int result;
    return coll_scatterv(&all, &one, root, comm, &result)
               ? result
               : PMPI_Scatterv(out, counts, displs, out_type, in, in_count, in_type, root, comm);
}

TAKEN int MPI_Gatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[],
                      const int displs[], MPI_Datatype in_type, int root, MPI_Comm comm)
{
    struct coll_side one = {(void *)out, out_count, out_type, NULL, NULL}, all = {in, 0, in_type, counts, displs};
    int result;
    return coll_gatherv(&one, &all, root, comm, &result)
               ? result
               : PMPI_Gatherv(out, out_count, out_type, in, counts, displs, in_type, root, comm);
}
