/* What the time-ordered engine tells its ledger: the spans of each process follow one another without gap and add up to
 * the run time, and each is what ledger.h says. Times in s. */
#include "engine/tests/maker.h"

enum { MOST = 16, TEXT = 20000 };

struct account {
    int numprocs, gaps;
    double at[MOST], sum[MOST], loss[MOST][N_LOSSES];
    int flights, choices, lost;
    struct flight flight; /* the latest */
    struct choice choice;
    struct flight lost_one;
};

static void note_span(void *context, const struct span *span)
{
    struct account *a = context;
    assert_true(span->process >= 0 && span->process < a->numprocs && span->to > span->from);
    assert_true((span->loss == LOSS_end_imbalance) == (span->site < 0));
    a->gaps += span->from != a->at[span->process];
    a->at[span->process] = span->to;
    a->sum[span->process] += span->to - span->from;
    a->loss[span->process][span->loss] += span->to - span->from;
}

static void note_flight(void *context, const struct flight *flight)
{
    struct account *a = context;
    assert_true(flight->sent <= flight->arrived && flight->arrived <= flight->received && flight->tag >= -1);
    a->flights++;
    a->flight = *flight;
}

static void note_choice(void *context, const struct choice *choice)
{
    struct account *a = context;
    assert_true(choice->candidates >= 1 && choice->source >= 0 && choice->source < a->numprocs);
    a->choices++;
    a->choice = *choice;
}

static void note_lost(void *context, const struct flight *flight)
{
    struct account *a = context;
    a->lost++;
    a->lost_one = *flight;
}

static enum status run(struct engine *engine, uint32_t r, struct outcome *outcome, struct engine_totals *totals)
{
    struct diags diags = DIAGS_EMPTY;
    enum status status = engine_run(engine, r, 1, outcome, totals, &diags);
    diags_free(&diags);
    return status;
}

static void adds_up(const struct scene *scene, const struct account *a, double time)
{
    assert_int_equal(a->gaps, 0);
    for (int i = 0; i < scene->numprocs; i++) {
        assert_true(a->at[i] == time);
        if (fabs(a->sum[i] - time) > 1e-9 * time)
            fail_msg("process %d: %.17g is not %.17g", i, a->sum[i], time);
    }
}

/* A machine on which calls are over later than what they send begins to leave: they connect, and wait for hosts, answers and readers. */
static const char later[] =
    "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 2\neager_limit: 2000\n"
    "transports: {node: {unread_limit: 256}, network: {connect: {message: \"480 us\", call: \"340 us\", late: \"260 us\"}}}\n"
    "point_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {edges: [\"90 us\", \"100 us\", \"130 us\"], counts: [3, 1]}, send_overhead: \"7 us\"}\n"
    "      - {bytes: 16384, transit: {lognormal: {mean: \"900 us\", sd: \"520 us\"}, shift: \"1 ms\"}, "
    "send_overhead: \"30 us\", receive_overhead: \"41 us\"}\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 1\n    processes_per_node: 2\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"3 us\", high: \"4 us\"}}, send_overhead: \"1 us\", receive_overhead: \"2 us\"}\n"
    "      - {bytes: 16384, transit: \"21 us\", send_overhead: \"3 us\", receive_overhead: \"4 us\"}\n"
    "resources:\n"
    "  - {scope: node, direction: out, demand: [[0, \"12 us\"], [1024, \"92 us\"]], acknowledgements: [[0, \"5 us\"]]}\n"
    "  - {scope: node, direction: in, demand: [[0, \"10 us\"], [1024, \"97 us\"]], acknowledgements: [[0, \"5 us\"]]}\n"
    "  - {scope: all, demand: [[0, \"2 us\"]], wake: [[0, 0], [\"1 ms\", \"28 us\"]]}\n"
    "send_buffer: [[0, 1000]]\nrests: {measured_after: \"3 ms\", delay: [[0, 0], [\"3 ms\", \"6 us\"]]}\n"
    "serial: {step: {lognormal: {mean: \"200 us\", sd: \"141 us\"}}, row: [[10, \"50 us\"], [100, "
    "{exponential: {mean: \"450 us\"}}]]}\n";

/* The program of a scene on that machine instead. */
static void scene_move(struct scene *scene, const char *program)
{
    scene_close(scene);
    *scene = (struct scene){.contention = CONTENTION_ports, .unconnected = true, .numprocs = scene->numprocs, .nodes = scene->nodes,
                            .ppn = scene->ppn, .seed = scene->seed};
    scene_open(scene, program, later);
}

