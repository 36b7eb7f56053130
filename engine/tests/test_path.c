/* Messages that pass more than two ports: trunks between switches, a bus within a node (docs/ARCHITECTURE.md,
 * section 4), and nodes that differ. Where nothing else is said a port passes 1000 bytes in 10 s. */
#include "engine/tests/play.h"

#include "network/timer.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 4\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
             "transit: 1}, {bytes: 1000, transit: 11}]}\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, " \
             "transit: 1}, {bytes: 1000, transit: 11}]}\n"
#define GROUPS "topology: {groups: {left: \"0-3\", right: \"4-7\"}}\n"
#define PORT(direction) "  - {scope: node, direction: " direction ", demand: [[0, 0], [1000, 10]], acknowledgements: [[0, 0]]}\n"
#define PORTS PORT("out") PORT("in")
#define TRUNK(direction, seconds) \
    "  - {scope: group, of: [left, right], direction: " direction ", demand: [[0, 0], [1000, " seconds "]]}\n"

static double took(int numprocs, int nodes, const char *machine, const char *program)
{
    const int ppn = numprocs / nodes;
    struct scene scene = {.numprocs = numprocs, .nodes = nodes, .ppn = ppn, .contention = CONTENTION_ports};
    return play_timed(scene, program, machine);
}

static void expect_about(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("took %.6g s, expected %.6g s", found, expected);
}

/* Process i of the left sends to i + 4 of the right; so many of them. */
static const char *flows(char text[400], int n)
{
    snprintf(text, 400,
             "Runon c1 = procnum < %d & c2 = procnum >= 4 && procnum < %d\n{\nMessage type = MPI_Send & to = "
             "procnum+4 & "
             "size = 1000\n}\n{\nMessage type = MPI_Recv & from = procnum-4\n}\n", n, 4 + n);
    return text;
}

static void a_trunk_of_a_ports_rate_halves_two_flows(void **state)
{
    (void)state;
    static const char *const machines[] = {HEAD GROUPS "resources:\n" PORTS TRUNK("out", "10"),
                                           HEAD GROUPS "resources:\n" PORTS TRUNK("in", "10"),
                                           HEAD GROUPS "resources:\n" PORTS TRUNK("out", "10") TRUNK("in", "10")};
    char text[400];
    for (int i = 0; i < 3; i++) {
        expect_about(took(8, 8, machines[i], flows(text, 1)), 11, 1e-9);
        expect_about(took(8, 8, machines[i], flows(text, 2)), 21, 1e-9);
        expect_about(took(8, 8, machines[i], flows(text, 4)), 41, 1e-9);
    }
}

/* Whole messages pass it one after the other: the second has come when the first has passed. */
static void a_trunk_of_twice_the_rate_passes_two_in_the_time_of_one(void **state)
{
    (void)state;
    static const char machine[] = HEAD GROUPS "resources:\n" PORTS TRUNK("out", "5") TRUNK("in", "5");
    char text[400];
    expect_about(took(8, 8, machine, flows(text, 1)), 11, 1e-9);
    expect_about(took(8, 8, machine, flows(text, 2)), 11 + 5, 1e-9);
    expect_about(took(8, 8, machine, flows(text, 4)), 11 + 3 * 5, 1e-9);
}

/* The transit is of the whole idle way, trunk included, however slow that is: it is not added. */
static void an_idle_trunk_adds_nothing(void **state)
{
    (void)state;
    static const char slow[] = HEAD GROUPS "resources:\n" PORTS TRUNK("out", "11");
    char text[400];
    expect_about(took(8, 8, slow, flows(text, 1)), 11, 1e-9);
    expect_about(took(8, 8, slow, flows(text, 2)), 22, 1e-9);
}

