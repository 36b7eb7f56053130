/* Waits and tests among requests of all kinds: messages, MPI_PROC_NULL, collectives that are under way. Times in s. */
#include "engine/tests/play.h"

#include "collectives/schedule.h"

/* T(M) = 3 + M / 4: T(24) = 9, T(4) = 4. LogGP: every term counts. */
static const char models[] =
    "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\nreduction: {gamma: \"0.0625 s\"}\n"
    "models: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}, "
    "loggp: {L: \"10 s\", o_s: \"1 s\", o_r: \"2 s\", g: \"6 s\", G: \"0.5 s\"}}\n";

static struct scene hockney_scene(int numprocs)
{
    return (struct scene){.numprocs = numprocs, .model = "hockney"};
}

/* ---- collectives ---- */

#define IBCAST(name, root, size) \
    "Collective type = MPI_Ibcast & size = " size " & root = " root " & request = " name " & algorithm = chain\n"
#define NOTE(seconds, condition) "Runon c1 = " condition "\n{\nSerial time = " seconds "\n}\n"

/* With nothing else to do, every wait ends when the blocking operation would. */
static void a_request_ends_as_its_blocking_form(void **state)
{
    (void)state;
    static const char *const waits[] = {"Wait", "Waitall", "Waitany", "Waitsome"};
    static const struct {
        enum collective_op op;
        const char *blocking, *keys;
    } ops[] = {{COLLECTIVE_MPI_Ibcast, "MPI_Bcast", " & size = 24 & root = 1"},
               {COLLECTIVE_MPI_Iallreduce, "MPI_Allreduce", " & size = 80"},
               {COLLECTIVE_MPI_Ibarrier, "MPI_Barrier", ""},
               {COLLECTIVE_MPI_Iscatter, "MPI_Scatter", " & size = 24 & root = 1"},
               {COLLECTIVE_MPI_Igather, "MPI_Gather", " & size = 24 & root = 1"},
               {COLLECTIVE_MPI_Iallgather, "MPI_Allgather", " & size = 24"},
               {COLLECTIVE_MPI_Ireduce, "MPI_Reduce", " & size = 80 & root = 1"},
               {COLLECTIVE_MPI_Ialltoall, "MPI_Alltoall", " & size = 24"},
               {COLLECTIVE_MPI_Iscan, "MPI_Scan", " & size = 80"},
               {COLLECTIVE_MPI_Iexscan, "MPI_Exscan", " & size = 80"},
               {COLLECTIVE_MPI_Iscatterv, "MPI_Scatterv", " & size = 24*(1+partner%3) & root = 1"},
               {COLLECTIVE_MPI_Igatherv, "MPI_Gatherv", " & size = 8*(1+procnum) & root = 1"},
               {COLLECTIVE_MPI_Iallgatherv, "MPI_Allgatherv", " & size = 8*(1+procnum%4)"},
               {COLLECTIVE_MPI_Ireduce_scatter, "MPI_Reduce_scatter", " & size = 8*(1+procnum%3)"},
               {COLLECTIVE_MPI_Ireduce_scatter_block, "MPI_Reduce_scatter_block", " & size = 24"},
               {COLLECTIVE_MPI_Ialltoallv, "MPI_Alltoallv", " & size = 8*((procnum+2*partner)%3)"},
               {COLLECTIVE_MPI_Ialltoallw, "MPI_Alltoallw", " & size = 8*((procnum+2*partner)%3)"}};
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (int a = 0; a < N_ALGORITHMS; a++)
            for (int w = 0; schedule_exists(ops[o].op, (enum algorithm)a) && w < 4; w++) {
                char program[300], expected[300];
                struct scene scene = {.numprocs = 6, .model = "loggp"};
                const char *name = algorithm_name((enum algorithm)a);
                snprintf(expected, sizeof expected, "Collective type = %s%s & algorithm = %s\nSerial time = 1\n",
                         ops[o].blocking, ops[o].keys, name);
                snprintf(program, sizeof program,
                         "Collective type = %s%s & algorithm = %s & request = r\nMessage type = MPI_%s & request = r\n"
                         "Serial time = 1\n",
                         collective_op_name(ops[o].op), ops[o].keys, name, waits[w]);
                expect_ends(scene, program, models, play_ends(scene, expected, models).at);
            }
}

