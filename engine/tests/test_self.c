/* Messages of a process to itself, worked out by hand, in all three engines. No port and no level: what was measured of
 * them, or else the overheads of an empty message. Times in ms: T(0) = 5, T(2000) = 9, o_s = 0.3, o_r = 0.2 to another
 * process; T(0) = 0.5, T(2000) = 2.5, o_s = 0.125, o_r = 0.0625 to oneself. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 2\n"
#define ENTRIES                                                                                                   \
    "point_to_point:\n  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"  \
    "      {bytes: 0, transit: 5 ms, send_overhead: 0.3 ms, receive_overhead: 0.2 ms},\n"                         \
    "      {bytes: 2000, transit: 9 ms, send_overhead: 0.7 ms, receive_overhead: 0.9 ms}]}\n"
#define LEVEL_2 \
    "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, level: 2, sizes: [{bytes: 0, transit: 8 ms}]}\n"
#define SELF                                                                                                        \
    "  - {operation: MPI_Send, nodes: 1, processes_per_node: 1, transport: self, sizes: [\n"                          \
    "      {bytes: 0, transit: 0.5 ms, send_overhead: 0.125 ms, receive_overhead: 0.0625 ms},\n"                      \
    "      {bytes: 2000, transit: 2.5 ms, send_overhead: 0.125 ms, receive_overhead: 0.0625 ms}]}\n"
#define PORTS "ports: {out_gap: [[0, 40 ms]], in_gap: [[0, 40 ms]]}\n"
#define LIMIT "transports: {self: {eager_limit: 1000}}\n"

static const char unmeasured[] = HEAD ENTRIES PORTS;
static const char measured[] = HEAD ENTRIES LEVEL_2 SELF PORTS;
static const char limited[] = HEAD LIMIT ENTRIES LEVEL_2 SELF PORTS;
static const char frames[] =
    HEAD LIMIT ENTRIES SELF "ports: {out_gap: [[0, 40 ms]], in_gap: [[0, 40 ms]], frame: 500}\n";
static const char network_limited[] = HEAD "eager_limit: 1000\n" ENTRIES SELF;
static const char models[] = HEAD "models:\n  hockney: {alpha: \"100 us\", beta: \"0.01 us\"}\n"
    "  loggp: {L: \"50 us\", o_s: \"10 us\", o_r: \"12 us\", g: \"20 us\", G: \"0.01 us\"}\n";

#define SENDRECV(size) "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = " size "\n"
#define SEND(size) "Message type = MPI_Send & to = procnum & size = " size "\n"
#define ISEND(size) "Message type = MPI_Isend & to = procnum & size = " size " & request = s\n"
#define RECV "Message type = MPI_Recv & from = procnum\n"
#define IRECV "Message type = MPI_Irecv & from = procnum & request = r\n"
#define WAIT(request) "Message type = MPI_Wait & request = " request "\n"
#define WAITALL "Message type = MPI_Waitall\n"
#define WORK(ms) "Serial time = " ms " ms\n"

static void expect(int numprocs, const char *program, const char *yaml, double ms)
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_ports};
    expect_time(1e3 * play_with(scene, program, yaml), ms);
    expect_time(1e3 * play_timed(scene, program, yaml), ms);
}

static void expect_model(const char *model, const char *program, double ms)
{
    struct scene scene = {.numprocs = 1, .model = model};
    expect_time(1e3 * play_with(scene, program, models), ms);
    expect_time(1e3 * play_timed(scene, program, models), ms);
}

/* o_s + o_r of an empty message, whatever the size; the ports of 40 ms are not asked. */
static void unmeasured_it_costs_two_overheads(void **state)
{
    (void)state;
    expect(1, SENDRECV("28000"), unmeasured, 0.5);
    expect(1, SEND("28000") RECV, unmeasured, 0.5);
    expect(1, IRECV SEND("28000") WAIT("r"), unmeasured, 0.5);
    expect(4, "Loop iterations = 10\n{\n" SENDRECV("28000") "}\n", unmeasured, 5);
    expect_model("hockney", SENDRECV("28000"), 0);
    expect_model("loggp", SENDRECV("28000"), 0.022);
}

static void measured_it_costs_that(void **state)
{
    (void)state;
    expect(1, SENDRECV("500"), measured, 1);
    expect(2, SENDRECV("1000"), measured, 1.5);
    expect(2, SEND("1000") WORK("10") RECV, measured, 0.125 + 10 + 0.0625);
    expect(1, "Loop iterations = 3\n{\n" SENDRECV("4000") "}\n", measured, 3 * 4.5); /* the last line goes on */
}

/* 20 messages of each of 2 processes to itself are on the way while one between them is: it is alone. */
static void it_is_on_no_board(void **state)
{
    (void)state;
    static const char program[] =
        "Loop iterations = 20\n{\n" ISEND("0") "}\n"
        "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Send & to = 1 & size = 0 & tag = 3\n}\n{\n"
        "Message type = MPI_Recv & from = 0 & tag = 3\n}\nLoop iterations = 20\n{\n" RECV "}\n";
    /* 20 sends, T(0) at level 1, 20 receives */
    struct scene scene = {.numprocs = 2};
    expect_time(1e3 * play_with(scene, program, measured), 20 * 0.125 + 5 + 20 * 0.0625);
    expect_time(1e3 * play_timed(scene, program, measured), 20 * 0.125 + 5 + 20 * 0.0625);
    struct outcome outcome;
    struct engine_totals totals;
    static const enum engine_kind kinds[] = {ENGINE_REFERENCE, ENGINE_LANES, ENGINE_TIMED};
    scene_open(&scene, program, measured);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scene_run(&scene, kinds[i], 1, 1, &outcome, &totals, NULL, 0), STATUS_OK);
        assert_int_equal(totals.level_most[TRANSPORT_network], 1);
        assert_int_equal(totals.level_most[TRANSPORT_self], 1);
        assert_true(totals.messages == 41 && totals.unreceived == 0);
        assert_true(totals.largest[TRANSPORT_self] == 0 && totals.largest[TRANSPORT_network] == 0);
        assert_int_equal(totals.largest[TRANSPORT_node], -1);
    }
    scene_close(&scene);
}

