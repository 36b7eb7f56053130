/* Two processes that send each other what needs a handshake pass it both at once or one after the other: that is decided by
 * whether the one knows of the other's next announcement as soon as it has the data before it (docs/ARCHITECTURE.md, section
 * 4). A message of 0 bytes is under way for 1 s; one of 1000 bytes keeps a port busy for 10 s and is there after 13 s:
 * announcement, permission, port and way. One after the other two of them take 24 s, for the permission of the second comes
 * with the data of the first, 11 before its own. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\neager_limit: 500\npoint_to_point:\n"             \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 1}, {bytes: 1000, transit: 13}]}\n"
#define PORT(direction) "  - {scope: node, direction: " direction ", demand: [[0, 0.01], [1000, 10]], acknowledgements: [[0, 0]]}\n"
#define PORTS "resources:\n" PORT("out") PORT("in") "send_buffer: [[0, 1e9]]\n"
#define KNOWN(first, later) HEAD PORTS "handshakes: {known: " later ", known_after_rest: " first "}\n"

#define BOTH(first, second) "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\n" first "}\n{\n" second "}\n"
#define EXCHANGE "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 1000\n"

/* Announcements and permissions that wait for one another, s. */
static const double EMPTY = 0.5;

static void expect_about(double found, double expected)
{
    if (!(fabs(found - expected) <= EMPTY))
        fail_msg("%.6g s, expected %.6g s", found, expected);
}

static double exchanges(const char *machine, const char *program, uint64_t seed)
{
    struct scene scene = {.numprocs = 2, .contention = CONTENTION_ports, .seed = seed};
    return play_timed(scene, program, machine);
}

static void both_at_once_or_one_after_the_other(void **state)
{
    (void)state;
    expect_about(exchanges(KNOWN("0", "0"), EXCHANGE EXCHANGE EXCHANGE, 1), 3 * 13);
    expect_about(exchanges(KNOWN("1", "0"), EXCHANGE EXCHANGE, 1), 13 + 24);
    expect_about(exchanges(HEAD PORTS, EXCHANGE EXCHANGE EXCHANGE, 1), 3 * 13);
}

#define SLOW(direction) "  - {scope: node, direction: " direction ", demand: [[0, 2.5], [1000, 10]], acknowledgements: [[0, 0]]}\n"
#define SLOW_PORTS "resources:\n" SLOW("out") SLOW("in") "send_buffer: [[0, 1e9]]\n"

/* A port that takes longer for an announcement than an announcement and its answer take on their way: who is done last gets its
 * own answered before the port has passed the other's, but the file says that none is known, so all pass at once. */
static void a_slow_port_does_not_decide(void **state)
{
    (void)state;
    const char *const program = BOTH("Serial time = 1 ns\n", "Serial time = 0.2\n") EXCHANGE EXCHANGE;
    const double found = exchanges(HEAD SLOW_PORTS "handshakes: {known: 0}\n", program, 1);
    if (!(found > 26 && found < 32))
        fail_msg("%.6g s, expected 26 to 32 s: one after the other they take over 35", found);
}

/* The first exchange after a rest, and those behind others, have a probability of their own. */
static void exchanges_behind_others_have_their_own(void **state)
{
    (void)state;
    expect_about(exchanges(KNOWN("0", "1"), EXCHANGE EXCHANGE, 1), 2 * 13);
    expect_about(exchanges(KNOWN("0", "1"), EXCHANGE EXCHANGE EXCHANGE, 1), 2 * 13 + 24);
}

static void a_computation_of_nothing_changes_nothing(void **state)
{
    (void)state;
    expect_about(exchanges(KNOWN("1", "0"), EXCHANGE "Serial time = 1 ns\n" EXCHANGE, 1), 13 + 24);
    expect_about(exchanges(KNOWN("0", "0"), EXCHANGE "Serial time = 1 ns\n" EXCHANGE, 1), 2 * 13);
    expect_about(exchanges(KNOWN("1", "0"), EXCHANGE "Serial time = 5\n" EXCHANGE, 1), 2 * 13 + 5);
}