static void messages_within_a_group_pass_no_trunk(void **state)
{
    (void)state;
    static const char machine[] = HEAD GROUPS "resources:\n" PORTS TRUNK("out", "10") TRUNK("in", "10");
    static const char pairs[] = "Runon c1 = procnum % 2 == 0 & else\n{\nMessage type = MPI_Send & to = "
        "procnum+1 & size = "
                                "1000\n}\n{\nMessage type = MPI_Recv & from = procnum-1\n}\n";
    expect_about(took(8, 8, machine, pairs), 11, 1e-9);
}

/* A trunk of one cable that passes both directions; one that passes each for itself. */
static void directions_are_shared_or_not(void **state)
{
    (void)state;
    static const char both[] = HEAD GROUPS "resources:\n" PORTS
        "  - {scope: group, of: left, direction: both, demand: [[0, 0], [1000, 10]]}\n";
    static const char each[] = HEAD GROUPS "resources:\n" PORTS TRUNK("out", "10") TRUNK("in", "10");
    static const char program[] = "Runon c1 = procnum == 0 || procnum == 5 & c2 = procnum == 4 || procnum == 1\n{\n"
                                  "Message type = MPI_Send & to = procnum == 0 ? 4 : 1 & size = 1000\n}\n{\n"
                                  "Message type = MPI_Recv & from = procnum == 4 ? 0 : 5\n}\n";
    expect_about(took(8, 8, both, program), 21, 1e-9);
    expect_about(took(8, 8, each, program), 11, 1e-9);
}

/* A port of one queue passes what leaves its node and what enters it one after the other, in the order in which that comes: two that
 * exchange messages, and one that sends while another sends to it. Each message's own acknowledgement takes its 4 s of both ends before
 * the next, which is there 10 s later, comes in. */
static void directions_share_a_port_or_not(void **state)
{
    (void)state;
#define BOTH(more) HEAD "resources:\n  - {scope: node, direction: both, demand: [[0, 0], [1000, 10]]" more "}\n"
#define ACKNOWLEDGED ", acknowledgements: [[0, 0], [1000, 4]]"
    static const char each[] = HEAD "resources:\n" PORTS;
    static const char answering[] = HEAD "resources:\n  - {scope: node, direction: out, demand: [[0, 0], [1000, 10]]" ACKNOWLEDGED "}\n"
                                         "  - {scope: node, direction: in, demand: [[0, 0], [1000, 10]]" ACKNOWLEDGED "}\n";
    static const char exchange[] = "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 1000\n";
    static const char chain[] = "Runon c1 = procnum == 0 & c2 = procnum == 1 & c3 = procnum == 2\n{\n"
                                "Message type = MPI_Send & to = 1 & size = 1000\nMessage type = MPI_Recv & from = 2\n}\n"
                                "{\nMessage type = MPI_Recv & from = 0\n}\n{\nMessage type = MPI_Send & to = 0 & size = 1000\n}\n";
    static const char two[] = "Loop iterations = 2\n{\nRunon c1 = procnum == 0 & c2 = procnum == 1\n{\n"
                              "Message type = MPI_Send & to = 1 & size = 1000\n}\n{\nMessage type = MPI_Recv & from = 0\n}\n}\n";
    expect_about(took(2, 2, each, exchange), 11, 1e-9);
    expect_about(took(2, 2, BOTH(""), exchange), 20, 1e-9);
    expect_about(took(3, 3, each, chain), 11, 1e-9);
    expect_about(took(3, 3, BOTH(""), chain), 20, 1e-9);
    expect_about(took(2, 2, answering, two), 21, 1e-9);
    expect_about(took(2, 2, BOTH(ACKNOWLEDGED), two), 25, 1e-9);
    expect_about(took(4, 2, BOTH(""), "Runon c1 = procnum < 2 & else\n{\nMessage type = MPI_Send & to = procnum+2 & size = 1000\n}\n"
                                      "{\nMessage type = MPI_Recv & from = procnum-2\n}\n"), 21, 1e-9);
}

