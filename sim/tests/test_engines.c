/* The lanes engine agrees with the reference engine bit for bit: on programs made by chance from the shapes that MPI programs have, under every
 * contention rule, model, progress and placement; whatever the width of the batch. Both must also agree on deadlocks. */
#include "sim/tests/play.h"

#include "sim/random.h"

static const char machine[] =
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 2\n"
    "point_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {edges: [\"90 us\", \"100 us\", \"130 us\"], counts: [3, 1]}, send_overhead: \"7 us\"}\n"
    "      - {bytes: 1024, transit: {normal: {mean: \"240 us\", sd: \"11 us\"}}, send_overhead: {uniform: {low: \"8 us\", high: \"9 us\"}},\n"
    "         receive_overhead: {exponential: {mean: \"5 us\"}}}\n"
    "      - {bytes: 16384, transit: {gamma: {shape: 3, scale: \"300 us\"}, shift: \"1 ms\"}, send_overhead: \"30 us\", receive_overhead: \"41 us\"}\n"
    "  - operation: MPI_Send\n    nodes: 4\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {start: \"100 us\", width: \"10 us\", counts: [5, 9, 3, 0, 0, 1]}}\n"
    "      - {bytes: 1024, transit: {start: \"250 us\", width: \"13 us\", counts: [15, 29, 13, 2, 0, 0, 0, 1]}}\n"
    "      - {bytes: 16384, transit: {start: \"2 ms\", width: \"113 us\", counts: [15, 29, 13, 2, 0, 0, 0, 1]}}\n"
    "  - operation: MPI_Isend\n    nodes: 8\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 512, transit: {lognormal: {mean: \"300 us\", sd: \"50 us\"}}}\n"
    "  - operation: MPI_Send\n    nodes: 1\n    processes_per_node: 2\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"4 us\", high: \"6 us\"}}, send_overhead: \"1 us\"}\n"
    "      - {bytes: 16384, transit: \"29 us\", receive_overhead: \"2 us\"}\n"
    "ports: {out_gap: [[0, \"12 us\"], [1024, \"92 us\"]], in_gap: [[0, \"10 us\"], [1024, \"97 us\"]], credit: \"128 us\"%s}\n"
    "%s"
    "node_time_factor: [1, 1, 1.25, 1, 1, 0.9]\n"
    "serial: {step: {gamma: {shape: 2, scale: \"100 us\"}}, row: [[10, \"50 us\"], [100, {exponential: {mean: \"450 us\"}}]]}\n"
    "models: {hockney: {alpha: \"100 us\", beta: \"0.09 us\"}, loggp: {L: \"60 us\", o_s: \"9 us\", o_r: \"11 us\", g: \"25 us\", G: \"0.08 us\"}}\n";

/* ---- programs made by chance ---- */

struct maker {
    uint64_t seed;
    uint32_t drawn;
    int requests;
    char *text;
    size_t used, size;
};

static int chance(struct maker *m, int n)
{
    return (int)(random_word(m->seed, 1, 2, m->drawn++, STREAM_SERIAL) % (uint32_t)n);
}

__attribute__((format(printf, 2, 3))) static void say(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(m->text + m->used, m->size - m->used, format, arguments);
    va_end(arguments);
    m->used += (size_t)n;
    assert_true(m->used < m->size);
}

static const char *size(struct maker *m)
{
    static const char *const sizes[] = {"0", "10", "500", "1024", "3000", "20000", "256*(procnum+1)"};
    return sizes[chance(m, 7)];
}

static void say_serial(struct maker *m)
{
    static const char *const times[] = {"37 us", "procnum*100 us", "normal(100, 30) us", "exponential(55) us", "measured(step)",
                                        "measured(row, 10*(procnum+1))", "(procnum%3)/7.0 ms", "gamma(2, 0.0001)"};
    if (chance(m, 3))
        say(m, "Serial time = %s\n", times[chance(m, 8)]);
}

static void say_send(struct maker *m, const char *to, int tag)
{
    static const char *const ops[] = {"MPI_Send", "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend"};
    say(m, "Message type = %s & to = %s & size = %s & tag = %d\n", ops[chance(m, 5)], to, size(m), tag);
}

/* Everybody sends up and receives from below; with rendezvous this may deadlock, which is part of the test. */
static void say_shift(struct maker *m)
{
    int tag = chance(m, 2), odd_first = chance(m, 4);
    if (odd_first)
        say(m, "Runon c1 = procnum%%2 == 0 & c2 = procnum%%2 == 1\n{\n");
    for (int turn = 0; turn < (odd_first ? 2 : 1); turn++) {
        if (turn == 0)
            say_send(m, "(procnum+1)%numprocs", tag);
        say(m, "Message type = MPI_Recv & from = (procnum+numprocs-1)%%numprocs & tag = %d\n", tag);
        if (turn == 1)
            say_send(m, "(procnum+1)%numprocs", tag);
        if (odd_first)
            say(m, "%s", turn == 0 ? "}\n{\n" : "}\n");
    }
}

