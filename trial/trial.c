#include "trial/trial.h"

#include "common/alloc.h"
#include "run/measure.h"
#include "sim/rehearsal.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the time there is so much is for runs, the rest for predictions. */
static const double PART_OF_RUNS = 0.6;
enum { PLACEMENTS_MOST = 64, REPLICATIONS = 8, PROGRAMS_LEAST = 40 };
enum { TRIES = 4 }; /* of as many programs as are wanted at least */
/* What takes less than this part of the time that a run should take is left out. */
static const double HARDLY_ANY = 0.02;
/* What is predicted to take more than so many times the time that a run should take is left out: in its time two others
 * tell more. Without that three of 18 programs took half of all runs' time. */
static const double TOO_LONG = 2;
/* So is what would take more than this part of the time that there is for predicting all; each is predicted so
 * often. */
static const double SLOW = 0.25;
enum { PREDICTIONS = 2 * REPLICATIONS + REPLICATE_FIRST };
/* A run sends no more messages of 4 KiB than this from any process, so that predicting it takes no longer than that. */
static const double MESSAGES_MOST = 5000, MESSAGE_BYTES = 4096;
/* What a run may take beyond so many times what it is made for; a step of all processes beside the runs, s. */
static const double PATIENCE = 20, PATIENCE_FACTOR = 40, STEP = 2;

/* What programs are made for: what a message and a byte take, a run, and the shortest computation. s */
struct pace {
    double latency, per_byte, seconds, shortest;
};
/* Slept through a computation takes at least that; a core that is a rank's own computes for as short as it likes. */
static const double SHORTEST_SLEEP = 0.3e-3, SHORTEST_SPIN = 1e-9;

enum { PARAMETERS = 4 };
static const char *const parameter_names[PARAMETERS] = {INVENT_LATENCY, INVENT_PER_BYTE, INVENT_SECONDS,
                                                         INVENT_SHORTEST};

/* Everything one trial holds. */
struct trial {
    const struct trial_request *request;
    struct trial_result *result;
    struct diags *diags;
    struct machine *machine;             /* rank 0 */
    struct machine *blank;               /* what programs are lowered for: they name nothing of a machine */
    struct pace pace;
    struct value values[PARAMETERS];
    size_t n_placements;
    struct placement placements[PLACEMENTS_MOST];
    int64_t synced;                      /* as measure_request has it */
    size_t n, capacity, n_left_out;
    struct trial_program *programs;      /* [n] */
};

static enum status agree(const struct trial *t, enum status status)
{
    int word = (int)status;
    MPI_Bcast(&word, 1, MPI_INT, 0, t->request->job->comm);
    return (enum status)word;
}

/* ---- what to run ---- */

/* 16, 8, 4, 2 of 16 nodes with one process each, then with as many as the job has. */
static void placements_find(struct trial *t)
{
    const struct job *job = t->request->job;
    for (int ppn = 1; ppn <= job->ppn; ppn = ppn < job->ppn ? job->ppn : ppn + 1)
        for (int nodes = job->nodes; nodes > 0 && t->n_placements < PLACEMENTS_MOST; nodes /= 2)
            if (nodes * ppn > 1)
                t->placements[t->n_placements++] = (struct placement){nodes * ppn, nodes, ppn};
}

/* A ping-pong between nodes where there is one, else within one. */
static const struct machine_entry *entry_find(const struct machine *machine)
{
    const struct machine_entry *found = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        if (entry->transport != TRANSPORT_self && entry->n_sizes > 1 && (!found || entry->nodes > found->nodes) &&
            entry->level == 1)
            found = entry;
    }
    return found;
}

static enum status pace_find(struct trial *t)
{
    const struct machine_entry *entry = entry_find(t->machine);
    if (!entry) {
        diag_error(t->diags, place_of_file(t->request->machine), "no ping-pong of two sizes was measured");
        return STATUS_SCHEMA;
    }
    const struct machine_size *first = &entry->sizes[0], *last = &entry->sizes[entry->n_sizes - 1];
    double per_byte = (last->transit.average - first->transit.average) / (double)(last->bytes - first->bytes);
    /* Ranks that share a core wait for one another's messages, which says more about the core than about the machine. */
    const double latency = first->transit.average * t->request->job->crowding;
    t->pace = (struct pace){.latency = fmax(latency, 1e-7), .per_byte = fmax(per_byte, 1e-12)};
    double most = MESSAGES_MOST * (t->pace.latency + MESSAGE_BYTES * t->pace.per_byte);
    t->pace.seconds = fmin(fmin(TRIAL_RUN, most), t->request->seconds / PROGRAMS_LEAST);
    t->pace.shortest = t->request->job->crowding > 1 ? SHORTEST_SLEEP : SHORTEST_SPIN;
    return STATUS_OK;
}

