/* speed.c - how many messages a second the engines sample; run by speed.sh (make bench), which prints
 * docs/PERFORMANCE.md's table.
 *
 *     speed bare                          the bare kernel
 *     speed engine PROGRAM MACHINE RULE NUMPROCS LANES ITERATIONS
 *                                         RULE scoreboard, ports or frames; LANES 0: what the simulator would choose; where
 *                                         time decides what happens, or ports serve frames, it is the time-ordered
 *                                         engine, whatever LANES
 *     speed count PROGRAM MACHINE RULE NUMPROCS LANES ITERATIONS
 *                                         one run, the second, for those who count its instructions: `counted`
 *     speed memory PROGRAM MACHINE NUMPROCS
 *                                         bytes a process, one lane, at NUMPROCS (a power of two)
 *
 * One figure on standard output: millions of messages per second of the best of five runs of at least half a second, how
 * many messages were counted, or bytes. */
#include "directives/program.h"
#include "directives/source.h"
#include "engine/engine.h"
#include "models/cost.h"
#include "models/machine.h"
#include "validation/bare_kernel.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void give_up(const struct diags *diags)
{
    diags_print(diags, stderr);
    exit(3);
}

static void bare(void)
{
    const uint64_t steps = 20 * 1000 * 1000;
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        double begin = now();
        volatile double sum = bare_kernel(steps);
        (void)sum;
        double rate = 32.0 * (double)steps / (now() - begin);
        best = rate > best ? rate : best;
    }
    printf("%.1f\n", best / 1e6);
}

struct scene {
    struct source *source;
    struct tree *tree;
    struct machine *machine;
    struct program *program;
    struct cost_model *model;
    struct engine_setup setup;
};

static void scene_open(struct scene *scene, const char *program, const char *machine, enum contention rule,
                       int numprocs, int64_t iterations)
{
    struct diags diags = DIAGS_EMPTY;
    struct definition count = {"iterations", {.kind = VALUE_INT, .i = iterations}, NULL};
    if (source_read(&scene->source, program, &diags) != STATUS_OK ||
        tree_parse(&scene->tree, scene->source, 1, &count, &diags) != STATUS_OK ||
        machine_read(&scene->machine, machine, &diags) != STATUS_OK)
        give_up(&diags);
    struct lower_options lower = {.numprocs = numprocs, .nodes = numprocs, .ppn = 1, .machine = scene->machine->name,
                                  .time_unit = scene->machine->time_unit};
    struct cost_options cost = {.model = "measured", .contention = rule, .ppn = 1};
    if (program_lower(&scene->program, scene->tree, &lower, &diags) != STATUS_OK ||
        cost_model_open(&scene->model, scene->machine, &cost, &diags) != STATUS_OK)
        give_up(&diags);
    diags_free(&diags);
    scene->setup =
        (struct engine_setup){.program = scene->program, .model = scene->model, .machine = scene->machine, .seed = 1};
}

static void scene_close(struct scene *scene)
{
    cost_model_close(scene->model);
    program_destroy(scene->program);
    machine_destroy(scene->machine);
    tree_destroy(scene->tree);
    source_destroy(scene->source);
}

/* Seconds of one batch; *messages that it sampled. */
static double batch_time(struct engine *engine, int lanes, double *messages)
{
    static struct outcome outcome[ENGINE_LANES_MOST];
    struct engine_totals totals;
    struct diags diags = DIAGS_EMPTY;
    double begin = now();
    if (engine_run(engine, 0, lanes, outcome, &totals, &diags) != STATUS_OK)
        give_up(&diags);
    *messages = (double)totals.messages * lanes;
    return now() - begin;
}

/* The engine that suits, which has run once. */
static struct engine *engine_open(struct scene *scene, char *argv[], int *lanes)
{
    enum contention rule;
    double messages;
    *lanes = atoi(argv[4]);
    if (!contention_parse(argv[2], &rule))
        exit(2);
    scene_open(scene, argv[0], argv[1], rule, atoi(argv[3]), atoll(argv[5]));
    enum engine_kind kind = engine_choose(&scene->setup, ENGINE_AUTO);
    if (kind != ENGINE_LANES)
        *lanes = 1;
    else if (*lanes == 0)
        *lanes = engine_lanes_for(&scene->setup, ENGINE_LANES_MOST);
    struct engine *engine = engine_create(kind, &scene->setup, *lanes);
    batch_time(engine, *lanes, &messages);
    return engine;
}

/* A name for valgrind's --toggle-collect. */
__attribute__((noinline)) static double counted(struct engine *engine, int lanes)
{
    double messages;
    batch_time(engine, lanes, &messages);
    return messages;
}

static void engine_count(char *argv[])
{
    struct scene scene;
    int lanes;
    struct engine *engine = engine_open(&scene, argv, &lanes);
    printf("%.0f\n", counted(engine, lanes));
    engine_destroy(engine);
    scene_close(&scene);
}

static void engine_rate(char *argv[])
{
    struct scene scene;
    int lanes;
    struct engine *engine = engine_open(&scene, argv, &lanes);
    double best = 0, messages;
    for (int run = 0; run < RUNS; run++) {
        double seconds = 0, sampled = 0;
        while (seconds < 0.5) {
            seconds += batch_time(engine, lanes, &messages);
            sampled += messages;
        }
        best = sampled / seconds > best ? sampled / seconds : best;
    }
    printf("%.1f\n", best / 1e6);
    engine_destroy(engine);
    scene_close(&scene);
}

/* What malloc holds with the program lowered and one replication run, less the same at half the size. */
static void memory(char *argv[])
{
    size_t held[2];
    int numprocs = atoi(argv[2]);
    for (int half = 0; half < 2; half++) {
        struct scene scene;
        double messages;
        size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        scene_open(&scene, argv[0], argv[1], CONTENTION_scoreboard, numprocs >> half, 10);
        struct engine *engine = engine_create(ENGINE_LANES, &scene.setup, 1);
        batch_time(engine, 1, &messages);
        held[half] = mallinfo2().uordblks + mallinfo2().hblkhd - before;
        engine_destroy(engine);
        scene_close(&scene);
    }
    printf("%.0f\n", (double)(held[0] - held[1]) / (numprocs / 2));
}

int main(int argc, char *argv[])
{
    if (argc == 2 && strcmp(argv[1], "bare") == 0)
        bare();
    else if (argc == 8 && strcmp(argv[1], "engine") == 0)
        engine_rate(argv + 2);
    else if (argc == 8 && strcmp(argv[1], "count") == 0)
        engine_count(argv + 2);
    else if (argc == 5 && strcmp(argv[1], "memory") == 0)
        memory(argv + 2);
    else {
        fprintf(stderr, "usage: speed bare | engine|count PROGRAM MACHINE RULE NUMPROCS LANES ITERATIONS | "
                        "memory PROGRAM MACHINE NUMPROCS\n");
        return 2;
    }
    return 0;
}
