#include "models/tests/model_fixture.h"

#include "models/measured.h"

/* Four nodes of two processes. */
#define FOUR "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 2\n"

/* Two nodes' ping-pong and pairs on 2 and 4 nodes, one and two processes each; times in whole us. */
static const char machine_text[] =
    FOUR "eager_limit: 1000\n"
         "progress: async\n"
         "point_to_point:\n"
         "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
         "      {bytes: 100, transit: {edges: [90 us, 110 us], counts: [1]}},\n"
         "      {bytes: 300, transit: {edges: [180 us, 220 us], counts: [1], minimum: 170 us, average: 190 us}, "
         "send_overhead: 8 us},\n"
         "      {bytes: 700, transit: {edges: [300 us, 500 us], counts: [1]}, send_overhead: 16 us}]}\n"
         "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, level: 5, sizes: [\n"
         "      {bytes: 100, transit: {edges: [200 us, 400 us], counts: [1]}, send_overhead: 77 us, receive_overhead: "
         "3 us},\n"
         "      {bytes: 500, transit: {edges: [600 us, 800 us], counts: [1]}, receive_overhead: {uniform: {low: 4 us, "
         "high: 6 us}}}]}\n"
         "  - {operation: MPI_Send, pattern: pairs, nodes: 4, processes_per_node: 2, sizes: [{bytes: 0, transit: 1000 "
         "us}]}\n"
         "  - {operation: MPI_Isend, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 2 us}, {bytes: 10, "
         "transit: 3 us}]}\n"
         "  - {operation: MPI_Send, pattern: fan_in, nodes: 4, processes_per_node: 1, level: 9, sizes: [{bytes: 0, "
         "transit: 9 s}]}\n"
         "ports:\n"
         "  out_gap: [[0, 10 us], [100, 30 us]]\n"
         "  in_gap: [[0, 5 us]]\n"
         "  credit: 100 us\n";

static const char per_node[] =
    "  per_node: [{}, {credit: 25 us}, {out_gap: [[0, 60 us]], in_gap: [[0, 70 us]]}, {}]\n";

static enum status measured_open(struct fixture *f, const char *text, struct cost_options options)
{
    options.model = "measured";
    return fixture_open(f, text, options);
}

static void assert_us(double found, double expected)
{
    if (!(fabs(found - expected * 1e-6) <= 1e-9 * expected * 1e-6))
        fail_msg("found %.12g us, expected %.12g us", found * 1e6, expected);
}

/* The mix at probability 1/4 in seconds. */
static double quarter(const struct mix *mix)
{
    struct quantile q;
    quantile_build(&q, mix);
    double t = quantile_at(&q, 1u << 30);
    quantile_free(&q);
    return t;
}

static double transit(const struct fixture *f, int from, int to, enum send_kind kind, int64_t bytes, int level)
{
    struct mix mix;
    f->model->transit(f->model, pair_between(f->model, from, to), kind, bytes, level, &mix);
    return quarter(&mix);
}

static double overhead(const struct fixture *f, enum side side, int64_t bytes)
{
    struct mix mix;
    f->model->overhead(f->model, pair_between(f->model, 0, 1), side, SEND_BLOCKING, bytes, &mix);
    return quarter(&mix);
}

static const struct cost_options one_each = {.ppn = 1};

static void model_says_what_it_is(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(measured_open(&f, machine_text, one_each), STATUS_OK);
    assert_string_equal(f.model->name, "measured");
    assert_int_equal(f.model->ports, PORTS_OFF);
    assert_int_equal(f.model->eager_limit[TRANSPORT_network], 1000);
    assert_int_equal(f.model->progress, PROGRESS_ASYNC);
    assert_int_equal(f.model->level_max, 5);
    assert_int_equal(f.model->level_measured[0], 5);
    assert_int_equal(f.model->level_measured[1], 2);
    assert_false(f.model->other_ppn);
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

static void sizes_are_interpolated(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, one_each);
    /* Quarter points at level 1: 95, 190, 350 us at 100, 300, 700 bytes. */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 1), 95);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 1), 95); /* below the smallest */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 150, 1), 95 + 0.25 * 95);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 300, 1), 190);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 400, 1), 190 + 0.25 * 160);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 1500, 1), 350 + 2 * 160); /* the last line goes on */
    assert_us(transit(&f, 3, 2, SEND_NONBLOCKING, 300, 1), 190);         /* no MPI_Isend between nodes */
    fixture_close(&f);
}

