/* Every rule of "Rules for one message" (docs/ARCHITECTURE.md) against numbers worked out by hand, in both engines.
 * Times in ms in the comments; T = 2.385, o_s = 0.3, o_r = 0.2 unless said otherwise. */
#include "engine/rules.h"

#include "engine/tests/play.h"

#define POINT_TO_POINT(sizes) "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 2\npoint_to_point:\n" \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [" sizes "]}\n"
#define SIZE(bytes, transit, send, receive) \
    "{bytes: " bytes ", transit: \"" transit " ms\", send_overhead: \"" send " ms\", " \
    "receive_overhead: \"" receive " ms\"}"

static const char plain[] = POINT_TO_POINT(SIZE("1024", "2.385", "0", "0"));
static const char machine[] = POINT_TO_POINT(SIZE("1024", "2.385", "0.3", "0.2"));
static const char quick_sends[] = POINT_TO_POINT(SIZE("1024", "2.385", "0.1", "0.2"));
static const char two_sizes[] = POINT_TO_POINT(SIZE("10", "1", "0.3", "0.2") ", " SIZE("2000", "9", "0.3", "0.2"));
static const char rendezvous[] = POINT_TO_POINT(SIZE("10", "1.5", "0.3", "0.2") ", " SIZE("2000", "5", "0.3", "0.2"))
    "eager_limit: 1000\n";
static const char async[] = POINT_TO_POINT(SIZE("10", "1.5", "0.3", "0.2") ", " SIZE("2000", "5", "0.3", "0.2"))
    "eager_limit: 1000\nprogress: async\n";
/* The 10 Mbit/s ports of design notes: 4 KiB messages, 3.46 ms a message, 2.23 ms one way. */
static const char ports[] = POINT_TO_POINT(SIZE("4096", "2.23", "0", "0"))
    "ports: {out_gap: [[0, 0], [4096, \"3.46 ms\"]], in_gap: [[0, 0], [4096, \"3.46 ms\"]]}\n";
/* 1 KiB messages: a port that has been idle lets 1.28 ms pass at once. */
static const char credit[] = POINT_TO_POINT(SIZE("1024", "0.1", "0", "0"))
    "ports: {out_gap: [[0, 0], [1024, \"0.92 ms\"]], in_gap: [[0, 0], [1024, \"0.92 ms\"]], credit: \"1.28 ms\"}\n";
static const char models[] = POINT_TO_POINT(SIZE("1024", "2.385", "0.3", "0.2"))
    "models:\n  hockney: {alpha: \"100 us\", beta: \"0.01 us\"}\n"
    "  loggp: {L: \"50 us\", o_s: \"10 us\", o_r: \"12 us\", g: \"20 us\", G: \"0.01 us\"}\n";

#define BY(n) "Runon c1 = procnum == " n "\n{\n"
#define END "}\n"
#define SEND(to, size) "Message type = MPI_Send & to = " to " & size = " size "\n"
#define RECV(from) "Message type = MPI_Recv & from = " from "\n"
#define WORK(ms) "Serial time = " ms " ms\n"

static double play(int numprocs, const char *program, const char *yaml)
{
    return 1e3 * play_with((struct scene){.numprocs = numprocs}, program, yaml);
}

static double play_ports(int numprocs, const char *program, const char *yaml)
{
    return 1e3 * play_with((struct scene){.numprocs = numprocs, .contention = CONTENTION_ports}, program, yaml);
}

static double play_model(int numprocs, const char *model, const char *program)
{
    return 1e3 * play_with((struct scene){.numprocs = numprocs, .model = model}, program, models);
}

/* ---- closed forms ---- */

static const char pingpong[] = "Loop iterations = 25\n{\n" BY("0") SEND("1", "1024") RECV("1") END
    BY("1") RECV("0") SEND("0", "1024") END "}\n";

static void pingpong_takes_twice_the_transit(void **state)
{
    (void)state;
    expect_time(play(2, pingpong, machine), 25 * 2 * 2.385);
    expect_time(play_model(2, "hockney", pingpong), 25 * 2 * (0.1 + 1024 * 1e-5));
    expect_time(play_model(2, "loggp", pingpong), 25 * 2 * (0.05 + 0.01 + 0.012 + 1023 * 1e-5));
}

