/* Long messages that leave one port together take turns: a connection brings it a window of what it sends at once
 * (docs/ARCHITECTURE.md, section 4). A port passes 1000 bytes in 10 s, in frames of 10 bytes, 0.1 s; alone a message of
 * 1000 bytes is there after 11 s. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 1}, {bytes: 1000, transit: 11}]}\n"
#define NEAR "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 0.1}, {bytes: 1000, transit: 5.1}]}\n"
#define PORT(direction, more) "  - {scope: node, direction: " direction ", demand: [[0, 0], [1000, 10]], frame: 10" more "}\n"
#define WHOLE "resources:\n" PORT("out", "") PORT("in", "")
#define TURNS "resources:\n" PORT("out", ", window: 250") PORT("in", "")

/* What the smoothing of frames may be wrong by, s; and, behind a port, that a flow pauses there when it pauses at the
 * port, not as much later as it takes to get there. */
static const double FRAME = 0.1, UNDER_WAY = 1;

/* Process 0 sends, and process `last` computes for 1000 s when it has what it waits for: so when it has. */
static double there(int last, const char *machine, const char *sends)
{
    char program[1000];
    snprintf(program, sizeof program,
             "Runon c1 = procnum == 0\n{\n%sMessage type = MPI_Waitall\n}\nRunon c1 = procnum > 0\n{\n"
             "Message type = MPI_Recv & from = 0 & tag = procnum\n}\n"
             "Runon c1 = procnum == %d\n{\nSerial time = 1000\n}\n",
             sends, last);
    struct scene scene = {.numprocs = 5, .contention = CONTENTION_ports};
    return play_timed(scene, program, machine) - 1000;
}

static void expect_about(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("there after %.6g s, expected %.6g s", found, expected);
}

#define SEND(to, size) "Message type = MPI_Isend & to = " #to " & size = " #size " & tag = " #to "\n"
#define REST SEND(3, 0) SEND(4, 0)

static void messages_that_leave_together_take_turns(void **state)
{
    (void)state;
    const char *const two = SEND(1, 1000) SEND(2, 1000) REST;
    expect_about(there(1, HEAD WHOLE, two), 11, 1e-9);
    expect_about(there(2, HEAD WHOLE, two), 21, 2 * FRAME);
    expect_about(there(1, HEAD TURNS, two), 18.5, 2 * FRAME);
    expect_about(there(2, HEAD TURNS, two), 21, 2 * FRAME);
}

/* Where ports may lose frames connections are young: 10 frames of each, 20 of each, and then all that is left. */
static void young_connections_take_turns(void **state)
{
    (void)state;
    const char *const machine = HEAD "resources:\n" PORT("out", "") PORT("in", ", buffer: 1000, overflow: 1");
    const char *const two = SEND(1, 1000) SEND(2, 1000) REST;
    expect_about(there(1, machine, two), 1 + 13, 2 * FRAME);
    expect_about(there(2, machine, two), 21, 2 * FRAME);
}

/* However little of a message its first window leaves, that goes behind what others have brought. */
static void a_young_one_brings_no_more_than_its_window(void **state)
{
    (void)state;
    const char *const machine = HEAD "resources:\n" PORT("out", "") PORT("in", ", buffer: 1000, overflow: 1");
    const char *const two = SEND(1, 120) SEND(2, 120) REST;
    expect_about(there(1, machine, two), 1 + 2.2, 2 * FRAME);
    expect_about(there(2, machine, two), 1 + 2.4, 2 * FRAME);
}

/* What acknowledges a message comes from where the other way's data do: a port that loses frames of several loses none of
 * these. */
static void who_exchanges_loses_nothing(void **state)
{
    (void)state;
#define ANSWERED ", acknowledgements: [[0, 0], [1000, 1]], exchange: [[0, 0], [1000, 1]]"
    const char *const both = "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 1000\n";
    const struct scene scene = {.numprocs = 2, .contention = CONTENTION_ports};
    const double lossless = play_timed(scene, both, HEAD "resources:\n" PORT("out", ANSWERED) PORT("in", ANSWERED));
    expect_about(lossless, 12, 2 * FRAME);
    expect_about(play_timed(scene, both, HEAD "resources:\n" PORT("out", ANSWERED) PORT("in", ANSWERED ", buffer: 0.3, overflow: 1")),
                 lossless, 0.5);
}

/* Acknowledgements go with what the port holds, and not behind what the way back has still to bring it: a quick sender whose
 * frames a slow port may lose goes on while as much comes back. */