/* The nonblocking one was measured to 100 bytes only; at level 2 nothing was measured of the other like it. */
static void the_other_operation_serves_beyond_the_largest_size(void **state)
{
    static const char text[] =
        FOUR "point_to_point:\n"
             "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
             "      {bytes: 0, transit: 50 us, send_overhead: 1 us}, {bytes: 100, transit: 60 us, send_overhead: 2 us},\n"
             "      {bytes: 1000, transit: 900 us, send_overhead: 20 us}]}\n"
             "  - {operation: MPI_Isend, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
             "      {bytes: 0, transit: 70 us}, {bytes: 100, transit: 72 us, send_overhead: 3 us}]}\n"
             "  - {operation: MPI_Isend, pattern: pairs, nodes: 2, processes_per_node: 1, sizes: [\n"
             "      {bytes: 0, transit: 80 us}, {bytes: 100, transit: 90 us}]}\n";
    (void)state;
    struct fixture f;
    struct mix mix;
    assert_int_equal(measured_open(&f, text, one_each), STATUS_OK);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 100, 1), 72);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 1000, 1), 900);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 550, 1), (72.0 + 900) / 2);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 1900, 1), 900 + 828);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 1100, 2), 190);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 550, 1), 480);
    f.model->overhead(f.model, pair_between(f.model, 0, 1), SIDE_SEND, SEND_NONBLOCKING, 1000, &mix);
    assert_us(quarter(&mix), 20);
    fixture_close(&f);
    assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 1, .mode = MODE_average}), STATUS_OK);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 1000, 1), 900);
    fixture_close(&f);
}

/* Median 100 us at 100 bytes and 200 us at 300: 0.5 us a byte. Of 4 messages 400 us at 200 bytes. */
static const char narrow_text[] =
    FOUR "point_to_point:\n"
         "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
         "      {bytes: 100, transit: {edges: [90 us, 110 us], counts: [1]}},\n"
         "      {bytes: 300, transit: {edges: [100 us, 300 us], counts: [1]}}]}\n"
         "  - {operation: MPI_Send, pattern: pairs, nodes: 4, processes_per_node: 1, sizes: [\n"
         "      {bytes: 100, transit: {edges: [100 us, 300 us], counts: [1]}},\n"
         "      {bytes: 200, transit: {edges: [300 us, 500 us], counts: [1]}}]}\n"
         "ports: {out_gap: [[0, 10 us]], in_gap: [[0, 5 us]]";

static void beyond_their_sizes_transits_grow_as_alone_where_ports_are_asked_in_time(void **state)
{
    (void)state;
    struct fixture f;
    char text[1024];
    for (int in_time = 0; in_time < 2; in_time++) {
        snprintf(text, sizeof text, "%s%s}\n", narrow_text, in_time ? ", reverse_gap: [[0, 0]]" : "");
        struct cost_options options = {.ppn = 1, .contention = CONTENTION_ports};
        assert_int_equal(measured_open(&f, text, options), STATUS_OK);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 200, 1), 122.5);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 300, 1), 150);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 1), in_time ? 350 : 260);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 200, 4), 350);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 250, 4), in_time ? 375 : 450);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 4), in_time ? 600 : 1350);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 3),
                  in_time ? 350 / 3. + 600 * 2 / 3. : 260 / 3. + 1350 * 2 / 3.);
        fixture_close(&f);
        options.contention = CONTENTION_scoreboard;
        assert_int_equal(measured_open(&f, text, options), STATUS_OK);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 4), 1350);
        fixture_close(&f);
    }
}

static void levels_are_interpolated(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, one_each);
    /* Level 5: quarter points 250, 650 us at 100, 500 bytes. */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 5), 250);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 2), 0.75 * 95 + 0.25 * 250);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 200, 4), 0.25 * (95 + 190) / 2 + 0.75 * 350);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 6), 250); /* above the largest */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 3), 0.5 * 350 + 0.5 * (650 + 0.5 * 400));
    struct mix mix;
    f.model->transit(f.model, 0, SEND_BLOCKING, 200, 3, &mix);
    assert_int_equal(mix.n, 4);
    f.model->transit(f.model, 0, SEND_BLOCKING, 100, 5, &mix);
    assert_int_equal(mix.n, 1);
    fixture_close(&f);
}

static void contention_none_means_level_1(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, (struct cost_options){.ppn = 1, .contention = CONTENTION_none});
    assert_int_equal(f.model->level_max, 1);
    assert_int_equal(f.model->level_measured[0], 5);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 5), 95);
    fixture_close(&f);
}

/* Levels 1 and 5 were measured with one process per node, 8 with two. */
static void entries_of_all_ppn_make_one_axis(void **state)
{
    (void)state;
    struct fixture f;
    for (int ppn = 2; ppn <= 3; ppn++) {
        measured_open(&f, machine_text, (struct cost_options){.ppn = ppn});
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 1), 95);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 5), 250);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 7), 250 / 3.0 + 1000 * 2 / 3.0);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 8), 1000);
        assert_int_equal(f.model->level_max, 8);
        assert_int_equal(f.model->other_ppn, ppn == 3);
        fixture_close(&f);
    }
}

