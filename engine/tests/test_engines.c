/* The lanes engine agrees with the reference engine bit for bit: on programs made by chance from the shapes that MPI
 * programs have, under every contention rule, model, progress and placement; whatever the width of the batch. The
 * time-ordered engine agrees with both in every replication that they have not marked as out of order. All must also
 * agree on deadlocks. */
#include "engine/tests/maker.h"

/* ---- agreement ---- */

enum { REPLICATIONS = 9, TEXT = 20000 };

struct tally {
    int ran, deadlocked, spread;
    int within_sockets, between_sockets; /* programs that send so */
    int to_self, any_self; /* programs that send to themselves; of these compared with wildcards */
    int compared[2], marked[2], differ[2]; /* [with ports] programs; those with a marked replication; those in which one
                                            * that is not marked differs */
};

static void assert_same_totals(const struct engine_totals *a, const struct engine_totals *b)
{
    assert_true(a->messages == b->messages && a->unreceived == b->unreceived);
    for (int transport = 0; transport < N_TRANSPORTS; transport++)
        assert_int_equal(a->largest[transport], b->largest[transport]);
}

/* Whether two processes of a node share a socket and two do not. */
static bool has_sockets(const struct scene *scene)
{
    return scene->program->sockets > 1;
}

/* What a process sends to itself may be received from any source, where levels do not depend on that. */
static void agree_with_wildcards(int program, bool sockets, enum status status, const struct outcome reference[REPLICATIONS])
{
    struct outcome timed[REPLICATIONS];
    struct maker any = {.any_self = true};
    struct scene scene = maker_open_on(&any, false, sockets, program);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, REPLICATIONS, timed, NULL, NULL, 0), status);
    for (int r = 0; status == STATUS_OK && r < REPLICATIONS; r++)
        assert_true(timed[r].time == reference[r].time || reference[r].inversion);
    scene_close(&scene);
    free(any.text);
}

static void agree(const struct scene *scene, int program, struct tally *tally)
{
    static const int widths[] = {1, 8, 16};
    struct outcome reference[REPLICATIONS], lanes[REPLICATIONS];
    struct engine_totals totals, other;
    char text[TEXT] = "", same[TEXT] = "";
    enum status status = scene_run(scene, ENGINE_REFERENCE, 1, REPLICATIONS, reference, &totals, text, sizeof text);
    for (size_t w = 0; w < 3; w++) {
        memset(same, 0, sizeof same);
        assert_int_equal(scene_run(scene, ENGINE_LANES, widths[w], REPLICATIONS, lanes, &other, same, sizeof same),
                         status);
        assert_string_equal(same, text);
        for (int r = 0; status == STATUS_OK && r < REPLICATIONS; r++) {
            assert_memory_equal(&lanes[r].time, &reference[r].time, sizeof(double));
            assert_memory_equal(&lanes[r].serial, &reference[r].serial, sizeof(double));
            assert_int_equal(lanes[r].inversion, reference[r].inversion);
        }
        if (status == STATUS_OK) {
            assert_same_totals(&totals, &other);
            assert_memory_equal(totals.level_most, other.level_most, sizeof totals.level_most);
        }
    }
    struct outcome timed[REPLICATIONS];
    memset(same, 0, sizeof same);
    assert_int_equal(scene_run(scene, ENGINE_TIMED, 1, REPLICATIONS, timed, &other, same, sizeof same), status);
    bool equal = true, marked = false, ports = scene->cost->ports != PORTS_OFF;
    for (int r = 0; status == STATUS_OK && r < REPLICATIONS; r++) {
        equal &= timed[r].time == reference[r].time || reference[r].inversion;
        marked |= reference[r].inversion;
        assert_memory_equal(&timed[r].serial, &reference[r].serial, sizeof(double));
    }
    tally->compared[ports] += status == STATUS_OK;
    tally->marked[ports] += marked;
    tally->differ[ports] += !equal;
    if (status == STATUS_OK)
        assert_same_totals(&totals, &other);
    bool to_self = status == STATUS_OK && totals.largest[TRANSPORT_self] >= 0;
    if (to_self && scene->cost->level_max == 1 && !ports)
        agree_with_wildcards(program, has_sockets(scene), status, reference);
    tally->within_sockets += status == STATUS_OK && totals.largest[TRANSPORT_socket] >= 0;
    tally->between_sockets += status == STATUS_OK && has_sockets(scene) && totals.largest[TRANSPORT_node] >= 0;
    tally->to_self += to_self;
    tally->any_self += to_self && scene->cost->level_max == 1 && !ports;
    tally->ran += status == STATUS_OK;
    tally->deadlocked += status == STATUS_DEADLOCK;
    tally->spread += status == STATUS_OK && reference[0].time != reference[1].time;
}

