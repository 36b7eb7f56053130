/* Short messages of a pair behind one another share frames (docs/ARCHITECTURE.md, section 4). A port passes a byte in 0.1
 * s, in frames of at most 10 bytes each of which takes 1 s more. A message of 3 bytes alone keeps it busy for 1.3 s and is
 * there after 2.6 s; three in one frame keep it busy for 1.9 s. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 32\nprocesses_per_node: 1\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 2}, {bytes: 1000, transit: 202}]}\n"
#define DEMAND "demand: [[0, 1], [5, 1.5], [9, 1.9], [1000, 201]]"
#define PORT(direction, more) "  - {scope: node, direction: " direction ", " DEMAND ", frame: 10" more "}\n"
#define PORTS "resources:\n" PORT("out", "") PORT("in", "")
#define TREE "topology: {groups: {left: 0, right: \"1-31\"}}\n"
#define TRUNK(demand) "  - {scope: group, of: [left, right], direction: out, " demand ", frame: 10}\n"

static void expect_about(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("after %.9g s, expected %.9g s", found, expected);
}

/* When the last of n messages of 3 bytes has been received that process 0 sends at once, each to `to`, i counting them. */
static double last(const char *machine, int n, int numprocs, const char *to, const char *from)
{
    char program[1000];
    snprintf(program, sizeof program,
             "Runon c1 = procnum == 0 & else\n{\nLoop iterations = %d & var = i\n{\nMessage type = MPI_Isend & to = %s & "
             "size = 3\n}\nMessage type = MPI_Waitall\n}\n{\n%s}\n",
             n, to, from);
    return play_timed((struct scene){.numprocs = numprocs, .contention = CONTENTION_ports}, program, machine);
}

#define ALL_OF(n) "Loop iterations = " #n "\n{\nMessage type = MPI_Recv & from = 0\n}\n"

/* The first leaves at once, and of six the next three, as they fill a frame; the other two when the first has passed the
 * port. The in port has all of a frame before it passes any of it, so the last arrives as much later as its frame takes more
 * of it than a message alone, or as the frame before still does. */
static void a_pair_fills_frames(void **state)
{
    (void)state;
    expect_about(last(HEAD PORTS, 1, 2, "1", ALL_OF(1)), 2.6, 1e-9);
    expect_about(last(HEAD PORTS, 2, 2, "1", ALL_OF(2)), 2.6 + 1.3, 1e-9);
    expect_about(last(HEAD PORTS, 4, 2, "1", ALL_OF(4)), 2.6 + 1.9 + 0.6, 1e-9);
    expect_about(last(HEAD PORTS, 6, 2, "1", ALL_OF(6)), 2.6 + 1.9 + 0.6 + 1.6, 1e-9);
}

/* Of a stream each message costs what its bytes do and a third of a frame. */
static const double IN_STREAM = 1.9 / 3;

static double stream(const char *machine)
{
    return last(machine, 3301, 2, "1", ALL_OF(3301)) - last(machine, 301, 2, "1", ALL_OF(301));
}

static void a_stream_takes_what_its_bytes_do(void **state)
{
    (void)state;
    expect_about(stream(HEAD PORTS), 3000 * IN_STREAM, 1e-6);
}

static void other_pairs_share_nothing(void **state)
{
    (void)state;
    expect_about(last(HEAD PORTS, 19, 20, "i+1", ALL_OF(1)), 18 * 1.3 + 2.6, 1e-9);
}

/* While the port is idle each has a frame of its own, and so has what fills more than one. */
static void what_does_not_wait_is_not_kept(void **state)
{
    (void)state;
    const char *const apart = "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 5\n{\nMessage type = MPI_Send & to = 1 "
                              "& size = 3\nSerial time = 2\n}\n}\n{\n" ALL_OF(5) "}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, apart, HEAD PORTS),
                       4 * 2 + 2.6, 1e-9);
    const char *const large = "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 5\n{\nMessage type = MPI_Send & to = 1 "
                              "& size = 100\n}\n}\n{\n" ALL_OF(5) "}\n";
    const double gap = 1.9 + 91 * 199.1 / 991, transit = 22;
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, large, HEAD PORTS),
                       4 * gap + transit, 1e-6);
}

