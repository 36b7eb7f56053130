/* What synchronous and buffered sends wait for where ports are asked in the order of time (docs/ARCHITECTURE.md, section 4). A message
 * of 3 bytes keeps a port busy for 1.3 s and is there after 2.6 s. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 32\nprocesses_per_node: 1\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 2}, {bytes: 1000, transit: 202}]}\n"
#define DEMAND "demand: [[0, 1], [5, 1.5], [9, 1.9], [1000, 201]]"
#define PORT(direction) "  - {scope: node, direction: " direction ", " DEMAND ", acknowledgements: [[0, 0]]}\n"
#define PORTS "resources:\n" PORT("out") PORT("in")

static void expect_about(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("after %.9g s, expected %.9g s", found, expected);
}

#define ENTRY(where, overheads) "  - {operation: MPI_Send, pattern: pingpong, " where ", sizes: [{bytes: 0, transit: 2, " \
                                overheads "}, {bytes: 1000, transit: 202, " overheads "}]}\n"
#define BUSY(send, receive) "send_overhead: " send ", receive_overhead: " receive
/* How long process 1 takes to send process 2 twenty long messages, each after a short one from process 0. */
static double passed_on(const char *machine, const char *send)
{
    char program[1000];
    snprintf(program, sizeof program,
             "Loop iterations = 20\n{\nRunon c1 = procnum == 0 & c2 = procnum == 1 & else\n{\nSerial time = 5\n"
             "Message type = %s & to = 1 & size = 3\n}\n{\nMessage type = MPI_Recv & from = 0\n"
             "Message type = MPI_Send & to = 2 & size = 100\n}\n{\nMessage type = MPI_Recv & from = 1\n}\n}\n", send);
    return play_timed((struct scene){.numprocs = 3, .contention = CONTENTION_ports}, program, machine);
}

/* What a synchronous send waits for is a message of 0 bytes, 1 s of the port. */
static void synchronous_sends_are_answered(void **state)
{
    (void)state;
    expect_about(passed_on(HEAD PORTS, "MPI_Ssend") - passed_on(HEAD PORTS, "MPI_Send"), 20, 1);
}

#define NODE_OF_TWO "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\npoint_to_point:\n" \
                    ENTRY("nodes: 1, processes_per_node: 2", BUSY("0", "0"))

/* Two processes of a node send each other 100 bytes, compute for 100 s and wait. The data have come meanwhile, and an empty
 * message of 2 s says so. One that waits alone has its answer when the other has posted the receive. */
static void within_a_node_their_data_go_at_once(void **state)
{
    (void)state;
    const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports};
    static const char both[] = "Message type = MPI_Irecv & from = 1-procnum & request = r[0]\n"
                               "Message type = MPI_Issend & to = 1-procnum & size = 100 & request = r[1]\n"
                               "Serial time = 100\nMessage type = MPI_Waitall & request = r\n";
    static const char alone[] = "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Ssend & to = 1 & size = 100\n}\n{\n"
                                "Serial time = 50\nMessage type = MPI_Recv & from = 0\n}\n";
    expect_about(play_timed(scene, both, NODE_OF_TWO PORTS), 100 + 2, 1e-9);
    expect_about(play_timed(scene, alone, NODE_OF_TWO PORTS), 50 + 2, 1e-9);
}

/* A process of the node sends 100 bytes, more than the eager limit, to one that waits for them, and computes for 100 s
 * before it waits. Announcement and permission, of the 22 s that such a message takes 2 each, pass while it computes, so
 * the data leave when it waits; the second half of a buffered send, whose first one is eager, when it has ended. */
static void within_a_node_a_permission_waits_for_its_sender(void **state)
{
    (void)state;
    const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports};
    static const char limited[] = "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\n"
                                  "transports: {node: {eager_limit: 50}}\npoint_to_point:\n"
                                  ENTRY("nodes: 1, processes_per_node: 2", BUSY("0", "0")) PORTS;
    static const char program[] = "Runon c1 = procnum == 0 & else\n{\nMessage type = %s & to = 1 & size = 100%s\n"
                                  "Serial time = 100\n%s}\n{\nMessage type = MPI_Recv & from = 0\n}\n";
    char nonblocking[400], buffered[400];
    snprintf(nonblocking, sizeof nonblocking, program, "MPI_Isend", " & request = r", "Message type = MPI_Wait & request = r\n");
    snprintf(buffered, sizeof buffered, program, "MPI_Bsend", "", "");
    expect_about(play_timed(scene, nonblocking, limited), 100 + 22 - 2 * 2, 1e-9);
    expect_about(play_timed(scene, buffered, limited), 100 + 12, 1e-9);
}

