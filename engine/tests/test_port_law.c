/* The law of the port (docs/ARCHITECTURE.md, section 4), on programs and machines made by chance: whatever set of
 * messages passes a port, the last of them arrives no sooner after the first send call than the port works on all of
 * them, less what it has saved up while idle. The transits of these machines are no shorter than their gaps and, of large
 * messages, what announces and permits them. */
#include "engine/random.h"
#include "engine/tests/play.h"

enum { PROGRAMS = 400, MESSAGES_MOST = 40, PROCESSES_MOST = 9 };

struct draws {
    uint64_t seed;
    uint32_t drawn;
};

static int chance(struct draws *d, int n)
{
    return (int)(random_word(d->seed, 3, 1, d->drawn++, STREAM_SERIAL) % (uint32_t)n);
}

/* ---- machines ---- */

static const char *const point_to_point =
    "pevpm_machine: 1\nname: m\nnodes: 9\nprocesses_per_node: 1\npoint_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: "
    "{uniform: {low: 1 ms, high: 2 ms}}, send_overhead: 20 us}, {bytes: 10000, transit: {uniform: {low: 23 ms, high: "
    "28 ms}}, send_overhead: 30 us, receive_overhead: 20 us}]}\n";
static const char *const level =
    "  - {operation: MPI_Send, pattern: pairs, nodes: 9, processes_per_node: 1, level: 9, sizes: [{bytes: 0, transit: "
    "{uniform: {low: 1 ms, high: 4 ms}}}, {bytes: 10000, transit: {uniform: {low: 24 ms, high: 34 ms}}}]}\n";

/* Nine nodes that differ. */
static void say_nodes(FILE *out, struct draws *d)
{
    fputs(", per_node: [", out);
    for (int i = 0; i < 9; i++)
        fprintf(out, "%s{out_gap: [[0, 0.1 ms], [10000, %d ms]], in_gap: [[0, 0.1 ms], [10000, %d ms]], credit: %d ms}",
                i ? ", " : "", 5 + chance(d, 12), 5 + chance(d, 12), chance(d, 5));
    fputs("]", out);
}

/* more: than ports that all engines know. */
static void say_machine(FILE *out, struct draws *d, bool more)
{
    static const char *const gaps[] = {"9 ms", "9 ms", "20 ms", "4 ms"};
    fputs(point_to_point, out);
    if (chance(d, 2))
        fputs(level, out);
    const char *out_gap = gaps[chance(d, 4)], *in_gap = gaps[chance(d, 4)];
    const char *credit = chance(d, 2) ? "0 ms" : "3 ms";
    fprintf(out, "ports: {out_gap: [[0, 0.1 ms], [10000, %s]], in_gap: [[0, 0.1 ms], [10000, %s]], credit: %s",
            out_gap, in_gap, credit);
    if (more && chance(d, 3))
        fprintf(out, ", buffer: %d ms, overflow: %s", 5 + chance(d, 60),
                chance(d, 2) ? "{uniform: {low: 1 ms, high: 5 ms}}" : "{quantiles: [[0, 0], [0.4, 0], [1, 0.3 s]]}");
    if (more && chance(d, 3) == 0)
        fputs(", reverse_gap: [[0, 0.05 ms], [10000, 0.4 ms]]", out);
    if (more && chance(d, 3) == 0)
        say_nodes(out, d);
    fputs("}\n", out);
    if (chance(d, 4) == 0)
        fputs("eager_limit: 30000\n", out);
}

/* ---- programs ---- */

/* Messages from some to one, or from any to any, which their receivers have posted receives for. */
static void say_program(FILE *out, struct draws *d, int numprocs)
{
    static const int sizes[] = {0, 100, 500, 1448, 3000, 10000, 20000, 60000};
    int n = 1 + chance(d, MESSAGES_MOST), to[MESSAGES_MOST], from[MESSAGES_MOST], bytes = sizes[chance(d, 8)];
    bool to_one = chance(d, 3) > 0, equal = chance(d, 2), at_once = chance(d, 2);
    for (int k = 0; k < n; k++) {
        to[k] = to_one ? 0 : chance(d, numprocs);
        from[k] = (to[k] + 1 + chance(d, numprocs - 1)) % numprocs;
        fprintf(out, "Runon c1 = procnum == %d\n{\nMessage type = MPI_Irecv & from = %d & tag = %d\n}\n", to[k], from[k],
                k);
    }
    for (int k = 0; k < n; k++)
        fprintf(out,
                "Runon c1 = procnum == %d\n{\nSerial time = %d ms\nMessage type = MPI_Isend & to = %d & size = %d & "
                "tag = %d\n}\n",
                from[k], at_once ? 0 : chance(d, 20), to[k], equal ? bytes : sizes[chance(d, 8)], k);
    fputs("Message type = MPI_Waitall\n", out);
}