/* A long message takes the frame along that was kept: 1.3 s, 1.6 s for the two kept, and its own; at the in port
 * it waits up to a frame. */
static void a_long_one_takes_along_what_was_kept(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 3\n{\nMessage type = MPI_Send & to = 1 & size = 3\n}\n"
        "Message type = MPI_Send & to = 1 & size = 1000\n}\n{\n" ALL_OF(4) "}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, program, HEAD PORTS),
                       1.3 + 1.6 + 202, 1);
}

/* Messages of 40 bytes, each 8.1 s of a port, to two others by turns. The second to each is kept, as all of the first
 * is on its way, until the third comes: both together outweigh the first. So the port passes a b a a b b, and the
 * second b is the fifth. */
static void what_is_kept_leaves_behind_others(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum == 0\n{\nLoop iterations = 3\n{\nMessage type = MPI_Isend & to = 1 & size = 40\n"
        "Message type = MPI_Isend & to = 2 & size = 40\n}\nMessage type = MPI_Waitall\n}\n"
        "Runon c1 = procnum == 1\n{\n" ALL_OF(3) "}\n"
        "Runon c1 = procnum == 2\n{\n" ALL_OF(2) "Serial time = 1000\n" ALL_OF(1) "}\n";
    const double gap = 1.9 + 31 * 199.1 / 991, transit = 2 + 40 * 0.2;
    expect_about(play_timed((struct scene){.numprocs = 3, .contention = CONTENTION_ports}, program, HEAD PORTS),
                 4 * gap + transit + 1000, 1e-6);
}

/* A trunk that is as slow as the ports: frames are one behind the other there as well, and no more of them. */
static void a_trunk_passes_no_more_frames(void **state)
{
    (void)state;
    expect_about(stream(HEAD TREE PORTS TRUNK(DEMAND)), 3000 * IN_STREAM, 1);
}

/* Three that send to one. */
static void many_to_one_is_what_the_in_port_passes(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 1000\n{\nMessage type = MPI_Recv & from = 1\nMessage type = "
        "MPI_Recv & from = 2\nMessage type = MPI_Recv & from = 3\n}\n}\n{\nLoop iterations = 1000\n{\nMessage type = "
        "MPI_Send & to = 0 & size = 3\n}\n}\n";
    const double time =
        play_timed((struct scene){.numprocs = 4, .contention = CONTENTION_ports}, program, HEAD PORTS);
    assert_true(time > 3000 * IN_STREAM && time < 3000 * IN_STREAM * 1.03);
}

/* Three streams to one port that holds 20 frames. A byte takes 10 us, a frame 100 us more: 19 messages of 3 bytes share one of
 * at most 60 bytes, so that 1900 of each stream take 3 * 100 * (19 * 30 + 100) us = 201 ms, and each alone in its frame would
 * take 741 ms. */
static void streams_that_overflow_a_port_share_frames(void **state)
{
    (void)state;
    const char *const machine =
        "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 1\npoint_to_point:\n  - {operation: MPI_Send, pattern: "
        "pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 200 us}, {bytes: 6000, transit: 60.2 ms}]}\n"
        "resources:\n  - {scope: node, direction: out, demand: [[0, 100 us], [20, 300 us], [59, 690 us], [6000, 70.1 ms]], "
        "frame: 60}\n  - {scope: node, direction: in, demand: [[0, 100 us], [20, 300 us], [59, 690 us], [6000, 70.1 ms]], "
        "frame: 60, buffer: 14 ms, overflow: 1 ms}\n";
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 5700\n{\nMessage type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\n"
        "{\nLoop iterations = 1900\n{\nMessage type = MPI_Send & to = 0 & size = 3\n}\n}\n";
    const double time = play_timed((struct scene){.numprocs = 4, .contention = CONTENTION_ports}, program, machine);
    if (!(time > 0.2 && time < 0.35))
        fail_msg("after %.9g s, expected 0.2 to 0.35 s", time);
}

#define ENTRY(where, overheads) "  - {operation: MPI_Send, pattern: pingpong, " where ", sizes: [{bytes: 0, transit: 2, " \
                                overheads "}, {bytes: 1000, transit: 202, " overheads "}]}\n"
#define BUSY(send, receive) "send_overhead: " send ", receive_overhead: " receive
#define HEAD_BUSY "pevpm_machine: 2\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n" \
                  ENTRY("nodes: 2, processes_per_node: 1", BUSY("0.2", "10")) \
                  ENTRY("nodes: 1, processes_per_node: 1, transport: self", BUSY("0.01", "0.1"))

/* The network asks nothing of the processors for the second and the third in a frame: a message to oneself takes 0.1 s
 * to receive. What is kept as it is sent likewise takes 0.01 s. */
static void calls_cost_once_for_each_frame(void **state)
{
    (void)state;
    expect_about(last(HEAD_BUSY PORTS, 4, 2, "1", ALL_OF(4)), 10 + 10 + 0.1 + 0.1, 1e-9);
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 4\n{\nMessage type = MPI_Send & to = 1 & size = 3\n}\n"
        "Serial time = 100\n}\n{\n" ALL_OF(4) "}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, program, HEAD_BUSY PORTS),
                 0.2 + 3 * 0.01 + 100, 1e-9);
}

/* The first probe reads all that has come, 10 s as receiving nothing; the others find what has been read, 0.1 s. */
static void a_probe_of_what_was_read_asks_nothing_of_the_network(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 4\n{\nMessage type = MPI_Isend & to = 1 & size = 3\n}\n"
        "Message type = MPI_Waitall\n}\n{\nSerial time = 100\nLoop iterations = 4\n{\n"
        "Message type = MPI_Iprobe & from = 0 & flag = found\nMessage type = MPI_Recv & from = 0\n}\n}\n";
    expect_about(play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports}, program, HEAD_BUSY PORTS),
                 100 + 10 + 3 * 0.1 + 10 + 10 + 0.1 + 0.1, 1e-9);
}

#define PORTS_ACKNOWLEDGE \
    "resources:\n" PORT("out", ", acknowledgements: [[0, 0]]") PORT("in", ", acknowledgements: [[0, 0]]")

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

/* An acknowledgement is a frame without bytes, 1 s of the port. */
static void frames_that_go_one_way_are_acknowledged(void **state)
{
    (void)state;
    expect_about(passed_on(HEAD PORTS_ACKNOWLEDGE, "MPI_Send") - passed_on(HEAD PORTS, "MPI_Send"), 20, 1);
}

/* So is what a synchronous send waits for: a message of 0 bytes. */
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
        cmocka_unit_test(a_pair_fills_frames),
        cmocka_unit_test(a_stream_takes_what_its_bytes_do),
        cmocka_unit_test(other_pairs_share_nothing),
        cmocka_unit_test(what_does_not_wait_is_not_kept),
        cmocka_unit_test(a_long_one_takes_along_what_was_kept),
        cmocka_unit_test(what_is_kept_leaves_behind_others),
        cmocka_unit_test(a_trunk_passes_no_more_frames),
        cmocka_unit_test(many_to_one_is_what_the_in_port_passes),
        cmocka_unit_test(streams_that_overflow_a_port_share_frames),
        cmocka_unit_test(calls_cost_once_for_each_frame),
        cmocka_unit_test(a_probe_of_what_was_read_asks_nothing_of_the_network),
        cmocka_unit_test(frames_that_go_one_way_are_acknowledged),
        cmocka_unit_test(synchronous_sends_are_answered),
        cmocka_unit_test(within_a_node_their_data_go_at_once),
        cmocka_unit_test(within_a_node_a_permission_waits_for_its_sender),
        cmocka_unit_test(within_a_node_its_receiver_gets_it),
        cmocka_unit_test(what_is_buffered_waits_for_its_sender),
        cmocka_unit_test(what_is_buffered_leaves_in_a_synchronous_send),
        cmocka_unit_test(what_is_buffered_is_found_when_it_has_begun_to_come),
    };
    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