/* A round starts when the last one's message is there: N T, whatever P. */
static const char ring[] = "Loop iterations = 40\n{\n" SEND("(procnum+1)%numprocs", "1024")
    RECV("(procnum+numprocs-1)%numprocs") "}\n";

static void ring_takes_a_transit_a_round(void **state)
{
    (void)state;
    expect_time(play(7, ring, machine), 40 * 2.385);
    expect_time(play_model(7, "hockney", ring), 40 * (0.1 + 1024 * 1e-5));
    expect_time(play_model(7, "loggp", ring), 40 * (0.072 + 1023 * 1e-5));
}

#define CHAIN(items, ms)                                                                                               \
    "Loop iterations = " items "\n{\nRunon c1 = procnum > 0\n{\n" RECV("procnum-1") "}\n" WORK(ms)                      \
    "Runon c1 = procnum < numprocs-1\n{\n" SEND("procnum+1", "1024") "}\n}\n"

/* One item through P processes: P s + (P - 1) T. N items: the last leaves the first process N s after the start, and
 * items follow at the pace of the slower of work s and out gap g: s + (N - 1) max(s, g) + (P - 1)(T + s). */
static void chain_and_pipeline(void **state)
{
    (void)state;
    expect_time(play(5, CHAIN("1", "0.7"), plain), 5 * 0.7 + 4 * 2.385);
    expect_time(play(5, CHAIN("30", "0.7"), plain), 0.7 + 29 * 0.7 + 4 * (2.385 + 0.7));
    double hockney = 0.1 + 1024 * 1e-5;
    expect_time(play_model(5, "hockney", CHAIN("30", "0.05")), 0.05 + 29 * hockney + 4 * (hockney + 0.05));
    expect_time(play_model(5, "hockney", CHAIN("30", "0.7")), 0.7 + 29 * 0.7 + 4 * (hockney + 0.7));
    /* LogGP: the send call takes o_s and a receive of what is there o_r, so an item costs s + o_s = 0.060 at the first
     * process, o_r + s = 0.062 at the last and o_r + s + o_s = 0.072 between, all more than the gap of 0.030. The first
     * item is through after s + (P - 1)(T + s); the others follow at the pace of the slowest process. */
    double transit = 0.072 + 1023 * 1e-5;
    expect_time(play_model(2, "loggp", CHAIN("30", "0.05")), 0.05 + transit + 0.05 + 29 * 0.062);
    expect_time(play_model(5, "loggp", CHAIN("30", "0.05")), 0.05 + 4 * (transit + 0.05) + 29 * 0.072);
}

/* N (2 T + s) on two processes: the even one sends, the odd one answers, both compute. */
static void jacobi_on_two_processes(void **state)
{
    (void)state;
    static const char jacobi[] = "Loop iterations = 100\n{\n" BY("0") SEND("1", "1024") RECV("1") END
        BY("1") RECV("0") SEND("0", "1024") END WORK("1.62") "}\n";
    expect_time(play(2, jacobi, plain), 100 * (2 * 2.385 + 1.62));
}

/* ---- overheads ---- */

static void a_late_receiver_pays_the_receive_overhead(void **state)
{
    (void)state;
    expect_time(play(2, BY("0") SEND("1", "1024") END BY("1") WORK("5") RECV("0") END, machine), 5 + 0.2);
    expect_time(play(2, BY("0") SEND("1", "1024") END BY("1") WORK("2.285") RECV("0") END, machine), 2.285 + 0.2);
    expect_time(play(2, BY("0") SEND("1", "1024") END BY("1") WORK("2.085") RECV("0") END, machine), 2.385);
}