/* Of nodes with and without such ports each has its own: process 0's port serves both directions. */
static void nodes_differ_in_their_directions(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD "resources:\n  - {scope: node, direction: both, of: \"0\", demand: [[0, 0], [1000, 10]]}\n"
             "  - {scope: node, direction: out, of: \"1-7\", demand: [[0, 0], [1000, 10]]}\n"
             "  - {scope: node, direction: in, of: \"1-7\", demand: [[0, 0], [1000, 10]]}\n";
    char program[200];
    for (int first = 0; first < 2; first++) {
        snprintf(program, sizeof program,
                 "Runon c1 = procnum >= %d && procnum < %d\n{\nMessage type = MPI_Sendrecv & to = %d-procnum & from = %d-procnum & "
                 "size = 1000\n}\n", first, first + 2, 2 * first + 1, 2 * first + 1);
        expect_about(took(3, 3, machine, program), first == 0 ? 20 : 11, 1e-9);
    }
}

/* Process 0 sends so many messages of so many bytes to process 1, which has posted all its receives; above 2000 bytes they go in shares. */
static double took_over_rails(const char *resources, const char *operation, int n, int bytes)
{
    char machine[1500], program[600];
    snprintf(machine, sizeof machine, "%seager_limit: 2000\n%s", HEAD, resources);
    snprintf(program, sizeof program,
             "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nLoop iterations = %d\n{\nMessage type = %s & to = 1 & size = %d\n}\n"
             "Message type = MPI_Waitall\n}\n{\nLoop iterations = %d\n{\nMessage type = MPI_Irecv & from = 0\n}\n"
             "Message type = MPI_Waitall\n}\n", n, operation, bytes, n);
    return took(2, 2, machine, program);
}

#define RAILS(k) \
    "resources:\n  - {scope: node, direction: out, demand: [[0, 0], [1000, 10]], rails: " k "}\n" \
    "  - {scope: node, direction: in, demand: [[0, 0], [1000, 10]], rails: " k "}\n"

/* Each message that needs no permission goes by one rail: of two by the second, of three by the second, the first and the third; by
 * UCX all by the first; synchronous ones by turns. What is second on a rail waits for the first. */
