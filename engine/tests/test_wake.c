/* Processes that wake on processors which all nodes share: after 10 s and more of rest waking takes 4 s of them. A message is
 * there after 10 s, its send takes 1 s. */
#include "engine/tests/play.h"

#define HEAD "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n" \
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 1000, " \
             "transit: 10, send_overhead: 1, receive_overhead: 0.5}]}\n"
#define WAKING "resources: [{scope: all, demand: [[0, 0]], wake: [[0, 0], [10, 4]]}]\n"

#define BY(n)    "Runon c1 = procnum == " n "\n{\n"
#define END      "}\n"
#define WORK(s)  "Serial time = " s "\n"
#define SEND(to) "Message type = MPI_Send & to = " to " & size = 1000\n"
#define RECV     "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n"

static void expect(int numprocs, const char *program, const char *more, const double ends[])
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_ports};
    char machine[2000];
    snprintf(machine, sizeof machine, "%s%s", HEAD WAKING, more);
    expect_ends(scene, program, machine, ends);
}

static void those_that_wake_wait_for_one_another(void **state)
{
    (void)state;
#define SENDERS(a, b, c) \
    BY("0") WORK(a) SEND("3") END BY("1") WORK(b) SEND("3") END BY("2") WORK(c) SEND("3") END BY("3") RECV RECV RECV END
    /* awake at 14, 18 and 22 */
    expect(4, SENDERS("10", "10.1", "10.2"), "", (double[]){15, 19, 23, 32});
    /* in the order of time, not of processes */
    expect(4, SENDERS("12", "11", "10"), "", (double[]){23, 19, 15, 32});
    /* far enough apart nobody waits */
    expect(4, SENDERS("10", "14", "18"), "", (double[]){15, 19, 23, 32});
    expect(4, SENDERS("10", "30", "20"), "", (double[]){15, 35, 25, 44});
#undef SENDERS
}

/* All have rested before a program begins. Of those that are to wake at one moment each is the first as often. */
static void a_program_begins_with_waking(void **state)
{
    (void)state;
    expect(2, BY("0") SEND("1") END BY("1") WORK("1") RECV END, "", (double[]){4 + 1, 4 + 10});
    int first[3] = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct scene scene = {.numprocs = 3, .contention = CONTENTION_ports, .seed = seed};
        const struct ends ends = play_ends(scene, BY("2") RECV RECV END "Runon c1 = procnum < 2\n{\n" SEND("2") END, HEAD WAKING);
        const double last = ends.at[0] > ends.at[1] ? ends.at[0] : ends.at[1], least = ends.at[0] + ends.at[1] - last;
        const int receiver = least > 6 ? 0 : last > 10 ? 1 : 2; /* which of the three it is */
        expect_time(least, receiver == 0 ? 9 : 5);
        expect_time(last, receiver == 2 ? 9 : 13);
        expect_time(ends.at[2], last - 1 + 10);
        first[receiver == 0 ? 2 : ends.at[0] > ends.at[1]]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(first[i], 75, 125); /* 100 on average, sd 8.2 */
}

/* What a process sleeps too long, its next computation is shorter by. */
static void a_computation_as_a_whole_takes_what_it_says(void **state)
{
    (void)state;
#define AGAIN(a, b) BY("0") WORK("10") SEND("1") WORK(a) SEND("1") WORK(b) END BY("1") RECV RECV END
    /* awake at 14, in the second computation until 15 + 10 - 4, which is a rest of 6, and awake 2.4 later */
    expect(2, AGAIN("10", "5"), "", (double[]){23.4 + 1 + (5 - 2.4), 33.4});
    /* a computation too short to make up for all of it, and no rest either */
    expect(2, AGAIN("3", "5"), "", (double[]){15 + 1 + (5 - 1), 25});
#undef AGAIN
}

/* What neither sends nor waits wakes nobody: the next call that does. */
static void calls_that_meet_nobody_leave_waking_to_the_next(void **state)
{
    (void)state;
#define NOTHING \
    "Message type = MPI_Send & to = MPI_PROC_NULL & size = 8\nMessage type = MPI_Recv & from = MPI_PROC_NULL\n"
    expect(1, BY("0") WORK("10") NOTHING END, "", (double[]){10});
    expect(2, BY("0") WORK("10") NOTHING SEND("1") END BY("1") WORK("30") "Message type = MPI_Irecv & from = 0\n" END, "",
           (double[]){14 + 1, 30});
#undef NOTHING
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_wake_wait_for_one_another),
        cmocka_unit_test(a_program_begins_with_waking),
        cmocka_unit_test(a_computation_as_a_whole_takes_what_it_says),
        cmocka_unit_test(calls_that_meet_nobody_leave_waking_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