/* The same where the receiver gets what it waits for: after 22 s, or so long after it has come at 50; what is buffered
 * is permitted. Both have work for 100 s more when they are done. */
static void within_a_node_its_receiver_gets_it(void **state)
{
    (void)state;
    const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports};
    static const char gets[] = "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\n"
                               "transports: {node: {eager_limit: 50, rendezvous: get}}\npoint_to_point:\n"
                               ENTRY("nodes: 1, processes_per_node: 2", BUSY("0", "0")) PORTS;
    static const char program[] = "Runon c1 = procnum == 0 & else\n{\nMessage type = %s & to = 1 & size = 100%s\n"
                                  "Serial time = 100\n%sSerial time = 100\n}\n{\n%sMessage type = MPI_Recv & from = 0\n"
                                  "Serial time = %d\n}\n";
    static const char wait[] = "Message type = MPI_Wait & request = r\n";
    static const struct {
        const char *send, *request, *wait, *before;
        int after;
        double expected;
    } cases[] = {
        {"MPI_Isend", " & request = r", wait, "", 200, 22 + 200},
        {"MPI_Isend", " & request = r", wait, "Serial time = 50\n", 200, 50 + 22 + 200},
        {"MPI_Isend", " & request = r", wait, "Serial time = 300\n", 0, 300 + 100},
        {"MPI_Bsend", "", "", "", 200, 200 + 12 + 200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, program, cases[i].send, cases[i].request, cases[i].wait, cases[i].before,
                 cases[i].after);
        expect_about(play_timed(scene, text, gets), cases[i].expected, 1e-9);
    }
}

/* Eager messages of more than 50 bytes keep their sender until the receiver is in MPI, and there for 0.5 s more if it comes late. What a
 * send call takes itself, 1 s, is over by then. */
static void within_a_node_eager_ones_are_read(void **state)
{
    (void)state;
    static const char program[] = "Runon c1 = procnum == 0 & else\n{\nMessage type = %s & to = 1 & size = %d%s\n"
                                  "%sSerial time = 100\n}\n{\n%s}\n";
    static const char request[] = " & request = r", wait[] = "Serial time = 30\nMessage type = MPI_Wait & request = r\n";
    static const char late[] = "Serial time = 60\nMessage type = MPI_Recv & from = 0\n";
    static const struct {
        const char *send;
        int bytes;
        const char *request, *wait, *receiver;
        double expected;
    } cases[] = {
        {"MPI_Send", 100, "", "", late, 60 + 0.5 + 100},
        {"MPI_Send", 50, "", "", late, 1 + 100},
        {"MPI_Send", 100, "", "", "Message type = MPI_Recv & from = 0\n", 22 + 100},
        {"MPI_Isend", 100, request, wait, late, 60 + 0.5 + 100},
        {"MPI_Isend", 50, request, wait, late, 1 + 30 + 100},
        {"MPI_Bsend", 100, "", "", late, 60 + 0.5 + 100},
        {"MPI_Send", 100, "", "", "Message type = MPI_Irecv & from = 0 & request = r\nSerial time = 60\nMessage type = MPI_Wait & request = r\n",
         60 + 0.5 + 100},
        {"MPI_Send", 100, "", "", "Serial time = 60\n", 60 + 100}, /* nobody receives it */
        {"MPI_Send", 100, "", "", "Message type = MPI_Iprobe & from = 0 & flag = f\nSerial time = 40\n"
                                  "Message type = MPI_Iprobe & from = 0 & flag = f\nSerial time = 80\nMessage type = MPI_Recv & from = 0\n",
         40.5 + 0.5 + 100}, /* it is read by a probe */
    };
    static const char *const resources[] = {"", PORTS};
    for (int k = 0; k < 2; k++) {
        char machine[2000];
        snprintf(machine, sizeof machine, "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\nmpi: open_mpi\n"
                 "transports: {node: {unread_limit: 50}}\npoint_to_point:\n" ENTRY("nodes: 1, processes_per_node: 2", BUSY("1", "0.5"))
                 "%s", resources[k]);
        const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2,
                                    .contention = k ? CONTENTION_ports : CONTENTION_scoreboard};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[900];
            snprintf(text, sizeof text, program, cases[i].send, cases[i].bytes, cases[i].request, cases[i].wait, cases[i].receiver);
            expect_about(play_timed(scene, text, machine), cases[i].expected, 1e-9);
        }
    }
}