/* Process 2 waits for a message of process 3, which comes at `late` + 4, and for the end of a chain, at 18. */
#define WAITANY(late)                                                                                      \
    "Runon c1 = procnum == 3\n{\nSerial time = " late "\nMessage type = MPI_Send & to = 2 & size = 4\n}\n" \
    "Runon c1 = procnum == 2\n{\nMessage type = MPI_Irecv & from = 3 & size = 4 & request = r\n}\n"        \
    IBCAST("b", "0", "24")                                                                                 \
    "Runon c1 = procnum == 2 & else\n{\n"                                                                  \
    "Message type = MPI_Waitany & request = (r, b) & index = first\n"                                      \
    NOTE("100", "first == 0") NOTE("200", "first == 1")                                                    \
    "Message type = MPI_Waitany & request = (r, b) & index = first\n"                                      \
    NOTE("1000", "first == 0") NOTE("2000", "first == 1")                                                  \
    "Message type = MPI_Waitany & request = (r, b) & index = first\n" NOTE("10000", "first == -1")         \
    "}\n{\nMessage type = MPI_Wait & request = b\n}\n"

static void a_waitany_takes_what_completes_first(void **state)
{
    (void)state;
    struct scene four = hockney_scene(4);
    /* the message at 4; then the chain's message is there, and process 2 passes it on at once, to 3 at 104 + 9 */
    expect_ends(four, WAITANY("0"), models, (double[]){0, 9, 4 + 100 + 2000 + 10000, 104 + 9});
    /* the chain at 18, passed on then; the message at 20 */
    expect_ends(four, WAITANY("16"), models, (double[]){0, 9, 18 + 200 + 1000 + 10000, 27});
    /* both at 18: the one that was posted first */
    expect_ends(four, WAITANY("14"), models, (double[]){0, 9, 18 + 100 + 2000 + 10000, 118 + 9});
}

static void collectives_do_not_wait_for_one_another(void **state)
{
    (void)state;
    /* Process 0 comes at 100. Its chain 0, 1, 2, 3 takes until 127; the one from 1 by 2 and 3 to 0 is there by then. */
    static const char all[] =
        "Runon c1 = procnum == 0\n{\nSerial time = 100\n}\n" IBCAST("a", "0", "24") IBCAST("b", "1", "24");
    char program[1000];
    snprintf(program, sizeof program, "%sMessage type = MPI_Waitall & request = (a, b)\n", all);
    expect_ends(hockney_scene(4), program, models, (double[]){100, 109, 118, 127});
    snprintf(program, sizeof program, "%sMessage type = MPI_Waitall\n", all);
    expect_ends(hockney_scene(4), program, models, (double[]){100, 109, 118, 127});
    /* the second is over first: process 3 has it at 18, the other at 127 */
    snprintf(program, sizeof program,
             "%sRunon c1 = procnum == 3 & else\n{\n"
             "Message type = MPI_Waitany & request = (a, b) & index = first\n" NOTE("1", "first == 1")
             "Message type = MPI_Waitany & request = (a, b) & index = first\n" NOTE("2", "first == 0")
             "}\n{\nMessage type = MPI_Waitall & request = (a, b)\n}\n", all);
    expect_ends(hockney_scene(4), program, models, (double[]){100, 109, 118, 129});
    /* the same of costed as a whole */
    static const char whole[] =
        "pevpm_machine: 1\nname: m\nnodes: 4\nmodels: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n"
        "collectives:\n  MPI_Bcast: {measured: [{numprocs: 4, bytes: 24, time: \"7 s\"}]}\n";
    expect_ends(hockney_scene(4),
                "Runon c1 = procnum == 0\n{\nSerial time = 100\n}\n"
                "Collective type = MPI_Ibcast & size = 24 & root = 0 & request = a\n"
                "Collective type = MPI_Ibcast & size = 24 & root = 1 & request = b\n"
                "Message type = MPI_Waitany & request = (a, b) & index = first\n" NOTE("1", "first == 1")
                "Message type = MPI_Waitall & request = (a, b)\n",
                whole, (double[]){107, 107, 107, 107});
}