static void an_eager_send_returns_after_its_overhead(void **state)
{
    (void)state;
    /* arrivals 2.385 2.685 2.985; receives return then */
    expect_time(play(2, BY("0") SEND("1", "1024") SEND("1", "1024") SEND("1", "1024") END
                        BY("1") RECV("0") RECV("0") RECV("0") END, machine), 2.985);
    /* arrivals 2.385 2.485 2.585; receives 2.385, 2.585, 2.785 */
    expect_time(play(2, BY("0") SEND("1", "1024") SEND("1", "1024") SEND("1", "1024") END
                        BY("1") RECV("0") RECV("0") RECV("0") END, quick_sends), 2.785);
    expect_time(play(2, BY("0") SEND("1", "1024") WORK("7") END BY("1") RECV("0") END, machine), 7.3);
}

/* 1000 messages, far more than may be unmatched at once: r_n = 2.385 + 0.2 (n - 1). */
static void a_stream_is_paced_by_its_receiver(void **state)
{
    (void)state;
    expect_time(play(2, "Loop iterations = 1000\n{\n" BY("0") SEND("1", "1024") END BY("1") RECV("0") END "}\n",
                     quick_sends), 2.385 + 999 * 0.2);
}

/* The limit of 64 is lifted when nobody else can run: the receiver takes the last tag first. */
static void a_receiver_may_take_the_last_of_many_first(void **state)
{
    (void)state;
    expect_time(play(2, BY("0") "Loop iterations = 200 & var = i\n{\nMessage type = MPI_Send & to = 1 & size = 1024 & "
                           "tag = i\n}\n"
                        END BY("1") "Message type = MPI_Recv & from = 0 & tag = 199\n"
                        "Loop iterations = 199 & var = i\n{\nMessage type = MPI_Recv & from = 0 & tag = i\n}\n" END,
                     quick_sends), 199 * 0.1 + 2.385 + 199 * 0.2);
}

static void messages_of_a_pair_do_not_overtake(void **state)
{
    (void)state;
    /* 2000 bytes at 0 are there at 9; 10 bytes sent at 0.3 take 1, but not before 9 */
    expect_time(play(2, BY("0") "Message type = MPI_Send & to = 1 & size = 2000 & tag = 1\n"
                        "Message type = MPI_Send & to = 1 & size = 10 & tag = 2\n" END
                        BY("1") "Message type = MPI_Recv & from = 0 & tag = 2\n" WORK("0.5")
                        "Message type = MPI_Recv & from = 0 & tag = 1\n" END, two_sizes), 9 + 0.5 + 0.2);
}

static void messages_within_a_node_cost_what_is_measured_there(void **state)
{
    (void)state;
    static const char nodes[] = POINT_TO_POINT(SIZE("1024", "2.385", "0", "0"))
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 1024, transit: \"0.05 ms\"}]}\n"
        "ports: {out_gap: [[0, \"3 ms\"]], in_gap: [[0, \"3 ms\"]]}\n";
    struct scene scene = {.numprocs = 4, .nodes = 2, .ppn = 2, .contention = CONTENTION_ports};
    /* ranks 0, 1 share a node: no port; 0 to 2 crosses, and is not held up by the two within */
    expect_time(1e3 * play_with(scene, BY("0") SEND("1", "1024") SEND("1", "1024") SEND("2", "1024") END
                                       BY("1") RECV("0") RECV("0") END BY("2") RECV("0") END, nodes), 2.385);
    expect_time(1e3 * play_with(scene, BY("0") SEND("1", "1024") SEND("1", "1024") END BY("1") RECV("0") RECV("0") END,
                                nodes), 0.05);
    /* ranks 0 and 1 share the node's out port: the second leaves 3 later */
    expect_time(1e3 * play_with(scene, BY("0") SEND("2", "1024") END BY("1") SEND("3", "1024") END BY("2") RECV("0") END
                                       BY("3") RECV("1") END, nodes), 3 + 2.385);
}

/* ---- ports ---- */

static const char fan_out[] = BY("0") SEND("1", "4096") SEND("2", "4096") END
    "Runon c1 = procnum > 0\n{\n" RECV("0") "}\n";
static const char fan_in[] = BY("0") RECV("1") RECV("2") END "Runon c1 = procnum > 0\n{\n" SEND("0", "4096") "}\n";

