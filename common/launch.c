#include "common/launch.h"

#include <stddef.h>
#include <stdlib.h>

/* What launchers set for every process they start. A plain SLURM_PROCID is not here: batch scripts have it too, and a
 * process in one was not started as part of an MPI job. */
static const char *const size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                             "MPI_LOCALNRANKS"};
static const char *const rank_variables[] = {"PMIX_RANK", "PMI_RANK"};
enum {
    N_SIZE_VARIABLES = sizeof size_variables / sizeof *size_variables,
    N_RANK_VARIABLES = sizeof rank_variables / sizeof *rank_variables
};

int launch_size(void)
{
    for (int i = 0; i < N_SIZE_VARIABLES; i++) {
        const char *text = getenv(size_variables[i]);
        if (text && atoi(text) > 0)
            return atoi(text);
    }
    for (int i = 0; i < N_RANK_VARIABLES; i++)
        if (getenv(rank_variables[i]))
            return 1;
    return 0;
}

int launch_rank(void)
{
    for (int i = 0; i < N_RANK_VARIABLES; i++) {
        const char *text = getenv(rank_variables[i]);
        if (text)
            return atoi(text);
    }
    return 0;
}
