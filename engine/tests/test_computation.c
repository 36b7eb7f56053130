/* Computations drawn one by one are those of the engines, bit for bit: a program that only computes takes their sum. */
#include "engine/computation.h"
#include "engine/tests/play.h"

static const char machine[] =
    "pevpm_machine: 1\nname: m\nnodes: 2\nnode_time_factor: [1, 1.3]\n"
    "serial_variability: {per_run: {uniform: {low: 1, high: 1.1}}, per_node: {uniform: {low: 1, high: 1.2}}, "
    "per_call: {uniform: {low: 0.9, high: 1.1}}}\n"
    "serial: {step: {gamma: {shape: 2, scale: 100 us}}, row: [[10, 50 us], [100, {exponential: {mean: 450 us}}]]}\n"
    "models: {hockney: {alpha: 1, beta: 1}}\n";

#define FIVE_TIMES(serial) "Loop iterations = 5 & var = i\n{\nSerial " serial "\n}\n"
static const char program[] = FIVE_TIMES("on m time = 2.5 ms\nSerial time = 7") FIVE_TIMES("time = measured(step)")
    FIVE_TIMES("time = measured(row, 10*(procnum+i))") FIVE_TIMES("time = normal(3+i, 0.5) ms")
    FIVE_TIMES("time = exponential(1) ms") FIVE_TIMES("time = (procnum+i) ms");

/* What one process computes in the order of its program, added up. */
static double computed(const struct computations *all, uint32_t replication, int process)
{
    const struct role *role = &all->program->roles[all->program->role_of[process]];
    struct value slots[8] = {{0}};
    struct computing computing;
    struct problem problem;
    double sum = 0, seconds;
    assert_true(role->n_slots <= 8);
    computing_begin(all, &computing, replication, process);
    for (int32_t pc = 0; role->code[pc].op != INSTR_END;) {
        const struct instr *instr = &role->code[pc];
        if (instr->op == INSTR_LOOP) {
            slots[instr->slot] = value_int(instr->count);
            slots[instr->slot + 1] = value_int(0);
            pc++;
        } else if (instr->op == INSTR_NEXT) {
            slots[instr->slot + 1].i++;
            pc = --slots[instr->slot].i > 0 ? instr->target : pc + 1;
        } else {
            assert_true(computing_next(all, &computing, instr, slots, &seconds, &problem));
            sum += seconds;
            pc++;
        }
    }
    return sum;
}

static void computations_are_those_of_the_engines(void **state)
{
    (void)state;
    struct scene scene = {.model = "hockney", .mode = MODE_distribution, .numprocs = 2, .nodes = 2, .ppn = 1, .seed = 11};
    struct outcome outcome[8];
    struct price_book book;
    scene_open(&scene, program, machine);
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 8, 8, outcome, NULL, NULL, 0), STATUS_OK);
    price_book_init(&book, NULL, NULL);
    struct computations all = {.program = scene.program, .machine = scene.machine, .book = &book,
                               .mode = MODE_distribution, .seed = 11};
    variability_init(&all.variability, scene.machine, MODE_distribution);
    for (uint32_t r = 0; r < 8; r++) {
        double a = computed(&all, r, 0), b = computed(&all, r, 1);
        assert_true(outcome[r].time == (a > b ? a : b));
    }
    variability_free(&all.variability);
    price_book_free(&book);
    scene_close(&scene);
}

/* What is drawn from is there before the run, so far as it is known then. */
static void laws_are_looked_up_beforehand(void **state)
{
    (void)state;
    static const char known[] = FIVE_TIMES("time = measured(step)") FIVE_TIMES("time = exponential(1+procnum) ms")
        FIVE_TIMES("time = gamma(4, 1) ms");
    struct scene scene = {.model = "hockney", .mode = MODE_distribution, .numprocs = 2, .nodes = 2, .ppn = 1, .seed = 11};
    struct price_book book;
    scene_open(&scene, known, machine);
    price_book_init(&book, NULL, NULL);
    struct computations all = {.program = scene.program, .machine = scene.machine, .book = &book,
                               .mode = MODE_distribution, .seed = 11};
    variability_init(&all.variability, scene.machine, MODE_distribution);
    computations_prepare(&all, 0);
    assert_int_equal(book.n_tables, 3);
    computed(&all, 0, 0);
    assert_int_equal(book.n_tables, 3);
    computed(&all, 0, 1);
    assert_int_equal(book.n_tables, 4);
    variability_free(&all.variability);
    price_book_free(&book);
    scene_close(&scene);
}

/* Replications with the work of the first compute what it does, and their messages still differ. */
static void work_can_be_the_same(void **state)
{
    (void)state;
    struct scene scene = {.mode = MODE_distribution, .numprocs = 2, .nodes = 2, .ppn = 1, .seed = 11};
    struct outcome own[4], same[4];
    char talk[sizeof program + 200], measured[sizeof machine + 400];
    snprintf(talk, sizeof talk, "%sCollective type = MPI_Barrier\n", program);
    snprintf(measured, sizeof measured, "%spoint_to_point:\n  - {operation: MPI_Send, pattern: pingpong, nodes: 2, "
             "processes_per_node: 1, sizes: [{bytes: 0, transit: {edges: [1, 2], counts: [10]}}]}\n", machine);
    scene_open(&scene, talk, measured);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 4, own, NULL, NULL, 0), STATUS_OK);
    scene.setup.same_work = true;
    assert_int_equal(engine_choose(&scene.setup, ENGINE_AUTO), ENGINE_TIMED);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 4, same, NULL, NULL, 0), STATUS_OK);
    assert_true(same[0].time == own[0].time && same[0].serial == own[0].serial);
    for (int r = 1; r < 4; r++) {
        assert_true(own[r].serial != own[0].serial);
        assert_true(same[r].serial == own[0].serial);
        assert_true(same[r].time != same[0].time);
    }
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computations_are_those_of_the_engines),
        cmocka_unit_test(laws_are_looked_up_beforehand),
        cmocka_unit_test(work_can_be_the_same),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