static void chance_programs_add_up(bool by_time, bool moved, int *ran, int *deadlocked)
{
    struct maker maker = {0};
    for (int program = 0; program < 200; program++) {
        if (!share_takes(program))
            continue;
        struct scene scene = maker_open(&maker, by_time, program);
        if (moved)
            scene_move(&scene, maker.text);
        struct account account;
        struct ledger ledger = {&account, note_span, note_flight, note_choice, note_lost};
        struct engine_setup setup = scene.setup;
        setup.ledger = &ledger;
        struct engine *heard_engine = engine_create(ENGINE_TIMED, &setup, 1);
        struct engine *alone_engine = engine_create(ENGINE_TIMED, &scene.setup, 1);
        for (uint32_t r = 0; r < 3; r++) {
            struct outcome alone, heard;
            struct engine_totals totals;
            account = (struct account){.numprocs = scene.numprocs};
            enum status status = run(heard_engine, r, &heard, &totals);
            if (status != STATUS_OK && status != STATUS_DEADLOCK)
                fail_msg("%s\n%s", status_name(status), maker.text);
            *ran += status == STATUS_OK;
            *deadlocked += status == STATUS_DEADLOCK;
            if (status != STATUS_OK)
                break;
            adds_up(&scene, &account, heard.time);
            assert_true((uint64_t)account.flights + (uint64_t)account.lost <= totals.messages);
            /* listening changes nothing */
            assert_int_equal(run(alone_engine, r, &alone, NULL), STATUS_OK);
            assert_true(alone.time == heard.time && alone.serial == heard.serial);
        }
        engine_destroy(heard_engine);
        engine_destroy(alone_engine);
        scene_close(&scene);
    }
    free(maker.text);
}

static void spans_add_up(void **state)
{
    (void)state;
    int ran = 0, deadlocked = 0;
    chance_programs_add_up(false, false, &ran, &deadlocked);
    assert_true(ran > share_least(300) && deadlocked > share_least(10));
}

static void spans_add_up_where_time_decides(void **state)
{
    (void)state;
    int ran = 0, deadlocked = 0;
    chance_programs_add_up(true, false, &ran, &deadlocked);
    assert_true(ran > share_least(300) && deadlocked >= share_least(2));
}

static void spans_add_up_where_calls_end_later(void **state)
{
    (void)state;
    int ran = 0, deadlocked = 0;
    chance_programs_add_up(false, true, &ran, &deadlocked);
    chance_programs_add_up(true, true, &ran, &deadlocked);
    assert_true(ran > share_least(600));
}

/* ---- by hand: 1000 bytes take 10, 2000 take 16; a send call 1, a receive of what is there 0.5 ---- */

