/* A task farm in the time-ordered engine, where wildcards decide who gets which task: its schedule by hand, its times
 * against a simulation written for nothing else, and the same bits wherever a replication runs. Times in s. A task
 * takes 10 to arrive, what is empty 4; a send call takes 1, a receive of what is there 0.5. */
#include "engine/tests/play.h"
#include "sim/replicate.h"

#define MACHINE(task)                                                                        \
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n"          \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [" \
    "{bytes: 0, transit: \"4 s\", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}, "    \
    "{bytes: 1000, transit: " task ", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}]}\n"
static const char machine[] = MACHINE("\"10 s\"");
static const char uncertain[] = MACHINE("{uniform: {low: \"8 s\", high: \"12 s\"}}");

/* Tasks are tags; %s: what a worker computes for task t. */
static const char farm[] =
    "Runon c1 = procnum == 0 & else\n{\nSet next = 0\nLoop iterations = numprocs-1 & var = i\n{\n"
    "Message type = MPI_Send & to = i+1 & size = 1000 & tag = next\nSet next = next+1\n}\n"
    "Loop iterations = tasks\n{\nMessage type = MPI_Recv & from = MPI_ANY_SOURCE & tag = 0 & source = s\n"
    "Runon c1 = next < tasks & else\n{\n"
    "Message type = MPI_Send & to = s & size = 1000 & tag = next\nSet next = next+1\n}\n{\n"
    "Message type = MPI_Send & to = s & size = 0 & tag = tasks\n}\n}\n}\n{\nSet busy = 1\nLoop while = busy\n{\n"
    "Message type = MPI_Recv & from = 0 & tag = MPI_ANY_TAG & got_tag = t\nRunon c1 = t < tasks & else\n{\n%s"
    "Message type = MPI_Send & to = 0 & size = 0\n}\n{\nSet busy = 0\n}\n}\n}\n";

/* ---- the same bits ---- */

static void a_replication_is_the_same_wherever_it_runs(void **state)
{
    (void)state;
    enum { N = 40 };
    char program[2000] = "Param tasks = 60\n";
    snprintf(program + strlen(program), sizeof program - strlen(program), farm, "Serial time = exponential(20)\n");
    struct scene scene = {.numprocs = 8, .seed = 12};
    struct outcome all[N], one;
    scene_open(&scene, program, machine);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, N, all, NULL, NULL, 0), STATUS_OK);
    for (uint32_t r = N; r-- > 0;) {
        struct diags diags = DIAGS_EMPTY;
        struct engine *engine = engine_create(ENGINE_TIMED, &scene.setup, 1);
        assert_int_equal(engine_run(engine, r, 1, &one, NULL, &diags), STATUS_OK);
        assert_true(one.time == all[r].time && one.serial == all[r].serial);
        assert_true(r == 0 || all[r].time != all[r - 1].time);
        engine_destroy(engine);
    }
    scene_close(&scene);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    enum { N = 48 };
    char program[2000] = "Param tasks = 40\n";
    snprintf(program + strlen(program), sizeof program - strlen(program), farm, "Serial time = exponential(20)\n");
    struct scene scene = {.numprocs = 6, .seed = 77};
    double times[3][N];
    scene_open(&scene, program, machine);
    for (int i = 0; i < 3; i++) {
        struct replicate_plan plan = {.exact = N, .times = times[i], .threads = 1 + 2 * i};
        struct replicate_result result;
        struct diags diags = DIAGS_EMPTY;
        scene_check(replicate_run(&scene.setup, &plan, &result, &diags), &diags);
        assert_int_equal(result.engine, ENGINE_TIMED);
        assert_memory_equal(times[i], times[0], sizeof times[0]);
    }
    assert_true(times[0][0] != times[0][1]);
    scene_close(&scene);
}

/* ---- when a farm ends ---- */

