/* A send is over when the sender's host has taken all of it: when what it cannot hold has passed; and it takes nothing of a
 * process that computes (docs/ARCHITECTURE.md, section 4). A port passes 1000 bytes in 10 s, a host holds 300 bytes of a connection. */
#include "engine/tests/play.h"

#define TRANSITS(limit, none, all) "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\n" limit                 \
                                   "point_to_point:\n  - {operation: MPI_Send, pattern: pingpong, nodes: 2, "           \
                                   "processes_per_node: 1, sizes: [{bytes: 0, transit: " none "}, {bytes: 1000, "      \
                                   "transit: " all "}]}\n"
#define HEAD(limit) TRANSITS(limit, "1", "13")
#define PORT(direction, more) "  - {scope: node, direction: " direction ", demand: [[0, 0], [1000, 10]], acknowledgements: [[0, 0]]" more "}\n"
#define PORTS "resources:\n" PORT("out", "") PORT("in", "")
#define HOLDS(bytes) "send_buffer: [[0, " bytes "]]\n"
#define EAGER HEAD("")
#define LIMIT HEAD("eager_limit: 500\n")

/* What is rounded below, s. */
static const double ABOUT = 0.2;

static double played(int numprocs, const char *machine, const char *program)
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_ports};
    return play_timed(scene, program, machine);
}

static void expect_about(double found, double expected)
{
    if (!(fabs(found - expected) <= ABOUT))
        fail_msg("%.6g s, expected %.6g s", found, expected);
}

#define SENDER(calls) "Runon c1 = procnum == 0\n{\n" calls "Serial time = 1000\n}\n"
#define SEND(to, size) "Message type = MPI_Send & to = " to " & size = " size "\n"
#define RECV "Message type = MPI_Recv & from = 0\n"
#define OTHERS(calls) "Runon c1 = procnum > 0\n{\n" calls "}\n"

/* When process 0 has come through its calls. */
static double over(int numprocs, const char *machine, const char *program)
{
    return played(numprocs, machine, program) - 1000;
}

static void a_long_send_is_over_when_the_rest_is_held(void **state)
{
    (void)state;
    const char *const one = SENDER(SEND("1", "1000")) OTHERS(RECV);
    expect_about(over(2, EAGER PORTS, one), 0);
    expect_about(over(2, EAGER PORTS HOLDS("300"), one), 7);
    expect_about(over(2, EAGER PORTS HOLDS("0"), one), 10);
    expect_about(over(2, EAGER PORTS HOLDS("1000"), one), 0);
}

/* Announcement and permission take 1 s each, and the port passes the data from then on. */
static void so_is_one_that_needs_permission(void **state)
{
    (void)state;
    const char *const one = SENDER(SEND("1", "1000")) OTHERS(RECV);
    expect_about(over(2, LIMIT PORTS, one), 2);
    expect_about(over(2, LIMIT PORTS HOLDS("300"), one), 9);
    expect_about(over(2, LIMIT PORTS HOLDS("1000"), one), 2);
}

/* The socket is that of all messages of a pair; that of another partner is empty. */
static void what_was_sent_before_is_held_too(void **state)
{
    (void)state;
    expect_about(over(2, EAGER PORTS HOLDS("300"), SENDER(SEND("1", "200") SEND("1", "200")) OTHERS(RECV RECV)), 1);
    expect_about(over(3, EAGER PORTS HOLDS("300"), SENDER(SEND("1", "200") SEND("2", "200")) OTHERS(RECV)), 0);
    expect_about(over(2, EAGER PORTS HOLDS("300"), SENDER("Loop iterations = 20\n{\n" SEND("1", "100") "}\n")
                      OTHERS("Loop iterations = 20\n{\n" RECV "}\n")), 17);
}