/* Three digits, so that the line that runs a program again says the same. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    return strtod(text, NULL);
}

static enum status machine_load(struct trial *t)
{
    enum status status = STATUS_OK;
    if (t->request->job->rank == 0)
        status = machine_read(&t->machine, t->request->machine, t->diags);
    if (t->machine)
        status = pace_find(t);
    status = agree(t, status);
    MPI_Bcast(&t->pace, sizeof t->pace, MPI_BYTE, 0, t->request->job->comm);
    const double values[PARAMETERS] = {t->pace.latency, t->pace.per_byte, t->pace.seconds, t->pace.shortest};
    for (int i = 0; i < PARAMETERS; i++)
        t->values[i] = value_real(rounded(values[i]));
    return status;
}

/* The i-th program: kinds in turn, placements in turn, so that each kind meets each placement. */
static struct trial_program program_number(const struct trial *t, size_t i)
{
    return (struct trial_program){.kind = (enum invent_kind)(i % N_INVENT_ANYWHERE),
                                  .seed = t->request->seed + i / N_INVENT_ANYWHERE,
                                  .at = t->placements[(i + i / N_INVENT_ANYWHERE) % t->n_placements]};
}

static char *command_of(const struct trial *t, const struct trial_program *program)
{
#ifdef OPEN_MPI
    static const char on_nodes[] = "--map-by ppr:%d:node";
#else
    static const char on_nodes[] = "-ppn %d";
#endif
    char where[sizeof on_nodes + 16];
    snprintf(where, sizeof where, on_nodes, program->at.ppn);
    char *command = alloc_format("mpirun -n %d %s pevpm-run --random %s --seed %llu", program->at.numprocs, where,
                                 invent_kind_name(program->kind), (unsigned long long)program->seed);
    for (int i = 0; i < PARAMETERS; i++) {
        char *longer = alloc_format("%s -D %s=%.3g", command, parameter_names[i], t->values[i].r);
        free(command);
        command = longer;
    }
    return command;
}

static struct source *source_of(const struct trial_program *program)
{
    char *text = invent_program(program->kind, program->seed);
    char *name = invent_name(program->kind, program->seed);
    struct source *source = source_from_text(name, text, strlen(text));
    free(text);
    free(name);
    return source;
}

/* ---- running ---- */

/* A communicator of the program's processes, in their order; MPI_COMM_NULL where this rank is none. */
static MPI_Comm processes_of(const struct job *job, struct placement at)
{
    int process = MPI_UNDEFINED;
    if (job->place >= 0 && job->place / job->ppn < at.nodes && job->place % job->ppn < at.ppn)
        process = job->place / job->ppn * at.ppn + job->place % job->ppn;
    MPI_Comm comm;
    MPI_Comm_split(job->comm, process == MPI_UNDEFINED ? MPI_UNDEFINED : 0, process == MPI_UNDEFINED ? 0 : process,
                   &comm);
    return comm;
}

static enum status execute(struct trial *t, const struct trial_program *which, const struct program *program,
                           double *seconds)
{
    const struct job *job = t->request->job;
    MPI_Comm comm = processes_of(job, which->at);
    struct executor_setup setup = {.program = program, .comm = comm, .machine = t->blank, .seed = which->seed,
                                   .work = {.kind = job->crowding > 1 ? WORK_sleep : WORK_spin}};
    struct executor *executor = NULL;
    enum status status = comm == MPI_COMM_NULL ? STATUS_OK : executor_create(&executor, &setup, t->diags);
    struct measured measured = {0};
    struct measure_request request = {.job = job, .executor = executor, .program = program, .runs = 1,
                                      .most = PATIENCE + PATIENCE_FACTOR * t->pace.seconds, .synced = &t->synced,
                                      .goes_on = true};
    if (status == STATUS_OK)
        status = measure(&request, &measured, t->diags);
    if (status != STATUS_OK) { /* the others may wait for this one */
        diags_print(t->diags, stderr);
        MPI_Abort(job->comm, status_exit_code(status));
    }
    *seconds = measured.seconds[0];
    measured_free(&measured);
    if (executor)
        executor_destroy(executor);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    return STATUS_OK;
}

static void definitions_make(const struct trial *t, struct definition definitions[])
{
    for (int i = 0; i < PARAMETERS; i++)
        definitions[i] = (struct definition){parameter_names[i], t->values[i], NULL};
}