static void short_messages_take_a_rail(void **state)
{
    (void)state;
    static const struct {
        const char *resources, *operation;
        int n;
        double later; /* than one alone */
    } cases[] = {{RAILS("1"), "MPI_Isend", 2, 10}, {RAILS("2"), "MPI_Isend", 2, 10}, {RAILS("3"), "MPI_Isend", 2, 0},
                 {RAILS("3"), "MPI_Isend", 3, 0}, {RAILS("3"), "MPI_Isend", 4, 10}, {RAILS("4"), "MPI_Isend", 3, 10},
                 {RAILS("3") "mpi: mpich\n", "MPI_Isend", 3, 20}, {RAILS("1"), "MPI_Issend", 2, 10},
                 {RAILS("2"), "MPI_Issend", 2, 0}, {RAILS("2"), "MPI_Issend", 3, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double one = took_over_rails(cases[i].resources, cases[i].operation, 1, 1000);
        expect_about(took_over_rails(cases[i].resources, cases[i].operation, cases[i].n, 1000), one + cases[i].later, 1e-9);
    }
}

/* A long one goes over all at once: the second waits for a share of the first on each. A node with fewer rails has those; one queue
 * may serve both directions of each. */
static void long_messages_share_the_rails(void **state)
{
    (void)state;
#define RAILS_OF(nodes, k) \
    "  - {scope: node, direction: out, of: \"" nodes "\", demand: [[0, 0], [1000, 10]], rails: " k "}\n" \
    "  - {scope: node, direction: in, of: \"" nodes "\", demand: [[0, 0], [1000, 10]], rails: " k "}\n"
    static const struct {
        const char *resources;
        double later;
    } cases[] = {{RAILS("1"), 120}, {RAILS("2"), 60}, {RAILS("3"), 40}, {"resources:\n" RAILS_OF("0", "3") RAILS_OF("1-7", "2"), 60},
                 {"resources:\n  - {scope: node, direction: both, demand: [[0, 0], [1000, 10]], rails: 2}\n", 60}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double one = took_over_rails(cases[i].resources, "MPI_Isend", 1, 12000);
        expect_about(took_over_rails(cases[i].resources, "MPI_Isend", 2, 12000), one + cases[i].later, 1e-9);
    }
}

/* A message of 10 ms goes from each of three hosts of one half to one of the other, and so much later another where the third went,
 * if not "". The trunk holds what it passes in `buffer`. */
static double took_through_a_trunk(const char *buffer, const char *later)
{
    char machine[1000], program[600], behind[300] = "";
    snprintf(machine, sizeof machine,
             "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n"
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, "
             "transit: 0.03 ms}, {bytes: 10000, transit: 10.03 ms}]}\n" GROUPS "resources:\n"
             "  - {scope: node, direction: out, demand: [[0, 0], [10000, 10 ms]]}\n"
             "  - {scope: node, direction: in, demand: [[0, 0], [10000, 10 ms]]}\n"
             "  - {scope: group, of: [left, right], direction: out, demand: [[0, 0], [10000, 10 ms]], "
             "buffer: %s, overflow: 1 ms}\n", buffer);
    if (later[0])
        snprintf(behind, sizeof behind,
                 "Runon c1 = procnum == 2 & c2 = procnum == 6\n{\nSerial time = %s\n"
                 "Message type = MPI_Send & to = 6 & size = 10000\n}\n{\nMessage type = MPI_Recv & from = 2\n}\n", later);
    snprintf(program, sizeof program,
             "Runon c1 = procnum < 3 & c2 = procnum >= 4 && procnum < 7\n{\nMessage type = MPI_Send & to = procnum+4 & size = 10000\n"
             "}\n{\nMessage type = MPI_Recv & from = procnum-4\n}\n%s", behind);
    return took(8, 8, machine, program);
}

/* The trunk has passed the first message as that is there, the second waits, and it has no room for the third. That comes again when
 * its acknowledgement is late by 0.2 s, a round trip being 5 ms at first; or as soon as one sent behind it is acknowledged, behind
 * that. */
static void what_a_trunk_loses_comes_again(void **state)
{
    (void)state;
    expect_about(took_through_a_trunk("25 ms", ""), 30.03e-3, 1e-12);
    expect_about(took_through_a_trunk("15 ms", ""), 10.03e-3 + 205e-3 + TIMER_TICK, TIMER_TICK); /* a timer's tick or two later */
    expect_about(took_through_a_trunk("15 ms", "50 ms"), 60.03e-3 + 10e-3, 1e-12);
}

/* Two of each half behind a trunk, and the halves behind two more. */
static void groups_of_groups_have_trunks(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD "topology: {groups: {a: \"0-1\", b: \"2-3\", c: \"4-7\", left: [a, b]}}\nresources:\n" PORTS
             "  - {scope: group, of: [a, b, c], direction: both, demand: [[0, 0], [1000, 5]]}\n"
             "  - {scope: group, of: left, direction: both, demand: [[0, 0], [1000, 10]]}\n";
    char text[400];
    expect_about(took(8, 8, machine, flows(text, 2)), 21, 1e-9);
    static const char inside[] = "Runon c1 = procnum < 2 & c2 = procnum < 4\n{\nMessage type = MPI_Send & to = "
        "procnum+2 & "
                                 "size = 1000\n}\n{\nMessage type = MPI_Recv & from = procnum-2\n}\n";
    expect_about(took(8, 8, machine, inside), 11 + 5, 1e-9);
}

/* Behind the trunk the receiver's port is as busy as if there were none. */
static void what_passes_a_trunk_waits_at_the_port_too(void **state)
{
    (void)state;
    static const char machine[] = HEAD GROUPS "resources:\n" PORTS TRUNK("both", "2");
    static const char gather[] = "Runon c1 = procnum == 7 & else\n{\nLoop iterations = numprocs-1 & var = "
        "i\n{\nMessage type "
                                 "= MPI_Recv & from = i\n}\n}\n{\nMessage type = MPI_Send & to = 7 & size = "
                                 "1000\n}\n";
    expect_about(took(8, 8, machine, gather), 71, 1e-9);
}

static void a_slow_receiver_holds_a_fast_sender(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD "resources:\n  - {scope: node, direction: out, demand: [[0, 0], [1000, 2]]}\n"
             "  - {scope: node, direction: in, of: \"0-3\", demand: [[0, 0], [1000, 2]]}\n"
             "  - {scope: node, direction: in, of: \"4-7\", demand: [[0, 0], [1000, 10]]}\n";
    static const char slow[] = "Runon c1 = procnum == 0 & c2 = procnum == 4\n{\nLoop iterations = 5\n{\nMessage "
        "type = "
                               "MPI_Send & to = 4 & size = 1000\n}\n}\n{\nLoop iterations = 5\n{\nMessage type "
                               "= MPI_Recv & from "
                               "= 0\n}\n}\n";
    static const char fast[] = "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nLoop iterations = 5\n{\nMessage "
        "type = "
                               "MPI_Send & to = 1 & size = 1000\n}\n}\n{\nLoop iterations = 5\n{\nMessage type "
                               "= MPI_Recv & from "
                               "= 0\n}\n}\n";
    expect_about(took(8, 8, machine, slow), 11 + 8 + 4 * 10, 1e-9);
    expect_about(took(8, 8, machine, fast), 11 + 4 * 2, 1e-9);
}

/* Transits are those of the quickest; what other idle ports add more than theirs come on top: the slower one of two. */
static void a_slow_port_makes_later(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD "resources:\n  - {scope: node, direction: out, of: \"0-3\", demand: [[0, 0], [1000, 3]], credit: 1}\n"
             "  - {scope: node, direction: out, of: \"4-7\", demand: [[0, 0], [1000, 10]], credit: 4}\n"
             "  - {scope: node, direction: in, of: \"0-3\", demand: [[0, 0], [1000, 3]], credit: 1}\n"
             "  - {scope: node, direction: in, of: \"4-7\", demand: [[0, 0], [1000, 10]], credit: 4}\n";
    static const char program[] = "Runon c1 = procnum == %d & c2 = procnum == %d\n{\nMessage type = MPI_Send & to = %d & size = "
                                  "1000\n}\n{\nMessage type = MPI_Recv & from = %d\n}\n";
    const struct { int from, to; double time; } cases[] = {{0, 1, 11}, {4, 0, 15}, {4, 5, 15}, {0, 4, 15}};
    for (int i = 0; i < 4; i++) {
        char text[400];
        snprintf(text, sizeof text, program, cases[i].from, cases[i].to, cases[i].to, cases[i].from);
        expect_about(took(8, 8, machine, text), cases[i].time, 1e-9);
    }
}

static void processes_of_a_node_share_its_loopback(void **state)
{
    (void)state;
    static const char bus[] =
        HEAD "resources:\n  - {scope: node, transport: node, direction: both, demand: [[0, 0], [1000, 10]]}\n";
    static const char pairs[] = "Runon c1 = procnum % 2 == 0 & else\n{\nMessage type = MPI_Send & to = "
        "procnum+1 & size = "
                                "1000\n}\n{\nMessage type = MPI_Recv & from = procnum-1\n}\n";
    expect_about(took(2, 1, bus, pairs), 11, 1e-9);
    expect_about(took(4, 1, bus, pairs), 21, 1e-9);
    expect_about(took(8, 2, bus, pairs), 21, 1e-9); /* each node has its own */
    expect_about(took(4, 4, bus, pairs), 11, 1e-9);      /* between nodes nothing passes it */
}

/* Two sockets of two processes; 1000 bytes keep busy for 10 s what messages within a socket pass, for 5 s what those pass
 * that leave or enter one, and for 2 s what all within a node pass. */
static void processes_of_a_socket_share_its_bus(void **state)
{
    (void)state;
#define SOCKETS(map) HEAD "sockets_per_node: 2\nsocket_map: " map "\nresources:\n"
#define OF_SOCKET "  - {scope: socket, transport: socket, direction: both, demand: [[0, 0], [1000, 10]]}\n"
#define BETWEEN(direction) "  - {scope: socket, transport: node, direction: " direction ", demand: [[0, 0], [1000, 5]]}\n"
#define OF_NODE "  - {scope: node, transport: node, direction: both, demand: [[0, 0], [1000, 2]]}\n"
    static const char pairs[] = "Runon c1 = procnum % 2 == 0 & else\n{\nMessage type = MPI_Send & to = procnum+1 & size = 1000\n}\n"
                                "{\nMessage type = MPI_Recv & from = procnum-1\n}\n";
    static const char halves[] = "Runon c1 = procnum < 2 & else\n{\nMessage type = MPI_Send & to = procnum+2 & size = 1000\n}\n"
                                 "{\nMessage type = MPI_Recv & from = procnum-2\n}\n";
    static const char around[] = "Runon c1 = procnum == 0 || procnum == 3 & c2 = procnum == 2 & c3 = procnum == 1\n"
                                 "{\nMessage type = MPI_Send & to = procnum == 0 ? 2 : 1 & size = 1000\n}\n"
                                 "{\nMessage type = MPI_Recv & from = 0\n}\n{\nMessage type = MPI_Recv & from = 3\n}\n";
    expect_about(took(4, 1, SOCKETS("block") OF_SOCKET, pairs), 11, 1e-9); /* each within a socket */
    expect_about(took(4, 1, SOCKETS("cyclic") OF_SOCKET, pairs), 11, 1e-9); /* between two: nothing passes it */
    expect_about(took(8, 1, SOCKETS("block") OF_SOCKET, pairs), 21, 1e-9); /* two within each */
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("out"), halves), 16, 1e-9); /* both leave one */
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("in"), halves), 16, 1e-9);
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("both"), halves), 16, 1e-9);
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("out"), around), 11, 1e-9); /* each another's */
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("both"), around), 16, 1e-9);
    expect_about(took(4, 1, SOCKETS("block") BETWEEN("both"), pairs), 11, 1e-9); /* within a socket nothing passes it */
    expect_about(took(4, 1, SOCKETS("block") OF_NODE, pairs), 13, 1e-9);
    expect_about(took(4, 1, SOCKETS("block") OF_NODE, halves), 13, 1e-9);
    expect_about(took(8, 1, SOCKETS("block") OF_SOCKET OF_NODE, pairs), 21, 1e-9);
}