static void a_port_is_busy_for_its_gap(void **state)
{
    (void)state;
    expect_time(play_ports(3, fan_out, ports), 3.46 + 2.23);
    expect_time(play_ports(3, fan_in, ports), 2.23 + 3.46);
    struct scene scene = {.numprocs = 3, .contention = CONTENTION_scoreboard};
    expect_time(1e3 * play_with(scene, fan_out, ports), 2.23);
    scene.contention = CONTENTION_none;
    expect_time(1e3 * play_with(scene, fan_in, ports), 2.23);
}

static void a_port_serves_in_the_order_of_asking(void **state)
{
    (void)state;
    /* process 1 asks the in port at 5 + 2.23, process 2 at 2.23: the later asker waits until 2.23 + 3.46 = 5.69 <
     * 7.23 */
    expect_time(play_ports(3, BY("0") RECV("1") RECV("2") END BY("1") WORK("5") SEND("0", "4096") END BY("2")
                              SEND("0", "4096") END, ports), 7.23);
    /* and here it does wait: 1 asks at 3.23, free at 5.69 */
    expect_time(play_ports(3, BY("0") RECV("1") RECV("2") END BY("1") WORK("1") SEND("0", "4096") END BY("2")
                              SEND("0", "4096") END, ports), 5.69);
    /* four senders at 0, 3, 1, 2: arrivals 2.23 + 0, 1, 2, 3 gaps in that order; rank 4 (started at 2) is third */
    expect_time(play_ports(5, BY("0") RECV("4") END BY("2") WORK("3") END BY("3") WORK("1") END BY("4") WORK("2") END
                              "Runon c1 = procnum > 0\n{\n" SEND("0", "4096") "}\n", ports), 2.23 + 2 * 3.46);
}

static void credit_lets_an_idle_port_run_ahead(void **state)
{
    (void)state;
    /* credit(1024) = 1.28 - 0.92 = 0.36: departures 0, 0.92 - 0.36, 1.84 - 0.36 */
    expect_time(play_ports(2, BY("0") SEND("1", "1024") SEND("1", "1024") END BY("1") RECV("0") RECV("0") END, credit),
                0.56 + 0.1);
    expect_time(play_ports(4, BY("0") SEND("1", "1024") SEND("2", "1024") SEND("3", "1024") END
                              "Runon c1 = procnum > 0\n{\n" RECV("0") "}\n", credit), 1.48 + 0.1);
    /* in port: asked three times at 0.1: 0.1, then 0.1 + 0.92 - 0.36, then 0.1 + 1.84 - 0.36 */
    expect_time(play_ports(4, BY("0") RECV("1") RECV("2") RECV("3") END
                              "Runon c1 = procnum > 0\n{\n" SEND("0", "1024") "}\n", credit), 0.1 + 1.84 - 0.36);
}

/* Figure 5 with ports: what paper and pencil give, in steady state (the second hundred iterations). */
#define JACOBI(iterations, size, ms)                                                                                   \
    "Loop iterations = " iterations "\n{\nRunon c1 = procnum%2 == 0 & c2 = procnum%2 != 0\n{\n"                         \
    "Runon c1 = procnum != 0\n{\n" SEND("procnum-1", size) "}\n" SEND("procnum+1", size) RECV("procnum+1")             \
    "Runon c1 = procnum != 0\n{\n" RECV("procnum-1") "}\n}\n{\n"                                                       \
    "Runon c1 = procnum != numprocs-1\n{\n" RECV("procnum+1") "}\n" RECV("procnum-1") SEND("procnum-1", size)          \
    "Runon c1 = procnum != numprocs-1\n{\n" SEND("procnum+1", size) "}\n}\n"                                           \
    "Serial time = " ms "/numprocs ms\n}\n"