/* Process 1 passes a chain's message on at 9 whatever it waits for, and process 2 has it at 18; only then does 2 come to what
 * 1 waits for. The standard has such an example (MPI 3.1, section 5.12: MPI_Ibarrier, then MPI_Recv). */
static void collectives_go_on_whatever_their_process_waits_for(void **state)
{
    (void)state;
    static const char *const waits[] = {
        "Message type = MPI_Recv & from = 2 & got_size = n & source = s\n" NOTE("0", "n == 4 && s == 2"),
        "Message type = MPI_Irecv & from = 2 & request = r\nMessage type = MPI_Wait & request = r\n",
        "Message type = MPI_Irecv & from = 2 & request = r\nMessage type = MPI_Waitany & request = r\n",
        "Message type = MPI_Sendrecv & to = MPI_PROC_NULL & size = 4 & from = 2\n",
        "Message type = MPI_Probe & from = MPI_ANY_SOURCE\nMessage type = MPI_Recv & from = 2\n",
        "Message type = MPI_Mprobe & from = 2 & message = m\nMessage type = MPI_Mrecv & message = m\n"};
    static const char *const sends[] = {
        "Message type = MPI_Ssend & to = 2 & size = 24\n", "Message type = MPI_Send & to = 2 & size = 24\n",
        "Message type = MPI_Issend & to = 2 & size = 24 & request = r\nMessage type = MPI_Wait & request = r\n"};
    static const char program[] = IBCAST("b", "0", "24")
        "Runon c1 = procnum == 1 & c2 = procnum == 2\n{\n%s" "Serial time = 50\n}\n{\nMessage type = MPI_Wait & request = b\n%s}\n"
        "Message type = MPI_Wait & request = b\n";
    char text[1000], waiting[400];
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        const double looks = strstr(waits[i], "robe") ? 1e-9 : 0;
        snprintf(text, sizeof text, program, waits[i], "Message type = MPI_Send & to = 1 & size = 4\n");
        expect_ends(hockney_scene(3), text, models, (double[]){0, 22 + looks + 50, 18});
    }
    snprintf(waiting, sizeof waiting, "eager_limit: 8\n%s", models);
    for (size_t i = 0; i < sizeof sends / sizeof *sends; i++) {
        snprintf(text, sizeof text, program, sends[i], "Message type = MPI_Recv & from = 1\n");
        const struct ends chain = play_ends(hockney_scene(3), IBCAST("b", "0", "24") "Message type = MPI_Wait & request = b\n",
                                            waiting);
        const double met = chain.at[2]; /* when the sender is free again */
        expect_ends(hockney_scene(3), text, waiting, (double[]){chain.at[0], met + 50, met + 9});
    }
    /* an operation that blocks */
    static const char barrier[] = IBCAST("b", "0", "24") "Runon c1 = procnum == 2\n{\nMessage type = MPI_Wait & request = b\n}\n"
        "Collective type = MPI_Barrier & algorithm = linear\nMessage type = MPI_Wait & request = b\n";
    static const char late[] = "Runon c1 = procnum == 2\n{\nSerial time = 18\n}\n"
        "Collective type = MPI_Barrier & algorithm = linear\n";
    expect_ends(hockney_scene(3), barrier, models, play_ends(hockney_scene(3), late, models).at);
}

