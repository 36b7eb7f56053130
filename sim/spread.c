#include "sim/spread.h"

#include "common/launch.h"

#ifdef PEVPM_HAVE_MPI

#include "common/alloc.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

static enum status gather_doubles(const struct spread *spread, double all[], const size_t first[])
{
    int *counts = alloc_array((size_t)spread->size, sizeof *counts);
    int *offsets = alloc_array((size_t)spread->size, sizeof *offsets);
    enum status status = first[spread->size] <= INT_MAX ? STATUS_OK : STATUS_MPI;
    for (int k = 0; k < spread->size && status == STATUS_OK; k++) {
        offsets[k] = (int)first[k];
        counts[k] = (int)(first[k + 1] - first[k]);
    }
    if (status == STATUS_OK && MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, offsets, MPI_DOUBLE,
                                              MPI_COMM_WORLD) != MPI_SUCCESS)
        status = STATUS_MPI;
    free(counts);
    free(offsets);
    return status;
}

static enum status broadcast_bytes(const struct spread *spread, void *bytes, size_t n)
{
    (void)spread;
    for (size_t done = 0; done < n;) {
        size_t part = n - done < (1u << 30) ? n - done : 1u << 30;
        if (MPI_Bcast((char *)bytes + done, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
            return STATUS_MPI;
        done += part;
    }
    return STATUS_OK;
}

static enum status mpi_start(struct spread *spread, int *argc, char ***argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return STATUS_MPI;
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &spread->rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &spread->size) != MPI_SUCCESS)
        return STATUS_MPI;
    return provided >= MPI_THREAD_FUNNELED ? STATUS_OK : STATUS_MPI;
}

enum status spread_open(struct spread *spread, int *argc, char ***argv, struct diags *diags)
{
    *spread = (struct spread){.rank = 0, .size = 1, .gather = gather_doubles, .broadcast = broadcast_bytes};
    if (launch_size() == 0)
        return STATUS_OK;
    enum status status = mpi_start(spread, argc, argv);
    if (status != STATUS_OK)
        diag_error(diags, place_of_file(NULL), "MPI cannot be started");
    return status;
}

void spread_close(struct spread *spread, int failed)
{
    int initialised = 0;
    if (MPI_Initialized(&initialised) != MPI_SUCCESS || !initialised)
        return;
    if (failed && spread->size > 1)
        MPI_Abort(MPI_COMM_WORLD, failed);
    MPI_Finalize();
}

#else

enum status spread_open(struct spread *spread, int *argc, char ***argv, struct diags *diags)
{
    (void)argc;
    (void)argv;
    *spread = (struct spread){.rank = 0, .size = 1};
    if (launch_size() > 1)
        diag_warning(diags, place_of_file(NULL),
                     "this pevpm-sim was built without MPI: each of the %d ranks does all the work", launch_size());
    return STATUS_OK;
}

void spread_close(struct spread *spread, int failed)
{
    (void)spread;
    (void)failed;
}

#endif