static void jacobi_with_ports_is_what_pencil_gives(void **state)
{
    (void)state;
    const double whole[] = {54.46, 36.38, 23.88, 17.63};
    for (int i = 0; i < 4; i++) {
        double hundred = play_ports(2 << i, JACOBI("100", "4096", "100.0"), ports);
        expect_time(play_ports(2 << i, JACOBI("200", "4096", "100.0"), ports) - hundred, 100 * whole[i]);
    }
    const double small[] = {5.32, 3.32, 2.32};
    for (int i = 0; i < 3; i++) {
        double hundred = play_ports(4 << i, JACOBI("100", "1024", "16.0"), credit);
        expect_time(play_ports(4 << i, JACOBI("200", "1024", "16.0"), credit) - hundred, 100 * small[i]);
    }
}

/* An analytical model's gaps act per process and always. */
static void gaps_of_analytical_models(void **state)
{
    (void)state;
    double t = 0.1 + 4096 * 1e-5;
    expect_time(play_model(3, "hockney", fan_out), 2 * t);
    expect_time(play_model(3, "hockney", fan_in), t);
    double gap = 0.02 + 4095 * 1e-5, transit = 0.072 + 4095 * 1e-5;
    /* the second send call is at o_s, earlier than the port is free */
    expect_time(play_model(3, "loggp", fan_out), gap + transit);
    expect_time(play_model(3, "loggp", fan_in), transit + gap);
    struct scene none = {.numprocs = 3, .model = "loggp", .contention = CONTENTION_none};
    expect_time(1e3 * play_with(none, fan_in, models), transit + 0.012);
}

/* ---- rendezvous ---- */

static void a_rendezvous_starts_when_both_are_there(void **state)
{
    (void)state;
    /* receiver late: start 4, arrival 9; the sender is free at 4.3 and works 6 */
    static const char late_receiver[] = BY("0") SEND("1", "2000") WORK("6") END BY("1") WORK("4") RECV("0") END;
    static const char late_sender[] = BY("0") WORK("4") SEND("1", "2000") END BY("1") RECV("0") WORK("3") END;
    expect_time(play(2, late_receiver, rendezvous), 4.3 + 6);
    expect_time(play(2, late_sender, rendezvous), 9 + 3);
    expect_time(play(2, late_receiver, async), 4.3 + 6);
    /* at the eager limit it is eager */
    expect_time(play(2, BY("0") SEND("1", "1000") WORK("6") END BY("1") WORK("4") RECV("0") END, rendezvous), 6.3);
}

static void ssend_at_any_size_bsend_at_none(void **state)
{
    (void)state;
    expect_time(play(2, BY("0") "Message type = MPI_Ssend & to = 1 & size = 10\n" WORK("6") END
                        BY("1") WORK("4") RECV("0") END, rendezvous), 4.3 + 6);
    expect_time(play(2, BY("0") "Message type = MPI_Bsend & to = 1 & size = 2000\n" WORK("6") END
                        BY("1") WORK("4") RECV("0") END, rendezvous), 0.3 + 6);
    expect_time(play(2, BY("0") "Message type = MPI_Issend & to = 1 & size = 10 & request = r\n" WORK("6")
                        "Message type = MPI_Wait & request = r\n" END
                        BY("1") WORK("1") RECV("0") END, rendezvous), 6 + 1.5);
}

/* Isend at 0, work until 10, Wait; the receiver is in Recv from 0 on. */
static void progress_decides_when_a_nonblocking_rendezvous_moves(void **state)
{
    (void)state;
    static const char isend[] = BY("0") "Message type = MPI_Isend & to = 1 & size = 2000 & request = r\n" WORK("10")
        "Message type = MPI_Wait & request = r\n" END BY("1") WORK("1") RECV("0") END;
    expect_time(play(2, isend, rendezvous), 10 + 5);
    expect_time(play(2, isend, async), 10);
    static const char irecv[] = BY("0") WORK("1") SEND("1", "2000") WORK("8") END BY("1")
        "Message type = MPI_Irecv & from = 0 & request = r\n" WORK("6") "Message type = MPI_Wait & request = r\n" END;
    expect_time(play(2, irecv, rendezvous), 6 + 0.3 + 8);
    expect_time(play(2, irecv, async), 1 + 0.3 + 8);
    /* the sender's Isend finds the receiver inside its Recv: the post itself is progress */
    static const char inside[] = BY("0") WORK("2") "Message type = MPI_Isend & to = 1 & size = 2000 & request = r\n"
        WORK("10")
        "Message type = MPI_Wait & request = r\n" END BY("1") RECV("0") WORK("20") END;
    expect_time(play(2, inside, rendezvous), 2 + 5 + 20);
}