static void waitsome_takes_all_that_are_complete(void **state)
{
    (void)state;
    /* Process 1 has the chain's message and one of process 2 at 9 both. */
    static const char some[] =
        "Runon c1 = procnum == 2\n{\nMessage type = MPI_Send & to = 1 & size = 24\n}\n"
        "Runon c1 = procnum == 1\n{\nMessage type = MPI_Irecv & from = 2 & size = 24 & request = r\n}\n"
        IBCAST("b", "0", "24") "Runon c1 = procnum == 1 & else\n{\n"
        "Message type = MPI_Waitsome & request = (r, b)\nSerial time = 50\n"
        "Message type = MPI_Waitall & request = (r, b)\n}\n{\nMessage type = MPI_Wait & request = b\n}\n";
    /* it takes the message; the chain goes on in the next wait */
    expect_ends(hockney_scene(3), some, models, (double[]){0, 9 + 50, 59 + 9});
}

static void tests_leave_what_is_not_complete(void **state)
{
    (void)state;
    /* Process 1 looks at 5 (its message came at 4), at 6, and at 16, when the chain's message is there since 9. Looks
     * cost 1 ns where they find nothing. */
    static const char looks[] =
        "Runon c1 = procnum == 2\n{\nMessage type = MPI_Send & to = 1 & size = 4\n}\n"
        "Runon c1 = procnum == 1\n{\nMessage type = MPI_Irecv & from = 2 & size = 4 & request = r\n}\n"
        IBCAST("b", "0", "24") "Runon c1 = procnum == 1 & else\n{\nSerial time = 5\n"
        "Message type = MPI_Testany & request = (r, b) & flag = f & index = i\n" NOTE("1", "f && i == 0")
        "Message type = MPI_Testany & request = (r, b) & flag = f & index = i\n" NOTE("10", "!f")
        "Message type = MPI_Testany & request = (r, b) & flag = f & index = i\n" NOTE("100", "f && i == 1")
        "}\n{\nMessage type = MPI_Wait & request = b\n}\n";
    expect_ends(hockney_scene(3), looks, models, (double[]){0, 116 + 1e-9, 16 + 1e-9 + 9});
}

static void a_deadlock_names_who_is_waited_for(void **state)
{
    (void)state;
    static const char program[] =
        "Runon c1 = procnum != 0\n{\n" IBCAST("b", "0", "24")
        "Message type = MPI_Irecv & from = 0 & size = 4 & request = r\n"
        "Message type = MPI_Waitany & request = (b, r)\n}\n";
    play_error(hockney_scene(3), program, models, STATUS_DEADLOCK, "process 1 of 3 waits in MPI_Waitany");
    play_error(hockney_scene(3), program, models, STATUS_DEADLOCK, "from process 0");
}

static void roots_of_requests_agree(void **state)
{
    (void)state;
    static const char *const operations[] = {"Ibcast", "Iscatter", "Iscatterv", "Igather", "Igatherv", "Ireduce"};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        char program[200];
        snprintf(program, sizeof program, "Collective type = MPI_%s & size = 8 & root = procnum%%2 & request = r\n"
                 "Message type = MPI_Wait & request = r\n", operations[i]);
        play_error(hockney_scene(3), program, models, STATUS_RANGE, "the root is 1, in process 0 it is 0");
    }
}

/* ---- MPI_PROC_NULL ---- */

/* Process 0 has r[0] from `nobody`, r[1] from 1 at 9. */
#define NULL_REQUEST(post)                                                                                       \
    "Runon c1 = procnum == 1 & else\n{\nMessage type = MPI_Send & to = 0 & size = 24\n}\n{\n"                     \
    post "Message type = MPI_Irecv & from = 1 & size = 24 & request = r[1]\n"                                    \
    "Message type = MPI_Waitany & request = r & index = i & source = s\n"                                        \
    NOTE("100", "i == 0 && s == MPI_PROC_NULL") NOTE("200", "i == 1")                                            \
    "Message type = MPI_Waitany & request = r & index = i\n" NOTE("1000", "i == 1") NOTE("2000", "i == -1") "}\n"