static void say_exchange(struct maker *m)
{
    static const char *const waits[] = {"MPI_Waitall & request = (a, b, c, d)", "MPI_Waitall", "MPI_Waitall & request = (d, b)",
                                        "MPI_Wait & request = a"};
    int tag = chance(m, 3);
    say(m, "Message type = MPI_Irecv & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL & tag = %d & request = a\n", tag);
    say(m, "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = %d & request = b\n", 7);
    say_serial(m);
    say(m, "Message type = %s & to = (procnum+numprocs-1)%%numprocs & tag = 7 & size = %s & request = c\n",
        chance(m, 4) ? "MPI_Isend" : "MPI_Issend", size(m));
    if (chance(m, 2))
        say_shift(m);
    say(m, "Message type = MPI_Isend & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL & tag = %d & size = %s & request = d\n",
        tag, size(m));
    say_serial(m);
    say(m, "Message type = %s\n", waits[chance(m, 4)]);
    say(m, "Message type = MPI_Waitall\n");
}

static void say_fan(struct maker *m)
{
    int root = chance(m, 2), posted = chance(m, 2);
    say(m, "Runon c1 = procnum == %d\n{\nLoop iterations = numprocs & var = i\n{\nRunon c1 = i != procnum\n{\n", root);
    say(m, "Message type = %s & from = i & tag = 1%s\n}\n}\n", posted ? "MPI_Irecv" : "MPI_Recv", posted ? " & request = r[i]" : "");
    if (posted)
        say(m, "Message type = MPI_Waitall & request = r\n");
    if (chance(m, 2)) {
        say(m, "Loop iterations = numprocs & var = i\n{\nRunon c1 = i != procnum\n{\n");
        say_send(m, "i", 2);
        say(m, "}\n}\n}\nRunon c1 = procnum != %d\n{\n", root);
        say_send(m, root ? "1" : "0", 1);
        say_serial(m);
        say(m, "Message type = MPI_Recv & from = %d & tag = 2\n}\n", root);
    } else {
        say(m, "}\nRunon c1 = procnum != %d\n{\n", root);
        say_serial(m);
        say_send(m, root ? "1" : "0", 1);
        say(m, "}\n");
    }
}

static void say_sendrecv(struct maker *m)
{
    say(m, "Message type = MPI_Sendrecv & to = (procnum+1)%%numprocs & from = (procnum+numprocs-1)%%numprocs & size = %s & "
           "recv_size = 100000\n", size(m));
}

/* A burst of more unmatched messages than may be, taken in two orders of tags. */
static void say_burst(struct maker *m)
{
    say(m, "Runon c1 = procnum == 0 & c2 = procnum == numprocs-1\n{\nLoop iterations = 70 & var = i\n{\n"
           "Message type = MPI_Send & to = numprocs-1 & size = 8*i & tag = 10 + i%%2\n}\n}\n{\n");
    for (int tag = 11; tag >= 10; tag--)
        say(m, "Loop iterations = 35\n{\nMessage type = MPI_Recv & from = 0 & tag = %d\n}\n", tag);
    say(m, "}\n");
}

static void make_program(struct maker *m)
{
    static void (*const shapes[])(struct maker *) = {say_shift, say_exchange, say_fan, say_sendrecv, say_burst, say_serial};
    m->used = 0;
    say(m, "Loop iterations = %d\n{\n", 1 + chance(m, 3));
    int n = 1 + chance(m, 4);
    for (int i = 0; i < n; i++)
        shapes[chance(m, 6)](m);
    say(m, "}\n");
}

/* ---- agreement ---- */

enum { REPLICATIONS = 9, TEXT = 20000 };

struct tally {
    int ran, deadlocked, spread, compared, differ;
};

static void agree(const struct scene *scene, struct tally *tally)
{
    static const int widths[] = {1, 8, 16};
    struct outcome reference[REPLICATIONS], lanes[REPLICATIONS];
    struct engine_totals totals, other;
    char text[TEXT] = "", same[TEXT] = "";
    enum status status = scene_run(scene, ENGINE_REFERENCE, 1, REPLICATIONS, reference, &totals, text, sizeof text);
    for (size_t w = 0; w < 3; w++) {
        memset(same, 0, sizeof same);
        assert_int_equal(scene_run(scene, ENGINE_LANES, widths[w], REPLICATIONS, lanes, &other, same, sizeof same), status);
        assert_string_equal(same, text);
        for (int r = 0; status == STATUS_OK && r < REPLICATIONS; r++) {
            assert_memory_equal(&lanes[r].time, &reference[r].time, sizeof(double));
            assert_memory_equal(&lanes[r].serial, &reference[r].serial, sizeof(double));
            assert_int_equal(lanes[r].port_inversion, reference[r].port_inversion);
        }
        assert_true(status != STATUS_OK || (totals.messages == other.messages && totals.unreceived == other.unreceived &&
                                            totals.level_most == other.level_most));
    }
    struct outcome timed[REPLICATIONS];
    memset(same, 0, sizeof same);
    assert_int_equal(scene_run(scene, ENGINE_TIMED, 1, REPLICATIONS, timed, &other, same, sizeof same), status);
    bool equal = true;
    for (int r = 0; status == STATUS_OK && r < REPLICATIONS; r++) {
        equal &= timed[r].time == reference[r].time;
        assert_memory_equal(&timed[r].serial, &reference[r].serial, sizeof(double));
    }
    tally->compared += status == STATUS_OK && scene->contention == CONTENTION_none;
    tally->differ += !equal && scene->contention == CONTENTION_none;
    assert_true(status != STATUS_OK || (totals.messages == other.messages && totals.unreceived == other.unreceived));
    tally->ran += status == STATUS_OK;
    tally->deadlocked += status == STATUS_DEADLOCK;
    tally->spread += status == STATUS_OK && reference[0].time != reference[1].time;
}

