/* The first message between two processes makes their connection (docs/ARCHITECTURE.md, section 4). An empty message takes 1 s,
 * and so does each of the handshakes of one of more than 500 bytes, of which a port passes 1000 in 10 s. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\neager_limit: 500\n"                           \
             "point_to_point:\n  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, "         \
             "sizes: [{bytes: 0, transit: 1}, {bytes: 1000, transit: 13}]}\n"
#define PORTS "resources:\n  - {scope: node, direction: out, demand: [[0, 0], [1000, 10]], acknowledgements: [[0, 0]]}\n"               \
              "  - {scope: node, direction: in, demand: [[0, 0], [1000, 10]], acknowledgements: [[0, 0]]}\n"
#define CONNECT(what) "transports: {network: {connect: {" what "}}}\n"
#define HOLDS "send_buffer: [[0, 300]]\n"

static double played_as(bool unconnected, int numprocs, const char *machine, const char *program)
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_ports, .mode = MODE_average,
                          .unconnected = unconnected};
    return play_timed(scene, program, machine);
}

static void expect(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9))
        fail_msg("%.9g s, expected %.9g s", found, expected);
}

static void expect_first(int numprocs, const char *machine, const char *program, double expected)
{
    expect(played_as(true, numprocs, machine, program), expected);
}

#define SEND(to, size) "Message type = MPI_Send & to = " to " & size = " size "\n"
#define ISEND(to, size) "Message type = MPI_Isend & to = " to " & size = " size " & request = r\n"
#define WAIT "Message type = MPI_Wait & request = r\n"
#define RECV(from) "Message type = MPI_Recv & from = " from "\n"
#define COMPUTE(seconds) "Serial time = " seconds "\n"
#define TWO(first, second) "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\n" first "}\n{\n" second "}\n"

static void the_first_message_is_later(void **state)
{
    (void)state;
    const char *const machine = HEAD PORTS CONNECT("message: 5, call: 2, late: 3");
    expect_first(2, machine, TWO(SEND("1", "0"), RECV("0")), 6);
    expect_first(2, machine, TWO(SEND("1", "0") RECV("1"), RECV("0") SEND("0", "0")), 7);
    expect_first(2, machine, TWO(SEND("1", "0") SEND("1", "0"), RECV("0") RECV("0")), 6);
    expect_first(3, machine, TWO(SEND("1", "0") SEND("2", "0"), RECV("0")) "Runon c1 = procnum == 2\n{\n" RECV("0") "}\n",
                 11);
    expect_first(2, HEAD PORTS HOLDS CONNECT("message: 5"), TWO(SEND("1", "0"), RECV("0")), 6);
}

/* A blocking send, even of nothing, lasts as long. */
static void no_send_is_over_before(void **state)
{
    (void)state;
    const char *const program = TWO(SEND("1", "0") COMPUTE("100"), RECV("0"));
    expect_first(2, HEAD PORTS CONNECT("message: 5, call: 2"), program, 105);
    expect_first(2, HEAD PORTS HOLDS CONNECT("message: 5, call: 2"), program, 105);
    expect_first(2, HEAD PORTS HOLDS CONNECT("message: 5, call: 2"),
                 TWO(ISEND("1", "0") COMPUTE("1") WAIT COMPUTE("100"), RECV("0")), 105);
}

static void both_must_come_to_mpi(void **state)
{
    (void)state;
    const char *const machine = HEAD PORTS CONNECT("message: 5, call: 2, late: 3");
    expect_first(2, machine, TWO(SEND("1", "0"), COMPUTE("20") RECV("0")), 24);
    expect_first(2, machine, TWO(ISEND("1", "0") COMPUTE("20") WAIT, RECV("0")), 26);
    expect_first(2, machine, TWO(ISEND("1", "0") COMPUTE("20") WAIT, COMPUTE("40") RECV("0")), 44);
    expect_first(2, machine, TWO(ISEND("1", "0") COMPUTE("20"), RECV("0")), 26); /* who has ended is in MPI */
    expect_first(2, "progress: async\n" HEAD PORTS CONNECT("message: 5, late: 3"),
                 TWO(ISEND("1", "0") COMPUTE("4") WAIT, COMPUTE("20") RECV("0")), 20);
}