static void processes_of_a_node_share_its_port(void **state)
{
    (void)state;
    static const char own[] = HEAD "resources:\n  - {scope: process, direction: out, demand: [[0, 0], [1000, 10]]}\n";
    static const char shared[] = HEAD "resources:\n" PORT("out");
    static const char program[] = "Runon c1 = procnum < 2 & else\n{\nMessage type = MPI_Send & to = procnum+2 & "
        "size = "
                                  "1000\n}\n{\nMessage type = MPI_Recv & from = procnum-2\n}\n";
    expect_about(took(4, 2, own, program), 11, 1e-9);
    expect_about(took(4, 2, shared, program), 21, 1e-9);
}

/* The one of the first message takes 4 s of the trunk at 11, beside a message of process 1, and so the answer, which comes there at 22,
 * waits. */
static void acknowledgements_take_the_trunk_back(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD GROUPS "resources:\n" PORTS
        "  - {scope: group, of: left, direction: out, demand: [[0, 0], [1000, 10]], acknowledgements: [[0, 0], [1000, 4]]}\n";
    static const char program[] =
        "Runon c1 = procnum == 4 & c2 = procnum == 0\n{\nMessage type = MPI_Send & to = 0 & size = 1000\n"
        "Message type = MPI_Recv & from = 0\n}\n{\nMessage type = MPI_Recv & from = 4\n"
        "Message type = MPI_Send & to = 4 & size = 1000\n}\n"
        "Runon c1 = procnum == 1 & c2 = procnum == 5\n{\nMessage type = MPI_Send & to = 5 & size = 1000\n}\n"
        "{\nMessage type = MPI_Recv & from = 1\n}\n";
    expect_about(took(8, 8, machine, program), 11 + 4 + 10, 1e-9);
}