static void a_request_for_nobody_is_complete_at_once(void **state)
{
    (void)state;
    static const char *const posts[] = {
        NULL_REQUEST("Message type = MPI_Irecv & from = MPI_PROC_NULL & size = 24 & request = r[0]\n"),
        NULL_REQUEST("Message type = MPI_Isend & to = MPI_PROC_NULL & size = 24 & request = r[0]\n"),
        NULL_REQUEST("Message type = MPI_Issend & to = procnum == 0 ? MPI_PROC_NULL : 0 & size = 24 & "
                     "request = r[0]\n"),
        NULL_REQUEST("Set nobody = 1\nLoop while = nobody == 1\n{\nSet nobody = MPI_PROC_NULL\n}\n"
                     "Message type = MPI_Irecv & from = nobody & size = 24 & request = r[0]\n"),
    };
    for (int i = 0; i < 4; i++)
        expect_ends(hockney_scene(2), posts[i], models, (double[]){1100, 0});
    /* a Waitsome, which has something then, does not wait for the message; a Waitall does */
    static const char some[] =
        "Runon c1 = procnum == 1 & else\n{\nMessage type = MPI_Send & to = 0 & size = 24\n}\n{\n"
        "Message type = MPI_Irecv & from = 1 & size = 24 & request = a\n"
        "Message type = MPI_Isend & to = MPI_PROC_NULL & size = 24 & request = b\n"
        "Message type = MPI_Waitsome & request = (a, b)\nSerial time = 2\nMessage type = MPI_Waitall\n"
        "Serial time = 50\n}\n";
    expect_ends(hockney_scene(2), some, models, (double[]){9 + 50, 0});
    static const char any[] =
        "Message type = MPI_Irecv & from = 0 & size = 24 & request = a\n"
        "Message type = MPI_Isend & to = MPI_PROC_NULL & size = 24 & request = b\n"
        "Message type = MPI_Testany & request = (a, b) & flag = f & index = i\n" NOTE("3", "f && i == 1");
    expect_ends(hockney_scene(1), any, models, (double[]){3});
}

/* ---- messages that a probe takes out ---- */

static void a_message_that_is_taken_out_is_received_by_its_own_receive(void **state)
{
    (void)state;
    /* of 24 and 4 bytes, there at 9 and, behind it in the port, at 13: the receive gets the second */
    static const char two[] =
        "Runon c1 = procnum == 1 & else\n{\nMessage type = MPI_Send & to = 0 & size = 24\n"
        "Serial time = 6\nMessage type = MPI_Send & to = 0 & size = 4\n}\n{\n"
        "Message type = MPI_Mprobe & from = MPI_ANY_SOURCE & message = m & source = s & got_size = n\n"
        NOTE("1", "s == 1 && n == 24") "Message type = MPI_Recv & from = 1 & got_size = n\n" NOTE("10", "n == 4")
        "Message type = MPI_%s & message = m & %s\n%s" NOTE("100", "n == 24 && s == 1") "}\n";
    char program[2000];
    snprintf(program, sizeof program, two, "Mrecv", "got_size = n & source = s", "");
    expect_ends(hockney_scene(2), program, models, (double[]){13 + 110, 6});
    snprintf(program, sizeof program, two, "Imrecv", "request = r",
             "Message type = MPI_Wait & request = r & got_size = n & source = s\n");
    expect_ends(hockney_scene(2), program, models, (double[]){13 + 110, 6});
}

static void a_message_that_is_taken_out_goes_when_it_is_received(void **state)
{
    (void)state;
    /* as a probe and a receive: the sender has to wait for these 50 s too */
    static const char waits[] =
        "Runon c1 = procnum == 1 & else\n{\nMessage type = MPI_Ssend & to = 0 & size = 24\n}\n{\n%s"
        "Serial time = 50\n%s}\n";
    char program[2000];
    const double ends[] = {50 + 1e-9 + 9, 50 + 1e-9};
    snprintf(program, sizeof program, waits, "Message type = MPI_Probe & from = 1\n", "Message type = MPI_Recv & from = 1\n");
    expect_ends(hockney_scene(2), program, models, ends);
    snprintf(program, sizeof program, waits, "Message type = MPI_Mprobe & from = 1 & message = m\n",
             "Message type = MPI_Mrecv & message = m\n");
    expect_ends(hockney_scene(2), program, models, ends);
}