/* The receiver waits from 0 to 1.5 in another receive; the sender posts at 1: both are in MPI, so the transfer starts
 * then, though the receiver's own wait comes at 9.5. */
static void any_blocking_call_gives_progress(void **state)
{
    (void)state;
    static const char program[] = BY("0") WORK("1") SEND("1", "2000") END BY("2") SEND("1", "10") END BY("1")
        "Message type = MPI_Irecv & from = 0 & request = r\n" RECV("2") WORK("8")
        "Message type = MPI_Wait & request = r\n" END;
    expect_time(play(3, program, rendezvous), 9.5 + 0.2);
}

/* Nobody waits for the rendezvous itself: process 1 is in a receive from 2, which waits for 0, which waits in its
 * Send. */
static void a_rendezvous_moves_when_nobody_else_can(void **state)
{
    (void)state;
    static const char program[] = BY("0") SEND("1", "2000") SEND("2", "10") END BY("2") RECV("0")
        SEND("1", "10") END BY("1")
        WORK("1") "Message type = MPI_Irecv & from = 0 & request = r\n" RECV("2")
        "Message type = MPI_Wait & request = r\n" END;
    /* start 1; 0 returns at 1.3; at 2: 2.8; at 1: 4.3; the rendezvous itself is there at 6 */
    expect_time(play(3, program, rendezvous), 6);
}

#define ISEND "Message type = MPI_Isend & to = 1 & size = 2000 & request = r\n"
#define IRECV "Message type = MPI_Irecv & from = 0 & request = r\n"
#define WAIT "Message type = MPI_Wait & request = r\n"

/* Within a node a receiver that gets the data itself needs not its sender. Isend at 0, work until 10, Wait; the receiver
 * is in Recv from 1 on. Or it posts it, and is in another receive from 1 to 4.5. */
static void what_a_receiver_gets_needs_no_sender(void **state)
{
    (void)state;
    static const char gets[] = POINT_TO_POINT(SIZE("10", "1.5", "0.3", "0.2") ", " SIZE("2000", "5", "0.3", "0.2"))
        "eager_limit: 1000\ntransports: {node: {rendezvous: get}}\n";
    static const char waits[] = BY("0") ISEND WORK("10") WAIT END BY("1") WORK("1") RECV("0") WORK("20") END;
    static const char posts[] = BY("1") IRECV WORK("1") RECV("2") WORK("1") WAIT WORK("20") END
        BY("0") WORK("0.5") ISEND WORK("10") WAIT END BY("2") WORK("3") SEND("1", "10") END;
    static const char late[] = BY("0") ISEND WAIT WORK("20") END BY("1") WORK("4") RECV("0") END;
    static const char polls[] = BY("0") ISEND WORK("50") WAIT END BY("1") IRECV WORK("3")
        "Message type = MPI_Test & request = r & flag = f\n" WORK("6") WAIT WORK("60") END;
    static const char behind[] = BY("0") ISEND WORK("10") WAIT END BY("1") WORK("2") IRECV
        WORK("6") WAIT WORK("20") END;
    static const char two_kinds[] = "pevpm_machine: 1\nname: m\nnodes: 1\nprocesses_per_node: 2\npoint_to_point:\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [" SIZE("2000", "5", "4.9", "0.2") "]}\n"
        "  - {operation: MPI_Isend, nodes: 1, processes_per_node: 2, sizes: [" SIZE("2000", "5", "0.1", "0.2") "]}\n"
        "eager_limit: 1000\ntransports: {node: {rendezvous: get}}\n";
    const struct scene node = {.numprocs = 2, .nodes = 1, .ppn = 2}, apart = {.numprocs = 2};
    const struct scene three = {.numprocs = 3, .nodes = 1, .ppn = 3};
    expect_time(1e3 * play_with(node, waits, gets), 1 + 5 + 20);
    expect_time(1e3 * play_timed(node, waits, gets), 1 + 5 + 20);
    expect_time(1e3 * play_with(node, waits, rendezvous), 10 + 5 + 20);
    expect_time(1e3 * play_with(apart, waits, gets), 10 + 5 + 20);
    expect_time(1e3 * play_with(node, late, gets), 4 + 0.3 + 20);
    expect_time(1e3 * play_timed(node, late, gets), 4 + 0.3 + 20);
    expect_time(1e3 * play_with(three, posts, gets), 1 + 5 + 20);
    expect_time(1e3 * play_timed(three, posts, gets), 1 + 5 + 20);
    expect_time(1e3 * play_with(three, posts, rendezvous), 10.5 + 5 + 20);
    expect_time(1e3 * play_with(node, behind, gets), 8 + 5 + 20); /* the receiver copies where it waits */
    expect_time(1e3 * play_timed(node, behind, gets), 8 + 5 + 20);
    /* an MPI_Isend is over when its data have been got */
    expect_time(1e3 * play_with(node, late, two_kinds), 4 + 4.9 + 20);
    expect_time(1e3 * play_timed(node, late, two_kinds), 4 + 4.9 + 20);
    expect_time(1e3 * play_timed(node, polls, gets), 3 + 0.2 + 6 + 0.2 + 60);
}