static void engines_agree_on_chance_programs(void **state)
{
    (void)state;
    struct maker maker = {0};
    struct tally tally = {0};
    for (int program = 0; program < 400; program++) {
        if (!share_takes(program))
            continue;
        struct scene scene = maker_open(&maker, false, program);
        agree(&scene, program, &tally);
        scene_close(&scene);
    }
    free(maker.text);
    /* the programs made by chance are neither all dead nor all without chance */
    assert_true(tally.ran > share_least(200) && tally.deadlocked > share_least(20) && tally.spread > share_least(150));
    assert_true(tally.to_self > share_least(100) && tally.any_self > share_least(20));
    assert_true(tally.compared[false] > share_least(70) && tally.compared[true] > share_least(70));
    assert_true(tally.marked[false] >= share_least(1) && tally.marked[false] * 7 <= tally.compared[false]);
    assert_true(tally.marked[true] >= share_least(1) && tally.marked[true] * 4 <= tally.compared[true]);
    assert_int_equal(tally.differ[false], 0);
    /* what a port is asked for at the same moment (docs/ARCHITECTURE.md, section 6) */
    assert_true(tally.differ[true] * 50 <= tally.compared[true]);
}

/* Nodes of two sockets: messages within them and between them cost otherwise, count on boards of their own, and may have
 * another eager limit. */
static void engines_agree_where_nodes_have_sockets(void **state)
{
    (void)state;
    struct maker maker = {0};
    struct tally tally = {0};
    for (int program = 0; program < 240; program++) {
        if (!share_takes(program))
            continue;
        struct scene scene = maker_open_on(&maker, false, true, program);
        agree(&scene, program, &tally);
        scene_close(&scene);
    }
    free(maker.text);
    assert_true(tally.within_sockets > share_least(40) && tally.between_sockets > share_least(40));
    assert_int_equal(tally.differ[false], 0);
    assert_true(tally.differ[true] * 50 <= tally.compared[true]);
}

/* Processes 0 and 2 of four are on one socket, 1 and 3 on the other: both send within theirs, alone there. 0 to 1 and 2 to 3
 * are two between them. Where nothing was measured within a socket there is one level in a node, as without sockets. */