/* Two workers, four tasks of 5, 15, 5, 15. Send calls take 1, a task 10 to arrive, a result or an end 4.
 *   0   task 0 to worker 1, there at 10; done at 15; the result there at 19
 *   1   task 1 to worker 2, there at 11; done at 26; the result there at 30
 *   19  task 2 to worker 1, there at 29; done at 34; the result there at 38
 *   30  task 3 to worker 2, there at 40; done at 55; the result there at 59
 *   38  the end to worker 1, there at 42
 *   59  the end to worker 2, there at 63; the master's send returns at 60 */
static void a_task_farm_follows_its_schedule(void **state)
{
    (void)state;
    char program[2000] = "Param tasks = 4\n";
    snprintf(program + strlen(program), sizeof program - strlen(program), farm, "Serial time = 5 + 10*(t%2)\n");
    expect_ends((struct scene){.numprocs = 3}, program, machine, (double[]){60, 42, 63});
}

/* An own small generator: nothing in common with the engine's. */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* When a task sent at `at` to a worker that is free since `free` has its result at the master; *free: when its call
 * returns. */
static double task_through(uint64_t *seed, double at, double *free)
{
    double begins = later(at + 8 + 4 * uniform(seed), *free + 0.5), ends = begins - 20 * log(uniform(seed));
    *free = ends + 1;
    return ends + 4;
}

/* The run time of a farm: a list of results on their way, the earliest next. */
static double farm_by_hand(uint64_t *seed, int workers, int tasks)
{
    double at = 0, end = 0, result[16], free[16] = {0};
    for (int w = 0; w < workers; w++, at += 1)
        result[w] = task_through(seed, at, &free[w]);
    while (tasks-- > 0) {
        int first = 0;
        for (int w = 1; w < workers; w++)
            first = result[w] < result[first] ? w : first;
        at = later(result[first], at + 0.5);
        if (tasks >= workers) {
            result[first] = task_through(seed, at, &free[first]);
        } else {
            result[first] = INFINITY;
            end = later(end, later(at + 4, free[first] + 0.5));
        }
        at += 1;
    }
    return later(end, at);
}

/* Tasks of exponential length 20 and uniform ways of 8 to 12. The difference of two means of 4000 lies within 3.3
 * standard errors, but once in 1000 seeds. */
static void a_task_farm_agrees_with_brute_force(void **state)
{
    (void)state;
    enum { N = 4000, TASKS = 50, WORKERS = 7 };
    char program[2000];
    snprintf(program, sizeof program, "Param tasks = %d\n", TASKS);
    snprintf(program + strlen(program), sizeof program - strlen(program), farm, "Serial time = exponential(20)\n");
    struct scene scene = {.numprocs = WORKERS + 1, .seed = 9};
    struct outcome *outcome = calloc(N, sizeof *outcome);
    assert_non_null(outcome);
    scene_open(&scene, program, uncertain);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, N, outcome, NULL, NULL, 0), STATUS_OK);
    scene_close(&scene);
    uint64_t seed = 4711;
    double sum[2] = {0}, squares[2] = {0};
    for (int i = 0; i < N; i++) {
        double time[2] = {outcome[i].time, farm_by_hand(&seed, WORKERS, TASKS)};
        for (int j = 0; j < 2; j++) {
            sum[j] += time[j];
            squares[j] += time[j] * time[j];
        }
    }
    free(outcome);
    double mean[2], error = 0;
    for (int j = 0; j < 2; j++) {
        mean[j] = sum[j] / N;
        error += (squares[j] / N - mean[j] * mean[j]) / N;
    }
    if (fabs(mean[0] - mean[1]) > 3.3 * sqrt(error))
        fail_msg("%g is not %g +- %g", mean[0], mean[1], 3.3 * sqrt(error));
    assert_true(sqrt(error) < 0.005 * mean[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replication_is_the_same_wherever_it_runs),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_task_farm_follows_its_schedule),
        cmocka_unit_test(a_task_farm_agrees_with_brute_force),
    };
    return cmocka_run_group_tests_name("taskfarm", tests, NULL, NULL);
}