/* What both have posted before they compute passes at once, whoever looks later: who does has the other's announcement and
 * permission by then, and what it permits leaves before its own data. */
static void who_looks_later_permits_first(void **state)
{
    (void)state;
    static const char posted[] = "Message type = MPI_Irecv & from = 1-procnum & size = 1000 & request = r\n"
                                 "Message type = MPI_Isend & to = 1-procnum & size = 1000 & request = s\n";
    static const char waits[] = "Message type = MPI_Wait & request = r\nMessage type = MPI_Wait & request = s\n";
    for (int later = 0; later <= 1; later++) {
        char program[1024];
        snprintf(program, sizeof program, "%sSerial time = procnum == %d ? 40 : 20\n%s", posted, later, waits);
        expect_about(exchanges(KNOWN("0", "0"), program, 1), 40 + 13);
        expect_about(exchanges(KNOWN("1", "1"), program, 1), 40 + 13);
    }
}

static void it_happens_as_often_as_the_file_says(void **state)
{
    (void)state;
    enum { RUNS = 500 };
    int after = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        after += exchanges(KNOWN("0.3", "0"), EXCHANGE EXCHANGE, seed) > 30;
    if (abs(after - 150) > 40) /* four standard deviations */
        fail_msg("%d of %d", after, RUNS);
}

#define PAUSE "Serial time = 100\n"
#define FIVE(body) "Loop iterations = 5\n{\n" body "}\n"
#define SEND(to) "Message type = MPI_Send & to = " to " & size = 1000\n"
#define RECV(from) "Message type = MPI_Recv & from = " from " & size = 1000\n"
#define PING_PONG BOTH(SEND("1") RECV("1"), RECV("0") SEND("0"))
#define ONE_WAY BOTH(SEND("1"), RECV("0"))
#define SHORT "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 400\n"

/* What is said of a program on a machine without the key. The caller frees it; NULL: nothing. */
static char *said_by(struct scene scene, const char *machine, const char *program)
{
    struct beyond beyond = {0};
    struct outcome outcome;
    char error[1000];
    scene_open(&scene, program, machine);
    scene.setup.beyond = &beyond;
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, error, sizeof error), STATUS_OK);
    assert_true(beyond.n <= 1);
    char *text = beyond.n > 0 ? beyond_text(&beyond.items[0]) : NULL;
    beyond_free(&beyond);
    scene_close(&scene);
    return text;
}

static char *said(const char *machine, const char *program)
{
    return said_by((struct scene){.numprocs = 2, .contention = CONTENTION_ports, .seed = 1}, machine, program);
}

/* Of a message within a node that has come to wait for its sender; not of one whose sender waits itself, nor with the key. */
static void without_the_key_waiting_for_a_sender_is_told_of(void **state)
{
    (void)state;
    static const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports, .seed = 1};
    static const char node[] = "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\n"
                               "transports: {node: {eager_limit: 500%s}}\npoint_to_point:\n"
                               "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, "
                               "sizes: [{bytes: 0, transit: 2}, {bytes: 1000, transit: 12}]}\n" PORTS;
    static const char *const keys[] = {", rendezvous: permit", ", rendezvous: get"};
    static const char computes[] = BOTH("Message type = MPI_Isend & to = 1 & size = 1000 & request = r\n" PAUSE
                                        "Message type = MPI_Wait & request = r\n", RECV("0"));
    char machine[1000], *text;
    snprintf(machine, sizeof machine, node, "");
    assert_null(said_by(scene, machine, ONE_WAY));
    text = said_by(scene, machine, computes);
    assert_string_equal(text, "messages of 1000 bytes within a node are taken to wait until their senders are in MPI, where "
                              "receivers may get them meanwhile; the machine file has no `rendezvous` of the node, which tells");
    free(text);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(machine, sizeof machine, node, keys[i]);
        assert_null(said_by(scene, machine, computes));
    }
}

