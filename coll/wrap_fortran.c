// SPDX-License-Identifier: MIT
/* The calls of Fortran programs (recorder/binding.h). What the library does not carry out goes to the binding as it
 * came. An error code may be missing in mpi_f08. */
#include "coll/coll.h"
#include "recorder/binding.h"

BINDING_FORWARD(init, (fint *error), (error), NOTHING, coll_start())
BINDING_FORWARD(init_thread, (fint *wanted, fint *provided, fint *error), (wanted, provided, error), NOTHING, coll_start())
BINDING_FORWARD(finalize, (fint *error), (error), coll_finish(), NOTHING)

/* `served` is the library's answer, and gives `result`. */
#define ONE_TAKEN(name, parameters, arguments, served)             \
    __attribute__((visibility("default"))) void name parameters;   \
    __attribute__((visibility("default"))) void name parameters    \
    {                                                              \
        typedef void bound parameters;                             \
        int result;                                                \
        if (!(served))                                             \
            ((bound *)binding(#name)) arguments;                   \
        else if (error)                                            \
            *error = result;                                       \
    }
#define TAKE(name, parameters, arguments, served)                  \
    ONE_TAKEN(mpi_##name##_, parameters, arguments, served)        \
    ONE_TAKEN(mpi_##name##_f08_, parameters, arguments, served)

static struct coll_side side(void *buf, const fint *count, const fint *type, const fint *counts, const fint *displs)
{
    void *in_c = binding_in_place(buf) ? MPI_IN_PLACE : binding_bottom(buf) ? MPI_BOTTOM : buf;
    return (struct coll_side){in_c, count ? *count : 0, PMPI_Type_f2c(*type), counts, displs};
}
#define ONE(buf, count, type) (struct coll_side[]){side(buf, count, type, NULL, NULL)}
#define ALL(buf, counts, displs, type) (struct coll_side[]){side(buf, NULL, type, counts, displs)}
#define WHERE *root, PMPI_Comm_f2c(*comm), &result

static bool bcast(void *buf, const fint *count, const fint *type, int root, MPI_Comm comm, int *result)
{
    struct coll_side one = side(buf, count, type, NULL, NULL);
    return coll_bcast(one.buf, one.count, one.type, root, comm, result);
}

TAKE(bcast, (void *buf, fint *count, fint *type, fint *root, fint *comm, fint *error),
     (buf, count, type, root, comm, error), bcast(buf, count, type, WHERE))
TAKE(scatter, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root, fint *comm,
               fint *error),
     (out, out_count, out_type, in, in_count, in_type, root, comm, error),
     coll_scatter(ONE(out, out_count, out_type), ONE(in, in_count, in_type), WHERE))
TAKE(gather, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root, fint *comm,
              fint *error),
     (out, out_count, out_type, in, in_count, in_type, root, comm, error),
     coll_gather(ONE(out, out_count, out_type), ONE(in, in_count, in_type), WHERE))
TAKE(scatterv, (void *out, fint *counts, fint *displs, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root,
                fint *comm, fint *error),
     (out, counts, displs, out_type, in, in_count, in_type, root, comm, error),
     coll_scatterv(ALL(out, counts, displs, out_type), ONE(in, in_count, in_type), WHERE))
TAKE(gatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *displs, fint *in_type, fint *root,
               fint *comm, fint *error),
     (out, out_count, out_type, in, counts, displs, in_type, root, comm, error),
     coll_gatherv(ONE(out, out_count, out_type), ALL(in, counts, displs, in_type), WHERE))