/* Ports of one queue for both directions. */
static void say_half_duplex(FILE *out, struct draws *d)
{
    static const char *const demands[] = {"9 ms", "20 ms", "4 ms"};
    fprintf(out, "pevpm_machine: 2%s%s", point_to_point + strlen("pevpm_machine: 1"), chance(d, 2) ? level : "");
    fprintf(out, "resources: [{scope: node, direction: both, demand: [[0, 0.1 ms], [10000, %s]], credit: %s%s}]\n",
            demands[chance(d, 3)], chance(d, 2) ? "0 ms" : "3 ms",
            chance(d, 2) ? "" : ", acknowledgements: [[0, 0.05 ms], [10000, 0.4 ms]]");
    if (chance(d, 4) == 0)
        fputs("eager_limit: 30000\n", out);
}

/* A scene whose texts the caller frees when it is closed. */
struct made {
    struct scene scene;
    char *program, *machine;
};

enum machines { PORTS, MORE, HALF_DUPLEX };

static struct made make(int number, enum machines kind)
{
    struct made made = {0};
    struct draws d = {.seed = (uint64_t)number};
    size_t size;
    made.scene = (struct scene){.numprocs = 2 + chance(&d, PROCESSES_MOST - 1), .contention = CONTENTION_ports,
                                .seed = (uint64_t)number};
    FILE *out = open_memstream(&made.machine, &size);
    if (kind == HALF_DUPLEX)
        say_half_duplex(out, &d);
    else
        say_machine(out, &d, kind == MORE);
    fclose(out);
    out = open_memstream(&made.program, &size);
    say_program(out, &d, made.scene.numprocs);
    fclose(out);
    scene_open(&made.scene, made.program, made.machine);
    return made;
}

static void made_free(struct made *made)
{
    scene_close(&made->scene);
    free(made->program);
    free(made->machine);
}

/* ---- the law ---- */

struct flown {
    double sent, arrived, gap, saved;
    int port;
};

struct flights {
    const struct scene *scene;
    size_t n;
    struct flown of[2][MESSAGES_MOST]; /* [0] the out ports, [1] the in ports */
};

static void flight_note(void *context, const struct flight *flight)
{
    struct flights *flights = context;
    const struct cost_model *model = flights->scene->cost;
    struct port_cost cost;
    uint32_t pair_class = model->pair_class(model, TRANSPORT_network, flight->from, flight->to);
    model->ports_for(model, pair_class, flight->bytes, &cost);
    size_t i = flights->n++;
    const double whole = model->in_time_by ? cost.in_gap : 0;
    flights->of[0][i] = (struct flown){flight->sent, flight->arrived, cost.out_gap, cost.out_saved, flight->from};
    flights->of[1][i] = (struct flown){flight->sent, flight->arrived, cost.in_gap, fmax(cost.in_saved, whole), flight->to};
}

/* Of the messages of a port those that are sent from one moment on and have arrived by another. */
static bool law_holds(size_t n, const struct flown of[], const struct flown *first, const struct flown *last)
{
    double work = 0, saved = 0;
    for (size_t i = 0; i < n; i++) {
        if (of[i].port != first->port || of[i].sent < first->sent || of[i].arrived > last->arrived)
            continue;
        work += of[i].gap;
        saved = fmax(saved, of[i].saved);
    }
    double took = last->arrived - first->sent;
    if (work == 0 || work - saved <= took + 1e-9)
        return true;
    print_error("port %d passes %g s of messages in %g s, having saved up %g s\n", first->port, work, took, saved);
    return false;
}

static void expect_law(const struct made *made, const struct flights *flights)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < flights->n; i++)
            for (size_t j = 0; j < flights->n; j++) {
                const struct flown *of = flights->of[side];
                bool holds = of[i].port != of[j].port || law_holds(flights->n, of, &of[i], &of[j]);
                if (!holds)
                    print_error("%s port\n%s%s", side ? "in" : "out", made->machine, made->program);
                assert_true(holds);
            }
}

static void the_law_holds_in_the_order_of_time(void **state)
{
    (void)state;
    int full = 0;
    for (int number = 0; number < PROGRAMS; number++) {
        struct made made = make(number, number % 4 > 0 ? MORE : PORTS);
        struct flights flights = {.scene = &made.scene};
        struct ledger ledger = {.context = &flights, .flight = flight_note};
        struct outcome outcome;
        made.scene.setup.ledger = &ledger;
        assert_int_equal(scene_run(&made.scene, ENGINE_TIMED, 1, 1, &outcome, NULL, NULL, 0), STATUS_OK);
        expect_law(&made, &flights);
        full += made.scene.cost->overflow != NULL;
        made_free(&made);
    }
    assert_true(full > PROGRAMS / 4); /* ports that lose messages are among them */
}