/* What is asked for is nearest on both sides of a level, so nothing else comes between; below it others do. */
static void other_entries_lengthen_the_axis(void **state)
{
    (void)state;
    static const char text[] = "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 4\n"
        "point_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 10 "
        "us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, level: 8, sizes: [{bytes: 0, transit: 11 us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, level: 12, sizes: [{bytes: 0, transit: 12 us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, level: 64, sizes: [{bytes: 0, transit: 13 us}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 4, level: 8, sizes: [{bytes: 0, transit: 50 us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 4, level: 16, sizes: [{bytes: 0, transit: 90 us}]}\n"
        "  - {operation: MPI_Isend, nodes: 4, processes_per_node: 4, level: 32, sizes: [{bytes: 0, transit: 200 us}]}\n";
    struct fixture f;
    measured_open(&f, text, (struct cost_options){.ppn = 4});
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 1), 10);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 8), 50);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 12), 70);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 16), 90);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 32), 200); /* the other operation's, where its own do not reach */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 64), 200); /* nothing is known of four per node there */
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 0, 1), 10);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 0, 16), 90);
    assert_us(transit(&f, 0, 1, SEND_NONBLOCKING, 0, 32), 200);
    assert_int_equal(f.model->level_measured[0], 32);
    fixture_close(&f);
    measured_open(&f, text, one_each);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 8), 11);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 10), 11.5);
    fixture_close(&f);
}

static void messages_within_a_node_have_their_own(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, (struct cost_options){.ppn = 2});
    assert_int_not_equal(pair_between(f.model, 1, 1), pair_between(f.model, 1, 2));
    assert_us(transit(&f, 1, 1, SEND_NONBLOCKING, 5, 1), 2.5);
    assert_us(transit(&f, 1, 1, SEND_BLOCKING, 5, 1), 2.5); /* MPI_Isend serves both */
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

/* Within a node the level alone tells how many send. */
static void levels_within_a_node_are_of_all_ppn(void **state)
{
    (void)state;
    static const char text[] = "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 4\n"
        "point_to_point:\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 7 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 2 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 3, level: 1, sizes: [{bytes: 0, transit: 1 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 4, sizes: [{bytes: 0, transit: 5 us}]}\n";
    struct fixture f;
    measured_open(&f, text, (struct cost_options){.ppn = 2});
    for (int level = 1; level <= 2; level++)
        assert_us(transit(&f, 1, 1, SEND_BLOCKING, 0, level), level);
    assert_us(transit(&f, 1, 1, SEND_BLOCKING, 0, 4), 5);
    assert_int_equal(f.model->level_measured[1], 4);
    assert_true(f.model->other_ppn);
    fixture_close(&f);
}

/* What the processes of a node do to one another's messages is known where they share its port. */
static void a_shared_port_stands_for_other_ppn(void **state)
{
    (void)state;
    static const char *const scopes[] = {"node", "process"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        struct fixture f;
        snprintf(text, sizeof text, "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 4\npoint_to_point: "
                 "[{operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 7 us}]}]\n"
                 "resources: [{scope: %s, direction: out, demand: [[0, 1 us]]}, {scope: %s, direction: in, demand: [[0, "
                 "1 us]]}]\n", scopes[k], scopes[k]);
        measured_open(&f, text, (struct cost_options){.ppn = 4, .contention = CONTENTION_ports});
        assert_int_equal(f.model->other_ppn, k == 1);
        fixture_close(&f);
    }
}

static void without_them_those_between_serve(void **state)
{
    (void)state;
    static const char text[] = FOUR "point_to_point: [{operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: "
                                    "[{bytes: 0, transit: 7 us}]}]\n";
    struct fixture f;
    assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 2}), STATUS_OK);
    assert_us(transit(&f, 1, 1, SEND_BLOCKING, 5, 1), 7);
    assert_says(&f.diags,
                   "m.yaml: note: no `point_to_point` entry within a node (nodes: 1): messages within a node are taken "
                   "to cost what those between nodes do\n");
    fixture_close(&f);
    measured_open(&f, text, one_each);
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

static void a_machine_of_one_node_serves_all(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 1\nname: laptop\nnodes: 1\nprocesses_per_node: 4\npoint_to_point:\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 4, sizes: [{bytes: 0, transit: 7 us}]}\n";
    struct fixture f;
    assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 2}), STATUS_OK);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 5, 1), 7);
    fixture_close(&f);
}

static void of_equal_levels_one_stays(void **state)
{
    (void)state;
    static const char text[] = FOUR
        "point_to_point:\n"
        "  - {operation: MPI_Send, nodes: 3, processes_per_node: 2, level: 1, sizes: [{bytes: 0, transit: 1 us}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, pattern: pingpong, sizes: [{bytes: 0, transit: 2 "
        "us}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, level: 4, pattern: pingpong, sizes: [{bytes: 0, "
        "transit: 3 us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, sizes: [{bytes: 0, transit: 4 us}]}\n"
        "  - {operation: MPI_Send, nodes: 3, processes_per_node: 2, level: 4, sizes: [{bytes: 0, transit: 5 us}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 2, sizes: [{bytes: 0, transit: 6 us}]}\n";
    struct fixture f;
    measured_open(&f, text, (struct cost_options){.ppn = 3});
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 1), 2); /* the pingpong at level 1 */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 4), 6); /* pairs above it, 2 per node is nearer to 3, fewer nodes */
    fixture_close(&f);
}