static void it_holds_more_of_a_connection_that_has_sent_more(void **state)
{
    (void)state;
    const char *const two = SENDER(SEND("1", "1000") SEND("1", "1000")) OTHERS(RECV RECV);
    expect_about(over(2, EAGER PORTS "send_buffer: [[1000, 300], [2000, 600]]\n", two), 14);
}

static void a_wait_is_over_then(void **state)
{
    (void)state;
    const char *const one =
        SENDER("Message type = MPI_Isend & to = 1 & size = 1000 & request = r\nMessage type = MPI_Wait & request = r\n") OTHERS(RECV);
    const char *const later =
        SENDER("Message type = MPI_Isend & to = 1 & size = 1000 & request = r\nSerial time = 20\n"
               "Message type = MPI_Wait & request = r\n") OTHERS(RECV);
    expect_about(over(2, EAGER PORTS HOLDS("300"), one), 7);
    expect_about(over(2, EAGER PORTS HOLDS("300"), later), 20 + 7);
    expect_about(over(2, EAGER PORTS HOLDS("1000"), later), 20);
}

#define ISEND(to, size, request) "Message type = MPI_Isend & to = " to " & size = " size " & request = " request "\n"
#define COMPUTE(seconds) "Serial time = " seconds "\n"
#define WAIT(request) "Message type = MPI_Wait & request = " request "\n"
#define FIRST(calls) "Runon c1 = procnum == 0\n{\n" calls "}\n"

/* Three of ten messages leave at once, the others when the process waits; and so does one of 1000 bytes, as a whole. */
static void what_the_host_has_not_taken_stays_behind(void **state)
{
    (void)state;
    const char *const one = FIRST(ISEND("1", "1000", "r") COMPUTE("20") WAIT("r")) OTHERS(RECV);
    const char *const many = FIRST("Loop iterations = 10 & var = i\n{\n" ISEND("1", "100", "r[i]") "}\n" COMPUTE("20")
                                   "Message type = MPI_Waitall & request = r\n")
        OTHERS("Loop iterations = 10\n{\n" RECV "}\n");
    const char *const ends = FIRST(ISEND("1", "1000", "r") COMPUTE("20")) OTHERS(RECV);
    expect_about(played(2, EAGER PORTS HOLDS("300"), one), 20 + 13);
    expect_about(played(2, EAGER PORTS HOLDS("1000"), one), 20);
    expect_about(played(2, EAGER PORTS, one), 20);
    expect_about(played(2, "progress: async\n" EAGER PORTS HOLDS("300"), one), 20);
    expect_about(played(2, EAGER PORTS HOLDS("300"), many), 20 + 7 + 1.2);
    expect_about(played(2, EAGER PORTS HOLDS("300"), ends), 20 + 13);
}

/* The socket of another partner is empty. */
static void each_partner_has_a_socket(void **state)
{
    (void)state;
    const char *const two = FIRST(ISEND("1", "300", "r") ISEND("2", "300", "q") COMPUTE("20") WAIT("r") WAIT("q")) OTHERS(RECV);
    const char *const same = FIRST(ISEND("1", "300", "r") ISEND("1", "300", "q") COMPUTE("20") WAIT("r") WAIT("q"))
        OTHERS(RECV RECV);
    expect_about(played(3, EAGER PORTS HOLDS("300"), two), 20);
    expect_about(played(2, EAGER PORTS HOLDS("300"), same), 20 + 4.6);
}

/* A test lets the host take as much as has passed: 300 bytes leave at 0, 5 and 10 s, and 100 at 15 s. */
static void each_test_lets_the_host_take_more(void **state)
{
    (void)state;
    const char *const tests = FIRST("Loop iterations = 10 & var = i\n{\n" ISEND("1", "100", "r[i]") "}\n"
                                    "Loop iterations = 8\n{\n" COMPUTE("5")
                                    "Message type = MPI_Test & request = r[9] & flag = done\n}\n"
                                    "Message type = MPI_Waitall & request = r\n")
        OTHERS("Loop iterations = 10\n{\n" RECV "}\n" COMPUTE("100"));
    expect_about(played(2, EAGER PORTS HOLDS("300"), tests), 15 + 2.2 + 100);
}