/* ---- waits ---- */

static void waitall_takes_receives_in_the_order_of_arrival(void **state)
{
    (void)state;
    static const char program[] = BY("0") "Message type = MPI_Irecv & from = 1 & request = r[0]\n"
        "Message type = MPI_Irecv & from = 2 & request = r[1]\n"
        "Message type = MPI_Waitall & request = (r[0], r[1])\n" END
        BY("1") WORK("5") SEND("0", "1024") END BY("2") SEND("0", "1024") END;
    /* 2.385 first, then max(7.385, 2.585); in the order posted it would be 7.585 */
    expect_time(play(3, program, machine), 7.385);
    /* five messages long there: each takes 0.2 */
    static const char many[] = BY("0") "Loop iterations = 5 & var = i\n{\n"
        "Message type = MPI_Irecv & from = i + 1 & request = r[i]\n}\n" WORK("20") "Message type = MPI_Waitall\n" END
        "Runon c1 = procnum > 0\n{\n" SEND("0", "1024") "}\n";
    expect_time(play(6, many, machine), 20 + 5 * 0.2);
    /* arrivals 2.385 + 4, 3, 2, 1, 0 tenths: w = 2.385, 2.585, ... : the overheads decide */
    static const char close[] = BY("0") "Loop iterations = 5 & var = i\n{\n"
        "Message type = MPI_Irecv & from = i + 1 & request = r[i]\n}\n" "Message type = MPI_Waitall & request = r\n" END
        "Runon c1 = procnum > 0\n{\nSerial time = (5 - procnum)/10.0 ms\n" SEND("0", "1024") "}\n";
    expect_time(play(6, close, machine), 2.385 + 4 * 0.2);
}

static void sendrecv_is_isend_irecv_waitall(void **state)
{
    (void)state;
    static const char exchange[] = "Loop iterations = 12\n{\nMessage type = MPI_Sendrecv & to = 1-procnum & "
                                   "from = 1-procnum & size = 1024\n}\n";
    expect_time(play(2, exchange, machine), 12 * 2.385);
    static const char big[] = "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 2000\n";
    expect_time(play(2, big, rendezvous), 5);
    expect_time(play_ports(3, "Message type = MPI_Sendrecv & to = (procnum+1)%3 & from = (procnum+2)%3 & "
                              "size = 4096\n", ports), 2.23);
}

static void null_processes_and_closed_requests_cost_nothing(void **state)
{
    (void)state;
    static const char program[] = "Message type = MPI_Send & to = MPI_PROC_NULL & size = 1024\n"
        "Message type = MPI_Irecv & from = procnum == 0 ? MPI_PROC_NULL : 0 & request = r\n"
        "Message type = MPI_Isend & to = procnum == 1 ? MPI_PROC_NULL : 1 & size = 1024 & request = s\n"
        "Message type = MPI_Waitall & request = (r, s)\nMessage type = MPI_Wait & request = s\n" WORK("0.25");
    expect_time(play(2, program, machine), 2.385 + 0.25);
}