static void overheads_come_from_the_lowest_level_that_has_them(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, one_each);
    assert_us(overhead(&f, SIDE_SEND, 100), 8); /* the size without one is skipped */
    assert_us(overhead(&f, SIDE_SEND, 400), 10);
    assert_us(overhead(&f, SIDE_SEND, 1100), 24);
    assert_us(overhead(&f, SIDE_RECEIVE, 100), 3); /* not at level 1, so from level 5 */
    assert_us(overhead(&f, SIDE_RECEIVE, 300), (3 + 4.5) / 2);
    fixture_close(&f);
}

/* An entry of the run's ppn that has none does not hide another's. */
static void overheads_come_from_entries_that_have_them(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, (struct cost_options){.ppn = 2});
    assert_us(overhead(&f, SIDE_SEND, 100), 8);
    assert_us(overhead(&f, SIDE_RECEIVE, 100), 3);
    fixture_close(&f);
    static const char text[] = FOUR
        "point_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 10 "
        "us, send_overhead: 1 us}]}\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 2, sizes: [{bytes: 0, transit: 10 "
        "us}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 2, sizes: [{bytes: 0, transit: 10 us, send_overhead: "
        "5 us}]}\n"
        "  - {operation: MPI_Send, nodes: 4, processes_per_node: 1, sizes: [{bytes: 0, transit: 10 us, "
        "receive_overhead: 2 us}]}\n"
        "  - {operation: MPI_Isend, nodes: 2, processes_per_node: 1, level: 1, sizes: [{bytes: 0, transit: 10 us, "
        "receive_overhead: 7 us}]}\n";
    measured_open(&f, text, (struct cost_options){.ppn = 2});
    assert_us(overhead(&f, SIDE_SEND, 0), 1); /* of the lowest level, whatever the ppn */
    assert_us(overhead(&f, SIDE_RECEIVE, 0), 2); /* its own operation's first */
    fixture_close(&f);
}

static void modes_replace_every_distribution(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, (struct cost_options){.ppn = 1, .mode = MODE_average});
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 1), 100);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 300, 1), 190); /* as the file says */
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 200, 1), 145);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 300, 3), (190 + 500) / 2.0);
    assert_us(overhead(&f, SIDE_RECEIVE, 500), 5);
    fixture_close(&f);
    measured_open(&f, machine_text, (struct cost_options){.ppn = 1, .mode = MODE_minimum});
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 1), 90);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 300, 1), 170);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 700, 1), 300);
    assert_us(overhead(&f, SIDE_RECEIVE, 500), 4);
    fixture_close(&f);
}

static void ports_charge_between_nodes_only(void **state)
{
    (void)state;
    struct fixture f;
    struct port_cost cost;
    assert_int_equal(measured_open(&f, machine_text, (struct cost_options){.ppn = 1, .contention = CONTENTION_ports}),
                     STATUS_OK);
    assert_int_equal(f.model->ports, PORTS_PER_NODE);
    f.model->ports_for(f.model, pair_between(f.model, 0, 1), 50, &cost);
    assert_us(cost.out_gap, 20);
    assert_us(cost.in_gap, 5);
    assert_us(port_cost_out_credit(&cost), 80);
    assert_us(port_cost_in_credit(&cost), 80);
    f.model->ports_for(f.model, pair_between(f.model, 0, 1), 600, &cost);
    assert_us(cost.out_gap, 130);
    assert_true(port_cost_out_credit(&cost) == 0);
    f.model->ports_for(f.model, pair_between(f.model, 2, 2), 50, &cost);
    assert_true(cost.out_gap == 0 && cost.in_gap == 0);
    assert_true(port_cost_out_credit(&cost) == 0 && port_cost_in_credit(&cost) == 0);
    assert_us(transit(&f, 0, 1, SEND_BLOCKING, 100, 5), 250); /* levels act too */
    fixture_close(&f);
}

static void rests_delay_where_ports_are(void **state)
{
    (void)state;
    static const char delays[] = "  measured_after: 3 ms\n  rest_delay: [[0, 0], [100 ms, 30 us]]\n";
    char text[sizeof machine_text + sizeof delays];
    snprintf(text, sizeof text, "%s%s", machine_text, delays);
    struct fixture f;
    const struct cost_options with_ports = {.ppn = 1, .contention = CONTENTION_ports};
    measured_open(&f, text, with_ports);
    assert_non_null(f.model->in_time_by);
    assert_us(machine_curve_at(f.model->rest_delay, 10e-3), 3);
    assert_us(f.model->measured_after, 3000);
    fixture_close(&f);
    measured_open(&f, text, one_each);
    assert_null(f.model->rest_delay);
    fixture_close(&f);
    measured_open(&f, machine_text, with_ports);
    assert_null(f.model->rest_delay);
    assert_null(f.model->in_time_by);
    fixture_close(&f);
}

#define WAKING(scope) "resources: [{" scope ", demand: [[0, 0]], wake: [[0, 0], [1 ms, 40 us], [10 ms, 50 us]]}]\n"