static enum status program_run(struct trial *t, const struct trial_program *which, double *seconds)
{
    struct definition definitions[PARAMETERS];
    struct source *source = source_of(which);
    struct tree *tree = NULL;
    struct program *program = NULL;
    definitions_make(t, definitions);
    enum status status = tree_parse(&tree, source, PARAMETERS, definitions, t->diags);
    if (status == STATUS_OK)
        status = predict_lower(&program, tree, t->blank, t->blank->library, which->at, (struct predict_map){0}, t->diags);
    if (status == STATUS_OK)
        status = execute(t, which, program, seconds);
    if (program)
        program_destroy(program);
    if (tree)
        tree_destroy(tree);
    source_destroy(source);
    return status;
}

/* ---- predicting, on rank 0 ---- */

/* Borrows `runs`. */
static struct judge_request judging(const struct trial *t, const struct judge_run runs[])
{
    return (struct judge_request){.machine = t->machine, .n = t->n, .runs = runs, .seed = t->request->seed,
                                  .plan = {.exact = REPLICATIONS, .threads = omp_get_max_threads()},
                                  .by_chance = true, .leaves_out = true,
                                  .seconds = (1 - PART_OF_RUNS) * t->request->seconds};
}

static void sweeps_make(const struct trial *t, struct sweep sweeps[])
{
    for (int i = 0; i < PARAMETERS; i++)
        sweeps[i] = (struct sweep){(char *)parameter_names[i], 1, (struct value *)&t->values[i], NULL};
}

/* Borrows all. draws: out, what the executor's one run drew. */
static struct judge_run run_of(struct trial_program *program, const struct source *source, struct sweep sweeps[],
                               struct judge_draws *draws)
{
    *draws = (struct judge_draws){.seed = program->seed, .n = 1};
    return (struct judge_run){.source = source, .program = source->name, .n_sweeps = PARAMETERS, .sweeps = sweeps,
                              .at = program->at, .n = 1, .seconds = &program->seconds, .draws = draws,
                              .place = place_of_file(source->name)};
}

/* Of this thread, which a busy machine does not make longer. */
static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One replication on a machine, of whose models one is meant; NULL: what was measured. What it takes, and how many messages. */
static enum status replication(const struct trial *t, const struct trial_program *program, const struct machine *machine,
                               const char *model, double *seconds, uint64_t *messages)
{
    const struct predict_mode mode = {"distribution", MODE_distribution, false, model};
    struct sweep sweeps[PARAMETERS];
    struct source *source = source_of(program);
    struct diags unsaid = DIAGS_EMPTY;
    struct predict_result result = {0};
    struct trial_program of = *program;
    sweeps_make(t, sweeps);
    struct judge_draws draws;
    const struct judge_run run = run_of(&of, source, sweeps, &draws);
    const struct judge_request request = judging(t, &run);
    struct predict_request predict = judge_predict_request(&request, &run, &draws, machine, &mode);
    predict.plan.exact = 1;
    predict.plan.threads = 1;
    const enum status status = predict_run(&predict, &result, &unsaid);
    if (status == STATUS_OK)
        *seconds = result.rows[0].time.mean, *messages = result.rows[0].messages;
    predict_result_free(&result);
    diags_free(&unsaid);
    source_destroy(source);
    return status;
}

/* What one replication tells of a program, and what predicting it will take. seconds NAN: it cannot be predicted, and what is
 * wrong with it is for those to say who judge it. */
struct expected {
    double seconds, to_predict;
    bool sends;
};

static struct expected expected_of(const struct trial *t, const struct trial_program *program)
{
    struct expected expected = {.seconds = NAN, .sends = true};
    const double started = processor_time();
    double ignored;
    uint64_t messages;
    if (replication(t, program, t->machine, NULL, &expected.seconds, &messages) == STATUS_OK)
        /* where no file knows collectives as a whole */
        expected.sends = messages > 0 || replication(t, program, t->blank, "loggp", &ignored, &messages) != STATUS_OK ||
                         messages > 0;
    expected.to_predict = (processor_time() - started) * PREDICTIONS / fmin(REPLICATIONS, omp_get_max_threads());
    return expected;
}

