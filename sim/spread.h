/* spread.h - the ranks of an MPI launcher, over which replications are spread.
 *
 * Only sim/spread.c knows MPI, and it is linked into pevpm-sim alone; everything else sees this struct. Outside a
 * launcher MPI is never initialised (that alone takes 0.3 s) and size is 1. All functions here are collective: every
 * rank calls them in the same order. */
#ifndef PEVPM_SIM_SPREAD_H
#define PEVPM_SIM_SPREAD_H

#include "common/diag.h"
#include "common/status.h"

#include <stddef.h>

struct spread {
    int rank, size;
    /* Before: rank k has written all[first[k]] ... all[first[k + 1] - 1]. After: every rank has all of it.
     *   first [size + 1]. STATUS_MPI. */
    enum status (*gather)(const struct spread *spread, double all[], const size_t first[]);
    /* n bytes from rank 0 to all. STATUS_MPI. */
    enum status (*broadcast)(const struct spread *spread, void *bytes, size_t n);
};

/* Fills *spread; initialises MPI where a launcher started this process. A build without MPI adds a warning when it is
 * launched on more than one rank (each rank then works alone). STATUS_MPI. Ends with spread_close. */
enum status spread_open(struct spread *spread, int *argc, char ***argv, struct diags *diags);

/* Ends MPI where it was initialised. `failed`: another rank may be waiting for this one, so the whole job is ended. */
void spread_close(struct spread *spread, int failed);

#endif