static void waking_takes_of_what_all_nodes_share(void **state)
{
    (void)state;
    static const char head[] = "pevpm_machine: 2\nname: m\nnodes: 2\npoint_to_point: [{operation: MPI_Send, nodes: 2, "
                               "processes_per_node: 1, sizes: [{bytes: 0, transit: 1}]}]\n";
    const struct cost_options with_ports = {.model = "measured", .ppn = 1, .contention = CONTENTION_ports};
    char text[500];
    struct fixture f;
    snprintf(text, sizeof text, "%s%s", head, WAKING("scope: all"));
    measured_open(&f, text, with_ports);
    assert_non_null(f.model->in_time_by); /* so that only the engine that goes by time runs it */
    assert_us(machine_curve_at(f.model->wake, 5.5e-3), 45);
    fixture_close(&f);
    measured_open(&f, text, (struct cost_options){.model = "measured", .ppn = 1});
    assert_null(f.model->wake);
    fixture_close(&f);
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    struct cost_model *model;
    snprintf(text, sizeof text, "%s%s", head, WAKING("scope: node, direction: out"));
    assert_int_equal(machine_read_text(&machine, "text", text, strlen(text), &diags), STATUS_OK);
    assert_int_equal(cost_model_open(&model, machine, &with_ports, &diags), STATUS_NOT_YET);
    assert_tells(&diags, "resources[0]: `wake` without `scope: all` cannot be simulated yet");
    machine_destroy(machine);
    diags_free(&diags);
}

static void ports_may_differ_by_node(void **state)
{
    (void)state;
    char text[sizeof machine_text + sizeof per_node + 40];
    snprintf(text, sizeof text, "%s%s  shared_by: process\n", machine_text, per_node);
    struct fixture f;
    struct port_cost cost;
    measured_open(&f, text, (struct cost_options){.ppn = 1, .contention = CONTENTION_ports});
    assert_int_equal(f.model->ports, PORTS_PER_PROCESS);
    f.model->ports_for(f.model, pair_between(f.model, 1, 2), 50, &cost);
    assert_us(cost.out_gap, 20);
    assert_us(port_cost_out_credit(&cost), 5);
    assert_us(cost.in_gap, 70);
    assert_us(cost.frame, 70);
    assert_us(cost.senders_in_gap, 5);
    assert_us(port_cost_in_credit(&cost), 40);
    f.model->ports_for(f.model, pair_between(f.model, 2, 1), 50, &cost);
    assert_us(cost.out_gap, 60);
    assert_us(port_cost_out_credit(&cost), 40);
    assert_us(cost.in_gap, 5);
    assert_us(port_cost_in_credit(&cost), 5);
    /* Nodes 5 and 6 stand for 1 and 2; 1 and 5 are two nodes all the same. */
    assert_int_equal(pair_between(f.model, 5, 6), pair_between(f.model, 1, 2));
    f.model->ports_for(f.model, pair_between(f.model, 1, 5), 50, &cost);
    assert_us(cost.out_gap, 20);
    f.model->ports_for(f.model, pair_between(f.model, 5, 5), 50, &cost);
    assert_true(cost.out_gap == 0);
    assert_us(transit(&f, 2, 1, SEND_BLOCKING, 100, 1), 95);
    fixture_close(&f);
    measured_open(&f, text, one_each); /* without ports all nodes are alike */
    assert_int_equal(f.model->ports, PORTS_OFF);
    f.model->ports_for(f.model, pair_between(f.model, 2, 1), 50, &cost);
    assert_true(cost.out_gap == 0 && port_cost_in_credit(&cost) == 0);
    fixture_close(&f);
}

/* Whole messages pass ports, whatever the file says of frames; a note says that. */
static void ports_leave_frames_out_of_account(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 1\npoint_to_point:\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 10 us}]}\n"
        "resources:\n  - {scope: node, direction: out, demand: [[0, 10 us], [500, 60 us], [10000, 1060 us]], frame: 1000, "
        "window: 4000}\n  - {scope: node, direction: in, demand: [[0, 10 us], [500, 60 us], [10000, 1080 us]], frame: 1000}\n";
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    assert_int_equal(machine_read_text(&machine, "text", text, sizeof text - 1, &diags), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        struct cost_options options = {.model = "measured", .ppn = 1, .contention = i ? CONTENTION_frames : CONTENTION_ports};
        struct cost_model *model;
        struct port_cost cost;
        assert_int_equal(cost_model_open(&model, machine, &options, &diags), STATUS_OK);
        model->ports_for(model, pair_between(model, 0, 1), 10000, &cost);
        assert_us(cost.out_gap, 1060);
        assert_us(cost.spread, i ? 0.9 * 1060 : 0);
        assert_us(cost.frame, i ? 108 : 1080);
        assert_us(cost.frame_bytes * 1e-6, i ? 1000 : 0);
        assert_int_equal(model->in_time_by != NULL, i);
        if (i == 0)
            assert_tells(&diags, "note: --contention ports has whole messages pass: `frame`, which tells of TCP's frames, is left out of "
                                 "account");
        cost_model_close(model);
    }
    machine_destroy(machine);
    diags_free(&diags);
}