static enum status programs_judge(struct trial *t)
{
    struct judge_run *runs = alloc_zeroed(t->n, sizeof *runs);
    struct judge_draws *draws = alloc_array(t->n, sizeof *draws);
    struct source **sources = alloc_array(t->n, sizeof *sources);
    struct sweep sweeps[PARAMETERS];
    sweeps_make(t, sweeps);
    for (size_t i = 0; i < t->n; i++) {
        sources[i] = source_of(&t->programs[i]);
        runs[i] = run_of(&t->programs[i], sources[i], sweeps, &draws[i]);
    }
    const struct judge_request request = judging(t, runs);
    enum status status = judge_measured(&request, &t->result->judged, t->diags);
    for (size_t i = 0; i < t->n; i++)
        source_destroy(sources[i]);
    free(sources);
    free(draws);
    free(runs);
    return status;
}

/* ---- running as many as there is time for ---- */

static bool is_time_left(const struct trial *t, size_t tried, double started)
{
    int left = (t->n < MODEL_ERROR_RUNS_LEAST && tried < TRIES * MODEL_ERROR_RUNS_LEAST) ||
               MPI_Wtime() - started < PART_OF_RUNS * t->request->seconds;
    watch_set(t->request->job->watch, STEP, "choosing a program");
    MPI_Bcast(&left, 1, MPI_INT, 0, t->request->job->comm);
    return left;
}

/* Some send nothing (an Iallreduce of no bytes, or on two processes over a communicator of every third), which says nothing of
 * the machine. Those that take long are run where others were not to be had. The same on all ranks. */
static bool is_of_use(struct trial *t, struct trial_program program, bool however_long)
{
    watch_set(t->request->job->watch, PATIENCE, "choosing a program");
    int of_use = 1;
    if (t->request->job->rank == 0) {
        const struct expected expected = expected_of(t, &program);
        const bool too_long = expected.seconds > TOO_LONG * t->pace.seconds ||
                              expected.to_predict > SLOW * (1 - PART_OF_RUNS) * t->request->seconds;
        of_use = expected.sends && (however_long || !too_long);
        t->n_left_out += !expected.sends;
    }
    MPI_Bcast(&of_use, 1, MPI_INT, 0, t->request->job->comm);
    return of_use;
}

static enum status programs_run(struct trial *t)
{
    double started = MPI_Wtime();
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && is_time_left(t, i, started); i++) {
        struct trial_program which = program_number(t, i);
        double seconds = 0;
        bool any_will_do = t->n < MODEL_ERROR_RUNS_LEAST && i >= MODEL_ERROR_RUNS_LEAST;
        if (!is_of_use(t, which, any_will_do))
            continue;
        status = program_run(t, &which, &seconds);
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, t->request->job->comm);
        if (seconds < HARDLY_ANY * t->pace.seconds) {
            t->n_left_out++;
            continue;
        }
        t->programs = alloc_grow(t->programs, t->n, &t->capacity, sizeof *t->programs);
        t->programs[t->n++] = (struct trial_program){which.kind, which.seed, which.at, seconds};
    }
    return status;
}

static void result_fill(struct trial *t)
{
    struct trial_result *result = t->result;
    result->n = result->judged.n;
    result->n_left_out = t->n_left_out;
    result->programs = alloc_array(result->n, sizeof *result->programs);
    result->commands = alloc_array(result->n, sizeof *result->commands);
    for (size_t i = 0; i < result->n; i++) {
        result->programs[i] = t->programs[result->judged.runs[i].run];
        result->commands[i] = command_of(t, &result->programs[i]);
    }
}

enum status trial_run(const struct trial_request *request, struct trial_result *result, struct diags *diags)
{
    struct trial t = {.request = request, .result = result, .diags = diags, .blank = rehearsal_machine(diags)};
    *result = (struct trial_result){.n = 0};
    placements_find(&t);
    enum status status = machine_load(&t);
    if (status == STATUS_OK)
        status = programs_run(&t);
    watch_set(request->job->watch, PATIENCE + request->seconds, "predicting programs");
    if (status == STATUS_OK && request->job->rank == 0 && t.n < MODEL_ERROR_RUNS_LEAST) {
        diag_error(diags, place_of_file(NULL), "%zu of the programs made by chance took long enough to tell anything, %d are "
                   "needed", t.n, (int)MODEL_ERROR_RUNS_LEAST);
        status = STATUS_RANGE;
    } else if (status == STATUS_OK && request->job->rank == 0) {
        status = programs_judge(&t);
        if (status == STATUS_OK)
            result_fill(&t);
    }
    status = agree(&t, status);
    watch_set(request->job->watch, 0, NULL);
    if (t.machine)
        machine_destroy(t.machine);
    machine_destroy(t.blank);
    free(t.programs);
    return status;
}

void trial_result_free(struct trial_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        free(result->commands[i]);
    free(result->commands);
    free(result->programs);
    judge_result_free(&result->judged);
    *result = (struct trial_result){.n = 0};
}
