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

/* Who is first among those that wake at one moment is drawn by delaying each by less than that. */
static const double ONE_MOMENT = 1e-6;

static void expect_about(double found, double expected)
{
    if (!(found >= expected - 1e-9 && found <= expected + 2 * ONE_MOMENT))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void expect(int numprocs, const char *program, const char *machine, const double expected[])
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_ports};
    const struct ends ends = play_ends(scene, program, machine);
    for (int i = 0; i < numprocs; i++)
        expect_about(ends.at[i], expected[i]);
}

static void those_that_wake_wait_for_one_another(void **state)
{
    (void)state;
#define SENDERS(a, b, c) \
    BY("0") WORK(a) SEND("3") END BY("1") WORK(b) SEND("3") END BY("2") WORK(c) SEND("3") END BY("3") RECV RECV RECV END
    /* awake at 10, 14 and 18 */
    expect(4, SENDERS("10", "10.1", "10.2"), HEAD WAKING, (double[]){11, 15, 19, 28});
    /* in the order of time, not of processes */
    expect(4, SENDERS("12", "11", "10"), HEAD WAKING, (double[]){19, 15, 11, 28});
    /* far enough apart nobody waits */
    expect(4, SENDERS("10", "14", "18"), HEAD WAKING, (double[]){11, 15, 19, 28});
    expect(4, SENDERS("10", "30", "20"), HEAD WAKING, (double[]){11, 31, 21, 40});
#undef SENDERS
}

/* All have rested before a program begins. Of those that are to wake at one moment each is the first as often. */
static void a_program_begins_with_waking(void **state)
{
    (void)state;
    expect(2, BY("0") SEND("1") END BY("1") WORK("1") RECV END, HEAD WAKING, (double[]){1, 10});
    int first[3] = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct scene scene = {.numprocs = 3, .contention = CONTENTION_ports, .seed = seed};
        const struct ends ends = play_ends(scene, BY("2") RECV RECV END "Runon c1 = procnum < 2\n{\n" SEND("2") END, HEAD WAKING);
        const double last = ends.at[0] > ends.at[1] ? ends.at[0] : ends.at[1], least = ends.at[0] + ends.at[1] - last;
        const int receiver = least > 3 ? 0 : last > 6 ? 1 : 2; /* which of the three it is */
        expect_about(least, receiver == 0 ? 5 : 1);
        expect_about(last, receiver == 2 ? 5 : 9);
        expect_about(ends.at[2], last - 1 + 10);
        first[receiver == 0 ? 2 : ends.at[0] > ends.at[1]]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(first[i], 75, 125); /* 100 on average, sd 8.2 */
}

/* What a process sleeps too long, its next computation is shorter by. */
static void a_computation_as_a_whole_takes_what_it_says(void **state)
{
    (void)state;
#define AGAIN(a, b) \
    BY("0") WORK("10") SEND("1") WORK(a) SEND("1") WORK(b) END BY("1") RECV RECV RECV END BY("2") WORK("9.5") SEND("1") END
    /* awake at 13.5, and 3.5 less to compute then */
    expect(3, AGAIN("10", "5"), HEAD WAKING, (double[]){10 + 1 + 10 + 1 + 5, 31, 10.5});
    /* a computation too short to make up for all of it, and no rest either */
    expect(3, AGAIN("3", "5"), HEAD WAKING, (double[]){13.5 + 1 + 1 + (5 - 0.5), 24.5, 10.5});
#undef AGAIN
}

/* What neither sends nor waits wakes nobody: the next call that does. */
static void calls_that_meet_nobody_leave_waking_to_the_next(void **state)
{
    (void)state;
#define NOTHING \
    "Message type = MPI_Send & to = MPI_PROC_NULL & size = 8\nMessage type = MPI_Recv & from = MPI_PROC_NULL\n"
    expect(1, BY("0") WORK("10") NOTHING END, HEAD WAKING, (double[]){10});
#define POST(from) "Message type = MPI_Irecv & from = " from "\n"
    expect(3, BY("0") WORK("10") NOTHING SEND("1") END BY("1") WORK("30") POST("0") POST("2") END BY("2") WORK("9.5") SEND("1") END,
           HEAD WAKING, (double[]){13.5 + 1, 30, 10.5});
    expect(3, BY("0") WORK("10") NOTHING SEND("1") END BY("1") WORK("9.5") POST("0") END BY("2") WORK("9.5") NOTHING END, HEAD WAKING,
           (double[]){11, 9.5, 9.5});
#undef POST
#undef NOTHING
}

/* Processes that wake and messages keep the same processors busy, 1 s each message but the first of who has been awoken. */
static void messages_wait_for_those_that_wake(void **state)
{
    (void)state;
#define SHARED HEAD "resources: [{scope: all, demand: [[0, 1]], wake: [[0, 0], [10, 4]]}]\n"
    /* process 1 is awake at 14: what process 0 sends at 10 is in what its own waking took */
    expect(3, BY("0") WORK("10") SEND("2") END BY("1") WORK("10.5") SEND("2") END BY("2") RECV RECV END, SHARED,
                (double[]){11, 15, 24});
    /* and what it sends at 11 is through at 15 */
    expect(4, BY("0") WORK("10") SEND("2") SEND("2") END BY("1") WORK("10.5") SEND("3") END BY("2") RECV RECV END BY("3") RECV END,
                SHARED, (double[]){12, 15, 25, 24});
#undef SHARED
    /* waking for 0.4 s takes that of the message, too */
#define LITTLE HEAD "resources: [{scope: all, demand: [[0, 1]], wake: [[0, 0], [10, 0.4]]}]\n"
    expect(3, BY("0") WORK("10") SEND("2") END BY("1") WORK("10.5") SEND("2") END BY("2") RECV RECV END, LITTLE,
           (double[]){11, 12, 21.6});
#undef LITTLE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_wake_wait_for_one_another),
        cmocka_unit_test(a_program_begins_with_waking),
        cmocka_unit_test(a_computation_as_a_whole_takes_what_it_says),
        cmocka_unit_test(messages_wait_for_those_that_wake),
        cmocka_unit_test(calls_that_meet_nobody_leave_waking_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