static void without_the_key_exchanges_are_told_of(void **state)
{
    (void)state;
    static const char *const others[] = {EXCHANGE, EXCHANGE PAUSE EXCHANGE, FIVE(PING_PONG), FIVE(ONE_WAY), FIVE(SHORT)};
    char *text = said(HEAD PORTS, EXCHANGE EXCHANGE EXCHANGE);
    assert_string_equal(text, "messages of 1000 bytes that two processes send each other, again and again: both are taken to "
                              "pass at once, where one after the other takes twice as long; the machine file has no "
                              "`handshakes`, which tells how often");
    free(text);
    assert_null(said(KNOWN("0", "0"), EXCHANGE EXCHANGE EXCHANGE));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if ((text = said(HEAD PORTS, others[i])) != NULL)
            fail_msg("case %zu: %s", i, text);
}

#define FRAME_PORT(direction) "  - {scope: node, direction: " direction ", demand: [[0, 88 us], [14458, 15.14 ms]], frame: 1448"
#define FRAMES "pevpm_machine: 2\nname: m\nnodes: 2\nprocesses_per_node: 1\neager_limit: 4000\npoint_to_point:\n  - {operation: "  \
               "MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 0.2 ms}, {bytes: 14458, " \
               "transit: 15.3 ms}]}\nresources:\n" FRAME_PORT("out") ", credit: 2 ms, acknowledgements: [[0, 0.05 ms]]}\n" \
               FRAME_PORT("in") "}\n" "send_buffer: [[0, 1e9]]\n"
#define EMPTY_ONES "Runon c1 = procnum == 1\n{\nSerial time = 10 ms\n}\n"                   \
                   "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 0\n"
#define LONG "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 14458\n"

/* By frames a file that says how long exchanges pass, and not how those behind short ones do, is told of, where a program has any. */
static void without_the_wait_exchanges_behind_short_ones_are_told_of(void **state)
{
    (void)state;
    static const struct scene scene = {.numprocs = 2, .contention = CONTENTION_frames, .seed = 1};
    static const struct {
        const char *handshakes, *program;
        bool told;
    } cases[] = {
        {"known: 0.5", FIVE(EMPTY_ONES LONG), true},
        {"known: 0.5", FIVE(LONG), false},
        {"known: 0.5", FIVE(EMPTY_ONES "Message type = MPI_Sendrecv & to = (procnum == 0 ? 1 : MPI_PROC_NULL) & from = (procnum == 1 ? "
                            "0 : MPI_PROC_NULL) & size = 14458\n"), false},
        {"known: 1", FIVE(EMPTY_ONES LONG), false},
        {"known: 0.5, known_after_wait: [[1 ms, 0.5]]", FIVE(EMPTY_ONES LONG), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char machine[1200];
        snprintf(machine, sizeof machine, FRAMES "handshakes: {%s}\n", cases[i].handshakes);
        char *text = said_by(scene, machine, cases[i].program);
        if ((text != NULL) != cases[i].told)
            fail_msg("case %zu: %s", i, text ? text : "nothing");
        if (text)
            assert_string_equal(text, "messages of 14458 bytes that two processes send each other behind short ones: they are taken "
                                      "to pass at once as often as behind long ones; the machine file has no `known_after_wait`, "
                                      "which tells how often");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_at_once_or_one_after_the_other),
        cmocka_unit_test(a_slow_port_does_not_decide),
        cmocka_unit_test(exchanges_behind_others_have_their_own),
        cmocka_unit_test(a_computation_of_nothing_changes_nothing),
        cmocka_unit_test(who_looks_later_permits_first),
        cmocka_unit_test(it_happens_as_often_as_the_file_says),
        cmocka_unit_test(without_the_key_exchanges_are_told_of),
        cmocka_unit_test(without_the_wait_exchanges_behind_short_ones_are_told_of),
        cmocka_unit_test(without_the_key_waiting_for_a_sender_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