static void a_level_within_a_socket_counts_that_socket(void **state)
{
    (void)state;
    static const char yaml[] =
        "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 4\n%spoint_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 90 us}]}\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 10 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 4, level: 2, sizes: [{bytes: 0, transit: 40 us}]}\n%s";
    static const char entries[] =
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, transport: socket, sizes: [{bytes: 0, transit: "
        "1 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 4, level: 2, transport: socket, sizes: [{bytes: 0, transit: 4 us}]}\n";
    static const char pairs[] = "Runon c1 = procnum %% 4 %s & else\n{\nMessage type = MPI_Send & to = procnum + %d & size = 0\n}\n"
                                "{\nMessage type = MPI_Recv & from = procnum - %d\n}\n";
    static const struct {
        const char *sockets, *entries, *senders;
        int away;
        double time;
        int level[2]; /* between the sockets of a node, within one */
    } cases[] = {
        {"sockets_per_node: 2\n", entries, "< 2", 2, 1e-6, {0, 1}},
        {"sockets_per_node: 2\n", entries, "% 2 == 0", 1, 40e-6, {2, 0}},
        {"sockets_per_node: 2\nsocket_map: block\n", entries, "< 2", 2, 40e-6, {2, 0}},
        {"sockets_per_node: 2\nsocket_map: block\n", entries, "% 2 == 0", 1, 1e-6, {0, 1}},
        {"sockets_per_node: 1\n", "", "< 2", 2, 40e-6, {2, 0}},
        {"sockets_per_node: 2\n", "", "< 2", 2, 40e-6, {0, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char machine[2000], program[600];
        snprintf(machine, sizeof machine, yaml, cases[i].sockets, cases[i].entries);
        snprintf(program, sizeof program, pairs, cases[i].senders, cases[i].away, cases[i].away);
        struct scene scene = {.numprocs = 8, .nodes = 2, .ppn = 4};
        scene_open(&scene, program, machine);
        for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
            struct outcome outcome;
            struct engine_totals totals;
            assert_int_equal(scene_run(&scene, kind, kind == ENGINE_LANES ? 8 : 1, 1, &outcome, &totals, NULL, 0), STATUS_OK);
            expect_time(outcome.time, cases[i].time);
            assert_int_equal(totals.level_most[TRANSPORT_node], cases[i].level[0]);
            assert_int_equal(totals.level_most[TRANSPORT_socket], cases[i].level[1]);
            assert_int_equal(totals.unreceived, 0);
        }
        scene_close(&scene);
    }
}

/* A whole batch, its later parts and single replications are the same numbers. */
static void batches_can_be_cut_anywhere(void **state)
{
    (void)state;
    char yaml[sizeof maker_machine + 200];
    snprintf(yaml, sizeof yaml, maker_machine, "", "", "");
    struct scene scene = {.numprocs = 5, .nodes = 5, .ppn = 1, .contention = CONTENTION_ports, .seed = 77};
    scene_open(&scene, "Loop iterations = 20\n{\nMessage type = MPI_Send & to = (procnum+1)%numprocs & size = 700\n"
                       "Message type = MPI_Recv & from = (procnum+numprocs-1)%numprocs\n"
                       "Serial time = normal(100, 20) us\n}\n", yaml);
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

/* One message in each node, at the same time: alone there. Two in one node are two. */
static void a_level_within_a_node_counts_that_node(void **state)
{
    (void)state;
    static const char yaml[] =
        "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 4\npoint_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 90 "
        "us}]}\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 1 "
        "us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 4, sizes: [{bytes: 0, transit: 4 us}]}\n";
    static const char program[] =
        "Runon c1 = procnum % PPN == 0 & c2 = procnum % PPN == 1\n{\n"
        "Message type = MPI_Send & to = procnum + 1 & size = 0\n}\n{\n"
        "Message type = MPI_Recv & from = procnum - 1\n}\n"
        "Runon c1 = BOTH && procnum % PPN == 2 & c2 = BOTH && procnum % PPN == 3\n{\n"
        "Message type = MPI_Send & to = procnum + 1 & size = 0\n}\n{\n"
        "Message type = MPI_Recv & from = procnum - 1\n}\n";
    for (int nodes = 1; nodes <= 4; nodes++)
        for (int both = 0; both < 2; both++) {
            char text[sizeof program + 100];
            snprintf(text, sizeof text, "Set PPN = 4\nSet BOTH = %d\n%s", both, program);
            struct scene scene = {.numprocs = 4 * nodes, .nodes = nodes, .ppn = 4};
            scene_open(&scene, text, yaml);
            for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
                struct outcome outcome;
                struct engine_totals totals;
                assert_int_equal(scene_run(&scene, kind, kind == ENGINE_LANES ? 8 : 1, 1, &outcome, &totals, NULL, 0),
                                 STATUS_OK);
                assert_true(outcome.time == (both ? 2e-6 : 1e-6));
                assert_int_equal(totals.level_most[0], 0);
                assert_int_equal(totals.level_most[1], 1 + both);
                assert_int_equal(totals.unreceived, 0);
            }
            scene_close(&scene);
        }
}

static void a_stopped_run_says_so(void **state)
{
    (void)state;
    char yaml[sizeof maker_machine + 200];
    snprintf(yaml, sizeof yaml, maker_machine, "", "", "");
    volatile sig_atomic_t stop = 1;
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, "Loop iterations = 1000000000\n{\nSerial time = 1\n}\n", yaml);
    scene.setup.stop = &stop;
    struct outcome outcome;
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 8, 1, &outcome, NULL, NULL, 0), STATUS_INTERRUPTED);
    assert_int_equal(scene_run(&scene, ENGINE_REFERENCE, 1, 1, &outcome, NULL, NULL, 0), STATUS_INTERRUPTED);
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, NULL, 0), STATUS_INTERRUPTED);
    scene_close(&scene);
}

