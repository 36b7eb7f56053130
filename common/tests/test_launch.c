/* What launchers say in the environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/launch.h"

#include <stdlib.h>

static void forget(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "MPI_LOCALNRANKS",
                                        "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static void expect(int size, int rank)
{
    assert_int_equal(launch_size(), size);
    assert_int_equal(launch_rank(), rank);
    forget();
}

static void launchers_say_how_many(void **state)
{
    (void)state;
    forget();
    expect(0, 0);
    setenv("SLURM_PROCID", "3", 1); /* a batch script's */
    expect(0, 0);
    setenv("OMPI_COMM_WORLD_SIZE", "6", 1);
    setenv("PMIX_RANK", "5", 1);
    expect(6, 5);
    setenv("PMI_SIZE", "4", 1);
    setenv("PMI_RANK", "2", 1);
    expect(4, 2);
    setenv("PMIX_RANK", "7", 1); /* a launcher that does not say how many */
    expect(1, 7);
    setenv("PMIX_RANK", "7", 1); /* srun --mpi=pmix */
    setenv("SLURM_STEP_NUM_TASKS", "9", 1);
    expect(9, 7);
    setenv("SLURM_STEP_NUM_TASKS", "9", 1); /* srun --mpi=none: programs of their own */
    expect(0, 0);
    setenv("SLURM_STEP_NUM_TASKS", "2", 1); /* mpirun on two nodes of Slurm: the step is of its daemons */
    setenv("OMPI_COMM_WORLD_SIZE", "16", 1);
    setenv("PMIX_RANK", "5", 1);
    expect(16, 5);
    setenv("PMI_SIZE", "none", 1);
    expect(0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launchers_say_how_many),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