/* Of each port and trunk what half a frame takes is enough. */
static void frames_are_known_by_half_of_one(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[600];
        struct diags diags = DIAGS_EMPTY;
        struct machine *machine;
        const int length = snprintf(
            text, sizeof text,
            "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 1\npoint_to_point:\n"
            "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 10 us}]}\n"
            "resources:\n  - {scope: node, direction: out, demand: [[0, 10 us], [10000, 1060 us]], frame: 1448}\n"
            "  - {scope: node, direction: in, demand: [[0, 10 us], [%d, 80 us]], frame: 1448}\n", i ? 724 : 723);
        assert_int_equal(machine_read_text(&machine, "text", text, (size_t)length, &diags), STATUS_OK);
        assert_int_equal(measured_knows_frames(machine), i);
        struct cost_options options = {.model = "measured", .ppn = 1, .contention = CONTENTION_frames};
        struct cost_model *model = NULL;
        assert_int_equal(cost_model_open(&model, machine, &options, &diags), i ? STATUS_OK : STATUS_SCHEMA);
        assert_tells(&diags, i ? "note: a port or trunk was measured up to 724 bytes, less than two of its frames: what longer messages "
                                 "take of it follows from that"
                               : "whose longest message fills less than half of one");
        if (i)
            cost_model_close(model);
        machine_destroy(machine);
        diags_free(&diags);
    }
}

static void assert_self(const struct fixture *f, int node, enum send_kind kind, int64_t bytes, const double us[3])
{
    const struct cost_model *m = f->model;
    uint32_t pair = pair_with_itself(m, node);
    struct mix mix;
    struct port_cost ports;
    m->overhead(m, pair, SIDE_SEND, kind, bytes, &mix);
    assert_us(quarter(&mix), us[0]);
    m->transit(m, pair, kind, bytes, 7, &mix);
    assert_us(quarter(&mix), us[1]);
    m->overhead(m, pair, SIDE_RECEIVE, kind, bytes, &mix);
    assert_us(quarter(&mix), us[2]);
    m->ports_for(m, pair, bytes, &ports);
    assert_true(ports.out_gap == 0 && ports.in_gap == 0);
}

#define SELF_ENTRY "  - {operation: MPI_Isend, pattern: pingpong, nodes: 1, processes_per_node: 1, transport: self, sizes: [\n" \
                   "      {bytes: 0, transit: 0.5 us, send_overhead: 0.25 us, receive_overhead: 0.1 us},\n" \
                   "      {bytes: 1000, transit: 1.5 us, send_overhead: 0.75 us}]}\n"

static void messages_to_oneself_cost_what_was_measured(void **state)
{
    (void)state;
    struct fixture f;
    char text[sizeof machine_text + 400];
    snprintf(text, sizeof text, "%s" "transports: {self: {eager_limit: 64}}\n", machine_text);
    char *at = strstr(text, "ports:\n"), rest[200];
    snprintf(rest, sizeof rest, "%s", at);
    snprintf(at, sizeof text - (size_t)(at - text), "%s%s", SELF_ENTRY, rest);
    assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 2, .contention = CONTENTION_ports}),
                     STATUS_OK);
    assert_true(f.model->self_is_known);
    assert_self(&f, 1, SEND_BLOCKING, 0, (double[]){0.25, 0.5, 0.1});
    assert_self(&f, 3, SEND_NONBLOCKING, 500, (double[]){0.5, 1, 0.1});
    assert_us(transit(&f, 1, 1, SEND_NONBLOCKING, 0, 1), 2); /* within a node, to another: as without it */
    assert_true(f.model->eager_limit[TRANSPORT_self] == 64 && !f.model->eager_limit_taken[TRANSPORT_self]);
    assert_true(f.model->eager_limit[TRANSPORT_node] == 1000 && f.model->eager_limit_taken[TRANSPORT_node]);
    fixture_close(&f);
}

/* What they have come to is where they belong, so a line through eager sizes, which are copied, says nothing of it. */
static void data_that_came_by_rendezvous_are_received_as_nothing_is(void **state)
{
    (void)state;
    struct fixture f;
    struct mix mix;
    static const char text[] =
        FOUR "eager_limit: 20\npoint_to_point: [{operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 70 "
             "us, receive_overhead: 3 us}, {bytes: 20, transit: 90 us, receive_overhead: 8 us}, {bytes: 40, transit: 95 us}]}]\n";
    measured_open(&f, text, one_each);
    const int64_t sizes[] = {0, 10, 20, 21, 40, 1000};
    const double wanted[] = {3, 5.5, 8, 3, 3, 3};
    for (int i = 0; i < 6; i++) {
        f.model->overhead(f.model, pair_between(f.model, 0, 1), SIDE_RECEIVE, SEND_BLOCKING, sizes[i], &mix);
        assert_us(quarter(&mix), wanted[i]);
    }
    fixture_close(&f);
}