struct told {
    int times;
    struct slow_loop loop;
    volatile sig_atomic_t stop;
};

static void tell_and_stop(void *context, const struct slow_loop *loop)
{
    struct told *told = context;
    told->times++;
    told->loop = *loop;
    told->stop = 1;
}

/* A replication of `program` on two processes in each engine, which says after 0.02 s which loop keeps it. process -1:
 * either may be a round ahead. */
static void expect_slow(const char *program, int line, int process, bool endless, int64_t rounds_least)
{
    char yaml[sizeof maker_machine + 200];
    snprintf(yaml, sizeof yaml, maker_machine, "", "", "");
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program, yaml);
    for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
        struct told told = {0};
        const struct engine_watch watch = {.period = 0.02, .tell = tell_and_stop, .context = &told};
        struct outcome outcome;
        scene.setup.watch = &watch;
        scene.setup.stop = &told.stop;
        enum engine_kind able = engine_choose(&scene.setup, kind);
        assert_int_equal(scene_run(&scene, able, able == ENGINE_LANES ? 8 : 1, 1, &outcome, NULL, NULL, 0),
                         STATUS_INTERRUPTED);
        assert_int_equal(told.times, 1);
        assert_int_equal(told.loop.program->sites[told.loop.site].at.line, line);
        assert_true(process < 0 || told.loop.process == process);
        assert_int_equal(told.loop.endless, endless);
        assert_true(told.loop.rounds >= rounds_least && told.loop.seconds >= 0.02);
    }
    scene_close(&scene);
}

/* As on a machine so busy that the period is over before the loop has begun. */
static void told_behind_a_look_before_the_loop(void)
{
    enum { BEFORE = 20000 };
    static const char line[] = "Serial time = 1 us\n", loop[] = "Loop iterations = 10000000\n{\nSerial time = 1 us\n}\n";
    char yaml[sizeof maker_machine + 200], *program = malloc(BEFORE * (sizeof line - 1) + sizeof loop);
    assert_non_null(program);
    snprintf(yaml, sizeof yaml, maker_machine, "", "", "");
    for (size_t i = 0; i < BEFORE; i++)
        memcpy(program + i * (sizeof line - 1), line, sizeof line - 1);
    memcpy(program + BEFORE * (sizeof line - 1), loop, sizeof loop);
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program, yaml);
    for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
        struct told told = {0};
        const struct engine_watch watch = {.period = 1e-9, .tell = tell_and_stop, .context = &told};
        struct outcome outcome;
        scene.setup.watch = &watch;
        scene.setup.stop = &told.stop;
        assert_int_equal(scene_run(&scene, kind, kind == ENGINE_LANES ? 8 : 1, 1, &outcome, NULL, NULL, 0),
                         STATUS_INTERRUPTED);
        assert_int_equal(told.times, 1);
    }
    scene_close(&scene);
    free(program);
}

