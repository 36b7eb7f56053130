/* The time-ordered engine against schedules worked out by hand: what wildcards take, what waits, tests and probes tell,
 * how ports serve messages, at which level a message is. Times in s. A message of 1000 bytes takes 10, an empty one 4,
 * one of 2000 bytes 16; a send call takes 1, a receive of what is there 0.5 and so does a look. */
#include "engine/tests/play.h"

#include "network/timer.h"

#define MACHINE MACHINE_OF("64")
#define MACHINE_OF(nodes)                                                                    \
    "pevpm_machine: 1\nname: m\nnodes: " nodes "\nprocesses_per_node: 1\npoint_to_point:\n" \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [" \
    "{bytes: 0, transit: \"4 s\", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}, "    \
    "{bytes: 1000, transit: \"10 s\", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}]}\n"
static const char eager[] = MACHINE;
static const char rendezvous[] = MACHINE "eager_limit: 1000\n";
static const char async[] = MACHINE "eager_limit: 1000\nprogress: async\n";

#define BY(n)               "Runon c1 = procnum == " n "\n{\n"
#define END                 "}\n"
#define WORK(s)             "Serial time = " s "\n"
#define SEND(to, size, tag) "Message type = MPI_Send & to = " to " & size = " size " & tag = " tag "\n"
#define RECV(from, tag) \
    "Message type = MPI_Recv & from = " from " & tag = " tag " & source = s & got_tag = t & got_size = n\n"
#define ANY                       "MPI_ANY_SOURCE"
#define ANYTAG                    "MPI_ANY_TAG"
#define IRECV(from, tag, request) "Message type = MPI_Irecv & from = " from " & tag = " tag " & request = " request "\n"
#define WAIT(request)                                                                                                  \
    "Message type = MPI_Wait & request = " request " & source = s & got_tag = t & got_size = n\n"

static void expect_run(int numprocs, const char *program, const char *machine, const double expected[])
{
    expect_ends((struct scene){.numprocs = numprocs}, program, machine, expected);
}

/* A run that fails, and what it is told. */
static void expect_failure(struct scene scene, const char *program, const char *machine, enum status expected,
                           const char *part)
{
    struct outcome outcome;
    scene_open(&scene, program, machine);
    char text[4000] = "";
    assert_string_equal(status_name(scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, text, sizeof text)),
                        status_name(expected));
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in\n%s", part, text);
    scene_close(&scene);
}

/* ---- wildcards ---- */

static void a_wildcard_takes_the_first_to_arrive(void **state)
{
    (void)state;
    /* 2 arrives at 10, 1 at 13 */
    expect_run(3,
               BY("0") RECV(ANY, "0") WORK("100*s") RECV(ANY, "0") WORK("1000*s") END BY("1") WORK("3")
                   SEND("0", "1000", "0") END BY("2") SEND("0", "1000", "0") END,
               eager, (double[]){10 + 200 + 0.5 + 1000, 4, 1});
    /* sent later, but shorter: 1 at 3 + 4 */
    expect_run(3,
               BY("0") RECV(ANY, "0") WORK("100*s") RECV(ANY, "0") WORK("1000*s+n") END BY("1") WORK("3")
                   SEND("0", "0", "0") END BY("2") SEND("0", "1000", "0") END,
               eager, (double[]){7 + 100 + 0.5 + 2000 + 1000, 4, 1});
    /* both there: still in the order of arrival; at one time in the order of ranks */
    expect_run(3,
               BY("0") WORK("50") RECV(ANY, "0") WORK("100*s") END BY("1") WORK("3") SEND("0", "1000", "0") END BY("2")
                   SEND("0", "1000", "0") END,
               eager, (double[]){50.5 + 200, 4, 1});
    expect_run(3,
               BY("0") RECV(ANY, "0") WORK("100*s") END BY("1") SEND("0", "1000", "0") END BY("2")
                   SEND("0", "1000", "0") END,
               eager, (double[]){10 + 100, 1, 1});
    /* a tag that is not wanted waits */
    expect_run(3,
               BY("0") RECV(ANY, "7") WORK("100*s+t") RECV(ANY, ANYTAG) WORK("1000*s+t") END BY("1") WORK("3")
                   SEND("0", "1000", "7") END BY("2") SEND("0", "1000", "5") END,
               eager, (double[]){13 + 107 + 0.5 + 2005, 4, 1});
}

static void a_wildcard_waits_for_what_may_come_earlier(void **state)
{
    (void)state;
    /* 1 has received when 2's message is still on its way; its answer overtakes that */
    expect_run(4,
               BY("0") RECV(ANY, "0") WORK("100*s") END BY("1") RECV("3", "0") SEND("0", "0", "0") END BY("2")
                   SEND("0", "1000", "0") END BY("3") SEND("1", "0", "0") END,
               eager, (double[]){8 + 100, 5, 1, 1});
}

static void messages_of_a_pair_do_not_overtake(void **state)
{
    (void)state;
    /* the empty message is sent at 1 and would be there at 5: not before the other, at 10 */
    static const char two[] = SEND("0", "1000", "1") SEND("0", "0", "2");
    char program[800];
    snprintf(program, sizeof program,
             BY("0") RECV(ANY, ANYTAG) WORK("100*t") RECV(ANY, ANYTAG) WORK("1000*t") END BY("1") "%s" END, two);
    expect_run(2, program, eager, (double[]){10 + 100 + 0.5 + 2000, 2});
    snprintf(program, sizeof program, BY("0") RECV(ANY, "2") WORK("100*t") RECV(ANY, "1") END BY("1") "%s" END, two);
    expect_run(2, program, eager, (double[]){10 + 200 + 0.5, 2});
    snprintf(program, sizeof program,
             BY("0") RECV("1", ANYTAG) WORK("100*t") RECV("1", ANYTAG) WORK("1000*t") END BY("1") "%s" END, two);
    expect_run(2, program, eager, (double[]){10 + 100 + 0.5 + 2000, 2});
}

/* A receive that follows a send is posted while the send call lasts, for what that is worth; not for a rendezvous. */
static void a_rendezvous_starts_no_earlier_than_the_receive(void **state)
{
    (void)state;
    static const char *const from[] = {"1", ANY};
    static const char ssend[] = "Message type = MPI_Ssend & to = 0 & size = 2000 & tag = 1\n";
    char program[800];
    for (int i = 0; i < 2; i++) {
        /* announced at 0.5, within process 0's send from 0 to 1 */
        snprintf(program, sizeof program,
                 BY("0") SEND("2", "0", "0") "Message type = MPI_Recv & from = %s & tag = 1\n" END BY("1") WORK("0.5")
                     "%s" END BY("2") RECV("0", "0") END,
                 from[i], ssend);
        expect_run(3, program, rendezvous, (double[]){1 + 16, 1 + 1, 4});
        /* announced before that send, which lasts from 0.25 to 1.25 */
        snprintf(program, sizeof program,
                 BY("0") WORK("0.25") SEND("2", "0", "0") "Message type = MPI_Recv & from = %s & tag = 1\n" END BY("1")
                     "%s" END BY("2") RECV("0", "0") END,
                 from[i], ssend);
        expect_run(3, program, rendezvous, (double[]){1.25 + 16, 1.25 + 1, 4.25});
        /* behind it an eager message, which must not overtake: 0.5 is announced, then sent at 2 */
        snprintf(program, sizeof program,
                 BY("0") SEND("2", "0", "0") "Message type = MPI_Recv & from = %s & tag = 1 & got_size = n\n"
                     WORK("100*n") END BY("1") WORK("0.5") "%s" SEND("0", "0", "1") END BY("2") RECV("0", "0") END,
                 from[i], ssend);
        expect_run(3, program, rendezvous, (double[]){1 + 16 + 200000, 2 + 1, 4});
    }
}

static void a_rendezvous_behind_an_eager_message(void **state)
{
    (void)state;
    static const char two[] = SEND("0", "1000", "1") "Message type = MPI_Ssend & to = 0 & size = 0 & tag = 2\n";
    char program[800];
    /* announced at 1, but behind; starts when the first has been taken and received: at 10, or at 110 */
    snprintf(program, sizeof program, BY("0") RECV(ANY, ANYTAG) RECV(ANY, ANYTAG) WORK("100*t") END BY("1") "%s" END,
             two);
    expect_run(2, program, rendezvous, (double[]){14 + 200, 11});
    snprintf(program, sizeof program, BY("0") RECV(ANY, ANYTAG) WORK("100*t") RECV(ANY, ANYTAG) END BY("1") "%s" END,
             two);
    expect_run(2, program, rendezvous, (double[]){114, 111});
    /* wanted first, it starts at 1; not there before the one it must not overtake */
    snprintf(program, sizeof program, BY("0") RECV(ANY, "2") WORK("100*t") RECV(ANY, "1") END BY("1") "%s" END, two);
    expect_run(2, program, rendezvous, (double[]){10 + 200 + 0.5, 2});
}

/* Receives match in the order in which they were posted, whether they name a source or not. */
static void wildcards_and_named_receives(void **state)
{
    (void)state;
    static const char senders[] = BY("1") SEND("0", "1000", "0") WORK("49") SEND("0", "1000", "0") END BY("2")
        WORK("20") SEND("0", "1000", "0") END;
    char program[1200];
    /* 1's messages arrive at 10 and 60, 2's at 30. The wildcard was posted first: it takes 1's first, though the named
     * receive was posted while that was on its way. */
    static const char *const named_late[] = {WORK("2"), ""};
    for (int i = 0; i < 2; i++) {
        snprintf(program, sizeof program,
                 BY("0") IRECV(ANY, "0", "a") "%s" IRECV("1", "0", "b") WAIT("a") WORK("s") WAIT("b") WORK("100*s")
                     RECV(ANY, "0") WORK("1000*s") END "%s",
                 named_late[i], senders);
        expect_run(3, program, eager, (double[]){60 + 100 + 0.5 + 2000, 51, 21});
        /* and the other way about */
        snprintf(program, sizeof program,
                 BY("0") IRECV("1", "0", "b") "%s" IRECV(ANY, "0", "a") WAIT("b") WORK("s") WAIT("a") WORK("100*s")
                     RECV(ANY, "0") WORK("1000*s") END "%s",
                 named_late[i], senders);
        expect_run(3, program, eager, (double[]){30 + 200 + 0.5 + 1000, 51, 21});
    }
    /* 2's message comes first: then 1's is for the named receive */
    snprintf(program, sizeof program, "%s",
             BY("0") IRECV(ANY, "0", "a") IRECV("1", "0", "b") WAIT("a") WORK("100*s") WAIT("b") END BY("1") WORK("5")
                 SEND("0", "1000", "0") END BY("2") SEND("0", "1000", "0") END);
    expect_run(3, program, eager, (double[]){10 + 200 + 0.5, 6, 1});
    /* Two wildcards take two messages, of tags 1 and 2, at 10 and 11; the named receive of tag 2 the third, at 63. */
    snprintf(program, sizeof program, "%s",
             BY("0") WORK("3") IRECV(ANY, ANYTAG, "a") IRECV(ANY, ANYTAG, "b") IRECV("1", "2", "c") WAIT("c")
                 END BY("1") SEND("0", "1000", "1") SEND("0", "1000", "2") WORK("51") SEND("0", "1000", "2") END);
    expect_run(2, program, eager, (double[]){63, 54});
}

static void a_wildcard_of_a_part_tells_its_ranks(void **state)
{
    (void)state;
    /* ranks run backwards: process 2 is rank 0 */
    static const char part[] =
        "Set c = comm_split(0, -procnum)\nRunon c1 = procnum == 0 & else\n{\nMessage type = MPI_Recv & from = " ANY
        " & comm = c & source = s\nSerial time = 100*(s+1)\nMessage type = MPI_Recv & from = " ANY
        " & source = s\nSerial time = 1000*s\n}\n{\n"
        "Serial time = 5*procnum\nMessage type = MPI_Send & to = 0 & size = 1000\nMessage type = MPI_Send & to = 2 & "
        "size = 1000 & comm = c\n}\n";
    /* In c, 1's is there at 16 and 2's at 21; in the world 1's since 15, which the receive in c does not see. */
    expect_run(3, part, eager, (double[]){16 + 200 + 0.5 + 1000, 7, 12});
}

static void binds_without_a_message(void **state)
{
    (void)state;
    static const char none[] =
        "Message type = MPI_Recv & from = MPI_PROC_NULL & tag = 3 & source = s & got_tag = t & got_size = n\n"
        "Runon c1 = s == MPI_PROC_NULL\n{\nSerial time = 1\n}\nRunon c1 = t == MPI_ANY_TAG\n{\nSerial time = 10\n}\n"
        "Runon c1 = n == 0\n{\n"
        "Serial time = 100\n}\nMessage type = MPI_Iprobe & from = MPI_PROC_NULL & flag = f\nRunon c1 = f\n{\n"
        "Serial time = 1000\n}\n"
        "Message type = MPI_Probe & from = MPI_PROC_NULL\nRunon c1 = n\n{\n" IRECV(
            "0", "0",
            "never") "}\nMessage type = MPI_Wait & request = never & source = s\n"
                     "Message type = MPI_Test & request = never & flag = f\nRunon c1 = f & c2 = 1\n{\n"
                     "Serial time = 10000\n}\n{\nSerial time = 1\n}\n";
    expect_run(1, none, eager, (double[]){11111 + 0.5});
    static const char found_nothing[] =
        "Set s = 5\nSet n = 7\nMessage type = MPI_Iprobe & from = 0 & flag = f & source = s & got_size = n\n"
        "Runon c1 = f == 0 && s == MPI_PROC_NULL && n == 0\n{\nSerial time = 100\n}\n";
    expect_run(1, found_nothing, eager, (double[]){100 + 0.5});
}

/* ---- one of several ---- */

/* 2's message is there at 10, 1's at 13. */
#define TWO_SENDERS       BY("1") WORK("3") SEND("0", "1000", "0") END BY("2") SEND("0", "1000", "0") END
#define WAITANY(requests) "Message type = MPI_Waitany & request = " requests " & index = i & source = s\n"

static void waitany_takes_the_first_complete(void **state)
{
    (void)state;
    /* index 1, source 2 at 10; then 0 and 1 after 120; then none: -1 */
    expect_run(3,
               BY("0") IRECV("1", "0", "a") IRECV("2", "0", "b") WAITANY("(a, b)") WORK("100*i+10*s") WAITANY("(a, b)")
                   WORK("1000*i+10*s") WAITANY("(a, b)") WORK("10000*(i+2)") END TWO_SENDERS,
               eager, (double[]){10 + 120 + 0.5 + 10 + 10000, 4, 1});
    /* wildcards: the one posted first takes the first message */
    expect_run(3,
               BY("0") IRECV(ANY, "0", "a") IRECV(ANY, "0", "b") WAITANY("(b, a)") WORK("100*i+10*s") WAITANY("(b, a)")
                   WORK("1000*i+10*s") END TWO_SENDERS,
               eager, (double[]){10 + 120 + 0.5 + 10, 4, 1});
    /* of a whole name: the index of its element */
    expect_run(3,
               BY("0") IRECV("1", "0", "r[3]") IRECV("2", "0", "r[5]") WAITANY("r") WORK("100*i") WAITANY("r")
                   WORK("1000*i") END TWO_SENDERS,
               eager, (double[]){10 + 500 + 0.5 + 3000, 4, 1});
    /* an eager send is complete when its call returns; a request for nobody at once */
    expect_run(3,
               BY("0")
                   IRECV("1", "0",
                         "a") "Message type = MPI_Isend & to = 1 & size = 0 & tag = 5 & request = b\n" WAITANY("(a, b)")
                       WORK("100*i") WAITANY("(a, b)") WORK("1000*i+7") END TWO_SENDERS,
               eager, (double[]){1 + 100 + 0.5 + 7, 4, 1});
    expect_run(3,
               BY("0") "Message type = MPI_Iprobe & from = 1 & flag = f\n" IRECV("1", "0", "a")
                   IRECV("f ? 1 : MPI_PROC_NULL", "0", "b") WAITANY("(a, b)") WORK("100*i + (s == MPI_PROC_NULL)")
                       WAITANY("(a, b)") WORK("1000*i+7") END TWO_SENDERS,
               eager, (double[]){0.5 + 101 + 0.5 + 7, 4, 1});
}

static void waitsome_takes_all_that_are_complete(void **state)
{
    (void)state;
#define WAITSOME(requests) "Message type = MPI_Waitsome & request = " requests "\n"
    static const char three[] = BY("3") WORK("60") SEND("0", "1000", "0") END TWO_SENDERS;
    char program[1200];
    /* at 20 two are there: 20.5, 21; the third at 70 */
    snprintf(program, sizeof program,
             BY("0") IRECV("1", "0", "a") IRECV("2", "0", "b") IRECV("3", "0", "c") WORK("20") WAITSOME("(a, b, c)")
                 WORK("7") WAITSOME("(a, b, c)") WORK("7") WAITSOME("(a, b, c)") END "%s",
             three);
    expect_run(4, program, eager, (double[]){77, 4, 1, 61});
    /* at 10 one is, then the next at 13 */
    snprintf(program, sizeof program,
             BY("0") IRECV("1", "0", "a") IRECV("2", "0", "b") IRECV("3", "0", "c") WAITSOME("(a, b, c)") WORK("1")
                 WAITSOME("(a, b, c)") WORK("7") END "%s",
             three);
    expect_run(4, program, eager, (double[]){20, 4, 1, 61});
}

#define UNTIL(f, step) "Set f = 0\nLoop while = f == 0\n{\n" step "}\n"

static void tests_tell_whether(void **state)
{
    (void)state;
    /* looks at 0, 0.5, ... find the message at 10 and take it: 10.5 */
    expect_run(3,
               BY("0") IRECV("2", "0", "a")
                   UNTIL("f", "Message type = MPI_Test & request = a & flag = f & source = s & got_size = n\n")
                       WORK("100*s+n") END TWO_SENDERS,
               eager, (double[]){10.5 + 1200, 4, 1});
    /* both at 13: 13.5, 14 */
    expect_run(3,
               BY("0") IRECV("1", "0", "a") IRECV("2", "0", "b")
                   UNTIL("f", "Message type = MPI_Testall & request = (a, b) & flag = f\n") END TWO_SENDERS,
               eager, (double[]){14, 4, 1});
    expect_run(
        3,
        BY("0") IRECV("1", "0", "a") IRECV("2", "0", "b")
            UNTIL("f", "Message type = MPI_Testany & request = (a, b) & flag = f & index = i & source = s\n") WORK(
                "100*i+10*s") "Message type = MPI_Testall & request = (a, b) & flag = f\nSerial time = 1000*f\n" END
                TWO_SENDERS,
        eager, (double[]){10.5 + 120 + 0.5 + 1000, 4, 1});
    /* that did not: 0.5, and the request is still there */
    expect_run(3,
               BY("0") IRECV("2", "0", "a") "Message type = MPI_Test & request = a & flag = f & source = s\n"
                                            "Serial time = 1 + 10*f + (s == MPI_PROC_NULL)\n" WAIT("a") END TWO_SENDERS,
               eager, (double[]){10, 4, 1});
    /* of nothing: true, none */
    expect_run(
        1,
        "Set f = 0\nRunon c1 = f\n{\n" IRECV("0", "0", "a") IRECV(
            "0", "0",
            "b") "}\n"
                 "Message type = MPI_Testany & request = (a, b) & flag = f & index = i\nSerial time = 10*f + i + 1\n",
        eager, (double[]){10.5});
    /* a test between: work goes on. Looks at 0, 8.5, 17 */
    expect_run(3,
               BY("0") IRECV("1", "0", "a")
                   UNTIL("f", "Message type = MPI_Test & request = a & flag = f\nSerial time = 8\n") END TWO_SENDERS,
               eager, (double[]){17.5 + 8, 4, 1});
}

static void probes_tell_what_is_there(void **state)
{
    (void)state;
#define PROBE "Message type = MPI_Probe & from = " ANY " & tag = " ANYTAG " & source = s & got_tag = t & got_size = n\n"
    expect_run(3,
               BY("0") PROBE WORK(
                   "100*s+10*t+n") "Message type = MPI_Recv & from = s & tag = t & size = n\n" PROBE WORK("10000*s+t+n")
                   END BY("1") WORK("3") SEND("0", "0", "8") END BY("2") SEND("0", "1000", "7") END,
               eager, (double[]){7 + 180 + 0.5 + 0.5 + 20007 + 1000, 4, 1});
    /* looks at 0, 0.5, ..., 10: there; it is taken at 10.5 + 0.5 */
    expect_run(3,
               BY("0") UNTIL("f", "Message type = MPI_Iprobe & from = 2 & flag = f & got_size = n\n") RECV("2", "0")
                   WORK("n") END TWO_SENDERS,
               eager, (double[]){11 + 1000, 4, 1});
    /* what a posted receive takes is not seen */
    expect_run(3, BY("0") IRECV("2", "0", "a") PROBE WORK("100*s") WAIT("a") END TWO_SENDERS, eager,
               (double[]){13 + 100 + 0.5, 4, 1});
    /* The receive of tag 1 takes the eager message at 10, and only then the announced one behind it is first. */
    expect_run(2,
               BY("0") IRECV(ANY, "1", "a") PROBE WORK("100*t") RECV("1", "2") WAIT("a") END BY("1")
                   SEND("0", "1000", "1") "Message type = MPI_Ssend & to = 0 & size = 0 & tag = 2\n" END,
               rendezvous, (double[]){210 + 4 + 0.5, 211});
}

static void polling_for_ever_is_reported(void **state)
{
    (void)state;
    static const char poll[] = UNTIL("f", "Message type = MPI_Iprobe & from = " ANY " & flag = f\n");
    expect_failure((struct scene){.numprocs = 1}, poll, eager, STATUS_DEADLOCK, "polls for ever");
    /* also where others poll, or wait, or have ended */
    char program[400];
    snprintf(program, sizeof program, "Runon c1 = procnum < 2 & c2 = procnum == 2\n{\n%s}\n{\n" RECV("0", "0") "}\n",
             poll);
    expect_failure((struct scene){.numprocs = 4}, program, eager, STATUS_DEADLOCK, "polls for ever");
    /* but not while one works: 200,000 looks */
    snprintf(program, sizeof program, BY("0") "%s" END BY("1") WORK("100000") SEND("0", "0", "0") END, poll);
    expect_run(2, program, eager, (double[]){100004.5, 100001});
}

/* ---- rendezvous ---- */

static void a_rendezvous_with_a_wildcard(void **state)
{
    (void)state;
    static const char program[] = BY("0") "Serial time = late\n" RECV(ANY, ANYTAG) WORK("100*s")
        END BY("1") "Message type = MPI_Isend & to = 0 & size = 2000 & request = r\n" WORK(
            "20") "Runon c1 = look\n{\nMessage type = MPI_Test & request = r & flag = f\n}\n" WORK("30") WAIT("r") END;
    char text[1000];
    /* both in MPI when the message is posted: 16 */
    snprintf(text, sizeof text, "Param late = 0\nParam look = 0\n%s", program);
    expect_run(2, text, rendezvous, (double[]){16 + 100, 50});
    /* the sender works when the receiver comes: starts with its wait, at 50; that returns at 51 */
    snprintf(text, sizeof text, "Param late = 3\nParam look = 0\n%s", program);
    expect_run(2, text, rendezvous, (double[]){50 + 16 + 100, 51});
    /* unless it looks, at 20 */
    snprintf(text, sizeof text, "Param late = 3\nParam look = 1\n%s", program);
    expect_run(2, text, rendezvous, (double[]){20 + 16 + 100, 50.5});
    /* or its library works for it */
    snprintf(text, sizeof text, "Param late = 3\nParam look = 0\n%s", program);
    expect_run(2, text, async, (double[]){3 + 16 + 100, 50});
    /* two announce themselves: the first is taken, though the second is the shorter */
    expect_run(3,
               BY("0") WORK("9") RECV(ANY, "0") WORK("100*s") RECV(ANY, "0") END BY("1")
                   WORK("3") "Message type = MPI_Ssend & to = 0 & size = 0\n" END BY("2") SEND("0", "2000", "0") END,
               rendezvous, (double[]){225 + 4, 226, 10});
}

/* Looks last for an instant, so two who only look may never be in MPI at once. */
static void a_rendezvous_of_two_who_look(void **state)
{
    (void)state;
    /* seen by the receiver at 4, by the sender at 8.5: it starts; the sender looks again at 17, the receiver at 12.5, 21,
     * 29.5 */
    expect_run(2,
               BY("0") WORK("4") IRECV("1", "0", "a") UNTIL("f", "Message type = MPI_Test & request = a & flag = f\n"
                                                                 WORK("8"))
                   END BY("1") "Message type = MPI_Isend & to = 0 & size = 2000 & request = b\n"
                       UNTIL("f", "Message type = MPI_Test & request = b & flag = f\n" WORK("8")) END,
               rendezvous, (double[]){30 + 8, 17 + 8});
    /* a look for something else; then the sender waits, from 8 */
    expect_run(2,
               BY("0") WORK("4") IRECV("1", "0", "a") "Message type = MPI_Iprobe & from = 1 & tag = 5 & flag = f\n"
                   WORK("30") WAIT("a") END BY("1") "Message type = MPI_Isend & to = 0 & size = 2000 & request = b\n"
                       WORK("8") WAIT("b") END,
               rendezvous, (double[]){35, 9});
    /* before its receive is posted it sees nothing: the transfer starts when both wait */
    expect_run(2,
               BY("0") WORK("4") "Message type = MPI_Iprobe & from = 1 & tag = 5 & flag = f\n" IRECV("1", "0", "a")
                   WORK("30") WAIT("a") END BY("1") "Message type = MPI_Isend & to = 0 & size = 2000 & request = b\n"
                       WORK("8") WAIT("b") END,
               rendezvous, (double[]){34.5 + 16, 35.5});
}

static void messages_to_oneself(void **state)
{
    (void)state;
    expect_run(1, SEND("0", "1000", "4") RECV(ANY, ANYTAG) WORK("t"), rendezvous, (double[]){1 + 0.5 + 4});
    expect_run(1, "Message type = MPI_Isend & to = 0 & size = 2000 & request = r\n" RECV(ANY, ANYTAG) WAIT("r"),
               rendezvous, (double[]){1.5});
    expect_run(1, "Message type = MPI_Isend & to = 0 & size = 2000 & request = r\n" RECV(ANY, ANYTAG) WAIT("r"), async,
               (double[]){1.5});
    expect_failure((struct scene){.numprocs = 1}, SEND("0", "2000", "4"), rendezvous, STATUS_DEADLOCK,
                   "process 0 of 1");
}

/* ---- ports ---- */

#define OVERFLOWING(buffer) MACHINE "ports: {out_gap: [[0, 0], [1000, 4 ms]], in_gap: [[0, 0], [1000, 4 ms]], "       \
                                    "buffer: " buffer ", overflow: 0.3 s}\n"
#define PORTS(more) MACHINE "ports: {out_gap: [[0, 0], [1000, \"4 s\"]], in_gap: [[0, 0], [1000, \"4 s\"]]" more "}\n"
static const char whole[] = PORTS(", reverse_gap: [[0, 0]]"); /* in the order of time */
static const char acknowledged[] = PORTS(", reverse_gap: [[0, 0], [1000, \"0.5 s\"]]");
static void expect_ports(int numprocs, const char *program, const char *machine, const double expected[])
{
    expect_ends((struct scene){.numprocs = numprocs, .contention = CONTENTION_ports}, program, machine, expected);
}

#define FAN_IN(late) \
    BY("0")          \
    RECV(ANY, "0") RECV(ANY, "0") END BY("1") SEND("0", "1000", "0") END BY("2") WORK(late) SEND("0", "1000", "0") END
#define FIRST(late) \
    BY("0") RECV(ANY, "0") END BY("1") SEND("0", "1000", "0") END BY("2") WORK(late) SEND("0", "1000", "0") END

/* A message keeps a port busy for 4. Alone it arrives at 10. */
static void ports_serve_whole_messages(void **state)
{
    (void)state;
    expect_ports(3, FAN_IN("0"), whole, (double[]){14, 1, 1});
    expect_ports(3, FAN_IN("3"), whole, (double[]){14, 1, 4});
    expect_ports(3, FAN_IN("5"), whole, (double[]){15, 1, 6});
    /* out: the second leaves 4 after the first */
    expect_ports(3,
                 BY("0") SEND("1", "1000", "0") SEND("2", "1000", "0") END BY("1") RECV("0", "0") END BY("2")
                     RECV("0", "0") END,
                 whole, (double[]){2, 10, 14});
}

static void acknowledgements_take_the_ports_the_other_way(void **state)
{
    (void)state;
    /* One leaves when the message is there, at 10: an answer that is sent then waits for it, half of one second. */
    static const char pingpong[] =
        BY("0") SEND("1", "1000", "0") RECV("1", "0") END BY("1") RECV("0", "0") SEND("0", "1000", "0") END;
    expect_ports(2, pingpong, whole, (double[]){20, 11});
    expect_ports(2, pingpong, acknowledged, (double[]){20.5, 11});
    /* What was sent before, and has left, it does not delay. */
    static const char chain[] = BY("0") SEND("1", "1000", "0") END BY("1") WORK("4") SEND("2", "1000", "0")
        RECV("0", "0") END BY("2") RECV("1", "0") END;
    expect_ports(3, chain, acknowledged, (double[]){1, 10, 14});
    /* At its sender's in port it is between messages of 2 and 3, which are there at 10 and at 13. */
    static const char between[] = BY("0") SEND("1", "1000", "0") RECV("2", "0") RECV("3", "0") END BY("1") RECV("0", "0") END
        BY("2") SEND("0", "1000", "0") END BY("3") WORK("3") SEND("0", "1000", "0") END;
    expect_ports(4, between, whole, (double[]){14, 10, 1, 4});
    expect_ports(4, between, acknowledged, (double[]){14.5, 10, 1, 4});
}

/* What the in port that they take has saved up is its own, of the message's size: of one that takes 1 of it an acknowledgement of 1
 * leaves nothing. */
static void acknowledgements_find_the_senders_port(void **state)
{
    (void)state;
    static const char short_ones[] = BY("0") SEND("1", "250", "0") RECV("2", "0") END BY("1") RECV("0", "0") END BY("2")
        SEND("0", "250", "0") END;
    static const char both[] = PORTS(", reverse_gap: [[0, 0], [1000, \"1 s\"]]");
    expect_ports(3, short_ones, both, (double[]){5.5 + 0.25, 5.5, 1});
}

/* Where ports are asked in the order of time the announcement and the permission, of 4 each, are messages of their own. 2000 bytes take a
 * port 8 and arrive 16 after the call, these included. */
static void a_permission_waits_behind_what_its_sender_has_sent(void **state)
{
    (void)state;
    static const char announced[] = PORTS(", reverse_gap: [[0, 0]]") "eager_limit: 1000\n";
#define EXCHANGE(with)                                                                                              \
    IRECV(with, "0", "in") "Message type = MPI_Isend & to = " with " & size = 2000 & request = out\n"              \
                           "Message type = MPI_Waitall\n"
    expect_ports(2, BY("0") EXCHANGE("1") END BY("1") EXCHANGE("0") END, announced, (double[]){16, 16});
    /* The announcement of 0 comes while 1 works. Only its wait looks at it, when its own announcement is out: that is
     * there at 9, when 0 has nothing to send yet. */
    expect_ports(2, BY("0") EXCHANGE("1") END BY("1") WORK("5") EXCHANGE("0") END, announced, (double[]){21, 21});
    /* It comes at 4, while 1 waits for 2: so the receive that 1 posts at 15 permits it, and 1 is busy with that until
     * 16. At 19 the data of 0 leave, at 20 the announcement of 1 comes, and the permission waits until 27. */
    expect_ports(3,
                 BY("0") EXCHANGE("1") END BY("1") RECV("2", "1") WORK("5") EXCHANGE("0") END BY("2")
                     SEND("1", "1000", "1") END,
                 announced, (double[]){16 + 7 + 16, 15 + 16, 1});
    /* Likewise where the receive is posted in the moment in which the wait for 2 is over, at 10. */
    expect_ports(3, BY("0") EXCHANGE("1") END BY("1") RECV("2", "1") EXCHANGE("0") END BY("2") SEND("1", "1000", "1") END,
                 announced, (double[]){11 + 7 + 16, 10 + 16, 1});
    /* The permission comes at 8, but the sender works until 20: 12 later than it could be. */
    expect_ports(2,
                 BY("0") "Message type = MPI_Isend & to = 1 & size = 2000 & request = out\n" WORK("20") WAIT("out")
                     END BY("1") RECV("0", "0") END,
                 announced, (double[]){20, 12 + 16});
#undef EXCHANGE
}

/* It comes no earlier than what its connection carries before it, where others delay that: here process 2, whose two messages
 * share the in port of 1 with the data of 0 from 21 on. These are there at 37, all 16 of the port's work after that, and so is
 * the permission; the port of 0 has passed them at 27. */
static void a_permission_comes_behind_what_was_sent_before_it(void **state)
{
    (void)state;
    static const char announced[] = PORTS(", reverse_gap: [[0, 0]]") "eager_limit: 1000\n";
#define EXCHANGE(with)                                                                                              \
    IRECV(with, "0", "in") "Message type = MPI_Isend & to = " with " & size = 2000 & request = out\n"              \
                           "Message type = MPI_Waitall\n"
    expect_ports(3,
                 BY("0") EXCHANGE("1") END BY("1") RECV("2", "1") WORK("5") EXCHANGE("0") RECV("2", "2") RECV("2", "3") END
                     BY("2") SEND("1", "1000", "1") WORK("14") SEND("1", "1000", "2") SEND("1", "1000", "3") END,
                 announced, (double[]){37 + 8, 37 + 2 * 0.5, 17});
#undef EXCHANGE
}

/* A call that needs nothing but what its process has read is over without looking at the network: it permits nothing. The
 * message of tag 7 is there at `7`, 4 behind its send; process 1 reads what comes while it waits for 2, until 10. Process 0
 * announces 2000 bytes at 16, which is there at 20. In the call at 30 it is permitted, and the wait behind another 20 finds
 * the data there; or only that wait permits it, and they come 16 later. So do calls for what their own process has sent. */
static void a_call_that_needs_nothing_more_does_not_look(void **state)
{
    (void)state;
    static const char announced[] = PORTS(", reverse_gap: [[0, 0]]") "eager_limit: 1000\n";
#define OTHERS(seven) \
    BY("0") WORK(seven " - 4") SEND("1", "0", "7") WORK("15 - " seven " + 4") "Message type = MPI_Send & to = 1 & size = 2000\n" END \
    BY("2") SEND("1", "1000", "1") "Message type = MPI_Irecv & from = 1 & tag = 9 & request = left\n" END
#define ENDS(seven, at_first, asks, at)                                                                                    \
    expect_ports(3,                                                                                                        \
                 OTHERS(seven) BY("1") IRECV("0", "0", "in") at_first RECV("2", "1") WORK("20") asks WORK("20") WAIT("in") END, \
                 announced, (double[]){at == looks ? 34 : at - 12, at, 1})
#define EARLY IRECV("0", "7", "early")
#define TRY  "Message type = MPI_Test & request = early & flag = f\n"
#define LOOK  "Message type = MPI_Iprobe & from = 0 & tag = 7 & flag = f\n"
    const double looks = 30 + 0.5 + 20 + 0.5, passes = 30 + 0.5 + 20 + 16;
    /* not read when it is asked for, or read */
    ENDS("12", "", RECV("0", "7"), looks);
    ENDS("8", "", RECV("0", "7"), passes);
    ENDS("12", EARLY, WAIT("early"), looks);
    ENDS("8", EARLY, WAIT("early"), passes);
    ENDS("12", EARLY, "Message type = MPI_Waitany & request = early\n", looks);
    ENDS("8", EARLY, "Message type = MPI_Waitany & request = early\n", passes);
    ENDS("12", EARLY, TRY, looks);
    ENDS("8", EARLY, TRY, passes);
    ENDS("12", "", LOOK, looks);
    ENDS("8", "", LOOK, passes);
    /* complete since the call that has made it; the test, of what is read, has time decide */
    ENDS("8", EARLY, TRY "Message type = MPI_Irecv & from = 2*f < 9 ? MPI_PROC_NULL : 0 & request = none\n" WAIT("none"), passes);
    ENDS("8", EARLY, TRY "Message type = MPI_Isend & to = 2 & size = 0 & tag = 9 & request = out\n" WAIT("out"), passes + 1);
    ENDS("8", "", "Message type = MPI_Sendrecv & to = 1 & from = 1 & size = 0 & tag = 9\n", passes + 1);
    ENDS("8", "", SEND("1", "0", "9") RECV("1", "9"), passes + 1);
#undef LOOK
#undef TRY
#undef EARLY
#undef ENDS
#undef OTHERS
}

/* Up to the eager limit the data of a synchronous send do not wait for a permission, only its end does: for an
 * acknowledgement of 4, which leaves when the message has come, at 10, and its receiver has posted the receive and is in
 * MPI. */
static void a_short_synchronous_send_waits_for_its_acknowledgement(void **state)
{
    (void)state;
    static const char announced[] = PORTS(", reverse_gap: [[0, 0]]") "eager_limit: 1000\n";
#define SSEND "Message type = MPI_Ssend & to = 1 & size = 1000 & tag = 0\n"
    expect_ports(2, BY("0") SSEND END BY("1") RECV("0", "0") END, announced, (double[]){10 + 4, 10});
    expect_ports(2, BY("0") SSEND END BY("1") WORK("50") RECV("0", "0") END, announced, (double[]){50 + 4, 50.5});
    expect_ports(2, BY("0") SSEND END BY("1") IRECV("0", "0", "in") WORK("30") WAIT("in") END, announced,
                 (double[]){30 + 4, 30.5});
    /* whoever tests sees it, too: the test at 20 is the first behind its coming */
    expect_ports(2,
                 BY("0") SSEND END BY("1") IRECV("0", "0", "in") WORK("20")
                     "Message type = MPI_Test & request = in & flag = f\n" WORK("5") END,
                 announced, (double[]){20 + 4, 25.5});
    /* in a wait for another message, not for this one */
    expect_ports(3,
                 BY("0") SSEND END BY("1") IRECV("0", "0", "in") RECV("2", "1") WORK("20") WAIT("in") END BY("2")
                     WORK("5") SEND("1", "1000", "1") END,
                 announced, (double[]){10 + 4, 15 + 20 + 0.5, 6});
#undef SSEND
}

/* Of three messages of 4 ms that are there at one moment the first has passed, the second waits, and for the third there is no room.
 * Its sender, who knows an acknowledgement to take 4, waits for that and 0.2 before it sends it again. */
static void a_port_that_overflows_loses_messages(void **state)
{
    (void)state;
#define THREE BY("0") RECV("1", "0") RECV("2", "0") RECV("3", "0") END                                             \
              "Runon c1 = procnum > 0\n{\n" SEND("0", "1000", "0") "}\n"
    expect_ports(4, THREE, OVERFLOWING("9 ms"), (double[]){11, 1, 1, 1});
    const struct ends lost = play_ends((struct scene){.numprocs = 4, .contention = CONTENTION_ports}, THREE, OVERFLOWING("6 ms"));
    const double later = 64 * TIMER_TICK; /* its timer, of over 504 ticks, may be later by so much, and by a tick */
    assert_true(lost.at[0] >= 10 + (4 + 0.2) && lost.at[0] < 10 + (4 + 0.2) + later + TIMER_TICK);
#undef THREE
    /* One connection alone overflows nothing that is as quick as its own port. */
    expect_ports(2,
                 BY("0") RECV("1", "0") RECV("1", "0") END BY("1") SEND("0", "1000", "0") SEND("0", "1000", "0") END,
                 OVERFLOWING("3 ms"), (double[]){11, 2});
}

/* Sixteen messages that leave every 0.5 ms for a port that takes 1 ms for each, and holds what it passes in `buffer`. */
static double into_a_slow_port(const char *buffer)
{
    char machine[800];
    snprintf(machine, sizeof machine,
             "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: ["
             "{bytes: 0, transit: 1 ms}, {bytes: 4000, transit: 17 ms}]}\n"
             "ports: {out_gap: [[0, 0], [4000, 8 ms]], in_gap: [[0, 0], [4000, 16 ms]], buffer: %s, "
             "overflow: 0.3 s}\n", buffer);
    return play_timed((struct scene){.numprocs = 2, .contention = CONTENTION_ports},
                      "Loop iterations = 16\n{\n" BY("0") SEND("1", "250", "0") END BY("1") RECV("0", "0") END "}\n", machine);
}

/* A lone connection overflows a port that is slower than its own. What is lost in the midst comes again while the port is busy. */
static void a_lone_connection_overflows_a_slower_port(void **state)
{
    (void)state;
    expect_time(into_a_slow_port("9 ms"), 0.017); /* 8 of which it has passed as the last one comes */
    const double lost = into_a_slow_port("4 ms");
    if (!(lost > 0.017 && lost < 0.3))
        fail_msg("%.6g s, expected 0.017 to 0.3 s", lost);
}

/* What all nodes have in common passes one message in 2, the first at once. */
static void nodes_may_have_something_in_common(void **state)
{
    (void)state;
    static const char hub[] = MACHINE "ports: {common_gap: [[0, \"2 s\"]]}\n";
    static const char hub_and_ports[] = PORTS(", common_gap: [[0, 0], [1000, \"2 s\"]]");
#define PAIRS(late)                                                                                                  \
    BY("0") RECV("3", "0") END BY("1") RECV("4", "0") END BY("2") RECV("5", "0") END                               \
    BY("3") SEND("0", "1000", "0") END BY("4") SEND("1", "1000", "0") END BY("5") WORK(late) SEND("2", "1000", "0") END
    expect_ports(6, PAIRS("0"), hub, (double[]){10, 12, 14, 1, 1, 1});
    expect_ports(6, PAIRS("1"), hub, (double[]){10, 12, 14, 1, 1, 2});
    expect_ports(6, PAIRS("5"), hub, (double[]){10, 12, 15, 1, 1, 6});
    expect_ports(6, PAIRS("1"), hub_and_ports, (double[]){10, 12, 14, 1, 1, 2});
    /* 0's second message waits 3 for its port, from 1 to 4, and meanwhile for what is common */
    expect_ports(3,
                 BY("0") SEND("1", "1000", "0") SEND("2", "1000", "0") END BY("1") RECV("0", "0") END BY("2")
                     RECV("0", "0") END,
                 hub_and_ports, (double[]){2, 10, 14});
#undef PAIRS
}

/* Messages were measured after a rest of 4, which delays them by 1: those that follow sooner come sooner. */
static void a_message_after_a_shorter_rest_comes_sooner(void **state)
{
    (void)state;
    static const char resting[] =
        MACHINE "ports: {measured_after: 4, rest_delay: [[0, 0], [\"4 s\", \"1 s\"], [\"10 s\", \"3 s\"]]}\n";
    /* after that or a longer one nothing is other than measured */
#define ONE(work) BY("0") WORK(work) SEND("1", "1000", "0") END BY("1") RECV("0", "0") END
    expect_ports(2, ONE("4"), resting, (double[]){4 + 1, 4 + 10});
    expect_ports(2, ONE("1000"), resting, (double[]){1000 + 1, 1000 + 10});
#undef ONE
    /* In the midst of communication: the second send begins when the first has ended, and its message comes 1 sooner
     * than measured; after a rest of 2 it comes 0.5 sooner. */
#define TWO(work)                                                                                                     \
    BY("0") WORK("10") SEND("1", "1000", "0") work SEND("2", "1000", "0") END BY("1") RECV("0", "0") END BY("2")     \
        RECV("0", "0") END
    expect_ports(3, TWO(""), resting, (double[]){10 + 2, 10 + 10, 11 + 10 - 1});
    expect_ports(3, TWO(WORK("2")), resting, (double[]){10 + 4, 10 + 10, 13 + 10 - 0.5});
    expect_ports(3, TWO(WORK("4")), resting, (double[]){10 + 6, 10 + 10, 15 + 10});
    expect_run(3, TWO(""), resting, (double[]){10 + 2, 10 + 10, 11 + 10}); /* without ports */
#undef TWO
    /* the end of a synchronous send is no rest either */
    static const char synchronous[] = BY("0") "Message type = MPI_Ssend & to = 1 & size = 1000 & tag = 0\n"
        SEND("2", "1000", "0") END BY("1") RECV("0", "0") END BY("2") RECV("0", "0") END;
    expect_ports(3, synchronous, resting, (double[]){14 + 1, 10, 14 + 10 - 1});
    /* what has just received answers sooner, but the answer cannot come before it was sent */
    static const char slow[] = MACHINE "ports: {measured_after: 1, rest_delay: [[0, 0], [\"1 s\", \"50 s\"]]}\n";
    static const char answer[] =
        BY("0") SEND("1", "1000", "0") RECV("1", "0") END BY("1") RECV("0", "0") SEND("0", "1000", "0") END;
    expect_ports(2, answer, resting, (double[]){10 + 9, 11});
    expect_ports(2, answer, slow, (double[]){10 + 0, 11});
}

/* ---- levels ---- */

static void a_level_is_what_is_on_the_board(void **state)
{
    (void)state;
    static const char levels[] =
        MACHINE "  - {operation: MPI_Send, pattern: pairs, nodes: 2, processes_per_node: 1, level: 2, sizes: "
                "[{bytes: 1000, transit: \"14 s\"}]}\n";
    /* both on the board at 10, the earliest that they could arrive */
    expect_run(3, FAN_IN("0"), levels, (double[]){14.5, 1, 1});
    /* the second could arrive at 15: then the first, at 14, has been received */
    expect_run(3, FAN_IN("5"), levels, (double[]){15, 1, 6});
    /* the second enters when the first has been received */
    expect_run(3, FAN_IN("11"), levels, (double[]){21, 1, 12});
    struct scene none = {.numprocs = 3, .contention = CONTENTION_none};
    expect_ends(none, FAN_IN("0"), levels, (double[]){10.5, 1, 1});
}

/* The empty message could be there at 5, the one before it takes until 10. With a second level that
 * takes as long as the first nothing changes. */
static void levels_let_no_message_overtake_another(void **state)
{
    (void)state;
    static const char levels[] =
        MACHINE "  - {operation: MPI_Send, pattern: pairs, nodes: 2, processes_per_node: 1, level: 2, sizes: "
                "[{bytes: 0, transit: \"4 s\"}, {bytes: 1000, transit: \"10 s\"}]}\n";
    static const char two[] =
        BY("0") SEND("1", "1000", "1") SEND("1", "0", "2") END BY("1") RECV(ANY, "2") WORK("100") RECV("0", "1") END;
    expect_run(2, two, eager, (double[]){2, 10 + 100 + 0.5});
    expect_run(2, two, levels, (double[]){2, 10 + 100 + 0.5});
    /* three, the middle one the longest: they start at 0, 1 and 2, and none is there before 11 */
    static const char three[] = BY("0") SEND("1", "0", "1") SEND("1", "1000", "2") SEND("1", "0", "3") END BY("1")
        RECV(ANY, ANYTAG) WORK("100*t") RECV(ANY, "3") WORK("1000") RECV(ANY, ANYTAG) WORK("10*t") END;
    expect_run(2, three, eager, (double[]){3, 4 + 100 + 0.5 + 1000 + 0.5 + 20});
    expect_run(2, three, levels, (double[]){3, 4 + 100 + 0.5 + 1000 + 0.5 + 20});
}

/* ---- deadlocks ---- */

static void deadlocks_name_who_waits(void **state)
{
    (void)state;
    expect_failure((struct scene){.numprocs = 3},
                   BY("0") RECV(ANY, "5") END BY("1") RECV("2", ANYTAG) END BY("2") RECV("1", "7") END, eager,
                   STATUS_DEADLOCK, "process 0 of 3 waits in MPI_Recv for a message from any process (tag 5)");
    expect_failure((struct scene){.numprocs = 3},
                   BY("0") RECV(ANY, "5") END BY("1") RECV("2", ANYTAG) END BY("2") RECV("1", "7") END, eager,
                   STATUS_DEADLOCK, "1 -> 2 -> 1");
    expect_failure((struct scene){.numprocs = 2},
                   BY("0") IRECV("1", "1", "a") IRECV(ANY, "2", "b") WAITANY("(a, b)") END, eager, STATUS_DEADLOCK,
                   "process 0 of 2 waits in MPI_Waitany for a message from process 1 (tag 1), which has ended");
    expect_failure((struct scene){.numprocs = 2}, BY("0") "Message type = MPI_Probe & from = " ANY " & tag = 4\n" END,
                   eager, STATUS_DEADLOCK, "process 0 of 2 waits in MPI_Probe for a message from any process (tag 4)");
    /* which replications die depends on who is first */
    static const char chance[] =
        BY("0") RECV(ANY, "0") RECV("1", "0") END BY("1") "Serial time = uniform(0, 2)\n" SEND("0", "1000", "0")
            END BY("2") "Serial time = uniform(0, 2)\n" SEND("0", "1000", "0") END;
    struct scene scene = {.numprocs = 3, .seed = 3};
    struct outcome outcome;
    int died = 0;
    scene_open(&scene, chance, eager);
    struct engine *engine = engine_create(ENGINE_TIMED, &scene.setup, 1);
    for (uint32_t r = 0; r < 1000; r++) {
        struct diags diags = DIAGS_EMPTY;
        enum status status = engine_run(engine, r, 1, &outcome, NULL, &diags);
        assert_true(status == STATUS_OK || status == STATUS_DEADLOCK);
        died += status == STATUS_DEADLOCK;
        diags_free(&diags);
    }
    engine_destroy(engine);
    scene_close(&scene);
    /* binomial(1000, 1/2): four standard deviations are 63 */
    assert_true(abs(died - 500) < 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wildcard_takes_the_first_to_arrive),
        cmocka_unit_test(a_wildcard_waits_for_what_may_come_earlier),
        cmocka_unit_test(messages_of_a_pair_do_not_overtake),
        cmocka_unit_test(a_rendezvous_starts_no_earlier_than_the_receive),
        cmocka_unit_test(a_rendezvous_behind_an_eager_message),
        cmocka_unit_test(wildcards_and_named_receives),
        cmocka_unit_test(a_wildcard_of_a_part_tells_its_ranks),
        cmocka_unit_test(binds_without_a_message),
        cmocka_unit_test(waitany_takes_the_first_complete),
        cmocka_unit_test(waitsome_takes_all_that_are_complete),
        cmocka_unit_test(tests_tell_whether),
        cmocka_unit_test(probes_tell_what_is_there),
        cmocka_unit_test(polling_for_ever_is_reported),
        cmocka_unit_test(a_rendezvous_with_a_wildcard),
        cmocka_unit_test(a_rendezvous_of_two_who_look),
        cmocka_unit_test(messages_to_oneself),
        cmocka_unit_test(ports_serve_whole_messages),
        cmocka_unit_test(acknowledgements_take_the_ports_the_other_way),
        cmocka_unit_test(acknowledgements_find_the_senders_port),
        cmocka_unit_test(a_permission_waits_behind_what_its_sender_has_sent),
        cmocka_unit_test(a_permission_comes_behind_what_was_sent_before_it),
        cmocka_unit_test(a_call_that_needs_nothing_more_does_not_look),
        cmocka_unit_test(a_short_synchronous_send_waits_for_its_acknowledgement),
        cmocka_unit_test(a_port_that_overflows_loses_messages),
        cmocka_unit_test(a_lone_connection_overflows_a_slower_port),
        cmocka_unit_test(nodes_may_have_something_in_common),
        cmocka_unit_test(a_message_after_a_shorter_rest_comes_sooner),
        cmocka_unit_test(a_level_is_what_is_on_the_board),
        cmocka_unit_test(levels_let_no_message_overtake_another),
        cmocka_unit_test(deadlocks_name_who_waits),
    };
    return cmocka_run_group_tests_name("timed", tests, NULL, NULL);
}
