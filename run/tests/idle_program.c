/* On 2 processes or more: the first runs a program that sleeps for a second, the others run nothing and keep the clock.
 * They must leave the processors alone meanwhile, so they look for the end of the run now and then and do not wait in
 * MPI for it. Printed: how often the busiest of them looked, a second, and how often one waited for what had not
 * come. */
#include "run/measure.h"
#include "sim/rehearsal.h"
#include "sim/predict.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char text[] = "Serial time = 1\n";

/* What this process has done, which the functions of MPI below count: they stand before the library's. */
static struct {
    int looks, waits;
} counted;

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    counted.looks++;
    return PMPI_Test(request, done, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int done = 1;
    PMPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    counted.waits += !done;
    return PMPI_Wait(request, status);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* taken: looks a second, and waits, of a process that runs nothing; else 0. */
static void run(const struct job *job, const struct program *program, const struct machine *machine, MPI_Comm alone,
                double taken[2], struct diags *diags)
{
    const struct executor_setup setup = {.program = program, .comm = alone, .machine = machine, .work = {.kind = WORK_sleep}};
    struct executor *executor = NULL;
    enum status status = alone == MPI_COMM_NULL ? STATUS_OK : executor_create(&executor, &setup, diags);
    assert(status == STATUS_OK);
    struct measured measured = {0};
    int64_t synced = 0;
    const struct measure_request request = {.job = job, .executor = executor, .program = program, .runs = 1, .most = 10,
                                            .synced = &synced, .goes_on = true};
    MPI_Barrier(job->comm);
    counted.looks = counted.waits = 0;
    const double begun = now();
    status = measure(&request, &measured, diags);
    assert(status == STATUS_OK);
    taken[0] = executor ? 0 : counted.looks / (now() - begun);
    taken[1] = executor ? 0 : counted.waits;
    measured_free(&measured);
    if (executor)
        executor_destroy(executor);
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
    status = predict_lower(&program, tree, machine, machine->library, (struct placement){1, 1, 1}, (struct predict_map){0}, &diags);
    assert(status == STATUS_OK);
    MPI_Comm_split(job.comm, job.rank == 0 ? 0 : MPI_UNDEFINED, 0, &alone);
    double taken[2], most[2];
    run(&job, program, machine, alone, taken, &diags);
    MPI_Reduce(taken, most, 2, MPI_DOUBLE, MPI_MAX, 0, job.comm);
    if (job.rank == 0)
        printf("%.0f %.0f\n", most[0], most[1]);
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
