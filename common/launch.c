#include "common/launch.h"

#include <stddef.h>
#include <stdlib.h>

/* What launchers set for every process they start. A plain SLURM_PROCID is not here: batch scripts have it too, and a
 * process in one was not started as part of an MPI job. */
static const char *const size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                             "MPI_LOCALNRANKS"};
static const char *const rank_variables[] = {"PMIX_RANK", "PMI_RANK"};
/* PMIx has processes ask a server how many they are. This is srun's own variable, and another launcher's processes that
 * stand in a step of one process, or of its daemons, have it too: the others come first. */
static const char step_size_variable[] = "SLURM_STEP_NUM_TASKS";
enum {
    N_SIZE_VARIABLES = sizeof size_variables / sizeof *size_variables,
    N_RANK_VARIABLES = sizeof rank_variables / sizeof *rank_variables
};

/* 0: the variable is not there, or says no number. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text && atoi(text) > 0 ? atoi(text) : 0;
}

int launch_size(void)
{
    for (int i = 0; i < N_SIZE_VARIABLES; i++)
        if (number_of(size_variables[i]) > 0)
            return number_of(size_variables[i]);
    for (int i = 0; i < N_RANK_VARIABLES; i++)
        if (getenv(rank_variables[i]))
            return number_of(step_size_variable) > 0 ? number_of(step_size_variable) : 1;
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
