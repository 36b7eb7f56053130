#include "models/scaled.h"

#include "models/tests/model_fixture.h"

#define LOGGP "  loggp: {L: 5 us, o_s: 1 us, o_r: 4 us, g: 3 us, G: 10 ns}\n"

static struct scale scale_of(const char *text)
{
    struct diags diags = DIAGS_EMPTY;
    struct scale scale = SCALE_NONE;
    assert_int_equal(scale_parse("--scale", text, &scale, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    return scale;
}

static void texts_become_factors(void **state)
{
    (void)state;
    struct scale scale = scale_of("gap=0.1,transit=0.5,serial=2");
    assert_true(scale.out_gap == 0.1 && scale.in_gap == 0.1 && scale.transit == 0.5 && scale.serial == 2);
    assert_true(scale.send_overhead == 1 && scale.receive_overhead == 1 && scale.credit == 1 && scale.eager_limit == 1);
    assert_false(scale_is_none(&scale));
    scale = scale_of("overhead=3,send_overhead=0.5,credit=0,eager_limit=1e3");
    assert_true(scale.send_overhead == 1.5 && scale.receive_overhead == 3 && scale.credit == 0);
    assert_true(scale.eager_limit == 1000);
    scale = scale_of("transit=2,transit=0.5");
    assert_true(scale_is_none(&scale));
}

static void factors_become_texts(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"serial=2,gap=0.1", "gap=0.1,serial=2"},
                                           {"out_gap=0.25", "out_gap=0.25"},
                                           {"send_overhead=2,receive_overhead=2", "overhead=2"},
                                           {"overhead=2,send_overhead=2", "send_overhead=4,receive_overhead=2"},
                                           {"transit=0.3333333333333333", "transit=0.3333333333333333"},
                                           {"transit=1", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct scale scale = scale_of(texts[i][0]);
        char *text = scale_text(&scale);
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

static void refused(const char *text, enum status expected, const char *said)
{
    struct diags diags = DIAGS_EMPTY;
    struct scale scale = SCALE_NONE;
    assert_int_equal(scale_parse("--scale", text, &scale, &diags), expected);
    assert_says(&diags, said);
    assert_true(scale_is_none(&scale));
    diags_free(&diags);
}

static void wrong_texts_are_quoted(void **state)
{
    (void)state;
#define KEYS " (transit, overhead, gap, credit, serial, eager_limit; " \
             "one side: send_overhead, receive_overhead, out_gap, in_gap)\n"
    refused("gap=2,trasnit=3", STATUS_USAGE, "--scale:1:7: error: unknown cost `trasnit`, did you mean `transit`?" KEYS
            "    1 | gap=2,trasnit=3\n      |       ^~~~~~~\n");
    refused("", STATUS_USAGE, "--scale:1:1: error: unknown cost ``" KEYS "    1 | \n      | ^\n");
    refused("gap", STATUS_USAGE, "--scale:1:4: error: expected `=` and a factor, "
                                 "a number of at least 0: gap=0.5 halves it\n"
            "    1 | gap\n      |    ^\n");
    static const char *const factors[] = {"serial=x", "serial=-1", "serial=nan", "serial=inf", "serial=1x", "serial="};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct scale scale = SCALE_NONE;
        assert_int_equal(scale_parse("--scale", factors[i], &scale, &diags), STATUS_USAGE);
        assert_int_equal(diags.n_errors, 1);
        diags_free(&diags);
    }
}

/* As in test_loggp.c: 101 bytes cost 1, 4, 11, 5, 4 us. */
static void each_cost_has_its_factor(void **state)
{
    (void)state;
    const struct cost_options options = {.model = "loggp", .ppn = 1};
    static const struct {
        const char *scale;
        double costs[5];
    } cases[] = {{"transit=0.5", {1, 4, 5.5, 5, 4}},       {"overhead=3", {3, 4, 11, 5, 12}},
                 {"send_overhead=3", {3, 4, 11, 5, 4}},    {"receive_overhead=0.25", {1, 4, 11, 5, 1}},
                 {"gap=0.1", {1, 0.4, 11, 0.5, 4}},        {"in_gap=2,transit=2", {1, 4, 22, 10, 4}},
                 {"serial=7,credit=3", {1, 4, 11, 5, 4}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        assert_int_equal(fixture_open(&f, HEAD LOGGP, options), STATUS_OK);
        struct scale scale = scale_of(cases[i].scale);
        f.model = scaled_wrap(f.model, &scale);
        assert_costs(&f, 0, 1, 101, cases[i].costs);
        assert_string_equal(f.model->name, "loggp");
        assert_int_equal(f.model->eager_limit[TRANSPORT_network], 4096);
        fixture_close(&f);
    }
}

static void the_eager_limit_moves(void **state)
{
    (void)state;
    static const struct {
        const char *scale;
        int64_t limit;
    } cases[] = {{"eager_limit=0.5", 2048}, {"eager_limit=1e30", INT64_MAX}, {"eager_limit=0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        fixture_open(&f, HEAD LOGGP, (struct cost_options){.model = "loggp", .ppn = 1});
        struct scale scale = scale_of(cases[i].scale);
        f.model = scaled_wrap(f.model, &scale);
        for (int transport = 0; transport < N_TRANSPORTS; transport++)
            assert_true(f.model->eager_limit[transport] == cases[i].limit);
        fixture_close(&f);
    }
}

/* Out gap 1 us + 10 ns/byte, in gap 2 us, credit 30 us; all within the scale's reach. */
static const char ports[] =
    "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
    "point_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, "
    "transit: 100 us}]}\n"
    "ports:\n"
    "  shared_by: node\n"
    "  out_gap: [[0, 1 us], [1000, 11 us]]\n"
    "  in_gap: [[0, 2 us], [1000, 2 us]]\n"
    "  credit: 30 us\n";

static void credit_is_what_is_left_of_it(void **state)
{
    (void)state;
    static const struct {
        const char *scale;
        int64_t bytes;
        double out_gap, in_gap, out_credit, in_credit; /* us */
    } cases[] = {{"transit=2", 1000, 11, 2, 19, 19},        {"gap=2", 1000, 22, 4, 8, 8},
                 {"gap=3", 1000, 33, 6, 0, 0},              {"credit=0.5", 1000, 11, 2, 4, 4},
                 {"credit=0.5,gap=0.1", 1000, 1.1, 0.2, 13.9, 13.9},
                 {"gap=0.5", 5000, 25.5, 1, 4.5, 4.5}, /* without the scale the gap is beyond the credit */
                 {"in_gap=5", 1000, 11, 10, 19, 19}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct port_cost cost;
        struct cost_options options = {.model = "measured", .ppn = 1, .contention = CONTENTION_ports};
        assert_int_equal(fixture_open(&f, ports, options), STATUS_OK);
        struct scale scale = scale_of(cases[i].scale);
        f.model = scaled_wrap(f.model, &scale);
        f.model->ports_for(f.model, pair_between(f.model, 0, 1), cases[i].bytes, &cost);
        const double found[] = {cost.out_gap, cost.in_gap, port_cost_out_credit(&cost), port_cost_in_credit(&cost)};
        const double expected[] = {cases[i].out_gap, cases[i].in_gap, cases[i].out_credit, cases[i].in_credit};
        for (size_t k = 0; k < 4; k++)
            if (!(fabs(found[k] * 1e6 - expected[k]) < 1e-9))
                fail_msg("%s, figure %zu: %g us, expected %g", cases[i].scale, k, found[k] * 1e6, expected[k]);
        fixture_close(&f);
    }
}

/* Node 1 has a slower port and less credit than node 0. What is left of its credit goes by its own out gap, also where
 * nothing was left before the scale. */
static void credit_is_of_each_node(void **state)
{
    (void)state;
    char text[sizeof ports + 100];
    snprintf(text, sizeof text, "%s  per_node: [{}, {out_gap: [[0, 40 us], [1000, 50 us]], credit: 20 us}]\n", ports);
    static const struct {
        const char *scale;
        double out_credit, in_credit; /* us, of 1000 bytes */
    } cases[] = {{"transit=1", 19, 0}, {"gap=0.2", 27.8, 10}, {"gap=0.2,credit=2", 57.8, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct port_cost cost;
        struct cost_options options = {.model = "measured", .ppn = 1, .contention = CONTENTION_ports};
        assert_int_equal(fixture_open(&f, text, options), STATUS_OK);
        struct scale scale = scale_of(cases[i].scale);
        f.model = scaled_wrap(f.model, &scale);
        f.model->ports_for(f.model, pair_between(f.model, 0, 1), 1000, &cost);
        assert_true(fabs(port_cost_out_credit(&cost) * 1e6 - cases[i].out_credit) < 1e-9);
        assert_true(fabs(port_cost_in_credit(&cost) * 1e6 - cases[i].in_credit) < 1e-9);
        fixture_close(&f);
    }
}

/* A trunk of 2 us a byte on the wire: of a frame of 1000 bytes, 66 of headers and, with a message, 20 of the
 * library's. */
static const char trunk[] =
    "pevpm_machine: 2\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
    "point_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 1 ms}]}\n"
    "topology: {groups: {left: \"0\", right: \"1\"}}\n"
    "resources:\n"
    "  - {scope: node, direction: out, demand: [[0, 88 us], [4000, 4352 us]], frame: 1000}\n"
    "  - {scope: node, direction: in, demand: [[0, 88 us], [4000, 4352 us]], frame: 1000}\n"
    "  - {scope: group, of: [left, right], direction: out, demand: [[0, 176 us], [4000, 8.704 ms]], frame: 1000, credit: 3 ms,"
    " buffer: 9 ms, overflow: 0.2 s}\n";

static void trunks_go_with_the_gaps_of_senders(void **state)
{
    (void)state;
    static const struct {
        const char *scale;
        double work, saved, empty, byte, full, credit, buffer; /* us, of 4000 bytes */
    } cases[] = {{"transit=2", 8704, 3000, 132, 2, 2132, 3000, 9000},
                 {"in_gap=3", 8704, 3000, 132, 2, 2132, 3000, 9000},
                 {"gap=0.5", 4352, 3000, 66, 1, 1066, 3000, 4500},
                 {"gap=2", 17408, 4352, 264, 4, 4264, 3000, 18000},
                 {"credit=0.1", 8704, 2176, 132, 2, 2132, 300, 9000},
                 {"credit=0.1,gap=0.5", 4352, 1088, 66, 1, 1066, 300, 4500}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct hop_cost cost;
        double unused;
        struct cost_options options = {.model = "measured", .ppn = 1, .contention = CONTENTION_frames};
        assert_int_equal(fixture_open(&f, trunk, options), STATUS_OK);
        struct scale scale = scale_of(cases[i].scale);
        f.model = scaled_wrap(f.model, &scale);
        f.model->hop_for(f.model, 2, 4000, &cost, &unused);
        const double found[] = {cost.work, cost.saved, cost.empty, cost.byte, cost.full, cost.credit, cost.buffer};
        const double expected[] = {cases[i].work, cases[i].saved, cases[i].empty, cases[i].byte, cases[i].full,
                                   cases[i].credit, cases[i].buffer};
        for (size_t k = 0; k < sizeof found / sizeof *found; k++)
            if (!(fabs(found[k] * 1e6 - expected[k]) < 1e-6))
                fail_msg("%s, figure %zu: %g us, expected %g", cases[i].scale, k, found[k] * 1e6, expected[k]);
        fixture_close(&f);
    }
}

static void computation_goes_with_the_machine(void **state)
{
    (void)state;
    struct fixture f;
    struct scale scale = scale_of("serial=3");
    struct machine scaled;
    fixture_open(&f, HEAD LOGGP "node_time_factor: [1, 0.5]\n", (struct cost_options){.model = "loggp", .ppn = 1});
    scaled_machine_init(&scaled, f.machine, &scale);
    assert_true(machine_time_factor(&scaled, 0) == 3 && machine_time_factor(&scaled, 3) == 1.5);
    assert_true(machine_time_factor(f.machine, 1) == 0.5);
    scaled_machine_free(&scaled);
    fixture_close(&f);
    fixture_open(&f, HEAD LOGGP, (struct cost_options){.model = "loggp", .ppn = 1});
    scaled_machine_init(&scaled, f.machine, &scale);
    assert_true(machine_time_factor(&scaled, 17) == 3);
    scaled_machine_free(&scaled);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_factors),       cmocka_unit_test(factors_become_texts),
        cmocka_unit_test(wrong_texts_are_quoted),     cmocka_unit_test(each_cost_has_its_factor),
        cmocka_unit_test(the_eager_limit_moves),      cmocka_unit_test(credit_is_what_is_left_of_it),
        cmocka_unit_test(credit_is_of_each_node),     cmocka_unit_test(trunks_go_with_the_gaps_of_senders),
        cmocka_unit_test(computation_goes_with_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