/* Several messages at once may be measured quicker than the quickest alone, or be taken for it beyond the sizes measured;
 * at the moment at which a message's level is counted it cannot have been there already. */
static void nothing_arrives_before_now(void **state)
{
    (void)state;
    static const char machine[] =
        HEAD "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, level: 2, sizes: [{bytes: 0, transit: 1}, {bytes: "
             "1000, transit: 3}]}\nresources:\n" PORTS;
    static const char exchange[] = "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 1000\n";
    const struct scene scene = {.numprocs = 2, .nodes = 1, .ppn = 2, .contention = CONTENTION_ports};
    expect_ends(scene, exchange, machine, (const double[]){11, 11});
}

/* Two processes of a node exchange messages with two of another, through ports that they share and that acknowledgements keep
 * busy. Either port is fed by the other one alone, no faster than it passes, so how little it holds is worth 3 ms at most: that
 * much connections lose which begin with fewer frames where ports may lose some; false losses cost 5.6. */
static double exchanged_by_two_nodes(const char *buffer)
{
    char machine[1200];
#define TWO_NODES_PORT(direction) \
    "  - {scope: node, direction: " direction ", demand: [[0, 0], [10000, 10 ms]], acknowledgements: [[0, 0], [10000, 2 ms]]"
    snprintf(machine, sizeof machine,
             "pevpm_machine: 2\nname: m\nnodes: 2\nprocesses_per_node: 2\npoint_to_point:\n"
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: "
             "0.03 ms}, {bytes: 10000, transit: 10.03 ms}]}\nresources:\n"
             TWO_NODES_PORT("out") "}\n" TWO_NODES_PORT("in") "%s}\n", buffer);
    return took(4, 2, machine,
                "Loop iterations = 3\n{\nMessage type = MPI_Sendrecv & to = (procnum+2)%numprocs & from = "
                "(procnum+2)%numprocs & size = 20000 & recv_size = 20000\n}\n");
}

