/* On 2 processes or more: the first runs a program that sleeps for a second, the others run nothing and keep the clock. They
 * must leave the processors alone meanwhile: what the busiest of them took of one is printed, s. */
#include "run/measure.h"
#include "run/rehearsal.h"
#include "sim/predict.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char text[] = "Serial time = 1\n";

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns what measuring took of a processor. */
static double run(const struct job *job, const struct program *program, const struct machine *machine, MPI_Comm alone,
                  struct diags *diags)
{
    const struct executor_setup setup = {.program = program, .comm = alone, .machine = machine, .work = {.kind = WORK_sleep}};
    struct executor *executor = alone == MPI_COMM_NULL ? NULL : executor_create(&setup);
    struct measured measured = {0};
    int64_t synced = 0;
    const struct measure_request request = {.job = job, .executor = executor, .program = program, .runs = 1, .most = 10,
                                            .synced = &synced, .goes_on = true};
    MPI_Barrier(job->comm);
    double begun = processor_time();
    enum status status = measure(&request, &measured, diags);
    double taken = processor_time() - begun;
    assert(status == STATUS_OK);
    measured_free(&measured);
    if (executor)
        executor_destroy(executor);
    return executor ? 0 : taken;
}

int main(void)
{
    struct diags diags = DIAGS_EMPTY;
    struct clock_options clock = {0};
    struct job job;
    struct tree *tree;
    struct program *program;
    MPI_Comm alone;
    MPI_Init(NULL, NULL);
    job_init(&job, MPI_COMM_WORLD, "idle_program", &clock);
    struct machine *machine = rehearsal_machine(&diags);
    struct source *source = source_from_text("idle", text, strlen(text));
    enum status status = tree_parse(&tree, source, 0, NULL, &diags);
    assert(status == STATUS_OK);
    status = predict_lower(&program, tree, machine, (struct placement){1, 1, 1}, false, &diags);
    assert(status == STATUS_OK);
    MPI_Comm_split(job.comm, job.rank == 0 ? 0 : MPI_UNDEFINED, 0, &alone);
    double taken = run(&job, program, machine, alone, &diags), most;
    MPI_Reduce(&taken, &most, 1, MPI_DOUBLE, MPI_MAX, 0, job.comm);
    if (job.rank == 0)
        printf("%.3f\n", most);
    if (alone != MPI_COMM_NULL)
        MPI_Comm_free(&alone);
    program_destroy(program);
    tree_destroy(tree);
    source_destroy(source);
    machine_destroy(machine);
    job_free(&job);
    diags_free(&diags);
    MPI_Finalize();
    return 0;
}
