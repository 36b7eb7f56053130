/* Regions: what a program's own timers would show, the same in each engine and each lane. Times in s. */
#include "engine/tests/play.h"

static const char machine[] = "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\n"
                              "models: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n";
static const char varying[] = "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\n"
                              "serial_variability: {per_call: {quantiles: [[0, 0.5], [0.5, 1], [1, 4]]}}\n"
                              "models: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n";

/* The numbers of replication `replication`, [2 of each region]. */
static void regions_of(const struct scene *scene, enum engine_kind kind, int lanes, int replication, double times[])
{
    struct diags diags = DIAGS_EMPTY;
    struct outcome outcome[8];
    struct engine *engine = engine_create(kind, &scene->setup, lanes);
    const int first = replication / lanes * lanes;
    scene_check(engine_run(engine, (uint32_t)first, lanes, outcome, NULL, &diags), &diags);
    memcpy(times, engine_regions(engine, replication - first), region_numbers(scene->program) * sizeof *times);
    engine_destroy(engine);
}

static void expect_regions(const char *program, int numprocs, size_t n, const double expected[])
{
    static const enum engine_kind kinds[] = {ENGINE_REFERENCE, ENGINE_LANES, ENGINE_TIMED};
    for (int k = 0; k < 3; k++) {
        double times[8];
        struct scene scene = {.numprocs = numprocs, .model = "hockney"};
        scene_open(&scene, program, machine);
        assert_int_equal(region_numbers(scene.program), n);
        regions_of(&scene, kinds[k], 1, 0, times);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(times[i] - expected[i]) < 1e-12);
        scene_close(&scene);
    }
}

/* T(4) = 4: process 1 waits 4, and process 0 not at all. */
static void waiting_and_computing_count(void **state)
{
    (void)state;
    expect_regions("Region a\n{\n"
                   "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Send & to = 1 & size = 4\n}\n"
                   "{\nMessage type = MPI_Recv & from = 0\nSerial time = 2.5\n}\n}\n"
                   "Region b\n{\nSerial time = procnum\n}\n",
                   2, 4, (const double[]){6.5, 3.25, 1, 0.5});
}

static void all_rounds_and_places_add_up(void **state)
{
    (void)state;
    expect_regions("Loop iterations = 3 & var = i & from = 5 & step = -2\n{\nRegion a\n{\nSerial time = i\n}\n}\n"
                   "Region a\n{\nSerial time = 0.5\n}\n",
                   4, 2, (const double[]){9.5, 9.5});
}

/* A region within itself is entered once, and who never comes there has no time in it. */
static void within_itself_it_counts_once(void **state)
{
    (void)state;
    expect_regions("Procedure p(n)\n{\nRegion a\n{\nSerial time = 1\nRunon c1 = n > 0\n{\nCall p(n-1)\n}\n}\n}\n"
                   "Runon c1 = procnum == 1\n{\nCall p(3)\n}\n",
                   4, 2, (const double[]){4, 1});
}

static void engines_and_lanes_agree(void **state)
{
    (void)state;
    static const char program[] =
        "Loop iterations = 9 & var = i\n{\nRegion a\n{\n"
        "Message type = MPI_Sendrecv & size = 1000*i & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs\n}\n"
        "Region b\n{\nSerial time = procnum+1\n}\n}\n";
    struct scene scene = {.numprocs = 5, .model = "hockney", .seed = 4};
    scene_open(&scene, program, varying);
    for (int r = 0; r < 16; r++) {
        double reference[4], other[4];
        regions_of(&scene, ENGINE_REFERENCE, 1, r, reference);
        regions_of(&scene, ENGINE_LANES, 8, r, other);
        assert_memory_equal(reference, other, sizeof other);
        regions_of(&scene, ENGINE_LANES, 1, r, other);
        assert_memory_equal(reference, other, sizeof other);
        regions_of(&scene, ENGINE_TIMED, 1, r, other);
        assert_memory_equal(reference, other, sizeof other);
        assert_true(reference[0] > reference[1] && reference[1] > 0);
    }
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_and_computing_count),
        cmocka_unit_test(all_rounds_and_places_add_up),
        cmocka_unit_test(within_itself_it_counts_once),
        cmocka_unit_test(engines_and_lanes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
