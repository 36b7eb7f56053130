/* trial_program MACHINE SECONDS SEED: prints what trial_run has judged, a line each: kind, seed, processes, and what
 * was predicted, s. */
#include "trial/trial.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    struct clock_options clock = {0};
    struct diags diags = DIAGS_EMPTY;
    struct trial_result result;
    struct job job;
    MPI_Init(&argc, &argv);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    job_init(&job, MPI_COMM_WORLD, "trial_program", &clock);
    const struct trial_request request = {.job = &job, .machine = argv[1], .seconds = strtod(argv[2], NULL),
                                          .seed = strtoull(argv[3], NULL, 10)};
    enum status status = trial_run(&request, &result, &diags);
    for (size_t i = 0; i < result.n; i++)
        printf("%s %llu %d %.6g\n", invent_kind_name(result.programs[i].kind),
               (unsigned long long)result.programs[i].seed, result.programs[i].at.numprocs,
               result.judged.runs[i].predicted);
    if (job.rank == 0)
        printf("left out %zu\n", result.n_left_out);
    if (job.rank == 0)
        diags_print(&diags, stderr);
    diags_free(&diags);
    trial_result_free(&result);
    job_free(&job);
    MPI_Finalize();
    return status_exit_code(status);
}