/* So are those of collectives: the root of a Bcast of 100 bytes waits for the other, which computes for 60 s, and computes for 100 s then. */
static void within_a_node_those_of_collectives_are_read(void **state)
{
    (void)state;
    static const char program[] = "Runon c1 = procnum == 1\n{\nSerial time = 60\n}\nCollective type = MPI_Bcast & root = 0 & size = 100\n"
                                  "Runon c1 = procnum == 0\n{\nSerial time = 100\n}\n";
    static const char head[] = "pevpm_machine: 2\nname: m\nnodes: 1\nprocesses_per_node: 2\ntransports: {node: {unread_limit: %d}}\n"
                               "point_to_point:\n" ENTRY("nodes: 1, processes_per_node: 2", BUSY("1", "0.5"));
    static const struct {
        int limit;
        double expected;
    } cases[] = {{50, 60 + 0.5 + 100}, {100, 1 + 100}};
    for (int i = 0; i < 2; i++) {
        char machine[900];
        snprintf(machine, sizeof machine, head, cases[i].limit);
        expect_about(play_timed((struct scene){.numprocs = 2, .nodes = 1, .ppn = 2}, program, machine), cases[i].expected, 1e-9);
    }
}

#define HEAD_LIMIT "pevpm_machine: 2\nname: m\nnodes: 32\nprocesses_per_node: 1\neager_limit: 50\npoint_to_point:\n" \
                   ENTRY("nodes: 2, processes_per_node: 1", BUSY("0", "0"))

/* Process 0 sends so many bytes from a buffer, computes for 100 s and then does `last`. */
static double buffered(int bytes, const char *last, const char *answer)
{
    char program[1000];
    snprintf(program, sizeof program,
             "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Bsend & to = 1 & size = %d\nSerial time = 100\n%s}\n{\n"
             "Message type = MPI_Recv & from = 0\n%s}\n", bytes, last, answer);
    return play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, program, HEAD_LIMIT PORTS);
}

/* 50 bytes leave at once, the others when the sender is in MPI again: 10 take 4 s, 110 the transit of 24 s less the two
 * handshakes of 2 s that it holds. */
static void what_is_buffered_waits_for_its_sender(void **state)
{
    (void)state;
    const char *const receive = "Message type = MPI_Recv & from = 1\n", *const send = "Message type = MPI_Send & to = 0 & "
                                "size = 3\n";
    expect_about(buffered(50, receive, send), 100, 1e-9);
    expect_about(buffered(60, receive, send), 100 + 4 + 2.6, 1e-9);
    expect_about(buffered(160, receive, send), 100 + 20 + 2.6, 1e-9);
    expect_about(buffered(60, "", ""), 100 + 4, 1e-9);
    expect_about(buffered(60, "", "Serial time = 200\n"), 100 + 4 + 200, 1e-9);
}

/* A send call takes 1 s, so a Ssend that begins at 101 s waits for its answer from 102 s on. What is buffered leaves in it,
 * behind its 3 bytes, which keep the port for 1.3 s, takes 4 s, and the answer 2 s. */
static void what_is_buffered_leaves_in_a_synchronous_send(void **state)
{
    (void)state;
    const char *const head = "pevpm_machine: 2\nname: m\nnodes: 32\nprocesses_per_node: 1\neager_limit: 50\n"
                             "point_to_point:\n" ENTRY("nodes: 2, processes_per_node: 1", BUSY("1", "0")) PORTS;
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Bsend & to = 1 & size = 60\nSerial time = 100\n"
        "Message type = MPI_Ssend & to = 1 & size = 3\n}\n{\nMessage type = MPI_Recv & from = 0\n"
        "Message type = MPI_Recv & from = 0\n}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, program, head),
                 101 + 1.3 + 4 + 2, 1e-9);
}

static void what_is_buffered_is_found_when_it_has_begun_to_come(void **state)
{
    (void)state;
    const char *const probing =
        "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Bsend & to = 1 & size = 60\nSerial time = 100\n}\n{\n"
        "Message type = MPI_Probe & from = MPI_ANY_SOURCE\nSerial time = 200\nMessage type = MPI_Recv & from = 0\n}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, probing, HEAD_LIMIT PORTS),
                 12 + 200 + 2 + 4, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synchronous_sends_are_answered),
        cmocka_unit_test(within_a_node_their_data_go_at_once),
        cmocka_unit_test(within_a_node_a_permission_waits_for_its_sender),
        cmocka_unit_test(within_a_node_its_receiver_gets_it),
        cmocka_unit_test(within_a_node_eager_ones_are_read),
        cmocka_unit_test(within_a_node_those_of_collectives_are_read),
        cmocka_unit_test(what_is_buffered_waits_for_its_sender),
        cmocka_unit_test(what_is_buffered_leaves_in_a_synchronous_send),
        cmocka_unit_test(what_is_buffered_is_found_when_it_has_begun_to_come),
    };
    return cmocka_run_group_tests_name("answers", tests, NULL, NULL);
}