/* What leaves and what enters a port of one queue are one set. */
static void the_law_holds_where_directions_share_a_queue(void **state)
{
    (void)state;
    for (int number = 0; number < PROGRAMS; number++) {
        struct made made = make(number, HALF_DUPLEX);
        struct flights flights = {.scene = &made.scene};
        struct ledger ledger = {.context = &flights, .flight = flight_note};
        struct flown all[2 * MESSAGES_MOST];
        struct outcome outcome;
        made.scene.setup.ledger = &ledger;
        assert_int_equal(scene_run(&made.scene, ENGINE_TIMED, 1, 1, &outcome, NULL, NULL, 0), STATUS_OK);
        const size_t n = flights.n;
        memcpy(all, flights.of[0], n * sizeof *all);
        memcpy(all + n, flights.of[1], n * sizeof *all);
        for (size_t i = 0; i < 2 * n; i++)
            for (size_t j = 0; j < 2 * n; j++)
                if (all[i].port == all[j].port && !law_holds(2 * n, all, &all[i], &all[j]))
                    fail_msg("%s%s", made.machine, made.program);
        made_free(&made);
    }
}

/* Sweeps tell no flights: of all messages of a port the last is received no later than the run ends. */
static void expect_law_of_all(const struct made *made, double time)
{
    struct flights flights = {.scene = &made->scene};
    struct ledger ledger = {.context = &flights, .flight = flight_note};
    struct made told = *made;
    struct outcome outcome;
    told.scene.setup.ledger = &ledger;
    assert_int_equal(scene_run(&told.scene, ENGINE_TIMED, 1, 1, &outcome, NULL, NULL, 0), STATUS_OK);
    for (size_t i = 0; i < flights.n; i++)
        flights.of[0][i].arrived = flights.of[1][i].arrived = time;
    expect_law(made, &flights);
}

static void the_law_holds_in_sweeps(void **state)
{
    (void)state;
    for (int number = 0; number < PROGRAMS / 2; number++) {
        struct made made = make(number, PORTS);
        struct outcome outcome;
        assert_int_equal(scene_run(&made.scene, ENGINE_REFERENCE, 1, 1, &outcome, NULL, NULL, 0), STATUS_OK);
        expect_law_of_all(&made, outcome.time);
        assert_int_equal(scene_run(&made.scene, ENGINE_LANES, 8, 1, &outcome, NULL, NULL, 0), STATUS_OK);
        expect_law_of_all(&made, outcome.time);
        made_free(&made);
    }
}

/* So many send 60,000 bytes each to one process, whose port takes 54 ms to pass them; alone they are there after 53.85. */
static double gather_took(int senders)
{
    static const char machine[] =
        "pevpm_machine: 1\nname: m\nnodes: 16\nprocesses_per_node: 1\npoint_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 30 "
        "us}, {bytes: 10000, transit: 9 ms}]}\n"
        "ports: {out_gap: [[0, 0], [10000, 9 ms]], in_gap: [[0, 0], [10000, 9 ms]], buffer: 120 ms, "
        "overflow: {uniform: {low: 1 ms, high: 5 ms}}}\n";
    static const char gather[] = "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1 & var = i\n{\n"
                                 "Message type = MPI_Recv & from = i+1 & size = 60000\n}\n}\n{\n"
                                 "Message type = MPI_Send & to = 0 & size = 60000\n}\n";
    return play_timed((struct scene){.numprocs = senders + 1, .contention = CONTENTION_ports}, gather, machine);
}

/* Three find room. Of six three do not, and come again after a timeout of 0.2 s and a round trip, of two or of three: the port is busy
 * with others of them meanwhile, and passes all. */
static void what_is_sent_again_passes_again(void **state)
{
    (void)state;
    assert_true(fabs(gather_took(3) - (53.85e-3 + 2 * 54e-3)) < 1e-12);
    const double time = gather_took(6), passed = 53.85e-3 + 0.2 + 2 * 54e-3;
    if (!(time > passed && time < passed + 0.2 + 0.4))
        fail_msg("%.6g s, expected %.6g s and more", time, passed);
}

int main(void)
{

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_holds_in_the_order_of_time),
        cmocka_unit_test(the_law_holds_where_directions_share_a_queue),
        cmocka_unit_test(the_law_holds_in_sweeps),
        cmocka_unit_test(what_is_sent_again_passes_again),
    };
    return cmocka_run_group_tests_name("port law", tests, NULL, NULL);
}