/* The overheads of an empty message within the node, or else of one between nodes. */
static void without_a_measurement_they_cost_two_overheads(void **state)
{
    (void)state;
    struct fixture f;
    measured_open(&f, machine_text, one_each);
    assert_false(f.model->self_is_known);
    assert_self(&f, 0, SEND_BLOCKING, 5000, (double[]){0, 0, 0}); /* entries within a node have none */
    fixture_close(&f);
    static const char between[] =
        FOUR "point_to_point: [{operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 10, transit: 70 "
             "us, send_overhead: 4 us, receive_overhead: 3 us}, {bytes: 20, transit: 90 us, send_overhead: 8 us}]}]\n";
    measured_open(&f, between, one_each);
    assert_self(&f, 2, SEND_BLOCKING, 5000, (double[]){4, 7, 3});
    assert_false(f.model->eager_limit_taken[TRANSPORT_self]); /* there is none to take */
    fixture_close(&f);
}

/* FOUR with what is between the braces: each transport has entries or not. */
#define SOCKETS FOUR "sockets_per_node: 2\neager_limit: 1000\n"
#define BETWEEN_NODES "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 90 us, send_overhead: 9 us}]}\n"
#define BETWEEN_SOCKETS "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, level: 3, sizes: [{bytes: 0, transit: 5 us, send_overhead: 2 us}]}\n"
#define WITHIN_SOCKETS "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, transport: socket, sizes: [{bytes: 0, transit: 1 us, " \
                       "send_overhead: 0.5 us}, {bytes: 10, transit: 3 us}]}\n"

static double local(const struct fixture *f, enum transport transport, int64_t bytes)
{
    struct mix mix;
    f->model->transit(f->model, f->model->pair_class(f->model, transport, 1, 1), SEND_NONBLOCKING, bytes, 1, &mix);
    return quarter(&mix);
}

/* Where nothing was measured of their way, the nearest stands for it. */
static void messages_within_a_socket_have_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double between, within; /* us, between the sockets of a node, within one */
        int level[2];
        bool own_levels;
    } cases[] = {{SOCKETS "point_to_point:\n" BETWEEN_NODES BETWEEN_SOCKETS WITHIN_SOCKETS, 5, 1, {3, 2}, true},
                 {SOCKETS "point_to_point:\n" BETWEEN_NODES BETWEEN_SOCKETS, 5, 5, {3, 3}, false},
                 {SOCKETS "point_to_point:\n" BETWEEN_NODES WITHIN_SOCKETS, 1, 1, {2, 2}, true},
                 {SOCKETS "point_to_point:\n" BETWEEN_NODES, 90, 90, {2, 2}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct mix mix;
        assert_int_equal(measured_open(&f, cases[i].text, (struct cost_options){.ppn = 2}), STATUS_OK);
        assert_us(local(&f, TRANSPORT_node, 0), cases[i].between);
        assert_us(local(&f, TRANSPORT_socket, 0), cases[i].within);
        assert_us(transit(&f, 0, 1, SEND_BLOCKING, 0, 1), 90);
        assert_int_equal(f.model->level_measured[TRANSPORT_node], cases[i].level[0]);
        assert_int_equal(f.model->level_measured[TRANSPORT_socket], cases[i].level[1]);
        assert_int_equal(f.model->socket_levels, cases[i].own_levels);
        f.model->overhead(f.model, f.model->pair_class(f.model, TRANSPORT_socket, 0, 0), SIDE_SEND, SEND_BLOCKING, 0, &mix);
        assert_us(quarter(&mix), i == 0 || i == 2 ? 0.5 : i == 1 ? 2 : 9);
        fixture_close(&f);
    }
    struct fixture f;
    assert_int_equal(measured_open(&f, cases[0].text, (struct cost_options){.ppn = 2}), STATUS_OK);
    assert_us(local(&f, TRANSPORT_socket, 5), 2);
    fixture_close(&f);
}

/* Its own, else the node's, else the one between nodes; and so what becomes of larger ones. */
static void a_socket_takes_the_nodes_limit(void **state)
{
    (void)state;
    static const struct {
        const char *transports;
        int64_t limit;
        bool taken;
        enum transport of;
        enum rendezvous rendezvous;
    } cases[] = {{"", 1000, true, TRANSPORT_network, RENDEZVOUS_permit},
                 {"transports: {node: {eager_limit: 70, rendezvous: get}}\n", 70, true, TRANSPORT_node, RENDEZVOUS_get},
                 {"transports: {socket: {eager_limit: 60}, node: {eager_limit: 70, rendezvous: get}}\n", 60, false, TRANSPORT_socket,
                  RENDEZVOUS_get},
                 {"transports: {socket: {rendezvous: permit}, node: {rendezvous: get}}\n", 1000, true, TRANSPORT_network,
                  RENDEZVOUS_permit}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        char text[800];
        snprintf(text, sizeof text, "%s%spoint_to_point:\n%s", SOCKETS, cases[i].transports, BETWEEN_NODES);
        assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 2}), STATUS_OK);
        assert_int_equal(f.model->eager_limit[TRANSPORT_socket], cases[i].limit);
        assert_int_equal(f.model->eager_limit_taken[TRANSPORT_socket], cases[i].taken);
        assert_int_equal(machine_limit_of(f.machine, TRANSPORT_socket), cases[i].of);
        assert_int_equal(f.model->rendezvous[TRANSPORT_socket], cases[i].rendezvous);
        fixture_close(&f);
    }
}