static void results_are_bound(void **state)
{
    (void)state;
    static const char program[] = BY("0") "Message type = MPI_Send & to = 1 & size = 512*(1+1) & tag = 3\n" END BY("1")
        "Message type = MPI_Recv & from = 0 & tag = 3 & source = who & got_tag = what & got_size = size\n"
        "Serial time = who + what/2.0 + size/1024.0 ms\n" END;
    expect_time(play(2, program, machine), 2.385 + 0 + 1.5 + 1);
}

/* Which elements have a value only the run knows, and which is asked for. */
static void an_element_without_a_value_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"t[2]", "`t[2]` is used before it is Set, in process 0"},
                                           {"2*t[who]", "`t[1]` is used before it is Set, in process 0"},
                                           {"t[who+4]", "below the number of its elements"}};
    struct scene scene = {.numprocs = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char program[600];
        snprintf(program, sizeof program, BY("0") "Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = who\n"
                 "Set t[0] = 1\nRunon c1 = who == 5\n{\nSet t[2] = 1\n}\nSerial time = %s\n" END
                 BY("1") "Message type = MPI_Send & to = 0 & size = 8\n" END, cases[i][0]);
        play_error(scene, program, machine, STATUS_RANGE, cases[i][1]);
    }
}

/* What delays a process that sends within its node delays the message. */
static void overheads_are_drawn_with_the_transit_or_not(void **state)
{
    (void)state;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++) {
        const bool local = transport == TRANSPORT_node || transport == TRANSPORT_socket;
        assert_int_equal(rule_overhead_stream(SIDE_SEND, transport), local ? STREAM_TRANSIT : STREAM_SEND_OVERHEAD);
        assert_int_equal(rule_overhead_stream(SIDE_RECEIVE, transport), STREAM_TRANSIT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pingpong_takes_twice_the_transit),
        cmocka_unit_test(ring_takes_a_transit_a_round),
        cmocka_unit_test(chain_and_pipeline),
        cmocka_unit_test(jacobi_on_two_processes),
        cmocka_unit_test(a_late_receiver_pays_the_receive_overhead),
        cmocka_unit_test(an_eager_send_returns_after_its_overhead),
        cmocka_unit_test(a_stream_is_paced_by_its_receiver),
        cmocka_unit_test(a_receiver_may_take_the_last_of_many_first),
        cmocka_unit_test(messages_of_a_pair_do_not_overtake),
        cmocka_unit_test(messages_within_a_node_cost_what_is_measured_there),
        cmocka_unit_test(overheads_are_drawn_with_the_transit_or_not),
        cmocka_unit_test(a_port_is_busy_for_its_gap),
        cmocka_unit_test(a_port_serves_in_the_order_of_asking),
        cmocka_unit_test(credit_lets_an_idle_port_run_ahead),
        cmocka_unit_test(jacobi_with_ports_is_what_pencil_gives),
        cmocka_unit_test(gaps_of_analytical_models),
        cmocka_unit_test(a_rendezvous_starts_when_both_are_there),
        cmocka_unit_test(ssend_at_any_size_bsend_at_none),
        cmocka_unit_test(progress_decides_when_a_nonblocking_rendezvous_moves),
        cmocka_unit_test(any_blocking_call_gives_progress),
        cmocka_unit_test(a_rendezvous_moves_when_nobody_else_can),
        cmocka_unit_test(what_a_receiver_gets_needs_no_sender),
        cmocka_unit_test(waitall_takes_receives_in_the_order_of_arrival),
        cmocka_unit_test(sendrecv_is_isend_irecv_waitall),
        cmocka_unit_test(null_processes_and_closed_requests_cost_nothing),
        cmocka_unit_test(results_are_bound),
        cmocka_unit_test(an_element_without_a_value_is_named),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
