/* Tests and Iprobes (engine/timed/process/look.h) between computations, also beside collectives with a request. A message is there
 * 1 s, and what a port takes for it, behind its send. */
#include "engine/tests/play.h"

#define ENTRY(nodes, ppn)                                                                                                   \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: " nodes ", processes_per_node: " ppn ", sizes: [{bytes: 0, transit: 1, " \
    "send_overhead: 0}, {bytes: 100, transit: 2, send_overhead: 0}, {bytes: 1000, transit: 13, send_overhead: 3}]}\n"
#define PORT(direction) "  - {scope: node, direction: " direction ", demand: [[0, 0], [100, 1], [1000, 10]], acknowledgements: [[0, 0]]}\n"
#define MACHINE(more) \
    "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 4\n" more "point_to_point:\n" ENTRY("2", "1") \
    ENTRY("1", "2") "resources:\n" PORT("out") PORT("in")

/* Rounds of 4 s until the request is complete, with a look behind each. */
#define EVERY_4(look) "Set f = 0\nLoop while = f == 0\n{\nSerial time = 4\n" look "}\n"
#define TEST EVERY_4("Message type = MPI_Test & request = c & flag = f\n")
#define CHAIN "Collective type = MPI_Ibcast & size = 100 & root = 0 & request = c & algorithm = chain\n"
#define ROOT_WAITS(others) \
    "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Wait & request = c\n}\n{\n" others "}\n"

/* What looks take that find nothing. */
static const double LOOKS = 1e-6;

static void expect_about(bool together, const char *machine, const char *program, const double expected[3])
{
    const struct scene scene = {.numprocs = 3, .contention = CONTENTION_ports, .nodes = together ? 1 : 3,
                                .ppn = together ? 3 : 1};
    const struct ends ends = play_ends(scene, program, machine);
    for (int i = 0; i < 3; i++)
        if (!(fabs(ends.at[i] - expected[i]) <= LOOKS))
            fail_msg("process %d ends at %.17g, expected %g\n%s", i, ends.at[i], expected[i], program);
}

/* Process 1 has the message at 2 and reads it at 4; at 8 it passes it on, and process 2 has it at 10, reads it at 12 and is done at
 * 16. With a thread that sees to all, or where transports are read first, each is done as it reads. */
static void a_collective_goes_on_with_what_was_read_before(void **state)
{
    (void)state;
    static const double late[] = {0, 8, 16}, at_once[] = {0, 4, 8};
    expect_about(false, MACHINE(""), CHAIN ROOT_WAITS(TEST), late);
    expect_about(false, MACHINE("mpi: mpich\n"), CHAIN ROOT_WAITS(TEST), late);
    expect_about(false, MACHINE("progress: async\n"), CHAIN ROOT_WAITS(TEST), at_once);
    expect_about(true, MACHINE(""), CHAIN ROOT_WAITS(TEST), at_once);
    expect_about(true, MACHINE("mpi: mpich\n"), CHAIN ROOT_WAITS(TEST), late);
}

/* Whatever call has read it: a test of something else at 3, or a wait, where it goes on at once. */
static void any_call_that_looks_reads_it(void **state)
{
    (void)state;
    static const char program[] = CHAIN ROOT_WAITS(
        "Runon c1 = procnum == 1 & else\n{\nMessage type = MPI_Irecv & from = 2 & tag = 1 & request = other\nSerial time = 3\n"
        "Message type = MPI_Test & request = other & flag = f\nSerial time = 1\nMessage type = MPI_Test & request = c & flag = f\n"
        "Serial time = 100*(1-f)\nMessage type = MPI_Wait & request = other\n}\n{\n"
        "Message type = MPI_Wait & request = c\nMessage type = MPI_Send & to = 1 & size = 0 & tag = 1\n}\n");
    expect_about(false, MACHINE(""), program, (double[]){0, 7, 6});
}

/* The request of a message is complete in the test that reads it. */
static void a_receive_is_complete_as_it_is_read(void **state)
{
    (void)state;
    static const char program[] =
        "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nMessage type = MPI_Send & to = 1 & size = 100\n}\n{\n"
        "Message type = MPI_Irecv & from = 0 & request = c\n" TEST "}\n";
    expect_about(false, MACHINE(""), program, (double[]){0, 4, 0});
}

/* Process 1 permits at 1, and process 0 has that at 2: at 4 its host takes the data, in 3, and they are there at 4 + 12; at 8 the send
 * is known to be over. */
static void data_that_a_host_took_in_a_look_are_known_in_the_next(void **state)
{
    (void)state;
    static const char program[] =
        "Collective type = MPI_Ibcast & size = 1000 & root = 0 & request = c & algorithm = chain\n"
        "Runon c1 = procnum == 0 & else\n{\n" TEST "}\n{\nMessage type = MPI_Wait & request = c\n}\n";
    const struct scene scene = {.numprocs = 2, .contention = CONTENTION_ports};
    const struct ends ends = play_ends(scene, program, MACHINE("eager_limit: 500\n"));
    assert_true(fabs(ends.at[0] - 8) <= LOOKS);
    assert_true(fabs(ends.at[1] - 15) <= LOOKS);
}

/* The message is there at 2: the Iprobe at 4 reads it, and that at 8 finds it, or at 4 where a test at 3 has read it. */
static void an_iprobe_finds_what_was_read_before(void **state)
{
    (void)state;
#define SENT(looks) "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nMessage type = MPI_Send & to = 1 & size = 100\n}\n{\n" looks "}\n"
#define IPROBE EVERY_4("Message type = MPI_Iprobe & from = %s & flag = f\n")
    static const char *const sources[] = {"0", "MPI_ANY_SOURCE"};
    static const char *const machines[] = {MACHINE(""), MACHINE("mpi: mpich\n"), MACHINE("progress: async\n")};
    for (int source = 0; source < 2; source++)
        for (int machine = 0; machine < 3; machine++)
            for (int together = 0; together < 2; together++) {
                char program[400];
                snprintf(program, sizeof program, SENT(IPROBE), sources[source]);
                expect_about(together, machines[machine], program, (double[]){0, machine < 2 ? 8 : 4, 0});
            }
    expect_about(false, MACHINE(""), SENT("Message type = MPI_Irecv & from = 2 & request = other\nSerial time = 3\n"
                                          "Message type = MPI_Test & request = other & flag = f\nSerial time = 1\n"
                                          "Message type = MPI_Iprobe & from = 0 & flag = f\nSerial time = 100*(1-f)\n"),
                 (double[]){0, 4, 0});
#undef IPROBE
#undef SENT
}

/* At 4 process 1 reads the message of the chain, at 8 it passes it on. */
static void collectives_go_on_in_an_iprobe_too(void **state)
{
    (void)state;
#define LOOK "Serial time = 4\nMessage type = MPI_Iprobe & from = 2 & tag = 9 & flag = f\n"
    expect_about(false, MACHINE(""),
                 CHAIN "Runon c1 = procnum == 1\n{\n" LOOK LOOK "Serial time = 12\n}\nMessage type = MPI_Wait & request = c\n",
                 (double[]){0, 20, 10});
#undef LOOK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_collective_goes_on_with_what_was_read_before),
        cmocka_unit_test(any_call_that_looks_reads_it),
        cmocka_unit_test(a_receive_is_complete_as_it_is_read),
        cmocka_unit_test(data_that_a_host_took_in_a_look_are_known_in_the_next),
        cmocka_unit_test(an_iprobe_finds_what_was_read_before),
        cmocka_unit_test(collectives_go_on_in_an_iprobe_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