static void engines_agree_on_chance_programs(void **state)
{
    (void)state;
    static const char *const model[] = {"measured", "measured", "measured", "hockney", "loggp"};
    static const enum contention rule[] = {CONTENTION_scoreboard, CONTENTION_ports, CONTENTION_none};
    static const char *const protocol[] = {"", "eager_limit: 2000\n", "eager_limit: 2000\nprogress: async\n", "eager_limit: 700\n"};
    struct maker maker = {.size = TEXT, .text = malloc(TEXT)};
    char yaml[sizeof machine + 200];
    struct tally tally = {0};
    for (int program = 0; program < 400; program++) {
        maker.seed = (uint64_t)program;
        maker.drawn = 0;
        struct scene scene = {.seed = 1000 + (uint64_t)program, .contention = rule[chance(&maker, 3)], .model = model[chance(&maker, 5)],
                              .mode = chance(&maker, 6) ? MODE_distribution : MODE_average, .ppn = 1 + chance(&maker, 2)};
        scene.nodes = 1 + chance(&maker, 5);
        scene.numprocs = scene.nodes * scene.ppn;
        if (scene.numprocs == 1) {
            scene.nodes = 2;
            scene.numprocs = 2;
        }
        snprintf(yaml, sizeof yaml, machine, chance(&maker, 3) ? "" : ", shared_by: process", protocol[chance(&maker, 4)]);
        make_program(&maker);
        scene_open(&scene, maker.text, yaml);
        agree(&scene, &tally);
        scene_close(&scene);
    }
    free(maker.text);
    /* the programs made by chance are neither all dead nor all without chance */
    assert_true(tally.ran > 200 && tally.deadlocked > 20 && tally.spread > 150);
    /* The time-ordered engine differs where a rendezvous starts at the very moment at which its sender sends the same
     * receiver another message: which of the two goes first is not settled. */
    assert_true(tally.compared > 70 && tally.differ <= 2);
}

/* A whole batch, its later parts and single replications are the same numbers. */
static void batches_can_be_cut_anywhere(void **state)
{
    (void)state;
    char yaml[sizeof machine + 200];
    snprintf(yaml, sizeof yaml, machine, "", "");
    struct scene scene = {.numprocs = 5, .nodes = 5, .ppn = 1, .contention = CONTENTION_ports, .seed = 77};
    scene_open(&scene, "Loop iterations = 20\n{\nMessage type = MPI_Send & to = (procnum+1)%numprocs & size = 700\n"
                       "Message type = MPI_Recv & from = (procnum+numprocs-1)%numprocs\nSerial time = normal(100, 20) us\n}\n", yaml);
    struct outcome whole[64], part[64];
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 64, 64, whole, NULL, NULL, 0), STATUS_OK);
    struct engine *engine = engine_create(ENGINE_LANES, &scene.setup, 24);
    assert_int_equal(engine_run(engine, 40, 17, part, NULL, &diags), STATUS_OK);
    for (int r = 0; r < 17; r++)
        assert_true(part[r].time == whole[40 + r].time && part[r].serial == whole[40 + r].serial);
    assert_int_equal(engine_run(engine, 3, 1, part, NULL, &diags), STATUS_OK);
    assert_true(part[0].time == whole[3].time && part[0].time != whole[40].time);
    engine_destroy(engine);
    scene_close(&scene);
}

static void a_stopped_run_says_so(void **state)
{
    (void)state;
    char yaml[sizeof machine + 200];
    snprintf(yaml, sizeof yaml, machine, "", "");
    volatile sig_atomic_t stop = 1;
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, "Loop iterations = 1000000000\n{\nSerial time = 1\n}\n", yaml);
    scene.setup.stop = &stop;
    struct outcome outcome;
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 8, 1, &outcome, NULL, NULL, 0), STATUS_INTERRUPTED);
    assert_int_equal(scene_run(&scene, ENGINE_REFERENCE, 1, 1, &outcome, NULL, NULL, 0), STATUS_INTERRUPTED);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree_on_chance_programs),
        cmocka_unit_test(batches_can_be_cut_anywhere),
        cmocka_unit_test(a_stopped_run_says_so),
    };
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