/* Also where it may be lost, or a trunk is on the way. */
static void it_leaves_by_ways_of_all_kinds(void **state)
{
    (void)state;
    const char *const one = FIRST(ISEND("1", "1000", "r") COMPUTE("20") WAIT("r")) OTHERS(RECV);
    const char *const lossy = EAGER "resources:\n" PORT("out", "") PORT("in", ", buffer: 1000, overflow: 1") HOLDS("300");
    const char *const trunk = EAGER "topology: {groups: {left: \"0\", right: \"1-7\"}}\n" PORTS
        "  - {scope: group, of: [left, right], direction: both, demand: [[0, 0], [1000, 10]]}\n" HOLDS("300");
    expect_about(played(2, lossy, one), 20 + 13);
    expect_about(played(2, trunk, one), 20 + 13);
}

/* But in Open MPI, which waits for one that it sends at once as for others; the receiver has what the host has not taken when its
 * process has ended. Nor does one with a request. */
static void a_buffered_send_does_not_wait(void **state)
{
    (void)state;
    const char *const sends = SENDER("Message type = MPI_Bsend & to = 1 & size = 1000\n" SEND("2", "10")) OTHERS(RECV);
    const char *const later = SENDER("Message type = MPI_Ibsend & to = 1 & size = 1000 & request = r\nSerial time = 2\n"
                                     "Message type = MPI_Wait & request = r\n") OTHERS(RECV);
    expect_about(over(3, EAGER PORTS HOLDS("1000"), sends), 0);
    expect_about(over(3, EAGER "mpi: mpich\n" PORTS HOLDS("300"), sends), 13);
    expect_about(over(3, EAGER PORTS HOLDS("300"), sends), 7);
    expect_about(over(2, EAGER PORTS HOLDS("300"), later), 2 + 13);
}

/* The second send is given when the process has had its last turn: it goes on from the end of that. */
static void nothing_stays_behind_a_process_that_has_ended(void **state)
{
    (void)state;
    const char *const two = "Runon c1 = procnum == 0\n{\n" SEND("1", "400")
                            "Message type = MPI_Bsend & to = 1 & size = 400\n}\n" OTHERS(RECV RECV);
    const double unheld = played(2, EAGER PORTS, two);
    expect_about(played(2, EAGER PORTS HOLDS("300"), two), unheld);
}

/* The permission for 800 bytes comes with the message that their sender has waited for, as it leaves MPI. Its host, which held 300 bytes
 * when it was full last, does not take them at once; but 1000 fit by now, so they leave, and nobody waits for ever: the receiver, which
 * goes on for 900 s with them, has ended before their sender has. */
static void a_host_that_is_not_full_any_more_takes_what_it_had_left(void **state)
{
    (void)state;
    const char *const machine = LIMIT PORTS "send_buffer: [[600, 300], [1600, 1000]]\n";
    const char *const program =
        FIRST(SEND("1", "600") ISEND("1", "800", "r") "Message type = MPI_Recv & from = 1\n" COMPUTE("1000") WAIT("r"))
        OTHERS("Message type = MPI_Irecv & from = 0 & request = a\nMessage type = MPI_Irecv & from = 0 & request = b\n"
               WAIT("a") COMPUTE("100") "Message type = MPI_Isend & to = 0 & size = 400 & request = c\n" WAIT("b") COMPUTE("900"));
    expect_about(played(2, machine, program), 8.2 + 100 + 5.8 + 1000);
}

/* 1000 bytes find no room in a host that holds 300, and whole messages pass. Their sender tests and computes by turns: what is behind
 * leaves as it looks for the first time, and is with its receiver a transit later. (By streams a part would have left before.) */