/* Each begins it, and waits after its own call. */
static void two_that_send_at_once(void **state)
{
    (void)state;
    expect_first(2, HEAD PORTS CONNECT("message: 5, call: 2, late: 4"),
                 TWO("Message type = MPI_Sendrecv & to = 1 & from = 1 & size = 0\n",
                     "Message type = MPI_Sendrecv & to = 0 & from = 0 & size = 0\n"), 7);
}

static void announcements_wait_for_it(void **state)
{
    (void)state;
    const char *const waits = TWO(SEND("1", "1000"), RECV("0")), *late = TWO(SEND("1", "1000"), COMPUTE("20") RECV("0"));
    const char *const machine = HEAD PORTS CONNECT("message: 5, late: 3");
    expect(played_as(true, 2, machine, waits) - played_as(false, 2, machine, waits), 5);
    expect(played_as(true, 2, machine, late) - played_as(false, 2, machine, late), 3);
}

static void connections_share_processors(void **state)
{
    (void)state;
    const char *const pairs = "Runon c1 = procnum < numprocs/2 & else\n{\n" SEND("procnum+numprocs/2", "0") "}\n{\n"
                              RECV("procnum-numprocs/2") "}\n";
    expect_first(2, HEAD PORTS CONNECT("message: 5, shared: 4"), pairs, 6);
    expect_first(4, HEAD PORTS CONNECT("message: 5, shared: 4"), pairs, 9);
    expect_first(6, HEAD PORTS CONNECT("message: 5, shared: 4"), pairs, 13);
}

/* Without chance at 5, 15, 25 s ... */
static void who_knows_nobody_looks_now_and_then(void **state)
{
    (void)state;
    const char *const machine = HEAD PORTS CONNECT("message: 1, late: 3, listen: 10");
    const char *const chain = "Runon c1 = procnum > 0\n{\n" RECV("procnum-1") "}\n"
                              "Runon c1 = procnum < numprocs-1\n{\n" SEND("procnum+1", "0") "}\n";
    expect_first(2, machine, chain, 9);
    expect_first(3, machine, chain, 19);
    expect_first(2, machine, TWO(SEND("1", "0"), COMPUTE("20") RECV("0")), 24);
    expect_first(2, machine, TWO(SEND("1", "0"), COMPUTE("6") RECV("0")), 19);
    expect_first(2, machine, TWO(COMPUTE("21") SEND("1", "0"), COMPUTE("20") RECV("0")), 34); /* it has looked at 20 */
    expect_first(2, machine, TWO(COMPUTE("31") SEND("1", "0"), COMPUTE("20") RECV("0")), 39); /* it looks again at 35 */
    expect_first(3, machine, TWO(SEND("1", "0") RECV("2"), RECV("0")) /* who sends has known how to listen since then */
                 "Runon c1 = procnum == 2\n{\n" COMPUTE("30") SEND("0", "0") "}\n", 34);
}

static void others_are_connected(void **state)
{
    (void)state;
    const char *const program = TWO(SEND("1", "0"), RECV("0")), *connect = CONNECT("message: 5, listen: 10");
    char machine[2000];
    expect(played_as(true, 2, HEAD PORTS, program), 1);
    snprintf(machine, sizeof machine, "%s%s", HEAD PORTS, connect);
    expect(played_as(false, 2, machine, program), 1);
    snprintf(machine, sizeof machine, "%s%s", HEAD, connect);
    struct scene board = {.numprocs = 2, .unconnected = true};
    expect(play_timed(board, program, machine), 1); /* nothing serves frames */
    struct scene within = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports, .unconnected = true};
    snprintf(machine, sizeof machine, "%s%s", HEAD PORTS, connect);
    expect(play_timed(within, program, machine), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_message_is_later),
        cmocka_unit_test(no_send_is_over_before),
        cmocka_unit_test(both_must_come_to_mpi),
        cmocka_unit_test(two_that_send_at_once),
        cmocka_unit_test(announcements_wait_for_it),
        cmocka_unit_test(connections_share_processors),
        cmocka_unit_test(who_knows_nobody_looks_now_and_then),
        cmocka_unit_test(others_are_connected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