/* Above the limit it starts when both sides are posted, and waits for nobody. */
static void a_rendezvous_starts_when_both_are_posted(void **state)
{
    (void)state;
    expect(1, SENDRECV("2000"), limited, 2.5);
    struct scene one = {.numprocs = 1, .contention = CONTENTION_ports};
    expect_time(1e3 * play_timed(one, SENDRECV("2000"), frames), 2.5);
    expect(1, IRECV SEND("2000") WAIT("r"), limited, 2.5);
    expect(1, ISEND("2000") WORK("3") RECV WAIT("s"), limited, 3 + 2.5);
    expect(1, IRECV ISEND("2000") WORK("3") WAITALL, limited, 3 + 0.0625);
    expect(1, ISEND("2000") IRECV WORK("3") WAITALL, limited, 3 + 0.0625);
    /* on its way while 0 waits for another */
    expect(2, IRECV ISEND("2000")
           "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Recv & from = 1 & tag = 1\n}\n{\n"
           WORK("70") "Message type = MPI_Send & to = 0 & tag = 1 & size = 0\n}\n" WAITALL, limited, 70 + 5 + 0.0625);
    expect(1, "Message type = MPI_Issend & to = procnum & size = 0 & request = s\n" RECV WAIT("s"), measured, 0.5);
}

static void expect_deadlock(const char *program, const char *yaml)
{
    static const enum engine_kind kinds[] = {ENGINE_REFERENCE, ENGINE_LANES, ENGINE_TIMED};
    struct scene scene = {.numprocs = 1};
    struct outcome outcome;
    char text[4000];
    scene_open(&scene, program, yaml);
    for (int i = 0; i < 3; i++) {
        memset(text, 0, sizeof text);
        assert_int_equal(scene_run(&scene, kinds[i], 1, 1, &outcome, NULL, text, sizeof text), STATUS_DEADLOCK);
        assert_non_null(strstr(text, "deadlock: process 0 of 1 waits in MPI_S"));
        assert_non_null(strstr(text, "for a matching receive by process 0 (tag 0)"));
        assert_non_null(strstr(text, "this process waits in a cycle: 0 -> 0"));
    }
    scene_close(&scene);
}

static void above_the_limit_a_send_without_a_receive_deadlocks(void **state)
{
    (void)state;
    expect_deadlock(SEND("1001") RECV, limited);
    expect_deadlock(SEND("1001") RECV, frames);
    expect(1, SEND("1000") RECV, limited, 1.5);
    expect_deadlock("Message type = MPI_Ssend & to = procnum & size = 0\n" RECV, measured);
}

/* Each way has its own limit; where the file has none, that between nodes. */
static void a_limit_is_of_one_way(void **state)
{
    (void)state;
    expect_deadlock(SEND("1001") RECV, network_limited);
    static const char both[] =
        HEAD "eager_limit: 1000\ntransports: {node: {eager_limit: 2000}, self: {eager_limit: 3000}}\n" ENTRIES SELF;
    static const char program[] = "Runon c1 = procnum/2 == 0\n{\n"
        "Message type = MPI_Send & to = 1-procnum & size = 1500\nMessage type = MPI_Recv & from = 1-procnum\n}\n"
        SEND("2500") RECV;
    struct scene scene = {.numprocs = 4, .nodes = 2, .ppn = 2};
    double alone = play_with(scene, program, both);
    expect_time(1e3 * alone, 8 + 3);
    expect_time(play_timed(scene, program, both), alone);
    play_error(scene, "Message type = MPI_Send & to = (procnum+2)%numprocs & size = 1500\n"
                      "Message type = MPI_Recv & from = (procnum+2)%numprocs\n", both, STATUS_DEADLOCK, "MPI_Send");
    play_error(scene, SEND("3001") RECV, both, STATUS_DEADLOCK, "0 -> 0");
}

/* A wildcard and a probe see it when it is there. */
static void wildcards_take_it(void **state)
{
    (void)state;
    struct scene scene = {.numprocs = 1};
    static const char any[] = SEND("500") "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n";
    expect_time(1e3 * play_timed(scene, any, measured), 1);
    static const char large[] =
        "Message type = MPI_Irecv & from = MPI_ANY_SOURCE & request = r\n" SEND("2000") WAIT("r");
    expect_time(1e3 * play_timed(scene, large, limited), 2.5);
    static const char announced[] =
        ISEND("2000") WORK("1") "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n" WAIT("s");
    expect_time(1e3 * play_timed(scene, announced, limited), 3.5);
    static const char probed[] = SEND("500") "Message type = MPI_Probe & from = procnum\n" RECV;
    expect_time(1e3 * play_timed(scene, probed, measured), 1 + 0.0625);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unmeasured_it_costs_two_overheads),
        cmocka_unit_test(measured_it_costs_that),
        cmocka_unit_test(it_is_on_no_board),
        cmocka_unit_test(a_rendezvous_starts_when_both_are_posted),
        cmocka_unit_test(above_the_limit_a_send_without_a_receive_deadlocks),
        cmocka_unit_test(a_limit_is_of_one_way),
        cmocka_unit_test(wildcards_take_it),
    };
    return cmocka_run_group_tests_name("self", tests, NULL, NULL);
}