#define POINT_TO_POINT POINT_TO_POINT_OF("1")
#define POINT_TO_POINT_OF(version)                                                           \
    "pevpm_machine: " version "\nname: m\nnodes: 64\nprocesses_per_node: 1\npoint_to_point:\n" \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [" \
    "{bytes: 0, transit: \"4 s\", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}, "    \
    "{bytes: 1000, transit: \"10 s\", send_overhead: \"1 s\", receive_overhead: \"0.5 s\"}]}\n"
static const char machine[] =
    POINT_TO_POINT "eager_limit: 1000\n"
                   "collectives: {MPI_Allreduce: {measured: [{numprocs: 3, bytes: 8, time: \"9 s\"}]}}\n";
static const char ports[] =
    POINT_TO_POINT "ports: {out_gap: [[0, 0], [1000, \"4 s\"]], in_gap: [[0, 0], [1000, \"4 s\"]]}\n";
static const char resting[] =
    POINT_TO_POINT "ports: {measured_after: 4, rest_delay: [[0, 0], [\"4 s\", \"1 s\"], [\"10 s\", \"3 s\"]]}\n";
static const char waking[] =
    POINT_TO_POINT_OF("2") "resources: [{scope: all, demand: [[0, 0]], wake: [[0, 0], [10, 2]]}]\n";
static const char answering[] =
    POINT_TO_POINT "ports: {out_gap: [[0, 0], [1000, \"4 s\"]], in_gap: [[0, 0], [1000, \"4 s\"]], reverse_gap: [[0, 0]]}\n"
                   "eager_limit: 1000\n";
static const char levels[] =
    POINT_TO_POINT "  - {operation: MPI_Send, pattern: pairs, nodes: 2, processes_per_node: 1, level: 2, sizes: "
                   "[{bytes: 1000, transit: \"14 s\"}]}\n";

#define BY(n)          "Runon c1 = procnum == " n "\n{\n"
#define END            "}\n"
#define WORK(s)        "Serial time = " s "\n"
#define SEND(to, size) "Message type = MPI_Send & to = " to " & size = " size "\n"
#define RECV(from)     "Message type = MPI_Recv & from = " from " & source = s\n"

static struct account hear(int numprocs, const char *program, const char *yaml)
{
    struct scene scene = {.numprocs = numprocs,
                          .contention = strstr(yaml, "ports:") || strstr(yaml, "resources:") ? CONTENTION_ports
                                                                                            : CONTENTION_scoreboard};
    struct outcome outcome;
    scene_open(&scene, program, yaml);
    struct account account = {.numprocs = scene.numprocs};
    struct ledger ledger = {&account, note_span, note_flight, note_choice, note_lost};
    struct engine_setup setup = scene.setup;
    setup.ledger = &ledger;
    struct engine *engine = engine_create(ENGINE_TIMED, &setup, 1);
    assert_int_equal(run(engine, 0, &outcome, NULL), STATUS_OK);
    engine_destroy(engine);
    adds_up(&scene, &account, outcome.time);
    scene_close(&scene);
    return account;
}

/* All of a process's losses, in the order of LOSS_LIST. */
static void expect_losses_within(double within, const struct account *a, int process, const double expected[N_LOSSES])
{
    for (int loss = 0; loss < N_LOSSES; loss++) {
        if (fabs(a->loss[process][loss] - expected[loss]) > within)
            print_error("process %d, loss %d: %g is not %g\n", process, loss, a->loss[process][loss], expected[loss]);
        assert_true(fabs(a->loss[process][loss] - expected[loss]) <= within);
    }
}

static void expect_losses(const struct account *a, int process, const double expected[N_LOSSES])
{
    expect_losses_within(1e-9, a, process, expected);
}
#define LOSSES(...) ((const double[N_LOSSES]){__VA_ARGS__})

static void waits_for_messages(void **state)
{
    (void)state;
    /* The sender is 5 late; the message is there at 15, 0.5 of that is the call, the rest the way. It leaves at 6. */
    struct account a = hear(2, BY("0") RECV("1") END BY("1") WORK("5") SEND("0", "1000") END, machine);
    expect_losses(&a, 0, LOSSES([LOSS_late_sender] = 5, [LOSS_receive_overhead] = 0.5, [LOSS_transit] = 9.5));
    expect_losses(&a, 1, LOSSES([LOSS_computation] = 5, [LOSS_send_overhead] = 1, [LOSS_end_imbalance] = 9));
    assert_true(a.flights == 1 && a.flight.sent == 5 && a.flight.arrived == 15 && a.flight.received == 15 &&
                a.flight.tag == 0);
    /* what is there costs the call */
    a = hear(2, BY("0") WORK("20") RECV("1") END BY("1") SEND("0", "1000") END, machine);
    expect_losses(&a, 0, LOSSES([LOSS_computation] = 20, [LOSS_receive_overhead] = 0.5));
    /* a rendezvous: the receiver is 7 late; 16 from there */
    a = hear(2, BY("0") WORK("7") RECV("1") END BY("1") SEND("0", "2000") END, machine);
    expect_losses(&a, 0, LOSSES([LOSS_computation] = 7, [LOSS_receive_overhead] = 0.5, [LOSS_transit] = 15.5));
    expect_losses(&a, 1, LOSSES([LOSS_late_receiver] = 7, [LOSS_send_overhead] = 1, [LOSS_end_imbalance] = 15));
}

static void ports_and_levels(void **state)
{
    (void)state;
    /* two messages reach one port at 10, the second is through at 14; its receive waits from 0 on */
    static const char second[] = BY("0") RECV("2") END BY("1") SEND("0", "1000") END BY("2") SEND("0", "1000") END;
    struct account a = hear(3, second, ports);
    expect_losses(&a, 0, LOSSES([LOSS_receive_overhead] = 0.5, [LOSS_transit] = 10, [LOSS_port_wait] = 3.5));
    assert_int_equal(a.lost, 1);
    assert_true(a.lost_one.from == 1 && a.lost_one.to == 0 && a.lost_one.bytes == 1000 && a.lost_one.sent == 0);
    /* the sender's port: the second leaves at 4 */
    a = hear(3, BY("0") SEND("1", "1000") SEND("2", "1000") END "Runon c1 = procnum > 0\n{\n" RECV("0") END, ports);
    expect_losses(
        &a, 2,
        LOSSES([LOSS_late_sender] = 1, [LOSS_receive_overhead] = 0.5, [LOSS_transit] = 10, [LOSS_port_wait] = 2.5));
    /* at level 2 they take 14 instead of 10 */
    a = hear(3, BY("0") RECV("MPI_ANY_SOURCE") END BY("1") SEND("0", "1000") END BY("2") SEND("0", "1000") END, levels);
    expect_losses(&a, 0, LOSSES([LOSS_receive_overhead] = 0.5, [LOSS_transit] = 10, [LOSS_contention] = 3.5));
}

static void rests(void **state)
{
    (void)state;
    /* the second is awake at 12; its message, from then on, is there at 22 */
    struct account a = hear(2, BY("0") WORK("10") RECV("1") END BY("1") WORK("10.5") SEND("0", "1000") END, waking);
    expect_losses_within(2e-6, &a, 0, LOSSES([LOSS_computation] = 10, [LOSS_late_sender] = 2, [LOSS_receive_overhead] = 0.5,
                                [LOSS_transit] = 9.5));
    expect_losses_within(2e-6, &a, 1, LOSSES([LOSS_computation] = 10.5, [LOSS_send_overhead] = 2.5, [LOSS_end_imbalance] = 9));
    /* the second leaves at 1 and takes 1 less */
    a = hear(3, BY("0") SEND("1", "1000") SEND("2", "1000") END "Runon c1 = procnum > 0\n{\n" RECV("0") END, resting);
    expect_losses(&a, 2, LOSSES([LOSS_late_sender] = 1, [LOSS_receive_overhead] = 0.5, [LOSS_transit] = 8.5));
}

/* The call takes 1, then it waits until the message has a receive, and for the answer, which takes 4. */
static void answers(void **state)
{
    (void)state;
    static const char ssend[] = "Message type = MPI_Ssend & to = 1 & size = 1000\n";
    char program[400];
    snprintf(program, sizeof program, BY("0") "%s" END BY("1") WORK("50") RECV("0") END, ssend);
    struct account a = hear(2, program, answering);
    expect_losses(&a, 0, LOSSES([LOSS_send_overhead] = 1 + 4, [LOSS_late_receiver] = 49));
    expect_losses(&a, 1, LOSSES([LOSS_computation] = 50, [LOSS_receive_overhead] = 0.5, [LOSS_end_imbalance] = 3.5));
}

static void collectives_and_choices(void **state)
{
    (void)state;
    /* all to all: the last enters at 20 */
    struct account a = hear(3, WORK("10*procnum") "Collective type = MPI_Allreduce & size = 8\n", machine);
    expect_losses(&a, 0, LOSSES([LOSS_collective_wait] = 20, [LOSS_transit] = 9));
    expect_losses(&a, 2, LOSSES([LOSS_computation] = 20, [LOSS_transit] = 9));
    /* unrolled: the messages of a Bcast, as of any other */
    a = hear(3, BY("0") WORK("5") END "Collective type = MPI_Bcast & size = 1000 & root = 0 & algorithm = linear\n",
             machine);
    expect_losses(
        &a, 1,
        LOSSES([LOSS_late_sender] = 5, [LOSS_receive_overhead] = 0.5, [LOSS_transit] = 9.5, [LOSS_end_imbalance] = 1));
    assert_true(a.flights == 2 && a.flight.tag == -1);
    /* two have come, the earlier one is taken; then there is one */
    a = hear(3,
             BY("0") WORK("50") RECV("MPI_ANY_SOURCE") END BY("1") WORK("3") SEND("0", "1000") END BY("2")
                 SEND("0", "1000") END,
             machine);
    assert_true(a.choices == 1 && a.choice.source == 2 && a.choice.candidates == 2);
    a = hear(3,
             BY("0") WORK("50") RECV("MPI_ANY_SOURCE") RECV("MPI_ANY_SOURCE") END BY("1") WORK("3") SEND("0", "1000")
                 END BY("2") SEND("0", "1000") END,
             machine);
    assert_true(a.choices == 2 && a.choice.source == 1 && a.choice.candidates == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_add_up),
        cmocka_unit_test(spans_add_up_where_time_decides), cmocka_unit_test(spans_add_up_where_calls_end_later),
        cmocka_unit_test(waits_for_messages),
        cmocka_unit_test(ports_and_levels),
        cmocka_unit_test(rests), cmocka_unit_test(answers),
        cmocka_unit_test(collectives_and_choices),
    };
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