static void a_loop_that_takes_long_is_told_of(void **state)
{
    (void)state;
    /* a slip: j for i. Alone, among messages, around and within another loop, and where time decides */
    expect_slow("Set i = 0\nRunon c1 = procnum == 1\n{\nLoop while = i < 3\n{\nSet j = i+1\nSet i = i\n"
                "Serial time = 1 us\n}\n}\n",
                4, 1, true, 1000);
#define SHIFT "Message type = MPI_Sendrecv & size = 8 & to = 1-procnum & from = 1-procnum\n"
    expect_slow("Set i = 0\nLoop while = i < 3\n{\nSet i = i\n" SHIFT "}\n", 2, -1, true, 100);
    expect_slow("Set i = 0\nLoop while = i < 3\n{\nSet i = i\nLoop iterations = 3\n{\n" SHIFT "}\n}\n", 2, -1, true,
                30);
    expect_slow("Set i = 0\nLoop iterations = 5\n{\nLoop while = i < 3\n{\nSet i = i\n" SHIFT "}\n}\n", 4, -1, true,
                100);
    expect_slow("Set i = 0\nRunon c1 = procnum == 0 & else\n{\nLoop while = i < 3\n{\nSet i = i\n"
                "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\n{\nLoop iterations = 1000000000000\n{\n"
                "Message type = MPI_Ssend & to = 0 & size = 8\n}\n}\n",
                4, 0, true, 100);
    /* it ends, but not soon */
    expect_slow("Loop iterations = 1000000000000\n{\n" SHIFT "}\n", 1, -1, false, 100000000);
#undef SHIFT
    told_behind_a_look_before_the_loop();
    /* nothing is told of what is fast */
    struct told told = {0};
    const struct engine_watch watch = {.period = 60, .tell = tell_and_stop, .context = &told};
    char yaml[sizeof maker_machine + 200];
    snprintf(yaml, sizeof yaml, maker_machine, "", "", "");
    struct scene scene = {.numprocs = 2};
    struct outcome outcome;
    scene_open(&scene, "Loop iterations = 100000\n{\nSerial time = 1\n}\n", yaml);
    scene.setup.watch = &watch;
    for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++)
        assert_int_equal(scene_run(&scene, kind, kind == ENGINE_LANES ? 8 : 1, 1, &outcome, NULL, NULL, 0), STATUS_OK);
    assert_int_equal(told.times, 0);
    scene_close(&scene);
}

/* Sweeps do not know these rules: rather none than another network. */
static void ports_that_a_sweep_does_not_know_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *ports;
    } rules[] = {{"reverse_gap", ", reverse_gap: [[0, 1 us]]"},
                 {"overflow", ", buffer: 1 ms, overflow: 1 ms"},
                 {"per_node", ", per_node: [{}, {}, {}, {}, {}, {}, {}, {credit: 5 us}]"},
                 {"common_gap", ", common_gap: [[0, 1 us]]"},
                 {"rest_delay", ", rest_delay: [[0, 0], [1 ms, 1 us]]"}};
    static const char shift[] = "Message type = MPI_Sendrecv & size = 8 & to = (procnum+1)%numprocs & "
                                "from = (procnum+numprocs-1)%numprocs\n";
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char yaml[sizeof maker_machine + 200], text[4000], part[100];
        struct outcome outcome;
        snprintf(yaml, sizeof yaml, maker_machine, "", rules[i].ports, "");
        struct scene scene = {.numprocs = 3, .contention = CONTENTION_ports};
        scene_open(&scene, shift, yaml);
        for (enum engine_kind kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
            struct diags diags = DIAGS_EMPTY;
            enum status expected = kind == ENGINE_TIMED ? STATUS_OK : STATUS_NOT_YET;
            assert_int_equal(engine_serves(&scene.setup, kind, &diags), expected);
            diags_free(&diags);
            int lanes = kind == ENGINE_LANES ? 8 : 1;
            assert_int_equal(scene_run(&scene, kind, lanes, 1, &outcome, NULL, text, sizeof text), expected);
            snprintf(part, sizeof part, "`ports: %s` cannot be simulated by the %s engine", rules[i].key,
                     engine_name(kind));
            if (kind != ENGINE_TIMED && !strstr(text, part))
                fail_msg("\"%s\" is not in\n%s", part, text);
        }
        assert_int_equal(engine_choose(&scene.setup, ENGINE_AUTO), ENGINE_TIMED);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree_on_chance_programs),
        cmocka_unit_test(batches_can_be_cut_anywhere),
        cmocka_unit_test(a_level_within_a_node_counts_that_node),
        cmocka_unit_test(engines_agree_where_nodes_have_sockets),
        cmocka_unit_test(a_level_within_a_socket_counts_that_socket),
        cmocka_unit_test(a_stopped_run_says_so),
        cmocka_unit_test(a_loop_that_takes_long_is_told_of),
        cmocka_unit_test(ports_that_a_sweep_does_not_know_are_refused),
    };
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