static void acknowledgements_wait_for_no_socket(void **state)
{
    (void)state;
#define OF(node, direction, time, more) "  - {scope: node, of: " node ", direction: " direction ", demand: [[0, 0], [1000, " time "]], " \
                                        "frame: 10" more "}\n"
#define LOSES ", buffer: 3, overflow: 100"
    const char *const quick_and_slow = NEAR "resources:\n" OF("\"0\"", "out", "5", ", window: 250") OF("\"0\"", "in", "5", LOSES)
        OF("\"1-7\"", "out", "10", ", window: 50") OF("\"1-7\"", "in", "10", LOSES);
    const char *const both = "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 1000\n";
    const struct scene scene = {.numprocs = 2, .contention = CONTENTION_ports};
    expect_about(play_timed(scene, both, quick_and_slow), 11, 1);
}

/* The frames of a message to a slower port queue there: what its last ones wait at the sender's port, behind others' turns,
 * does not make it later before that port has nothing left to pass (three others: its last piece comes after 15 s). */
static void a_slow_receiver_hides_turns(void **state)
{
    (void)state;
    const char *const machine = NEAR "resources:\n" OF("\"0\"", "out", "5", ", window: 250") OF("\"1\"", "out", "10", "")
        OF("\"2-7\"", "out", "5", "") OF("\"1\"", "in", "10", "") OF("\"0,2-7\"", "in", "5", "");
    const double alone = there(1, machine, SEND(1, 1000) SEND(2, 0) REST);
    expect_about(alone, 0.1 + 10, 2 * FRAME);
    expect_about(there(1, machine, SEND(1, 1000) SEND(2, 500) REST), alone, 2 * FRAME);
    expect_about(there(1, machine, SEND(1, 1000) SEND(2, 1000) SEND(3, 1000) SEND(4, 1000)), 0.1 + 15 + 2.5, 3 * FRAME);
}

static void four_end_one_behind_the_other(void **state)
{
    (void)state;
    const char *const four = SEND(1, 1000) SEND(2, 1000) SEND(3, 1000) SEND(4, 1000);
    for (int i = 1; i <= 4; i++)
        expect_about(there(i, HEAD TURNS, four), 1 + 30 + 2.5 * i, 2 * FRAME);
}

static void one_alone_takes_what_it_took(void **state)
{
    (void)state;
    const char *const one = SEND(1, 1000) SEND(2, 0) REST;
    expect_about(there(1, HEAD TURNS, one), there(1, HEAD WHOLE, one), 1e-9);
}

static void a_short_one_waits_for_a_piece(void **state)
{
    (void)state;
    const char *const both = SEND(1, 1000) SEND(2, 100) REST;
    expect_about(there(2, HEAD WHOLE, both), 12, 2 * FRAME);
    expect_about(there(2, HEAD TURNS, both), 4.5, 2 * FRAME);
    expect_about(there(1, HEAD TURNS, both), 12, 2 * FRAME);
}

/* What a pair sends later is behind all of what it sent before. */
static void a_pair_stays_in_order(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum == 0\n{\nMessage type = MPI_Isend & to = 1 & size = 1000 & tag = 1\n"
        "Message type = MPI_Isend & to = 1 & size = 1000 & tag = 2\nMessage type = MPI_Isend & to = 2 & size = 1000\n"
        "Message type = MPI_Waitall\n}\nRunon c1 = procnum == 1\n{\nMessage type = MPI_Recv & from = 0 & tag = 2\n"
        "Serial time = 1000\nMessage type = MPI_Recv & from = 0 & tag = 1\n}\n"
        "Runon c1 = procnum == 2\n{\nMessage type = MPI_Recv & from = 0\n}\n";
    struct scene scene = {.numprocs = 3, .contention = CONTENTION_ports};
    expect_about(play_timed(scene, program, HEAD TURNS) - 1000, 31, 2 * FRAME);
}

/* Behind a trunk that is as fast as a port. */
static void a_trunk_gets_them_in_turn(void **state)
{
    (void)state;
    const char *const machine =
        HEAD "topology: {groups: {left: 0, right: \"1-7\"}}\n" TURNS
             "  - {scope: group, of: [left, right], direction: out, demand: [[0, 0], [1000, 10]], frame: 10}\n";
    const char *const two = SEND(1, 1000) SEND(2, 1000) REST;
    expect_about(there(1, machine, two), 18.5, UNDER_WAY + FRAME);
    expect_about(there(2, machine, two), 21, UNDER_WAY + 2 * FRAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_that_leave_together_take_turns), cmocka_unit_test(four_end_one_behind_the_other),
        cmocka_unit_test(young_connections_take_turns),
        cmocka_unit_test(a_young_one_brings_no_more_than_its_window),
        cmocka_unit_test(who_exchanges_loses_nothing),
        cmocka_unit_test(acknowledgements_wait_for_no_socket),
        cmocka_unit_test(a_slow_receiver_hides_turns),
        cmocka_unit_test(one_alone_takes_what_it_took),            cmocka_unit_test(a_short_one_waits_for_a_piece),
        cmocka_unit_test(a_pair_stays_in_order),                   cmocka_unit_test(a_trunk_gets_them_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