static void whole_messages_that_find_no_room_leave_when_the_sender_tests(void **state)
{
    (void)state;
    const char *const program =
        "Set done = 0\nRunon c1 = procnum == 0\n{\n" ISEND("1", "1000", "r") COMPUTE("10")
        "Loop while = done == 0\n{\nMessage type = MPI_Test & request = r & flag = done\n" COMPUTE("3") "}\n}\n" OTHERS(RECV);
    expect_about(played(2, EAGER PORTS HOLDS("300"), program), 10 + 13);
}

/* Of three that send to one each third message is of each. The in port has passed seven of each after 21 s; how far it will be behind
 * is asked as a message leaves its sender's port, so they are told somewhat less, but not the 7 s of their own port. */
static void what_is_behind_the_port_counts(void **state)
{
    (void)state;
    const char *const program =
        "Runon c1 = procnum > 0\n{\nLoop iterations = 10\n{\nMessage type = MPI_Send & to = 0 & size = 100\n}\nSerial time = 1000\n}\n"
        "Runon c1 = procnum == 0\n{\nLoop iterations = 30\n{\nMessage type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\n";
    const double found = over(4, TRANSITS("", "1 ms", "10.001 s") PORTS HOLDS("300"), program);
    if (!(found > 10 && found < 21))
        fail_msg("%.6g s, expected 10 to 21 s", found);
}

/* Also where it may lose some, and acknowledgements tell. */
static void acknowledgements_tell_where_some_may_be_lost(void **state)
{
    (void)state;
    const char *const machine = EAGER "resources:\n" PORT("out", "") PORT("in", ", buffer: 1000, overflow: 1") HOLDS("300");
    expect_about(over(2, machine, SENDER(SEND("1", "1000")) OTHERS(RECV)), 7);
}

static void without_the_key_long_sends_are_told_of(void **state)
{
    (void)state;
    static const char *const machines[] = {LIMIT PORTS, EAGER PORTS, LIMIT PORTS HOLDS("300")};
    for (int i = 0; i < 3; i++) {
        struct scene scene = {.numprocs = 2, .contention = CONTENTION_ports};
        struct beyond beyond = {0};
        struct outcome outcome;
        char error[1000];
        scene_open(&scene, SENDER(SEND("1", "1000")) OTHERS(RECV), machines[i]);
        scene.setup.beyond = &beyond;
        assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, error, sizeof error), STATUS_OK);
        assert_int_equal(beyond.n, i == 0);
        char *text = beyond.n > 0 ? beyond_text(&beyond.items[0]) : NULL;
        if (text)
            assert_string_equal(text, "sends of 1000 bytes are taken to be over as soon as their data begin to leave, where a host "
                                      "holds only a part of them; the machine file has no `send_buffer`, which tells how much");
        free(text);
        beyond_free(&beyond);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_send_is_over_when_the_rest_is_held),
        cmocka_unit_test(so_is_one_that_needs_permission),
        cmocka_unit_test(what_was_sent_before_is_held_too),
        cmocka_unit_test(it_holds_more_of_a_connection_that_has_sent_more),
        cmocka_unit_test(a_wait_is_over_then),
        cmocka_unit_test(what_the_host_has_not_taken_stays_behind),
        cmocka_unit_test(each_partner_has_a_socket),
        cmocka_unit_test(each_test_lets_the_host_take_more),
        cmocka_unit_test(it_leaves_by_ways_of_all_kinds),
        cmocka_unit_test(a_buffered_send_does_not_wait),
        cmocka_unit_test(nothing_stays_behind_a_process_that_has_ended),
        cmocka_unit_test(a_host_that_is_not_full_any_more_takes_what_it_had_left),
        cmocka_unit_test(whole_messages_that_find_no_room_leave_when_the_sender_tests),
        cmocka_unit_test(what_is_behind_the_port_counts),
        cmocka_unit_test(acknowledgements_tell_where_some_may_be_lost),
        cmocka_unit_test(without_the_key_long_sends_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