static void no_message_cannot_be_received(void **state)
{
    (void)state;
    play_error(hockney_scene(2),
                 "Message type = MPI_Improbe & from = 1-procnum & flag = f & message = m\n"
                 "Message type = MPI_Mrecv & message = m\n",
                 models, STATUS_RANGE, "no probe has found one");
}

/* ---- some of several; persistent requests ---- */

static void testsome_counts_what_it_completes(void **state)
{
    (void)state;
    /* messages at 4 and 9: nothing at 1, then one, then one, then there is none to wait for */
    static const char looks[] =
        "Runon c1 = procnum != 1\n{\nMessage type = MPI_Send & to = 1 & size = 4+20*(procnum/2)\n}\n"
        "Runon c1 = procnum == 1\n{\nMessage type = MPI_Irecv & from = 0 & request = a\n"
        "Message type = MPI_Irecv & from = 2 & request = b\nSerial time = 1\n"
        "Message type = MPI_Testsome & request = (a, b) & count = n\n" NOTE("4", "n == 0")
        "Message type = MPI_Testsome & count = n\n" NOTE("10", "n == 1")
        "Message type = MPI_%s & request = (a, b) & count = n\n" NOTE("100", "n == 1")
        "Message type = MPI_%s & count = n\n" NOTE("1000", "n == 0-1") "}\n";
    char program[2000];
    snprintf(program, sizeof program, looks, "Testsome", "Testsome");
    expect_ends(hockney_scene(3), program, models, (double[]){0, 1115 + 2e-9, 0});
    snprintf(program, sizeof program, looks, "Waitsome", "Waitsome");
    expect_ends(hockney_scene(3), program, models, (double[]){0, 1115 + 1e-9, 0});
}

static void a_start_is_the_nonblocking_operation(void **state)
{
    (void)state;
    /* two rounds: the synchronous send starts with the receive, 20 s later */
    static const char *const programs[] = {
        "Loop iterations = 2\n{\nRunon c1 = procnum == 0 & else\n{\n"
        "Message type = MPI_Issend & to = 1 & size = 24 & request = r\n}\n{\nSerial time = 20\n"
        "Message type = MPI_Irecv & from = 0 & request = r\n}\nMessage type = MPI_Wait & request = r\n}\n",
        "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Ssend_init & to = 1 & size = 24 & request = r\n}\n{\n"
        "Message type = MPI_Recv_init & from = 0 & request = r\n}\nLoop iterations = 2\n{\nRunon c1 = procnum == 1\n{\n"
        "Serial time = 20\n}\nMessage type = MPI_Start & request = r\nMessage type = MPI_Wait & request = r\n}\n"};
    for (int i = 0; i < 2; i++)
        expect_ends(hockney_scene(2), programs[i], models, (double[]){49, 58});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_ends_as_its_blocking_form),
        cmocka_unit_test(a_waitany_takes_what_completes_first),
        cmocka_unit_test(collectives_do_not_wait_for_one_another),
        cmocka_unit_test(collectives_go_on_whatever_their_process_waits_for),
        cmocka_unit_test(waitsome_takes_all_that_are_complete),
        cmocka_unit_test(tests_leave_what_is_not_complete),
        cmocka_unit_test(roots_of_requests_agree),
        cmocka_unit_test(a_deadlock_names_who_is_waited_for),
        cmocka_unit_test(a_request_for_nobody_is_complete_at_once),
        cmocka_unit_test(a_message_that_is_taken_out_is_received_by_its_own_receive),
        cmocka_unit_test(a_message_that_is_taken_out_goes_when_it_is_received),
        cmocka_unit_test(no_message_cannot_be_received),
        cmocka_unit_test(testsome_counts_what_it_completes),
        cmocka_unit_test(a_start_is_the_nonblocking_operation),
    };
    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