/* What engines do not know yet is refused, and the rest served. */
static void resources_of_sockets_are_served_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *refused;
    } cases[] = {{"scope: socket, transport: socket, direction: both", NULL},
                 {"scope: socket, transport: node, direction: out", NULL},
                 {"scope: socket, transport: socket, direction: in", "`transport: socket` without `scope: socket` and `direction: both`"},
                 {"scope: process, transport: socket, direction: both", "`transport: socket` without `scope: socket` and `direction: both`"},
                 {"scope: socket, direction: out", "`scope: socket` of messages between nodes"},
                 {"scope: socket, transport: socket, direction: both, acknowledgements: [[0, 1 us]]",
                  "`transport: node` or `socket` with `acknowledgements`"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        char text[1200];
        snprintf(text, sizeof text, "pevpm_machine: 2\nname: m\nnodes: 4\nprocesses_per_node: 2\nsockets_per_node: 2\npoint_to_point:\n"
                 "%sresources: [{%s, demand: [[0, 1 us], [1000, 2 us]]}]\n", BETWEEN_NODES BETWEEN_SOCKETS, cases[i].line);
        assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 2, .contention = CONTENTION_ports}),
                         cases[i].refused ? STATUS_NOT_YET : STATUS_OK);
        if (cases[i].refused)
            assert_tells(&f.diags, cases[i].refused);
        fixture_close(&f);
    }
}

static void assert_refused(const char *text, enum contention contention, const char *message)
{
    struct fixture f;
    assert_int_equal(measured_open(&f, text, (struct cost_options){.ppn = 1, .contention = contention}), STATUS_SCHEMA);
    assert_null(f.model);
    assert_says(&f.diags, message);
    fixture_close(&f);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    assert_refused(
        FOUR, CONTENTION_scoreboard,
        "m.yaml: error: no `point_to_point` entry with pattern pingpong or pairs: run pevpm-bench or add one\n");
    assert_refused(
        FOUR "point_to_point: [{operation: MPI_Send, pattern: fan_out, nodes: 2, processes_per_node: 1, sizes: "
             "[{bytes: 0, transit: 7 us}]}]\n",
        CONTENTION_scoreboard,
        "m.yaml: error: no `point_to_point` entry with pattern pingpong or pairs: run pevpm-bench or add one\n");
    assert_refused(
        FOUR "point_to_point: [{operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 7 "
             "us}]}]\n",
        CONTENTION_none,
        "m.yaml: error: no `point_to_point` entry between nodes (nodes: 2 or more): run pevpm-bench or add one\n");
    assert_refused(
        FOUR "point_to_point: [{operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 7 "
             "us}]}]\n",
        CONTENTION_ports,
        "m.yaml: error: no `ports`, which --contention ports needs: run pevpm-bench, add them, or use --contention "
        "scoreboard\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_says_what_it_is),
        cmocka_unit_test(sizes_are_interpolated),
        cmocka_unit_test(the_other_operation_serves_beyond_the_largest_size),
        cmocka_unit_test(beyond_their_sizes_transits_grow_as_alone_where_ports_are_asked_in_time),
        cmocka_unit_test(levels_are_interpolated),
        cmocka_unit_test(contention_none_means_level_1),
        cmocka_unit_test(entries_of_all_ppn_make_one_axis),
        cmocka_unit_test(other_entries_lengthen_the_axis),
        cmocka_unit_test(messages_within_a_node_have_their_own),
        cmocka_unit_test(levels_within_a_node_are_of_all_ppn),
        cmocka_unit_test(messages_within_a_socket_have_their_own),
        cmocka_unit_test(a_socket_takes_the_nodes_limit),
        cmocka_unit_test(resources_of_sockets_are_served_or_refused),
        cmocka_unit_test(a_shared_port_stands_for_other_ppn), cmocka_unit_test(without_them_those_between_serve),
        cmocka_unit_test(messages_to_oneself_cost_what_was_measured),
        cmocka_unit_test(data_that_came_by_rendezvous_are_received_as_nothing_is),
        cmocka_unit_test(without_a_measurement_they_cost_two_overheads),
        cmocka_unit_test(a_machine_of_one_node_serves_all),
        cmocka_unit_test(of_equal_levels_one_stays),
        cmocka_unit_test(overheads_come_from_the_lowest_level_that_has_them),
        cmocka_unit_test(overheads_come_from_entries_that_have_them),
        cmocka_unit_test(modes_replace_every_distribution),
        cmocka_unit_test(ports_charge_between_nodes_only),
        cmocka_unit_test(rests_delay_where_ports_are),
        cmocka_unit_test(waking_takes_of_what_all_nodes_share),
        cmocka_unit_test(ports_may_differ_by_node),
        cmocka_unit_test(ports_leave_frames_out_of_account),
        cmocka_unit_test(frames_are_known_by_half_of_one),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