static void what_one_port_brings_overflows_none_as_quick(void **state)
{
    (void)state;
    const double expected = exchanged_by_two_nodes("");
    expect_about(exchanged_by_two_nodes(", buffer: 8 ms, overflow: 1 ms"), expected, 3e-3);
    expect_about(exchanged_by_two_nodes(", buffer: 5 ms, overflow: 1 ms"), expected, 3e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_port_brings_overflows_none_as_quick),
        cmocka_unit_test(a_trunk_of_a_ports_rate_halves_two_flows),
        cmocka_unit_test(a_trunk_of_twice_the_rate_passes_two_in_the_time_of_one),
        cmocka_unit_test(an_idle_trunk_adds_nothing),
        cmocka_unit_test(messages_within_a_group_pass_no_trunk),
        cmocka_unit_test(directions_are_shared_or_not),
        cmocka_unit_test(directions_share_a_port_or_not),
        cmocka_unit_test(nodes_differ_in_their_directions),
        cmocka_unit_test(short_messages_take_a_rail),
        cmocka_unit_test(long_messages_share_the_rails),
        cmocka_unit_test(what_a_trunk_loses_comes_again),
        cmocka_unit_test(groups_of_groups_have_trunks),
        cmocka_unit_test(what_passes_a_trunk_waits_at_the_port_too),
        cmocka_unit_test(a_slow_receiver_holds_a_fast_sender),
        cmocka_unit_test(a_slow_port_makes_later),
        cmocka_unit_test(processes_of_a_node_share_its_loopback),
        cmocka_unit_test(processes_of_a_socket_share_its_bus),
        cmocka_unit_test(processes_of_a_node_share_its_port),
        cmocka_unit_test(acknowledgements_take_the_trunk_back),
        cmocka_unit_test(nothing_arrives_before_now),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
